//! What is there, where, and in which state: `X appears`, `X is shown under Y`, `X is disabled`.

use super::endings::{APPEARS, STATES};
use super::{Cx, ends, named, subject};
use crate::locate::tree::phrase::english::{self, Word};
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::grammar::PRONOUN;
use crate::plan::reflex::step::{Check, Says, Subject};

/// `"Saved" is shown under the Email field`, `Bob is listed in the Users table`.
pub(super) fn placed(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let at = (1..words.len()).find(|&i| {
        matches!(
            words[i].low.as_str(),
            "listed" | "shown" | "displayed" | "visible" | "appears" | "appear" | "there" | "shows" | "present"
        ) && words.get(i + 1).is_some_and(|w| {
            matches!(
                w.low.as_str(),
                "in" | "on" | "under" | "below" | "inside" | "above" | "beside" | "next" | "among" | "at" | "up"
            )
        })
    })?;
    let mut rest = &words[at + 1..];
    if let [up, more @ ..] = rest
        && up.low == "up"
    {
        rest = more;
    }
    if rest.len() < 2 {
        return None;
    }
    let (front, denied) = match &words[..at] {
        [front @ .., be] if matches!(be.low.as_str(), "is" | "are" | "be") => strip_not(front),
        [front @ .., be, not] if matches!(be.low.as_str(), "is" | "are" | "be") && not.low == "not" => (front, true),
        [front @ .., no, longer] if no.low == "no" && longer.low == "longer" => (strip_be(front), true),
        front => denial(front),
    };
    if english::says_page(&rest[1..]) {
        return Some(Check { subject: subject(cx, front)?, says: Says::Shown, negated: denied });
    }
    if let [one] = front
        && one.low == "it"
    {
        let place = english::read_place(cx.text, cx.quotes, &rest[1..])?;
        let it = Wanted { within: Some(Box::new(place)), ..Wanted::named(PRONOUN, Purpose::Read) };
        return Some(Check { subject: Subject::Element(it), says: Says::Shown, negated: denied });
    }
    let joined: Vec<Word> = front.iter().chain(rest).cloned().collect();
    let wanted = english::read_words(cx.text, cx.quotes, &joined, Purpose::Read)?;
    Some(Check { subject: Subject::Element(wanted), says: Says::Shown, negated: denied })
}

fn strip_be(words: &[Word]) -> &[Word] {
    match words {
        [front @ .., be] if matches!(be.low.as_str(), "is" | "are" | "be") => front,
        all => all,
    }
}

/// `the Settings page opens`: the title, a heading or the address says so then.
pub(super) fn opened(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let at = [
        "open",
        "opens",
        "is open",
        "be open",
        "is opened",
        "loads",
        "load",
        "is loaded",
        "comes up",
        "come up",
        "appears",
    ]
    .iter()
    .filter_map(|e| ends(words, e))
    .min()?;
    let name = match &words[..at] {
        [name @ .., last] if matches!(last.low.as_str(), "page" | "view" | "screen" | "site") => name,
        _ => return None,
    };
    let wanted = named(cx, name, Purpose::Read)?;
    Some(Check { subject: Subject::Element(wanted), says: Says::Open, negated: false })
}

pub(super) fn appears(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let tail = ["on the page", "on the screen", "on this page", "in the page"].iter().find_map(|t| ends(words, t));
    let words = &words[..tail.unwrap_or(words.len())];
    let (at, negated) = APPEARS.iter().find_map(|(verb, negated)| ends(words, verb).map(|at| (at, *negated)))?;
    let (front, denied) = denial(&words[..at]);
    Some(Check { subject: subject(cx, front)?, says: Says::Shown, negated: negated ^ denied })
}

/// `X does not`, `X doesn't`: X.
pub(super) fn denial(words: &[Word]) -> (&[Word], bool) {
    for no in ["does not", "doesn't", "do not", "don't", "did not", "didn't", "not", "no longer", "never"] {
        if let Some(at) = ends(words, no) {
            return (&words[..at], true);
        }
    }
    (words, false)
}

/// `X is (not) visible`.
pub(super) fn state(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let mut longest: Option<(usize, &Says, bool)> = None;
    for (end, what, negated) in STATES {
        if let Some(at) = ends(words, end)
            && longest.is_none_or(|(l, ..)| at < l)
        {
            longest = Some((at, what, *negated));
        }
    }
    let (at, says, negated) = longest?;
    let (before, mut denied) = strip_not(&words[..at]);
    let (be, front) = before.split_last()?;
    match be.low.as_str() {
        "is" | "are" | "be" | "was" | "has" | "gets" | "becomes" | "been" => {}
        "isn't" | "aren't" => denied = !denied,
        _ => return None,
    }
    // `should not be visible`
    let (front, before_be) = strip_not(front);
    let denied = denied ^ before_be;
    let subject = match says {
        Says::Shown => subject(cx, front)?,
        Says::Checked => Subject::Element(named(cx, front, Purpose::Toggle)?),
        Says::Empty => Subject::Element(named(cx, front, Purpose::Type)?),
        _ => Subject::Element(named(cx, front, Purpose::Click)?),
    };
    Some(Check { subject, says: says.clone(), negated: negated ^ denied })
}

fn strip_not(words: &[Word]) -> (&[Word], bool) {
    match words {
        [rest @ .., no, longer] if no.low == "no" && longer.low == "longer" => (rest, true),
        [rest @ .., not] if not.low == "not" => (rest, true),
        all => (all, false),
    }
}
