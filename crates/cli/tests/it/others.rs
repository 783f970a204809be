//! Goals on pages that others wrote, phrased by people who knew the pages and not the program.
//!
//! `tests/others/reader.json`: goals that a reader of the requests met through the provider `folder`; its replies are played
//! again. `tests/others/steps.json`: steps for the planner without a model. Each row says what must be true in the page at the
//! end, and what must never become true.

use crate::program::{Said, handeye, repository};
use crate::stage::Stage;
use serde::Deserialize;
use std::path::Path;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(default, rename = "lang")]
    _language: Option<String>,
    package: String,
    page: String,
    #[serde(default)]
    setup_js: Option<String>,
    goal: String,
    done_js: String,
    #[serde(default)]
    never_js: Option<String>,
    /// Part of the final message.
    #[serde(default)]
    answer: Option<String>,
    /// The planner must not take it on.
    #[serde(default)]
    abstain: bool,
    /// It is not done today: the planner abstains, or a check that it does not understand fails.
    #[serde(default)]
    abstains_today: bool,
    #[serde(default)]
    replies: Vec<String>,
}

fn rows(file: &str) -> Vec<Row> {
    let text = std::fs::read_to_string(repository("tests/others").join(file)).expect("a file of rows");
    serde_json::from_str(&text).expect("rows")
}

fn prepared(row: &Row) -> Stage {
    Stage::of(&row.id, (&row.package, &row.page), row.setup_js.as_deref(), false)
}

fn act(row: &Row, stage: &Stage, planner: &str, out: &Path, script: Option<&Path>) -> Said {
    let goal = row.goal.replace("{base}", &stage.origin());
    let mut command = handeye(&["act", &goal, "--planner", planner, "--cdp", stage.chromium.endpoint(), "--keep-open"]);
    command.args(["--viewport", "1280x720", "--out"]).arg(out);
    if let Some(script) = script {
        command.env("HANDEYE_MODEL_BASE_URL", format!("scripted:{}", script.display()));
        command.env("HANDEYE_MODEL_NAME", "reader");
    }
    command.output().expect("the program starts").into()
}

#[test]
fn goals_that_a_reader_met_are_met_again() {
    for row in rows("reader.json") {
        let stage = prepared(&row);
        let out = tempfile::tempdir().expect("a folder");
        let script = out.path().join("replies.json");
        std::fs::write(&script, serde_json::to_string(&row.replies).expect("JSON")).expect("a file");
        let said = act(&row, &stage, "standard", &out.path().join("runs"), Some(&script));
        assert_eq!(said.code, Some(0), "{}: {}", row.id, said.stderr);
        assert!(stage.comes_true(&row.done_js), "{}: {}", row.id, said.stderr);
        let answer = row.answer.unwrap_or_default();
        assert!(said.stdout.contains(&answer), "{}: {:?} in {:?}", row.id, answer, said.stdout);
    }
}

/// What is wrong with a row, if anything. A wrong action is worse than an abstention, so both are told apart.
fn fault(row: &Row) -> Option<String> {
    let stage = prepared(row);
    let out = tempfile::tempdir().expect("a folder");
    let said = act(row, &stage, "reflex", out.path(), None);
    let never = row.never_js.as_deref().is_some_and(|js| stage.chromium.is_true(js, true) == Ok(true));
    let told = || format!("{}: {:?}: {}", row.id, row.goal, said.stderr);
    if never {
        return Some(format!("a WRONG action: {}", told()));
    }
    let well = said.code == Some(0) && stage.comes_true(&row.done_js);
    if said.code == Some(0) && !well {
        return Some(format!("WRONG, called done and is not: {}", told()));
    }
    if row.abstain {
        let abstained = said.code == Some(1) && said.stderr.contains("abstained");
        return (!abstained).then(|| format!("did not abstain: {}", told()));
    }
    (!well && !row.abstains_today).then(|| format!("not done: {}", told()))
}

fn check(range: std::ops::Range<usize>) {
    let faults: Vec<String> = rows("steps.json")[range].iter().filter_map(fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn steps_on_pages_of_others_1() {
    check(0..12);
}
#[test]
fn steps_on_pages_of_others_2() {
    check(12..24);
}
#[test]
fn steps_on_pages_of_others_3() {
    check(24..36);
}
#[test]
fn steps_on_pages_of_others_4() {
    check(36..48);
}
#[test]
fn steps_on_pages_of_others_5() {
    check(48..60);
}

/// Rows that are done; a floor that only rises. The others abstain, and none does anything wrong.
const DONE_TODAY: usize = 48;

#[test]
fn most_rows_are_done() {
    let rows = rows("steps.json");
    let open = rows.iter().filter(|r| r.abstain || r.abstains_today).count();
    assert_eq!(rows.len(), 60);
    assert!(rows.len() - open >= DONE_TODAY, "{} of 60 are done", rows.len() - open);
}
