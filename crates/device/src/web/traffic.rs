//! The requests of a tab: which of them an input set off and are still under way.

use super::page::read_event;
use handeye_cdp::SessionEvent;
use serde::Deserialize;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;
use tokio::time::Instant;

/// Requests that have not ended, and habits by which some of them are known to be no consequence of anything.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    open: HashMap<String, Request>,
    /// Between an input and the end of the wait that follows it.
    watching: bool,
    /// Requests that began since the input and that a person would wait for.
    started: u32,
    /// When these and scripts were asked for, in milliseconds of the world's clock.
    begun: Vec<f64>,
    /// What is asked for again and again without input: polling. By method and address without its query.
    habits: HashMap<String, Habit>,
    /// Changes with each request that begins or ends.
    pub(super) ticks: u64,
}

#[derive(Debug, Default)]
struct Habit {
    /// Times asked for without input.
    unasked: u32,
    /// It was still open when a wait had to give up on it.
    hangs: bool,
}

#[derive(Debug)]
struct Request {
    key: String,
    /// It began after the input and holds up the quiet.
    holds: bool,
    /// Its answer came, and its body is waited for until then only: a script may never read it, and then it never ends.
    answered: Option<Instant>,
    /// A script asked, and reads the body when it likes.
    reads_late: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WillBeSent {
    request_id: String,
    request: Asked,
    #[serde(rename = "type", default)]
    kind: String,
    /// In seconds.
    #[serde(default)]
    wall_time: f64,
}
#[derive(Deserialize)]
struct Asked {
    url: String,
    method: String,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ended {
    request_id: String,
}

/// Kinds of requests whose end changes what a page shows.
const AWAITED: [&str; 7] = ["Document", "Stylesheet", "Script", "Image", "Font", "XHR", "Fetch"];
/// Kinds that tell that something was set off.
const TELLING: [&str; 3] = ["Document", "XHR", "Fetch"];

/// The body of an answer follows its head within this time, or it is a stream.
const BODY_WITHIN: Duration = Duration::from_millis(300);

impl Traffic {
    /// An input follows.
    pub(super) fn arm(&mut self) {
        self.watching = true;
        self.started = 0;
        self.begun.clear();
        for request in self.open.values_mut() {
            request.holds = false;
        }
    }

    /// The wait is over; what begins now is not the input's doing.
    pub(super) fn rest(&mut self) {
        self.watching = false;
        for request in self.open.values_mut().filter(|r| r.holds) {
            self.habits.entry(request.key.clone()).or_default().hangs = true;
            request.holds = false;
        }
    }

    /// Requests that went with the document before.
    pub(super) fn new_document(&mut self) {
        self.open.retain(|_, request| request.holds);
        self.watching = true;
    }

    /// Between an input and the end of the wait that follows it.
    pub(super) fn is_watching(&self) -> bool {
        self.watching
    }

    /// How many requests the input set off.
    pub(super) fn started(&self) -> u32 {
        self.started
    }

    /// Something was asked for in one of these times. The page's clock and the browser's are the same but for its rounding.
    pub(super) fn began_within(&self, spans: &[(f64, f64)]) -> bool {
        const ROUNDING: f64 = 0.3;
        let in_one = |at: f64| spans.iter().any(|(from, to)| at >= from - ROUNDING && at <= to + ROUNDING);
        self.begun.iter().any(|&at| in_one(at))
    }

    /// What is still awaited, for people: `GET http://…`, and until when at most.
    pub(super) fn awaited(&self, now: Instant) -> Option<(&str, Option<Instant>)> {
        let held = self.open.values().filter(|r| r.holds && r.answered.is_none_or(|until| until > now));
        held.max_by_key(|r| r.answered.is_none()).map(|r| (r.key.as_str(), r.answered))
    }

    pub(super) fn take(&mut self, event: &SessionEvent) {
        match &*event.method {
            "Network.requestWillBeSent" => {
                if let Some(sent) = read_event::<WillBeSent>(event) {
                    self.begin(sent.request_id, &sent.request, &sent.kind, sent.wall_time * 1000.0);
                }
            }
            "Network.responseReceived" => {
                if let Some(Ended { request_id }) = read_event(event)
                    && let Some(request) = self.open.get_mut(&request_id)
                    && request.reads_late
                {
                    #[expect(
                        clippy::disallowed_methods,
                        reason = "events come without a context; this only bounds a wait"
                    )]
                    let now = Instant::now();
                    request.answered = Some(now + BODY_WITHIN);
                    self.ticks += 1;
                }
            }
            "Network.loadingFinished" | "Network.loadingFailed" => {
                if let Some(Ended { request_id }) = read_event(event) {
                    self.open.remove(&request_id);
                    self.ticks += 1;
                }
            }
            _ => {}
        }
    }

    fn begin(&mut self, id: String, request: &Asked, kind: &str, at: f64) {
        self.ticks += 1;
        if !AWAITED.contains(&kind) || !request.url.starts_with("http") {
            return;
        }
        let address = request.url.split(['?', '#']).next().unwrap_or_default();
        let key = format!("{} {address}", request.method);
        let habit = self.habits.entry(key.clone()).or_default();
        if !self.watching && kind != "Document" {
            habit.unasked += 1;
        }
        let asked = self.watching && habit.unasked < 2;
        let holds = asked && !habit.hangs;
        // A redirect goes on under the same id: it is one request.
        let tells = TELLING.contains(&kind);
        if asked && !self.open.contains_key(&id) && (tells || kind == "Script") {
            self.started += u32::from(tells);
            self.begun.push(at);
        }
        let reads_late = matches!(kind, "Fetch" | "XHR");
        self.open.insert(id, Request { key, holds, reads_late, answered: None });
        self.bound();
    }

    /// A page that is open for days must not fill our memory.
    fn bound(&mut self) {
        if self.habits.len() > 2000 {
            self.habits.retain(|_, habit| habit.unasked >= 2 || habit.hangs);
            if self.habits.len() > 2000 {
                self.habits.clear();
            }
        }
        if self.open.len() > 2000 {
            let oldest: VecDeque<String> =
                self.open.iter().filter(|(_, r)| !r.holds).map(|(id, _)| id.clone()).collect();
            for id in oldest {
                self.open.remove(&id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "there is no Ctx here")]
    fn awaited(traffic: &Traffic) -> Option<&str> {
        traffic.awaited(Instant::now()).map(|(key, _)| key)
    }

    fn ask(traffic: &mut Traffic, id: &str, path: &str, kind: &str) {
        let request = Asked { url: format!("http://shop{path}"), method: "GET".to_owned() };
        traffic.begin(id.to_owned(), &request, kind, 0.0);
    }

    #[test]
    fn only_what_the_input_set_off_is_awaited() {
        let mut traffic = Traffic::default();
        ask(&mut traffic, "1", "/old", "Fetch");
        traffic.arm();
        assert_eq!(awaited(&traffic), None);
        ask(&mut traffic, "2", "/events", "EventSource");
        ask(&mut traffic, "3", "/ping", "Ping");
        assert_eq!((awaited(&traffic), traffic.started()), (None, 0));
        ask(&mut traffic, "4", "/cart?add=1", "Fetch");
        assert_eq!((awaited(&traffic), traffic.started()), (Some("GET http://shop/cart"), 1));
        // A redirect of it is still the one request.
        ask(&mut traffic, "4", "/cart/view", "Fetch");
        assert_eq!(traffic.started(), 1);
        traffic.open.remove("4");
        assert_eq!(awaited(&traffic), None);
    }

    #[test]
    fn polling_and_requests_that_hang_are_learnt() {
        let mut traffic = Traffic::default();
        for id in ["1", "2"] {
            ask(&mut traffic, id, "/poll?t=1", "Fetch");
        }
        traffic.arm();
        ask(&mut traffic, "3", "/poll?t=2", "Fetch");
        assert_eq!((awaited(&traffic), traffic.started()), (None, 0));
        ask(&mut traffic, "4", "/long", "XHR");
        assert!(awaited(&traffic).is_some());
        traffic.rest();
        traffic.arm();
        ask(&mut traffic, "5", "/long", "XHR");
        assert_eq!((awaited(&traffic), traffic.started()), (None, 1));
    }
}
