//! Gemini generateContent: the body of a request.
//!
//! In this order: `systemInstruction`, `contents`, `tools`, `generationConfig`, then what the user added. The model and whether the
//! reply is streamed stand in the address.

use super::body::{self, Piece};
use super::{Api, Options, Pictures};
use handeye_core::text::name_key;
use handeye_core::{ChatRequest, Environment, Part, Role, Thinking, Tool, ToolCall};
use serde_json::{Map, Value, json};

mod read;
pub(super) use read::Generated;

pub(super) fn body(request: &ChatRequest, options: &Options, pictures: Pictures) -> Map<String, Value> {
    let mark = options.mark(Api::Gemini);
    let mut body = Map::new();
    if let Some(text) = body::system(request) {
        body.insert("systemInstruction".into(), json!({"parts": [{"text": text}]}));
    }
    let said = request.messages.iter().filter_map(|message| {
        let role = match message.role {
            Role::System => return None,
            Role::User => "user",
            Role::Assistant => "model",
        };
        let parts = match body::replay(message, &mark) {
            Some(Value::Array(parts)) => parts.clone(),
            _ => content(&message.parts, pictures),
        };
        (!parts.is_empty()).then(|| json!({"role": role, "parts": parts}))
    });
    body.insert("contents".into(), said.collect());
    let tools = tools(&request.tools);
    if !tools.is_empty() {
        body.insert("tools".into(), tools.into());
    }
    let mut config = Map::new();
    if let Some(temperature) = options.temperature(request) {
        config.insert("temperature".into(), temperature);
    }
    if let Some(limit) = options.max_tokens(request) {
        config.insert("maxOutputTokens".into(), limit.into());
    }
    if let Some(thinking) = options.thinking(request) {
        config.insert("thinkingConfig".into(), think(thinking));
    }
    if !config.is_empty() {
        body.insert("generationConfig".into(), config.into());
    }
    body
}

fn think(thinking: Thinking) -> Value {
    match thinking {
        Thinking::Off => json!({"thinkingBudget": 0}),
        Thinking::Adaptive => json!({"includeThoughts": true, "thinkingBudget": -1}),
        Thinking::Budget(budget) => json!({"includeThoughts": true, "thinkingBudget": budget}),
        Thinking::Minimal => json!({"includeThoughts": true, "thinkingLevel": "MINIMAL"}),
        Thinking::Low => json!({"includeThoughts": true, "thinkingLevel": "LOW"}),
        Thinking::Medium => json!({"includeThoughts": true, "thinkingLevel": "MEDIUM"}),
        Thinking::High => json!({"includeThoughts": true, "thinkingLevel": "HIGH"}),
        Thinking::Xhigh | Thinking::Max => json!({"includeThoughts": true, "thinkingLevel": "XHIGH"}),
    }
}

/// What its computer tool can do besides input.
const PREDEFINED: [&str; 3] = ["navigate", "go_back", "go_forward"];

/// All functions are one tool here. Those that the computer tool has itself are not offered twice.
fn tools(tools: &[Tool]) -> Vec<Value> {
    let has_computer = tools.iter().any(|tool| matches!(tool, Tool::Computer { .. }));
    let is_there = |name: &str| has_computer && PREDEFINED.iter().any(|p| name_key(p) == name_key(name));
    let mut functions = Vec::new();
    let mut others = Vec::new();
    for tool in tools {
        match tool {
            Tool::Function { name, .. } if is_there(name) => {}
            Tool::Function { name, description, parameters } => {
                functions.push(json!({"name": name, "description": description, "parametersJsonSchema": parameters}));
            }
            Tool::Computer { environment, .. } => {
                let environment = match environment {
                    Environment::Browser => "ENVIRONMENT_BROWSER",
                    Environment::Desktop => "ENVIRONMENT_DESKTOP",
                    Environment::Mobile => "ENVIRONMENT_MOBILE",
                };
                others.push(json!({"computerUse": {"environment": environment}}));
            }
        }
    }
    if !functions.is_empty() {
        others.push(json!({"functionDeclarations": functions}));
    }
    others
}

fn content(parts: &[Part], pictures: Pictures) -> Vec<Value> {
    let mut content = Vec::new();
    for piece in body::pieces(parts) {
        match piece {
            Piece::Plain(parts) => content.extend(parts.iter().filter_map(|p| part(p, pictures))),
            Piece::Result(result, parts) => {
                let mut response = Map::new();
                let key = if result.failed { "error" } else { "output" };
                response.insert(key.into(), body::texts(parts).into());
                if !result.url.is_empty() {
                    response.insert("url".into(), result.url.clone().into());
                }
                body::merge(&mut response, &result.extra);
                let mut answer = Map::new();
                if !result.id.is_empty() {
                    answer.insert("id".into(), result.id.clone().into());
                }
                answer.insert("name".into(), result.name.clone().into());
                answer.insert("response".into(), response.into());
                let shown: Vec<Value> = parts.iter().filter_map(|p| shown(p, pictures)).collect();
                if !shown.is_empty() {
                    answer.insert("parts".into(), shown.into());
                }
                content.push(json!({"functionResponse": answer}));
            }
        }
    }
    content
}

fn part(part: &Part, pictures: Pictures) -> Option<Value> {
    match part {
        Part::Text(text) if text.is_empty() => None,
        Part::Text(text) => Some(json!({"text": text})),
        Part::Image { .. } => shown(part, pictures),
        Part::Call(ToolCall { id, name, input }) => {
            let mut call = Map::new();
            if !id.is_empty() {
                call.insert("id".into(), id.clone().into());
            }
            call.insert("name".into(), name.clone().into());
            call.insert("args".into(), body::object(input));
            Some(json!({"functionCall": call}))
        }
        Part::Result(_) => None,
    }
}

fn shown(part: &Part, pictures: Pictures) -> Option<Value> {
    let Part::Image { image, shown } = part else { return None };
    let data = body::picture(image, shown, pictures);
    Some(json!({"inlineData": {"mimeType": image.format.media_type(), "data": data}}))
}

#[cfg(test)]
mod tests;
