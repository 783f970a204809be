//! Waiting until what an input set off is over, and the verdict on the input.
//!
//! The page's own script knows about changes of the document, animations and frames; the connection knows about requests,
//! documents, dialogs and tabs. Nothing here waits a fixed time: on a page that stands still the wait is two frames.

use super::input::Again;
use super::page::{Load, Page, World};
use super::script::ScriptError;
use super::told::Told;
use super::verdict::{self, Expect, Facts, Report};
use super::{Counts, WebDevice, fault};
use futures_util::future::join_all;
use handeye_cdp::{BrowserEvent, CdpError};
use handeye_core::{Ctx, DeviceError, Dialog, DialogKind, Effect, Logical, Point, Quiet, Settled};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::broadcast::{self, error::RecvError};

const WHAT: &str = "wait for the page";
/// Quiet is this long without a change, after two frames.
const QUIET_MS: u64 = 40;
/// A tab that a page opens gets its first document this soon, or stays blank.
const FIRST_DOCUMENT: Duration = Duration::from_millis(700);

/// An action whose consequences are not in yet.
#[derive(Debug)]
pub(super) struct Last {
    pub(super) expect: Expect,
    /// The documents that were told to watch, the one of the target first.
    pub(super) worlds: Vec<World>,
    pub(super) page: Arc<Page>,
    pub(super) effect: Effect,
    /// Where the pointer went.
    pub(super) at: Option<Point<Logical>>,
    /// What had happened when the input was acknowledged: a dialog that its handler opens is over by then.
    pub(super) acknowledged: Counts,
    documents: u64,
    hops: u64,
    counts: Counts,
}

impl Last {
    /// The dialog opened while the input was being handled. Of a question whether to leave, and of a frame in a process of its
    /// own, that is not known.
    fn handled(&self, told: &Told, dialog: &Dialog) -> bool {
        let foreign = self.worlds.first().is_some_and(|w| w.session != self.page.session);
        told.asked || foreign || dialog.kind == DialogKind::BeforeUnload
    }
}

impl WebDevice {
    /// From here on, what happens is a consequence of the input that follows.
    pub(super) fn watch(&mut self, page: &Arc<Page>, worlds: Vec<World>, expect: Expect) {
        self.catch_up();
        let mut state = page.lock();
        state.traffic.arm();
        state.chooser = None;
        state.told = Told::default();
        state.frames_sent = 0;
        let (documents, hops) = (state.documents, state.hops);
        drop(state);
        self.last = Some(Last {
            expect,
            worlds,
            page: page.clone(),
            effect: Effect::unverified("nothing was seen yet"),
            at: None,
            acknowledged: self.counts,
            documents,
            hops,
            counts: self.counts,
        });
        self.idle = false;
    }

    pub(super) async fn wait_for_quiet(&mut self, at_most: Duration, cx: &Ctx) -> Result<Settled, DeviceError> {
        let began = cx.instant();
        let until = began + cx.remaining(at_most);
        let last = self.last.take();
        let dwell = last.as_ref().map_or(0, |l| l.expect.dwell());
        let mut wait =
            Wait { until, frames: 2, patience: 0, linger: 0, dwell, loaded: false, given: None, busy: String::new() };
        let over = loop {
            let page = self.front(WHAT)?;
            let report = self.wait_once(&page, last.as_ref(), &mut wait, cx).await?;
            let Some(report) = report else { continue };
            let mut facts = self.facts(last.as_ref(), &report, &page);
            let patience = last.as_ref().map_or(0, |l| l.expect.patience());
            // Nothing happened, or nothing that is certainly its doing: a handler may be slow, so look a little longer.
            if wait.patience == 0 && patience > 0 && !facts.is_sure() && cx.instant() < until {
                wait.patience = patience;
                wait.frames = 0;
                continue;
            }
            if facts.chooser
                && wait.given.is_none()
                && let Some(given) = self.feed_chooser(&page).await
            {
                wait.given = Some(given);
                continue;
            }
            facts.given.clone_from(&wait.given);
            if patience > 0 && !facts.is_visible() && report.draws {
                facts.drawn = self.drawn(&page, last.as_ref(), cx).await;
            }
            break (facts, page);
        };
        let (facts, page) = over;
        let effect = match &last {
            Some(last) => Some(self.conclude(last, &facts).await),
            None => None,
        };
        self.promise = last
            .as_ref()
            .zip(effect.as_ref())
            .and_then(|(last, effect)| Again::of(&last.expect.kept(last.worlds.first(), &facts.report)?, effect));
        if let Ok(main) = page.main(cx.instant()).await {
            main.post("rest", json!({}));
        }
        for world in last.iter().flat_map(|l| &l.worlds) {
            world.post("rest", json!({}));
        }
        page.lock().traffic.rest();
        self.idle = true;
        let took = cx.instant().saturating_duration_since(began).as_millis() as u64;
        let by = if facts.dialog.is_some() {
            Quiet::Dialog
        } else if !wait.busy.is_empty() {
            Quiet::Cap
        } else if wait.loaded {
            Quiet::Loaded
        } else {
            Quiet::Idle
        };
        Ok(Settled { by, took, busy: wait.busy, changes: Some(facts.changes()), effect })
    }

    /// One wait in the page and for its requests. `None` when the page or the tab was replaced meanwhile: look again.
    async fn wait_once(
        &mut self,
        page: &Arc<Page>,
        last: Option<&Last>,
        wait: &mut Wait,
        cx: &Ctx,
    ) -> Result<Option<Report>, DeviceError> {
        if !wait.for_document(page, cx).await {
            "another document is on its way".clone_into(&mut wait.busy);
            return Ok(Some(Report::default()));
        }
        let main = match page.main(cx.instant() + wait.left(cx)).await {
            Ok(main) => main,
            Err(error) => return self.replaced(page, error, cx).await,
        };
        let same = last.filter(|l| Arc::ptr_eq(&l.page, page));
        let mut worlds = vec![main];
        worlds.extend(same.iter().flat_map(|l| &l.worlds).filter(|w| !worlds.contains(w)).cloned().collect::<Vec<_>>());
        let left = wait.left(cx);
        let args = json!({
            "quiet": QUIET_MS, "most": left.as_millis() as u64, "frames": wait.frames,
            "patience": wait.patience, "linger": wait.linger, "dwell": wait.dwell,
        });
        // What was set is read once more by the script that waits.
        let again = last.and_then(|l| Again::of(&l.expect, &l.effect));
        let asked = join_all(worlds.iter().map(|w| {
            let mut args = args.clone();
            if let Some(again) = again.as_ref().filter(|again| again.world == *w) {
                args["again"] = again.question();
            }
            async move { w.run::<Report>("settle", args, left + Duration::from_millis(500)).await }
        }));
        let answers = tokio::select! {
            biased;
            answers = asked => answers,
            () = interrupted(&self.events, page), if wait.left(cx) > Duration::ZERO => return Ok(None),
            () = page_moves(page, wait.until) => return Ok(None),
        };
        let mut report = None;
        for answer in answers {
            match answer {
                Ok(one) => report = Some(verdict::merge(report.take(), one)),
                Err(ScriptError::DocumentGone) => {}
                Err(ScriptError::Cdp(CdpError::Timeout { .. })) => {
                    "the page is busy and does not answer".clone_into(&mut wait.busy);
                    report = Some(report.take().unwrap_or_default());
                }
                Err(error) => return self.replaced(page, error, cx).await,
            }
        }
        let Some(report) = report else {
            return Ok((cx.instant() >= wait.until).then(Report::default));
        };
        if report.by == "cap" {
            wait.busy.clone_from(&report.busy);
            return Ok(Some(report));
        }
        match wait.for_requests(page, cx).await {
            Requests::None => Ok(Some(report)),
            Requests::Over if cx.instant() < wait.until => Ok(None),
            // The time is over: what happened meanwhile is still worth knowing.
            Requests::Over | Requests::Open => Ok(Some(self.report_now(&worlds).await.unwrap_or(report))),
        }
    }

    /// What is known by now, without waiting.
    async fn report_now(&self, worlds: &[World]) -> Option<Report> {
        let asked =
            join_all(worlds.iter().map(|w| w.run::<Report>("report", json!({}), Duration::from_millis(500)))).await;
        asked.into_iter().flatten().fold(None, |all, one| Some(verdict::merge(all, one)))
    }

    /// A tab or a document that went away is no failure while there is another to look at.
    async fn replaced(
        &mut self,
        page: &Arc<Page>,
        error: ScriptError,
        cx: &Ctx,
    ) -> Result<Option<Report>, DeviceError> {
        match error {
            ScriptError::DocumentGone => Ok(None),
            ScriptError::Cdp(CdpError::Gone { .. }) if self.is_replaced(page, cx).await => Ok(None),
            other => Err(fault::script(WHAT, other)),
        }
    }

    fn facts(&mut self, last: Option<&Last>, report: &Report, page: &Arc<Page>) -> Facts {
        self.catch_up();
        let before = last.map_or(self.counts, |l| l.counts);
        // Of a document that is no more, what it told before is known.
        let told = last.filter(|_| !report.aimed).and_then(|l| l.page.lock().told.lost.clone());
        let lost = report.lost.clone().or(told);
        let state = page.lock();
        let new_tab = self.counts.opened > before.opened;
        let same = last.filter(|l| Arc::ptr_eq(&l.page, page));
        let moved = same.is_some_and(|l| state.documents > l.documents);
        let hopped = same.is_some_and(|l| state.hops > l.hops);
        let dialog = (self.counts.dialogs > before.dialogs).then(|| self.dialogs.last().cloned()).flatten();
        let doubtful = if let Some(dialog) = &dialog {
            let at_once =
                last.is_some_and(|l| l.acknowledged.dialogs > before.dialogs && l.handled(&state.told, dialog));
            !at_once || self.unasked.contains(&bare(&dialog.message))
        } else if moved || state.load == Load::Leaving {
            state.is_restless() || state.told.left_by_itself(|spans| state.traffic.began_within(spans))
        } else {
            // Of an address that changes later, the page's script knows best where it came from.
            hopped || report.url.is_some()
        };
        Facts {
            dialog,
            opened: new_tab.then(|| state.url.clone()),
            closed: self.counts.closed > before.closed,
            document: (moved && !new_tab).then(|| state.url.clone()),
            status: if moved { state.status_aside() } else { String::new() },
            url: report.url.clone().or_else(|| (hopped && !new_tab).then(|| state.url.clone())),
            leaving: last.is_some() && state.load == Load::Leaving,
            downloads: self.counts.downloads > before.downloads,
            chooser: last.is_some() && state.chooser.is_some(),
            requests: state.traffic.started(),
            given: None,
            drawn: 0,
            asked: state.traffic.began_within(&report.spans),
            frames: state.frames_sent > 0,
            doubtful,
            lost: lost.filter(|lost| last.is_some_and(|l| lost.matters_to(&l.expect))),
            report: report.clone(),
        }
    }

    /// The final verdict; fields and lists are read once more, since a page may put the old value back.
    async fn conclude(&self, last: &Last, facts: &Facts) -> Effect {
        let first = last.effect.clone();
        if facts.document.is_none()
            && !facts.leaving
            && facts.opened.is_none()
            && let Some(again) = Again::of(&last.expect, &first)
        {
            let changed = match &facts.report.again {
                Some(answer) => again.verdict(answer.clone()),
                None => again.ask().await,
            };
            if let Some(effect) = changed {
                return effect;
            }
        }
        verdict::conclude(&last.expect, first, facts)
    }
}

/// What a dialog says, without the figures in it, which may count up.
pub(super) fn bare(message: &str) -> String {
    message.chars().filter(|c| !c.is_ascii_digit()).take(200).collect()
}

/// One wait for quiet.
struct Wait {
    until: Instant,
    /// Frames to let pass before anything is judged.
    frames: u32,
    /// Milliseconds from the input in which something may still happen.
    patience: u64,
    /// Milliseconds from now in which something may still happen.
    linger: u64,
    /// Milliseconds from the input in which it waits in any case.
    dwell: u64,
    /// A new document came.
    loaded: bool,
    /// Files that a chooser was given meanwhile.
    given: Option<String>,
    /// What still moved when the time was over.
    busy: String,
}

impl Wait {
    fn left(&self, cx: &Ctx) -> Duration {
        self.until.saturating_duration_since(cx.instant())
    }

    /// Waits until a document that is on its way has been parsed. `false` when the time is over.
    async fn for_document(&mut self, page: &Page, cx: &Ctx) -> bool {
        if page.lock().fresh {
            // A tab that was opened for nothing stays blank: it is not waited for long.
            let until = (cx.instant() + FIRST_DOCUMENT).min(self.until);
            page.wait(until, |s| (!s.fresh || s.gone).then_some(())).await;
            page.lock().fresh = false;
        }
        let load = page.lock().load;
        if load >= Load::Parsed {
            return true;
        }
        self.loaded = true;
        let come = page.wait(self.until, |s| (s.load >= Load::Parsed || s.gone).then_some(())).await;
        come.is_some() || (cx.instant() >= self.until && page.lock().load == Load::Loading)
    }

    /// Waits for the requests that the input set off.
    async fn for_requests(&mut self, page: &Page, cx: &Ctx) -> Requests {
        let mut waited = false;
        loop {
            let now: tokio::time::Instant = cx.instant().into();
            let open = page.lock().traffic.awaited(now).map(|(what, until)| (what.to_owned(), until));
            let Some((what, body)) = open else {
                // The page gets the answer about when we do, and what it changes is drawn in the next frames.
                (self.frames, self.linger) = (2, 120);
                return if waited { Requests::Over } else { Requests::None };
            };
            if now.into_std() >= self.until {
                self.busy = format!("{what} is not answered yet");
                return Requests::Open;
            }
            waited = true;
            let ticks = page.lock().traffic.ticks;
            let until = body.map_or(self.until, |body| body.into_std().min(self.until));
            page.wait(until, |s| (s.traffic.ticks != ticks || s.gone).then_some(())).await;
            if page.lock().gone {
                return Requests::Over;
            }
        }
    }
}

/// What became of the requests that an input set off.
enum Requests {
    /// There were none, or they had ended before.
    None,
    /// They have ended.
    Over,
    /// The time ran out.
    Open,
}

/// Returns when something happened that makes the wait in the page pointless: a tab came or went, or all is over.
async fn interrupted(events: &broadcast::Receiver<BrowserEvent>, page: &Page) {
    // `catch_up` reads the events; this only sees that there are some.
    let mut watch = events.resubscribe();
    while events.is_empty() && !page.session.is_gone() {
        if matches!(watch.recv().await, Err(RecvError::Closed)) {
            return;
        }
    }
}

/// Returns when the main document is about to be replaced.
async fn page_moves(page: &Page, until: Instant) {
    let documents = page.lock().documents;
    let moves = page.wait(until, |s| (s.load == Load::Leaving || s.documents != documents).then_some(())).await;
    if moves.is_none() {
        std::future::pending::<()>().await;
    }
}
