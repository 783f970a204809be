//! Replies that went wrong elsewhere, with what they say. Each file is named after the fault that it keeps from coming back.

use super::{StandardReply, standard};
use handeye_core::{ActionSpace, Finish, Verb};
use serde_json::{Map, Value, json};

/// A browser's verbs.
pub(super) fn web() -> ActionSpace {
    ActionSpace::of(&[
        Verb::Tap,
        Verb::DoubleClick,
        Verb::RightClick,
        Verb::Hover,
        Verb::LongPress,
        Verb::Input,
        Verb::ClearInput,
        Verb::KeyboardPress,
        Verb::CursorMove,
        Verb::Scroll,
        Verb::DragAndDrop,
        Verb::Select,
        Verb::Sleep,
        Verb::Navigate,
        Verb::Reload,
        Verb::GoBack,
        Verb::GoForward,
    ])
}

/// All that a reply says, without what it leaves out.
pub(super) fn said(reply: &StandardReply) -> Value {
    let all = json!({
        "thought": reply.thought,
        "log": reply.log,
        "memory": reply.memory,
        "sub_goals": reply.sub_goals,
        "done": reply.done,
        "actions": reply.actions,
        "complete": reply.complete,
        "error": reply.error,
        "repairs": reply.repairs,
    });
    let is_empty = |v: &Value| matches!(v, Value::Null) || v == &json!("") || v == &json!([]);
    let fields = all.as_object().into_iter().flatten().filter(|(_, v)| !is_empty(v));
    Value::Object(fields.map(|(k, v)| (k.clone(), v.clone())).collect::<Map<_, _>>())
}

/// Each row has a reply and either what it says or a part of the message that refuses it.
#[track_caller]
pub(super) fn check(name: &str, rows: &str) {
    let rows: Vec<Value> = serde_json::from_str(rows).expect("a list of rows");
    for (i, row) in rows.iter().enumerate() {
        let finish = if row["finish"] == "length" { Finish::Length } else { Finish::Stop };
        let reply = row["reply"].as_str().expect("a reply");
        match standard(reply, finish, &web()) {
            Ok(read) => assert_eq!(said(&read), row["reads"], "{name} {}: {reply}", i + 1),
            Err(misread) => {
                let part = row["misread"].as_str().unwrap_or("a reading");
                assert!(misread.why.contains(part), "{name} {}: {} for {reply}", i + 1, misread.why);
            }
        }
    }
}

macro_rules! cases {
    ($($test:ident $file:literal)*) => {
        $(#[test]
        fn $test() {
            check($file, include_str!(concat!("../../tests/data/cases/", $file, ".json")));
        })*
    };
}

cases! {
    p01_raw_quotes_inside_a_text "P01"
    p02_half_open_and_cut_off_tags "P02"
    p03_drafts_in_thinking_blocks "P03"
    p05_boxes_in_odd_shapes "P05"
    p07_an_answer_in_the_reasoning_field_and_none "P07"
    p08_full_width_punctuation "P08"
    p11_a_target_that_is_not_there "P11"
    c03_out_of_range_and_zero_coordinates "C03"
    r03_prose_instead_of_a_reply "R03"
    o02_neither_action_nor_end "O02"
}
