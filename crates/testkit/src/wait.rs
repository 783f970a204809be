//! Waiting in tests: for a condition, with a deadline.

use std::time::{Duration, Instant};

/// Asks `condition` until it is true. Returns whether that happened within `at_most`.
#[expect(clippy::disallowed_methods, reason = "tests have no Ctx; the state polled is another process's or thread's")]
pub fn until(at_most: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + at_most;
    loop {
        if condition() {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// How long `work` took, and what came of it.
#[expect(clippy::disallowed_methods, reason = "tests have no Ctx")]
pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let value = work();
    (start.elapsed(), value)
}
