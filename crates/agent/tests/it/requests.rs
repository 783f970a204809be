//! What the model is sent.

use crate::bench::{Bench, DONE, tap};
use handeye_agent::Effort;
use handeye_core::{ChatRequest, Effect, NodeRef, Part, Point, Rect, UiNode, UiTree, Verdict};

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
    for effort in [Effort::Fast, Effort::Balance, Effort::Deep] {
        let mut bench = Bench::new(&[&format!("<memory>price: 12</memory>{}", tap(100, 100)), DONE]);
        bench.settings.effort = effort;
        bench.tree = Some(buttons(&["thing"]));
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

/// A tap on what is called so, with or without its place.
fn tap_on(name: &str, at: u32, inline: bool) -> String {
    let place =
        if inline { format!(",\"bbox\":[{},{},{},{}]", at - 10, at - 10, at + 10, at + 10) } else { String::new() };
    format!(
        "<thought>t</thought>\n<log>Tap {name}</log>\n<action-type>Tap</action-type>\n<action-param-json>{{\"locate\":{{\"prompt\":\
         \"the {name} button\"{place}}}}}</action-param-json>"
    )
}

/// All requests of a run of four rounds: two that go well, one that fails, a reply that cannot be read, and the call that may
/// only complete. The beginning, which all have in common, stands in the first one.
fn whole_run(settings: impl FnOnce(&mut handeye_agent::Settings)) -> String {
    let mut settings_of_run = handeye_agent::Settings { max_rounds: 4, ..handeye_agent::Settings::default() };
    settings(&mut settings_of_run);
    let (inline, deep) = (settings_of_run.inline(), settings_of_run.effort == Effort::Deep);
    let with = |said: &str, reply: String| if deep { reply.replace("<log>", &format!("{said}<log>")) } else { reply };
    let plan = "<update-plan-content><sub-goal index=\"1\" status=\"pending\">A is reached</sub-goal><sub-goal index=\"2\" \
                status=\"pending\">B is reached</sub-goal></update-plan-content>\n";
    let done = "<mark-sub-goal-done><sub-goal index=\"1\" status=\"finished\" /></mark-sub-goal-done>\n";
    let replies = [
        format!("<memory>price: 12</memory>{}", with(plan, tap_on("Add", 100, inline))),
        tap_on("Copy", 200, inline),
        with(done, tap_on("Draw", 300, inline)),
        "<memory>not kept</memory>Sure, I will do that.".to_owned(),
        tap_on("Edit", 400, inline),
        DONE.to_owned(),
    ];
    let mut bench = Bench::new(&replies.iter().map(String::as_str).collect::<Vec<_>>()).acting(|n, _| match n {
        3 => {
            Ok(Effect::new(Verdict::Covered { by: "dialog \"Cookies\"".to_owned() }, "dialog \"Cookies\" lies over it"))
        }
        _ => Ok(Effect::confirmed("the page changed")),
    });
    bench.tree = Some(buttons(&["Add", "Copy", "Draw", "Edit"]));
    bench.settings = settings_of_run;
    let ran = bench.run();
    let requests = ran.requests();
    assert_eq!((requests.len(), ran.end().as_str()), (6, "completed: done"));
    let opening = 2;
    let mut text = String::new();
    for (n, request) in requests.iter().enumerate() {
        let stable = request.stable.expect("a stable beginning");
        text.push_str(&format!("════ request {}, of which the first {stable} messages are stable\n", n + 1));
        let mut said = (*request).clone();
        if n > 0 {
            assert_eq!(said.messages[..opening], requests[0].messages[..opening]);
            let before = requests[n - 1].stable.expect("a stable beginning");
            assert_eq!(
                said.messages[..before],
                requests[n - 1].messages[..before],
                "what was said to stay is the same"
            );
            said.messages.drain(..opening);
        }
        text.push_str(&shown(&said));
        text.push('\n');
    }
    text
}

/// Buttons one below the other, a hundredth of a screen in from the diagonal.
fn buttons(names: &[&str]) -> UiTree {
    let button = |(n, name): (u32, &&str)| {
        let at = f64::from(n) * 100.0;
        UiNode {
            node: NodeRef { document: "d".to_owned(), id: u64::from(n) },
            role: "button".to_owned(),
            name: (*name).to_owned(),
            rect: Rect::new(at - 10.0, at - 10.0, 20.0, 20.0),
            point: Some(Point::new(at, at)),
            interactive: true,
            ..UiNode::default()
        }
    };
    UiTree { nodes: (1..).zip(names).map(button).collect(), ..UiTree::default() }
}

/// Whole requests, all rounds of a run. What a variant has in common with the others is not written down again: points change
/// what is said of places, and in deep nothing is said of them at all.
#[test]
fn whole_requests() {
    let family = |name: &str| handeye_core::Family::named(name).expect("a family");
    insta::assert_snapshot!("balance", whole_run(|_| {}));
    insta::assert_snapshot!("fast", whole_run(|s| s.effort = Effort::Fast));
    let deep = whole_run(|s| s.effort = Effort::Deep);
    insta::assert_snapshot!("deep", deep);
    assert_eq!(whole_run(|s| (s.effort, s.family) = (Effort::Deep, family("kimi"))), deep, "no family in deep");

    let first = |text: String| text.split("════ request 2").next().unwrap_or_default().to_owned();
    insta::assert_snapshot!("balance_first_point", first(whole_run(|s| s.family = family("kimi"))));
    let words = whole_run(|s| s.one_model = false);
    insta::assert_snapshot!("balance_first_words", first(words.clone()));
    assert_eq!(
        whole_run(|s| (s.one_model, s.family) = (false, family("kimi"))),
        words,
        "no family where another model points"
    );
    insta::assert_snapshot!("fast_first_words", first(whole_run(|s| (s.effort, s.one_model) = (Effort::Fast, false))));
    insta::assert_snapshot!(
        "fast_first_point",
        first(whole_run(|s| (s.effort, s.family) = (Effort::Fast, family("kimi"))))
    );
}

#[test]
fn a_family_that_writes_y_first_is_told_so() {
    let mut bench = Bench::new(&[DONE]);
    bench.settings.family = handeye_core::Family::named("gemini").expect("a family");
    let ran = bench.run();
    let prompt = ran.requests()[0].messages[0].joined();
    assert!(prompt.contains("[top, left, bottom, right]") && prompt.contains("[310, 360, 350, 440]"), "{prompt}");
}
