//! One attached target.

use crate::{CdpError, Events};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;

/// A call that gives no deadline of its own waits this long.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// An answer that nobody reads.
pub type Ignored = serde::de::IgnoredAny;

/// A handle of one attached target: the browser itself, a page, or a frame in a process of its own. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Session(pub(crate) Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) id: Arc<str>,
    pub(crate) target_id: String,
}

impl Session {
    /// Empty for the browser's own session.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// Empty for the browser's own session.
    pub fn target_id(&self) -> &str {
        &self.0.target_id
    }

    /// Calls a method and waits for the answer, at most [`CALL_TIMEOUT`].
    pub async fn call<R: DeserializeOwned>(&self, method: &'static str, params: impl Serialize) -> Result<R, CdpError> {
        self.call_within(method, params, CALL_TIMEOUT).await
    }

    /// Calls a method and waits for the answer. `()` as parameters sends none; [`Ignored`] as the answer drops it.
    pub async fn call_within<R: DeserializeOwned>(
        &self,
        method: &'static str,
        params: impl Serialize,
        at_most: Duration,
    ) -> Result<R, CdpError> {
        let _ = (method, serde_json::value::to_raw_value(&params), at_most);
        Err(CdpError::gone("not connected"))
    }

    /// Sends a command whose answer nobody waits for. Commands of one caller arrive in the order in which they are sent.
    pub fn post(&self, method: &'static str, params: impl Serialize) {
        let _ = (method, serde_json::value::to_raw_value(&params));
    }

    /// The events of this session only.
    pub fn events(&self) -> Events {
        let (_, receiver) = tokio::sync::mpsc::unbounded_channel();
        Events { receiver, queued: Arc::default() }
    }

    /// The target was closed, or the connection is gone.
    pub fn is_gone(&self) -> bool {
        true
    }
}
