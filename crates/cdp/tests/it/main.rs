//! The connection against a real browser. These tests fail where there is none.

#![expect(clippy::expect_used, reason = "a test that cannot be set up has failed")]

mod dialogs;
mod endpoints;
mod kills;
mod launch;
mod support;
mod targets;
