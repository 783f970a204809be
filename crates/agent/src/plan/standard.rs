//! The planner for vision models: tags around JSON parameters, with places in the plan where the model can point too.

use super::ask::{Answer, Ask, instruction};
use super::{Completion, Plan, PlanView, Planned, Planner};
use crate::history::History;
use crate::history::goals::Goals;
use crate::read::reply::{self, StandardReply};
use crate::settings::{Effort, Settings};
use async_trait::async_trait;
use handeye_core::{Action, Message, Role, Stop, Target, World};

pub mod prompt;

/// Screenshots that a request holds at most: the newest one, and the one before it when there is time to compare.
fn pictures(effort: Effort) -> usize {
    if effort == Effort::Deep { 2 } else { 1 }
}

/// Keeps nothing between calls: everything it knows is in the view and the history.
#[derive(Debug, Default)]
pub struct Standard;

#[async_trait]
impl Planner for Standard {
    fn name(&self) -> &'static str {
        "standard"
    }

    fn effort(&self, asked: Effort) -> Effort {
        asked
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
        let ask = Ask { view, wording: &prompt::WORDING, opening, pictures: pictures(view.settings.effort) };
        let read = |reply: &handeye_core::Reply| reply::standard(&reply.text, reply.finish, view.space);
        let Answer { read, observation, said } = match ask.send(world, history, read).await? {
            Ok(answer) => answer,
            Err(instead) => return Ok(instead),
        };
        if read.actions.is_empty()
            && read.complete.is_none()
            && let Some(why) = read.error
        {
            return Ok(Planned::GaveUp { why });
        }
        history.exchange_whole(observation, said);
        if view.settings.effort == Effort::Deep {
            sub_goals(&read, &mut history.goals);
        }
        let sub_goals = history.goals.record();
        Ok(Planned::Plan(Plan { sub_goals, ..plan(view.settings, read) }))
    }
}

/// What the reply says of the plan, in the order in which it means it: first what the plan is, then what of it is done.
fn sub_goals(read: &StandardReply, goals: &mut Goals) {
    if let Some(update) = &read.sub_goals {
        goals.update(update);
    }
    goals.finish(&read.done);
    // A completion beside actions counts only once these had an effect.
    if read.actions.is_empty() && read.complete.as_ref().is_some_and(|(success, _)| *success) {
        goals.finish_all();
    }
}

fn plan(settings: &Settings, read: StandardReply) -> Plan {
    let StandardReply { thought, mut log, memory, mut repairs, .. } = read;
    let complete = read.complete.map(|(success, message)| Completion { success, message: message.unwrap_or_default() });
    let mut actions = read.actions;
    if log.is_empty() && settings.effort == Effort::Fast {
        log = actions.iter().map(Action::<Target>::summary).collect::<Vec<_>>().join(", ");
    }
    if !settings.inline() {
        let was = actions.clone();
        actions = actions.into_iter().map(without_places).collect();
        if actions != was {
            repairs.push("left out places that were not asked for".to_owned());
        }
    }
    Plan { thought, log, memory, actions, complete, repairs, ..Plan::default() }
}

/// Targets in words alone. A place without words is all that is known of one.
fn without_places(action: Action<Target>) -> Action<Target> {
    let targets = action.targets().into_iter().map(|(_, target)| match target {
        Target { description, .. } if description.trim().is_empty() => target.clone(),
        target => Target { claim: None, ..target.clone() },
    });
    let targets = targets.collect();
    action.clone().with_targets(targets).unwrap_or(action)
}
