//! Talking to a model: a request that names no provider, and what came of it.

use crate::{Ctx, ErrorKind, Image, SentPx, Shown, Size};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// What a model is used for. Unset slots fall back to the default one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slot {
    #[default]
    Default,
    Planning,
    Insight,
    Grounding,
    Reflection,
}

impl Slot {
    pub const ALL: [Self; 5] = [Self::Default, Self::Planning, Self::Insight, Self::Grounding, Self::Reflection];

    /// For people and in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Planning => "planning",
            Self::Insight => "insight",
            Self::Grounding => "grounding",
            Self::Reflection => "reflection",
        }
    }
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
    /// A picture, and what the model is to see of it: the world crops, scales and pads it.
    Image {
        image: Image,
        shown: Shown,
    },
    /// What the model asked a tool for. Only in messages of the assistant.
    Call(ToolCall),
    /// What came of a call. Texts and pictures that follow belong to it, up to the next one. Only in messages of the user.
    Result(ToolResult),
}

/// A tool that the model may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tool {
    Function {
        name: String,
        description: String,
        /// A JSON Schema of an object.
        parameters: Value,
    },
    /// The computer tool that the provider trained its model for; an error where it has none.
    Computer {
        /// The size of the pictures that the model is shown, which is what its places count in.
        screen: Size<SentPx>,
        environment: Environment,
        /// The provider's name of the tool's version. `None`: the newest that is known here for the model.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        version: Option<String>,
        /// Actions, by any provider's name, that the device cannot do. They are not offered where the provider can leave them
        /// out.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        without: Vec<String>,
    },
}

/// What kind of screen a computer tool works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Environment {
    Browser,
    Desktop,
    Mobile,
}

/// What the model asks a tool for. Read, never evaluated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's name of this call, which the result repeats.
    pub id: String,
    /// The function's name; `computer` for the computer tool of a provider that has one call for all of its actions.
    pub name: String,
    /// As the provider gave it. A text where that was no JSON.
    pub input: Value,
}

impl fmt::Display for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "calls {} {}", self.name, self.input)
    }
}

/// Says which call was answered and how it went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    pub id: String,
    pub name: String,
    #[serde(default)]
    pub failed: bool,
    /// The address of the page that the screen shows now. Some providers want it in a field of its own.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub url: String,
    /// Fields of the provider's own, such as the safety checks that were acknowledged.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub extra: Map<String, Value>,
}

impl fmt::Display for ToolResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, if self.failed { "failed:" } else { "gave:" })
    }
}

/// A reply exactly as its provider gave it, to be sent back as it is: thinking with its signature, encrypted reasoning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// The API and the model that gave it. Others send the message's parts, which say the same.
    pub from: String,
    pub content: Value,
    /// Something before it in the conversation is no longer as it was when it was given. Some providers tie what the model
    /// thought to all that stood before it.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub stale: bool,
}

/// How much the model is to think before it answers. Each API has some of these; the nearest is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Thinking {
    Off,
    /// As much as the model finds right.
    Adaptive,
    Minimal,
    Low,
    Medium,
    High,
    Xhigh,
    Max,
    /// At most so many tokens.
    Budget(u32),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub role: Role,
    pub parts: Vec<Part>,
    /// Of an assistant's message: what its provider gave, from [`Reply::replay`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replay: Option<Replay>,
}

impl Message {
    pub fn new(role: Role, parts: Vec<Part>) -> Self {
        Self { role, parts, replay: None }
    }
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self::new(role, vec![Part::Text(text.into())])
    }
    /// All text of the message, parts apart by a line break.
    pub fn joined(&self) -> String {
        let texts = self.parts.iter().filter_map(|p| match p {
            Part::Text(t) => Some(t.as_str()),
            Part::Image { .. } | Part::Call(_) | Part::Result(_) => None,
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
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub thinking: Option<Thinking>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tools: Vec<Tool>,
    /// The reply is to be one JSON object, and nothing else: families that can be held to it are.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub json: bool,
    /// Tokens, in and out, that all attempts together may take: none is made that could take more, by what the last one took.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tokens_left: Option<u64>,
    /// No reply is of use after so many milliseconds, retries included. The world sees to it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub within: Option<u64>,
    /// How many of the first messages the next request will repeat unchanged: a place for a cache to stop at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stable: Option<usize>,
}

/// Tokens as the provider counted them; `estimated` when it did not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// All of the request, whether it was cached or not.
    pub input: u64,
    /// All that the model wrote, its thinking included.
    pub output: u64,
    /// Of the input, read from a cache.
    pub cached: u64,
    /// Of the input, written to a cache for later.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_written: u64,
    /// Of the output, thinking.
    pub reasoning: u64,
    pub estimated: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Usage {
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
    /// Nothing was counted.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
    pub fn add(&mut self, other: &Self) {
        // What a provider reports may be anything.
        for (sum, more) in [
            (&mut self.input, other.input),
            (&mut self.output, other.output),
            (&mut self.cached, other.cached),
            (&mut self.cache_written, other.cache_written),
            (&mut self.reasoning, other.reasoning),
        ] {
            *sum = sum.saturating_add(more);
        }
        self.estimated |= other.estimated;
    }
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finish {
    #[default]
    Stop,
    /// The reply was cut at the token limit.
    Length,
    /// It waits for what comes of its calls.
    Calls,
    Refusal,
    Other,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// May be empty only beside calls.
    pub text: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub calls: Vec<ToolCall>,
    /// For the assistant's message of the next request, when there is something that its parts cannot say.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replay: Option<Replay>,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub reasoning: String,
    /// The text was empty and `text` is the provider's reasoning field.
    #[serde(default)]
    pub from_reasoning: bool,
    pub finish: Finish,
    /// Of all attempts, as far as the provider counted those that failed.
    pub usage: Usage,
    /// Of the usage, that of attempts that failed.
    #[serde(skip_serializing_if = "Usage::is_none", default)]
    pub wasted: Usage,
    /// Millionths of a US dollar for all of the usage, rounded up, where the model's price is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub microdollars: Option<u64>,
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

impl Reply {
    /// The reply as a message of the conversation.
    pub fn message(&self) -> Message {
        let text = (!self.text.is_empty() || self.calls.is_empty()).then(|| Part::Text(self.text.clone()));
        let parts = text.into_iter().chain(self.calls.iter().cloned().map(Part::Call));
        Message { role: Role::Assistant, parts: parts.collect(), replay: self.replay.clone() }
    }
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
    /// The next attempt could cost more than what is left of the money budget.
    OverBudget,
    /// The next attempt could take more than what is left of the token budget.
    OverTokens,
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
    /// What the attempts took, as far as the provider counted.
    #[serde(skip_serializing_if = "Usage::is_none", default)]
    pub usage: Box<Usage>,
    /// Millionths of a US dollar for that, where the model's price is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub microdollars: Option<u64>,
}

impl ChatError {
    pub fn new(kind: ChatErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
            failed_attempts: Vec::new(),
            usage: Box::default(),
            microdollars: None,
        }
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
            ChatErrorKind::Quota | ChatErrorKind::OverBudget | ChatErrorKind::OverTokens => ErrorKind::Quota,
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
