//! Why the DevTools connection could not do what it was asked.

use handeye_core::ErrorKind;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum CdpError {
    /// No browser was found on the search path, or the given program is not there.
    #[error("no browser found: {looked_for}")]
    NotFound { looked_for: String },
    /// The browser was started but did not come up. `stderr_tail` is what it said last.
    #[error("cannot start `{}`: {why}{}", program.display(), said(stderr_tail))]
    Launch { program: PathBuf, why: String, stderr_tail: String },
    /// Nothing that speaks the DevTools protocol answers at the endpoint.
    #[error("cannot attach to `{endpoint}`: {why}")]
    Refused { endpoint: String, why: String },
    /// The browser, the page or the connection is gone; nothing further can be done through it.
    #[error("{why}")]
    Gone { why: String },
    /// The call got no answer in time. What it asked for may still happen.
    #[error("`{method}` got no answer within {ms} ms")]
    Timeout { method: &'static str, ms: u64 },
    /// The browser answered with an error.
    #[error("`{method}` failed: {message} ({code})")]
    Protocol { method: &'static str, code: i64, message: String },
    /// The browser's answer has another shape than expected, or the parameters cannot be written as JSON.
    #[error("cannot read the answer to `{method}`: {why}")]
    Misread { method: &'static str, why: String },
    #[error("cannot {what}")]
    Io {
        what: String,
        #[source]
        source: std::io::Error,
    },
    #[error("cancelled")]
    Cancelled,
}

fn said(tail: &str) -> String {
    let tail = tail.trim();
    if tail.is_empty() { String::new() } else { format!("; it said: {tail}") }
}

impl CdpError {
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Gone { .. } | Self::NotFound { .. } | Self::Launch { .. } | Self::Refused { .. } => {
                ErrorKind::DeviceLost
            }
            Self::Timeout { .. } => ErrorKind::Timeout,
            Self::Protocol { .. } | Self::Misread { .. } => ErrorKind::Device,
            Self::Io { .. } => ErrorKind::Storage,
            Self::Cancelled => ErrorKind::Cancelled,
        }
    }

    /// What a person can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotFound { .. } => Some(
                "install one (Debian: `apt-get install chromium-headless-shell`, others: Chromium or Google Chrome) or name it with --browser PATH",
            ),
            Self::Launch { .. } => {
                Some("run `handeye doctor`, or start this program by hand with --version to see whether it works here")
            }
            Self::Refused { .. } => Some(
                "start the browser with --remote-debugging-port=9222 and give its address, such as --cdp http://127.0.0.1:9222",
            ),
            Self::Io { .. } => Some("check that the folder for temporary files exists and has room"),
            _ => None,
        }
    }

    /// Nothing further can be done with what this call was made on.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Gone { .. })
    }

    pub(crate) fn gone(why: impl Into<String>) -> Self {
        Self::Gone { why: why.into() }
    }

    pub(crate) fn io(what: impl Into<String>, source: std::io::Error) -> Self {
        Self::Io { what: what.into(), source }
    }
}
