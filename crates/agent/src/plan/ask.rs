//! Asking a model for a plan: what it is told with each screenshot, how the request is put together, and what becomes of a
//! reply that cannot be read. The planners that have a model share it; each brings its prompt, its wording and its reader.

use super::{PlanView, Planned};
use crate::history::History;
use crate::read::Misread;
use crate::run::DoneResult;
use crate::settings::{Goal, Reference};
use handeye_core::text::clip;
use handeye_core::{ChatRequest, Message, Observation, Part, Reply, Role, Shown, Slot, Stop, World};

#[cfg(test)]
mod tests;

/// How much of an unreadable reply the model is shown again, in characters.
const BAD_REPLY_SHOWN: usize = 2_000;

/// The sentences around what is told, in the language and the grammar of a planner's prompt.
#[derive(Debug)]
pub(crate) struct Wording {
    /// Stands before the feedback.
    pub(crate) led_to: &'static str,
    /// Nothing ran yet.
    pub(crate) nothing_yet: &'static str,
    /// Stand around the size of the screenshot, as in `1280x720`.
    pub(crate) screenshot: [&'static str; 2],
    /// Added to the observation of the one call after the last round.
    pub(crate) last_call: &'static str,
    /// Stand around the reason why a reply could not be used.
    pub(crate) correction: [&'static str; 2],
}

/// One question to the model that plans.
pub(super) struct Ask<'a> {
    pub(super) view: &'a PlanView<'a>,
    pub(super) wording: &'static Wording,
    /// What stands before the conversation: the prompt and the goal. The same in every request of a run.
    pub(super) opening: Vec<Message>,
    /// Pictures of the screen that a request holds at most: the newest ones.
    pub(super) pictures: usize,
}

/// A reply that was read, with the observation that it answers. The planner keeps both in the history.
pub(super) struct Answer<T> {
    pub(super) read: T,
    pub(super) observation: Message,
    /// The reply as the next requests show it.
    pub(super) said: Message,
}

impl Ask<'_> {
    /// Asks, and reads the reply. The feedback is consumed by a reply that could be read; else it is there for the next call,
    /// because the question is then asked again as it was.
    ///
    /// # Errors
    /// A [`Stop`] when the run is cancelled or its time is over. `Ok(Err(…))` is what the loop is told in place of a plan.
    pub(super) async fn send<T>(
        self,
        world: &mut dyn World,
        history: &mut History,
        read: impl FnOnce(&Reply) -> Result<T, Misread> + Send,
    ) -> Result<Result<Answer<T>, Planned>, Stop> {
        let feedback = history.take_feedback();
        let observation = self.observation(feedback.as_deref());
        let (request, is_kept) = self.request(history, &observation, feedback.is_some());
        let reply = match world.chat(Slot::Planning, request).await? {
            Ok(reply) => reply,
            Err(error) => return Ok(Err(Planned::Unavailable(error))),
        };
        Ok(match read(&reply) {
            Ok(read) => {
                let mut said = reply.message();
                if let Some(replay) = said.replay.as_mut().filter(|_| !is_kept) {
                    replay.stale = true;
                }
                Ok(Answer { read, observation, said })
            }
            Err(misread) => {
                if let Some(feedback) = feedback {
                    history.set_feedback(feedback);
                }
                Err(Planned::Misread { why: misread.why, raw: reply.text })
            }
        })
    }

    /// Opening, conversation, observation: what changes least stands first, so that prompt caches hit. And whether the request
    /// stays in the history as it was sent.
    fn request(self, history: &mut History, observation: &Message, has_feedback: bool) -> (ChatRequest, bool) {
        // Only said with the newest observation: what is remembered would else be repeated with every old one.
        let remembered = self.remembered(history, has_feedback);
        let references = references(&self.view.goal.references);
        let mut messages = self.opening;
        messages.extend(references);
        let opening = messages.len();
        // The newest picture is the one in the observation.
        messages.extend(history.snapshot(self.pictures.saturating_sub(1)));
        // A picture gives its place to the next one.
        let with_picture = messages.iter().skip(opening).position(|m| m.parts.iter().any(is_picture));
        let stable = with_picture.map_or(messages.len(), |at| opening + at);
        let mut now = observation.clone();
        let mut is_kept = remembered.is_empty();
        if !is_kept {
            now.parts.insert(1, Part::Text(remembered));
        }
        messages.push(now);
        if let Some(bad) = &history.bad_reply {
            let shown = clip(&bad.raw, BAD_REPLY_SHOWN);
            let shown = if shown.trim().is_empty() { "(no text)".to_owned() } else { shown };
            let [before, after] = self.wording.correction;
            messages.push(Message::text(Role::Assistant, shown));
            messages.push(Message::text(Role::User, format!("{before}{}{after}", bad.why)));
            is_kept = false;
        }
        (ChatRequest { messages, stable: Some(stable), ..ChatRequest::default() }, is_kept)
    }

    /// What happened, where we are, and the screenshot.
    fn observation(&self, feedback: Option<&str>) -> Message {
        let seen = self.view.observation;
        let mut text = String::new();
        if let Some(feedback) = feedback {
            text.push_str(&format!("{}\n{feedback}\n\n", self.wording.led_to));
        }
        text.push_str(&happened(seen));
        let mut parts = vec![Part::Text(text.trim_end().to_owned())];
        if let Some(frame) = &seen.frame {
            let shown = self.view.settings.shown(frame.image.size, self.view.settings.family);
            parts.push(Part::Image { image: frame.image.clone(), shown });
        }
        Message::new(Role::User, parts)
    }

    /// Notes, the steps before the last, what the picture is, and whether this is the last call.
    fn remembered(&self, history: &History, has_feedback: bool) -> String {
        let Self { view, wording, .. } = self;
        // What the last reply led to stands above already.
        let told =
            if has_feedback { view.last.iter().filter(|d| d.result != DoneResult::Cancelled).count() } else { 0 };
        let mut pieces = vec![history.progress(told)];
        if pieces[0].is_empty() && !has_feedback {
            pieces[0].push_str(wording.nothing_yet);
        }
        if let Some(frame) = &view.observation.frame {
            let seen = view.settings.shown(frame.image.size, view.settings.family).canvas();
            let [before, after] = wording.screenshot;
            pieces.push(format!("{before}{seen}{after}"));
        }
        if !view.may_act {
            pieces.push(wording.last_call.to_owned());
        }
        pieces.retain(|p| !p.is_empty());
        pieces.join("\n\n")
    }
}

fn is_picture(part: &Part) -> bool {
    matches!(part, Part::Image { .. })
}

/// The goal, and knowledge that goes before it.
pub(super) fn instruction(goal: &Goal) -> String {
    let mut text = String::new();
    if let Some(context) = goal.context.as_deref().map(str::trim).filter(|c| !c.is_empty()) {
        text.push_str(&format!("<high_priority_knowledge>\n{context}\n</high_priority_knowledge>\n\n"));
    }
    text.push_str(&format!("<goal>\n{}\n</goal>", goal.text.trim()));
    text
}

/// Pictures that a goal or a question speaks of. Context only: nothing on them can be operated.
pub(crate) fn references(references: &[Reference]) -> Option<Message> {
    let (first, _) = references.split_first()?;
    let mut parts = vec![Part::Text(format!(
        "{} that the person speaks of, by name. Nothing on them is on the screen, unless the screenshot shows it too.",
        if references.len() == 1 { format!("A picture, `{}`,", first.name) } else { "Pictures".to_owned() }
    ))];
    for Reference { name, image } in references {
        parts.push(Part::Text(format!("`{name}`:")));
        let size = image.size.sent(None);
        parts.push(Part::Image { image: image.clone(), shown: Shown::at(size) });
    }
    Some(Message::new(Role::User, parts))
}

/// Dialogs, tabs and the address. The page wrote these texts, so they are marked as data.
pub(super) fn happened(seen: &Observation) -> String {
    let mut text = String::new();
    for dialog in &seen.dialogs {
        let what = if dialog.accepted { "confirmed" } else { "dismissed" };
        let kind = format!("{:?}", dialog.kind).to_lowercase();
        text.push_str(&format!(
            "A browser dialog ({kind}) appeared and was {what}. It said: <screen-text>{}</screen-text>\n",
            quoted(&dialog.message, 500)
        ));
    }
    for note in &seen.notes {
        // Addresses, names of files and of tabs in it are the page's words.
        text.push_str(&format!("The device says: <screen-text>{}</screen-text>\n", quoted(note, 500)));
    }
    if !seen.place.url.is_empty() {
        text.push_str(&format!(
            "Page: <screen-text>{} — {}</screen-text>\n",
            quoted(&seen.place.title, 200),
            quoted(&seen.place.url, 300)
        ));
    }
    if !seen.device_time.is_empty() {
        text.push_str(&format!("Device time: {}\n", seen.device_time));
    }
    text
}

/// A text of the page between our tags. It cannot end the quotation itself: what looks like our tag loses its bracket.
pub(crate) fn quoted(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let name = from[1..].trim_start_matches(|c: char| c == '/' || c.is_whitespace());
        let is_ours = name.get(.."screen-text".len()).is_some_and(|n| n.eq_ignore_ascii_case("screen-text"));
        out.push(if is_ours { '‹' } else { '<' });
        rest = &from[1..];
    }
    out.push_str(rest);
    clip(&out, most)
}
