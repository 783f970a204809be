//! Replies from a file.

use crate::{PATIENCE, ask, request};
use handeye_chat::{ModelConfig, Provider, connect};
use handeye_core::{Chat, ChatError, ChatErrorKind, Ctx, Finish};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

fn open(file: &str) -> (Result<Arc<dyn Chat>, ChatError>, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("replies.json");
    std::fs::write(&path, file).expect("a file");
    let mut config = ModelConfig::new(Provider::Scripted(path), "scripted");
    config.retry_base = Duration::from_millis(5);
    (connect(&config), folder)
}

#[tokio::test]
async fn replies_come_in_order_and_running_out_is_said() {
    let (model, folder) =
        open(r#"["one", {"text": "two", "reasoning": "r", "finish": "length"}, {"reasoning": "three"}]"#);
    let model = model.expect("a model");
    assert_eq!(ask(&model, "a").await.expect("a reply").text, "one");
    let two = ask(&model, "a").await.expect("a reply");
    assert_eq!((two.text.as_str(), two.reasoning.as_str(), two.finish), ("two", "r", Finish::Length));
    let three = ask(&model, "a").await.expect("a reply");
    assert_eq!((three.text.as_str(), three.from_reasoning), ("three", true));
    let error = ask(&model, "a").await.expect_err("used up");
    let path = folder.path().join("replies.json");
    let want = format!(
        "no reply left in scripted:{}, model scripted: the script has 3 replies and this is request 4",
        path.display()
    );
    assert_eq!((error.kind, error.to_string()), (ChatErrorKind::Config, want));
}

#[tokio::test]
async fn failed_attempts_are_played() {
    let (model, _folder) =
        open(r#"[{"status": 429, "error": "slow down"}, "", "fine", {"status": 401, "error": "bad key"}]"#);
    let model = model.expect("a model");
    let reply = ask(&model, "a").await.expect("a reply");
    assert_eq!(reply.failed_attempts, ["attempt 1 of 4: HTTP 429: slow down", "attempt 2 of 4: empty response"]);
    let error = ask(&model, "a").await.expect_err("an error");
    assert!(error.kind == ChatErrorKind::Auth && error.message.ends_with("bad key"), "{error}");
}

#[tokio::test]
async fn a_delay_can_be_cancelled() {
    let (model, _folder) = open(r#"[{"text": "late", "delay_ms": 600000}]"#);
    let model = model.expect("a model");
    let cx = Ctx::bare();
    let asked = request("a");
    let (result, ()) = tokio::join!(model.complete(&asked, &cx), async { cx.cancel.cancel() });
    assert_eq!(result.expect_err("cancelled").kind, ChatErrorKind::Cancelled);
    assert!(cx.now().0 < PATIENCE);
}

#[test]
fn a_faulty_file_is_told_before_anything_runs() {
    let check = |file: &str, want: &str| {
        let (model, _folder) = open(file);
        let error = model.err().expect("an error");
        assert!(error.kind == ChatErrorKind::Config && error.message.contains(want), "{error}");
    };
    check("{}", "replies.json: not a list");
    check("[", "not JSON: EOF");
    check(r#"["a", 3]"#, "entry 2: ");
    check(r#"[{"test": "a"}]"#, "entry 1: unknown field `test`");
    let missing = ModelConfig::new(Provider::Scripted(PathBuf::from("/nonexistent/replies.json")), "scripted");
    let error = connect(&missing).err().expect("an error");
    assert!(error.message.starts_with("cannot read the script /nonexistent/replies.json: "), "{error}");
}
