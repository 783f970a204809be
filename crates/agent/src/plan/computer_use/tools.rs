//! The tools that the model is offered: the computer, a way to end, and the verbs that no computer has.

use super::Completion;
use crate::read::computer_use::lacking;
use handeye_core::space::{ActionSpec, ParamKind};
use handeye_core::{ActionSpace, Environment, Shown, Tool};
use serde_json::{Map, Value, json};

/// The function that ends the run.
pub(super) const FINISH: &str = "finish";

/// Verbs that every computer tool has in words of its own.
const COMPUTER: [&str; 12] = [
    "Tap",
    "DoubleClick",
    "RightClick",
    "Hover",
    "LongPress",
    "Input",
    "ClearInput",
    "KeyboardPress",
    "CursorMove",
    "Scroll",
    "DragAndDrop",
    "Sleep",
];

/// The same in every request of a run, as long as the screen keeps its size.
pub(super) fn of(space: &ActionSpace, shown: Shown) -> Vec<Tool> {
    let environment = if space.has("Navigate") { Environment::Browser } else { Environment::Desktop };
    let computer = Tool::Computer { screen: shown.canvas(), environment, version: None, without: lacking(space) };
    let verbs = space.specs.iter().filter(|spec| !COMPUTER.contains(&spec.name.as_str())).map(function);
    [computer, finish()].into_iter().chain(verbs).collect()
}

fn finish() -> Tool {
    let parameters = json!({
        "type": "object",
        "properties": {
            "success": {"type": "boolean", "description": "True only when the screen shows that the goal is met"},
            "message": {"type": "string", "description": "The answer for the person: one short sentence in the language of the goal, with any value that it asks for exactly as the screen shows it; or why the goal cannot be met"},
        },
        "required": ["success", "message"],
    });
    Tool::Function {
        name: FINISH.to_owned(),
        description: "Ends the work: the goal is met, or cannot be met. Call it alone, in a reply of its own"
            .to_owned(),
        parameters,
    }
}

fn function(spec: &ActionSpec) -> Tool {
    let mut properties = Map::new();
    for param in &spec.params {
        let mut schema = match &param.kind {
            ParamKind::Target | ParamKind::Text => json!({"type": "string"}),
            ParamKind::Integer(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
            ParamKind::Number => json!({"type": "number"}),
            ParamKind::Choice(options) => json!({"type": "string", "enum": options}),
            ParamKind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        };
        let in_words = if param.kind == ParamKind::Target { ", in words: what it says and where it is" } else { "" };
        schema["description"] = format!("{}{in_words}", param.about).into();
        properties.insert(param.name.clone(), schema);
    }
    let required: Vec<&str> = spec.params.iter().filter(|p| p.required).map(|p| p.name.as_str()).collect();
    let mut parameters = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        parameters["required"] = required.into();
    }
    Tool::Function { name: spec.name.clone(), description: spec.about.clone(), parameters }
}

/// How the model ends the run.
pub(super) fn completion(input: &Value) -> Result<Completion, String> {
    let success = match &input["success"] {
        Value::Bool(success) => *success,
        Value::String(word) if word.eq_ignore_ascii_case("true") => true,
        Value::String(word) if word.eq_ignore_ascii_case("false") => false,
        _ => return Err(format!("`{FINISH}` needs `success`, true or false")),
    };
    let message = input["message"].as_str().unwrap_or_default().trim().to_owned();
    Ok(Completion { success, message })
}
