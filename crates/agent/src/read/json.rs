//! JSON as models write it.
//!
//! Strict JSON is taken as it is. Everything else goes through a tolerant parser that knows the usual slips: quotes of every
//! kind or none, raw quotes and line breaks inside a text, full-width punctuation, missing and extra commas, comments, Python
//! words, stray tags, missing closing brackets, a code fence or prose around the value. Characters inside a text are never
//! changed or trimmed.
//!
//! ```
//! let read = handeye_agent::read::json("Here it is: {'box': [10 20 30 40], prompt: the \"OK\" button}").expect("a value");
//! assert_eq!(read.value, serde_json::json!({"box": [10, 20, 30, 40], "prompt": "the \"OK\" button"}));
//! assert!(!read.cut);
//! ```

mod bare;
mod look;
mod parser;
mod strings;
#[cfg(test)]
mod tests;

use handeye_core::text::clip;
use look::{is_blank, is_quote, plain};
use parser::Parser;
use serde_json::Value;

/// Longer texts are refused.
pub const MAX_BYTES: usize = 1 << 20;
/// Lists and objects nested deeper are refused.
pub const MAX_DEPTH: usize = 64;
/// Brackets in prose that turned out to be none of a value: how many are looked into before the rest is skipped.
const MAX_FALSE_STARTS: usize = 16;

/// A value and what had to be mended to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Loose {
    pub value: Value,
    /// One short text for each kind of repair, in the order in which they were first needed. Empty for strict JSON.
    pub repairs: Vec<String>,
    /// The text ended inside the value, and the tail was closed: what is missing is not known.
    pub cut: bool,
    /// The text ended inside a list or a text or where a value was due, so that the last item may be only a part of what was
    /// meant. Only with `cut`; without it, nothing but closing braces is missing.
    pub torn: bool,
}

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} (at byte {offset})")]
pub struct JsonError {
    /// Bytes from the start of the text.
    pub offset: usize,
    pub what: String,
}

impl JsonError {
    fn new(offset: usize, what: impl Into<String>) -> Self {
        Self { offset, what: what.into() }
    }
}

/// Reads the one JSON value of a text.
///
/// # Errors
/// No value, several different ones, raw quotes in a text that leave its end unclear, more than [`MAX_BYTES`] or deeper than [`MAX_DEPTH`]. The message names the place.
///
/// ```
/// use handeye_agent::read::json;
/// assert!(json(r#"{"a": 1} and {"b": 2}"#).is_err());
/// assert!(json(r#"{"a": [1, 2"#).expect("a value").cut);
/// ```
pub fn json(text: &str) -> Result<Loose, JsonError> {
    if text.len() > MAX_BYTES {
        let what = format!("the text has {} bytes, more than the {MAX_BYTES} that are read", text.len());
        return Err(JsonError::new(MAX_BYTES, what));
    }
    let body = text.trim_matches(is_blank);
    let from = text.len() - text.trim_start_matches(is_blank).len();
    if body.is_empty() {
        return Err(JsonError::new(0, "the text is empty, where a JSON value was expected"));
    }
    if let Ok(value) = serde_json::from_str::<Value>(body) {
        if too_deep(&value, MAX_DEPTH) {
            return Err(deep(from));
        }
        return Ok(Loose { value, repairs: Vec::new(), cut: false, torn: false });
    }
    if let Some(inner) = body.strip_prefix("<![CDATA[") {
        let mut read = json(inner.trim_end().strip_suffix("]]>").unwrap_or(inner))?;
        read.repairs.insert(0, "took the value out of a CDATA section".to_owned());
        return Ok(read);
    }
    let read = match unescaped(body) {
        Some(inner) => loose(&inner).map(|mut found| {
            found.repairs.insert(0, "removed one level of escapes".to_owned());
            found
        }),
        None => loose(body),
    };
    read.map_err(|e| JsonError { offset: e.offset + from, ..e })
}

fn deep(offset: usize) -> JsonError {
    JsonError::new(offset, format!("the value is nested more than {MAX_DEPTH} levels deep"))
}

fn too_deep(value: &Value, left: usize) -> bool {
    match value {
        Value::Array(items) => left == 0 || items.iter().any(|v| too_deep(v, left - 1)),
        Value::Object(map) => left == 0 || map.values().any(|v| too_deep(v, left - 1)),
        _ => false,
    }
}

/// A value that was escaped as if it stood inside a text, `{\"a\": 1}`, or inside a page, `{&quot;a&quot;: 1}`.
fn unescaped(body: &str) -> Option<String> {
    let inner = body.trim_start_matches(|c| matches!(plain(c), '{' | '[') || is_blank(c));
    if inner.len() == body.len() {
        return None;
    }
    if inner.starts_with("&quot;") {
        let entities =
            [("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
        return Some(entities.iter().fold(body.to_owned(), |text, (entity, sign)| text.replace(entity, sign)));
    }
    inner.starts_with("\\\"").then(|| {
        let mut out = String::with_capacity(body.len());
        let mut rest = body.chars();
        while let Some(c) = rest.next() {
            match c {
                '\\' => match rest.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some(other) => out.push(other),
                    None => {}
                },
                c => out.push(c),
            }
        }
        out
    })
}

/// The places where the value may stand, best first.
fn loose(body: &str) -> Result<Loose, JsonError> {
    if opens(body) {
        return pick(body);
    }
    if body.starts_with(is_quote)
        && let Some(found) = Parser::new(body, 0).without_brace()?
    {
        return Ok(found);
    }
    for (at, inner) in fences(body) {
        if let Ok(mut found) = json(inner) {
            found.repairs.insert(0, "took the value out of a code fence".to_owned());
            // A second fence with another value makes it unclear which one is meant.
            let others = fences(body).into_iter().filter(|(other, _)| *other != at);
            if let Some((other, _)) = others.clone().find(|(_, t)| json(t).is_ok_and(|o| o.value != found.value)) {
                return Err(JsonError::new(other, "there are several code fences with different values; give one"));
            }
            let behind = at + inner.len();
            let other = candidates(&body[behind..], false)?;
            if let Some(other) = other.iter().find(|c| c.looks == Looks::Object && c.read.value != found.value) {
                let what = "there is a code fence and another value behind it; give one";
                return Err(JsonError::new(behind + other.start, what));
            }
            return Ok(found);
        }
    }
    pick(body)
}

fn opens(text: &str) -> bool {
    text.starts_with(|c| matches!(plain(c), '{' | '[') && c != '【')
}

/// The insides of code fences, with their places. A fence that is not closed reaches to the end.
fn fences(body: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = body[at..].find("```").map(|i| at + i + 3) {
        let label = body[open..].find(|c: char| !c.is_ascii_alphanumeric()).map_or(body.len(), |i| open + i);
        let end = body[label..].find("```").map_or(body.len(), |i| label + i);
        found.push((label, &body[label..end]));
        at = (end + 3).min(body.len());
        if found.len() > 8 {
            break;
        }
    }
    found
}

/// How much a bracketed piece of text looks like a value and not like prose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Looks {
    Prose,
    List,
    Object,
}

struct Candidate {
    start: usize,
    end: usize,
    looks: Looks,
    unpaired: bool,
    ran_on: bool,
    stray_quotes: bool,
    read: Loose,
}

impl Candidate {
    /// A text in it ended in the middle of a pair of quotes, or too late.
    fn is_unpaired(&self) -> bool {
        self.looks != Looks::Prose && (self.unpaired || self.ran_on)
    }

    /// What was read behind its texts makes sense, and nothing that looks like more of a text is left over.
    fn is_sound(&self, body: &str) -> bool {
        let left = &body[self.end..];
        let leaves = left.find(is_quote).is_some_and(|at| left[at..].contains(['}', '｝']));
        !self.read.cut && !self.stray_quotes && !leaves
    }

    /// Sound, with all quotes in pairs and no bracket left over.
    fn is_clean(&self, body: &str) -> bool {
        !self.unpaired && !self.ran_on && self.is_sound(body) && !body[self.end..].contains(['}', '｝'])
    }
}

/// The one value among all bracketed pieces of the text.
fn pick(body: &str) -> Result<Loose, JsonError> {
    let found = candidates(body, false)?;
    let Some(doubtful) = found.iter().find(|c| c.is_unpaired()) else { return choose(body, found) };
    // `5" pipe`, or a text that was meant to go on: `"value": "{"a": "b", "c": 1}"`. The reading with pairs tells.
    let (start, ran_on, torn) = (doubtful.start, doubtful.ran_on, doubtful.read.torn);
    let sound = !ran_on && doubtful.is_sound(body);
    let mut paired = candidates(body, true)?;
    paired.retain(|c| c.start == start && c.is_clean(body));
    match (sound, paired.is_empty()) {
        (true, true) => choose(body, found),
        (false, false) => choose(body, paired),
        (false, true) if torn && !ran_on => choose(body, found),
        _ => {
            let what = "raw quotes inside a text leave unclear where it ends; write \\\" for each quote inside a text";
            Err(JsonError::new(start, what))
        }
    }
}

fn choose(body: &str, mut found: Vec<Candidate>) -> Result<Loose, JsonError> {
    let best = found.iter().map(|c| c.looks).max();
    found.retain(|c| Some(c.looks) == best);
    if best == Some(Looks::Prose) {
        // `click [Save]` holds no value, while `[]` alone is one.
        found.retain(|c| c.start == 0);
        found.truncate(1);
    }
    let Some(first) = found.first() else {
        return scalar(body);
    };
    if let Some(other) = found.iter().find(|c| c.read.value != first.read.value) {
        let what = format!("there are {} separate JSON values; give one", found.len());
        return Err(JsonError::new(other.start, what));
    }
    let behind = found.last().map_or(body.len(), |c| c.end);
    if strings::has_key(&body[behind..]) {
        return Err(JsonError::new(behind, "more keys stand behind the end of the value; write one object"));
    }
    let (same, around) = (found.len() > 1, first.start > 0 || first.end < body.len());
    let mut read = found.swap_remove(0).read;
    if same {
        read.repairs.insert(0, "took one of several equal values".to_owned());
    } else if around {
        read.repairs.insert(0, "took the value out of the text around it".to_owned());
    }
    Ok(read)
}

/// All bracketed pieces. With `pairs_only`, a text does not end in the middle of a pair of quotes.
fn candidates(body: &str, pairs_only: bool) -> Result<Vec<Candidate>, JsonError> {
    let mut found: Vec<Candidate> = Vec::new();
    let (mut at, mut false_starts) = (0, 0);
    let is_open = |c: char| matches!(c, '{' | '[' | '｛' | '［');
    while let Some(start) = body[at..].find(is_open).map(|i| at + i) {
        let mut parser = Parser::new(body, start);
        parser.pairs_only = pairs_only;
        let value = parser.value()?;
        let looks = match (parser.pairs, &value) {
            (1.., _) => Looks::Object,
            (_, Value::Array(items)) if !items.is_empty() && parser.bare_texts == 0 => Looks::List,
            _ => Looks::Prose,
        };
        let end = parser.at;
        at = end;
        if looks == Looks::Prose && false_starts < MAX_FALSE_STARTS {
            false_starts += 1;
            at = start + body[start..].chars().next().map_or(1, char::len_utf8);
        }
        let (unpaired, ran_on, stray_quotes) = (parser.unpaired, parser.ran_on, parser.stray_quotes);
        found.push(Candidate { start, end, looks, unpaired, ran_on, stray_quotes, read: parser.done(value) });
    }
    Ok(found)
}

/// A value without brackets: it must be the whole text.
fn scalar(body: &str) -> Result<Loose, JsonError> {
    let mut parser = Parser::new(body, 0);
    match parser.lone_scalar() {
        Some(value) => Ok(parser.done(value)),
        None => Err(JsonError::new(0, format!("there is no JSON value in `{}`", clip(body, 60)))),
    }
}
