//! OpenAI responses: reading a response, or the events of one.

use crate::failure::{self, Failure};
use crate::wire::draft::{Draft, arguments, count};
use crate::wire::read::Dialect;
use handeye_core::{Finish, ToolCall, Usage};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct Response {
    draft: Draft,
    /// The items by their place, each once it is done.
    items: BTreeMap<u64, Value>,
    /// What was written piece by piece, for servers that never say it whole.
    written: String,
    thought: String,
}

impl Response {
    /// The response itself, whole or as the last event has it.
    fn take(&mut self, response: &Value) -> Result<(), Failure> {
        if let Some(failure) = failure::from_error_value(response) {
            return Err(failure);
        }
        self.draft.named(&response["model"], &response["id"]);
        if let Some(usage) = usage(&response["usage"]) {
            self.draft.usage = Some(usage);
        }
        if let Some(output) = response["output"].as_array().filter(|output| !output.is_empty()) {
            self.items = (0..).zip(output.iter().cloned()).collect();
        }
        let reason = response["incomplete_details"]["reason"].as_str().unwrap_or_default();
        match (response["status"].as_str().unwrap_or("completed"), reason) {
            ("completed", _) => self.draft.finished(Finish::Stop, "completed"),
            ("incomplete", "content_filter") => self.draft.finished(Finish::Refusal, reason),
            ("incomplete", "max_output_tokens") => self.draft.finished(Finish::Length, reason),
            ("failed" | "cancelled", _) => self.draft.finished(Finish::Other, "error"),
            (_, reason) => self.draft.finished(Finish::Other, reason),
        }
        Ok(())
    }

    fn take_item(&mut self, item: &Value) {
        let text = |key: &str| item[key].as_str().unwrap_or_default().to_owned();
        match item["type"].as_str().unwrap_or_default() {
            "message" => {
                for part in item["content"].as_array().into_iter().flatten() {
                    self.draft.text.push_str(part["text"].as_str().unwrap_or_default());
                    self.draft.refusal.push_str(part["refusal"].as_str().unwrap_or_default());
                }
            }
            "reasoning" => {
                // A summary is of the content: where both are there, one is enough.
                let parts =
                    ["summary", "content"].into_iter().find_map(|key| item[key].as_array().filter(|p| !p.is_empty()));
                let texts = parts.into_iter().flatten().filter_map(|part| part["text"].as_str());
                self.draft.reasoning.push_str(&texts.collect::<Vec<_>>().join("\n\n"));
            }
            "function_call" => {
                let input = arguments(&text("arguments"));
                self.draft.calls.push(ToolCall { id: text("call_id"), name: text("name"), input });
            }
            "computer_call" => {
                let mut input = Map::new();
                let actions = match (&item["actions"], &item["action"]) {
                    (Value::Array(actions), _) => actions.clone(),
                    (_, action @ Value::Object(_)) => vec![action.clone()],
                    _ => Vec::new(),
                };
                input.insert("actions".into(), actions.into());
                if let Some(checks) = item["pending_safety_checks"].as_array().filter(|checks| !checks.is_empty()) {
                    input.insert("pending_safety_checks".into(), checks.clone().into());
                }
                let name = super::COMPUTER.to_owned();
                self.draft.calls.push(ToolCall { id: text("call_id"), name, input: input.into() });
            }
            _ => {}
        }
    }
}

impl Dialect for Response {
    fn event(&mut self, value: &Value) -> Result<bool, Failure> {
        let text = || value["delta"].as_str().unwrap_or_default();
        match value["type"].as_str().unwrap_or_default() {
            "response.output_text.delta" => self.written.push_str(text()),
            "response.refusal.delta" => {}
            "response.reasoning_summary_text.delta" => self.thought.push_str(text()),
            "response.output_item.done" => {
                let index = value["output_index"].as_u64().unwrap_or(self.items.len() as u64);
                self.items.insert(index, value["item"].clone());
            }
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                self.take(&value["response"])?;
                self.draft.done = true;
            }
            kind => return Ok(kind.starts_with("response.")),
        }
        Ok(true)
    }

    fn whole(&mut self, value: &Value) -> Result<bool, Failure> {
        if !value["output"].is_array() && value["object"] != "response" {
            return Ok(false);
        }
        self.take(value)?;
        Ok(true)
    }

    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn close(&mut self) {
        let items = std::mem::take(&mut self.items);
        for item in items.values() {
            self.take_item(item);
        }
        if self.draft.text.is_empty() && self.draft.refusal.is_empty() {
            self.draft.text = std::mem::take(&mut self.written);
        }
        if self.draft.reasoning.is_empty() {
            self.draft.reasoning = std::mem::take(&mut self.thought);
        }
        if !self.draft.calls.is_empty()
            && let Some((finish @ Finish::Stop, _)) = &mut self.draft.finish
        {
            *finish = Finish::Calls;
        }
        if items.values().any(|item| item["type"] != "message") {
            self.draft.replay = replay(items.into_values().collect());
        }
    }
}

/// The items as they are sent back. Nothing is stored there, so reasoning that was not encrypted for us is unknown to it, and
/// what came of such reasoning is refused without it: then the parts of the message have to do.
fn replay(items: Vec<Value>) -> Option<Value> {
    let is_known =
        |item: &Value| item.is_object() && (item["type"] != "reasoning" || item["encrypted_content"].is_string());
    items.iter().all(is_known).then(|| items.into())
}

fn usage(value: &Value) -> Option<Usage> {
    let of = |path: &str| value.pointer(path).and_then(count);
    let (input, output) = (of("/input_tokens"), of("/output_tokens"));
    let usage = Usage {
        input: input.unwrap_or(0),
        output: output.unwrap_or(0),
        cached: of("/input_tokens_details/cached_tokens").unwrap_or(0),
        cache_written: of("/input_tokens_details/cache_write_tokens").unwrap_or(0),
        reasoning: of("/output_tokens_details/reasoning_tokens").unwrap_or(0),
        estimated: input.is_none() || output.is_none(),
    };
    (usage.total() > 0).then_some(usage)
}
