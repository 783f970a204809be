//! English statements about the page: `the total is $12`, `"Saved" appears`.

mod counts;
mod endings;
mod object;
mod only;
mod presence;

use counts::{counted, there};
use object::object;
use only::only;
use presence::{appears, opened, placed, state};

use super::{PRONOUN, patterns};
use crate::locate::tree::phrase::english::{self, Word};
use crate::locate::tree::phrase::quotes::Quotes;
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::step::{Check, Says, Step, Subject};

struct Cx<'a> {
    text: &'a str,
    quotes: &'a Quotes,
}

fn starts(words: &[Word], phrase: &str) -> Option<usize> {
    let mut n = 0;
    for part in phrase.split(' ') {
        if words.get(n).is_none_or(|w| w.low != part) {
            return None;
        }
        n += 1;
    }
    Some(n)
}

fn ends(words: &[Word], phrase: &str) -> Option<usize> {
    let from = words.len().checked_sub(phrase.split(' ').count())?;
    starts(&words[from..], phrase).map(|_| from)
}

/// Whole statements. `only A and B are left` is several.
pub(super) fn read(text: &str, quotes: &Quotes, words: &[Word]) -> Option<Step> {
    let cx = Cx { text, quotes };
    // What something can do is not seen.
    if words.iter().any(|w| matches!(w.low.as_str(), "can" | "cannot" | "can't" | "could" | "couldn't")) {
        return None;
    }
    if let Some(steps) = only(&cx, words) {
        return patterns::each(None, steps);
    }
    statement(&cx, words).map(|check| Step::Verify { check })
}

/// A statement behind `check`, where the words are no name of a box to tick.
pub(super) fn read_if_statement(text: &str, quotes: &Quotes, words: &[Word]) -> Option<Step> {
    let says = words.iter().skip(1).any(|w| {
        matches!(
            w.low.as_str(),
            "is" | "are"
                | "shows"
                | "says"
                | "contains"
                | "reads"
                | "equals"
                | "appears"
                | "displays"
                | "exists"
                | "has"
                | "should"
        )
    });
    if says { read(text, quotes, words) } else { None }
}

/// What is waited for: `X to appear`, `X to disappear`, `X appears`, or X alone.
/// With `until`, X has to do something.
pub(super) fn read_wait(text: &str, quotes: &Quotes, words: &[Word], until: bool) -> Option<Step> {
    let cx = Cx { text, quotes };
    if of_people(words) {
        return None;
    }
    if let Some(steps) = only(&cx, words) {
        let wait = |step| match step {
            Step::Verify { check } => Step::WaitFor { check },
            other => other,
        };
        return patterns::each(None, steps.into_iter().map(wait).collect());
    }
    let check = wait_for(&cx, words).or_else(|| {
        (!until).then_some(())?;
        Some(Check { subject: subject(&cx, words)?, says: Says::Shown, negated: false })
    });
    check.map(|check| Step::WaitFor { check })
}

fn wait_for(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    for (phrase, negated) in [
        ("to appear", false),
        ("to show up", false),
        ("to be visible", false),
        ("to be shown", false),
        ("to be displayed", false),
        ("to load", false),
        ("to pop up", false),
        ("to come up", false),
        ("to open", false),
        ("has appeared", false),
        ("has opened", false),
        ("has loaded", false),
        ("has come up", false),
        ("is ready", false),
        ("opens", false),
        ("opened", false),
        ("comes", false),
        ("shows", false),
        ("is up", false),
        ("to disappear", true),
        ("to go away", true),
        ("to vanish", true),
        ("to be gone", true),
        ("to be hidden", true),
        ("to close", true),
        ("is there", false),
        ("is open", false),
        ("are there", false),
        ("has gone", true),
        ("has disappeared", true),
        ("has closed", true),
        ("closes", true),
        ("goes away", true),
        ("is closed", true),
    ] {
        if let Some(at) = ends(words, phrase) {
            return Some(Check { subject: subject(cx, &words[..at])?, says: Says::Shown, negated });
        }
    }
    for (phrase, says) in [
        ("to be enabled", Says::Enabled),
        ("to be disabled", Says::Disabled),
        ("to become enabled", Says::Enabled),
        ("to be checked", Says::Checked),
    ] {
        if let Some(at) = ends(words, phrase) {
            return Some(Check { subject: subject(cx, &words[..at])?, says, negated: false });
        }
    }
    statement(cx, words)
}

fn of_people(words: &[Word]) -> bool {
    words.first().is_some_and(|w| {
        matches!(w.low.as_str(), "i" | "we" | "he" | "she" | "they" | "you" | "who" | "that's" | "this")
    })
}

/// A statement that stands behind the steps: what is to be seen when they are done.
pub(super) fn declared(text: &str, quotes: &Quotes, words: &[Word]) -> Option<Step> {
    const MOST_WORDS: usize = 24;
    // `in the dialog that pops up` is where the next step is.
    let place =
        words.first().is_some_and(|w| matches!(w.low.as_str(), "in" | "on" | "at" | "inside" | "within" | "under"));
    if words.len() > MOST_WORDS || of_people(words) || place {
        return None;
    }
    read(text, quotes, words)
}

/// The words without those that only say that it is so now, or has to be.
fn plain_words(words: &[Word]) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let modal = [
            "ought to",
            "has to",
            "have to",
            "needs to",
            "need to",
            "is supposed to",
            "are supposed to",
            "is expected to",
        ]
        .iter()
        .find_map(|m| starts(&words[at..], m))
        .filter(|_| at > 0);
        if let Some(n) = modal {
            at += n;
            continue;
        }
        let empty = matches!(
            word.low.as_str(),
            "should"
                | "must"
                | "now"
                | "currently"
                | "also"
                | "still"
                | "will"
                | "correctly"
                | "successfully"
                | "then"
                | "indeed"
                | "again"
                | "simply"
        );
        if !empty {
            out.push(word.clone());
        }
        at += 1;
    }
    out
}

fn statement(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let words: &[Word] = match words {
        [rest @ .., last] if last.is_sign() => rest,
        all => all,
    };
    if let [one] = words
        && one.is_quote()
    {
        return Some(Check { subject: subject(cx, words)?, says: Says::Shown, negated: false });
    }
    if words.is_empty()
        || words.iter().any(|w| {
            matches!(w.low.as_str(), "or" | "either" | "all" | "every" | "each" | "more" | "less" | "greater" | "at")
        }) && !words.iter().any(Word::is_quote)
    {
        return None;
    }
    for lead in [
        "there is",
        "there are",
        "there should be",
        "you can see",
        "i can see",
        "you see",
        "i see",
        "we see",
        "you should see",
        "there's",
        "there ought to be",
        "there must be",
        "there will be",
        "there should now be",
        "there should then be",
        "there should still be",
        "there are now",
        "there is now",
    ] {
        if let Some(n) = starts(words, lead) {
            return there(cx, &words[n..]);
        }
    }
    // `should be` and the like say the same as `is`.
    let plain = plain_words(words);
    if let Some(check) = counted(cx, &plain).or_else(|| placed(cx, &plain)).or_else(|| opened(cx, &plain)) {
        return Some(check);
    }
    appears(cx, &plain).or_else(|| state(cx, &plain)).or_else(|| object(cx, &plain))
}

/// Something to see: a text or an element.
fn subject(cx: &Cx<'_>, words: &[Word]) -> Option<Subject> {
    Some(Subject::Element(named(cx, words, Purpose::Read)?))
}

fn named(cx: &Cx<'_>, words: &[Word], purpose: Purpose) -> Option<Wanted> {
    if let [one] = words
        && one.low == "it"
    {
        return Some(Wanted::named(PRONOUN, purpose));
    }
    let words: &[Word] = match words {
        [first, rest @ ..] if matches!(first.low.as_str(), "that" | "if") && !rest.is_empty() => rest,
        all => all,
    };
    // `the text "X"`, `the message X`
    let bare = ["the text", "the message", "the word", "the words", "text", "the string"]
        .iter()
        .find_map(|p| starts(words, p).filter(|n| words.get(*n).is_some_and(Word::is_quote)).map(|n| &words[n..]));
    english::read_words(cx.text, cx.quotes, bare.unwrap_or(words), purpose)
}
