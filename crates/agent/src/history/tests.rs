use super::*;
use handeye_core::{Image, ImageFormat, Shown, Size};

fn picture(n: u8) -> Part {
    let image = Image::new(vec![n], ImageFormat::Png, Size::new(1.0, 1.0));
    Part::Image { image, shown: Shown::at(Size::new(1.0, 1.0)) }
}

fn seen(text: &str, pictures: &[u8]) -> Message {
    let mut parts = vec![Part::Text(text.to_owned())];
    parts.extend(pictures.iter().map(|n| picture(*n)));
    Message::new(Role::User, parts)
}

/// `u:text,[img1]` for each message.
fn shape(messages: &[Message]) -> String {
    let part = |p: &Part| match p {
        Part::Text(t) if t.starts_with("(an earlier") => "-".to_owned(),
        Part::Text(t) => t.clone(),
        Part::Image { image, .. } => format!("img{}", image.bytes[0]),
        Part::Call(call) => call.to_string(),
        Part::Result(result) => result.to_string(),
    };
    let message = |m: &Message| m.parts.iter().map(part).collect::<Vec<_>>().join(",");
    messages.iter().map(message).collect::<Vec<_>>().join(" | ")
}

#[test]
fn only_the_newest_pictures_are_kept() {
    let mut history = History::default();
    history.exchange(seen("a", &[1]), "x");
    history.exchange(seen("b", &[2, 3]), "y");
    history.exchange(seen("c", &[4]), "z");
    assert_eq!(shape(&history.snapshot(2)), "a,- | x | b,-,img3 | y | c,img4 | z");
    assert_eq!(shape(&history.snapshot(0)), "a,- | x | b,-,- | y | c,- | z");
    assert_eq!(shape(&history.snapshot(9)), "a,img1 | x | b,img2,img3 | y | c,img4 | z");
}

#[test]
fn a_long_conversation_is_cut_before_an_observation_and_says_so() {
    let mut history = History::default();
    for i in 0..26 {
        history.exchange(seen(&format!("o{i}"), &[]), &format!("r{i}"));
    }
    // The 26th pair made 52 messages: 20 are kept.
    let kept = shape(&history.snapshot(1));
    assert_eq!(
        kept,
        "(32 earlier messages of this conversation are left out) | o16 | r16 | o17 | r17 | o18 | r18 | o19 | r19 | o20 | r20 | o21 | r21 \
         | o22 | r22 | o23 | r23 | o24 | r24 | o25 | r25"
    );
    for i in 26..42 {
        history.exchange(seen(&format!("o{i}"), &[]), &format!("r{i}"));
    }
    assert!(
        shape(&history.snapshot(1)).starts_with("(64 earlier messages of this conversation are left out) | o32 | r32")
    );
}

#[test]
fn a_conversation_of_long_messages_is_cut_by_its_tokens() {
    // From many short ones to few long ones, at every size: never above the limit, never cut in a pair, and not cut each time.
    for size in [10, 1_000, 3 * MOST_TOKENS / 30, 3 * MOST_TOKENS / 2, 3 * MOST_TOKENS] {
        let mut history = History::default();
        let mut cuts = 0;
        for i in 0..60 {
            let text = if i < 20 { "short".to_owned() } else { "x".repeat(size) };
            let before = history.omitted;
            history.exchange(seen(&format!("o{i} {text}"), &[]), "r");
            cuts += u32::from(history.omitted > before);
            let tokens: usize = history.messages.iter().map(estimate).sum();
            assert!(tokens <= MOST_TOKENS || history.messages.len() == 2, "{size}: {tokens}");
            assert!(history.messages.len() <= MOST_MESSAGES && history.messages.len() % 2 == 0);
            assert!(history.messages[0].joined().starts_with('o'), "no cut between an observation and its reply");
            assert!(
                history.messages.iter().any(|m| m.joined().starts_with(&format!("o{i} "))),
                "the newest pair stays"
            );
        }
        assert!(cuts < 12 || size >= MOST_TOKENS, "{size}: {cuts} cuts");
    }
}

#[test]
fn feedback_is_consumed_once() {
    let mut history = History::default();
    history.set_feedback("clicked".to_owned());
    history.add_feedback("and more");
    assert_eq!(history.take_feedback().as_deref(), Some("clicked\nand more"));
    assert_eq!(history.take_feedback(), None);
}

#[test]
fn progress_lists_notes_and_steps_with_outcomes() {
    let mut history = History::default();
    assert_eq!(history.progress(0), "");
    history.remember(" price: 12 ");
    history.remember("  ");
    history.log("Tap Save", "done, confirmed: a dialog opened");
    assert_eq!(
        history.progress(0),
        "Your notes so far:\n- price: 12\n\nSteps so far, each with what became of it:\n1. Tap Save — done, confirmed: a dialog opened"
    );
}
