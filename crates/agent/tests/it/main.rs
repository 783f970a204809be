//! The loop in the scripted world: tables of what is asked, and of how a run ends.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod bench;
mod budgets;
mod completion;
mod computer_use;
mod describing;
mod failures;
mod grammars;
mod ladder;
mod locating;
mod replies;
mod requests;
mod seeds;
mod stopping;
mod takeover;
mod vectors;
