//! What all APIs have in common, and the bodies that the providers' own clients are asked to accept: they stand in
//! `tests/wire/requests`, one file for each API and each kind of request, and `tests/wire/validate.py` reads them.

use super::*;
use handeye_core::{
    Environment, Family, Image, ImageFormat, Message, Part, Replay, Role, SentPx, Shown, Size, ToolCall, ToolResult,
    Usage,
};
use proptest::prelude::*;
use serde_json::json;

mod clients;

/// A picture of one grey pixel: clients look into it.
const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0, 0, 0, 0xd, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0,
    0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 0xa, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x68, 0, 0, 0, 0x82, 0, 0x81,
    0xda, 0x45, 8, 0x3b, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

fn picture() -> Part {
    Part::Image { image: Image::new(PNG, ImageFormat::Png, Size::new(1.0, 1.0)), shown: Shown::at(Size::new(1.0, 1.0)) }
}

fn screen() -> Size<SentPx> {
    Size::new(1280.0, 800.0)
}

fn text(text: &str) -> Part {
    Part::Text(text.into())
}

fn plain() -> ChatRequest {
    ChatRequest {
        messages: vec![
            Message::text(Role::System, "You see a \"screen\"."),
            Message::text(Role::User, "Press 保存."),
            Message::text(Role::Assistant, "<log>a</log>"),
            Message::text(Role::User, "And now?"),
        ],
        temperature: Some(0.0),
        max_tokens: Some(4_000),
        ..ChatRequest::default()
    }
}

fn images() -> ChatRequest {
    let mut request = plain();
    request.messages[3].parts = vec![text("Two pictures:"), picture(), text("and"), picture()];
    request.stable = Some(3);
    request
}

fn thinking(api: Api, thinking: Thinking) -> ChatRequest {
    let mut request = ChatRequest { thinking: Some(thinking), ..images() };
    // What came with the last reply goes back as it came.
    let content = match api {
        Api::Messages => json!([
            {"type": "thinking", "thinking": "Look for it.", "signature": "c2lnbmVk"},
            {"type": "redacted_thinking", "data": "b3BhcXVl"},
            {"type": "text", "text": "<log>a</log>"},
        ]),
        Api::Gemini => json!([
            {"text": "Look for it.", "thought": true},
            {"text": "<log>a</log>", "thoughtSignature": "c2lnbmVk"},
        ]),
        Api::Responses => json!([
            {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "Look for it."}], "encrypted_content": "b3BhcXVl"},
            {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "<log>a</log>", "annotations": []}]},
        ]),
        Api::Chat => return request,
    };
    request.messages[2].replay = Some(Replay { from: options().mark(api), content, stale: false });
    request
}

fn tools() -> ChatRequest {
    let tap = |id: &str, x: u32| Part::Call(ToolCall { id: id.into(), name: "tap".into(), input: json!({"x": x}) });
    let came = |id: &str, failed: bool| {
        Part::Result(ToolResult { id: id.into(), name: "tap".into(), failed, ..ToolResult::default() })
    };
    let parameters = json!({
        "type": "object",
        "properties": {"x": {"type": "integer"}, "why": {"type": "string"}},
        "required": ["x"],
        "additionalProperties": false,
    });
    let mut request = plain();
    request.messages[2] = Message::new(Role::Assistant, vec![text("Both."), tap("call_1", 1), tap("call_2", 2)]);
    request.messages[3] = Message::new(
        Role::User,
        vec![came("call_1", false), text("It is pressed."), picture(), came("call_2", true), text("Nothing is there.")],
    );
    request.tools = vec![
        Tool::Function { name: "tap".into(), description: "Presses a place.".into(), parameters },
        Tool::Function {
            name: "done".into(),
            description: "Ends.".into(),
            parameters: json!({"type": "object", "properties": {}}),
        },
    ];
    request
}

fn computer(api: Api, version: Option<&str>) -> ChatRequest {
    let mut request = plain();
    request.tools = vec![Tool::Computer {
        screen: screen(),
        environment: Environment::Browser,
        version: version.map(str::to_owned),
        without: vec!["middle_click".into(), "search".into()],
    }];
    request.tools.extend(["Navigate", "finish"].map(|name| Tool::Function {
        name: name.into(),
        description: "Does it.".into(),
        parameters: json!({"type": "object", "properties": {}}),
    }));
    let (name, extra) = match api {
        Api::Gemini => ("click_at", json!({"safety_acknowledgement": "true"})),
        Api::Responses => ("computer", json!({"acknowledged_safety_checks": [{"id": "sc_1"}]})),
        Api::Messages if version.is_none() => ("left_click", json!({})),
        _ => ("computer", json!({})),
    };
    let content = match api {
        Api::Gemini => {
            json!([{"functionCall": {"name": name, "args": {"x": 500, "y": 250}}, "thoughtSignature": "c2ln"}])
        }
        Api::Responses if version.is_some() => json!([{
            "type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed",
            "action": {"type": "click", "button": "left", "x": 5, "y": 6}, "pending_safety_checks": [{"id": "sc_1"}],
        }]),
        Api::Responses => json!([{
            "type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed",
            "actions": [{"type": "click", "button": "left", "x": 5, "y": 6}], "pending_safety_checks": [{"id": "sc_1"}],
        }]),
        Api::Messages if version.is_none() => json!([
            {"type": "tool_use", "id": "call_1", "name": name, "toolset_name": "computer", "input": {"coordinate": [5, 6]}}
        ]),
        _ => {
            json!([{"type": "tool_use", "id": "call_1", "name": name, "input": {"action": "left_click", "coordinate": [5, 6]}}])
        }
    };
    let id = if api == Api::Gemini { "" } else { "call_1" };
    let call = ToolCall { id: id.into(), name: name.into(), input: json!({}) };
    let extra = extra.as_object().cloned().expect("an object");
    request.messages[2] = Message {
        replay: Some(Replay { from: options().mark(api), content, stale: false }),
        ..Message::new(Role::Assistant, vec![Part::Call(call)])
    };
    let result = ToolResult { id: id.into(), name: name.into(), extra, ..ToolResult::default() };
    request.messages[3] = Message::new(Role::User, vec![Part::Result(result), text("Done."), picture()]);
    request
}

fn options() -> Options {
    Options { model: "model-1".into(), ..Options::default() }
}

#[track_caller]
fn body_is(api: Api, kind: &str, request: &ChatRequest, options: &Options) {
    assert_eq!(api.accepts(request), Ok(()));
    let body = api.body(request, options, Pictures::Bytes);
    assert_eq!(body, api.body(request, options, Pictures::Bytes), "the same request gives the same bytes");
    let value: Value = serde_json::from_str(&body).expect("json");
    insta::with_settings!({
        snapshot_path => "../../../../tests/wire/requests",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(format!("{api}-{kind}"), serde_json::to_string_pretty(&value).expect("json"));
    });
}

/// The clients of the providers accept each of these: `tests/wire/validate.py`.
#[test]
fn every_kind_of_request_has_its_body() {
    for api in Api::ALL {
        body_is(api, "plain", &plain(), &options());
        body_is(api, "images", &images(), &options());
        body_is(api, "tools", &tools(), &options());
        if [Api::Chat, Api::Responses].contains(&api) {
            let gpt = Options { family: Family::named("gpt-5").expect("a family"), ..options() };
            body_is(api, "gpt-5", &ChatRequest { json: true, ..images() }, &gpt);
        }
        body_is(api, "stream", &images(), &Options { stream: true, ..options() });
        for (kind, level) in [
            ("off", Thinking::Off),
            ("adaptive", Thinking::Adaptive),
            ("low", Thinking::Low),
            ("budget", Thinking::Budget(2_048)),
        ] {
            body_is(api, &format!("thinking-{kind}"), &thinking(api, level), &options());
        }
    }
    for api in [Api::Messages, Api::Responses, Api::Gemini] {
        body_is(api, "computer", &computer(api, None), &options());
    }
    for api in [Api::Messages, Api::Responses] {
        // Another model's reply, and a picture that is not kept.
        let mut other = computer(api, None);
        other.messages[2].replay = None;
        other.messages[3].parts.pop();
        body_is(api, "computer-bare", &other, &options());
    }
    body_is(Api::Messages, "computer-older", &computer(Api::Messages, Some("computer_20250124")), &options());
    body_is(Api::Responses, "computer-preview", &computer(Api::Responses, Some("computer_use_preview")), &options());
    let error = Api::Chat.accepts(&computer(Api::Chat, None)).expect_err("no such tool");
    assert_eq!((error.kind, error.message.as_str()), (ChatErrorKind::Config, "chat completions have no computer tool"));
}

#[test]
fn what_a_user_adds_is_merged_last() {
    let extra = json!({"model": null, "generationConfig": {"topP": 0.5}, "max_tokens": 9, "max_output_tokens": 9});
    let options = Options { extra: extra.as_object().cloned().expect("an object"), ..options() };
    let body = |api: Api| serde_json::from_str::<Value>(&api.body(&plain(), &options, Pictures::Bytes)).expect("json");
    assert_eq!(body(Api::Gemini)["generationConfig"], json!({"temperature": 0, "maxOutputTokens": 4000, "topP": 0.5}));
    assert_eq!((&body(Api::Messages)["max_tokens"], body(Api::Messages).get("model")), (&json!(9), None));
    assert_eq!(body(Api::Responses)["max_output_tokens"], 9);
}

#[test]
fn pictures_by_name_hold_no_bytes() {
    for api in Api::ALL {
        let body = api.body(&images(), &options(), Pictures::Names);
        assert_eq!(body.matches("blob:").count(), 2, "{body}");
        assert!(body.contains("@1x1") && !body.contains("iVBOR"), "{body}");
    }
}

/// A reply of one model is sent back to that model alone; others get what it says.
#[test]
fn a_reply_goes_back_only_to_where_it_came_from() {
    for api in [Api::Messages, Api::Responses, Api::Gemini] {
        let request = thinking(api, Thinking::Low);
        assert!(api.body(&request, &options(), Pictures::Bytes).contains("b3BhcXVl\"") || api == Api::Gemini);
        for (other, model) in Api::ALL.into_iter().map(|other| (other, "model-2")) {
            let body = other.body(&request, &Options { model: model.into(), ..options() }, Pictures::Bytes);
            assert!(
                body.contains("<log>a</log>") && !body.contains("b3BhcXVl") && !body.contains("c2lnbmVk"),
                "{body}"
            );
        }
    }
}

/// Some models tie a thought to all that stood before it, and refuse it once that has changed.
#[test]
fn a_thought_whose_past_was_changed_is_not_sent_back() {
    let body = |level: Thinking, stale: bool| {
        let mut request = thinking(Api::Messages, level);
        request.messages[2].replay.as_mut().expect("a replay").stale = stale;
        Api::Messages.body(&request, &options(), Pictures::Bytes)
    };
    let says = |body: &str| (body.contains("b3BhcXVl"), body.contains("<log>a</log>"));
    assert_eq!(says(&body(Thinking::Low, false)), (true, true));
    assert_eq!(says(&body(Thinking::Low, true)), (false, true));
    assert_eq!(says(&body(Thinking::Budget(2_048), true)), (true, true));
}

#[test]
fn headers_follow_the_tools() {
    let of = |api: Api, version: Option<&str>| api.headers(&computer(api, version), &options());
    assert_eq!(of(Api::Messages, None), []);
    let opus = Options { model: "claude-opus-4-6".into(), ..options() };
    let beta = Api::Messages.headers(&computer(Api::Messages, None), &opus);
    assert_eq!(beta, [("anthropic-beta", "computer-use-2025-11-24".to_owned())]);
    assert_eq!(of(Api::Messages, Some("computer_20250124"))[0].1, "computer-use-2025-01-24");
    assert_eq!(of(Api::Messages, Some("computer_toolset_20260801")), []);
    assert_eq!(of(Api::Gemini, None), []);
    assert_eq!(Api::Messages.headers(&plain(), &options()), []);
}

/// A stream of each API that says the same: a thought, a text, how it ended and what it took.
fn streams(text: &str) -> Vec<(Api, Vec<Value>)> {
    let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let (head, tail) = text.split_at(middle);
    vec![
        (
            Api::Chat,
            vec![
                json!({"choices": [{"delta": {"reasoning_content": "why"}}]}),
                json!({"choices": [{"delta": {"content": head}}]}),
                json!({"choices": [{"delta": {"content": tail}}]}),
                json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
                json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}),
            ],
        ),
        (
            Api::Messages,
            vec![
                json!({"type": "message_start", "message": {"usage": {"input_tokens": 7, "output_tokens": 1}}}),
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "why"}}),
                json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
                json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": head}}),
                json!({"type": "ping"}),
                json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": tail}}),
                json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}}),
                json!({"type": "message_stop"}),
            ],
        ),
        (
            Api::Responses,
            vec![
                json!({"type": "response.created", "response": {"status": "in_progress", "output": []}}),
                json!({"type": "response.reasoning_summary_text.delta", "delta": "why"}),
                json!({"type": "response.output_text.delta", "delta": head}),
                json!({"type": "response.output_text.delta", "delta": tail}),
                json!({"type": "response.completed", "response": {"status": "completed", "output": [], "usage": {"input_tokens": 7, "output_tokens": 3}}}),
            ],
        ),
        (
            Api::Gemini,
            vec![
                json!({"candidates": [{"content": {"parts": [{"text": "why", "thought": true}]}}]}),
                json!({"candidates": [{"content": {"parts": [{"text": head}]}}]}),
                json!({"candidates": [{"content": {"parts": [{"text": tail}]}, "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 3}}),
            ],
        ),
    ]
}

fn sse(events: &[Value], end: &str) -> String {
    let lines = events.iter().flat_map(|event| {
        let name = event["type"].as_str().map(|name| format!("event: {name}"));
        name.into_iter().chain([format!("data: {event}"), String::new()])
    });
    lines.flat_map(|line| [line, end.to_owned()]).collect()
}

fn cut<'a>(body: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    let mut rest = body;
    for cut in cuts {
        let (piece, after) = rest.split_at((*cut).min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

proptest! {
    /// However a stream is cut into pieces, and whichever line ends it uses, it reads the same.
    #[test]
    fn any_chunking_gives_the_same_reply(
        text in "[a-z价é😀\"\\\\\n<>]{0,40}[a-z]",
        end in prop::sample::select(vec!["\n", "\r\n"]),
        cuts in prop::collection::vec(1usize..30, 0..60),
    ) {
        for (api, events) in streams(&text) {
            let body = sse(&events, end);
            let reply = api.read(cut(body.as_bytes(), &cuts), &Asked::default()).expect("a reply");
            prop_assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), (text.as_str(), "why"), "{}", api);
            prop_assert_eq!(reply.usage, Usage { input: 7, output: 3, ..Usage::default() }, "{}", api);
        }
    }

    /// A stream that ends too early is told apart from a whole one: the reply in full, or an error; never a part of it.
    #[test]
    fn a_stream_that_ends_anywhere_is_the_reply_or_an_error(text in "[a-z]{8,20}", part in 0.0..1.0f64) {
        for (api, events) in streams(&text) {
            let body = sse(&events, "\n");
            let kept = (body.len() as f64 * part) as usize;
            match api.read([&body.as_bytes()[..kept]], &Asked::default()) {
                Ok(reply) => prop_assert_eq!(&reply.text, &text, "{}", api),
                Err(error) => prop_assert!(!error.message.is_empty(), "{}", api),
            }
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200), tools: bool) {
        let asked = Asked { has_tools: tools, ..Asked::default() };
        for api in Api::ALL {
            let _ = api.read([bytes.as_slice()], &asked);
            let _ = api.read([b"data: ".as_slice(), &bytes, b"\n\n"], &asked);
        }
    }

    /// Whatever stands where in an event, nothing breaks.
    #[test]
    fn any_change_of_an_event_is_survived(
        which in 0usize..9, path in prop::collection::vec(0usize..4, 0..6), with in 0usize..7,
    ) {
        let odd = [json!(null), json!(-1), json!(u64::MAX), json!("x"), json!([[]]), json!({"type": {}}), json!(1e300)];
        for (api, mut events) in streams("text") {
            let at = which % events.len();
            *place(&mut events[at], &path) = odd[with].clone();
            let _ = api.read([sse(&events, "\n").as_bytes()], &Asked { has_tools: true, ..Asked::default() });
            for event in &events {
                let _ = api.read([event.to_string().as_bytes()], &Asked::default());
            }
        }
    }
}

/// Some place inside of a value.
fn place<'a>(value: &'a mut Value, path: &[usize]) -> &'a mut Value {
    let Some((first, rest)) = path.split_first() else { return value };
    let size = match value {
        Value::Array(items) => items.len(),
        Value::Object(object) => object.len(),
        _ => 0,
    };
    if size == 0 {
        return value;
    }
    match value {
        Value::Array(items) => place(&mut items[first % size], rest),
        Value::Object(object) => place(object.values_mut().nth(first % size).expect("a value"), rest),
        other => other,
    }
}

/// `text | (reasoning) | ID calls NAME INPUT | finish | usage | what is sent back`, what is empty left out; or the failure.
pub(super) fn shown(api: Api, body: &str) -> String {
    let asked = Asked { tokens: 1000, has_tools: true, answers_in_reasoning: true, mark: "mark".into() };
    let reply = match api.read([body.as_bytes()], &asked) {
        Ok(reply) => reply,
        Err(error) => return format!("{:?} {}", error.kind, error.message),
    };
    let mut words = vec![reply.text];
    if !reply.reasoning.is_empty() {
        words.push(format!("({})", reply.reasoning.replace("\n\n", "/")));
    }
    words.extend(reply.calls.iter().map(|call| format!("{} {call}", call.id)));
    words.push(format!("{:?}", reply.finish));
    let usage = reply.usage;
    let mut counts = format!("{}{}+{}", if usage.estimated { "~" } else { "" }, usage.input, usage.output);
    for (word, count) in [("cached", usage.cached), ("written", usage.cache_written), ("reasoning", usage.reasoning)] {
        if count > 0 {
            counts.push_str(&format!(" {word} {count}"));
        }
    }
    words.push(counts);
    words.extend(reply.replay.map(|replay| replay.content.to_string()));
    words.join(" | ")
}
