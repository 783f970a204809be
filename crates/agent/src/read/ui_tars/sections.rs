//! `Thought: …`, `Reflection: …`, `Action_Summary: …` and `Action: …`.

use crate::read::reply::Misread;
use handeye_core::text::name_key;

/// A reply, taken apart at its labels.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Sections {
    pub(super) thought: String,
    /// What stands behind `Action:`; everything when no such label is there.
    pub(super) actions: String,
    pub(super) labelled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Label {
    Thought,
    /// What the model thinks of its last step: not shown to it again.
    Reflection,
    Action,
}

/// Longest label, in bytes.
const REACH: usize = 40;

fn named(label: &str) -> Option<Label> {
    Some(match name_key(label).as_str() {
        "thought" | "thoughts" | "actionsummary" | "思考" | "想法" => Label::Thought,
        "reflection" | "反思" => Label::Reflection,
        "action" | "actions" | "动作" | "操作" => Label::Action,
        _ => return None,
    })
}

pub(super) fn read(reply: &str) -> Result<Sections, Misread> {
    let mut found: Vec<(Option<Label>, String)> = vec![(None, String::new())];
    for line in reply.lines() {
        match labelled(line) {
            Some((label, rest)) => found.push((Some(label), rest.to_owned())),
            None => {
                if let Some((_, text)) = found.last_mut() {
                    text.push('\n');
                    text.push_str(line);
                }
            }
        }
    }
    let first = found.iter().position(|(label, _)| *label == Some(Label::Action));
    let last = found.iter().rposition(|(label, _)| *label == Some(Label::Action));
    let (Some(first), Some(last)) = (first, last) else { return Ok(unlabelled(reply, &found)) };
    if found[first..last].iter().any(|(label, _)| *label != Some(Label::Action)) {
        return Err(Misread::new(
            "the reply goes on with another thought behind its action; only the next step counts, because you see what came of it \
             before you go on: write one Thought and one Action",
        ));
    }
    let thoughts =
        found[..first].iter().filter(|(label, _)| *label != Some(Label::Reflection)).map(|(_, text)| text.trim());
    let thoughts: Vec<&str> = thoughts.filter(|text| !text.is_empty()).collect();
    // Nothing may stand behind the actions but more actions.
    let actions: Vec<&str> = found[first..].iter().map(|(_, text)| text.as_str()).collect();
    Ok(Sections { thought: thoughts.join("\n"), actions: actions.join("\n"), labelled: true })
}

/// No label begins a line: one may stand in it, as in `Thought: I click it. Action: click(…)`.
fn unlabelled(reply: &str, found: &[(Option<Label>, String)]) -> Sections {
    let labels = ["Action:", "Action："];
    let inline = labels.into_iter().filter_map(|label| reply.find(label).map(|at| (at, at + label.len()))).min();
    if let Some((at, end)) = inline {
        let before = &reply[..at];
        let thought =
            before.split_once([':', '：']).filter(|(label, _)| named(label).is_some()).map_or(before, |(_, t)| t);
        return Sections { thought: thought.trim().to_owned(), actions: reply[end..].to_owned(), labelled: true };
    }
    let said = found.iter().filter(|(label, _)| *label == Some(Label::Thought)).map(|(_, text)| text.as_str());
    let thought = said.flat_map(str::lines).take_while(|line| !line.contains('(')).collect::<Vec<_>>().join("\n");
    let actions = found.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n");
    Sections { thought: thought.trim().to_owned(), actions, labelled: false }
}

/// A line that begins with a label, whatever stands around it: `**Action:** click(…)`.
fn labelled(line: &str) -> Option<(Label, &str)> {
    let decoration = |c: char| c.is_whitespace() || matches!(c, '*' | '#' | '>');
    let line = line.trim_start_matches(decoration);
    let at = line.find([':', '：']).filter(|at| *at <= REACH)?;
    let label = named(&line[..at])?;
    let rest = line[at..].trim_start_matches([':', '：']);
    Some((label, rest.trim_start_matches(decoration)))
}
