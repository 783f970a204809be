//! Reading what comes back, streamed or whole, in pieces of any size, whichever API it is.
//!
//! Providers differ in where they put things, so a dialect takes what it knows from wherever it stands and ignores the rest.

use super::draft::Draft;
use super::sse::{SseEvent, SseReader};
use super::{Api, Asked};
use crate::failure::{self, Failure, Retry};
use handeye_core::{ChatErrorKind, Reply};
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

/// How one API says a reply.
pub(super) trait Dialect: Send {
    /// One event of a stream. False when it is no part of a reply.
    fn event(&mut self, value: &Value) -> Result<bool, Failure>;
    /// A whole reply. False when it is none.
    fn whole(&mut self, value: &Value) -> Result<bool, Failure>;
    fn draft(&mut self) -> &mut Draft;
    /// Nothing more comes: what was collected besides goes into the draft.
    fn close(&mut self) {}
}

/// Takes the body of a 200 as it arrives.
pub(crate) struct ReplyReader {
    mode: Mode,
    api: Api,
    dialect: Box<dyn Dialect>,
    asked: Asked,
    size: usize,
    /// The last event that was no part of a reply.
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

/// A body without the blanks and the mark that may stand before it.
fn begun(start: &[u8]) -> &[u8] {
    let start = start.trim_ascii_start();
    start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start()
}

/// Whether a body is a stream of events; `None` while its first bytes may still become the one or the other.
fn is_stream(start: &[u8]) -> Option<bool> {
    let start = begun(start);
    if FIELDS.iter().any(|field| start.starts_with(field)) {
        return Some(true);
    }
    let may_become = start.is_empty() || FIELDS.iter().any(|field| field.starts_with(start));
    (!may_become && !b"\xef\xbb".starts_with(start)).then_some(false)
}

impl ReplyReader {
    pub(crate) fn new(api: Api, asked: Asked) -> Self {
        let dialect: Box<dyn Dialect> = match api {
            Api::Chat => Box::new(super::openai::Completion::new()),
            Api::Responses => Box::new(super::responses::Response::default()),
            Api::Messages => Box::new(super::anthropic::Said::default()),
            Api::Gemini => Box::new(super::gemini::Generated::default()),
        };
        Self { mode: Mode::Unknown(Vec::new()), api, dialect, asked, size: 0, odd: String::new() }
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
            // Blanks before a line would make another line of it.
            bytes = begun(start).to_vec().into();
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

    pub(crate) fn progress(&mut self) -> Progress {
        let draft = self.dialect.draft();
        match (draft.done, &draft.finish) {
            (true, _) => Progress::Complete,
            (false, Some(_)) => Progress::Finished,
            (false, None) => Progress::More,
        }
    }

    /// The body is over.
    pub(crate) fn end(mut self) -> Result<Reply, Failure> {
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
        self.dialect.close();
        std::mem::take(self.dialect.draft()).settle(&self.asked)
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
            if self.dialect.draft().done {
                break;
            }
            let data = event.data.trim();
            if data == "[DONE]" {
                self.dialect.draft().done = true;
                continue;
            }
            match serde_json::from_str::<Value>(data) {
                Ok(value) if event.name == "error" => return Err(failure::from_error(&value)),
                Ok(value) => {
                    if let Some(failure) = failure::from_error_value(&value) {
                        return Err(failure);
                    }
                    if !self.dialect.event(&value)? {
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
            self.dialect.draft().lack = "the body is empty".into();
            return Ok(());
        }
        let name = self.api.reply_name();
        let stranger = |what: &str| {
            let said = format!("not a {name}{what}: {}", failure::provider_message(text));
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
            Err(_) => {
                return Err(failure::from_text("HTTP 200 from", &format!("not a {name} but a text"), text));
            }
        };
        // A list is a stream that came as one: each of its items is what an event would hold.
        let items = match &value {
            Value::Array(items) if !items.is_empty() => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        for item in items {
            if let Some(failure) = failure::from_error_value(item) {
                return Err(failure);
            }
            if !self.dialect.whole(item)? {
                return Err(stranger(""));
            }
        }
        Ok(())
    }
}
