//! Every way to find an element, from the command line to the page's own state, and again in the replay.

use crate::program::{Said, handeye, run_folder};
use handeye_testkit::model::{Call, ModelServer};
use handeye_testkit::pages::PageServer;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// A page that the UI tree has few words for: a red square, and five dots of 12 x 12 in a row.
const PAGE: &str = "<!doctype html><title>P</title><style>body{margin:0}div{position:absolute;cursor:pointer}</style>
<button style='position:absolute;left:100px;top:100px;width:80px;height:30px' onclick=\"document.title='saved'\">Save</button>
<div style='left:600px;top:300px;width:100px;height:60px;background:red' onclick=\"document.title='red'\"></div>
<script>for(let i=0;i<5;i++){const dot=document.createElement('div');dot.style.cssText=
`left:${600+16*i}px;top:500px;width:12px;height:12px;border-radius:6px;background:hsl(${60*i} 80% 50%)`;
dot.onclick=()=>document.title='dot '+i;document.body.append(dot)}</script>";

struct Ran {
    said: Said,
    calls: Vec<Call>,
    /// The end as `result.json` has it, and the title of the page at that moment.
    json: Value,
    title: String,
}

/// Runs a command with this model on the page, and replays it.
fn run(args: &[&str], replies: &[&str]) -> Ran {
    let server = PageServer::start(BTreeMap::from([("/p.html".to_owned(), PAGE.as_bytes().to_vec())]));
    let out = tempfile::tempdir().expect("a folder");
    let model = ModelServer::texts(replies.iter().copied());
    let mut command = handeye(args);
    command.args(["--json", "--web", &format!("{}/p.html", server.origin_a()), "--out"]).arg(out.path());
    if !replies.is_empty() {
        command.env("HANDEYE_MODEL_BASE_URL", model.base_url()).env("HANDEYE_MODEL_NAME", "m");
    }
    let said: Said = command.output().expect("the program starts").into();
    let json: Value = serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{e}: {}", said.stderr));
    let folder = run_folder(out.path());
    let replayed: Said = handeye(&["replay"]).arg(&folder).output().expect("the program starts").into();
    assert_eq!(replayed.code, Some(0), "{}{}\n{}", replayed.stdout, replayed.stderr, said.stderr);
    Ran { title: title(&folder), calls: model.calls(), said, json }
}

/// The title of the page when the run looked last.
fn title(folder: &Path) -> String {
    let journal = std::fs::read_to_string(folder.join("journal.jsonl")).expect("a journal");
    let looks = journal.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let title = |line: Value| line.pointer("/event/got/is/Ok/place/title").and_then(Value::as_str).map(str::to_owned);
    looks.filter_map(title).next_back().unwrap_or_default()
}

#[track_caller]
fn check(ran: &Ran, code: i32, title: &str, calls: usize) {
    let seen = (ran.said.code, ran.title.as_str(), ran.calls.len());
    assert_eq!(seen, (Some(code), title, calls), "{}\n{}", ran.said.stderr, ran.json);
}

const RED: &str = r#"{"bbox": [469, 417, 547, 500]}"#;

#[test]
fn what_the_tree_does_not_tell_the_model_is_asked() {
    let ran = run(&["tap", "Save"], &["never asked"]);
    check(&ran, 0, "saved", 0);
    let ran = run(&["tap", "the red square"], &[RED]);
    check(&ran, 0, "red", 1);
    assert_eq!(ran.json["model_calls"], 1);
    assert!(ran.calls[0].text().contains("Which one: <thing>the red square</thing>") && ran.calls[0].images() == 1);
    // Not there: the model says so, and nothing is done.
    let ran = run(&["tap", "the green square"], &[r#"{"bbox": [], "error": "there is no green square"}"#]);
    check(&ran, 1, "P", 1);
    assert!(ran.said.stderr.contains("the model does not see it: there is no green square"), "{}", ran.said.stderr);
    // Without a model the rung says so, and the run fails for what it is.
    let ran = run(&["tap", "the red square"], &[]);
    check(&ran, 1, "P", 0);
    assert_eq!((&ran.json["error"]["kind"], &ran.json["model_calls"]), (&"failed".into(), &0.into()), "{}", ran.json);
}

#[test]
fn a_plan_without_boxes_has_its_targets_located() {
    let plan = "<thought>There it is.</thought><log>Click it</log><action-type>Tap</action-type>\
        <action-param-json>{\"locate\": {\"prompt\": \"the red square\"}}</action-param-json>";
    let done = "<thought>Done.</thought><complete success=\"true\">clicked</complete>";
    let args = ["act", "click the red square", "--planner", "standard", "--effort", "deep"];
    let ran = run(&args, &[plan, RED, done]);
    check(&ran, 0, "red", 3);
    assert!(ran.calls[1].text().contains("Which one: <thing>the red square</thing>"));
}

#[test]
fn a_small_thing_is_looked_at_enlarged() {
    let (section, dot) = (r#"{"bbox": [460, 680, 540, 730]}"#, r#"{"bbox": [481, 479, 508, 513]}"#);
    let ran = run(&["tap", "the third dot", "--deep-locate"], &[section, dot]);
    check(&ran, 0, "dot 2", 2);
    assert!(ran.calls[1].text().contains("The picture, 906x706 pixels, is an enlarged part of the screen."));
    // On the whole screen the same numbers would be another dot's: the part is what they count on.
    let ran =
        run(&["tap", "the third dot", "--deep-locate"], &[r#"{"bbox": null}"#, r#"{"bbox": [506, 694, 516, 711]}"#]);
    check(&ran, 0, "dot 3", 2);
}

#[test]
fn where_something_is_is_said_and_nothing_is_done() {
    let ran = run(&["locate", "Save"], &["never asked"]);
    check(&ran, 0, "P", 0);
    let element = &ran.json["value"]["element"];
    assert_eq!(element["rect"], serde_json::json!([100.0, 100.0, 80.0, 30.0]));
    assert_eq!((&element["point"], &element["found_by"]), (&serde_json::json!([140.0, 115.0]), &"tree".into()));
    assert_eq!(
        ran.json["message"],
        "completed: (140, 115) in 80x30 at (100, 100): button \"Save\", found by the UI tree"
    );
    let ran = run(&["locate", "css=#none"], &["never asked"]);
    check(&ran, 1, "P", 0);
    assert_eq!(ran.json["value"]["element"], Value::Null);
    assert_eq!(ran.json["value"]["rungs"][0]["rung"], "selector");
    let ran = run(&["locate", "the red square"], &["At the top.", RED]);
    check(&ran, 0, "P", 2);
    let rungs = ran.json["value"]["rungs"].as_array().expect("rungs");
    assert_eq!(rungs.iter().map(|r| r["rung"].as_str().unwrap_or_default()).collect::<Vec<_>>(), ["tree", "model"]);
    assert!(rungs[1]["why"].as_str().is_some_and(|why| why.contains("asked again, because")), "{}", rungs[1]);
}

#[test]
fn what_lies_at_a_point_is_said_in_words_that_lead_back() {
    let ran = run(&["describe", "110,105"], &["never asked"]);
    check(&ran, 0, "P", 0);
    assert_eq!(ran.json["value"]["description"], "button \"Save\"");
    let described = r#"{"description": "the red square"}"#;
    let ran = run(&["describe", "620,320"], &[described, RED]);
    check(&ran, 0, "P", 2);
    assert_eq!((&ran.json["value"]["description"], &ran.json["value"]["tries"]), (&"the red square".into(), &1.into()));
    assert!(ran.calls[0].text().contains("magenta") && ran.calls[0].images() == 1);
    // It leads to a dot each time, which is not what was asked for.
    let (dot, part) = (r#"{"bbox": [506, 694, 516, 711]}"#, r#"{"bbox": [400, 400, 410, 410]}"#);
    let ran = run(&["describe", "620,320"], &[described, dot, described, dot, part, described, dot, part]);
    check(&ran, 1, "P", 8);
    assert!(ran.said.stderr.contains("no words were found that lead back to (620, 320)"), "{}", ran.said.stderr);
}
