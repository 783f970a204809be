//! From the arguments of a call to the parameters of an action.

use super::{Call, Literal};
use crate::read::reply::Misread;
use handeye_core::text::{clip, clip_to};
use serde_json::{Map, Value, json};

/// Characters of a thought that describe a target.
const BRIEF: usize = 120;

/// The last sentence of a thought, which says what is to be done: what people read in place of a description.
pub(in crate::read) fn brief(thought: &str) -> String {
    let mut sentences: Vec<&str> = Vec::new();
    let mut from = 0;
    for (i, c) in thought.char_indices() {
        let next = thought[i + c.len_utf8()..].chars().next();
        let ends = matches!(c, '。' | '！' | '？' | '\n')
            || matches!(c, '.' | '!' | '?') && next.is_none_or(char::is_whitespace);
        if ends {
            sentences.push(&thought[from..i]);
            from = i + c.len_utf8();
        }
    }
    sentences.push(&thought[from..]);
    let last = sentences.into_iter().rev().map(str::trim).find(|s| !s.is_empty());
    clip_to(&last.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "), BRIEF)
}

/// Coordinates as numbers; null when there are none. How many they are, and whether they lie on the picture, is seen when the
/// target is located.
pub(in crate::read) fn place(call: &Call<'_>, key: &str, literal: &Literal) -> Result<Value, Misread> {
    let written = literal.words();
    let numbers = numbers(written).ok_or_else(|| {
        Misread::new(format!(
            "`{key}` of `{}` is `{}`, which is no place; write numbers such as (500,250)",
            call.name,
            clip(written, 60)
        ))
    })?;
    let number = |n: f64| if n.fract() == 0.0 && n.abs() < 1e9 { json!(n as i64) } else { json!(n) };
    Ok(if numbers.is_empty() { Value::Null } else { numbers.into_iter().map(number).collect() })
}

/// Marks that the grammars put around coordinates.
const MARKS: [&str; 6] = ["<point>", "</point>", "<bbox>", "</bbox>", "<|box_start|>", "<|box_end|>"];

/// What stood last in a list of coordinates.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Start,
    Open,
    Number,
    Comma,
    Close,
}

/// `500,250`, `(500, 250)`, `[100 200 300 400]`, `(1,2),(3,4)`. `None` for everything that has another sign in it, or one in
/// another place: a number that was broken would be another place.
fn numbers(written: &str) -> Option<Vec<f64>> {
    let marked = MARKS.iter().fold(written.to_owned(), |text, mark| text.replace(mark, " "));
    let mut found = Vec::new();
    let (mut last, mut gap, mut depth) = (Last::Start, false, 0_i32);
    let mut rest = marked.trim();
    while let Some(c) = rest.chars().next() {
        let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
        let mut length = c.len_utf8();
        let fits = match c {
            _ if c.is_whitespace() => true,
            '(' | '[' | '（' | '［' => {
                depth += 1;
                matches!(last, Last::Start | Last::Open | Last::Comma | Last::Close)
            }
            ')' | ']' | '）' | '］' => {
                depth -= 1;
                matches!(last, Last::Number | Last::Close | Last::Open) && depth >= 0
            }
            ',' | '，' => matches!(last, Last::Number | Last::Close),
            _ if is_number(c) => {
                length = rest.find(|c| !is_number(c)).unwrap_or(rest.len());
                found.push(rest[..length].parse().ok()?);
                matches!(last, Last::Start | Last::Open | Last::Comma) || last == Last::Number && gap
            }
            _ => false,
        };
        if !fits {
            return None;
        }
        gap = c.is_whitespace();
        last = match c {
            _ if gap => last,
            '(' | '[' | '（' | '［' => Last::Open,
            ')' | ']' | '）' | '］' => Last::Close,
            ',' | '，' => Last::Comma,
            _ => Last::Number,
        };
        rest = &rest[length..];
    }
    (depth == 0).then_some(found)
}

/// What is to be typed or told: a text in quotes, or a lone word or number.
pub(in crate::read) fn text(call: &Call<'_>, names: &[&str]) -> Result<Option<String>, Misread> {
    match call.arg(names) {
        None => Ok(None),
        Some(Literal::Text { text, .. }) => Ok(Some(text.clone())),
        Some(Literal::Plain(word)) if word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) => {
            Ok(Some(word.clone()))
        }
        Some(Literal::Plain(words)) => Err(Misread::new(format!(
            "`{}` of `{}` is a text, so it has to stand in quotes; it is {}",
            names.first().unwrap_or(&""),
            call.name,
            clip(words, 60)
        ))),
    }
}

/// A time as models write it, in milliseconds: `3 seconds`, `3`, `500ms`, `2分钟`.
pub(in crate::read) fn millis(written: &str) -> Option<u64> {
    let written = written.trim().trim_matches(['[', ']', '(', ')', '"', '\'', ' ']);
    let digits = written.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(written.len());
    let number: f64 = written[..digits].parse().ok()?;
    let unit = written[digits..].trim().to_lowercase();
    let scale = match unit.as_str() {
        "" | "s" | "sec" | "secs" | "second" | "seconds" | "秒" | "秒钟" => 1_000.0,
        "ms" | "millisecond" | "milliseconds" | "毫秒" => 1.0,
        "m" | "min" | "minute" | "minutes" | "分" | "分钟" => 60_000.0,
        _ => return None,
    };
    let millis = number * scale;
    (0.0..=3_600_000.0).contains(&millis).then_some(millis.round() as u64)
}

/// The parameters of a verb that is the device's own, in the names that the call has.
pub(in crate::read) fn params(
    call: &Call<'_>,
    (starts, ends): (&[&str], &[&str]),
    what: &str,
) -> Result<Value, Misread> {
    let mut params = Map::new();
    let has_end = call.arg(ends).is_some();
    for arg in &call.args {
        let key = arg.key.as_str();
        if starts.contains(&key) || ends.contains(&key) {
            let name = if ends.contains(&key) {
                "to"
            } else if has_end {
                "from"
            } else {
                "locate"
            };
            params.insert(name.to_owned(), json!({"prompt": what, "bbox": place(call, key, &arg.value)?}));
        } else if let Literal::Plain(written) = &arg.value {
            let value = serde_json::from_str(written).unwrap_or_else(|_| Value::from(written.as_str()));
            params.insert(key.to_owned(), value);
        } else {
            params.insert(key.to_owned(), Value::from(arg.value.words()));
        }
    }
    Ok(Value::Object(params))
}
