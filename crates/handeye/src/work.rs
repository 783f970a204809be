//! What a run is to do, how a record keeps that, and the deciding itself, which is the same in any world.

use handeye_agent::settings::{Reference, SettingsRecord};
use handeye_agent::{Goal, Planner, Question, Settings, act, ask, describe, find, plan, single};
use handeye_core::{Action, ActionSpace, Logical, Outcome, Point, Target, World};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a run is to do.
#[derive(Clone, Debug)]
pub enum Work {
    /// Work on a goal with these planners; an empty list means reflex and then what the model's family prefers.
    Goal { goal: Goal, planners: Vec<String> },
    /// Do one action.
    Single(Action<Target>),
    /// Say where something is, and do nothing to it.
    Locate(Target),
    /// Say in words what lies at this point of the screen.
    Describe(Point<Logical>),
    /// Answer one question about the screen.
    Question(Question),
}

/// Keys of a record's settings. A run that has none of them worked on a goal.
const SINGLE: &str = "single";
const LOCATE: &str = "locate";
const DESCRIBE: &str = "describe";
const QUESTION: &str = "question";

impl Work {
    pub fn goal(text: impl Into<String>) -> Self {
        Self::Goal { goal: Goal::new(text), planners: Vec::new() }
    }

    pub(crate) fn title(&self) -> String {
        match self {
            Self::Goal { goal, .. } => goal.text.clone(),
            Self::Single(action) => action.summary(),
            Self::Locate(target) => format!("Locate - {}", target.description),
            Self::Describe(at) => format!("Describe - {at}"),
            Self::Question(question) => question.title(),
        }
    }

    /// The goal of the record; of other work, its title.
    pub(crate) fn as_goal(&self) -> Goal {
        match self {
            Self::Goal { goal, .. } => goal.clone(),
            _ => Goal::new(self.title()),
        }
    }

    /// Pictures that it speaks of.
    pub(crate) fn references(&self) -> &[Reference] {
        match self {
            Self::Goal { goal, .. } => &goal.references,
            Self::Question(question) => &question.references,
            Self::Single(_) | Self::Locate(_) | Self::Describe(_) => &[],
        }
    }

    /// What a record keeps beside the goal.
    pub(crate) fn record(&self) -> Option<(&'static str, Value)> {
        let (key, value) = match self {
            Self::Goal { .. } => return None,
            Self::Single(action) => (SINGLE, serde_json::to_value(action)),
            Self::Locate(target) => (LOCATE, serde_json::to_value(target)),
            Self::Describe(at) => (DESCRIBE, serde_json::to_value(at)),
            Self::Question(question) => (QUESTION, serde_json::to_value(question)),
        };
        Some((key, value.ok()?))
    }

    /// The work of a record; `None` when it is written in another version's way.
    pub(crate) fn recorded(settings: &Value, record: &SettingsRecord) -> Option<Self> {
        fn kept<T: DeserializeOwned>(settings: &Value, key: &str) -> Option<Result<T, serde_json::Error>> {
            settings.get(key).map(T::deserialize)
        }
        if let Some(action) = kept(settings, SINGLE) {
            return action.ok().map(Self::Single);
        }
        if let Some(target) = kept(settings, LOCATE) {
            return target.ok().map(Self::Locate);
        }
        if let Some(at) = kept(settings, DESCRIBE) {
            return at.ok().map(Self::Describe);
        }
        if let Some(question) = kept(settings, QUESTION) {
            return question.ok().map(Self::Question);
        }
        Some(Self::Goal { goal: record.goal.clone(), planners: record.planners.clone() })
    }

    /// Decides, in the live world or in a recorded one. `chain` names the planners of a goal.
    pub(crate) async fn decide(
        &self,
        world: &mut dyn World,
        chain: &[String],
        space: &ActionSpace,
        settings: &Settings,
    ) -> Outcome {
        match self {
            Self::Goal { goal, .. } => {
                let mut planners: Vec<Box<dyn Planner>> = chain.iter().filter_map(|n| plan::named(n)).collect();
                act::act(world, &mut planners, space, goal, settings).await
            }
            Self::Single(action) => single(world, action.clone(), settings).await,
            Self::Locate(target) => find(world, target, settings).await,
            Self::Describe(at) => describe(world, *at, settings).await,
            Self::Question(question) => ask(world, question, settings).await,
        }
    }
}
