//! What something says or holds: `X says V`, `the title contains V`, `the list has 3 items`.

use super::counts::plural;
use super::endings::OBJECTS;
use super::presence::denial;
use super::{Cx, named, starts};
use crate::locate::tree::phrase::english::{self, Word};
use crate::locate::tree::{Purpose, RoleWord, Wanted};
use crate::plan::reflex::grammar::values::number;
use crate::plan::reflex::step::{Check, Says, Subject};

fn value(cx: &Cx<'_>, words: &[Word]) -> Option<String> {
    let words = match words {
        [first, rest @ ..] if first.low == "the" && !rest.is_empty() => rest,
        all => all,
    };
    let words = ["text", "word", "message", "value", "words"]
        .iter()
        .find_map(|p| starts(words, p).filter(|n| *n < words.len()).map(|n| &words[n..]))
        .unwrap_or(words);
    let (first, last) = (words.first()?, words.last()?);
    let text = cx.quotes.value(&cx.text[first.start..last.end]);
    let quotes = words.iter().filter(|w| w.is_quote()).count();
    (!text.trim().is_empty() && (quotes == 0 || words.len() == 1)).then_some(text)
}

/// `X says V`.
pub(super) fn object(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let mut first: Option<(usize, usize, bool)> = None;
    for at in 1..words.len() {
        let verb = OBJECTS
            .iter()
            .filter_map(|(v, whole)| starts(&words[at..], v).map(|n| (at, n, *whole)))
            .max_by_key(|v| v.1);
        if verb.is_some() {
            first = verb;
            break;
        }
    }
    let (at, n, whole) = first?;
    let (front, mut denied) = denial(&words[..at]);
    let mut object = &words[at + n..];
    if let [no, rest @ ..] = object
        && no.low == "not"
    {
        object = rest;
        denied = !denied;
    }
    let front: &[Word] = match front {
        [rest @ .., be] if matches!(be.low.as_str(), "is" | "are") => rest,
        all => all,
    };
    if let [count, rest @ ..] = object
        && matches!(words[at].low.as_str(), "has" | "contains" | "have" | "shows")
        && let Some(n) = number(&count.low).filter(|_| !matches!(count.low.as_str(), "a" | "an"))
        && let Some(counted) = plural(cx, rest)
    {
        let holder = english::read_place(cx.text, cx.quotes, front);
        let counted = holder.map_or(counted.clone(), |h| counted.inside(&h));
        return Some(Check { subject: Subject::Element(counted), says: Says::Count(n), negated: denied });
    }
    // `Bob is in team Red` speaks of a place, which is no text that Bob could have.
    let places = [
        "in", "at", "on", "under", "of", "from", "inside", "within", "above", "below", "behind", "before", "after",
        "next",
    ];
    let be = matches!(words[at].low.as_str(), "is" | "are" | "be" | "should" | "must");
    if be && object.first().is_some_and(|w| places.contains(&w.low.as_str())) {
        return None;
    }
    let text = value(cx, object)?;
    let page = subject_of_page(front);
    // `the page shows a Save button` speaks of an element, `the page shows "Saved"` of a text.
    if matches!(page, Some(Subject::Page)) && !object.iter().any(Word::is_quote) {
        let shown = named(cx, object, Purpose::Read)?;
        return Some(Check { subject: Subject::Element(shown), says: Says::Shown, negated: denied });
    }
    let subject = match page {
        Some(page) => page,
        None => Subject::Element(named(cx, front, Purpose::Read)?),
    };
    // A row says many things; what is said of it is one of them.
    let of_row = matches!(&subject, Subject::Element(w) if row_like(w));
    let whole = whole && !of_row && !matches!(subject, Subject::Page);
    let says = if whole { Says::Equals(text) } else { Says::Contains(text) };
    Some(Check { subject, says, negated: denied })
}

fn row_like(wanted: &Wanted) -> bool {
    let here = matches!(wanted.role, Some(RoleWord::Row | RoleWord::Item | RoleWord::Section | RoleWord::Dialog));
    here || wanted.or.as_deref().is_some_and(row_like)
}

fn subject_of_page(words: &[Word]) -> Option<Subject> {
    let low: Vec<&str> = words
        .iter()
        .map(|w| w.low.as_str())
        .filter(|w| !matches!(*w, "the" | "this" | "that" | "current" | "of"))
        .collect();
    Some(match low.as_slice() {
        ["page" | "screen" | "it" | "site"] => Subject::Page,
        ["title"] | ["page" | "window" | "tab", "title"] | ["title", "page"] => Subject::Title,
        ["url" | "address"] | ["page", "url"] | ["url", "page"] => Subject::Address,
        _ => return None,
    })
}
