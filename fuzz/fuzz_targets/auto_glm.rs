//! Any reply in its grammar: something to do, or a short refusal.
#![no_main]

// The checks stand in files of their own, which the tests of the agent run over `seeds/`.
#[path = "../checks/auto_glm.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| checks::check(text));
