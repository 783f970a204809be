//! What is known of one tab, kept up to date by tasks that read its events.
//!
//! A tab has one session, and one more for each iframe that lives in a process of its own. Every document of either has a
//! *world*: the isolated JavaScript context that our script runs in, unseen by the page.

use super::script::{ScriptError, library, tell, world};
use super::told::Told;
use handeye_cdp::{CdpError, Events, Heard, Session, SessionEvent};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

pub(super) use super::traffic::Traffic;

/// The context of one document that our script runs in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct World {
    /// Unique for the life of the browser; gone with its document.
    pub(super) context: String,
    pub(super) frame: String,
    pub(super) session: Session,
}

/// How far the main document has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Load {
    /// Another document was asked for and has not come yet.
    Leaving,
    Loading,
    /// Parsed; images and the like may be on their way.
    Parsed,
    #[default]
    Loaded,
}

#[derive(Debug, Default)]
pub(super) struct State {
    /// By frame id.
    pub(super) worlds: HashMap<String, World>,
    /// The main frame's address without its fragment changes.
    pub(super) url: String,
    /// A page opened this tab, and its first document has not come yet.
    pub(super) fresh: bool,
    /// How many documents the main frame has shown.
    pub(super) documents: u64,
    /// How many times the address changed without a new document.
    pub(super) hops: u64,
    /// Where documents went that came without input.
    unasked: HashSet<String>,
    /// The page itself refreshes: the document that is on its way, or came last, was asked for by no input.
    refreshes: bool,
    /// How many times a link or a form sent a frame to another address since the input.
    pub(super) frames_sent: u32,
    pub(super) load: Load,
    /// The document that is on its way, or was last.
    pub(super) awaited: Awaited,
    /// The status with which the server answered when it was asked for the document that is there: 400 and above only.
    pub(super) status: Option<Status>,
    /// The same of the document that is to come.
    coming: Option<Status>,
    pub(super) traffic: Traffic,
    /// A file chooser that the page opened: the node that takes the files, and whether it takes several.
    pub(super) chooser: Option<Chooser>,
    /// What the page's script told without being asked, since the input.
    pub(super) told: Told,
    /// A drag that the page's own drag and drop took over.
    pub(super) drag: Option<Value>,
    pub(super) gone: bool,
    /// Changes with each event of the tab.
    pub(super) news: u64,
}

/// A document that was asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Awaited {
    pub(super) url: String,
    /// It was waited for as long as a look waits: nothing waits for it again.
    pub(super) late: bool,
}

/// An HTTP status that tells of a failure.
#[derive(Clone, Debug)]
pub(super) struct Status {
    /// `404 Not Found`
    pub(super) line: String,
    /// It was told with an observation.
    pub(super) told: bool,
}

impl State {
    /// ` (the server answered 404 Not Found)`, or nothing.
    pub(super) fn status_aside(&self) -> String {
        self.status.as_ref().map(|s| format!(" (the server answered {})", s.line)).unwrap_or_default()
    }

    /// A document was asked for; until it comes, the browser holds back every script of ours, also in the page that is still
    /// shown.
    fn leave_for(&mut self, url: String) {
        self.load = Load::Leaving;
        self.awaited = Awaited { url, late: false };
    }

    /// The last document came, or is to come, as others did without input.
    pub(super) fn is_restless(&self) -> bool {
        self.refreshes || self.unasked.contains(base(&self.url))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Chooser {
    pub(super) node: i64,
    pub(super) several: bool,
    pub(super) session: Session,
}

/// One tab. Its event readers end when it is dropped.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) session: Session,
    shared: Arc<Shared>,
    readers: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Notify,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        for reader in self.readers.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            reader.abort();
        }
    }
}

impl Page {
    pub(super) fn new(session: Session, url: &str) -> Self {
        let page = Self { session: session.clone(), shared: Arc::default(), readers: Mutex::default() };
        url.clone_into(&mut page.lock().url);
        page.read_events_of(session);
        page
    }

    /// Also used for frames that live in a process of their own.
    pub(super) fn read_events_of(&self, session: Session) {
        let events = session.events();
        let reader = tokio::spawn(read(session, self.session.clone(), events, self.shared.clone()));
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
    }

    pub(super) fn target(&self) -> &str {
        self.session.target_id()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.lock()
    }

    /// Another document was waited for in vain, and is on its way still.
    pub(super) fn is_late(&self) -> bool {
        let state = self.lock();
        state.load == Load::Leaving && state.awaited.late
    }

    pub(super) fn news(&self) -> u64 {
        self.lock().news
    }

    /// Waits until `test` gives something, looking again at each change; `None` when the time is over.
    pub(super) async fn wait<T>(&self, until: Instant, mut test: impl FnMut(&mut State) -> Option<T>) -> Option<T> {
        loop {
            let changed = self.shared.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if let Some(found) = test(&mut self.lock()) {
                return Some(found);
            }
            tokio::time::timeout_at(until.into(), changed).await.ok()?;
        }
    }

    /// The main document's world. Waits for it while a document is on its way, then makes one.
    pub(super) async fn main(&self, until: Instant) -> Result<World, ScriptError> {
        let id = self.target().to_owned();
        // The script is put into each document before its own scripts run, so its world is known at once or very soon.
        let find = |state: &mut State| {
            if state.gone {
                return Some(None);
            }
            state.worlds.get(&id).cloned().map(Some)
        };
        match self.wait(until, find).await {
            Some(Some(world)) => Ok(world),
            Some(None) => Err(ScriptError::Cdp(CdpError::Gone { why: "the tab is gone".to_owned() })),
            // The browser would not answer before the document comes.
            None if self.lock().load == Load::Leaving => {
                Err(ScriptError::Cdp(CdpError::Timeout { method: MAKE_WORLD, ms: LOOK_WITHIN.as_millis() as u64 }))
            }
            None => self.make_world().await,
        }
    }

    /// For a document that our script did not get into, as one from the browser's own cache of pages.
    async fn make_world(&self) -> Result<World, ScriptError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Made {
            execution_context_id: i64,
        }
        #[derive(Deserialize)]
        struct Answer {}
        let frame = self.target();
        let made: Made = self.session.call(MAKE_WORLD, json!({"frameId": frame, "worldName": world()})).await?;
        let params = json!({"contextId": made.execution_context_id, "expression": library(), "silent": true});
        let _: Answer = self.session.call("Runtime.evaluate", params).await?;
        let id = frame.to_owned();
        self.lock().worlds.get(&id).cloned().ok_or(ScriptError::DocumentGone)
    }

    /// Worlds of all frames but the main one.
    pub(super) fn inner_worlds(&self) -> Vec<World> {
        let main = self.target();
        self.lock().worlds.values().filter(|w| w.frame != main && !w.session.is_gone()).cloned().collect()
    }
}

/// The events that are read, one field each.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    unique_id: String,
    #[serde(default)]
    name: String,
    aux_data: AuxData,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AuxData {
    frame_id: String,
}
#[derive(Deserialize)]
struct ContextCreated {
    context: Context,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContextDestroyed {
    execution_context_unique_id: String,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameInfo {
    id: String,
    parent_id: Option<String>,
    url: String,
}
#[derive(Deserialize)]
struct FrameNavigated {
    frame: FrameInfo,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfFrame {
    frame_id: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    navigation_type: String,
    #[serde(default)]
    disposition: String,
    #[serde(default)]
    reason: String,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChooserOpened {
    mode: String,
    backend_node_id: Option<i64>,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answered {
    #[serde(default)]
    frame_id: String,
    #[serde(rename = "type", default)]
    kind: String,
    response: Response,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    status: u16,
    #[serde(default)]
    status_text: String,
}
#[derive(Deserialize)]
struct Called {
    name: String,
    payload: String,
}
#[derive(Deserialize)]
struct Dragged {
    data: Value,
}

async fn read(session: Session, page: Session, mut events: Events, shared: Arc<Shared>) {
    let is_page = session == page;
    while let Some(heard) = events.next().await {
        match heard {
            Heard::Event(event) => {
                let mut state = shared.lock();
                state.news += 1;
                take(&event, &session, is_page, &mut state);
            }
            // What was missed may have been a document's end: worlds that are no more are noticed when they are used.
            Heard::Missed(count) => tracing::debug!(count, "events of a tab were dropped"),
        }
        shared.changed.notify_waiters();
    }
    let mut state = shared.lock();
    state.worlds.retain(|_, world| world.session != session);
    state.gone |= is_page;
    drop(state);
    shared.changed.notify_waiters();
}

fn take(event: &SessionEvent, session: &Session, is_page: bool, state: &mut State) {
    let main = |frame: &str| is_page && frame == session.target_id();
    match &*event.method {
        "Runtime.executionContextCreated" => {
            if let Some(ContextCreated { context }) = read_event(event)
                && context.name == world()
            {
                let frame = context.aux_data.frame_id;
                let world = World { context: context.unique_id, frame: frame.clone(), session: session.clone() };
                state.worlds.insert(frame, world);
            }
        }
        "Runtime.executionContextDestroyed" => {
            if let Some(gone) = read_event::<ContextDestroyed>(event) {
                state.worlds.retain(|_, world| world.context != gone.execution_context_unique_id);
            }
        }
        "Runtime.executionContextsCleared" => state.worlds.retain(|_, world| world.session != *session),
        "Page.frameNavigated" => {
            if let Some(FrameNavigated { frame }) = read_event(event)
                && is_page
                && frame.parent_id.is_none()
                && frame.id == session.target_id()
            {
                if !state.traffic.is_watching() && state.documents > 0 {
                    state.unasked.insert(base(&frame.url).to_owned());
                }
                state.documents += 1;
                state.fresh = false;
                state.url = frame.url;
                state.status = state.coming.take();
                state.load = Load::Loading;
                state.traffic.new_document();
            }
        }
        "Page.frameStartedNavigating" => {
            if let Some(of) = read_event::<OfFrame>(event)
                && main(&of.frame_id)
                && !of.navigation_type.to_lowercase().contains("samedocument")
            {
                state.leave_for(of.url);
            }
        }
        "Page.frameRequestedNavigation" => {
            let Some(of) = read_event::<OfFrame>(event).filter(|of| of.disposition == "currentTab") else { return };
            if !main(&of.frame_id) {
                state.frames_sent += u32::from(by_hand(&of.reason));
            } else if leaves(&state.url, &of.url) {
                state.leave_for(of.url);
                state.refreshes = matches!(of.reason.as_str(), "metaTagRefresh" | "httpHeaderRefresh");
            }
        }
        "Page.navigatedWithinDocument" => {
            if let Some(of) = read_event::<OfFrame>(event)
                && main(&of.frame_id)
            {
                state.hops += 1;
                state.url = of.url;
                if state.load == Load::Leaving {
                    state.load = Load::Loaded;
                }
            }
        }
        "Page.domContentEventFired" if is_page => state.load = state.load.max(Load::Parsed).min(Load::Parsed),
        "Page.loadEventFired" if is_page => state.load = Load::Loaded,
        // A download or an answer without content ends a navigation without a document.
        "Page.frameStoppedLoading" => {
            if let Some(of) = read_event::<OfFrame>(event)
                && main(&of.frame_id)
            {
                state.load = Load::Loaded;
            }
        }
        "Page.fileChooserOpened" => {
            if let Some(ChooserOpened { mode, backend_node_id: Some(node) }) = read_event(event) {
                state.chooser = Some(Chooser { node, several: mode == "selectMultiple", session: session.clone() });
            }
        }
        "Network.responseReceived" => {
            if let Some(Answered { frame_id, kind, response }) = read_event(event)
                && kind == "Document"
                && main(&frame_id)
            {
                let line = format!("{} {}", response.status, response.status_text).trim().to_owned();
                state.coming = (response.status >= 400).then_some(Status { line, told: false });
            }
            state.traffic.take(event);
        }
        "Runtime.bindingCalled" => {
            if let Some(called) = read_event::<Called>(event).filter(|called| called.name == tell()) {
                state.told.take(&called.payload);
            }
        }
        "Page.javascriptDialogOpening" => state.told.opens(),
        "Input.dragIntercepted" => state.drag = read_event::<Dragged>(event).map(|d| d.data),
        _ => state.traffic.take(event),
    }
}

/// An address that differs in more than its fragment needs another document.
fn leaves(here: &str, there: &str) -> bool {
    let page = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    !there.contains('#') || page(here) != page(there)
}

/// An address without what is added to it.
fn base(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

/// A link or a form, and no script's own idea.
fn by_hand(reason: &str) -> bool {
    reason == "anchorClick" || reason.starts_with("formSubmission")
}

pub(super) fn read_event<T: DeserializeOwned>(event: &SessionEvent) -> Option<T> {
    event.read()
}

const MAKE_WORLD: &str = "Page.createIsolatedWorld";

/// How long a call that only looks may take before the page counts as stuck.
pub(super) const LOOK_WITHIN: Duration = Duration::from_secs(8);
