//! Replies in the grammar of the UI-TARS models: `Thought: …` and `Action: …`, with one call or several.
//!
//! ```
//! use handeye_agent::read::ui_tars;
//! use handeye_core::{ActionSpace, Finish, Verb};
//! let space = ActionSpace::of(&[Verb::Tap, Verb::Input, Verb::KeyboardPress]);
//!
//! let text = "Thought: The name comes first.\nAction: click(start_box='<|box_start|>(500,250)<|box_end|>')\n\ntype(content='Ada\\n')";
//! let reply = ui_tars(text, Finish::Stop, &space).expect("a reply");
//! let steps: Vec<String> = reply.actions.iter().map(|action| action.summary()).collect();
//! assert_eq!(steps, ["Tap - The name comes first", "Input \"Ada\"", "KeyboardPress Enter"]);
//!
//! let misread = ui_tars("Thought: only", Finish::Stop, &space).expect_err("no action");
//! assert!(misread.why.starts_with("the reply holds no action"));
//! ```

mod keys;
mod sections;
pub(crate) mod verbs;

use super::calls::{self, Call, CallsReply, brief, millis, params, place, text as text_of};
use super::json::MAX_BYTES;
use super::reply::Misread;
use handeye_core::text::clip;
use handeye_core::{ActionSpace, Finish};
use serde_json::{Value, json};
use verbs::Meaning;

/// Names of the place that a call is about, or begins at.
const START: &[&str] = &["start_box", "point", "start_point", "box", "bbox", "start", "position", "coordinate", ""];
/// Names of the place where it ends.
const END: &[&str] = &["end_box", "end_point", "end"];
/// Names of what else there is; a lone argument may stand without one.
const KEYS: &[&str] = &["key", "keys", "hotkey", ""];
const TEXT: &[&str] = &["content", "text", "value", ""];
const ANSWER: &[&str] = &["content", "message", "reason", ""];
const TIME: &[&str] = &["seconds", "time", "duration", ""];

/// Reads a reply. `finish` says why the model stopped: what was cut at the token limit is never completed by a guess.
///
/// # Errors
/// [`Misread`] when there is no action, when one of them is unknown, lacks something or is not whole.
pub fn ui_tars(text: &str, finish: Finish, space: &ActionSpace) -> Result<CallsReply, Misread> {
    if text.len() > MAX_BYTES {
        return Err(Misread::new(format!("the reply has {} bytes; write a short one", text.len())));
    }
    let blocks = calls::blocks(text);
    if blocks.open && finish == Finish::Length {
        return Err(Misread::cut("its thinking"));
    }
    let parts = sections::read(&blocks.answer)?;
    let thought = if parts.thought.is_empty() { blocks.thought } else { parts.thought };
    let is_verb = |name: &str| verbs::named(name).is_some();
    let group = calls::group(&parts.actions, finish, is_verb)?;
    let group = group.filter(|g| parts.labelled || !blocks.open || !g.has_words);
    let Some(group) = group else { return Err(nothing(text, finish)) };
    let mut out = CallsReply { thought, ..CallsReply::default() };
    if !parts.labelled {
        out.mended("read an action without its label");
    }
    if group.has_words {
        out.mended("left out words around the action");
    }
    let what = brief(&out.thought);
    for call in &group.calls {
        if out.complete.is_some() {
            return Err(Misread::new(
                "an action stands behind the end; write either what is to be done, or that it is done",
            ));
        }
        one(call, &what, space, &mut out)?;
    }
    out.said = format!("Thought: {}\nAction: {}", out.thought, group.said);
    Ok(out)
}

fn nothing(text: &str, finish: Finish) -> Misread {
    const RIGHT: &str = "a right reply ends with a line such as Action: wait(), or Action: finished(content='…')";
    Misread::new(match (text.trim().is_empty(), finish) {
        (_, Finish::Length) => {
            format!("the reply was cut at the token limit before an action; write a shorter one: {RIGHT}")
        }
        (true, _) => format!("the reply is empty; {RIGHT}"),
        _ => format!("the reply holds no action, so nothing was done; {RIGHT}"),
    })
}

fn one(call: &Call<'_>, what: &str, space: &ActionSpace, out: &mut CallsReply) -> Result<(), Misread> {
    let Some(meaning) = verbs::named(call.name) else { return by_name(call, what, space, out) };
    let start = || place_of(call, START);
    let target = |place: Value| json!({"prompt": shown(what, &place), "bbox": place});
    let needed = |name: &str, place: Option<Value>| {
        place.ok_or_else(|| Misread::new(format!("`{}` needs {name}='…', the place where it is", call.name)))
    };
    match meaning {
        Meaning::At(verb) => {
            call.only(START, &["time"])?;
            let place = needed("start_box", start()?)?;
            accept(call, verb, &json!({"locate": target(place)}), space, out)
        }
        Meaning::Drag => {
            call.only(START, END)?;
            let (from, to) = (needed("start_box", start()?)?, needed("end_box", place_of(call, END)?)?);
            accept(call, "DragAndDrop", &json!({"from": shown_at(&from), "to": shown_at(&to)}), space, out)
        }
        Meaning::Keys => {
            call.only(KEYS, &[])?;
            let keys = text_of(call, KEYS)?.unwrap_or_default();
            let chord = keys::chord(&keys).ok_or_else(|| {
                Misread::new(format!("`{}` names no key; write such as hotkey(key='ctrl c')", call.name))
            })?;
            accept(call, "KeyboardPress", &json!({"keyName": chord}), space, out)
        }
        Meaning::Type => typed(call, space, out),
        Meaning::Scroll => {
            call.only(&["direction", "dir"], START)?;
            let direction = text_of(call, &["direction", "dir"])?
                .ok_or_else(|| Misread::new("`scroll` needs direction='…', one of down, up, right, left"))?;
            let mut params = json!({"direction": direction});
            if let Some(place) = start()?.filter(|place| !place.is_null()) {
                params["locate"] = target(place);
            }
            accept(call, "Scroll", &params, space, out)
        }
        Meaning::Wait => {
            call.only(TIME, &[])?;
            let time = call.arg(TIME).map(|t| t.words().to_owned());
            let time = time.filter(|t| !t.trim().is_empty());
            let millis = time.as_deref().map_or(Some(1_000), millis).ok_or_else(|| {
                Misread::new(format!("`{}` is no time; write wait()", clip(time.as_deref().unwrap_or_default(), 40)))
            })?;
            accept(call, "Sleep", &json!({"timeMs": millis}), space, out)
        }
        Meaning::End(success) => {
            call.only(ANSWER, &[])?;
            let told = text_of(call, ANSWER)?.unwrap_or_default();
            let message = if told.trim().is_empty() { out.thought.clone() } else { told };
            out.complete = Some((success, message.trim().to_owned()));
            Ok(())
        }
        Meaning::Device(names) => match names.iter().find(|name| space.has(name)) {
            Some(verb) => accept(call, verb, &params(call, (START, END), what)?, space, out),
            None => Err(verbs::unknown(call.name, space)),
        },
    }
}

/// What is typed goes to where the caret is, as from a keyboard; a line break at its end is the Enter key, as the models
/// were taught.
fn typed(call: &Call<'_>, space: &ActionSpace, out: &mut CallsReply) -> Result<(), Misread> {
    call.only(TEXT, &[])?;
    let content = text_of(call, TEXT)?.ok_or_else(|| Misread::new("`type` needs content='…', the text to type"))?;
    let (value, enter) = match content.strip_suffix('\n') {
        Some(value) => (value.strip_suffix('\r').unwrap_or(value), true),
        None => (content.as_str(), false),
    };
    if value.is_empty() && !enter {
        return Err(Misread::new(
            "the content of `type` is empty; to empty a field, select all of it and press delete",
        ));
    }
    if !value.is_empty() {
        accept(call, "Input", &json!({"value": value, "mode": "typeOnly"}), space, out)?;
    }
    if enter {
        accept(call, "KeyboardPress", &json!({"keyName": "Enter"}), space, out)?;
    }
    Ok(())
}

/// A verb that the grammar does not have: the device may have it under its own name.
fn by_name(call: &Call<'_>, what: &str, space: &ActionSpace, out: &mut CallsReply) -> Result<(), Misread> {
    let spec = space.find(call.name).ok_or_else(|| verbs::unknown(call.name, space))?;
    let name = spec.name.clone();
    accept(call, &name, &params(call, (START, END), what)?, space, out)
}

fn accept(
    call: &Call<'_>,
    verb: &str,
    params: &Value,
    space: &ActionSpace,
    out: &mut CallsReply,
) -> Result<(), Misread> {
    if !space.has(verb) {
        return Err(verbs::unknown(call.name, space));
    }
    let read = space.read(verb, params).map_err(|bad| Misread::new(format!("`{}(…)`: {bad}", call.name)))?;
    read.repairs.into_iter().for_each(|repair| out.mended(repair));
    out.actions.push(read.action);
    Ok(())
}

fn place_of(call: &Call<'_>, names: &[&str]) -> Result<Option<Value>, Misread> {
    let found = names.iter().find_map(|name| call.arg(&[name]).map(|literal| (*name, literal)));
    found.map(|(name, literal)| place(call, if name.is_empty() { "place" } else { name }, literal)).transpose()
}

/// What people read as the target.
fn shown(what: &str, place: &Value) -> String {
    if what.is_empty() { format!("the place {place}") } else { what.to_owned() }
}

fn shown_at(place: &Value) -> Value {
    json!({"prompt": shown("", place), "bbox": place})
}
