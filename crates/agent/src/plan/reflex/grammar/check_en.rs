//! English statements about the page: `the total is $12`, `"Saved" appears`.

use super::values::number;
use super::{PRONOUN, patterns};
use crate::locate::tree::phrase::english::{self, Word};
use crate::locate::tree::phrase::quotes::Quotes;
use crate::locate::tree::{Purpose, RoleWord, Wanted};
use crate::plan::reflex::step::{Check, Says, Step, Subject};

struct Cx<'a> {
    text: &'a str,
    quotes: &'a Quotes,
}

/// A predicate without an object.
#[derive(Clone, Copy)]
enum State {
    Shown,
    Enabled,
    Disabled,
    Checked,
    Selected,
    Focused,
    Empty,
    Expanded,
}

/// Endings and what they say; the second part denies it.
const STATES: &[(&str, State, bool)] = &[
    ("visible", State::Shown, false),
    ("displayed", State::Shown, false),
    ("shown", State::Shown, false),
    ("present", State::Shown, false),
    ("there", State::Shown, false),
    ("available", State::Shown, false),
    ("on the page", State::Shown, false),
    ("on the screen", State::Shown, false),
    ("on this page", State::Shown, false),
    ("on screen", State::Shown, false),
    ("visible on the page", State::Shown, false),
    ("shown on the page", State::Shown, false),
    ("displayed on the page", State::Shown, false),
    ("listed", State::Shown, false),
    ("still there", State::Shown, false),
    ("still shown", State::Shown, false),
    ("left", State::Shown, false),
    ("in the list", State::Shown, false),
    ("on the list", State::Shown, false),
    ("in the table", State::Shown, false),
    ("in view", State::Shown, false),
    ("gone", State::Shown, true),
    ("deleted", State::Shown, true),
    ("no more", State::Shown, true),
    ("hidden", State::Shown, true),
    ("invisible", State::Shown, true),
    ("missing", State::Shown, true),
    ("removed", State::Shown, true),
    ("enabled", State::Enabled, false),
    ("clickable", State::Enabled, false),
    ("active", State::Enabled, false),
    ("disabled", State::Disabled, false),
    ("greyed out", State::Disabled, false),
    ("grayed out", State::Disabled, false),
    ("checked", State::Checked, false),
    ("ticked", State::Checked, false),
    ("turned on", State::Checked, false),
    ("switched on", State::Checked, false),
    ("on", State::Checked, false),
    ("completed", State::Checked, false),
    ("marked as completed", State::Checked, false),
    ("marked as complete", State::Checked, false),
    ("marked as done", State::Checked, false),
    ("unchecked", State::Checked, true),
    ("unticked", State::Checked, true),
    ("turned off", State::Checked, true),
    ("switched off", State::Checked, true),
    ("off", State::Checked, true),
    ("selected", State::Selected, false),
    ("highlighted", State::Selected, false),
    ("pressed", State::Checked, false),
    ("crossed out", State::Checked, false),
    ("done", State::Checked, false),
    ("chosen", State::Selected, false),
    ("focused", State::Focused, false),
    ("empty", State::Empty, false),
    ("blank", State::Empty, false),
    ("expanded", State::Expanded, false),
    ("open", State::Expanded, false),
    ("collapsed", State::Expanded, true),
];

/// Verbs that say it is there; the second part denies it.
const APPEARS: &[(&str, bool)] = &[
    ("appears", false),
    ("appear", false),
    ("shows up", false),
    ("show up", false),
    ("exists", false),
    ("exist", false),
    ("appeared", false),
    ("loads", false),
    ("load", false),
    ("pops up", false),
    ("is loaded", false),
    ("has loaded", false),
    ("can be seen", false),
    ("comes up", false),
    ("come up", false),
    ("remains", false),
    ("remain", false),
    ("stays", false),
    ("stay", false),
    ("is back", false),
    ("be back", false),
    ("disappears", true),
    ("disappear", true),
    ("goes away", true),
    ("go away", true),
    ("vanishes", true),
    ("vanish", true),
    ("disappeared", true),
    ("closes", true),
];

/// Verbs with an object: whether the object is the whole of it.
const OBJECTS: &[(&str, bool)] = &[
    ("is equal to", true),
    ("is set to", true),
    ("equals", true),
    ("has the value", true),
    ("has value", true),
    ("has the text", true),
    ("holds", true),
    ("reads", true),
    ("says", true),
    ("is now", true),
    ("shows", false),
    ("displays", false),
    ("contains the text", false),
    ("contains the word", false),
    ("contains", false),
    ("includes", false),
    ("mentions", false),
    ("states", false),
    ("lists", false),
    ("mention", false),
    ("state", false),
    ("list", false),
    ("show", false),
    ("contain", false),
    ("display", false),
    ("include", false),
    ("say", true),
    ("read", true),
    ("equal", true),
    ("hold", true),
    ("has", false),
    ("have", false),
    ("be", true),
    ("is", true),
    ("are", true),
];

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

/// A whole statement.
pub(super) fn read(text: &str, quotes: &Quotes, words: &[Word]) -> Option<Check> {
    statement(&Cx { text, quotes }, words)
}

/// A statement behind `check`, where the words are no name of a box to tick.
pub(super) fn read_if_statement(text: &str, quotes: &Quotes, words: &[Word]) -> Option<Check> {
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
pub(super) fn read_wait(text: &str, quotes: &Quotes, words: &[Word]) -> Option<Check> {
    let cx = Cx { text, quotes };
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
    ] {
        if let Some(at) = ends(words, phrase) {
            return Some(Check { subject: subject(&cx, &words[..at])?, says: Says::Shown, negated });
        }
    }
    for (phrase, says) in [
        ("to be enabled", Says::Enabled),
        ("to be disabled", Says::Disabled),
        ("to become enabled", Says::Enabled),
        ("to be checked", Says::Checked),
    ] {
        if let Some(at) = ends(words, phrase) {
            return Some(Check { subject: subject(&cx, &words[..at])?, says, negated: false });
        }
    }
    statement(&cx, words).or_else(|| Some(Check { subject: subject(&cx, words)?, says: Says::Shown, negated: false }))
}

/// A statement that stands behind the steps: what is to be seen when they are done. `only A and B should remain` is several.
pub(super) fn declared(text: &str, quotes: &Quotes, words: &[Word]) -> Option<Step> {
    const MOST_WORDS: usize = 24;
    let first = words.first()?.low.as_str();
    let of_people = matches!(first, "i" | "we" | "he" | "she" | "they" | "you" | "who" | "that's" | "this");
    if words.len() > MOST_WORDS || of_people {
        return None;
    }
    let cx = Cx { text, quotes };
    if let Some(steps) = only(&cx, words) {
        return patterns::each(None, steps);
    }
    statement(&cx, words).map(|check| Step::Verify { check })
}

/// `only A and B should remain`, `A is the only entry listed`.
fn only(cx: &Cx<'_>, words: &[Word]) -> Option<Vec<Step>> {
    let words = english_plain(words);
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
        if number(&names.first()?.low).is_some() && !names[0].is_quote() {
            return None;
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

/// The words without those that only say that it is so now, or has to be.
fn english_plain(words: &[Word]) -> Vec<Word> {
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

fn value(cx: &Cx<'_>, words: &[Word]) -> Option<String> {
    let words = match words {
        [first, rest @ ..] if first.low == "the" && !rest.is_empty() => rest,
        all => all,
    };
    let words = ["text", "word", "message", "value", "words"]
        .iter()
        .find_map(|p| starts(words, p).filter(|n| *n < words.len()).map(|n| &words[n..]))
        .unwrap_or(words);
    let (first, last) = (words.first()?, words.last()?);
    let text = cx.quotes.value(&cx.text[first.start..last.end]);
    let quotes = words.iter().filter(|w| w.is_quote()).count();
    (!text.trim().is_empty() && (quotes == 0 || words.len() == 1)).then_some(text)
}

fn statement(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let words: &[Word] = match words {
        [rest @ .., last] if last.is_sign() => rest,
        all => all,
    };
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
    let plain = english_plain(words);
    if let Some(check) = counted(cx, &plain).or_else(|| placed(cx, &plain)).or_else(|| opened(cx, &plain)) {
        return Some(check);
    }
    appears(cx, &plain).or_else(|| state(cx, &plain)).or_else(|| object(cx, &plain))
}

/// `3 items are left`, `only 2 rows remain`.
fn counted(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
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

/// `"Saved" is shown under the Email field`, `Bob is listed in the Users table`.
fn placed(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
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
fn opened(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
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
    Some(Check { subject: Subject::Element(wanted), says: Says::Opened, negated: false })
}

/// `no "X"`, `3 items in the list`, `a Save button`.
fn there(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
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
fn plural(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
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

fn appears(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let tail = ["on the page", "on the screen", "on this page", "in the page"].iter().find_map(|t| ends(words, t));
    let words = &words[..tail.unwrap_or(words.len())];
    let (at, negated) = APPEARS.iter().find_map(|(verb, negated)| ends(words, verb).map(|at| (at, *negated)))?;
    let (front, denied) = denial(&words[..at]);
    Some(Check { subject: subject(cx, front)?, says: Says::Shown, negated: negated ^ denied })
}

/// `X does not`, `X doesn't`: X.
fn denial(words: &[Word]) -> (&[Word], bool) {
    for no in ["does not", "doesn't", "do not", "don't", "did not", "didn't", "not", "no longer", "never"] {
        if let Some(at) = ends(words, no) {
            return (&words[..at], true);
        }
    }
    (words, false)
}

/// `X is (not) visible`.
fn state(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let mut longest: Option<(usize, State, bool)> = None;
    for (end, what, negated) in STATES {
        if let Some(at) = ends(words, end)
            && longest.is_none_or(|(l, ..)| at < l)
        {
            longest = Some((at, *what, *negated));
        }
    }
    let (at, what, negated) = longest?;
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
    let says = match what {
        State::Shown => Says::Shown,
        State::Enabled => Says::Enabled,
        State::Disabled => Says::Disabled,
        State::Checked => Says::Checked,
        State::Selected => Says::Selected,
        State::Focused => Says::Focused,
        State::Empty => Says::Empty,
        State::Expanded => Says::Expanded,
    };
    let subject = match &says {
        Says::Shown => subject(cx, front)?,
        Says::Checked => Subject::Element(named(cx, front, Purpose::Toggle)?),
        Says::Empty => Subject::Element(named(cx, front, Purpose::Type)?),
        _ => Subject::Element(named(cx, front, Purpose::Click)?),
    };
    Some(Check { subject, says, negated: negated ^ denied })
}

fn strip_not(words: &[Word]) -> (&[Word], bool) {
    match words {
        [rest @ .., no, longer] if no.low == "no" && longer.low == "longer" => (rest, true),
        [rest @ .., not] if not.low == "not" => (rest, true),
        all => (all, false),
    }
}

/// `X says V`.
fn object(cx: &Cx<'_>, words: &[Word]) -> Option<Check> {
    let mut first: Option<(usize, usize, bool)> = None;
    for at in 1..words.len() {
        let verb = OBJECTS
            .iter()
            .filter_map(|(v, whole)| starts(&words[at..], v).map(|n| (at, n, *whole)))
            .max_by_key(|v| v.1);
        if verb.is_some() {
            first = verb;
            break;
        }
    }
    let (at, n, whole) = first?;
    let (front, mut denied) = denial(&words[..at]);
    let mut object = &words[at + n..];
    if let [no, rest @ ..] = object
        && no.low == "not"
    {
        object = rest;
        denied = !denied;
    }
    let front: &[Word] = match front {
        [rest @ .., be] if matches!(be.low.as_str(), "is" | "are") => rest,
        all => all,
    };
    if let [count, rest @ ..] = object
        && matches!(words[at].low.as_str(), "has" | "contains" | "have" | "shows")
        && let Some(n) = number(&count.low).filter(|_| !matches!(count.low.as_str(), "a" | "an"))
        && let Some(counted) = plural(cx, rest)
    {
        let holder = english::read_place(cx.text, cx.quotes, front);
        let counted = holder.map_or(counted.clone(), |h| counted.inside(&h));
        return Some(Check { subject: Subject::Element(counted), says: Says::Count(n), negated: denied });
    }
    let text = value(cx, object)?;
    let page = subject_of_page(front);
    // `the page shows a Save button` speaks of an element, `the page shows "Saved"` of a text.
    if matches!(page, Some(Subject::Page)) && !object.iter().any(Word::is_quote) {
        let shown = named(cx, object, Purpose::Read)?;
        return Some(Check { subject: Subject::Element(shown), says: Says::Shown, negated: denied });
    }
    let subject = match page {
        Some(page) => page,
        None => Subject::Element(named(cx, front, Purpose::Read)?),
    };
    // A row says many things; what is said of it is one of them.
    let of_row = matches!(&subject, Subject::Element(w) if row_like(w));
    let whole = whole && !of_row && !matches!(subject, Subject::Page);
    let says = if whole { Says::Equals(text) } else { Says::Contains(text) };
    Some(Check { subject, says, negated: denied })
}

fn row_like(wanted: &Wanted) -> bool {
    let here = matches!(wanted.role, Some(RoleWord::Row | RoleWord::Item | RoleWord::Section | RoleWord::Dialog));
    here || wanted.or.as_deref().is_some_and(row_like)
}

fn subject_of_page(words: &[Word]) -> Option<Subject> {
    let low: Vec<&str> = words
        .iter()
        .map(|w| w.low.as_str())
        .filter(|w| !matches!(*w, "the" | "this" | "that" | "current" | "of"))
        .collect();
    Some(match low.as_slice() {
        ["page" | "screen" | "it" | "site"] => Subject::Page,
        ["title"] | ["page" | "window" | "tab", "title"] | ["title", "page"] => Subject::Title,
        ["url" | "address"] | ["page", "url"] | ["url", "page"] => Subject::Address,
        _ => return None,
    })
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
