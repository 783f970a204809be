//! Runs the program as a person would.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_handeye"))
}

/// A folder of this repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The program with nothing of the caller's models or proxies in its environment.
pub(crate) fn handeye(args: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(args).stdin(Stdio::null()).env("NO_PROXY", "127.0.0.1,localhost");
    for (name, _) in std::env::vars() {
        if name.starts_with("HANDEYE_") || name.starts_with("MIDSCENE_") {
            command.env_remove(name);
        }
    }
    command
}

pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

pub(crate) fn run(args: &[&str]) -> Said {
    handeye(args).output().expect("the program starts").into()
}

/// The folder of the only run below `out`.
pub(crate) fn run_folder(out: &Path) -> PathBuf {
    let folders: Vec<PathBuf> =
        std::fs::read_dir(out).expect("a folder").flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    assert_eq!(folders.len(), 1, "one run in {}", out.display());
    folders[0].clone()
}
