//! Bad input and broken surroundings: a clear error, the right exit code, no hang, no panic.

use crate::program::{Said, handeye, run, run_folder};
use handeye_testkit::browser::Chromium;
use handeye_testkit::pages::PageServer;
use handeye_testkit::wait;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::Duration;

const PAGE: &str = "<!doctype html><title>P</title><button onclick=\"document.title='clicked'\">Save</button>";

fn page() -> (PageServer, String) {
    let server = PageServer::start(BTreeMap::from([("/p.html".to_owned(), PAGE.as_bytes().to_vec())]));
    let url = format!("{}/p.html", server.origin_a());
    (server, url)
}

#[track_caller]
fn fails(said: &Said, code: i32, parts: &[&str]) {
    assert_eq!(said.code, Some(code), "{}{}", said.stdout, said.stderr);
    for part in parts {
        assert!(said.stderr.contains(part), "wanted {part:?} in: {}", said.stderr);
    }
    assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
}

#[test]
fn wrong_use() {
    let (_server, url) = page();
    fails(&run(&["act", "click Save", "--web", &url, "--nonsense"]), 2, &["--nonsense"]);
    fails(&run(&["act", "  ", "--web", &url]), 2, &["the goal is empty"]);
    fails(&run(&["act", "click Save"]), 2, &["no device is given", "--web"]);
    fails(
        &run(&["act", "click Save", "--web", &url, "--planner", "oracle"]),
        2,
        &["no planner `oracle`", "reflex, standard"],
    );
    fails(
        &run(&["act", "click Save", "--web", &url, "--planner", "standard"]),
        2,
        &["needs a model", "HANDEYE_MODEL_BASE_URL"],
    );
    fails(&run(&["act", "click Save", "--web", &url, "--viewport", "big"]), 2, &["1280x720"]);
    fails(&run(&["act", "click Save", "--web", &url, "--timeout", "5"]), 2, &["500ms, 3s or 2m"]);
    fails(&run(&["act", "click Save", "--web", " "]), 2, &["no device is given"]);
    fails(&run(&["act", "click Save", "--web", &url, "--viewport", "16384x16"]), 2, &["16 to 10000"]);
    fails(&run(&["act", "click Save", "--web", &url, "--upload", "/nonexistent"]), 2, &["/nonexistent", "--upload"]);
    fails(&run(&["scroll", "--web", &url, "--distance", "NaN"]), 2, &["number of points"]);
    fails(&run(&["cursor", "left", "4000000000", "--web", &url]), 2, &["1..=1000"]);
    let mut command = handeye(&["act", "click Save", "--web", &url]);
    command.env("HANDEYE_REPLANNING_CYCLE_LIMIT", "many");
    fails(&command.output().expect("starts").into(), 2, &["HANDEYE_REPLANNING_CYCLE_LIMIT", "many"]);
}

#[test]
fn no_browser_and_no_page() {
    let out = tempfile::tempdir().expect("a folder");
    let dir = out.path().to_string_lossy();
    let said = run(&["act", "click Save", "--web", "http://127.0.0.1:1/", "--out", &dir]);
    fails(&said, 4, &["127.0.0.1:1", "ERR_"]);
    let said = run(&[
        "act",
        "click Save",
        "--web",
        "http://127.0.0.1:1/",
        "--browser",
        "/nonexistent/chromium",
        "--out",
        &dir,
    ]);
    fails(&said, 4, &["/nonexistent/chromium"]);
    let said = run(&["act", "click Save", "--web", "http://x/", "--cdp", "http://127.0.0.1:1", "--out", &dir]);
    fails(&said, 4, &["127.0.0.1:1"]);
    let mut command = handeye(&["act", "click Save", "--web", "http://x/", "--out", &dir]);
    command.env("PATH", "/nonexistent");
    fails(&command.output().expect("starts").into(), 4, &["chromium"]);
}

#[test]
fn a_browser_that_is_no_browser() {
    let out = tempfile::tempdir().expect("a folder");
    let said = run(&[
        "act",
        "click Save",
        "--web",
        "http://x/",
        "--browser",
        "/bin/false",
        "--out",
        &out.path().to_string_lossy(),
    ]);
    fails(&said, 4, &["/bin/false"]);
}

#[test]
fn a_folder_that_cannot_be_made() {
    let (_server, url) = page();
    let file = tempfile::NamedTempFile::new().expect("a file");
    let below = file.path().join("runs");
    fails(&run(&["act", "click Save", "--web", &url, "--out", &below.to_string_lossy()]), 2, &["runs"]);
}

#[test]
fn the_time_limit_ends_a_run() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let said = run(&[
        "act",
        "wait for 'never there'",
        "--web",
        &url,
        "--timeout",
        "4s",
        "--out",
        &out.path().to_string_lossy(),
    ]);
    fails(&said, 3, &["the time limit is over", "--timeout"]);
    assert!(run_folder(out.path()).join("result.json").is_file());
}

/// Starts a run that waits for a text that never comes, does something once it waits, and gives how it ended.
fn while_waiting(then: impl FnOnce(u32, Chromium)) -> (Said, tempfile::TempDir) {
    let (_server, url) = page();
    let chromium = Chromium::start(800, 600);
    let out = tempfile::tempdir().expect("a folder");
    let mut command =
        handeye(&["act", "click Save, then wait for 'never there'", "--web", &url, "--cdp", chromium.endpoint()]);
    command.arg("--out").arg(out.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    let waits = || {
        let journal = std::fs::read_dir(out.path()).into_iter().flatten().flatten().next();
        let text = journal.and_then(|run| std::fs::read_to_string(run.path().join("journal.jsonl")).ok());
        text.is_some_and(|text| text.contains("\"need\":\"pause\""))
    };
    assert!(wait::until(Duration::from_secs(20), waits), "it comes to wait");
    then(child.id(), chromium);
    (child.wait_with_output().expect("it ends").into(), out)
}

#[test]
fn a_browser_that_dies_in_the_middle_is_the_devices_fault() {
    let (said, out) = while_waiting(|_, chromium| drop(chromium));
    fails(&said, 4, &["browser"]);
    let result = std::fs::read_to_string(run_folder(out.path()).join("result.json")).expect("result.json");
    assert!(result.contains("device-lost") && result.contains("\"actions\": 1"), "{result}");
    assert!(run_folder(out.path()).join("report.html").is_file());
}

#[test]
fn the_first_interrupt_ends_a_wait_and_writes_everything() {
    let (said, out) = while_waiting(|pid, _chromium| {
        assert!(Command::new("kill").args(["-INT", &pid.to_string()]).status().expect("kill").success());
    });
    fails(&said, 130, &["cancelled"]);
    let folder = run_folder(out.path());
    let result = std::fs::read_to_string(folder.join("result.json")).expect("result.json");
    assert!(result.contains("\"cancelled\"") && result.contains("\"actions\": 1"), "{result}");
    assert!(std::fs::read_to_string(folder.join("report.html")).expect("a report").contains("cancelled"));
    let replayed = run(&["replay", &folder.to_string_lossy()]);
    assert_eq!(replayed.code, Some(0), "{}", replayed.stderr);
}

#[test]
fn json_on_standard_output_is_one_object_and_progress_goes_elsewhere() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let said = run(&["act", "click 'Save'", "--web", &url, "--json", "--out", &out.path().to_string_lossy()]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: serde_json::Value = serde_json::from_str(&said.stdout).expect("one object");
    assert_eq!(result["end"]["is"], "completed", "{result}");
    let file = std::fs::read_to_string(run_folder(out.path()).join("result.json")).expect("result.json");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&file).expect("JSON"), result);
}

#[test]
fn without_a_model_a_goal_that_is_no_step_abstains() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let said = run(&["act", "book the cheapest flight to Rome", "--web", &url, "--out", &out.path().to_string_lossy()]);
    fails(&said, 1, &["abstained", "book the cheapest flight to Rome"]);
}
