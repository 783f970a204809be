//! The rules that no compiler checks.

mod edges;
mod text;

use crate::sh;
use anyhow::Result;
use std::process::ExitCode;

/// Prints what breaks a rule, a line each.
pub(crate) fn run() -> Result<ExitCode> {
    let files = sh::output(&mut sh::command("git ls-files --cached --others --exclude-standard"))?;
    // A file that was removed but is still in the index has no rules to break.
    let files: Vec<&str> = files.lines().filter(|f| sh::root().join(f).is_file()).collect();
    let mut faults = edges::check()?;
    faults.extend(text::check(&files));
    for fault in &faults {
        println!("tidy: {fault}");
    }
    println!("tidy: {} files, {} faults", files.len(), faults.len());
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
