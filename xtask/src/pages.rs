//! Pages that somebody else made, to try Handeye on: fetched from their registries, never kept in this repository.

use crate::{setup, sh};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

struct Package {
    name: &'static str,
    /// The registry's client, the words that make it put the package's file into the current folder, and what brings the client.
    client: &'static str,
    fetch: &'static str,
    debian: &'static str,
    file: &'static str,
    sha256: &'static str,
}

/// What tests are tried on. `testkit::pages::third_party` knows where the pages lie in each.
const PACKAGES: [Package; 3] = [
    Package {
        name: "todomvc",
        client: "npm",
        fetch: "pack --silent todomvc@0.1.1",
        debian: "npm",
        file: "todomvc-0.1.1.tgz",
        sha256: "fd6f05a878cddee9b987ee449d8defa447d087d6b6ffc1d816bbb2cd64a6705f",
    },
    Package {
        name: "gentelella",
        client: "npm",
        fetch: "pack --silent gentelella@4.2.0",
        debian: "npm",
        file: "gentelella-4.2.0.tgz",
        sha256: "42868c216515716c1f958d86459965b2d978d717eac912e456a2c540fed1e25d",
    },
    Package {
        name: "miniwob",
        client: "pip3",
        fetch: "download --quiet --no-deps --disable-pip-version-check miniwob==1.1.0",
        debian: "python3-pip",
        file: "miniwob-1.1.0-py3-none-any.whl",
        sha256: "297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9",
    },
];

pub(crate) fn run() -> Result<ExitCode> {
    ensure()?;
    Ok(ExitCode::SUCCESS)
}

/// Fetches what is not there yet.
pub(crate) fn ensure() -> Result<()> {
    let folder = sh::root().join("target/pages");
    std::fs::create_dir_all(&folder).with_context(|| format!("no folder {}", folder.display()))?;
    for package in &PACKAGES {
        let state = package.ensure(&folder).with_context(|| format!("pages of `{}`", package.name))?;
        println!("pages of {}: {state}", package.name);
    }
    Ok(())
}

impl Package {
    fn ensure(&self, folder: &Path) -> Result<&'static str> {
        let unpacked = folder.join(self.name);
        // The mark is written last and names the bytes, so that half a package or another version never counts.
        let mark = folder.join(format!("{}.sha256", self.name));
        if unpacked.is_dir() && std::fs::read_to_string(&mark).is_ok_and(|m| m == self.sha256) {
            return Ok("there");
        }
        let file = folder.join(self.file);
        if !file.is_file() {
            self.fetch(folder)?;
        }
        let found = sha256(&file)?;
        if found != self.sha256 {
            let _ = std::fs::remove_file(&file);
            bail!("{} has the hash {found}, not {}: it was removed, try again", self.file, self.sha256);
        }
        let _ = std::fs::remove_dir_all(&unpacked);
        std::fs::create_dir_all(&unpacked)?;
        // A wheel is a zip file, and where pip is there is Python.
        let is_tar = Path::new(self.file).extension().is_some_and(|e| e == "tgz");
        let mut unpack = sh::command(if is_tar { "tar -xzf" } else { "python3 -m zipfile -e" });
        unpack.arg(&file).current_dir(&unpacked);
        if !is_tar {
            unpack.arg(".");
        }
        sh::output(&mut unpack)?;
        std::fs::write(&mark, self.sha256)?;
        Ok("fetched")
    }

    fn fetch(&self, folder: &Path) -> Result<()> {
        if sh::which(self.client).is_none() {
            setup::apt_install(self.debian)?;
        }
        sh::output(Command::new(self.client).args(self.fetch.split(' ')).current_dir(folder)).map(|_| ())
    }
}

fn sha256(file: &PathBuf) -> Result<String> {
    let known = if sh::which("sha256sum").is_some() { "sha256sum" } else { "shasum -a 256" };
    let line = sh::output(sh::command(known).arg(file))?;
    line.split_whitespace().next().map(str::to_owned).context("the answer of sha256sum")
}
