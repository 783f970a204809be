//! What the connection tells without being asked.

use crate::Session;
use handeye_core::DialogKind;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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
    /// The page's process died. Its session answers no more until the page is loaded again.
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
    receiver: mpsc::UnboundedReceiver<Heard>,
    queued: Arc<AtomicUsize>,
}

impl Events {
    /// The next event; `None` once the session is gone and everything was read. Cancel safe.
    pub async fn next(&mut self) -> Option<Heard> {
        let heard = self.receiver.recv().await;
        if heard.is_some() {
            self.queued.fetch_sub(1, Ordering::Relaxed);
        }
        heard
    }
}

/// Unread events that a receiver may have before some are dropped.
const UNREAD: usize = 16_384;
/// Events that are kept for the first subscriber of a session. Fewer, since a session may never get one.
const BACKLOG: usize = 4_096;

/// Those who listen to one session.
#[derive(Debug)]
pub(crate) struct Taps {
    /// `None` once somebody took it.
    backlog: Option<VecDeque<SessionEvent>>,
    dropped: u64,
    listeners: Vec<Tap>,
    is_closed: bool,
}

#[derive(Debug)]
struct Tap {
    sender: mpsc::UnboundedSender<Heard>,
    queued: Arc<AtomicUsize>,
    missed: u64,
}

impl Tap {
    /// False when nobody listens any more.
    fn push(&mut self, event: SessionEvent) -> bool {
        if self.queued.load(Ordering::Relaxed) >= UNREAD {
            self.missed += 1;
            return !self.sender.is_closed();
        }
        self.own_up() && self.send(Heard::Event(event))
    }
    fn own_up(&mut self) -> bool {
        match std::mem::take(&mut self.missed) {
            0 => true,
            missed => self.send(Heard::Missed(missed)),
        }
    }
    fn send(&self, heard: Heard) -> bool {
        self.queued.fetch_add(1, Ordering::Relaxed);
        self.sender.send(heard).is_ok()
    }
}

impl Taps {
    pub(crate) fn new() -> Self {
        Self { backlog: Some(VecDeque::new()), dropped: 0, listeners: Vec::new(), is_closed: false }
    }

    pub(crate) fn push(&mut self, event: &SessionEvent) {
        if let Some(backlog) = &mut self.backlog {
            if backlog.len() >= BACKLOG {
                backlog.pop_front();
                self.dropped += 1;
            }
            backlog.push_back(event.clone());
        }
        self.listeners.retain_mut(|tap| tap.push(event.clone()));
    }

    pub(crate) fn subscribe(&mut self) -> Events {
        let (sender, receiver) = mpsc::unbounded_channel();
        let queued = Arc::new(AtomicUsize::new(0));
        let mut tap = Tap { sender, queued: queued.clone(), missed: std::mem::take(&mut self.dropped) };
        tap.own_up();
        for event in self.backlog.take().into_iter().flatten() {
            tap.push(event);
        }
        if !self.is_closed {
            self.listeners.push(tap);
        }
        Events { receiver, queued }
    }

    /// Nothing more will come: receivers end after what they have.
    pub(crate) fn close(&mut self) {
        self.is_closed = true;
        for mut tap in self.listeners.drain(..) {
            tap.own_up();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    fn event(n: usize) -> SessionEvent {
        SessionEvent {
            session: "S".into(),
            method: format!("Test.event{n}").into(),
            params: Arc::from(RawValue::from_string("{}".into()).expect("json")),
        }
    }

    fn drain(events: &mut Events) -> Vec<String> {
        // What is not here yet is not waited for.
        let mut cx = Context::from_waker(Waker::noop());
        let next = || match pin!(events.next()).poll(&mut cx) {
            Poll::Ready(heard) => heard,
            Poll::Pending => None,
        };
        std::iter::from_fn(next)
            .map(|heard| match heard {
                Heard::Event(event) => event.method.to_string(),
                Heard::Missed(n) => format!("missed {n}"),
            })
            .collect()
    }

    #[test]
    fn the_first_subscriber_hears_what_came_before() {
        let mut taps = Taps::new();
        taps.push(&event(1));
        let mut first = taps.subscribe();
        let mut second = taps.subscribe();
        taps.push(&event(2));
        taps.close();
        assert_eq!(drain(&mut first), ["Test.event1", "Test.event2"]);
        assert_eq!(drain(&mut second), ["Test.event2"]);
        assert!(drain(&mut taps.subscribe()).is_empty());
    }

    #[test]
    fn ten_thousand_unread_events_are_kept_and_a_loss_is_told() {
        let mut taps = Taps::new();
        let mut slow = taps.subscribe();
        for n in 0..10_000 {
            taps.push(&event(n));
        }
        assert_eq!(drain(&mut slow).len(), 10_000);
        for n in 0..UNREAD + 5 {
            taps.push(&event(n));
        }
        let kept = drain(&mut slow);
        assert_eq!(kept.len(), UNREAD);
        taps.push(&event(7));
        assert_eq!(drain(&mut slow), ["missed 5", "Test.event7"]);
    }

    #[test]
    fn a_backlog_that_nobody_took_is_bounded() {
        let mut taps = Taps::new();
        for n in 0..BACKLOG + 3 {
            taps.push(&event(n));
        }
        let mut late = taps.subscribe();
        let heard = drain(&mut late);
        assert_eq!(heard.len(), BACKLOG + 1);
        assert_eq!(heard[..2], ["missed 3", "Test.event3"]);
    }
}
