//! What the connection tells without being asked.

use crate::Session;
use handeye_core::DialogKind;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::mpsc;

/// What happens to the browser as a whole.
#[derive(Clone, Debug)]
pub enum BrowserEvent {
    /// A page (tab or popup) was attached. Its set-up commands are already on their way before anything sent to `session`.
    PageOpened {
        target_id: String,
        opener: Option<String>,
        session: Session,
        url: String,
    },
    PageClosed {
        target_id: String,
    },
    /// An iframe that lives in a process of its own was attached.
    FrameAttached {
        parent: Session,
        session: Session,
        target_id: String,
        url: String,
    },
    /// A native dialog opened and is being answered.
    DialogOpened {
        session: Session,
        kind: DialogKind,
        message: String,
    },
    /// A native dialog was answered.
    DialogClosed {
        session: Session,
        kind: DialogKind,
        message: String,
        accepted: bool,
    },
    /// A download began.
    Downloading {
        guid: String,
        name: String,
        url: String,
    },
    /// A download ended. `path` is `None` when it was cancelled, or the browser keeps the place to itself.
    Downloaded {
        guid: String,
        name: String,
        url: String,
        bytes: u64,
        path: Option<PathBuf>,
        completed: bool,
    },
    /// The page's process died. Its session answers no more.
    Crashed {
        target_id: String,
        why: String,
    },
    /// The browser or the connection is gone: the last event.
    Gone {
        why: String,
    },
}

/// One event of one session, as the browser sent it.
#[derive(Clone, Debug)]
pub struct SessionEvent {
    /// Id of the session; empty for the browser's own.
    pub session: Arc<str>,
    /// `Domain.name`.
    pub method: Arc<str>,
    pub params: Arc<RawValue>,
}

impl SessionEvent {
    /// Reads the parameters. `None` when they have another shape: a newer browser's, and so to be ignored.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        crate::message::read(self.params.get()).ok()
    }
}

/// What [`Events::next`] gives.
#[derive(Clone, Debug)]
pub enum Heard {
    Event(SessionEvent),
    /// The receiver was too slow: this many events were dropped here. What was derived from events must be asked for anew.
    Missed(u64),
}

/// The events of one session from when it was subscribed to; the first subscriber also gets those since it was attached.
#[derive(Debug)]
pub struct Events {
    pub(crate) receiver: mpsc::UnboundedReceiver<Heard>,
    pub(crate) queued: Arc<std::sync::atomic::AtomicUsize>,
}

impl Events {
    /// The next event; `None` once the session is gone and everything was read. Cancel safe.
    pub async fn next(&mut self) -> Option<Heard> {
        let heard = self.receiver.recv().await;
        self.count_down(heard.as_ref());
        heard
    }

    /// An event that is already here.
    pub fn try_next(&mut self) -> Option<Heard> {
        let heard = self.receiver.try_recv().ok();
        self.count_down(heard.as_ref());
        heard
    }

    fn count_down(&self, heard: Option<&Heard>) {
        if heard.is_some() {
            self.queued.fetch_sub(1, std::sync::atomic::Ordering::Relaxed);
        }
    }
}
