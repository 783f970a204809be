//! Clauses that choose, tick and switch.

use super::{Cx, Parsed, Why, Word, check_en, click, ends, find, patterns, starts, target, value, without_aim};
use crate::locate::tree::phrase::english;
use crate::locate::tree::{Purpose, RoleWord, Wanted};
use crate::plan::reflex::messages;
use crate::plan::reflex::step::{Press, Step};

/// Splits `A, B and C`.
pub(super) fn list(words: &[Word]) -> Vec<&[Word]> {
    let parts = words.split(|w| matches!(w.low.as_str(), "," | "and" | "&" | "，"));
    parts.filter(|p| !p.is_empty()).collect()
}

/// One step, or one for each name of a list.
pub(super) fn over_list(cx: &Cx<'_>, rest: &[Word], purpose: Purpose, make: &dyn Fn(Wanted) -> Step) -> Option<Step> {
    if let Some(counted) = counted_each(cx, rest, purpose) {
        let read = |text: &String| {
            let one = Cx { text, quotes: cx.quotes };
            target(&one, &english::words(text), purpose).map(make)
        };
        return patterns::each(None, counted.iter().map(read).collect::<Option<Vec<_>>>()?);
    }
    let whole = target(cx, rest, purpose).map(make);
    let mut names = rest;
    let mut role: Option<RoleWord> = None;
    if let Some(n) = english::plural_lead(rest) {
        let kind = english::read_words(cx.text, cx.quotes, &rest[..n], purpose)?;
        role = kind_of_plural(&kind.words)
            .map(|r| if r == RoleWord::Checkbox && purpose != Purpose::Toggle { RoleWord::Any } else { r });
        names = &rest[n..];
    }
    let mut parts = list(names);
    if parts.len() < 2 {
        return if role.is_some() { None } else { whole };
    }
    // `the A and B checkboxes`
    if role.is_none()
        && let Some(last) = parts.last().copied()
        && last.len() > 1
        && let Some(found) = last.last().and_then(|w| kind_of_plural(&w.low))
    {
        role = Some(found);
        let end = parts.len() - 1;
        parts[end] = &last[..last.len() - 1];
    }
    let mut steps = Vec::new();
    for part in parts {
        let mut one = target(cx, part, purpose)?;
        if role.is_some() && one.role.is_none() {
            one = Wanted { role, or: None, ..one };
        }
        steps.push(make(one));
    }
    patterns::each(whole, steps)
}

/// `the first and the third mail in the list`: one description for each number, which share the noun and the place.
fn counted_each(cx: &Cx<'_>, rest: &[Word], purpose: Purpose) -> Option<Vec<String>> {
    const NUMBERS: &[&str] = &[
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "last", "1st",
        "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th",
    ];
    let boxes = ["the checkboxes of", "the checkboxes in", "the checkboxes for", "the boxes of", "the boxes in"];
    let skip = boxes.iter().find_map(|b| starts(rest, b)).filter(|_| purpose == Purpose::Toggle).unwrap_or(0);
    let mut numbers: Vec<&str> = Vec::new();
    let mut at = skip;
    while let Some(word) = rest.get(at) {
        match word.low.as_str() {
            "the" | "," | "and" | "&" => {}
            low if NUMBERS.contains(&low) => numbers.push(low),
            _ => break,
        }
        at += 1;
    }
    let noun = rest.get(at).filter(|w| !w.is_quote() && numbers.len() > 1)?;
    let singular = match noun.low.as_str() {
        "entries" => "entry",
        low if ["boxes", "checkboxes"].contains(&low) => low.strip_suffix("es")?,
        low if low.ends_with('s') && !low.ends_with("ss") => low.strip_suffix('s')?,
        _ => &cx.text[noun.start..noun.end],
    };
    let tail = &cx.text[noun.end..rest.last()?.end];
    Some(numbers.iter().map(|n| format!("the {n} {singular}{tail}")).collect())
}

pub(super) fn kind_of_plural(word: &str) -> Option<RoleWord> {
    let low = word.to_lowercase();
    let last = low.rsplit(' ').next()?;
    let singular = last.strip_suffix("es").filter(|s| s.ends_with("box")).or(last.strip_suffix('s'))?;
    Some(match singular {
        "button" => RoleWord::Button,
        "link" => RoleWord::Link,
        "tab" => RoleWord::Tab,
        "checkbox" | "box" => RoleWord::Checkbox,
        "option" => RoleWord::Option,
        "radio" => RoleWord::Radio,
        "switch" | "toggle" => RoleWord::Switch,
        "item" => RoleWord::Any,
        _ => return None,
    })
}

/// `select Germany from the Country list`, `choose Large`, `select 5 with the slider`.
pub(super) fn select(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    if rest.is_empty() {
        return Err(Why::new());
    }
    let mut readings = Vec::new();
    let mut lead = None;
    for at in 1..rest.len() {
        let tail = &rest[at..];
        let Some((used, word)) =
            ["from", "in", "inside", "under", "on", "within", "for", "as", "with", "using", "out of", "of"]
                .iter()
                .find_map(|p| starts(tail, p).map(|n| (n, *p)))
        else {
            continue;
        };
        // `from the menu that opens`: what is open then is where the option is.
        if opens(&tail[used..]) && matches!(word, "from" | "in" | "on" | "out of") {
            let option = target(cx, &rest[..at], Purpose::Choose).ok_or(Why::from(messages::UNSURE))?;
            return Ok(Step::Choose { option, list: None }.into());
        }
        let (Some(option), Some(list)) =
            (target(cx, &rest[..at], Purpose::Choose), target(cx, &tail[used..], Purpose::Choose))
        else {
            continue;
        };
        if matches!(word, "with" | "using") {
            let set = Step::Set {
                target: list.for_purpose(Purpose::Type),
                value: value(cx, &rest[..at]),
                quoted: rest[0].is_quote(),
            };
            readings.push(set);
            continue;
        }
        readings.push(Step::Choose { option, list: Some(list) });
        lead = Some("select".to_owned());
        // `from` cannot mean anything else.
        if word == "from" {
            break;
        }
    }
    let sure = matches!(readings.as_slice(), [Step::Choose { .. }]) && find(rest, "from").is_some();
    if !sure {
        let make = |option: Wanted| Step::Choose { option, list: None };
        readings.extend(over_list(cx, without_aim(rest), Purpose::Choose, &make));
    }
    let step = patterns::either(readings).ok_or(Why::from(messages::UNSURE))?;
    Ok(Parsed { step, lead, declared: false })
}

/// `the menu that opens`, `the list that appears`: no name, only that it has come.
fn opens(words: &[Word]) -> bool {
    let low: Vec<&str> = words.iter().filter(|w| !w.is_sign()).map(|w| w.low.as_str()).collect();
    let comes = [
        "open",
        "appear",
        "opened",
        "appeared",
        "drop down",
        "pop up",
        "show up",
        "come up",
        "is shown",
        "are shown",
        "unfold",
    ];
    let Some(at) = low.iter().position(|w| matches!(*w, "that" | "which")).filter(|at| *at > 1) else { return false };
    let kinds = [
        "the",
        "a",
        "menu",
        "list",
        "popup",
        "dropdown",
        "drop-down",
        "options",
        "context",
        "suggestions",
        "suggestion",
        "results",
        "choices",
        "box",
    ];
    let verb = low[at + 1..].iter().map(|w| if *w == "is" { w } else { w.strip_suffix('s').unwrap_or(w) });
    comes.contains(&verb.collect::<Vec<_>>().join(" ").as_str()) && low[..at].iter().all(|w| kinds.contains(w))
}

/// `check Remember me`; `check that …` is a check.
pub(super) fn tick(cx: &Cx<'_>, rest: &[Word], on: bool) -> Result<Parsed, Why> {
    if on && let Some(step) = check_en::read_if_statement(cx.text, cx.quotes, rest) {
        return Ok(Parsed { step, lead: Some("verify that".to_owned()), declared: false });
    }
    let mut rest = rest;
    // `tick it off`
    if on && let Some(at) = ends(rest, "off").filter(|at| *at > 0) {
        rest = &rest[..at];
    }
    if let Some(at) = ends(rest, "as done").or(ends(rest, "as completed")).or(ends(rest, "as complete")) {
        rest = &rest[..at];
    }
    let make = |target: Wanted| Step::Toggle { target, on: Some(on) };
    over_list(cx, without_aim(rest), Purpose::Toggle, &make).map(Parsed::from).ok_or(Why::from(messages::UNSURE))
}

/// `turn X off`, `turn on X`.
pub(super) fn turn(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    // `switch the theme to Dark`
    if let Some((at, _)) = find(rest, "to")
        && at > 0
        && at + 1 < rest.len()
        && !rest.iter().any(|w| matches!(w.low.as_str(), "on" | "off"))
    {
        return super::typing::read(cx, super::Verb::Set, rest, rest);
    }
    let (words, on) = match rest {
        [first, tail @ ..] if matches!(first.low.as_str(), "on" | "off") => (tail, first.low == "on"),
        [head @ .., last] if matches!(last.low.as_str(), "on" | "off") => (head, last.low == "on"),
        _ => return Err(Why::new()),
    };
    tick(cx, words, on).and_then(|p| if matches!(p.step, Step::Verify { .. }) { Err(Why::new()) } else { Ok(p) })
}

pub(super) fn flip(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    if rest.iter().any(|w| matches!(w.low.as_str(), "on" | "off"))
        && let Ok(parsed) = turn(cx, rest)
    {
        return Ok(parsed);
    }
    if starts(rest, "to").is_some() {
        return click(cx, &rest[1..], Press::Once);
    }
    let target = target(cx, rest, Purpose::Toggle).ok_or(Why::from(messages::UNSURE))?;
    Ok(Step::Toggle { target, on: None }.into())
}

/// `mark X as done`.
pub(super) fn mark(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    if let Some((at, end)) = find(rest, "as") {
        let state: Vec<&str> = rest[end..].iter().map(|w| w.low.as_str()).collect();
        let on = match state.join(" ").as_str() {
            "done" | "complete" | "completed" | "finished" | "checked" => true,
            "not done" | "incomplete" | "undone" | "uncompleted" | "active" | "unchecked" | "not completed"
            | "open" => false,
            _ => return Err(Why::from(messages::MARK_UNREAD)),
        };
        return tick_only(cx, &rest[..at], on);
    }
    tick_only(cx, rest, true)
}

pub(super) fn tick_only(cx: &Cx<'_>, rest: &[Word], on: bool) -> Result<Parsed, Why> {
    let make = |target: Wanted| Step::Toggle { target, on: Some(on) };
    over_list(cx, rest, Purpose::Toggle, &make).map(Parsed::from).ok_or(Why::from(messages::UNSURE))
}

/// `sort by "Price: low to high"`: an option of the list for it, or what is called so.
pub(super) fn sort(cx: &Cx<'_>, body: &[Word], rest: &[Word]) -> Result<Parsed, Why> {
    let option = target(cx, rest, Purpose::Choose).ok_or(Why::from(messages::UNSURE))?;
    let list = Wanted::named(if body[0].low == "filter" { "filter" } else { "sort" }, Purpose::Choose);
    let listed = Step::Choose { option: option.clone(), list: Some(list) };
    let step = patterns::either(vec![listed, Step::Choose { option, list: None }]);
    step.map(Parsed::from).ok_or(Why::from(messages::UNSURE))
}
