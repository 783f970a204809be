use super::*;

#[test]
fn the_providers_own_message_is_found() {
    let check = |body: &str, want: &str| assert_eq!(provider_message(body), want, "{body}");
    check(
        r#"{"error":{"message":"Incorrect API key provided: sk-abc***xyz.","code":"invalid_api_key"}}"#,
        "Incorrect API key provided: sk-abc***xyz",
    );
    check(r#"{"error":"model 'x' not found"}"#, "model 'x' not found");
    check(r#"[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]"#, "API key not valid");
    check(r#"{"detail":"Not Found"}"#, "Not Found");
    check(r#"{"detail":[{"loc":["body"],"msg":"field required"},{"msg":"too long"}]}"#, "field required; too long");
    check(r#"{"message":"no route","request_id":"1"}"#, "no route");
    check(r#"{"errors":[{"message":"a"},{"message":"b"}]}"#, "a; b");
    check(r#"{"code":1}"#, r#"{"code":1}"#);
    check("  upstream\n  timed out ", "upstream timed out");
    check("", "");
    check(
        "<html><head><title>502 Bad Gateway</title><style>p{}</style></head><body><h1>502&nbsp;Bad</h1><SCRIPT>x<y</SCRIPT></body></html>",
        "502 Bad Gateway 502 Bad",
    );
    check("<p", "");
}

#[test]
fn long_messages_are_shortened() {
    let page = format!("<html><body>{}</body></html>", "word ".repeat(400));
    let said = cut(&provider_message(&page));
    assert!(said.chars().count() <= SHOWN && said.starts_with("word word"), "{said}");
    assert!(said.contains("more characters]"), "{said}");
}

#[test]
fn statuses_have_their_class() {
    let check = |status: u16, body: &str, kind: ChatErrorKind, retry: Retry| {
        let failure = from_status(status, body, None);
        assert_eq!((failure.kind, failure.retry), (kind, retry), "{status} {body}");
    };
    let error = |message: &str| format!(r#"{{"error":{{"message":"{message}"}}}}"#);
    for status in [400, 413, 422, 405, 301, 308, 418] {
        check(status, "", ChatErrorKind::BadRequest, Retry::Never);
    }
    for status in [401, 403] {
        check(status, "", ChatErrorKind::Auth, Retry::Never);
    }
    for status in [408, 409, 500, 502, 503, 504, 529] {
        check(status, "", ChatErrorKind::Transport, Retry::Backoff);
    }
    check(404, "", ChatErrorKind::NoSuchModel, Retry::Never);
    check(402, "", ChatErrorKind::Quota, Retry::Never);
    check(429, &error("slow down"), ChatErrorKind::Quota, Retry::Backoff);
    check(429, r#"{"error":{"message":"pay","code":"insufficient_quota"}}"#, ChatErrorKind::Quota, Retry::Never);
    check(
        400,
        &error("This model's maximum context length is 8192 tokens"),
        ChatErrorKind::ContextLength,
        Retry::Never,
    );
    check(
        400,
        r#"{"error":{"message":"no","code":"context_length_exceeded"}}"#,
        ChatErrorKind::ContextLength,
        Retry::Never,
    );
    check(413, &error("prompt is too long: 9 > 8"), ChatErrorKind::ContextLength, Retry::Never);
    check(400, &error("Model not found: x"), ChatErrorKind::NoSuchModel, Retry::Never);
    let wait = Duration::from_secs(3);
    assert_eq!(from_status(429, "", Some(wait)).retry, Retry::After(wait));
    assert_eq!(from_status(503, "", Some(wait)).retry, Retry::After(wait));
    assert_eq!(from_status(400, "", Some(wait)).retry, Retry::Never);
}

#[test]
fn error_objects_in_place_of_a_reply_are_found() {
    let check = |body: &str, kind: ChatErrorKind, retry: Retry, said: &str| {
        let value: Value = serde_json::from_str(body).expect("json");
        let failure = from_error_value(&value).expect("a failure");
        assert_eq!((failure.kind, failure.retry, failure.said.as_str()), (kind, retry, said), "{body}");
    };
    check(r#"{"error":{"message":"boom"}}"#, ChatErrorKind::Transport, Retry::Backoff, "boom");
    check(r#"{"error":{"code":429,"message":"busy"}}"#, ChatErrorKind::Quota, Retry::Backoff, "busy");
    check(r#"{"error":{"code":"401","message":"key"}}"#, ChatErrorKind::Auth, Retry::Never, "key");
    check(
        r#"{"error":{"type":"invalid_request_error","message":"context length"}}"#,
        ChatErrorKind::ContextLength,
        Retry::Never,
        "context length",
    );
    check(r#"{"error":{"code":"invalid_api_key","message":"bad"}}"#, ChatErrorKind::Auth, Retry::Never, "bad");
    check(r#"{"error":"overloaded"}"#, ChatErrorKind::Transport, Retry::Backoff, "overloaded");
    check(r#"{"error":{"odd":1}}"#, ChatErrorKind::Transport, Retry::Backoff, r#"{"odd":1}"#);
    for fine in [r#"{"error":null,"choices":[]}"#, r#"{"choices":[]}"#, r#"{"error":false}"#, "3"] {
        assert_eq!(from_error_value(&serde_json::from_str(fine).expect("json")), None, "{fine}");
    }
}
