//! What a kill leaves behind, at every moment of a start, a run and an end: nothing.

use crate::support::{Folder, eventually, processes, search_path};
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

struct Holder {
    child: Child,
    input: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
}

/// The example stands beside the tests in the target folder.
fn program() -> PathBuf {
    let own = std::env::current_exe().expect("this program");
    let target = own.parent().and_then(|deps| deps.parent()).expect("the target folder");
    let program = target.join("examples/holder");
    assert!(program.exists(), "`cargo test` builds {}, `cargo build --example holder` does too", program.display());
    program
}

impl Holder {
    fn start(folder: &Folder, reaper: &str) -> Self {
        let mut child = Command::new(program())
            .arg(&folder.0)
            .arg(search_path().expect("a search path"))
            .arg(reaper)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("starts");
        let input = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().expect("output")).lines();
        Self { child, input, lines }
    }

    async fn says(&mut self, word: &str) {
        let line = tokio::time::timeout(crate::support::PATIENCE, self.lines.next_line()).await.expect("in time");
        assert_eq!(line.expect("reads").as_deref(), Some(word));
    }

    async fn kill(mut self) -> ExitStatus {
        self.child.start_kill().expect("kills");
        self.child.wait().await.expect("ends")
    }
}

async fn nothing_is_left(folder: &Folder) {
    // A process in the middle of starting another program has no command line for a moment, so one look is not enough.
    let mut clean_looks = 0;
    eventually("the profile folder and every process that names it are gone", || {
        let is_clean = folder.entries().is_empty() && processes(&folder.0).is_empty();
        clean_looks = if is_clean { clean_looks + 1 } else { 0 };
        clean_looks == 25
    })
    .await;
}

fn browser_runs(folder: &Folder) -> bool {
    processes(&folder.0).iter().any(|line| line.contains("--type=zygote") || line.contains("--headless "))
}

async fn killed_at_every_moment(reaper: &str) {
    // At once, mostly before there is a reaper.
    let folder = Folder::new();
    Holder::start(&folder, reaper).kill().await;
    nothing_is_left(&folder).await;

    // When the reaper has made the folder.
    let holder = Holder::start(&folder, reaper);
    eventually("a folder", || !folder.entries().is_empty()).await;
    holder.kill().await;
    nothing_is_left(&folder).await;

    // When the browser's process is there, but does not answer yet.
    let holder = Holder::start(&folder, reaper);
    eventually("a browser", || browser_runs(&folder)).await;
    holder.kill().await;
    nothing_is_left(&folder).await;

    // When it runs.
    let mut holder = Holder::start(&folder, reaper);
    holder.says("up").await;
    holder.kill().await;
    nothing_is_left(&folder).await;

    // When it is being closed.
    let mut holder = Holder::start(&folder, reaper);
    holder.says("up").await;
    holder.input = None;
    holder.says("closing").await;
    holder.kill().await;
    nothing_is_left(&folder).await;
}

#[tokio::test]
async fn with_our_own_program_as_reaper() {
    killed_at_every_moment("own").await;
}

#[tokio::test]
async fn with_a_shell_as_reaper() {
    killed_at_every_moment("shell").await;
}

#[tokio::test]
async fn a_terminated_or_panicking_process_leaves_nothing_either() {
    let folder = Folder::new();
    let mut holder = Holder::start(&folder, "own");
    holder.says("up").await;
    let pid = holder.child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())).expect("a number");
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("terminates");
    nothing_is_left(&folder).await;

    let mut holder = Holder::start(&folder, "own");
    holder.says("up").await;
    holder.input.take().expect("input").write_all(b"panic").await.expect("writes");
    let status = holder.child.wait().await.expect("ends");
    assert!(!status.success());
    assert!(folder.entries().is_empty(), "the panic itself cleans up");
    nothing_is_left(&folder).await;
}

#[tokio::test]
async fn an_orderly_end_needs_no_reaper() {
    for reaper in ["own", "shell"] {
        let folder = Folder::new();
        let mut holder = Holder::start(&folder, reaper);
        holder.says("up").await;
        holder.input = None;
        holder.says("closing").await;
        assert!(holder.child.wait().await.expect("ends").success());
        assert!(folder.entries().is_empty());
        assert!(processes(&folder.0).is_empty(), "the reaper has ended too");
    }
}
