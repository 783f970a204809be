//! A small process that ends the browser and removes its profile folder when we can not.
//!
//! It holds the read end of a pipe whose write end only we hold. When we die, by whatever means, it reads the end of file,
//! kills the browser's process group and removes the folder. It makes that folder itself, so there is no moment at which a
//! folder exists and nobody would remove it.
//!
//! Lines from us: `group PID` names the browser's process group, `gone` says that the group has ended, `done` that nothing is
//! left to do. Its one line to us: `ready`, or why it cannot be.

use crate::CdpError;
use rustix::process::{Pid, Signal, kill_process_group, setsid};
use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::io::{BufRead, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The argument that turns our own program into a reaper.
pub const REAP: &str = "__reap";

/// The longest that it takes the reaper to say that it is ready.
const READY_WITHIN: Duration = Duration::from_secs(5);

/// Processes that were killed may write to their folder for a moment yet.
const REMOVE_WITHIN: Duration = Duration::from_secs(8);
const REMOVE_AGAIN: Duration = Duration::from_millis(25);

/// Signals that are meant for us must not end the reaper first. A program that is run by `exec` goes on ignoring them.
const DEAF: &str = "trap '' HUP INT QUIT TERM PIPE";

/// The same as [`reaper_main`], for when our own program is not at hand.
const SHELL_REAPER: &str = r#"
umask 077
mkdir -- "$1" || { echo "cannot make the folder"; exit 1; }
echo ready
group=
while read -r word rest; do
  case $word in
    group) group=$rest ;;
    gone) group= ;;
    done) exit 0 ;;
  esac
done
if [ -n "$group" ]; then kill -s KILL -- "-$group"; fi
tries=0
while rm -rf -- "$1"; [ -e "$1" ] && [ "$tries" -lt 80 ]; do
  tries=$((tries + 1))
  sleep 0.1
done
"#;

/// Our end of a running reaper.
#[derive(Debug)]
pub(crate) struct Reaper {
    child: Child,
    /// The write end that tells the reaper that we live. Closed on exec, as are all descriptors that Rust opens, so no child
    /// of ours keeps it open after us.
    line: Option<File>,
}

impl Reaper {
    /// Starts a reaper for a profile folder, which it makes.
    pub(crate) async fn start(program: Option<&Path>, profile: &Path) -> Result<Self, CdpError> {
        let failed = |source| CdpError::io("start the process that cleans up after the browser", source);
        let mut command = Command::new("/bin/sh");
        match program {
            // It makes itself the leader of a session, which the leader of a process group could not.
            Some(program) => {
                let program = std::path::absolute(program).map_err(failed)?;
                command.args(["-c", &format!("{DEAF}\nexec \"$0\" \"$@\"")]).arg(program).arg(REAP)
            }
            None => command.args(["-c", &format!("{DEAF}\n{SHELL_REAPER}"), "reaper"]).process_group(0),
        };
        command.arg(profile).current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let (Some(line), Some(says)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(std::io::Error::other("it has no pipes")));
        };
        let line = File::from(line.into_owned_fd().map_err(failed)?);

        let mut said = String::new();
        let mut says = BufReader::new(says);
        match tokio::time::timeout(READY_WITHIN, says.read_line(&mut said)).await {
            Ok(Ok(_)) if said.trim() == "ready" => Ok(Self { child, line: Some(line) }),
            Ok(Ok(_)) => {
                let what = format!("make the browser's profile folder `{}`", profile.display());
                Err(CdpError::io(what, std::io::Error::other(said.trim().to_owned())))
            }
            Ok(Err(error)) => Err(failed(error)),
            Err(_) => Err(failed(std::io::Error::from(std::io::ErrorKind::TimedOut))),
        }
    }

    /// Which process group to kill. It may be told before the browser runs in it.
    pub(crate) fn watch(&mut self, group: u32) {
        self.tell(&format!("group {group}\n"));
    }

    /// The group has ended: its number may soon be another's.
    pub(crate) fn group_gone(&mut self) {
        self.tell("gone\n");
    }

    /// Nothing is left to do.
    pub(crate) fn dismiss(&mut self) {
        self.tell("done\n");
        self.line = None;
    }

    /// Waits until it has ended; after [`Reaper::dismiss`] that is at once.
    pub(crate) async fn ended(mut self) {
        self.line = None;
        let _ = tokio::time::timeout(Duration::from_secs(1), self.child.wait()).await;
    }

    fn tell(&mut self, line: &str) {
        // A few bytes into an empty pipe: this neither waits nor is cut short. A reaper that somebody killed cannot be helped.
        if let Some(pipe) = &mut self.line {
            let _ = pipe.write_all(line.as_bytes());
        }
    }
}

/// The `main` of the reaper: `arguments` are those after [`REAP`].
pub fn reaper_main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let Some(profile) = arguments.into_iter().next().map(PathBuf::from) else {
        return ExitCode::from(2);
    };
    // A session of its own: it outlives what a terminal or a process group is told. Refused when it already leads one.
    let _ = setsid();
    let mut out = std::io::stdout();
    if let Err(error) = DirBuilder::new().mode(0o700).create(&profile) {
        let _ = writeln!(out, "{error}");
        return ExitCode::FAILURE;
    }
    let _ = writeln!(out, "ready");

    let mut group = None;
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match line.split_once(' ').unwrap_or((&line, "")) {
            ("group", pid) => group = pid.parse().ok().and_then(Pid::from_raw),
            ("gone", _) => group = None,
            ("done", _) => return ExitCode::SUCCESS,
            _ => {}
        }
    }
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
    if remove_folder(&profile, REMOVE_WITHIN) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Removes a folder that dying processes may still write to. Blocks. True when it is gone.
pub(crate) fn remove_folder(folder: &Path, at_most: Duration) -> bool {
    let mut left = at_most;
    loop {
        match std::fs::remove_dir_all(folder) {
            Ok(()) => return true,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !folder.exists() => return true,
            Err(_) if left.is_zero() => return false,
            Err(_) => {
                pause(REMOVE_AGAIN);
                left = left.saturating_sub(REMOVE_AGAIN);
            }
        }
    }
}

/// Blocks between two looks at something that no event tells of: other processes and their files.
#[expect(
    clippy::disallowed_methods,
    reason = "there is no event to wait for, and no runtime in the reaper or in `drop`"
)]
pub(crate) fn pause(time: Duration) {
    std::thread::sleep(time);
}
