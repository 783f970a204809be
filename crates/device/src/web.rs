//! A browser as a device: Chromium over the DevTools protocol.
//!
//! One tab is in front, as for a person; a tab that the page opens comes to the front, and closing it goes back. All
//! JavaScript of ours runs in isolated worlds that the page can neither see nor break. Input is real input through the
//! browser, except where a browser has only its own widget for it (a native list, a date picker, a file chooser): there the
//! value is set and the page told with the same events.

mod fault;
mod input;
mod navigate;
mod observe;
mod options;
mod page;
mod script;
mod settle;
mod tabs;
mod told;
mod traffic;
mod tree;
mod verdict;

pub use options::{Source, WebOptions};

use async_trait::async_trait;
use handeye_cdp::{Browser, BrowserEvent};
use handeye_core::{
    Action, ActionSpace, Ctx, Device, DeviceCause, DeviceError, Dialog, Effect, Element, Observation, Settled, Verb,
    Want,
};
use settle::Last;
use std::time::Duration;
use tabs::Tabs;
use tokio::sync::broadcast;

/// A Chromium with its tabs.
pub struct WebDevice {
    browser: Browser,
    events: broadcast::Receiver<BrowserEvent>,
    options: WebOptions,
    actions: ActionSpace,
    tabs: Tabs,
    /// The last action, until its consequences are in.
    last: Option<Last>,
    /// What the last action was seen to have set, and how that was told: a page may put the old back later.
    promise: Option<input::Again>,
    /// Since the last observation.
    dialogs: Vec<Dialog>,
    /// Dialogs that are left out of these.
    untold: u64,
    notes: Vec<Note>,
    /// How many dialogs and downloads there ever were: an action compares the counts before and after.
    counts: Counts,
    /// No input is under way whose consequences are not in yet.
    idle: bool,
    /// What dialogs said that opened without input.
    unasked: std::collections::HashSet<String>,
    /// The page's clock, as it was read last.
    time: String,
    /// The frame that was seen last, before the action: a canvas tells of nothing else.
    seen: Option<handeye_core::Image>,
    /// Why there is no tab any more.
    end: Option<String>,
}

/// Something to tell with the next observation.
enum Note {
    Text(String),
    /// A tab came to the front; its address is known only a little later.
    Opened(std::sync::Arc<page::Page>),
}

impl Note {
    /// What was set before is not there any more.
    fn broken(effect: &Effect) -> Self {
        let on = effect.on.as_ref().map(|on| format!("{on}: ")).unwrap_or_default();
        Self::Text(format!("{on}{}", effect.because))
    }

    fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Opened(page) => format!("a tab was opened and is in front now: {}", page.lock().url),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    dialogs: u64,
    downloads: u64,
    opened: u64,
    closed: u64,
}

impl std::fmt::Debug for WebDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WebDevice({})", self.options.url)
    }
}

impl WebDevice {
    /// Opens the browser and its first page. Returns when that page can be looked at, also when it goes on loading for ever.
    pub async fn open(options: WebOptions, cx: &Ctx) -> Result<Self, DeviceError> {
        options.check_size().map_err(|why| DeviceError::failed("open the browser", why))?;
        let url = options.first_url().map_err(|why| DeviceError::failed(format!("open `{}`", options.url), why))?;
        let browser = match &options.source {
            Source::Launch(launch) => Browser::launch(launch, cx).await,
            Source::Attach(endpoint) => Browser::attach(endpoint, options.dialogs, cx).await,
        };
        let browser = browser.map_err(|e| fault::cdp("open the browser", e))?;
        browser.bound_by(cx);
        let mut device = Self {
            events: browser.subscribe(),
            actions: ActionSpace::of(&verbs(&options)),
            tabs: Tabs::default(),
            last: None,
            promise: None,
            dialogs: Vec::new(),
            untold: 0,
            notes: Vec::new(),
            counts: Counts::default(),
            idle: true,
            unasked: std::collections::HashSet::new(),
            time: String::new(),
            seen: None,
            end: None,
            options: WebOptions { url: url.clone(), ..options },
            browser,
        };
        let opened = device.open_first(&url, cx).await;
        match opened {
            Ok(()) => Ok(device),
            Err(error) => {
                device.browser.close().await;
                Err(error)
            }
        }
    }

    /// Where another program can attach to this browser, if it can.
    pub fn endpoint(&self) -> Option<&str> {
        self.browser.endpoint()
    }

    /// What a person should know about the browser itself: it says nothing about the page.
    pub fn remarks(&self) -> &[String] {
        self.browser.log()
    }

    /// Lets go of the screen. Never hangs.
    pub async fn shut(self, cx: &Ctx) -> Result<(), DeviceError> {
        self.browser.bound_by(cx);
        if !self.browser.is_owned() && !self.options.keep_open {
            // Of a browser that is not ours, only the tabs that we opened or that our page opened are closed.
            for page in self.tabs.opened_by_us() {
                page.session.post("Page.close", ());
            }
        }
        if !self.browser.is_owned() || self.options.keep_open {
            self.tabs.leave().await;
        }
        drop(self.tabs);
        self.browser.close().await;
        Ok(())
    }

    async fn perform(&mut self, action: &Action<Element>, cx: &Ctx) -> Result<Effect, fault::Stop> {
        match action {
            Action::Tap { locate } => self.tap(locate, 1, cx).await,
            Action::DoubleClick { locate } => self.tap(locate, 2, cx).await,
            Action::RightClick { locate } => self.right_click(locate, cx).await,
            Action::Hover { locate } => self.hover(locate, cx).await,
            Action::LongPress { locate, duration } => self.long_press(locate, *duration, cx).await,
            Action::Input { value, mode, locate } => self.type_text(value, *mode, locate.as_ref(), cx).await,
            Action::ClearInput { locate } => {
                self.type_text("", handeye_core::InputMode::Clear, locate.as_ref(), cx).await
            }
            Action::KeyboardPress { key_name, locate } => self.press(key_name, locate.as_ref(), cx).await,
            Action::CursorMove { direction, times } => self.move_caret(*direction, *times, cx).await,
            Action::Scroll { direction, scroll_type, distance, locate } => {
                self.scroll(*direction, *scroll_type, *distance, locate.as_ref(), cx).await
            }
            Action::DragAndDrop { from, to } => self.drag(from, to, cx).await,
            Action::Select { locate, option } => self.select(locate, option, cx).await,
            Action::Upload { locate, files } => self.upload(locate, files, cx).await,
            Action::Sleep { time_ms } => sleep(*time_ms, cx).await,
            Action::Navigate { url } => self.navigate(url, cx).await,
            Action::Reload => self.reload(cx).await,
            Action::GoBack => self.travel(-1, cx).await,
            Action::GoForward => self.travel(1, cx).await,
            Action::CloseTab => self.close_tab(cx).await,
            Action::Device { name, .. } => Err(DeviceError::new(
                format!("do `{name}`"),
                DeviceCause::Unsupported(format!("a browser has no action `{name}`")),
            )
            .into()),
        }
    }
}

fn verbs(options: &WebOptions) -> Vec<Verb> {
    let mut verbs = Verb::ALL.to_vec();
    verbs.retain(|verb| *verb != Verb::Upload || !options.uploads.is_empty());
    verbs
}

/// Waits as long as was asked for. It is the one wait with a fixed time: the planner wants just that.
async fn sleep(time_ms: u64, cx: &Ctx) -> Result<Effect, fault::Stop> {
    let asked = Duration::from_millis(time_ms);
    let time = cx.remaining(asked);
    if tokio::time::timeout(time, cx.cancel.cancelled()).await.is_ok() {
        return Err(DeviceError::new("wait", DeviceCause::Cancelled).into());
    }
    if time < asked {
        let waited = time.as_millis();
        return Ok(Effect::unverified(format!("waited {waited} ms of {time_ms}, then the time of the run was over")));
    }
    Ok(Effect::confirmed(format!("waited {time_ms} ms")))
}

#[async_trait]
impl Device for WebDevice {
    fn name(&self) -> String {
        format!("web {}", self.options.url)
    }

    fn actions(&self) -> &ActionSpace {
        &self.actions
    }

    async fn observe(&mut self, want: &Want, cx: &Ctx) -> Result<Observation, DeviceError> {
        tokio::select! {
            biased;
            () = cx.cancel.cancelled() => Err(DeviceError::new("look at the page", DeviceCause::Cancelled)),
            seen = self.look(want, cx) => seen,
        }
    }

    async fn act(&mut self, action: &Action<Element>, cx: &Ctx) -> Result<Effect, DeviceError> {
        if cx.cancel.is_cancelled() {
            return Err(DeviceError::new(action.summary(), DeviceCause::Cancelled));
        }
        self.browser.bound_by(cx);
        self.catch_up();
        self.last = None;
        let promise = self.promise.take();
        self.give_up_late(action, cx).await;
        // Nothing was done since, so what is another now was the page's own doing.
        let kept = async { promise.as_ref()?.ask().await };
        tokio::pin!(kept);
        // Input under way is completed also when the run is cancelled, so that no key or button stays down.
        let mut broken = None;
        let performed = async {
            let perform = self.perform(action, cx);
            tokio::pin!(perform);
            tokio::select! {
                biased;
                found = &mut kept => {
                    broken = found;
                    perform.await
                }
                done = &mut perform => done,
            }
        };
        let performed = performed.await;
        self.notes.extend(broken.as_ref().map(Note::broken));
        let effect = match performed {
            Ok(effect) => effect,
            Err(fault::Stop::Effect(effect)) => {
                self.last = None;
                return Ok(effect);
            }
            Err(fault::Stop::Error(error)) => {
                self.last = None;
                return self.survive(error, action, cx).await;
            }
        };
        self.catch_up();
        let counts = self.counts;
        if let Some(last) = &mut self.last {
            last.effect = effect.clone();
            last.acknowledged = counts;
        }
        Ok(effect)
    }

    async fn settle(&mut self, at_most: Duration, cx: &Ctx) -> Result<Settled, DeviceError> {
        tokio::select! {
            biased;
            () = cx.cancel.cancelled() => Err(DeviceError::new("wait for the page", DeviceCause::Cancelled)),
            settled = self.wait_for_quiet(at_most, cx) => settled,
        }
    }

    async fn close(self: Box<Self>, cx: &Ctx) -> Result<(), DeviceError> {
        self.shut(cx).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use handeye_core::Verdict;

    #[tokio::test]
    async fn a_wait_says_how_long_it_was() {
        let Ok(whole) = sleep(5, &Ctx::bare()).await else { panic!("no wait") };
        assert_eq!((whole.verdict, whole.because.as_str()), (Verdict::Confirmed, "waited 5 ms"));
        let cx = Ctx::bare().with_timeout(Some(Duration::from_millis(20)));
        let Ok(cut) = sleep(600_000, &cx).await else { panic!("no wait") };
        assert_eq!(cut.verdict, Verdict::Unverified);
        assert!(cut.because.contains(" ms of 600000, then the time of the run was over"), "{}", cut.because);
    }
}
