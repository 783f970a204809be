//! Requests as files: whoever writes the reply file, a person or a program, is the model.
//!
//! Request 1 becomes the folder `001-request` with `request.md` (the messages as readable text), `image-1.png` and so on
//! (the pictures, numbered through the whole request) and `request.json` (the body as it would be sent, pictures by name).
//! It appears at once and whole. The reply is the text of `001-reply.txt` beside it; the file may be renamed into place or
//! written slowly: it is read when it is not blank and has stood still for a moment. A reply that already lies there is
//! taken. Numbers go on after the highest request in the folder, so a folder can be used again.

use crate::config::ModelConfig;
use crate::providers::server::options;
use crate::transport::limit;
use crate::wire::{Api, Options, Pictures, tokens_of_request, tokens_of_text};
use async_trait::async_trait;
use handeye_core::{Chat, ChatError, ChatErrorKind, ChatRequest, Ctx, Event, Part, Reply, Role, Usage};
use serde_json::Value;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How often the folder is looked at. It is polled because a reply may come over a network share, which sends no events.
const POLL: Duration = Duration::from_millis(50);
/// A reply file is complete when neither its size nor its time changed for so long.
const STILL: Duration = Duration::from_millis(300);
/// A reply is text: more than this is a mistake.
const LARGEST: u64 = 8 << 20;

/// A model behind a folder.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    model: String,
    options: Options,
    timeout: Option<Duration>,
    still: Duration,
}

impl Folder {
    /// Makes the folder when it is not there.
    pub fn open(config: &ModelConfig, path: &Path) -> Result<Self, ChatError> {
        std::fs::create_dir_all(path).map_err(|e| {
            ChatError::new(ChatErrorKind::Config, format!("cannot use the folder {}: {e}", path.display()))
                .with_hint("HANDEYE_MODEL_BASE_URL must name a folder that can be written to")
        })?;
        let (model, options) = (config.name.clone(), options(config));
        Ok(Self { path: path.to_owned(), model, options, timeout: config.timeout, still: STILL })
    }

    async fn write(&self, request: &ChatRequest, cx: &Ctx) -> Result<u32, ChatError> {
        let (path, request, ours) = (self.path.clone(), request.clone(), cx.random());
        let body = Api::Chat.body(&request, &self.options, Pictures::Names);
        let written = tokio::task::spawn_blocking(move || put_request(&path, &request, &body, ours)).await;
        let written = written.map_err(io::Error::other).and_then(|w| w);
        written.map_err(|e| self.failed(ChatErrorKind::Transport, &format!("cannot write a request: {e}")))
    }

    /// Waits for a file that has something in it and stands still.
    async fn wait_for(&self, reply: &Path, cx: &Ctx) -> Result<String, ChatError> {
        let mut last: Option<(State, std::time::Instant)> = None;
        loop {
            let now = cx.instant();
            let state = look(reply).await;
            last = match (state, last) {
                (Some(state), Some((before, since))) if state == before => Some((before, since)),
                (Some(state), _) => Some((state, now)),
                (None, _) if !self.path.is_dir() => {
                    return Err(self.failed(ChatErrorKind::Transport, "the folder was removed, so no reply can come"));
                }
                (None, _) => None,
            };
            if let Some((state, since)) = last
                && now.saturating_duration_since(since) >= self.still
            {
                if state.size > LARGEST {
                    let why = format!("{} is larger than {LARGEST} bytes", reply.display());
                    return Err(self.failed(ChatErrorKind::Transport, &why));
                }
                let bytes = tokio::fs::read(reply).await;
                let bytes = bytes.map_err(|e| {
                    self.failed(ChatErrorKind::Transport, &format!("cannot read {}: {e}", reply.display()))
                })?;
                let text = String::from_utf8_lossy(&bytes);
                let text = text.trim_start_matches('\u{feff}').trim();
                // Written to while it was read: look again.
                if look(reply).await == Some(state) && !text.is_empty() {
                    return Ok(text.to_owned());
                }
                last = None;
            }
            if tokio::time::timeout(POLL, cx.cancel.cancelled()).await.is_ok() {
                return Err(self.failed(ChatErrorKind::Cancelled, "cancelled while waiting for a reply"));
            }
        }
    }

    fn failed(&self, kind: ChatErrorKind, why: &str) -> ChatError {
        ChatError::new(kind, format!("folder {}, model {}: {why}", self.path.display(), self.model))
    }
}

#[async_trait]
impl Chat for Folder {
    fn name(&self) -> String {
        format!("model {} at folder:{}", self.model, self.path.display())
    }

    async fn complete(&self, request: &ChatRequest, cx: &Ctx) -> Result<Reply, ChatError> {
        let began = cx.instant();
        let number = self.write(request, cx).await?;
        let reply = self.path.join(format!("{number:03}-reply.txt"));
        // Nobody else says what the run waits for, and whoever is to answer must know where.
        let asked = self.path.join(format!("{number:03}-request")).join("request.md");
        let text = format!("waits for {}, the reply to {}", reply.display(), asked.display());
        cx.journal.record(Event::Notice { text });
        let waiting = self.wait_for(&reply, cx);
        let text = match limit(self.timeout, cx) {
            None => waiting.await?,
            Some(limit) => tokio::time::timeout(limit, waiting).await.map_err(|_| {
                let why = format!("no {number:03}-reply.txt within {:.1} s", limit.as_secs_f64());
                self.failed(ChatErrorKind::Timeout, &why)
                    .with_hint("write the reply in time, or raise --model-timeout or --timeout")
            })??,
        };
        let usage = Usage {
            input: tokens_of_request(request),
            output: tokens_of_text(&text),
            estimated: true,
            ..Usage::default()
        };
        Ok(Reply {
            text,
            usage,
            model: self.model.clone(),
            request_id: format!("{number:03}"),
            took: cx.instant().saturating_duration_since(began).as_millis() as u64,
            ..Reply::default()
        })
    }

    fn wire_body(&self, request: &ChatRequest) -> String {
        Api::Chat.body(request, &self.options, Pictures::Names)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    size: u64,
    changed: Option<SystemTime>,
}

/// `None` while there is no file, or nothing in it.
async fn look(path: &Path) -> Option<State> {
    let meta = tokio::fs::metadata(path).await.ok().filter(|m| m.is_file() && m.len() > 0)?;
    Some(State { size: meta.len(), changed: meta.modified().ok() })
}

/// Writes the request under the next free number and returns that number. `ours` is a number that nobody else has: two
/// processes may share the folder.
fn put_request(folder: &Path, request: &ChatRequest, body: &str, ours: u64) -> io::Result<u32> {
    std::fs::create_dir_all(folder)?;
    let mut number = 1 + highest(folder)?;
    loop {
        let temporary = folder.join(format!(".{number:03}-request.{ours:016x}"));
        let target = folder.join(format!("{number:03}-request"));
        let moved = fill(&temporary, request, body, number).and_then(|()| std::fs::rename(&temporary, &target));
        let Err(error) = moved else { return Ok(number) };
        let _ = std::fs::remove_dir_all(&temporary);
        // Another process took the number: a folder with something in it is never replaced by a rename.
        if target.exists() {
            number += 1;
        } else {
            return Err(error);
        }
    }
}

fn highest(folder: &Path) -> io::Result<u32> {
    let mut highest = 0;
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|n| n.strip_suffix("-request")).and_then(|n| n.parse::<u32>().ok());
        // No run of ours comes near such a number: somebody else named that folder.
        highest = highest.max(number.filter(|n| *n < 1_000_000).unwrap_or(0));
    }
    Ok(highest)
}

fn fill(into: &Path, request: &ChatRequest, body: &str, number: u32) -> io::Result<()> {
    std::fs::create_dir(into)?;
    let pictures = request.messages.iter().flat_map(|m| &m.parts).filter_map(|p| match p {
        Part::Image { image, .. } => Some(image),
        _ => None,
    });
    for (index, image) in pictures.enumerate() {
        std::fs::write(into.join(format!("image-{}.{}", index + 1, image.format.extension())), &image.bytes)?;
    }
    let pretty = serde_json::from_str::<Value>(body).and_then(|v| serde_json::to_string_pretty(&v));
    std::fs::write(into.join("request.json"), pretty.unwrap_or_else(|_| body.to_owned()))?;
    std::fs::write(into.join("request.md"), readable(request, number))
}

/// The messages as a person reads them.
fn readable(request: &ChatRequest, number: u32) -> String {
    let mut text = format!("# Request {number:03}\n\nThe reply goes into `../{number:03}-reply.txt`.\n");
    let mut pictures = 0;
    for message in &request.messages {
        let role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        let _ = write!(text, "\n---- {role} ----\n");
        for part in &message.parts {
            match part {
                Part::Text(words) => {
                    let _ = write!(text, "\n{}\n", words.trim_end());
                }
                Part::Call(call) => {
                    let _ = write!(text, "\n{call}\n");
                }
                Part::Result(result) => {
                    let _ = write!(text, "\n{result}\n");
                }
                Part::Image { image, shown } => {
                    let seen = shown.canvas();
                    pictures += 1;
                    let name = format!("image-{pictures}.{}", image.format.extension());
                    let _ = write!(text, "\n![image {pictures}, {}x{}]({name})\n", seen.width, seen.height);
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use handeye_core::{Image, ImageFormat, Message, Shown, Size};

    #[test]
    fn a_request_is_readable() {
        let image = Image::new(*b"png", ImageFormat::Png, Size::new(4.0, 2.0));
        let picture = Part::Image { image, shown: Shown::at(Size::new(4.0, 2.0)) };
        let request = ChatRequest {
            messages: vec![
                Message::text(Role::System, "You see a screen.\n"),
                Message::new(Role::User, vec![Part::Text("now".into()), picture]),
                Message::text(Role::Assistant, "<log>a</log>"),
            ],
            ..ChatRequest::default()
        };
        insta::assert_snapshot!(readable(&request, 7), @r"
        # Request 007

        The reply goes into `../007-reply.txt`.

        ---- system ----

        You see a screen.

        ---- user ----

        now

        ![image 1, 4x2](image-1.png)

        ---- assistant ----

        <log>a</log>
        ");
    }

    #[test]
    fn numbers_go_on_and_a_request_appears_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let request = ChatRequest { messages: vec![Message::text(Role::User, "a")], ..ChatRequest::default() };
        std::fs::create_dir(folder.path().join("041-request")).expect("an old request");
        std::fs::create_dir(folder.path().join("4294967295-request")).expect("a folder of somebody else");
        std::fs::write(folder.path().join("090-reply.txt"), "x").expect("a reply does not count");
        assert_eq!(put_request(folder.path(), &request, "{}", 1).expect("written"), 42);
        assert_eq!(put_request(folder.path(), &request, "{}", 2).expect("written"), 43);
        let mut names: Vec<_> = std::fs::read_dir(folder.path())
            .expect("a folder")
            .map(|e| e.expect("an entry").file_name().into_string().expect("a name"))
            .collect();
        names.sort();
        assert_eq!(names, ["041-request", "042-request", "043-request", "090-reply.txt", "4294967295-request"]);
    }
}
