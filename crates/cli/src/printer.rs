//! Lines for standard error, written by a thread of their own: whoever reads them may stop reading, and then neither the run's
//! time limit nor a cancel may wait for him.

use std::io::Write;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Duration;

/// Lines that wait to be written. Beyond it they are dropped: progress is worth no memory.
const WAITING: usize = 1_000;
/// How long the end of the program waits for lines that nobody takes.
const LAST_WAIT: Duration = Duration::from_secs(1);

enum Job {
    Line(String),
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

    /// Waits until all lines are written, though not for a reader who takes none.
    pub(crate) fn flush(&self) {
        let (told, flushed) = mpsc::sync_channel(1);
        if self.jobs.try_send(Job::Flushed(told)).is_ok() {
            let _ = flushed.recv_timeout(LAST_WAIT);
        }
    }
}

fn write_all(queue: &Receiver<Job>, mut out: impl Write) {
    for job in queue {
        match job {
            // A closed pipe at the other end is no reason to fail.
            Job::Line(line) => _ = writeln!(out, "{line}"),
            Job::Flushed(told) => _ = told.send(()),
        }
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
