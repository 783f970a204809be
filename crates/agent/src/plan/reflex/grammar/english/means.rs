//! Clauses that say by what means something is done: `confirm it with Enter`, `close the dialog by clicking "x"`.

use super::verbs::{self, Verb, leading_verb};
use super::{Cx, Why, Word, clause, find, keys, patterns, slice, starts, target, verb_clause_of};
use crate::locate::tree::phrase::english;
use crate::locate::tree::{Purpose, RoleWord, Wanted};
use crate::plan::reflex::grammar::{PRONOUN, refs};
use crate::plan::reflex::messages;
use crate::plan::reflex::step::{Press, Step};

/// `confirm it with Enter`, `finish by pressing the Return key`: a key, whatever it is pressed for.
pub(super) fn confirm_with_key(cx: &Cx<'_>, body: &[Word]) -> Option<Step> {
    const AIMS: &[&str] = &[
        "confirm", "submit", "finish", "accept", "save", "commit", "end", "add", "validate", "apply", "complete",
        "store", "send", "close", "cancel", "dismiss", "leave", "abort", "conclude", "with", "by",
    ];
    const OBJECTS: &[&str] = &[
        "it",
        "that",
        "this",
        "them",
        "the",
        "entry",
        "item",
        "change",
        "changes",
        "your",
        "input",
        "form",
        "text",
        "value",
        "edit",
        "everything",
        "name",
        "message",
        "search",
        "field",
        "editing",
        "typing",
        "todo",
        "task",
    ];
    let first = body.first()?;
    if !AIMS.contains(&first.low.as_str()) {
        return None;
    }
    let joints = ["with", "by pressing", "by hitting", "using", "via", "pressing", "hitting"];
    let (at, end) = if matches!(first.low.as_str(), "with" | "by") {
        (0, joints.iter().filter_map(|j| starts(body, j)).max()?)
    } else {
        joints.iter().find_map(|j| find(body, j))?
    };
    if !body[at.min(1)..at].iter().all(|w| OBJECTS.contains(&w.low.as_str())) {
        return None;
    }
    // `confirm with Yes, delete it`, `confirm with 确定`: the control of that name.
    let tail = &body[end..];
    let named = matches!(first.low.as_str(), "confirm" | "accept" | "finish" | "submit" | "cancel" | "dismiss")
        && find(body, "with").is_some_and(|(w, _)| w == at)
        && tail.first().is_some_and(|w| {
            w.is_quote() || cx.text[w.start..].starts_with(|c: char| c.is_uppercase() || !c.is_ascii())
        });
    if named && keys::read(slice(cx, tail)).is_none() {
        return target(cx, tail, Purpose::Click).map(patterns::click);
    }
    let key: Vec<&str> =
        body[end..].iter().map(|w| w.low.as_str()).filter(|w| !matches!(*w, "the" | "key" | "a")).collect();
    let chord = keys::read(&key.join(" "))?;
    // `confirm with Delete` means the button that is called so.
    if !chord.is_certain {
        return named_after(cx, first, tail);
    }
    Some(Step::Key { chord: chord.name, times: 1, on: None, or_button: None })
}

/// `confirm with Delete`: the control of that name, written as one.
fn named_after(cx: &Cx<'_>, first: &Word, tail: &[Word]) -> Option<Step> {
    let confirms = matches!(first.low.as_str(), "confirm" | "accept" | "finish" | "submit");
    let written = tail.first().is_some_and(|w| cx.text[w.start..].starts_with(char::is_uppercase));
    if !confirms || !written {
        return None;
    }
    // The dialog that asks comes before what else is called so.
    let control = target(cx, tail, Purpose::Click)?;
    let dialog = Wanted { role: Some(RoleWord::Dialog), ..Wanted::named("", Purpose::Hold) };
    Some(patterns::click(patterns::join(control.clone().inside(&dialog), Some(control))))
}

/// `close the dialog by clicking "x"`: the means are the step, the aim says what they belong to.
pub(super) fn by_means(cx: &Cx<'_>, body: &[Word]) -> Result<Option<Step>, Why> {
    let by = find(body, "by").and_then(|(at, end)| Some((at, end, verbs::of_gerund(&body.get(end)?.low)?, end)));
    // `using the Close button in its row` is by clicking it.
    let using = || {
        let (at, end) = ["using", "via", "with"].iter().find_map(|j| find(body, j)).filter(|(at, _)| *at > 0)?;
        let control =
            body[end..].iter().take(6).any(|w| matches!(w.low.as_str(), "button" | "icon" | "link" | "cross"));
        let article = body.get(end).is_some_and(|w| matches!(w.low.as_str(), "the" | "its"));
        (control && article).then_some((at, end, "click", end))
    };
    // `open it with a double-click`
    let low: Vec<&str> = body.iter().map(|w| w.low.as_str()).collect();
    if let [.., joint, "a", "double-click" | "doubleclick"] | [.., joint, "a", "double", "click"] = low.as_slice()
        && matches!(*joint, "with" | "by")
        && let Some((Verb::Open | Verb::Click(_) | Verb::Edit, used)) = leading_verb(body)
    {
        let to = low.iter().rposition(|w| w == joint).unwrap_or(body.len());
        let text = format!("double-click {}", cx.text[body[used].start..body[to].start].trim());
        return clause(&text, cx.quotes).map(|p| Some(p.step));
    }
    // `close the confirmation with Done`
    if let Some((at, end)) = find(body, "with")
        && matches!(leading_verb(body), Some((Verb::Close, _)))
        && keys::read(slice(cx, &body[end..])).is_none()
        && body.get(end).is_some_and(|w| w.is_quote() || cx.text[w.start..].starts_with(char::is_uppercase))
        && let Some(Step::Close { target: holder }) = verb_clause_of(cx, &body[..at])
        && let Some(control) = target(cx, &body[end..], Purpose::Click)
    {
        let dialog = Wanted { role: Some(RoleWord::Dialog), ..Wanted::named("", Purpose::Hold) };
        let named = control.clone().inside(&holder.for_purpose(Purpose::Hold));
        let inside = control.clone().inside(&dialog);
        return Ok(Some(patterns::click(patterns::join(named, Some(patterns::join(inside, Some(control)))))));
    }
    let Some((at, end, base, from)) = by.or_else(using) else { return Ok(None) };
    let aim_words = &body[..at];
    // `On the Tickets tab, close …`: the place is read first.
    if matches!(body[0].low.as_str(), "in" | "on" | "inside" | "within" | "under" | "at") {
        return Ok(None);
    }
    let bulk = ["all", "every", "each", "everything", "both"];
    // `close all messages with the "Close all" button` is one click on what is named.
    let one_control =
        by.is_none() && body[end..].iter().any(Word::is_quote) && english::plural_lead(&body[end..]).is_none();
    let says_all = aim_words.iter().any(|w| bulk.contains(&w.low.as_str()));
    if aim_words.is_empty() || !one_control && says_all {
        return Err(Why::from(messages::BULK));
    }
    let aim = if says_all { None } else { verb_clause_of(cx, aim_words) };
    let start = if verbs::of_gerund(&body[from].low).is_some() { body[end].end } else { body[end].start };
    let parsed = clause(&format!("{base} {}", cx.text[start..].trim()), cx.quotes)?;
    let mut means = parsed.step;
    if let Some(Step::Close { target: holder }) = &aim
        && holder.words == PRONOUN
        && let Some(step) = close_that(cx, &body[end..], by.is_none(), &means)
    {
        return Ok(Some(step));
    }
    // The thing itself is what `its` and `it` in the means speak of.
    if let Some(aim) = &aim {
        let mut last = refs::Last::default();
        last.note(aim);
        let mut resolved = means.clone();
        if refs::resolve(&mut resolved, &last) {
            means = resolved;
        }
    }
    match (aim, means) {
        // `upload a.csv with the Import button`
        (Some(Step::Upload { files, to: None }), Step::Click { target, .. }) => {
            Ok(Some(Step::Upload { files, to: Some(target.for_purpose(Purpose::Upload)) }))
        }
        (Some(Step::Close { target: holder }), Step::Click { target, how, times }) if target.within.is_none() => {
            Ok(Some(Step::Click { target: target.inside(&holder.for_purpose(Purpose::Hold)), how, times }))
        }
        (Some(Step::Operate { thing, .. }), Step::Click { target, how, times })
            if target.within.is_none() && target.near.is_none() =>
        {
            let in_row = patterns::within_row(&target, &thing);
            let alone = Step::Click { target, how, times };
            Ok(Some(in_row.map_or(alone, |target| Step::Click { target, how, times })))
        }
        (_, means) => Ok(Some(means)),
    }
}

/// `close it with its Close button`: `it` is the dialog that has come, else what was spoken of.
fn close_that(cx: &Cx<'_>, control: &[Word], is_using: bool, means: &Step) -> Option<Step> {
    let dialog = Wanted { role: Some(RoleWord::Dialog), ..Wanted::named("", Purpose::Hold) };
    if let [its, name @ ..] = control
        && is_using
        && its.low == "its"
    {
        return Some(patterns::click(target(cx, name, Purpose::Click)?.inside(&dialog)));
    }
    let Step::Click { target, how: Press::Once, times: 1 } = means else { return None };
    let there = target.clone().inside(&Wanted::named(PRONOUN, Purpose::Hold));
    Some(patterns::click(patterns::join(target.clone().inside(&dialog), Some(there))))
}
