//! What the tests of all crates share: pages to look at, a world to decide in, browsers to drive, cases to run.
//!
//! For tests only: no crate may depend on it but as a dev-dependency, and everything here panics where a product would
//! return an error, since a failure of the kit *is* a failed test. Nothing here talks to anything but loopback.
//!
//! - [`pages::PageServer`] serves a folder or pages from memory on two origins, with routes that are slow, hang, redirect …
//! - [`scripted::ScriptedWorld`] is a [`handeye_core::World`] made of a table of needs and answers; it needs no runtime.
//! - [`frames`] makes small valid screenshots.
//! - [`browser`] finds a Chromium, starts one with a debugging port, asks its page a question, and tells what was left behind.
//! - [`model`] is a scripted model over HTTP, with all the ways in which providers fail.
//! - [`cases`] reads and runs the end-to-end cases of `tests/cases`.
//!
//! ```
//! use handeye_core::{Got, Need};
//! use handeye_testkit::scripted::ScriptedWorld;
//! let mut world = ScriptedWorld::new();
//! world.expect(Need::Pause(20), Got::Woke);
//! let (woke, asked) = world.play(async |world| world.pause(std::time::Duration::from_millis(20)).await);
//! assert_eq!((woke, asked.needs.len()), (Ok(()), 1));
//! ```
#![expect(clippy::expect_used, reason = "a failure of the kit is a failed test, and an expect names its place")]

pub mod browser;
pub mod cases;
pub mod frames;
pub mod http;
pub mod model;
pub mod pages;
pub mod scripted;
pub mod wait;
