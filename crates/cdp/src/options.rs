//! How a browser is started.

use std::ffi::OsString;
use std::path::PathBuf;

/// What the connection answers to `confirm()` and `prompt()`. An alert and the question before leaving a page are always
/// accepted, since there is nothing else to do with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DialogPolicy {
    #[default]
    Dismiss,
    /// A prompt is answered with its default text.
    Accept,
}

#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// The program to run; `None` looks through `search_path` for the names in [`crate::find`].
    pub browser: Option<PathBuf>,
    /// With a window. Needs a full browser and a display.
    pub headed: bool,
    /// Size of the window's content in logical points.
    pub viewport: (u32, u32),
    /// Start it with a debugging port and leave it running at the end.
    pub keep_open: bool,
    pub dialogs: DialogPolicy,
    pub extra_args: Vec<String>,
    /// The value of `PATH`: this crate reads no environment.
    pub search_path: Option<OsString>,
    /// A program whose `main` hands `__reap …` to [`crate::reaper_main`]; `None` runs a reaper under `/bin/sh`.
    pub reaper: Option<PathBuf>,
    /// Where the profile folder is made.
    pub temp_dir: PathBuf,
}

impl LaunchOptions {
    /// The size of a page when nobody says another: that of common laptops, less what a browser takes for itself.
    pub const VIEWPORT: (u32, u32) = (1280, 720);
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            browser: None,
            headed: false,
            viewport: Self::VIEWPORT,
            keep_open: false,
            dialogs: DialogPolicy::default(),
            extra_args: Vec::new(),
            search_path: None,
            reaper: None,
            temp_dir: PathBuf::from("/tmp"),
        }
    }
}
