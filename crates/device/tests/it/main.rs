//! The web device against a real Chromium. These tests fail where there is none.

#![expect(clippy::expect_used, reason = "a test that cannot be set up has failed")]

mod ambient;
mod around;
mod arrival;
mod cases;
mod controls;
mod dragging;
mod effects;
mod pages;
mod rig;
mod selectors;
mod tree;
mod typing;
mod verbs;
