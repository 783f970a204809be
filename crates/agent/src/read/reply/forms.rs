//! Actions and ends in other forms than tags: labels, calls, JSON.

use super::actions::{accept, is_no_verb, verb_name, whole};
use super::labels::{self, Label, Section};
use super::{Misread, Reading, truth};
use crate::read::json::json;
use handeye_core::text::{clip, name_key};
use serde_json::{Map, Value};

const VERB_KEYS: &[&str] = &["action", "actiontype", "verb", "动作", "type", "name", "tool", "function"];
/// Keys that are about actions and nothing else: an unknown verb under them is worth an answer.
const SURE_VERB_KEYS: usize = 4;
const PARAM_KEYS: &[&str] =
    &["param", "params", "parameters", "arguments", "args", "actionparam", "actionparams", "actionparamjson", "参数"];
const LIST_KEYS: &[&str] = &["actions", "toolcalls", "steps", "plan"];
/// Keys that are about the reply, not parameters of its action.
const WORD_KEYS: &[&str] =
    &["thought", "thoughts", "thinking", "reasoning", "planning", "log", "memory", "error", "id"];
const MAX_NESTING: usize = 6;

/// Looks for an action or an end outside of tags.
pub(super) fn read(reading: &mut Reading<'_>, outside: &str) -> Result<(), Misread> {
    let sections = labels::sections(outside);
    labels::words(reading, &sections);
    if read_labels(reading, &sections)? || read_call(reading, outside)? {
        return Ok(());
    }
    if !outside.contains(['{', '｛']) {
        return Ok(());
    }
    let read = match json(outside) {
        Ok(read) => read,
        Err(error) if outside.trim_start().starts_with(['{', '｛', '[', '`']) => {
            return Err(Misread::new(format!("the reply could not be read as JSON: {error}")));
        }
        Err(_) => return Ok(()),
    };
    let cut = read.cut;
    let value = whole(reading, read);
    let mut trial = Reading { space: reading.space, finish: reading.finish, out: reading.out.clone() };
    let found = read_value(&mut trial, &value);
    if cut && (found.is_err() || !trial.out.actions.is_empty() || trial.has_end()) {
        return Err(Misread::cut("its JSON"));
    }
    found?;
    reading.out = trial.out;
    Ok(())
}

/// `动作：点击` and `参数：{…}`.
fn read_labels(reading: &mut Reading<'_>, sections: &[Section]) -> Result<bool, Misread> {
    let Some(at) = sections.iter().rposition(|s| s.label == Label::Action && !s.text.is_empty()) else {
        return Ok(false);
    };
    let (first, rest) = sections[at].text.split_once('\n').unwrap_or((&sections[at].text, ""));
    let verb = verb_name(first);
    if reading.space.find(verb).is_none() {
        return read_call(reading, &sections[at].text);
    }
    let after = sections[at + 1..].iter().find(|s| s.label == Label::Params);
    let params = after.map_or(rest, |s| s.text.as_str());
    let value = argument(reading, verb, params)?;
    reading.mended("read labels in front of lines");
    accept(reading, verb, value)?;
    Ok(true)
}

fn argument(reading: &mut Reading<'_>, verb: &str, text: &str) -> Result<Value, Misread> {
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    let read = json(text).map_err(|e| Misread::new(format!("the parameters of `{verb}` are no JSON: {e}")))?;
    if read.cut {
        return Err(Misread::cut(&format!("the parameters of `{verb}`")));
    }
    Ok(whole(reading, read))
}

/// `Tap({…})`, `agent.tap(locate="Save")`: each at the start of a line, with nothing behind it.
pub(super) fn read_call(reading: &mut Reading<'_>, text: &str) -> Result<bool, Misread> {
    let mut found = false;
    let mut rest = text;
    let mut starts: Vec<(usize, usize, &str)> = Vec::new();
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if let Some((verb, args)) = call_start(reading, line) {
            starts.push((at, at + args, verb));
        }
        at += line.len();
    }
    rest = text;
    for (i, (_, args, verb)) in starts.iter().enumerate() {
        let end = starts.get(i + 1).map_or(rest.len(), |next| next.0);
        let body = &rest[*args..end];
        let Some(close) = body.rfind([')', '）']) else {
            // A bracket that is never closed: cut off, unless it is prose.
            if body.trim_start().starts_with(['{', '｛', '"']) {
                return Err(Misread::cut(&format!("the call of `{verb}`")));
            }
            continue;
        };
        let behind = body[close..].trim_start_matches([')', '）']);
        let is_free = behind.chars().all(|c| c.is_whitespace() || matches!(c, ';' | '`' | '；'));
        if let Some(value) = call_arguments(reading, verb, &body[..close]).filter(|_| is_free) {
            let value = value?;
            reading.mended("read an action that was given as a call");
            accept(reading, verb, value)?;
            found = true;
        }
    }
    Ok(found)
}

/// The verb of a call at the start of a line, and where its arguments start in the line.
fn call_start<'l>(reading: &Reading<'_>, line: &'l str) -> Option<(&'l str, usize)> {
    let open = line.find(['(', '（']).filter(|i| *i < 80)?;
    let name = line[..open].trim();
    let name = name.rsplit('.').next().unwrap_or(name);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let args = open + line[open..].chars().next().map_or(1, char::len_utf8);
    (is_name && reading.space.find(name).is_some()).then_some((name, args))
}

/// `None` when the brackets hold no arguments but prose.
fn call_arguments(reading: &mut Reading<'_>, verb: &str, args: &str) -> Option<Result<Value, Misread>> {
    let args = args.trim();
    let named = |s: &str| {
        let name = s.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
        name.len() < s.len() && name.trim_start().starts_with(['=', '＝']) && !name.trim_start().starts_with("==")
    };
    if args.is_empty() {
        return Some(Ok(Value::Null));
    }
    if args.starts_with(['{', '｛']) {
        return Some(argument(reading, verb, args));
    }
    if named(args) {
        return Some(argument(reading, verb, &format!("{{{args}}}")));
    }
    if args.starts_with(['"', '\'', '“', '[']) || args.starts_with(|c: char| c.is_ascii_digit()) {
        let list = argument(reading, verb, &format!("[{args}]"));
        return Some(list.map(|v| match v {
            Value::Array(mut items) if items.len() == 1 => items.swap_remove(0),
            other => other,
        }));
    }
    None
}

/// An action, a list of actions or an end, as JSON.
pub(super) fn read_value(reading: &mut Reading<'_>, value: &Value) -> Result<(), Misread> {
    let before = reading.out.actions.len();
    read_json(reading, value, 0)?;
    if reading.out.actions.len() > before || reading.has_end() {
        reading.mended("read a reply that was given as JSON alone");
    }
    Ok(())
}

fn read_json(reading: &mut Reading<'_>, value: &Value, depth: usize) -> Result<(), Misread> {
    match value {
        _ if depth > MAX_NESTING => Ok(()),
        Value::Array(items) => {
            items.iter().filter(|v| v.is_object()).try_for_each(|v| read_json(reading, v, depth + 1))
        }
        Value::Object(map) => read_object(reading, map, depth),
        _ => Ok(()),
    }
}

fn read_object(reading: &mut Reading<'_>, map: &Map<String, Value>, depth: usize) -> Result<(), Misread> {
    let keyed: Vec<(String, &Value)> = map.iter().map(|(k, v)| (name_key(k), v)).collect();
    let get = |names: &[&str]| names.iter().find_map(|n| keyed.iter().find(|(k, _)| k == n).map(|(_, v)| *v));
    json_words(reading, &get);
    if let Some(list) = get(LIST_KEYS).filter(|v| v.is_array()) {
        read_json(reading, list, depth + 1)?;
    }
    // `{"type": "function", "function": {…}}` and `{"action": {"type": …}}`.
    if let Some(inner) = get(&["action", "function"]).filter(|v| v.is_object() || v.is_array()) {
        read_json(reading, inner, depth + 1)?;
    } else if let Some((verb, is_sure)) = verb_of(&keyed) {
        let is_end = ["complete", "completed", "done", "finish", "finished", "完成"].contains(&name_key(verb).as_str());
        if is_end && reading.space.find(verb).is_none() {
            return json_end(reading, &Value::Bool(true), &get);
        }
        if !is_no_verb(verb_name(verb)) && (is_sure || reading.space.find(verb).is_some()) {
            let params = json_params(reading, map, verb, &get)?;
            accept(reading, verb_name(verb), params)?;
        }
    } else if let [(name, params)] = map.iter().collect::<Vec<_>>()[..]
        && reading.space.find(name).is_some()
    {
        accept(reading, name, params.clone())?;
    }
    match get(&["complete", "completed", "taskcomplete", "finished", "完成"]) {
        Some(end) => json_end(reading, end, &get),
        None => Ok(()),
    }
}

fn verb_of<'v>(keyed: &[(String, &'v Value)]) -> Option<(&'v str, bool)> {
    VERB_KEYS.iter().enumerate().find_map(|(i, name)| {
        let (_, value) = keyed.iter().find(|(k, _)| k == name)?;
        Some((value.as_str()?, i < SURE_VERB_KEYS))
    })
}

/// The parameters under their key, or else all that is no part of the form.
///
/// # Errors
/// [`Misread`] when there are parameters in both places.
fn json_params<'v>(
    reading: &mut Reading<'_>,
    map: &Map<String, Value>,
    verb: &str,
    get: &impl Fn(&[&str]) -> Option<&'v Value>,
) -> Result<Value, Misread> {
    let mut verb_seen = false;
    let own = map.iter().filter(|(k, v)| {
        let key = name_key(k);
        let is_verb = !verb_seen && v.is_string() && VERB_KEYS.contains(&key.as_str());
        verb_seen |= is_verb;
        !is_verb && !WORD_KEYS.contains(&key.as_str())
    });
    let mut own: Map<String, Value> = own.map(|(k, v)| (k.clone(), v.clone())).collect();
    let params = match get(PARAM_KEYS) {
        Some(Value::String(text)) => match json(text) {
            Ok(read) if !read.cut => whole(reading, read),
            _ => Value::String(text.clone()),
        },
        Some(params) => params.clone(),
        None => return Ok(Value::Object(own)),
    };
    own.retain(|k, _| !PARAM_KEYS.contains(&name_key(k).as_str()));
    if own.is_empty() {
        return Ok(params);
    }
    let is_one = |key: &String| {
        let spec = reading.space.find(verb_name(verb));
        spec.is_some_and(|spec| spec.params.iter().any(|p| name_key(&p.name) == name_key(key)))
    };
    match &params {
        Value::Null => return Ok(Value::Object(own)),
        Value::Object(map) if map.is_empty() => return Ok(Value::Object(own)),
        Value::Object(map) if !own.keys().any(|key| is_one(key) && !map.contains_key(key)) => {}
        Value::Array(_) => {}
        _ => {
            return Err(Misread::new(format!(
                "parameters of `{}` stand in two places; write them in one object such as {{\"locate\": {{…}}}}",
                clip(verb, 40)
            )));
        }
    }
    Ok(params)
}

fn json_words<'v>(reading: &mut Reading<'_>, get: &impl Fn(&[&str]) -> Option<&'v Value>) {
    let text =
        |names: &[&str]| get(names).and_then(Value::as_str).map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned);
    if let Some(thought) = text(&["thought", "thoughts", "thinking", "reasoning", "planning", "思考"]) {
        reading.out.thought = thought;
    }
    if let Some(log) = text(&["log", "日志"]) {
        reading.out.log = log;
    }
    reading.out.memory.extend(text(&["memory"]));
    reading.out.error = text(&["error"]).or(reading.out.error.take());
}

/// `true`, `"false"`, or `{"success": …, "message": …}`. A bare `false` says that the work goes on.
fn json_end<'v>(
    reading: &mut Reading<'_>,
    end: &Value,
    get: &impl Fn(&[&str]) -> Option<&'v Value>,
) -> Result<(), Misread> {
    const MESSAGE: &[&str] = &["message", "result", "answer", "text", "param"];
    let inner = end.as_object();
    let field = |names: &[&str]| match inner {
        Some(map) => map.iter().find(|(k, _)| names.contains(&name_key(k).as_str())).map(|(_, v)| v),
        None => get(names),
    };
    let said = |v: &Value| match v {
        Value::Bool(b) => Some(*b),
        Value::String(s) => truth(s),
        _ => None,
    };
    let success = match (field(&["success"]).map(said), end) {
        (Some(Some(success)), _) => success,
        (Some(None), _) => return Err(Misread::new("`success` says neither; write true or false")),
        (None, Value::Object(_) | Value::Bool(true)) => true,
        (None, Value::String(s)) if !s.trim().is_empty() && truth(s) != Some(false) => true,
        _ => return Ok(()),
    };
    let own = end.as_str().filter(|s| truth(s).is_none()).map(str::to_owned);
    let message = own.or_else(|| field(MESSAGE).and_then(Value::as_str).map(|s| s.trim().to_owned()));
    reading.out.complete = Some((success, message.filter(|m| !m.is_empty())));
    Ok(())
}
