//! The browser as a process: its group, its profile folder, what it said, and its end.

use crate::CdpError;
use crate::reaper::{Reaper, pause, remove_folder};
use handeye_core::Ctx;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

/// How much of what the browser said last is kept, in bytes.
const TAIL: usize = 4096;
/// What a browser that is kept open says goes to this file of its profile folder, since nobody will read a pipe.
const SAID: &str = "browser.log";

/// Waits for the word to start, then becomes the browser, which reads commands at descriptor 3 and answers at 4. The wait
/// lets us name the process group to the reaper before there is a browser in it; if we die before, the wait ends with it.
const START_WITH_PIPE: &str = r#"read -r _ || exit 1; exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>&2"#;
/// For one that is kept open: it outlives us and the terminal, so its folder is removed from here. Not when it never came
/// up: then we are still there, and want to read what it said.
const START_WITH_PORT: &str = r#"
read -r _ || exit 1
trap '' HUP
folder=$1
shift
"$0" "$@" 0</dev/null 1>&2
status=$?
tries=0
while [ -e "$folder/DevToolsActivePort" ] && [ "$tries" -lt 80 ]; do
  rm -rf -- "$folder" || sleep 0.1
  tries=$((tries + 1))
done
exit "$status"
"#;

#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Pid,
    profile: PathBuf,
    reaper: Option<Reaper>,
    said: Said,
    /// Nothing is left to end or remove, or it is to stay.
    is_over: bool,
}

/// Where to find what the browser said.
#[derive(Debug)]
enum Said {
    Pipe { tail: Arc<Mutex<VecDeque<u8>>>, reader: JoinHandle<()> },
    File(PathBuf),
}

/// Our ends of the browser's pipes.
pub(crate) struct Pipes {
    pub(crate) to: ChildStdin,
    pub(crate) from: ChildStdout,
}

/// A path for a profile folder that nobody has. Nothing is made yet.
pub(crate) fn profile_path(temp_dir: &Path, cx: &Ctx) -> PathBuf {
    // A reaper runs in another folder.
    let folder = std::path::absolute(temp_dir).unwrap_or_else(|_| temp_dir.to_owned());
    folder.join(format!("handeye-{:016x}", cx.random()))
}

impl Process {
    /// Starts `program` with its own process group and with a profile folder that the reaper has made. Pipes are for a
    /// browser that ends with us; one that is kept open has none and is found by its port.
    pub(crate) async fn start(
        program: &Path,
        arguments: Vec<OsString>,
        profile: PathBuf,
        mut reaper: Reaper,
        keep_open: bool,
    ) -> Result<(Self, Option<Pipes>), CdpError> {
        let failed = |why: String| CdpError::Launch { program: program.to_owned(), why, stderr_tail: String::new() };
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(if keep_open { START_WITH_PORT } else { START_WITH_PIPE }).arg(program);
        if keep_open {
            let log = File::create(profile.join(SAID)).map_err(|e| CdpError::io("write in the profile folder", e))?;
            command.arg(&profile).stdout(Stdio::null()).stderr(log);
        } else {
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        command.args(arguments).stdin(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;

        let said = match child.stderr.take() {
            Some(stderr) => Said::listen(stderr),
            None => Said::File(profile.join(SAID)),
        };
        let group = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        let Some(group) = group else { return Err(failed("it ended at once".to_owned())) };
        reaper.watch(group.as_raw_pid().cast_unsigned());
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let process = Self { child, group, profile, reaper: Some(reaper), said, is_over: false };

        let Some(mut to) = to else { return Err(failed("it has no pipe".to_owned())) };
        if let Err(error) = to.write_all(b"go\n").await {
            return Err(failed(error.to_string()));
        }
        let pipes = from.filter(|_| !keep_open).map(|from| Pipes { to, from });
        if let Some(pipes) = &pipes {
            widen(&pipes.to, &pipes.from);
        }
        Ok((process, pipes))
    }

    pub(crate) fn profile(&self) -> &Path {
        &self.profile
    }

    pub(crate) fn group(&self) -> i32 {
        self.group.as_raw_pid()
    }

    /// Leaves the browser running, also when this is dropped.
    pub(crate) fn keep(&mut self) {
        self.is_over = true;
        if let Some(reaper) = &mut self.reaper {
            reaper.dismiss();
        }
    }

    /// Ends when the process has ended.
    pub(crate) async fn ended(&mut self) -> Option<ExitStatus> {
        self.child.wait().await.ok()
    }

    /// What the browser said last; of one that has ended, all of it.
    pub(crate) async fn last_words(&mut self) -> String {
        if let Said::Pipe { reader, .. } = &mut self.said
            && !reader.is_finished()
        {
            // It ends when the last process that could write has ended.
            let _ = tokio::time::timeout(Duration::from_millis(300), reader).await;
        }
        match &self.said {
            Said::Pipe { tail, .. } => {
                let tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
                let (front, back) = tail.as_slices();
                String::from_utf8_lossy(&[front, back].concat()).into_owned()
            }
            Said::File(path) => {
                let mut text = Vec::new();
                let _ = File::open(path).and_then(|file| file.take(1 << 20).read_to_end(&mut text));
                String::from_utf8_lossy(&text[text.len().saturating_sub(TAIL)..]).into_owned()
            }
        }
    }

    /// Leaves the browser running after us.
    pub(crate) async fn release(mut self) {
        self.keep();
        if let Some(reaper) = self.reaper.take() {
            reaper.ended().await;
        }
    }

    /// Waits for an end that was asked for, and then sees to it. Takes at most about ten seconds, usually none.
    pub(crate) async fn end(self, patience: Duration) {
        let last = (Some(Signal::KILL), Duration::from_secs(2));
        self.end_by(&[(None, patience), (Some(Signal::TERM), Duration::from_secs(2)), last]).await;
    }

    /// Ends a browser that does not answer.
    pub(crate) async fn kill(self) {
        self.end_by(&[(Some(Signal::KILL), Duration::from_secs(2))]).await;
    }

    /// Sends each signal and waits, until the process has ended.
    async fn end_by(mut self, steps: &[(Option<Signal>, Duration)]) {
        if self.is_over {
            return;
        }
        for &(signal, wait) in steps {
            if let Some(signal) = signal {
                let _ = kill_process_group(self.group, signal);
            }
            if tokio::time::timeout(wait, self.child.wait()).await.is_ok() {
                break;
            }
        }
        // The first process has ended; others of its group may be about to.
        let _ = kill_process_group(self.group, Signal::KILL);
        let (group, profile) = (self.group, self.profile.clone());
        let removed = tokio::task::spawn_blocking(move || {
            wait_for_group(group, Duration::from_millis(500));
            remove_folder(&profile, Duration::from_secs(3))
        });
        let is_removed = removed.await.unwrap_or(false);
        self.is_over = true;
        self.settle_with_reaper(is_removed);
        if let Some(reaper) = self.reaper.take() {
            reaper.ended().await;
        }
    }

    /// The reaper has nothing to do but, if we could not, to remove the folder.
    fn settle_with_reaper(&mut self, is_removed: bool) {
        if let Some(reaper) = &mut self.reaper {
            reaper.group_gone();
            if is_removed {
                reaper.dismiss();
            }
        }
    }
}

impl Drop for Process {
    /// The last resort, for errors and panics: there is no time to ask, and no runtime to wait with.
    fn drop(&mut self) {
        if let Said::Pipe { reader, .. } = &self.said {
            reader.abort();
        }
        if self.is_over {
            return;
        }
        let _ = kill_process_group(self.group, Signal::KILL);
        for _ in 0..200 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            pause(Duration::from_millis(10));
        }
        wait_for_group(self.group, Duration::from_millis(500));
        let is_removed = remove_folder(&self.profile, Duration::from_secs(2));
        self.settle_with_reaper(is_removed);
    }
}

impl Said {
    fn listen(mut stderr: tokio::process::ChildStderr) -> Self {
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let kept = tail.clone();
        let reader = tokio::spawn(async move {
            let mut chunk = vec![0; 4096];
            while let Ok(read @ 1..) = stderr.read(&mut chunk).await {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&chunk[..read]);
                let surplus = kept.len().saturating_sub(TAIL);
                kept.drain(..surplus);
            }
        });
        Self::Pipe { tail, reader }
    }
}

/// Blocks until no process of the group runs. Their files are closed then.
fn wait_for_group(group: Pid, at_most: Duration) {
    let mut left = at_most;
    while has_living(group) && !left.is_zero() {
        let step = Duration::from_millis(5);
        pause(step);
        left = left.saturating_sub(step);
    }
}

/// Whether a process of the group still runs. One that has ended but that its parent has not noticed counts as a member,
/// and in a container perhaps for ever, so asking the kernel whether the group exists is only the first question.
fn has_living(group: Pid) -> bool {
    if test_kill_process_group(group).is_err() {
        return false;
    }
    let Ok(processes) = std::fs::read_dir("/proc") else { return true };
    let stats = processes.filter_map(Result::ok).filter_map(|entry| std::fs::read(entry.path().join("stat")).ok());
    let mut is_readable = false;
    for stat in stats {
        is_readable = true;
        if is_living_member(&String::from_utf8_lossy(&stat), group.as_raw_pid()) {
            return true;
        }
    }
    !is_readable
}

/// Reads a line of `/proc/PID/stat`: `PID (NAME) STATE PARENT GROUP …`, where the name may hold anything.
fn is_living_member(stat: &str, group: i32) -> bool {
    let Some((_, rest)) = stat.rsplit_once(") ") else { return false };
    let mut fields = rest.split(' ');
    let is_living = !matches!(fields.next(), None | Some("Z" | "X" | "x"));
    is_living && fields.nth(1).and_then(|field| field.parse().ok()) == Some(group)
}

/// A screenshot is several times as big as a pipe. A wider one saves the two sides from waiting for each other.
fn widen(to: &ChildStdin, from: &ChildStdout) {
    #[cfg(target_os = "linux")]
    {
        // Only a matter of speed, and refused beyond a limit of the user's.
        let _ = rustix::pipe::fcntl_setpipe_size(to, 256 * 1024);
        let _ = rustix::pipe::fcntl_setpipe_size(from, 1024 * 1024);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (to, from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dead_do_not_count_as_members() {
        assert!(is_living_member("12 (chrome) S 1 77 77 0 -1", 77));
        assert!(is_living_member("12 (odd) name) R 1 77 77", 77));
        assert!(!is_living_member("12 (chrome) Z 1 77 77 0 -1", 77));
        assert!(!is_living_member("12 (chrome) S 77 1 77 0 -1", 77));
        assert!(!is_living_member("", 77));
    }

    #[test]
    fn profile_paths_differ() {
        let folder = Path::new("/tmp/x");
        let cx = Ctx::bare();
        let path = profile_path(folder, &cx);
        assert!(path.starts_with(folder) && path != profile_path(folder, &cx));
    }
}
