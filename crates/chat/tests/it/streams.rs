//! Streamed replies.

use crate::{ask, model};
use handeye_core::{ChatErrorKind, Finish};
use handeye_testkit::model::{Hang, ModelServer, Scripted};
use serde_json::{Value, json};
use std::time::Duration;

const TEXT: &str = "<thought>你好 – café 😀</thought>\n<log>Tap</log>";

#[tokio::test]
async fn streams_of_any_shape_give_the_same_reply() {
    for (chunk, crlf) in [(1, false), (3, true), (7, false), (4096, true)] {
        let scripted = Scripted { chunk: Some(chunk), crlf, ..Scripted::text(TEXT).reasoning("because") };
        let server = ModelServer::start(vec![scripted]);
        let reply = ask(&model(&server, |c| c.stream = true), "hi").await.expect("a reply");
        assert_eq!((reply.text.as_str(), reply.reasoning.as_str(), reply.finish), (TEXT, "because", Finish::Stop));
        assert!(!reply.usage.estimated && reply.failed_attempts.is_empty(), "{reply:?}");
        let body = &server.calls()[0].body;
        assert_eq!((&body["stream"], &body["stream_options"]), (&json!(true), &json!({"include_usage": true})));
    }
}

#[tokio::test]
async fn a_stream_without_usage_is_estimated() {
    let server = ModelServer::start(vec![Scripted { usage: Some(Value::Null), ..Scripted::text("12345678") }]);
    let reply = ask(&model(&server, |c| c.stream = true), "abcd").await.expect("a reply");
    assert!(reply.usage.estimated);
    assert_eq!((reply.usage.input, reply.usage.output), (1, 2));
}

#[tokio::test]
async fn a_broken_stream_is_asked_again() {
    for fault in [
        Scripted { stream_error: Some("the engine died".into()), ..Scripted::text(TEXT) },
        Scripted::hang(Hang::CutAfter(150)),
        Scripted::hang(Hang::CutAfter(0)),
        Scripted::empty(),
    ] {
        let server = ModelServer::start(vec![fault.clone(), Scripted::text("fine")]);
        let reply = ask(&model(&server, |c| c.stream = true), "hi").await.expect("a reply");
        assert_eq!((reply.text.as_str(), server.calls().len()), ("fine", 2), "{fault:?}");
    }
}

#[tokio::test]
async fn an_error_inside_a_stream_is_shown() {
    let fault = Scripted { stream_error: Some("the engine died".into()), ..Scripted::text(TEXT) };
    let server = ModelServer::start(vec![fault; 2]);
    let error = ask(&model(&server, |c| (c.stream, c.retries) = (true, 1)), "hi").await.expect_err("an error");
    assert_eq!(error.kind, ChatErrorKind::Transport);
    let want = format!(
        "the reply is an error from {}, model test-model: the engine died (after 2 attempts)",
        server.base_url()
    );
    assert_eq!(error.to_string(), want);
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    let server = ModelServer::start(vec![Scripted { ignores_stream: true, ..Scripted::text(TEXT) }]);
    let reply = ask(&model(&server, |c| c.stream = true), "hi").await.expect("a reply");
    assert_eq!((reply.text.as_str(), server.calls().len()), (TEXT, 1));
}

/// A stream whose end mark never comes is complete once the model said why it stopped.
#[tokio::test]
async fn a_stream_left_open_after_the_end_is_complete() {
    let whole = "data: {\"choices\":[{\"delta\":{\"content\":\"ab\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\n";
    // The mock streams what it makes itself, so this body is sent as one that stops just before its announced end.
    let open = Scripted { body: Some(whole.into()), hang: Some(Hang::StallAfter(whole.len())), ..Scripted::default() };
    let server = ModelServer::start(vec![Scripted { media_type: Some("text/event-stream".into()), ..open }]);
    let reply = ask(&model(&server, |c| (c.stream, c.timeout) = (true, Some(Duration::from_secs(15)))), "hi").await;
    let reply = reply.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.finish, reply.failed_attempts.len()), ("ab", Finish::Length, 0));
}
