//! Any call of a computer tool: something to do, or a refusal.
#![no_main]

// The checks stand in files of their own, which the tests of the agent run over `seeds/`.
#[path = "../checks/computer_use.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| checks::check(text));
