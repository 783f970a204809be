//! Keys and chords as models name them, as chords of ours: `ctrl+s`, `["CTRL", "S"]`, `Down Down Return`.

use serde_json::Value;

const HELD: [&str; 12] =
    ["ctrl", "control", "shift", "alt", "option", "meta", "cmd", "command", "super", "win", "super_l", "control_l"];

fn is_held(name: &str) -> bool {
    HELD.contains(&name.trim().to_ascii_lowercase().as_str())
}

/// Chords in a text: one, or several with blanks between them.
pub(super) fn of_text(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        // The space bar.
        [] if text.contains(' ') => vec!["Space".to_owned()],
        [first, _, ..] if !is_held(first) && !text.contains(" +") && !text.contains("+ ") => {
            words.iter().map(|word| (*word).to_owned()).collect()
        }
        [] => Vec::new(),
        _ => vec![text.trim().to_owned()],
    }
}

/// Keys that are pressed together. Beside those that are held, one after the other when there are several.
pub(super) fn of_list(keys: &Value) -> Vec<String> {
    let names: Vec<&str> = match keys {
        Value::Array(keys) => keys.iter().filter_map(Value::as_str).filter(|name| !name.is_empty()).collect(),
        Value::String(text) => return of_text(text),
        _ => Vec::new(),
    };
    let spelled = |name: &str| if name.trim().is_empty() { "Space".to_owned() } else { name.trim().to_owned() };
    let (held, struck): (Vec<&str>, Vec<&str>) = names.into_iter().partition(|name| is_held(name));
    let held: Vec<String> = held.into_iter().map(spelled).collect();
    let chord = |last: Option<&str>| held.iter().cloned().chain(last.map(spelled)).collect::<Vec<_>>().join("+");
    match struck.as_slice() {
        [] if held.is_empty() => Vec::new(),
        [] => vec![chord(None)],
        struck => struck.iter().map(|key| chord(Some(key))).collect(),
    }
}
