//! The one writer of feedback: what the next planning call is told about the batch that just ran.

use crate::guard::{self, Circling};
use crate::history::PIECE_LIMIT;
use crate::run::Done;
use handeye_core::text::clip_to;

/// Device time in front, then one line for each action of the batch, each at most 500 characters.
pub fn of_batch(device_time: &str, done: &[Done]) -> String {
    timed(device_time, lines(done))
}

fn lines(done: &[Done]) -> String {
    done.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// What was done and what became of it.
pub fn line(done: &Done) -> String {
    piece(&format!("{}: {}", done.summary, done.outcome()))
}

/// A warning from the third repeat on; `None` before.
pub fn of_circling(circling: &Circling) -> Option<String> {
    match circling {
        Circling::Repeated { times, what } if *times >= guard::NAME_AT => Some(format!(
            "This was {what} for the {} time, without visible change. Do something else: the run ends at the {}.",
            ordinal(*times),
            ordinal(guard::STOP_AT)
        )),
        _ => None,
    }
}

/// What the planner that takes over is told of one that could not go on.
pub fn of_takeover(device_time: &str, why: &str) -> String {
    let said = format!(
        "The steps above were done by another planner, which could not go on: {why}. Go on from what the screen shows."
    );
    timed(device_time, piece(&said))
}

fn piece(text: &str) -> String {
    clip_to(text, PIECE_LIMIT)
}

fn timed(device_time: &str, text: String) -> String {
    if device_time.is_empty() { text } else { format!("[{device_time}] {text}") }
}

/// A completion that came with actions and does not count.
pub const COMPLETION_DROPPED: &str = "Your completion was not counted, because not every action of that reply had a \
     confirmed effect, or a dialog of the page was dismissed. Look at the screen; complete in a reply of its own once the goal is met.";

fn ordinal(n: u32) -> String {
    let ending = match (n % 10, n % 100) {
        (1, x) if x != 11 => "st",
        (2, x) if x != 12 => "nd",
        (3, x) if x != 13 => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// What a feedback says beyond what became of each action of its batch.
pub fn beyond_batch<'t>(feedback: &'t str, done: &[Done]) -> &'t str {
    let lines = lines(done);
    match feedback.split_once(&lines) {
        Some((_, beyond)) if !lines.is_empty() => beyond.trim(),
        _ => feedback.trim(),
    }
}
