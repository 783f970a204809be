//! OpenAI chat completions: reading a completion, or the chunks of one.

use crate::failure::{self, Failure};
use crate::wire::draft::{Draft, arguments, count};
use crate::wire::read::Dialect;
use handeye_core::{Finish, ToolCall, Usage};
use serde_json::{Map, Value, json};

/// No reply calls so many tools: what is numbered higher is a fault.
const MOST_CALLS: usize = 256;

pub(crate) struct Completion {
    draft: Draft,
    /// The calls as they came, put together from their pieces.
    calls: Vec<Map<String, Value>>,
    /// Under which name the reasoning came, for servers that want it back beside calls.
    reasoning_key: &'static str,
}

impl Completion {
    pub(crate) fn new() -> Self {
        let draft = Draft { answers_in_reasoning: true, ..Draft::default() };
        Self { draft, calls: Vec::new(), reasoning_key: "" }
    }

    fn take(&mut self, value: &Value) -> Result<(), Failure> {
        self.draft.named(&value["model"], &value["id"]);
        if let Some(usage) = usage(&value["usage"]) {
            self.draft.usage = Some(usage);
        }
        let choices = value["choices"].as_array().map(Vec::as_slice).unwrap_or_default();
        let Some(choice) = choices.iter().find(|c| c["index"].as_u64().unwrap_or(0) == 0) else { return Ok(()) };
        if let Some(failure) = failure::from_error_value(choice) {
            return Err(failure);
        }
        let message = ["delta", "message"].into_iter().find_map(|key| choice.get(key).filter(|m| m.is_object()));
        match message {
            Some(message) => self.take_message(message),
            None => self.draft.text.push_str(choice["text"].as_str().unwrap_or_default()),
        }
        if let Some(word) = choice["finish_reason"].as_str().filter(|f| !f.is_empty()) {
            let finish = match word.to_ascii_lowercase().as_str() {
                "stop" | "end_turn" | "stop_sequence" | "eos" => Finish::Stop,
                "length" | "max_tokens" => Finish::Length,
                "tool_calls" | "function_call" | "tool_use" => Finish::Calls,
                "content_filter" | "refusal" | "safety" => Finish::Refusal,
                _ => Finish::Other,
            };
            self.draft.finished(finish, word);
        }
        Ok(())
    }

    fn take_message(&mut self, message: &Value) {
        match &message["content"] {
            Value::String(text) => self.draft.text.push_str(text),
            Value::Array(parts) => parts.iter().for_each(|p| self.take_part(p)),
            part @ Value::Object(_) => self.take_part(part),
            _ => {}
        }
        let keys = ["reasoning_content", "reasoning", "thinking"];
        match keys.into_iter().find_map(|key| Some((key, message[key].as_str()?))) {
            Some((key, thought)) => {
                self.reasoning_key = key;
                self.draft.reasoning.push_str(thought);
            }
            None => text_in(&message["reasoning_details"], &mut self.draft.reasoning),
        }
        self.draft.refusal.push_str(message["refusal"].as_str().unwrap_or_default());
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            self.take_call(self.place_of(call), call);
        }
        if message["function_call"].is_object() {
            self.take_call(0, &json!({"function": message["function_call"]}));
        }
    }

    /// Which call a piece belongs to. Not every server numbers them: then a new id is a new call.
    fn place_of(&self, call: &Value) -> usize {
        let named = |id: &str| self.calls.iter().position(|call| call.get("id").is_some_and(|known| known == id));
        match (call["index"].as_u64(), call["id"].as_str().filter(|id| !id.is_empty())) {
            (Some(index), _) => usize::try_from(index).unwrap_or(usize::MAX),
            (None, Some(id)) => named(id).unwrap_or(self.calls.len()),
            (None, None) => self.calls.len().saturating_sub(1),
        }
    }

    /// A call or a piece of one: texts of the function go on, everything else stands in the first piece.
    fn take_call(&mut self, index: usize, piece: &Value) {
        let Value::Object(piece) = piece else { return };
        if index >= MOST_CALLS {
            return;
        }
        if self.calls.len() <= index {
            self.calls.resize(index + 1, Map::new());
        }
        let call = &mut self.calls[index];
        for (key, value) in piece {
            match (key.as_str(), call.get_mut(key), value) {
                ("index", _, _) | (_, _, Value::Null) => {}
                ("function", Some(Value::Object(old)), Value::Object(new)) => {
                    for (key, value) in new {
                        match (old.get_mut(key), value) {
                            (_, Value::Null) => {}
                            (Some(Value::String(old)), Value::String(new)) => old.push_str(new),
                            (_, value) => drop(old.insert(key.clone(), value.clone())),
                        }
                    }
                }
                (_, Some(Value::String(old)), Value::String(_)) if !old.is_empty() => {}
                (_, _, value) => drop(call.insert(key.clone(), value.clone())),
            }
        }
    }

    fn take_part(&mut self, part: &Value) {
        let kind = part["type"].as_str().unwrap_or("text");
        if kind == "refusal" {
            self.draft.refusal.push_str(part["refusal"].as_str().unwrap_or_default());
        } else if part["thought"] == true || matches!(kind, "thinking" | "reasoning") {
            text_in(part, &mut self.draft.reasoning);
        } else {
            text_in(part, &mut self.draft.text);
        }
    }
}

impl Dialect for Completion {
    fn event(&mut self, value: &Value) -> Result<bool, Failure> {
        self.take(value)?;
        Ok(value["choices"].is_array() || !value["usage"].is_null())
    }

    fn whole(&mut self, value: &Value) -> Result<bool, Failure> {
        self.take(value)?;
        match value.get("choices") {
            None => return Ok(false),
            Some(choices) if choices.get(0).is_none() => self.draft.lack = "it has no choices".into(),
            Some(_) => {}
        }
        Ok(true)
    }

    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn close(&mut self) {
        self.calls.retain(|call| call.get("function").is_some_and(|f| f["name"].is_string()));
        if self.calls.is_empty() {
            return;
        }
        let read = |call: &Map<String, Value>| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let function = &call["function"];
            let input = match &function["arguments"] {
                Value::String(text) => arguments(text),
                other => other.clone(),
            };
            ToolCall { id: text(call.get("id").unwrap_or(&Value::Null)), name: text(&function["name"]), input }
        };
        self.draft.calls = self.calls.iter().map(read).collect();
        for call in &mut self.calls {
            call.entry("type").or_insert_with(|| "function".into());
        }
        let content = if self.draft.text.is_empty() { Value::Null } else { self.draft.text.as_str().into() };
        let mut said = Map::new();
        said.insert("role".into(), "assistant".into());
        said.insert("content".into(), content);
        if !self.reasoning_key.is_empty() && !self.draft.reasoning.is_empty() {
            said.insert(self.reasoning_key.into(), self.draft.reasoning.as_str().into());
        }
        said.insert("tool_calls".into(), self.calls.iter().cloned().map(Value::Object).collect());
        self.draft.replay = Some(Value::Object(said));
    }
}

/// All text in a part, however deep it is wrapped.
fn text_in(value: &Value, into: &mut String) {
    match value {
        Value::String(text) => into.push_str(text),
        Value::Array(items) => items.iter().for_each(|item| text_in(item, into)),
        Value::Object(object) => {
            for key in ["text", "thinking", "content", "summary"] {
                if let Some(inner) = object.get(key) {
                    text_in(inner, into);
                    return;
                }
            }
        }
        _ => {}
    }
}

/// The counts that a provider gave; `None` when it gave none.
fn usage(value: &Value) -> Option<Usage> {
    let of = |paths: &[&str]| paths.iter().find_map(|path| value.pointer(path).and_then(count));
    let input = of(&["/prompt_tokens", "/input_tokens"]);
    let output = of(&["/completion_tokens", "/output_tokens"]);
    if input.unwrap_or(0).saturating_add(output.unwrap_or(0)) == 0 {
        return None;
    }
    let cached = of(&[
        "/prompt_tokens_details/cached_tokens",
        "/input_tokens_details/cached_tokens",
        "/prompt_cache_hit_tokens",
        "/cached_tokens",
    ]);
    let reasoning = of(&[
        "/completion_tokens_details/reasoning_tokens",
        "/output_tokens_details/reasoning_tokens",
        "/output_tokens_details/thinking_tokens",
        "/reasoning_tokens",
    ]);
    let written = of(&["/prompt_tokens_details/cache_write_tokens", "/cache_creation_input_tokens"]);
    Some(Usage {
        input: input.unwrap_or(0),
        output: output.unwrap_or(0),
        cached: cached.unwrap_or(0),
        cache_written: written.unwrap_or(0),
        reasoning: reasoning.unwrap_or(0),
        estimated: input.is_none() || output.is_none(),
    })
}
