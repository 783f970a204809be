//! Nouns that are no kind of element: `the Completed filter`, `the category Billing`.

use super::Cx;
use super::names::{LEAD_INS, name_of};
use super::numbers::leading_ordinal;
use super::places::HOLDING;
use super::words::{Word, ends, starts};
use crate::locate::tree::Wanted;

/// Nouns that say what a thing is about and are no kind of element: `the Completed filter`, `the category Billing`.
const SOFT: &[&str] = &[
    "filter",
    "view",
    "category",
    "question",
    "page",
    "step",
    "topic",
    "setting",
    "screen",
    "size",
    "colour",
    "color",
    "mode",
    "plan",
    "tool",
    "feature",
    "chip",
    "badge",
    "tag",
    "department",
    "theme",
    "language",
    "country",
    "status",
    "priority",
    "chapter",
    "tier",
    "brand",
    "model",
    "format",
    "filter link",
    "level",
    "command",
    "action",
    "folder",
    "channel",
    "variant",
    "choice",
    "symbol",
    "sign",
    "glyph",
    "cross",
    "tile",
    "column header",
    "column",
    "block",
    "setting row",
    "group",
    "section",
    "card",
    "entry",
    "option",
    "list",
    "item",
    "heading",
    "header",
    "panel",
    "title",
    "menu",
    "tab",
    "area",
    "post",
    "article",
    "file",
    "product",
    "task",
    "todo",
    "line",
    "label",
    "message",
];

/// Verbs that controls bear, and what they may be about.
const COMMANDS: &str = "send delete save edit archive open close add new create remove share reply forward move copy print export import \
     upload download post publish cancel submit confirm view show hide rename duplicate pin star mark clear reset";
const OBJECTS: &str =
    "message post article file product task todo line entry item folder tag badge page step question title label";

/// The name without a noun that is no kind of element: the last reading, for when nothing of that kind is there.
pub(super) fn soft(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    let longest = SOFT.iter().filter_map(|n| ends(words, n)).min().filter(|at| *at > 0);
    let name = if let Some(at) = longest {
        &words[..at]
    } else {
        let used = SOFT.iter().filter_map(|n| starts(words, n)).max()?;
        let rest = &words[used..];
        let named = LEAD_INS.iter().filter(|l| !matches!(**l, "for" | "with")).find_map(|l| starts(rest, l));
        let name = &rest[named.unwrap_or(0)..];
        // Without a word that leads it in, only a quoted or written-out name is one.
        let first = name.first()?;
        let capital = cx.marked[first.start..].starts_with(char::is_uppercase);
        let numbered = first.low.chars().all(|c| c.is_ascii_digit());
        if named.is_none() && !first.is_quote() && !capital && !numbered {
            return None;
        }
        name
    };

    if leading_ordinal(name).is_some()
        || (1..name.len()).any(|i| HOLDING.iter().any(|h| starts(&name[i..], h).is_some()))
    {
        return None;
    }
    // `Send message` is not `Send`.
    let commands = name.first().is_some_and(|w| COMMANDS.split_whitespace().any(|c| c == w.low));
    let object = longest.is_some_and(|at| OBJECTS.split_whitespace().any(|o| words[at..].iter().any(|w| w.low == o)));
    if commands && object && name.len() == 1 {
        return None;
    }
    let one = name_of(cx, name, None)?;
    Some(Wanted { strict: !one.quoted, ..one })
}
