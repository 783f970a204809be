//! From the errors of the connection to those that the agent understands.

use super::script::ScriptError;
use handeye_cdp::CdpError;
use handeye_core::{DeviceCause, DeviceError, Effect};

/// Why an action went no further: nothing was done and the effect says why, or the device failed.
#[derive(Debug)]
pub(super) enum Stop {
    Effect(Effect),
    Error(DeviceError),
}

impl From<DeviceError> for Stop {
    fn from(error: DeviceError) -> Self {
        Self::Error(error)
    }
}

impl From<Effect> for Stop {
    fn from(effect: Effect) -> Self {
        Self::Effect(effect)
    }
}

pub(super) fn cdp(what: &str, error: CdpError) -> DeviceError {
    let hint = error.hint();
    let cause = match error {
        CdpError::Gone { why } => DeviceCause::Gone(why),
        CdpError::Timeout { ms, .. } => DeviceCause::Timeout(ms),
        CdpError::Cancelled => DeviceCause::Cancelled,
        other @ (CdpError::NotFound { .. }
        | CdpError::Launch { .. }
        | CdpError::Refused { .. }
        | CdpError::Io { .. }) => DeviceCause::Gone(full(&other)),
        other => DeviceCause::Failed(other.to_string()),
    };
    let gone = matches!(cause, DeviceCause::Gone(_));
    let error = DeviceError::new(what, cause);
    match hint {
        Some(hint) => error.with_hint(hint),
        None if gone => error.with_hint("the browser or its tab was closed or crashed; start again"),
        None => error,
    }
}

/// An error with its sources, as one line.
fn full(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        source = inner.source();
    }
    text
}

pub(super) fn script(what: &str, error: ScriptError) -> DeviceError {
    match error {
        ScriptError::Cdp(CdpError::Timeout { ms, .. }) => DeviceError::new(what, DeviceCause::Timeout(ms))
            .with_hint("the page is busy and answers nothing; wait, or reload it"),
        ScriptError::Cdp(error) => cdp(what, error),
        ScriptError::DocumentGone => {
            DeviceError::new(what, DeviceCause::NotFound("the page was replaced by another one meanwhile".to_owned()))
        }
        ScriptError::Threw(why) => DeviceError::failed(what, why),
        ScriptError::Selector { selector, why } => DeviceError::failed(format!("look for `{selector}`"), why),
    }
}
