//! Native dialogs are answered as they open: until then the page stands still, and with it every call on it.

use super::{Outlets, Sender, read};
use crate::{BrowserEvent, DialogPolicy, Session};
use handeye_core::DialogKind;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

pub(super) struct Dialogs {
    policy: DialogPolicy,
    /// By session; a page shows one at a time.
    open: HashMap<Arc<str>, Open>,
    /// By session: since when it opens one dialog after the other, and how many so far.
    storms: HashMap<Arc<str>, (Instant, u32)>,
}

/// A page that opens so many dialogs within this time is stuck in a loop of them: its script is ended, as a person would
/// who asks the browser to show no more.
const STORM: (u32, Duration) = (100, Duration::from_secs(5));

struct Open {
    session: Session,
    kind: DialogKind,
    message: String,
    accepted: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Opening {
    #[serde(default)]
    message: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    default_prompt: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Closed {
    result: bool,
}

impl Dialogs {
    pub(super) fn new(policy: DialogPolicy) -> Self {
        Self { policy, open: HashMap::new(), storms: HashMap::new() }
    }

    pub(super) fn opening(&mut self, session: &Session, json: &str, out: &mut Sender, outlets: &Outlets) {
        let opening = read("Page.javascriptDialogOpening", json).unwrap_or(Opening {
            message: String::new(),
            kind: String::new(),
            default_prompt: None,
        });
        let kind = match opening.kind.as_str() {
            "confirm" => DialogKind::Confirm,
            "prompt" => DialogKind::Prompt,
            "beforeunload" => DialogKind::BeforeUnload,
            // A kind that is new to us still has to be answered, and can be taken note of at least.
            _ => DialogKind::Alert,
        };
        let accepted = match kind {
            DialogKind::Alert | DialogKind::BeforeUnload => true,
            DialogKind::Confirm | DialogKind::Prompt => self.policy == DialogPolicy::Accept,
        };
        let mut answer = json!({"accept": accepted});
        if let (DialogKind::Prompt, true, Some(text)) = (kind, accepted, opening.default_prompt) {
            answer["promptText"] = text.into();
        }
        if self.is_storm(session) {
            out.post(session, "Runtime.terminateExecution", &json!({}));
        }
        out.post(session, "Page.handleJavaScriptDialog", &answer);
        let message = opening.message;
        outlets.tell(BrowserEvent::DialogOpened { session: session.clone(), kind, message: message.clone() });
        self.open.insert(session.shared_id(), Open { session: session.clone(), kind, message, accepted });
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the actor has no Ctx, and nothing that is recorded depends on this time"
    )]
    fn is_storm(&mut self, session: &Session) -> bool {
        let now = Instant::now();
        let (since, count) = self.storms.entry(session.shared_id()).or_insert((now, 0));
        if now.duration_since(*since) > STORM.1 {
            (*since, *count) = (now, 0);
        }
        *count += 1;
        *count % STORM.0 == 0
    }

    pub(super) fn closed(&mut self, session: &Session, json: &str, outlets: &Outlets) {
        let Some(open) = self.open.remove(session.id()) else { return };
        // A person at the window may have been faster than we were.
        let accepted = read("Page.javascriptDialogClosed", json).map_or(open.accepted, |closed: Closed| closed.result);
        tell(open, accepted, outlets);
    }

    /// The page closed with its dialog open.
    pub(super) fn forget(&mut self, session: &Session, outlets: &Outlets) {
        self.storms.remove(session.id());
        if let Some(open) = self.open.remove(session.id()) {
            let accepted = open.accepted;
            tell(open, accepted, outlets);
        }
    }
}

fn tell(open: Open, accepted: bool, outlets: &Outlets) {
    let Open { session, kind, message, .. } = open;
    outlets.tell(BrowserEvent::DialogClosed { session, kind, message, accepted });
}
