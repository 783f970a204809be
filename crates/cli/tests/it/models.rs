//! `handeye models` and `handeye models verify`.

use crate::program::{Said, handeye, run};
use handeye_testkit::model::{ModelServer, Scripted};
use serde_json::Value;

#[test]
fn families_and_what_is_configured_are_listed() {
    let said = run(&["models"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("No model is configured"), "{}", said.stdout);
    assert!(said.stdout.contains("gemini") && said.stdout.contains("[y1, x1, y2, x2] from 0 to 1000"));

    let mut command = handeye(&["models", "--json"]);
    command.env("HANDEYE_MODEL_BASE_URL", "http://127.0.0.1:1/v1").env("HANDEYE_MODEL_NAME", "a");
    command.env("HANDEYE_GROUNDING_MODEL_BASE_URL", "http://127.0.0.1:2/v1");
    command.env("HANDEYE_GROUNDING_MODEL_NAME", "b").env("HANDEYE_GROUNDING_MODEL_FAMILY", "qwen2.5-vl");
    command.env("HANDEYE_GROUNDING_MODEL_API_KEY", "sk-0123456789abcdef");
    let said: Said = command.output().expect("starts").into();
    let listed: Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!(listed["configured"][1]["slot"], "grounding");
    assert_eq!(listed["configured"][1]["family"], "qwen2.5-vl");
    assert!(!said.stdout.contains("sk-0123456789abcdef"));
    let family = |name: &str| listed["families"].as_array().expect("rows").iter().find(|f| f["name"] == name).cloned();
    assert_eq!(family("qwen2.5-vl").expect("a row")["block"], 28);
    assert_eq!(family("auto-glm").expect("a row")["planner"], "auto-glm");
}

fn verify(replies: &[&str], family: &str) -> (Said, usize) {
    let server = ModelServer::start(replies.iter().map(|text| Scripted::text(*text)).collect());
    let mut command = handeye(&["models", "verify"]);
    command.env("HANDEYE_MODEL_BASE_URL", server.base_url()).env("HANDEYE_MODEL_NAME", "m");
    command.env("HANDEYE_MODEL_FAMILY", family);
    let said = command.output().expect("starts").into();
    (said, server.calls().len())
}

#[test]
fn a_model_that_does_not_see_is_found_out() {
    let (said, calls) = verify(&["OK", "There are 7."], "qwen3-vl");
    assert_eq!(said.code, Some(5), "{}", said.stdout);
    assert!(calls >= 2);
    assert!(said.stdout.contains("ok       text"), "{}", said.stdout);
    assert!(said.stdout.contains("BROKEN   vision   m (default) was asked for the 3 red squares"), "{}", said.stdout);

    let mut command = handeye(&["models", "verify"]);
    command.env("HANDEYE_MODEL_BASE_URL", "http://127.0.0.1:1/v1").env("HANDEYE_MODEL_NAME", "m");
    let said: Said = command.output().expect("starts").into();
    assert_eq!(said.code, Some(5), "{}", said.stdout);
    assert!(said.stdout.contains("BROKEN   text     cannot connect"), "{}", said.stdout);
    assert_eq!(run(&["models", "verify"]).code, Some(2));
}

#[test]
fn a_model_that_answers_sees_and_points_is_fit() {
    let place = r#"{"bbox_2d": [703, 180, 762, 260]}"#;
    let (said, calls) = verify(&["OK", "3", place], "qwen3-vl");
    assert_eq!((said.code, calls), (Some(0), 3), "{}", said.stdout);
    assert!(said.stdout.contains("ok       locate   m (default) points at the green square"), "{}", said.stdout);
    // The same answer read in another family's order lies elsewhere.
    let (said, _) = verify(&["OK", "3", r#"{"box_2d": [703, 180, 762, 260]}"#], "gemini");
    assert_eq!(said.code, Some(5), "{}", said.stdout);
    assert!(said.stdout.contains("the family `gemini` may be the wrong one"), "{}", said.stdout);
    let (said, _) = verify(&["OK", "3", "I see no square"], "qwen3-vl");
    assert_eq!(said.code, Some(5), "{}", said.stdout);
    assert!(said.stdout.contains("does not find the green square"), "{}", said.stdout);
    let pixels = r#"{"bbox": [562, 108, 610, 156]}"#;
    assert_eq!(verify(&["OK", "3", pixels], "gpt-5").0.code, Some(0));
}
