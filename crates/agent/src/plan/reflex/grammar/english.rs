//! English clauses.

use super::values::{address, duration_ms, file, number};
use super::{PRONOUN, Parsed, Why, check_en, keys, patterns};
use crate::locate::tree::phrase::english::{self, Word, words};
use crate::locate::tree::phrase::quotes::Quotes;
use crate::locate::tree::{Purpose, RoleWord, Wanted};
use crate::plan::reflex::step::{Press, Step};
use handeye_core::{Direction, ScrollKind};

mod typing;
mod verbs;

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
    refuse(body)?;
    if let Some(step) = by_means(&cx, body) {
        return Ok(step.into());
    }
    if let Some(parsed) = placed_first(&cx, body) {
        return Ok(parsed);
    }
    if let Some(parsed) = with_tool(&cx, body).or_else(|| bare(&cx, body).map(Parsed::from)) {
        return Ok(parsed);
    }
    let (verb, used) = leading_verb(body).ok_or_else(Why::new)?;
    verb_clause(&cx, verb, body, &body[used..])
}

/// Whether a text says nothing but `first` or `please`.
pub(super) fn is_filler(text: &str) -> bool {
    let all = words(text);
    let low: Vec<&str> = all.iter().filter(|w| !w.is_sign()).map(|w| w.low.as_str()).collect();
    FILLERS.contains(&low.join(" ").as_str())
}

/// Whether a text begins as a step does: a verb, and something that it is about.
pub(super) fn begins_step(text: &str) -> bool {
    let all = words(text);
    let body = strip_fillers(&all);
    leading_verb(body).is_some_and(|(_, used)| used < body.len())
}

/// Words that add courtesy or order, nothing else.
const FILLERS: &[&str] = &[
    "please",
    "kindly",
    "could you please",
    "could you",
    "can you please",
    "can you",
    "would you please",
    "would you",
    "i want you to",
    "i want to",
    "i'd like you to",
    "i'd like to",
    "i would like you to",
    "i would like to",
    "i need you to",
    "i need to",
    "you should",
    "you need to",
    "you must",
    "we should",
    "go ahead and",
    "let's",
    "let us",
    "now",
    "just",
    "also",
    "next",
    "first of all",
    "first",
    "firstly",
    "second",
    "secondly",
    "third",
    "thirdly",
    "finally",
    "lastly",
    "and",
    "then",
    "so",
    "ok",
    "okay",
    "afterwards",
    "once more",
    "simply",
    "to begin",
    "start by",
    "begin by",
    "in order",
    "there",
];
const TRAILERS: &[&str] = &[
    "please",
    "for me",
    "now",
    "right away",
    "immediately",
    "thanks",
    "thank you",
    "as well",
    "too",
    "instead",
    "once done",
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
    let n = phrase.split(' ').count();
    let from = words.len().checked_sub(n)?;
    starts(&words[from..], phrase).map(|_| from)
}

fn find(words: &[Word], phrase: &str) -> Option<(usize, usize)> {
    (0..words.len()).find_map(|at| starts(&words[at..], phrase).map(|n| (at, at + n)))
}

fn strip_fillers(words: &[Word]) -> &[Word] {
    let mut body = words;
    loop {
        let before = body.len();
        while let [first, rest @ ..] = body
            && first.is_sign()
        {
            body = rest;
        }
        // `first name: Bob` begins with a filler only when a verb or a sign comes behind it.
        for filler in FILLERS {
            let Some(n) = starts(body, filler) else { continue };
            let rest = &body[n..];
            let weak = matches!(*filler, "next" | "first" | "second" | "third" | "so" | "in order" | "there");
            let goes_on = rest.first().is_some_and(Word::is_sign) || leading_verb(rest).is_some();
            if !rest.is_empty() && (!weak || goes_on) {
                body = rest;
                break;
            }
        }
        while let [rest @ .., last] = body
            && last.is_sign()
        {
            body = rest;
        }
        if let Some(at) = TRAILERS.iter().find_map(|t| ends(body, t))
            && at > 1
        {
            body = &body[..at];
        }
        if body.len() == before {
            return body;
        }
    }
}

/// Wishes that need judgement: they are refused with the reason.
fn refuse(body: &[Word]) -> Result<(), Why> {
    let has = |w: &str| body.iter().any(|word| word.low == w);
    let first = body[0].low.as_str();
    let asks = matches!(
        first,
        "what" | "which" | "how" | "why" | "who" | "whose" | "where" | "is" | "are" | "does" | "do" | "did" | "was"
    );
    if asks && !matches!(first, "do") {
        return Err("asks a question; without a model only steps are done".to_owned());
    }
    if first == "if"
        || has("unless")
        || has("otherwise")
        || has("whenever")
        || first == "while"
        || find(body, "as long as").is_some()
    {
        return Err("sets a condition; without a model steps are done as they stand".to_owned());
    }
    if body.len() > 2
        && find(&body[1..], "if").is_some_and(|_| !matches!(first, "check" | "verify" | "see" | "type" | "enter"))
    {
        return Err("sets a condition; without a model steps are done as they stand".to_owned());
    }
    if find(body, "for each").is_some()
        || find(body, "for every").is_some()
        || find(body, "one by one").is_some()
        || first == "repeat"
    {
        return Err("asks for a repetition; say each step, or how many times".to_owned());
    }
    let not = matches!(first, "don't" | "never" | "avoid" | "dont") || starts(body, "do not").is_some();
    if not || has("without") || has("except") {
        return Err("says what not to do; without a model only steps are done".to_owned());
    }
    if has("before") && body.iter().any(|w| w.low.ends_with("ing")) {
        return Err("gives an order by `before`; say the steps in the order in which they are done".to_owned());
    }
    Ok(())
}

/// `close the dialog by clicking "x"`: the means are the step.
fn by_means(cx: &Cx<'_>, body: &[Word]) -> Option<Step> {
    let (at, end) = find(body, "by")?;
    let gerund = body.get(end)?.low.as_str();
    let base = verbs::of_gerund(gerund)?;
    let aim = verb_clause_of(cx, &body[..at])?;
    let rest = cx.text[body[end].end..].trim();
    let means = clause(&format!("{base} {rest}"), cx.quotes).ok()?.step;
    match (aim, means) {
        (Step::Close { target: holder }, Step::Click { target, how, times }) => {
            Some(Step::Click { target: target.inside(&holder.for_purpose(Purpose::Hold)), how, times })
        }
        (_, means) => Some(means),
    }
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
            return Some(step.into());
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

/// Names of controls that stand for a whole clause: `log in`, `submit the form`.
const COMMANDS: &[&str] = &[
    "log in",
    "login",
    "sign in",
    "log out",
    "logout",
    "sign out",
    "log off",
    "sign up",
    "submit",
    "save",
    "cancel",
    "confirm",
    "apply",
    "continue",
    "proceed",
    "search",
    "checkout",
    "check out",
    "close",
    "ok",
    "next",
    "previous",
    "finish",
    "undo",
    "redo",
    "send",
    "publish",
    "post",
    "register",
    "subscribe",
    "accept",
    "agree",
    "decline",
    "reset",
    "print",
    "download",
    "upload",
    "export",
    "import",
    "share",
    "reply",
    "copy",
    "play",
    "pause",
    "stop",
    "start",
    "retry",
    "place order",
    "place the order",
    "add to cart",
    "create",
    "login now",
];
/// What a command may be about without saying more.
const GENERIC: &[&str] = &[
    "form", "it", "changes", "settings", "page", "request", "data", "dialog", "message", "comment", "post", "edits",
    "search", "results",
];

fn bare(cx: &Cx<'_>, body: &[Word]) -> Option<Step> {
    let low: Vec<&str> = body.iter().map(|w| w.low.as_str()).collect();
    let text = low.join(" ");
    if COMMANDS.contains(&text.as_str()) {
        let name = text.replace("place the", "place");
        return Some(patterns::click(Wanted::named(name, Purpose::Click)));
    }
    match text.as_str() {
        "enter" | "return" | "hit return" => {
            return Some(Step::Key { chord: "Enter".to_owned(), times: 1, on: None, or_button: None });
        }
        "go back" | "back" | "navigate back" | "go back one page" => return Some(Step::Back),
        "go forward" | "forward" | "navigate forward" => return Some(Step::Forward),
        "wait" => return Some(Step::Sleep { ms: 1000 }),
        _ => {}
    }
    // `save the changes`: a control with that name, or the one of the verb.
    let command = COMMANDS.iter().filter(|c| starts(body, c).is_some()).max_by_key(|c| c.len())?;
    let used = command.split(' ').count();
    let thing = &body[used..];
    let words: Vec<&str> = thing
        .iter()
        .map(|w| w.low.as_str())
        .filter(|w| !matches!(*w, "the" | "my" | "this" | "a" | "your" | "all"))
        .collect();
    let whole = cx.text[body[0].start..body.last()?.end].trim();
    if thing.iter().any(|w| w.low == "all" || w.is_quote())
        || matches!(*command, "search" | "close" | "upload" | "stop" | "start" | "check out")
    {
        return None;
    }
    let is_generic = words.iter().all(|w| GENERIC.contains(w)) && !words.is_empty();
    let literal = Wanted { strict: true, ..Wanted::named(whole, Purpose::Click) };
    let command = Wanted::named(*command, Purpose::Click);
    let named = leading_verb(body).is_none();
    if is_generic {
        return Some(patterns::click(Wanted { or: Some(Box::new(command)), ..literal }));
    }
    (named && words.len() <= 3).then(|| patterns::click(literal))
}

/// A target; the pronoun becomes the mark that the reader of the whole goal replaces.
fn target(cx: &Cx<'_>, words: &[Word], purpose: Purpose) -> Option<Wanted> {
    let low: Vec<&str> = words.iter().filter(|w| !w.is_sign()).map(|w| w.low.as_str()).collect();
    if matches!(
        low.as_slice(),
        ["it" | "there" | "that"] | ["that" | "this", "field" | "box" | "button" | "link" | "element" | "one"]
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

const UNSURE: &str = "names no single element";

fn verb_clause(cx: &Cx<'_>, verb: Verb, body: &[Word], rest: &[Word]) -> Result<Parsed, Why> {
    let none = Why::new;
    match verb {
        Verb::Click(how) => click(cx, rest, how),
        Verb::Press => press(cx, rest),
        Verb::Open => open(cx, rest),
        Verb::GoTo => go_to(cx, rest),
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
        Verb::Wait => wait(cx, rest),
        Verb::Drag => drag(cx, rest),
        Verb::Upload => upload(cx, rest),
        Verb::Close => close(cx, rest),
        Verb::Delete => delete(cx, body, rest),
        Verb::Edit => operate(cx, "edit", body, rest),
        Verb::Add => add(cx, body, rest),
        Verb::Search => search(cx, rest),
        Verb::Verify => check_en::read(cx.text, cx.quotes, rest)
            .map(|check| Parsed { step: Step::Verify { check }, lead: Some("verify that".to_owned()) })
            .ok_or_else(|| "is a check that is not understood".to_owned()),
        Verb::When => when(cx, rest),
    }
}

/// `once X appears`, `after clicking X`.
fn when(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let first = rest.first().ok_or_else(Why::new)?;
    if let Some(base) = verbs::of_gerund(&first.low) {
        return clause(&format!("{base} {}", &cx.text[first.end..]), cx.quotes);
    }
    let shown = [
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
    ];
    let text = slice(cx, rest).to_lowercase();
    if !shown.iter().any(|s| text.ends_with(s)) {
        return Err("sets a condition; without a model steps are done as they stand".to_owned());
    }
    let check = check_en::read_wait(cx.text, cx.quotes, rest).ok_or_else(Why::new)?;
    Ok(Step::WaitFor { check }.into())
}

/// Splits `A, B and C`.
fn list(words: &[Word]) -> Vec<&[Word]> {
    let parts = words.split(|w| matches!(w.low.as_str(), "," | "and" | "&" | "，"));
    parts.filter(|p| !p.is_empty()).collect()
}

/// One step, or one for each name of a list.
fn over_list(cx: &Cx<'_>, rest: &[Word], purpose: Purpose, make: &dyn Fn(Wanted) -> Step) -> Option<Step> {
    let whole = target(cx, rest, purpose).map(make);
    let mut names = rest;
    let mut role: Option<RoleWord> = None;
    if let Some(n) = english::plural_lead(rest) {
        let kind = english::read_words(cx.text, cx.quotes, &rest[..n], purpose)?;
        role = kind_of_plural(&kind.words)
            .map(|r| if r == RoleWord::Checkbox && purpose != Purpose::Toggle { RoleWord::Any } else { r });
        names = &rest[n..];
    }
    let mut parts = list(names);
    if parts.len() < 2 {
        return if role.is_some() { None } else { whole };
    }
    // `the A and B checkboxes`
    if role.is_none()
        && let Some(last) = parts.last().copied()
        && last.len() > 1
        && let Some(found) = last.last().and_then(|w| kind_of_plural(&w.low))
    {
        role = Some(found);
        let end = parts.len() - 1;
        parts[end] = &last[..last.len() - 1];
    }
    let mut steps = Vec::new();
    for part in parts {
        let mut one = target(cx, part, purpose)?;
        if role.is_some() && one.role.is_none() {
            one = Wanted { role, or: None, ..one };
        }
        steps.push(make(one));
    }
    patterns::each(whole, steps)
}

fn kind_of_plural(word: &str) -> Option<RoleWord> {
    let low = word.to_lowercase();
    let last = low.rsplit(' ').next()?;
    let singular = last.strip_suffix("es").filter(|s| s.ends_with("box")).or(last.strip_suffix('s'))?;
    Some(match singular {
        "button" => RoleWord::Button,
        "link" => RoleWord::Link,
        "tab" => RoleWord::Tab,
        "checkbox" | "box" => RoleWord::Checkbox,
        "option" => RoleWord::Option,
        "radio" => RoleWord::Radio,
        "switch" | "toggle" => RoleWord::Switch,
        "item" => RoleWord::Any,
        _ => return None,
    })
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
    if rest.is_empty() {
        return Err(Why::new());
    }
    let purpose = if how == Press::Once { Purpose::Click } else { Purpose::Point };
    let make = |target: Wanted| Step::Click { target, how, times };
    over_list(cx, rest, purpose, &make).map(Parsed::from).ok_or_else(|| UNSURE.to_owned())
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

/// `open https://…`, `open the File menu`.
fn open(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    if let Some(url) = address(&value(cx, rest)) {
        return Ok(Step::Go { url }.into());
    }
    click(cx, rest, Press::Once)
}

fn go_to(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let low: Vec<&str> = rest
        .iter()
        .map(|w| w.low.as_str())
        .filter(|w| !matches!(*w, "the" | "url" | "address" | "website" | "site"))
        .collect();
    if let Some(url) = rest.iter().rev().find_map(|w| address(&cx.quotes.value(&cx.text[w.start..w.end])))
        && (low.len() == 1 || rest.len() <= 3)
    {
        return Ok(Step::Go { url }.into());
    }
    let text = low.join(" ");
    match text.as_str() {
        "previous page" | "last page visited" | "page before" => return Ok(Step::Back.into()),
        _ => {}
    }
    if let Some(step) = scroll_edge(&low) {
        return Ok(step.into());
    }
    // `the Settings page`: a link or tab of that name.
    let rest = match rest {
        [name @ .., last]
            if !name.is_empty()
                && matches!(last.low.as_str(), "page" | "screen" | "view")
                && low.len() > 1
                && !matches!(low[0], "next" | "previous") =>
        {
            name
        }
        all => all,
    };
    click(cx, rest, Press::Once)
}

fn clear(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let mut words = rest;
    for lead in [
        "the text in",
        "the text from",
        "the text of",
        "the contents of",
        "the content of",
        "the value of",
        "the text inside",
        "out",
        "all text in",
        "all the text in",
    ] {
        if let Some(n) = starts(words, lead) {
            words = &words[n..];
        }
    }
    let low: Vec<&str> = words.iter().map(|w| w.low.as_str()).collect();
    if matches!(low.as_slice(), ["it" | "field"] | ["the", "field" | "input" | "box" | "text"]) {
        return Ok(Step::Clear { field: None }.into());
    }
    if words.is_empty() {
        return Err(Why::new());
    }
    let field = target(cx, words, Purpose::Type).ok_or_else(|| UNSURE.to_owned())?;
    // `clear completed` may be the name of a button.
    let whole = Wanted {
        strict: true,
        ..Wanted::named(format!("clear {}", cx.quotes.restore(slice(cx, rest))), Purpose::Click)
    };
    let readings = vec![Step::Clear { field: Some(field) }, patterns::click(whole)];
    patterns::either(readings).map(Parsed::from).ok_or_else(Why::new)
}

/// `select Germany from the Country list`, `choose Large`, `select 5 with the slider`.
fn select(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    if rest.is_empty() {
        return Err(Why::new());
    }
    let mut readings = Vec::new();
    let mut lead = None;
    for at in 1..rest.len() {
        let tail = &rest[at..];
        let Some((used, word)) =
            ["from", "in", "inside", "under", "on", "within", "for", "as", "with", "using", "out of", "of"]
                .iter()
                .find_map(|p| starts(tail, p).map(|n| (n, *p)))
        else {
            continue;
        };
        let (Some(option), Some(list)) =
            (target(cx, &rest[..at], Purpose::Choose), target(cx, &tail[used..], Purpose::Choose))
        else {
            continue;
        };
        if matches!(word, "with" | "using") {
            let set = Step::Set {
                target: list.for_purpose(Purpose::Type),
                value: value(cx, &rest[..at]),
                quoted: rest[0].is_quote(),
            };
            readings.push(set);
            continue;
        }
        readings.push(Step::Choose { option, list: Some(list) });
        lead = Some("select".to_owned());
        // `from` cannot mean anything else.
        if word == "from" {
            break;
        }
    }
    let sure = matches!(readings.as_slice(), [Step::Choose { .. }]) && find(rest, "from").is_some();
    if !sure {
        let make = |option: Wanted| Step::Choose { option, list: None };
        readings.extend(over_list(cx, without_aim(rest), Purpose::Choose, &make));
    }
    let step = patterns::either(readings).ok_or_else(|| UNSURE.to_owned())?;
    Ok(Parsed { step, lead })
}

/// `check Remember me`; `check that …` is a check.
fn tick(cx: &Cx<'_>, rest: &[Word], on: bool) -> Result<Parsed, Why> {
    if on && let Some(check) = check_en::read_if_statement(cx.text, cx.quotes, rest) {
        return Ok(Parsed { step: Step::Verify { check }, lead: Some("verify that".to_owned()) });
    }
    let mut rest = rest;
    if let Some(at) = ends(rest, "as done").or(ends(rest, "as completed")).or(ends(rest, "as complete")) {
        rest = &rest[..at];
    }
    let make = |target: Wanted| Step::Toggle { target, on: Some(on) };
    over_list(cx, without_aim(rest), Purpose::Toggle, &make).map(Parsed::from).ok_or_else(|| UNSURE.to_owned())
}

/// `turn X off`, `turn on X`.
fn turn(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let (words, on) = match rest {
        [first, tail @ ..] if matches!(first.low.as_str(), "on" | "off") => (tail, first.low == "on"),
        [head @ .., last] if matches!(last.low.as_str(), "on" | "off") => (head, last.low == "on"),
        _ => return Err(Why::new()),
    };
    tick(cx, words, on).and_then(|p| if matches!(p.step, Step::Verify { .. }) { Err(Why::new()) } else { Ok(p) })
}

fn flip(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    if rest.iter().any(|w| matches!(w.low.as_str(), "on" | "off"))
        && let Ok(parsed) = turn(cx, rest)
    {
        return Ok(parsed);
    }
    if starts(rest, "to").is_some() {
        return click(cx, &rest[1..], Press::Once);
    }
    let target = target(cx, rest, Purpose::Toggle).ok_or_else(|| UNSURE.to_owned())?;
    Ok(Step::Toggle { target, on: None }.into())
}

/// `mark X as done`.
fn mark(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    if let Some((at, end)) = find(rest, "as") {
        let state: Vec<&str> = rest[end..].iter().map(|w| w.low.as_str()).collect();
        let on = match state.join(" ").as_str() {
            "done" | "complete" | "completed" | "finished" | "checked" => true,
            "not done" | "incomplete" | "undone" | "uncompleted" | "active" | "unchecked" | "not completed"
            | "open" => false,
            _ => return Err("marks something in a way that is not understood".to_owned()),
        };
        return tick_only(cx, &rest[..at], on);
    }
    tick_only(cx, rest, true)
}

fn tick_only(cx: &Cx<'_>, rest: &[Word], on: bool) -> Result<Parsed, Why> {
    let make = |target: Wanted| Step::Toggle { target, on: Some(on) };
    over_list(cx, rest, Purpose::Toggle, &make).map(Parsed::from).ok_or_else(|| UNSURE.to_owned())
}

fn scroll_edge(low: &[&str]) -> Option<Step> {
    let words: Vec<&str> = low
        .iter()
        .copied()
        .filter(|w| {
            !matches!(*w, "the" | "very" | "all" | "way" | "to" | "page" | "of" | "down" | "up" | "on" | "this")
        })
        .collect();
    let to = match words.as_slice() {
        ["bottom" | "end"] => ScrollKind::ScrollToBottom,
        ["top" | "beginning" | "start"] => ScrollKind::ScrollToTop,
        _ => return None,
    };
    Some(Step::Scroll { direction: Direction::Down, to, distance: None, area: None, times: 1 })
}

fn scroll(cx: &Cx<'_>, rest: &[Word]) -> Option<Step> {
    let low: Vec<&str> = rest.iter().map(|w| w.low.as_str()).collect();
    if let Some(step) = scroll_edge(&low) {
        return Some(step);
    }
    // `to the bottom of the list`
    for (edge, to) in [
        ("bottom", ScrollKind::ScrollToBottom),
        ("end", ScrollKind::ScrollToBottom),
        ("top", ScrollKind::ScrollToTop),
        ("beginning", ScrollKind::ScrollToTop),
    ] {
        for joint in ["of", "in", "inside"] {
            if let Some((_, end)) = find(rest, &format!("{edge} {joint}")) {
                let area = target(cx, &rest[end..], Purpose::Hold)?;
                return Some(Step::Scroll {
                    direction: Direction::Down,
                    to,
                    distance: None,
                    area: Some(area),
                    times: 1,
                });
            }
        }
    }
    // `the list to the bottom`
    for (tail, to) in [
        ("to the very bottom", ScrollKind::ScrollToBottom),
        ("to the bottom", ScrollKind::ScrollToBottom),
        ("to its bottom", ScrollKind::ScrollToBottom),
        ("to the end", ScrollKind::ScrollToBottom),
        ("to the top", ScrollKind::ScrollToTop),
        ("to its top", ScrollKind::ScrollToTop),
        ("to the beginning", ScrollKind::ScrollToTop),
    ] {
        if let Some(at) = ends(rest, tail).filter(|at| *at > 0)
            && !matches!(rest[0].low.as_str(), "down" | "up")
        {
            let area = target(cx, &rest[..at], Purpose::Hold)?;
            return Some(Step::Scroll { direction: Direction::Down, to, distance: None, area: Some(area), times: 1 });
        }
    }
    let (mut words, times) = repeated(rest);
    if let Some(n) = starts(words, "the page") {
        words = &words[n..];
    }
    let direction = match words.first().map(|w| w.low.as_str()) {
        Some("down" | "downwards" | "downward") => Some(Direction::Down),
        Some("up" | "upwards" | "upward") => Some(Direction::Up),
        Some("left") => Some(Direction::Left),
        Some("right") => Some(Direction::Right),
        _ => None,
    };
    if direction.is_some() {
        words = &words[1..];
    }
    for lead in ["until you see", "until you find", "until", "till", "down to", "to", "so that"] {
        if let Some(n) = starts(words, lead) {
            return Some(Step::ScrollTo { target: target(cx, without_sight(&words[n..]), Purpose::Point)? });
        }
    }
    let once = |direction, distance, area| {
        Some(Step::Scroll { direction, to: ScrollKind::SingleAction, distance, area, times })
    };
    for place in ["in", "inside", "within", "on"] {
        if let Some(n) = starts(words, place) {
            return once(direction.unwrap_or_default(), None, Some(target(cx, &words[n..], Purpose::Hold)?));
        }
    }
    let rest: Vec<&str> = words.iter().map(|w| w.low.as_str()).collect();
    let text = rest.join(" ");
    let text = text.strip_prefix("by ").unwrap_or(&text);
    if matches!(
        text,
        "" | "a bit" | "a little" | "a page" | "one page" | "one screen" | "a screen" | "the page" | "page"
    ) {
        return once(direction.unwrap_or_default(), None, None);
    }
    let amount = ["pixels", "pixel", "px", "points"].iter().find_map(|u| text.strip_suffix(u))?;
    let distance: f64 = amount.trim().parse().ok().filter(|d: &f64| (1.0..=100_000.0).contains(d))?;
    once(direction.unwrap_or_default(), Some(distance), None)
}

/// `X is visible`, `X appears`: X.
fn without_sight(words: &[Word]) -> &[Word] {
    for end in [
        "is visible",
        "is in view",
        "appears",
        "comes into view",
        "is shown",
        "is displayed",
        "shows up",
        "can be seen",
        "into view",
    ] {
        if let Some(at) = ends(words, end) {
            return &words[..at];
        }
    }
    words
}

fn reload(rest: &[Word]) -> Option<Step> {
    let low: Vec<&str> = rest.iter().map(|w| w.low.as_str()).collect();
    matches!(low.as_slice(), [] | ["the" | "this", "page" | "tab" | "site"] | ["page"] | ["the", "current", "page"])
        .then_some(Step::Reload)
}

/// `go back`, `return to the previous page`, `go back to Home`.
fn go_back(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let low: Vec<&str> =
        rest.iter().map(|w| w.low.as_str()).filter(|w| !matches!(*w, "the" | "one" | "a" | "to")).collect();
    match low.as_slice() {
        [] | ["previous" | "last" | "prior", "page" | "screen"] | ["page"] | ["page", "before"] => {
            Ok(Step::Back.into())
        }
        _ => match starts(rest, "to") {
            Some(n) => go_to(cx, &rest[n..]),
            None => Err(Why::new()),
        },
    }
}

fn wait(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let mut words = rest;
    for lead in ["for about", "about", "for", "until", "till"] {
        if let Some(n) = starts(words, lead) {
            words = &words[n..];
            break;
        }
    }
    if let Some(ms) = duration_ms(slice(cx, words)) {
        return Ok(Step::Sleep { ms }.into());
    }
    let low: Vec<&str> = words
        .iter()
        .map(|w| w.low.as_str())
        .filter(|w| !matches!(*w, "the" | "is" | "has" | "to" | "be" | "been"))
        .collect();
    if matches!(
        low.as_slice(),
        ["page" | "site" | "it" | "everything", "load" | "loads" | "loaded" | "finish" | "ready" | "finishes", ..]
    ) {
        return Ok(Step::Sleep { ms: 1000 }.into());
    }
    let check = check_en::read_wait(cx.text, cx.quotes, words)
        .ok_or_else(|| "waits for something that is not understood".to_owned())?;
    Ok(Step::WaitFor { check }.into())
}

fn drag(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let joints = ["on top of", "onto", "into", "over to", "to", "over", "on", "in"];
    let mut best: Option<Parsed> = None;
    for joint in joints {
        for at in 1..rest.len() {
            let Some(n) = starts(&rest[at..], joint) else { continue };
            let head = match &rest[..at] {
                [head @ .., and, drop] if and.low == "and" && drop.low == "drop" => head,
                [head @ .., and, drop, it] if and.low == "and" && drop.low == "drop" && it.low == "it" => head,
                head => head,
            };
            let tail = &rest[at + n..];
            if let (Some(from), Some(to)) = (target(cx, head, Purpose::Point), target(cx, tail, Purpose::Point)) {
                // `drag the slider to 50` sets a value.
                let value_text = value(cx, tail);
                let number = value_text.trim_end_matches('%').parse::<f64>().is_ok();
                if number && !tail[0].is_quote() && joint == "to" {
                    return Ok(
                        Step::Set { target: from.for_purpose(Purpose::Type), value: value_text, quoted: false }.into()
                    );
                }
                best = Some(Step::Drag { from, to }.into());
            }
            if best.is_some() {
                break;
            }
        }
        if best.is_some() {
            break;
        }
    }
    best.ok_or_else(|| "does not say what to drag where".to_owned())
}

fn upload(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let mut words = rest;
    for lead in ["the file", "a file", "file", "the document", "the picture", "the image"] {
        if let Some(n) = starts(words, lead) {
            words = &words[n..];
            break;
        }
    }
    let file_of = |words: &[Word]| {
        if words.first().is_some_and(Word::is_quote) && words.len() == 1 {
            Some(value(cx, words))
        } else {
            file(slice(cx, words))
        }
    };
    for at in 1..words.len() {
        let joint = ["into", "to", "in", "using", "with", "via", "through", "as", "on"]
            .iter()
            .find_map(|j| starts(&words[at..], j));
        if let Some(n) = joint
            && let (Some(file), Some(to)) = (file_of(&words[..at]), target(cx, &words[at + n..], Purpose::Upload))
        {
            return Ok(Step::Upload { files: vec![file], to: Some(to) }.into());
        }
    }
    let file = file_of(words).ok_or_else(|| "does not name a file by its path".to_owned())?;
    Ok(Step::Upload { files: vec![file], to: None }.into())
}

fn close(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let low: Vec<&str> =
        rest.iter().map(|w| w.low.as_str()).filter(|w| !matches!(*w, "the" | "this" | "current" | "browser")).collect();
    if matches!(low.as_slice(), ["tab" | "window" | "page"]) && !rest.is_empty() {
        return Ok(Step::CloseTab.into());
    }
    let target = target(cx, rest, Purpose::Hold).ok_or_else(|| UNSURE.to_owned())?;
    Ok(Step::Close { target }.into())
}

/// `delete X`, `remove X from the cart`.
fn delete(cx: &Cx<'_>, body: &[Word], rest: &[Word]) -> Result<Parsed, Why> {
    for lead in [
        "the text in",
        "the text from",
        "the contents of",
        "the content of",
        "the value of",
        "the text of",
        "all text in",
        "all the text in",
    ] {
        if starts(rest, lead).is_some() {
            return clear(cx, rest);
        }
    }
    operate(cx, "delete", body, rest)
}

fn operate(cx: &Cx<'_>, control: &str, body: &[Word], rest: &[Word]) -> Result<Parsed, Why> {
    const BULK: &[&str] = &[
        "all",
        "every",
        "each",
        "everything",
        "both",
        "any",
        "these",
        "those",
        "them",
        "anything",
        "several",
        "multiple",
        "some",
        "completed",
    ];
    let refuse = || {
        format!(
            "does not name one element; without a model nothing is {}",
            if control == "delete" { "deleted in bulk" } else { "done in bulk" }
        )
    };
    let first = rest.iter().find(|w| !matches!(w.low.as_str(), "the" | "my")).ok_or_else(Why::new)?;
    if BULK.contains(&first.low.as_str())
        || english::plural_lead(rest).is_some()
        || list(rest).len() > 1 && !rest.iter().any(Word::is_quote)
    {
        return Err(refuse());
    }
    let thing = target(cx, rest, Purpose::Point).ok_or_else(refuse)?;
    let whole = cx.quotes.restore(slice(cx, body));
    Ok(patterns::operate(control, thing, &whole).into())
}

/// `add X to the cart`.
fn add(cx: &Cx<'_>, body: &[Word], rest: &[Word]) -> Result<Parsed, Why> {
    for at in 1..rest.len() {
        let joint = ["into", "to", "in"].iter().find_map(|j| starts(&rest[at..], j));
        if let Some(n) = joint
            && patterns::is_cart(slice(cx, &rest[at + n..]))
        {
            return operate(cx, "add to cart", body, &rest[..at]);
        }
    }
    Err("adds something; say where to click and what to type".to_owned())
}

fn search(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let words = starts(rest, "for").map_or(rest, |n| &rest[n..]);
    if words.is_empty() {
        return Err(Why::new());
    }
    for at in 1..words.len() {
        let joint = ["using", "in", "with", "on"].iter().find_map(|j| starts(&words[at..], j));
        if let Some(n) = joint
            && let Some(field) = target(cx, &words[at + n..], Purpose::Type)
        {
            if words[0].is_quote() && at == 1 {
                return Ok(Step::Search { text: value(cx, &words[..at]), field: Some(field) }.into());
            }
            return Err("may search for all of these words or in a place; put what to search for in quotes".to_owned());
        }
    }
    if matches!(words[0].low.as_str(), "the" | "a" | "an" | "all" | "some" | "any" | "every" | "cheap" | "cheapest") {
        return Err("describes what to search for; put the words to type in quotes".to_owned());
    }
    if words.iter().any(Word::is_quote) && words.len() > 1 {
        return Err(Why::new());
    }
    Ok(Step::Search { text: value(cx, words), field: None }.into())
}
