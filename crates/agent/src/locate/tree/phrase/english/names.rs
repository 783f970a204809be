//! The kind of an element and its name: `the Save button`, `a field labelled "Email"`.

use super::numbers::trailing_number;
use super::words::{Word, ends, starts, trim};
use super::{Cx, slice};
use crate::locate::tree::phrase::nouns::{ENGLISH, ENGLISH_ITEMS, ENGLISH_PARTS};
use crate::locate::tree::phrase::role_for;
use crate::locate::tree::{Ordinal, Purpose, RoleWord, Wanted};

pub(super) fn plural_end(words: &[Word]) -> bool {
    let singular = |w: &Word| [w.low.strip_suffix('s'), w.low.strip_suffix("es")].into_iter().flatten().any(is_noun);
    words.last().is_some_and(singular)
}

pub(super) fn is_noun(word: &str) -> bool {
    ENGLISH.iter().any(|(n, _)| *n == word) || ENGLISH_ITEMS.contains(&word) || word == "box"
}

/// How a name is led in behind a kind.
pub(super) const LEAD_INS: &[&str] = &[
    "labeled",
    "labelled",
    "named",
    "called",
    "titled",
    "entitled",
    "marked",
    "saying",
    "reading",
    "that says",
    "that reads",
    "which says",
    "which reads",
    "with the text",
    "with text",
    "with the label",
    "with label",
    "with the name",
    "with name",
    "with the title",
    "with title",
    "with the caption",
    "with the words",
    "with the word",
    "with the placeholder",
    "with placeholder",
    "with the value",
    "containing the text",
    "containing",
    "that contains",
    "that is labeled",
    "that is called",
    "labeled as",
    "labelled as",
    "with",
    "showing",
    "whose name is",
    "whose text is",
    "whose label is",
    "for",
];

/// Kind and name.
pub(super) fn named(cx: &Cx<'_>, words: &[Word], counted: bool) -> Option<Wanted> {
    let words = trim(words);
    if words.is_empty() {
        return counted.then(|| Wanted { role: Some(RoleWord::Item), ..Wanted::named("", cx.purpose) });
    }
    let make = |name: &[Word], role: Option<RoleWord>| name_of(cx, name, role.map(|r| role_for(r, cx.purpose)));
    if let Some(part) = ENGLISH_PARTS.iter().find(|p| starts(words, p) == Some(words.len())) {
        return Some(Wanted { role: Some(RoleWord::Navigation), ..Wanted::named(*part, cx.purpose) });
    }
    // `button labelled "X"`, `item called X`.
    if let Some((role, used)) = leading_kind(words, true) {
        let rest = &words[used..];
        for lead in LEAD_INS {
            // `for` and `with` lead in a name only when it is quoted; else they may say where the element is.
            let Some(n) = starts(rest, lead) else { continue };
            let name = trim(&rest[n..]);
            if (matches!(*lead, "for" | "with")) && !(name.len() == 1 && name[0].is_quote()) {
                continue;
            }
            if !name.is_empty() {
                return make(name, Some(role));
            }
        }
        // `button "X"`, `button ONE`, `field X`.
        let named = role != RoleWord::Item && trailing_kind(cx, words, counted).is_none();
        if !rest.is_empty() && (rest[0].is_quote() || named) {
            if rest.len() == 1
                && let Some((n, 0)) = trailing_number(rest)
            {
                return Some(Wanted {
                    ordinal: Some(Ordinal::Nth(n)),
                    role: Some(role_for(role, cx.purpose)),
                    ..Wanted::named("", cx.purpose)
                });
            }
            return make(rest, Some(role));
        }
    }
    if let Some((role, at)) = trailing_kind(cx, words, counted) {
        if at == 0 {
            return Some(Wanted { role: Some(role_for(role, cx.purpose)), ..Wanted::named("", cx.purpose) })
                .map(|w| if role == RoleWord::Search { Wanted { words: "search".into(), ..w } } else { w });
        }
        // `the contact Ann in the list`: that is a place.
        let joint = |w: &Word| matches!(w.low.as_str(), "in" | "on" | "of" | "from" | "under" | "inside");
        let placed = words[..at].windows(2).any(|w| joint(&w[0]) && w[1].low == "the" && !is_quoted(&words[..at]));
        if placed || matches!(words[at - 1].low.as_str(), "the" | "in" | "on" | "of" | "this" | "that") {
            return None;
        }
        return make(&words[..at], Some(role));
    }
    if let Some((n, at)) = trailing_number(words)
        && let Some((role, 0)) = trailing_kind(cx, &words[..at], true)
    {
        // Nobody counts so far: `ticket 102` is called so.
        if n > 20 && role == RoleWord::Item {
            return make(&words[at..], Some(role));
        }
        return Some(Wanted {
            ordinal: Some(Ordinal::Nth(n)),
            role: Some(role_for(role, cx.purpose)),
            ..Wanted::named("", cx.purpose)
        });
    }
    if plural_kind(words) {
        return None;
    }
    make(words, None)
}

/// A name: one quoted text, or plain words without any.
pub(super) fn name_of(cx: &Cx<'_>, words: &[Word], role: Option<RoleWord>) -> Option<Wanted> {
    let words = trim(words);
    let plain = Wanted { role, ..Wanted::named("", cx.purpose) };
    if let [one] = words
        && one.is_quote()
    {
        let inner = cx.quotes.only(&one.low)?;
        return Some(Wanted { words: inner.trim().to_owned(), quoted: true, ..plain });
    }
    if words.is_empty() || words.iter().any(Word::is_quote) {
        return None;
    }
    Some(Wanted { words: slice(cx, words).to_owned(), ..plain })
}

fn leading_kind(words: &[Word], items: bool) -> Option<(RoleWord, usize)> {
    let nouns = ENGLISH.iter().filter_map(|(n, r)| starts(words, n).map(|used| (*r, used)));
    let longest = nouns.max_by_key(|(_, used)| *used);
    // `the box that says "X"`
    let boxed = || {
        let led = words.get(1).is_some_and(|w| {
            matches!(
                w.low.as_str(),
                "that" | "which" | "labelled" | "labeled" | "saying" | "called" | "named" | "marked" | "with"
            )
        });
        (led && words[0].low == "box").then_some((RoleWord::Field, 1))
    };
    longest.or_else(boxed).or_else(|| {
        let item = ENGLISH_ITEMS.iter().find_map(|n| starts(words, n).map(|used| (RoleWord::Item, used)));
        item.filter(|_| items && words.len() > 1)
    })
}

/// A kind at the end: its role and where it begins.
pub(super) fn trailing_kind(cx: &Cx<'_>, words: &[Word], counted: bool) -> Option<(RoleWord, usize)> {
    let nouns = ENGLISH.iter().filter_map(|(n, r)| ends(words, n).map(|at| (*r, at)));
    let longest = nouns.min_by_key(|(_, at)| *at);
    // A box or a spinner is a field to type into, a box to tick or a picture that turns.
    let wide = || {
        let at = ends(words, "box").or_else(|| ends(words, "spinner").filter(|_| cx.purpose == Purpose::Type))?;
        Some((if cx.purpose == Purpose::Type { RoleWord::Field } else { RoleWord::Any }, at))
    };
    longest.or_else(wide).or_else(|| {
        let at = ENGLISH_ITEMS.iter().find_map(|n| ends(words, n))?;
        let after_quote = at > 0 && words[at - 1].is_quote();
        let common = words
            .last()
            .is_some_and(|w| matches!(w.low.as_str(), "item" | "row" | "entry" | "card" | "product" | "task" | "todo"));
        (counted || after_quote || (common && at > 0)).then_some((RoleWord::Item, at))
    })
}

/// `the buttons`: several elements, which is no description of one.
fn plural_kind(words: &[Word]) -> bool {
    words.len() <= 2 && plural_end(words) && words.iter().all(|w| !w.is_quote())
}

fn is_quoted(words: &[Word]) -> bool {
    words.iter().any(Word::is_quote)
}
