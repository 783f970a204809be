//! Limits of time, waits and cancelling. Bounds are wide: they tell seconds from minutes.

use crate::{PATIENCE, ask, model, request};
use handeye_core::{ChatErrorKind, Ctx};
use handeye_testkit::model::{Hang, ModelServer, Scripted};
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(300);

/// Case R02: a socket that stalls is given up after the limit and asked again, also in the middle of a body or a stream.
#[tokio::test]
async fn a_stall_is_given_up_and_asked_again() {
    for (hang, stream, said) in [
        (Hang::Stall, false, "no answer within 0.3 s"),
        (Hang::StallAfter(10), false, "a reply still incomplete after 0.3 s"),
        (Hang::Stall, true, "no answer within 0.3 s"),
        (Hang::StallAfter(160), true, "a reply still incomplete after 0.3 s"),
    ] {
        let server = ModelServer::start(vec![Scripted::hang(hang), Scripted::text("fine")]);
        let model = model(&server, |c| (c.timeout, c.stream) = (Some(SHORT), stream));
        let reply = ask(&model, "hi").await.expect("a reply");
        assert_eq!(reply.text, "fine");
        assert_eq!(reply.failed_attempts, [format!("attempt 1 of 4: {said}")]);
        let calls = server.calls();
        let apart = calls[1].at.saturating_sub(calls[0].at);
        // The server sees the first request late when the machine is busy: only the order of size is certain.
        assert!(apart >= SHORT / 3 && apart < PATIENCE, "{hang:?}: {apart:?}");
        assert!(server.wait_for_hang_ups(1, PATIENCE).await, "{hang:?}: the stalled connection was kept");
    }
}

/// An error is known by its status: a body that does not come makes it no timeout.
#[tokio::test]
async fn an_error_whose_body_stalls_is_that_error() {
    let stalled = Scripted { hang: Some(Hang::StallAfter(5)), ..Scripted::status(401).body("key of no use") };
    let server = ModelServer::start(vec![stalled]);
    let error = ask(&model(&server, |c| c.timeout = Some(SHORT * 5)), "hi").await.expect_err("an error");
    assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::Auth, 1), "{error}");
}

#[tokio::test]
async fn a_model_that_always_stalls_ends_as_a_timeout() {
    let server = ModelServer::start(vec![Scripted::hang(Hang::Stall); 3]);
    let error = ask(&model(&server, |c| (c.timeout, c.retries) = (Some(SHORT), 1)), "hi").await.expect_err("an error");
    assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::Timeout, 2));
    let want = format!("no answer within 0.3 s from {}, model test-model (after 2 attempts)", server.base_url());
    assert_eq!(error.to_string(), want);
    assert!(error.hint.expect("a hint").contains("--model-timeout"));
}

#[tokio::test]
async fn a_named_wait_is_kept() {
    for (name, value) in [("Retry-After", "0.4"), ("retry-after-ms", "400")] {
        let server = ModelServer::start(vec![Scripted::status(429).header(name, value), Scripted::text("fine")]);
        ask(&model(&server, |_| {}), "hi").await.expect("a reply");
        let calls = server.calls();
        let apart = calls[1].at.saturating_sub(calls[0].at);
        assert!(apart >= Duration::from_millis(400) && apart < PATIENCE, "{name}: {apart:?}");
    }
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_told_instead() {
    let server = ModelServer::start(vec![Scripted::status(429).header("Retry-After", "3600")]);
    let error = ask(&model(&server, |_| {}), "hi").await.expect_err("an error");
    assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::Quota, 1));
    assert!(error.message.ends_with("(the provider asks to wait 3600 s)"), "{error}");

    let server = ModelServer::start(vec![Scripted::status(429).header("Retry-After", "60")]);
    let cx = Ctx::bare().with_timeout(Some(Duration::from_secs(10)));
    let error = model(&server, |_| {}).complete(&request("hi"), &cx).await.expect_err("an error");
    assert!(error.message.contains("the run's time ends before the next attempt"), "{error}");
    assert!(cx.now().0 < Duration::from_secs(10));
}

#[tokio::test]
async fn the_deadline_of_the_run_ends_an_attempt() {
    let server = ModelServer::start(vec![Scripted::hang(Hang::Stall)]);
    let cx = Ctx::bare().with_timeout(Some(SHORT));
    let error = model(&server, |_| {}).complete(&request("hi"), &cx).await.expect_err("an error");
    assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::Timeout, 1));
    assert!(error.message.ends_with("the run's time is over"), "{error}");
}

#[tokio::test]
async fn a_cancel_drops_the_request_at_once() {
    let server = ModelServer::start(vec![Scripted::hang(Hang::StallAfter(150))]);
    let model = model(&server, |c| c.stream = true);
    let cx = Ctx::bare();
    let asked = request("hi");
    let cancel = async {
        assert!(server.wait_for_calls(1, PATIENCE).await);
        cx.cancel.cancel();
    };
    let (result, ()) = tokio::join!(model.complete(&asked, &cx), cancel);
    let error = result.expect_err("cancelled");
    assert_eq!(error.kind, ChatErrorKind::Cancelled);
    assert!(server.wait_for_hang_ups(1, PATIENCE).await, "the connection was kept");
    assert!(cx.now().0 < PATIENCE);
}

#[tokio::test]
async fn a_cancel_ends_a_wait_between_attempts() {
    let server = ModelServer::start(vec![Scripted::status(503).header("Retry-After", "200")]);
    let model = model(&server, |_| {});
    let cx = Ctx::bare();
    let asked = request("hi");
    let cancel = async {
        assert!(server.wait_for_calls(1, PATIENCE).await);
        cx.cancel.cancel();
    };
    let (result, ()) = tokio::join!(model.complete(&asked, &cx), cancel);
    let error = result.expect_err("cancelled");
    assert_eq!(error.kind, ChatErrorKind::Cancelled);
    assert_eq!(server.calls().len(), 1);
    assert!(cx.now().0 < PATIENCE);
    assert_eq!(model.complete(&asked, &cx).await.expect_err("cancelled before").kind, ChatErrorKind::Cancelled);
    assert_eq!(server.calls().len(), 1);
}

#[tokio::test]
async fn a_slow_reply_within_the_limit_is_waited_for() {
    let server = ModelServer::start(vec![Scripted::text("late").delay(SHORT)]);
    let reply = ask(&model(&server, |_| {}), "hi").await.expect("a reply");
    assert_eq!(reply.text, "late");
    assert!(reply.took >= 300, "{}", reply.took);
}
