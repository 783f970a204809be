//! What fuzzing found, through the check of the fuzz target itself: so neither that nor the seeds can rot.

use std::path::Path;

#[path = "../../../../fuzz/checks/wire.rs"]
mod wire;

#[test]
fn the_seeds_of_the_fuzz_target_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/wire");
    let seeds: Vec<_> = std::fs::read_dir(folder).expect("seeds").map(|entry| entry.expect("a seed").path()).collect();
    assert!(seeds.len() >= 30, "{}", seeds.len());
    for seed in seeds {
        wire::check(&std::fs::read(seed).expect("a seed"));
    }
}
