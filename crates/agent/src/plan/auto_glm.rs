//! The planner for the AutoGLM models, which decide in a grammar of their own: a thought, and one call `do(…)` or `finish(…)`.

use super::ask::{Answer, Ask, instruction};
use super::{Plan, PlanView, Planned, Planner};
use crate::history::History;
use crate::read;
use crate::settings::Effort;
use async_trait::async_trait;
use handeye_core::{Message, Reply, Role, Stop, World};

mod prompt;

/// Pictures that a request holds at most: the newest one.
const PICTURES: usize = 1;

/// Keeps nothing between calls: everything it knows is in the view and the history.
#[derive(Debug, Default)]
pub struct AutoGlm;

#[async_trait]
impl Planner for AutoGlm {
    fn name(&self) -> &'static str {
        "auto-glm"
    }

    /// The grammar has one form of reply.
    fn effort(&self, _asked: Effort) -> Effort {
        Effort::Balance
    }

    async fn plan(
        &mut self,
        world: &mut dyn World,
        view: &PlanView<'_>,
        history: &mut History,
    ) -> Result<Planned, Stop> {
        let language = prompt::language(view.settings.family);
        let opening = vec![
            Message::text(Role::System, prompt::system(view.space, language)),
            Message::text(Role::User, instruction(view.goal)),
        ];
        let screen = view.observation.frame.as_ref().map(handeye_core::Frame::logical_size).unwrap_or_default();
        let ask = Ask { view, wording: language.wording, opening, pictures: PICTURES };
        let read = |reply: &Reply| read::auto_glm(&reply.text, reply.finish, view.space, screen);
        let Answer { read, observation, .. } = match ask.send(world, history, read).await? {
            Ok(answer) => answer,
            Err(instead) => return Ok(instead),
        };
        history.exchange(observation, &read.said);
        Ok(Planned::Plan(Plan::from(read)))
    }
}
