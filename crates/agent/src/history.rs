//! What the planner remembers of the run: the conversation, notes, and a log of steps with what became of each.

use crate::budget::PICTURE_TOKENS;
use handeye_core::text::clip_to;
use handeye_core::{Message, Part, Role};

pub mod goals;

use goals::Goals;

/// The longest piece of feedback, in characters.
pub const PIECE_LIMIT: usize = 500;
/// The longest note that is kept, in characters.
const LONGEST_NOTE: usize = 2_000;
/// Characters of all notes that a request holds: the newest ones.
const NOTES_LIMIT: usize = 12_000;

/// How long a conversation may become before its beginning is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Estimated tokens, of pictures too.
    pub tokens: usize,
    /// A conversation of more messages is cut whatever its size…
    pub messages: usize,
    /// … to this many of the newest.
    pub keep: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { tokens: 24_000, messages: 50, keep: 20 }
    }
}

/// A reply that could not be read, kept until a readable one comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadReply {
    pub raw: String,
    pub why: String,
}

/// Belongs to one `act` call; nothing of it outlives the call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Observations (user) and replies (assistant), oldest first, always in pairs but for the newest observation.
    messages: Vec<Message>,
    memories: Vec<String>,
    /// One line a step, with its outcome.
    logs: Vec<String>,
    /// Empty where the planner has none.
    pub goals: Goals,
    pending_feedback: Option<String>,
    pub bad_reply: Option<BadReply>,
    omitted: usize,
    limits: Limits,
}

impl History {
    pub fn within(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }
    /// Sets what the next planning call is told. There is one writer: the loop, after each batch.
    pub fn set_feedback(&mut self, text: String) {
        self.pending_feedback = Some(text);
    }
    /// Adds to what the next planning call is told.
    pub fn add_feedback(&mut self, text: &str) {
        match &mut self.pending_feedback {
            Some(old) => {
                old.push('\n');
                old.push_str(text);
            }
            None => self.pending_feedback = Some(text.to_owned()),
        }
    }
    /// The feedback, which is thereby consumed.
    pub fn take_feedback(&mut self) -> Option<String> {
        self.pending_feedback.take()
    }
    /// Keeps a note; one that is there already is not kept twice.
    pub fn remember(&mut self, note: &str) {
        let note = clip_to(note.trim(), LONGEST_NOTE);
        if !note.is_empty() && !self.memories.contains(&note) {
            self.memories.push(note);
        }
    }
    /// Records a step that ran, with what became of it.
    pub fn log(&mut self, step: &str, outcome: &str) {
        let line = format!("{} — {}", clip_to(step, PIECE_LIMIT), clip_to(outcome, PIECE_LIMIT));
        self.goals.log(&line);
        self.logs.push(line);
    }

    /// Appends an observation and the text that answered it.
    pub fn exchange(&mut self, observation: Message, reply: &str) {
        self.exchange_whole(observation, Message::text(Role::Assistant, reply));
    }

    /// Appends an observation and the message that answered it, with what its provider wants to see again.
    pub fn exchange_whole(&mut self, observation: Message, reply: Message) {
        self.messages.push(observation);
        self.messages.push(reply);
    }

    /// The conversation as a request shows it: at most `pictures` pictures, the newest ones, and a word in place of the others
    /// (within one message, later pictures are newer), and no longer than the limits allow. What is taken out is gone for good.
    pub fn snapshot(&mut self, pictures: usize) -> Vec<Message> {
        self.drop_pictures(pictures);
        self.compress();
        let note = (self.omitted > 0).then(|| {
            let note = format!("({} earlier messages of this conversation are left out)", self.omitted);
            Message::text(Role::User, note)
        });
        note.into_iter().chain(self.messages.iter().cloned()).collect()
    }

    fn drop_pictures(&mut self, keep: usize) {
        let messages = self.messages.iter_mut().enumerate().rev();
        let parts = messages.flat_map(|(at, message)| message.parts.iter_mut().rev().map(move |part| (at, part)));
        let mut first = None;
        for (at, part) in parts.filter(|(_, part)| matches!(part, Part::Image { .. })).skip(keep) {
            *part = Part::Text("(an earlier screenshot, left out)".to_owned());
            first = Some(at);
        }
        if let Some(first) = first {
            self.changed_before(first);
        }
    }

    /// Replies from there on were given to a conversation that is no longer as it was.
    fn changed_before(&mut self, at: usize) {
        let replays = self.messages.iter_mut().skip(at).filter_map(|message| message.replay.as_mut());
        replays.for_each(|replay| replay.stale = true);
    }

    /// Notes, and the log of steps or the sub-goals, as the planner reads them, less the newest `told` steps. Empty when there is
    /// nothing yet.
    pub fn progress(&self, told: usize) -> String {
        let mut text = self.notes();
        let lines = steps(&self.logs, told);
        if !self.goals.is_empty() {
            text.push_str(&self.goals.told(told));
        } else if !lines.is_empty() {
            text.push_str("Steps so far, each with what became of it:\n");
            text.push_str(&lines);
        }
        text.truncate(text.trim_end().len());
        text
    }

    fn notes(&self) -> String {
        let mut room = NOTES_LIMIT;
        let fits = |note: &&String| {
            room = room.saturating_sub(note.chars().count());
            room > 0
        };
        let shown = self.memories.iter().rev().take_while(fits).count();
        let hidden = self.memories.len() - shown;
        if self.memories.is_empty() {
            return String::new();
        }
        let mut text = "Your notes so far:\n".to_owned();
        if hidden > 0 {
            text.push_str(&format!("({hidden} earlier notes are left out)\n"));
        }
        for note in &self.memories[hidden..] {
            text.push_str(&format!("- {note}\n"));
        }
        text.push('\n');
        text
    }

    /// Drops the oldest messages once they are too long or too many: to half of the limit, so that the beginning of the
    /// conversation stays the same for many rounds. Never cuts between an observation and its reply, and the newest pair stays.
    fn compress(&mut self) {
        let Limits { tokens: most, messages, keep } = self.limits;
        let tokens: usize = self.messages.iter().map(estimate).sum();
        let keep = if tokens > most {
            let mut room = most / 2;
            let fits = |pair: &&[Message]| {
                let cost = pair.iter().map(estimate).sum();
                let fits = cost <= room;
                room = room.saturating_sub(cost);
                fits
            };
            2 * self.messages.rchunks(2).take_while(fits).count()
        } else if self.messages.len() > messages {
            keep / 2 * 2
        } else {
            return;
        };
        let cut = self.messages.len().saturating_sub(keep.max(2));
        self.messages.drain(..cut);
        self.omitted += cut;
        if cut > 0 {
            self.changed_before(0);
        }
    }
}

/// Steps that a prompt lists at most; a long run says how many it leaves out.
const MOST_LOGS: usize = 60;

/// The log as numbered lines, less the newest `told`.
fn steps(logs: &[String], told: usize) -> String {
    let logs = &logs[..logs.len().saturating_sub(told)];
    let hidden = logs.len().saturating_sub(MOST_LOGS);
    let mut text = String::new();
    if hidden > 0 {
        text.push_str(&format!("({hidden} earlier steps are left out)\n"));
    }
    for (i, log) in logs.iter().enumerate().skip(hidden) {
        text.push_str(&format!("{}. {log}\n", i + 1));
    }
    text
}

/// Tokens of a message, roughly: a token is about three bytes of text. What a provider wants to see again is sent in place of
/// the text that says the same.
fn estimate(message: &Message) -> usize {
    let pictures = message.parts.iter().filter(|part| matches!(part, Part::Image { .. })).count();
    let calls = message.parts.iter().filter_map(|part| match part {
        Part::Call(call) => Some(call.to_string().len()),
        _ => None,
    });
    let written = message.joined().len() + calls.sum::<usize>();
    let replayed = message.replay.as_ref().map_or(0, |replay| replay.content.to_string().len());
    written.max(replayed) / 3 + pictures * PICTURE_TOKENS
}

#[cfg(test)]
mod tests;
