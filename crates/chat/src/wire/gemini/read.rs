//! Gemini generateContent: reading a reply, or the pieces of one, each of which has the shape of the whole.

use crate::failure::Failure;
use crate::wire::draft::{Draft, count};
use crate::wire::read::Dialect;
use handeye_core::{Finish, ToolCall, Usage};
use serde_json::Value;

#[derive(Default)]
pub(crate) struct Generated {
    draft: Draft,
    /// The parts as they came; texts that go on are put together.
    parts: Vec<Value>,
}

impl Generated {
    fn take(&mut self, value: &Value) -> bool {
        self.draft.named(&value["modelVersion"], &value["responseId"]);
        if let Some(usage) = usage(&value["usageMetadata"]) {
            self.draft.usage = Some(usage);
        }
        let blocked = &value["promptFeedback"]["blockReason"];
        if let Some(word) = blocked.as_str().filter(|word| *word != "BLOCKED_REASON_UNSPECIFIED") {
            let said = value["promptFeedback"]["blockReasonMessage"].as_str().unwrap_or_default();
            self.draft.refusal = joined(&format!("the prompt was blocked: {word}"), said);
            self.draft.finished(Finish::Refusal, word);
        }
        let candidates = value["candidates"].as_array().map(Vec::as_slice).unwrap_or_default();
        if let Some(candidate) = candidates.iter().find(|c| c["index"].as_u64().unwrap_or(0) == 0) {
            self.take_candidate(candidate);
        }
        value["candidates"].is_array() || value["usageMetadata"].is_object() || blocked.is_string()
    }

    fn take_candidate(&mut self, candidate: &Value) {
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            self.take_part(part);
        }
        let Some(word) = candidate["finishReason"].as_str().filter(|word| *word != "FINISH_REASON_UNSPECIFIED") else {
            return;
        };
        let finish = match word {
            "STOP" => Finish::Stop,
            "MAX_TOKENS" | "CONTINUATION" => Finish::Length,
            "SAFETY"
            | "RECITATION"
            | "LANGUAGE"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "ESCALATION"
            | "MODEL_ARMOR"
            | "PUP_LIMITED_DISABLED" => Finish::Refusal,
            _ => Finish::Other,
        };
        let said = candidate["finishMessage"].as_str().unwrap_or_default();
        match finish {
            Finish::Refusal if !said.is_empty() => said.clone_into(&mut self.draft.refusal),
            Finish::Other => self.draft.lack = joined(word, said),
            _ => {}
        }
        self.draft.finished(finish, word);
    }

    /// A text goes on in the next part, unless one of them is signed: a signature belongs to the part that it came with.
    fn take_part(&mut self, part: &Value) {
        let is_text = |part: &Value| part["text"].is_string() && part["thoughtSignature"].is_null();
        if let Some(last) = self.parts.last_mut()
            && is_text(last)
            && is_text(part)
            && last["thought"] == part["thought"]
            && let (Value::String(text), Some(more)) = (&mut last["text"], part["text"].as_str())
        {
            text.push_str(more);
            return;
        }
        if part.is_object() {
            self.parts.push(part.clone());
        }
    }
}

impl Dialect for Generated {
    fn event(&mut self, value: &Value) -> Result<bool, Failure> {
        Ok(self.take(value))
    }

    fn whole(&mut self, value: &Value) -> Result<bool, Failure> {
        Ok(self.take(value))
    }

    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn close(&mut self) {
        let mut speaks_for_itself = true;
        for part in &self.parts {
            speaks_for_itself &= part["text"].is_string() && part["thoughtSignature"].is_null();
            let call = &part["functionCall"];
            if part["thought"] == true {
                self.draft.reasoning.push_str(part["text"].as_str().unwrap_or_default());
            } else if let Some(text) = part["text"].as_str() {
                self.draft.text.push_str(text);
            } else if call.is_object() {
                let text = |key: &str| call[key].as_str().unwrap_or_default().to_owned();
                let input = if call["args"].is_object() { call["args"].clone() } else { serde_json::json!({}) };
                self.draft.calls.push(ToolCall { id: text("id"), name: text("name"), input });
            }
        }
        if !self.draft.calls.is_empty()
            && let Some((finish @ Finish::Stop, _)) = &mut self.draft.finish
        {
            *finish = Finish::Calls;
        }
        if !speaks_for_itself {
            self.draft.replay = Some(std::mem::take(&mut self.parts).into());
        }
    }
}

fn joined(word: &str, said: &str) -> String {
    if said.is_empty() { word.to_owned() } else { format!("{word}: {said}") }
}

/// Thinking is counted beside the text here, and what tools brought beside the prompt.
fn usage(value: &Value) -> Option<Usage> {
    let of = |key: &str| count(&value[key]);
    let input = of("promptTokenCount");
    let (tools, thoughts) = (of("toolUsePromptTokenCount").unwrap_or(0), of("thoughtsTokenCount").unwrap_or(0));
    let output = of("candidatesTokenCount").unwrap_or(0).saturating_add(thoughts);
    let usage = Usage {
        input: input.unwrap_or(0).saturating_add(tools),
        output,
        cached: of("cachedContentTokenCount").unwrap_or(0),
        reasoning: thoughts,
        estimated: input.is_none(),
        ..Usage::default()
    };
    (usage.total() > 0).then_some(usage)
}
