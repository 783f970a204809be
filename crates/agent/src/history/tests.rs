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

/// `a,1`: texts and pictures.
fn message(row: &str, role: Role) -> Message {
    let part = |word: &str| word.parse::<u8>().map_or_else(|_| Part::Text(word.to_owned()), picture);
    Message::new(role, row.split(',').map(part).collect())
}

#[test]
fn vectors() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../tests/data/vectors/history.json")).expect("JSON");
    for row in vectors["conversations"].as_array().expect("rows") {
        let number = |n: &serde_json::Value| usize::try_from(n.as_u64().expect("a number")).expect("a small one");
        let limits = row["limits"].as_array().map_or_else(Limits::default, |l| Limits {
            messages: number(&l[0]),
            keep: number(&l[1]),
            ..Limits::default()
        });
        let mut history = History::within(limits);
        let texts: Vec<&str> = row["messages"].as_array().expect("texts").iter().filter_map(|m| m.as_str()).collect();
        for pair in texts.chunks(2) {
            let reply = pair.get(1).copied().unwrap_or_default();
            // F1 has two observations in a row, which no run has.
            history.exchange_whole(message(pair[0], Role::User), message(reply, Role::Assistant));
            if row["each"] == true {
                let _ = history.snapshot(number(&row["pictures"]));
            }
        }
        let shown = shape(&history.snapshot(number(&row["pictures"])));
        let shown = shown.replace(" earlier messages of this conversation are left out)", " left out)");
        assert_eq!(shown, row["shown"].as_str().expect("a text"), "{}", row["id"]);
    }
}

fn replayed(text: &str) -> Message {
    let replay = handeye_core::Replay { from: "m".to_owned(), content: text.into(), stale: false };
    Message { replay: Some(replay), ..Message::text(Role::Assistant, text) }
}

fn stale(messages: &[Message]) -> Vec<bool> {
    messages.iter().filter_map(|m| m.replay.as_ref()).map(|r| r.stale).collect()
}

#[test]
fn a_reply_knows_that_what_stood_before_it_was_changed() {
    let mut history = History::within(Limits { messages: 6, keep: 4, ..Limits::default() });
    history.exchange_whole(seen("a", &[]), replayed("x"));
    history.exchange_whole(seen("b", &[1]), replayed("y"));
    assert_eq!(stale(&history.snapshot(1)), [false, false]);
    history.exchange_whole(seen("c", &[2]), replayed("z"));
    assert_eq!(stale(&history.snapshot(1)), [false, true, true], "a picture was taken out before two of them");
    history.exchange_whole(seen("d", &[]), replayed("w"));
    assert_eq!(stale(&history.snapshot(1)), [true, true], "the beginning was left out");
}

#[test]
fn pictures_count() {
    let limits = Limits { tokens: 4 * PICTURE_TOKENS, ..Limits::default() };
    let cut = |pictures: usize| {
        let mut history = History::within(limits);
        for i in 0..10 {
            history.exchange(seen("o", &[i]), "r");
            let _ = history.snapshot(pictures);
        }
        history.omitted > 0
    };
    assert!(!cut(1) && !cut(3) && cut(5));
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
        let _ = history.snapshot(1);
    }
    assert!(
        shape(&history.snapshot(1)).starts_with("(64 earlier messages of this conversation are left out) | o32 | r32")
    );
}

#[test]
fn a_conversation_of_long_messages_is_cut_by_its_tokens() {
    // From many short ones to few long ones, at every size: never above the limit, never cut in a pair, and not cut each time.
    let Limits { tokens: most, messages, .. } = Limits::default();
    for size in [10, 1_000, 3 * most / 30, 3 * most / 2, 3 * most] {
        let mut history = History::default();
        let mut cuts = 0;
        for i in 0..60 {
            let text = if i < 20 { "short".to_owned() } else { "x".repeat(size) };
            let before = history.omitted;
            history.exchange(seen(&format!("o{i} {text}"), &[]), "r");
            let _ = history.snapshot(0);
            cuts += u32::from(history.omitted > before);
            let tokens: usize = history.messages.iter().map(estimate).sum();
            assert!(tokens <= most || history.messages.len() == 2, "{size}: {tokens}");
            assert!(history.messages.len() <= messages && history.messages.len() % 2 == 0);
            assert!(history.messages[0].joined().starts_with('o'), "no cut between an observation and its reply");
            assert!(
                history.messages.iter().any(|m| m.joined().starts_with(&format!("o{i} "))),
                "the newest pair stays"
            );
        }
        assert!(cuts < 12 || size >= most, "{size}: {cuts} cuts");
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
    history.remember("price: 12");
    history.log("Tap Save", "done, confirmed: a dialog opened");
    assert_eq!(
        history.progress(0),
        "Your notes so far:\n- price: 12\n\nSteps so far, each with what became of it:\n1. Tap Save — done, confirmed: a dialog opened"
    );
}

#[test]
fn notes_do_not_grow_without_end() {
    let mut history = History::default();
    for i in 0..100 {
        history.remember(&format!("{i} {}", "x".repeat(300)));
    }
    let told = history.progress(0);
    assert!(told.len() < 13_000 && told.contains("\n- 99 ") && !told.contains("\n- 0 "), "{told}");
    assert!(told.starts_with("Your notes so far:\n(61 earlier notes are left out)\n- 61 "), "{told}");
}
