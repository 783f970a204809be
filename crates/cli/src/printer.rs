//! Lines for standard error, written by a thread of their own: whoever reads them may stop reading, and then neither the run's
//! time limit nor a cancel may wait for him.

use std::io::Write;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

/// Lines that wait to be written. Beyond it they are dropped: progress is worth no memory.
const WAITING: usize = 1_000;
/// How long the end of the program waits for lines that nobody takes.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// How often the time of a wait is shown anew.
const TICK: Duration = Duration::from_secs(1);
/// Back to the beginning of the line, which is emptied.
const EMPTIED: &str = "\r\u{1b}[K";

enum Job {
    Line(String),
    /// What is waited for, shown in the last line of a terminal until something else is said.
    Status(String),
    /// Everything before it is written.
    Flushed(SyncSender<()>),
}

pub(crate) struct Printer {
    jobs: SyncSender<Job>,
}

impl Printer {
    /// Prints to standard error.
    pub(crate) fn start() -> std::io::Result<Self> {
        Self::to(std::io::stderr())
    }

    fn to(out: impl Write + Send + 'static) -> std::io::Result<Self> {
        let (jobs, queue) = mpsc::sync_channel(WAITING);
        // It ends with the last sender, or with the program when it is stuck in a write, which nothing can interrupt.
        std::thread::Builder::new().name("printer".into()).spawn(move || write_all(&queue, out))?;
        Ok(Self { jobs })
    }

    /// Queues a line. Never waits.
    pub(crate) fn say(&self, line: &str) {
        let _ = self.jobs.try_send(Job::Line(line.to_owned()));
    }

    /// Shows on a terminal what is waited for, and for how long.
    pub(crate) fn status(&self, what: &str) {
        let _ = self.jobs.try_send(Job::Status(what.to_owned()));
    }

    /// Waits until all lines are written, though not for a reader who takes none.
    pub(crate) fn flush(&self) {
        let (told, flushed) = mpsc::sync_channel(1);
        if self.jobs.try_send(Job::Flushed(told)).is_ok() {
            let _ = flushed.recv_timeout(LAST_WAIT);
        }
    }
}

fn write_all(queue: &Receiver<Job>, mut out: impl Write) {
    // What is shown, and for how many ticks.
    let mut status: Option<(String, u32)> = None;
    loop {
        let job = match &status {
            Some(_) => queue.recv_timeout(TICK),
            None => queue.recv().map_err(RecvTimeoutError::from),
        };
        // A closed pipe at the other end is no reason to fail: what cannot be written is left out.
        match job {
            Ok(Job::Line(line)) => _ = writeln!(out, "{}{line}", if status.take().is_some() { EMPTIED } else { "" }),
            Ok(Job::Status(what)) => {
                _ = write!(out, "{EMPTIED}{what}");
                status = Some((what, 0));
            }
            Ok(Job::Flushed(told)) => {
                if status.take().is_some() {
                    _ = write!(out, "{EMPTIED}");
                }
                _ = out.flush();
                _ = told.send(());
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Some((what, ticks)) = &mut status {
                    *ticks += 1;
                    _ = write!(out, "{EMPTIED}{what} {ticks} s");
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
        _ = out.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("bytes").extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_come_in_order_and_all_before_the_flush_ends() {
        let kept = Kept::default();
        let printer = Printer::to(kept.clone()).expect("a thread");
        printer.say("one");
        printer.say("two");
        printer.flush();
        assert_eq!(kept.0.lock().expect("bytes").as_slice(), b"one\ntwo\n");
    }

    #[test]
    fn what_is_waited_for_gives_way_to_what_is_said() {
        let kept = Kept::default();
        let printer = Printer::to(kept.clone()).expect("a thread");
        printer.status("… asks");
        printer.say("one");
        printer.say("two");
        printer.status("… asks");
        printer.flush();
        let wanted = format!("{EMPTIED}… asks{EMPTIED}one\ntwo\n{EMPTIED}… asks{EMPTIED}");
        assert_eq!(String::from_utf8_lossy(&kept.0.lock().expect("bytes")), wanted);
    }

    #[test]
    fn a_reader_who_takes_nothing_is_not_waited_for() {
        /// Blocks until the test ends.
        struct Stuck(Receiver<()>);
        impl Write for Stuck {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                let _ = self.0.recv();
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let (_free, stuck) = mpsc::channel();
        let printer = Printer::to(Stuck(stuck)).expect("a thread");
        for _ in 0..2 * WAITING {
            printer.say("line");
        }
        printer.flush();
    }
}
