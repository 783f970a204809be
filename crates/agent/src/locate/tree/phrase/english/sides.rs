//! On which side of the page or of a part of it: `the rightmost link`, `the button in the top right corner of the dialog`.

use super::words::{Word, starts, trim};
use crate::locate::tree::{Side, Wanted};

const fn side(x: i8, y: i8, most: bool) -> Side {
    Side { x, y, most }
}

/// What may stand before a name. Longer ones first. `right` alone also means correct, so it is no side there.
const BEFORE: &[(&str, Side)] = &[
    ("far left", side(-1, 0, true)),
    ("far right", side(1, 0, true)),
    ("left hand", side(-1, 0, false)),
    ("right hand", side(1, 0, false)),
    ("left-hand", side(-1, 0, false)),
    ("right-hand", side(1, 0, false)),
    ("leftmost", side(-1, 0, true)),
    ("left-most", side(-1, 0, true)),
    ("rightmost", side(1, 0, true)),
    ("right-most", side(1, 0, true)),
    ("topmost", side(0, -1, true)),
    ("top-most", side(0, -1, true)),
    ("uppermost", side(0, -1, true)),
    ("bottommost", side(0, 1, true)),
    ("bottom-most", side(0, 1, true)),
    ("lowermost", side(0, 1, true)),
    ("left", side(-1, 0, false)),
    ("upper", side(0, -1, false)),
    ("lower", side(0, 1, false)),
    ("top", side(0, -1, false)),
    ("bottom", side(0, 1, false)),
];
const CORNERS: &[(&str, Side)] = &[
    ("top left", side(-1, -1, false)),
    ("top right", side(1, -1, false)),
    ("bottom left", side(-1, 1, false)),
    ("bottom right", side(1, 1, false)),
    ("upper left", side(-1, -1, false)),
    ("upper right", side(1, -1, false)),
    ("lower left", side(-1, 1, false)),
    ("lower right", side(1, 1, false)),
];
/// What may stand behind `on the` and its like, besides corners.
const BEHIND: &[(&str, Side)] = &[
    ("far left", side(-1, 0, true)),
    ("far right", side(1, 0, true)),
    ("very left", side(-1, 0, true)),
    ("very right", side(1, 0, true)),
    ("very top", side(0, -1, true)),
    ("very bottom", side(0, 1, true)),
    ("left", side(-1, 0, false)),
    ("right", side(1, 0, false)),
    ("top", side(0, -1, false)),
    ("bottom", side(0, 1, false)),
];

fn corner(words: &[Word]) -> Option<(Side, usize)> {
    let hyphened = |name: &str| words.first().is_some_and(|w| w.low == name.replace(' ', "-"));
    CORNERS
        .iter()
        .find_map(|(name, side)| starts(words, name).or_else(|| hyphened(name).then_some(1)).map(|n| (*side, n)))
}

/// `top right X`: the side and how many words say it.
pub(super) fn leading(words: &[Word]) -> Option<(Side, usize)> {
    let found = corner(words)
        .or_else(|| BEFORE.iter().find_map(|(name, side)| starts(words, name).map(|n| (*side, n))))
        .filter(|(_, used)| *used < words.len())?;
    let more = starts(&words[found.1..], "corner").unwrap_or(0);
    Some((found.0, found.1 + more)).filter(|(_, used)| *used < words.len())
}

/// `in the top right corner of the dialog`, behind the preposition: the side, and the words of the part that has it; none for
/// the page.
pub(super) fn behind(words: &[Word]) -> Option<(Side, &[Word])> {
    let words = trim(words);
    let (side, used) =
        corner(words).or_else(|| BEHIND.iter().find_map(|(name, side)| starts(words, name).map(|n| (*side, n))))?;
    let rest = &words[used..];
    let rest = ["hand side", "corner", "side", "edge", "end"]
        .iter()
        .find_map(|p| starts(rest, p))
        .map_or(rest, |n| &rest[n..]);
    match rest {
        [] => Some((side, rest)),
        [of, place @ ..] if of.low == "of" && !place.is_empty() => Some((side, place)),
        _ => None,
    }
}

/// The description, on that side in all its readings.
pub(super) fn on_side(mut wanted: Wanted, side: Side) -> Wanted {
    wanted.or = wanted.or.map(|or| Box::new(on_side(*or, side)));
    Wanted { side: wanted.side.or(Some(side)), ..wanted }
}
