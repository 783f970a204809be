//! The seam to the record of a run.

use crate::{Elapsed, Event, Hash};
use async_trait::async_trait;

/// The number of an event in its journal, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seq(pub u64);

/// An append-only record. Recording never fails: a full disk degrades the record, not the run.
#[async_trait]
pub trait Journal: Send + Sync {
    /// Keeps bytes under their hash; the same bytes are kept once.
    fn blob(&self, bytes: &[u8], ext: &'static str) -> Hash;
    fn record(&self, event: Event) -> Seq;
    /// As [`Journal::record`], at a time that the caller has read and goes on to use: a replay then sees the same time.
    fn record_at(&self, event: Event, _at: Elapsed) -> Seq {
        self.record(event)
    }
    /// Returns when the event has reached the file (or the record has given up).
    async fn written(&self, seq: Seq);
}

/// Keeps nothing.
#[derive(Debug, Default)]
pub struct NoJournal;

#[async_trait]
impl Journal for NoJournal {
    fn blob(&self, bytes: &[u8], _ext: &'static str) -> Hash {
        Hash::of(bytes)
    }
    fn record(&self, _event: Event) -> Seq {
        Seq::default()
    }
    async fn written(&self, _seq: Seq) {}
}
