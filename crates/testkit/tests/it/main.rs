//! The kit itself: pages behave as badly as they promise, the scripted world fails when it should, cases load.
#![expect(clippy::expect_used, reason = "the helpers of tests fail as tests do")]

mod browser;
mod cases;
mod pages;
mod scripted;
mod shop;
