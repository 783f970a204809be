//! The world handed down to what does I/O: clock, cancel token, deadline.

use crate::{CancelToken, Journal, NoJournal};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time since the run began. Serialised as milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub struct Elapsed(pub Duration);

impl Elapsed {
    pub fn millis(self) -> u64 {
        u64::try_from(self.0.as_millis()).unwrap_or(u64::MAX)
    }
    pub fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}
impl From<u64> for Elapsed {
    fn from(ms: u64) -> Self {
        Self(Duration::from_millis(ms))
    }
}
impl From<Elapsed> for u64 {
    fn from(e: Elapsed) -> Self {
        e.millis()
    }
}
impl fmt::Display for Elapsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} s", self.0.as_secs_f64())
    }
}

/// Passed to every call that may wait. Cheap to clone.
#[derive(Clone)]
pub struct Ctx {
    pub cancel: CancelToken,
    /// When the whole run must be over.
    pub deadline: Option<Instant>,
    pub journal: Arc<dyn Journal>,
    started: Instant,
}

impl Ctx {
    pub fn new(journal: Arc<dyn Journal>) -> Self {
        Self { cancel: CancelToken::new(), deadline: None, journal, started: clock() }
    }
    /// For tests and tools: no journal, no deadline.
    pub fn bare() -> Self {
        Self::new(Arc::new(NoJournal))
    }
    pub fn with_timeout(mut self, timeout: Option<Duration>) -> Self {
        self.deadline = timeout.and_then(|t| self.started.checked_add(t));
        self
    }
    pub fn now(&self) -> Elapsed {
        Elapsed(clock().saturating_duration_since(self.started))
    }
    /// The monotonic clock itself, for timers.
    pub fn instant(&self) -> Instant {
        clock()
    }
    /// What is left until the deadline, at most `at_most`.
    pub fn remaining(&self, at_most: Duration) -> Duration {
        self.deadline.map_or(at_most, |d| d.saturating_duration_since(clock()).min(at_most))
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given")]
fn clock() -> Instant {
    Instant::now()
}
