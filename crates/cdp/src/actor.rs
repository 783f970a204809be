//! The actor: the one task that owns a connection, and so puts everything that happens on it in one order.
//!
//! New targets and dialogs are answered here and never by whoever waits for a call: the browser acknowledges a click that
//! opens a popup only after the popup was resumed, and one that opens a dialog only after the dialog was answered.

mod dialogs;
mod downloads;
mod targets;

use crate::bounds::Bounds;
use crate::message::{Incoming, Outgoing, Refusal};
use crate::wire::Wire;
use crate::{BrowserEvent, DialogPolicy, PageTarget, Session, SessionEvent};
use dialogs::Dialogs;
use downloads::Downloads;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::Arc;
use targets::Targets;
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::task::JoinHandle;

/// What becomes of a question.
pub(crate) type Answer = Result<Box<RawValue>, Failure>;

pub(crate) enum Failure {
    Refused(Refusal),
    Gone(String),
}

/// What the handles ask of the actor.
pub(crate) enum Command {
    Call {
        session: Session,
        method: &'static str,
        params: Option<Box<RawValue>>,
        answer: Option<oneshot::Sender<Answer>>,
    },
    /// Sent to every page and frame, now and when one comes. Tells what those that are here now answer.
    OnNewTarget { inits: Vec<Init>, sent: oneshot::Sender<Vec<oneshot::Receiver<Answer>>> },
    /// From now on the page is ours; tells once it is attached.
    Adopt { target_id: String, attached: oneshot::Sender<Session> },
}

/// A command for each new target.
pub(crate) struct Init {
    pub(crate) method: &'static str,
    pub(crate) params: Option<Box<RawValue>>,
}

/// Which pages are set up, watched and listed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    All,
    /// Only those that were adopted and what they opened: in a person's own browser the other tabs are none of our business.
    Adopted,
}

/// Messages out of the actor that outlive it.
#[derive(Clone, Debug)]
pub(crate) struct Outlets {
    pub(crate) events: broadcast::Sender<BrowserEvent>,
    pub(crate) pages: Arc<watch::Sender<Vec<PageTarget>>>,
}

impl Outlets {
    pub(crate) fn new() -> Self {
        Self { events: broadcast::channel(1024).0, pages: Arc::new(watch::channel(Vec::new()).0) }
    }
    /// Nobody may be listening, which is fine.
    fn tell(&self, event: BrowserEvent) {
        let _ = self.events.send(event);
    }
}

/// The actor's task, ended when this is dropped.
#[derive(Debug)]
pub(crate) struct ActorTask(JoinHandle<()>);

impl Drop for ActorTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

pub(crate) fn start(wire: Wire, scope: Scope, dialogs: DialogPolicy, outlets: Outlets) -> (Session, ActorTask) {
    let (sender, commands) = mpsc::unbounded_channel();
    let bounds = Bounds::default();
    let root = Session::new("", "", sender.clone(), bounds.clone());
    let actor = Actor {
        out: Sender { wire, next_id: 1, pending: HashMap::new() },
        root: root.clone(),
        targets: Targets::new(scope, sender, bounds),
        dialogs: Dialogs::new(dialogs),
        downloads: Downloads::default(),
        outlets,
        end: "the browser was closed".to_owned(),
    };
    (root, ActorTask(tokio::spawn(actor.run(commands))))
}

struct Actor {
    out: Sender,
    root: Session,
    targets: Targets,
    dialogs: Dialogs,
    downloads: Downloads,
    outlets: Outlets,
    /// Why it ended.
    end: String,
}

impl Drop for Actor {
    /// Also when the task is aborted: whoever waits must learn that nothing will come.
    fn drop(&mut self) {
        self.out.fail_all(&self.end);
        self.targets.end_all(&self.end, &self.outlets);
        self.root.end(&self.end);
        self.outlets.tell(BrowserEvent::Gone { why: self.end.clone() });
    }
}

impl Actor {
    async fn run(mut self, mut commands: mpsc::UnboundedReceiver<Command>) {
        loop {
            tokio::select! {
                message = self.out.wire.receive() => match message {
                    Ok(text) => self.receive(&text),
                    Err(why) => {
                        self.end = why;
                        return;
                    }
                },
                command = commands.recv() => match command {
                    Some(command) => self.obey(command),
                    None => return,
                },
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Call { session, method, params, answer } => {
                // The session may have ended after its handle looked.
                if let (Err(error), true) = (session.check_alive(), answer.is_some()) {
                    if let Some(answer) = answer {
                        let _ = answer.send(Err(Failure::Gone(error.to_string())));
                    }
                    return;
                }
                self.out.call(&session, method, params.as_deref(), answer);
            }
            Command::OnNewTarget { inits, sent } => {
                let _ = sent.send(self.targets.add_inits(inits, &mut self.out));
            }
            Command::Adopt { target_id, attached } => {
                self.targets.adopt(&target_id, attached, &mut self.out, &self.outlets);
            }
        }
    }

    fn receive(&mut self, text: &str) {
        let incoming: Incoming<'_> = match serde_json::from_str(text) {
            Ok(incoming) => incoming,
            Err(error) => {
                tracing::debug!(%error, bytes = text.len(), "an unreadable message was ignored");
                return;
            }
        };
        if let Some(id) = incoming.id {
            self.out.answered(id, incoming.result, incoming.error);
        } else if let Some(method) = incoming.method {
            let session = match incoming.session.as_deref() {
                None | Some("") => Some(self.root.clone()),
                Some(id) => self.targets.session(id),
            };
            // Workers and other people's tabs are attached but not listened to.
            if let Some(session) = session {
                self.happened(&session, &method, incoming.params);
            }
        }
    }

    fn happened(&mut self, session: &Session, method: &str, params: Option<&RawValue>) {
        let json = params.map_or("{}", RawValue::get);
        match method {
            "Target.attachedToTarget" => self.targets.attached(session, json, &mut self.out, &self.outlets),
            "Target.detachedFromTarget" => self.targets.detached(json, &mut self.out, &mut self.dialogs, &self.outlets),
            "Target.targetInfoChanged" => self.targets.info_changed(json, &self.outlets),
            "Target.targetCrashed" => self.targets.crashed(json, &mut self.out, &self.outlets),
            "Page.javascriptDialogOpening" => self.dialogs.opening(session, json, &mut self.out, &self.outlets),
            "Page.javascriptDialogClosed" => self.dialogs.closed(session, json, &self.outlets),
            "Browser.downloadWillBegin" => self.downloads.began(json, &self.outlets),
            "Browser.downloadProgress" => self.downloads.progressed(json, &self.outlets),
            _ => {}
        }
        let params = params.map_or_else(empty_object, |params| Arc::from(params.to_owned()));
        session.taps().push(&SessionEvent { session: session.shared_id(), method: method.into(), params });
    }
}

fn empty_object() -> Arc<RawValue> {
    // An object without members is valid JSON, so the fallback, which is also valid, is never reached.
    Arc::from(RawValue::from_string("{}".to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned()))
}

/// Reads an event's parameters; an event of another shape is a newer browser's and is ignored.
fn read<T: DeserializeOwned>(event: &'static str, json: &str) -> Option<T> {
    crate::message::read(json).map_err(|error| tracing::debug!(event, %error, "an event was ignored")).ok()
}

/// The outgoing half: numbers the calls and remembers who waits for which.
struct Sender {
    wire: Wire,
    next_id: u64,
    pending: HashMap<u64, Pending>,
}

struct Pending {
    session: Arc<str>,
    answer: oneshot::Sender<Answer>,
}

impl Sender {
    fn call(
        &mut self,
        session: &Session,
        method: &'static str,
        params: Option<&RawValue>,
        answer: Option<oneshot::Sender<Answer>>,
    ) {
        let id = self.next_id;
        self.next_id += 1;
        let outgoing = Outgoing { id, method, params, session: session.id() };
        match serde_json::to_string(&outgoing) {
            Ok(text) => self.wire.send(text),
            // Names and JSON that was already written: this cannot fail. The asker would time out.
            Err(error) => tracing::debug!(method, %error, "a command was not sent"),
        }
        if let Some(answer) = answer {
            // Callers that gave up leave an entry behind until the answer comes, which may be never.
            if self.pending.len() >= 1024 {
                self.pending.retain(|_, pending| !pending.answer.is_closed());
            }
            self.pending.insert(id, Pending { session: session.shared_id(), answer });
        }
    }

    /// Sends a command of the actor's own.
    fn post(&mut self, session: &Session, method: &'static str, params: &serde_json::Value) {
        match crate::session::encode(method, params) {
            Ok(params) => self.call(session, method, params.as_deref(), None),
            Err(error) => tracing::debug!(method, %error, "a command was not sent"),
        }
    }

    fn answered(&mut self, id: u64, result: Option<&RawValue>, error: Option<Refusal>) {
        let Some(pending) = self.pending.remove(&id) else {
            if let Some(error) = error {
                tracing::debug!(id, code = error.code, message = error.message, "a command nobody waits for failed");
            }
            return;
        };
        let answer = match (error, result) {
            (Some(refusal), _) => Err(Failure::Refused(refusal)),
            (None, Some(result)) => Ok(result.to_owned()),
            (None, None) => Ok(RawValue::NULL.to_owned()),
        };
        let _ = pending.answer.send(answer);
    }

    /// Nothing will answer what was asked on this session.
    fn fail(&mut self, session: &Session, why: &str) {
        for (_, pending) in self.pending.extract_if(|_, pending| *pending.session == *session.id()) {
            let _ = pending.answer.send(Err(Failure::Gone(why.to_owned())));
        }
    }

    fn fail_all(&mut self, why: &str) {
        for (_, pending) in self.pending.drain() {
            let _ = pending.answer.send(Err(Failure::Gone(why.to_owned())));
        }
    }
}

#[cfg(test)]
mod tests;
