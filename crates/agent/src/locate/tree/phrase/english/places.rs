//! Where it is: `X in the row of "Alice"`, `X next to Y`, `X under the heading Z`.

use super::names::name_of;
use super::numbers::leading_ordinal;
use super::owners::refers;
use super::words::{Word, ends, starts, trim};
use super::{Cx, head, sides, target};
use crate::locate::tree::phrase::nouns::ENGLISH_ITEMS;
use crate::locate::tree::phrase::quotes::Quotes;
use crate::locate::tree::phrase::{REFERENT, append};
use crate::locate::tree::{Purpose, Relation, RoleWord, Wanted};

/// What may stand between an element and where it is. Longer ones first.
const RELATIONS: &[(&str, Relation)] = &[
    ("to the right of", Relation::RightOf),
    ("on the right of", Relation::RightOf),
    ("on the right side of", Relation::RightOf),
    ("right of", Relation::RightOf),
    ("to the left of", Relation::LeftOf),
    ("on the left of", Relation::LeftOf),
    ("on the left side of", Relation::LeftOf),
    ("left of", Relation::LeftOf),
    ("right next to", Relation::NextTo),
    ("next to", Relation::NextTo),
    ("adjacent to", Relation::NextTo),
    ("close to", Relation::NextTo),
    ("beside", Relation::NextTo),
    ("near", Relation::NextTo),
    ("above", Relation::Above),
    ("below", Relation::Below),
    ("beneath", Relation::Below),
    ("underneath", Relation::Below),
];

pub(super) const HOLDING: &[&str] = &[
    "inside of",
    "inside",
    "within",
    "in",
    "on",
    "from",
    "at",
    "under",
    "of",
    "belonging to",
    "associated with",
    "for",
    "with",
    "containing",
];

/// `the message from Vercel`, `the task about tea`: one thing, known by what it says.
fn item_by_name(cx: &Cx<'_>, front: &[Word], rest: &[Word]) -> Option<Wanted> {
    const LEADS: &[&str] = &["from", "by", "about", "with", "containing", "for", "of"];
    let [noun] = trim(front) else { return None };
    if !ENGLISH_ITEMS.contains(&noun.low.as_str()) || matches!(noun.low.as_str(), "one" | "row") {
        return None;
    }
    let used = LEADS.iter().find_map(|p| starts(rest, p))?;
    let name = name_of(cx, trim(&rest[used..]), None)?;
    Some(Wanted { role: Some(RoleWord::Item), ..name })
}

/// The reading that takes the words from `at` on as a place.
pub(super) fn split(cx: &Cx<'_>, words: &[Word], at: usize) -> Vec<Wanted> {
    let rest = &words[at..];
    if let Some(item) = item_by_name(cx, &words[..at], rest) {
        return vec![item];
    }
    let hold = Cx { purpose: Purpose::Hold, ..*cx };
    let read = Cx { purpose: Purpose::Read, ..*cx };
    let mut out = Vec::new();
    let Some(one) = head(cx, &words[..at]) else { return out };
    if let Some((used, relation)) = RELATIONS.iter().find_map(|(p, r)| starts(rest, p).map(|n| (n, *r))) {
        if let Some(anchor) = target(&read, &rest[used..]) {
            out.push(Wanted { near: Some((relation, Box::new(anchor))), ..one });
        }
        return out;
    }
    let located = ["in", "on", "at"].iter().find_map(|p| starts(rest, p)).and_then(|n| sides::behind(&rest[n..]));
    if let Some((side, part)) = located {
        let there = sides::on_side(one, side);
        if part.is_empty() || is_whole_page(trim(part)) {
            out.push(there);
        } else if let Some(part) = holder(&hold, part) {
            out.push(Wanted { within: Some(Box::new(part)), ..there });
        }
        return out;
    }
    let Some((preposition, used)) = HOLDING.iter().find_map(|p| starts(rest, p).map(|n| (*p, n))) else { return out };
    let place = if refers(&rest[used..]) { &rest[used..] } else { trim(&rest[used..]) };
    if place.is_empty() {
        return out;
    }
    match preposition {
        "with" | "containing" => {
            // `the row with Alice`: what the element says, not where it is.
            if matches!(one.role, Some(RoleWord::Item | RoleWord::Row))
                && one.words.is_empty()
                && let Some(name) = name_of(cx, place, None)
            {
                out.push(Wanted { words: name.words, quoted: name.quoted, ..one });
            }
        }
        "for" | "of" | "belonging to" | "associated with" => {
            let anchor = holder(&hold, place);
            let counted = one.ordinal.is_some();
            if let Some(anchor) = anchor {
                let is_place = anchor.role.is_some() || anchor.ordinal.is_some();
                let near = Wanted { near: Some((Relation::For, Box::new(anchor.clone()))), ..one.clone() };
                if preposition == "of" && (counted || is_place) {
                    out.push(Wanted { within: Some(Box::new(anchor)), ..one.clone() });
                }
                out.push(near);
            }
        }
        "under" => {
            if let Some(place_wanted) = holder(&hold, place) {
                out.push(Wanted { within: Some(Box::new(place_wanted)), ..one.clone() });
            }
            if let Some(anchor) = target(&read, place) {
                out.push(Wanted { near: Some((Relation::Below, Box::new(anchor))), ..one });
            }
        }
        _ => {
            if is_whole_page(place) {
                out.push(one);
            } else if let Some(place_wanted) = holder(&hold, place) {
                out.push(Wanted { within: Some(Box::new(place_wanted)), ..one });
            }
        }
    }
    out
}

/// `the Settings page`, `the site`: no part of the page but all of it.
fn is_whole_page(place: &[Word]) -> bool {
    place.last().is_some_and(|w| {
        matches!(w.low.as_str(), "page" | "screen" | "site" | "website" | "webpage" | "window" | "app" | "form")
    }) && (place.len() == 1 || place.last().is_some_and(|w| matches!(w.low.as_str(), "page" | "screen")))
}

/// A place that holds elements.
pub(crate) fn read_place(marked: &str, quotes: &Quotes, words: &[Word]) -> Option<Wanted> {
    let words = trim(words);
    if is_whole_page(words) {
        return None;
    }
    holder(&Cx { marked, quotes, purpose: Purpose::Hold }, words)
}

/// Whether the words say no more than `on this page`.
pub(crate) fn says_page(words: &[Word]) -> bool {
    is_whole_page(trim(words))
}

/// `the dialog that pops up`: the dialog.
fn without_arrival(words: &[Word]) -> &[Word] {
    const COMES: &[&str] = &[
        "opens",
        "opened",
        "appears",
        "appeared",
        "pops up",
        "popped up",
        "comes up",
        "came up",
        "shows up",
        "is shown",
    ];
    let at = (1..words.len().saturating_sub(1)).find(|&i| {
        matches!(words[i].low.as_str(), "that" | "which")
            && COMES.iter().any(|c| starts(&words[i + 1..], c) == Some(words.len() - i - 1))
    });
    at.map_or(words, |at| &words[..at])
}

fn holder(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    if refers(words) {
        return Some(Wanted { role: Some(RoleWord::Row), ..Wanted::named(REFERENT, cx.purpose) });
    }
    let words = without_arrival(trim(words));
    // `the end of that row`: a part of it that only says where in it.
    for edge in [
        "end of",
        "right end of",
        "left end of",
        "beginning of",
        "start of",
        "far right of",
        "right side of",
        "left side of",
        "right of",
        "left of",
        "bottom of",
        "top of",
        "right edge of",
        "far end of",
        "corner of",
        "top right corner of",
        "top right of",
        "bottom right of",
    ] {
        if let Some(used) = starts(words, edge)
            && used < words.len()
        {
            return holder(cx, &words[used..]);
        }
    }
    let row = |name: &[Word]| {
        let name = name_of(cx, name, None)?;
        Some(Wanted { role: Some(RoleWord::Row), ..name })
    };
    let nested = |name: &[Word]| -> Option<Wanted> {
        // `the row of Alice in the Users table`: the last place is the outer one.
        let at = (1..name.len()).find(|&i| matches!(name[i].low.as_str(), "in" | "inside" | "within"))?;
        let outer = holder(cx, &name[at + 1..])?;
        Some(Wanted { within: Some(Box::new(outer)), ..row(&name[..at])? })
    };
    for lead in [
        "row of",
        "row for",
        "row with the text",
        "row with the name",
        "row with",
        "row containing",
        "row that contains",
        "row that says",
        "row where the name is",
        "row labeled",
        "row labelled",
        "row named",
        "row called",
        "row whose name is",
        "row saying",
        "same row as",
        "line of",
        "line for",
        "line with",
        "line containing",
        "card of",
        "card for",
        "card with",
        "card containing",
        "entry for",
        "entry of",
        "item named",
        "item called",
        "item with the text",
        "item with the name",
        "item with",
        "item containing",
        "record of",
        "record for",
        "row for the",
        "item for",
        "section for",
    ] {
        if let Some(used) = starts(words, lead) {
            let name = trim(&words[used..]);
            let plain = row(name);
            return match (nested(name), plain) {
                (Some(nested), Some(plain)) => Some(append(nested, Some(plain))),
                (nested, plain) => nested.or(plain),
            };
        }
    }
    for end in ["row", "line", "card", "entry", "item", "record"] {
        if let Some(at) = ends(words, end)
            && at > 0
            && leading_ordinal(words).is_none()
        {
            let name = match &words[at - 1] {
                w if w.low == "'s" => &words[..at - 1],
                _ => &words[..at],
            };
            if let [.., last] = name
                && let Some(bare) = last.low.strip_suffix("'s")
            {
                let end = last.start + bare.len();
                let text = cx.marked[name[0].start..end].trim();
                return Some(Wanted { role: Some(RoleWord::Row), ..Wanted::named(text, cx.purpose) });
            }
            return row(name);
        }
    }
    target(cx, words)
}
