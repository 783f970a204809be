//! Replies from a JSON file, one after the other.
//!
//! The file is a list. A text is a reply; an object says more: `{"text": "…", "reasoning": "…", "finish": "length"}`, or an
//! attempt that fails: `{"status": 429, "error": "slow down"}`. `delay_ms` waits before it. Failed attempts are repeated as
//! with a real provider, and each takes the next entry. One more request than entries is an error.

use crate::config::ModelConfig;
use crate::failure::{self, Failure, Retry};
use crate::providers::server::options;
use crate::retry::{self, Place, Policy};
use crate::secret::Mask;
use crate::transport::{cancelled, limit};
use crate::wire::{Api, Options, Pictures, answer, tokens_of_request, tokens_of_text};
use async_trait::async_trait;
use handeye_core::{Chat, ChatError, ChatErrorKind, ChatRequest, Ctx, Finish, Reply, Usage};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Entry {
    text: String,
    reasoning: String,
    finish: Option<Finish>,
    status: Option<u16>,
    error: Option<String>,
    delay_ms: u64,
}

/// Plays a list of replies.
#[derive(Debug)]
pub struct Script {
    entries: Vec<Entry>,
    next: AtomicUsize,
    options: Options,
    policy: Policy,
    timeout: Option<Duration>,
    place: Place,
}

impl Script {
    /// Reads the file at once, so that a fault in it is told before anything runs.
    pub fn open(config: &ModelConfig, path: &Path) -> Result<Self, ChatError> {
        let text =
            super::text_of(path).map_err(|e| wrong(format!("cannot read the script {}: {e}", path.display())))?;
        let entries = entries(&text).map_err(|why| wrong(format!("the script {}: {why}", path.display())))?;
        Ok(Self {
            entries,
            next: AtomicUsize::new(0),
            options: options(config),
            policy: Policy { retries: config.retries, base: config.retry_base },
            timeout: config.timeout,
            place: Place { model: config.name.clone(), base: config.place() },
        })
    }

    async fn attempt(&self, request: &ChatRequest, cx: &Ctx) -> Result<Reply, Failure> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(entry) = self.entries.get(index) else {
            let said = format!("the script has {} replies and this is request {}", self.entries.len(), index + 1);
            return Err(Failure::new(ChatErrorKind::Config, Retry::Never, "no reply left in", said)
                .with_hint("add replies to the file, or let the last one complete the task"));
        };
        let delay = Duration::from_millis(entry.delay_ms);
        let allowed = limit(self.timeout, cx).unwrap_or(delay);
        let began = cx.instant();
        if !delay.is_zero() && tokio::time::timeout(delay.min(allowed), cx.cancel.cancelled()).await.is_ok() {
            return Err(cancelled());
        }
        if delay > allowed {
            let lead = format!("no answer within {} s from", allowed.as_secs_f64());
            return Err(Failure::new(ChatErrorKind::Timeout, Retry::Backoff, lead, ""));
        }
        let took = cx.instant().saturating_duration_since(began).as_millis() as u64;
        entry.reply(request, took)
    }
}

impl Entry {
    fn reply(&self, request: &ChatRequest, took: u64) -> Result<Reply, Failure> {
        let said = self.error.clone().unwrap_or_default();
        match self.status {
            Some(status) if !(200..300).contains(&status) => return Err(failure::from_status(status, &said, None)),
            None if self.error.is_some() => return Err(Failure::broken("an error from", said)),
            _ => {}
        }
        let (text, reasoning, from_reasoning) = answer(self.text.clone(), self.reasoning.clone());
        if text.trim().is_empty() {
            return Err(Failure::new(ChatErrorKind::Empty, Retry::Backoff, "empty response from", ""));
        }
        Ok(Reply {
            text,
            reasoning,
            from_reasoning,
            finish: self.finish.unwrap_or(Finish::Stop),
            usage: Usage {
                input: tokens_of_request(request),
                output: tokens_of_text(&self.text) + tokens_of_text(&self.reasoning),
                estimated: true,
                ..Usage::default()
            },
            model: "scripted".into(),
            took,
            ..Reply::default()
        })
    }
}

fn wrong(message: String) -> ChatError {
    ChatError::new(ChatErrorKind::Config, message)
        .with_hint(r#"a script is a JSON list of texts or of objects such as {"text": "…", "finish": "stop"}"#)
}

fn entries(text: &str) -> Result<Vec<Entry>, String> {
    let value: Value =
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|e| format!("not JSON: {e}"))?;
    let Value::Array(items) = value else { return Err("not a list".into()) };
    let read = |(index, item): (usize, Value)| match item {
        Value::String(text) => Ok(Entry { text, ..Entry::default() }),
        item => serde_json::from_value(item).map_err(|e| format!("entry {}: {e}", index + 1)),
    };
    items.into_iter().enumerate().map(read).collect()
}

#[async_trait]
impl Chat for Script {
    fn name(&self) -> String {
        format!("model {} at {}", self.place.model, self.place.base)
    }

    async fn complete(&self, request: &ChatRequest, cx: &Ctx) -> Result<Reply, ChatError> {
        let attempt = || self.attempt(request, cx);
        retry::ask(self.policy, &self.place, &Mask::default(), request.tokens_left, cx, attempt).await
    }

    fn wire_body(&self, request: &ChatRequest) -> String {
        Api::Chat.body(request, &self.options, Pictures::Names)
    }
}
