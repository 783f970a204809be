//! Deadline, cancel, and the order of the record.

use async_trait::async_trait;
use handeye::{LiveWorld, Patience};
use handeye_core::{
    Action, ActionSpace, Chat, ChatError, ChatRequest, Ctx, Device, DeviceCause, DeviceError, Effect, Element, Event,
    Got, Hash, InputMode, Journal, Need, Observation, Quiet, Reply, Seq, Settled, Slot, Verb, Want, World,
};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
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
        if at_most.is_zero() {
            std::future::pending::<()>().await;
        }
        Ok(Settled {
            by: Quiet::Idle,
            took: u64::try_from(at_most.as_millis()).unwrap_or(u64::MAX),
            busy: String::new(),
            changes: None,
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

struct Keeper {
    log: Log,
    /// Each wait for the disk takes one of these away; with none left the disk stands still.
    turns: AtomicU32,
}

#[async_trait]
impl Journal for Keeper {
    fn blob(&self, bytes: &[u8], _ext: &'static str) -> Hash {
        Hash::of(bytes)
    }
    fn record(&self, event: Event) -> Seq {
        let line = match event {
            Event::Asked { need, class, .. } => format!("asked {} {}", name(&need), class.unwrap_or_default()),
            Event::Answered { got, .. } => format!("answered {}", if got == Got::Cancelled { "cancelled" } else { "" }),
            Event::Notice { text } => text.split(':').next().unwrap_or_default().to_owned(),
            _ => return Seq(0),
        };
        self.log.lock().expect("a log").push(line.trim().to_owned());
        Seq(1)
    }
    async fn written(&self, _seq: Seq) {
        let one_less = |turns: u32| turns.checked_sub(1);
        if self.turns.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less).is_err() {
            std::future::pending::<()>().await;
        }
        self.log.lock().expect("a log").push("written".to_owned());
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
    world_on_a_disk(timeout, u32::MAX)
}

fn world_on_a_disk(timeout: Option<Duration>, turns: u32) -> (LiveWorld, Ctx, Log) {
    let log = Log::default();
    let keeper = Keeper { log: log.clone(), turns: AtomicU32::new(turns) };
    let cx = Ctx::new(Arc::new(keeper)).with_timeout(timeout);
    let device = Fake { log: log.clone(), space: ActionSpace::of(&[Verb::Tap]) };
    let chats: HashMap<Slot, Arc<dyn Chat>> = HashMap::from([(Slot::Planning, Arc::new(Silent) as Arc<dyn Chat>)]);
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

fn press() -> Need {
    Need::Act(Action::KeyboardPress { key_name: "Enter".to_owned(), locate: None })
}

#[tokio::test]
async fn a_disk_that_stands_still_costs_a_part_of_the_record_and_not_the_run() {
    let (world, cx, log) = world_on_a_disk(None, 0);
    let mut world = world.with_patience(Patience { intent: Duration::from_millis(20), ..Patience::default() });
    let began = cx.now();
    assert!(matches!(world.ask(press()).await, Got::Did(Ok(_))));
    assert!(cx.now().since(began) >= Duration::from_millis(20), "it is waited for, once");
    let notice = "the disk took nothing of the record for 0 s";
    assert_eq!(
        said(&log),
        format!("asked act at-most-once, {notice}, KeyboardPress begins, KeyboardPress ends, answered")
    );
}

#[tokio::test]
async fn a_cancel_and_the_deadline_end_the_wait_for_the_disk_and_nothing_is_done() {
    let (mut stopped, cx, log) = world_on_a_disk(None, 0);
    let (got, ()) = tokio::join!(stopped.ask(press()), async {
        tokio::task::yield_now().await;
        cx.cancel.cancel();
    });
    assert_eq!(got, Got::Cancelled);
    assert_eq!(said(&log), "asked act at-most-once, answered cancelled");
    let (mut late, _, log) = world_on_a_disk(Some(Duration::from_millis(20)), 0);
    assert_eq!(late.ask(press()).await, Got::TimeOver);
    assert_eq!(said(&log), "asked act at-most-once, answered");
}

#[tokio::test]
async fn a_device_that_hangs_is_told_without_a_time_limit_too() {
    let (world, _, _) = world(None);
    let soon = Duration::from_millis(20);
    let mut world = world.with_patience(Patience { look: soon, margin: soon, ..Patience::default() });
    for (need, what) in [(Need::Observe(Want::frame()), "look at"), (Need::Settle(0), "wait until")] {
        let error = match world.ask(need).await {
            Got::Seen(Err(error)) | Got::Quiet(Err(error)) => error,
            other => panic!("{other:?}"),
        };
        assert!(error.what.starts_with(what) && error.cause == DeviceCause::Timeout(20), "{error}");
    }
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
