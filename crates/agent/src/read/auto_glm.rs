//! Replies in the grammar of the AutoGLM models: `<think>…</think><answer>do(action="Tap", element=[x,y])</answer>`.
//!
//! ```
//! use handeye_agent::read::auto_glm;
//! use handeye_core::{ActionSpace, Finish, Size, Verb};
//! let space = ActionSpace::of(&[Verb::Tap, Verb::Scroll]);
//! let screen = Size::new(1080.0, 2400.0);
//!
//! let text = "<think>It goes on below.</think><answer>do(action=\"Swipe\", start=[500, 800], end=[500, 200])</answer>";
//! let reply = auto_glm(text, Finish::Stop, &space, screen).expect("a reply");
//! assert_eq!(reply.actions[0].summary(), "Scroll down 1440 - It goes on below");
//!
//! let end = auto_glm("<think>x</think><answer>finish(message=\"ok\")</answer>", Finish::Stop, &space, screen).expect("an end");
//! assert_eq!(end.complete, Some((true, "ok".to_owned())));
//! ```

pub(crate) mod verbs;

use super::calls::{self, Call, CallsReply, brief, millis, params, place, text as text_of};
use super::json::MAX_BYTES;
use super::reply::{Misread, truth};
use handeye_core::text::clip;
use handeye_core::{ActionSpace, Finish, Logical, Size};
use serde_json::{Value, json};
use verbs::Meaning;

/// Coordinates run from 0 to this.
const RANGE: f64 = 1_000.0;
const ELEMENT: &[&str] = &["element", "point", "position", "coordinate", ""];
const START: &[&str] = &["start", "element"];
const END: &[&str] = &["end", "end_point"];
/// The verb itself, with its name or without.
const VERB: &[&str] = &["action", ""];
const TEXT: &[&str] = &["text", "content", "value"];
const KEYS: &[&str] = &["key", "keys", "text"];
const TIME: &[&str] = &["duration", "time", "seconds"];
const ANSWER: &[&str] = &["message", "content", "text", ""];

/// Reads a reply. `screen` is what the coordinates are a part of, and says how far a swipe scrolls. `finish` says why the
/// model stopped: what was cut at the token limit is never completed by a guess.
///
/// # Errors
/// [`Misread`] when there is no action, when one of them is unknown, lacks something or is not whole.
pub fn auto_glm(text: &str, finish: Finish, space: &ActionSpace, screen: Size<Logical>) -> Result<CallsReply, Misread> {
    if text.len() > MAX_BYTES {
        return Err(Misread::new(format!("the reply has {} bytes; write a short one", text.len())));
    }
    let blocks = calls::blocks(text);
    if blocks.open && finish == Finish::Length {
        return Err(Misread::cut("its thinking"));
    }
    let is_verb = |name: &str| matches!(name, "do" | "finish") || verbs::named(name).is_some();
    let group = calls::group(&blocks.answer, finish, is_verb)?;
    let Some(group) = group else { return Err(nothing(text, finish)) };
    let mut out = CallsReply { thought: blocks.thought.clone(), ..CallsReply::default() };
    if group.has_words {
        if blocks.has_tags {
            out.mended("left out words around the action");
        } else {
            out.thought = words_before(&blocks.thought, &blocks.answer, group.said);
        }
    }
    let reading = Reading { what: brief(&out.thought), space, screen };
    for call in &group.calls {
        if out.complete.is_some() {
            return Err(Misread::new(
                "an action stands behind finish(…); write either what is to be done, or that it is done",
            ));
        }
        reading.one(call, &mut out)?;
    }
    out.said = format!("<think>{}</think><answer>{}</answer>", out.thought, group.said);
    Ok(out)
}

/// Without tags, what stands in front of the action is the thought.
fn words_before(thought: &str, answer: &str, said: &str) -> String {
    let before = answer.find(said).map_or("", |at| &answer[..at]).trim();
    let pieces: Vec<&str> = [thought, before].into_iter().filter(|piece| !piece.is_empty()).collect();
    pieces.join("\n")
}

fn nothing(text: &str, finish: Finish) -> Misread {
    const RIGHT: &str = "a right reply is <think>…</think><answer>do(action=\"Tap\", element=[x,y])</answer>, or ends with \
                         <answer>finish(message=\"…\")</answer>";
    Misread::new(match (text.trim().is_empty(), finish) {
        (_, Finish::Length) => {
            format!("the reply was cut at the token limit before an action; write a shorter one: {RIGHT}")
        }
        (true, _) => format!("the reply is empty; {RIGHT}"),
        _ => format!("the reply holds no action, so nothing was done; {RIGHT}"),
    })
}

struct Reading<'a> {
    /// What people read as the target.
    what: String,
    space: &'a ActionSpace,
    screen: Size<Logical>,
}

impl Reading<'_> {
    fn one(&self, call: &Call<'_>, out: &mut CallsReply) -> Result<(), Misread> {
        if call.name == "finish" {
            return end(call, out);
        }
        // `Tap(element=[1, 2])` says the same as `do(action="Tap", element=[1, 2])`.
        let (name, call) = if call.name == "do" {
            let name = text_of(call, VERB)?;
            let name =
                name.ok_or_else(|| Misread::new("`do(…)` needs action=\"…\", the name of what is to be done"))?;
            (name, &call.without(VERB))
        } else {
            out.mended(format!("read `{0}(…)` as do(action=\"{0}\", …)", call.name));
            (call.name.to_owned(), call)
        };
        let Some(meaning) = verbs::named(&name) else { return self.by_name(&name, call, out) };
        match meaning {
            Meaning::At(verb) => {
                // A sensitive tap has a message.
                call.only(ELEMENT, &["message"])?;
                let place = place_of(call, &name, "element", ELEMENT)?;
                self.accept(&name, verb, &json!({"locate": self.target(&place)}), out)
            }
            Meaning::Type => {
                call.only(TEXT, &[])?;
                let value = text_of(call, TEXT)?
                    .ok_or_else(|| Misread::new(format!("`{name}` needs text=\"…\", the text to type")))?;
                self.accept(&name, "Input", &json!({"value": value}), out)
            }
            Meaning::Swipe => self.swipe(call, &name, out),
            Meaning::Drag => {
                call.only(START, END)?;
                let from = place_of(call, &name, "start", START)?;
                let to = place_of(call, &name, "end", END)?;
                let at = |place: &Value| json!({"prompt": format!("the place {place}"), "bbox": place});
                self.accept(&name, "DragAndDrop", &json!({"from": at(&from), "to": at(&to)}), out)
            }
            Meaning::Keys => {
                call.only(KEYS, &[])?;
                let key = text_of(call, KEYS)?
                    .ok_or_else(|| Misread::new(format!("`{name}` needs key=\"…\", such as \"Enter\"")))?;
                self.accept(&name, "KeyboardPress", &json!({"keyName": key}), out)
            }
            Meaning::Wait => {
                call.only(TIME, &[])?;
                let time = call.arg(TIME).map_or("1", |literal| literal.words());
                let millis = millis(time).ok_or_else(|| {
                    Misread::new(format!("`{}` is no time; write such as duration=\"3 seconds\"", clip(time, 40)))
                })?;
                self.accept(&name, "Sleep", &json!({"timeMs": millis}), out)
            }
            Meaning::Device(verb) if self.space.has(verb) => self.accept(&name, verb, &self.params(call)?, out),
            Meaning::Device(_) => Err(verbs::unknown(&name, self.space)),
            Meaning::Nobody(instead) => Err(Misread::new(format!("`{name}` is not possible here: {instead}"))),
        }
    }

    /// A swipe moves what is under the finger with it: upwards, and what is below comes into view.
    fn swipe(&self, call: &Call<'_>, name: &str, out: &mut CallsReply) -> Result<(), Misread> {
        call.only(START, END)?;
        let start = place_of(call, name, "start", START)?;
        let end = place_of(call, name, "end", END)?;
        let (Some((x1, y1)), Some((x2, y2))) = (middle(&start), middle(&end)) else {
            return Err(Misread::new(format!("`{name}` needs start=[x,y] and end=[x,y]")));
        };
        let (dx, dy) = ((x2 - x1) / RANGE * self.screen.width, (y2 - y1) / RANGE * self.screen.height);
        let (direction, distance) = match (dy.abs() >= dx.abs(), dx < 0.0, dy < 0.0) {
            (true, _, true) => ("down", -dy),
            (true, _, false) => ("up", dy),
            (false, true, _) => ("right", -dx),
            (false, false, _) => ("left", dx),
        };
        if distance < 1.0 {
            return Err(Misread::new(format!("`{name}` ends where it starts, so nothing would move")));
        }
        let params = json!({"direction": direction, "distance": distance.round(), "locate": self.target(&start)});
        self.accept(name, "Scroll", &params, out)
    }

    /// A verb that the grammar does not have: the device may have it under its own name.
    fn by_name(&self, name: &str, call: &Call<'_>, out: &mut CallsReply) -> Result<(), Misread> {
        let spec = self.space.find(name).ok_or_else(|| verbs::unknown(name, self.space))?;
        let verb = spec.name.clone();
        self.accept(name, &verb, &self.params(call)?, out)
    }

    fn params(&self, call: &Call<'_>) -> Result<Value, Misread> {
        params(call, (ELEMENT, END), &self.what)
    }

    fn accept(&self, name: &str, verb: &str, params: &Value, out: &mut CallsReply) -> Result<(), Misread> {
        if !self.space.has(verb) {
            return Err(verbs::unknown(name, self.space));
        }
        let read = self.space.read(verb, params).map_err(|bad| Misread::new(format!("`{}`: {bad}", clip(name, 40))))?;
        read.repairs.into_iter().for_each(|repair| out.mended(repair));
        out.actions.push(read.action);
        Ok(())
    }

    fn target(&self, place: &Value) -> Value {
        let what = if self.what.is_empty() { format!("the place {place}") } else { self.what.clone() };
        json!({"prompt": what, "bbox": place})
    }
}

fn place_of(call: &Call<'_>, name: &str, key: &str, keys: &[&str]) -> Result<Value, Misread> {
    let literal = call
        .arg(keys)
        .ok_or_else(|| Misread::new(format!("`{}` needs {key}=[x,y], each from 0 to 999", clip(name, 40))))?;
    place(call, key, literal)
}

fn end(call: &Call<'_>, out: &mut CallsReply) -> Result<(), Misread> {
    call.only(ANSWER, &["success"])?;
    let told = text_of(call, ANSWER)?.unwrap_or_default();
    let success = match text_of(call, &["success"])? {
        None => true,
        Some(written) => truth(&written).ok_or_else(|| {
            Misread::new(format!(
                "success={} of finish(…) says neither; write success=false, or leave it out",
                clip(&written, 40)
            ))
        })?,
    };
    let message = if told.trim().is_empty() { out.thought.clone() } else { told };
    out.complete = Some((success, message.trim().to_owned()));
    Ok(())
}

/// The point, or the middle of the box.
fn middle(place: &Value) -> Option<(f64, f64)> {
    let numbers: Vec<f64> = place.as_array()?.iter().filter_map(Value::as_f64).collect();
    match numbers[..] {
        [x, y] => Some((x, y)),
        [x1, y1, x2, y2] => Some((f64::midpoint(x1, x2), f64::midpoint(y1, y2))),
        _ => None,
    }
}
