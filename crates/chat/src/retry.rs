//! When to ask again, and for how long.

use crate::failure::{self, Failure, Retry};
use crate::secret::Mask;
use handeye_core::{ChatError, ChatErrorKind, Ctx, Event, Reply, Usage};
use serde_json::Value;
use std::time::Duration;

/// How failed attempts are repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    /// Attempts after the first.
    pub retries: u32,
    /// The wait before the first retry.
    pub base: Duration,
}

/// The doubling of waits stops here.
const LONGEST_BACKOFF: Duration = Duration::from_secs(30);
/// What to do when a token budget ends.
const MORE_TOKENS: &str = "raise it with --budget-tokens";
/// A provider that asks for more patience than this is not waited for.
const LONGEST_WAIT: Duration = Duration::from_mins(5);

impl Policy {
    /// The wait after the `failed`-th failed attempt, from 1. `jitter` is from 0 to 1: a wait is between half of its
    /// backoff and the whole, so that many runs that failed together do not come back together. A time that the provider
    /// named is kept, with a little more.
    pub(crate) fn wait(&self, failed: u32, retry: Retry, jitter: f64) -> Option<Duration> {
        if failed > self.retries {
            return None;
        }
        let doubled =
            self.base.saturating_mul(2u32.saturating_pow(failed.saturating_sub(1))).min(LONGEST_BACKOFF.max(self.base));
        match retry {
            Retry::Never => None,
            Retry::Backoff => Some(doubled.mul_f64(0.5 + jitter / 2.0)),
            Retry::After(wait) if wait > LONGEST_WAIT => None,
            Retry::After(wait) => Some(wait + self.base.min(wait).mul_f64(jitter / 4.0)),
        }
    }
}

/// Who is asked, for messages.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The model's name.
    pub model: String,
    /// The base URL, safe to show.
    pub base: String,
}

impl Place {
    /// The failure of an attempt in full.
    fn sentence(&self, failure: &Failure) -> String {
        let Self { model, base } = self;
        let place = if failure.kind == ChatErrorKind::Empty {
            format!("{} model {model} at {base}", failure.lead)
        } else {
            format!("{} {base}, model {model}", failure.lead)
        };
        if failure.said.is_empty() { place } else { format!("{place}: {}", failure.said) }
    }
}

/// What attempts took that failed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    usage: Usage,
    /// Of those whose price is known.
    microdollars: u64,
    /// There is one whose price is not.
    unpriced: bool,
}

impl Spent {
    pub(crate) fn add(&mut self, usage: &Usage, microdollars: Option<u64>) {
        self.usage.add(usage);
        self.microdollars = self.microdollars.saturating_add(microdollars.unwrap_or(0));
        self.unpriced |= microdollars.is_none() && !usage.is_none();
    }
    fn onto(&self, microdollars: Option<u64>) -> Option<u64> {
        microdollars.filter(|_| !self.unpriced).map(|sum| sum.saturating_add(self.microdollars))
    }
    pub(crate) fn onto_reply(self, mut reply: Reply) -> Reply {
        reply.usage.add(&self.usage);
        reply.wasted.add(&self.usage);
        reply.microdollars = self.onto(reply.microdollars);
        reply
    }
    pub(crate) fn onto_error(self, mut error: ChatError) -> ChatError {
        // What took nothing has no price to know.
        let own = error.microdollars.or(error.usage.is_none().then_some(0));
        error.usage.add(&self.usage);
        error.microdollars = self.onto(own).filter(|_| !error.usage.is_none());
        error
    }
}

/// Asks until a reply comes, an attempt fails for good, the retries are used up, or the run is over.
pub(crate) async fn ask<A, F>(
    policy: Policy,
    place: &Place,
    mask: &Mask,
    tokens_left: Option<u64>,
    cx: &Ctx,
    mut attempt: A,
) -> Result<Reply, ChatError>
where
    A: FnMut() -> F + Send,
    F: Future<Output = Result<Reply, Failure>> + Send,
{
    let mut lines = Vec::new();
    let mut spent = Spent::default();
    loop {
        if cx.cancel.is_cancelled() {
            return Err(spent.onto_error(cancelled(place, lines)));
        }
        let mut failure = match attempt().await {
            Ok(reply) => return Ok(spent.onto_reply(heard(reply, lines, mask))),
            Err(failure) => failure,
        };
        failure.said = failure::cut(&mask.apply(&failure.said));
        if failure.kind == ChatErrorKind::Cancelled {
            return Err(spent.onto_error(cancelled(place, lines)));
        }
        let took = failure.spent.as_deref().copied().unwrap_or_default();
        spent.add(&took, failure.microdollars);
        lines.push(format!("attempt {} of {}: {}", lines.len() + 1, policy.retries + 1, failure.line()));
        tracing::debug!(attempt = lines.len(), kind = ?failure.kind, "a model attempt failed");
        let Some(wait) = policy.wait(lines.len() as u32, failure.retry, jitter(cx)) else {
            return Err(spent.onto_error(given_up(place, &failure, lines, None)));
        };
        if cx.remaining(wait) < wait {
            let why = format!("the run's time ends before the next attempt, due in {:.1} s", wait.as_secs_f64());
            return Err(spent.onto_error(given_up(place, &failure, lines, Some(&why))));
        }
        if tokens_left.is_some_and(|left| spent.usage.total().saturating_add(took.total()) > left) {
            failure.kind = ChatErrorKind::OverTokens;
            failure.hint = Some(MORE_TOKENS.to_owned());
            let why = format!(
                "the token budget allows no further attempt: {} taken, and the next may take {}",
                spent.usage.total(),
                took.total()
            );
            return Err(spent.onto_error(given_up(place, &failure, lines, Some(&why))));
        }
        told(&lines, failure.line(), wait, policy.retries + 1, cx);
        // Ends early only when the run is cancelled, which the next turn sees.
        let _ = tokio::time::timeout(wait, cx.cancel.cancelled()).await;
    }
}

/// Somebody may be watching, and wonder.
fn told(lines: &[String], line: String, wait: Duration, of: u32, cx: &Ctx) {
    let is_news = lines.iter().rev().nth(1).is_none_or(|before| !before.ends_with(&line));
    let what = if is_news { line } else { "the same again".to_owned() };
    let text = format!("the model: {what}; waits {}, then try {} of {of}", seconds(wait), lines.len() + 1);
    cx.journal.record(Event::Notice { text });
}

/// `2 s`, `0.4 s`.
fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds >= 2.0 { format!("{seconds:.0} s") } else { format!("{seconds:.1} s") }
}

fn heard(mut reply: Reply, lines: Vec<String>, mask: &Mask) -> Reply {
    reply.failed_attempts = lines;
    // What was signed can only be sent back as it is, and with a secret in it not at all.
    reply.replay = reply.replay.filter(|replay| {
        let text = replay.content.to_string();
        mask.apply_to_content(&text) == text
    });
    for call in &mut reply.calls {
        masked(&mut call.input, mask);
    }
    for text in [&mut reply.text, &mut reply.reasoning, &mut reply.model, &mut reply.request_id] {
        *text = mask.apply_to_content(text);
    }
    reply
}

fn masked(value: &mut Value, mask: &Mask) {
    match value {
        Value::String(text) => *text = mask.apply_to_content(text),
        Value::Array(items) => items.iter_mut().for_each(|item| masked(item, mask)),
        Value::Object(object) => object.values_mut().for_each(|item| masked(item, mask)),
        _ => {}
    }
}

fn cancelled(place: &Place, lines: Vec<String>) -> ChatError {
    let message = format!("cancelled while asking model {} at {}", place.model, place.base);
    ChatError { failed_attempts: lines, ..ChatError::new(ChatErrorKind::Cancelled, message) }
}

fn given_up(place: &Place, failure: &Failure, lines: Vec<String>, why: Option<&str>) -> ChatError {
    let mut message = place.sentence(failure);
    let mut notes: Vec<String> = Vec::new();
    if lines.len() > 1 {
        notes.push(format!("after {} attempts", lines.len()));
    }
    if let Retry::After(wait) = failure.retry
        && wait > LONGEST_WAIT
    {
        notes.push(format!("the provider asks to wait {} s", wait.as_secs()));
    }
    notes.extend(why.map(str::to_owned));
    if !notes.is_empty() {
        message = format!("{message} ({})", notes.join("; "));
    }
    ChatError { hint: failure.hint.clone(), failed_attempts: lines, ..ChatError::new(failure.kind, message) }
}

/// From 0 to 1.
fn jitter(cx: &Ctx) -> f64 {
    cx.random() as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_within_their_bounds() {
        let policy = Policy { retries: 9, base: Duration::from_millis(500) };
        let wait = |failed, retry, jitter| policy.wait(failed, retry, jitter).map(|w| w.as_millis());
        let backoff: Vec<_> = (1..=9).map(|n| wait(n, Retry::Backoff, 1.0).expect("a retry")).collect();
        assert_eq!(backoff, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
        assert_eq!(wait(1, Retry::Backoff, 0.0), Some(250));
        assert_eq!(wait(10, Retry::Backoff, 0.0), None);
        assert_eq!(wait(1, Retry::Never, 0.0), None);
        assert_eq!(wait(1, Retry::After(Duration::from_secs(7)), 0.0), Some(7000));
        assert_eq!(wait(1, Retry::After(Duration::from_secs(7)), 1.0), Some(7125));
        assert_eq!(wait(1, Retry::After(Duration::ZERO), 1.0), Some(0));
        assert_eq!(wait(1, Retry::After(Duration::from_hours(1)), 0.0), None);
        assert_eq!(Policy { retries: 0, base: Duration::ZERO }.wait(1, Retry::Backoff, 0.5), None);
        let slow = Policy { retries: 3, base: Duration::from_mins(1) };
        assert_eq!(slow.wait(3, Retry::Backoff, 1.0), Some(Duration::from_mins(1)));
    }
}
