//! OpenAI responses: the body of a request.
//!
//! In this order: `model`, `instructions`, `input`, `tools`, `reasoning`, `include`, `temperature`, `max_output_tokens`, `store`,
//! `truncation`, `stream`, then what the user added. Nothing is stored at the provider: the conversation is sent each time, with the
//! reasoning of earlier replies as the provider encrypted it.

use super::body::{self, Piece};
use super::computer::{self, PREVIEW};
use super::{Api, Options, Pictures};
use handeye_core::{ChatRequest, Environment, Part, Role, Thinking, Tool, ToolCall, ToolResult};
use serde_json::{Map, Value, json};

mod read;
pub(super) use read::Response;

/// The name that calls of the computer tool have here.
const COMPUTER: &str = "computer";

pub(super) fn body(request: &ChatRequest, options: &Options, pictures: Pictures) -> Map<String, Value> {
    let mark = options.mark(Api::Responses);
    let mut body = Map::new();
    body.insert("model".into(), options.model.clone().into());
    if let Some(text) = body::system(request) {
        body.insert("instructions".into(), text.into());
    }
    let computer = request.tools.iter().find_map(|tool| match tool {
        Tool::Computer { version: asked, .. } => Some(version(asked.as_deref(), options)),
        Tool::Function { .. } => None,
    });
    let is_preview = computer.as_ref().is_some_and(|version| version.starts_with(PREVIEW));
    let has_computer = computer.is_some();
    // Places are pixels of the picture, so the model has to see it as it is; the first version knows no such word.
    let detail = if has_computer && !is_preview { "original" } else { options.family.detail };
    let style = Style { pictures, detail, has_computer };
    let mut input = Vec::new();
    for message in &request.messages {
        match (message.role, body::replay(message, &mark)) {
            (Role::System, _) => {}
            (_, Some(Value::Array(items))) => input.extend(items.iter().cloned()),
            (Role::User, _) => user(&message.parts, style, &mut input),
            (Role::Assistant, _) => assistant(&message.parts, has_computer, &mut input),
        }
    }
    body.insert("input".into(), input.into());
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(|t| tool(t, options)).collect());
    }
    let thinking = options.thinking(request);
    if let Some(reasoning) = thinking.map(think) {
        body.insert("reasoning".into(), reasoning);
    }
    let thinks = thinking.is_some_and(|thinking| thinking != Thinking::Off);
    // Calls of the computer tool are taken back only with the reasoning that led to them.
    if thinks || has_computer {
        body.insert("include".into(), json!(["reasoning.encrypted_content"]));
    }
    // Models that reason refuse a temperature.
    if let Some(temperature) = options.temperature(request).filter(|_| !thinks) {
        body.insert("temperature".into(), temperature);
    }
    if let Some(limit) = options.max_tokens(request) {
        body.insert("max_output_tokens".into(), limit.into());
    }
    body.insert("store".into(), false.into());
    if is_preview {
        // It is refused without.
        body.insert("truncation".into(), "auto".into());
    }
    if options.stream {
        body.insert("stream".into(), true.into());
    }
    body
}

fn think(thinking: Thinking) -> Value {
    match (thinking, body::effort(thinking)) {
        (Thinking::Off, _) => json!({"effort": "none"}),
        (_, Some(effort)) => json!({"effort": effort, "summary": "auto"}),
        (_, None) => json!({"summary": "auto"}),
    }
}

/// The version of the computer tool: as asked, else as the model knows it.
fn version(asked: Option<&str>, options: &Options) -> String {
    asked.or_else(|| computer::version(Api::Responses, &options.model)).unwrap_or(COMPUTER).to_owned()
}

fn tool(tool: &Tool, options: &Options) -> Value {
    match tool {
        Tool::Function { name, description, parameters } => {
            json!({"type": "function", "name": name, "description": description, "parameters": parameters, "strict": false})
        }
        Tool::Computer { screen, environment, version: asked, .. } => {
            let version = version(asked.as_deref(), options);
            if !version.starts_with(PREVIEW) {
                return json!({"type": version});
            }
            json!({
                "type": version,
                "display_width": screen.width as u64,
                "display_height": screen.height as u64,
                "environment": match environment {
                    Environment::Browser | Environment::Mobile => "browser",
                    Environment::Desktop => "linux",
                },
            })
        }
    }
}

/// How the parts of messages are written in one body.
#[derive(Clone, Copy)]
struct Style<'a> {
    pictures: Pictures,
    /// How closely the model is to look at them.
    detail: &'a str,
    has_computer: bool,
}

/// What came of calls stands first, what else is said after it in one message.
fn user(parts: &[Part], style: Style<'_>, input: &mut Vec<Value>) {
    let mut said = Vec::new();
    for piece in body::pieces(parts) {
        match piece {
            Piece::Plain(parts) => said.extend(content(parts, style)),
            Piece::Result(result, parts) if style.has_computer && result.name == COMPUTER => {
                said.extend(screen(result, parts, style, input));
            }
            Piece::Result(result, parts) => {
                let has_pictures = parts.iter().any(|part| matches!(part, Part::Image { .. }));
                let output: Value = if has_pictures { content(parts, style).into() } else { body::texts(parts).into() };
                input.push(answer("function_call_output", result, output));
            }
        }
    }
    if !said.is_empty() {
        input.push(json!({"role": "user", "content": said}));
    }
}

fn answer(kind: &str, result: &ToolResult, output: Value) -> Value {
    let mut item = Map::new();
    item.insert("type".into(), kind.into());
    item.insert("call_id".into(), result.id.clone().into());
    item.insert("output".into(), output);
    body::merge(&mut item, &result.extra);
    item.into()
}

/// A white picture, for calls of the computer tool whose own is not kept: their answer has to be a picture.
const BLANK: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAAAAABWESUoAAAAFklEQVR42mP4TwAwjCoYVTCqYKQqAAA/aPwuqUTQyAAAAABJRU5ErkJggg==";

/// What came of a call of the computer tool is one picture; anything else is left to be said after it.
fn screen(result: &ToolResult, parts: &[Part], style: Style<'_>, input: &mut Vec<Value>) -> Vec<Value> {
    let last = parts.iter().rposition(|part| matches!(part, Part::Image { .. }));
    let url = match last.and_then(|at| parts.get(at)) {
        Some(Part::Image { image, shown }) => body::picture_url(image, shown, style.pictures),
        _ => BLANK.to_owned(),
    };
    let output = json!({"type": "computer_screenshot", "image_url": url});
    input.push(answer("computer_call_output", result, output));
    let rest = parts.iter().enumerate().filter(|(at, _)| Some(*at) != last);
    rest.filter_map(|(_, p)| part(p, style)).collect()
}

fn content(parts: &[Part], style: Style<'_>) -> Vec<Value> {
    parts.iter().filter_map(|p| part(p, style)).collect()
}

fn part(part: &Part, style: Style<'_>) -> Option<Value> {
    match part {
        Part::Text(text) => Some(json!({"type": "input_text", "text": text})),
        Part::Image { image, shown } => {
            let url = body::picture_url(image, shown, style.pictures);
            Some(json!({"type": "input_image", "image_url": url, "detail": style.detail}))
        }
        Part::Call(_) | Part::Result(_) => None,
    }
}

fn assistant(parts: &[Part], has_computer: bool, input: &mut Vec<Value>) {
    let text = body::texts(parts);
    if !text.is_empty() {
        input.push(json!({"role": "assistant", "content": text}));
    }
    for part in parts {
        match part {
            Part::Call(ToolCall { id, name, input: made_with }) if has_computer && name == COMPUTER => {
                // Its own name of the item is not known any more; the call's will do.
                input.push(json!({
                    "type": "computer_call", "id": id, "call_id": id, "status": "completed",
                    "actions": made_with.get("actions").cloned().unwrap_or_else(|| json!([])), "pending_safety_checks": [],
                }));
            }
            Part::Call(ToolCall { id, name, input: made_with }) => {
                let arguments = body::object(made_with).to_string();
                input.push(json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments}));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
