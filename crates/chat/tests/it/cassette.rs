//! Recording and playing.

use crate::{ask, model};
use handeye_chat::{ModelConfig, Provider, connect};
use handeye_core::{Chat, ChatErrorKind};
use handeye_testkit::model::{ModelServer, Scripted};
use std::path::Path;
use std::sync::Arc;

async fn record(path: &Path) {
    let server = ModelServer::start(vec![Scripted::text("one"), Scripted::text("two"), Scripted::status(401)]);
    let recorder = model(&server, |config| config.record = Some(path.to_owned()));
    assert_eq!(recorder.name(), model(&server, |_| {}).name());
    assert_eq!(ask(&recorder, "first").await.expect("a reply").text, "one");
    assert_eq!(ask(&recorder, "second").await.expect("a reply").text, "two");
    ask(&recorder, "third").await.expect_err("an error");
}

fn play(path: &Path) -> Arc<dyn Chat> {
    connect(&ModelConfig::new(Provider::Cassette(path.to_owned()), "test-model")).expect("a cassette")
}

#[tokio::test]
async fn what_was_recorded_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tape.json");
    record(&path).await;
    let tape = std::fs::read_to_string(&path).expect("a cassette");
    assert!(!tape.contains(crate::KEY), "{tape}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "a part file was left");

    let cassette = play(&path);
    // In another order than recorded, as from two runs at once.
    assert_eq!(ask(&cassette, "second").await.expect("a reply").text, "two");
    assert_eq!(ask(&cassette, "first").await.expect("a reply").text, "one");
    assert_eq!(ask(&cassette, "third").await.expect_err("the recorded error").kind, ChatErrorKind::Auth);
    let error = ask(&cassette, "first").await.expect_err("used up");
    assert!(error.message.ends_with("all of its 3 exchanges are used"), "{error}");
}

#[tokio::test]
async fn an_unknown_request_fails_with_the_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tape.json");
    record(&path).await;
    let cassette = play(&path);
    ask(&cassette, "first").await.expect("a reply");
    let error = ask(&cassette, "secret").await.expect_err("unknown");
    let want = r#"exchange 2 differs first at `messages[0].content`: recorded "second", now "secret""#;
    assert!(error.kind == ChatErrorKind::Config && error.message.ends_with(want), "{error}");
}

#[test]
fn faulty_cassettes_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tape.json");
    let said = |text: &str| {
        std::fs::write(&path, text).expect("a file");
        let config = ModelConfig::new(Provider::Cassette(path.clone()), "m");
        connect(&config).err().expect("an error").to_string()
    };
    assert!(said("{").contains("EOF while parsing"));
    assert!(said(r#"{"version":2,"exchanges":[]}"#).ends_with("it has version 2, and this program reads version 1"));
    assert!(said(r#"{"version":1,"exchanges":[],"x":1}"#).contains("unknown field `x`"));
    let under_file = path.join("x.json");
    let mut config = ModelConfig::new(Provider::Cassette(path.clone()), "m");
    std::fs::write(&path, r#"{"version":1,"exchanges":[]}"#).expect("a file");
    config.record = Some(under_file);
    let error = connect(&config).err().expect("an error");
    assert!(error.message.starts_with("cannot record to "), "{error}");
}
