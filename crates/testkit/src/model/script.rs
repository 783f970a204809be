//! What the scripted model server does with one request.

use serde_json::{Value, json};
use std::time::Duration;

/// One scripted answer. Start from [`Scripted::text`], [`Scripted::empty`] or [`Scripted::status`].
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    pub text: String,
    pub reasoning: Option<String>,
    pub finish_reason: Option<String>,
    /// Answers this HTTP status instead of a reply.
    pub status: Option<u16>,
    pub headers: Vec<(String, String)>,
    /// The whole body, in place of the one that would be made.
    pub body: Option<String>,
    /// In place of the media type that fits.
    pub media_type: Option<String>,
    /// Waits before it answers.
    pub delay: Duration,
    pub hang: Option<Hang>,
    /// Bytes per write when streaming.
    pub chunk: Option<usize>,
    /// Ends lines of the stream with CR LF.
    pub crlf: bool,
    /// Ends the stream with an error object.
    pub stream_error: Option<String>,
    /// Answers a whole body although a stream was asked for.
    pub ignores_stream: bool,
    /// The usage object; made up when unset. Null leaves it out.
    pub usage: Option<Value>,
}

/// Ways not to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hang {
    /// Keeps the connection open and sends nothing.
    Stall,
    /// Sends so many bytes of the body, then nothing, with the connection open.
    StallAfter(usize),
    /// Sends so many bytes of the body, then closes.
    CutAfter(usize),
    /// Resets the connection.
    Reset,
}

impl Scripted {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
    pub fn empty() -> Self {
        Self::default()
    }
    pub fn status(status: u16) -> Self {
        Self { status: Some(status), ..Self::default() }
    }
    pub fn hang(hang: Hang) -> Self {
        Self { hang: Some(hang), text: "a text that is cut".into(), ..Self::default() }
    }
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
    pub fn body(mut self, body: impl Into<String>) -> Self {
        self.body = Some(body.into());
        self
    }
    pub fn reasoning(mut self, reasoning: impl Into<String>) -> Self {
        self.reasoning = Some(reasoning.into());
        self
    }
    pub fn finish(mut self, reason: &str) -> Self {
        self.finish_reason = Some(reason.to_owned());
        self
    }
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Reads a case: `replies` is a list of texts, `transport` a list of objects at the same places with any of `status`,
    /// `headers`, `body`, `delay_ms`, `stall`, `reset`, `finish_reason`, `reasoning`, `empty`, `chunks`, `crlf`, `stream_error`.
    pub fn case(replies: &Value, transport: &Value) -> Vec<Self> {
        let texts = replies.as_array().map(Vec::as_slice).unwrap_or_default();
        let rows = transport.as_array().map(Vec::as_slice).unwrap_or_default();
        let at = |index: usize| {
            let text = texts.get(index).and_then(Value::as_str).unwrap_or(super::EXHAUSTED);
            Self::row(text, rows.get(index).unwrap_or(&Value::Null))
        };
        (0..texts.len().max(rows.len())).map(at).collect()
    }

    fn row(text: &str, row: &Value) -> Self {
        let string = |key: &str| row[key].as_str().map(str::to_owned);
        let hang = if row["stall"] == true {
            Some(Hang::Stall)
        } else if row["reset"] == true {
            Some(Hang::Reset)
        } else {
            None
        };
        let headers = row["headers"].as_object().into_iter().flatten();
        Self {
            text: if row["empty"] == true { String::new() } else { text.to_owned() },
            reasoning: string("reasoning"),
            finish_reason: string("finish_reason"),
            status: row["status"].as_u64().and_then(|s| u16::try_from(s).ok()),
            headers: headers.map(|(n, v)| (n.clone(), v.as_str().unwrap_or_default().to_owned())).collect(),
            body: string("body"),
            delay: Duration::from_millis(row["delay_ms"].as_u64().unwrap_or(0)),
            hang,
            chunk: row["chunks"][0].as_u64().and_then(|c| usize::try_from(c).ok()),
            crlf: row["crlf"] == true,
            stream_error: string("stream_error"),
            ..Self::default()
        }
    }

    fn finish_word(&self) -> &str {
        self.finish_reason.as_deref().unwrap_or("stop")
    }

    fn usage(&self, request: &Value) -> Value {
        let sent = request.to_string().len() / 4;
        let made = self.text.len() / 4;
        self.usage
            .clone()
            .unwrap_or_else(|| json!({"prompt_tokens": sent, "completion_tokens": made, "total_tokens": sent + made}))
    }

    /// A chat completion, or the error body of a status.
    pub(super) fn whole_body(&self, request: &Value, index: usize) -> String {
        if let Some(body) = &self.body {
            return body.clone();
        }
        if let Some(status) = self.status {
            return json!({"error": {"message": format!("scripted {status}"), "type": "scripted"}}).to_string();
        }
        let mut message = json!({"role": "assistant", "content": self.text});
        if let Some(reasoning) = &self.reasoning {
            message["reasoning_content"] = json!(reasoning);
        }
        let mut body = json!({"id": format!("mock-{index}"), "object": "chat.completion", "model": model(request),
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish_word()}]});
        let usage = self.usage(request);
        if !usage.is_null() {
            body["usage"] = usage;
        }
        body.to_string()
    }

    /// The same as server-sent events, seven characters of text in each.
    pub(super) fn stream_body(&self, request: &Value, index: usize) -> String {
        let chunk = |choices: Value| json!({"id": format!("mock-{index}"), "object": "chat.completion.chunk", "model": model(request), "choices": choices});
        let delta = |delta: Value, finish: Value| chunk(json!([{"index": 0, "delta": delta, "finish_reason": finish}]));
        let mut events = vec![delta(json!({"role": "assistant", "content": ""}), Value::Null).to_string()];
        if let Some(reasoning) = &self.reasoning {
            events.push(delta(json!({"reasoning_content": reasoning}), Value::Null).to_string());
        }
        let characters: Vec<char> = self.text.chars().collect();
        for piece in characters.chunks(7) {
            let text: String = piece.iter().collect();
            events.push(delta(json!({"content": text}), Value::Null).to_string());
        }
        if let Some(message) = &self.stream_error {
            events.push(json!({"error": {"message": message}}).to_string());
        } else {
            events.push(delta(json!({}), json!(self.finish_word())).to_string());
            if request["stream_options"]["include_usage"] == true && self.usage != Some(Value::Null) {
                let mut last = chunk(json!([]));
                last["usage"] = self.usage(request);
                events.push(last.to_string());
            }
            events.push("[DONE]".to_owned());
        }
        let end = if self.crlf { "\r\n\r\n" } else { "\n\n" };
        events.iter().flat_map(|event| ["data: ", event, end]).collect()
    }
}

fn model(request: &Value) -> &str {
    request["model"].as_str().unwrap_or("mock")
}
