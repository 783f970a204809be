//! Writes cases for a model of another family: `cargo run -p handeye-testkit --example convert_cases -- FAMILY OUT CASE…`
//!
//! Each case goes to `OUT/xSCALE/ID`, once for each of its device pixel ratios, since families that count pixels write other
//! numbers at each. `--family FAMILY` is then what the model has to be run as.

#![expect(clippy::print_stdout, reason = "a command for a terminal")]

use handeye_core::Family;
use handeye_testkit::cases::Case;
use serde_json::Value;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [family, out, cases @ ..] = args.as_slice() else { return Err("give FAMILY OUT CASE…".into()) };
    let family = Family::named(family).ok_or_else(|| format!("no family `{family}`"))?;
    for dir in cases {
        let case = Case::load(Path::new(dir));
        for scale in &case.expect.dpr {
            let to = Path::new(out).join(format!("x{scale}")).join(&case.expect.id);
            write(&case.written_for(family, *scale), &to)?;
            println!("{}", to.display());
        }
    }
    Ok(())
}

/// The folder as it is, but for the replies and the one scale that they are for.
fn write(case: &Case, to: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(&case.dir)?.flatten().filter(|entry| entry.path().is_file()) {
        std::fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    let mut expect: Value = serde_json::from_str(&std::fs::read_to_string(case.dir.join("expect.json"))?)?;
    expect["dpr"] = case.expect.dpr.clone().into();
    std::fs::write(to.join("expect.json"), serde_json::to_string_pretty(&expect)?)?;
    std::fs::write(to.join("replies.json"), serde_json::to_string_pretty(&case.replies)?)?;
    if !case.transport.is_empty() {
        std::fs::write(to.join("transport.json"), serde_json::to_string_pretty(&case.transport)?)?;
    }
    Ok(())
}
