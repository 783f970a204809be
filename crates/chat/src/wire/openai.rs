//! OpenAI chat completions: the body of a request.
//!
//! The same request gives the same bytes: `model`, `messages`, `temperature`, `max_tokens`, `stream`, `stream_options`, then
//! what the user added, in the user's order. Options that nobody set are left out.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use handeye_core::{ChatRequest, Image, Message, Part, Role, SentPx, Size};
use serde_json::{Map, Value, json};

mod read;
pub(crate) use read::{Progress, ReplyReader, answer};

/// What of a model's settings stands in every body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    pub model: String,
    /// Before the request's own.
    pub temperature: Option<f64>,
    /// The smaller of this and the request's own is sent.
    pub max_tokens: Option<u32>,
    pub stream: bool,
    /// Merged into the body last, as a JSON merge patch (RFC 7396): objects are merged, null removes.
    pub extra: Map<String, Value>,
}

/// How a picture stands in the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pictures {
    /// As a data URL.
    Bytes,
    /// As `blob:HASH@WIDTHxHEIGHT`: short, and the same in every record.
    Names,
}

/// The body of a request, as text.
pub fn body(request: &ChatRequest, options: &Options, pictures: Pictures) -> String {
    let mut body = Map::new();
    body.insert("model".into(), options.model.clone().into());
    body.insert("messages".into(), request.messages.iter().map(|m| message(m, pictures)).collect());
    if let Some(temperature) = options.temperature.or(request.temperature) {
        body.insert("temperature".into(), number(temperature));
    }
    let limits = [options.max_tokens, request.max_tokens];
    if let Some(limit) = limits.into_iter().flatten().min() {
        body.insert("max_tokens".into(), limit.into());
    }
    if options.stream {
        body.insert("stream".into(), true.into());
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    merge(&mut body, &options.extra);
    Value::Object(body).to_string()
}

/// Whole numbers without a fraction: some servers refuse `0.0` where they expect a number.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e9 { json!(value as i64) } else { json!(value) }
}

fn message(message: &Message, pictures: Pictures) -> Value {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let content = match message.parts.as_slice() {
        // Plain text where it can be: not every server reads parts in system and assistant messages.
        [Part::Text(text)] => Value::from(text.as_str()),
        parts if parts.iter().all(|p| matches!(p, Part::Text(_))) => Value::from(message.joined()),
        parts => parts.iter().map(|p| part(p, pictures)).collect(),
    };
    json!({"role": role, "content": content})
}

fn part(part: &Part, pictures: Pictures) -> Value {
    match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Call(call) => json!({"type": "text", "text": call.to_string()}),
        Part::Result(result) => json!({"type": "text", "text": result.to_string()}),
        Part::Image { image, sent } => {
            let url = match pictures {
                Pictures::Bytes => data_url(image),
                Pictures::Names => picture_name(image, *sent),
            };
            json!({"type": "image_url", "image_url": {"url": url, "detail": "high"}})
        }
    }
}

fn data_url(image: &Image) -> String {
    let mut url = format!("data:{};base64,", image.format.media_type());
    STANDARD.encode_string(&image.bytes, &mut url);
    url
}

pub(crate) fn picture_name(image: &Image, sent: Size<SentPx>) -> String {
    format!("blob:{}@{}x{}", image.hash, sent.width, sent.height)
}

fn merge(into: &mut Map<String, Value>, patch: &Map<String, Value>) {
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

/// A guess at the tokens of a text: four letters each, but one for every character of other scripts.
pub fn tokens_of_text(text: &str) -> u64 {
    let (plain, other) = text.chars().fold((0, 0), |(p, o), c| if c.is_ascii() { (p + 1, o) } else { (p, o + 1) });
    u64::div_ceil(plain, 4) + other
}

/// A guess at the tokens of a request: its texts, and one token for each 28×28 pixels of a picture.
pub fn tokens_of_request(request: &ChatRequest) -> u64 {
    let parts = request.messages.iter().flat_map(|m| &m.parts);
    parts
        .map(|part| match part {
            Part::Text(text) => tokens_of_text(text),
            Part::Image { sent, .. } => (sent.width * sent.height / 784.0).ceil() as u64,
            Part::Call(call) => tokens_of_text(&call.to_string()),
            Part::Result(result) => tokens_of_text(&result.to_string()),
        })
        .sum()
}

#[cfg(test)]
mod tests;
