//! OpenAI responses: the body of a request.
//!
//! In this order: `model`, `instructions`, `input`, `tools`, `reasoning`, `include`, `temperature`, `max_output_tokens`, `store`,
//! `truncation`, `stream`, then what the user added. Nothing is stored at the provider: the conversation is sent each time, with the
//! reasoning of earlier replies as the provider encrypted it.

use super::body::{self, Piece};
use super::{Api, Options, Pictures};
use handeye_core::{ChatRequest, Environment, Part, Role, Thinking, Tool, ToolCall, ToolResult};
use serde_json::{Map, Value, json};

mod read;
pub(super) use read::Response;

/// The computer tool that was there first, and alone is told about the screen.
const PREVIEW: &str = "computer_use_preview";
/// The name that calls of the computer tool have here.
const COMPUTER: &str = "computer";

pub(super) fn body(request: &ChatRequest, options: &Options, pictures: Pictures) -> Map<String, Value> {
    let mark = options.mark(Api::Responses);
    let mut body = Map::new();
    body.insert("model".into(), options.model.clone().into());
    if let Some(text) = body::system(request) {
        body.insert("instructions".into(), text.into());
    }
    let has_computer = request.tools.iter().any(|tool| matches!(tool, Tool::Computer { .. }));
    let mut input = Vec::new();
    for message in &request.messages {
        match (message.role, body::replay(message, &mark)) {
            (Role::System, _) => {}
            (_, Some(Value::Array(items))) => input.extend(items.iter().cloned()),
            (Role::User, _) => user(&message.parts, options, pictures, has_computer, &mut input),
            (Role::Assistant, _) => assistant(&message.parts, &mut input),
        }
    }
    body.insert("input".into(), input.into());
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
    }
    let thinking = options.thinking(request);
    if let Some(reasoning) = thinking.map(think) {
        body.insert("reasoning".into(), reasoning);
    }
    let thinks = thinking.is_some_and(|thinking| thinking != Thinking::Off);
    if thinks {
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
    let is_preview =
        |tool: &Tool| matches!(tool, Tool::Computer { version: Some(version), .. } if version.starts_with(PREVIEW));
    if request.tools.iter().any(is_preview) {
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

fn tool(tool: &Tool) -> Value {
    match tool {
        Tool::Function { name, description, parameters } => {
            json!({"type": "function", "name": name, "description": description, "parameters": parameters, "strict": false})
        }
        Tool::Computer { screen, environment, version: Some(version) } if version.starts_with(PREVIEW) => json!({
            "type": version,
            "display_width": screen.width as u64,
            "display_height": screen.height as u64,
            "environment": match environment {
                Environment::Browser | Environment::Mobile => "browser",
                Environment::Desktop => "linux",
            },
        }),
        Tool::Computer { version, .. } => json!({"type": version.as_deref().unwrap_or(COMPUTER)}),
    }
}

fn user(parts: &[Part], options: &Options, pictures: Pictures, has_computer: bool, input: &mut Vec<Value>) {
    let content = |parts: &[Part]| parts.iter().filter_map(|p| part(p, options, pictures)).collect::<Vec<_>>();
    for piece in body::pieces(parts) {
        match piece {
            Piece::Plain([]) => {}
            Piece::Plain(parts) => input.push(json!({"role": "user", "content": content(parts)})),
            Piece::Result(result, parts) if has_computer && result.name == COMPUTER => {
                screen(result, parts, options, pictures, input);
            }
            Piece::Result(result, parts) => {
                let has_pictures = parts.iter().any(|part| matches!(part, Part::Image { .. }));
                let output: Value = if has_pictures { content(parts).into() } else { body::texts(parts).into() };
                let mut item = Map::new();
                item.insert("type".into(), "function_call_output".into());
                item.insert("call_id".into(), result.id.clone().into());
                item.insert("output".into(), output);
                body::merge(&mut item, &result.extra);
                input.push(item.into());
            }
        }
    }
}

/// What came of a call of the computer tool is one picture; anything else is said after it.
fn screen(result: &ToolResult, parts: &[Part], options: &Options, pictures: Pictures, input: &mut Vec<Value>) {
    let last = parts.iter().rposition(|part| matches!(part, Part::Image { .. }));
    if let Some(Part::Image { image, shown }) = last.and_then(|at| parts.get(at)) {
        let url = body::picture_url(image, shown, pictures);
        let mut item = Map::new();
        item.insert("type".into(), "computer_call_output".into());
        item.insert("call_id".into(), result.id.clone().into());
        item.insert("output".into(), json!({"type": "computer_screenshot", "image_url": url}));
        body::merge(&mut item, &result.extra);
        input.push(item.into());
    }
    let rest = parts.iter().enumerate().filter(|(at, _)| Some(*at) != last);
    let rest: Vec<Value> = rest.filter_map(|(_, p)| part(p, options, pictures)).collect();
    if !rest.is_empty() {
        input.push(json!({"role": "user", "content": rest}));
    }
}

fn part(part: &Part, options: &Options, pictures: Pictures) -> Option<Value> {
    match part {
        Part::Text(text) => Some(json!({"type": "input_text", "text": text})),
        Part::Image { image, shown } => {
            let url = body::picture_url(image, shown, pictures);
            Some(json!({"type": "input_image", "image_url": url, "detail": options.family.detail}))
        }
        Part::Call(_) | Part::Result(_) => None,
    }
}

fn assistant(parts: &[Part], input: &mut Vec<Value>) {
    let text = body::texts(parts);
    if !text.is_empty() {
        input.push(json!({"role": "assistant", "content": text}));
    }
    for part in parts {
        if let Part::Call(ToolCall { id, name, input: made_with }) = part {
            let arguments = body::object(made_with).to_string();
            input.push(json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments}));
        }
    }
}

#[cfg(test)]
mod tests;
