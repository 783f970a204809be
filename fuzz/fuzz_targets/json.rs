//! Any text: read or refused, and strict JSON exactly as the strict parser reads it, also through the tolerant one.
#![no_main]

// The checks stand in files of their own, which the tests of the agent run over `seeds/`.
#[path = "../checks/json.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| checks::check(text));
