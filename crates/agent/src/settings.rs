//! What a run is told before it begins. All of it is fixed before round 1 and kept in the record.

use handeye_core::Family;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How much the planner is asked to write down before it decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Only the action.
    Fast,
    /// A thought and one line of log.
    #[default]
    Balance,
    /// Sub-goals as well. Runs as balance where the planner has none.
    Deep,
}

/// What is to be achieved, in plain language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    pub text: String,
    /// Knowledge that has priority over what the model believes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

impl Goal {
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), context: None }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub family: &'static Family,
    pub effort: Effort,
    /// Rounds that may act; one further planning call may only complete.
    pub max_rounds: u32,
    /// Longest edge, in pixels, of the pictures that a model is shown.
    pub image_limit: Option<u32>,
    /// Tokens, in and out, that all model calls of the run may use together.
    pub budget_tokens: Option<u64>,
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
            effort: Effort::Balance,
            max_rounds: family.max_rounds,
            image_limit: None,
            budget_tokens: None,
            settle: Duration::from_secs(3),
            reuse_frame: Duration::from_millis(300),
        }
    }
}

/// The settings as a record keeps them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettingsRecord {
    pub goal: Goal,
    pub planners: Vec<String>,
    pub family: String,
    pub effort: Effort,
    pub max_rounds: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_limit: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_tokens: Option<u64>,
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
            effort: settings.effort,
            max_rounds: settings.max_rounds,
            image_limit: settings.image_limit,
            budget_tokens: settings.budget_tokens,
            settle_ms: handeye_core::Elapsed(settings.settle).millis(),
            reuse_frame_ms: handeye_core::Elapsed(settings.reuse_frame).millis(),
            space: space.clone(),
        }
    }
    /// The settings again. `None` when the record names a family that is not known.
    pub fn settings(&self) -> Option<Settings> {
        Some(Settings {
            family: Family::named(&self.family)?,
            effort: self.effort,
            max_rounds: self.max_rounds,
            image_limit: self.image_limit,
            budget_tokens: self.budget_tokens,
            settle: Duration::from_millis(self.settle_ms),
            reuse_frame: Duration::from_millis(self.reuse_frame_ms),
        })
    }
}
