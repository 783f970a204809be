//! What a person reads when it does not work.

use crate::{KEY, ask, config, model};
use handeye_chat::{ModelConfig, Provider, Secret, connect, probe};
use handeye_core::{ChatErrorKind, Ctx};
use handeye_testkit::model::{ModelServer, Scripted};

fn shown(error: &handeye_core::ChatError) -> String {
    format!("{error} {error:?} {}", serde_json::to_string(error).expect("json"))
}

/// Case R04: the provider's own words, once, with status, address and model, and never the key.
#[tokio::test]
async fn the_real_error_is_shown_at_once() {
    let body = r#"{"error":{"message":"Incorrect API key provided: sk-abc***xyz","code":"invalid_api_key"}}"#;
    let server = ModelServer::start(vec![Scripted::status(401).body(body)]);
    let error = ask(&model(&server, |_| {}), "hi").await.expect_err("an error");
    let want =
        format!("HTTP 401 from {}, model test-model: Incorrect API key provided: sk-abc***xyz", server.base_url());
    assert_eq!((error.to_string(), server.calls().len()), (want, 1));
    assert_eq!(error.hint.as_deref(), Some("check the key in HANDEYE_MODEL_API_KEY"));
    let server = ModelServer::start(vec![Scripted::status(401)]);
    let error = ask(&model(&server, |c| c.api_key = None), "hi").await.expect_err("an error");
    assert_eq!(error.hint.as_deref(), Some("no key is set: set HANDEYE_MODEL_API_KEY"));
    assert_eq!(server.calls()[0].header("authorization"), None);
}

/// Case R04, second script.
#[tokio::test]
async fn a_page_in_place_of_an_error_is_shortened() {
    let page =
        format!("<html><head><title>502 Bad Gateway</title></head><body>{}</body></html>", "<p>nginx</p>".repeat(500));
    let server = ModelServer::start(vec![Scripted::status(502).body(page); 5]);
    let error = ask(&model(&server, |c| c.retries = 2), "hi").await.expect_err("an error");
    assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::Transport, 3));
    let said = error.to_string();
    assert!(said.starts_with(&format!("HTTP 502 from {}, model test-model: 502 Bad Gateway nginx", server.base_url())));
    assert!(said.chars().count() < 420 && !said.contains('<') && said.ends_with("(after 3 attempts)"), "{said}");
}

#[tokio::test]
async fn an_echoed_key_is_masked_everywhere() {
    let echo = format!(r#"{{"error":{{"message":"bad key {KEY} for Bearer {KEY}"}}}}"#);
    let replies = vec![
        Scripted::status(503).body(echo.clone()),
        Scripted::status(500).body(format!("plain {KEY}")),
        Scripted::text("").body(echo.clone()),
        Scripted::status(401).body(format!("<html>{KEY}</html>")),
        Scripted::text(format!("your key is {KEY}")).header("x-request-id", KEY),
    ];
    let server = ModelServer::start(replies);
    let model = model(&server, |_| {});
    let error = ask(&model, "hi").await.expect_err("an error");
    assert_eq!((error.kind, error.failed_attempts.len()), (ChatErrorKind::Auth, 4));
    assert!(!shown(&error).contains("0123456789"), "{error:?}");
    assert_eq!(error.failed_attempts[0], "attempt 1 of 4: HTTP 503: bad key *** for Bearer ***");
    let reply = ask(&model, "hi").await.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.request_id.as_str()), ("your key is ***", "***"));
}

#[tokio::test]
async fn a_key_is_masked_before_the_text_is_cut() {
    // Wherever the cut falls, no part of the key is left.
    for padding in 230..310 {
        let server = ModelServer::start(vec![Scripted::status(400).body(format!(
            "{}{KEY} and more {}",
            "x".repeat(padding),
            "y".repeat(99)
        ))]);
        let error = ask(&model(&server, |_| {}), "hi").await.expect_err("an error");
        assert!(!error.message.contains("sk-t"), "{padding}: {error}");
    }
}

#[tokio::test]
async fn passwords_in_the_address_are_used_and_not_shown() {
    let server = ModelServer::start(vec![Scripted::status(401).body("no hunter2222")]);
    let base = server.base_url().replace("http://", "http://alice:hunter2222@");
    let mut config = config(&base);
    config.api_key = None;
    let model = connect(&config).expect("a model");
    let error = ask(&model, "hi").await.expect_err("an error");
    assert!(!shown(&error).contains("hunter") && !model.name().contains("hunter"), "{error}");
    assert!(error.message.contains("http://***@127.0.0.1:"), "{error}");
    assert_eq!(server.calls()[0].header("authorization"), Some("Basic YWxpY2U6aHVudGVyMjIyMg=="));
}

#[tokio::test]
async fn keys_in_the_extra_body_are_sent_and_not_shown() {
    const INNER: &str = "sk-inner-0123456789abcdef";
    let server = ModelServer::start(vec![Scripted::status(401).body(format!("no {INNER}"))]);
    let model = model(&server, |c| {
        c.extra_body =
            serde_json::from_str(&format!(r#"{{"a":{{"api_key":"{INNER}"}},"max_tokens":9}}"#)).expect("json");
    });
    let error = ask(&model, "hi").await.expect_err("an error");
    assert!(!shown(&error).contains(INNER) && server.calls()[0].raw.contains(INNER), "{error}");
    assert!(!model.wire_body(&crate::request("hi")).contains(INNER));
}

#[tokio::test]
async fn a_closed_port_says_so() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let mut config = config(&format!("http://127.0.0.1:{port}/v1"));
    config.retries = 1;
    let error = ask(&connect(&config).expect("a model"), "hi").await.expect_err("an error");
    assert_eq!(error.kind, ChatErrorKind::Transport);
    let said = error.to_string();
    assert!(said.starts_with(&format!("cannot connect to http://127.0.0.1:{port}/v1, model test-model: ")), "{said}");
    assert!(said.contains("connection refused") && said.ends_with("(after 2 attempts)"), "{said}");
    assert!(error.hint.expect("a hint").contains("is the server running?"));
}

#[tokio::test]
async fn a_host_that_is_not_there_and_a_connection_that_is_cut_are_told_apart() {
    let nowhere =
        ask(&connect(&config("http://model.invalid/v1")).expect("a model"), "hi").await.expect_err("an error");
    assert!(nowhere.message.contains("(DNS)") && nowhere.message.contains("http://model.invalid/v1"), "{nowhere}");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let cutting = std::thread::spawn(move || drop(listener.accept()));
    let mut config = config(&format!("http://127.0.0.1:{port}/v1"));
    config.retries = 0;
    let cut = ask(&connect(&config).expect("a model"), "hi").await.expect_err("an error");
    cutting.join().expect("the server");
    assert!(cut.message.contains("the connection was closed before an answer came"), "{cut}");
    assert!(cut.hint.is_some());
}

#[tokio::test]
async fn a_redirect_is_reported_and_the_key_stays_here() {
    let elsewhere = ModelServer::texts(["no"]);
    let redirect =
        Scripted::status(308).header("Location", &format!("{}/chat/completions", elsewhere.base_url())).body("");
    let server = ModelServer::start(vec![redirect]);
    let error = ask(&model(&server, |_| {}), "hi").await.expect_err("an error");
    assert!(error.message.ends_with(&format!("the server points to {}", elsewhere.base_url())), "{error}");
    assert!(elsewhere.calls().is_empty());
    // Case R04, w: a path belongs to the address that was asked; keys in a query are masked.
    let server = ModelServer::start(vec![
        Scripted::status(301).header("Location", "/elsewhere?key=abcdef").body("moved"),
        Scripted::status(302).header("Location", "http://["),
    ]);
    let model = model(&server, |_| {});
    let error = ask(&model, "hi").await.expect_err("an error");
    let target = server.base_url().replace("/v1", "/elsewhere?key=***");
    assert!(error.message.ends_with(&format!("the server points to {target}")), "{error}");
    assert!(ask(&model, "hi").await.expect_err("an error").message.ends_with("the server points elsewhere"));
}

/// Case R04, r, I and J: what a server says in place of a reply is shown, streamed or not, whatever it calls itself.
#[tokio::test]
async fn plain_words_with_status_200_are_shown() {
    for stream in [false, true] {
        for media_type in ["text/plain", "application/json", "text/event-stream"] {
            let said = "upstream connect error or disconnect/reset before headers";
            let odd = Scripted { media_type: Some(media_type.into()), ..Scripted::text("").body(said) };
            let server = ModelServer::start(vec![odd; 2]);
            let error =
                ask(&model(&server, |c| (c.stream, c.retries) = (stream, 1)), "hi").await.expect_err("an error");
            assert!(error.message.contains(said) && error.message.contains("HTTP 200"), "{error}");
            assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::Transport, 2));
        }
    }
}

#[tokio::test]
async fn a_page_with_status_200_is_no_reply() {
    let server = ModelServer::start(vec![Scripted::text("").body("<html><title>Welcome</title></html>")]);
    let error = ask(&model(&server, |_| {}), "hi").await.expect_err("an error");
    assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::BadRequest, 1));
    assert!(error.hint.expect("a hint").contains("/v1"));
}

#[tokio::test]
async fn too_long_and_declined_are_told_apart() {
    let long = r#"{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}"#;
    let declined = r#"{"choices":[{"message":{"content":null,"refusal":"I will not"},"finish_reason":"stop"}]}"#;
    let server = ModelServer::start(vec![Scripted::status(400).body(long), Scripted::text("").body(declined)]);
    let model = model(&server, |_| {});
    assert_eq!(ask(&model, "hi").await.expect_err("an error").kind, ChatErrorKind::ContextLength);
    let refused = ask(&model, "hi").await.expect_err("an error");
    assert_eq!((refused.kind, server.calls().len()), (ChatErrorKind::Refused, 2));
    assert!(refused.message.ends_with("model test-model: I will not"), "{refused}");
}

/// A key such as local servers take, and a header that is no secret, leave what the model says alone.
#[tokio::test]
async fn plain_words_are_not_masked_in_replies() {
    let said = r#"<complete success="true">EMPTY</complete>"#;
    let server = ModelServer::start(vec![Scripted::text(said), Scripted::status(400).body("EMPTY is true")]);
    let model = model(&server, |c| {
        c.api_key = Some(Secret::new("EMPTY".into()));
        c.extra_headers = vec![("x-fast".into(), Secret::new("true".into()))];
    });
    assert_eq!(ask(&model, "hi").await.expect("a reply").text, said);
    assert!(ask(&model, "hi").await.expect_err("an error").message.ends_with("*** is true"));
}

#[tokio::test]
async fn https_to_a_server_without_it_is_an_error_and_no_panic() {
    let server = ModelServer::start(Vec::new());
    let mut config = config(&server.base_url().replace("http:", "https:"));
    config.retries = 0;
    // A machine without root certificates cannot even set https up, and says so.
    match connect(&config) {
        Err(error) => assert!(error.hint.expect("a hint").contains("certificates")),
        Ok(model) => {
            let error = ask(&model, "hi").await.expect_err("an error");
            assert!(
                error.kind == ChatErrorKind::Transport && error.message.starts_with("cannot connect to https://"),
                "{error}"
            );
        }
    }
}

#[tokio::test]
async fn a_proxy_is_used_but_never_for_this_machine() {
    let proxy = ModelServer::texts(["through the proxy"]);
    let through = |base: &str| {
        let mut config = config(base);
        config.proxy = Some(Secret::new(proxy.base_url().replace("/v1", "")));
        connect(&config).expect("a model")
    };
    assert_eq!(ask(&through("http://model.test/v1"), "hi").await.expect("a reply").text, "through the proxy");
    assert_eq!(proxy.calls()[0].path, "http://model.test/v1/chat/completions");
    let here = ModelServer::texts(["direct"]);
    assert_eq!(ask(&through(&here.base_url()), "hi").await.expect("a reply").text, "direct");
    assert_eq!(proxy.calls().len(), 1);
}

#[tokio::test]
async fn a_probe_asks_once() {
    let server = ModelServer::start(vec![Scripted::text("OK"), Scripted::status(503), Scripted::empty()]);
    let config = config(&server.base_url());
    let cx = Ctx::bare();
    assert_eq!(probe(&config, &cx).await.expect("a server").expect("a reply").text, "OK");
    assert_eq!(probe(&config, &cx).await.expect("a server").expect_err("an error").kind, ChatErrorKind::Transport);
    assert_eq!(probe(&config, &cx).await.expect("a server").expect_err("an error").kind, ChatErrorKind::Empty);
    assert_eq!(server.calls().len(), 3);
    let folder = ModelConfig::new(Provider::Folder("/nonexistent".into()), "person");
    assert!(probe(&folder, &cx).await.is_none());
}
