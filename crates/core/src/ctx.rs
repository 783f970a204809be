//! The world handed down to what does I/O: clocks, chance, cancel token, deadline.

use crate::{CancelToken, Journal, NoJournal};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

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
    started_at: SystemTime,
    /// The state of [`Ctx::random`], shared by all clones.
    chance: Arc<AtomicU64>,
}

impl Ctx {
    pub fn new(journal: Arc<dyn Journal>) -> Self {
        // Every state is seeded anew by the operating system.
        let seed = RandomState::new().hash_one(0);
        Self {
            cancel: CancelToken::new(),
            deadline: None,
            journal,
            started: clock(),
            started_at: wall_clock(),
            chance: Arc::new(AtomicU64::new(seed)),
        }
    }
    /// For tests and tools: no journal, no deadline.
    pub fn bare() -> Self {
        Self::new(Arc::new(NoJournal))
    }
    pub fn with_timeout(mut self, timeout: Option<Duration>) -> Self {
        self.deadline = timeout.and_then(|t| self.started.checked_add(t));
        self
    }
    /// With the same seed [`Ctx::random`] gives the same numbers.
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.chance = Arc::new(AtomicU64::new(seed));
        self
    }
    pub fn now(&self) -> Elapsed {
        Elapsed(clock().saturating_duration_since(self.started))
    }
    /// Date and time when the run began.
    pub fn started_at(&self) -> SystemTime {
        self.started_at
    }
    /// A number by chance, for names that nobody else has and for waits that are not to coincide. No key is made of it, and
    /// nothing is decided by it.
    pub fn random(&self) -> u64 {
        // The generator SplitMix64 (Steele, Lea, Flood 2014): a counter, and what mixes its bits.
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut bits = self.chance.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
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

#[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given")]
fn wall_clock() -> SystemTime {
    SystemTime::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_differs_from_run_to_run_unless_it_has_a_seed() {
        let numbers = |cx: &Ctx| [cx.random(), cx.random()];
        let [a, b] = numbers(&Ctx::bare());
        assert!(a != b && [a, b] != numbers(&Ctx::bare()));
        // The first values of the reference implementation for the seed 0.
        let seeded = Ctx::bare().with_seed(0);
        assert_eq!(numbers(&seeded.clone()), [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
        assert_eq!(seeded.random(), 0x06C4_5D18_8009_454F, "clones share it");
    }
}
