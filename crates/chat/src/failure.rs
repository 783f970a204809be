//! Why one attempt failed, read from what the provider sent, and whether another attempt makes sense.

use handeye_core::{ChatErrorKind, Usage, text};
use serde_json::Value;
use std::time::Duration;

/// The most characters of a provider's own message that are shown.
const SHOWN: usize = 300;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    Never,
    Backoff,
    /// The provider named the time.
    After(Duration),
}

/// One failed attempt. Texts from outside are neither masked nor cut yet: `retry` does that before anyone sees them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub kind: ChatErrorKind,
    pub retry: Retry,
    /// Reads on with the place: `HTTP 401 from` … `http://…/v1, model NAME`.
    pub lead: String,
    /// The provider's own words, or the cause.
    pub said: String,
    pub hint: Option<String>,
    /// Tokens that the attempt cost although nothing came of it.
    pub spent: Option<Box<Usage>>,
}

impl Failure {
    pub(crate) fn new(kind: ChatErrorKind, retry: Retry, lead: impl Into<String>, said: impl Into<String>) -> Self {
        Self { kind, retry, lead: lead.into(), said: said.into(), hint: None, spent: None }
    }
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
    /// A fault on the way that may pass.
    pub(crate) fn broken(lead: impl Into<String>, said: impl Into<String>) -> Self {
        Self::new(ChatErrorKind::Transport, Retry::Backoff, lead, said)
    }
    /// The failure without its place, for a list of attempts.
    pub(crate) fn line(&self) -> String {
        let lead = self.lead.strip_suffix(" from").or_else(|| self.lead.strip_suffix(" to")).unwrap_or(&self.lead);
        if self.said.is_empty() { lead.to_owned() } else { format!("{lead}: {}", self.said) }
    }
}

/// The failure that an HTTP status and its body mean. `wait`: what `Retry-After` said.
pub(crate) fn from_status(status: u16, body: &str, wait: Option<Duration>) -> Failure {
    let said = provider_message(body);
    let code = serde_json::from_str::<Value>(body).ok().map(|v| codes(error_object(&v))).unwrap_or_default();
    let (kind, retry) = class(status, &format!("{code} {said}").to_lowercase());
    let retry = match (retry, wait) {
        (Retry::Backoff, Some(wait)) => Retry::After(wait),
        _ => retry,
    };
    let mut failure = Failure::new(kind, retry, format!("HTTP {status} from"), said);
    failure.hint = hint(kind, status, &failure.said).map(str::to_owned);
    failure
}

/// An error object where a reply should be: inside a 200, or inside a stream. `None` when it is no error.
pub(crate) fn from_error_value(value: &Value) -> Option<Failure> {
    let error = value.get("error").filter(|e| !e.is_null() && *e != false)?;
    let said = message_in(error).unwrap_or_else(|| error.to_string());
    let code = codes(error);
    let status = [&error["code"], &error["status"], &value["status"]].into_iter().find_map(status_number);
    // Without a status an error in place of a reply is the server's own trouble, unless its words say otherwise.
    let words = format!("{code} {said}").to_lowercase();
    let status = status.unwrap_or_else(|| status_of_words(&words));
    let (kind, retry) = class(status, &words);
    let mut failure = Failure::new(kind, retry, "the reply is an error from", one_line(&said));
    failure.hint = hint(kind, status, &said).map(str::to_owned);
    Some(failure)
}

fn status_number(value: &Value) -> Option<u16> {
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
    u16::try_from(number).ok().filter(|s| (400..600).contains(s))
}

fn status_of_words(words: &str) -> u16 {
    let any = |list: &[&str]| list.iter().any(|w| words.contains(w));
    match () {
        () if any(&["invalid_api_key", "incorrect api key", "authentication", "unauthorized"]) => 401,
        () if any(&["rate_limit", "rate limit", "too many requests"]) => 429,
        () if any(&["invalid_request", "bad request"]) => 400,
        () => 500,
    }
}

fn class(status: u16, words: &str) -> (ChatErrorKind, Retry) {
    let any = |list: &[&str]| list.iter().any(|w| words.contains(w));
    match status {
        401 | 403 => (ChatErrorKind::Auth, Retry::Never),
        402 => (ChatErrorKind::Quota, Retry::Never),
        // An empty account does not fill up while we wait.
        429 if any(&["insufficient_quota", "billing_hard_limit"]) => (ChatErrorKind::Quota, Retry::Never),
        429 => (ChatErrorKind::Quota, Retry::Backoff),
        404 => (ChatErrorKind::NoSuchModel, Retry::Never),
        408 | 409 | 500.. => (ChatErrorKind::Transport, Retry::Backoff),
        400 | 413 | 422 if any(TOO_LONG) => (ChatErrorKind::ContextLength, Retry::Never),
        400 | 422 if any(NO_MODEL) => (ChatErrorKind::NoSuchModel, Retry::Never),
        _ => (ChatErrorKind::BadRequest, Retry::Never),
    }
}

const TOO_LONG: &[&str] = &[
    "context_length",
    "context length",
    "maximum context",
    "context window",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "reduce the length",
    "exceeds the maximum number of tokens",
    "exceed context",
    "range of input length",
];

const NO_MODEL: &[&str] = &["model_not_found", "model not found", "no such model", "unknown model", "invalid model"];

fn hint(kind: ChatErrorKind, status: u16, said: &str) -> Option<&'static str> {
    let words = said.to_lowercase();
    Some(match kind {
        ChatErrorKind::Auth if status == 403 => {
            "the key is not allowed to do this: check the account, the region and the model's name"
        }
        ChatErrorKind::NoSuchModel => "check HANDEYE_MODEL_NAME, and HANDEYE_MODEL_BASE_URL: it often ends in /v1",
        ChatErrorKind::Quota if status == 429 => {
            "the provider limits requests: wait, or raise HANDEYE_MODEL_RETRY_COUNT"
        }
        ChatErrorKind::Quota => "check the account's credit",
        ChatErrorKind::ContextLength => "the conversation is too long for this model: use one with a larger context",
        ChatErrorKind::BadRequest if words.contains("max_completion_tokens") => {
            r#"set HANDEYE_MODEL_EXTRA_BODY to {"max_tokens":null,"max_completion_tokens":N}"#
        }
        ChatErrorKind::BadRequest if words.contains("temperature") => {
            r#"set HANDEYE_MODEL_EXTRA_BODY to {"temperature":null}"#
        }
        ChatErrorKind::BadRequest if words.contains("stream_options") => {
            r#"set HANDEYE_MODEL_EXTRA_BODY to {"stream_options":null}"#
        }
        ChatErrorKind::BadRequest if words.contains("image") => {
            "does this model take pictures? Handeye needs a vision model"
        }
        ChatErrorKind::BadRequest if matches!(status, 301..=308 | 405) => "check HANDEYE_MODEL_BASE_URL",
        ChatErrorKind::Transport => "the provider has trouble of its own: try again later",
        _ => return None,
    })
}

/// What the provider itself says in an error body: of JSON its message, of a web page its text, else the text as it is,
/// on one line.
pub(crate) fn provider_message(body: &str) -> String {
    let body = body.trim();
    if let Ok(value) = serde_json::from_str::<Value>(body) {
        let said = message_in(error_object(&value)).or_else(|| message_in(&value));
        return one_line(&said.unwrap_or_else(|| body.to_owned()));
    }
    if body.starts_with('<') { one_line(&text_of_html(body)) } else { one_line(body) }
}

/// Gemini wraps its error into an array.
fn error_object(value: &Value) -> &Value {
    let value = value.get(0).unwrap_or(value);
    value.get("error").filter(|e| !e.is_null()).unwrap_or(value)
}

fn codes(error: &Value) -> String {
    let words = ["code", "type", "status"].into_iter().filter_map(|key| error[key].as_str());
    words.collect::<Vec<_>>().join(" ")
}

fn message_in(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let texts: Vec<String> = items.iter().filter_map(message_in).collect();
            (!texts.is_empty()).then(|| texts.join("; "))
        }
        Value::Object(object) => ["message", "error", "detail", "msg", "error_msg", "error_message", "errors", "title"]
            .into_iter()
            .filter_map(|key| object.get(key))
            .find_map(message_in),
        _ => None,
    }
}

/// On one line, without the period at the end. It is cut only after it was masked: half a key would not be recognised.
pub(crate) fn one_line(said: &str) -> String {
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_end_matches('.').to_owned()
}

/// At most 300 characters.
pub(crate) fn cut(said: &str) -> String {
    if said.chars().count() <= SHOWN { said.to_owned() } else { text::clip(said, SHOWN - 40) }
}

/// The words of a web page: tags, scripts and styles left out.
fn text_of_html(page: &str) -> String {
    let mut words = String::new();
    let mut rest = page;
    while let Some(open) = rest.find('<') {
        words.push_str(&rest[..open]);
        words.push(' ');
        let tag = &rest[open..];
        let is = |name: &str| tag.get(1..=name.len()).is_some_and(|t| t.eq_ignore_ascii_case(name));
        let end = ["script", "style"].into_iter().find(|name| is(name)).and_then(|name| {
            let close = format!("</{name}");
            tag.to_ascii_lowercase().find(&close)
        });
        let tag = &tag[end.unwrap_or(0)..];
        rest = tag.find('>').map_or("", |close| &tag[close + 1..]);
    }
    words.push_str(rest);
    words.replace("&nbsp;", " ").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
}

#[cfg(test)]
mod tests;
