//! Goals in effort deep, questions, and small targets, as a reader of the requests met them through the provider `folder`.
//!
//! `tests/others/reads.json`: each row has what was asked, the replies that were given to what the program showed, and how the
//! page's own state, or the answer, tells that it was right. The replies are played again in their order.

use crate::program::{Said, handeye, repository};
use crate::stage::Stage;
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    kind: String,
    package: String,
    page: String,
    setup_js: Option<String>,
    goal: String,
    /// True in the page at the end.
    #[serde(default)]
    done_js: Option<String>,
    /// Part of the final message.
    #[serde(default)]
    answer: Option<String>,
    /// The answer of a query.
    #[serde(default)]
    value: Value,
    /// Whether the statement is true.
    #[serde(default)]
    expect: bool,
    replies: Vec<String>,
}

fn says(stage: &Stage, row: &Row) -> Said {
    let out = tempfile::tempdir().expect("a folder");
    let script = out.path().join("replies.json");
    std::fs::write(&script, serde_json::to_string(&row.replies).expect("JSON")).expect("a file");
    let args: &[&str] = match row.kind.as_str() {
        "act" => &["act", &row.goal, "--planner", "standard", "--effort", "deep"],
        "query" => &["query", &row.goal],
        "assert" => &["assert", &row.goal],
        // The page changes by itself after some six seconds.
        "wait" => &["wait", &row.goal, "--within", "60s", "--every", "8s"],
        "locate" => &["tap", &row.goal, "--deep-locate"],
        other => panic!("{}: no kind {other}", row.id),
    };
    let mut command = handeye(args);
    command.args(["--cdp", stage.chromium.endpoint(), "--keep-open", "--viewport", "1280x720", "--out"]);
    command.arg(out.path().join("runs"));
    command.env("HANDEYE_MODEL_BASE_URL", format!("scripted:{}", script.display()));
    command.env("HANDEYE_MODEL_NAME", "reader");
    command.output().expect("the program starts").into()
}

/// What is wrong with a row, if anything.
fn fault(row: &Row) -> Option<String> {
    // What a page does by itself later is what a wait is about.
    let stage = Stage::of(&row.id, (&row.package, &row.page), row.setup_js.as_deref(), row.kind == "wait");
    let said = says(&stage, row);
    let wrong = |what: &str| Some(format!("{} ({}): {what}: {}{}", row.id, row.kind, said.stdout, said.stderr));
    if row.kind == "assert" && !row.expect {
        let told = said.code == Some(1) && said.stderr.contains("assertion failed");
        return (!told).then(|| wrong("it is not told as false")).flatten();
    }
    if said.code != Some(0) {
        return wrong("the exit code");
    }
    if row.kind == "query" {
        let text = said.stdout.strip_suffix('\n').unwrap_or(&said.stdout);
        let value = match &row.value {
            Value::String(_) => Value::String(text.to_owned()),
            _ => serde_json::from_str(text).unwrap_or_default(),
        };
        return (value != row.value).then(|| wrong("the value")).flatten();
    }
    if let Some(js) = &row.done_js
        && !stage.comes_true(js)
    {
        return wrong("the page's own state");
    }
    let answer = row.answer.as_deref().unwrap_or_default();
    (!said.stdout.contains(answer)).then(|| wrong("the message")).flatten()
}

fn check(kinds: &[&str], every: usize, of: usize) {
    let text = std::fs::read_to_string(repository("tests/others").join("reads.json")).expect("a file");
    let rows: Vec<Row> = serde_json::from_str(&text).expect("rows");
    let chosen = rows.iter().filter(|row| kinds.contains(&row.kind.as_str()));
    let chosen = chosen.enumerate().filter(|(at, _)| at % of == every);
    let faults: Vec<String> = chosen.filter_map(|(_, row)| fault(row)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn goals_in_deep_are_met_again_1() {
    check(&["act"], 0, 2);
}
#[test]
fn goals_in_deep_are_met_again_2() {
    check(&["act"], 1, 2);
}
#[test]
fn questions_are_answered_again() {
    check(&["query", "assert", "wait"], 0, 1);
}
#[test]
fn small_targets_are_met_again() {
    check(&["locate"], 0, 1);
}
