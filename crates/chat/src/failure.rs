//! Why one attempt failed, read from what the provider sent, and whether another attempt makes sense.

mod said;

use handeye_core::{ChatErrorKind, Usage};
use said::Said;
pub(crate) use said::{cut, one_line, provider_message};
use serde_json::Value;
use std::time::Duration;

/// What to do when something answers that speaks no chat completions.
pub(crate) const CHECK_URL: &str = "check HANDEYE_MODEL_BASE_URL: it often ends in /v1";

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
    /// Tokens that the attempt took although nothing came of it.
    pub spent: Option<Box<Usage>>,
    /// Millionths of a US dollar for them, where the price is known.
    pub microdollars: Option<u64>,
    /// Nothing was charged: no model has worked on it.
    pub unpaid: bool,
}

impl Failure {
    pub(crate) fn new(kind: ChatErrorKind, retry: Retry, lead: impl Into<String>, said: impl Into<String>) -> Self {
        Self {
            kind,
            retry,
            lead: lead.into(),
            said: said.into(),
            hint: None,
            spent: None,
            microdollars: None,
            unpaid: false,
        }
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
    let said = Said::of_body(body);
    let wait = wait.or_else(|| delay_in(&serde_json::from_str(body).ok()?));
    let failure = classed(Some(status), &said, wait, format!("HTTP {status} from"));
    Failure { unpaid: true, ..failure }
}

/// An error where a reply should be: inside a 200, or inside a stream. `None` when it is no error.
pub(crate) fn from_error_value(value: &Value) -> Option<Failure> {
    is_error(value).then(|| from_error(value))
}

/// The same of a value that is known to be an error.
pub(crate) fn from_error(value: &Value) -> Failure {
    let error = value.get("error").filter(|e| is_something(e)).unwrap_or(value);
    let mut said = Said::of(value);
    if said.words.is_empty() {
        said.words = said::one_line(&error.to_string());
    }
    let status = [&error["code"], &error["status"], &value["code"], &value["status"], &value["status_code"]];
    let status = status.into_iter().find_map(status_number);
    classed(status, &said, delay_in(value), "the reply is an error from".to_owned())
}

/// A body that is no reply and says so in plain words, such as a proxy's.
pub(crate) fn from_text(lead: &str, what: &str, text: &str) -> Failure {
    let said = Said::of_body(text);
    let mut failure = classed(None, &said, None, lead.to_owned());
    failure.said = format!("{what}: {}", said.words);
    if failure.kind == ChatErrorKind::Transport {
        failure.hint = Some(CHECK_URL.to_owned());
    }
    failure
}

fn is_something(value: &Value) -> bool {
    !value.is_null() && *value != false && *value != "" && *value != 0
}

/// Providers mark an error in one of these ways. A completion may well carry a code and a message of success.
fn is_error(value: &Value) -> bool {
    let is_failing = |code: &Value| is_something(code) && *code != 200 && *code != "0" && *code != "200";
    let is_marked = is_failing(&value["code"])
        || is_failing(&value["status_code"])
        || is_failing(&value["base_resp"]["status_code"])
        || value["success"] == false
        || status_number(&value["status"]).is_some();
    is_something(&value["error"])
        || value["object"] == "error"
        || value["type"] == "error"
        || (is_marked && value["choices"].is_null() && !Said::of(value).words.is_empty())
}

fn status_number(value: &Value) -> Option<u16> {
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
    u16::try_from(number).ok().filter(|s| (400..600).contains(s))
}

/// Gemini tells the time to wait inside of the error: `"retryDelay": "36s"`.
fn delay_in(value: &Value) -> Option<Duration> {
    match value {
        Value::Array(items) => items.iter().find_map(delay_in),
        Value::Object(object) => match object.get("retryDelay").and_then(Value::as_str) {
            Some(delay) => Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok(),
            None => ["error", "details"].into_iter().filter_map(|key| object.get(key)).find_map(delay_in),
        },
        _ => None,
    }
}

fn classed(status: Option<u16>, said: &Said, wait: Option<Duration>, lead: String) -> Failure {
    let words = said.all();
    let (kind, retry) = class(status, &words);
    let retry = match (retry, wait) {
        (Retry::Backoff, Some(wait)) => Retry::After(wait),
        _ => retry,
    };
    let mut failure = Failure::new(kind, retry, lead, said.words.clone());
    failure.hint = hint(&failure, status, &words).map(str::to_owned);
    failure
}

/// What a status, or where there is none the words, mean for the run. An error in place of a reply is the server's own
/// trouble unless its words say otherwise.
fn class(status: Option<u16>, words: &str) -> (ChatErrorKind, Retry) {
    let any = |list: &[&str]| list.iter().any(|w| words.contains(w));
    match status {
        Some(402) => (ChatErrorKind::Quota, Retry::Never),
        // An empty account does not fill up while we wait.
        None | Some(400 | 403 | 429) if any(NO_MONEY) => (ChatErrorKind::Quota, Retry::Never),
        Some(401 | 403) => (ChatErrorKind::Auth, Retry::Never),
        Some(429) => (ChatErrorKind::Quota, Retry::Backoff),
        Some(404) => (ChatErrorKind::NoSuchModel, Retry::Never),
        Some(408 | 409 | 500..) => (ChatErrorKind::Transport, Retry::Backoff),
        None | Some(400 | 413 | 422) if any(TOO_LONG) => (ChatErrorKind::ContextLength, Retry::Never),
        None | Some(400 | 422) if any(NO_MODEL) => (ChatErrorKind::NoSuchModel, Retry::Never),
        None | Some(400 | 422) if any(DECLINED) => (ChatErrorKind::Refused, Retry::Never),
        None | Some(400) if any(NO_KEY) => (ChatErrorKind::Auth, Retry::Never),
        None if any(&["rate_limit", "rate limit", "ratelimit", "too many requests", "throttling"]) => {
            (ChatErrorKind::Quota, Retry::Backoff)
        }
        None if !any(&[
            "invalid_request",
            "bad request",
            "badrequest",
            "invalid_parameter",
            "invalid parameter",
            "request_too_large",
            "invalid_prompt",
            "invalid_image",
            "image_",
        ]) =>
        {
            (ChatErrorKind::Transport, Retry::Backoff)
        }
        _ => (ChatErrorKind::BadRequest, Retry::Never),
    }
}

/// Gemini says "exceeded your current quota, please check your plan and billing" of limits that pass, so that is not here.
const NO_MONEY: &[&str] = &[
    "insufficient_quota",
    "exceeded_current_quota",
    "billing_hard_limit",
    "billing_not_active",
    "account is not active",
    "billing_error",
    "insufficient balance",
    "insufficient_balance",
    "insufficientbalance",
    "balance is insufficient",
    "balance is too low",
    "insufficient credit",
    "arrearage",
    "accountoverdue",
    "余额不足",
    "欠费",
];

const NO_KEY: &[&str] = &[
    "invalid_api_key",
    "invalid api key",
    "invalid api-key",
    "invalidapikey",
    "incorrect api key",
    "api key not valid",
    "api_key_invalid",
    "authentication",
    "unauthorized",
    "unauthenticated",
    "token expired",
    "permission_error",
    "invalid token",
];

const DECLINED: &[&str] = &[
    "content_filter",
    "content_policy",
    "contentfilter",
    "responsibleai",
    "data_inspection_failed",
    "datainspectionfailed",
    "sensitivecontent",
    "policy_violation",
    "bio_policy",
    "cyber_policy",
];

const TOO_LONG: &[&str] = &[
    "context_length",
    "context length",
    "maximum context",
    "context window",
    "context size",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "reduce the length",
    "exceeds the maximum number of tokens",
    "exceed context",
    "range of input length",
];

const NO_MODEL: &[&str] = &[
    "model_not_found",
    "model not found",
    "model does not exist",
    "no such model",
    "unknown model",
    "invalid model",
    "not a valid model",
    "not_found_error",
];

/// The names of what says how much to think.
const THINKING: &[&str] = &[
    "budget_tokens",
    "thinking.type",
    "thinking_budget",
    "thinkingbudget",
    "thinking_level",
    "thinkinglevel",
    "thinking level",
    "thinking budget",
    "reasoning_effort",
    "reasoning.effort",
    "output_config.effort",
];

fn hint(failure: &Failure, status: Option<u16>, words: &str) -> Option<&'static str> {
    let has = |list: &[&str]| list.iter().any(|w| words.contains(w));
    let is_size = status == Some(413) || has(&["exceed", "too large", "too big", "maximum", "max size", "dimension"]);
    Some(match failure.kind {
        ChatErrorKind::Auth if status == Some(403) => {
            "the key is not allowed to do this: check the account, the region and the model's name"
        }
        ChatErrorKind::NoSuchModel => "check HANDEYE_MODEL_NAME, and HANDEYE_MODEL_BASE_URL: it often ends in /v1",
        ChatErrorKind::Quota if failure.retry == Retry::Never => "check the account's credit",
        ChatErrorKind::Quota if has(&["billing", "daily", "per day", "perday"]) => {
            "the provider limits requests: wait, or check what the account's plan allows"
        }
        ChatErrorKind::Quota => "the provider limits requests: wait, or raise HANDEYE_MODEL_RETRY_COUNT",
        ChatErrorKind::ContextLength => "the conversation is too long for this model: use one with a larger context",
        ChatErrorKind::BadRequest if words.contains("max_completion_tokens") => {
            r#"set HANDEYE_MODEL_EXTRA_BODY to {"max_tokens":null,"max_completion_tokens":N}"#
        }
        ChatErrorKind::BadRequest if words.contains("summar") && words.contains("reasoning") => {
            r#"set HANDEYE_MODEL_EXTRA_BODY to {"reasoning":{"summary":null}}"#
        }
        ChatErrorKind::BadRequest if has(THINKING) => {
            "set HANDEYE_MODEL_THINKING as this model knows it: adaptive, an effort such as medium, or a number of tokens"
        }
        ChatErrorKind::BadRequest if words.contains("temperature") => {
            r#"set HANDEYE_MODEL_EXTRA_BODY to {"temperature":null}"#
        }
        ChatErrorKind::BadRequest if words.contains("stream_options") => {
            r#"set HANDEYE_MODEL_EXTRA_BODY to {"stream_options":null}"#
        }
        ChatErrorKind::BadRequest if is_size && (status == Some(413) || words.contains("image")) => {
            "the request is too large: smaller pictures may pass, see --image-limit"
        }
        ChatErrorKind::BadRequest if words.contains("image") => {
            "does this model take pictures? Handeye needs a vision model"
        }
        ChatErrorKind::BadRequest if matches!(status, Some(301..=308 | 405)) => "check HANDEYE_MODEL_BASE_URL",
        ChatErrorKind::Transport => "the provider has trouble of its own: try again later",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
