//! How events of all kinds become steps, as the summary tells them.

use crate::sample::{element, picture, seen};
use handeye_core::event::{PlanRecord, Receipt, RungTried};
use handeye_core::*;
use handeye_journal::{Envelope, Run, summary};

/// The part of the summary below its head.
#[track_caller]
fn check(events: Vec<Event>, want: &str) {
    let mut run = Run { dir: "run".into(), ..Run::default() };
    for (event, seq) in events.into_iter().zip(1..) {
        run.events.push(Envelope { v: 1, seq, t: (seq * 100).into(), prev: String::new(), event });
    }
    let text = summary(&run);
    let (_, steps) = text.split_once("\n\n").unwrap_or_default();
    assert_eq!(steps.trim_end(), want.trim());
}

fn task(id: u32, kind: TaskKind, title: &str, state: TaskState, detail: &str) -> Event {
    Event::Task { id, kind, title: title.into(), state, detail: detail.into() }
}

fn asked(id: u64, need: Need) -> Event {
    Event::Asked { id, need, class: None, body: None }
}

fn tap() -> Action<Element> {
    Action::Tap { locate: element("Save", [1.0, 2.0, 3.0, 4.0], "button \"Save\"") }
}

use TaskKind::{Action as Act, Locate};
use TaskState::{Cancelled, Failed, Finished, Running};

#[test]
fn a_target_that_is_not_found_is_a_failed_step() {
    let rung = RungTried { rung: Rung::Tree, candidates: Vec::new(), why: "no element is called Save".into() };
    check(
        vec![
            Event::Round { number: 1 },
            task(1, Locate, "Save", Running, ""),
            Event::Located { task: 1, receipt: Receipt { target: "Save".into(), rungs: vec![rung], element: None } },
            task(1, Locate, "Save", Failed, "no element is called Save"),
            task(2, Act, "Tap - Save", Cancelled, ""),
            task(3, Act, "Input \"x\" - Name", Cancelled, ""),
        ],
        "
Round 1
  1. Tap - Save → failed: target not found: no element is called Save [0.2 s]
  2. Input \"x\" - Name → cancelled [0.0 s]",
    );
}

#[test]
fn an_action_that_the_device_cannot_do_is_told_with_its_error() {
    let error = DeviceError::failed("tap on button \"Save\"", "the page answered with nothing");
    check(
        vec![
            Event::Round { number: 1 },
            task(1, Act, "Tap - Save", Running, ""),
            asked(1, Need::Act(tap())),
            Event::Answered { id: 1, got: Got::Did(Err(error)) },
            task(1, Act, "Tap - Save", Failed, "failed"),
        ],
        "
Round 1
  1. Tap - Save → failed: tap on button \"Save\": the page answered with nothing [0.1 s]",
    );
}

#[test]
fn the_last_word_on_an_effect_counts() {
    let settled = Settled { by: Quiet::Idle, took: 10, busy: String::new(), changes: None, effect: None };
    check(
        vec![
            Event::Round { number: 1 },
            task(1, Act, "Tap - Save", Running, ""),
            asked(1, Need::Act(tap())),
            Event::Answered { id: 1, got: Got::Did(Ok(Effect::unverified("clicked"))) },
            asked(2, Need::Settle(3000)),
            Event::Answered { id: 2, got: Got::Quiet(Ok(settled)) },
            Event::Effect { task: 1, effect: Effect::new(Verdict::Reverted, "the page put Small back") },
            task(1, Act, "Tap - Save", Failed, ""),
        ],
        "
Round 1
  1. Tap - Save → reverted: the page put Small back [0.2 s]",
    );
}

#[test]
fn input_without_any_task_is_a_step_too() {
    check(
        vec![
            asked(1, Need::Observe(Want::frame())),
            Event::Answered { id: 1, got: seen(&picture(false, false), 0) },
            asked(2, Need::Act(tap())),
            Event::Answered { id: 2, got: Got::Cancelled },
        ],
        "
Start  http://127.0.0.1/shop.html
  1. Tap - Save → running [0.1 s]
  notice: the user cancelled the run",
    );
}

#[test]
fn planners_that_abstain_or_get_no_answer_are_told() {
    let request = ChatRequest::default();
    let error = ChatError::new(ChatErrorKind::Auth, "HTTP 401 from http://127.0.0.1/v1: no such key");
    let abstained =
        PlanRecord { planner: "reflex".into(), abstained: Some("two buttons fit".into()), ..PlanRecord::default() };
    check(
        vec![
            Event::Round { number: 1 },
            Event::Planned { plan: abstained },
            asked(1, Need::Chat(Slot::Planning, Box::new(request))),
            Event::Answered { id: 1, got: Got::Heard(Err(error)) },
        ],
        "
Round 1
  abstained: two buttons fit
  model error: HTTP 401 from http://127.0.0.1/v1: no such key",
    );
}

#[test]
fn events_in_any_order_make_a_summary() {
    // Not how a run looks, but a reader of broken records meets all of it.
    let effect = Effect::confirmed("x");
    check(
        vec![
            Event::Effect { task: 9, effect: effect.clone() },
            Event::Located { task: 8, receipt: Receipt::default() },
            Event::Answered { id: 7, got: Got::Did(Ok(effect)) },
            Event::Answered { id: 7, got: Got::Woke },
            Event::Round { number: 2 },
            Event::Unknown,
            task(8, Act, "late", Finished, "done"),
            Event::Round { number: 1 },
        ],
        "
Start
  1.  → failed [0.0 s]

Round 2
  2. late → finished: done [0.0 s]

Round 1",
    );
}
