//! What a run is told before it begins. All of it is fixed before round 1 and kept in the record.

use crate::history::Limits;
use handeye_core::{Family, FramePx, Image, Shown, Size};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How much the planner is asked to write down before it decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Only the action.
    Fast,
    /// A thought and one line of log too.
    #[default]
    Balance,
    /// Sub-goals as well, which the model keeps up to date; it sees the screenshot before the newest too, and gives no places.
    /// Runs as balance where the planner has none.
    Deep,
}

impl Effort {
    /// As users write it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Balance => "balance",
            Self::Deep => "deep",
        }
    }
}

/// What is to be achieved, in plain language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    pub text: String,
    /// Knowledge that has priority over what the model believes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Pictures that the goal speaks of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
}

/// A picture that is shown as context only: what stands on it is never operated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// What the goal calls it.
    pub name: String,
    pub image: Image,
}

impl Goal {
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

impl From<&str> for Goal {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}
impl From<String> for Goal {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// That of the model that plans.
    pub family: &'static Family,
    /// That of the model that locates.
    pub grounding: &'static Family,
    /// That of the model that answers questions.
    pub insight: &'static Family,
    /// There is a model that answers questions.
    pub has_insight: bool,
    /// The model that plans is the one that locates.
    pub one_model: bool,
    pub effort: Effort,
    /// A model that locates looks at each target in two steps, as for small ones.
    pub deep_locate: bool,
    /// Rounds that may act; one further planning call may only complete.
    pub max_rounds: u32,
    /// Longest edge, in pixels, of the pictures that a model is shown.
    pub image_limit: Option<u32>,
    /// Tokens, in and out, that all model calls of the run may use together.
    pub budget_tokens: Option<u64>,
    /// Tokens, as we estimate them, of the earlier rounds that a request holds at most.
    pub history_tokens: usize,
    /// How long to wait for a quiet screen after each action.
    pub settle: Duration,
    /// How old the last frame of a batch may be to serve as the next observation.
    pub reuse_frame: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let family = Family::default_family();
        Self {
            family,
            grounding: family,
            insight: family,
            has_insight: true,
            one_model: true,
            effort: Effort::Balance,
            deep_locate: false,
            max_rounds: family.max_rounds,
            image_limit: None,
            budget_tokens: None,
            history_tokens: Limits::default().tokens,
            settle: Duration::from_secs(3),
            reuse_frame: Duration::from_millis(300),
        }
    }
}

impl Settings {
    /// Places come with the plan: the model that plans can point too, and is not to think of one thing at a time. Grammars
    /// of a family's own have no actions without a place.
    pub fn inline(&self) -> bool {
        self.family.has_own_grammar() || self.one_model && self.effort != Effort::Deep
    }
    /// How a whole picture of this size is shown to a model of this family.
    pub fn shown(&self, picture: Size<FramePx>, family: &Family) -> Shown {
        Shown::whole(picture, self.image_limit, family.block)
    }
}

/// The settings as a record keeps them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettingsRecord {
    pub goal: Goal,
    pub planners: Vec<String>,
    pub family: String,
    pub grounding: String,
    pub insight: String,
    pub has_insight: bool,
    pub one_model: bool,
    pub effort: Effort,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deep_locate: bool,
    pub max_rounds: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_limit: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_tokens: Option<u64>,
    pub history_tokens: usize,
    pub settle_ms: u64,
    pub reuse_frame_ms: u64,
    pub space: handeye_core::ActionSpace,
}

impl SettingsRecord {
    pub fn of(settings: &Settings, goal: &Goal, planners: &[String], space: &handeye_core::ActionSpace) -> Self {
        Self {
            goal: goal.clone(),
            planners: planners.to_vec(),
            family: settings.family.name.to_owned(),
            grounding: settings.grounding.name.to_owned(),
            insight: settings.insight.name.to_owned(),
            has_insight: settings.has_insight,
            one_model: settings.one_model,
            effort: settings.effort,
            deep_locate: settings.deep_locate,
            max_rounds: settings.max_rounds,
            image_limit: settings.image_limit,
            budget_tokens: settings.budget_tokens,
            history_tokens: settings.history_tokens,
            settle_ms: handeye_core::Elapsed(settings.settle).millis(),
            reuse_frame_ms: handeye_core::Elapsed(settings.reuse_frame).millis(),
            space: space.clone(),
        }
    }
    /// The settings again. `None` when the record names a family that is not known.
    pub fn settings(&self) -> Option<Settings> {
        Some(Settings {
            family: Family::named(&self.family)?,
            grounding: Family::named(&self.grounding)?,
            insight: Family::named(&self.insight)?,
            has_insight: self.has_insight,
            one_model: self.one_model,
            effort: self.effort,
            deep_locate: self.deep_locate,
            max_rounds: self.max_rounds,
            image_limit: self.image_limit,
            budget_tokens: self.budget_tokens,
            history_tokens: self.history_tokens,
            settle: Duration::from_millis(self.settle_ms),
            reuse_frame: Duration::from_millis(self.reuse_frame_ms),
        })
    }
}
