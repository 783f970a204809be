//! The live world: device, models, clock. It enforces the deadline and the cancel, and records every need and every answer.

use crate::model::{Chats, HOW_TO_SET};
use crate::pictures::Pictures;
use async_trait::async_trait;
use handeye_core::{
    Action, Chat, ChatError, ChatErrorKind, ChatRequest, Ctx, Device, DeviceCause, DeviceError, Elapsed, Element,
    Event, Frame, Got, Need, Reply, Seq, Slot, World,
};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// How long each part of the world may take at most, whatever the run's own time limit is: nothing that hangs may hang the run.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For the disk to take the intent of an action.
    pub intent: Duration,
    /// For one look at the screen.
    pub look: Duration,
    /// For what a device needs beyond the time that it is given to settle, or that an action takes of itself.
    pub margin: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { intent: Duration::from_secs(10), look: Duration::from_mins(1), margin: Duration::from_mins(1) }
    }
}

/// Drives one device for one run.
pub struct LiveWorld {
    device: Box<dyn Device>,
    chats: Chats,
    pictures: Pictures,
    cx: Ctx,
    /// The time of the last answer. The agent is told this, and not the clock, so that a replay decides the same.
    now: Elapsed,
    asked: u64,
    patience: Patience,
    /// The disk did not take an intent in time; it is not waited for again until it has caught up.
    disk_stands_still: bool,
}

impl LiveWorld {
    pub fn new(device: Box<dyn Device>, chats: Chats, cx: Ctx) -> Self {
        let now = cx.now();
        Self {
            device,
            chats,
            pictures: Pictures::default(),
            cx,
            now,
            asked: 0,
            patience: Patience::default(),
            disk_stands_still: false,
        }
    }
    pub fn with_patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }
    /// Gives the device back, to close it.
    pub fn into_device(self) -> Box<dyn Device> {
        self.device
    }

    fn record_question(&mut self, need: &Need) -> Seq {
        self.asked += 1;
        let class = match need {
            Need::Act(action) => Some(class(action).to_owned()),
            _ => None,
        };
        let body = match need {
            Need::Chat(slot, request) => self
                .chat(*slot)
                .map(|chat| self.cx.journal.blob(chat.wire_body(request).as_bytes(), "json").as_str().to_owned()),
            _ => None,
        };
        self.cx.journal.record(Event::Asked { id: self.asked, need: need.clone(), class, body })
    }

    fn record_answer(&mut self, got: &Got) {
        if let Got::Seen(Ok(seen)) = got
            && let Some(Frame { image, .. }) = &seen.frame
        {
            self.cx.journal.blob(&image.bytes, image.format.extension());
        }
        // As the record keeps it: a replay must be told the very same.
        self.now = Elapsed::from(self.cx.now().millis());
        self.cx.journal.record_at(Event::Answered { id: self.asked, got: got.clone() }, self.now);
    }

    fn chat(&self, slot: Slot) -> Option<&Arc<dyn Chat>> {
        self.chats.get(&slot)
    }

    async fn answer(&mut self, need: Need) -> Got {
        if self.cx.cancel.is_cancelled() {
            return Got::Cancelled;
        }
        let left = self.cx.remaining(Duration::MAX);
        if left.is_zero() {
            return Got::TimeOver;
        }
        let cx = self.cx.clone();
        match need {
            Need::Observe(want) => {
                let seen = capped("look at the screen", self.patience.look, self.device.observe(&want, &cx));
                until(&cx, left, async { Got::Seen(seen.await) }).await
            }
            Need::Chat(slot, request) => {
                let chat = self.chat(slot).cloned();
                let pictures = &mut self.pictures;
                until(&cx, left, async { Got::Heard(within(chat, *request, pictures, &cx).await) }).await
            }
            Need::Settle(ms) => {
                let at_most = cx.remaining(Duration::from_millis(ms));
                let cap = at_most.saturating_add(self.patience.margin);
                let settled = capped("wait until the screen is quiet", cap, self.device.settle(at_most, &cx));
                until(&cx, left, async { Got::Quiet(settled.await) }).await
            }
            // Input under way is completed, also when the user cancels: half a drag or a held key is worse than a late end.
            Need::Act(action) => Got::Did(self.act(&action, &cx).await),
            Need::Pause(ms) => until(&cx, left, async { pause(ms).await }).await,
        }
    }

    /// Waits until the intent of an action has reached the file: after a kill it must be known that the action may have happened.
    /// A disk that stands still costs parts of the record, like one that is full, and not the run. `Some` when the run ended
    /// meanwhile.
    async fn keep_intent(&mut self, seq: Seq) -> Option<Got> {
        let at_most = if self.disk_stands_still { Duration::ZERO } else { self.patience.intent };
        let kept = tokio::select! {
            biased;
            () = self.cx.cancel.cancelled() => return Some(Got::Cancelled),
            kept = tokio::time::timeout(self.cx.remaining(at_most), self.cx.journal.written(seq)) => kept.is_ok(),
        };
        if !kept && self.cx.remaining(Duration::MAX).is_zero() {
            return Some(Got::TimeOver);
        }
        if !kept && !self.disk_stands_still {
            let text = format!(
                "the disk took nothing of the record for {} s: actions do not wait for it any more, so that a crash could leave \
                 some of them unrecorded",
                at_most.as_secs()
            );
            self.cx.journal.record(Event::Notice { text });
        }
        self.disk_stands_still = !kept;
        None
    }

    async fn act(&mut self, action: &Action<Element>, cx: &Ctx) -> Result<handeye_core::Effect, DeviceError> {
        let at_most = own_time(action).saturating_add(self.patience.margin);
        match tokio::time::timeout(at_most, self.device.act(action, cx)).await {
            Ok(done) => done,
            Err(_) => Err(DeviceError::new(
                action.summary(),
                DeviceCause::Interrupted(format!("the device did not finish within {} s", at_most.as_secs())),
            )),
        }
    }
}

/// The time that an action takes because it says so.
fn own_time(action: &Action<Element>) -> Duration {
    Duration::from_millis(match action {
        Action::Sleep { time_ms } => *time_ms,
        Action::LongPress { duration, .. } => *duration,
        _ => 0,
    })
}

/// What the device answers, or that it did not in time.
async fn capped<T>(
    what: &str,
    cap: Duration,
    work: impl Future<Output = Result<T, DeviceError>>,
) -> Result<T, DeviceError> {
    match tokio::time::timeout(cap, work).await {
        Ok(answer) => answer,
        Err(_) => Err(DeviceError::new(what, DeviceCause::Timeout(Elapsed(cap).millis()))),
    }
}

/// What may be done with an action of which only the intent is known: `idempotent` is done again, `at-most-once` never.
fn class(action: &Action<Element>) -> &'static str {
    if action.is_idempotent() { "idempotent" } else { "at-most-once" }
}

/// The answer, unless the user cancels or the run's time ends first.
async fn until(cx: &Ctx, left: Duration, work: impl Future<Output = Got>) -> Got {
    let got = tokio::select! {
        biased;
        () = cx.cancel.cancelled() => Got::Cancelled,
        Err(_) = tokio::time::timeout(left, std::future::pending::<()>()) => Got::TimeOver,
        got = work => got,
    };
    // Devices and models watch the same token and the same clock. Which of us saw it first must not decide how the run ends.
    match got {
        got if !has_failed(&got) => got,
        _ if cx.cancel.is_cancelled() => Got::Cancelled,
        _ if cx.remaining(Duration::MAX).is_zero() => Got::TimeOver,
        got => got,
    }
}

fn has_failed(got: &Got) -> bool {
    matches!(got, Got::Seen(Err(_)) | Got::Heard(Err(_)) | Got::Quiet(Err(_)))
}

#[expect(clippy::disallowed_methods, reason = "the agent asked for a pause; the caller bounds it and can cancel it")]
async fn pause(ms: u64) -> Got {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    Got::Woke
}

/// No longer than the request is worth waiting for.
async fn within(
    chat: Option<Arc<dyn Chat>>,
    request: ChatRequest,
    pictures: &mut Pictures,
    cx: &Ctx,
) -> Result<Reply, ChatError> {
    let Some(ms) = request.within else { return complete(chat, request, pictures, cx).await };
    match tokio::time::timeout(Duration::from_millis(ms), complete(chat, request, pictures, cx)).await {
        Ok(heard) => heard,
        Err(_) => Err(ChatError::new(
            ChatErrorKind::Timeout,
            format!("no reply within {ms} ms, when it was not of use any more"),
        )),
    }
}

async fn complete(
    chat: Option<Arc<dyn Chat>>,
    request: ChatRequest,
    pictures: &mut Pictures,
    cx: &Ctx,
) -> Result<Reply, ChatError> {
    let Some(chat) = chat else {
        return Err(ChatError::new(ChatErrorKind::Config, "no model is configured")
            .with_hint(format!("{HOW_TO_SET}, or use --planner reflex")));
    };
    let request = pictures.prepare(request).await?;
    chat.complete(&request, cx).await
}

#[async_trait]
impl World for LiveWorld {
    async fn ask(&mut self, need: Need) -> Got {
        let seq = self.record_question(&need);
        let over = match &need {
            Need::Act(action) if !action.is_idempotent() => self.keep_intent(seq).await,
            _ => None,
        };
        let got = match over {
            Some(over) => over,
            None => self.answer(need).await,
        };
        self.record_answer(&got);
        got
    }
    fn now(&self) -> Elapsed {
        self.now
    }
    fn note(&mut self, event: Event) {
        self.cx.journal.record(event);
    }
}
