//! Any text: tags lie inside it, in order, and hold pieces of it.
#![no_main]

// The checks stand in files of their own, which the tests of the agent run over `seeds/`.
#[path = "../checks/tags.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| checks::check(text));
