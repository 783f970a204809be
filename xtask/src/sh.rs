//! Running other programs, and saying so.

use anyhow::{Context, Result, bail};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the repository.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// A command of the same toolchain that runs this.
pub(crate) fn cargo(args: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args.split_whitespace());
    // What `cargo run` tells us about our own package would make build scripts think that something changed.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// A command of words without blanks.
pub(crate) fn command(words: &str) -> Command {
    let mut words = words.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}

/// The command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args()).map(|word| {
        let word = word.to_string_lossy();
        // Single quotes keep a dollar as it is.
        let is_plain = !word.contains([' ', '"', '\'', '$', '?', '&', '*']) && !word.is_empty();
        if is_plain { word.into_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
    });
    let mut words: Vec<String> = words.collect();
    if let Some(first) = words.first_mut() {
        *first = first.rsplit('/').next().unwrap_or(first).to_owned();
    }
    words.join(" ")
}

/// Runs it, with its output on ours. An error when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    let status = command.status().with_context(|| format!("`{}` could not be started", shown(command)))?;
    if !status.success() {
        bail!("`{}` failed: {status}", shown(command));
    }
    Ok(())
}

/// Whether it runs and says that all is well. Its output is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|o| o.status.success())
}

/// Its standard output. An error, with what it wrote to standard error, when it fails.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("`{}` could not be started", shown(command)))?;
    if !output.status.success() {
        bail!("`{}` failed: {}", shown(command), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where Cargo puts what it builds.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let metadata = output(&mut cargo("metadata --format-version 1 --no-deps --locked"))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).context("the answer of `cargo metadata`")?;
    let folder =
        metadata["target_directory"].as_str().context("the target folder in the answer of `cargo metadata`")?;
    Ok(PathBuf::from(folder))
}

/// A program of that name on the search path.
pub(crate) fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_program = |file: &PathBuf| file.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(is_program)
}
