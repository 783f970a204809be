//! Replies as the APIs of three providers have them, made from the same steps.

use serde_json::{Value, json};

/// One thing that a model wants; places are pixels of a picture of 1280x720.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Look,
    Click(u32, u32),
    TripleClick(u32, u32),
    /// Puts a text into the field there, in place of what it holds.
    Fill((u32, u32), &'static str),
    ScrollDown(u32, u32),
    Drag((u32, u32), (u32, u32)),
    Select(&'static str, &'static str),
    Finish(bool, &'static str),
}

/// Steps that stand in one call where a call can hold several.
pub(super) struct Call(pub(super) Vec<Step>);

pub(super) struct Dialect {
    pub(super) name: &'static str,
    /// The word of `HANDEYE_MODEL_PROVIDER`.
    pub(super) api: &'static str,
    pub(super) model: &'static str,
    body: fn(round: usize, calls: &[Call]) -> Value,
}

impl Dialect {
    pub(super) fn reply(&self, round: usize, calls: &[Call]) -> Value {
        (self.body)(round, calls)
    }
}

pub(super) const NAMED: Dialect =
    Dialect { name: "computer-toolset", api: "anthropic", model: "claude-sonnet-5", body: named };
pub(super) const SINGLE: Dialect =
    Dialect { name: "computer-older", api: "anthropic", model: "claude-opus-4-6", body: single };
pub(super) const LIST: Dialect = Dialect { name: "computer", api: "openai-responses", model: "gpt-5.4", body: list };
pub(super) const GRID: Dialect = Dialect { name: "computer", api: "gemini", model: "gemini-3.5-flash", body: grid };
pub(super) const FIRST_GRID: Dialect = Dialect {
    name: "computer-first",
    api: "gemini",
    model: "gemini-2.5-computer-use-preview-10-2025",
    body: first_grid,
};

/// A function of ours, which is the same everywhere.
fn function(step: Step) -> Option<(&'static str, Value)> {
    match step {
        Step::Select(locate, option) => Some(("Select", json!({"locate": locate, "option": option}))),
        Step::Finish(success, message) => Some(("finish", json!({"success": success, "message": message}))),
        _ => None,
    }
}

fn flat(calls: &[Call]) -> impl Iterator<Item = Step> {
    calls.iter().flat_map(|call| call.0.iter().copied())
}

/// Names of actions with places as lists.
fn listed(step: Step) -> Vec<(&'static str, Value)> {
    match step {
        Step::Look => vec![("screenshot", json!({}))],
        Step::Click(x, y) => vec![("left_click", json!({"coordinate": [x, y]}))],
        Step::TripleClick(x, y) => vec![("triple_click", json!({"coordinate": [x, y]}))],
        Step::Fill((x, y), text) => vec![
            ("left_click", json!({"coordinate": [x, y]})),
            ("key", json!({"text": "ctrl+a"})),
            ("type", json!({"text": text})),
        ],
        Step::ScrollDown(x, y) => {
            vec![("scroll", json!({"coordinate": [x, y], "scroll_direction": "down", "scroll_amount": 3}))]
        }
        Step::Drag((a, b), (x, y)) => {
            vec![("left_click_drag", json!({"start_coordinate": [a, b], "coordinate": [x, y]}))]
        }
        Step::Select(..) | Step::Finish(..) => function(step).into_iter().collect(),
    }
}

fn message(round: usize, uses: impl Iterator<Item = Value>) -> Value {
    let thinking = json!({"type": "thinking", "thinking": format!("Round {round}."), "signature": "c2VhbGVk"});
    let content: Vec<Value> = std::iter::once(thinking).chain(uses).collect();
    json!({
        "id": format!("msg_{round}"), "type": "message", "role": "assistant", "model": "claude", "content": content,
        "stop_reason": "tool_use", "stop_sequence": null, "usage": {"input_tokens": 1000, "output_tokens": 50},
    })
}

fn named(round: usize, calls: &[Call]) -> Value {
    let uses = flat(calls).flat_map(|step| {
        let is_ours = function(step).is_some();
        listed(step).into_iter().map(move |call| (call, is_ours))
    });
    message(
        round,
        uses.enumerate().map(|(at, ((name, input), is_ours))| {
            let mut call =
                json!({"type": "tool_use", "id": format!("toolu_{round}_{at}"), "name": name, "input": input});
            if !is_ours {
                call["toolset_name"] = "computer".into();
            }
            call
        }),
    )
}

fn single(round: usize, calls: &[Call]) -> Value {
    let uses = flat(calls).flat_map(|step| {
        let is_ours = function(step).is_some();
        listed(step).into_iter().map(move |(name, mut input)| {
            if is_ours {
                return (name, input);
            }
            input["action"] = name.into();
            ("computer", input)
        })
    });
    message(round, uses.enumerate().map(|(at, (name, input))| {
        json!({"type": "tool_use", "id": format!("toolu_{round}_{at}"), "name": name, "input": input})
    }))
}

fn list(round: usize, calls: &[Call]) -> Value {
    let action = |step: Step| match step {
        Step::Look => vec![json!({"type": "screenshot"})],
        Step::Click(x, y) => vec![json!({"type": "click", "button": "left", "x": x, "y": y, "keys": null})],
        // There is no such action; this one is as impossible.
        Step::TripleClick(x, y) => vec![json!({"type": "click", "button": "wheel", "x": x, "y": y, "keys": null})],
        Step::Fill((x, y), text) => vec![
            json!({"type": "click", "button": "left", "x": x, "y": y, "keys": null}),
            json!({"type": "keypress", "keys": ["CTRL", "A"]}),
            json!({"type": "type", "text": text}),
        ],
        Step::ScrollDown(x, y) => {
            vec![json!({"type": "scroll", "x": x, "y": y, "scroll_x": 0, "scroll_y": 300, "keys": null})]
        }
        Step::Drag((a, b), (x, y)) => {
            vec![json!({"type": "drag", "path": [{"x": a, "y": b}, {"x": x, "y": y}], "keys": null})]
        }
        Step::Select(..) | Step::Finish(..) => Vec::new(),
    };
    let reasoning = json!({
        "id": format!("rs_{round}"), "type": "reasoning", "encrypted_content": "c2VhbGVk",
        "summary": [{"type": "summary_text", "text": format!("Round {round}.")}],
    });
    let items = calls.iter().enumerate().map(|(at, call)| {
        let id = format!("call_{round}_{at}");
        if let Some((name, input)) = call.0.first().and_then(|step| function(*step)) {
            return json!({"id": format!("fc_{round}_{at}"), "type": "function_call", "call_id": id, "name": name,
                "arguments": input.to_string(), "status": "completed"});
        }
        let actions: Vec<Value> = call.0.iter().flat_map(|step| action(*step)).collect();
        json!({"id": format!("cu_{round}_{at}"), "type": "computer_call", "call_id": id, "status": "completed",
            "pending_safety_checks": [], "actions": actions})
    });
    json!({
        "id": format!("resp_{round}"), "object": "response", "status": "completed", "model": "gpt",
        "output": std::iter::once(reasoning).chain(items).collect::<Vec<_>>(),
        "usage": {"input_tokens": 1000, "output_tokens": 50},
    })
}

fn across(x: u32) -> u32 {
    (x * 1000 + 640) / 1280
}
fn down(y: u32) -> u32 {
    (y * 1000 + 360) / 720
}

fn generated(calls: impl Iterator<Item = (&'static str, Value)>) -> Value {
    let parts: Vec<Value> = calls
        .enumerate()
        .map(|(at, (name, args))| match at {
            // The first call of a turn is signed.
            0 => json!({"functionCall": {"name": name, "args": args}, "thoughtSignature": "c2VhbGVk"}),
            _ => json!({"functionCall": {"name": name, "args": args}}),
        })
        .collect();
    json!({
        "candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 50},
    })
}

fn grid(_: usize, calls: &[Call]) -> Value {
    let intent = "Go on with the order";
    generated(flat(calls).flat_map(move |step| match step {
        Step::Look => vec![("take_screenshot", json!({"intent": intent}))],
        Step::Click(x, y) => vec![("click", json!({"x": across(x), "y": down(y), "intent": intent}))],
        Step::TripleClick(x, y) => vec![("triple_click", json!({"x": across(x), "y": down(y), "intent": intent}))],
        Step::Fill((x, y), text) => vec![
            ("click", json!({"x": across(x), "y": down(y), "intent": intent})),
            ("hotkey", json!({"keys": ["Control", "A"], "intent": intent})),
            ("type", json!({"text": text, "press_enter": false, "intent": intent})),
        ],
        Step::ScrollDown(x, y) => vec![(
            "scroll",
            json!({"x": across(x), "y": down(y), "direction": "down", "magnitude_in_pixels": 300, "intent": intent}),
        )],
        Step::Drag((a, b), (x, y)) => vec![(
            "drag_and_drop",
            json!({"start_x": across(a), "start_y": down(b), "end_x": across(x), "end_y": down(y), "intent": intent}),
        )],
        Step::Select(..) | Step::Finish(..) => function(step).into_iter().collect(),
    }))
}

fn first_grid(_: usize, calls: &[Call]) -> Value {
    generated(flat(calls).flat_map(|step| match step {
        Step::Look => vec![("open_web_browser", json!({}))],
        Step::Click(x, y) => vec![("click_at", json!({"x": across(x), "y": down(y)}))],
        Step::TripleClick(..) => vec![("search", json!({}))],
        Step::Fill((x, y), text) => {
            vec![("type_text_at", json!({"x": across(x), "y": down(y), "text": text, "press_enter": false}))]
        }
        Step::ScrollDown(x, y) => {
            vec![("scroll_at", json!({"x": across(x), "y": down(y), "direction": "down", "magnitude": 400}))]
        }
        Step::Drag((a, b), (x, y)) => vec![(
            "drag_and_drop",
            json!({"x": across(a), "y": down(b), "destination_x": across(x), "destination_y": down(y)}),
        )],
        Step::Select(..) | Step::Finish(..) => function(step).into_iter().collect(),
    }))
}
