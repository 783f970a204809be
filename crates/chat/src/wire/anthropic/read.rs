//! Anthropic messages: reading a message, or the events of one.

use crate::failure::Failure;
use crate::wire::draft::{Draft, arguments, count};
use crate::wire::read::Dialect;
use handeye_core::{Finish, ToolCall, Usage};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct Said {
    draft: Draft,
    /// The blocks by their index, put together from their pieces.
    blocks: BTreeMap<u64, Value>,
    /// Of each block that is a call, what came of its input so far.
    inputs: BTreeMap<u64, String>,
    counts: Counts,
}

/// The counts of the last event that had them: they are sums, and not every event has all.
#[derive(Default)]
struct Counts {
    input: Option<u64>,
    output: Option<u64>,
    cached: u64,
    cache_written: u64,
    reasoning: u64,
}

impl Counts {
    fn take(&mut self, usage: &Value) {
        let of = |key: &str| count(&usage[key]);
        self.input = of("input_tokens").or(self.input);
        self.output = of("output_tokens").or(self.output);
        self.cached = of("cache_read_input_tokens").unwrap_or(self.cached);
        self.cache_written = of("cache_creation_input_tokens").unwrap_or(self.cache_written);
        self.reasoning = count(&usage["output_tokens_details"]["thinking_tokens"]).unwrap_or(self.reasoning);
    }

    /// What was read from a cache or written to one is not among the input here.
    fn usage(&self) -> Option<Usage> {
        let input = self.input.unwrap_or(0).saturating_add(self.cached).saturating_add(self.cache_written);
        let output = self.output.unwrap_or(0);
        (input.saturating_add(output) > 0).then(|| Usage {
            input,
            output,
            cached: self.cached,
            cache_written: self.cache_written,
            reasoning: self.reasoning,
            estimated: self.input.is_none() || self.output.is_none(),
        })
    }
}

impl Said {
    fn begin(&mut self, message: &Value) {
        self.draft.named(&message["model"], &message["id"]);
        self.counts.take(&message["usage"]);
    }

    fn stopped(&mut self, said: &Value) {
        let Some(word) = said["stop_reason"].as_str() else { return };
        let finish = match word {
            "end_turn" | "stop_sequence" => Finish::Stop,
            "max_tokens" | "model_context_window_exceeded" => Finish::Length,
            "tool_use" => Finish::Calls,
            "refusal" => Finish::Refusal,
            _ => Finish::Other,
        };
        if finish == Finish::Refusal {
            self.draft.refusal.push_str(said["stop_details"]["explanation"].as_str().unwrap_or_default());
        }
        self.draft.finished(finish, word);
    }

    fn delta(&mut self, index: u64, delta: &Value) {
        let goes_on = |block: &mut Value, key: &str| {
            let more = delta[key].as_str().unwrap_or_default();
            match &mut block[key] {
                Value::String(text) => text.push_str(more),
                other => *other = more.into(),
            }
        };
        let kind = delta["type"].as_str().unwrap_or_default();
        let of = |kind: &str| json!({"type": kind});
        match kind {
            "text_delta" => goes_on(self.blocks.entry(index).or_insert_with(|| of("text")), "text"),
            "thinking_delta" => goes_on(self.blocks.entry(index).or_insert_with(|| of("thinking")), "thinking"),
            "signature_delta" => goes_on(self.blocks.entry(index).or_insert_with(|| of("thinking")), "signature"),
            "input_json_delta" => {
                let more = delta["partial_json"].as_str().unwrap_or_default();
                self.inputs.entry(index).or_default().push_str(more);
            }
            _ => {}
        }
    }
}

impl Dialect for Said {
    fn event(&mut self, value: &Value) -> Result<bool, Failure> {
        let index = value["index"].as_u64().unwrap_or(0);
        match value["type"].as_str().unwrap_or_default() {
            "message_start" => self.begin(&value["message"]),
            "content_block_start" if value["content_block"].is_object() => {
                self.blocks.insert(index, value["content_block"].clone());
            }
            "content_block_delta" => self.delta(index, &value["delta"]),
            "message_delta" => {
                self.stopped(&value["delta"]);
                self.counts.take(&value["usage"]);
            }
            "message_stop" => self.draft.done = true,
            "ping" | "content_block_start" | "content_block_stop" => {}
            // A whole message in place of events.
            "message" => return self.whole(value),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn whole(&mut self, value: &Value) -> Result<bool, Failure> {
        let Some(content) = value["content"].as_array() else { return Ok(false) };
        self.begin(value);
        self.blocks = (0..).zip(content.iter().cloned()).collect();
        self.stopped(value);
        // Without a word on why it stopped it is whole all the same.
        if self.draft.finish.is_none() {
            self.draft.finished(Finish::Stop, "");
        }
        Ok(true)
    }

    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn close(&mut self) {
        for (index, input) in std::mem::take(&mut self.inputs) {
            if let Some(Value::Object(block)) = self.blocks.get_mut(&index) {
                block.insert("input".into(), arguments(&input));
            }
        }
        self.draft.usage = self.counts.usage();
        let mut speaks_for_itself = true;
        for block in self.blocks.values() {
            let text = |key: &str| block[key].as_str().unwrap_or_default();
            match block["type"].as_str().unwrap_or_default() {
                "text" => self.draft.text.push_str(text("text")),
                "thinking" => {
                    speaks_for_itself = false;
                    self.draft.reasoning.push_str(text("thinking"));
                }
                "tool_use" => {
                    let (id, name) = (text("id").to_owned(), text("name").to_owned());
                    let input = block.get("input").cloned().unwrap_or_else(|| Value::Object(Map::new()));
                    speaks_for_itself = false;
                    self.draft.calls.push(ToolCall { id, name, input });
                }
                _ => speaks_for_itself = false,
            }
        }
        if !speaks_for_itself {
            self.draft.replay = replay(std::mem::take(&mut self.blocks).into_values());
        }
    }
}

/// The blocks as they are sent back: what the API would refuse there is left out.
fn replay(blocks: impl Iterator<Item = Value>) -> Option<Value> {
    let mut kept = Vec::new();
    for mut block in blocks {
        let is_blank = |key: &str| block[key].as_str().is_none_or(|text| text.trim().is_empty());
        match block["type"].as_str() {
            Some("text") if is_blank("text") => continue,
            // Thinking that nobody signed is not taken back.
            Some("thinking") if is_blank("signature") => continue,
            Some("tool_use") if !block["input"].is_object() => block["input"] = json!({}),
            _ => {}
        }
        kept.push(block);
    }
    (!kept.is_empty()).then(|| kept.into())
}
