use super::said::SHOWN;
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
    check(
        r#"{"detail":[{"loc":["body"],"msg":"field required"},{"msg":"too long"}]}"#,
        "body: field required; too long",
    );
    check(r#"{"message":"no route","request_id":"1"}"#, "no route");
    check(r#"{"errors":[{"message":"a"},{"message":"b"}]}"#, "a; b");
    check(r#"{"code":1}"#, r#"{"code":1}"#);
    check("  upstream\n  timed out ", "upstream timed out");
    check("", "");
    check(
        "<html><head><title>502 Bad Gateway</title><style>p{}</style></head><body><h1>502&nbsp;Bad</h1><SCRIPT>x<y</SCRIPT></body></html>",
        "502 Bad Gateway: 502 Bad",
    );
    check("<p", "");
    check("<1 is no page> ", "<1 is no page>");
    check("red \u{1b}[31malert\u{7}", "red [31malert");
    check("\u{feff}{\"message\":\"with a mark\"}", "with a mark");
    check("\u{fffd}\u{fffd}\0\0a\u{fffd}", "12 bytes that are no text");
}

/// Case R04, k: a page's title and heading come before whatever else fills it.
#[test]
fn a_page_says_its_title_first() {
    let check = |page: &str, want: &str| {
        let said = provider_message(page);
        assert!(said.starts_with(want), "{said}");
    };
    let filler = "<p>filler</p>".repeat(500);
    check(&format!("<!DOCTYPE html><style>a>b</style>{filler}<h1>Bad gateway</h1>{filler}"), "Bad gateway filler");
    check(
        &format!("<html>{filler}<title>shop | 502: Bad gateway</title><h1>Bad gateway</h1>"),
        "shop | 502: Bad gateway f",
    );
    check(
        "<!--[if IE 7]> <html class=\"a\"> <![endif]--><TITLE>Error &amp; 502</TITLE><h1 class=x>Host <b>down</b></h1>x",
        "Error & 502: Host down x",
    );
    check(r#"{"message":"<html><p>a</p><title>503 Busy</title></html>"}"#, "503 Busy a");
}

/// Case R04, R and W: the error of whoever is behind a router is shown, in the shape of each provider.
#[test]
fn the_innermost_message_is_shown() {
    let check = |body: &str, want: &str| assert_eq!(provider_message(body), want, "{body}");
    // OpenRouter, with what its provider answered as text, and with the reasons of its own filter.
    check(
        r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"image exceeds 5 MB maximum\"}}","provider_name":"X"}}}"#,
        "Provider returned error: image exceeds 5 MB maximum",
    );
    check(
        r#"{"error":{"message":"Provider returned error","metadata":{"raw":"Bad gateway"}}}"#,
        "Provider returned error: Bad gateway",
    );
    check(
        r#"{"error":{"code":403,"message":"moderation is needed","metadata":{"reasons":["violence","self-harm"]}}}"#,
        "moderation is needed: violence; self-harm",
    );
    // MiniMax.
    check(
        r#"{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"},"choices":null}"#,
        "insufficient balance",
    );
    // Anthropic.
    check(
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}"#,
        "Overloaded",
    );
    // Gemini: details that say more, and some that only repeat.
    check(
        r#"{"error":{"code":400,"message":"Invalid argument.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"contents[0]","description":"image is empty"}]},{"@type":"type.googleapis.com/google.rpc.LocalizedMessage","locale":"en","message":"Invalid argument."}]}}"#,
        "contents[0]: image is empty; Invalid argument",
    );
    // Azure.
    check(
        r#"{"error":{"code":"content_filter","message":"The response was filtered.","innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{"hate":{"filtered":true}}}}}"#,
        "The response was filtered",
    );
    check(
        r#"{"statusCode":401,"message":"Access denied due to invalid subscription key."}"#,
        "Access denied due to invalid subscription key",
    );
    // DashScope, Ollama, vLLM.
    check(
        r#"{"code":"InvalidApiKey","message":"Invalid API-key provided.","request_id":"r"}"#,
        "Invalid API-key provided",
    );
    check(r#"{"error":"model 'm' not found, try pulling it first"}"#, "model 'm' not found, try pulling it first");
    check(
        r#"{"object":"error","message":"The model `m` does not exist.","type":"NotFoundError","code":404}"#,
        "The model `m` does not exist",
    );
    // FastAPI and Mistral: where the fault is; what was sent is not repeated.
    check(
        r#"{"detail":[{"type":"missing","loc":["body","messages",0,"content"],"msg":"Field required","input":{"message":"secret"}}]}"#,
        "body.messages.0.content: Field required",
    );
    check(
        r#"{"object":"error","message":{"detail":[{"type":"extra","loc":["body","x"],"msg":"Extra inputs"}]},"type":"invalid_request_error"}"#,
        "body.x: Extra inputs",
    );
    // LiteLLM, which puts one error into the words of another.
    check(
        r#"{"error":{"message":"litellm.BadRequestError: AnthropicException - {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"max_tokens: too large\"}}. Received Model Group=m","type":null,"code":"400"}}"#,
        "litellm.BadRequestError: AnthropicException - max_tokens: too large",
    );
    // AWS, Tencent, Hugging Face, Spring, problem details, a gateway.
    check(r#"{"__type":"ValidationException","Message":"bad model"}"#, "bad model");
    check(
        r#"{"Response":{"Error":{"Code":"AuthFailure","Message":"bad signature"},"RequestId":"r"}}"#,
        "bad signature",
    );
    check(r#"{"error":["too many","inputs"],"warnings":["w"]}"#, "too many; inputs");
    check(r#"{"timestamp":1,"status":404,"error":"Not Found","path":"/v1/x"}"#, "Not Found");
    check(r#"{"type":"about:blank","status":404,"title":"Not Found","detail":"no such function"}"#, "no such function");
    check(r#"{"success":false,"errMsg":"token expired","code":40101}"#, "token expired");
    check(r#"{"message":"Request failed","error":{"message":"the real one"}}"#, "Request failed: the real one");
    check(r#"{"error":{"message":"","code":"x"}}"#, r#"{"error":{"message":"","code":"x"}}"#);
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
    // Case R04, t, and its like: waiting fills no account, whatever the status.
    for (status, body) in [
        (429, r#"{"error":{"message":"too many","type":"exceeded_current_quota_error"}}"#),
        (429, r#"{"error":{"code":"1113","message":"您的账户余额不足，请充值"}}"#),
        (400, r#"{"code":"Arrearage","message":"Access denied"}"#),
        (400, r#"{"type":"error","error":{"message":"Your credit balance is too low to access the API"}}"#),
        (403, r#"{"code":30001,"message":"Sorry, your account balance is insufficient"}"#),
    ] {
        check(status, body, ChatErrorKind::Quota, Retry::Never);
        assert_eq!(from_status(status, body, None).hint.as_deref(), Some("check the account's credit"), "{body}");
    }
    let passing = r#"[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"36.5s"}]}}]"#;
    check(429, passing, ChatErrorKind::Quota, Retry::After(Duration::from_millis(36_500)));
    check(400, r#"{"error":{"message":"x","code":"content_filter"}}"#, ChatErrorKind::Refused, Retry::Never);
    check(400, r#"[{"error":{"message":"API key not valid"}}]"#, ChatErrorKind::Auth, Retry::Never);
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
    let insufficient = r#"{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"},"choices":null}"#;
    check(insufficient, ChatErrorKind::Quota, Retry::Never, "insufficient balance");
    check(r#"{"object":"error","message":"no","code":400}"#, ChatErrorKind::BadRequest, Retry::Never, "no");
    check(
        r#"{"type":"error","error":{"type":"overloaded_error"}}"#,
        ChatErrorKind::Transport,
        Retry::Backoff,
        r#"{"type":"overloaded_error"}"#,
    );
    check(
        r#"{"code":20012,"message":"Model does not exist"}"#,
        ChatErrorKind::NoSuchModel,
        Retry::Never,
        "Model does not exist",
    );
    check(r#"{"success":false,"msg":"busy"}"#, ChatErrorKind::Transport, Retry::Backoff, "busy");
    for fine in [
        r#"{"code":0,"message":"ok","base_resp":{"status_code":0,"status_msg":"ok"},"choices":[]}"#,
        r#"{"code":200,"message":"success"}"#,
        r#"{"type":"message_start","message":{"content":"x"}}"#,
    ] {
        assert_eq!(from_error_value(&serde_json::from_str(fine).expect("json")), None, "{fine}");
    }
    for fine in [r#"{"error":null,"choices":[]}"#, r#"{"choices":[]}"#, r#"{"error":false}"#, "3"] {
        assert_eq!(from_error_value(&serde_json::from_str(fine).expect("json")), None, "{fine}");
    }
}

/// What newer models refuse is named with the setting that mends it.
#[test]
fn refused_options_have_their_hint() {
    let check = |message: &str, want: &str| {
        let body = serde_json::json!({"error": {"message": message, "type": "invalid_request_error"}}).to_string();
        let failure = from_status(400, &body, None);
        assert_eq!(failure.kind, ChatErrorKind::BadRequest, "{message}");
        assert!(failure.hint.as_deref().is_some_and(|hint| hint.contains(want)), "{message}: {:?}", failure.hint);
    };
    check("`temperature` is deprecated for this model.", r#"{"temperature":null}"#);
    check(r#""thinking.type.enabled" is not supported for this model"#, "HANDEYE_MODEL_THINKING");
    check("max_tokens must be greater than thinking.budget_tokens", "HANDEYE_MODEL_THINKING");
    check("Unsupported value: 'reasoning.effort' does not support 'none' with this model", "HANDEYE_MODEL_THINKING");
    check("Thinking level is not supported for this model.", "HANDEYE_MODEL_THINKING");
    check("Your organization must be verified to generate reasoning summaries.", r#"{"summary":null}"#);
    check("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_completion_tokens");
}
