//! Values of the type that was asked for. Another type is never made into it without a word: it is asked for again.

use super::Kind;
use super::schema::{BadSchema, Schema};
use handeye_core::text::clip;
use serde_json::Value;

/// What a value has to be.
#[derive(Debug)]
pub enum Type {
    /// Anything that this schema allows.
    Any(Option<Schema>),
    Text,
    Number,
    Truth,
}

/// Keys under which models put the one value that was asked for.
const WRAPPERS: &[&str] =
    &["result", "value", "answer", "boolean", "number", "string", "statementistruthy", "data", "text"];

impl Type {
    pub(super) fn of(kind: &Kind) -> Result<Self, BadSchema> {
        Ok(match kind {
            Kind::Query { schema } => Self::Any(schema.as_ref().map(Schema::of).transpose()?),
            Kind::String => Self::Text,
            Kind::Number => Self::Number,
            Kind::Boolean | Kind::Assert | Kind::Wait { .. } => Self::Truth,
        })
    }

    /// The value, when it is of this type; null when the screen does not show it. The error is for the model.
    pub fn take(&self, value: Value, repairs: &mut Vec<String>) -> Result<Value, String> {
        if let Self::Any(schema) = self {
            if let Some(schema) = schema {
                schema.check(&value)?;
            }
            return Ok(value);
        }
        let value = unwrapped(value, repairs);
        match (self, value) {
            (_, Value::Null) => Ok(Value::Null),
            (Self::Text, value @ Value::String(_))
            | (Self::Number, value @ Value::Number(_))
            | (Self::Truth, value @ Value::Bool(_)) => Ok(value),
            (Self::Truth, Value::String(said)) if truth(&said).is_some() => {
                repairs.push(format!("read the text {said:?} as true or false"));
                Ok(truth(&said).into())
            }
            (Self::Number, Value::String(said)) => match number(&said) {
                Some(number) => {
                    repairs.push(format!("read the text {said:?} as a number"));
                    Ok(number)
                }
                None => Err(self.wrong(&Value::String(said))),
            },
            (_, other) => Err(self.wrong(&other)),
        }
    }

    fn wrong(&self, value: &Value) -> String {
        let shown = clip(&value.to_string(), 80);
        let want = match self {
            Self::Text => "a JSON string, with the text exactly as the screen shows it",
            Self::Number => "a JSON number, without units and separators",
            Self::Truth => "true or false",
            Self::Any(_) => "a JSON value",
        };
        format!("{shown} is not what was asked for; give {want}, or null when the screen does not show it")
    }
}

/// The value in an object that holds nothing else.
fn unwrapped(value: Value, repairs: &mut Vec<String>) -> Value {
    let Value::Object(map) = &value else { return value };
    let mut entries = map.iter();
    match (entries.next(), entries.next()) {
        (Some((key, inner)), None) if WRAPPERS.contains(&handeye_core::text::name_key(key).as_str()) => {
            repairs.push(format!("took the value out of {{{key:?}: …}}"));
            inner.clone()
        }
        _ => value,
    }
}

fn truth(said: &str) -> Option<bool> {
    match said.trim().to_lowercase().as_str() {
        "true" | "yes" | "是" => Some(true),
        "false" | "no" | "否" => Some(false),
        _ => None,
    }
}

/// A number in the one reading that it can have: `12`, `-3.5`, `1,234.50`. `1,234` might be either a thousand or a little more
/// than one, so it is asked for again.
fn number(said: &str) -> Option<Value> {
    let said = said.trim();
    let (whole, fraction) = said.split_once('.').unwrap_or((said, ""));
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let unsigned = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let groups: Vec<&str> = unsigned.split(',').collect();
    let grouped = groups.len() > 1
        && (said.contains('.') || groups.len() > 2)
        && digits(groups[0])
        && groups[0].len() <= 3
        && groups[1..].iter().all(|g| digits(g) && g.len() == 3);
    if !(grouped || digits(unsigned)) || (said.contains('.') && !digits(fraction)) {
        return None;
    }
    let plain = said.replace(',', "");
    let plain = plain.strip_prefix('+').unwrap_or(&plain);
    match plain.parse::<i64>() {
        Ok(n) => Some(n.into()),
        Err(_) => plain
            .parse::<f64>()
            .ok()
            .filter(|n| n.is_finite())
            .and_then(serde_json::Number::from_f64)
            .map(Value::Number),
    }
}

/// A value in one line for people: a text as it is, everything else as JSON.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
