//! Any reply of a model that was asked where something is.
#![no_main]

// The checks stand in files of their own, which the tests of the agent run over `seeds/`.
#[path = "../checks/place.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| checks::check(text));
