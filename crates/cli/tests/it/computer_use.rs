//! The planner for computer tools on a real page, over each API and in each way in which models call such tools. The page says
//! whether the goal is met; what was sent is pinned in `tests/wire/requests`, where the providers' own clients check it.

use crate::program::{handeye, repository, run, run_folder};
use dialects::{Call, Dialect, Step};
use handeye_testkit::browser::Chromium;
use handeye_testkit::model::{Call as Request, ModelServer, Scripted};
use handeye_testkit::pages::PageServer;
use serde_json::Value;
use std::collections::BTreeMap;

mod dialects;

const GOAL: &str = "Order size XL for Ada Lovelace in Japan, put the parcel into the van, and save";

/// What the model does, round by round.
fn script() -> Vec<Vec<Call>> {
    let one = |step| Call(vec![step]);
    vec![
        vec![one(Step::Look)],
        vec![Call(vec![Step::Fill((250, 80), "Ada Lovelace"), Step::Look])],
        // A banner lies over it.
        vec![one(Step::Click(200, 630))],
        // What is behind the impossible one is not reached.
        vec![one(Step::Click(1160, 630)), one(Step::TripleClick(250, 80)), one(Step::Click(200, 630))],
        vec![one(Step::Select("the Country list", "Japan")), one(Step::ScrollDown(250, 260))],
        vec![Call(vec![Step::Click(230, 259), Step::Drag((640, 140), (1000, 180))])],
        vec![one(Step::Click(200, 630))],
        vec![one(Step::Finish(true, "Saved for Ada Lovelace"))],
    ]
}

struct Ran {
    requests: Vec<Request>,
    page: String,
}

fn check(dialect: &Dialect, scale: &str) -> Ran {
    let html = std::fs::read(repository("tests/computer-use/page.html")).expect("the page");
    let server = PageServer::start(BTreeMap::from([("/page.html".to_owned(), html)]));
    let chromium = Chromium::start(1280, 720);
    let replies = script().into_iter().enumerate().map(|(round, calls)| dialect.reply(round, &calls));
    let model = ModelServer::start(replies.map(|body| Scripted::default().body(body.to_string())).collect());
    let out = tempfile::tempdir().expect("a folder");
    let page = server.url("/page.html");
    let mut command =
        handeye(&["act", GOAL, "--planner", "computer-use", "--web", &page, "--cdp", chromium.endpoint()]);
    command
        .args(["--timeout", "40s", "--keep-open", "--json", "--viewport", "1280x720", "--scale", scale, "--out"])
        .arg(out.path());
    command.env("HANDEYE_MODEL_PROVIDER", dialect.api).env("HANDEYE_MODEL_NAME", dialect.model);
    command.env("HANDEYE_MODEL_BASE_URL", model.base_url()).env("HANDEYE_MODEL_API_KEY", "k");
    let said = command.output().expect("the program starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    let told = model.calls().iter().map(told).collect::<Vec<_>>().join("\n────\n");
    assert_eq!(said.status.code(), Some(0), "{}: {stdout}\n{stderr}\n{told}", dialect.name);
    assert!(stdout.contains("Saved for Ada Lovelace"), "{}: {stdout}", dialect.name);
    let met = r#"JSON.stringify(state.saved) === '["Ada Lovelace","Japan","XL",true]'"#;
    assert_eq!(chromium.is_true(met, true), Ok(true), "{}\n{told}", dialect.name);
    let clicks = r#"JSON.stringify(state.clicks.filter((c) => c !== "parcel")) === '["name","close","XL","save"]'"#;
    assert_eq!(chromium.is_true(clicks, true), Ok(true), "{}: nothing else was clicked", dialect.name);
    let replayed = run(&["replay", &run_folder(out.path()).to_string_lossy()]);
    assert_eq!(replayed.code, Some(0), "{} replayed: {}{}", dialect.name, replayed.stdout, replayed.stderr);
    Ran { requests: model.calls(), page }
}

/// The last thing that the model was told, on one line each.
fn told(request: &Request) -> String {
    let last = ["messages", "input", "contents"].into_iter().find_map(|key| request.body[key].as_array()?.last());
    let mut text = last.map(Value::to_string).unwrap_or_default();
    text.truncate(text.char_indices().nth(1500).map_or(text.len(), |(at, _)| at));
    text
}

/// A body with its pictures, addresses and times made the same on every machine.
fn pin(dialect: &Dialect, ran: &Ran, round: usize) {
    let mut body = ran.requests[round - 1].body.clone();
    shorten(&mut body);
    let text = serde_json::to_string_pretty(&body).expect("JSON").replace(&ran.page, "http://page.test/page.html");
    insta::with_settings!({
        snapshot_path => "../../../../tests/wire/requests",
        prepend_module_to_snapshot => false,
        omit_expression => true,
        filters => vec![(r"Device time: [^\\]*", "Device time: (a time)"), (r"\[\d{4}-\d\d-\d\d [^\]]*\]", "[a time]")],
    }, {
        insta::assert_snapshot!(format!("{}-run-{}-{round}", dialect.api, dialect.name), text);
    });
}

/// Long base64 becomes short base64.
fn shorten(value: &mut Value) {
    const SHORT: &str = "iVBORw0KGgo=";
    match value {
        Value::String(text) if text.len() > 1_000 && !text.contains(' ') => {
            let before = text.split_once(',').map_or("", |(before, _)| before).to_owned();
            *text = if before.is_empty() { SHORT.to_owned() } else { format!("{before},{SHORT}") };
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(map) => map.values_mut().for_each(shorten),
        _ => {}
    }
}

fn check_and_pin(dialect: &Dialect) {
    let ran = check(dialect, "1");
    assert_eq!(ran.requests.len(), 8, "{}", dialect.name);
    pin(dialect, &ran, 1);
    pin(dialect, &ran, 3);
}

#[test]
fn a_toolset_of_named_calls() {
    check_and_pin(&dialects::NAMED);
    // Places are pixels of the picture that was shown, not of the screen.
    check(&dialects::NAMED, "2");
}

#[test]
fn one_tool_with_an_action_in_each_call() {
    check_and_pin(&dialects::SINGLE);
}

#[test]
fn calls_with_lists_of_actions() {
    check_and_pin(&dialects::LIST);
}

#[test]
fn functions_on_a_grid() {
    check_and_pin(&dialects::GRID);
    check(&dialects::GRID, "1.5");
}

#[test]
fn functions_on_a_grid_of_the_first_generation() {
    check_and_pin(&dialects::FIRST_GRID);
}

#[test]
fn a_model_without_a_computer_tool_is_told_before_anything_starts() {
    for (api, model, why) in [
        ("openai", "qwen3-vl", "chat completions have no computer tool"),
        ("anthropic", "claude-3-haiku-20240307", "the model claude-3-haiku-20240307 has no computer tool"),
        ("openai-responses", "gpt-4o", "the model gpt-4o has no computer tool"),
        ("gemini", "gemini-2.5-flash", "the model gemini-2.5-flash has no computer tool"),
    ] {
        let mut command = handeye(&["act", "do it", "--planner", "computer-use", "--web", "about:blank"]);
        command.env("HANDEYE_MODEL_PROVIDER", api).env("HANDEYE_MODEL_NAME", model);
        command.env("HANDEYE_MODEL_BASE_URL", "http://127.0.0.1:9").env("HANDEYE_MODEL_API_KEY", "k");
        let said = command.output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(why) && stderr.contains("--planner standard"), "{stderr}");
    }
}
