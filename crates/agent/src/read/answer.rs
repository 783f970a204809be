//! The reply to a question about the screen: a thought, one JSON value, and what is amiss.
//!
//! The value is what the model wrote, letter by letter: nothing in it is trimmed, joined or made into another type here.
//!
//! ```
//! use handeye_agent::read::answer;
//! use handeye_core::Finish;
//! let read = answer("<thought>One row.</thought><data-json>[{\"name\": \" a \"}]</data-json>", Finish::Stop).expect("a value");
//! assert_eq!(read.value, serde_json::json!([{"name": " a "}]));
//! ```

use super::json::{self, MAX_BYTES};
use super::reply::Misread;
use super::tags::{self, Mark};
use handeye_core::Finish;
use serde_json::Value;
use std::ops::Range;

/// What a reply says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub thought: String,
    /// Null when the screen does not show it.
    pub value: Value,
    /// What the model says is amiss.
    pub errors: Vec<String>,
    /// One short text for each thing that had to be mended.
    pub repairs: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Thought,
    Data,
    Errors,
}

fn named(name: &str) -> Option<Piece> {
    Some(match name {
        "thought" | "observation" | "planning" => Piece::Thought,
        "datajson" | "data" | "answer" => Piece::Data,
        "errors" | "error" => Piece::Errors,
        _ => return None,
    })
}

const FORM: &str = "write the answer as one JSON value between <data-json> and </data-json>";

/// Reads a reply. `finish` says why the model stopped: what was cut at the token limit is never completed by a guess.
///
/// # Errors
/// [`Misread`] when there is no value, or one that cannot be read or was cut off.
pub fn answer(text: &str, finish: Finish) -> Result<Answer, Misread> {
    if text.len() > MAX_BYTES {
        return Err(Misread::new(format!("the reply has {} bytes; write a short one", text.len())));
    }
    let (text, repairs) = tags::without_thinking(text);
    let marks = tags::marks(&text, |name, open| named(name).filter(|_| matches!(open, '<' | '＜')));
    let whole = whole(&text, &marks);
    // What looks like a tag in a value is part of it.
    let marks: Vec<Mark<'_, Piece>> = match &whole {
        Some((_, span)) => marks.into_iter().filter(|mark| !span.contains(&mark.span.start)).collect(),
        None => marks,
    };
    let mut out = Answer { repairs, ..Answer::default() };
    out.thought = inside(&text, &marks, Piece::Thought).map(|p| p.text.trim().to_owned()).unwrap_or_default();
    let errors = inside(&text, &marks, Piece::Errors).map(|p| p.text.trim()).unwrap_or_default();
    out.errors = listed(errors);
    if let Some((value, span)) = whole {
        kept_in_full(&text[span])?;
        if let Some(other) = earlier(&text, &marks).find(|other| *other != value) {
            return Err(Misread::new(format!("the reply gives two answers, {other} and {value}; {FORM}, once")));
        }
        return Ok(Answer { value, ..out });
    }
    match inside(&text, &marks, Piece::Data) {
        Some(data) => {
            if !data.closed {
                if finish == Finish::Length {
                    return Err(Misread::cut("<data-json>"));
                }
                out.repairs.push("closed <data-json>".to_owned());
            }
            out.value = value(data.text, &mut out.repairs)?;
        }
        None => out.value = untagged(&text, finish, &mut out)?,
    }
    Ok(out)
}

/// The value where all is as it should be, with where it stands: the longest text that ends at the last closing tag, begins at an
/// opening one, and is JSON.
fn whole(text: &str, marks: &[Mark<'_, Piece>]) -> Option<(Value, Range<usize>)> {
    let data = || marks.iter().filter(|mark| mark.tag == Piece::Data);
    let end = data().rfind(|mark| mark.closing)?.span.start;
    data().filter(|mark| !mark.closing && !mark.self_closed).find_map(|open| {
        let span = open.span.end..end;
        let value = serde_json::from_str(text.get(span.clone())?.trim()).ok()?;
        Some((value, span))
    })
}

/// The values of tags that stand before the one that counts.
fn earlier<'a>(text: &'a str, marks: &'a [Mark<'_, Piece>]) -> impl Iterator<Item = Value> + 'a {
    let pairs = marks.windows(2).filter(|pair| {
        pair.iter().all(|mark| mark.tag == Piece::Data) && !pair[0].closing && !pair[0].self_closed && pair[1].closing
    });
    pairs.filter_map(|pair| serde_json::from_str(text.get(pair[0].span.end..pair[1].span.start)?.trim()).ok())
}

struct Inside<'a> {
    text: &'a str,
    closed: bool,
}

/// The last piece of a kind: from its last opening tag to the last closing one behind it, since a text in the value may hold
/// anything. One that is not closed ends at the next tag.
fn inside<'a>(text: &'a str, marks: &[Mark<'_, Piece>], piece: Piece) -> Option<Inside<'a>> {
    let open = marks.iter().rposition(|m| m.tag == piece && !m.closing && !m.self_closed)?;
    let from = marks[open].span.end;
    let later = &marks[open + 1..];
    let close = later.iter().rfind(|m| m.tag == piece && m.closing);
    let end = close.or_else(|| later.first()).map_or(text.len(), |m| m.span.start);
    Some(Inside { text: text.get(from..end).unwrap_or_default(), closed: close.is_some() })
}

/// The errors, as a JSON list or in words.
fn listed(text: &str) -> Vec<String> {
    let is_none = |s: &str| matches!(s.to_lowercase().as_str(), "" | "none" | "null" | "[]" | "无" | "没有");
    match json::json(text).map(|read| read.value) {
        Ok(Value::Array(items)) => {
            let said = items.into_iter().filter_map(|item| match item {
                Value::String(said) => Some(said.trim().to_owned()),
                Value::Null => None,
                other => Some(other.to_string()),
            });
            said.filter(|said| !is_none(said)).collect()
        }
        Ok(Value::String(said)) if !is_none(&said) => vec![said],
        _ if is_none(text) => Vec::new(),
        // Words that are no list are no reason to drop an answer; they are kept as they are.
        _ => vec![handeye_core::text::clip(text, 300)],
    }
}

fn value(written: &str, repairs: &mut Vec<String>) -> Result<Value, Misread> {
    let body = written.trim();
    if body.is_empty() {
        return Err(Misread::new(format!("<data-json> is empty; {FORM}, or null when the screen does not show it")));
    }
    kept_in_full(body)?;
    if let Ok(value) = serde_json::from_str(body) {
        return Ok(value);
    }
    let is_json = body.starts_with(['{', '[', '"', '`', '＂', '“', '｛', '［']);
    if !is_json {
        repairs.push("read words without quotes as a text".to_owned());
        return Ok(match body {
            "True" => Value::Bool(true),
            "False" => Value::Bool(false),
            "None" => Value::Null,
            _ => Value::String(body.to_owned()),
        });
    }
    let read =
        json::json(body).map_err(|e| Misread::new(format!("<data-json> cannot be read as JSON: {e}; {FORM}")))?;
    if let Some(guess) = read.repairs.iter().find(|r| r.starts_with("put null")) {
        return Err(Misread::new(format!("the JSON in <data-json> lacks a value ({guess}); {FORM}")));
    }
    if read.cut {
        return Err(Misread::new(format!("the JSON in <data-json> does not end; {FORM}")));
    }
    repairs.extend(read.repairs);
    Ok(read.value)
}

/// Refuses a number of which digits would be lost: a text keeps them all.
fn kept_in_full(json: &str) -> Result<(), Misread> {
    let mut rest = json;
    while let Some(at) = rest.find(['"', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']) {
        rest = &rest[at..];
        if let Some(text) = rest.strip_prefix('"') {
            let end = text.char_indices().scan(false, |escaped, (i, c)| {
                let is_end = c == '"' && !*escaped;
                *escaped = c == '\\' && !*escaped;
                Some((i, is_end))
            });
            let end = end.into_iter().find(|(_, is_end)| *is_end).map_or(text.len(), |(i, _)| i + 1);
            rest = text.get(end..).unwrap_or_default();
            continue;
        }
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let (number, behind) = rest.split_at(end);
        let is_whole = !number.contains('.') && number.parse::<u64>().is_ok();
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        if !is_whole && digits > MOST_DIGITS {
            let shown = handeye_core::text::clip(number, 60);
            return Err(Misread::new(format!(
                "the number {shown} has more digits than a number keeps; write it as a text, in double quotes"
            )));
        }
        rest = behind;
    }
    Ok(())
}

/// Digits that a number with a fraction keeps for certain.
const MOST_DIGITS: usize = 15;

/// A reply that is nothing but a value, or that says nothing but what is amiss.
fn untagged(text: &str, finish: Finish, out: &mut Answer) -> Result<Value, Misread> {
    if !out.errors.is_empty() {
        return Ok(Value::Null);
    }
    let body = text.trim();
    let fenced = body.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let body = fenced.map_or(body, |inner| inner.trim_start_matches("json").trim());
    match serde_json::from_str(body) {
        // Also a number that was cut is a number.
        _ if finish == Finish::Length => Err(Misread::new(format!(
            "the reply was cut at the token limit before an answer; {FORM}, and less before it"
        ))),
        Ok(value) => {
            kept_in_full(body)?;
            out.repairs.push("took a value that stood without its tag".to_owned());
            Ok(value)
        }
        Err(_) => Err(Misread::new(format!("the reply holds no <data-json>; {FORM}"))),
    }
}
