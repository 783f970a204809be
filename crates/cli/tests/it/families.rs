//! The cases once more, with their boxes written as models of other families write them.
//!
//! A few of them each time, which reach every way to count, order, shape and pad; all of them with `cargo xtask cases`.

use crate::cases::check_for;
use crate::program::repository;
use handeye::Family;
use handeye_testkit::cases::Case;

/// Cases about the forms of boxes, and about thousandths: what they say is of their own family.
const OF_ONE_FAMILY: [&str; 2] = ["P05", "C03"];
/// Cells at a scale at which pictures need padding, and a reply that has to be mended.
const FEW: [(&str, f64); 2] = [("C01", 1.25), ("P01", 1.0)];

fn check(family: &str) {
    // Set by `cargo xtask cases`.
    let all = std::env::var_os("CASES_OF_ALL_FAMILIES").is_some();
    let row = Family::named(family).expect("a family");
    for case in Case::all(&repository("tests/cases")) {
        let id = case.expect.id.as_str();
        let is_chosen = |scale: f64| all || FEW.contains(&(id, scale));
        let scales = case.expect.dpr.iter().filter(|scale| is_chosen(**scale));
        // Of some families an answer never stands in the field for reasoning, so none is read there.
        let is_unread = id == "P07" && !row.answers_in_reasoning;
        if !is_unread && !OF_ONE_FAMILY.contains(&id) {
            scales.for_each(|scale| check_for(&case, family, *scale, |_, _, _| ()));
        }
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
