//! Deadline, cancel, and the order of the record.

use async_trait::async_trait;
use handeye::LiveWorld;
use handeye_core::{
    Action, ActionSpace, Chat, ChatError, ChatRequest, Ctx, Device, DeviceError, Effect, Element, Event, Got, Hash,
    InputMode, Journal, Need, Observation, Quiet, Reply, Seq, Settled, Slot, Verb, Want, World,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Everything that happened, in order, by all parts.
type Log = Arc<Mutex<Vec<String>>>;

struct Fake {
    log: Log,
    space: ActionSpace,
}

#[async_trait]
impl Device for Fake {
    fn name(&self) -> String {
        "fake".to_owned()
    }
    fn actions(&self) -> &ActionSpace {
        &self.space
    }
    async fn observe(&mut self, _want: &Want, _cx: &Ctx) -> Result<Observation, DeviceError> {
        std::future::pending().await
    }
    async fn act(&mut self, action: &Action<Element>, cx: &Ctx) -> Result<Effect, DeviceError> {
        self.log.lock().expect("a log").push(format!("{} begins", action.verb()));
        // The user cancels in the middle of the input.
        cx.cancel.cancel();
        tokio::task::yield_now().await;
        self.log.lock().expect("a log").push(format!("{} ends", action.verb()));
        Ok(Effect::confirmed("done"))
    }
    async fn settle(&mut self, at_most: Duration, _cx: &Ctx) -> Result<Settled, DeviceError> {
        Ok(Settled {
            by: Quiet::Idle,
            took: u64::try_from(at_most.as_millis()).unwrap_or(u64::MAX),
            busy: String::new(),
            changes: handeye_core::Changes::default(),
            effect: None,
        })
    }
    async fn close(self: Box<Self>, _cx: &Ctx) -> Result<(), DeviceError> {
        Ok(())
    }
}

struct Silent;

#[async_trait]
impl Chat for Silent {
    fn name(&self) -> String {
        "a model that never answers".to_owned()
    }
    async fn complete(&self, _request: &ChatRequest, _cx: &Ctx) -> Result<Reply, ChatError> {
        std::future::pending().await
    }
    fn wire_body(&self, _request: &ChatRequest) -> String {
        "{}".to_owned()
    }
}

struct Keeper(Log);

#[async_trait]
impl Journal for Keeper {
    fn blob(&self, bytes: &[u8], _ext: &'static str) -> Hash {
        Hash::of(bytes)
    }
    fn record(&self, event: Event) -> Seq {
        let line = match event {
            Event::Asked { need, class, .. } => format!("asked {} {}", name(&need), class.unwrap_or_default()),
            Event::Answered { got, .. } => format!("answered {}", if got == Got::Cancelled { "cancelled" } else { "" }),
            _ => return Seq(0),
        };
        self.0.lock().expect("a log").push(line.trim().to_owned());
        Seq(1)
    }
    async fn written(&self, _seq: Seq) {
        self.0.lock().expect("a log").push("written".to_owned());
    }
}

fn name(need: &Need) -> &'static str {
    match need {
        Need::Act(_) => "act",
        Need::Observe(_) => "observe",
        Need::Chat(..) => "chat",
        _ => "else",
    }
}

fn world(timeout: Option<Duration>) -> (LiveWorld, Ctx, Log) {
    let log = Log::default();
    let cx = Ctx::new(Arc::new(Keeper(log.clone()))).with_timeout(timeout);
    let device = Fake { log: log.clone(), space: ActionSpace::of(&[Verb::Tap]) };
    let chats: HashMap<Slot, Arc<dyn Chat>> = HashMap::from([(Slot::Default, Arc::new(Silent) as Arc<dyn Chat>)]);
    (LiveWorld::new(Box::new(device), chats, cx.clone()), cx, log)
}

fn said(log: &Log) -> String {
    log.lock().expect("a log").join(", ")
}

#[tokio::test]
async fn the_intent_of_an_action_reaches_the_file_before_the_input_leaves() {
    let (mut world, _, log) = world(None);
    let press = Action::KeyboardPress { key_name: "Enter".to_owned(), locate: None };
    let got = world.ask(Need::Act(press)).await;
    assert!(matches!(got, Got::Did(Ok(_))), "input under way is completed, also after a cancel: {got:?}");
    assert_eq!(said(&log), "asked act at-most-once, written, KeyboardPress begins, KeyboardPress ends, answered");
}

#[tokio::test]
async fn an_action_that_may_be_done_twice_does_not_wait_for_the_disk() {
    let (mut world, _, log) = world(None);
    let input = Action::Input { value: "x".to_owned(), mode: InputMode::Replace, locate: None };
    world.ask(Need::Act(input)).await;
    assert_eq!(said(&log), "asked act idempotent, Input begins, Input ends, answered");
}

#[tokio::test]
async fn a_cancel_drops_a_model_call_and_a_look_and_starts_no_action() {
    for need in [Need::Chat(Slot::Planning, Box::default()), Need::Observe(Want::frame())] {
        let (mut world, cx, _) = world(None);
        let cancel = cx.cancel.clone();
        let (got, ()) = tokio::join!(world.ask(need), async {
            tokio::task::yield_now().await;
            cancel.cancel();
        });
        assert_eq!(got, Got::Cancelled);
        let press = Action::KeyboardPress { key_name: "Enter".to_owned(), locate: None };
        assert_eq!(world.ask(Need::Act(press)).await, Got::Cancelled);
    }
}

#[tokio::test]
async fn the_deadline_ends_whatever_waits() {
    let (mut world, _, _) = world(Some(Duration::from_millis(50)));
    assert_eq!(world.ask(Need::Chat(Slot::Planning, Box::default())).await, Got::TimeOver);
    assert_eq!(world.ask(Need::Pause(10)).await, Got::TimeOver);
}

#[tokio::test]
async fn a_wait_for_quiet_never_goes_beyond_the_deadline() {
    let (mut world, _, _) = world(Some(Duration::from_secs(2)));
    let got = world.ask(Need::Settle(60_000)).await;
    assert!(matches!(&got, Got::Quiet(Ok(settled)) if settled.took <= 2_000), "{got:?}");
}
