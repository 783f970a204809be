//! The record from outside: written, read, replayed and shown.

#![expect(clippy::expect_used, reason = "helpers of tests stand outside of the test functions")]

mod page;
mod read;
mod replay;
mod report;
mod sample;
mod steps;
mod write;
