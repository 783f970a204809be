//! Rounds, completions, and what a run asks for in which order.

use crate::bench::{Bench, DONE, no_op, tap};
use handeye_core::Verdict;

#[test]
fn a_tap_and_a_completion_ask_in_this_order() {
    let ran = Bench::new(&[&tap(500, 500), DONE]).run();
    assert_eq!(ran.needs(), "look chat near tap settle look chat");
    assert_eq!(ran.end(), "completed: done");
    let outcome = &ran.outcome;
    assert_eq!((outcome.rounds, outcome.actions, outcome.model_calls, outcome.usage.total()), (2, 1, 2, 2200));
}

#[test]
fn the_frame_after_a_batch_is_the_next_observation_only_while_it_is_fresh() {
    // The frame after the batch is as old as the call before it took.
    for (call_takes, needs) in
        [(300, "look chat near tap settle look chat"), (301, "look chat near tap settle look look chat")]
    {
        let mut bench = Bench::new(&[&tap(500, 500), DONE]);
        bench.call_takes = call_takes;
        assert_eq!(bench.run().needs(), needs);
    }
}

#[test]
fn an_action_with_a_completion_completes_only_when_its_effect_was_confirmed() {
    let both = format!("{}<complete success=\"true\">saved</complete>", tap(500, 500));
    let ran = Bench::new(&[&both]).run();
    assert_eq!(ran.end(), "completed: saved");
    assert_eq!(ran.needs(), "look chat near tap settle look");

    let ran = Bench::new(&[&both, DONE]).acting(|_, _| Ok(no_op())).run();
    assert_eq!(ran.end(), "completed: done");
    assert!(ran.told(2).contains("Your completion was not counted"), "{}", ran.told(2));

    let covered = |_, _: &_| {
        Ok(handeye_core::Effect::new(Verdict::Covered { by: "dialog \"Cookies\"".into() }, "a click would go there"))
    };
    let ran = Bench::new(&[&both, DONE]).acting(covered).run();
    assert!(ran.told(2).contains("not done, covered by dialog \"Cookies\""), "{}", ran.told(2));
}

#[test]
fn a_completion_without_success_fails_with_its_message() {
    let ran = Bench::new(&["<complete success=\"false\">the button is missing</complete>"]).run();
    assert_eq!(ran.end(), "failed: the button is missing");
    assert_eq!(ran.outcome.end.exit_code(), 1);
}

#[test]
fn a_model_that_gives_up_fails_with_its_reason() {
    let ran = Bench::new(&["<thought>t</thought><error>the page is empty</error>"]).run();
    assert_eq!(ran.end(), "failed: the page is empty");
}

#[test]
fn an_empty_goal_is_wrong_use_and_asks_for_nothing() {
    let mut bench = Bench::new(&[]);
    bench.goal = "  ".to_owned();
    let ran = bench.run();
    assert_eq!((ran.end().as_str(), ran.needs().as_str()), ("error: the goal is empty", ""));
    assert_eq!(ran.outcome.end.exit_code(), 2);
}
