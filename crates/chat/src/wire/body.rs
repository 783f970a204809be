//! What the bodies of all APIs have in common.

use super::Pictures;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use handeye_core::{ChatRequest, Image, Message, Part, Role, Shown, Thinking, Tool, ToolResult};
use serde_json::{Map, Value, json};

/// Whole numbers without a fraction: some servers refuse `0.0` where they expect a number.
pub(super) fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e9 { json!(value as i64) } else { json!(value) }
}

/// A JSON merge patch (RFC 7396).
pub(super) fn merge(into: &mut Map<String, Value>, patch: &Map<String, Value>) {
    for (key, value) in patch {
        match (into.get_mut(key), value) {
            (_, Value::Null) => {
                into.shift_remove(key);
            }
            (Some(Value::Object(old)), Value::Object(new)) => merge(old, new),
            (_, Value::Object(new)) => {
                // Nulls inside a new object remove nothing, but must not be sent either.
                let mut clean = Map::new();
                merge(&mut clean, new);
                into.insert(key.clone(), Value::Object(clean));
            }
            _ => {
                into.insert(key.clone(), value.clone());
            }
        }
    }
}

/// The bytes of a picture in base64, or its name.
pub(super) fn picture(image: &Image, shown: &Shown, pictures: Pictures) -> String {
    match pictures {
        Pictures::Bytes => STANDARD.encode(&image.bytes),
        Pictures::Names => picture_name(image, shown),
    }
}

/// A picture as a data URL, or its name.
pub(super) fn picture_url(image: &Image, shown: &Shown, pictures: Pictures) -> String {
    match pictures {
        Pictures::Names => picture_name(image, shown),
        Pictures::Bytes => {
            let mut url = format!("data:{};base64,", image.format.media_type());
            STANDARD.encode_string(&image.bytes, &mut url);
            url
        }
    }
}

/// `blob:HASH@WIDTHxHEIGHT`, what part of the picture that is, where it is not all of it, and what is marked on it.
fn picture_name(image: &Image, shown: &Shown) -> String {
    let canvas = shown.canvas();
    let mut name = format!("blob:{}@{}x{}", image.hash, canvas.width, canvas.height);
    if let Some(part) = &shown.crop {
        name.push_str(&format!("#{},{},{},{}", part.left, part.top, part.width, part.height));
    }
    if let Some(mark) = &shown.mark {
        name.push_str(&format!("!{},{}", mark.x, mark.y));
    }
    name
}

/// The texts of all system messages; `None` when there are none. APIs that keep them apart know no place for them.
pub(super) fn system(request: &ChatRequest) -> Option<String> {
    let system = request.messages.iter().filter(|m| m.role == Role::System);
    let texts: Vec<String> = system.map(Message::joined).filter(|text| !text.trim().is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// A message's content as its provider gave it, when it was this one.
pub(super) fn replay<'a>(message: &'a Message, mark: &str) -> Option<&'a Value> {
    message.replay.as_ref().filter(|replay| replay.from == mark).map(|replay| &replay.content)
}

/// One piece of a message of the user.
pub(super) enum Piece<'a> {
    /// Texts and pictures that stand by themselves.
    Plain(&'a [Part]),
    /// What came of a call, with the texts and pictures that belong to it.
    Result(&'a ToolResult, &'a [Part]),
}

/// A message cut before each result.
pub(super) fn pieces(parts: &[Part]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = parts;
    while let Some((first, after)) = rest.split_first() {
        let is_result = |part: &Part| matches!(part, Part::Result(_));
        let (start, body) = match first {
            Part::Result(result) => (Some(result), after),
            _ => (None, rest),
        };
        let (mine, later) = body.split_at(body.iter().position(is_result).unwrap_or(body.len()));
        pieces.push(start.map_or(Piece::Plain(mine), |result| Piece::Result(result, mine)));
        rest = later;
    }
    pieces
}

/// All text in these parts, one line break between them.
pub(super) fn texts(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// What a call was made with, as the object that every API wants: a reply that was cut may hold less.
pub(super) fn object(input: &Value) -> Value {
    if input.is_object() { input.clone() } else { json!({}) }
}

/// The word of an effort, where an API knows all but `Off`, `Adaptive` and budgets.
pub(super) fn effort(thinking: Thinking) -> Option<&'static str> {
    // An API that knows no budget gets the effort that takes about as much.
    Some(match thinking {
        Thinking::Off | Thinking::Adaptive => return None,
        Thinking::Minimal => "minimal",
        Thinking::Low | Thinking::Budget(0..2_000) => "low",
        Thinking::Medium | Thinking::Budget(2_000..10_000) => "medium",
        Thinking::High | Thinking::Budget(_) => "high",
        Thinking::Xhigh => "xhigh",
        Thinking::Max => "max",
    })
}

/// A guess at the tokens of a text: four letters each, but one for every character of other scripts.
pub fn tokens_of_text(text: &str) -> u64 {
    let (plain, other) = text.chars().fold((0, 0), |(p, o), c| if c.is_ascii() { (p + 1, o) } else { (p, o + 1) });
    u64::div_ceil(plain, 4) + other
}

/// A guess at the tokens of a request: its texts, and one token for each 28×28 pixels of a picture.
pub fn tokens_of_request(request: &ChatRequest) -> u64 {
    let parts = request.messages.iter().flat_map(|m| &m.parts);
    let said = parts.map(|part| match part {
        Part::Text(text) => tokens_of_text(text),
        Part::Image { shown, .. } => (shown.canvas().width * shown.canvas().height / 784.0).ceil() as u64,
        Part::Call(call) => tokens_of_text(&call.to_string()),
        Part::Result(result) => tokens_of_text(&result.to_string()),
    });
    let tools = request.tools.iter().map(|tool| match tool {
        Tool::Function { name, description, parameters } => {
            tokens_of_text(name) + tokens_of_text(description) + tokens_of_text(&parameters.to_string())
        }
        // Providers put a prompt of their own in front.
        Tool::Computer { .. } => 1_000,
    });
    said.chain(tools).fold(0, u64::saturating_add)
}
