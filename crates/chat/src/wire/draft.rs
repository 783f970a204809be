//! A reply under way, whichever API it comes from, and what it means once it is whole.

use super::Asked;
use super::body::tokens_of_text;
use crate::failure::{self, Failure, Retry};
use handeye_core::{ChatErrorKind, Finish, Replay, Reply, ToolCall, Usage};
use serde_json::Value;

#[derive(Default)]
pub(super) struct Draft {
    pub text: String,
    pub reasoning: String,
    pub refusal: String,
    /// Why the model stopped, and the provider's word for it.
    pub finish: Option<(Finish, String)>,
    pub usage: Option<Usage>,
    pub model: String,
    pub id: String,
    pub done: bool,
    pub calls: Vec<ToolCall>,
    /// The reply as it came, when its parts do not say all of it.
    pub replay: Option<Value>,
    /// Why there is no text, when it is not that the model wrote none.
    pub lack: String,
    /// The answer may stand where the reasoning belongs: some servers of chat completions do that.
    pub answers_in_reasoning: bool,
}

impl Draft {
    pub(super) fn finished(&mut self, finish: Finish, word: &str) {
        self.finish = Some((finish, word.to_ascii_lowercase()));
    }

    /// Keeps the last text that is one.
    pub(super) fn named(&mut self, model: &Value, id: &Value) {
        for (field, value) in [(&mut self.model, model), (&mut self.id, id)] {
            if let Some(text) = value.as_str().filter(|t| !t.is_empty()) {
                text.clone_into(field);
            }
        }
    }

    pub(super) fn settle(mut self, asked: &Asked) -> Result<Reply, Failure> {
        let (finish, word) = self.finish.take().unwrap_or_default();
        let usage = self.usage.unwrap_or_else(|| Usage {
            input: asked.tokens,
            output: tokens_of_text(&self.text) + tokens_of_text(&self.reasoning),
            estimated: true,
            ..Usage::default()
        });
        let failed = |kind, retry, lead: &str, said: &str| {
            let mut failure = Failure::new(kind, retry, lead, said);
            failure.spent = Some(Box::new(usage));
            failure
        };
        let is_silent = self.text.trim().is_empty() && self.calls.is_empty();
        if is_silent && !self.refusal.trim().is_empty() {
            let said = failure::one_line(&self.refusal);
            return Err(failed(ChatErrorKind::Refused, Retry::Never, "the request was declined by", &said));
        }
        if is_silent && finish == Finish::Refusal {
            let said = format!("no content, finish reason {word}");
            return Err(failed(ChatErrorKind::Refused, Retry::Never, "the request was declined by", &said));
        }
        if word == "error" {
            return Err(failed(ChatErrorKind::Transport, Retry::Backoff, "a broken reply from", "finish reason error"));
        }
        let has_calls = asked.has_tools && !self.calls.is_empty();
        let (text, reasoning, from_reasoning) =
            if has_calls || !self.answers_in_reasoning || !asked.answers_in_reasoning {
                (self.text, self.reasoning, false)
            } else {
                answer(self.text, self.reasoning)
            };
        if text.trim().is_empty() && !has_calls {
            if self.lack.is_empty() && !self.calls.is_empty() {
                self.lack = "it calls a tool and says nothing".into();
            }
            let failure = failed(ChatErrorKind::Empty, Retry::Backoff, "empty response from", &self.lack);
            return Err(match finish {
                Finish::Length => {
                    failure.with_hint("the token limit was reached before any text: raise HANDEYE_MODEL_MAX_TOKENS")
                }
                _ => failure.with_hint("the model wrote nothing: check that it takes pictures and knows its instructions, or use another one"),
            });
        }
        Ok(Reply {
            text,
            replay: self.replay.map(|content| Replay { from: asked.mark.clone(), content, stale: false }),
            calls: self.calls,
            reasoning,
            from_reasoning,
            finish: if self.refusal.is_empty() { finish } else { Finish::Refusal },
            usage,
            model: self.model,
            request_id: self.id,
            ..Reply::default()
        })
    }
}

/// A count, which some providers write as a fraction.
pub(super) fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().filter(|f| *f >= 0.0).map(|f| f as u64))
}

/// What a call was made with: JSON in a text. Nothing at all means no parameters.
pub(super) fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

/// The text that is the answer, the reasoning beside it, and whether the answer stood where the reasoning belongs: some servers
/// take all for reasoning, and leave a content of blanks or of thinking tags with no answer behind them.
pub(crate) fn answer(text: String, reasoning: String) -> (String, String, bool) {
    match only_thought(&text) {
        Some("") => (reasoning, String::new(), true),
        Some(thought) if !reasoning.trim().is_empty() => (reasoning, thought.to_owned(), true),
        _ => (text, reasoning, false),
    }
}

/// The thought of a text that is nothing but one, closed or not; `None` when anything else is there.
fn only_thought(text: &str) -> Option<&str> {
    const TAGS: [[&str; 2]; 4] = [
        ["<think>", "</think>"],
        ["<thinking>", "</thinking>"],
        ["<reasoning>", "</reasoning>"],
        ["[think]", "[/think]"],
    ];
    let (text, lower) = (text.trim(), text.trim().to_ascii_lowercase());
    if text.is_empty() || TAGS.iter().any(|[_, close]| lower == *close) {
        return Some("");
    }
    let [open, close] = TAGS.into_iter().find(|[open, _]| lower.starts_with(open))?;
    let end = lower.find(close).unwrap_or(text.len());
    // Several empty blocks are no answer either.
    only_thought(text.get(end + close.len()..).unwrap_or_default())?;
    Some(text[open.len()..end].trim())
}
