//! What a person or a program sees of a command: progress, results, errors, help.

use crate::program::{Said, handeye, run, run_folder};
use handeye_testkit::model::{ModelServer, Scripted};
use handeye_testkit::pages::PageServer;
use handeye_testkit::wait;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const PAGE: &str = "<!doctype html><title>P</title><button onclick=\"document.title='saved'\">Save</button>\
                    <button>Dead</button>";

fn page() -> (PageServer, String) {
    let server = PageServer::start(BTreeMap::from([("/p.html".to_owned(), PAGE.as_bytes().to_vec())]));
    let url = format!("{}/p.html", server.origin_a());
    (server, url)
}

fn said(command: &mut Command) -> Said {
    command.output().expect("the program starts").into()
}

fn with_model<'a>(command: &'a mut Command, base: &str) -> &'a mut Command {
    command
        .env("HANDEYE_MODEL_BASE_URL", base)
        .env("HANDEYE_MODEL_NAME", "m")
        .env("HANDEYE_MODEL_RETRY_INTERVAL", "10ms")
}

/// Standard output is one object with an error of this kind, and nothing else.
#[track_caller]
fn error_object(said: &Said, code: i32, kind: &str) -> Value {
    assert_eq!(said.code, Some(code), "{}{}", said.stdout, said.stderr);
    let object: Value = serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{e}: {}", said.stdout));
    assert_eq!((&object["error"]["kind"], &object["exit_code"]), (&kind.into(), &code.into()), "{object}");
    assert!(object["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{object}");
    object
}

#[test]
fn wrong_use_is_one_object_too_and_leaves_nothing_behind() {
    let out = tempfile::tempdir().expect("a folder");
    let runs = out.path().join("runs");
    let wrong = |args: &[&str]| {
        let mut command = handeye(args);
        let said = said(command.arg("--json").arg("--out").arg(&runs));
        error_object(&said, 2, "usage");
        assert!(said.stderr.contains(':'), "a person is told too: {}", said.stderr);
        assert!(!runs.exists(), "{args:?}");
    };
    wrong(&["act", "click Save", "--web", "notaurl"]);
    wrong(&["act", "click Save", "--web", "/nowhere/page.html"]);
    wrong(&["act", "click Save", "--web", "file:///nowhere/page.html"]);
    wrong(&["tap", "Save", "--web", "./nowhere.html"]);
    wrong(&["act", "click Save"]);
    wrong(&["act", " ", "--web", "localhost"]);
    wrong(&["act", "click Save", "--web", "localhost", "--nonsense"]);
    wrong(&["act", "click Save", "--web", "localhost", "--timeout", "5"]);
    wrong(&["tap", "", "--web", "localhost"]);
    let said = run(&["replay", "/nowhere", "--json"]);
    error_object(&said, 2, "usage");
}

#[test]
fn every_other_end_is_one_object_with_an_error() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let act = |goal: &str, more: &[&str]| {
        let mut command = handeye(&["act", goal, "--json", "--web", &url]);
        command.args(more).arg("--out").arg(out.path());
        command
    };
    let ended = error_object(&said(&mut act("book a flight", &[])), 1, "abstained");
    assert!(ended["error"]["message"].as_str().is_some_and(|m| m.contains("book a flight")), "{ended}");
    error_object(&said(&mut act("wait for 'never'", &["--timeout", "2s"])), 3, "budget-exhausted");
    error_object(&said(&mut act("click 'Save'", &["--cdp", "http://127.0.0.1:1"])), 4, "device-lost");
    let mut asks = act("x", &["--planner", "standard"]);
    error_object(&said(with_model(&mut asks, "http://127.0.0.1:1/v1")), 5, "transport");

    let runs = out.path().join("cancelled");
    let mut command = handeye(&["act", "wait for 'never'", "--json", "--web", &url, "--out", &runs.to_string_lossy()]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let begun = || std::fs::read_dir(&runs).is_ok_and(|mut d| d.next().is_some());
    assert!(wait::until(Duration::from_secs(20), begun), "the run begins");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    let said: Said = child.wait_with_output().expect("it ends").into();
    error_object(&said, 130, "cancelled");
    assert!(said.stderr.contains("stopping in good order"), "{}", said.stderr);
}

#[test]
fn a_step_is_told_before_its_effect_and_the_result_once() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let act = |goal: &str| run(&["act", goal, "--web", &url, "--out", &out.path().to_string_lossy()]);
    let saved = act("click 'Save'");
    assert_eq!(saved.code, Some(0), "{}", saved.stderr);
    let lines: Vec<&str> = saved.stderr.lines().collect();
    let step = lines.iter().position(|l| l.starts_with("  → ") && l.contains("Save")).expect("the step");
    assert!(lines[step + 1].starts_with("    ✓ confirmed"), "{}", saved.stderr);
    assert!(!saved.stderr.contains("clicked"), "nothing is told as done before it is: {}", saved.stderr);
    assert!(!saved.stderr.contains(saved.stdout.trim()), "{}{}", saved.stdout, saved.stderr);
    // No colours where no terminal is.
    assert!(!saved.stderr.contains('\u{1b}'), "{}", saved.stderr);
    let dead = act("click 'Dead'");
    assert!(dead.stderr.contains("    ! no-op suspected") && !dead.stderr.contains('✓'), "{}", dead.stderr);

    let tapped = run(&["tap", "Save", "--web", &url, "--out", &out.path().to_string_lossy()]);
    assert!(tapped.stdout.contains("confirmed") && !tapped.stderr.contains("confirmed"), "{}", tapped.stderr);
    assert!(tapped.stderr.contains("  → Tap - Save"), "{}", tapped.stderr);
}

#[test]
fn whoever_answers_from_a_folder_is_told_where() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let inbox = out.path().join("inbox");
    let mut command = handeye(&["act", "press the button", "--planner", "standard", "--web", &url, "--out"]);
    with_model(command.arg(out.path().join("runs")), &format!("folder:{}", inbox.display()));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // The example of docs/models.md.
    let replies = example(&std::fs::read_to_string(crate::program::repository("docs/models.md")).expect("the docs"));
    assert_eq!(replies.len(), 2, "{replies:?}");
    for (number, reply) in replies.iter().enumerate() {
        let request = inbox.join(format!("{:03}-request/request.md", number + 1));
        assert!(wait::until(Duration::from_secs(20), || request.is_file()), "{}", request.display());
        std::fs::write(inbox.join(format!("{:03}-reply.txt", number + 1)), reply).expect("a file");
    }
    let said: Said = child.wait_with_output().expect("it ends").into();
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    for name in ["001-reply.txt", "001-request", "002-reply.txt"] {
        assert!(said.stderr.contains(&format!("{}/{name}", inbox.display())), "{name}: {}", said.stderr);
    }
    let request = std::fs::read_to_string(inbox.join("001-request/request.md")).expect("the request");
    assert!(!request.contains("sandbox"), "the browser's own remarks are none about the page: {request}");
}

/// The replies of the documentation: each stands in a block of its own that is marked as one.
fn example(docs: &str) -> Vec<String> {
    let blocks = docs.split("```xml\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn retries_are_told_while_they_happen() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let slow = Scripted::status(429).header("Retry-After", "0").body(r#"{"error":{"message":"slow down"}}"#);
    let done = Scripted::text("<complete success=\"true\">There it is</complete>");
    let model = ModelServer::start(vec![slow.clone(), slow, done]);
    let mut command = handeye(&["act", "x", "--planner", "standard", "--web", &url, "--out"]);
    let said = said(with_model(command.arg(out.path()), &model.base_url()));
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), "There it is\n"), "{}", said.stderr);
    assert!(said.stderr.contains("HTTP 429: slow down; waits 0.0 s, then try 2 of 4"), "{}", said.stderr);
    assert!(said.stderr.contains("the same again; waits 0.0 s, then try 3 of 4"), "{}", said.stderr);
}

/// Another API than chat completions, from the settings to the replay, which makes the same bodies.
#[test]
fn a_run_over_another_api_replays() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let text = "<complete success=\"true\">There it is</complete>";
    let message = serde_json::json!({
        "type": "message", "role": "assistant", "stop_reason": "end_turn", "usage": {"input_tokens": 9, "output_tokens": 9},
        "content": [{"type": "thinking", "thinking": "Easy.", "signature": "s"}, {"type": "text", "text": text}],
    });
    let model = ModelServer::start(vec![Scripted::default().body(message.to_string())]);
    let mut command = handeye(&["act", "x", "--planner", "standard", "--web", &url, "--out"]);
    command.arg(out.path()).env("HANDEYE_MODEL_PROVIDER", "anthropic").env("HANDEYE_MODEL_THINKING", "low");
    let done = said(with_model(&mut command, &model.base_url()));
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), "There it is\n"), "{}", done.stderr);
    let call = &model.calls()[0];
    assert_eq!((call.path.as_str(), &call.body["output_config"]["effort"]), ("/v1/messages", &"low".into()));
    assert_eq!(call.raw.matches(r#""type":"image","source":{"type":"base64","media_type":"image/png""#).count(), 1);
    let replayed = said(handeye(&["replay"]).arg(run_folder(out.path())));
    assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);
}

/// The model says that it took ten times the tokens that were reckoned with.
#[test]
fn no_call_starts_that_could_pass_the_money_budget() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let lie = serde_json::json!({"prompt_tokens": 50_000, "completion_tokens": 4_000});
    let again = Scripted { usage: Some(lie), ..Scripted::text("<log>Again</log><action-type>Reload</action-type>") };
    let model = ModelServer::start(vec![again; 9]);
    let budget = ["--budget-usd", "0.01", "--price", "0.1,0.5", "--json"];
    let mut command = handeye(&["act", "x", "--planner", "standard", "--web", &url, "--out"]);
    let said = said(with_model(command.arg(out.path()).args(budget), &model.base_url()));
    let object = error_object(&said, 3, "budget-exhausted");
    let message = object["error"]["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("the budget of $0.0100 allows no further call") && message.contains("$0.0070 spent"),
        "{message}"
    );
    assert_eq!((model.calls().len(), &object["microdollars"]), (1, &7_000.into()));
    assert!(said.stderr.contains("models: 1 call, 54000 tokens, $0.0070"), "{}", said.stderr);
    let report = std::fs::read_to_string(run_folder(out.path()).join("report.html")).expect("a report");
    assert!(report.contains("$0.0070"), "the report says what it cost");
    let mut command = handeye(&["act", "x", "--planner", "standard", "--web", &url, "--budget-usd", "1", "--out"]);
    let said = self::said(with_model(command.arg(out.path()), &model.base_url()));
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("no price of model m is known") && said.stderr.contains("--price"), "{}", said.stderr);
}

#[test]
fn an_unreachable_model_is_called_what_it_is_once() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let mut command = handeye(&["act", "x", "--planner", "standard", "--web", &url, "--out"]);
    let said = said(with_model(command.arg(out.path()).arg("--quiet"), "http://me:pa55word@127.0.0.1:1/v1"));
    assert_eq!(said.code, Some(5), "{}", said.stderr);
    assert_eq!(said.stderr.matches("connection refused").count(), 1, "{}", said.stderr);
    assert!(said.stderr.contains("http://***@127.0.0.1:1/v1") && said.stderr.contains("hint:"), "{}", said.stderr);
    assert!(!said.stderr.contains("not readable") && !said.stderr.contains("pa55word"), "{}", said.stderr);
}

#[test]
fn doctor_says_how_to_mend_each_thing_in_one_object() {
    let out = tempfile::tempdir().expect("a folder");
    let doctor = |base: Option<&str>, more: &[&str]| {
        let mut command = handeye(&["doctor", "--json", "--out", &out.path().to_string_lossy()]);
        command.args(more);
        if let Some(base) = base {
            with_model(&mut command, base);
        }
        let said = said(&mut command);
        let found: Value = serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{e}: {}", said.stdout));
        assert_eq!(found["exit_code"].as_i64(), said.code.map(i64::from), "{found}");
        for finding in found["findings"].as_array().expect("findings") {
            assert!(finding["health"] == "ok" || finding["fix"].is_string(), "{finding}");
        }
        (said.code, found["ready"] == true)
    };
    assert_eq!(doctor(None, &[]), (Some(0), true));
    assert_eq!(doctor(Some("http://127.0.0.1:1/v1"), &[]), (Some(5), false));
    assert_eq!(doctor(Some("nowhere"), &[]), (Some(2), false));
    assert_eq!(doctor(None, &["--browser", "/bin/false"]), (Some(4), false));
    let mut misspelt = handeye(&["doctor", "--out", &out.path().to_string_lossy()]);
    let said = said(misspelt.env("HANDEYE_MODEL_NAM", "its value"));
    assert!(said.stdout.contains("HANDEYE_MODEL_NAM") && !said.stdout.contains("its value"), "{}", said.stdout);
}

#[test]
fn records_that_are_broken_are_told_as_such() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let runs = out.path().join("runs");
    let saved = run(&["act", "click 'Save'", "--web", &url, "--quiet", "--out", &runs.to_string_lossy()]);
    assert_eq!((saved.code, saved.stderr.as_str()), (Some(0), ""));
    let folder = run_folder(&runs);
    let journal = folder.join("journal.jsonl");
    let check = |command: &str, path: &Path, code: i32, part: &str| {
        let said = run(&[command, &path.to_string_lossy()]);
        assert_eq!(said.code, Some(code), "{command} {}: {}{}", path.display(), said.stdout, said.stderr);
        assert!(said.stdout.contains(part) || said.stderr.contains(part), "{part}: {}{}", said.stdout, said.stderr);
    };
    // A file of the run is as good a name for it as its folder.
    check("replay", &journal, 0, "all the same");
    check("report", &folder.join("report.html"), 0, "report.html");
    check("replay", &runs, 2, "name the folder of one run");
    check("report", &out.path().join("nothing"), 2, "name the folder of one run");
    let whole = std::fs::read(&journal).expect("a journal");
    std::fs::rename(folder.join("blobs"), folder.join("elsewhere")).expect("moved");
    check("replay", &folder, 2, "the folder `blobs` belongs to the run");
    std::fs::rename(folder.join("elsewhere"), folder.join("blobs")).expect("moved");
    std::fs::write(&journal, &whole[..whole.len() - 100]).expect("half");
    check("replay", &folder, 0, "half a line");
    check("report", &folder, 0, "report.html");
    for nothing in [&b""[..], &b"\xff\x00 no journal\n"[..]] {
        std::fs::write(&journal, nothing).expect("nothing");
        check("replay", &folder, 2, "no beginning");
        check("report", &folder, 2, "no event");
    }
    let later = String::from_utf8(whole).expect("text").replace("{\"v\":1,", "{\"v\":99,");
    std::fs::write(&journal, later).expect("a journal");
    check("replay", &folder, 2, "version of Handeye that recorded it");
}

#[test]
fn a_file_is_a_page() {
    let out = tempfile::tempdir().expect("a folder");
    std::fs::write(out.path().join("a page.html"), PAGE).expect("a file");
    let mut command = handeye(&["tap", "Save", "--web", "a page.html", "--out", "runs", "--durable"]);
    let said = said(command.current_dir(out.path()));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(run_folder(&out.path().join("runs")).join("report.html").is_file());
}

#[test]
fn dashes_lines_and_pictures_are_a_goal_like_any_other() {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let out: &Path = out.path();
    for goal in ["-x", "click\n'🧪 no such'\n", &"click 'nothing' and then ".repeat(2_000)] {
        let said = said(handeye(&["act", "--json", "--web", &url, "--out"]).arg(out).args(["--", goal]));
        let kind = error_object(&said, 1, "abstained");
        assert!(kind["goal"].as_str().is_some_and(|g| g == goal), "{kind}");
        let longest = said.stderr.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        assert!(longest < 1_500, "{longest} characters in a line: {}", said.stderr);
    }
}
