//! Courtesies around a clause, wishes that are refused, and commands that are the name of a control.

use super::{Cx, Why, Word, ends, find, leading_verb, patterns, starts};
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::messages;
use crate::plan::reflex::step::Step;

/// Words that add courtesy or order, nothing else.
pub(super) const FILLERS: &[&str] = &[
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
pub(super) const TRAILERS: &[&str] = &[
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
    "again",
    "afterwards",
    "after that",
    "at the end",
];

pub(super) fn strip_fillers(words: &[Word]) -> &[Word] {
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
pub(super) fn refuse(body: &[Word]) -> Result<(), Why> {
    let has = |w: &str| body.iter().any(|word| word.low == w);
    let first = body[0].low.as_str();
    let asks = matches!(
        first,
        "what" | "which" | "how" | "why" | "who" | "whose" | "where" | "is" | "are" | "does" | "do" | "did" | "was"
    );
    if asks && !matches!(first, "do") {
        return Err(Why::from(messages::ASKS));
    }
    if first == "if"
        || has("unless")
        || has("otherwise")
        || has("whenever")
        || first == "while"
        || find(body, "as long as").is_some()
    {
        return Err(Why::from(messages::CONDITION));
    }
    if body.len() > 2
        && find(&body[1..], "if").is_some_and(|_| !matches!(first, "check" | "verify" | "see" | "type" | "enter"))
    {
        return Err(Why::from(messages::CONDITION));
    }
    if find(body, "for each").is_some()
        || find(body, "for every").is_some()
        || find(body, "one by one").is_some()
        || first == "repeat"
    {
        return Err(Why::from(messages::REPETITION));
    }
    let not = matches!(first, "don't" | "never" | "avoid" | "dont") || starts(body, "do not").is_some();
    if not || has("without") {
        return Err(Why::from(messages::FORBIDS));
    }
    if has("except") || find(body, "apart from").is_some() || find(body, "other than").is_some() {
        return Err(Why::from(messages::EXCEPTS));
    }
    if has("before") && body.iter().any(|w| w.low.ends_with("ing")) {
        return Err(Why::from(messages::ORDER));
    }
    Ok(())
}

/// Names of controls that stand for a whole clause: `log in`, `submit the form`.
pub(super) const COMMANDS: &[&str] = &[
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
pub(super) const GENERIC: &[&str] = &[
    "form", "it", "that", "this", "them", "changes", "settings", "page", "request", "data", "dialog", "message",
    "comment", "post", "edits", "search", "results",
];

pub(super) fn bare(cx: &Cx<'_>, body: &[Word]) -> Option<Step> {
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
    if let Some(step) = super::composed::log_in(cx, body) {
        return Some(step);
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
    let command_word = *command;
    let command = Wanted::named(command_word, Purpose::Click);
    let named = leading_verb(body).is_none();
    if is_generic {
        return Some(patterns::click(Wanted { or: Some(Box::new(command)), ..literal }));
    }
    // `next day` is no step: it may be the end of a value.
    let points = matches!(command_word, "next" | "previous" | "ok") && !matches!(words.as_slice(), ["page" | "step"]);
    (named && words.len() <= 3 && !points).then(|| patterns::click(literal))
}
