//! Failures that cross the door between the agent and the world. They are data, so that they can be recorded and replayed.

use serde::{Deserialize, Serialize};

/// A coarse, stable class: it drives exit code, retries and the badge in a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    Usage,
    DeviceLost,
    Timeout,
    NotFound,
    Unsupported,
    Interrupted,
    Device,
    /// The provider does not have this model, or does not accept what it is sent.
    Model,
    Auth,
    Quota,
    Refused,
    Transport,
    Misread,
    Cancelled,
    Storage,
}

/// Why a device could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case", tag = "is", content = "detail")]
pub enum DeviceCause {
    /// The screen is gone for good: the run ends.
    #[error("{0}")]
    Gone(String),
    /// It did not answer in time; the loop tells the planner and goes on.
    #[error("no answer within {0} ms")]
    Timeout(u64),
    /// The device cannot do this; the planner is told and nothing is retried.
    #[error("{0}")]
    Unsupported(String),
    /// The element is not there any more.
    #[error("{0}")]
    NotFound(String),
    /// Input was under way when the connection broke: its outcome is unknown.
    #[error("interrupted: {0}; whether it took effect is unknown")]
    Interrupted(String),
    /// The device answered with an error of its own.
    #[error("{0}")]
    Failed(String),
    #[error("cancelled")]
    Cancelled,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{what}: {cause}")]
pub struct DeviceError {
    /// What was attempted: `tap on button "Save"`.
    pub what: String,
    pub cause: DeviceCause,
    /// What a person can do about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
}

impl DeviceError {
    pub fn new(what: impl Into<String>, cause: DeviceCause) -> Self {
        Self { what: what.into(), cause, hint: None }
    }
    pub fn gone(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(what, DeviceCause::Gone(why.into()))
    }
    pub fn failed(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::new(what, DeviceCause::Failed(why.into()))
    }
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
    pub fn kind(&self) -> ErrorKind {
        match self.cause {
            DeviceCause::Gone(_) => ErrorKind::DeviceLost,
            DeviceCause::Timeout(_) => ErrorKind::Timeout,
            DeviceCause::Unsupported(_) => ErrorKind::Unsupported,
            DeviceCause::NotFound(_) => ErrorKind::NotFound,
            DeviceCause::Interrupted(_) => ErrorKind::Interrupted,
            DeviceCause::Failed(_) => ErrorKind::Device,
            DeviceCause::Cancelled => ErrorKind::Cancelled,
        }
    }
    /// Nothing further can be done with this device.
    pub fn is_fatal(&self) -> bool {
        matches!(self.cause, DeviceCause::Gone(_))
    }
}
