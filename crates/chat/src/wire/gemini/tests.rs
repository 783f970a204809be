use super::*;
use crate::wire::tests::shown;

#[track_caller]
fn check(body: &str, want: &str) {
    assert_eq!(shown(Api::Gemini, body), want, "{body}");
}

fn whole(parts: &str, more: &str) -> String {
    format!(
        r#"{{"candidates":[{{"content":{{"role":"model","parts":{parts}}},{more},"index":0}}],"usageMetadata":{{"promptTokenCount":7,"candidatesTokenCount":3}},"modelVersion":"mm","responseId":"r"}}"#
    )
}

#[test]
fn whole_replies_are_read() {
    let text = r#"[{"text":"hi"}]"#;
    check(&whole(text, r#""finishReason":"STOP""#), "hi | Stop | 7+3");
    check(&whole(text, r#""finishReason":"MAX_TOKENS""#), "hi | Length | 7+3");
    check(&whole(text, r#""finishReason":"SAFETY""#), "hi | Refusal | 7+3");
    check(&whole(text, r#""finishReason":"OTHER""#), "hi | Other | 7+3");
    check(&whole(r#"[{"text":"a"},{"text":"b"}]"#, r#""finishReason":"STOP""#), "ab | Stop | 7+3");
    for word in ["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION"] {
        check(
            &whole("[]", &format!(r#""finishReason":"{word}""#)),
            &format!("Refused the request was declined by: no content, finish reason {}", word.to_lowercase()),
        );
    }
    check(
        &whole("[]", r#""finishReason":"PROHIBITED_CONTENT","finishMessage":"It is not allowed.""#),
        "Refused the request was declined by: It is not allowed",
    );
    check(
        &whole("[]", r#""finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"tap(1""#),
        "Empty empty response: MALFORMED_FUNCTION_CALL: tap(1",
    );
    check(&whole("[]", r#""finishReason":"MAX_TOKENS""#), "Empty empty response");
    check(
        r#"{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":7}}"#,
        "Refused the request was declined by: the prompt was blocked: SAFETY",
    );
    check(
        r#"{"promptFeedback":{"blockReason":"OTHER","blockReasonMessage":"No."}}"#,
        "Refused the request was declined by: the prompt was blocked: OTHER: No",
    );
    check(r#"{"candidates":[]}"#, "Empty empty response");
    check("{}", "BadRequest HTTP 200: not a reply of Gemini's API: {}");
    check(
        r#"[{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]"#,
        "Transport the reply is an error: The model is overloaded",
    );
}

#[test]
fn thoughts_and_calls_go_back_with_their_signatures() {
    check(
        &whole(
            r#"[{"text":"why","thought":true},{"text":"a"},{"functionCall":{"name":"click_at","args":{"x":1}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"f2","name":"wait"}}]"#,
            r#""finishReason":"STOP""#,
        ),
        r#"a | (why) |  calls click_at {"x":1} | f2 calls wait {} | Calls | 7+3 | [{"text":"why","thought":true},{"text":"a"},{"functionCall":{"name":"click_at","args":{"x":1}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"f2","name":"wait"}}]"#,
    );
}

#[test]
fn streams_are_read() {
    let events = [
        r#"{"candidates":[{"content":{"parts":[{"text":"be","thought":true}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":9}}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"cause","thought":true}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"he"}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"llo"}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"c2ln"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":4,"thoughtsTokenCount":20,"cachedContentTokenCount":5,"toolUsePromptTokenCount":1}}"#,
    ];
    let stream = |events: &[&str], end: &str| events.iter().flat_map(|e| ["data: ", *e, end, end]).collect::<String>();
    let want = r#"hello | (because) | Stop | 10+24 cached 5 reasoning 20 | [{"text":"because","thought":true},{"text":"hello"},{"text":"","thoughtSignature":"c2ln"}]"#;
    check(&stream(&events, "\r\n"), want);
    // Without `alt=sse` the same comes as a list.
    check(&format!("[{}]", events.join(",\n")), want);
    check(&stream(&events[..4], "\n"), "Transport a broken reply: the stream ended before the reply was complete");
    let error = r#"{"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED"}}"#;
    check(&stream(&[events[0], error], "\n"), "Quota the reply is an error: slow");
}
