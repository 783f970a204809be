//! Rounds, tokens, time, and going in circles.

use crate::bench::{Bench, DONE, no_op, tap};
use handeye_core::{Changes, Event, Need};

fn taps(n: u32) -> Vec<String> {
    (0..n).map(|i| tap(100 + 50 * (i % 15), 100 + 50 * (i / 15))).collect()
}

fn with(replies: &[String]) -> Bench {
    Bench::new(&replies.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn n_rounds_may_act_and_one_more_call_may_only_complete() {
    let mut bench = with(&taps(5));
    bench.settings.max_rounds = 2;
    let ran = bench.run();
    assert_eq!(ran.requests().len(), 3);
    assert_eq!(ran.outcome.actions, 2);
    assert_eq!(
        ran.end(),
        "stopped: the goal was not met within 2 rounds; raise the limit with --max-rounds or HANDEYE_REPLANNING_CYCLE_LIMIT"
    );
    assert_eq!(ran.outcome.end.exit_code(), 3);
    assert!(ran.told(3).contains("No further actions are possible"));
    assert!(!ran.told(2).contains("No further actions are possible"));
}

#[test]
fn the_call_after_the_last_round_may_complete() {
    let mut replies = taps(2);
    replies.push(DONE.to_owned());
    let mut bench = with(&replies);
    bench.settings.max_rounds = 2;
    assert_eq!(bench.run().end(), "completed: done");
}

#[test]
fn no_call_starts_that_could_break_the_token_budget() {
    // Each call takes 1,100 tokens. Before the seventh, 6,600 are used and up to 1,100 + 2,048 may come: 9,748 > 9,000.
    let mut bench = with(&taps(9));
    bench.settings.budget_tokens = Some(9_000);
    let ran = bench.run();
    assert_eq!(ran.requests().len(), 6);
    assert!(ran.end().starts_with("stopped: the token budget of 9000 would be broken: 6600 used"), "{}", ran.end());
    assert_eq!(ran.outcome.end.exit_code(), 3);
    assert!(ran.requests().iter().all(|r| r.max_tokens.is_some()), "with a budget the longest reply is always said");
}

#[test]
fn the_same_useless_action_is_named_at_the_third_time_and_ends_the_run_at_the_sixth() {
    let mut bench = with(&vec![tap(500, 500); 9]).acting(|_, _| Ok(no_op()));
    bench.frozen = true;
    let ran = bench.run();
    assert_eq!(ran.outcome.actions, 6);
    assert_eq!(ran.requests().len(), 6);
    assert!(!ran.told(3).contains("for the"), "{}", ran.told(3));
    assert!(
        ran.told(4).contains("the same action on the same screen for the 3rd time, without visible change"),
        "{}",
        ran.told(4)
    );
    assert!(ran.end().starts_with("stuck: the same action on the same screen for the 6th time"), "{}", ran.end());
    assert_eq!(ran.outcome.end.exit_code(), 3);
}

#[test]
fn the_same_action_on_a_screen_that_changes_is_no_circle() {
    let mut bench = with(&[vec![tap(500, 500); 15], vec![DONE.to_owned()]].concat());
    bench.settings.max_rounds = 20;
    let ran = bench.run();
    assert_eq!(ran.end(), "completed: done");
    assert_eq!(ran.outcome.actions, 15);
}

#[test]
fn a_clock_on_the_page_does_not_hide_that_nothing_changes() {
    // The pictures differ, the effect is confirmed (a field holds the text that it held), and nothing else changed.
    let mut bench = with(&vec![tap(500, 500); 9]);
    bench.changes = Some(Changes { requests: 1, ..Changes::default() });
    let ran = bench.run();
    assert!(ran.end().starts_with("stuck: the same action on the same screen for the 6th time"), "{}", ran.end());
    assert_eq!(ran.outcome.actions, 6);

    let mut bench = with(&[vec![tap(500, 500); 9], vec![DONE.to_owned()]].concat());
    bench.changes = Some(Changes { mutations: 1, ..Changes::default() });
    assert_eq!(bench.run().end(), "completed: done");
}

#[test]
fn two_states_in_turn_are_named_and_end_the_run() {
    let replies: Vec<String> = (0..20).map(|i| tap(100 + 300 * (i % 2), 500)).collect();
    let mut bench = with(&replies);
    bench.pictures = 2;
    let ran = bench.run();
    assert!(
        ran.end().starts_with("stuck: going back and forth between the same two screens for the 6th time"),
        "{}",
        ran.end()
    );
    let named = (1..=ran.requests().len()).find(|n| ran.told(*n).contains("going back and forth")).expect("a warning");
    assert!(ran.told(named).contains("for the 3rd time"), "{}", ran.told(named));
}

#[test]
fn the_settings_of_a_wait_reach_the_device() {
    let mut bench = with(&[tap(500, 500), DONE.to_owned()]);
    bench.settings.settle = std::time::Duration::from_millis(1234);
    let ran = bench.run();
    assert!(ran.transcript.needs.contains(&Need::Settle(1234)));
}

#[test]
fn deep_runs_as_balance_and_says_so() {
    let mut bench = with(&[DONE.to_owned()]);
    bench.settings.effort = handeye_agent::Effort::Deep;
    let ran = bench.run();
    assert_eq!(ran.outcome.warnings, ["effort deep runs as balance: the planner has no other"]);
    assert_eq!(ran.events(|e| if let Event::Notice { text } = e { Some(text.clone()) } else { None }).len(), 1);
}
