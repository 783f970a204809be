//! Both grammars, from one table: each row has a reply and what it says, or a part of the message that refuses it. Where the
//! original that the rows come from says otherwise, the row tells what, and why ours is right.

use crate::read::cases::web;
use crate::read::{CallsReply, Misread, auto_glm, coordinates, ui_tars};
use handeye_core::{Action, Claim, Family, Finish, Shown, Size, Target};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    grammar: String,
    reply: String,
    #[serde(default)]
    finish: String,
    #[serde(default)]
    says: Vec<String>,
    complete: Option<(bool, String)>,
    thought: Option<String>,
    said: Option<String>,
    #[serde(default)]
    repairs: Vec<String>,
    misread: Option<String>,
    original: Option<String>,
    reason: Option<String>,
}

pub(in crate::read) fn read(grammar: &str, reply: &str, finish: Finish) -> Result<CallsReply, Misread> {
    match grammar {
        "ui-tars" => ui_tars(reply, finish, &web()),
        _ => auto_glm(reply, finish, &web(), Size::new(1080.0, 2400.0)),
    }
}

/// Every reply of the table that is usable, with its grammar.
pub(in crate::read) fn usable() -> Vec<(String, String)> {
    rows().into_iter().filter(|row| row.misread.is_none()).map(|row| (row.grammar, row.reply)).collect()
}

fn rows() -> Vec<Row> {
    serde_json::from_str(include_str!("../../../tests/data/vectors/grammars.json")).expect("rows")
}

/// `Tap - Save @ 0.5,0.25`: what is done, how, and where on the picture.
fn shown(grammar: &str, action: &Action<Target>) -> String {
    let family = Family::named(if grammar == "ui-tars" { "vlm-ui-tars" } else { "auto-glm" }).expect("a family");
    let mut text = action.summary();
    if let Action::Input { mode, .. } = action {
        let mode = serde_json::to_value(mode).expect("a word");
        text = format!("{text} {}", mode.as_str().unwrap_or_default());
    }
    let places = action.targets().into_iter().map(|(_, target)| match &target.claim {
        Some(Claim::Model(raw)) => match coordinates(raw, family, &Shown::at(Size::new(1080.0, 2400.0))) {
            Ok(spot) => format!("{},{}", (spot.point.x * 1e6).round() / 1e6, (spot.point.y * 1e6).round() / 1e6),
            Err(error) => error.to_string(),
        },
        other => format!("{other:?}"),
    });
    let places: Vec<String> = places.collect();
    if places.is_empty() { text } else { format!("{text} @ {}", places.join(" ")) }
}

/// What is wrong with the reading of a row.
fn fault(row: &Row) -> Option<String> {
    if row.original.is_some() != row.reason.is_some() {
        return Some("another value needs its reason".to_owned());
    }
    let finish = if row.finish == "length" { Finish::Length } else { Finish::Stop };
    let reply = match (read(&row.grammar, &row.reply, finish), &row.misread) {
        (Err(misread), Some(part)) if misread.why.contains(part) => return None,
        (Err(misread), _) => return Some(misread.why),
        (Ok(reply), Some(_)) => return Some(format!("{reply:?}")),
        (Ok(reply), None) => reply,
    };
    let says: Vec<String> = reply.actions.iter().map(|action| shown(&row.grammar, action)).collect();
    let is_right = says == row.says
        && reply.complete == row.complete
        && row.thought.as_ref().is_none_or(|thought| *thought == reply.thought)
        && row.said.as_ref().is_none_or(|said| *said == reply.said)
        && row.repairs.iter().all(|repair| reply.repairs.contains(repair));
    (!is_right).then(|| format!("{says:?} {reply:?}"))
}

#[test]
fn replies_say_what_they_say() {
    let faults: Vec<String> = rows()
        .iter()
        .filter_map(|row| Some(format!("{} {}: {}\n  {}", row.grammar, row.id, row.reply, fault(row)?)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn long_and_hostile_replies_are_read_in_linear_time() {
    for piece in [
        "click(",
        "do(",
        "(",
        "a (",
        "do(action=\"",
        "type(content='a')",
        "type(content='a' ",
        "type(content='",
        "',b='",
        "do(a=\"\"\"",
        "start_box=(1,",
        "click(start_box='(1,2)')\n",
        "Action: wait()\n",
        "Thought: a\n",
        "<think><answer>",
        "</think>",
        "1. ",
        "# \n",
        "\\",
        "')  ",
    ] {
        for head in ["", "Action: ", "Action: type(content='", "<answer>do(action=\"Type\", text=\""] {
            let text = format!("{head}{}", piece.repeat(60_000 / piece.len()));
            for grammar in ["ui-tars", "auto-glm"] {
                let _ = read(grammar, &text, Finish::Stop);
            }
        }
    }
}
