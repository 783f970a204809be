//! Disks that fail, through a sink of the test's own; what needs no such disk is in `tests/it`.

use super::disk::Sink;
use super::{Recording, RunJournal};
use crate::reader::{Fault, Run};
use handeye_core::{Elapsed, End, Event, Journal as _, Outcome, Seq, Usage};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex};

/// A disk with room for so many bytes. Like a real one, it takes what fits and fails then.
struct Full {
    file: File,
    room: Arc<AtomicI64>,
    cuts: bool,
}

impl Sink for Full {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let room = self.room.load(Ordering::SeqCst).max(0) as usize;
        let taken = bytes.len().min(room);
        self.file.write_all(&bytes[..taken])?;
        self.room.fetch_sub(i64::try_from(taken).expect("small"), Ordering::SeqCst);
        if taken < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn cut(&mut self, len: u64) -> io::Result<()> {
        if self.cuts { self.file.set_len(len) } else { Err(io::ErrorKind::StorageFull.into()) }
    }
    fn is_gone(&self) -> bool {
        false
    }
}

fn on_a_full_disk(dir: &Path, room: i64, cuts: bool) -> (Arc<RunJournal>, Arc<AtomicI64>) {
    let room = Arc::new(AtomicI64::new(room));
    let file = File::options().create(true).append(true).open(dir.join("journal.jsonl")).expect("a file");
    let sink = Full { file, room: Arc::clone(&room), cuts };
    let recording = Recording { clock: Some(Box::new(Elapsed::default)), ..Recording::default() };
    (RunJournal::start(dir.to_owned(), "run", Box::new(sink), recording).expect("starts"), room)
}

fn notice(i: u64) -> Event {
    Event::Notice { text: format!("number {i}") }
}

/// What the reader finds: the numbers that it reads, and what it says is wrong.
fn found(dir: &Path) -> (Vec<u64>, Vec<Fault>) {
    let run = Run::read(dir).expect("reads");
    (run.events.iter().map(|e| e.seq).collect(), run.faults)
}

#[tokio::test]
async fn a_full_disk_costs_lines_and_never_leaves_half_a_line_in_the_way() {
    for room in 0..400 {
        for cuts in [true, false] {
            let dir = tempfile::tempdir().expect("a folder");
            let (journal, free) = on_a_full_disk(dir.path(), room, cuts);
            for i in 1..=4 {
                journal.written(journal.record(notice(i))).await;
            }
            free.store(i64::MAX, Ordering::SeqCst);
            journal.written(journal.record(notice(5))).await;
            let problem = journal.shared.problem().map(str::to_owned);
            drop(journal);
            let (read, faults) = found(dir.path());
            let lost = (1..=5).filter(|i| !read.contains(i)).count() as u64;
            // Where only a line break is missing and cannot be taken back, the next line brings it.
            let healed = !cuts && lost == 0;
            assert!(problem.is_some() == (lost > 0) || healed, "room {room}, cuts {cuts}: {problem:?}");
            assert_eq!(read.last(), Some(&5), "room {room}, cuts {cuts}");
            let missing: u64 =
                faults.iter().map(|f| if let Fault::Gap { missing, .. } = f { *missing } else { 0 }).sum();
            assert_eq!(missing, lost, "room {room}, cuts {cuts}: {faults:?}");
            let others: Vec<&Fault> = faults.iter().filter(|f| !matches!(f, Fault::Gap { .. })).collect();
            // Where half a line could not be cut off it is one bad line, alone on its line.
            assert!(others.len() <= usize::from(!cuts), "room {room}, cuts {cuts}: {others:?}");
        }
    }
}

#[test]
fn the_first_problem_stands_in_the_result() {
    let dir = tempfile::tempdir().expect("a folder");
    let (journal, _) = on_a_full_disk(dir.path(), 0, true);
    let outcome = Outcome {
        end: End::Completed { message: "done".into() },
        rounds: 1,
        actions: 0,
        model_calls: 0,
        microdollars: None,
        value: None,
        usage: Usage::default(),
        planner: "reflex".into(),
        warnings: Vec::new(),
    };
    let result = journal.finish(&outcome);
    let want = format!(
        "`{}` could not be written from event 1 on: no storage space",
        dir.path().join("journal.jsonl").display()
    );
    assert_eq!(result.record_problem.as_deref(), Some(want.as_str()));
    assert_eq!(result.exit_code, 0, "the run itself is not touched");
    assert!(result.report.is_some(), "what is left of the record is shown");
    assert_eq!(journal.finish(&outcome), result);
}

/// A disk that stands still until it is told to go on.
struct Stalled {
    gate: Arc<(Mutex<bool>, Condvar)>,
}

impl Sink for Stalled {
    fn append(&mut self, _: &[u8]) -> io::Result<()> {
        let (open, wake) = &*self.gate;
        let guard = open.lock().expect("a lock");
        drop(wake.wait_while(guard, |open| !*open).expect("a lock"));
        Ok(())
    }
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn cut(&mut self, _: u64) -> io::Result<()> {
        Ok(())
    }
    fn is_gone(&self) -> bool {
        false
    }
}

#[tokio::test]
async fn recording_does_not_wait_for_the_disk_and_written_does() {
    let dir = tempfile::tempdir().expect("a folder");
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let sink = Stalled { gate: Arc::clone(&gate) };
    let journal =
        RunJournal::start(dir.path().to_owned(), "run", Box::new(sink), Recording::default()).expect("starts");
    let mut last = Seq(0);
    for i in 0..1000 {
        last = journal.record(notice(i));
    }
    let waiting = journal.written(last);
    let mut waiting = std::pin::pin!(waiting);
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(std::future::Future::poll(waiting.as_mut(), &mut cx).is_pending());
    *gate.0.lock().expect("a lock") = true;
    gate.1.notify_all();
    waiting.await;
    // A number that was never given out is not waited for.
    journal.written(Seq(5_000_000)).await;
}
