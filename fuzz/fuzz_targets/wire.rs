//! Any body that a server may answer with.
#![no_main]

// The checks stand in files of their own, which the tests of `chat` run over `seeds/`.
#[path = "../checks/wire.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::check(bytes));
