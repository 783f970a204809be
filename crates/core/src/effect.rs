//! What an action was seen to do.

use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Verdict {
    /// The device saw that the action did what it is for.
    Confirmed,
    /// Input was sent; what came of it cannot be seen, or may have happened by itself.
    Unverified,
    /// Input was sent and nothing changed.
    NoOpSuspected,
    /// It took effect and the application put the old state back.
    Reverted,
    /// Nothing was done: the element cannot take this action, or the browser itself stopped the form.
    Refused,
    /// Something else would have taken the input, so the device did nothing; or something else did take it.
    Covered { by: String },
}

/// The verdict and the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    pub verdict: Verdict,
    /// The evidence as one short sentence without a period: `the field holds "alice"`.
    pub because: String,
    /// What took the input, as `role "name"`, where the device knows it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub on: Option<String>,
    /// It did not go as meant, yet a press may have done something: sending it again could do that twice.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub spent: bool,
}

impl Effect {
    pub fn new(verdict: Verdict, because: impl Into<String>) -> Self {
        Self { verdict, because: because.into(), on: None, spent: false }
    }
    pub fn confirmed(because: impl Into<String>) -> Self {
        Self::new(Verdict::Confirmed, because)
    }
    pub fn unverified(because: impl Into<String>) -> Self {
        Self::new(Verdict::Unverified, because)
    }
    pub fn on(mut self, what: impl Into<String>) -> Self {
        self.on = Some(what.into());
        self
    }
    pub fn spent(self, spent: bool) -> Self {
        Self { spent, ..self }
    }
    /// The action did not happen; the batch stops here.
    pub fn is_failure(&self) -> bool {
        matches!(self.verdict, Verdict::Refused | Verdict::Covered { .. } | Verdict::Reverted)
    }
    pub fn is_confirmed(&self) -> bool {
        self.verdict == Verdict::Confirmed
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.verdict {
            Verdict::Confirmed => write!(f, "confirmed: {}", self.because),
            Verdict::Unverified => write!(f, "unverified: {}", self.because),
            Verdict::NoOpSuspected => write!(f, "no-op suspected: {}", self.because),
            Verdict::Reverted => write!(f, "reverted: {}", self.because),
            Verdict::Refused => write!(f, "refused: {}", self.because),
            Verdict::Covered { by } => write!(f, "covered by {by}: {}", self.because),
        }
    }
}

/// Which signal ended a wait for quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quiet {
    /// No mutations, animations, requests or new frames for a moment.
    Idle,
    /// A new document was loaded and is quiet.
    Loaded,
    /// A dialog opened, or closed again.
    Dialog,
    /// Time ran out while something still moved.
    Cap,
}

/// What changed between the last input and the quiet that followed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Changes {
    /// Changes of the document outside the regions that also change without input.
    pub mutations: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    pub focus: bool,
    pub scroll: bool,
    pub value: bool,
    pub opened: bool,
    pub dialog: bool,
    /// Pixels changed although the document did not: what a canvas draws.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub drawn: bool,
    pub requests: u32,
}

impl Changes {
    /// The screen is as it was. What the page asked of the network is not seen on it.
    pub fn is_empty(&self) -> bool {
        *self == Self { requests: self.requests, ..Self::default() }
    }
}

/// The end of a wait for quiet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    pub by: Quiet,
    /// Milliseconds that it took.
    pub took: u64,
    /// What was still moving at the cap, if anything.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub busy: String,
    /// `None` when the device cannot tell.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub changes: Option<Changes>,
    /// The verdict on the last action, now that its consequences are in. `None` keeps the first one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub effect: Option<Effect>,
}
