//! What a run leaves behind when it ends in the middle of a batch.

use crate::bench::{Bench, DONE, Ran, tap};
use handeye_agent::{Settings, single};
use handeye_core::{Action, DeviceError, Event, Got, Need, Target, TaskState};
use handeye_testkit::scripted::ScriptedWorld;

/// Three taps; the need of that number, counted over those of the kind from 1, gets another answer.
fn interrupted(kind: &'static str, number: u32, got: fn() -> Got) -> Ran {
    let three = format!("{}{}{}", tap(100, 100), tap(300, 300), tap(500, 500));
    let mut bench = Bench::new(&[&three, DONE]);
    let mut count = 0;
    bench.instead = Box::new(move |need| {
        let same = match need {
            Need::Act(_) => kind == "act",
            Need::Settle(_) => kind == "settle",
            Need::Observe(want) => kind == if want.frame { "look" } else { "near" },
            _ => false,
        };
        count += u32::from(same);
        (same && count == number).then(got)
    });
    bench.run()
}

/// The states in which the tasks of the batch ended, in order of their start: `L` locating, `A` acting.
fn tasks(ran: &Ran) -> String {
    let mut last = std::collections::BTreeMap::new();
    ran.events(|event| {
        if let Event::Task { id, kind, state, .. } = event {
            last.insert(*id, (format!("{kind:?}"), *state));
        }
        None
    });
    assert!(last.values().all(|(_, state)| *state != TaskState::Running), "{last:?}");
    let word = |(kind, state): &(String, TaskState)| format!("{} {state:?}", &kind[..1]).to_lowercase();
    last.values().skip(1).map(word).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_cancelled_batch_counts_what_was_sent_and_leaves_no_task_running() {
    // Cancelled before the second tap leaves, while the first one settles, while the second target is looked for.
    let ran = interrupted("act", 2, || Got::Cancelled);
    assert_eq!((ran.end().as_str(), ran.outcome.actions), ("cancelled", 1));
    assert_eq!(tasks(&ran), "l finished, a finished, l finished, a cancelled, a cancelled");
    let ran = interrupted("settle", 1, || Got::Cancelled);
    assert_eq!((ran.end().as_str(), ran.outcome.actions), ("cancelled", 1));
    assert_eq!(tasks(&ran), "l finished, a finished, a cancelled, a cancelled");
    let ran = interrupted("near", 2, || Got::Cancelled);
    assert_eq!((ran.end().as_str(), ran.outcome.actions), ("cancelled", 1));
    assert_eq!(tasks(&ran), "l finished, a finished, l cancelled, a cancelled, a cancelled");
    assert_eq!(ran.outcome.end.exit_code(), 130);
    assert_eq!(ran.requests().len(), 1);
}

#[test]
fn time_that_is_over_ends_the_run_as_a_budget() {
    let ran = interrupted("act", 3, || Got::TimeOver);
    assert!(ran.end().starts_with("stopped: the time limit is over"), "{}", ran.end());
    assert_eq!((ran.outcome.actions, ran.outcome.end.exit_code()), (2, 3));
}

#[test]
fn a_device_that_is_gone_ends_the_run_wherever_it_is_noticed() {
    let gone = || Got::Seen(Err(DeviceError::gone("look", "the browser exited")));
    for (kind, number, actions) in [("look", 1, 0), ("near", 2, 1), ("look", 2, 3)] {
        let ran = interrupted(kind, number, gone);
        assert_eq!((ran.end().as_str(), ran.outcome.actions), ("error: look: the browser exited", actions), "{kind}");
        assert_eq!(ran.outcome.end.exit_code(), 4);
    }
    let ran = interrupted("settle", 2, || Got::Quiet(Err(DeviceError::gone("settle", "the browser exited"))));
    assert_eq!((ran.end().as_str(), ran.outcome.actions), ("error: settle: the browser exited", 2));
}

#[test]
fn a_look_that_fails_is_tried_again_and_only_a_gone_device_ends_it() {
    // Looking fails twice, and so does the wait between.
    let mut bench = Bench::new(&[DONE]);
    let mut looks = 0;
    bench.instead = Box::new(move |need| match need {
        Need::Observe(_) => {
            looks += 1;
            (looks < 3).then(|| Got::Seen(Err(DeviceError::failed("look", "no picture"))))
        }
        Need::Settle(_) => Some(Got::Quiet(Err(DeviceError::failed("settle", "no answer")))),
        _ => None,
    });
    let ran = bench.run();
    assert_eq!((ran.end().as_str(), ran.needs().as_str()), ("completed: done", "look settle look settle look chat"));
}

#[test]
fn a_planner_that_waits_and_a_single_action_notice_a_device_that_is_gone() {
    let gone = |need: &Need| match need {
        Need::Observe(want) if want.tree => Some(Got::Seen(Err(DeviceError::gone("look", "the browser exited")))),
        _ => None,
    };
    let mut bench = Bench::new(&[]);
    bench.planners = vec!["reflex"];
    bench.goal = "wait for 'Ready'".to_owned();
    bench.instead = Box::new(gone);
    let ran = bench.run();
    assert_eq!((ran.end().as_str(), ran.outcome.end.exit_code()), ("error: look: the browser exited", 4));

    let mut world = ScriptedWorld::new();
    world.always(gone);
    world.always(|_| Some(Got::Seen(Ok(handeye_core::Observation::default()))));
    let tap = Action::Tap { locate: Target { description: "Save".to_owned(), ..Target::default() } };
    let (outcome, _) = world.play(async |world| single(world, tap, &Settings::default()).await);
    assert_eq!((outcome.end.to_string().as_str(), outcome.end.exit_code()), ("error: look: the browser exited", 4));
}
