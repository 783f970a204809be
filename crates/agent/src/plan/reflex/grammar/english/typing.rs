//! Clauses that put text somewhere: `type V into T`, `fill T with V`, `set T to V`, `enter V as T`.

use super::verbs::{Verb, leading_verb};
use super::{Cx, Parsed, Step, Why, patterns, starts, target, value};
use crate::locate::tree::phrase::english::{self, Word};
use crate::locate::tree::{Purpose, RoleWord, Wanted};
use crate::plan::reflex::messages;

/// What may stand between the text and the place.
const INTO: &[&str] =
    &["into", "in to", "inside of", "inside", "within", "onto", "in", "on", "to", "at", "under", "for", "as"];
const SURE: &[&str] = &["into", "in to", "inside of", "inside", "onto"];

pub(super) fn read(cx: &Cx<'_>, verb: Verb, body: &[Word], rest: &[Word]) -> Result<Parsed, Why> {
    if rest.is_empty() {
        return Err(Why::new());
    }
    let rest = if verb == Verb::Append { rest } else { without_replaced(rest) };
    match verb {
        Verb::Fill => fill(cx, rest),
        Verb::Set => set(cx, rest),
        _ => put(cx, verb, body, rest),
    }
}

/// Takes `instead of the text that is there` off the end: what is typed takes the place of what the field holds.
fn without_replaced(words: &[Word]) -> &[Word] {
    const THERE: &[&str] = &[
        "the", "what", "whatever", "text", "value", "content", "contents", "that", "which", "is", "was", "are",
        "already", "there", "in", "it", "current", "existing", "old", "previous", "default", "now", "stands", "one",
        "has", "holds",
    ];
    let at = (1..words.len()).rev().find(|&i| {
        ["instead of", "in place of", "in the place of", "replacing", "overwriting"]
            .iter()
            .filter_map(|p| starts(&words[i..], p))
            .any(|n| i + n < words.len() && words[i + n..].iter().all(|w| THERE.contains(&w.low.as_str())))
    });
    at.map_or(words, |at| &words[..at])
}

/// The words that name the kind of text, and its label: `the username "alice"` is alice, for the username.
const PLAIN: &[&str] = &[
    "text",
    "word",
    "words",
    "value",
    "string",
    "number",
    "phrase",
    "sentence",
    "letters",
    "letter",
    "characters",
    "digits",
    "query",
    "term",
    "following",
];

/// A text to type and, where the words say so, the label of its field.
fn text_and_label(cx: &Cx<'_>, words: &[Word], literal: bool) -> Option<(String, Option<Wanted>)> {
    let bare: &[Word] = match words {
        [first, rest @ ..] if matches!(first.low.as_str(), "the" | "a" | "an" | "my" | "your") && !rest.is_empty() => {
            rest
        }
        all => all,
    };
    let articled = bare.len() < words.len();
    if let [one] = words
        && one.is_quote()
    {
        return Some((value(cx, words), None));
    }
    if let [label @ .., last] = bare
        && last.is_quote()
        && !label.is_empty()
    {
        let label: &[Word] = match label {
            [label @ .., sign] if sign.is_sign() || matches!(sign.low.as_str(), "of" | "as" | "is") => label,
            all => all,
        };
        let text = value(cx, std::slice::from_ref(last));
        if label.iter().all(|w| PLAIN.contains(&w.low.as_str())) {
            return Some((text, None));
        }
        if label.iter().any(Word::is_quote) || label.len() > 4 {
            return None;
        }
        return target(cx, label, Purpose::Type).map(|label| (text, Some(label)));
    }
    if words.iter().any(Word::is_quote) || structured(words) {
        return None;
    }
    // `your name`, `a valid address`: a description, not a text to type.
    if articled && !literal {
        return match bare {
            [plain, rest @ ..] if PLAIN.contains(&plain.low.as_str()) && !rest.is_empty() => {
                Some((value(cx, rest), None))
            }
            _ => None,
        };
    }
    let descriptive = words.first().is_some_and(|w| {
        matches!(
            w.low.as_str(),
            "today's"
                | "tomorrow's"
                | "yesterday's"
                | "your"
                | "my"
                | "some"
                | "any"
                | "random"
                | "all"
                | "something"
                | "anything"
                | "whatever"
                | "it"
        )
    });
    // `type Bob twice into Name` says how often.
    let counts =
        words.len() > 1 && words.last().is_some_and(|w| matches!(w.low.as_str(), "twice" | "thrice" | "again"));
    (!descriptive && !counts && !words.is_empty()).then(|| (value(cx, words), None))
}

/// Whether words that are to be typed say where to type something, or what to do next: they may be no text at all, so a text
/// like that has to stand in quotes.
fn structured(words: &[Word]) -> bool {
    const FIELDS: &[&str] =
        &["field", "box", "input", "textbox", "textarea", "form", "row", "column", "dropdown", "list", "area", "cell"];
    let low = |i: usize| words.get(i).map_or("", |w| w.low.as_str());
    let joins = |i: usize| matches!(low(i), "and" | "," | "&" | ";");
    (1..words.len()).any(|i| {
        let behind = &words[i + 1..];
        let articled = matches!(low(i + 1), "the" | "my" | "your" | "its" | "this" | "that");
        match low(i) {
            "into" => true,
            "as" => articled || behind.iter().any(|w| matches!(w.low.as_str(), "and" | ",")),
            "in" | "on" | "to" | "inside" | "under" | "within" | "at" | "for" => {
                behind
                    .iter()
                    .any(|w| FIELDS.iter().any(|f| w.low.strip_prefix(f).is_some_and(|s| matches!(s, "" | "s" | "es"))))
                    || matches!(low(i + 1), "both" | "each" | "all")
            }
            "with" | ":" | "=" => (1..i).any(joins),
            "and" | "then" => leading_verb(behind).is_some(),
            _ => false,
        }
    })
}

/// `type V`, `enter V in T`, `enter T: V`.
fn put(cx: &Cx<'_>, verb: Verb, body: &[Word], rest: &[Word]) -> Result<Parsed, Why> {
    // `type "Team lead" there`
    if let [text, there] = rest
        && text.is_quote()
        && there.low == "there"
    {
        let into = Some(Wanted::named(super::PRONOUN, Purpose::Type));
        let text = value(cx, std::slice::from_ref(text));
        return Ok(Step::Type { text, into, append: verb == Verb::Append }.into());
    }
    // `type Jr after the text in Name`: where in the text, which is no part of what is typed.
    let within = [
        "after the",
        "before the",
        "behind the",
        "in front of the",
        "at the end of",
        "at the start of",
        "at the beginning of",
    ];
    let about_text = |i: usize| {
        let follows = within.iter().find_map(|w| starts(&rest[i..], w));
        follows.is_some_and(|n| {
            rest.get(i + n).is_some_and(|w| {
                matches!(w.low.as_str(), "text" | "name" | "value" | "content" | "word" | "existing" | "the")
            })
        })
    };
    if (1..rest.len()).any(about_text) {
        return Err(Why::from(messages::NO_TEXT));
    }
    let append = verb == Verb::Append;
    let literal = verb == Verb::Type;
    let step = |text: String, into: Option<Wanted>| Step::Type { text, into, append };
    let lead = || body.first().map(|w| w.low.clone());
    let mut places: Vec<(usize, usize, &str)> = Vec::new();
    for at in 1..rest.len() {
        let joint = |p: &&'static str| starts(&rest[at..], p).filter(|n| at + n < rest.len()).map(|n| (n, *p));
        if let Some((n, word)) = INTO.iter().find_map(joint) {
            places.push((at, at + n, word));
        }
    }
    // A quoted text is the text: what follows belongs to the place.
    if let Some(&(at, end, _)) = places.first()
        && rest[..at].iter().any(Word::is_quote)
        && let Some((text, label)) = text_and_label(cx, &rest[..at], literal)
    {
        if patterns::is_cart(cx.text[rest[end].start..].trim()) && verb == Verb::Put {
            return super::add(cx, rest);
        }
        let plural = is_plural_place(&rest[end..]);
        if appears(&rest[end..]) {
            return Ok(Parsed { step: step(text, label), lead: None, declared: false });
        }
        let place = if plural && label.is_some() { label } else { target(cx, &rest[end..], Purpose::Type) };
        let place = place.ok_or(Why::from(messages::UNSURE))?;
        return Ok(Parsed { step: step(text, Some(place)), lead: lead(), declared: false });
    }
    let sure: Vec<_> = places.iter().copied().filter(|p| SURE.contains(&p.2)).collect();
    let chosen = if sure.is_empty() { places.clone() } else { sure.clone() };
    let mut readings = Vec::new();
    for (at, end, word) in chosen {
        if patterns::is_cart(cx.text[rest[end].start..].trim()) && verb == Verb::Put {
            return super::add(cx, rest);
        }
        let Some((text, label)) = text_and_label(cx, &rest[..at], literal) else { continue };
        let Some(place) = target(cx, &rest[end..], Purpose::Type) else { continue };
        if word == "for" && label.is_some() {
            continue;
        }
        readings.push(step(text, Some(place)));
    }
    if readings.is_empty()
        && let Some(labelled) = labelled(cx, verb, rest)
    {
        return Ok(Parsed { step: labelled, lead: lead(), declared: false });
    }
    // Without a place the text goes to the field that has the focus. `in X` is never taken for a part of the text.
    let placed = !readings.is_empty();
    if !placed
        && sure.is_empty()
        // `use A for B`: where it goes is said, and has to be understood.
        && (literal || append || places.is_empty())
        && let Some((text, label)) = text_and_label(cx, rest, literal)
    {
        let lead = if label.is_some() { lead() } else { None };
        return Ok(Parsed { step: step(text, label), lead, declared: false });
    }
    let found = patterns::either(readings).ok_or(Why::from(messages::NO_TEXT))?;
    Ok(Parsed { step: found, lead: lead(), declared: false })
}

/// `the box that appears`: a field without a name that has just come, and has the focus then.
fn appears(words: &[Word]) -> bool {
    let low: Vec<&str> = words.iter().filter(|w| !w.is_sign()).map(|w| w.low.as_str()).collect();
    let kind = ["box", "field", "input", "textbox", "editor"];
    match low.as_slice() {
        ["the" | "a" | "that", noun, "that" | "which", "appears" | "opens" | "appeared" | "opened"]
        | ["the" | "a" | "that", "text" | "input" | "edit", noun, "that" | "which", "appears" | "opens"]
        | ["the" | "a" | "that", noun, "that" | "which", "shows" | "pops" | "comes", "up"] => kind.contains(noun),
        _ => false,
    }
}

fn is_plural_place(words: &[Word]) -> bool {
    words.last().is_some_and(|w| matches!(w.low.as_str(), "fields" | "boxes" | "inputs" | "textboxes" | "form"))
}

/// `enter username alice`, `enter Email: a@b.c`: a label, then the text.
fn labelled(cx: &Cx<'_>, verb: Verb, rest: &[Word]) -> Option<Step> {
    let at = rest.iter().position(|w| matches!(w.low.as_str(), ":" | "="));
    if let Some(at) = at.filter(|at| *at > 0 && at + 1 < rest.len()) {
        let into = target(cx, &rest[..at], Purpose::Type)?;
        return Some(Step::Type { text: value(cx, &rest[at + 1..]), into: Some(into), append: false });
    }
    let known = [
        "username",
        "user name",
        "password",
        "email",
        "email address",
        "phone number",
        "phone",
        "first name",
        "last name",
        "name",
        "city",
        "zip code",
    ];
    let bare = match rest {
        [first, tail @ ..] if matches!(first.low.as_str(), "the" | "my" | "your") => tail,
        all => all,
    };
    let (n, label) = known.iter().filter_map(|k| starts(bare, k).map(|n| (n, *k))).max_by_key(|(n, _)| *n)?;
    let text = &bare[n..];
    let plain = text.len() == 1 && !text[0].is_sign();
    (verb != Verb::Type && plain).then(|| Step::Type {
        text: value(cx, text),
        into: Some(Wanted::named(label, Purpose::Type)),
        append: false,
    })
}

/// `fill in T with V`, `fill V into T`.
fn fill(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let form = ["the form :", "in the form :", "the fields :", "in the fields :", "the form with", "in the form with"];
    if let Some(n) = form.iter().find_map(|f| starts(rest, f)) {
        let step = labelled(cx, Verb::Fill, &rest[n..]).ok_or(Why::from(messages::WHICH_TEXT))?;
        return Ok(Parsed { step, lead: Some("enter".to_owned()), declared: false });
    }
    let lead = Some("fill in".to_owned());
    let mut readings = Vec::new();
    for at in 1..rest.len().saturating_sub(1) {
        let joint = rest[at].low.as_str();
        let (front, back) = (&rest[..at], &rest[at + 1..]);
        match joint {
            "with" | "as" | ":" | "=" => {
                if let (Some(into), Some((text, None))) =
                    (target(cx, front, Purpose::Type), text_and_label(cx, back, true))
                {
                    readings.push(Step::Type { text, into: Some(into), append: false });
                    // `fill in a@b.c as To` says the text first.
                    if joint == "as"
                        && let (Some((text, None)), Some(into)) =
                            (text_and_label(cx, front, false), target(cx, back, Purpose::Type))
                    {
                        readings.push(Step::Type { text, into: Some(into), append: false });
                    }
                    break;
                }
            }
            "into" | "in" | "to" | "for" => {
                if let (Some((text, None)), Some(into)) =
                    (text_and_label(cx, front, false), target(cx, back, Purpose::Type))
                {
                    readings.push(Step::Type { text, into: Some(into), append: false });
                }
            }
            _ => {}
        }
    }
    if readings.is_empty()
        && let Some((text, label)) = text_and_label(cx, rest, false)
        && rest.iter().any(Word::is_quote)
    {
        readings.push(Step::Type { text, into: label, append: false });
    }
    let step = patterns::either(readings).ok_or(Why::from(messages::WHICH_TEXT))?;
    Ok(Parsed { step, lead, declared: false })
}

/// `25 entries per page`, `show 50 rows`: how much of a table is shown, chosen from the list that says so.
fn page_length(cx: &Cx<'_>, front: &[Word], back: &[Word]) -> Option<Step> {
    let back = starts(back, "show").or(starts(back, "display")).map_or(back, |n| &back[n..]);
    let [number, noun, more @ ..] = back else { return None };
    let digits = !number.low.is_empty() && number.low.chars().all(|c| c.is_ascii_digit());
    let kind = matches!(noun.low.as_str(), "entries" | "rows" | "items" | "results" | "records" | "lines");
    let more: Vec<&str> = more.iter().map(|w| w.low.as_str()).collect();
    let ends_so = matches!(
        more.as_slice(),
        [] | ["per" | "a" | "on" | "each", "page"] | ["on", "each" | "a", "page"] | ["at", "a" | "one", "time"]
    );
    if !(digits && kind && ends_so) {
        return None;
    }
    let of_table = ["table", "grid", "page", "list"].iter().any(|n| front.last().is_some_and(|w| w.low == *n));
    let mut lists = if of_table && front.len() <= 2 { None } else { target(cx, front, Purpose::Choose) };
    for label in ["entries per page", "rows per page", "items per page", "results per page", "entries", "per page"] {
        let list = Wanted { role: Some(RoleWord::Dropdown), ..Wanted::named(label, Purpose::Choose) };
        lists = Some(match lists {
            Some(first) => patterns::join(first, Some(list)),
            None => list,
        });
    }
    let option = Wanted { strict: true, ..Wanted::named(value(cx, std::slice::from_ref(number)), Purpose::Choose) };
    Some(Step::Choose { option, list: lists })
}

/// `set T to V`, `change T from A to B`, `replace A with B`.
fn set(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let mut readings = Vec::new();
    for at in 1..rest.len().saturating_sub(1) {
        let joint = rest[at].low.as_str();
        if !matches!(joint, "to" | "as" | "=" | ":" | "with" | "into") {
            continue;
        }
        if joint == "to" && matches!(rest[at - 1].low.as_str(), "next" | "close" | "adjacent" | "belonging") {
            continue;
        }
        let mut front = &rest[..at];
        if let Some(from) = front.iter().position(|w| w.low == "from").filter(|f| *f > 0 && joint == "to") {
            front = &front[..from];
        }
        for lead in ["the value of", "the text of", "the text in", "the value in", "the content of", "the contents of"]
        {
            if let Some(n) = starts(front, lead) {
                front = &front[n..];
            }
        }
        let back = &rest[at + 1..];
        if let Some(step) = page_length(cx, front, back) {
            readings.push(step);
            break;
        }
        let on_off = match back {
            [one] if matches!(one.low.as_str(), "on" | "off") => Some(one.low == "on"),
            _ => None,
        };
        if let Some(on) = on_off
            && let Some(target) = target(cx, front, Purpose::Toggle)
        {
            readings.push(Step::Toggle { target, on: Some(on) });
            continue;
        }
        let its_text: Vec<&str> = front.iter().map(|w| w.low.as_str()).collect();
        let target = if matches!(
            its_text.as_slice(),
            ["it" | "that"]
                | ["the" | "its" | "that" | "this", "text" | "content" | "contents" | "value" | "wording"]
                | [
                    "the",
                    "old" | "existing" | "current" | "whole" | "entire",
                    "text" | "content" | "contents" | "value"
                ]
                | ["its", "name" | "label" | "title"]
        ) {
            Some(Wanted::named(super::PRONOUN, Purpose::Type))
        } else {
            target(cx, front, Purpose::Type)
        };
        let Some(target) = target else { continue };
        let Some((text, None)) = text_and_label(cx, back, true) else { continue };
        let vague = back.first().is_some_and(|w| matches!(w.low.as_str(), "the" | "a" | "an" | "any" | "your" | "my"));
        if vague && !back.iter().any(Word::is_quote) {
            continue;
        }
        readings.push(Step::Set { target, value: text, quoted: back.iter().any(Word::is_quote) });
        if rest[..at].iter().any(Word::is_quote) || english::is_closed(&rest[..at]) {
            break;
        }
    }
    let step = patterns::either(readings).ok_or(Why::from(messages::SET_WHAT))?;
    Ok(Parsed { step, lead: Some("set".to_owned()), declared: false })
}
