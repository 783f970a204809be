//! Handeye: a goal in plain language and a real screen; it looks, decides one step, points, acts, checks, looks again.
//!
//! This crate is the front door. It wires the back ends together: [`LiveWorld`] joins a device, models and a clock to the agent
//! and records all of it. [`run`] does one goal, action or question from start to report; an [`Agent`] keeps the device open for
//! several, and answers with the types that a program asks for; [`replay()`] runs the deciding of a recorded
//! run again, without device and model.
//!
//! ```no_run
//! # async fn example() -> Result<(), handeye::StartError> {
//! use handeye::{Options, Work, WebOptions};
//! let web = WebOptions { url: "https://example.com".to_owned(), ..WebOptions::default() };
//! let finished = handeye::run(Work::goal("click 'More information'"), Options::new(web)).await?;
//! println!("{}", finished.outcome.end);
//! # Ok(())
//! # }
//! ```

pub mod agent;
pub mod doctor;
mod job;
pub mod live;
pub mod model;
pub mod observe;
mod pictures;
pub mod reference;
pub mod replay;
pub mod run;
mod still;
pub mod verify;
pub mod work;

pub use agent::{Agent, CallError, OpenError};
pub use handeye_agent::insight::Kind;
pub use handeye_agent::settings::Reference;
pub use handeye_agent::{Effort, Goal, Question, Settings};
pub use handeye_cdp::{DialogPolicy, LaunchOptions, reaper_main};
pub use handeye_chat::config::{duration, unread as unread_settings};
pub use handeye_chat::{Budget, Dollars, ModelConfig, Models, Price, Prices, Secret};
pub use handeye_core::family::{FAMILIES, Family, Order, Scale, Shape};
pub use handeye_core::text::clip;
pub use handeye_core::{
    Action, CancelToken, ChatError, Direction, Effect, Element, End, ErrorKind, Event, InputMode, Logical, Masker,
    Need, Outcome, Point, ScrollKind, Selector, Slot, Target, TaskKind, TaskState, Verdict,
};
pub use handeye_device::web::{Source, WebOptions};
pub use handeye_journal::{Problem, RunResult};
pub use live::{LiveWorld, Patience};
pub use reference::reference;
pub use replay::{Replayed, replay};
pub use run::{Finished, Options, StartError, run};
pub use verify::verify;
pub use work::Work;

/// Writes the report of a recorded run again and returns its path.
///
/// # Errors
/// When the folder holds no readable run, or the report cannot be written.
pub fn report(run: &std::path::Path) -> Result<std::path::PathBuf, handeye_journal::ReportError> {
    handeye_journal::write_report(&run_folder(run))
}

/// The folder of a run, also when a file in it was named.
fn run_folder(named: &std::path::Path) -> std::path::PathBuf {
    let is_of_a_run = named
        .file_name()
        .is_some_and(|name| ["journal.jsonl", "report.html", "result.json"].iter().any(|n| name == *n));
    match named.parent() {
        Some(folder) if is_of_a_run && named.is_file() => folder.to_owned(),
        _ => named.to_owned(),
    }
}
