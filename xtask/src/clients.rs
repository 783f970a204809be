//! The check of our requests and replies against the types of the providers' own Python clients, in a Python of their own
//! below the target folder.

use crate::{setup, sh};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

const REQUIREMENTS: &str = "tests/wire/requirements.txt";

/// Checks what `tests/wire` holds.
pub(crate) fn check() -> Result<()> {
    let python = ensure()?;
    sh::run(sh::command(&python.to_string_lossy()).arg("-B").arg("tests/wire/validate.py"))
}

/// A Python with the clients in the pinned versions, made first when there is none.
pub(crate) fn ensure() -> Result<PathBuf> {
    let folder = sh::target_dir()?.join("wire-python");
    let (python, stamp) = (folder.join("bin/python"), folder.join("requirements.txt"));
    let wanted = std::fs::read_to_string(REQUIREMENTS).with_context(|| REQUIREMENTS.to_owned())?;
    // Written last, so that a folder that was left half-way is made anew.
    if std::fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) && python.exists() {
        println!("clients of the providers: there");
        return Ok(python);
    }
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("{} cannot be removed", folder.display()))?;
    }
    make(&folder)?;
    let mut pip = sh::command(&python.to_string_lossy());
    pip.args("-m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 -r".split(' '));
    if let Err(error) = sh::run(pip.arg(REQUIREMENTS)) {
        bail!(
            "{error:#}\nthe clients of the providers could not be installed: is the package registry of Python reachable from here? \
             they are needed to check what we send to models, in the versions of {REQUIREMENTS}"
        );
    }
    std::fs::write(&stamp, wanted).with_context(|| stamp.display().to_string())?;
    Ok(python)
}

fn make(folder: &Path) -> Result<()> {
    let make = || {
        let mut command = sh::command("python3 -m venv");
        command.arg(folder);
        sh::run(&mut command)
    };
    if sh::which("python3").is_some() && make().is_ok() {
        return Ok(());
    }
    // Debian keeps that module in a package of its own.
    setup::apt_install("python3-venv").context("no Python 3 with its module venv; install it")?;
    make()
}
