//! Finds and names the first difference between what was recorded and what is asked now.

use handeye_core::{Need, text};
use serde_json::Value;
use std::fmt;

/// Where two values part, and how each goes on there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `of[1].messages[2].parts[0].text`
    pub path: String,
    pub recorded: String,
    pub now: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: recorded {}, now {}", self.path, self.recorded, self.now)
    }
}

pub(super) fn needs(recorded: &Need, now: &Need) -> Option<Difference> {
    if recorded == now {
        return None;
    }
    // Values decide, as they would be written; the types above only save the work where nothing differs.
    values(&to_value(recorded), &to_value(now))
}

/// The difference of two request bodies that are known to differ.
pub(super) fn bodies(recorded: &str, now: &str) -> Difference {
    let parsed = (serde_json::from_str::<Value>(recorded), serde_json::from_str::<Value>(now));
    if let (Ok(recorded), Ok(now)) = parsed
        && let Some(difference) = values(&recorded, &now)
    {
        return difference;
    }
    let (recorded, now) = around(recorded, now);
    Difference { path: "body".into(), recorded, now }
}

/// A need in one line.
pub(super) fn describe(need: &Need) -> String {
    text::clip(&to_value(need).to_string(), 200)
}

fn to_value(need: &Need) -> Value {
    serde_json::to_value(need).unwrap_or_default()
}

pub(super) fn values(recorded: &Value, now: &Value) -> Option<Difference> {
    let mut path = String::new();
    first(recorded, now, &mut path)
}

fn first(recorded: &Value, now: &Value, path: &mut String) -> Option<Difference> {
    match (recorded, now) {
        (Value::Object(before), Value::Object(after)) => {
            let names = before.keys().chain(after.keys().filter(|k| !before.contains_key(*k)));
            names.into_iter().find_map(|name| {
                let step = if path.is_empty() { name.clone() } else { format!(".{name}") };
                within(path, &step, |path| match (before.get(name), after.get(name)) {
                    (Some(b), Some(a)) => first(b, a, path),
                    (b, a) => Some(leaf(path, shown(b), shown(a))),
                })
            })
        }
        (Value::Array(before), Value::Array(after)) => (0..before.len().max(after.len())).find_map(|i| {
            within(path, &format!("[{i}]"), |path| match (before.get(i), after.get(i)) {
                (Some(b), Some(a)) => first(b, a, path),
                (b, a) => Some(leaf(path, shown(b), shown(a))),
            })
        }),
        (Value::String(before), Value::String(after)) if before != after => {
            let (before, after) = around(before, after);
            Some(leaf(path, before, after))
        }
        _ if recorded == now => None,
        _ => Some(leaf(path, shown(Some(recorded)), shown(Some(now)))),
    }
}

fn within<R>(path: &mut String, step: &str, inner: impl FnOnce(&mut String) -> R) -> R {
    let len = path.len();
    path.push_str(step);
    let found = inner(path);
    path.truncate(len);
    found
}

fn leaf(path: &str, recorded: String, now: String) -> Difference {
    let path = if path.is_empty() { "the whole".to_owned() } else { path.to_owned() };
    Difference { path, recorded, now }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |v| text::clip(&v.to_string(), 80))
}

/// Both texts from shortly before the place where they part, quoted.
fn around(before: &str, after: &str) -> (String, String) {
    const BEFORE: usize = 24;
    const AFTER: usize = 56;
    let same = before.chars().zip(after.chars()).take_while(|(b, a)| b == a).count();
    let cut = |text: &str| {
        let from = same.saturating_sub(BEFORE);
        let piece: String = text.chars().skip(from).take(BEFORE + AFTER).collect();
        let more = text.chars().nth(from + BEFORE + AFTER).is_some();
        format!("{}{piece:?}{}", if from > 0 { "…" } else { "" }, if more { "…" } else { "" })
    };
    (cut(before), cut(after))
}
