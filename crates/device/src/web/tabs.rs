//! Tabs: which one is in front, and what happened to them and around them.

use super::page::{LOOK_WITHIN, Page};
use super::script::{library, tell, world};
use super::{Note, WebDevice, fault};
use handeye_cdp::{BrowserEvent, Ignored, Session};
use handeye_core::{Action, Ctx, DeviceCause, DeviceError, Dialog, Effect, Element};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::error::TryRecvError;

/// The end of a tab is told at once.
const END_WITHIN: Duration = Duration::from_millis(500);
/// So many dialogs are told of one by one.
const MOST_DIALOGS: usize = 10;
/// The first page may take this long to answer; after that it is looked at as it is.
const FIRST_LOAD: Duration = Duration::from_secs(30);

/// The tabs, in the order in which they came to the front: the last one is in front.
#[derive(Debug, Default)]
pub(super) struct Tabs {
    list: Vec<Tab>,
}

#[derive(Debug)]
struct Tab {
    page: Arc<Page>,
    /// We or our page opened it.
    ours: bool,
}

impl Tabs {
    pub(super) fn front(&self) -> Option<Arc<Page>> {
        self.list.last().map(|tab| tab.page.clone())
    }
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
    pub(super) fn opened_by_us(&self) -> impl Iterator<Item = &Arc<Page>> {
        self.list.iter().filter(|tab| tab.ours).map(|tab| &tab.page)
    }
    pub(super) fn push(&mut self, page: Arc<Page>, ours: bool) {
        self.list.push(Tab { page, ours });
    }
    /// Leaves the tabs as a person would find them: the one in front is the one that is looked at.
    pub(super) async fn leave(&self) {
        for tab in &self.list {
            tab.page.session.post("Emulation.setFocusEmulationEnabled", json!({"enabled": false}));
        }
        if let Some(page) = self.front() {
            // A page that does not answer is left as it is.
            let shown = page.session.call_within::<Ignored>("Page.bringToFront", (), Duration::from_secs(1)).await;
            if let Err(error) = shown {
                tracing::debug!(%error, "the tab in front was not brought there at the end");
            }
        }
    }
    fn find(&self, target: &str) -> Option<&Arc<Page>> {
        self.list.iter().map(|tab| &tab.page).find(|page| page.target() == target)
    }
    /// The page that a session belongs to, also as the session of one of its frames.
    fn of_session(&self, session: &Session) -> Option<&Arc<Page>> {
        let holds =
            |page: &Page| page.session == *session || page.lock().worlds.values().any(|w| w.session == *session);
        self.list.iter().map(|tab| &tab.page).find(|page| holds(page))
    }
    /// Whether the tab that was in front is no more.
    fn remove(&mut self, target: &str) -> bool {
        let front = self.list.last().is_some_and(|tab| tab.page.target() == target);
        self.list.retain(|tab| tab.page.target() != target);
        front
    }
}

impl WebDevice {
    /// What every page and frame is told before its first script runs.
    fn setup(&self) -> Vec<(&'static str, Value)> {
        let (width, height) = self.options.viewport;
        vec![
            ("Page.enable", json!({})),
            ("Runtime.enable", json!({})),
            ("Runtime.addBinding", json!({"name": tell(), "executionContextName": world()})),
            ("Network.enable", json!({"maxTotalBufferSize": 1, "maxResourceBufferSize": 1, "maxPostDataSize": 0})),
            (
                "Page.addScriptToEvaluateOnNewDocument",
                json!({"source": library(), "worldName": world(), "runImmediately": true}),
            ),
            (
                "Emulation.setDeviceMetricsOverride",
                json!({"width": width, "height": height, "deviceScaleFactor": self.options.scale, "mobile": false}),
            ),
            ("Emulation.setFocusEmulationEnabled", json!({"enabled": true})),
            ("Page.setInterceptFileChooserDialog", json!({"enabled": true})),
        ]
    }

    pub(super) async fn open_first(&mut self, url: &str, cx: &Ctx) -> Result<(), DeviceError> {
        if !self.browser.is_owned() {
            // Only to be told of them: where an attached browser puts its downloads is its user's choice.
            let told = json!({"behavior": "default", "eventsEnabled": true});
            self.browser.root().post("Browser.setDownloadBehavior", told);
        }
        self.browser.on_new_target(self.setup()).await;
        let first = self.browser.pages().into_iter().next();
        let blank = |url: &str| url.is_empty() || url == "about:blank" || url.starts_with("chrome://newtab");
        let (session, ours) = match first {
            // Somebody's page in somebody's browser is left alone, unless it is the one that was meant.
            Some(page) if self.browser.is_owned() || blank(&page.url) || url.is_empty() => {
                if url.is_empty() {
                    self.options.url.clone_from(&page.url);
                }
                (page.session, false)
            }
            _ => {
                let opened = self.browser.new_page("about:blank").await;
                (opened.map_err(|e| fault::cdp("open a tab", e))?, true)
            }
        };
        self.tabs.push(Arc::new(Page::new(session, "about:blank")), ours);
        if !blank(url) {
            self.load(url, FIRST_LOAD, cx).await?;
        }
        self.catch_up();
        self.wait_for_quiet(Duration::from_secs(3), cx).await.map(drop)
    }

    /// The tab in front, if there is one left.
    pub(super) fn front(&mut self, what: &str) -> Result<Arc<Page>, DeviceError> {
        self.catch_up();
        self.tabs.front().ok_or_else(|| {
            let why = self.end.clone().unwrap_or_else(|| "the last tab of the browser was closed".to_owned());
            DeviceError::gone(what, why).with_hint("the browser or its tab was closed or crashed; start again")
        })
    }

    /// Reads what the browser told since the last time.
    pub(super) fn catch_up(&mut self) {
        loop {
            match self.events.try_recv() {
                Ok(event) => self.take(event),
                Err(TryRecvError::Lagged(_)) => self.compare_tabs(),
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
        // A session is known to be gone a little before the event of it is here.
        let dead = self.tabs.list.iter().filter(|tab| tab.page.session.is_gone());
        for target in dead.map(|tab| tab.page.target().to_owned()).collect::<Vec<_>>() {
            self.closed(&target);
        }
    }

    /// After events were missed: the list of pages tells which tabs came and went.
    fn compare_tabs(&mut self) {
        let pages = self.browser.pages();
        let gone: Vec<String> = self.tabs.list.iter().map(|t| t.page.target().to_owned()).collect();
        for target in gone.iter().filter(|t| !pages.iter().any(|p| p.target_id == **t)) {
            self.closed(target);
        }
        for page in pages {
            if self.tabs.find(&page.target_id).is_none() {
                self.opened(page.session, &page.url);
            }
        }
    }

    pub(super) fn take(&mut self, event: BrowserEvent) {
        match event {
            BrowserEvent::PageOpened { target_id, session, url, .. } => {
                if self.tabs.find(&target_id).is_none() && self.tabs.len() > 0 {
                    self.opened(session, &url);
                }
            }
            BrowserEvent::PageClosed { target_id } => self.closed(&target_id),
            BrowserEvent::FrameAttached { parent, session, .. } => {
                if let Some(page) = self.tabs.of_session(&parent) {
                    page.read_events_of(session);
                }
            }
            BrowserEvent::DialogOpened { .. } => {}
            BrowserEvent::DialogClosed { kind, message, accepted, .. } => {
                self.counts.dialogs += 1;
                if self.idle && self.unasked.len() < 1000 {
                    self.unasked.insert(super::settle::bare(&message));
                }
                // Of a flood, the first ones and the last one tell enough.
                if self.dialogs.len() >= MOST_DIALOGS {
                    self.dialogs.pop();
                    self.untold += 1;
                }
                self.dialogs.push(Dialog { kind, message, accepted });
            }
            BrowserEvent::Downloading { .. } => self.counts.downloads += 1,
            BrowserEvent::Downloaded { name, bytes, path, completed, .. } => self.notes.push(Note::Text(match path {
                _ if !completed => format!("the download of {name} was broken off"),
                Some(path) => format!("downloaded {name} ({bytes} bytes) to {}", path.display()),
                None => format!("downloaded {name} ({bytes} bytes)"),
            })),
            BrowserEvent::Crashed { target_id, why } => {
                self.notes.push(Note::Text(format!("a tab crashed: {why}")));
                self.end = Some(format!("the tab crashed: {why}"));
                self.closed(&target_id);
            }
            BrowserEvent::Gone { why } => {
                self.end = Some(why);
                self.tabs.list.clear();
            }
        }
    }

    fn opened(&mut self, session: Session, url: &str) {
        self.counts.opened += 1;
        session.post("Page.bringToFront", ());
        let page = Arc::new(Page::new(session, url));
        page.lock().fresh = true;
        self.notes.push(Note::Opened(page.clone()));
        self.tabs.push(page, true);
    }

    fn closed(&mut self, target: &str) {
        if self.tabs.find(target).is_none() {
            return;
        }
        self.counts.closed += 1;
        if self.tabs.remove(target)
            && let Some(page) = self.tabs.front()
        {
            let url = page.lock().url.clone();
            self.notes.push(Note::Text(format!("the tab in front was closed; {url} is in front now")));
            page.session.post("Page.bringToFront", ());
        }
    }

    pub(super) async fn close_tab(&mut self, cx: &Ctx) -> Result<Effect, fault::Stop> {
        let page = self.front("close the tab")?;
        if self.tabs.len() < 2 {
            return Ok(Effect::new(handeye_core::Verdict::Refused, "it is the only tab"));
        }
        let target = page.target().to_owned();
        let asked = page.session.call::<Ignored>("Page.close", ()).await;
        // The answer may be lost with the page, so only other errors count.
        if let Err(error) = asked
            && !error.is_gone()
        {
            return Err(fault::cdp("close the tab", error).into());
        }
        let until = cx.instant() + cx.remaining(LOOK_WITHIN);
        page.wait(until, |state| state.gone.then_some(())).await;
        self.catch_up();
        self.closed(&target);
        let url = self.front("close the tab")?.lock().url.clone();
        Ok(Effect::confirmed(format!("the tab was closed; {url} is in front now")))
    }

    /// Closes a new tab whose page does not come: it has nothing to look at. `false` when it is the only one.
    pub(super) fn close_silent(&mut self, page: &Page) -> bool {
        if self.tabs.len() < 2 {
            return false;
        }
        let there = page.lock().awaited.url.clone();
        self.notes.push(Note::Text(format!("{there}, opened in a tab of its own, did not answer: the tab was closed")));
        page.session.post("Page.close", ());
        self.closed(page.target());
        true
    }

    /// A tab that answers no more was closed, and another one is in front. What tells of its end may lag behind the failed
    /// answer a little.
    pub(super) async fn is_replaced(&mut self, page: &Page, cx: &Ctx) -> bool {
        page.wait(cx.instant() + END_WITHIN, |state| state.gone.then_some(())).await;
        self.catch_up();
        self.tabs.front().is_some_and(|front| front.target() != page.target())
    }

    /// An action that closed its own tab worked; the device is lost only when no tab is left.
    pub(super) async fn survive(
        &mut self,
        error: DeviceError,
        action: &Action<Element>,
        cx: &Ctx,
    ) -> Result<Effect, DeviceError> {
        let Some(page) = self.tabs.front().filter(|_| error.is_fatal()) else { return Err(error) };
        if !self.is_replaced(&page, cx).await {
            return Err(error);
        }
        if self.notes.iter().any(|note| matches!(note, Note::Text(text) if text.starts_with("a tab crashed"))) {
            return Err(DeviceError::new(action.summary(), DeviceCause::Interrupted("the tab crashed".to_owned())));
        }
        Ok(Effect::confirmed("the tab was closed by it"))
    }
}
