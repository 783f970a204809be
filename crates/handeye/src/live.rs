//! The live world: device, models, clock. It enforces the deadline and the cancel, and records every need and every answer.

use async_trait::async_trait;
use handeye_core::{
    Action, Chat, ChatError, ChatErrorKind, ChatRequest, Ctx, Device, DeviceCause, DeviceError, Elapsed, Element,
    Event, Frame, Got, Image, Need, Part, Reply, Slot, World,
};
use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// Drives one device for one run.
pub struct LiveWorld {
    device: Box<dyn Device>,
    chats: HashMap<Slot, Arc<dyn Chat>>,
    cx: Ctx,
    /// The time of the last answer. The agent is told this, and not the clock, so that a replay decides the same.
    now: Elapsed,
    asked: u64,
}

impl LiveWorld {
    pub fn new(device: Box<dyn Device>, chats: HashMap<Slot, Arc<dyn Chat>>, cx: Ctx) -> Self {
        let now = cx.now();
        Self { device, chats, cx, now, asked: 0 }
    }
    /// Gives the device back, to close it.
    pub fn into_device(self) -> Box<dyn Device> {
        self.device
    }

    fn record_question(&mut self, need: &Need) -> handeye_core::Seq {
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
        self.now = self.cx.now();
        self.cx.journal.record_at(Event::Answered { id: self.asked, got: got.clone() }, self.now);
    }

    fn chat(&self, slot: Slot) -> Option<&Arc<dyn Chat>> {
        self.chats.get(&slot).or_else(|| self.chats.get(&Slot::Default))
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
            Need::Observe(want) => until(&cx, left, async { Got::Seen(self.device.observe(&want, &cx).await) }).await,
            Need::Anchor(at) => until(&cx, left, async { Got::Anchored(self.device.anchor(at, &cx).await) }).await,
            Need::Resolve(anchor) => {
                until(&cx, left, async { Got::Resolved(self.device.resolve(&anchor, &cx).await) }).await
            }
            Need::Chat(slot, request) => {
                let chat = self.chat(slot).cloned();
                until(&cx, left, async { Got::Heard(complete(chat, *request, &cx).await) }).await
            }
            Need::Settle(ms) => {
                let at_most = cx.remaining(Duration::from_millis(ms));
                until(&cx, left, async { Got::Quiet(self.device.settle(at_most, &cx).await) }).await
            }
            // Input under way is completed, also when the user cancels: half a drag or a held key is worse than a late end.
            Need::Act(action) => Got::Did(self.act(&action, &cx).await),
            Need::Pause(ms) => until(&cx, left, async { pause(ms).await }).await,
        }
    }

    async fn act(&mut self, action: &Action<Element>, cx: &Ctx) -> Result<handeye_core::Effect, DeviceError> {
        let at_most = longest(action);
        match tokio::time::timeout(at_most, self.device.act(action, cx)).await {
            Ok(done) => done,
            Err(_) => Err(DeviceError::new(
                action.summary(),
                DeviceCause::Interrupted(format!("the device did not finish within {} s", at_most.as_secs())),
            )),
        }
    }
}

/// The longest that one action may take: its own time and a margin for the device.
fn longest(action: &Action<Element>) -> Duration {
    let own = match action {
        Action::Sleep { time_ms } => *time_ms,
        Action::LongPress { duration, .. } => *duration,
        _ => 0,
    };
    Duration::from_millis(own) + Duration::from_mins(1)
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

async fn complete(chat: Option<Arc<dyn Chat>>, request: ChatRequest, cx: &Ctx) -> Result<Reply, ChatError> {
    let Some(chat) = chat else {
        return Err(ChatError::new(ChatErrorKind::Config, "no model is configured").with_hint(
            "set HANDEYE_MODEL_BASE_URL, HANDEYE_MODEL_NAME and HANDEYE_MODEL_API_KEY, or use --planner reflex",
        ));
    };
    let request = scaled(request).await?;
    chat.complete(&request, cx).await
}

/// The request with each picture at the size at which it is to be shown.
async fn scaled(mut request: ChatRequest) -> Result<ChatRequest, ChatError> {
    for message in &mut request.messages {
        for part in &mut message.parts {
            let Part::Image { image, sent } = part else { continue };
            if (image.size.width, image.size.height) == (sent.width, sent.height) {
                continue;
            }
            let (from, to) = (image.clone(), *sent);
            let done = tokio::task::spawn_blocking(move || handeye_image::scale(&from, to)).await;
            let scaled: Image = done
                .map_err(|e| ChatError::new(ChatErrorKind::Config, format!("the picture could not be resized: {e}")))?
                .map_err(|e| ChatError::new(ChatErrorKind::Config, format!("the picture could not be resized: {e}")))?;
            *image = scaled;
        }
    }
    Ok(request)
}

#[async_trait]
impl World for LiveWorld {
    async fn ask(&mut self, need: Need) -> Got {
        let seq = self.record_question(&need);
        if let Need::Act(action) = &need
            && !action.is_idempotent()
        {
            // After a kill it must be known that this may have happened.
            self.cx.journal.written(seq).await;
        }
        let got = self.answer(need).await;
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
