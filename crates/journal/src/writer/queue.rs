//! What stands between the loop, which must not wait, and the disk.

use handeye_core::{Elapsed, Event, Hash};
use std::collections::{HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Work for the writer thread, in the order in which it was recorded.
pub(super) enum Job {
    Line {
        seq: u64,
        at: Elapsed,
        event: Box<Event>,
    },
    Blob {
        hash: Hash,
        ext: &'static str,
        bytes: Vec<u8>,
    },
    /// A line that was given up because the disk took nothing for too long.
    Lost {
        seq: u64,
    },
}

/// Above these the recording side waits: a run must not eat the memory of the machine because its disk is slow.
const MOST_BYTES: usize = 64 << 20;
const MOST_JOBS: usize = 10_000;
/// How long it waits before it drops the job instead, and all that come after it until the disk has caught up.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Default)]
struct Inner {
    jobs: VecDeque<Job>,
    /// Bytes of the blobs in `jobs`.
    bytes: usize,
    last_seq: u64,
    known: HashSet<Hash>,
    closed: bool,
    /// The wait for room was in vain: nobody waits again before half of what is queued is written.
    stalled: bool,
    /// The writer thread has ended.
    done: bool,
}

impl Inner {
    fn has_room(&self) -> bool {
        self.closed || self.is_below(1)
    }

    /// Whether less is queued than this part of the most.
    fn is_below(&self, part: usize) -> bool {
        self.bytes < MOST_BYTES / part && self.jobs.len() < MOST_JOBS / part
    }
}

pub(super) struct Queue {
    inner: Mutex<Inner>,
    filled: Condvar,
    drained: Condvar,
    patience: Duration,
}

impl Default for Queue {
    fn default() -> Self {
        Self { inner: Mutex::default(), filled: Condvar::new(), drained: Condvar::new(), patience: PATIENCE }
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for room, which there is unless the disk has stood still for long. `false` when there still is none.
    fn room<'a>(&'a self, inner: MutexGuard<'a, Inner>) -> (MutexGuard<'a, Inner>, bool) {
        let patience = if inner.stalled { Duration::ZERO } else { self.patience };
        let waited = self.drained.wait_timeout_while(inner, patience, |i| !i.has_room());
        let (mut inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let has_room = inner.has_room();
        inner.stalled |= !has_room;
        (inner, has_room)
    }

    /// Numbers an event and queues it. The time is asked for under the same lock, so that times rise with numbers.
    pub(super) fn push_line(&self, event: Event, now: impl FnOnce() -> Elapsed) -> (u64, bool) {
        let (mut inner, has_room) = self.room(self.lock());
        inner.last_seq += 1;
        let seq = inner.last_seq;
        if !inner.closed {
            let job = if has_room { Job::Line { seq, at: now(), event: Box::new(event) } } else { Job::Lost { seq } };
            inner.jobs.push_back(job);
        }
        self.filled.notify_one();
        (seq, has_room)
    }

    /// Queues a blob unless it is known already.
    pub(super) fn push_blob(&self, hash: &Hash, ext: &'static str, bytes: impl FnOnce() -> Vec<u8>) -> bool {
        let inner = self.lock();
        if inner.closed || inner.known.contains(hash) {
            return true;
        }
        let (mut inner, has_room) = self.room(inner);
        if has_room && inner.known.insert(hash.clone()) {
            let bytes = bytes();
            inner.bytes += bytes.len();
            inner.jobs.push_back(Job::Blob { hash: hash.clone(), ext, bytes });
            self.filled.notify_one();
        }
        has_room
    }

    /// A blob that did not reach the disk may be tried again.
    pub(super) fn forget(&self, hash: &Hash) {
        self.lock().known.remove(hash);
    }

    /// The next job; waits for one. `None` once the queue is closed and empty.
    pub(super) fn pop(&self) -> Option<Job> {
        let mut inner = self.lock();
        loop {
            if let Some(job) = inner.jobs.pop_front() {
                if let Job::Blob { bytes, .. } = &job {
                    inner.bytes -= bytes.len();
                }
                inner.stalled &= !inner.is_below(2);
                self.drained.notify_all();
                return Some(job);
            }
            if inner.closed {
                return None;
            }
            inner = self.filled.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().jobs.is_empty()
    }

    /// Takes no more jobs; what is queued is still written.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
        self.drained.notify_all();
    }

    pub(super) fn set_done(&self) {
        self.lock().done = true;
        self.drained.notify_all();
    }

    /// Waits until the writer thread has ended, at most `at_most`.
    pub(super) fn wait_done(&self, at_most: Duration) -> bool {
        let waited = self.drained.wait_timeout_while(self.lock(), at_most, |i| !i.done);
        waited.map_or_else(|e| e.into_inner().0.done, |(inner, _)| inner.done)
    }

    pub(super) fn last_seq(&self) -> u64 {
        self.lock().last_seq
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "that nobody waits can only be seen by the clock")]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_disk_that_stands_still_is_waited_for_once_and_again_when_it_has_caught_up() {
        let patience = Duration::from_millis(100);
        let queue = Queue { patience, ..Queue::default() };
        let push = || queue.push_line(Event::Unknown, Elapsed::default).1;
        let timed = |times: usize| {
            let began = Instant::now();
            let kept = (0..times).filter(|_| push()).count();
            (kept, began.elapsed())
        };
        assert_eq!(timed(MOST_JOBS).0, MOST_JOBS);
        let (kept, took) = timed(1);
        assert!(kept == 0 && took >= patience, "the first one waits: {took:?}");
        let (kept, took) = timed(500);
        assert!(kept == 0 && took < patience * 100, "the others do not: {took:?}");
        assert!(!queue.push_blob(&Hash::of(b"x"), "png", || b"x".to_vec()));
        while queue.lock().jobs.len() >= MOST_JOBS / 2 {
            queue.pop();
        }
        let (kept, _) = timed(MOST_JOBS / 2 + 1);
        assert_eq!(kept, MOST_JOBS / 2 + 1, "there is room again");
        let (kept, took) = timed(1);
        assert!(kept == 0 && took >= patience, "and it is waited for again: {took:?}");
    }
}
