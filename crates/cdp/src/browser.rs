//! A browser, started by us or found running.

use crate::{BrowserEvent, CdpError, DialogPolicy, LaunchOptions, Session};
use handeye_core::Ctx;
use serde_json::Value;
use std::path::Path;
use tokio::sync::{broadcast, watch};

/// A page that is attached now.
#[derive(Clone, Debug)]
pub struct PageTarget {
    pub target_id: String,
    /// Target id of the page that opened it.
    pub opener: Option<String>,
    pub url: String,
    pub title: String,
    pub session: Session,
}

/// A browser. Owns the connection, and of a browser that we started also the process and the profile folder.
#[derive(Debug)]
pub struct Browser {
    root: Session,
    events: broadcast::Sender<BrowserEvent>,
    pages: watch::Sender<Vec<PageTarget>>,
}

impl Browser {
    /// Starts a browser and waits until it answers and shows a page. Nothing is left of it when this fails.
    pub async fn launch(_options: &LaunchOptions, _cx: &Ctx) -> Result<Self, CdpError> {
        Err(CdpError::gone("not connected"))
    }

    /// Connects to a running browser at `http://HOST:PORT` or `ws://HOST:PORT/devtools/browser/…`.
    pub async fn attach(_endpoint: &str, _dialogs: DialogPolicy, _cx: &Ctx) -> Result<Self, CdpError> {
        Err(CdpError::gone("not connected"))
    }

    /// The browser's own session.
    pub fn root(&self) -> Session {
        self.root.clone()
    }

    /// Product and version: `HeadlessChrome/156.0.0.0`.
    pub fn version(&self) -> &str {
        ""
    }

    /// Where another program can attach: known for a running browser and for one that is kept open.
    pub fn endpoint(&self) -> Option<&str> {
        None
    }

    /// Things that a person should know about how it was started.
    pub fn log(&self) -> &[String] {
        &[]
    }

    /// We started it.
    pub fn is_owned(&self) -> bool {
        true
    }

    /// The attached pages, oldest first. Of a browser that we did not start only the pages that are ours: the first one,
    /// those we opened, and what those opened.
    pub fn pages(&self) -> Vec<PageTarget> {
        self.pages.borrow().clone()
    }

    /// [`Browser::pages`] as they change.
    pub fn watch_pages(&self) -> watch::Receiver<Vec<PageTarget>> {
        self.pages.subscribe()
    }

    /// Opens a page and returns once it is attached.
    pub async fn new_page(&self, _url: &str) -> Result<Session, CdpError> {
        Err(CdpError::gone("not connected"))
    }

    /// Commands for every page and frame: sent at once to those attached now, and to each new one before its first script
    /// runs. Answers and errors are ignored, so a command that only suits pages does no harm to frames.
    pub fn on_new_target(&self, _commands: Vec<(&'static str, Value)>) {}

    /// Saves downloads into `dir` and tells of them.
    pub async fn set_download_dir(&self, _dir: &Path) -> Result<(), CdpError> {
        Err(CdpError::gone("not connected"))
    }

    /// What happens from now on. A slow receiver is told that it missed some.
    pub fn subscribe(&self) -> broadcast::Receiver<BrowserEvent> {
        self.events.subscribe()
    }

    /// Ends a browser that we started (unless it is kept open) and removes its profile folder, or lets go of one that we did
    /// not start. Takes at most about ten seconds.
    pub async fn close(self) {}
}
