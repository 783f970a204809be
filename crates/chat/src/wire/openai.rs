//! OpenAI chat completions: the body of a request.
//!
//! The same request gives the same bytes: `model`, `messages`, `tools`, `temperature`, `max_tokens`, how much to think,
//! `stream`, `stream_options`, then what the user added, in the user's order. Options that nobody set are left out.

use super::body::{self, Piece};
use super::{Api, Options, Pictures};
use handeye_core::{ChatRequest, Message, Part, Role, Tool, ToolCall};
use serde_json::{Map, Value, json};

mod read;
mod thinking;
pub(super) use read::Completion;

pub(super) fn body(request: &ChatRequest, options: &Options, pictures: Pictures) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".into(), options.model.clone().into());
    body.insert("messages".into(), request.messages.iter().flat_map(|m| messages(m, options, pictures)).collect());
    let tools: Vec<Value> = request.tools.iter().filter_map(tool).collect();
    if !tools.is_empty() {
        body.insert("tools".into(), tools.into());
    }
    if let Some(temperature) = options.temperature(request) {
        body.insert("temperature".into(), temperature);
    }
    if let Some(limit) = options.max_tokens(request) {
        body.insert(options.family.limit.into(), limit.into());
    }
    if let Some(thinking) = options.thinking(request).or(options.family.thinking) {
        thinking::put(&mut body, options.family, thinking);
    }
    if request.json && options.json_mode && options.family.json_mode {
        body.insert("response_format".into(), json!({"type": "json_object"}));
    }
    if let Ok(Value::Object(own)) = serde_json::from_str(options.family.body) {
        body::merge(&mut body, &own);
    }
    if options.stream {
        body.insert("stream".into(), true.into());
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    body
}

fn tool(tool: &Tool) -> Option<Value> {
    match tool {
        Tool::Function { name, description, parameters } => Some(json!({
            "type": "function",
            "function": {"name": name, "description": description, "parameters": parameters},
        })),
        // `Api::accepts` has said so.
        Tool::Computer { .. } => None,
    }
}

/// One message; several where results of calls stand in it, each of which is a message of its own here.
fn messages(message: &Message, options: &Options, pictures: Pictures) -> Vec<Value> {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    if let Some(said) = body::replay(message, &options.mark(Api::Chat)) {
        return vec![said.clone()];
    }
    let calls: Vec<Value> = message.parts.iter().filter_map(call).collect();
    if !calls.is_empty() {
        let text = body::texts(&message.parts);
        let content = if text.is_empty() { Value::Null } else { text.into() };
        return vec![json!({"role": role, "content": content, "tool_calls": calls})];
    }
    let mut messages = Vec::new();
    // Tools answer in texts alone, all of them before anything else is said: their pictures come after.
    let mut after = Vec::new();
    for piece in body::pieces(&message.parts) {
        match piece {
            Piece::Plain(parts) => after.extend(parts),
            Piece::Result(result, parts) => {
                let mut text = body::texts(parts);
                if text.is_empty() {
                    text = if result.failed { "failed".into() } else { "done".into() };
                }
                messages.push(json!({"role": "tool", "tool_call_id": result.id, "content": text}));
                after.extend(parts.iter().filter(|part| matches!(part, Part::Image { .. })));
            }
        }
    }
    if !after.is_empty() || messages.is_empty() {
        messages.push(json!({"role": role, "content": content(&after, options, pictures)}));
    }
    messages
}

/// Plain text where it can be: not every server reads parts in system and assistant messages.
fn content(parts: &[&Part], options: &Options, pictures: Pictures) -> Value {
    let texts = parts.iter().map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    match texts.collect::<Option<Vec<&str>>>() {
        Some(texts) => texts.join("\n").into(),
        None => parts.iter().filter_map(|p| part(p, options, pictures)).collect(),
    }
}

fn part(part: &Part, options: &Options, pictures: Pictures) -> Option<Value> {
    match part {
        Part::Text(text) => Some(json!({"type": "text", "text": text})),
        Part::Image { image, shown } => {
            let url = body::picture_url(image, shown, pictures);
            Some(json!({"type": "image_url", "image_url": {"url": url, "detail": options.family.detail}}))
        }
        Part::Call(_) | Part::Result(_) => None,
    }
}

fn call(part: &Part) -> Option<Value> {
    let Part::Call(ToolCall { id, name, input }) = part else { return None };
    let arguments = body::object(input).to_string();
    Some(json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}))
}

#[cfg(test)]
mod tests;
