//! OpenAI chat completions: reading what comes back, streamed or whole, in pieces of any size.
//!
//! Providers differ in where they put things, so this takes what it knows from wherever it stands and ignores the rest.

use crate::failure::{self, Failure, Retry};
use crate::wire::openai::tokens_of_text;
use crate::wire::sse::{SseEvent, SseReader};
use handeye_core::{ChatErrorKind, Finish, Reply, Usage};
use serde_json::Value;
use std::borrow::Cow;

/// A reply is text: more than this is no reply.
const LARGEST: usize = 32 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    More,
    /// The model has said why it stopped; only the usage may still come.
    Finished,
    /// Nothing follows.
    Complete,
}

/// Takes the body of a 200 as it arrives.
pub(crate) struct ReplyReader {
    mode: Mode,
    draft: Draft,
    size: usize,
    /// The last event that was no part of a completion.
    odd: String,
}

enum Mode {
    /// Until the first bytes that are no blanks tell: the media type is not to be trusted.
    Unknown(Vec<u8>),
    Whole(Vec<u8>),
    Events(SseReader),
}

/// How every line of a stream begins. Anything else at the start of a body is no stream.
const FIELDS: [&[u8]; 5] = [b":", b"data:", b"event:", b"id:", b"retry:"];

/// Whether a body is a stream of events; `None` while its first bytes may still become the one or the other.
fn is_stream(start: &[u8]) -> Option<bool> {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    if FIELDS.iter().any(|field| start.starts_with(field)) {
        return Some(true);
    }
    let may_become = start.is_empty() || FIELDS.iter().any(|field| field.starts_with(start));
    (!may_become && !b"\xef\xbb".starts_with(start)).then_some(false)
}

#[derive(Default)]
struct Draft {
    text: String,
    reasoning: String,
    refusal: String,
    finish: Option<String>,
    usage: Option<Usage>,
    model: String,
    id: String,
    done: bool,
    /// Why there is no text, when it is not that the model wrote none.
    lack: &'static str,
}

impl ReplyReader {
    pub(crate) fn new() -> Self {
        Self { mode: Mode::Unknown(Vec::new()), draft: Draft::default(), size: 0, odd: String::new() }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<Progress, Failure> {
        self.size += bytes.len();
        if self.size > LARGEST {
            return Err(Failure::broken("a reply of more than 32 MiB from", ""));
        }
        let mut bytes = Cow::Borrowed(bytes);
        if let Mode::Unknown(start) = &mut self.mode {
            start.extend_from_slice(&bytes);
            let Some(streams) = is_stream(start) else {
                // Servers that are busy may send blanks for minutes.
                start.truncate(if start.trim_ascii().is_empty() { 0 } else { start.len() });
                return Ok(Progress::More);
            };
            bytes = std::mem::take(start).into();
            self.mode = if streams { Mode::Events(SseReader::new(LARGEST)) } else { Mode::Whole(Vec::new()) };
        }
        match &mut self.mode {
            Mode::Unknown(body) | Mode::Whole(body) => body.extend_from_slice(&bytes),
            Mode::Events(reader) => {
                let mut events = Vec::new();
                let read = reader.push(&bytes, &mut events);
                self.take(&events)?;
                read.map_err(|e| Failure::broken("a broken stream from", e.to_string()))?;
            }
        }
        Ok(self.progress())
    }

    pub(crate) fn progress(&self) -> Progress {
        match (self.draft.done, &self.draft.finish) {
            (true, _) => Progress::Complete,
            (false, Some(_)) => Progress::Finished,
            (false, None) => Progress::More,
        }
    }

    /// The body is over. `asked`: the estimated tokens of the request, for providers that do not count.
    pub(crate) fn end(mut self, asked: u64) -> Result<Reply, Failure> {
        match std::mem::replace(&mut self.mode, Mode::Unknown(Vec::new())) {
            Mode::Unknown(body) | Mode::Whole(body) => self.take_whole(&body)?,
            Mode::Events(mut reader) => {
                let mut events = Vec::new();
                reader.finish(&mut events);
                self.take(&events)?;
                if self.progress() == Progress::More {
                    return Err(self.cut_short(reader.stray()));
                }
            }
        }
        self.draft.settle(asked)
    }

    /// A stream that ended too early. What was no part of the reply may say why.
    fn cut_short(&self, stray: &str) -> Failure {
        let why = [stray, &self.odd].into_iter().map(str::trim).find(|text| !text.is_empty());
        let error = why.and_then(|text| failure::from_error_value(&serde_json::from_str(text).ok()?));
        let what = "the stream ended before the reply was complete";
        match (error, why) {
            (Some(error), _) => error,
            (None, Some(text)) => failure::from_text("a broken reply from", what, text),
            (None, None) => Failure::broken("a broken reply from", what),
        }
    }

    fn take(&mut self, events: &[SseEvent]) -> Result<(), Failure> {
        for event in events {
            if self.draft.done {
                break;
            }
            let data = event.data.trim();
            if data == "[DONE]" {
                self.draft.done = true;
                continue;
            }
            match serde_json::from_str::<Value>(data) {
                Ok(value) if event.name == "error" => return Err(failure::from_error(&value)),
                Ok(value) => {
                    self.draft.take(&value)?;
                    if !value["choices"].is_array() && value["usage"].is_null() {
                        data.clone_into(&mut self.odd);
                    }
                }
                Err(_) if event.name == "error" => {
                    return Err(failure::from_error(&data.into()));
                }
                Err(_) if data.is_empty() => {}
                Err(_) => return Err(failure::from_text("a broken stream from", "not JSON", data)),
            }
        }
        Ok(())
    }

    fn take_whole(&mut self, body: &[u8]) -> Result<(), Failure> {
        let text = String::from_utf8_lossy(body);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if text.is_empty() {
            self.draft.lack = "the body is empty";
            return Ok(());
        }
        let stranger = |what: &str| {
            let said = format!("not a chat completion{what}: {}", failure::provider_message(text));
            Failure::new(ChatErrorKind::BadRequest, Retry::Never, "HTTP 200 from", said).with_hint(failure::CHECK_URL)
        };
        let value = match serde_json::from_str::<Value>(text) {
            Ok(value) => value,
            Err(_) if text.starts_with('<') => return Err(stranger(" but a page")),
            Err(e) if e.is_eof() && text.starts_with(['{', '[']) => {
                return Err(Failure::broken(
                    "a broken reply from",
                    format!("its JSON is cut: {}", failure::one_line(text)),
                ));
            }
            // A proxy or a captive network; it may pass.
            Err(_) => return Err(failure::from_text("HTTP 200 from", "not a chat completion but a text", text)),
        };
        let value = value.get(0).unwrap_or(&value);
        self.draft.take(value)?;
        match value.get("choices") {
            None => return Err(stranger("")),
            Some(choices) if choices.get(0).is_none() => self.draft.lack = "it has no choices",
            Some(_) => {}
        }
        Ok(())
    }
}

impl Draft {
    /// A whole completion, or one chunk of it.
    fn take(&mut self, value: &Value) -> Result<(), Failure> {
        if let Some(failure) = failure::from_error_value(value) {
            return Err(failure);
        }
        for (field, key) in [(&mut self.model, "model"), (&mut self.id, "id")] {
            if let Some(text) = value[key].as_str().filter(|t| !t.is_empty()) {
                text.clone_into(field);
            }
        }
        if let Some(usage) = usage(&value["usage"]) {
            self.usage = Some(usage);
        }
        let choices = value["choices"].as_array().map(Vec::as_slice).unwrap_or_default();
        let Some(choice) = choices.iter().find(|c| c["index"].as_u64().unwrap_or(0) == 0) else { return Ok(()) };
        if let Some(failure) = failure::from_error_value(choice) {
            return Err(failure);
        }
        let message = ["delta", "message"].into_iter().find_map(|key| choice.get(key).filter(|m| m.is_object()));
        match message {
            Some(message) => self.take_message(message),
            None => self.text.push_str(choice["text"].as_str().unwrap_or_default()),
        }
        if let Some(finish) = choice["finish_reason"].as_str().filter(|f| !f.is_empty()) {
            self.finish = Some(finish.to_ascii_lowercase());
        }
        Ok(())
    }

    fn take_message(&mut self, message: &Value) {
        match &message["content"] {
            Value::String(text) => self.text.push_str(text),
            Value::Array(parts) => parts.iter().for_each(|p| self.take_part(p)),
            part @ Value::Object(_) => self.take_part(part),
            _ => {}
        }
        let thought = ["reasoning_content", "reasoning", "thinking"].into_iter().find_map(|key| message[key].as_str());
        match thought {
            Some(thought) => self.reasoning.push_str(thought),
            None => text_in(&message["reasoning_details"], &mut self.reasoning),
        }
        self.refusal.push_str(message["refusal"].as_str().unwrap_or_default());
        if message["tool_calls"].get(0).is_some() || message["function_call"].is_object() {
            self.lack = "it calls a tool and says nothing";
        }
    }

    fn take_part(&mut self, part: &Value) {
        let kind = part["type"].as_str().unwrap_or("text");
        if kind == "refusal" {
            self.refusal.push_str(part["refusal"].as_str().unwrap_or_default());
        } else if part["thought"] == true || matches!(kind, "thinking" | "reasoning") {
            text_in(part, &mut self.reasoning);
        } else {
            text_in(part, &mut self.text);
        }
    }

    fn settle(self, asked: u64) -> Result<Reply, Failure> {
        let finish = match self.finish.as_deref() {
            None | Some("stop" | "end_turn" | "stop_sequence" | "eos") => Finish::Stop,
            Some("length" | "max_tokens") => Finish::Length,
            Some("content_filter" | "refusal" | "safety") => Finish::Refusal,
            Some(_) => Finish::Other,
        };
        let usage = self.usage.unwrap_or_else(|| Usage {
            input: asked,
            output: tokens_of_text(&self.text) + tokens_of_text(&self.reasoning),
            estimated: true,
            ..Usage::default()
        });
        let failed = |kind, retry, lead: &str, said: &str| {
            let mut failure = Failure::new(kind, retry, lead, said);
            failure.spent = Some(Box::new(usage));
            failure
        };
        let finish_word = self.finish.as_deref().unwrap_or_default();
        if self.text.trim().is_empty() && !self.refusal.trim().is_empty() {
            let said = failure::one_line(&self.refusal);
            return Err(failed(ChatErrorKind::Refused, Retry::Never, "the request was declined by", &said));
        }
        if self.text.trim().is_empty() && finish == Finish::Refusal {
            let said = format!("no content, finish reason {finish_word}");
            return Err(failed(ChatErrorKind::Refused, Retry::Never, "the request was declined by", &said));
        }
        if finish_word == "error" {
            return Err(failed(ChatErrorKind::Transport, Retry::Backoff, "a broken reply from", "finish reason error"));
        }
        let (text, reasoning, from_reasoning) = answer(self.text, self.reasoning);
        if text.trim().is_empty() {
            let failure = failed(ChatErrorKind::Empty, Retry::Backoff, "empty response from", self.lack);
            return Err(match finish {
                Finish::Length => {
                    failure.with_hint("the token limit was reached before any text: raise HANDEYE_MODEL_MAX_TOKENS")
                }
                _ => failure,
            });
        }
        Ok(Reply {
            text,
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
    let count = |value: &Value| value.as_u64().or_else(|| value.as_f64().filter(|f| *f >= 0.0).map(|f| f as u64));
    let of = |paths: &[&str]| paths.iter().find_map(|path| value.pointer(path).and_then(count));
    let input = of(&["/prompt_tokens", "/input_tokens"]);
    let output = of(&["/completion_tokens", "/output_tokens"]);
    if input.unwrap_or(0) + output.unwrap_or(0) == 0 {
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
    Some(Usage {
        input: input.unwrap_or(0),
        output: output.unwrap_or(0),
        cached: cached.unwrap_or(0),
        reasoning: reasoning.unwrap_or(0),
        cache_written: 0,
        estimated: input.is_none() || output.is_none(),
    })
}
