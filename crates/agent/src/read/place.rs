//! Replies of a model that was asked where something is.
//!
//! It is asked for one JSON object with a place, or with an empty one and an `error`. What is read besides: any key that a
//! family uses, a bare list, a list of one object, an object in an object, tags and calls around the numbers. Nothing found is
//! an answer; a place that would have to be guessed is none.
//!
//! ```
//! use handeye_agent::read::{Place, place};
//! use handeye_core::{Family, Finish, Shown, Size};
//!
//! let (family, shown) = (Family::default_family(), Shown::at(Size::new(1280.0, 720.0)));
//! let read = |text: &str| place(text, Finish::Stop, family, &shown);
//! assert!(matches!(read("```json\n{\"bbox_2d\": [100, 200, 300, 400]}\n```"), Ok(Place::At { .. })));
//! assert!(matches!(read(r#"{"bbox": [], "error": "no such button"}"#), Ok(Place::Absent { .. })));
//! assert!(read("I would say at the top.").is_err());
//! ```

use super::{BoxError, Misread, Spot, coordinates, json, tags};
use handeye_core::text::{clip, name_key};
use handeye_core::{Family, Finish, PLACE_KEYS, Shown};
use serde_json::{Map, Value};

#[cfg(test)]
mod tests;

/// Where the model says that it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    At {
        spot: Spot,
        /// The numbers as they were written.
        raw: String,
        /// What it names as reference: places of what the target is told apart by. Only asked for with a section.
        references: Vec<Spot>,
    },
    /// It sees no such thing, or cannot tell which one is meant.
    Absent { why: String },
}

/// Keys with which an answer is wrapped.
const WRAPPERS: &[&str] = &["result", "answer", "element", "target", "locate", "location", "section", "area", "output"];
/// Keys with which models say that they found nothing, and why.
const REASONS: &[&str] = &["error", "errors", "reason", "message"];
const FOUND: &[&str] = &["found", "visible", "exists", "success"];
/// Tags and arguments in front of numbers and nothing else.
const BEFORE: &[&str] = &["<|box_start|>", "<bbox>", "<box>", "<point>", "start_box=", "point=", "element="];
const MAX_BYTES: usize = 1 << 16;

/// Reads where a model of this family sees what it was asked for, on a picture that it was shown so.
///
/// # Errors
/// [`Misread`] when the reply has no place, several, or one that cannot be read, or when it was cut off.
pub fn place(text: &str, finish: Finish, family: &Family, shown: &Shown) -> Result<Place, Misread> {
    if text.len() > MAX_BYTES {
        return Err(Misread::new(format!("the reply has {} bytes, where one small JSON object is needed", text.len())));
    }
    let (text, _) = tags::without_thinking(text);
    let reading = Reading { family, shown };
    match json(&text) {
        Ok(read) if read.torn || (read.cut && finish == Finish::Length) => {
            Err(Misread::new("the reply was cut off inside the JSON object, so nothing of it was used"))
        }
        Ok(read) => reading.value(&read.value, 0),
        Err(error) => reading.numbers(&text).unwrap_or_else(|| {
            Err(Misread::new(format!("the reply is no JSON object with `{}`: {error}", family.key)))
        }),
    }
}

struct Reading<'a> {
    family: &'a Family,
    shown: &'a Shown,
}

impl Reading<'_> {
    fn value(&self, value: &Value, depth: u8) -> Result<Place, Misread> {
        match value {
            Value::Object(map) => self.object(map, depth),
            Value::Array(items) if depth < 4 => match items.as_slice() {
                [one @ Value::Object(_)] => self.value(one, depth + 1),
                _ => self.spot(value, Vec::new(), ""),
            },
            other => self.spot(other, Vec::new(), ""),
        }
    }

    fn object(&self, map: &Map<String, Value>, depth: u8) -> Result<Place, Misread> {
        let keyed: Vec<(String, &Value)> = map.iter().map(|(k, v)| (name_key(k), v)).collect();
        let get = |keys: &[&str]| keys.iter().find_map(|key| keyed.iter().find(|(k, _)| k == key).map(|(_, v)| *v));
        let reason = get(REASONS).map(said).unwrap_or_default();
        if let Some(place) = get(PLACE_KEYS) {
            let references = keyed.iter().find(|(k, _)| k.starts_with("reference")).map(|(_, v)| self.references(v));
            return self.spot(place, references.transpose()?.unwrap_or_default(), &reason);
        }
        if !reason.is_empty() || get(FOUND) == Some(&Value::Bool(false)) || map.is_empty() {
            return Ok(Place::Absent { why: reason });
        }
        match get(WRAPPERS) {
            Some(inner @ (Value::Object(_) | Value::Array(_) | Value::Null)) if depth < 4 => {
                self.value(inner, depth + 1)
            }
            _ => self.spot(&Value::Object(map.clone()), Vec::new(), ""),
        }
    }

    /// A place, and what was said beside it: coordinates win over doubts.
    fn spot(&self, value: &Value, references: Vec<Spot>, reason: &str) -> Result<Place, Misread> {
        match coordinates(value, self.family, self.shown) {
            Ok(mut spot) => {
                if !reason.is_empty() {
                    spot.repairs.push(format!("it also said {reason:?}"));
                }
                Ok(Place::At { spot, raw: clip(&value.to_string(), 80), references })
            }
            Err(BoxError::Absent) => Ok(Place::Absent { why: reason.to_owned() }),
            Err(_) if !reason.is_empty() => Ok(Place::Absent { why: reason.to_owned() }),
            Err(error) => Err(Misread::new(error.to_string())),
        }
    }

    /// A list of places. One flat list of numbers could be one of them or several points.
    fn references(&self, value: &Value) -> Result<Vec<Spot>, Misread> {
        let items = match value {
            Value::Null => return Ok(Vec::new()),
            Value::Array(items) if !items.iter().any(Value::is_number) => items,
            other => {
                let shown = clip(&other.to_string(), 80);
                return Err(Misread::new(format!("`references` is {shown}, but must be a list of places")));
            }
        };
        let spots = items.iter().map(|item| coordinates(item, self.family, self.shown));
        spots
            .filter(|spot| spot != &Err(BoxError::Absent))
            .collect::<Result<_, _>>()
            .map_err(|e| Misread::new(e.to_string()))
    }

    /// Numbers without JSON around them: alone, in tags, or in a call of a family's own grammar. `None` when there are none.
    fn numbers(&self, text: &str) -> Option<Result<Place, Misread>> {
        let inner = BEFORE.iter().find_map(|before| {
            let rest = &text[text.rfind(before)? + before.len()..];
            let rest = &rest[rest.find(|c: char| c.is_ascii_digit() || c == '-')?..];
            let end = rest.find(|c: char| !(c.is_ascii_digit() || c.is_whitespace() || "-.,;()".contains(c)));
            Some(&rest[..end.unwrap_or(rest.len())])
        });
        let numbers = inner.unwrap_or(text).trim();
        let starts = |c: char| c.is_ascii_digit() || matches!(c, '[' | '(' | '-' | '<');
        (inner.is_some() || numbers.starts_with(starts))
            .then(|| self.spot(&Value::String(numbers.to_owned()), Vec::new(), ""))
    }
}

/// A reason as a text. Words for "none" are none.
fn said(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; "),
        _ => String::new(),
    };
    let is_none = matches!(text.to_lowercase().as_str(), "none" | "null" | "no error" | "n/a" | "无" | "没有");
    if is_none { String::new() } else { clip(&text, 200) }
}
