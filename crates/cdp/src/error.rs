//! Why the DevTools connection could not do what it was asked.

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

/// The last lines of what a browser said, without its complaints about a desktop that is not there.
fn said(tail: &str) -> String {
    let lines: Vec<&str> =
        tail.lines().map(str::trim).filter(|line| !line.is_empty() && !line.contains("ERROR:dbus/")).collect();
    let last = lines.get(lines.len().saturating_sub(4)..).unwrap_or_default();
    if last.is_empty() { String::new() } else { format!("; it said: {}", last.join("; ")) }
}

/// What people do about the usual reasons for which a browser does not start: a part of its message, and the advice.
const START_HINTS: &[(&str, &str)] = &[
    ("Missing X server", "there is no display: leave out --headed, or set DISPLAY (`xvfb-run` provides one)"),
    ("cannot open display", "the display does not answer: leave out --headed, or check DISPLAY"),
    (
        "No usable sandbox",
        "the system forbids the browser's sandbox: allow user namespaces, or run as root in a container",
    ),
    (
        "error while loading shared libraries",
        "install the browser with the system's package manager, which brings its libraries",
    ),
    (
        "requires the chromium snap",
        "this is only a pointer to a snap package: install a browser and name it with --browser PATH",
    ),
    ("No space left on device", "make room in the folder for temporary files"),
];

impl CdpError {
    /// What a person can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotFound { .. } => Some(
                "install Chromium or Google Chrome (Debian: `apt-get install chromium`, or `chromium-headless-shell` when no window is needed), or name the program with --browser PATH",
            ),
            Self::Launch { stderr_tail, .. } => {
                let known = START_HINTS.iter().find(|(sign, _)| stderr_tail.contains(sign)).map(|(_, hint)| *hint);
                known.or(Some("start this program by hand with --version to see whether it works here, or name another with --browser PATH"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_start_shows_what_matters_and_what_to_do() {
        let tail =
            "[1:2:ERROR:dbus/bus.cc:405] Failed to connect\n[1:1:ERROR:x11.cc:257] Missing X server or $DISPLAY\n";
        let error = CdpError::Launch { program: "/bin/b".into(), why: "it ended".into(), stderr_tail: tail.into() };
        assert_eq!(
            error.to_string(),
            "cannot start `/bin/b`: it ended; it said: [1:1:ERROR:x11.cc:257] Missing X server or $DISPLAY"
        );
        assert!(error.hint().is_some_and(|hint| hint.contains("--headed")));
        let silent = CdpError::Launch { program: "/bin/b".into(), why: "it ended".into(), stderr_tail: String::new() };
        assert_eq!(silent.to_string(), "cannot start `/bin/b`: it ended");
        assert!(silent.hint().is_some_and(|hint| hint.contains("--version")));
    }
}
