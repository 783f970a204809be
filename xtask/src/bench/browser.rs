//! The browser that both sides drive.

use crate::setup;
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// The switches that Handeye's own browsers get too where they cost or save time.
const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
];

pub(super) struct Browser {
    child: Child,
    /// `http://127.0.0.1:PORT`
    pub(super) endpoint: String,
    profile: PathBuf,
}

impl Browser {
    pub(super) fn start(folder: &Path) -> Result<Self> {
        let profile = folder.join("profile");
        let mut command = Command::new(setup::browser()?);
        command.args(FLAGS).arg(format!("--user-data-dir={}", profile.display()));
        command.args(["--window-size=1280,720", "about:blank"]);
        // The command may be a script around the browser; the group holds both.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().context("the browser could not be started")?;
        let stderr = child.stderr.take().context("the browser's stderr")?;
        let mut browser = Self { child, endpoint: String::new(), profile };
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if let Some(rest) = line.strip_prefix("DevTools listening on ws://") {
                    let _ = sender.send(rest.split('/').next().unwrap_or(rest).to_owned());
                }
            }
        });
        let host =
            receiver.recv_timeout(Duration::from_secs(30)).context("the browser did not say its port in 30 s")?;
        browser.endpoint = format!("http://{host}");
        Ok(browser)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
