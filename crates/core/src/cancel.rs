//! A flag that can be awaited, without a runtime.

use event_listener::Event;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared between whoever may cancel a run and whatever waits in it. Cancelling is final.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    cancelled: AtomicBool,
    event: Event,
}

impl CancelToken {
    pub fn new() -> Self {
        Self::default()
    }
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        self.0.event.notify(usize::MAX);
    }
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }
    /// Returns once the token is cancelled, at once if it already is.
    pub async fn cancelled(&self) {
        loop {
            if self.is_cancelled() {
                return;
            }
            let listener = self.0.event.listen();
            // Between the check and the registration a cancel may have come: look again before waiting.
            if self.is_cancelled() {
                return;
            }
            listener.await;
        }
    }
}
