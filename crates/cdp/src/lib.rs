//! The DevTools connection: one actor owns one connection to one browser.

mod browser;
mod error;
mod event;
pub mod find;
mod message;
mod options;
mod reaper;
mod session;

pub use browser::{Browser, PageTarget};
pub use error::CdpError;
pub use event::{BrowserEvent, Events, Heard, SessionEvent};
pub use options::{DialogPolicy, LaunchOptions};
pub use reaper::reaper_main;
pub use session::{CALL_TIMEOUT, Ignored, Session};
