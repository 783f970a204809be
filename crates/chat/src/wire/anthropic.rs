//! Anthropic messages: the body of a request.
//!
//! In this order: `model`, `max_tokens`, `system`, `messages`, `tools`, `thinking`, `output_config`, `temperature`, `stream`, then
//! what the user added. `max_tokens` is always sent, because the API demands it.
//!
//! Cache breakpoints stand at the end of the system text (which covers the tools, that come before it) and at the end of
//! what the next request will repeat, if the request says where that is. A breakpoint that moves on reads what the one before
//! has written.

use super::body::{self, Piece};
use super::computer::{self, TOOLSET};
use super::{Api, Options, Pictures};
use handeye_core::{ChatRequest, Part, Role, Thinking, Tool, ToolCall};
use serde_json::{Map, Value, json};

mod read;
pub(super) use read::Said;

/// The value of the header `anthropic-version`, which every request has. Newer versions only take something away (a
/// temperature), and servers that speak like this know the old one.
pub(crate) const VERSION: &str = "2023-06-01";

/// The longest reply when nobody set a limit, thinking that the model does by itself included. A budget for it comes on top.
const REPLY_TOKENS: u32 = 16_384;
/// The API takes no smaller thinking budget.
const LEAST_BUDGET: u32 = 1_024;

/// The name of the computer tool, and of the family that the members of [`TOOLSET`] belong to.
const COMPUTER: &str = "computer";
/// Its members: calls of them have these names.
const MEMBERS: [&str; 17] = [
    "cursor_position",
    "double_click",
    "hold_key",
    "key",
    "left_click",
    "left_click_drag",
    "left_mouse_down",
    "left_mouse_up",
    "middle_click",
    "mouse_move",
    "right_click",
    "screenshot",
    "scroll",
    "triple_click",
    "type",
    "wait",
    "zoom",
];

pub(super) fn body(request: &ChatRequest, options: &Options, pictures: Pictures) -> Map<String, Value> {
    let mark = options.mark(Api::Messages);
    let thinking = options.thinking(request);
    let limit = options.max_tokens(request);
    let longest = limit.unwrap_or_else(|| match thinking {
        Some(Thinking::Budget(budget)) => budget.max(LEAST_BUDGET).saturating_add(REPLY_TOKENS),
        _ => REPLY_TOKENS,
    });
    let mut body = Map::new();
    body.insert("model".into(), options.model.clone().into());
    body.insert("max_tokens".into(), longest.into());
    let mut tools: Vec<Value> = request.tools.iter().map(|t| tool(t, options)).collect();
    if let Some(text) = body::system(request) {
        body.insert("system".into(), json!([{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}]));
    } else if let Some(Value::Object(last)) = tools.last_mut() {
        last.insert("cache_control".into(), json!({"type": "ephemeral"}));
    }
    body.insert("messages".into(), messages(request, options, pictures, &mark));
    if !tools.is_empty() {
        body.insert("tools".into(), tools.into());
    }
    let (config, effort) = think(thinking, longest);
    let thinks = config.as_ref().is_some_and(|config| config["type"] != "disabled");
    if let Some(config) = config {
        body.insert("thinking".into(), config);
    }
    if let Some(effort) = effort {
        body.insert("output_config".into(), json!({"effort": effort}));
    }
    // Newer models refuse any temperature, and all of them one beside thinking: only a user who asks for one gets it.
    if let Some(temperature) = options.temperature.filter(|_| !thinks) {
        body.insert("temperature".into(), body::number(temperature));
    }
    if options.stream {
        body.insert("stream".into(), true.into());
    }
    body
}

/// The object `thinking`, and an effort. A budget has to leave room for the reply: the limit of that goes first.
fn think(thinking: Option<Thinking>, longest: u32) -> (Option<Value>, Option<&'static str>) {
    match thinking {
        None => (None, None),
        Some(Thinking::Off) => (Some(json!({"type": "disabled"})), None),
        Some(Thinking::Adaptive) => (Some(json!({"type": "adaptive"})), None),
        Some(Thinking::Budget(budget)) => {
            let budget = budget.max(LEAST_BUDGET).min(longest.saturating_sub(1));
            let fits = budget >= LEAST_BUDGET;
            (fits.then(|| json!({"type": "enabled", "budget_tokens": budget})), None)
        }
        Some(Thinking::Minimal) => (Some(json!({"type": "adaptive"})), Some("low")),
        Some(level) => (Some(json!({"type": "adaptive"})), body::effort(level)),
    }
}

/// The version of the computer tool: as asked, else as the model knows it.
pub(super) fn version(asked: Option<&str>, options: &Options) -> String {
    asked.or_else(|| computer::version(Api::Messages, &options.model)).unwrap_or(TOOLSET).to_owned()
}

fn tool(tool: &Tool, options: &Options) -> Value {
    match tool {
        Tool::Function { name, description, parameters } => {
            json!({"name": name, "description": description, "input_schema": parameters})
        }
        Tool::Computer { screen, version: asked, without, .. } => {
            let version = version(asked.as_deref(), options);
            if version == TOOLSET {
                let off = MEMBERS.iter().filter(|member| without.iter().any(|w| w == *member));
                let off: Map<String, Value> = off.map(|m| ((*m).to_owned(), json!({"enabled": false}))).collect();
                return if off.is_empty() {
                    json!({"type": TOOLSET})
                } else {
                    json!({"type": TOOLSET, "configs": off})
                };
            }
            json!({
                "type": version,
                "name": COMPUTER,
                "display_width_px": screen.width as u64,
                "display_height_px": screen.height as u64,
            })
        }
    }
}

/// The value of the header `anthropic-beta` that a version of the computer tool needs: `computer-use-2025-11-24`.
pub(super) fn beta_of(version: &str) -> Option<String> {
    let date = version.strip_prefix("computer_").filter(|date| date.is_ascii() && date.len() == 8)?;
    Some(format!("computer-use-{}-{}-{}", &date[..4], &date[4..6], &date[6..]))
}

fn messages(request: &ChatRequest, options: &Options, pictures: Pictures, mark: &str) -> Value {
    let stable = request.stable.unwrap_or(0);
    let family = request.tools.iter().find_map(|tool| match tool {
        Tool::Computer { version: asked, .. } => (version(asked.as_deref(), options) == TOOLSET).then_some(COMPUTER),
        Tool::Function { .. } => None,
    });
    let mut messages = Vec::new();
    for (index, message) in request.messages.iter().enumerate() {
        let mut blocks = match body::replay(message, mark) {
            Some(Value::Array(blocks)) => blocks.clone(),
            _ => content(&message.parts, pictures, family),
        };
        if message.replay.as_ref().is_some_and(|replay| replay.stale) && !must_think(options.thinking(request)) {
            blocks.retain(|block| !is_thinking(block));
        }
        if index + 1 == stable {
            mark_cached(&mut blocks);
        }
        let role = match message.role {
            Role::System => continue,
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        // A message of nothing is refused.
        if !blocks.is_empty() {
            messages.push(json!({"role": role, "content": blocks}));
        }
    }
    messages.into()
}

fn is_thinking(block: &Value) -> bool {
    matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"))
}

/// Models that think within a budget want the thought in front of each call. Those that think as they find right check a
/// thought against all that stood before it, and refuse one whose past was changed; they do without it.
fn must_think(thinking: Option<Thinking>) -> bool {
    matches!(thinking, Some(Thinking::Budget(_)))
}

/// A breakpoint at the last block that can have one.
fn mark_cached(blocks: &mut [Value]) {
    if let Some(Value::Object(block)) = blocks.iter_mut().rev().find(|block| !is_thinking(block)) {
        block.insert("cache_control".into(), json!({"type": "ephemeral"}));
    }
}

/// `family` is that of the toolset whose members were called, if there is one: their results name it.
fn content(parts: &[Part], pictures: Pictures, family: Option<&str>) -> Vec<Value> {
    let blocks = |parts: &[Part]| parts.iter().filter_map(|part| block(part, pictures, family)).collect::<Vec<_>>();
    // Results have to come first.
    let (mut content, mut after) = (Vec::new(), Vec::new());
    for piece in body::pieces(parts) {
        match piece {
            Piece::Plain(parts) => after.extend(blocks(parts)),
            Piece::Result(result, parts) => {
                let mut block = Map::new();
                block.insert("type".into(), "tool_result".into());
                block.insert("tool_use_id".into(), result.id.clone().into());
                block.insert("content".into(), blocks(parts).into());
                if let Some(family) = family.filter(|_| MEMBERS.contains(&result.name.as_str())) {
                    block.insert("toolset_name".into(), family.into());
                }
                if result.failed {
                    block.insert("is_error".into(), true.into());
                }
                body::merge(&mut block, &result.extra);
                content.push(Value::Object(block));
            }
        }
    }
    content.append(&mut after);
    content
}

fn block(part: &Part, pictures: Pictures, family: Option<&str>) -> Option<Value> {
    Some(match part {
        // The API refuses blank texts.
        Part::Text(text) if text.trim().is_empty() => return None,
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Image { image, shown } => {
            let data = body::picture(image, shown, pictures);
            let media_type = image.format.media_type();
            json!({"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}})
        }
        Part::Call(ToolCall { id, name, input }) => {
            let mut call = json!({"type": "tool_use", "id": id, "name": name, "input": body::object(input)});
            if let Some(family) = family.filter(|_| MEMBERS.contains(&name.as_str())) {
                call["toolset_name"] = family.into();
            }
            call
        }
        Part::Result(_) => return None,
    })
}

#[cfg(test)]
mod tests;
