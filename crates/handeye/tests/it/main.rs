//! The live world with a device and a model that do as they are told.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod agent;
mod live;
