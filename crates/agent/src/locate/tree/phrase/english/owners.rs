//! Whose it is: `Alice's delete button`, `her Edit button`, `that row`.

use super::words::{Word, words};
use super::{Cx, head};
use crate::locate::tree::phrase::REFERENT;
use crate::locate::tree::{Purpose, Relation, RoleWord, Wanted};

/// `that row`, `the same card`, `her row`: what was spoken of before.
pub(super) fn refers(words: &[Word]) -> bool {
    let low: Vec<&str> = words.iter().filter(|w| !w.is_sign()).map(|w| w.low.as_str()).collect();
    let held = ["row", "line", "card", "entry", "item", "box", "tile", "record", "section", "panel"];
    match low.as_slice() {
        ["that" | "this" | "her" | "his" | "their" | "its", noun]
        | ["the" | "that" | "this", "same" | "very", noun] => held.contains(noun),
        ["the", "same", "table", "row"] => true,
        _ => false,
    }
}

/// `its ×`, `her Edit button`: what belongs to the one spoken of before.
pub(super) fn belonging(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    let (first, rest) = words.split_first()?;
    if !matches!(first.low.as_str(), "its" | "her" | "his" | "their") || rest.is_empty() {
        return None;
    }
    let anchor = Wanted { role: Some(RoleWord::Row), ..Wanted::named(REFERENT, Purpose::Hold) };
    let one = head(cx, rest)?;
    Some(Wanted { near: Some((Relation::For, Box::new(anchor))), ..one })
}

/// `Alice's delete button`, `the second item's checkbox`.
pub(super) fn possessive(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    let at = words.iter().position(|w| w.low == "'s" || (w.low.ends_with("'s") && w.low.len() > 2))?;
    let rest = &words[at + 1..];
    let one = head(cx, rest)?;
    let owner_end = if words[at].low == "'s" {
        words.get(at.checked_sub(1)?)?.end
    } else {
        words[at].end - words[at].low.len() + words[at].low.trim_end_matches("'s").len()
    };
    let owner = cx.marked[words[0].start..owner_end].trim();
    let owner_words = self::words(owner);
    let hold = Cx { marked: owner, purpose: Purpose::Hold, ..*cx };
    let anchor = head(&hold, &owner_words)?;
    if anchor.ordinal.is_some() {
        return Some(Wanted { within: Some(Box::new(anchor)), ..one });
    }
    Some(Wanted { near: Some((Relation::For, Box::new(anchor))), ..one })
}
