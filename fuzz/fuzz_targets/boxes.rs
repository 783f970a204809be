//! Any value, and any text as one: a place inside the picture, or a short refusal.
#![no_main]

// The checks stand in files of their own, which the tests of the agent run over `seeds/`.
#[path = "../checks/boxes.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| checks::check(text));
