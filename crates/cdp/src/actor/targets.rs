//! Pages and frames come and go.

use super::dialogs::Dialogs;
use super::{Answer, Command, Init, Outlets, Scope, Sender, read};
use crate::bounds::Bounds;
use crate::{BrowserEvent, PageTarget, Session};
use serde::Deserialize;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

pub(super) struct Targets {
    scope: Scope,
    commands: mpsc::UnboundedSender<Command>,
    bounds: Bounds,
    attached: HashMap<String, Attached>,
    inits: Vec<Init>,
    /// Target ids of pages that are ours, attached or not yet.
    adopted: HashSet<String>,
    /// Who waits for a page to be attached.
    waiting: Vec<(String, oneshot::Sender<Session>)>,
}

struct Attached {
    session: Session,
    /// Id of the session that it was attached through; empty for the browser's own.
    parent: Arc<str>,
    kind: Kind,
    info: TargetInfo,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page,
    /// A page that is not ours: attached, since everything is, but left alone.
    Bystander,
    Frame,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetInfo {
    target_id: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    subtype: Option<String>,
    #[serde(default)]
    title: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    opener_id: Option<String>,
}

impl TargetInfo {
    /// A prerendered page or a portal is of type page too, but nobody sees it.
    fn is_page(&self) -> bool {
        self.kind == "page" && self.subtype.as_deref().unwrap_or_default().is_empty()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AttachedToTarget {
    session_id: String,
    target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DetachedFromTarget {
    session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetInfoChanged {
    target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetCrashed {
    target_id: String,
    #[serde(default)]
    status: String,
}

impl Targets {
    pub(super) fn new(scope: Scope, commands: mpsc::UnboundedSender<Command>, bounds: Bounds) -> Self {
        Self {
            scope,
            commands,
            bounds,
            attached: HashMap::new(),
            inits: Vec::new(),
            adopted: HashSet::new(),
            waiting: Vec::new(),
        }
    }

    /// The session of a page or frame that is listened to.
    pub(super) fn session(&self, id: &str) -> Option<Session> {
        self.attached.get(id).filter(|a| a.kind != Kind::Bystander).map(|a| a.session.clone())
    }

    pub(super) fn add_inits(&mut self, inits: Vec<Init>, out: &mut Sender) -> Vec<oneshot::Receiver<Answer>> {
        let mut answers = Vec::new();
        for attached in self.attached.values().filter(|a| a.kind != Kind::Bystander) {
            for init in &inits {
                let (answer, wait) = oneshot::channel();
                out.call(&attached.session, init.method, init.params.as_deref(), Some(answer));
                answers.push(wait);
            }
        }
        self.inits.extend(inits);
        answers
    }

    pub(super) fn adopt(
        &mut self,
        target_id: &str,
        tell: oneshot::Sender<Session>,
        out: &mut Sender,
        outlets: &Outlets,
    ) {
        self.adopted.insert(target_id.to_owned());
        let found = self.attached.values_mut().find(|a| a.info.target_id == target_id && a.kind != Kind::Frame);
        let Some(page) = found else {
            self.waiting.retain(|(_, waiting)| !waiting.is_closed());
            self.waiting.push((target_id.to_owned(), tell));
            return;
        };
        let (session, info) = (page.session.clone(), page.info.clone());
        if std::mem::replace(&mut page.kind, Kind::Page) == Kind::Bystander {
            set_up(&session, &self.inits, out);
            opened(&session, &info, outlets);
        }
        let _ = tell.send(session);
    }

    /// Every new target is paused: it is given its set-up and let go, in that order, and nobody is waited for.
    pub(super) fn attached(&mut self, parent: &Session, json: &str, out: &mut Sender, outlets: &Outlets) {
        let Some(AttachedToTarget { session_id, target_info: info }) = read("Target.attachedToTarget", json) else {
            return;
        };
        let session = Session::new(&session_id, &info.target_id, self.commands.clone(), self.bounds.clone());
        let kind = match info.kind.as_str() {
            "page" if info.is_page() && self.is_ours(&info) => Kind::Page,
            "page" if info.is_page() => Kind::Bystander,
            "iframe" => Kind::Frame,
            // Workers, extensions and what newer browsers may add.
            _ => {
                resume(&session, out);
                return;
            }
        };
        if kind == Kind::Bystander {
            resume(&session, out);
        } else {
            set_up(&session, &self.inits, out);
        }
        match kind {
            Kind::Page => {
                self.adopted.insert(info.target_id.clone());
                opened(&session, &info, outlets);
            }
            Kind::Frame => outlets.tell(BrowserEvent::FrameAttached {
                parent: parent.clone(),
                session: session.clone(),
                target_id: info.target_id.clone(),
                url: info.url.clone(),
            }),
            Kind::Bystander => {}
        }
        for (_, waiting) in self.waiting.extract_if(.., |(id, _)| *id == info.target_id) {
            let _ = waiting.send(session.clone());
        }
        self.attached.insert(session_id, Attached { session, parent: parent.shared_id(), kind, info });
    }

    fn is_ours(&self, info: &TargetInfo) -> bool {
        self.scope == Scope::All
            || self.adopted.contains(&info.target_id)
            || info.opener_id.as_ref().is_some_and(|opener| self.adopted.contains(opener))
    }

    pub(super) fn detached(&mut self, json: &str, out: &mut Sender, dialogs: &mut Dialogs, outlets: &Outlets) {
        let Some(DetachedFromTarget { session_id }) = read("Target.detachedFromTarget", json) else { return };
        let mut ending: Vec<String> = vec![session_id];
        while let Some(id) = ending.pop() {
            let Some(attached) = self.attached.remove(&id) else { continue };
            let why = if attached.kind == Kind::Frame { "the frame is gone" } else { "the page was closed" };
            out.fail(&attached.session, why);
            dialogs.forget(&attached.session, outlets);
            attached.session.end(why);
            if attached.kind == Kind::Page {
                closed(&attached.info.target_id, outlets);
            }
            // What was attached through it goes with it, and need not be told of.
            ending.extend(self.attached.iter().filter(|(_, a)| *a.parent == *id).map(|(id, _)| id.clone()));
        }
    }

    pub(super) fn info_changed(&mut self, json: &str, outlets: &Outlets) {
        let Some(TargetInfoChanged { target_info: info }) = read("Target.targetInfoChanged", json) else { return };
        for attached in self.attached.values_mut().filter(|a| a.info.target_id == info.target_id) {
            attached.info = info.clone();
        }
        outlets.pages.send_if_modified(|pages| {
            let page = pages.iter_mut().find(|page| page.target_id == info.target_id);
            page.is_some_and(|page| {
                let is_new = page.url != info.url || page.title != info.title;
                page.url = info.url;
                page.title = info.title;
                is_new
            })
        });
    }

    /// The process behind a page died. The session lives on, since the page may be loaded again.
    pub(super) fn crashed(&mut self, json: &str, out: &mut Sender, outlets: &Outlets) {
        let Some(TargetCrashed { target_id, status }) = read("Target.targetCrashed", json) else { return };
        let why = if status.is_empty() { "the page crashed".to_owned() } else { format!("the page crashed: {status}") };
        let mut is_ours = false;
        for attached in self.attached.values().filter(|a| a.info.target_id == target_id) {
            out.fail(&attached.session, &why);
            is_ours |= attached.kind == Kind::Page;
        }
        if is_ours {
            outlets.tell(BrowserEvent::Crashed { target_id, why });
        }
    }

    pub(super) fn end_all(&mut self, why: &str, outlets: &Outlets) {
        for (_, attached) in self.attached.drain() {
            attached.session.end(why);
        }
        outlets.pages.send_replace(Vec::new());
    }
}

/// In this order: what comes out of the target must be caught before its first script can run.
fn set_up(session: &Session, inits: &[Init], out: &mut Sender) {
    // Each target attaches its own frames, so a frame within a frame is found as well.
    out.post(
        session,
        "Target.setAutoAttach",
        &json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}),
    );
    out.post(session, "Page.enable", &json!({}));
    out.post(session, "Page.setLifecycleEventsEnabled", &json!({"enabled": true}));
    out.post(session, "Runtime.enable", &json!({}));
    for init in inits {
        out.call(session, init.method, init.params.as_deref(), None);
    }
    resume(session, out);
}

fn resume(session: &Session, out: &mut Sender) {
    out.post(session, "Runtime.runIfWaitingForDebugger", &json!({}));
}

fn opened(session: &Session, info: &TargetInfo, outlets: &Outlets) {
    outlets.pages.send_modify(|pages| {
        pages.push(PageTarget {
            target_id: info.target_id.clone(),
            opener: info.opener_id.clone(),
            url: info.url.clone(),
            title: info.title.clone(),
            session: session.clone(),
        });
    });
    outlets.tell(BrowserEvent::PageOpened {
        target_id: info.target_id.clone(),
        opener: info.opener_id.clone(),
        session: session.clone(),
        url: info.url.clone(),
    });
}

fn closed(target_id: &str, outlets: &Outlets) {
    outlets.pages.send_modify(|pages| pages.retain(|page| page.target_id != target_id));
    outlets.tell(BrowserEvent::PageClosed { target_id: target_id.to_owned() });
}
