//! Whole runs of the planners whose models decide in a grammar of their own, on a real page: judged by the page's own state,
//! and replayed. `tests/grammars` holds them in the form of the cases.

use crate::program::{binary, handeye, repository, run, run_folder};
use handeye_testkit::cases::{self, Bench, Case, Ran};

/// Runs it at each of its scales, judges it, replays it, and hands over what was asked.
fn check(name: &str, family: &str, look: impl Fn(&Ran)) {
    let case = Case::load(&repository("tests/grammars").join(name));
    for scale in case.expect.dpr.clone() {
        let (_server, case) = case.serve();
        let out = tempfile::tempdir().expect("a folder");
        let ran = cases::run(&case, Bench { binary: binary(), family, scale, out: out.path() });
        let faults = cases::faults(&case.expect, &ran);
        let told: Vec<String> = ran.calls.iter().map(handeye_testkit::model::Call::text).collect();
        let last = told.last().map_or("", String::as_str);
        assert!(faults.is_empty(), "{family} at scale {scale}: {faults:?}\n{}\n{}\n{last}", ran.stdout, ran.stderr);
        look(&ran);
        let replayed = run(&["replay", &run_folder(out.path()).to_string_lossy()]);
        assert_eq!(replayed.code, Some(0), "{family} replayed: {}{}", replayed.stdout, replayed.stderr);
    }
}

#[test]
fn a_run_of_ui_tars() {
    check("ui-tars", "vlm-ui-tars", |ran| {
        assert!(ran.stdout.contains("The card \\\"Ship it\\\" is in Done."), "{}", ran.stdout);
        let told = |call: usize| ran.calls[call].text();
        assert!(told(2).contains("the reply holds no action"), "{}", told(2));
        assert!(told(4).contains("there is no action `press_home` here; there are click,"), "{}", told(4));
        assert!(told(5).contains("done on button \"Row 2\", confirmed"), "{}", told(5));
        assert!(!told(7).contains("Reflection:"), "what it thought of its last step is not repeated");
        let images: Vec<usize> = ran.calls.iter().map(handeye_testkit::model::Call::images).collect();
        assert_eq!(images, [1, 2, 2, 3, 3, 4, 5, 5]);
    });
}

#[test]
fn a_run_of_auto_glm() {
    check("auto-glm", "auto-glm", |ran| {
        assert!(ran.stdout.contains("卡片\\\"Ship it\\\"已移到 Done。"), "{}", ran.stdout);
        let told = |call: usize| ran.calls[call].text();
        assert!(told(4).contains("`Take_over` is not possible here: nobody can take over"), "{}", told(4));
        assert!(told(6).contains("there is no action `Launch` here; there are Tap,"), "{}", told(6));
        assert!(told(8).contains("the reply holds no action"), "{}", told(8));
        assert!(ran.calls.iter().all(|call| call.images() == 1));
        assert_eq!(ran.calls[0].body["top_p"], 0.85, "what the family wants in each body");
    });
}

#[test]
fn planner_and_family_have_to_fit_before_anything_is_started() {
    for (planner, family, told) in [
        (
            "ui-tars",
            "qwen3-vl",
            "the planner `ui-tars` reads a grammar that models of the family `qwen3-vl` do not write",
        ),
        ("auto-glm", "vlm-ui-tars", "decide in a grammar of their own, which the planner `auto-glm` does not read"),
        ("standard", "auto-glm", "models of the family `auto-glm` decide in a grammar of their own"),
        ("reflex,standard", "vlm-ui-tars-doubao-1.5", "which the planner `standard` does not read"),
    ] {
        let out = tempfile::tempdir().expect("a folder");
        let mut command = handeye(&["act", "x", "--web", "http://127.0.0.1:9/", "--planner", planner]);
        command.env("HANDEYE_MODEL_BASE_URL", "http://127.0.0.1:9/v1").env("HANDEYE_MODEL_NAME", "m");
        command.env("HANDEYE_MODEL_FAMILY", family).current_dir(out.path());
        let said = command.output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(2), "{planner} and {family}: {stderr}");
        assert!(stderr.contains(told) && stderr.contains("--planner"), "{planner} and {family}: {stderr}");
        assert!(std::fs::read_dir(out.path()).expect("a folder").next().is_none(), "nothing was begun");
    }
}
