//! The standard planner's reply: thought, log, notes, one action or several, or an end.
//!
//! The form that models are asked for is tags around JSON parameters. Replies that say the same in another form (a JSON
//! object, a call such as `Tap({…})`, labels in front of lines) are read too, with a repair.
//!
//! ```
//! use handeye_agent::read::standard;
//! use handeye_core::{ActionSpace, Finish, Verb};
//! let space = ActionSpace::of(&[Verb::Tap, Verb::Reload]);
//!
//! let reply = standard("<log>Again</log><action-type>refresh</action-type>", Finish::Stop, &space).expect("a reply");
//! assert_eq!((reply.log.as_str(), reply.actions[0].verb()), ("Again", "Reload"));
//!
//! let misread = standard("Sure, I will do that!", Finish::Stop, &space).expect_err("neither action nor end");
//! assert!(misread.why.starts_with("the reply holds neither an action nor an end"));
//! ```

mod actions;
mod drafts;
mod forms;
mod goals;
mod labels;
#[cfg(test)]
mod tests;

use super::json::MAX_BYTES;
use super::tags::{self, Tag, Tagged};
use handeye_core::text::clip;
use handeye_core::{Action, ActionSpace, Finish, Target};
use serde::{Deserialize, Serialize};

/// What a reply says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StandardReply {
    pub thought: String,
    /// For people: what this step does. Empty when it was left out.
    pub log: String,
    /// Notes to keep, in order.
    pub memory: Vec<String>,
    /// The plan, when the reply gives or changes it.
    pub sub_goals: Option<Vec<SubGoal>>,
    /// Numbers of sub-goals that are said to be done.
    pub done: Vec<u32>,
    /// In order; usually one.
    pub actions: Vec<Action<Target>>,
    /// The end: whether the goal is met, and the message, if any.
    pub complete: Option<(bool, Option<String>)>,
    /// Why the model gives up.
    pub error: Option<String>,
    /// One short text for each thing that had to be mended.
    pub repairs: Vec<String>,
}

/// One line of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubGoal {
    /// From 1.
    pub index: u32,
    pub status: SubGoalStatus,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SubGoalStatus {
    Pending,
    Finished,
}

/// A reply that could not be used. The text is for the model: what was wrong and what a right reply looks like.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Misread {
    pub why: String,
}

impl Misread {
    pub(crate) fn new(why: impl AsRef<str>) -> Self {
        Self { why: clip(why.as_ref(), 480) }
    }
    pub(super) fn cut(inside: &str) -> Self {
        Self::new(format!(
            "the reply was cut off inside {inside}, so nothing of it was used; write the whole reply again, shorter"
        ))
    }
}

/// How far a reply has been read.
struct Reading<'a> {
    space: &'a ActionSpace,
    finish: Finish,
    out: StandardReply,
}

impl Reading<'_> {
    fn mended(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.out.repairs.contains(&what) {
            self.out.repairs.push(what);
        }
    }

    /// The tag reaches to where the reply was cut.
    fn is_cut(&self, tagged: &Tagged<'_>, text: &str) -> bool {
        self.finish == Finish::Length && !tagged.closed && tagged.span.end >= text.len()
    }

    fn has_end(&self) -> bool {
        self.out.complete.is_some() || self.out.error.is_some()
    }
}

/// Reads a reply of the standard planner. `finish` says why the model stopped: what was cut at the token limit is never
/// completed by a guess.
///
/// # Errors
/// [`Misread`] when there is neither an action nor an end, when an action is unknown or has unusable parameters, or when the
/// reply was cut off inside of what it asks for.
pub fn standard(text: &str, finish: Finish, space: &ActionSpace) -> Result<StandardReply, Misread> {
    if text.len() > MAX_BYTES {
        return Err(Misread::new(format!("the reply has {} bytes; write a short one", text.len())));
    }
    let (text, repairs) = tags::without_thinking(text);
    let found = tags::scan(&text);
    let mut reading = Reading { space, finish, out: StandardReply { repairs, ..StandardReply::default() } };
    let meant = drafts::without(&mut reading, &found, &text)?;
    words(&mut reading, meant, &text);
    goals::read(&mut reading, meant, &text);
    ends(&mut reading, meant, &text)?;
    actions::read(&mut reading, meant, &text)?;
    if reading.out.actions.is_empty() && !reading.has_end() {
        let outside = tags::outside(&text, &found);
        forms::read(&mut reading, &outside)?;
    } else {
        nothing_else(&reading, meant, &text)?;
        if reading.out.thought.is_empty() {
            labels::words(&mut reading, &labels::sections(&tags::outside(&text, &found)));
        }
    }
    if reading.out.actions.is_empty() && !reading.has_end() {
        return Err(nothing(&reading, &text));
    }
    Ok(reading.out)
}

/// An answer in tags is no draft of one in another form behind it.
///
/// # Errors
/// [`Misread`] when another one follows.
fn nothing_else(reading: &Reading<'_>, meant: &[Tagged<'_>], text: &str) -> Result<(), Misread> {
    let answers = meant.iter().filter(|t| matches!(t.tag, Tag::ActionType | Tag::ActionParams));
    let Some(end) = answers.map(|t| t.span.end).max() else { return Ok(()) };
    let behind = text.get(end..).unwrap_or_default();
    let mut other = Reading { space: reading.space, finish: reading.finish, out: StandardReply::default() };
    // What cannot be read is no other answer.
    let read = forms::read(&mut other, &tags::outside(behind, &tags::scan(behind)));
    if read.is_ok() && !other.out.actions.is_empty() && !reading.out.actions.ends_with(&other.out.actions) {
        return Err(Misread::new(
            "the reply holds one answer in tags and another one behind it, so it is not clear which one is meant; write one answer \
             and nothing else",
        ));
    }
    Ok(())
}

/// Thought, log and notes.
fn words(reading: &mut Reading<'_>, found: &[Tagged<'_>], text: &str) {
    let last = |kinds: &[Tag]| found.iter().rfind(|t| kinds.contains(&t.tag)).map(|t| t.text.to_owned());
    reading.out.thought = last(&[Tag::Thought, Tag::Planning]).unwrap_or_default();
    reading.out.log = last(&[Tag::Log]).unwrap_or_default();
    for note in found.iter().filter(|t| t.tag == Tag::Memory && !t.text.is_empty()) {
        if reading.is_cut(note, text) {
            reading.mended("left out a note that was cut off");
        } else {
            reading.out.memory.push(note.text.to_owned());
        }
    }
    for tagged in found.iter().filter(|t| !t.closed) {
        reading.mended(format!("closed <{}>", tagged.tag.name()));
    }
}

/// `<complete>` and `<error>`. The last one counts.
fn ends(reading: &mut Reading<'_>, found: &[Tagged<'_>], text: &str) -> Result<(), Misread> {
    let acts = found.iter().any(|t| t.tag == Tag::ActionType && !actions::is_no_verb(t.text));
    let is_end = |i: usize| is_meant(&found[i], text, acts) && !is_talked_about(found, i, text, reading.finish);
    let completions: Vec<&Tagged<'_>> =
        (0..found.len()).filter(|i| found[*i].tag == Tag::Complete && is_end(*i)).map(|i| &found[i]).collect();
    if completions.len() > 1 {
        reading.mended("took the last of several <complete>");
    }
    if let Some(last) = completions.last() {
        if reading.is_cut(last, text) {
            return Err(Misread::cut("<complete>"));
        }
        let success = success(reading, last)?;
        reading.out.complete = Some((success, (!last.text.is_empty()).then(|| last.text.to_owned())));
    }
    let is_none =
        |s: &str| matches!(s.to_lowercase().as_str(), "" | "none" | "null" | "no error" | "n/a" | "无" | "没有");
    if let Some(last) = found.iter().rfind(|t| t.tag == Tag::Error && !is_none(t.text)) {
        if reading.is_cut(last, text) {
            return Err(Misread::cut("<error>"));
        }
        reading.out.error = Some(last.text.to_owned());
    }
    Ok(())
}

/// Tells an end from a mention of one: `I cannot say <complete success="true"> yet`.
fn is_meant(complete: &Tagged<'_>, text: &str, acts: bool) -> bool {
    let stands_free = tags::stands_free(text, complete.span.start);
    if complete.closed {
        return stands_free || !acts;
    }
    let is_last = complete.span.end >= text.trim_end().len() && !complete.text.is_empty();
    stands_free && (is_last || tags::attribute(complete.attributes, "success").is_some())
}

/// An action or an end in the middle of a sentence of a thought that was not closed, where the sentence goes on behind it:
/// `<thought>I could <action-type>Tap</action-type>… but no`. A tag that starts a line, or ends the reply, is meant.
fn is_talked_about(found: &[Tagged<'_>], at: usize, text: &str, finish: Finish) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|i| found.get(i)) else { return false };
    let in_thought = matches!(before.tag, Tag::Thought | Tag::Planning) && !before.closed;
    if !in_thought || tags::stands_free(text, found[at].span.start) {
        return false;
    }
    let last = found.get(at + 1).filter(|next| next.tag == Tag::ActionParams).map_or(at, |_| at + 1);
    let next = found.get(last + 1).map_or(text.len(), |t| t.span.start);
    finish == Finish::Length || !text[found[last].span.end..next].trim().is_empty()
}

fn success(reading: &mut Reading<'_>, complete: &Tagged<'_>) -> Result<bool, Misread> {
    let Some(written) = tags::attribute(complete.attributes, "success") else {
        if complete.text.is_empty() {
            return Err(Misread::new(
                "<complete> says nothing; write <complete success=\"true\">what was reached</complete> once the goal is met",
            ));
        }
        reading.mended("took a <complete> without success as a success");
        return Ok(true);
    };
    truth(written).ok_or_else(|| {
        let shown = clip(written, 40);
        Misread::new(format!(
            "success=\"{shown}\" of <complete> says neither; write success=\"true\" or success=\"false\""
        ))
    })
}

/// A yes or no as models write it.
pub(super) fn truth(written: &str) -> Option<bool> {
    match written.trim().to_lowercase().as_str() {
        "true" | "yes" | "1" | "success" | "是" => Some(true),
        "false" | "no" | "0" | "failure" | "failed" | "否" => Some(false),
        _ => None,
    }
}

/// What became of a reply without an action: it has no effect in any other way either.
fn was(read: &StandardReply) -> &'static str {
    match (read.sub_goals.is_some() || !read.done.is_empty(), read.memory.is_empty()) {
        (true, _) => "was done and its sub-goals were not taken over",
        (false, false) => "was done and its note was not kept",
        (false, true) => "was done",
    }
}

/// Why there is nothing to do in a reply.
fn nothing(reading: &Reading<'_>, text: &str) -> Misread {
    let verb = reading.space.specs.first().map_or("Tap", |s| s.name.as_str());
    let right = format!(
        "a right reply has <action-type>{verb}</action-type><action-param-json>{{…}}</action-param-json>, or ends with \
         <complete success=\"true\">…</complete> or <error>…</error>"
    );
    Misread::new(match (text.trim().is_empty(), reading.finish) {
        (_, Finish::Length) => {
            format!("the reply was cut at the token limit before an action or an end; write a shorter one: {right}")
        }
        (true, _) if !reading.out.repairs.is_empty() => format!("the reply holds nothing but thinking; {right}"),
        (true, _) => format!("the reply is empty; {right}"),
        _ => {
            format!("the reply holds neither an action nor an end, so nothing {was}; {right}", was = was(&reading.out))
        }
    })
}
