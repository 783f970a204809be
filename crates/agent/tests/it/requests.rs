//! What the model is sent.

use crate::bench::{Bench, DONE, tap};
use handeye_agent::Effort;
use handeye_core::{ChatRequest, Part};

pub(crate) fn pictures(request: &ChatRequest) -> usize {
    request.messages.iter().flat_map(|m| &m.parts).filter(|p| matches!(p, Part::Image { .. })).count()
}

#[test]
fn one_picture_is_sent_however_long_the_run() {
    let replies: Vec<String> = (0..40).map(|i| tap(100 + i * 20, 100)).collect();
    let mut bench = Bench::new(&replies.iter().map(String::as_str).collect::<Vec<_>>());
    bench.settings.max_rounds = 45;
    let ran = bench.run();
    let requests = ran.requests();
    assert_eq!(requests.len(), 41);
    assert!(requests.iter().all(|r| pictures(r) == 1));
    let size = |r: &ChatRequest| r.messages.iter().map(|m| m.joined().len()).sum::<usize>();
    assert!(size(requests[40]) < 3 * size(requests[4]), "{} and {}", size(requests[40]), size(requests[4]));
}

#[test]
fn the_beginning_of_a_request_stays_the_same() {
    let ran = Bench::new(&[&tap(100, 100), &tap(200, 200), DONE]).run();
    let requests = ran.requests();
    assert_eq!(requests[0].messages[..2], requests[2].messages[..2]);
    assert!(requests[0].temperature.is_none() && requests[0].max_tokens.is_none(), "unset options are left out");
}

#[test]
fn steps_are_told_with_their_outcome() {
    let ran = Bench::new(&[&tap(100, 100), &tap(200, 200), DONE]).run();
    let told = ran.told(2);
    assert!(
        told.contains("Tap - thing: done, confirmed: the page changed") && !told.contains("Steps so far"),
        "{told}"
    );
    let told = ran.told(3);
    assert!(told.contains("1. Tap it (Tap - thing) — done, confirmed: the page changed"), "{told}");
    assert!(!told.contains("2. Tap it"), "the last step is told once: {told}");
    assert!(!ran.told(1).contains("Steps so far"), "nothing ran before the first call");
}

#[test]
fn notes_are_kept_in_every_effort() {
    for effort in [Effort::Fast, Effort::Balance] {
        let mut bench = Bench::new(&[&format!("<memory>price: 12</memory>{}", tap(100, 100)), DONE]);
        bench.settings.effort = effort;
        assert!(bench.run().told(2).contains("Your notes so far:\n- price: 12"), "{effort:?}");
    }
}

#[test]
fn the_picture_is_shown_at_the_limit() {
    let mut bench = Bench::new(&[DONE]);
    bench.settings.image_limit = Some(500);
    let ran = bench.run();
    let sent = ran.requests()[0].messages.iter().flat_map(|m| &m.parts).find_map(|p| match p {
        Part::Image { shown, .. } => Some((shown.canvas().width, shown.canvas().height)),
        _ => None,
    });
    assert_eq!(sent, Some((500.0, 500.0)));
}

/// A request as text, pictures by size.
pub(crate) fn shown(request: &ChatRequest) -> String {
    let part = |p: &Part| match p {
        Part::Text(text) => text.clone(),
        Part::Image { shown, .. } => format!("(a picture of {})", shown.canvas()),
        Part::Call(call) => call.to_string(),
        Part::Result(result) => result.to_string(),
    };
    let message = |m: &handeye_core::Message| {
        format!("── {:?}\n{}", m.role, m.parts.iter().map(part).collect::<Vec<_>>().join("\n"))
    };
    request.messages.iter().map(message).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_first_request_of_each_effort() {
    for (effort, name) in [(Effort::Balance, "balance"), (Effort::Fast, "fast")] {
        let mut bench = Bench::new(&[DONE]);
        bench.settings.effort = effort;
        insta::assert_snapshot!(format!("first_request_{name}"), shown(bench.run().requests()[0]));
    }
}

#[test]
fn a_later_request_with_a_note_and_a_correction() {
    let noted = format!("<memory>price: 12</memory>{}", tap(100, 100));
    let ran = Bench::new(&[&noted, &tap(200, 200), "Sure, I will do that.", DONE]).run();
    let request = ran.requests()[3];
    // The system prompt and the goal stand in the snapshots of the first request.
    let rest = ChatRequest { messages: request.messages[2..].to_vec(), ..ChatRequest::default() };
    insta::assert_snapshot!("later_request", shown(&rest));
}

#[test]
fn a_family_that_writes_y_first_is_told_so() {
    let mut bench = Bench::new(&[DONE]);
    bench.settings.family = handeye_core::Family::named("gemini").expect("a family");
    let ran = bench.run();
    let prompt = ran.requests()[0].messages[0].joined();
    assert!(prompt.contains("[top, left, bottom, right]") && prompt.contains("[310, 360, 350, 440]"), "{prompt}");
}
