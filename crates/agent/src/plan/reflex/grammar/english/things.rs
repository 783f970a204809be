//! Clauses about a whole thing: clearing, uploading, closing, deleting, adding, searching.

use super::super::values::file;
use super::choosing::list;
use super::{Cx, Parsed, Why, Word, patterns, slice, starts, target, value};
use crate::locate::tree::Purpose;
use crate::locate::tree::phrase::english;
use crate::plan::reflex::messages;
use crate::plan::reflex::step::Step;

pub(super) fn clear(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let mut words = rest;
    for lead in [
        "the text in",
        "the text from",
        "the text of",
        "the contents of",
        "the content of",
        "the value of",
        "the text inside",
        "out",
        "all text in",
        "all the text in",
    ] {
        if let Some(n) = starts(words, lead) {
            words = &words[n..];
        }
    }
    let low: Vec<&str> = words.iter().map(|w| w.low.as_str()).collect();
    if matches!(low.as_slice(), ["it" | "field"] | ["the", "field" | "input" | "box" | "text"]) {
        return Ok(Step::Clear { field: None }.into());
    }
    if words.is_empty() {
        return Err(Why::new());
    }
    let field = target(cx, words, Purpose::Type).ok_or(Why::from(messages::UNSURE))?;
    Ok(Step::Clear { field: Some(field) }.into())
}

pub(super) fn upload(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let mut words = rest;
    for lead in ["the file", "a file", "file", "the document", "the picture", "the image"] {
        if let Some(n) = starts(words, lead) {
            words = &words[n..];
            break;
        }
    }
    let file_of = |words: &[Word]| {
        if words.first().is_some_and(Word::is_quote) && words.len() == 1 {
            Some(value(cx, words))
        } else {
            file(slice(cx, words))
        }
    };
    for at in 1..words.len() {
        let joint = ["into", "to", "in", "using", "with", "via", "through", "as", "on"]
            .iter()
            .find_map(|j| starts(&words[at..], j));
        if let Some(n) = joint
            && let (Some(file), Some(to)) = (file_of(&words[..at]), target(cx, &words[at + n..], Purpose::Upload))
        {
            return Ok(Step::Upload { files: vec![file], to: Some(to) }.into());
        }
    }
    let file = file_of(words).ok_or(Why::from(messages::NO_FILE))?;
    Ok(Step::Upload { files: vec![file], to: None }.into())
}

pub(super) fn close(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let low: Vec<&str> =
        rest.iter().map(|w| w.low.as_str()).filter(|w| !matches!(*w, "the" | "this" | "current" | "browser")).collect();
    if matches!(low.as_slice(), ["tab" | "window" | "page"]) && !rest.is_empty() {
        return Ok(Step::CloseTab.into());
    }
    let target = target(cx, rest, Purpose::Hold).ok_or(Why::from(messages::UNSURE))?;
    Ok(Step::Close { target }.into())
}

/// `delete X`, `remove X from the cart`.
pub(super) fn delete(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    for lead in [
        "the text in",
        "the text from",
        "the contents of",
        "the content of",
        "the value of",
        "the text of",
        "all text in",
        "all the text in",
    ] {
        if starts(rest, lead).is_some() {
            return clear(cx, rest);
        }
    }
    operate(cx, "delete", rest)
}

pub(super) fn operate(cx: &Cx<'_>, control: &str, rest: &[Word]) -> Result<Parsed, Why> {
    const BULK: &[&str] = &[
        "all",
        "every",
        "each",
        "everything",
        "both",
        "any",
        "these",
        "those",
        "them",
        "anything",
        "several",
        "multiple",
        "some",
        "completed",
    ];
    let refuse = || Why::from(messages::BULK);
    let first = rest.iter().find(|w| !matches!(w.low.as_str(), "the" | "my")).ok_or(Why::new())?;
    if BULK.contains(&first.low.as_str())
        || english::plural_lead(rest).is_some()
        || list(rest).len() > 1 && !rest.iter().any(Word::is_quote)
    {
        return Err(refuse());
    }
    let thing = target(cx, rest, Purpose::Point).ok_or_else(refuse)?;
    Ok(patterns::operate(control, thing).into())
}

/// `add X to the cart`.
pub(super) fn add(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    for at in 1..rest.len() {
        let joint = ["into", "to", "in"].iter().find_map(|j| starts(&rest[at..], j));
        if let Some(n) = joint
            && patterns::is_cart(slice(cx, &rest[at + n..]))
        {
            return operate(cx, "add to cart", &rest[..at]);
        }
    }
    // `add Eggs to the New item field`: there it is typed.
    if let Some(at) = rest.iter().position(|w| matches!(w.low.as_str(), "to" | "into" | "in"))
        && at > 0
        && rest.last().is_some_and(|w| matches!(w.low.as_str(), "field" | "box" | "input" | "textbox"))
        && let Some(into) = target(cx, &rest[at + 1..], Purpose::Type)
        && (at == 1 || !rest[..at].iter().any(Word::is_quote))
    {
        return Ok(Step::Type { text: value(cx, &rest[..at]), into: Some(into), append: true }.into());
    }
    super::composed::add_to_list(cx, rest).map(Parsed::from).ok_or(Why::from(messages::ADD_WHAT))
}

pub(super) fn search(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let words = starts(rest, "for").map_or(rest, |n| &rest[n..]);
    if words.is_empty() {
        return Err(Why::new());
    }
    // `search the articles for "invoice"`: what is searched is what the page has a field for.
    if let [thing @ .., by, text] = words
        && by.low == "for"
        && text.is_quote()
        && !thing.iter().any(Word::is_quote)
    {
        return Ok(Step::Search { text: value(cx, std::slice::from_ref(text)), field: None }.into());
    }
    for at in 1..words.len() {
        let joint = ["using", "in", "with", "on"].iter().find_map(|j| starts(&words[at..], j));
        if let Some(n) = joint
            && let Some(field) = target(cx, &words[at + n..], Purpose::Type)
        {
            if words[0].is_quote() && at == 1 {
                return Ok(Step::Search { text: value(cx, &words[..at]), field: Some(field) }.into());
            }
            return Err(Why::from(messages::SEARCH_PLACE));
        }
    }
    if matches!(words[0].low.as_str(), "the" | "a" | "an" | "all" | "some" | "any" | "every" | "cheap" | "cheapest") {
        return Err(Why::from(messages::SEARCH_DESCRIBED));
    }
    if words.iter().any(Word::is_quote) && words.len() > 1 {
        return Err(Why::new());
    }
    Ok(Step::Search { text: value(cx, words), field: None }.into())
}
