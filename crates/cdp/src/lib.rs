//! The DevTools connection: one actor owns one connection to one browser.
//!
//! [`Browser::launch`] starts a browser of our own and speaks to it through a pair of pipes, so that no port is open;
//! [`Browser::attach`] connects to one that runs already. Either way everything attached (the browser itself, each page, each
//! iframe that lives in a process of its own) is a [`Session`], and all sessions share the connection. A session is called
//! with a method and parameters, as the protocol's documentation names them; there are no generated types, and what a newer
//! browser adds is ignored. Screenshots and whole pages fit into a message: pipes have no limit, a WebSocket one of 1 GiB.
//!
//! The actor answers by itself what would otherwise stand still: new targets arrive paused and are set up and let go, native
//! dialogs are answered by [`DialogPolicy`]. The caller whose click opened them does nothing for it; it is told with
//! [`BrowserEvent`]s. What one session says is heard with [`Session::events`], from its first event on.
//!
//! Each target that is attached has these done before its first script runs: `Target.setAutoAttach` (so that frames within
//! frames are found), `Page.enable`, `Page.setLifecycleEventsEnabled`, `Runtime.enable`, and what was given to
//! [`Browser::on_new_target`]. In a browser that we did not start this holds for one page, for those that we open, and for
//! those that these open; other tabs are left alone.
//!
//! A browser that we start lives in a process group and with a profile folder of its own. Both are gone after
//! [`Browser::close`], after a drop or a panic, and also after a `kill -9` of our process at any moment: a reaper, started
//! before the browser, sees to it ([`reaper_main`]).
//!
//! Not here: what a click or a screenshot is (that is the web device), any reading of the environment, and any proxy.
//!
//! ```no_run
//! use handeye_cdp::{Browser, CdpError, LaunchOptions};
//! use handeye_core::Ctx;
//! use serde_json::{Value, json};
//!
//! async fn title() -> Result<Value, CdpError> {
//!     let options = LaunchOptions { search_path: Some("/usr/bin".into()), ..LaunchOptions::default() };
//!     let browser = Browser::launch(&options, &Ctx::bare()).await?;
//!     let page = browser.new_page("data:text/html,<title>Hello</title>").await?;
//!     let answer: Value = page.call("Runtime.evaluate", json!({"expression": "document.title"})).await?;
//!     browser.close().await;
//!     Ok(answer["result"]["value"].clone())
//! }
//! ```

mod actor;
mod bounds;
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
