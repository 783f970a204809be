//! Other models, where the user listed some.

use crate::{ask, config};
use handeye_chat::connect;
use handeye_core::{Chat, ChatErrorKind};
use handeye_testkit::model::{ModelServer, Scripted};
use std::sync::Arc;

fn chain(servers: [&ModelServer; 3]) -> Arc<dyn Chat> {
    let [mut first, second, third] = servers.map(|server| {
        let mut config = config(&server.base_url());
        config.retries = 1;
        config
    });
    first.fallbacks = vec![second, third];
    connect(&first).expect("models")
}

#[tokio::test]
async fn the_next_is_asked_when_one_has_trouble_and_stays() {
    let down = ModelServer::start(vec![Scripted::status(503); 9]);
    let locked = ModelServer::start(vec![Scripted::status(401); 9]);
    let good = ModelServer::texts(["a", "b"]);
    let model = chain([&down, &locked, &good]);
    let reply = ask(&model, "hi").await.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.failed_attempts.len()), ("a", 3), "{:?}", reply.failed_attempts);
    assert_eq!(model.name(), format!("model test-model at {}", good.base_url()));
    assert_eq!(ask(&model, "again").await.expect("a reply").text, "b");
    assert_eq!((down.calls().len(), locked.calls().len(), good.calls().len()), (2, 1, 2));
}

#[tokio::test]
async fn what_the_request_caused_is_not_asked_around() {
    let declined = r#"{"choices":[{"message":{"content":null,"refusal":"I will not"},"finish_reason":"stop"}]}"#;
    for (fault, kind) in [
        (Scripted::status(400), ChatErrorKind::BadRequest),
        (Scripted::default().body(declined), ChatErrorKind::Refused),
    ] {
        let (first, other) = (ModelServer::start(vec![fault]), ModelServer::texts(["no"]));
        let error = ask(&chain([&first, &other, &other]), "hi").await.expect_err("an error");
        assert_eq!((error.kind, other.calls().len()), (kind, 0));
    }
}

#[tokio::test]
async fn the_last_trouble_is_told_with_what_came_before() {
    let servers = [503, 500, 429].map(|status| ModelServer::start(vec![Scripted::status(status); 9]));
    let error = ask(&chain(servers.each_ref()), "hi").await.expect_err("an error");
    assert_eq!((error.kind, error.failed_attempts.len()), (ChatErrorKind::Quota, 6));
    assert!(error.message.contains(&servers[2].base_url()), "{error}");
}
