//! Calls and their results, as the model gets to see them again.
//!
//! A call and its result are never apart: old ones are left out as pairs. Providers keep what a conversation begins with, and
//! some tie what a model thought to all that stood before it; so the past is changed seldom and then by much: once there are
//! [`MOST_PICTURES`], all but the newest [`KEPT_PICTURES`] become a word.

use super::prompt::{LAST_CALL, picture_limit};
use crate::feedback;
use crate::plan::ask::{happened, instruction};
use crate::read::computer_use::{Place, Step};
use crate::run::Done;
use crate::settings::Goal;
use handeye_core::text::clip_to;
use handeye_core::{Message, Observation, Part, Reply, Role, Shown, ToolCall, ToolResult};
use std::ops::Range;

/// With more pictures than this in a request …
pub(super) const MOST_PICTURES: usize = 6;
/// … only so many of the newest are kept.
pub(super) const KEPT_PICTURES: usize = 3;
/// Tokens of a picture to reckon with.
const PICTURE_TOKENS: usize = 1_500;
/// What is kept of a turn that is left out, in characters, and of how many of them.
const KEPT_OF_TURN: usize = 200;
const KEPT_TURNS: usize = 40;
/// How many times a part of the screen is enlarged at most.
const MOST_ENLARGED: f64 = 8.0;

const LEFT_OUT: &str = "(an earlier screenshot, left out)";
const NOT_REACHED: &str = "not carried out, because a call before it in the same reply could not be";

/// What became of a call when it was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fate {
    /// These actions of the batch, and what is to be seen.
    Done {
        actions: Range<usize>,
        looks: Vec<Step>,
    },
    Bad(String),
    NotReached,
    Finish,
}

/// A reply, its calls, and what they are answered.
#[derive(Debug)]
pub(super) struct Turn {
    reply: Message,
    calls: Vec<(ToolCall, Fate)>,
    answer: Option<Message>,
    /// The answer in a line.
    came: String,
}

impl Turn {
    pub(super) fn new(reply: &Reply, calls: Vec<(ToolCall, Fate)>) -> Self {
        Self { reply: reply.message(), calls, answer: None, came: String::new() }
    }
}

/// The screen as it is now, and what else there is to say.
pub(super) struct Now<'a> {
    pub(super) seen: &'a Observation,
    pub(super) shown: Shown,
    /// What the feedback says beyond what became of each action.
    pub(super) beyond: &'a str,
    pub(super) may_act: bool,
    pub(super) pointer: Option<&'a Place>,
}

#[derive(Debug, Default)]
pub(super) struct Conversation {
    first: Option<Message>,
    /// Pictures in the first message that the goal refers to: they are never left out.
    references: usize,
    turns: Vec<Turn>,
    /// What came of the turns that are left out.
    omitted: Vec<String>,
}

impl Conversation {
    pub(super) fn has_begun(&self) -> bool {
        self.first.is_some()
    }

    pub(super) fn said(&mut self, turn: Turn) {
        self.turns.push(turn);
    }

    /// Answers the last reply, or tells the goal when there is none yet. With more than `most` tokens, as we estimate them, the
    /// oldest turns are left out, down to half of it.
    pub(super) fn answer(&mut self, goal: &Goal, now: &Now<'_>, done: &[Done], most: usize) {
        let Some(turn) = self.turns.last_mut() else {
            self.references = goal.references.len();
            self.first.get_or_insert_with(|| first(goal, now));
            return;
        };
        if turn.answer.is_none() {
            let texts = turn.calls.iter().map(|(_, fate)| told(fate, now, done).1).filter(|text| !text.is_empty());
            turn.came = clip_to(&texts.collect::<Vec<_>>().join("; ").replace('\n', "; "), KEPT_OF_TURN);
            if turn.came.is_empty() {
                turn.came.push_str("only looked");
            }
            turn.answer = Some(Message::new(Role::User, results(&turn.calls, now, done)));
        }
        self.prune(most);
    }

    /// Appends all of it. Hands back how many messages, those that stand there included, the next request will repeat.
    pub(super) fn messages(&self, to: &mut Vec<Message>) -> Option<usize> {
        let mut first = self.first.clone().unwrap_or_else(|| Message::text(Role::User, ""));
        if !self.omitted.is_empty() {
            let hidden = self.omitted.len().saturating_sub(KEPT_TURNS);
            let mut note = format!("The first {} replies are left out. What came of them:", self.omitted.len());
            for (at, line) in self.omitted.iter().enumerate().skip(hidden) {
                note.push_str(&format!("\n{}. {line}", at + 1));
            }
            first.parts.push(Part::Text(note));
        }
        to.push(first);
        for turn in &self.turns {
            to.push(turn.reply.clone());
            to.extend(turn.answer.clone());
        }
        // The next one has one picture more.
        let will_change = self.screens() >= MOST_PICTURES;
        let pictures = |message: &Message| message.parts.iter().filter(|part| is_picture(part)).count();
        let mut left = self.references;
        let oldest = to.iter().position(|message| {
            let here = pictures(message);
            let shows = here > left;
            left = left.saturating_sub(here);
            shows
        });
        Some(if will_change { oldest.unwrap_or(to.len()) } else { to.len() }).filter(|stable| *stable > 1)
    }

    fn answers(&mut self) -> impl DoubleEndedIterator<Item = &mut Message> {
        self.first.iter_mut().chain(self.turns.iter_mut().filter_map(|turn| turn.answer.as_mut()))
    }

    /// How many pictures of the screen there are.
    fn screens(&self) -> usize {
        let answers = self.first.iter().chain(self.turns.iter().filter_map(|turn| turn.answer.as_ref()));
        let pictures = answers.flat_map(|message| &message.parts).filter(|part| is_picture(part)).count();
        pictures.saturating_sub(self.references)
    }

    fn prune(&mut self, most: usize) {
        let mut changed = false;
        let screens = self.screens();
        if screens > MOST_PICTURES {
            let parts = self.answers().rev().flat_map(|message| message.parts.iter_mut().rev());
            for part in parts.filter(|part| is_picture(part)).take(screens).skip(KEPT_PICTURES) {
                *part = Part::Text(LEFT_OUT.to_owned());
                changed = true;
            }
        }
        if self.turns.iter().map(tokens).sum::<usize>() > most {
            let mut room = most / 2;
            let fits = |turn: &&Turn| {
                let cost = tokens(turn);
                let fits = cost <= room;
                room = room.saturating_sub(cost);
                fits
            };
            let keep = self.turns.iter().rev().take_while(fits).count().max(1);
            let cut = self.turns.len().saturating_sub(keep);
            self.omitted.extend(self.turns.drain(..cut).map(|turn| turn.came));
            changed |= cut > 0;
        }
        if changed {
            self.turns.iter_mut().filter_map(|turn| turn.reply.replay.as_mut()).for_each(|replay| replay.stale = true);
        }
    }
}

fn is_picture(part: &Part) -> bool {
    matches!(part, Part::Image { .. })
}

/// Tokens of a turn, roughly.
fn tokens(turn: &Turn) -> usize {
    let replayed = turn.reply.replay.as_ref().map_or(0, |replay| replay.content.to_string().len() / 4);
    let calls: usize = turn.calls.iter().map(|(call, _)| call.input.to_string().len() / 3).sum();
    let answer = turn.answer.as_ref().map_or(0, |answer| {
        let pictures = answer.parts.iter().filter(|part| is_picture(part)).count();
        answer.joined().len() / 3 + pictures * PICTURE_TOKENS
    });
    replayed.max(calls + turn.reply.joined().len() / 3) + answer
}

fn first(goal: &Goal, now: &Now<'_>) -> Message {
    let mut parts = vec![Part::Text(instruction(goal))];
    for reference in &goal.references {
        parts.push(Part::Text(format!("The picture that the goal calls {:?}:", reference.name)));
        let size = reference.image.size;
        let shown = Shown::whole(size, Some(picture_limit(size, None)), 1);
        parts.push(Part::Image { image: reference.image.clone(), shown });
    }
    parts.extend(screen(now));
    Message::new(Role::User, parts)
}

/// Where we are, what else is to be told, and the screenshot.
fn screen(now: &Now<'_>) -> Vec<Part> {
    let mut pieces = vec![now.beyond.to_owned(), happened(now.seen).trim_end().to_owned()];
    if now.seen.frame.is_some() {
        pieces.push(format!("The screenshot, {} pixels, shows the screen now.", now.shown.canvas()));
    }
    if !now.may_act {
        pieces.push(LAST_CALL.to_owned());
    }
    pieces.retain(|piece| !piece.is_empty());
    let text = Some(pieces.join("\n")).filter(|text| !text.is_empty()).map(Part::Text);
    let picture = now.seen.frame.as_ref().map(|frame| Part::Image { image: frame.image.clone(), shown: now.shown });
    text.into_iter().chain(picture).collect()
}

/// One result for each call, in order. The screen stands in the last of those that concern it.
fn results(calls: &[(ToolCall, Fate)], now: &Now<'_>, done: &[Done]) -> Vec<Part> {
    let is_input = |(_, fate): &(ToolCall, Fate)| *fate != Fate::Finish;
    let at = calls.iter().rposition(is_input).unwrap_or(calls.len().saturating_sub(1));
    let mut parts = Vec::new();
    for (index, (call, fate)) in calls.iter().enumerate() {
        let (failed, texts) = told(fate, now, done);
        let url = now.seen.place.url.clone();
        let (id, name) = (call.id.clone(), call.name.clone());
        parts.push(Part::Result(ToolResult { id, name, failed, url, ..ToolResult::default() }));
        parts.extend(Some(texts).filter(|texts| !texts.is_empty()).map(Part::Text));
        if let Fate::Done { looks, .. } = fate {
            parts.extend(looks.iter().filter_map(|look| enlarged(look, now)));
        }
        if index == at {
            parts.extend(screen(now));
        }
    }
    if calls.is_empty() {
        parts.push(Part::Text("That reply could not be used: it was cut off, or empty. Call a tool.".to_owned()));
        parts.extend(screen(now));
    }
    parts
}

/// Whether a call failed, and what is said of it.
fn told(fate: &Fate, now: &Now<'_>, done: &[Done]) -> (bool, String) {
    let (actions, looks) = match fate {
        Fate::Done { actions, looks } => (done.get(actions.clone()).unwrap_or_default(), looks),
        Fate::Bad(why) => return (true, format!("not carried out: {why}")),
        Fate::NotReached => return (true, NOT_REACHED.to_owned()),
        Fate::Finish => return (true, "the work goes on".to_owned()),
    };
    let mut lines: Vec<String> = actions.iter().map(feedback::line).collect();
    let failed = actions.iter().any(|d| d.is_failure() || d.result == crate::run::DoneResult::Cancelled);
    for look in looks {
        lines.push(match look {
            Step::Pointer => match now.pointer {
                Some(place) => format!("the pointer is at {}", place.said),
                None => "the pointer has not been moved yet".to_owned(),
            },
            Step::Zoom(_) => "the part, enlarged; places are still those of the whole screenshot".to_owned(),
            Step::Look | Step::Act(_) => continue,
        });
    }
    (failed, lines.join("\n"))
}

/// The part of the screen that a call wants to see from near.
fn enlarged(look: &Step, now: &Now<'_>) -> Option<Part> {
    let (Step::Zoom(part), Some(frame)) = (look, &now.seen.frame) else { return None };
    let size = frame.image.size;
    let place = size.place(*part);
    let longest = now.shown.size.width.max(now.shown.size.height);
    let times = (longest / place.width.max(place.height).max(1.0)).clamp(1.0, MOST_ENLARGED);
    let shown = Shown::part(size, place, times, Some(longest as u32), 1);
    Some(Part::Image { image: frame.image.clone(), shown })
}
