//! Planners decide the next actions from an observation and the history. Each is one module with its prompt, its reply
//! reader and its tests; none of them is known to the loop by name.

use crate::history::History;
use crate::run::Done;
use crate::settings::{Effort, Goal, Settings};
use async_trait::async_trait;
use handeye_core::event::{PlanRecord, SubGoalRecord};
use handeye_core::family::{FAMILIES, STANDARD};
use handeye_core::{Action, ActionSpace, ChatError, Family, Observation, Stop, Target, World};

pub(crate) mod ask;
pub mod auto_glm;
mod calls;
pub mod computer_use;
pub mod reflex;
pub mod standard;
pub mod ui_tars;

/// What a planner sees when it is asked for a plan.
pub struct PlanView<'a> {
    pub goal: &'a Goal,
    pub observation: &'a Observation,
    pub space: &'a ActionSpace,
    pub settings: &'a Settings,
    /// From 1.
    pub round: u32,
    /// False in the one planning call after the last round: it may complete, nothing else.
    pub may_act: bool,
    /// What the batch before this call did, in order; empty in the first call and after a reply that could not be read.
    pub last: &'a [Done],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub success: bool,
    pub message: String,
}

/// What a planner decided for one round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub thought: String,
    /// One sentence on the step, for people and for the history. Recorded with its outcome once the step ran.
    pub log: String,
    /// Notes to keep for later rounds.
    pub memory: Vec<String>,
    /// The parts of the goal, as they stand with this plan.
    pub sub_goals: Vec<SubGoalRecord>,
    pub actions: Vec<Action<Target>>,
    pub complete: Option<Completion>,
    /// What had to be mended in the reply.
    pub repairs: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Planned {
    Plan(Plan),
    /// The planner does not take this goal (or its next step) on; the next planner of the chain may.
    Abstained {
        why: String,
        candidates: Vec<String>,
    },
    /// The reply could not be read. `why` is told to the model.
    Misread {
        why: String,
        raw: String,
    },
    /// The model itself said that it cannot go on.
    GaveUp {
        why: String,
    },
    /// No reply could be had.
    Unavailable(ChatError),
}

#[async_trait]
pub trait Planner: Send {
    fn name(&self) -> &'static str;
    /// The effort that it works with when this one is asked for. A planner with sub-goals has a deep one too.
    fn effort(&self, asked: Effort) -> Effort {
        if asked == Effort::Deep { Effort::Balance } else { asked }
    }
    /// It works with the computer tool that a provider trained its model for, and with no other model.
    fn needs_computer_tool(&self) -> bool {
        false
    }
    /// Decides the next actions. Asks the world for whatever it needs to decide (a model's reply, a UI tree), never acts.
    async fn plan(
        &mut self,
        world: &mut dyn World,
        view: &PlanView<'_>,
        history: &mut History,
    ) -> Result<Planned, Stop>;
}

/// The planner of that name. The names are those of `--planner`.
pub fn named(name: &str) -> Option<Box<dyn Planner>> {
    match name {
        "reflex" => Some(Box::new(reflex::Reflex::default())),
        "computer-use" => Some(Box::new(computer_use::ComputerUse::default())),
        "standard" => Some(Box::new(standard::Standard)),
        "ui-tars" => Some(Box::new(ui_tars::UiTars)),
        "auto-glm" => Some(Box::new(auto_glm::AutoGlm)),
        _ => None,
    }
}

/// All planner names, for messages.
pub const NAMES: &[&str] = &["reflex", "standard", "ui-tars", "auto-glm", "computer-use"];

/// Why a planner cannot work with the models of a family, and what to do: some families decide in a grammar of their own,
/// which one planner reads and no other.
pub fn unsuited(name: &str, family: &Family) -> Option<(String, String)> {
    if name == "reflex" || name == family.planner {
        return None;
    }
    if family.has_own_grammar() {
        let (family, planner) = (family.name, family.planner);
        return Some((
            format!(
                "models of the family `{family}` decide in a grammar of their own, which the planner `{name}` does not read"
            ),
            format!("use --planner {planner}, or set HANDEYE_MODEL_FAMILY to what the model is"),
        ));
    }
    let families: Vec<&str> = FAMILIES.iter().filter(|f| f.planner == name).map(|f| f.name).collect();
    let own = name != STANDARD && !families.is_empty();
    own.then(|| {
        (
            format!("the planner `{name}` reads a grammar that models of the family `{}` do not write", family.name),
            format!(
                "set HANDEYE_MODEL_FAMILY to what the model is ({}), or use --planner {}",
                families.join(", "),
                family.planner
            ),
        )
    })
}

/// The plan as the record keeps it.
pub fn record(planner: &str, planned: &Planned) -> PlanRecord {
    let mut record = PlanRecord { planner: planner.to_owned(), ..PlanRecord::default() };
    match planned {
        Planned::Plan(p) => {
            record.thought.clone_from(&p.thought);
            record.log.clone_from(&p.log);
            record.memory.clone_from(&p.memory);
            record.sub_goals.clone_from(&p.sub_goals);
            record.actions.clone_from(&p.actions);
            record.complete = p.complete.as_ref().map(|c| (c.success, c.message.clone()));
            record.repairs.clone_from(&p.repairs);
        }
        Planned::Abstained { why, .. } => record.abstained = Some(why.clone()),
        Planned::Misread { why, .. } => record.misread = Some(why.clone()),
        Planned::GaveUp { why } => record.complete = Some((false, why.clone())),
        Planned::Unavailable(error) => record.unavailable = Some(error.to_string()),
    }
    record
}
