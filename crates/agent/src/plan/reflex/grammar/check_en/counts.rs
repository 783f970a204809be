//! How many there are: `3 items are left`, `there are no rows in the table`.

use super::{Cx, ends, starts, subject};
use crate::locate::tree::phrase::english::{self, Word};
use crate::locate::tree::{Purpose, RoleWord, Wanted};
use crate::plan::reflex::grammar::values::number;
use crate::plan::reflex::step::{Check, Says, Subject};

/// `3 items are left`, `only 2 rows remain`.
pub(super) fn counted(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let words = starts(words, "only").or(starts(words, "exactly")).map_or(words, |n| &words[n..]);
    let (first, rest) = words.split_first()?;
    let n = number(&first.low).filter(|_| !first.is_quote() && !matches!(first.low.as_str(), "a" | "an"))?;
    let end = [
        "remain",
        "remains",
        "are left",
        "is left",
        "be left",
        "are listed",
        "is listed",
        "be listed",
        "are shown",
        "is shown",
        "be shown",
        "are visible",
        "are there",
        "are displayed",
        "appear",
        "are remaining",
        "be displayed",
        "be visible",
    ]
    .iter()
    .filter_map(|e| ends(rest, e))
    .min()?;
    let wanted = plural(cx, &rest[..end])?;
    Some(Check { subject: Subject::Element(wanted), says: Says::Count(n), negated: false })
}

/// `no "X"`, `3 items in the list`, `a Save button`.
pub(super) fn there(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let words = ["left", "remaining", "shown", "listed", "in total", "visible", "displayed"]
        .iter()
        .find_map(|e| ends(words, e))
        .filter(|at| *at > 1)
        .map_or(words, |at| &words[..at]);
    let words = starts(words, "exactly").or(starts(words, "only")).map_or(words, |n| &words[n..]);
    let (words, negated) = match words {
        [first, rest @ ..] if matches!(first.low.as_str(), "no" | "not") => (rest, true),
        all => (all, false),
    };
    if let [first, rest @ ..] = words
        && !matches!(first.low.as_str(), "a" | "an")
        && let Some(n) = number(&first.low)
        && let Some(counted) = plural(cx, rest)
    {
        return Some(Check { subject: Subject::Element(counted), says: Says::Count(n), negated });
    }
    Some(Check { subject: subject(cx, words)?, says: Says::Shown, negated })
}

/// `items in the list`: what is counted.
pub(super) fn plural(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    let words: &[Word] = match words {
        [only, rest @ ..] if matches!(only.low.as_str(), "exactly" | "only") => rest,
        all => all,
    };
    let first = words.first()?;
    let single = first.low.strip_suffix('s').unwrap_or(&first.low);
    let kind = match single {
        "item" | "row" | "product" | "todo" | "task" | "entry" | "entrie" | "result" | "card" | "message"
        | "record" | "user" | "post" | "comment" | "note" | "file" | "line" | "email" | "contact" | "order" => {
            RoleWord::Item
        }
        "button" => RoleWord::Button,
        "link" => RoleWord::Link,
        "checkboxe" | "checkbox" => RoleWord::Checkbox,
        _ => return None,
    };
    let base = Wanted { role: Some(kind), ..Wanted::named("", Purpose::Read) };
    match words.get(1) {
        None => Some(base),
        Some(joint) if matches!(joint.low.as_str(), "in" | "inside" | "on") => {
            if english::says_page(&words[2..]) {
                return Some(base);
            }
            Some(base.inside(&english::read_place(cx.text, cx.quotes, &words[2..])?))
        }
        _ => None,
    }
}
