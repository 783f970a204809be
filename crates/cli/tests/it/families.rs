//! The cases once more, with their boxes written as models of other families write them.
//!
//! A few of them each time, which reach every way to count, order, shape and pad; all of them with `cargo xtask cases`.

use crate::cases::check_for;
use crate::program::repository;
use handeye_testkit::cases::Case;

/// Cells at a scale at which pictures need padding, and a reply that has to be mended.
const FEW: [(&str, f64); 2] = [("C01", 1.25), ("P01", 1.0)];

fn check(family: &str) {
    // Set by `cargo xtask cases`.
    let all = std::env::var_os("CASES_OF_ALL_FAMILIES").is_some();
    for case in Case::all(&repository("tests/cases")) {
        let id = case.expect.id.as_str();
        let is_chosen = |scale: f64| all || FEW.contains(&(id, scale));
        let scales = case.expect.dpr.iter().filter(|scale| is_chosen(**scale));
        scales.for_each(|scale| check_for(&case, family, *scale, |_, _, _| ()));
    }
}

macro_rules! families {
    ($($name:ident $family:literal),+ $(,)?) => { $( #[test] fn $name() { check($family); } )+ };
}

families! {
    qwen2_5_vl_counts_pixels_of_a_padded_picture "qwen2.5-vl",
    gemini_writes_y_first "gemini",
    doubao_seed_counts_thousandths "doubao-seed",
    glm_v_counts_thousandths "glm-v",
    gpt_5_counts_pixels "gpt-5",
    kimi_points_with_fractions "kimi",
}
