//! Going to other pages. Returns promptly whatever the page does: the load event is never waited for without an end.

use super::page::{Load, Page};
use super::verdict::Expect;
use super::{Note, WebDevice, fault, options};
use handeye_cdp::{CdpError, Ignored};
use handeye_core::{Action, Ctx, DeviceCause, DeviceError, Effect, Element, Verdict};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// A server may take this long to answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);
/// After the answer, parsing is waited for at most this long; the rest is for `settle`.
const PARSE_WITHIN: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    loader_id: Option<String>,
    error_text: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct History {
    current_index: i64,
    entries: Vec<Entry>,
}
#[derive(Deserialize)]
struct Entry {
    id: i64,
    url: String,
    #[serde(default)]
    title: String,
}

/// The title of the page that is shown, as the browser knows it.
pub(super) async fn title(page: &Page) -> Option<String> {
    let history: History = page.session.call("Page.getNavigationHistory", ()).await.ok()?;
    let current = usize::try_from(history.current_index).ok()?;
    history.entries.into_iter().nth(current).map(|entry| entry.title)
}

/// A stopped load tells of its end this soon.
const STOP_WITHIN: Duration = Duration::from_secs(1);

impl WebDevice {
    /// Loads an address in the tab in front, and returns once its document is there and parsed, or the time is over.
    pub(super) async fn load(&mut self, url: &str, at_most: Duration, cx: &Ctx) -> Result<Effect, DeviceError> {
        let what = format!("open {url}");
        let page = self.front(&what)?;
        let before = { page.lock().documents };
        let asked = page.session.call_within::<Navigated>("Page.navigate", json!({"url": url}), cx.remaining(at_most));
        let answer = tokio::select! {
            answer = asked => answer,
            () = cx.cancel.cancelled() => return Err(DeviceError::new(what, DeviceCause::Cancelled)),
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(CdpError::Timeout { ms, .. }) => {
                page.session.post("Page.stopLoading", ());
                return Err(DeviceError::new(what, DeviceCause::Timeout(ms))
                    .with_hint("the server took the connection but sent no page; check the address and the server"));
            }
            Err(CdpError::Protocol { message, .. }) => return Err(DeviceError::failed(what, message)),
            Err(error) => return Err(fault::cdp(&what, error)),
        };
        // The server answered, though with nothing to show: the browser shows a page of its own for it.
        let failed = answer.error_text.filter(|e| !e.is_empty() && e != "net::ERR_HTTP_RESPONSE_CODE_FAILURE");
        if let Some(error) = failed {
            // A download or an answer without content is no failure: the page stays as it is.
            if error == "net::ERR_ABORTED" {
                return Ok(Effect::unverified(format!(
                    "{url} did not open as a page (a download, or an empty answer)"
                )));
            }
            return Err(
                DeviceError::failed(what, readable(&error)).with_hint("check the address and that its server runs")
            );
        }
        if answer.loader_id.is_none() {
            return Ok(Effect::confirmed(format!("the address is {url}")));
        }
        self.parsed(&page, before, cx).await;
        Ok(here(&page))
    }

    /// Waits for a document after the `before`th, and until it is parsed.
    async fn parsed(&self, page: &Page, before: u64, cx: &Ctx) {
        let until = cx.instant() + cx.remaining(PARSE_WITHIN);
        let come = page.wait(until, |s| ((s.documents > before && s.load >= Load::Parsed) || s.gone).then_some(()));
        tokio::select! {
            _ = come => {}
            () = cx.cancel.cancelled() => {}
        }
    }

    pub(super) async fn navigate(&mut self, url: &str, cx: &Ctx) -> Result<Effect, fault::Stop> {
        let refused = |why: String| Effect::new(Verdict::Refused, why);
        let url = match options::complete_url(url) {
            Ok(url) => url,
            Err(why) => return Ok(refused(why)),
        };
        // A page must not be able to talk a planner into showing it files of this machine.
        if url.starts_with("file:") && !self.options.url.starts_with("file:") {
            return Ok(refused(format!("{url} is a file of this machine; only a run that began with one opens files")));
        }
        self.prepare()?;
        Ok(self.load(&url, ANSWER_WITHIN, cx).await?)
    }

    pub(super) async fn reload(&mut self, cx: &Ctx) -> Result<Effect, fault::Stop> {
        let page = self.prepare()?;
        let before = { page.lock().documents };
        let asked = page.session.call::<Ignored>("Page.reload", json!({})).await;
        asked.map_err(|e| fault::cdp("reload the page", e))?;
        Ok(self.arrive(&page, before, "reload the page", cx).await?)
    }

    /// Goes back (-1) or forward (1) in the tab's history.
    pub(super) async fn travel(&mut self, by: i64, cx: &Ctx) -> Result<Effect, fault::Stop> {
        let what = if by < 0 { "go back" } else { "go forward" };
        let page = self.prepare()?;
        let history: History =
            page.session.call("Page.getNavigationHistory", ()).await.map_err(|e| fault::cdp(what, e))?;
        let wanted = history.current_index + by;
        let entry = usize::try_from(wanted).ok().and_then(|i| history.entries.get(i));
        // The blank page that a new tab starts with is no page that a person came from.
        let Some(entry) = entry.filter(|e| !(wanted == 0 && e.url == "about:blank")) else {
            self.last = None;
            let side = if by < 0 { "before" } else { "after" };
            return Ok(Effect::new(Verdict::Refused, format!("there is no page {side} this one in the tab's history")));
        };
        let (before, hops) = {
            let state = page.lock();
            (state.documents, state.hops)
        };
        let asked = page.session.call::<Ignored>("Page.navigateToHistoryEntry", json!({"entryId": entry.id})).await;
        asked.map_err(|e| fault::cdp(what, e))?;
        let until = cx.instant() + cx.remaining(ANSWER_WITHIN);
        let moved = page.wait(until, |s| (s.documents > before || s.hops > hops || s.gone).then_some(s.hops > hops));
        match moved.await {
            Some(true) => Ok(here(&page)),
            _ => Ok(self.arrive(&page, before, what, cx).await?),
        }
    }

    /// Waits for the next document.
    async fn arrive(&self, page: &Page, before: u64, what: &str, cx: &Ctx) -> Result<Effect, DeviceError> {
        let until = cx.instant() + cx.remaining(ANSWER_WITHIN);
        let come = page.wait(until, |s| (s.documents > before || s.gone).then_some(()));
        let come = tokio::select! {
            come = come => come,
            () = cx.cancel.cancelled() => return Err(DeviceError::new(what, DeviceCause::Cancelled)),
        };
        if come.is_none() {
            return Err(DeviceError::new(what, DeviceCause::Timeout(ANSWER_WITHIN.as_millis() as u64))
                .with_hint("the server sent no page"));
        }
        self.parsed(page, before, cx).await;
        Ok(here(page))
    }

    /// Before input to a page that another one was to replace: who goes on here does not want that one any more. One that was
    /// asked for just now is left alone, since the input may be meant for it.
    pub(super) async fn give_up_late(&mut self, action: &Action<Element>, cx: &Ctx) {
        let goes_on = !matches!(
            action,
            Action::Sleep { .. }
                | Action::Navigate { .. }
                | Action::Reload
                | Action::GoBack
                | Action::GoForward
                | Action::CloseTab
                | Action::Device { .. }
        );
        let Some(page) = self.tabs.front().filter(|page| goes_on && page.is_late()) else { return };
        let there = page.lock().awaited.url.clone();
        page.session.post("Page.stopLoading", ());
        let until = cx.instant() + cx.remaining(STOP_WITHIN);
        page.wait(until, |s| (s.load != Load::Leaving || s.gone).then_some(())).await;
        self.notes.push(Note::Text(format!("{there} did not answer, and its load was stopped")));
    }

    fn prepare(&mut self) -> Result<Arc<Page>, DeviceError> {
        let page = self.front("open a page")?;
        self.watch(&page, Vec::new(), Expect::Page);
        Ok(page)
    }
}

/// Where the tab is now, and what the server said to it.
fn here(page: &Page) -> Effect {
    let state = page.lock();
    Effect::confirmed(format!("the page is {}{}", state.url, state.status_aside()))
}

/// `net::ERR_CONNECTION_REFUSED` as people say it.
fn readable(error: &str) -> String {
    let known = match error {
        "net::ERR_CONNECTION_REFUSED" => "the connection was refused",
        "net::ERR_NAME_NOT_RESOLVED" => "there is no such host",
        "net::ERR_ADDRESS_UNREACHABLE" | "net::ERR_INTERNET_DISCONNECTED" => "the host cannot be reached",
        "net::ERR_CONNECTION_RESET" | "net::ERR_EMPTY_RESPONSE" | "net::ERR_CONNECTION_CLOSED" => {
            "the server broke the connection off"
        }
        "net::ERR_CONNECTION_TIMED_OUT" | "net::ERR_TIMED_OUT" => "the host did not answer in time",
        "net::ERR_FILE_NOT_FOUND" => "there is no such file",
        "net::ERR_INVALID_URL" => "it is not an address",
        "net::ERR_TOO_MANY_REDIRECTS" => "it redirects in a circle",
        _ => return error.to_owned(),
    };
    format!("{known} ({error})")
}
