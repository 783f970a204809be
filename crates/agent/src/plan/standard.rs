//! The planner for vision models: tags around JSON parameters, with boxes in the plan.

use super::ask::{Answer, Ask, instruction};
use super::{Completion, Plan, PlanView, Planned, Planner};
use crate::history::History;
use crate::read::reply;
use crate::settings::Effort;
use async_trait::async_trait;
use handeye_core::{Message, Role, Stop, World};

pub mod prompt;

/// Pictures that a request holds at most: the newest one.
const PICTURES: usize = 1;

/// Keeps nothing between calls: everything it knows is in the view and the history.
#[derive(Debug, Default)]
pub struct Standard;

#[async_trait]
impl Planner for Standard {
    fn name(&self) -> &'static str {
        "standard"
    }

    /// It has no sub-goals.
    fn effort(&self, asked: Effort) -> Effort {
        if asked == Effort::Deep { Effort::Balance } else { asked }
    }

    async fn plan(
        &mut self,
        world: &mut dyn World,
        view: &PlanView<'_>,
        history: &mut History,
    ) -> Result<Planned, Stop> {
        let opening = vec![
            Message::text(Role::System, prompt::system(view.space, view.settings)),
            Message::text(Role::User, instruction(view.goal)),
        ];
        let ask = Ask { view, wording: &prompt::WORDING, opening, pictures: PICTURES };
        let read = |reply: &handeye_core::Reply| reply::standard(&reply.text, reply.finish, view.space);
        let Answer { read, observation, reply } = match ask.send(world, history, read).await? {
            Ok(answer) => answer,
            Err(instead) => return Ok(instead),
        };
        if read.actions.is_empty()
            && read.complete.is_none()
            && let Some(why) = read.error
        {
            return Ok(Planned::GaveUp { why });
        }
        history.exchange(observation, &reply.text);
        Ok(Planned::Plan(plan(view, read)))
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
