//! Pairs of `<action-type>` and `<action-param-json>`.

use super::labels::{self, Label};
use super::{Misread, Reading, forms};
use crate::read::json::{Loose, json};
use crate::read::tags::{self, Tag, Tagged};
use handeye_core::Finish;
use handeye_core::text::{clip, name_key};
use serde_json::{Map, Value};

/// Reads all pairs in order.
pub(super) fn read(reading: &mut Reading<'_>, found: &[Tagged<'_>], text: &str) -> Result<(), Misread> {
    let mut waiting: Option<&Tagged<'_>> = None;
    let mut talked_about = false;
    // What was said since the last pair, to know an answer that was given twice.
    let mut said: Vec<&str> = Vec::new();
    let mut before: Option<(Vec<&str>, &str, &str)> = None;
    for (i, tagged) in found.iter().enumerate() {
        match tagged.tag {
            Tag::ActionType if super::is_talked_about(found, i, text, reading.finish) => {
                talked_about = true;
                reading.mended("left out an action that was only talked about");
            }
            Tag::ActionParams if talked_about => talked_about = false,
            Tag::Thought | Tag::Planning | Tag::Log => said.push(tagged.text),
            Tag::ActionType if waiting.is_some_and(|verb| !verb.closed) && tagged.text.is_empty() && !tagged.closed => {
                reading.mended("read an opening <action-type> as the closing one");
            }
            Tag::ActionType => {
                talked_about = false;
                let again = waiting.is_some_and(|verb| verb.closed && verb.text == tagged.text);
                if again && takes_parameters(reading, tagged.text) {
                    reading.mended("read a verb that was given twice before its parameters once");
                    waiting = Some(tagged);
                } else if let Some(verb) = waiting.replace(tagged) {
                    alone(reading, verb, found, text)?;
                    before = None;
                }
            }
            Tag::ActionParams => {
                let Some(verb) = waiting.take() else {
                    let from = i.checked_sub(1).map_or(0, |before| found[before].span.end);
                    match labelled_verb(reading, &text[from..tagged.span.start]) {
                        Some(verb) => {
                            let value = parameters(reading, &verb, tagged)?;
                            reading.mended("read labels in front of lines");
                            accept(reading, &verb, value)?;
                        }
                        None => lone_params(reading, tagged)?,
                    }
                    continue;
                };
                let whole = (std::mem::take(&mut said), verb.text, tagged.text);
                if before.as_ref() == Some(&whole) && !whole.0.is_empty() {
                    reading.mended("left out an answer that was given twice");
                    continue;
                }
                before = Some(whole);
                if has_structure(text.get(verb.span.end..tagged.span.start).unwrap_or_default()) {
                    return Err(Misread::new(format!(
                        "it is not clear whether the <action-param-json> belongs to `{}`: something stands between them; write one \
                         directly behind the other",
                        clip(verb_name(verb.text), 40)
                    )));
                }
                pair(reading, verb, Some(tagged), text)?;
            }
            _ => {}
        }
    }
    match waiting {
        Some(verb) => alone(reading, verb, found, text),
        None => Ok(()),
    }
}

/// Broken pieces of tags or of JSON; other tags that were found, a log say, are none.
fn has_structure(gap: &str) -> bool {
    let outside = tags::outside(gap, &tags::scan(gap));
    outside.contains(['{', '}', '"', '>', '｛', '｝'])
}

/// A verb without `<action-param-json>`: its parameters may stand behind it without that tag, in a code fence or with a label.
fn alone(reading: &mut Reading<'_>, verb: &Tagged<'_>, found: &[Tagged<'_>], text: &str) -> Result<(), Misread> {
    let next = found.iter().map(|t| t.span.start).find(|start| *start >= verb.span.end).unwrap_or(text.len());
    let behind =
        if verb.closed { text.get(verb.span.end..next) } else { verb.text.split_once('\n').map(|(_, rest)| rest) };
    let behind = behind.unwrap_or_default().trim();
    let open = behind.find(['{', '｛']).filter(|open| {
        let lead = name_key(&behind[..*open]);
        lead.is_empty() || lead == "json" || labels::named(&lead) == Some(Label::Params)
    });
    let Some(open) = open else {
        let follows =
            |t: &Tagged<'_>| t.span.start > verb.span.start && matches!(t.tag, Tag::ActionType | Tag::ActionParams);
        let ends_here = reading.finish == Finish::Length && !found.iter().any(follows);
        if takes_parameters(reading, verb.text) && (!behind.is_empty() || !verb.closed || ends_here) {
            return Err(Misread::cut(&format!("`{}`, before its parameters", clip(verb_name(verb.text), 40))));
        }
        return pair(reading, verb, None, text);
    };
    let name = verb_name(verb.text.lines().next().unwrap_or_default());
    if is_no_verb(name) {
        return Ok(());
    }
    let span = verb.span.clone();
    let params = Tagged { tag: Tag::ActionParams, attributes: "", text: &behind[open..], closed: false, span };
    let value = parameters(reading, name, &params)?;
    reading.mended("read parameters without their tag");
    accept(reading, name, value)
}

/// `action-type: Tap` in the line in front of parameters, or `action-type>Tap</action-type>`.
fn labelled_verb(reading: &Reading<'_>, before: &str) -> Option<String> {
    let line = before.trim().lines().next_back()?;
    let (label, verb) = line.split_once([':', '：', '>'])?;
    let verb = verb_name(verb);
    (labels::named(&name_key(label)) == Some(Label::Action) && reading.space.find(verb).is_some())
        .then(|| verb.to_owned())
}

fn pair(reading: &mut Reading<'_>, verb: &Tagged<'_>, params: Option<&Tagged<'_>>, text: &str) -> Result<(), Misread> {
    if reading.is_cut(verb, text) {
        return Err(Misread::cut("<action-type>"));
    }
    let name = verb_name(verb.text);
    if is_no_verb(name) {
        return Ok(());
    }
    if params.is_none_or(|p| p.text.is_empty()) && name.contains(['(', '（', '{']) && forms::read_call(reading, name)?
    {
        return Ok(());
    }
    let value = match params {
        Some(params) if params.text.is_empty() && !params.closed && takes_parameters(reading, name) => {
            return Err(Misread::cut(&format!("the parameters of `{}`", clip(name, 40))));
        }
        Some(params) => parameters(reading, name, params)?,
        None => Value::Null,
    };
    accept(reading, name, value)
}

fn takes_parameters(reading: &Reading<'_>, verb: &str) -> bool {
    reading.space.find(verb_name(verb)).is_some_and(|spec| !spec.params.is_empty())
}

/// The verb without quotes, backticks or emphasis around it, and without another tag's end behind it: `Tap</action>`.
pub(super) fn verb_name(text: &str) -> &str {
    let is_name = |tail: &str| tail.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '-' | '_' | '>' | ' '));
    let text = match text.rsplit_once("</") {
        Some((verb, tail)) if is_name(tail) => verb,
        _ => text,
    };
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*' | '“' | '”' | '「' | '」'))
}

/// Words for: no action in this reply.
pub(super) fn is_no_verb(name: &str) -> bool {
    matches!(name.to_lowercase().as_str(), "" | "null" | "none" | "nil" | "n/a" | "no action" | "无" | "空" | "没有")
}

/// Parameters without a verb in front: they may name it themselves.
fn lone_params(reading: &mut Reading<'_>, params: &Tagged<'_>) -> Result<(), Misread> {
    if params.text.is_empty() || matches!(params.text, "{}" | "null") {
        return Ok(());
    }
    let read = parse(reading, "an action", params)?;
    let (actions, ended) = (reading.out.actions.len(), reading.has_end());
    forms::read_value(reading, &read)?;
    if reading.out.actions.len() == actions && reading.has_end() == ended {
        return Err(Misread::new(
            "there is <action-param-json> without <action-type>; put the name of the action in front of its parameters",
        ));
    }
    Ok(())
}

fn parameters(reading: &mut Reading<'_>, verb: &str, params: &Tagged<'_>) -> Result<Value, Misread> {
    if params.text.is_empty() {
        return Ok(Value::Null);
    }
    parse(reading, &format!("`{}`", clip(verb, 40)), params)
}

/// Parameters as a value. What was cut off is refused; what only lacks its last brackets is not, if the tag was closed.
fn parse(reading: &mut Reading<'_>, of: &str, params: &Tagged<'_>) -> Result<Value, Misread> {
    let read = json(params.text).map_err(|e| {
        Misread::new(format!(
            "the <action-param-json> of {of} is no JSON object: {e}; write one object such as {{\"locate\": {{…}}}}"
        ))
    })?;
    // A number or a word at the end may be only the start of one.
    let is_bracketed = read.value.is_object() || read.value.is_array();
    let half_a_word = !params.closed && !is_bracketed;
    if half_a_word || read.cut && (read.torn || !params.closed) {
        return Err(Misread::cut(&format!("the parameters of {of}")));
    }
    if is_hollow(&read.value, params.text) {
        return Err(Misread::new(format!(
            "the <action-param-json> of {of} holds nothing that can be read as a parameter; write one object such as \
             {{\"locate\": {{…}}}}"
        )));
    }
    Ok(whole(reading, read))
}

/// An object of nothing, made of a text that had words between its brackets.
fn is_hollow(value: &Value, text: &str) -> bool {
    let inside =
        text.split_once(['{', '｛']).and_then(|(_, rest)| rest.rsplit_once(['}', '｝'])).map_or("", |(in_it, _)| in_it);
    value.as_object().is_some_and(Map::is_empty) && inside.contains(char::is_alphanumeric)
}

/// Notes the repairs; a text that holds JSON is read once more.
pub(super) fn whole(reading: &mut Reading<'_>, read: Loose) -> Value {
    for repair in read.repairs {
        reading.mended(format!("parameters: {repair}"));
    }
    match &read.value {
        Value::String(inner) if inner.trim_start().starts_with(['{', '[']) => match json(inner) {
            Ok(inner) if !inner.cut => {
                reading.mended("parameters: read JSON that was wrapped in a text");
                inner.value
            }
            _ => read.value,
        },
        _ => read.value,
    }
}

/// Validates an action against what the device offers, and keeps it.
pub(super) fn accept(reading: &mut Reading<'_>, verb: &str, params: Value) -> Result<(), Misread> {
    let params = trimmed(verb_texts(reading, verb).as_slice(), params);
    let read = reading.space.read(&clip(verb, 60), &params).map_err(|bad| Misread::new(bad.to_string()))?;
    for repair in read.repairs {
        reading.mended(repair);
    }
    reading.out.actions.push(read.action);
    Ok(())
}

/// Names of parameters whose text is what gets typed or chosen: kept to the blank.
fn verb_texts(reading: &Reading<'_>, verb: &str) -> Vec<String> {
    let Some(spec) = reading.space.find(verb) else { return vec!["value".to_owned()] };
    let texts = spec.params.iter().filter(|p| matches!(p.name.as_str(), "value" | "option"));
    texts.flat_map(|p| p.also.iter().chain([&p.name])).map(|n| name_key(n)).collect()
}

/// Trims keys and texts, except texts that are data.
fn trimmed(keep: &[String], params: Value) -> Value {
    match params {
        Value::Object(map) => {
            let fields = map.into_iter().map(|(key, value)| {
                let is_data = value.is_string() && keep.contains(&name_key(&key));
                let value = if is_data { value } else { trimmed(keep, value) };
                (key.trim().to_owned(), value)
            });
            Value::Object(fields.collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(|v| trimmed(keep, v)).collect()),
        // A lone blank is a key name, not an accident.
        Value::String(s) if !s.trim().is_empty() => Value::String(s.trim().to_owned()),
        other => other,
    }
}
