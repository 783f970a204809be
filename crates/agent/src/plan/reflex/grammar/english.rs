//! English clauses.

use super::values::{duration_ms, number};
use super::{PRONOUN, Parsed, Why, check_en, keys, patterns};
use crate::locate::tree::phrase::english::{self, Word, words};
use crate::locate::tree::phrase::quotes::Quotes;
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::messages;
use crate::plan::reflex::step::{Press, Step};

mod choosing;
mod composed;
mod leads;
mod making;
mod means;
mod moving;
mod things;
mod typing;
mod verbs;

use choosing::{flip, mark, over_list, select, sort, tick, turn};
use leads::{FILLERS, bare, refuse, strip_fillers};
use means::{by_means, confirm_with_key};
use moving::{drag, find_it, go_back, go_to, open, reload, scroll, wait};
use things::{add, clear, close, delete, operate, search, upload};
use verbs::{Verb, leading_verb};

/// One clause while it is read.
struct Cx<'a> {
    text: &'a str,
    quotes: &'a Quotes,
}

pub(super) fn clause(text: &str, quotes: &Quotes) -> Result<Parsed, Why> {
    let cx = Cx { text, quotes };
    let all = words(text);
    let body = strip_fillers(&all);
    if body.is_empty() {
        return Err(Why::new());
    }
    // `start by clicking Save`
    if let Some(base) = verbs::of_gerund(&body[0].low) {
        return clause(&format!("{base} {}", &text[body[0].end..]), quotes);
    }
    refuse(body)?;
    if let Some(step) = confirm_with_key(&cx, body) {
        return Ok(step.into());
    }
    if let Some(step) = by_means(&cx, body)? {
        return Ok(step.into());
    }
    if let Some(parsed) = placed_first(&cx, body) {
        return Ok(parsed);
    }
    if let Some(parsed) = making::read(&cx, body) {
        return Ok(parsed);
    }
    if let Some(parsed) = with_tool(&cx, body).or_else(|| bare(&cx, body).map(Parsed::from)) {
        return Ok(parsed);
    }
    if let Some(step) = bare_key(&cx, body) {
        return Ok(step.into());
    }
    if body[0].low == "confirm"
        && let Some(step) = check_en::read_if_statement(text, quotes, &body[1..])
    {
        return Ok(Parsed { lead: Some("verify that".to_owned()), ..Parsed::from(step) });
    }
    let statement = || {
        let step = check_en::declared(text, quotes, body)?;
        Some(Parsed { step, lead: Some("verify that".to_owned()), declared: true })
    };
    let Some((verb, used)) = leading_verb(body) else {
        return statement().ok_or(Why::new());
    };
    // `Search results should be listed` begins with a verb only by its looks.
    let takes_any_words =
        matches!(verb, Verb::Type | Verb::Put | Verb::Fill | Verb::Set | Verb::Append | Verb::Verify | Verb::Wait);
    if !takes_any_words && body[1..].iter().any(|w| matches!(w.low.as_str(), "should" | "ought")) {
        return statement().ok_or(Why::new());
    }
    match verb_clause(&cx, verb, body, &body[used..]) {
        Ok(Parsed { step: Step::Type { text, into: None, append: false }, .. })
            if all.iter().any(|w| w.low == "instead") =>
        {
            let target = Wanted::named(PRONOUN, Purpose::Type);
            Ok(Step::Set { target, value: text, quoted: true }.into())
        }
        Ok(parsed) => Ok(parsed),
        Err(why) => statement().ok_or(why),
    }
}

/// `the Enter key`, `Ctrl+S`: a key without a verb.
fn bare_key(cx: &Cx<'_>, body: &[Word]) -> Option<Step> {
    let text = slice(cx, body);
    if !(body.last()?.low == "key" || text.contains('+')) || leading_verb(body).is_some() {
        return None;
    }
    let chord = keys::read(text).filter(|c| c.is_certain)?;
    Some(Step::Key { chord: chord.name, times: 1, on: None, or_button: None })
}

/// Whether a text says nothing but `first` or `please`.
pub(super) fn is_filler(text: &str) -> bool {
    let all = words(text);
    let low: Vec<&str> = all.iter().filter(|w| !w.is_sign()).map(|w| w.low.as_str()).collect();
    FILLERS.contains(&low.join(" ").as_str())
}

/// Whether these words are a step that makes something new: `create a new ticket`.
pub(super) fn makes_new(words: &[Word]) -> bool {
    making::made_thing(strip_fillers(words)).is_some()
}

/// Whether a step only looks for something.
pub(super) fn finds(text: &str) -> bool {
    matches!(leading_verb(strip_fillers(&words(text))), Some((Verb::Find, _)))
}

/// Whether a text ends with the word for a kind of control.
pub(super) fn ends_with_kind(text: &str) -> bool {
    const KINDS: &[&str] = &["tab", "button", "link", "icon", "menu", "section", "panel", "page", "item", "option"];
    words(text).last().is_some_and(|w| KINDS.contains(&w.low.as_str()))
}

/// Whether a text begins as a step does: a verb, and something that it is about.
pub(super) fn begins_step(text: &str) -> bool {
    let all = words(text);
    let body = strip_fillers(&all);
    leading_verb(body).is_some_and(|(_, used)| used < body.len())
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
    let n = phrase.split(' ').count();
    let from = words.len().checked_sub(n)?;
    starts(&words[from..], phrase).map(|_| from)
}

fn find(words: &[Word], phrase: &str) -> Option<(usize, usize)> {
    (0..words.len()).find_map(|at| starts(&words[at..], phrase).map(|n| (at, at + n)))
}

fn verb_clause_of(cx: &Cx<'_>, body: &[Word]) -> Option<Step> {
    let (verb, used) = leading_verb(body)?;
    verb_clause(cx, verb, body, &body[used..]).ok().map(|p| p.step)
}

/// `in the dialog, click OK`; `once the list appears, click Tea`.
fn placed_first(cx: &Cx<'_>, body: &[Word]) -> Option<Parsed> {
    let first = body.first()?.low.as_str();
    if !matches!(first, "in" | "inside" | "within" | "on" | "into" | "from" | "under" | "at" | "for") {
        return None;
    }
    for at in 2..body.len() {
        let Some((_, _)) = leading_verb(&body[at..]) else { continue };
        let place = &body[1..at];
        if place
            .iter()
            .all(|w| w.is_sign() || matches!(w.low.as_str(), "the" | "a" | "an" | "my" | "your" | "this" | "that"))
        {
            continue;
        }
        let rest = cx.text[body[at].start..].trim();
        let Ok(parsed) = clause(rest, cx.quotes) else { continue };
        if english::says_page(place) {
            return Some(parsed);
        }
        let as_field = target(cx, place, Purpose::Type);
        if let Step::Type { text, into: None, append } = &parsed.step
            && let Some(field) = as_field
        {
            return Some(Step::Type { text: text.clone(), into: Some(field), append: *append }.into());
        }
        // The clause behind may leave out the verb, but it is about the same place.
        let placed_lead = parsed.lead.as_ref().map(|lead| format!("{}{lead}", &cx.text[body[0].start..body[at].start]));
        let Some(holder) = english::read_place(cx.text, cx.quotes, place) else { continue };
        if let Step::Choose { option, list: None } = &parsed.step {
            let list = target(cx, place, Purpose::Choose);
            let inside = Step::Choose { option: option.clone().inside(&holder), list: None };
            let listed = list.map(|list| Step::Choose { option: option.clone(), list: Some(list) });
            return patterns::either(listed.into_iter().chain([inside]).collect()).map(Parsed::from);
        }
        let mut step = parsed.step;
        let mut placed = false;
        super::each_target(&mut step, &mut |w| {
            *w = w.clone().inside(&holder);
            placed = true;
        });
        if placed {
            return Some(Parsed { lead: placed_lead, ..Parsed::from(step) });
        }
    }
    None
}

/// `use the textbox to enter "tea"`.
fn with_tool(cx: &Cx<'_>, body: &[Word]) -> Option<Parsed> {
    let used = starts(body, "use")?;
    let (at, end) = find(body, "to")?;
    let rest = &body[end..];
    leading_verb(rest)?;
    let parsed = clause(cx.text[rest.first()?.start..].trim(), cx.quotes).ok()?;
    match parsed.step {
        Step::Type { text, into: None, append } => {
            let into = target(cx, &body[used..at], Purpose::Type)?;
            Some(Step::Type { text, into: Some(into), append }.into())
        }
        Step::Search { text, field: None } => {
            Some(Step::Search { text, field: target(cx, &body[used..at], Purpose::Type) }.into())
        }
        Step::Choose { option, list: None } => {
            Some(Step::Choose { option, list: target(cx, &body[used..at], Purpose::Choose) }.into())
        }
        _ => None,
    }
}

/// A target; the pronoun becomes the mark that the reader of the whole goal replaces.
fn target(cx: &Cx<'_>, words: &[Word], purpose: Purpose) -> Option<Wanted> {
    let low: Vec<&str> = words.iter().filter(|w| !w.is_sign()).map(|w| w.low.as_str()).collect();
    if matches!(
        low.as_slice(),
        ["it" | "there" | "that"]
            | ["that" | "this", "field" | "box" | "button" | "link" | "element" | "one"]
            | ["the", "same", "field" | "button" | "link" | "element" | "one"]
    ) {
        return Some(Wanted::named(PRONOUN, purpose));
    }
    english::read_words(cx.text, cx.quotes, words, purpose)
}

fn slice<'a>(cx: &Cx<'a>, words: &[Word]) -> &'a str {
    match (words.first(), words.last()) {
        (Some(first), Some(last)) => cx.text[first.start..last.end].trim(),
        _ => "",
    }
}

/// A value as written: the inside of a quote, or the words.
fn value(cx: &Cx<'_>, words: &[Word]) -> String {
    cx.quotes.value(slice(cx, words))
}

/// Takes `twice`, `3 times` off the end.
fn repeated(words: &[Word]) -> (&[Word], u32) {
    if let [rest @ .., last] = words
        && matches!(last.low.as_str(), "once" | "twice" | "thrice")
    {
        return (rest, number(&last.low).unwrap_or(1));
    }
    if let [rest @ .., n, times] = words
        && matches!(times.low.as_str(), "times" | "time" | "x")
        && let Some(n) = number(&n.low).filter(|n| (1..=50).contains(n))
    {
        return (rest, n);
    }
    (words, 1)
}

/// Takes `to open the menu` off the end, behind a name that is complete.
fn without_aim(words: &[Word]) -> &[Word] {
    for marker in ["in order to", "so that", "so as to", "to"] {
        if let Some((at, end)) = find(words, marker)
            && at > 0
            && end < words.len()
            && english::is_closed(&words[..at])
            && !words[end].is_quote()
            && !matches!(words[at - 1].low.as_str(), "next" | "adjacent" | "close")
            && !matches!(words[end].low.as_str(), "the" | "right" | "left" | "a")
        {
            return &words[..at];
        }
    }
    words
}

fn verb_clause(cx: &Cx<'_>, verb: Verb, body: &[Word], rest: &[Word]) -> Result<Parsed, Why> {
    let none = Why::new;
    match verb {
        Verb::Click(how) => click(cx, rest, how).map(|p| led_by(p, "click")),
        Verb::Press => press(cx, rest).map(|p| led_by(p, "click")),
        Verb::Open => open(cx, rest).map(|p| led_by(p, "open")),
        Verb::GoTo => go_to(cx, rest).map(|p| Parsed { lead: Some("go".to_owned()), ..p }),
        Verb::Unfold(open) => {
            let target = target(cx, rest, Purpose::Click).ok_or_else(none)?;
            Ok(Step::Unfold { target, open }.into())
        }
        Verb::Type | Verb::Put | Verb::Fill | Verb::Set | Verb::Append => typing::read(cx, verb, body, rest),
        Verb::Clear => clear(cx, rest),
        Verb::Select => select(cx, rest),
        Verb::Tick(on) => tick(cx, rest, on),
        Verb::Turn => turn(cx, rest),
        Verb::Flip => flip(cx, rest),
        Verb::Mark => mark(cx, rest),
        Verb::Scroll => scroll(cx, rest).map(Parsed::from).ok_or_else(none),
        Verb::Reload => reload(rest).map(Parsed::from).ok_or_else(none),
        Verb::Return => go_back(cx, rest),
        Verb::Wait => wait(cx, &body[..body.len() - rest.len()], rest),
        Verb::Drag => drag(cx, rest),
        Verb::Upload => upload(cx, rest),
        Verb::Close => close(cx, rest),
        Verb::Delete => delete(cx, rest),
        Verb::Edit => operate(cx, "edit", rest),
        Verb::Add => add(cx, rest),
        Verb::Find => find_it(cx, rest),
        Verb::Sort => sort(cx, body, rest),
        Verb::Search => search(cx, rest),
        Verb::Verify => check_en::read(cx.text, cx.quotes, rest)
            .map(|step| Parsed { step, lead: Some("verify that".to_owned()), declared: false })
            .ok_or(Why::from(messages::CHECK_UNREAD)),
        Verb::When => when(cx, &body[0].low, rest),
    }
}

/// A click may be followed by one that leaves out the verb: `open Settings and then the Profile tab`.
fn led_by(parsed: Parsed, verb: &str) -> Parsed {
    let once = matches!(parsed.step, Step::Click { how: Press::Once, times: 1, .. });
    Parsed { lead: once.then(|| verb.to_owned()).or(parsed.lead), ..parsed }
}

/// `once X appears`, `after clicking X`.
fn when(cx: &Cx<'_>, body_lead: &str, rest: &[Word]) -> Result<Parsed, Why> {
    let first = rest.first().ok_or(Why::new())?;
    if let Some(base) = verbs::of_gerund(&first.low) {
        return clause(&format!("{base} {}", &cx.text[first.end..]), cx.quotes);
    }
    // `once the total is $5`: any statement can be waited for. `when` and `after` may as well set a condition.
    let waits = matches!(body_lead, "once" | "as");
    let shown = [
        " is there",
        " is open",
        " appears",
        " appear",
        " visible",
        " loaded",
        " loads",
        " up",
        " shown",
        " displayed",
        " opens",
        " enabled",
        " disappears",
        " gone",
        " shows",
        " has appeared",
        " appeared",
        " opened",
        " visible on the page",
        " ready",
        " comes",
        " enabled again",
    ];
    let text = slice(cx, rest).to_lowercase();
    if !waits && !shown.iter().any(|s| text.ends_with(s)) {
        return Err(Why::from(messages::CONDITION));
    }
    let step = check_en::read_wait(cx.text, cx.quotes, rest, true).ok_or(Why::from(messages::CONDITION))?;
    Ok(step.into())
}

fn click(cx: &Cx<'_>, rest: &[Word], how: Press) -> Result<Parsed, Why> {
    let (rest, times) = repeated(rest);
    let mut rest = without_aim(rest);
    let mut how = how;
    if let Press::Hold(_) = how
        && let Some((at, end)) = find(rest, "for")
        && let Some(ms) = duration_ms(slice(cx, &rest[end..]))
    {
        how = Press::Hold(ms);
        rest = &rest[..at];
    }
    // `double-click it to read it`
    if let [it, to, _, ..] = rest
        && matches!(it.low.as_str(), "it" | "that")
        && to.low == "to"
    {
        rest = &rest[..1];
    }
    if rest.is_empty() {
        return Err(Why::new());
    }
    if find(rest, "so that").is_some() {
        return Err(Why::from(messages::PURPOSE));
    }
    let purpose = if how == Press::Once { Purpose::Click } else { Purpose::Point };
    let make = |target: Wanted| Step::Click { target, how, times };
    let step = over_list(cx, rest, purpose, &make);
    let step = match (step, for_purpose(cx, rest, purpose)) {
        (Some(Step::Click { target, how, times }), Some(plain)) => {
            Some(Step::Click { target: patterns::join(target, Some(plain)), how, times })
        }
        (step, _) => step,
    };
    step.map(Parsed::from).ok_or(Why::from(messages::UNSURE))
}

/// `Save to keep the changes`: the name alone, for when no element has all of it as its name.
fn for_purpose(cx: &Cx<'_>, words: &[Word], purpose: Purpose) -> Option<Wanted> {
    const AIMS: &[&str] = &[
        "save", "keep", "submit", "confirm", "finish", "proceed", "continue", "see", "show", "view", "apply",
        "complete", "start", "create", "close", "open", "send", "update", "load", "reveal", "display", "expand", "get",
        "make", "store", "place", "filter", "sort", "log", "sign", "go", "bring",
    ];
    let at = (1..words.len().saturating_sub(1))
        .find(|&i| words[i].low == "to" && AIMS.contains(&words[i + 1].low.as_str()) && !words[i + 1].is_quote())?;
    let mut one = target(cx, &words[..at], purpose)?;
    super::each_reading(&mut one, &mut |w| w.strict |= !w.quoted);
    Some(one)
}

/// `press Enter`, `press the Save button`, `press Ctrl+A in the editor`.
fn press(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let (rest, times) = repeated(rest);
    let rest = without_key_aim(rest);
    let chord_of = |words: &[Word]| keys::read(&value(cx, words));
    let key = |chord: keys::Chord, on: Option<Wanted>, words: &[Word]| {
        let or_button =
            (!chord.is_certain).then(|| Wanted { strict: true, ..Wanted::named(value(cx, words), Purpose::Click) });
        Parsed::from(Step::Key { chord: chord.name, times, on, or_button })
    };
    if let Some(chord) = chord_of(rest) {
        return Ok(key(chord, None, rest));
    }
    for at in 1..rest.len() {
        let (head, tail) = rest.split_at(at);
        let place =
            ["inside", "in", "on", "within", "while in", "at"].iter().find_map(|p| starts(tail, p).map(|n| &tail[n..]));
        if let Some(place) = place
            && let Some(chord) = chord_of(head)
            && let Some(on) = target(cx, place, Purpose::Type)
        {
            return Ok(key(chord, Some(on), head));
        }
    }
    click(cx, rest, Press::Once)
}

/// `Enter to submit`, `Escape to close the menu`.
fn without_key_aim(words: &[Word]) -> &[Word] {
    match find(words, "to") {
        Some((at, _))
            if at > 0
                && keys::read(&words[..at].iter().map(|w| w.low.as_str()).collect::<Vec<_>>().join(" ")).is_some() =>
        {
            &words[..at]
        }
        _ => words,
    }
}
