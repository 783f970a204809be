//! What a provider itself says in the body of an error: the words, whichever of the many shapes they come in.

use handeye_core::text::{self, name_key};
use serde_json::{Map, Value};

/// The most characters of a provider's own message that are shown.
pub(super) const SHOWN: usize = 300;

/// How many errors of a list are read: no more would be shown.
const MANY: usize = 20;

/// Where an object keeps its words, best first. Keys are compared without case and punctuation: `errMsg`, `error_msg`.
const WORDS: &[&str] = &[
    "message",
    "msg",
    "statusmsg",
    "errormsg",
    "errmsg",
    "errormessage",
    "errordescription",
    "detail",
    "description",
    "error",
    "errors",
    "title",
];

/// Where an object wraps the error of somebody behind it, or says more about its own.
const INNER: &[&str] = &[
    "error",
    "errors",
    "detail",
    "details",
    "metadata",
    "raw",
    "reasons",
    "innererror",
    "cause",
    "fieldviolations",
    "baseresp",
    "response",
    "responsemetadata",
];

const CODES: &[&str] = &["code", "type", "status", "reason", "errorcode"];

/// What stands in an error object, or in a body that has one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// The words from the outermost to the innermost; empty when there are none.
    pub words: String,
    /// The codes beside them, in lower case.
    pub codes: String,
}

impl Said {
    pub(super) fn of(value: &Value) -> Self {
        let mut codes = Vec::new();
        let words = words_in(value, &mut codes).unwrap_or_default();
        Self { words: one_line(&words), codes: codes.join(" ").to_lowercase() }
    }

    /// Of JSON its message, or all of it when it has none; of a web page its text; else the text as it is.
    pub(super) fn of_body(body: &str) -> Self {
        let body = body.trim().trim_start_matches('\u{feff}');
        let said = serde_json::from_str::<Value>(body).map(|value| Self::of(&value)).unwrap_or_default();
        if said.words.is_empty() { Self { words: one_line(&plain(body)), ..said } } else { said }
    }

    /// For telling kinds of failures apart.
    pub(super) fn all(&self) -> String {
        format!("{} {}", self.codes, self.words.to_lowercase())
    }
}

/// What the provider itself says in a body, on one line.
pub(crate) fn provider_message(body: &str) -> String {
    Said::of_body(body).words
}

fn words_in(value: &Value, codes: &mut Vec<String>) -> Option<String> {
    let words = match value {
        Value::String(text) => unwrapped(text, codes),
        Value::Array(items) => joined(items.iter().take(MANY).filter_map(|item| words_in(item, codes)), "; "),
        Value::Object(object) => words_of_object(object, codes),
        _ => return None,
    };
    Some(words).filter(|words| !words.trim().is_empty())
}

fn words_of_object(object: &Map<String, Value>, codes: &mut Vec<String>) -> String {
    let keyed: Vec<(String, &Value)> = object.iter().map(|(key, value)| (name_key(key), value)).collect();
    let at = |name: &str| keyed.iter().find(|(key, _)| key == name).map(|(_, value)| *value);
    codes.extend(CODES.iter().filter_map(|name| Some(at(name)?.as_str()?.to_owned())));
    let own = WORDS.iter().find_map(|name| Some((*name, words_in(at(name)?, codes)?)));
    let (own_name, own) = own.unwrap_or_default();
    // A bare text beside the words only names the kind of error, but for that which another provider sent.
    let wraps =
        |name: &str, value: &Value| name != own_name && (name == "raw" || value.is_array() || value.is_object());
    let inner: Vec<String> = INNER
        .iter()
        .filter_map(|name| at(name).filter(|value| wraps(name, value)))
        .filter_map(|value| words_in(value, codes))
        .collect();
    let words = joined([own].into_iter().chain(inner), ": ");
    // Where in the request it is: lists of faults say nothing without it.
    let place = at("loc").or_else(|| at("field")).map(place).unwrap_or_default();
    if place.is_empty() || words.is_empty() { words } else { format!("{place}: {words}") }
}

fn place(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(steps) => {
            let step = |step: &Value| step.as_str().map_or_else(|| step.to_string(), str::to_owned);
            steps.iter().map(step).collect::<Vec<_>>().join(".")
        }
        _ => String::new(),
    }
}

/// Texts in their order, without those that another one already holds.
fn joined(texts: impl IntoIterator<Item = String>, between: &str) -> String {
    let mut kept: Vec<String> = Vec::new();
    for text in texts {
        let text = text.trim().trim_end_matches(['.', ':']).trim_end().to_owned();
        if !kept.iter().any(|k| k.contains(&text)) {
            kept.retain(|k| !text.contains(k.as_str()));
            kept.push(text);
        }
    }
    kept.join(between)
}

/// A text that is, or ends in, another provider's whole error as JSON: what that says stands in its place.
fn unwrapped(text: &str, codes: &mut Vec<String>) -> String {
    let inner = text.find('{').zip(text.rfind('}')).and_then(|(open, close)| {
        let value: Value = serde_json::from_str(text.get(open..=close)?).ok()?;
        Some((&text[..open], words_in(&value, codes)?))
    });
    match inner {
        Some((before, words)) => format!("{}{words}", before.trim_start_matches("b'")),
        None => plain(text),
    }
}

/// The words of a text that is no JSON.
fn plain(text: &str) -> String {
    let text = text.trim();
    // What is no text would fill the screen with marks.
    let odd = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER || *c == '\0').count();
    if odd * 4 > text.chars().count() {
        return format!("{} bytes that are no text", text.len());
    }
    let is_page =
        text.strip_prefix('<').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || "!?".contains(c)));
    if is_page { text_of_page(text) } else { text.to_owned() }
}

/// On one line, without the period at the end, and without what moves a terminal's cursor. It is cut only after it was
/// masked: half a key would not be recognised.
pub(crate) fn one_line(said: &str) -> String {
    let line = said.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    line.collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}

/// At most 300 characters.
pub(crate) fn cut(said: &str) -> String {
    if said.chars().count() <= SHOWN { said.to_owned() } else { text::clip(said, SHOWN - 40) }
}

/// The words of a web page, its title and heading first: tags, comments, scripts and styles left out.
fn text_of_page(page: &str) -> String {
    let (mut heads, mut words) = (Vec::new(), String::new());
    let lower = page.to_ascii_lowercase();
    let (mut rest, mut in_head) = (page, false);
    while let Some(open) = rest.find('<') {
        let text = heads.last_mut().filter(|_| in_head).unwrap_or(&mut words);
        text.push_str(&rest[..open]);
        text.push(' ');
        let tag = &rest[open..];
        let below = &lower[page.len() - tag.len()..];
        let is = |name: &str| below[1..].starts_with(name);
        if is("title") || is("h1") {
            in_head = true;
            heads.push(String::new());
        } else if is("/title") || is("/h1") {
            in_head = false;
        }
        let close =
            ["script", "style"].into_iter().find(|name| is(name)).and_then(|name| below.find(&format!("</{name}")));
        let end = close.unwrap_or(0);
        let mark = if is("!--") { "-->" } else { ">" };
        rest = tag[end..].find(mark).map_or("", |at| &tag[end + at + mark.len()..]);
    }
    words.push_str(rest);
    let text = format!("{} {words}", joined(heads.into_iter().take(MANY), ": "));
    [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text, |text, (entity, plain)| text.replace(entity, plain))
}
