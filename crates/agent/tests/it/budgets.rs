//! Rounds, tokens, time, and going in circles.

use crate::bench::{Bench, DONE, no_op, tap};
use handeye_agent::Effort;
use handeye_core::{Changes, ChatError, ChatErrorKind, Need, Usage};

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

/// Attempts that failed within a call are paid for too, and are no guess for the next call.
#[test]
fn attempts_that_failed_count_and_do_not_raise_the_guess() {
    let mut bench = with(&taps(3));
    let wasted = Usage { input: 3_000, output: 300, ..Usage::default() };
    for reply in &mut bench.replies {
        let reply = reply.as_mut().expect("a reply");
        reply.usage.add(&wasted);
        reply.wasted = wasted;
    }
    // 4,400 are used by the first call; the second may take 1,100 + 2,048 and leaves too little for a third.
    bench.settings.budget_tokens = Some(9_000);
    let ran = bench.run();
    assert_eq!(ran.requests().len(), 2);
    assert_eq!(ran.requests().iter().map(|r| r.tokens_left).collect::<Vec<_>>(), [Some(9_000), Some(4_600)]);
    assert!(ran.end().starts_with("stopped: the token budget of 9000 would be broken: 8800 used"), "{}", ran.end());
    assert_eq!(ran.outcome.usage.total(), 8_800);
}

#[test]
fn a_reply_longer_than_its_limit_is_reckoned_with_from_then_on() {
    let mut bench = with(&taps(3));
    bench.replies[0].as_mut().expect("a reply").usage.output = 20_000;
    bench.settings.budget_tokens = Some(40_000);
    let ran = bench.run();
    assert_eq!(ran.requests().len(), 1, "{}", ran.end());
    assert!(ran.end().contains("21000 used, and the next call may take 21100"), "{}", ran.end());
}

/// What a call took is known although no reply came of it.
#[test]
fn calls_without_a_reply_are_counted_and_what_they_cost_is_told() {
    let usage = Usage { input: 50, output: 7, ..Usage::default() };
    let failed = |microdollars| {
        let error =
            ChatError { usage: Box::new(usage), microdollars, ..ChatError::new(ChatErrorKind::Empty, "nothing came") };
        let mut bench = with(&[tap(500, 500)]);
        bench.replies[0].as_mut().expect("a reply").microdollars = Some(30);
        bench.replies.push(Err(error));
        bench.run().outcome
    };
    let outcome = failed(Some(12));
    assert_eq!((outcome.usage.total(), outcome.model_calls, outcome.microdollars), (1_157, 2, Some(42)));
    assert_eq!(failed(None).microdollars, None, "a sum that lacks a part is none");
    // A call that took nothing has no part in it.
    let mut bench = with(&[tap(500, 500)]);
    bench.replies[0].as_mut().expect("a reply").microdollars = Some(30);
    bench.replies.push(Err(ChatError::new(ChatErrorKind::Transport, "HTTP 503")));
    assert_eq!(bench.run().outcome.microdollars, Some(30));
    let mut bench = with(&[]);
    bench.planners = vec!["reflex"];
    bench.goal = "wait 10 ms".to_owned();
    assert_eq!(bench.run().outcome.microdollars, None, "no model was asked");
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
fn the_standard_planner_has_sub_goals() {
    let mut bench = with(&[DONE.to_owned()]);
    bench.settings.effort = Effort::Deep;
    assert!(bench.run().outcome.warnings.is_empty(), "standard has sub-goals");
}
