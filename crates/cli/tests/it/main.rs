//! The built program, end to end: a real Chromium, served pages, scripted models.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "tests measure and read the environment themselves")]

mod cases;
mod clean_up;
mod computer_use;
mod documented;
mod efforts;
mod families;
mod faults;
mod grammars;
mod hostile;
mod locating;
mod models;
mod others;
mod program;
mod questions;
mod reader;
mod single;
mod slots;
mod stage;
mod surface;
mod trouble;
