//! A browser, started by us or found running.

use crate::actor::{self, ActorTask, Command, Init, Outlets, Scope};
use crate::flags::{self, Place};
use crate::process::{Process, profile_path};
use crate::reaper::Reaper;
use crate::session::encode;
use crate::wire::Wire;
use crate::{BrowserEvent, CALL_TIMEOUT, CdpError, DialogPolicy, Ignored, LaunchOptions, Session, endpoint, find};
use handeye_core::{CancelToken, Ctx};
use serde::Deserialize;
use serde_json::{Value, json};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::{broadcast, oneshot};

/// A cold start on a busy machine takes a few seconds.
const LAUNCH_WITHIN: Duration = Duration::from_secs(20);
const ATTACH_WITHIN: Duration = Duration::from_secs(5);
/// A new page is attached within milliseconds, unless the machine is overloaded.
const PAGE_WITHIN: Duration = Duration::from_secs(10);
/// How long a browser may take to end when asked to, and to say that it heard.
const CLOSE_WITHIN: Duration = Duration::from_secs(3);
const ACKNOWLEDGE_WITHIN: Duration = Duration::from_secs(2);

/// A page that is attached now.
#[derive(Clone, Debug)]
pub struct PageTarget {
    pub target_id: String,
    /// Target id of the page that opened it.
    pub opener: Option<String>,
    pub url: String,
    /// As the browser told it last, which may be before a script changed it.
    pub title: String,
    pub session: Session,
}

/// A browser. Owns the connection, and of a browser that we started also the process and the profile folder: dropping it
/// ends both at once, [`Browser::close`] does so in good order.
#[derive(Debug)]
pub struct Browser {
    // The fields are dropped in this order: the connection ends before the process is killed.
    _actor: ActorTask,
    root: Session,
    outlets: Outlets,
    version: String,
    endpoint: Option<String>,
    log: Vec<String>,
    /// `None` for a browser that we found running.
    process: Option<Process>,
    keep_open: bool,
}

impl Browser {
    /// Starts a browser and waits until it answers and has a page. Nothing is left of it when this fails.
    pub async fn launch(options: &LaunchOptions, cx: &Ctx) -> Result<Self, CdpError> {
        let program = find::browser(options.browser.as_deref(), options.headed, options.search_path.as_deref())?;
        let place = Place::here();
        let profile = profile_path(&options.temp_dir, cx);
        let arguments = flags::arguments(options, &profile, place);
        let at_most = cx.remaining(LAUNCH_WITHIN);

        let start = async {
            let reaper = Reaper::start(options.reaper.as_deref(), &profile).await?;
            Process::start(&program, arguments, profile.clone(), reaper, options.keep_open).await
        };
        let (mut process, pipes) = unless_cancelled(&cx.cancel, start).await?;
        let outlets = Outlets::new();
        let connect = async {
            let (wire, endpoint) = if let Some(pipes) = pipes {
                (Wire::pipe(pipes.from, pipes.to), None)
            } else {
                let (socket, url) = endpoint::connect(&own_endpoint(&profile).await).await?;
                (Wire::socket(socket), Some(url))
            };
            let (root, actor) = actor::start(wire, Scope::All, options.dialogs, outlets.clone());
            let version = greet(&root, at_most).await?;
            save_downloads(&root, &profile.join("downloads")).await?;
            first_page(&root, &outlets, at_most).await?;
            Ok((root, actor, version, endpoint))
        };
        let up = tokio::select! {
            up = within(at_most, connect) => up,
            // One that is kept open has no pipe that would end with it.
            _ = process.ended() => Err(CdpError::gone("it ended")),
            () = cx.cancel.cancelled() => Err(CdpError::Cancelled),
        };
        match up {
            Ok((root, actor, version, endpoint)) => {
                let mut log = flags::remarks(place);
                if options.headed && program.to_string_lossy().contains("headless") {
                    log.push(format!("`{}` cannot show a window", program.display()));
                }
                let process = Some(process);
                Ok(Self { _actor: actor, root, outlets, version, endpoint, log, process, keep_open: options.keep_open })
            }
            Err(error) => {
                let error = explain(error, &program, &mut process, at_most).await;
                process.end(Duration::ZERO).await;
                Err(error)
            }
        }
    }

    /// Connects to a running browser at `http://HOST:PORT` or `ws://HOST:PORT/devtools/browser/…`. Its first ordinary page
    /// becomes ours; when it has none, one is opened.
    pub async fn attach(endpoint: &str, dialogs: DialogPolicy, cx: &Ctx) -> Result<Self, CdpError> {
        let at_most = cx.remaining(ATTACH_WITHIN);
        let outlets = Outlets::new();
        let connect = async {
            let (socket, url) = endpoint::connect(endpoint).await?;
            let (root, actor) = actor::start(Wire::socket(socket), Scope::Adopted, dialogs, outlets.clone());
            let version = greet(&root, at_most).await?;
            let browser = Self {
                _actor: actor,
                root,
                outlets: outlets.clone(),
                version,
                endpoint: Some(url),
                log: Vec::new(),
                process: None,
                keep_open: true,
            };
            browser.adopt_first_page().await?;
            Ok(browser)
        };
        let refused = |why: String| endpoint::refused(endpoint, why);
        match unless_cancelled(&cx.cancel, within(at_most, connect)).await {
            Err(CdpError::Timeout { ms, .. }) => {
                Err(refused(format!("something listens there but does not answer as a browser within {ms} ms")))
            }
            Err(CdpError::Gone { why } | CdpError::Misread { why, .. }) => Err(refused(why)),
            Err(error @ CdpError::Protocol { .. }) => Err(refused(error.to_string())),
            other => other,
        }
    }

    async fn adopt_first_page(&self) -> Result<(), CdpError> {
        let targets: Targets = self.root.call("Target.getTargets", ()).await?;
        let first = targets.target_infos.into_iter().find(Target::is_ordinary);
        match first {
            Some(page) => {
                let page = self.adopt(page.id).await?;
                // A page that hangs, or sleeps in the background, is no reason to refuse the browser.
                let _ = set_up(&page, Duration::from_secs(1)).await;
                Ok(())
            }
            None => self.new_page("about:blank").await.map(drop),
        }
    }

    async fn adopt(&self, target_id: String) -> Result<Session, CdpError> {
        let (attached, wait) = oneshot::channel();
        self.root.command(Command::Adopt { target_id, attached });
        match tokio::time::timeout(PAGE_WITHIN, wait).await {
            Ok(Ok(session)) => Ok(session),
            Ok(Err(_)) => Err(CdpError::gone("the browser is gone")),
            Err(_) => Err(timeout("Target.attachedToTarget", PAGE_WITHIN)),
        }
    }

    /// The browser's own session.
    pub fn root(&self) -> Session {
        self.root.clone()
    }

    /// Product and version: `HeadlessChrome/156.0.0.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Where another program can attach: known for a running browser and for one that is kept open.
    pub fn endpoint(&self) -> Option<&str> {
        self.endpoint.as_deref()
    }

    /// Things that a person should know about how it was started.
    pub fn log(&self) -> &[String] {
        &self.log
    }

    /// We started it.
    pub fn is_owned(&self) -> bool {
        self.process.is_some()
    }

    /// Process id of the browser's group leader, of a browser that we started.
    pub fn process_group(&self) -> Option<i32> {
        self.process.as_ref().map(Process::group)
    }

    /// The profile folder of a browser that we started.
    pub fn profile(&self) -> Option<&Path> {
        self.process.as_ref().map(Process::profile)
    }

    /// The attached pages, oldest first. Of a browser that we did not start only the pages that are ours: the first one,
    /// those we opened, and what those opened.
    pub fn pages(&self) -> Vec<PageTarget> {
        self.outlets.pages.borrow().clone()
    }

    /// Opens a page and returns once it is attached and set up. Its document may still be loading.
    pub async fn new_page(&self, url: &str) -> Result<Session, CdpError> {
        let created: Created = self.root.call("Target.createTarget", json!({"url": url})).await?;
        let page = self.adopt(created.page).await?;
        // It was paused until its set-up was sent, so nothing is lost when the page is too busy to say that it was done.
        match set_up(&page, Duration::from_secs(2)).await {
            Err(error) if error.is_gone() => Err(error),
            _ => Ok(page),
        }
    }

    /// From now on no call waits beyond the deadline of `cx`, and none for long once it is cancelled. What is sent is sent all
    /// the same. Closing is not bound.
    pub fn bound_by(&self, cx: &Ctx) {
        self.root.bounds().set(cx);
    }

    /// Commands for every page and frame: sent at once to those attached now, and to each new one before its first script
    /// runs. Errors are ignored, so a command that only suits pages does no harm to frames. They are sent whether or not
    /// the future is awaited; it ends when those attached now have answered, before which a navigation may overtake them.
    pub fn on_new_target(&self, commands: Vec<(&'static str, Value)>) -> impl Future<Output = ()> + Send + use<> {
        let init = |(method, params): (&'static str, Value)| match encode(method, &params) {
            Ok(params) => Some(Init { method, params }),
            Err(_) => None,
        };
        let (sent, answers) = oneshot::channel();
        self.root.command(Command::OnNewTarget { inits: commands.into_iter().filter_map(init).collect(), sent });
        async move {
            let all = async {
                for answer in answers.await.unwrap_or_default() {
                    let _ = answer.await;
                }
            };
            let _ = tokio::time::timeout(CALL_TIMEOUT, all).await;
        }
    }

    /// What happens from now on. A slow receiver is told that it missed some.
    pub fn subscribe(&self) -> broadcast::Receiver<BrowserEvent> {
        self.outlets.events.subscribe()
    }

    /// Ends a browser that we started (unless it is kept open) and removes its profile folder, or lets go of one that we did
    /// not start. Takes at most about ten seconds, usually a fraction of one.
    pub async fn close(mut self) {
        self.root.bounds().lift();
        if self.keep_open {
            // Once this is answered, what was posted before it has arrived.
            let _ = self.root.call_within::<Ignored>("Browser.getVersion", (), Duration::from_secs(1)).await;
        }
        let Some(process) = self.process.take() else { return };
        if self.keep_open {
            process.release().await;
            return;
        }
        // It acknowledges before it ends, or it ends; either way the process is what counts. One that does neither hangs, and
        // would not listen to a polite signal either: it has nothing to save.
        let asked = self.root.call_within::<Ignored>("Browser.close", (), ACKNOWLEDGE_WITHIN).await;
        match asked {
            Err(CdpError::Timeout { .. }) => process.kill().await,
            _ => process.end(CLOSE_WITHIN).await,
        }
    }
}

impl Drop for Browser {
    /// One that is kept open is left alone also when nobody closed it.
    fn drop(&mut self) {
        if let (true, Some(process)) = (self.keep_open, &mut self.process) {
            process.keep();
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Targets {
    #[serde(default)]
    target_infos: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    #[serde(rename = "targetId")]
    id: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    url: String,
}

impl Target {
    /// A page that a person would call one: not the developer tools, nor part of the browser or an extension.
    fn is_ordinary(&self) -> bool {
        let is_web = ["http:", "https:", "file:", "data:", "about:", "blob:", "chrome://newtab", "chrome://new-tab"];
        self.kind == "page" && is_web.iter().any(|scheme| self.url.starts_with(scheme))
    }
}

#[derive(Deserialize)]
struct Created {
    #[serde(rename = "targetId")]
    page: String,
}

#[derive(Deserialize)]
struct Version {
    #[serde(default)]
    product: String,
}

/// The first exchange; from here on targets are told of, and attached as they come.
async fn greet(root: &Session, at_most: Duration) -> Result<String, CdpError> {
    let version: Version = root.call_within("Browser.getVersion", (), at_most).await?;
    root.call::<Ignored>("Target.setDiscoverTargets", json!({"discover": true})).await?;
    let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
    root.call::<Ignored>("Target.setAutoAttach", attach).await?;
    Ok(version.product)
}

async fn save_downloads(root: &Session, dir: &Path) -> Result<(), CdpError> {
    let params = json!({"behavior": "allow", "downloadPath": dir.to_string_lossy(), "eventsEnabled": true});
    root.call::<Ignored>("Browser.setDownloadBehavior", params).await.map(drop)
}

/// Waits for the page that the browser opens by itself.
async fn first_page(root: &Session, outlets: &Outlets, at_most: Duration) -> Result<(), CdpError> {
    let mut pages = outlets.pages.subscribe();
    let wait = async {
        pages.wait_for(|pages| !pages.is_empty()).await.ok().and_then(|pages| Some(pages.first()?.session.clone()))
    };
    match tokio::time::timeout(at_most, wait).await {
        Ok(Some(page)) => set_up(&page, at_most).await,
        Ok(None) => root.check_alive(),
        Err(_) => Err(timeout("Target.attachedToTarget", at_most)),
    }
}

/// Waits until a page's own process has done the set-up: it answers in order. A navigation is the browser's affair and may
/// overtake what waits for a process that is only starting, so that a first document would miss its scripts and events.
async fn set_up(page: &Session, at_most: Duration) -> Result<(), CdpError> {
    page.call_within::<Ignored>("Page.getFrameTree", (), at_most).await.map(drop)
}

/// The port that the browser chose stands in a file, on the first line; the path of its WebSocket on the second.
async fn own_endpoint(profile: &Path) -> String {
    let file: PathBuf = profile.join("DevToolsActivePort");
    loop {
        if let Ok(text) = tokio::fs::read_to_string(&file).await
            && let Some((port, path)) = text.trim().split_once('\n')
        {
            return format!("ws://127.0.0.1:{}{}", port.trim(), path.trim());
        }
        look_again().await;
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "nothing tells when the browser has written its file; a deadline stands around it"
)]
async fn look_again() {
    tokio::time::sleep(Duration::from_millis(10)).await;
}

fn timeout(method: &'static str, at_most: Duration) -> CdpError {
    CdpError::Timeout { method, ms: u64::try_from(at_most.as_millis()).unwrap_or(u64::MAX) }
}

async fn within<T>(at_most: Duration, work: impl Future<Output = Result<T, CdpError>>) -> Result<T, CdpError> {
    match tokio::time::timeout(at_most, work).await {
        Ok(done) => done,
        Err(_) => Err(timeout("Browser.getVersion", at_most)),
    }
}

async fn unless_cancelled<T>(
    cancel: &CancelToken,
    work: impl Future<Output = Result<T, CdpError>>,
) -> Result<T, CdpError> {
    tokio::select! {
        done = work => done,
        () = cancel.cancelled() => Err(CdpError::Cancelled),
    }
}

/// Says of a start that failed what the browser did.
async fn explain(error: CdpError, program: &Path, process: &mut Process, at_most: Duration) -> CdpError {
    let why = match error {
        CdpError::Gone { .. } | CdpError::Refused { .. } => {
            // Its connection has just ended, so it is about to have ended too.
            match tokio::time::timeout(Duration::from_millis(500), process.ended()).await {
                Ok(Some(status)) => format!("it ended before it answered ({status})"),
                _ => "it closed the connection before it answered".to_owned(),
            }
        }
        CdpError::Timeout { .. } => format!("it did not answer within {} s", at_most.as_secs()),
        CdpError::Protocol { .. } | CdpError::Misread { .. } => error.to_string(),
        other => return other,
    };
    CdpError::Launch { program: program.to_owned(), why, stderr_tail: process.last_words().await }
}
