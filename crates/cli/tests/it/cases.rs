//! Each case of tests/cases, in its own browser and with its own model; then its record, replayed without either.

use crate::program::{binary, repository, run, run_folder};
use handeye::Family;
use handeye_testkit::cases::{self, Bench, Case, Ran};
use std::path::Path;

fn check(id: &str) {
    check_with(id, |_, _, _| ());
}

fn check_with(id: &str, look: impl Fn(&Ran, &Path, f64)) {
    let case = Case::load(&repository("tests/cases").join(id));
    for scale in &case.expect.dpr {
        check_for(&case, "qwen3-vl", *scale, &look);
    }
}

/// Runs the case for a family at a scale, judges it, replays it, and then looks at what the case asks for beyond that.
pub(crate) fn check_for(case: &Case, family: &str, scale: f64, look: impl Fn(&Ran, &Path, f64)) {
    let id = &case.expect.id;
    let row = Family::named(family).expect("a family");
    let (_server, case) = case.written_for(row, scale).serve();
    let out = tempfile::tempdir().expect("a folder");
    let ran = cases::run(&case, Bench { binary: binary(), family, scale, out: out.path() });
    let faults = cases::faults(&case.expect, &ran);
    assert!(faults.is_empty(), "{id} for {family} at scale {scale}: {faults:?}\n{}\n{}", ran.stdout, ran.stderr);
    let folder = run_folder(out.path());
    assert!(folder.join("report.html").is_file(), "a report");
    let replayed = run(&["replay", &folder.to_string_lossy()]);
    assert_eq!(replayed.code, Some(0), "{id} for {family} replayed: {}{}", replayed.stdout, replayed.stderr);
    look(&ran, &folder, scale);
}

macro_rules! cases {
    ($($name:ident $id:literal),+ $(,)?) => { $( #[test] fn $name() { check($id); } )+ };
}

cases! {
    p01_raw_quotes_inside_a_text "P01",
    p02_half_open_and_cut_off_tags "P02",
    p03_drafts_in_a_thinking_block "P03",
    p05_boxes_in_odd_shapes "P05",
    p07_an_answer_in_the_reasoning_field "P07",
    p08_full_width_punctuation "P08",
    p11_a_target_that_is_not_there "P11",
    c01_every_scale_hits_the_same_cell "C01",
    c03_pixels_from_a_model_of_thousandths "C03",
    t02_old_text_is_replaced "T02",
    t03_text_of_any_script "T03",
    t05_enter_and_chords "T05",
    t06_lines_in_a_rich_editor "T06",
    n01_a_page_that_is_never_idle "N01",
    n02_addresses_without_a_load "N02",
}

#[test]
fn h01_pictures_do_not_pile_up() {
    check_with("H01", |ran, _, _| {
        assert!(ran.calls.iter().all(|c| c.images() <= 5));
        assert!(
            ran.calls[40].raw.len() < 3 * ran.calls[4].raw.len(),
            "{} and {}",
            ran.calls[40].raw.len(),
            ran.calls[4].raw.len()
        );
    });
}

#[test]
fn d01_an_alert_is_told_and_closed() {
    check_with("D01", |ran, _, _| {
        assert!(ran.calls[1].text().contains("choose an option first"));
    });
}

#[test]
fn o01_a_dead_button_is_not_pressed_for_ever() {
    check_with("O01", |ran, _, _| {
        assert!(ran.calls.iter().take(4).any(|c| c.text().contains("without visible change")));
        assert_eq!(ran.exit, Some(3), "{}", ran.stderr);
    });
}

#[test]
fn o02_a_reply_without_a_decision_is_corrected() {
    check_with("O02", |ran, _, _| {
        assert!(ran.calls.iter().skip(1).all(|c| c.text().contains("could not be used")));
        assert!(ran.stdout.contains("\"actions\": 0"), "{}", ran.stdout);
    });
}

#[test]
fn r02_a_stalled_model_is_asked_again() {
    check_with("R02", |ran, _, _| {
        let gap = ran.calls[1].at.saturating_sub(ran.calls[0].at).as_secs_f64();
        assert!((2.5..=6.0).contains(&gap), "{gap}");
    });
}

#[test]
fn r03_a_bad_reply_is_asked_again_in_another_way() {
    check_with("R03", |ran, folder, _| {
        assert_ne!(ran.calls[0].text(), ran.calls[1].text());
        let report = std::fs::read_to_string(folder.join("report.html")).expect("a report");
        assert!(
            report.contains("Sure! I will click on the Next button for you now."),
            "the report keeps the raw bad text"
        );
    });
}

#[test]
fn r04_the_providers_own_message_is_shown_and_the_key_is_not() {
    check_with("R04", |ran, _, _| {
        for part in ["401", "Incorrect API key provided", "http://127.0.0.1", "scripted"] {
            assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
        }
        assert_eq!(ran.exit, Some(5));
    });
}
