//! Any body of any API, in two pieces as in one: the reply or a short refusal, and a reply goes into the next request.

use handeye_chat::Api;
use handeye_chat::wire::{Asked, Options, Pictures};
use handeye_core::{ChatRequest, Message, Part, Role, Tool, ToolResult};

pub(crate) fn check(bytes: &[u8]) {
    for api in Api::ALL {
        for has_tools in [false, true] {
            check_one(api, bytes, has_tools);
        }
    }
}

fn check_one(api: Api, bytes: &[u8], has_tools: bool) {
    let asked = Asked { tokens: 7, has_tools, answers_in_reasoning: true, mark: format!("{api} m") };
    let whole = api.read([bytes], &asked);
    let (head, tail) = bytes.split_at(bytes.len() / 3);
    assert_eq!(whole, api.read([head, tail], &asked), "{api}");
    let reply = match whole {
        Ok(reply) => reply,
        Err(error) => {
            assert!(!error.message.is_empty(), "{api}");
            return;
        }
    };
    assert!(!reply.text.trim().is_empty() || (has_tools && !reply.calls.is_empty()), "{api}");
    let _ = reply.usage.total();
    let results = reply
        .calls
        .iter()
        .map(|call| Part::Result(ToolResult { id: call.id.clone(), name: call.name.clone(), ..ToolResult::default() }));
    let parts = results.chain([Part::Text("b".into())]).collect();
    let request = ChatRequest {
        messages: vec![Message::text(Role::User, "a"), reply.message(), Message::new(Role::User, parts)],
        tools: vec![Tool::Function { name: "t".into(), description: String::new(), parameters: serde_json::json!({}) }],
        stable: Some(2),
        ..ChatRequest::default()
    };
    for next in Api::ALL {
        let body = next.body(&request, &Options { model: "m".into(), ..Options::default() }, Pictures::Bytes);
        let body: serde_json::Value = serde_json::from_str(&body).expect("a body is JSON");
        assert!(body.is_object());
    }
}
