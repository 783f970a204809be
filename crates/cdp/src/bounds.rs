//! Until when calls wait for their answers: a page that spins must not hold a run beyond its time.

use handeye_core::{CancelToken, Ctx};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Input under way is completed when the run is cancelled; each call of it waits at most so long then.
const AFTER_CANCEL: Duration = Duration::from_secs(1);

/// Shared by all sessions of a connection. At first there is no bound.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds(Arc<Mutex<Bound>>);

#[derive(Clone, Debug, Default)]
struct Bound {
    deadline: Option<Instant>,
    cancel: CancelToken,
}

impl Bounds {
    pub(crate) fn set(&self, cx: &Ctx) {
        let bound = Bound { deadline: cx.deadline, cancel: cx.cancel.clone() };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = bound;
    }

    pub(crate) fn lift(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Bound::default();
    }

    /// Returns when nothing is worth waiting for any more.
    pub(crate) async fn reached(&self) {
        let Bound { deadline, cancel } = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let cancelled = async {
            cancel.cancelled().await;
            let _ = tokio::time::timeout(AFTER_CANCEL, std::future::pending::<()>()).await;
        };
        match deadline {
            Some(deadline) => drop(tokio::time::timeout_at(deadline.into(), cancelled).await),
            None => cancelled.await,
        }
    }
}
