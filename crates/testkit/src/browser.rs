//! Chromium for tests: found, started with a debugging port, asked, and looked for after its end.

mod question;

use crate::wait::until;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use tempfile::TempDir;

/// The names under which a Chromium is looked for on the path, best first.
pub const NAMES: [&str; 5] =
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/// What every browser of a test gets: no network of its own, no first-run pages.
pub const FLAGS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// The path of a Chromium.
///
/// # Panics
/// When there is none: a test that needs a browser fails without one.
#[expect(clippy::disallowed_methods, reason = "tests look for the browser where their user would")]
pub fn browser() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let found = NAMES.iter().flat_map(|name| folders.iter().map(move |f| f.join(name))).find(|file| file.is_file());
    found.expect("no Chromium on the path; run `cargo xtask setup`")
}

/// A running Chromium with a debugging port and one blank page. Dropping it ends all its processes and removes its folder.
pub struct Chromium {
    child: Child,
    endpoint: String,
    profile: TempDir,
}

impl Chromium {
    /// # Panics
    /// When there is no Chromium, or it does not come up within 30 seconds.
    pub fn start(width: u32, height: u32) -> Self {
        let profile = tempfile::Builder::new().prefix("handeye-test-").tempdir().expect("a folder for the profile");
        let mut command = Command::new(browser());
        command.args(FLAGS).arg("--remote-debugging-port=0");
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg(format!("--window-size={width},{height}")).arg("about:blank");
        // Debian's command is a shell script that starts the browser as its child: only the group reaches both.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().expect("a Chromium that starts");
        let stderr = child.stderr.take().expect("its stderr");
        let mut started = Self { child, endpoint: String::new(), profile };
        started.endpoint = announced(stderr).expect("a Chromium that names its debugging port within 30 s");
        started
    }

    /// `http://127.0.0.1:PORT`, as `--cdp` takes it.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Opens a tab and waits until its page is loaded.
    ///
    /// # Panics
    /// When it is not within 20 seconds.
    pub fn open(&self, url: &str) {
        let opened = crate::http::send("PUT", &format!("{}/json/new?{url}", self.endpoint), "", &[]);
        assert_eq!(opened.expect("an answer of the browser").status, 200, "a tab for {url}");
        let loaded =
            || self.is_true("location.protocol !== 'about:' && document.readyState === 'complete'", true) == Ok(true);
        assert!(until(Duration::from_secs(20), loaded), "{url} was not loaded in 20 s");
    }

    /// Whether the expression is true in the page: the newest tab, or the oldest. An exception, or no page, is the error.
    pub fn is_true(&self, expression: &str, newest: bool) -> Result<bool, String> {
        question::is_true(&self.endpoint, expression, newest)
    }

    /// The number of the group that all its processes are in.
    pub fn group(&self) -> u32 {
        self.child.id()
    }

    /// The folder that the browser keeps its profile in.
    pub fn profile(&self) -> &Path {
        self.profile.path()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
        // The folder goes with the field; until the last child is gone it would be written to again.
        until(Duration::from_secs(5), || processes_with(&self.profile.path().to_string_lossy()).is_empty());
    }
}

/// The endpoint from the line that Chromium writes when it listens. The rest of its output is read and dropped, since a full
/// pipe would stop it.
fn announced(stderr: ChildStderr) -> Option<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            if let Some(rest) = line.strip_prefix("DevTools listening on ws://") {
                let _ = sender.send(format!("http://{}", rest.split('/').next().unwrap_or(rest)));
            }
        }
    });
    receiver.recv_timeout(Duration::from_secs(30)).ok()
}

/// What is left of browsers whose profile folders begin with `prefix` (a path): processes that name it in their command
/// line, and folders. Empty when all is gone.
pub fn leftovers(prefix: &Path) -> Vec<String> {
    let mut left = processes_with(&prefix.to_string_lossy());
    let name = prefix.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let siblings = prefix.parent().and_then(|p| std::fs::read_dir(p).ok());
    for entry in siblings.into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&name) {
            left.push(format!("folder {}", entry.path().display()));
        }
    }
    left
}

/// Every process but this one whose command line holds the text, as `PID COMMAND`. Zombies have no command line.
fn processes_with(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) else { continue };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if pid != std::process::id() && line.contains(text) {
            found.push(format!("{pid} {}", line.trim_end()));
        }
    }
    found
}
