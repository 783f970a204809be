//! The stream of a run. Report, progress and replay are readers of it.

use crate::{Element, Got, Need, Outcome, Target};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    Plan,
    Locate,
    Action,
    Insight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskState {
    Running,
    Finished,
    Failed,
    Cancelled,
}

/// One rung that was tried to locate a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RungTried {
    pub rung: crate::Rung,
    /// Candidates as `role "name"`, best first, each with its score from 0 to 1.
    pub candidates: Vec<(String, f64)>,
    /// Why it decided as it did, for people.
    pub why: String,
}

/// How a target was located: every rung tried.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    pub target: String,
    pub rungs: Vec<RungTried>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub element: Option<Element>,
}

/// One part of a goal, as it stands once a reply was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubGoalRecord {
    /// From 1.
    pub index: u32,
    pub text: String,
    pub state: SubGoalState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SubGoalState {
    Pending,
    /// It is being worked on.
    Running,
    Finished,
}

impl SubGoalState {
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Finished => "finished",
        }
    }
}

/// What a planner decided, for readers of the record. Actions are as the planner gave them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanRecord {
    pub planner: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub thought: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub log: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<String>,
    /// All parts of the goal, for planners that have such.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sub_goals: Vec<SubGoalRecord>,
    pub actions: Vec<crate::Action<Target>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<(bool, String)>,
    /// What had to be mended in the reply to read it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// Set when the reply could not be read, with the reply's text kept in the answer before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misread: Option<String>,
    /// Set when no reply could be had: what the provider's failure was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abstained: Option<String>,
}

/// One line of a journal. Readers ignore events that they do not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// The run begins. `settings` holds what the deciding depends on.
    Started {
        version: String,
        goal: String,
        device: String,
        model: String,
        wall_time: String,
        settings: Value,
    },
    /// The agent asked; `class` is set for actions: what may be done with it after a kill.
    Asked {
        id: u64,
        need: Need,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        class: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        body: Option<String>,
    },
    Answered {
        id: u64,
        got: Got,
    },
    Round {
        number: u32,
    },
    Planned {
        plan: PlanRecord,
    },
    Task {
        id: u32,
        kind: TaskKind,
        title: String,
        state: TaskState,
        #[serde(skip_serializing_if = "String::is_empty", default)]
        detail: String,
    },
    Located {
        task: u32,
        receipt: Receipt,
    },
    /// The final word on what an action did.
    Effect {
        task: u32,
        effect: crate::Effect,
    },
    /// What the next planning call will be told.
    Feedback {
        text: String,
    },
    /// Something a person should see.
    Notice {
        text: String,
    },
    Ended {
        outcome: Outcome,
    },
    /// An event of a later version.
    #[serde(other)]
    Unknown,
}
