//! Each API end to end: where a request goes, what it carries, and what becomes of every kind of answer.

use crate::{KEY, config};
use handeye_chat::{Api, BaseUrl, ModelConfig, Provider, Secret, connect, probe};
use handeye_core::{
    Chat, ChatErrorKind, ChatRequest, Ctx, Environment, Finish, Message, Part, Reply, Role, Size, Tool, ToolResult,
};
use handeye_testkit::model::{Hang, ModelServer, Scripted};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const NEW: [Api; 3] = [Api::Responses, Api::Messages, Api::Gemini];

fn model(api: Api, server: &ModelServer, change: impl FnOnce(&mut ModelConfig)) -> Arc<dyn Chat> {
    let mut config = config(&server.base_url());
    let base = BaseUrl::parse(&server.base_url()).expect("a base URL");
    config.provider = Provider::Server { api, base };
    change(&mut config);
    connect(&config).expect("a model")
}

/// What a server of this API says: thinking with what proves it, a text, and a call when there is one.
fn reply(api: Api, text: &str, calls: bool) -> Value {
    let call = |on: Value| if calls { vec![on] } else { vec![] };
    match api {
        Api::Chat => json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}),
        Api::Responses => {
            let mut output = vec![
                json!({"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "why"}], "encrypted_content": "SEAL"}),
                json!({"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": text, "annotations": []}]}),
            ];
            output.extend(call(
                json!({"type": "function_call", "id": "f", "call_id": "c1", "name": "tap", "arguments": "{\"x\":1}"}),
            ));
            json!({"id": "r", "object": "response", "model": "mm", "status": "completed", "output": output,
                "usage": {"input_tokens": 7, "output_tokens": 3, "input_tokens_details": {"cached_tokens": 2}}})
        }
        Api::Messages => {
            let mut content = vec![
                json!({"type": "thinking", "thinking": "why", "signature": "SEAL"}),
                json!({"type": "text", "text": text}),
            ];
            content.extend(call(json!({"type": "tool_use", "id": "c1", "name": "tap", "input": {"x": 1}})));
            let reason = if calls { "tool_use" } else { "end_turn" };
            json!({"id": "r", "type": "message", "role": "assistant", "model": "mm", "content": content, "stop_reason": reason,
                "usage": {"input_tokens": 5, "output_tokens": 3, "cache_read_input_tokens": 2}})
        }
        Api::Gemini => {
            let mut parts =
                vec![json!({"text": "why", "thought": true}), json!({"text": text, "thoughtSignature": "SEAL"})];
            parts.extend(call(json!({"functionCall": {"id": "c1", "name": "tap", "args": {"x": 1}}})));
            json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}], "modelVersion": "mm",
                "responseId": "r", "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 3, "cachedContentTokenCount": 2}})
        }
    }
}

/// The same as the events of a stream.
fn stream(api: Api, text: &str) -> String {
    let whole = reply(api, text, false);
    let events = match api {
        Api::Chat | Api::Gemini => vec![whole],
        Api::Responses => vec![
            json!({"type": "response.created", "response": {"status": "in_progress", "output": []}}),
            json!({"type": "response.output_text.delta", "delta": text}),
            json!({"type": "response.completed", "response": whole}),
        ],
        Api::Messages => vec![
            json!({"type": "message_start", "message": {"id": "r", "model": "mm", "usage": {"input_tokens": 5, "cache_read_input_tokens": 2, "output_tokens": 1}}}),
            json!({"type": "ping"}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "why"}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "SEAL"}}),
            json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": text}}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}}),
            json!({"type": "message_stop"}),
        ],
    };
    let name = |event: &Value| event["type"].as_str().map_or(String::new(), |name| format!("event: {name}\n"));
    events.iter().flat_map(|event| [name(event), format!("data: {event}\n\n")]).collect()
}

fn whole(api: Api, text: &str) -> Scripted {
    Scripted::default().body(reply(api, text, false).to_string())
}

fn streamed(api: Api, text: &str) -> Scripted {
    let media_type = Some("text/event-stream".to_owned());
    Scripted { media_type, ..Scripted::default().body(stream(api, text)) }
}

fn request() -> ChatRequest {
    let messages = vec![Message::text(Role::System, "You see."), Message::text(Role::User, "Look.")];
    ChatRequest { messages, ..ChatRequest::default() }
}

async fn ask(model: &Arc<dyn Chat>) -> Result<Reply, handeye_core::ChatError> {
    model.complete(&request(), &Ctx::bare()).await
}

#[tokio::test]
async fn each_api_is_asked_at_its_place_with_its_headers() {
    for (api, path, streaming, key) in [
        (Api::Responses, "/v1/responses", "/v1/responses", ("authorization", format!("Bearer {KEY}"))),
        (Api::Messages, "/v1/messages", "/v1/messages", ("x-api-key", KEY.to_owned())),
        (
            Api::Gemini,
            "/v1/models/test-model:generateContent",
            "/v1/models/test-model:streamGenerateContent?alt=sse",
            ("x-goog-api-key", KEY.to_owned()),
        ),
    ] {
        let server = ModelServer::start(vec![whole(api, "hello"), streamed(api, "hello")]);
        for (index, stream) in [false, true].into_iter().enumerate() {
            let reply = ask(&model(api, &server, |c| c.stream = stream)).await;
            let reply = reply.unwrap_or_else(|e| panic!("{api} {stream}: {e}"));
            assert_eq!((reply.text.as_str(), reply.reasoning.as_str(), reply.finish), ("hello", "why", Finish::Stop));
            assert_eq!((reply.usage.input, reply.usage.output, reply.usage.cached), (7, 3, 2), "{api}");
            assert_eq!((reply.model.as_str(), reply.request_id.as_str()), ("mm", "r"), "{api}");
            let call = &server.calls()[index];
            assert_eq!(call.path, if stream { streaming } else { path });
            assert_eq!(call.header(key.0), Some(key.1.as_str()), "{api}");
            let others = ["authorization", "x-api-key", "x-goog-api-key"].into_iter().filter(|name| *name != key.0);
            assert!(others.into_iter().all(|name| call.header(name).is_none()), "{:?}", call.headers);
            let version = (api == Api::Messages).then_some("2023-06-01");
            assert_eq!(call.header("anthropic-version"), version);
        }
    }
}

/// Thinking goes back with what proves it, before the results of the calls that came of it.
#[tokio::test]
async fn a_reply_goes_back_as_it_came() {
    for api in NEW {
        let server = ModelServer::start(vec![
            Scripted::default().body(reply(api, "I press it.", true).to_string()),
            whole(api, "Done."),
        ]);
        let model = model(api, &server, |_| {});
        let parameters = json!({"type": "object", "properties": {"x": {"type": "integer"}}});
        let mut request = request();
        request.tools = vec![Tool::Function { name: "tap".into(), description: "Presses.".into(), parameters }];
        let first = model.complete(&request, &Ctx::bare()).await.expect("a reply");
        assert_eq!((first.finish, first.calls[0].input.clone()), (Finish::Calls, json!({"x": 1})), "{api}");
        request.messages.push(first.message());
        let result = ToolResult { id: first.calls[0].id.clone(), name: "tap".into(), ..ToolResult::default() };
        request.messages.push(Message::new(Role::User, vec![Part::Result(result), Part::Text("It opened.".into())]));
        let second = model.complete(&request, &Ctx::bare()).await.expect("a reply");
        assert_eq!(second.text, "Done.");
        let sent = &server.calls()[1].body;
        let said = match api {
            Api::Messages => sent["messages"][1]["content"].clone(),
            Api::Gemini => sent["contents"][1]["parts"].clone(),
            _ => json!([sent["input"][1], sent["input"][2], sent["input"][3]]),
        };
        let came = reply(api, "I press it.", true);
        let came = [&came["content"], &came["candidates"][0]["content"]["parts"], &came["output"]];
        assert!(came.contains(&&said), "{api}: {said}");
        assert!(server.calls()[1].raw.contains("It opened."), "{api}");
    }
}

#[tokio::test]
async fn passing_faults_are_asked_again_and_told() {
    for api in NEW {
        for stream in [false, true] {
            let good = if stream { streamed(api, "fine") } else { whole(api, "fine") };
            let cut = good.body.clone().expect("a body").len() / 2;
            for fault in [
                Scripted::status(429).header("Retry-After", "0"),
                Scripted::status(500),
                Scripted::status(502).body("<html><title>502 Bad Gateway</title></html>"),
                Scripted::status(503),
                Scripted::status(529)
                    .body(r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
                Scripted::hang(Hang::Reset),
                Scripted { hang: Some(Hang::CutAfter(cut)), ..good.clone() },
                whole(api, ""),
                Scripted {
                    media_type: Some("text/event-stream".into()),
                    ..Scripted::default().body("data: {\"error\":{\"message\":\"boom\"}}\n\n")
                },
            ] {
                let server = ModelServer::start(vec![fault.clone(), good.clone()]);
                let reply = ask(&model(api, &server, |c| c.stream = stream)).await;
                let reply = reply.unwrap_or_else(|e| panic!("{api} {fault:?}: {e}"));
                assert_eq!((reply.text.as_str(), reply.failed_attempts.len()), ("fine", 1), "{api} {fault:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_stall_ends_at_the_limit() {
    for api in NEW {
        let begun = stream(api, "never whole").len() / 2;
        let stalls = Scripted { hang: Some(Hang::StallAfter(begun)), ..streamed(api, "never whole") };
        let server = ModelServer::start(vec![stalls]);
        let limit = Some(Duration::from_millis(300));
        let error = ask(&model(api, &server, |c| (c.stream, c.timeout, c.retries) = (true, limit, 0))).await;
        assert_eq!(error.expect_err("a stall").kind, ChatErrorKind::Timeout, "{api}");
    }
}

#[tokio::test]
async fn what_the_provider_says_is_shown_and_never_the_key() {
    for api in NEW {
        for (status, body, kind, said) in [
            (
                400,
                json!({"error": {"message": format!("bad request, key {KEY}")}}),
                ChatErrorKind::BadRequest,
                "bad request, key ***",
            ),
            (
                401,
                json!({"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}}),
                ChatErrorKind::Auth,
                "invalid x-api-key",
            ),
            (
                400,
                json!({"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}),
                ChatErrorKind::Auth,
                "API key not valid",
            ),
            (
                404,
                json!({"error": {"code": 404, "message": "models/x is not found"}}),
                ChatErrorKind::NoSuchModel,
                "models/x is not found",
            ),
            (
                400,
                json!({"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 2 tokens > 1 maximum"}}),
                ChatErrorKind::ContextLength,
                "prompt is too long: 2 tokens > 1 maximum",
            ),
        ] {
            let server = ModelServer::start(vec![Scripted::status(status).body(body.to_string())]);
            let error = ask(&model(api, &server, |_| {})).await.expect_err("an error");
            assert_eq!((error.kind, server.calls().len()), (kind, 1), "{api} {error}");
            assert!(error.message.ends_with(said) && !format!("{error:?}").contains(KEY), "{api} {error}");
        }
        let page = Scripted::default().body("<html><h1>Sign in</h1></html>");
        let error = ask(&model(api, &ModelServer::start(vec![page]), |_| {})).await.expect_err("an error");
        assert_eq!(error.kind, ChatErrorKind::BadRequest);
        assert!(error.message.contains("but a page: Sign in"), "{error}");
    }
}

#[tokio::test]
async fn what_is_declined_is_not_asked_again() {
    for (api, body) in [
        (Api::Messages, json!({"content": [], "stop_reason": "refusal"})),
        (Api::Gemini, json!({"candidates": [{"finishReason": "SAFETY"}]})),
        (Api::Gemini, json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}})),
        (
            Api::Responses,
            json!({"output": [], "status": "incomplete", "incomplete_details": {"reason": "content_filter"}}),
        ),
    ] {
        let server = ModelServer::start(vec![Scripted::default().body(body.to_string())]);
        let error = ask(&model(api, &server, |_| {})).await.expect_err("declined");
        assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::Refused, 1), "{api} {error}");
    }
}

#[tokio::test]
async fn a_computer_is_offered_with_the_header_that_it_needs() {
    let server = ModelServer::start(vec![whole(Api::Messages, "a"), whole(Api::Messages, "b")]);
    let tool = Tool::Computer {
        screen: Size::new(1280.0, 800.0),
        environment: Environment::Browser,
        version: Some("computer_20251124".into()),
        without: Vec::new(),
    };
    let request = ChatRequest { tools: vec![tool], ..request() };
    let set = |c: &mut ModelConfig| c.extra_headers = vec![("anthropic-beta".into(), Secret::new("mine-1".into()))];
    for model in [model(Api::Messages, &server, |_| {}), model(Api::Messages, &server, set)] {
        model.complete(&request, &Ctx::bare()).await.expect("a reply");
    }
    let betas: Vec<_> = server.calls().iter().map(|c| c.header("anthropic-beta").map(str::to_owned)).collect();
    assert_eq!(betas, [Some("computer-use-2025-11-24".into()), Some("mine-1,computer-use-2025-11-24".into())]);
    let error = model(Api::Chat, &server, |_| {}).complete(&request, &Ctx::bare()).await.expect_err("no such tool");
    assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::Config, 2));
}

/// What was signed with a key in it can be sent back neither as it is nor masked.
#[tokio::test]
async fn a_reply_with_the_key_in_it_is_not_sent_back_whole() {
    for api in NEW {
        let told = reply(api, "I press it.", true).to_string().replace("why", KEY);
        let server = ModelServer::start(vec![Scripted::default().body(told)]);
        let mut request = request();
        request.tools = vec![Tool::Function { name: "tap".into(), description: String::new(), parameters: json!({}) }];
        let reply = model(api, &server, |_| {}).complete(&request, &Ctx::bare()).await.expect("a reply");
        assert_eq!((reply.reasoning.as_str(), &reply.replay, reply.calls.len()), ("***", &None, 1), "{api}");
        assert!(!format!("{:?}", reply.message()).contains(KEY), "{api}");
    }
}

#[tokio::test]
async fn a_probe_reaches_each_api() {
    for api in NEW {
        let server = ModelServer::start(vec![whole(api, "OK"), Scripted::status(401)]);
        let mut config = config(&server.base_url());
        config.provider = Provider::Server { api, base: BaseUrl::parse(&server.base_url()).expect("a base URL") };
        assert_eq!(probe(&config, &Ctx::bare()).await.expect("a server").expect("a reply").text, "OK", "{api}");
        let error = probe(&config, &Ctx::bare()).await.expect("a server").expect_err("no key");
        assert_eq!(error.kind, ChatErrorKind::Auth, "{api}");
    }
}

/// A cassette knows what its requests are written in.
#[tokio::test]
async fn what_was_recorded_is_played_again() {
    for api in NEW {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("tape.json");
        let server = ModelServer::start(vec![whole(api, "once")]);
        let recorded = ask(&model(api, &server, |c| c.record = Some(path.clone()))).await.expect("a reply");
        let played = connect(&ModelConfig::new(Provider::Cassette(path.clone()), "test-model")).expect("a cassette");
        assert_eq!(ask(&played).await.expect("a reply"), recorded, "{api}");
        let tape = std::fs::read_to_string(path).expect("a tape");
        assert!(!tape.contains(KEY), "{api}");
    }
}
