//! From the parameters that a planner wrote to an action: mended where the meaning is plain, refused where it is not.

use super::{ActionSpec, BadAction, ParamKind, ParamSpec};
use crate::text::name_key;
use crate::{Action, Claim, Direction, InputMode, PLACE_KEYS, ScrollKind, Target};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Keys under which models put the description of a target.
const PROMPT_KEYS: &[&str] = &["prompt", "description", "element", "target", "text", "label", "name"];

/// The parameters as an object. A list of one object is that object; a lone value is the only parameter that takes one.
pub(super) fn as_object(
    spec: &ActionSpec,
    params: &Value,
    repairs: &mut Vec<String>,
) -> Result<Map<String, Value>, BadAction> {
    match params {
        Value::Object(map) => Ok(map.clone()),
        Value::Null => Ok(Map::new()),
        Value::Array(items) if items.len() == 1 && items[0].is_object() => {
            repairs.push("took the parameters out of a list of one".to_owned());
            as_object(spec, &items[0], repairs)
        }
        other => {
            let first = spec.params.iter().find(|p| p.required).or(spec.params.first());
            let Some(p) = first else { return Ok(Map::new()) };
            repairs.push(format!("read a lone value as `{}`", p.name));
            Ok(Map::from_iter([(p.name.clone(), other.clone())]))
        }
    }
}

pub(super) fn take(given: &Map<String, Value>, p: &ParamSpec, repairs: &mut Vec<String>) -> Option<Value> {
    let key = name_key(&p.name);
    let own = given.get(&p.name).or_else(|| given.iter().find(|(k, _)| name_key(k) == key).map(|(_, v)| v));
    // A flat target: the box stands beside the other parameters, and so may the words.
    if p.kind == ParamKind::Target && p.name == "locate" && !own.is_some_and(holds_a_place) {
        let (key, place) = match given.iter().find(|(k, _)| is_box_key(k)) {
            Some((_, Value::Null)) | None => ("point", corners(given)),
            Some((k, v)) => (k.as_str(), Some(v.clone())),
        };
        if let Some(place) = place {
            repairs.push("read a flat target".to_owned());
            let mut flat = match own.cloned() {
                Some(Value::Object(map)) => map,
                Some(words) => Map::from_iter([("prompt".to_owned(), words)]),
                None => given.iter().filter(|(k, _)| *k == "prompt").map(|(k, v)| (k.clone(), v.clone())).collect(),
            };
            flat.retain(|k, _| !is_box_key(k));
            flat.insert(key.to_owned(), place);
            return Some(Value::Object(flat));
        }
    }
    if let Some(v) = own {
        return Some(v.clone());
    }
    let (k, v) = given.iter().find(|(k, _)| p.also.iter().any(|a| name_key(a) == name_key(k)))?;
    repairs.push(format!("read `{k}` as `{}`", p.name));
    Some(v.clone())
}

fn is_box_key(key: &str) -> bool {
    PLACE_KEYS.contains(&name_key(key).as_str())
}

/// Whether the value says where, beside what.
fn holds_a_place(target: &Value) -> bool {
    match target {
        Value::Object(map) => map.iter().any(|(k, v)| is_box_key(k) && !v.is_null()) || corners(map).is_some(),
        Value::String(words) => is_place(words),
        Value::Null => false,
        _ => true,
    }
}

/// A text that holds coordinates, not words.
fn is_place(words: &str) -> bool {
    words.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '[' || c == '(')
}

/// Coordinates by their own names: `{"x": 86, "y": 486}`.
fn corners(map: &Map<String, Value>) -> Option<Value> {
    let names: [&[&str]; 3] = [&["x1", "y1", "x2", "y2"], &["x", "y", "width", "height"], &["x", "y"]];
    let all = |names: &&&[&str]| names.iter().all(|n| map.get(*n).is_some_and(Value::is_number));
    let found = names.iter().find(all)?;
    Some(Value::Object(found.iter().map(|n| ((*n).to_owned(), map[*n].clone())).collect()))
}

/// A target as written: words, a box, or both. The box stays as the model wrote it; locating reads it.
pub(super) fn read_target(value: &Value) -> Target {
    match value {
        Value::Object(map) => {
            let place = PLACE_KEYS
                .iter()
                .find_map(|k| map.iter().find(|(name, _)| name_key(name) == *k))
                .map(|(_, v)| v.clone())
                .or_else(|| corners(map));
            let words = PROMPT_KEYS
                .iter()
                .find_map(|k| map.iter().find(|(name, _)| name.trim().eq_ignore_ascii_case(k)))
                .and_then(|(_, v)| v.as_str())
                .unwrap_or_default();
            let error = map.get("error").and_then(Value::as_str).unwrap_or_default();
            let error = if is_nothing(error) { "" } else { error };
            let unseen = !error.is_empty() || UNSEEN.iter().any(|k| map.get(*k) == Some(&Value::Bool(false)));
            // A place beside the word that nothing was found is no place.
            let is_empty = |place: &Value| place.as_array().is_some_and(Vec::is_empty);
            let claim = match place {
                Some(place) if !unseen || is_empty(&place) => Some(place),
                _ if unseen => Some(Value::Null),
                _ => None,
            }
            .map(Claim::Model);
            let description = match (words.trim(), error.trim()) {
                (w, "") => w.to_owned(),
                ("", e) => format!("({e})"),
                (w, e) => format!("{w} ({e})"),
            };
            Target { description, claim, ..Target::default() }
        }
        Value::String(words) if !is_place(words) => {
            Target { description: words.trim().to_owned(), ..Target::default() }
        }
        other => Target { description: String::new(), claim: Some(Claim::Model(other.clone())), ..Target::default() },
    }
}

/// Keys with which models say that they do not see the target.
const UNSEEN: [&str; 4] = ["found", "visible", "exists", "success"];

fn is_nothing(error: &str) -> bool {
    matches!(error.trim().to_lowercase().as_str(), "" | "none" | "null" | "no error" | "n/a" | "无" | "没有")
}

pub(super) fn coerce(
    spec: &ActionSpec,
    p: &ParamSpec,
    kind: &ParamKind,
    value: &Value,
    repairs: &mut Vec<String>,
) -> Result<Value, BadAction> {
    let bad = |want: &str| {
        BadAction(format!(
            "`{}` of `{}` is {}, but must be {want}",
            p.name,
            spec.name,
            crate::text::clip(&value.to_string(), 80)
        ))
    };
    match kind {
        ParamKind::Target => Ok(value.clone()),
        ParamKind::Text => match value {
            Value::String(_) => Ok(value.clone()),
            Value::Number(n) => Ok(json!(n.to_string())),
            Value::Bool(b) => Ok(json!(b.to_string())),
            Value::Array(items) if items.iter().all(Value::is_string) && p.name == "keyName" => {
                repairs.push("joined a list of keys to a chord".to_owned());
                Ok(json!(items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("+")))
            }
            _ => Err(bad("a text")),
        },
        ParamKind::Integer(from, to) => {
            let n = number(value).ok_or_else(|| bad("a whole number"))?.round();
            if n < *from as f64 || n > *to as f64 {
                return Err(bad(&format!("from {from} to {to}")));
            }
            Ok(json!(n as u64))
        }
        ParamKind::Number => number(value).map(|n| json!(n)).ok_or_else(|| bad("a number")),
        ParamKind::Choice(options) => {
            let text = value.as_str().ok_or_else(|| bad(&format!("one of {}", options.join(", "))))?;
            let key = name_key(text);
            if let Some(o) = options.iter().find(|o| name_key(o) == key) {
                return Ok(json!(o));
            }
            let known = CHOICE_WORDS.iter().find(|(word, _)| name_key(word) == key).map(|(_, o)| *o);
            match known.filter(|o| options.iter().any(|x| x == o)) {
                Some(o) => {
                    repairs.push(format!("read `{text}` as `{o}`"));
                    Ok(json!(o))
                }
                None => Err(bad(&format!("one of {}", options.join(", ")))),
            }
        }
        ParamKind::Texts => match value {
            Value::String(_) => Ok(json!([value])),
            Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_string) => Ok(value.clone()),
            _ => Err(bad("a list of texts")),
        },
    }
}

/// Other words for choices: older protocols and Chinese.
const CHOICE_WORDS: &[(&str, &str)] = &[
    ("once", "singleAction"),
    ("single", "singleAction"),
    ("untilBottom", "scrollToBottom"),
    ("bottom", "scrollToBottom"),
    ("untilTop", "scrollToTop"),
    ("top", "scrollToTop"),
    ("untilRight", "scrollToRight"),
    ("untilLeft", "scrollToLeft"),
    ("向下", "down"),
    ("下", "down"),
    ("向上", "up"),
    ("上", "up"),
    ("向左", "left"),
    ("左", "left"),
    ("向右", "right"),
    ("右", "right"),
    ("type", "typeOnly"),
    ("insert", "typeOnly"),
    ("overwrite", "replace"),
    ("add", "append"),
    ("追加", "append"),
    ("替换", "replace"),
    ("清空", "clear"),
];

fn number(value: &Value) -> Option<f64> {
    let n = match value {
        Value::Number(n) => n.as_f64(),
        Value::String(s) => s.trim().trim_end_matches("px").trim_end_matches("ms").trim().parse().ok(),
        _ => None,
    }?;
    n.is_finite().then_some(n)
}

pub(super) fn build(
    spec: &ActionSpec,
    mut v: Map<String, Value>,
    mut targets: Vec<(String, Target)>,
) -> Result<Action<Target>, BadAction> {
    let text = |v: &Map<String, Value>, name: &str| v.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let int = |v: &Map<String, Value>, name: &str, or: u64| v.get(name).and_then(Value::as_u64).unwrap_or(or);
    fn chosen<T: Default + for<'a> Deserialize<'a>>(v: &Map<String, Value>, name: &str) -> T {
        v.get(name).and_then(|x| T::deserialize(x).ok()).unwrap_or_default()
    }
    let mut target = |name: &str| targets.iter().position(|(n, _)| n == name).map(|i| targets.remove(i).1);
    let missing = |name: &str| BadAction(format!("`{}` needs `{name}`", spec.name));
    let mut needed = |name: &str| target(name).ok_or_else(|| missing(name));
    Ok(match spec.name.as_str() {
        "Tap" => Action::Tap { locate: needed("locate")? },
        "DoubleClick" => Action::DoubleClick { locate: needed("locate")? },
        "RightClick" => Action::RightClick { locate: needed("locate")? },
        "Hover" => Action::Hover { locate: needed("locate")? },
        "LongPress" => Action::LongPress { locate: needed("locate")?, duration: int(&v, "duration", 1000) },
        "Input" => {
            let mode: InputMode = chosen(&v, "mode");
            if mode != InputMode::Clear && !v.contains_key("value") {
                return Err(missing("value"));
            }
            Action::Input { value: text(&v, "value"), mode, locate: target("locate") }
        }
        "ClearInput" => Action::ClearInput { locate: target("locate") },
        "KeyboardPress" => Action::KeyboardPress { key_name: text(&v, "keyName"), locate: target("locate") },
        "CursorMove" => {
            Action::CursorMove { direction: chosen::<Direction>(&v, "direction"), times: int(&v, "times", 1) as u32 }
        }
        "Scroll" => Action::Scroll {
            direction: chosen::<Direction>(&v, "direction"),
            scroll_type: chosen::<ScrollKind>(&v, "scrollType"),
            distance: v.get("distance").and_then(Value::as_f64),
            locate: target("locate"),
        },
        "DragAndDrop" => {
            let (from, to) = (target("from"), target("to"));
            Action::DragAndDrop { from: from.ok_or_else(|| missing("from"))?, to: to.ok_or_else(|| missing("to"))? }
        }
        "Select" => Action::Select { locate: needed("locate")?, option: text(&v, "option") },
        "Upload" => {
            let files = v.get("files").and_then(Value::as_array).cloned().unwrap_or_default();
            let files = files.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            Action::Upload { locate: needed("locate")?, files }
        }
        "Sleep" => Action::Sleep { time_ms: int(&v, "timeMs", 1000) },
        "Navigate" => Action::Navigate { url: text(&v, "url") },
        "Reload" => Action::Reload,
        "GoBack" => Action::GoBack,
        "GoForward" => Action::GoForward,
        "CloseTab" => Action::CloseTab,
        name => Action::Device { name: name.to_owned(), args: std::mem::take(&mut v), targets },
    })
}
