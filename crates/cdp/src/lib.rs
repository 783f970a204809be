//! The DevTools connection: one actor owns one connection to one browser.
//!
//! mods
mod actor;
mod browser;
mod endpoint;
mod error;
mod event;
pub mod find;
mod flags;
mod message;
mod options;
mod process;
mod reaper;
mod session;
mod wire;

pub use browser::{Browser, PageTarget};
pub use error::CdpError;
pub use event::{BrowserEvent, Events, Heard, SessionEvent};
pub use options::{DialogPolicy, LaunchOptions};
pub use reaper::{REAP, reaper_main};
pub use session::{CALL_TIMEOUT, Ignored, Session};
