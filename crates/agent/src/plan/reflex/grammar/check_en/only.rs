//! What is left alone: `only A and B should remain`, `A is the only entry listed`.

use super::counts::plural;
use super::{Cx, ends, named, plain_words, starts};
use crate::locate::tree::phrase::english::Word;
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::grammar::PRONOUN;
use crate::plan::reflex::grammar::values::number;
use crate::plan::reflex::step::{Check, Says, Step, Subject};

/// `only A and B should remain`, `A is the only entry listed`.
pub(super) fn only(cx: &Cx<'_>, words: &[Word]) -> Option<Vec<Step>> {
    let words = plain_words(words);
    let words: &[Word] = match words.as_slice() {
        [rest @ .., last] if last.is_sign() => rest,
        all => all,
    };
    let names: Vec<&[Word]> = if let Some(n) = starts(words, "only") {
        let rest = &words[n..];
        let ends_at = [
            "remain",
            "remains",
            "remaining",
            "is left",
            "are left",
            "be left",
            "left",
            "is listed",
            "are listed",
            "be listed",
            "is shown",
            "are shown",
            "be shown",
            "is visible",
            "are visible",
            "be visible",
            "stays",
            "stay",
            "is there",
            "are there",
            "be there",
            "is displayed",
            "are displayed",
            "be displayed",
            "appears",
            "appear",
            "shows up",
        ]
        .iter()
        .filter_map(|e| ends(rest, e))
        .min()?;
        let names = &rest[..ends_at];
        // `only 2 items are left` is a number, not a name.
        if let Some(n) = number(&names.first()?.low).filter(|_| !names[0].is_quote()) {
            let counted = plural(cx, &names[1..])?;
            let check = Check { subject: Subject::Element(counted), says: Says::Count(n), negated: false };
            return Some(vec![Step::Verify { check }]);
        }
        names.split(|w| matches!(w.low.as_str(), "," | "and" | "&")).filter(|p| !p.is_empty()).collect()
    } else {
        let (at, n) = (1..words.len())
            .find_map(|at| {
                ["is the only", "be the only", "'s the only"]
                    .iter()
                    .find_map(|p| starts(&words[at..], p))
                    .map(|n| (at, n))
            })
            .or_else(|| starts(words, "it's the only").map(|n| (0, n)))?;
        let kind = &words[at + n..];
        let known = [
            "entry",
            "item",
            "row",
            "one",
            "todo",
            "task",
            "product",
            "result",
            "card",
            "record",
            "line",
            "listed",
            "shown",
            "left",
            "there",
            "in",
            "the",
            "list",
            "table",
            "remaining",
            "visible",
            "displayed",
            "on",
            "page",
            "name",
        ];
        if kind.is_empty() || !kind.iter().all(|w| known.contains(&w.low.as_str())) {
            return None;
        }
        vec![if at == 0 { &words[..1] } else { &words[..at] }]
    };
    let count = u32::try_from(names.len()).ok().filter(|n| *n > 0)?;
    let step = |name: &[Word]| {
        let wanted = if name.len() == 1 && name[0].low == "it's" {
            Wanted::named(PRONOUN, Purpose::Read)
        } else {
            named(cx, name, Purpose::Read)?
        };
        let check = Check { subject: Subject::Element(wanted), says: Says::Alone(count), negated: false };
        Some(Step::Verify { check })
    };
    names.into_iter().map(step).collect()
}
