//! How a run can end.

use crate::{ErrorKind, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Budget {
    Rounds,
    Time,
    Tokens,
    Money,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum End {
    Completed {
        message: String,
    },
    Failed {
        message: String,
    },
    BudgetExhausted {
        which: Budget,
        message: String,
    },
    Stuck {
        why: String,
    },
    Refused {
        why: String,
    },
    Abstained {
        why: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        candidates: Vec<String>,
    },
    Cancelled,
    Error {
        kind: ErrorKind,
        message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hint: Option<String>,
    },
}

impl End {
    /// 0 done · 1 failed, refused or abstained · 2 wrong use · 3 budget or loop guard · 4 device · 5 model · 130 cancelled.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Completed { .. } => 0,
            Self::Failed { .. } | Self::Refused { .. } | Self::Abstained { .. } => 1,
            Self::BudgetExhausted { .. } | Self::Stuck { .. } => 3,
            Self::Cancelled => 130,
            Self::Error { kind, .. } => match kind {
                ErrorKind::Usage | ErrorKind::Storage => 2,
                ErrorKind::DeviceLost
                | ErrorKind::Timeout
                | ErrorKind::Device
                | ErrorKind::Unsupported
                | ErrorKind::Interrupted
                | ErrorKind::NotFound => 4,
                ErrorKind::Model
                | ErrorKind::Auth
                | ErrorKind::Quota
                | ErrorKind::Refused
                | ErrorKind::Transport
                | ErrorKind::Misread => 5,
                ErrorKind::Cancelled => 130,
            },
        }
    }
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Completed { .. })
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Completed { message } if message.is_empty() => f.write_str("completed"),
            Self::Completed { message } => write!(f, "completed: {message}"),
            Self::Failed { message } => write!(f, "failed: {message}"),
            Self::BudgetExhausted { message, .. } => write!(f, "stopped: {message}"),
            Self::Stuck { why } => write!(f, "stuck: {why}"),
            Self::Refused { why } => write!(f, "refused: {why}"),
            Self::Abstained { why, candidates } if candidates.is_empty() => write!(f, "abstained: {why}"),
            Self::Abstained { why, candidates } => {
                write!(f, "abstained: {why} (candidates: {})", candidates.join("; "))
            }
            Self::Cancelled => f.write_str("cancelled"),
            Self::Error { message, .. } => write!(f, "error: {message}"),
        }
    }
}

/// A value that is there, also where it is null.
pub fn given<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// The end of a run and its figures: what result.json holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub end: End,
    pub rounds: u32,
    /// Actions that were sent to the device.
    pub actions: u32,
    pub model_calls: u32,
    pub usage: Usage,
    /// Millionths of a US dollar for all model calls, where every price is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub microdollars: Option<u64>,
    /// The answer to a question, exactly as it was given. Null is an answer: the screen does not show it.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "given")]
    pub value: Option<Value>,
    /// The planner whose decisions ended the run.
    pub planner: String,
    /// Things a person should know that did not end the run.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
}
