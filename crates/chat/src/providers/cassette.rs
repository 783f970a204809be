//! Recorded traffic: a reply for each known request, and an error that names the difference for an unknown one.
//!
//! ```json
//! {"version": 1, "api": "openai", "pictures": "exact", "exchanges": [{"request": {"model": "m", "messages": []}, "reply": {"text": "…"}}]}
//! ```
//!
//! `request` is the wire body with each picture by name. Requests may come in any order; each exchange answers once.
//! `"pictures": "any"` in a file lets pictures differ in content, not in number, place or size: another machine's fonts
//! draw other pixels.

use crate::config::ModelConfig;
use crate::providers::server::options;
use crate::wire::{Api, Options, Pictures};
use async_trait::async_trait;
use handeye_core::diff::{self, Difference};
use handeye_core::{Chat, ChatError, ChatErrorKind, ChatRequest, Ctx, Reply};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The version of the format that this program writes and the only one that it reads.
const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tape {
    version: u32,
    /// What the requests are written in.
    #[serde(default, skip_serializing_if = "is_chat")]
    api: Api,
    #[serde(default)]
    pictures: Sameness,
    exchanges: Vec<Exchange>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_chat(api: &Api) -> bool {
    *api == Api::Chat
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sameness {
    #[default]
    Exact,
    Any,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exchange {
    request: Value,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reply: Option<Reply>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    error: Option<ChatError>,
}

/// Plays a recording.
#[derive(Debug)]
pub struct Cassette {
    path: PathBuf,
    model: String,
    options: Options,
    tape: Tape,
    used: Mutex<Vec<bool>>,
}

impl Cassette {
    pub fn open(config: &ModelConfig, path: &Path) -> Result<Self, ChatError> {
        let wrong = |why: String| {
            ChatError::new(ChatErrorKind::Config, format!("cannot play the cassette {}: {why}", path.display()))
        };
        let text = super::text_of(path).map_err(|e| wrong(e.to_string()))?;
        let tape: Tape = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
        if tape.version != VERSION {
            return Err(wrong(format!("it has version {}, and this program reads version {VERSION}", tape.version)));
        }
        let used = Mutex::new(vec![false; tape.exchanges.len()]);
        Ok(Self { path: path.to_owned(), model: config.name.clone(), options: options(config), tape, used })
    }

    fn play(&self, request: &ChatRequest) -> Result<Reply, ChatError> {
        let asked: Value = serde_json::from_str(&self.wire_body(request)).unwrap_or_default();
        let mut used = lock(&self.used);
        let free = || self.tape.exchanges.iter().enumerate().filter(|(index, _)| !used[*index]);
        let found = free().find(|(_, e)| self.difference(&e.request, &asked).is_none()).map(|(index, _)| index);
        let Some(index) = found else {
            let why = match free().next() {
                None => format!("all of its {} exchanges are used", self.tape.exchanges.len()),
                Some((index, e)) => {
                    let difference = self.difference(&e.request, &asked).map(|d| d.to_string()).unwrap_or_default();
                    format!("the request is not in it; exchange {} differs first at {difference}", index + 1)
                }
            };
            return Err(ChatError::new(ChatErrorKind::Config, format!("cassette {}: {why}", self.path.display()))
                .with_hint("record it again if the change is meant"));
        };
        used[index] = true;
        let exchange = &self.tape.exchanges[index];
        match (&exchange.reply, &exchange.error) {
            (Some(reply), _) => Ok(reply.clone()),
            (None, Some(error)) => Err(error.clone()),
            (None, None) => Err(ChatError::new(
                ChatErrorKind::Config,
                format!("cassette {}: exchange {} has neither reply nor error", self.path.display(), index + 1),
            )),
        }
    }

    fn difference(&self, recorded: &Value, asked: &Value) -> Option<Difference> {
        diff::first(recorded, asked, &|recorded, asked| alike(recorded, asked, self.tape.pictures))
    }
}

#[async_trait]
impl Chat for Cassette {
    fn name(&self) -> String {
        format!("model {} at cassette:{}", self.model, self.path.display())
    }
    async fn complete(&self, request: &ChatRequest, cx: &Ctx) -> Result<Reply, ChatError> {
        if cx.cancel.is_cancelled() {
            let message = format!("cancelled before asking {}", self.name());
            return Err(ChatError::new(ChatErrorKind::Cancelled, message));
        }
        self.play(request)
    }
    fn wire_body(&self, request: &ChatRequest) -> String {
        self.tape.api.body(request, &self.options, Pictures::Names)
    }
}

/// Asks another model and keeps what was said. The file is whole after every exchange.
pub struct Recorder {
    inner: Arc<dyn Chat>,
    path: PathBuf,
    // Held while the file is written, so that two replies that come together are both kept.
    tape: Arc<Mutex<Tape>>,
}

impl Recorder {
    /// Starts an empty cassette at `path`, in place of one that is there. A path that cannot be written is told at once.
    pub fn new(inner: Arc<dyn Chat>, api: Api, path: impl Into<PathBuf>) -> Result<Self, ChatError> {
        let path = path.into();
        let tape = Tape { version: VERSION, api, pictures: Sameness::Exact, exchanges: Vec::new() };
        write(&path, &tape)
            .map_err(|e| ChatError::new(ChatErrorKind::Config, format!("cannot record to {}: {e}", path.display())))?;
        Ok(Self { inner, path, tape: Arc::new(Mutex::new(tape)) })
    }

    async fn keep(&self, exchange: Exchange) {
        let (tape, path) = (self.tape.clone(), self.path.clone());
        let kept = tokio::task::spawn_blocking(move || {
            let mut tape = lock(&tape);
            tape.exchanges.push(exchange);
            write(&path, &tape)
        });
        // The run matters more than its recording.
        match kept.await.map_err(std::io::Error::other).and_then(|written| written) {
            Ok(()) => {}
            Err(error) => tracing::warn!(%error, path = %self.path.display(), "a model exchange was not recorded"),
        }
    }
}

#[async_trait]
impl Chat for Recorder {
    fn name(&self) -> String {
        self.inner.name()
    }
    async fn complete(&self, request: &ChatRequest, cx: &Ctx) -> Result<Reply, ChatError> {
        let result = self.inner.complete(request, cx).await;
        let cancelled = matches!(&result, Err(e) if e.kind == ChatErrorKind::Cancelled);
        if !cancelled {
            let request = serde_json::from_str(&self.inner.wire_body(request)).unwrap_or_default();
            let (reply, error) = (result.as_ref().ok().cloned(), result.as_ref().err().cloned());
            self.keep(Exchange { request, reply, error }).await;
        }
        result
    }
    fn wire_body(&self, request: &ChatRequest) -> String {
        self.inner.wire_body(request)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write(path: &Path, tape: &Tape) -> std::io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = PathBuf::from(name);
    let text = serde_json::to_string_pretty(tape)?;
    let written = std::fs::write(&part, text + "\n").and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written
}

/// Texts that need not be the same: names of pictures of one size, where the cassette does not look at pictures.
fn alike(recorded: &str, asked: &str, pictures: Sameness) -> bool {
    pictures == Sameness::Any && picture_size(recorded).is_some_and(|size| picture_size(asked) == Some(size))
}

/// The size in a picture's name.
fn picture_size(text: &str) -> Option<&str> {
    text.strip_prefix("blob:")?.split_once('@').map(|(_, size)| size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_may_differ_where_the_cassette_says_so() {
        let [a, b, c] = ["blob:aa@4x2", "blob:bb@4x2", "blob:bb@4x3"];
        assert!(alike(a, b, Sameness::Any));
        assert!(!alike(a, c, Sameness::Any));
        assert!(!alike(a, b, Sameness::Exact));
        assert!(!alike(a, "text", Sameness::Any));
    }
}
