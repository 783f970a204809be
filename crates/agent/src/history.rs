//! What the planner remembers of the run: the conversation, notes, and a log of steps with what became of each.

use handeye_core::text::clip_to;
use handeye_core::{Message, Part, Role};

/// The longest piece of feedback, in characters.
pub const PIECE_LIMIT: usize = 500;
/// A conversation with more messages is compressed, whatever its size…
pub const MOST_MESSAGES: usize = 50;
/// … to this many of the newest.
pub const KEEP_MESSAGES: usize = 20;
/// Estimated tokens of the conversation above which it is compressed.
pub const MOST_TOKENS: usize = 24_000;

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
    pending_feedback: Option<String>,
    pub bad_reply: Option<BadReply>,
    omitted: usize,
}

impl History {
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
    pub fn remember(&mut self, note: &str) {
        let note = note.trim();
        if !note.is_empty() {
            self.memories.push(note.to_owned());
        }
    }
    /// Records a step that ran, with what became of it.
    pub fn log(&mut self, step: &str, outcome: &str) {
        self.logs.push(format!("{} — {}", clip_to(step, PIECE_LIMIT), clip_to(outcome, PIECE_LIMIT)));
    }

    /// Appends an observation and the reply to it.
    pub fn exchange(&mut self, observation: Message, reply: &str) {
        self.messages.push(observation);
        self.messages.push(Message::text(Role::Assistant, reply));
        self.compress();
    }

    /// The conversation with pictures only in the newest `images` messages that have one, and a word in place of the others.
    /// Within one message, later pictures go first.
    pub fn snapshot(&self, images: usize) -> Vec<Message> {
        let mut left = images;
        let mut out: Vec<Message> = Vec::with_capacity(self.messages.len() + 1);
        for message in self.messages.iter().rev() {
            let mut message = message.clone();
            for part in message.parts.iter_mut().rev() {
                if matches!(part, Part::Image { .. }) {
                    if left > 0 {
                        left -= 1;
                    } else {
                        *part = Part::Text("(an earlier screenshot, left out)".to_owned());
                    }
                }
            }
            out.push(message);
        }
        if self.omitted > 0 {
            let note = format!("({} earlier messages of this conversation are left out)", self.omitted);
            out.push(Message::text(Role::User, note));
        }
        out.reverse();
        out
    }

    /// Notes and the log of steps, as the planner reads them, less the newest `told` steps. Empty when there is nothing yet.
    pub fn progress(&self, told: usize) -> String {
        let logs = &self.logs[..self.logs.len().saturating_sub(told)];
        let mut text = String::new();
        if !self.memories.is_empty() {
            text.push_str("Your notes so far:\n");
            for note in &self.memories {
                text.push_str("- ");
                text.push_str(note);
                text.push('\n');
            }
        }
        if !logs.is_empty() {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str("Steps so far, each with what became of it:\n");
            let hidden = logs.len().saturating_sub(MOST_LOGS);
            if hidden > 0 {
                text.push_str(&format!("({hidden} earlier steps are left out)\n"));
            }
            for (i, log) in logs.iter().enumerate().skip(hidden) {
                text.push_str(&format!("{}. {log}\n", i + 1));
            }
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// Drops the oldest messages once they are too long or too many: to half of the limit, so that the beginning of the
    /// conversation stays the same for many rounds. Never cuts between an observation and its reply, and the newest pair stays.
    fn compress(&mut self) {
        let tokens: usize = self.messages.iter().map(estimate).sum();
        let keep = if tokens > MOST_TOKENS {
            let mut room = MOST_TOKENS / 2;
            let fits = |pair: &&[Message]| {
                let cost = pair.iter().map(estimate).sum();
                let fits = cost <= room;
                room = room.saturating_sub(cost);
                fits
            };
            2 * self.messages.rchunks(2).take_while(fits).count().max(1)
        } else if self.messages.len() > MOST_MESSAGES {
            KEEP_MESSAGES
        } else {
            return;
        };
        let cut = self.messages.len().saturating_sub(keep);
        self.messages.drain(..cut);
        self.omitted += cut;
    }
}

/// Steps that a prompt lists at most; a long run says how many it leaves out.
const MOST_LOGS: usize = 60;

/// Tokens of a message, roughly: a token is about three bytes of text.
fn estimate(message: &Message) -> usize {
    message.joined().len() / 3
}

#[cfg(test)]
mod tests;
