//! Several models in one run: they share one budget, and no key of any of them is told.

use crate::program::{Said, handeye, run, run_folder};
use handeye_testkit::model::{ModelServer, Scripted};
use handeye_testkit::pages::PageServer;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The thing to press has no name, so only a model can find it.
const PAGE: &str = "<!doctype html><title>P</title><div style='width:300px;height:300px;background:#c00' \
    onclick=\"document.title='pressed'\"></div><p>The price is 12</p>";

fn page() -> (PageServer, String) {
    let server = PageServer::start(BTreeMap::from([("/p.html".to_owned(), PAGE.as_bytes().to_vec())]));
    let url = format!("{}/p.html", server.origin_a());
    (server, url)
}

fn press() -> Scripted {
    let params = json!({"locate": {"prompt": "the red square"}});
    Scripted::text(format!(
        "<log>Presses it</log><action-type>Tap</action-type><action-param-json>{params}</action-param-json>"
    ))
}

fn place() -> Scripted {
    Scripted::text(r#"{"bbox": [20, 30, 200, 300]}"#)
}

/// A reply of which the provider says that it took so many tokens.
fn counted(reply: Scripted, input: u64, output: u64) -> Scripted {
    Scripted { usage: Some(json!({"prompt_tokens": input, "completion_tokens": output})), ..reply }
}

/// A tenth of a dollar for a million tokens in, half a dollar for a million out; a cent for all.
fn with_a_cent(planning: Scripted, grounding: Scripted) -> (usize, usize, u64, String) {
    let (_server, url) = page();
    let out = tempfile::tempdir().expect("a folder");
    let (planning, grounding) = (ModelServer::start(vec![planning; 9]), ModelServer::start(vec![grounding; 9]));
    let mut command = handeye(&["act", "press it", "--planner", "standard", "--effort", "deep", "--web", &url]);
    command.args(["--budget-usd", "0.01", "--json", "--out"]).arg(out.path().join("runs"));
    let prices = out.path().join("prices.json");
    let price = |model: &str| json!({"model": model, "input": 0.1, "output": 0.5});
    std::fs::write(&prices, json!({"prices": [price("plans"), price("points")]}).to_string()).expect("a file");
    command.env("HANDEYE_PRICES", prices);
    command.env("HANDEYE_MODEL_BASE_URL", planning.base_url()).env("HANDEYE_MODEL_NAME", "plans");
    command.env("HANDEYE_GROUNDING_MODEL_BASE_URL", grounding.base_url());
    command.env("HANDEYE_GROUNDING_MODEL_NAME", "points");
    let said: Said = command.output().expect("the program starts").into();
    let object: Value = serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{e}: {}", said.stderr));
    let told = (said.code, &object["exit_code"], &object["error"]["kind"]);
    assert_eq!(told, (Some(3), &json!(3), &json!("budget-exhausted")), "{object}{}", said.stderr);
    let spent = object["microdollars"].as_u64().unwrap_or_else(|| panic!("a sum: {object}"));
    let message = object["error"]["message"].as_str().unwrap_or_default().to_owned();
    (planning.calls().len(), grounding.calls().len(), spent, message)
}

/// What the first reply of a model says that it took is reckoned with at every other one too.
#[test]
fn models_that_lie_about_what_they_took_share_one_budget() {
    let refused = |message: &str| message.contains("the budget of $0.0100 allows no further call");
    // 54,000 tokens where about 5,000 were reckoned with: nobody else is asked.
    let (planned, pointed, spent, message) = with_a_cent(counted(press(), 50_000, 4_000), place());
    assert_eq!((planned, pointed, spent), (1, 0, 7_000), "{message}");
    assert!(refused(&message) && message.contains("$0.0070 spent"), "{message}");
    // The one that plans counts as we do, the one that points lies.
    let (planned, pointed, spent, message) = with_a_cent(counted(press(), 1_500, 100), counted(place(), 50_000, 4_000));
    assert_eq!((planned, pointed, spent), (1, 1, 7_200), "{message}");
    assert!(refused(&message), "{message}");
    // Both lie a little: each call that was begun had room.
    let (planned, pointed, spent, message) = with_a_cent(counted(press(), 9_000, 400), counted(place(), 9_000, 400));
    assert!(planned + pointed > 1 && planned - pointed <= 1, "{planned} and {pointed}: {message}");
    assert_eq!(spent, (planned + pointed) as u64 * 1_100);
    assert!(spent <= 10_000 && refused(&message), "{message}");
}

/// What must not be told: a key and a header of each model.
const SECRETS: [&str; 6] = [
    "sk-plan-0123456789",
    "head-plan-0123456789",
    "sk-ground-0123456789",
    "head-ground-0123456789",
    "sk-insight-0123456789",
    "head-insight-0123456789",
];

/// Runs with a model for each slot, all of which repeat all secrets in whatever they say.
fn runs(args: &[&str], url: &str, out: &Path, models: [&ModelServer; 3]) -> Said {
    let mut command = handeye(args);
    command.args(["--web", url, "--json", "--out"]).arg(out);
    for (index, slot) in ["", "GROUNDING_", "INSIGHT_"].into_iter().enumerate() {
        let variable = |name: &str| format!("HANDEYE_{slot}MODEL_{name}");
        command.env(variable("BASE_URL"), models[index].base_url()).env(variable("NAME"), "m");
        command.env(variable("API_KEY"), SECRETS[2 * index]);
        command.env(variable("HEADERS"), json!({"X-Key": SECRETS[2 * index + 1]}).to_string());
        command.env(variable("RETRY_COUNT"), "1").env(variable("RETRY_INTERVAL"), "10ms");
    }
    command.output().expect("the program starts").into()
}

/// Every file below a folder that holds this text.
fn holding(folder: &Path, text: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let held = |path: &PathBuf| String::from_utf8_lossy(&std::fs::read(path).expect("a file")).contains(text);
    let here = files.into_iter().filter(held);
    here.chain(folders.iter().flat_map(|folder| holding(folder, text))).collect()
}

#[track_caller]
fn tells_no_secret(said: &Said, out: &Path) {
    assert!(said.stderr.contains("***"), "what was left out is marked: {}", said.stderr);
    for secret in SECRETS {
        assert!(!said.stdout.contains(secret) && !said.stderr.contains(secret), "{}\n{}", said.stdout, said.stderr);
        assert_eq!(holding(out, secret), Vec::<PathBuf>::new(), "{secret}");
    }
}

#[test]
fn no_key_of_any_model_is_told_although_all_of_them_repeat_it() {
    let (_server, url) = page();
    let all = SECRETS.join(" ");
    let broken = || Scripted::status(500).body(json!({"error": {"message": format!("no room for {all}")}}).to_string());
    let with_all = |reply: Scripted| Scripted { reasoning: Some(all.clone()), ..reply };
    let press = press().text.replace("Presses it", &all);
    let done = format!("<thought>{all}</thought><complete success=\"true\">pressed {all}</complete>");
    let missing = format!("{{\"bbox\": [], \"error\": \"{all}\"}}");
    let plans = ModelServer::start(vec![broken(), with_all(Scripted::text(press)), Scripted::text(done)]);
    let points = ModelServer::start(vec![broken(), with_all(Scripted::text(missing))]);
    let answers = ModelServer::start(vec![
        broken(),
        with_all(Scripted::text(format!(
            "<thought>{all}</thought><data-json>\"12 {all}\"</data-json><errors>[\"{all}\"]</errors>"
        ))),
        Scripted::status(401).body(json!({"error": {"message": format!("wrong key {all}")}}).to_string()),
    ]);
    let models = [&plans, &points, &answers];

    let out = tempfile::tempdir().expect("a folder");
    let said = runs(&["act", "press it", "--planner", "standard", "--effort", "deep"], &url, out.path(), models);
    assert_eq!((said.code, plans.calls().len(), points.calls().len()), (Some(0), 3, 2), "{}", said.stderr);
    assert_eq!(points.calls()[0].header("authorization"), Some("Bearer sk-ground-0123456789"));
    assert_eq!(points.calls()[0].header("x-key"), Some("head-ground-0123456789"));
    tells_no_secret(&said, out.path());
    let replayed = run(&["replay", &run_folder(out.path()).to_string_lossy()]);
    assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);

    for code in [0, 5] {
        let out = tempfile::tempdir().expect("a folder");
        let said = runs(&["query", "the price"], &url, out.path(), models);
        assert_eq!(said.code, Some(code), "{}{}", said.stdout, said.stderr);
        assert_eq!(answers.calls()[0].header("authorization"), Some("Bearer sk-insight-0123456789"));
        tells_no_secret(&said, out.path());
    }
    assert_eq!(answers.calls().len(), 3);
}
