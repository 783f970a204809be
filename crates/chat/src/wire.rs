//! Wire formats: pure functions from requests to bodies and from bodies to replies. No socket, no clock.
//!
//! Each API is a module with the body of a request, in `body`, and a [`Dialect`](read::Dialect) that reads what comes back.
//! What they share, such as telling a stream from a whole reply or what an empty reply means, stands once, in `read` and
//! `draft`.

use crate::failure::Failure;
use handeye_core::{ChatError, ChatErrorKind, ChatRequest, Family, Reply, Thinking, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

pub mod anthropic;
mod body;
mod computer;
mod draft;
pub mod gemini;
pub mod openai;
mod read;
pub mod responses;
pub mod sse;
#[cfg(test)]
mod tests;

pub use body::{tokens_of_request, tokens_of_text};
pub(crate) use draft::answer;
pub(crate) use read::{Progress, ReplyReader};

/// What an endpoint speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Api {
    /// OpenAI chat completions, and all that speak it.
    #[default]
    #[serde(rename = "openai")]
    Chat,
    /// OpenAI responses.
    #[serde(rename = "openai-responses")]
    Responses,
    /// Anthropic messages.
    #[serde(rename = "anthropic")]
    Messages,
    /// Gemini generateContent.
    #[serde(rename = "gemini")]
    Gemini,
}

impl Api {
    pub const ALL: [Self; 4] = [Self::Chat, Self::Responses, Self::Messages, Self::Gemini];

    /// The word of `HANDEYE_MODEL_PROVIDER`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Chat => "openai",
            Self::Responses => "openai-responses",
            Self::Messages => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// What one reply is called, in messages.
    fn reply_name(self) -> &'static str {
        match self {
            Self::Chat => "chat completion",
            Self::Responses => "response of OpenAI's responses API",
            Self::Messages => "message of Anthropic's API",
            Self::Gemini => "reply of Gemini's API",
        }
    }

    /// The body of a request, as text. The same request always gives the same bytes.
    pub fn body(self, request: &ChatRequest, options: &Options, pictures: Pictures) -> String {
        let mut body = match self {
            Self::Chat => openai::body(request, options, pictures),
            Self::Responses => responses::body(request, options, pictures),
            Self::Messages => anthropic::body(request, options, pictures),
            Self::Gemini => gemini::body(request, options, pictures),
        };
        body::merge(&mut body, &options.extra);
        Value::Object(body).to_string()
    }

    /// The most tokens that a reply may have by what is sent, whatever of it the user changed.
    pub(crate) fn reply_limit(self, request: &ChatRequest, options: &Options) -> Option<u64> {
        let body: Value = serde_json::from_str(&self.body(request, options, Pictures::Names)).ok()?;
        let places: &[&str] = match self {
            Self::Chat => &["/max_tokens", "/max_completion_tokens"],
            Self::Responses => &["/max_output_tokens"],
            Self::Messages => &["/max_tokens"],
            Self::Gemini => &["/generationConfig/maxOutputTokens"],
        };
        places.iter().find_map(|place| body.pointer(place)?.as_u64())
    }

    /// Headers that this request needs, beside those of every request.
    pub(crate) fn headers(self, request: &ChatRequest, options: &Options) -> Vec<(&'static str, String)> {
        let beta = request.tools.iter().find_map(|tool| match (self, tool) {
            (Self::Messages, Tool::Computer { version, .. }) => {
                anthropic::beta_of(&anthropic::version(version.as_deref(), options))
            }
            _ => None,
        });
        beta.map(|beta| ("anthropic-beta", beta)).into_iter().collect()
    }

    /// An error when the request wants what this API does not have.
    pub fn accepts(self, request: &ChatRequest) -> Result<(), ChatError> {
        let wants_computer = request.tools.iter().any(|tool| matches!(tool, Tool::Computer { .. }));
        if self == Self::Chat && wants_computer { Err(no_computer("chat completions have")) } else { Ok(()) }
    }

    /// An error when this model is known to have no computer tool.
    pub fn has_computer_tool(self, model: &str) -> Result<(), ChatError> {
        match computer::version(self, model) {
            Some(_) => Ok(()),
            None if self == Self::Chat => Err(no_computer("chat completions have")),
            None => Err(no_computer(&format!("the model {model} has"))),
        }
    }

    /// Reads the body of a 200, in pieces as they came; an error as a model's caller gets it, with no place in it.
    pub fn read<'a>(self, pieces: impl IntoIterator<Item = &'a [u8]>, asked: &Asked) -> Result<Reply, ChatError> {
        let mut reader = ReplyReader::new(self, asked.clone());
        let failed =
            |failure: Failure| ChatError { hint: failure.hint.clone(), ..ChatError::new(failure.kind, failure.line()) };
        for piece in pieces {
            if reader.push(piece).map_err(failed)? == Progress::Complete {
                break;
            }
        }
        reader.end().map_err(failed)
    }
}

fn no_computer(who: &str) -> ChatError {
    ChatError::new(ChatErrorKind::Config, format!("{who} no computer tool")).with_hint(
        "set HANDEYE_MODEL_PROVIDER to anthropic, openai-responses or gemini and HANDEYE_MODEL_NAME to a model that was trained \
         for it, or use another planner, such as --planner standard",
    )
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What of a model's settings stands in every body.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub model: String,
    /// The model's family, whose servers of chat completions have words of their own.
    pub family: &'static Family,
    /// Before the request's own.
    pub temperature: Option<f64>,
    /// The smaller of this and the request's own is sent.
    pub max_tokens: Option<u32>,
    /// Before the request's own.
    pub thinking: Option<Thinking>,
    /// The family's servers may be held to answer in JSON.
    pub json_mode: bool,
    pub stream: bool,
    /// Merged into the body last, as a JSON merge patch (RFC 7396): objects are merged, null removes.
    pub extra: Map<String, Value>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            model: String::new(),
            family: Family::default_family(),
            temperature: None,
            max_tokens: None,
            thinking: None,
            json_mode: true,
            stream: false,
            extra: Map::new(),
        }
    }
}

impl Options {
    fn temperature(&self, request: &ChatRequest) -> Option<Value> {
        self.temperature.or(request.temperature).map(body::number)
    }

    fn max_tokens(&self, request: &ChatRequest) -> Option<u32> {
        [self.max_tokens, request.max_tokens].into_iter().flatten().min()
    }

    fn thinking(&self, request: &ChatRequest) -> Option<Thinking> {
        self.thinking.or(request.thinking)
    }

    /// What a reply of this model is marked with, so that it is sent back to nobody else.
    pub(crate) fn mark(&self, api: Api) -> String {
        format!("{api} {}", self.model)
    }
}

/// How a picture stands in the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pictures {
    /// As its bytes in base64.
    Bytes,
    /// As `blob:HASH@WIDTHxHEIGHT`: short, and the same in every record.
    Names,
}

/// What a reader must know of the request.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Estimated tokens of the request, for providers that do not count.
    pub tokens: u64,
    /// Tools were offered, so a reply may be calls and nothing else.
    pub has_tools: bool,
    /// Its models may answer in the field for reasoning.
    pub answers_in_reasoning: bool,
    /// What the reply is marked with; see [`Replay`](handeye_core::Replay).
    pub mark: String,
}

impl Asked {
    pub fn of(request: &ChatRequest, options: &Options, api: Api) -> Self {
        let tokens = tokens_of_request(request);
        Self {
            tokens,
            has_tools: !request.tools.is_empty(),
            answers_in_reasoning: options.family.answers_in_reasoning,
            mark: options.mark(api),
        }
    }
}
