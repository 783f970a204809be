//! A small process that ends the browser and removes its profile folder when we can not.

use std::ffi::OsString;
use std::process::ExitCode;

/// The `main` of the reaper: `arguments` are those after `__reap`.
pub fn reaper_main(_arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    ExitCode::SUCCESS
}
