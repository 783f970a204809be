use super::*;
use crate::wire::tests::shown;
use handeye_core::Message;

#[track_caller]
fn check(body: &str, want: &str) {
    assert_eq!(shown(Api::Messages, body), want, "{body}");
}

fn whole(content: &str, more: &str) -> String {
    format!(
        r#"{{"id":"msg_1","type":"message","role":"assistant","model":"mm","content":{content},{more},"usage":{{"input_tokens":7,"output_tokens":3}}}}"#
    )
}

#[test]
fn whole_messages_are_read() {
    let text = r#"[{"type":"text","text":"hi"}]"#;
    check(&whole(text, r#""stop_reason":"end_turn""#), "hi | Stop | 7+3");
    check(&whole(text, r#""stop_reason":"stop_sequence""#), "hi | Stop | 7+3");
    check(&whole(text, r#""stop_reason":"max_tokens""#), "hi | Length | 7+3");
    check(&whole(text, r#""stop_reason":"model_context_window_exceeded""#), "hi | Length | 7+3");
    check(&whole(text, r#""stop_reason":"pause_turn""#), "hi | Other | 7+3");
    check(&whole(text, r#""stop_reason":null"#), "hi | Stop | 7+3");
    check(&whole(text, r#""stop_reason":"refusal""#), "hi | Refusal | 7+3");
    check(
        &whole("[]", r#""stop_reason":"refusal""#),
        "Refused the request was declined by: no content, finish reason refusal",
    );
    check(
        &whole("[]", r#""stop_reason":"refusal","stop_details":{"type":"refusal","explanation":"I will not."}"#),
        "Refused the request was declined by: I will not",
    );
    check(&whole("[]", r#""stop_reason":"end_turn""#), "Empty empty response");
    check(
        &whole(r#"[{"type":"thinking","thinking":"t","signature":"s"}]"#, r#""stop_reason":"max_tokens""#),
        "Empty empty response",
    );
    check(
        &whole(
            r#"[{"type":"thinking","thinking":"why","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"a"},{"type":"text","text":"b"}]"#,
            r#""stop_reason":"end_turn""#,
        ),
        r#"ab | (why) | Stop | 7+3 | [{"type":"thinking","thinking":"why","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"a"},{"type":"text","text":"b"}]"#,
    );
    // Thinking that nobody signed, as servers that only speak like this give it, is not sent back.
    check(
        &whole(r#"[{"type":"thinking","thinking":"why"},{"type":"text","text":"a"}]"#, r#""stop_reason":"end_turn""#),
        r#"a | (why) | Stop | 7+3 | [{"type":"text","text":"a"}]"#,
    );
    check(
        &whole(
            r#"[{"type":"tool_use","id":"t1","name":"computer","input":{"action":"left_click","coordinate":[1,2]}}]"#,
            r#""stop_reason":"tool_use""#,
        ),
        r#" | t1 calls computer {"action":"left_click","coordinate":[1,2]} | Calls | 7+3 | [{"type":"tool_use","id":"t1","name":"computer","input":{"action":"left_click","coordinate":[1,2]}}]"#,
    );
}

#[test]
fn what_was_cached_is_part_of_the_input() {
    check(
        r#"{"content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","usage":{"input_tokens":7,"cache_read_input_tokens":100,"cache_creation_input_tokens":20,"output_tokens":3,"output_tokens_details":{"thinking_tokens":2}}}"#,
        "hi | Stop | 127+3 cached 100 written 20 reasoning 2",
    );
    check(
        r#"{"content":[{"type":"text","text":"hihihihi"}],"stop_reason":"end_turn","usage":{"input_tokens":null}}"#,
        "hihihihi | Stop | ~1000+2",
    );
}

#[test]
fn streams_are_read() {
    let events = [
        r#"{"type":"message_start","message":{"id":"msg_1","model":"mm","content":[],"usage":{"input_tokens":9,"cache_read_input_tokens":5,"output_tokens":1}}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"be"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"cause"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"sig"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"hi"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"something_new","text":"x"}}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"tap","input":{}}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"x\""}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":": 1}"}}"#,
        r#"{"type":"content_block_stop","index":2}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":30}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    let stream = |events: &[&str]| events.iter().flat_map(|e| ["data: ", *e, "\n\n"]).collect::<String>();
    let replay = r#"[{"type":"thinking","thinking":"because","signature":"sig"},{"type":"text","text":"hi"},{"type":"tool_use","id":"t1","name":"tap","input":{"x":1}}]"#;
    let want = format!(r#"hi | (because) | t1 calls tap {{"x":1}} | Calls | 14+30 cached 5 | {replay}"#);
    check(&stream(&events), &want);
    // The last event adds nothing; without the one before, it is not known why it stopped.
    check(&stream(&events[..16]), &want);
    check(&stream(&events[..15]), "Transport a broken reply: the stream ended before the reply was complete");
    // A call that was cut is still told, as the text that it is, and never sent back like that.
    let cut = [&events[10..13], &events[15..]].concat();
    check(
        &stream(&cut),
        r#" | t1 calls tap "{\"x\"" | Calls | ~0+30 | [{"type":"tool_use","id":"t1","name":"tap","input":{}}]"#,
    );
    let overloaded = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    check(&stream(&[events[0], overloaded]), "Transport the reply is an error: Overloaded");
    check(&format!("event: error\ndata: {overloaded}\n\n"), "Transport the reply is an error: Overloaded");
}

#[test]
fn errors_in_place_of_a_message_have_their_kind() {
    for (word, kind) in [
        ("authentication_error", "Auth"),
        ("permission_error", "Auth"),
        ("billing_error", "Quota"),
        ("rate_limit_error", "Quota"),
        ("not_found_error", "NoSuchModel"),
        ("invalid_request_error", "BadRequest"),
        ("request_too_large", "BadRequest"),
        ("timeout_error", "Transport"),
        ("api_error", "Transport"),
    ] {
        check(
            &format!(r#"{{"type":"error","error":{{"type":"{word}","message":"no"}},"request_id":"r"}}"#),
            &format!("{kind} the reply is an error: no"),
        );
    }
    check(r#"{"completion":"x"}"#, r#"BadRequest HTTP 200: not a message of Anthropic's API: {"completion":"x"}"#);
}

#[test]
fn a_budget_leaves_room_for_the_reply() {
    let check = |limit: Option<u32>, thinking: Thinking, want: Value| {
        let request = ChatRequest { max_tokens: limit, temperature: Some(0.1), ..ChatRequest::default() };
        let options = Options { thinking: Some(thinking), temperature: Some(0.5), ..Options::default() };
        let body = body(&request, &options, Pictures::Bytes);
        let got = json!([body["max_tokens"], body.get("thinking"), body.get("output_config"), body.get("temperature")]);
        assert_eq!(got, want, "{limit:?} {thinking:?}");
    };
    let enabled = |budget: u32| json!({"type": "enabled", "budget_tokens": budget});
    check(None, Thinking::Budget(2_000), json!([18_384, enabled(2_000), null, null]));
    check(None, Thinking::Budget(5), json!([17_408, enabled(1_024), null, null]));
    check(Some(1_500), Thinking::Budget(9_000), json!([1_500, enabled(1_499), null, null]));
    check(Some(900), Thinking::Budget(9_000), json!([900, null, null, 0.5]));
    check(None, Thinking::Off, json!([16_384, {"type": "disabled"}, null, 0.5]));
    check(None, Thinking::Adaptive, json!([16_384, {"type": "adaptive"}, null, null]));
    check(None, Thinking::Max, json!([16_384, {"type": "adaptive"}, {"effort": "max"}, null]));
    check(None, Thinking::Minimal, json!([16_384, {"type": "adaptive"}, {"effort": "low"}, null]));
}

#[test]
fn results_come_before_what_is_said() {
    let result = |id: &str| Part::Result(handeye_core::ToolResult { id: id.into(), ..Default::default() });
    let text = |text: &str| Part::Text(text.into());
    let parts = vec![text("first"), result("a"), text("of a"), result("b")];
    let request = ChatRequest { messages: vec![Message::new(Role::User, parts)], ..ChatRequest::default() };
    let content = &body(&request, &Options::default(), Pictures::Bytes)["messages"][0]["content"];
    assert_eq!(
        *content,
        json!([
            {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "of a"}]},
            {"type": "tool_result", "tool_use_id": "b", "content": []},
            {"type": "text", "text": "first"},
        ])
    );
}

#[test]
fn caches_stop_where_the_conversation_stays() {
    let mut request = ChatRequest {
        messages: vec![
            Message::text(Role::User, "a"),
            Message::text(Role::Assistant, "b"),
            Message::text(Role::User, " "),
            Message::text(Role::User, "c"),
        ],
        stable: Some(2),
        ..ChatRequest::default()
    };
    let cached = json!({"type": "ephemeral"});
    let sent = |request: &ChatRequest| body(request, &Options::default(), Pictures::Bytes)["messages"].clone();
    let messages = sent(&request);
    assert_eq!(messages[1]["content"][0]["cache_control"], cached);
    assert_eq!(messages.to_string().matches("cache_control").count(), 1);
    // Blank texts are refused there, and a message of nothing too.
    assert_eq!(messages.as_array().map(Vec::len), Some(3));
    // A breakpoint cannot stand on thinking.
    let content = json!([{"type": "text", "text": "b"}, {"type": "thinking", "thinking": "t", "signature": "s"}]);
    request.messages[1].replay =
        Some(handeye_core::Replay { from: Options::default().mark(Api::Messages), content, stale: false });
    let messages = sent(&request);
    assert_eq!(messages[1]["content"][0]["cache_control"], cached);
    assert_eq!(messages[1]["content"][1].get("cache_control"), None);
}
