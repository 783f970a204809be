//! What is asked again, and what is not.

use crate::{ask, model};
use handeye_core::ChatErrorKind;
use handeye_testkit::model::{EXHAUSTED, Hang, ModelServer, Scripted};
use serde_json::json;

#[tokio::test]
async fn a_reply_comes_back_and_the_body_is_as_documented() {
    let server = ModelServer::texts(["hello"]);
    let model = model(&server, |_| {});
    let reply = ask(&model, "hi").await.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.model.as_str()), ("hello", "test-model"));
    assert!(!reply.usage.estimated && reply.usage.input > 0 && reply.failed_attempts.is_empty());
    let call = &server.calls()[0];
    assert_eq!(call.raw, r#"{"model":"test-model","messages":[{"role":"user","content":"hi"}]}"#);
    assert_eq!(call.path, "/v1/chat/completions");
    assert_eq!(call.header("authorization"), Some("Bearer sk-test-0123456789abcdef"));
    assert_eq!(call.header("content-type"), Some("application/json"));
    assert_eq!(model.name(), format!("model test-model at {}", server.base_url()));
    assert_eq!(ask(&model, "again").await.expect("a reply").text, EXHAUSTED);
}

#[tokio::test]
async fn passing_faults_are_asked_again() {
    for fault in [
        Scripted::status(408),
        Scripted::status(409),
        Scripted::status(429),
        Scripted::status(500),
        Scripted::status(502).body("<html><h1>502 Bad Gateway</h1></html>"),
        Scripted::status(503).header("Retry-After", "0"),
        Scripted::hang(Hang::Reset),
        Scripted::hang(Hang::CutAfter(20)),
        Scripted::empty(),
        Scripted::text(" \n "),
        Scripted::text("").body("{\"choices\":[{"),
        Scripted::text("").body(r#"{"error":{"message":"overloaded"}}"#),
    ] {
        let server = ModelServer::start(vec![fault.clone(), Scripted::text("fine")]);
        let reply = ask(&model(&server, |_| {}), "hi").await;
        let reply = reply.unwrap_or_else(|e| panic!("{fault:?}: {e}"));
        assert_eq!((reply.text.as_str(), reply.failed_attempts.len()), ("fine", 1), "{fault:?}");
        assert!(reply.failed_attempts[0].starts_with("attempt 1 of 4: "), "{:?}", reply.failed_attempts);
        let calls = server.calls();
        assert_eq!((calls.len(), &calls[0].raw), (2, &calls[1].raw), "{fault:?}");
    }
}

#[tokio::test]
async fn what_the_request_caused_is_never_asked_again() {
    for (status, kind) in [
        (400, ChatErrorKind::BadRequest),
        (401, ChatErrorKind::Auth),
        (403, ChatErrorKind::Auth),
        (404, ChatErrorKind::NoSuchModel),
        (413, ChatErrorKind::BadRequest),
        (422, ChatErrorKind::BadRequest),
        (302, ChatErrorKind::BadRequest),
    ] {
        let server = ModelServer::start(vec![Scripted::status(status)]);
        let error = ask(&model(&server, |_| {}), "hi").await.expect_err("an error");
        assert_eq!((error.kind, server.calls().len()), (kind, 1), "{status}");
        assert!(error.message.contains(&format!("HTTP {status} from {}", server.base_url())), "{error}");
    }
}

/// Case P07: the answer in the reasoning field, then a wholly empty reply that is asked again.
#[tokio::test]
async fn empty_content_falls_back_to_reasoning_and_then_is_asked_again() {
    let replies = json!(["", "", "second"]);
    let transport = json!([{"empty": true, "reasoning": "first"}, {"empty": true}]);
    let server = ModelServer::start(Scripted::case(&replies, &transport));
    let model = model(&server, |_| {});
    let first = ask(&model, "hi").await.expect("a reply");
    assert_eq!((first.text.as_str(), first.from_reasoning), ("first", true));
    let second = ask(&model, "hi").await.expect("a reply");
    assert_eq!((second.text.as_str(), second.from_reasoning), ("second", false));
    assert_eq!(second.failed_attempts, ["attempt 1 of 4: empty response"]);
    // The empty reply was paid for too.
    let spent = |call: usize| server.calls()[call].raw.len() as u64 / 4;
    assert_eq!(second.usage.input, spent(1) + spent(2));
    assert_eq!(server.calls().len(), 3);
}

#[tokio::test]
async fn empty_replies_are_asked_again_only_so_often() {
    let server = ModelServer::start(vec![Scripted::empty(); 9]);
    let error = ask(&model(&server, |c| c.retries = 2), "hi").await.expect_err("an error");
    assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::Empty, 3));
    let want = format!("empty response from model test-model at {} (after 3 attempts)", server.base_url());
    assert_eq!(error.to_string(), want);
    assert_eq!(error.failed_attempts.len(), 3);
}

#[tokio::test]
async fn no_retries_means_one_request() {
    let server = ModelServer::start(vec![Scripted::status(500); 3]);
    let error = ask(&model(&server, |c| c.retries = 0), "hi").await.expect_err("an error");
    assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::Transport, 1));
    assert!(error.message.ends_with("test-model: scripted 500"), "{error}");
}

#[tokio::test]
async fn extra_body_and_headers_are_sent() {
    let server = ModelServer::texts(["a"]);
    let model = model(&server, |c| {
        c.extra_body = json!({"top_p": 0.5, "thinking": {"type": "off"}}).as_object().expect("an object").clone();
        c.extra_headers = vec![("x-team".into(), handeye_chat::Secret::new("qa".into()))];
        c.temperature = Some(0.0);
        c.max_tokens = Some(100);
    });
    ask(&model, "hi").await.expect("a reply");
    let call = &server.calls()[0];
    assert!(
        call.raw.ends_with(r#""temperature":0,"max_tokens":100,"top_p":0.5,"thinking":{"type":"off"}}"#),
        "{}",
        call.raw
    );
    assert_eq!(call.header("x-team"), Some("qa"));
}
