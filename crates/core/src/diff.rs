//! The first difference between two JSON values, for people.

use crate::text;
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

/// The first difference in reading order. Texts that are `alike` count as equal.
pub fn first(recorded: &Value, now: &Value, alike: &dyn Fn(&str, &str) -> bool) -> Option<Difference> {
    Search { alike, path: String::new() }.first(recorded, now)
}

struct Search<'a> {
    alike: &'a dyn Fn(&str, &str) -> bool,
    /// Where the search is.
    path: String,
}

impl Search<'_> {
    fn first(&mut self, recorded: &Value, now: &Value) -> Option<Difference> {
        match (recorded, now) {
            (Value::Object(before), Value::Object(after)) => {
                let names = before.keys().chain(after.keys().filter(|k| !before.contains_key(*k)));
                names.into_iter().find_map(|name| {
                    let step = if self.path.is_empty() { name.clone() } else { format!(".{name}") };
                    self.within(&step, before.get(name), after.get(name))
                })
            }
            (Value::Array(before), Value::Array(after)) => (0..before.len().max(after.len()))
                .find_map(|i| self.within(&format!("[{i}]"), before.get(i), after.get(i))),
            (Value::String(before), Value::String(after)) if before != after => {
                (!(self.alike)(before, after)).then(|| self.leaf(around(before, after)))
            }
            _ if recorded == now => None,
            _ => Some(self.leaf((shown(Some(recorded)), shown(Some(now))))),
        }
    }

    fn within(&mut self, step: &str, recorded: Option<&Value>, now: Option<&Value>) -> Option<Difference> {
        let len = self.path.len();
        self.path.push_str(step);
        let found = match (recorded, now) {
            (Some(recorded), Some(now)) => self.first(recorded, now),
            _ => Some(self.leaf((shown(recorded), shown(now)))),
        };
        self.path.truncate(len);
        found
    }

    fn leaf(&self, (recorded, now): (String, String)) -> Difference {
        let path = if self.path.is_empty() { "the whole" } else { &self.path };
        Difference { path: path.to_owned(), recorded, now }
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |v| text::clip(&v.to_string(), 80))
}

/// Both texts from shortly before the place where they part, quoted.
pub fn around(before: &str, after: &str) -> (String, String) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(recorded: &Value, now: &Value, want: Option<&str>) {
        let found = first(recorded, now, &|a, b| a.starts_with("alike") && b.starts_with("alike"));
        assert_eq!(found.map(|difference| difference.to_string()).as_deref(), want);
    }

    #[test]
    fn the_first_difference_is_named() {
        let body = |text: &str| json!({"model": "m", "messages": [{"content": [{"type": "text", "text": text}]}]});
        check(&body("a"), &body("a"), None);
        check(
            &body("press Save now"),
            &body("press Send now"),
            Some(r#"`messages[0].content[0].text`: recorded "press Save now", now "press Send now""#),
        );
        check(&json!({"a": 1, "b": 2}), &json!({"a": 1, "c": 2}), Some("`b`: recorded 2, now nothing"));
        check(&json!({"a": 1}), &json!({"a": 1, "c": 2}), Some("`c`: recorded nothing, now 2"));
        check(&json!({"a": [1, 2]}), &json!({"a": [1]}), Some("`a[1]`: recorded 2, now nothing"));
        check(&json!({"t": 0}), &json!({"t": 0.5}), Some("`t`: recorded 0, now 0.5"));
        check(&json!(1), &json!("1"), Some(r#"`the whole`: recorded 1, now "1""#));
        check(&json!(["alike 1"]), &json!(["alike 2"]), None);
    }
}
