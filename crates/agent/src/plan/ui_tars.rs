//! The planner for the UI-TARS models, which decide in a grammar of their own: a thought, and calls with places in them.

use super::ask::{Answer, Ask, instruction};
use super::{Plan, PlanView, Planned, Planner};
use crate::history::History;
use crate::read;
use crate::settings::Effort;
use async_trait::async_trait;
use handeye_core::{Message, Reply, Role, Stop, World};

mod prompt;

/// Pictures that a request holds at most. The models were taught with the newest five; older ones are a word each.
const PICTURES: usize = 5;

/// Keeps nothing between calls: everything it knows is in the view and the history.
#[derive(Debug, Default)]
pub struct UiTars;

#[async_trait]
impl Planner for UiTars {
    fn name(&self) -> &'static str {
        "ui-tars"
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
        // The models were taught without a system message.
        let opening = format!("{}\n\n{}", prompt::prompt(view.space, view.settings.family), instruction(view.goal));
        let opening = vec![Message::text(Role::User, opening)];
        let ask = Ask { view, wording: &prompt::WORDING, opening, pictures: PICTURES };
        let read = |reply: &Reply| read::ui_tars(&reply.text, reply.finish, view.space);
        let Answer { read, observation, .. } = match ask.send(world, history, read).await? {
            Ok(answer) => answer,
            Err(instead) => return Ok(instead),
        };
        history.exchange(observation, &read.said);
        Ok(Planned::Plan(Plan::from(read)))
    }
}
