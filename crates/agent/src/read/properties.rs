//! What holds for every text and every value.

use super::cases::web;
use super::tags::{Tag, last, scan, without_thinking};
use super::{coordinates, json, standard};
use handeye_core::{Family, Finish, Shown, Size};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Any value whose numbers print and read alike.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1_000_000i32..1_000_000).prop_map(|n| json!(f64::from(n) / 64.0)),
        "\\PC{0,12}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[{}\\[\\]:,\"'“”｛｝：，<>/\\\\ \n0-9a]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(("\\PC{0,8}", inner), 0..6).prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

/// A piece of a text that a model may type: words, words in quotes, and signs that JSON has too.
fn quoted() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["one", "text", "name", "确定", "3", "a b", "C&A"]);
    let sign = prop::sample::select(vec![
        " ", ", ", ": ", "{", "}", "[", "]", "，", "：", " = ", "; ", "(", ")", "/", "、", "-",
    ]);
    prop_oneof![
        word.clone().prop_map(str::to_owned),
        word.prop_map(|w| format!("\"{w}\"")),
        sign.prop_map(str::to_owned),
    ]
}

/// Text made of what trips readers up.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        "“",
        "”",
        "：",
        "，",
        ":",
        ",",
        "\\",
        "\n",
        " ",
        "a",
        "1",
        "-",
        ".",
        "e",
        "｛",
        "】",
        "`",
        "```",
        "/",
        "//",
        "/*",
        "#",
        "<",
        ">",
        "</",
        "<log>",
        "</log>",
        "<think>",
        "</think>",
        "<thought>",
        "<action-type>",
        "</action-type>",
        "Tap",
        "<action-param-json>",
        "</action-param-json>",
        "<complete",
        " success=\"true\"",
        "<complete success=\"true\">",
        "</complete>",
        "<error>",
        "null",
        "True",
        "bbox",
        "\"a\":",
        "{\"locate\": \"x\"}",
        "(",
        ")",
        "=",
        "动作：",
        "\u{feff}",
        "\0",
        "😀",
        "<sub-goal index=\"1\"/>",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![hostile(), any::<String>(), "\\PC{0,80}"]
}

/// Every reply of the cases and vectors that is usable.
fn valid_replies() -> Vec<String> {
    let all = [
        include_str!("../../tests/data/vectors/replies.json"),
        include_str!("../../tests/data/cases/P01.json"),
        include_str!("../../tests/data/cases/P03.json"),
        include_str!("../../tests/data/cases/P08.json"),
    ];
    let rows = all.iter().flat_map(|text| serde_json::from_str::<Vec<Value>>(text).expect("rows"));
    rows.filter(|row| row["reads"].is_object()).filter_map(|row| row["reply"].as_str().map(str::to_owned)).collect()
}

proptest! {
    // What is found here becomes a row of the vectors, so proptest keeps no file of its own.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_json_reads_as_itself(value in value()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).expect("prints")] {
            let read = json(&text).expect("strict JSON reads");
            prop_assert_eq!(&read.value, &value);
            prop_assert!(read.repairs.is_empty() && !read.cut && !read.torn);
        }
    }

    /// A trailing comma sends the text through the tolerant parser, which must then agree with the strict one.
    #[test]
    fn the_tolerant_parser_agrees_with_the_strict_one(value in value()) {
        let read = json(&format!("[{value},]")).expect("reads");
        prop_assert_eq!(read.value, json!([value]));
        prop_assert!(!read.cut);
    }

    #[test]
    fn truncated_json_is_cut_or_an_error(value in value(), at in any::<prop::sample::Index>()) {
        let text = json!({"a": [value, "end"]}).to_string();
        let places: Vec<usize> = text.char_indices().map(|(i, _)| i).skip(1).collect();
        match json(&text[..places[at.index(places.len())]]) {
            Ok(read) => prop_assert!(read.cut, "{read:?}"),
            Err(error) => prop_assert!(error.offset <= text.len()),
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in any_text()) {
        match json(&text) {
            Ok(read) => {
                prop_assert!(!read.torn || read.cut);
                let strict = serde_json::from_str::<Value>(&text).is_ok();
                prop_assert!(strict || !read.repairs.is_empty() || text.trim() != text || text.contains('\u{feff}'), "{:?}", read);
            }
            Err(error) => prop_assert!(error.offset <= text.len()),
        }
    }

    #[test]
    fn tags_lie_in_the_text_in_order(text in any_text()) {
        let (text, _) = without_thinking(&text);
        let mut at = 0;
        for found in scan(&text) {
            prop_assert!(found.span.start >= at && found.span.end <= text.len());
            prop_assert!(text[found.span.clone()].contains(found.text));
            at = found.span.end;
        }
    }

    #[test]
    fn a_log_reads_back(words in "[^<>＜＞`\\[◁]{0,40}") {
        let text = format!("<think>a <log>no</log></think>\n<log>{words}</log>\n<action-type>Reload</action-type>");
        let (text, _) = without_thinking(&text);
        prop_assert_eq!(last(&scan(&text), Tag::Log).map(|t| t.text.to_owned()), Some(words.trim().to_owned()));
    }

    #[test]
    fn any_value_is_a_place_inside_or_refused(value in value(), yx in any::<bool>()) {
        let family = Family::named(if yx { "gemini" } else { "default" }).expect("a family");
        let shown = Shown::at(Size::new(1280.0, 720.0));
        for raw in [value.clone(), json!(value.to_string()), json!({"bbox": value})] {
            if let Ok(spot) = coordinates(&raw, family, &shown) {
                let inside = |v: f64| (0.0..=1.0).contains(&v);
                prop_assert!(inside(spot.point.x) && inside(spot.point.y));
                if let Some(rect) = spot.rect {
                    prop_assert!(inside(rect.left) && inside(rect.top) && !rect.is_empty());
                    prop_assert!(rect.right() < 1.0 + 1e-9 && rect.bottom() < 1.0 + 1e-9);
                }
            }
        }
    }

    #[test]
    fn boxes_in_every_usual_shape_are_one_place(a in 0u32..=1000, b in 0u32..=1000, c in 0u32..=1000, d in 0u32..=1000) {
        let family = Family::default_family();
        let shown = Shown::at(Size::new(1280.0, 720.0));
        let spot = |raw: Value| coordinates(&raw, family, &shown).expect("a place");
        let plain = spot(json!([a, b, c, d]));
        for raw in [
            json!(format!("[{a}, {b}, {c}, {d}]")),
            json!(format!("{a} {b} {c} {d}")),
            json!(format!("<bbox>{a} {b} {c} {d}</bbox>")),
            json!([[a, b, c, d]]),
            json!([[a, b], [c, d]]),
            json!([format!("{a},{b}"), format!("{c},{d}")]),
            json!({"x1": a, "y1": b, "x2": c, "y2": d}),
            json!([{"x": a, "y": b}, {"x": c, "y": d}]),
        ] {
            let other = spot(raw);
            prop_assert_eq!((other.rect, other.point), (plain.rect, plain.point));
        }
    }

    #[test]
    fn any_reply_is_read_or_refused(text in any_text(), cut in any::<bool>()) {
        let finish = if cut { Finish::Length } else { Finish::Stop };
        match standard(&text, finish, &web()) {
            Ok(read) => prop_assert!(!read.actions.is_empty() || read.complete.is_some() || read.error.is_some()),
            Err(misread) => prop_assert!(!misread.why.is_empty() && misread.why.chars().count() <= 520),
        }
    }

    #[test]
    fn what_is_typed_arrives_to_the_character(value in any::<String>()) {
        let text = format!("<action-type>Input</action-type><action-param-json>{}</action-param-json>", json!({"value": value}));
        let read = standard(&text, Finish::Stop, &web()).expect("an action");
        let same = matches!(&read.actions[0], handeye_core::Action::Input { value: typed, .. } if *typed == value);
        prop_assert!(same, "{:?}", read.actions);
    }

    /// What holds raw quotes in pairs is typed as it stands or refused: never a part of it, wherever the parameter stands.
    #[test]
    fn raw_quotes_in_pairs_arrive_or_are_refused(pieces in prop::collection::vec(quoted(), 1..9), place in 0usize..4) {
        let value = pieces.concat();
        let locate = "\"locate\": {\"prompt\": \"box\", \"bbox\": [1, 2, 3, 4]}";
        let params = match place {
            0 => format!("{{\"value\": \"{value}\"}}"),
            1 => format!("{{{locate}, \"value\": \"{value}\"}}"),
            2 => format!("{{\"value\": \"{value}\", {locate}}}"),
            _ => format!("{{\n  {locate},\n  \"value\": \"{value}\",\n  \"mode\": \"append\"\n}}"),
        };
        let text = format!("<action-type>Input</action-type><action-param-json>{params}</action-param-json>");
        if let Ok(read) = standard(&text, Finish::Stop, &web()) {
            let same = matches!(&read.actions[..], [handeye_core::Action::Input { value: typed, .. }] if *typed == value);
            prop_assert!(same, "{params}: {:?}", read.actions);
        }
    }

    #[test]
    fn mutated_replies_are_read_or_refused(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        drop in 0usize..6,
        put in hostile(),
    ) {
        let replies = valid_replies();
        let chars: Vec<char> = replies[which.index(replies.len())].chars().collect();
        let at = at.index(chars.len());
        let (head, tail) = (&chars[..at], &chars[(at + drop).min(chars.len())..]);
        let text: String = head.iter().copied().chain(put.chars().take(4)).chain(tail.iter().copied()).collect();
        let _ = standard(&text, Finish::Stop, &web());
    }

    /// A reply that was cut at the token limit never yields an action that the whole reply does not have.
    #[test]
    fn a_cut_reply_has_no_actions_of_its_own(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>()) {
        let replies = valid_replies();
        let reply = &replies[which.index(replies.len())];
        let places: Vec<usize> = reply.char_indices().map(|(i, _)| i).collect();
        let cut = &reply[..places[at.index(places.len())]];
        let whole = standard(reply, Finish::Stop, &web()).expect("usable");
        if let Ok(part) = standard(cut, Finish::Length, &web()) {
            prop_assert!(part.actions.iter().all(|a| whole.actions.contains(a)), "{cut}: {:?}", part.actions);
        }
    }
}
