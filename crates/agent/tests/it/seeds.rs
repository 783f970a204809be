//! What fuzzing found, through the checks of the fuzz targets themselves: so neither those nor the seeds can rot.

use std::path::Path;

#[path = "../../../../fuzz/checks/answer.rs"]
mod answer;
#[path = "../../../../fuzz/checks/auto_glm.rs"]
mod auto_glm;
#[path = "../../../../fuzz/checks/boxes.rs"]
mod boxes;
#[path = "../../../../fuzz/checks/computer_use.rs"]
mod computer_use;
#[path = "../../../../fuzz/checks/json.rs"]
mod json;
#[path = "../../../../fuzz/checks/place.rs"]
mod place;
#[path = "../../../../fuzz/checks/standard.rs"]
mod standard;
#[path = "../../../../fuzz/checks/tags.rs"]
mod tags;
#[path = "../../../../fuzz/checks/ui_tars.rs"]
mod ui_tars;

#[track_caller]
fn each_seed(target: &str, check: fn(&str)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("seeds") {
        let path = entry.expect("a seed").path();
        let bytes = std::fs::read(&path).expect("a seed");
        // The fuzzer hands over what is a text at the beginning of its bytes.
        let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let checked = std::panic::catch_unwind(|| check(text));
        assert!(checked.is_ok(), "{}: {text:?}", path.display());
        count += 1;
    }
    assert!(count > 20, "only {count} seeds of {target}");
}

#[test]
fn the_seeds_of_every_fuzz_target_pass() {
    each_seed("answer", answer::check);
    each_seed("auto_glm", auto_glm::check);
    each_seed("boxes", boxes::check);
    each_seed("computer_use", computer_use::check);
    each_seed("json", json::check);
    each_seed("place", place::check);
    each_seed("standard", standard::check);
    each_seed("tags", tags::check);
    each_seed("ui_tars", ui_tars::check);
}
