//! How much a model is asked to write down, and what it is told beside the goal: on a real page, judged by it, and replayed.

use crate::program::{Said, binary, handeye, repository, run, run_folder};
use handeye_testkit::cases::{self, Bench, Case};
use handeye_testkit::model::{Call, ModelServer};
use handeye_testkit::pages::PageServer;
use std::collections::BTreeMap;
use std::path::Path;

#[test]
fn a_deep_run_with_sub_goals_notes_and_targets_in_words() {
    let case = Case::load(&repository("tests/efforts/deep"));
    for scale in case.expect.dpr.clone() {
        let (_server, case) = case.serve();
        let out = tempfile::tempdir().expect("a folder");
        let ran = cases::run(&case, Bench { binary: binary(), family: "qwen3-vl", scale, out: out.path() });
        let faults = cases::faults(&case.expect, &ran);
        assert!(faults.is_empty(), "at scale {scale}: {faults:?}\n{}\n{}", ran.stdout, ran.stderr);

        let told = |call: usize| ran.calls[call].text();
        assert_eq!(ran.calls.iter().map(Call::images).collect::<Vec<_>>(), [1, 2, 1, 2, 2, 2, 2]);
        assert!(!told(0).contains("bbox") && told(2).contains("bbox"), "places are asked for apart from the plan");
        let list =
            "1. [finished] The price of the mug is known\n2. [running] The order form holds the price\n3. [pending]";
        assert!(told(3).contains(list) && told(3).contains("- The mug costs 12.50."), "{}", told(3));
        assert!(told(4).contains("its sub-goals were not taken over") && told(4).contains(list), "{}", told(4));
        let steps = "Steps for sub-goal 2 so far, each with what became of it:\n1. Open the order form (Tap";
        assert!(told(5).contains(steps), "{}", told(5));
        assert!(told(6).contains("2. [finished]") && told(6).contains("3. [running]"), "{}", told(6));

        let folder = run_folder(out.path());
        let report = std::fs::read_to_string(folder.join("report.html")).expect("a report");
        assert!(report.contains("The order form holds the price") && report.contains("The mug costs 12.50."));
        let replayed = run(&["replay", &folder.to_string_lossy()]);
        assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);
    }
}

const DONE: &str = "<thought>t</thought><complete success=\"true\">It is there.</complete>";
const PAGE: &[u8] = b"<!doctype html><title>t</title><button>Buy</button>";

/// Runs a goal whose model says at once that it is met.
fn told(args: &[&str], context: Option<&str>, out: &Path) -> (Said, Vec<Call>) {
    let pages = PageServer::start(BTreeMap::from([("/p.html".to_owned(), PAGE.to_vec())]));
    let model = ModelServer::texts([DONE]);
    let mut command = handeye(&["act", "is the logo there?", "--planner", "standard", "--web", &pages.url("/p.html")]);
    command.args(args).env("HANDEYE_MODEL_BASE_URL", model.base_url()).env("HANDEYE_MODEL_NAME", "m");
    command.arg("--out").arg(out.join("runs")).current_dir(out);
    if let Some(context) = context {
        command.env("HANDEYE_CONTEXT", context);
    }
    (command.output().expect("starts").into(), model.calls())
}

#[test]
fn knowledge_is_global_or_of_one_call_and_a_blank_one_is_none() {
    for (flag, global, want) in [
        (Some("prices are in francs"), Some("the shop is closed"), Some("prices are in francs")),
        (None, Some("the shop is closed"), Some("the shop is closed")),
        (Some(""), Some("the shop is closed"), None),
        (None, None, None),
    ] {
        let out = tempfile::tempdir().expect("a folder");
        let args: Vec<&str> = flag.into_iter().flat_map(|text| ["--context", text]).collect();
        let (said, calls) = told(&args, global, out.path());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let text = calls[0].text();
        let knowledge = text.split_once("<high_priority_knowledge>\n").and_then(|(_, rest)| rest.split('\n').next());
        assert_eq!(knowledge, want);
    }
}

#[test]
fn pictures_of_the_goal_are_sent_with_their_names_recorded_and_replayed() {
    let out = tempfile::tempdir().expect("a folder");
    let pixels = handeye_testkit::frames::solid(30, 20, [200, 10, 10]);
    std::fs::write(out.path().join("logo.png"), &pixels.image.bytes).expect("a file");
    let (said, calls) = told(&["--image", "the logo=logo.png"], None, out.path());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(calls[0].images(), 2, "the logo and the screen");
    let (goal, rest) =
        calls[0].text().split_once("</goal>").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("a goal");
    assert!(goal.contains("is the logo there?") && rest.contains("`the logo`"), "{rest}");

    let folder = run_folder(&out.path().join("runs"));
    let hash = pixels.image.hash.as_str().to_owned();
    let blobs = std::process::Command::new("find").arg(folder.join("blobs")).output().expect("find");
    assert!(String::from_utf8_lossy(&blobs.stdout).contains(&hash[4..]), "the picture is kept");
    let journal = std::fs::read_to_string(folder.join("journal.jsonl")).expect("a journal");
    assert!(journal.lines().next().is_some_and(|started| started.contains(&hash)), "the record names it");
    let replayed = run(&["replay", &folder.to_string_lossy()]);
    assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);
}

#[test]
fn a_picture_that_cannot_be_used_is_told_before_anything_begins() {
    let out = tempfile::tempdir().expect("a folder");
    std::fs::write(out.path().join("a.gif"), "GIF89a").expect("a file");
    std::fs::write(out.path().join("large.png"), vec![0; 6 << 20]).expect("a file");
    for (image, part) in [
        ("logo", "give a name and a file, such as logo=logo.png"),
        ("logo=none.png", "the file `none.png` of --image cannot be read"),
        ("logo=.", "it is no file"),
        ("logo=a.gif", "the picture `logo` cannot be used: it is neither a PNG nor a JPEG picture"),
        ("logo=large.png", "it has 6291456 bytes"),
    ] {
        let (said, calls) = told(&["--image", image], None, out.path());
        assert_eq!((said.code, calls.len()), (Some(2), 0), "{image}: {}", said.stderr);
        assert!(said.stderr.contains(part), "{image}: {}", said.stderr);
        assert!(!out.path().join("runs").exists(), "{image}: nothing was begun");
    }
    let said = run(&["tap", "Buy", "--web", "http://127.0.0.1:9/", "--image", "a=Cargo.toml"]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
}
