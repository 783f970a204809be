//! Feed back, don't die: what is counted, what is told, and what ends a run.

use crate::bench::{Bench, DONE, reply, tap};
use handeye_core::{ChatError, ChatErrorKind, DeviceCause, DeviceError, Effect, Verdict};

const PROSE: &str = "Sure! I will click on it for you now.";

#[test]
fn one_unreadable_reply_is_corrected_within_the_round() {
    let ran = Bench::new(&[PROSE, &tap(500, 500), DONE]).run();
    assert_eq!(ran.needs(), "look chat chat near tap settle look chat");
    assert_eq!(ran.outcome.rounds, 2);
    assert!(ran.told(2).contains("could not be used and nothing was done"), "{}", ran.told(2));
    let second = ran.requests()[1];
    assert_eq!(second.messages[second.messages.len() - 2].joined(), PROSE, "the model is shown what it wrote");
    assert!(!ran.told(3).contains("could not be used"), "a correction is told once");
}

#[test]
fn the_fourth_unreadable_reply_in_a_row_ends_the_run_and_shows_its_text() {
    let ran = Bench::new(&[PROSE; 9]).run();
    assert_eq!(ran.requests().len(), 4);
    assert_eq!(ran.outcome.actions, 0);
    assert!(ran.end().starts_with("error: 4 replies in a row could not be read"), "{}", ran.end());
    assert!(ran.end().contains("Sure! I will click"), "{}", ran.end());
    assert_eq!(ran.outcome.end.exit_code(), 5);
}

#[test]
fn a_readable_reply_starts_the_count_of_unreadable_ones_again() {
    let mut replies = Vec::new();
    let step = tap(500, 500);
    for _ in 0..3 {
        replies.extend([PROSE, PROSE, PROSE, step.as_str()]);
    }
    replies.push(DONE);
    assert_eq!(Bench::new(&replies).run().end(), "completed: done");
}

#[test]
fn the_sixth_failed_batch_in_a_row_ends_the_run() {
    let failing = |_, _: &_| Err(DeviceError::failed("tap", "the element is gone"));
    let replies: Vec<String> = (0..9).map(|i| tap(100 + i * 50, 100)).collect();
    let ran = Bench::new(&replies.iter().map(String::as_str).collect::<Vec<_>>()).acting(failing).run();
    assert_eq!(ran.requests().len(), 6);
    assert_eq!(ran.end(), "failed: 6 steps in a row failed; the last: Tap - thing: failed: tap: the element is gone");
    assert!(
        ran.told(2).contains("[2026-01-31 14:25:01] Tap - thing: failed: tap: the element is gone"),
        "{}",
        ran.told(2)
    );
}

#[test]
fn the_sixteenth_failure_in_all_ends_the_run() {
    // Five fail, one works, and so on: never six in a row.
    let some = |n: u32, _: &_| {
        if n.is_multiple_of(6) { Ok(Effect::confirmed("ok")) } else { Err(DeviceError::failed("tap", "no")) }
    };
    let replies: Vec<String> = (0..40).map(|i| tap(100 + (i % 15) * 50, 100 + (i / 15) * 50)).collect();
    let mut bench = Bench::new(&replies.iter().map(String::as_str).collect::<Vec<_>>()).acting(some);
    bench.settings.max_rounds = 60;
    let ran = bench.run();
    // 5 + 5 + 5 failures and 3 successes, then the 16th failure.
    assert_eq!(ran.requests().len(), 19);
    assert!(ran.end().starts_with("failed: 16 steps failed or could not be read"), "{}", ran.end());
}

#[test]
fn a_dead_device_ends_the_run_at_once() {
    let ran =
        Bench::new(&[&tap(500, 500), DONE]).acting(|_, _| Err(DeviceError::gone("tap", "the browser exited"))).run();
    assert_eq!(ran.end(), "error: tap: the browser exited");
    assert_eq!(ran.outcome.end.exit_code(), 4);
    assert_eq!(ran.requests().len(), 1);
}

#[test]
fn an_interrupted_action_counts_as_sent_and_is_told_as_unknown() {
    let interrupted = |_, _: &_| Err(DeviceError::new("tap", DeviceCause::Interrupted("the connection broke".into())));
    let ran = Bench::new(&[&tap(500, 500), DONE]).acting(interrupted).run();
    assert_eq!(ran.outcome.actions, 1);
    assert!(ran.told(2).contains("whether it took effect is unknown"), "{}", ran.told(2));
}

#[test]
fn an_error_stops_the_batch_and_cancels_the_rest() {
    let three = format!("{}{}{}", tap(100, 100), tap(300, 300), tap(500, 500));
    let second = |n: u32, _: &_| {
        if n == 2 { Ok(Effect::new(Verdict::Refused, "the button is disabled")) } else { Ok(Effect::confirmed("ok")) }
    };
    let ran = Bench::new(&[&three, DONE]).acting(second).run();
    assert_eq!(ran.needs(), "look chat near tap settle near tap look chat");
    let told = ran.told(2);
    assert!(told.contains("not done, refused: the button is disabled"), "{told}");
    assert!(told.contains("not tried, because a step before it failed"), "{told}");
}

#[test]
fn each_piece_of_feedback_is_cut_at_500_characters() {
    let long = |_, _: &_| Ok(Effect::confirmed("x".repeat(3000)));
    let ran = Bench::new(&[&tap(500, 500), DONE]).acting(long).run();
    let told = ran.told(2);
    let piece = told.lines().find(|l| l.ends_with("… [cut]")).expect("a piece that was cut");
    let time = "[2026-01-31 14:25:01] ".chars().count();
    assert_eq!(piece.chars().count(), time + 500, "{told}");
}

#[test]
fn errors_of_the_provider_end_the_run_with_its_message() {
    for (kind, code) in [
        (ChatErrorKind::Auth, 5),
        (ChatErrorKind::Transport, 5),
        (ChatErrorKind::Timeout, 5),
        (ChatErrorKind::Quota, 5),
        (ChatErrorKind::OverBudget, 3),
        (ChatErrorKind::OverTokens, 3),
        (ChatErrorKind::Empty, 5),
        (ChatErrorKind::NoSuchModel, 5),
        (ChatErrorKind::BadRequest, 5),
        (ChatErrorKind::ContextLength, 5),
        (ChatErrorKind::Refused, 1),
        (ChatErrorKind::Config, 2),
        (ChatErrorKind::Cancelled, 130),
    ] {
        let mut bench = Bench::new(&[]);
        bench.replies = vec![Err(ChatError::new(kind, "HTTP 401: wrong key")), Ok(reply(DONE))];
        let ran = bench.run();
        assert_eq!(ran.requests().len(), 1, "{kind:?}");
        assert_eq!(ran.outcome.end.exit_code(), code, "{kind:?}: {}", ran.end());
    }
}
