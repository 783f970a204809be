//! What holds for every reply in a grammar of calls.

use super::tests::{read, usable};
use handeye_core::{Action, Claim, Finish};
use proptest::prelude::*;
use serde_json::Value;

const GRAMMARS: [&str; 2] = ["ui-tars", "auto-glm"];

/// Text made of what trips the readers up.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "Thought: ",
        "Action: ",
        "Action：",
        "\n",
        "\n\n",
        " ",
        "click(",
        "start_box=",
        "'",
        "\"",
        "“",
        "”",
        "(500,250)",
        ")",
        "(",
        "[",
        "]",
        ",",
        "，",
        "=",
        "\\",
        "\\n",
        "type(content='",
        "')",
        "finished(content='",
        "do(",
        "action=\"Tap\"",
        "element=[500, 250]",
        "do(action=\"Type\", text=\"",
        "\")",
        "finish(message=\"",
        "<think>",
        "</think>",
        "<answer>",
        "</answer>",
        "<point>1 2</point>",
        "<|box_start|>",
        "<|box_end|>",
        "`",
        "```",
        "#",
        "1. ",
        "-",
        "a",
        "é",
        "😀",
        "\0",
        ";",
        "scroll(",
        "direction='down'",
        "\"\"\"",
        "[EOS]",
        "...",
        "。",
        "drag(start_box='(1,2)', end_box='(3,4)')",
        "hotkey(key='ctrl c')",
    ]);
    prop::collection::vec(piece, 0..50).prop_map(|pieces| pieces.concat())
}

/// A text in which pieces of a call stand.
fn raw() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b c", "'", "\"", ")", "(", ",", ", b=", "text=", "content=", "\n", ".", "#", " ", "\")", "')", "=",
    ]);
    prop::collection::vec(piece, 1..9).prop_map(|pieces| pieces.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![hostile(), any::<String>(), "\\PC{0,80}"]
}

/// A text in quotes of that kind, with every sign that needs it escaped.
fn literal(value: &str, quote: char) -> String {
    let escaped = value.replace('\\', "\\\\").replace('\n', "\\n").replace(quote, &format!("\\{quote}"));
    format!("{quote}{escaped}{quote}")
}

fn typed(grammar: &str, literal: &str) -> String {
    match grammar {
        "ui-tars" => format!("Thought: Type it\nAction: type(content={literal})"),
        _ => format!("<think>Type it</think><answer>do(action=\"Type\", text={literal})</answer>"),
    }
}

proptest! {
    // What is found here becomes a row of the vectors, so proptest keeps no file of its own.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_reply_is_read_or_refused(text in any_text(), cut in any::<bool>()) {
        let finish = if cut { Finish::Length } else { Finish::Stop };
        for grammar in GRAMMARS {
            match read(grammar, &text, finish) {
                Ok(reply) => prop_assert!(!reply.actions.is_empty() || reply.complete.is_some()),
                Err(misread) => prop_assert!(!misread.why.is_empty() && misread.why.chars().count() <= 520),
            }
        }
    }

    #[test]
    fn what_is_typed_arrives_to_the_character(value in any::<String>(), double in any::<bool>()) {
        prop_assume!(!value.is_empty() && !value.ends_with('\n'));
        let literal = literal(&value, if double { '"' } else { '\'' });
        for grammar in GRAMMARS {
            let reply = read(grammar, &typed(grammar, &literal), Finish::Stop).expect("an action");
            let same = matches!(&reply.actions[..], [Action::Input { value: typed, .. }] if *typed == value);
            prop_assert!(same, "{:?}", reply.actions);
        }
    }

    /// What holds raw quotes is typed as it stands or refused: never a part of it.
    #[test]
    fn raw_quotes_arrive_or_are_refused(words in raw(), double in any::<bool>()) {
        let quote = if double { '"' } else { '\'' };
        for grammar in GRAMMARS {
            let text = typed(grammar, &format!("{quote}{words}{quote}"));
            let Ok(reply) = read(grammar, &text, Finish::Stop) else { continue };
            let all: String = reply.actions.iter().map(|action| match action {
                Action::Input { value, .. } => value.as_str(),
                Action::KeyboardPress { .. } => "\n",
                _ => "?",
            }).collect();
            prop_assert_eq!(all, words.clone(), "{}", text);
        }
    }

    /// A reply that was cut at the token limit never yields an action, or an end, that the whole reply does not have.
    #[test]
    fn a_cut_reply_says_nothing_of_its_own(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>()) {
        let replies = usable();
        let (grammar, reply) = &replies[which.index(replies.len())];
        let places: Vec<usize> = reply.char_indices().map(|(i, _)| i).collect();
        let cut = &reply[..places[at.index(places.len())]];
        let whole = read(grammar, reply, Finish::Stop).expect("usable");
        if let Ok(part) = read(grammar, cut, Finish::Length) {
            prop_assert!(part.actions.len() <= whole.actions.len(), "{}", cut);
            prop_assert!(part.actions.iter().zip(&whole.actions).all(|(a, b)| a.verb() == b.verb()), "{}", cut);
            prop_assert!(part.complete.is_none() || part.complete == whole.complete, "{}", cut);
        }
    }

    #[test]
    fn mutated_replies_are_read_or_refused(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        drop in 0usize..6,
        put in hostile(),
    ) {
        let replies = usable();
        let (grammar, reply) = &replies[which.index(replies.len())];
        let chars: Vec<char> = reply.chars().collect();
        let at = at.index(chars.len());
        let (head, tail) = (&chars[..at], &chars[(at + drop).min(chars.len())..]);
        let text: String = head.iter().copied().chain(put.chars().take(12)).chain(tail.iter().copied()).collect();
        let _ = read(grammar, &text, Finish::Stop);
    }

    #[test]
    fn places_in_every_usual_shape_are_one(x in 0u32..=1000, y in 0u32..=1000) {
        let claim = |grammar: &str, text: &str| match &read(grammar, text, Finish::Stop).expect("an action").actions[0] {
            Action::Tap { locate } => match &locate.claim {
                Some(Claim::Model(raw)) => raw.clone(),
                _ => Value::Null,
            },
            other => Value::from(other.summary()),
        };
        let want = serde_json::json!([x, y]);
        for place in [
            format!("start_box='<|box_start|>({x},{y})<|box_end|>'"),
            format!("start_box='({x}, {y})'"),
            format!("start_box=\"[{x}, {y}]\""),
            format!("start_box=({x},{y})"),
            format!("point='<point>{x} {y}</point>'"),
            format!("'{x} {y}'"),
        ] {
            prop_assert_eq!(claim("ui-tars", &format!("Thought: t\nAction: click({place})")), want.clone());
        }
        for place in [format!("[{x},{y}]"), format!("[ {x} , {y} ]"), format!("({x}, {y})"), format!("\"{x},{y}\"")] {
            prop_assert_eq!(claim("auto-glm", &format!("do(action=\"Tap\", element={place})")), want.clone());
        }
    }
}
