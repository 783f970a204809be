//! The planner for models with a computer tool: their provider trained them to call actions of a mouse, a keyboard and a
//! screenshot, and to be told what came of each call.
//!
//! The conversation is calls and results. The calls of one reply are one batch, in order, and each gets exactly one result: what
//! became of it, why it was not carried out, or that it was not reached. The last result that concerns the screen holds the
//! screenshot after the batch. Which provider it is nobody here knows: the shape of a call tells how it is read.
//!
//! A computer tool has no way to say that a goal is met, let alone that it cannot be. So a function `finish` is offered beside
//! it, as all of these providers allow; a reply without any call is taken as its success. Verbs of the device that no computer
//! tool has (addresses, drop-down lists, tabs, files) are functions too, whose targets are told in words.
//!
//! Where a provider wants a person to confirm a call, nobody can be asked: nothing of that reply is carried out, and the run ends
//! as refused.

use super::{Completion, Plan, PlanView, Planned, Planner};
use crate::feedback;
use crate::history::History;
use crate::read::computer_use::{self as read, Place, Screen, Step, Unread};
use crate::settings::Effort;
use async_trait::async_trait;
use conversation::{Conversation, Fate, Turn};
use handeye_core::text::clip;
use handeye_core::{
    Action, ChatError, ChatErrorKind, ChatRequest, Claim, Finish, Logical, Message, Observation, Reply, Role, Shown,
    Size, Slot, Stop, Target, ToolCall, Want, World,
};

mod conversation;
mod prompt;
mod tools;

/// How often in a row a reply may only look before it has to act.
const LOOKS: u32 = 3;
/// How much of what the model says beside its calls is kept as the log of a step, in characters.
const LOG: usize = 300;

/// Keeps the conversation of one run.
#[derive(Debug, Default)]
pub struct ComputerUse {
    conversation: Conversation,
    /// Where the last action that was carried out left the pointer.
    pointer: Option<Place>,
    /// Where each action of the last plan leaves it.
    aims: Vec<Option<Place>>,
}

#[async_trait]
impl Planner for ComputerUse {
    fn name(&self) -> &'static str {
        "computer-use"
    }

    fn effort(&self, _asked: Effort) -> Effort {
        Effort::Balance
    }

    fn needs_computer_tool(&self) -> bool {
        true
    }

    async fn plan(
        &mut self,
        world: &mut dyn World,
        view: &PlanView<'_>,
        history: &mut History,
    ) -> Result<Planned, Stop> {
        let feedback = history.take_feedback().unwrap_or_default();
        let beyond = if self.conversation.has_begun() {
            feedback::beyond_batch(&feedback, view.last).to_owned()
        } else {
            before(history, view, &feedback)
        };
        self.answer(view, view.observation, &beyond);
        let (mut fresh, mut looks) = (None, 0);
        loop {
            let seen = fresh.as_ref().unwrap_or(view.observation);
            let reply = match world.chat(Slot::Planning, self.request(view, seen)).await? {
                Ok(reply) => reply,
                Err(error) => return Ok(Planned::Unavailable(error)),
            };
            if let Some(planned) = self.take(view, seen, &reply) {
                return Ok(planned);
            }
            looks += 1;
            if looks > LOOKS {
                let why = format!("{looks} replies in a row only looked at the screen");
                return Ok(Planned::Misread { why, raw: raw(&reply) });
            }
            // The picture that it decided on is as old as the reply took.
            fresh = world.observe(Want::frame()).await?.ok().or(fresh);
            self.answer(view, fresh.as_ref().unwrap_or(view.observation), "");
        }
    }
}

/// What another planner did before.
fn before(history: &History, view: &PlanView<'_>, feedback: &str) -> String {
    let progress = history.progress(view.last.len());
    [progress.as_str(), feedback].into_iter().filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join("\n\n")
}

impl ComputerUse {
    /// Tells the model what came of its last reply; the goal when there was none.
    fn answer(&mut self, view: &PlanView<'_>, seen: &Observation, beyond: &str) {
        for (aim, done) in self.aims.drain(..).zip(view.last) {
            if done.was_sent() {
                self.pointer = aim.or(self.pointer.take());
            }
        }
        let (_, shown) = sizes(view, seen);
        let most = view.settings.history_tokens;
        let screen = conversation::Now { seen, shown, beyond, may_act: view.may_act, pointer: self.pointer.as_ref() };
        self.conversation.answer(view.goal, &screen, view.last, most);
    }

    fn request(&mut self, view: &PlanView<'_>, seen: &Observation) -> ChatRequest {
        let mut messages = vec![Message::text(Role::System, prompt::SYSTEM)];
        let stable = self.conversation.messages(&mut messages);
        ChatRequest { messages, tools: tools::of(view.space, sizes(view, seen).1), stable, ..ChatRequest::default() }
    }

    /// Reads the calls of a reply, up to the first that cannot be carried out. `None` when it wants to see the screen, and nothing
    /// else.
    fn take(&mut self, view: &PlanView<'_>, seen: &Observation, reply: &Reply) -> Option<Planned> {
        let (size, shown) = sizes(view, seen);
        let screen = Screen { space: view.space, shown, size };
        let mut batch = Batch::default();
        if reply.finish == Finish::Length {
            batch.halted = Some("the reply was cut at the token limit, so nothing of it was carried out".to_owned());
        }
        let mut pointer = self.pointer.clone();
        for call in &reply.calls {
            if let Err(asked) = batch.add(call, screen, &mut pointer) {
                return Some(Planned::Unavailable(asked));
            }
        }
        self.aims = batch.actions.iter().map(aim).collect();
        let plan = batch.plan(reply);
        let Batch { fates, halted, looks, .. } = batch;
        self.conversation.said(Turn::new(reply, fates));
        match (plan, halted) {
            (Some(plan), _) => Some(Planned::Plan(plan)),
            (None, None) if looks => None,
            (None, why) => {
                let why = why.unwrap_or_else(|| "it holds neither a call nor a word".to_owned());
                Some(Planned::Misread { why, raw: raw(reply) })
            }
        }
    }
}

/// The size of the screen in points, and how its picture is shown.
fn sizes(view: &PlanView<'_>, seen: &Observation) -> (Size<Logical>, Shown) {
    match seen.frame.as_ref().or(view.observation.frame.as_ref()) {
        Some(frame) => {
            let limit = prompt::picture_limit(frame.image.size, view.settings.image_limit);
            (frame.logical_size(), Shown::whole(frame.image.size, Some(limit), 1))
        }
        None => (Size::default(), Shown::at(Size::new(1.0, 1.0))),
    }
}

/// Where an action leaves the pointer.
fn aim(action: &Action<Target>) -> Option<Place> {
    let (_, target) = action.targets().last().copied()?;
    match &target.claim {
        Some(Claim::Place { said, at }) => Some(Place { said: said.clone(), at: *at }),
        _ => None,
    }
}

/// The reply as a person reads it.
fn raw(reply: &Reply) -> String {
    let calls = reply.calls.iter().map(ToString::to_string);
    std::iter::once(reply.text.clone()).filter(|text| !text.is_empty()).chain(calls).collect::<Vec<_>>().join("\n")
}

/// The calls of one reply on their way to a plan.
#[derive(Default)]
struct Batch {
    actions: Vec<Action<Target>>,
    fates: Vec<(ToolCall, Fate)>,
    complete: Option<Completion>,
    intents: Vec<String>,
    /// Why the calls from here on are not carried out.
    halted: Option<String>,
    looks: bool,
}

impl Batch {
    /// An error when a person would have to be asked.
    fn add(&mut self, call: &ToolCall, screen: Screen<'_>, pointer: &mut Option<Place>) -> Result<(), ChatError> {
        let fate = if self.halted.is_some() {
            Fate::NotReached
        } else if call.name == tools::FINISH {
            match tools::completion(&call.input) {
                Ok(complete) => {
                    self.complete = Some(complete);
                    Fate::Finish
                }
                Err(why) => self.halt(why),
            }
        } else {
            match read::call(call, screen, pointer) {
                Ok(read) => {
                    self.intents.extend(Some(read.intent).filter(|intent| !intent.is_empty()));
                    self.steps(read.steps)
                }
                Err(Unread::Bad(why)) => self.halt(why),
                Err(Unread::Unconfirmed(why)) => return Err(unconfirmed(&why)),
            }
        };
        self.fates.push((call.clone(), fate));
        Ok(())
    }

    fn halt(&mut self, why: String) -> Fate {
        self.halted = Some(why.clone());
        Fate::Bad(why)
    }

    fn steps(&mut self, steps: Vec<Step>) -> Fate {
        let first = self.actions.len();
        let mut looks = Vec::new();
        for step in steps {
            match step {
                Step::Act(action) => self.actions.push(action),
                look => looks.push(look),
            }
        }
        self.looks |= !looks.is_empty();
        Fate::Done { actions: first..self.actions.len(), looks }
    }

    /// What is to be done now; `None` when that is nothing.
    fn plan(&mut self, reply: &Reply) -> Option<Plan> {
        let said = reply.text.trim();
        if self.fates.is_empty() && self.halted.is_none() && !said.is_empty() {
            self.complete = Some(Completion { success: true, message: said.to_owned() });
        }
        if self.actions.is_empty() && self.complete.is_none() {
            return None;
        }
        let log = if self.intents.is_empty() { clip(said, LOG) } else { clip(&self.intents.join(", "), LOG) };
        let thought = if reply.reasoning.trim().is_empty() { said.to_owned() } else { reply.reasoning.clone() };
        let (actions, complete) = (std::mem::take(&mut self.actions), self.complete.take());
        Some(Plan { thought, log, actions, complete, ..Plan::default() })
    }
}

fn unconfirmed(why: &str) -> ChatError {
    let message = format!(
        "the model's provider wants a person to confirm what it is about to do, and nobody can be asked: {why}"
    );
    ChatError::new(ChatErrorKind::Refused, message)
}
