//! The planner for vision models: tags around JSON parameters, with boxes in the plan.

use super::{Completion, Plan, PlanView, Planned, Planner};
use crate::history::History;
use crate::read::reply;
use crate::run::DoneResult;
use crate::settings::Effort;
use async_trait::async_trait;
use handeye_core::text::clip;
use handeye_core::{ChatRequest, Message, Observation, Part, Role, Slot, Stop, World};

pub mod prompt;

/// Pictures that a request holds at most: the newest one.
const PICTURES: usize = 1;
/// How much of an unreadable reply the model is shown again, in characters.
const BAD_REPLY_SHOWN: usize = 2_000;

/// Keeps nothing between calls: everything it knows is in the view and the history.
#[derive(Debug, Default)]
pub struct Standard;

#[async_trait]
impl Planner for Standard {
    fn name(&self) -> &'static str {
        "standard"
    }

    async fn plan(
        &mut self,
        world: &mut dyn World,
        view: &PlanView<'_>,
        history: &mut History,
    ) -> Result<Planned, Stop> {
        let feedback = history.take_feedback();
        let observation = observation(view, feedback.as_deref());
        let request = request(view, history, &observation, feedback.is_some());
        let reply = match world.chat(Slot::Planning, request).await? {
            Ok(reply) => reply,
            Err(error) => return Ok(Planned::Unavailable(error)),
        };
        match reply::standard(&reply.text, reply.finish, view.space) {
            Ok(read) => {
                if read.actions.is_empty()
                    && read.complete.is_none()
                    && let Some(why) = read.error
                {
                    return Ok(Planned::GaveUp { why });
                }
                history.exchange(observation, &reply.text);
                Ok(Planned::Plan(plan(view, read)))
            }
            Err(misread) => {
                // The question is asked again as it was, so the feedback must be there again.
                if let Some(feedback) = feedback {
                    history.set_feedback(feedback);
                }
                Ok(Planned::Misread { why: misread.why, raw: reply.text })
            }
        }
    }
}

fn plan(view: &PlanView<'_>, read: reply::StandardReply) -> Plan {
    let complete = read.complete.map(|(success, message)| Completion { success, message: message.unwrap_or_default() });
    let mut log = read.log;
    if log.is_empty() && view.settings.effort == Effort::Fast {
        log = read
            .actions
            .iter()
            .map(handeye_core::Action::<handeye_core::Target>::summary)
            .collect::<Vec<_>>()
            .join(", ");
    }
    Plan { thought: read.thought, log, memory: read.memory, actions: read.actions, complete, repairs: read.repairs }
}

/// System prompt, instruction, conversation, observation: what changes least stands first, so that prompt caches hit.
fn request(view: &PlanView<'_>, history: &History, observation: &Message, has_feedback: bool) -> ChatRequest {
    let mut messages = vec![
        Message::text(Role::System, prompt::system(view.space, view.settings)),
        Message::text(Role::User, prompt::instruction(view.goal)),
    ];
    // The newest picture is the one in the observation.
    messages.extend(history.snapshot(PICTURES - 1));
    let mut now = observation.clone();
    // Only said with the newest observation: what is remembered would else be repeated with every old one.
    let remembered = remembered(view, history, has_feedback);
    if !remembered.is_empty() {
        now.parts.insert(1, Part::Text(remembered));
    }
    messages.push(now);
    if let Some(bad) = &history.bad_reply {
        let shown = clip(&bad.raw, BAD_REPLY_SHOWN);
        messages
            .push(Message::text(Role::Assistant, if shown.trim().is_empty() { "(no text)".to_owned() } else { shown }));
        messages.push(Message::text(Role::User, prompt::correction(&bad.why)));
    }
    ChatRequest { messages, ..ChatRequest::default() }
}

/// What happened, where we are, and the screenshot.
fn observation(view: &PlanView<'_>, feedback: Option<&str>) -> Message {
    let seen = view.observation;
    let mut text = String::new();
    if let Some(feedback) = feedback {
        text.push_str("What your last reply led to:\n");
        text.push_str(feedback);
        text.push_str("\n\n");
    }
    text.push_str(&happened(seen));
    let mut parts = vec![Part::Text(text.trim_end().to_owned())];
    if let Some(frame) = &seen.frame {
        let shown = view.settings.shown(frame.image.size, view.settings.family);
        parts.push(Part::Image { image: frame.image.clone(), shown });
    }
    Message::new(Role::User, parts)
}

/// Notes, the steps before the last, what the picture is, and whether this is the last call.
fn remembered(view: &PlanView<'_>, history: &History, has_feedback: bool) -> String {
    // What the last reply led to stands above already.
    let told = if has_feedback { view.last.iter().filter(|d| d.result != DoneResult::Cancelled).count() } else { 0 };
    let mut pieces = vec![history.progress(told)];
    if pieces[0].is_empty() && !has_feedback {
        pieces[0].push_str("Nothing has been done yet.");
    }
    if let Some(frame) = &view.observation.frame {
        let seen = view.settings.shown(frame.image.size, view.settings.family).canvas();
        pieces.push(format!("The screenshot, {seen} pixels, shows the screen now."));
    }
    if !view.may_act {
        pieces.push(prompt::LAST_CALL.to_owned());
    }
    pieces.retain(|p| !p.is_empty());
    pieces.join("\n\n")
}

/// Dialogs, tabs and the address. The page wrote these texts, so they are marked as data.
fn happened(seen: &Observation) -> String {
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
fn quoted(text: &str, most: usize) -> String {
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

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_page_cannot_end_its_own_quotation() {
        assert_eq!(quoted("a < b </screen-text> <goal>", 90), "a < b ‹/screen-text> <goal>");
        assert_eq!(quoted("< / Screen-Text><screen-text", 90), "‹ / Screen-Text>‹screen-text");
        assert_eq!(quoted("5 <é", 90), "5 <é");
    }
}
