//! Any reply to a question about the screen.
#![no_main]

// The checks stand in files of their own, which the tests of the agent run over `seeds/`.
#[path = "../checks/answer.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| checks::check(text));
