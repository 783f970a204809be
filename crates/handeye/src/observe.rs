//! Lets somebody watch the events of a run while they are recorded.

use async_trait::async_trait;
use handeye_core::{Elapsed, Event, Hash, Journal, Seq};
use std::sync::Arc;

/// Called with each event, in order, before it is recorded. It must not block.
pub type Watch = Arc<dyn Fn(&Event) + Send + Sync>;

/// A journal with somebody watching.
pub struct Watched {
    pub journal: Arc<dyn Journal>,
    pub watch: Watch,
}

#[async_trait]
impl Journal for Watched {
    fn blob(&self, bytes: &[u8], ext: &'static str) -> Hash {
        self.journal.blob(bytes, ext)
    }
    fn record(&self, event: Event) -> Seq {
        (self.watch)(&event);
        self.journal.record(event)
    }
    fn record_at(&self, event: Event, at: Elapsed) -> Seq {
        (self.watch)(&event);
        self.journal.record_at(event, at)
    }
    async fn written(&self, seq: Seq) {
        self.journal.written(seq).await;
    }
}
