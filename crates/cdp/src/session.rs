//! One attached target.

use crate::actor::{Answer, Command, Failure};
use crate::bounds::Bounds;
use crate::event::Taps;
use crate::{CdpError, Events, message};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// A call that gives no deadline of its own waits this long.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// An answer that nobody reads.
pub type Ignored = serde::de::IgnoredAny;

/// A handle of one attached target: the browser itself, a page, or a frame in a process of its own. Cheap to clone.
#[derive(Clone)]
pub struct Session(Arc<Inner>);

struct Inner {
    id: Arc<str>,
    target_id: String,
    commands: mpsc::UnboundedSender<Command>,
    bounds: Bounds,
    /// Why it is gone, once it is.
    gone: OnceLock<String>,
    taps: Mutex<Taps>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = if self.0.id.is_empty() { "browser" } else { &self.0.id };
        write!(f, "Session({id}{})", if self.is_gone() { ", gone" } else { "" })
    }
}

/// Two handles are equal when they speak to the same session.
impl PartialEq for Session {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Session {
    pub(crate) fn new(id: &str, target_id: &str, commands: mpsc::UnboundedSender<Command>, bounds: Bounds) -> Self {
        Self(Arc::new(Inner {
            id: id.into(),
            target_id: target_id.to_owned(),
            commands,
            bounds,
            gone: OnceLock::new(),
            taps: Mutex::new(Taps::new()),
        }))
    }

    /// Empty for the browser's own session.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// Empty for the browser's own session.
    pub fn target_id(&self) -> &str {
        &self.0.target_id
    }

    /// Calls a method and waits for the answer, at most [`CALL_TIMEOUT`].
    pub async fn call<R: DeserializeOwned>(&self, method: &'static str, params: impl Serialize) -> Result<R, CdpError> {
        self.call_within(method, params, CALL_TIMEOUT).await
    }

    /// Calls a method and waits for the answer, within the bounds of the connection. `()` as parameters sends none; [`Ignored`] as the answer drops it.
    pub async fn call_within<R: DeserializeOwned>(
        &self,
        method: &'static str,
        params: impl Serialize,
        at_most: Duration,
    ) -> Result<R, CdpError> {
        let answer = self.ask(method, encode(method, &params)?, at_most).await?;
        message::read(answer.get()).map_err(|error| CdpError::Misread { method, why: error.to_string() })
    }

    async fn ask(
        &self,
        method: &'static str,
        params: Option<Box<RawValue>>,
        at_most: Duration,
    ) -> Result<Box<RawValue>, CdpError> {
        self.check_alive()?;
        let (answer, wait) = oneshot::channel::<Answer>();
        self.command(Command::Call { session: self.clone(), method, params, answer: Some(answer) });
        #[expect(clippy::disallowed_methods, reason = "a session has no Ctx; this only measures how long was waited")]
        let began = tokio::time::Instant::now();
        let answered = tokio::select! {
            biased;
            answer = wait => Ok(answer),
            over = tokio::time::timeout(at_most, self.0.bounds.reached()) => Err(over),
        };
        match answered {
            Ok(Ok(Ok(result))) => Ok(result),
            Ok(Ok(Err(Failure::Refused(refusal)))) if refusal.code == SESSION_NOT_FOUND => {
                Err(CdpError::gone("the page or frame is gone"))
            }
            Ok(Ok(Err(Failure::Refused(refusal)))) => {
                Err(CdpError::Protocol { method, code: refusal.code, message: refusal.text() })
            }
            Ok(Ok(Err(Failure::Gone(why)))) => Err(CdpError::gone(why)),
            // The actor dropped the question: it has ended.
            Ok(Err(_)) => Err(CdpError::gone(self.why_gone())),
            Err(_) => Err(CdpError::Timeout {
                method,
                ms: u64::try_from(began.elapsed().min(at_most).as_millis()).unwrap_or(u64::MAX),
            }),
        }
    }

    /// Sends a command whose answer nobody waits for. Commands of one caller arrive in the order in which they are sent.
    pub fn post(&self, method: &'static str, params: impl Serialize) {
        match encode(method, &params) {
            Ok(params) => self.command(Command::Call { session: self.clone(), method, params, answer: None }),
            Err(error) => tracing::debug!(method, %error, "a command was not sent"),
        }
    }

    /// The events of this session only. The first subscriber also gets what came since the target was attached.
    pub fn events(&self) -> Events {
        self.taps().subscribe()
    }

    /// The target was closed, or the connection is gone.
    pub fn is_gone(&self) -> bool {
        self.0.gone.get().is_some() || self.0.commands.is_closed()
    }

    pub(crate) fn bounds(&self) -> &Bounds {
        &self.0.bounds
    }

    pub(crate) fn check_alive(&self) -> Result<(), CdpError> {
        if self.is_gone() { Err(CdpError::gone(self.why_gone())) } else { Ok(()) }
    }

    fn why_gone(&self) -> String {
        self.0.gone.get().cloned().unwrap_or_else(|| "the browser was closed".to_owned())
    }

    pub(crate) fn command(&self, command: Command) {
        // When the actor has ended, the question inside the command is dropped, and so its asker learns of it.
        let _ = self.0.commands.send(command);
    }

    pub(crate) fn shared_id(&self) -> Arc<str> {
        self.0.id.clone()
    }

    pub(crate) fn taps(&self) -> MutexGuard<'_, Taps> {
        self.0.taps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session ends: whoever listens to it hears no more.
    pub(crate) fn end(&self, why: &str) {
        let _ = self.0.gone.set(why.to_owned());
        self.taps().close();
    }
}

/// The code with which a browser says that a session is not there any more.
const SESSION_NOT_FOUND: i64 = -32001;

/// Parameters as JSON; none for `()`, since the browser takes an object or nothing.
pub(crate) fn encode(method: &'static str, params: &impl Serialize) -> Result<Option<Box<RawValue>>, CdpError> {
    let json = to_raw_value(params).map_err(|error| CdpError::Misread {
        method,
        why: format!("its parameters cannot be written as JSON: {error}"),
    })?;
    Ok((json.get() != "null").then_some(json))
}
