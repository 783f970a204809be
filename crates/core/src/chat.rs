//! Talking to a model: a request that names no provider, and what came of it.

use crate::{Ctx, ErrorKind, Image, SentPx, Size};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// What a model is used for. Unset slots fall back to the default one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slot {
    #[default]
    Default,
    Planning,
    Insight,
    Grounding,
    Reflection,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    System,
    User,
    Assistant,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    Text(String),
    /// A picture, to be shown at size `sent`: the world scales it when that differs from its own size.
    Image {
        image: Image,
        sent: Size<SentPx>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub role: Role,
    pub parts: Vec<Part>,
}

impl Message {
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self { role, parts: vec![Part::Text(text.into())] }
    }
    /// All text of the message, parts apart by a line break.
    pub fn joined(&self) -> String {
        let texts = self.parts.iter().filter_map(|p| match p {
            Part::Text(t) => Some(t.as_str()),
            Part::Image { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// A request in neutral terms. Unset options are left out on the wire.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    pub messages: Vec<Message>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_tokens: Option<u32>,
}

/// Tokens as the provider counted them; `estimated` when it did not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    pub cached: u64,
    pub reasoning: u64,
    pub estimated: bool,
}

impl Usage {
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
    pub fn add(&mut self, other: &Self) {
        // What a provider reports may be anything.
        for (sum, more) in [
            (&mut self.input, other.input),
            (&mut self.output, other.output),
            (&mut self.cached, other.cached),
            (&mut self.reasoning, other.reasoning),
        ] {
            *sum = sum.saturating_add(more);
        }
        self.estimated |= other.estimated;
    }
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finish {
    Stop,
    /// The reply was cut at the token limit.
    Length,
    Refusal,
    Other,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    pub text: String,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub reasoning: String,
    /// The text was empty and `text` is the provider's reasoning field.
    #[serde(default)]
    pub from_reasoning: bool,
    pub finish: Finish,
    pub usage: Usage,
    /// The model's name as the provider gave it.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub model: String,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub request_id: String,
    /// Milliseconds of the attempt that succeeded.
    pub took: u64,
    /// Attempts that failed before, each as one line.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub failed_attempts: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChatErrorKind {
    /// 401 and 403: never retried, ends the run.
    Auth,
    /// 404 or an unknown model: never retried, ends the run.
    NoSuchModel,
    /// 400, 413, 422: the request itself is not accepted; never retried, ends the run.
    BadRequest,
    /// The request is longer than the model can take.
    ContextLength,
    /// 429 after all retries.
    Quota,
    /// 408, 409, 5xx and connection failures after all retries.
    Transport,
    Timeout,
    /// Every attempt came back without content.
    Empty,
    /// The model declined.
    Refused,
    /// Nothing is configured for the slot, or the settings contradict each other.
    Config,
    Cancelled,
}

/// `HTTP 401 from http://…/v1, model gpt-x: Incorrect API key provided`. Never holds the key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ChatError {
    pub kind: ChatErrorKind,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub failed_attempts: Vec<String>,
}

impl ChatError {
    pub fn new(kind: ChatErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, failed_attempts: Vec::new() }
    }
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
    pub fn kind(&self) -> ErrorKind {
        match self.kind {
            ChatErrorKind::Auth => ErrorKind::Auth,
            ChatErrorKind::NoSuchModel | ChatErrorKind::BadRequest | ChatErrorKind::ContextLength => ErrorKind::Model,
            ChatErrorKind::Config => ErrorKind::Usage,
            ChatErrorKind::Quota => ErrorKind::Quota,
            // `ErrorKind::Timeout` is a device that does not answer, and has the device's exit code.
            ChatErrorKind::Transport | ChatErrorKind::Timeout => ErrorKind::Transport,
            ChatErrorKind::Empty => ErrorKind::Misread,
            ChatErrorKind::Refused => ErrorKind::Refused,
            ChatErrorKind::Cancelled => ErrorKind::Cancelled,
        }
    }
}

#[async_trait]
pub trait Chat: Send + Sync {
    /// `model NAME at BASE URL`, for people. Never holds the key.
    fn name(&self) -> String;
    async fn complete(&self, request: &ChatRequest, cx: &Ctx) -> Result<Reply, ChatError>;
    /// The body that `complete` would send, with each picture as `blob:HASH@WIDTHxHEIGHT` in place of its bytes.
    fn wire_body(&self, request: &ChatRequest) -> String;
}

#[cfg(test)]
mod tests {
    use super::Usage;

    #[test]
    fn usage_of_any_size_adds_up() {
        let mut sum = Usage { input: 3, ..Usage::default() };
        sum.add(&Usage { input: u64::MAX, output: u64::MAX, ..Usage::default() });
        assert_eq!(sum.total(), u64::MAX);
    }
}
