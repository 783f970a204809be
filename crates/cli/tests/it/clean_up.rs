//! After kill -9, a signal or an error, no browser of ours and no profile folder is left.

use crate::program::{binary, handeye};
use handeye_testkit::pages::PageServer;
use handeye_testkit::wait;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Processes whose command line names this folder.
fn processes_with(folder: &Path) -> Vec<String> {
    let needle = folder.to_string_lossy().into_owned();
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    entries
        .filter_map(|e| std::fs::read(e.path().join("cmdline")).ok())
        .map(|c| String::from_utf8_lossy(&c).replace('\0', " "))
        .filter(|c| c.contains(&needle) && !c.starts_with("kill"))
        .collect()
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).map_or(true, |mut d| d.next().is_none())
}

/// Starts a run whose temporary files go to a folder of its own, does something to it after a while, and sees what is left.
fn leaves_nothing(delay: Duration, end: impl Fn(&mut std::process::Child)) {
    let page = "<title>P</title><button>Save</button>";
    let server = PageServer::start(BTreeMap::from([("/p.html".to_owned(), page.as_bytes().to_vec())]));
    let (temp, out) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let url = format!("{}/p.html", server.origin_a());
    let mut command: Command =
        handeye(&["act", "wait for 'never'", "--web", &url, "--out", &out.path().to_string_lossy()]);
    command.env("TMPDIR", temp.path()).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(binary().is_file());
    let mut child = command.spawn().expect("the program starts");
    let begun = Instant::now();
    wait::until(delay, || begun.elapsed() >= delay);
    end(&mut child);
    let _ = child.wait();
    let clean = || processes_with(temp.path()).is_empty() && is_empty(temp.path());
    let gone = wait::until(Duration::from_secs(10), clean);
    assert!(gone, "after {delay:?}: {:?} {:?}", processes_with(temp.path()), std::fs::read_dir(temp.path()));
}

#[test]
fn a_kill_at_any_moment() {
    for ms in [20, 80, 200, 500, 1500] {
        leaves_nothing(Duration::from_millis(ms), |child| child.kill().expect("kill -9"));
    }
}

#[test]
fn a_termination_signal() {
    leaves_nothing(Duration::from_millis(1500), |child| {
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill").success());
    });
}
