//! Which one of several: `the second`, `the last but one`, `#2`.

use super::words::{Word, starts};
use crate::locate::tree::Ordinal;

/// `first name` never means the first of several names.
pub(super) fn counts_no_names(words: &str) -> bool {
    matches!(words.to_lowercase().as_str(), "name" | "names" | "class" | "aid" | "party")
}

const ORDINALS: &[&str] = &[
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
];

fn ordinal_word(word: &str) -> Option<u32> {
    if let Some(n) = ORDINALS.iter().position(|o| *o == word) {
        return u32::try_from(n + 1).ok();
    }
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|s| word.strip_suffix(s))?;
    digits.parse().ok().filter(|n| (1..=999).contains(n))
}

pub(super) fn leading_ordinal(words: &[Word]) -> Option<(Ordinal, usize)> {
    for (phrase, n) in [
        ("second to last", 2),
        ("second last", 2),
        ("next to last", 2),
        ("last but one", 2),
        ("third to last", 3),
        ("third last", 3),
    ] {
        if let Some(used) = starts(words, phrase) {
            return Some((Ordinal::FromEnd(n), used));
        }
    }
    let first = words.first()?;
    match first.low.as_str() {
        "last" | "final" | "bottommost" => return Some((Ordinal::FromEnd(1), 1)),
        "penultimate" => return Some((Ordinal::FromEnd(2), 1)),
        "topmost" => return Some((Ordinal::Nth(1), 1)),
        _ => {}
    }
    ordinal_word(&first.low).map(|n| (Ordinal::Nth(n), 1))
}

/// `#2`, `number 2`, `no. 2` or a bare number at the end.
pub(super) fn trailing_number(words: &[Word]) -> Option<(u32, usize)> {
    let last = words.last()?;
    let digits = last.low.strip_prefix('#').unwrap_or(&last.low);
    let n: u32 = digits.parse().ok().filter(|n| (1..=999).contains(n))?;
    let mut at = words.len() - 1;
    if at > 0 && matches!(words[at - 1].low.as_str(), "number" | "no" | "nr" | "#") {
        at -= 1;
    }
    Some((n, at))
}
