//! The agent: a goal, a screen, and the loop between them.
//!
//! [`act::act`] is the loop, to be read like its description: observe, plan, compile, run, feed back. A [`plan::Planner`]
//! decides, [`locate`] finds what it meant on the screen, [`run`] carries a batch of actions out, [`guard`] notices going in
//! circles, [`history`] is what the planner remembers, [`insight`] answers questions about the screen, [`read`] makes sense of what models write. [`single::single`] does one action without
//! a planner.
//!
//! Everything here is plain async code that awaits nothing but [`handeye_core::World`]: no clock, no randomness, no threads.
//! The same answers always lead to the same needs, which is why a recorded run can be replayed and a rule can be tested as a
//! table.

pub mod act;
pub mod budget;
pub mod describe;
pub mod feedback;
pub mod find;
pub mod guard;
pub mod history;
pub mod insight;
pub mod language;
pub mod locate;
mod places;
pub mod plan;
pub mod read;
pub mod run;
pub mod settings;
pub mod single;

pub use act::act;
pub use describe::describe;
pub use find::find;
pub use insight::{Question, ask};
pub use plan::{Completion, Plan, PlanView, Planned, Planner};
pub use settings::{Effort, Goal, Settings};
pub use single::single;
