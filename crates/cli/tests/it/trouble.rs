//! What a provider does wrong, over each of the four APIs: asked again where that helps, and else the right error, exit code
//! and advice.

use crate::program::{Said, handeye};
use handeye_testkit::browser::Chromium;
use handeye_testkit::model::{Call, Hang, ModelServer, Scripted};
use serde_json::{Value, json};
use std::time::Duration;

/// How one API says things.
struct Api {
    word: &'static str,
    /// A whole reply with this text.
    whole: fn(&str) -> Value,
    /// The events of one that is streamed.
    events: fn(&str) -> Vec<Value>,
    /// A reply that declines.
    declined: fn() -> Value,
}

const APIS: [Api; 4] = [
    Api {
        word: "openai",
        whole: |text| json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}),
        events: |text| {
            vec![
                json!({"choices": [{"delta": {"content": text}}]}),
                json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
            ]
        },
        declined: || json!({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}),
    },
    Api {
        word: "openai-responses",
        whole: |text| {
            let content = json!([{"type": "output_text", "text": text, "annotations": []}]);
            let message =
                json!({"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content});
            json!({"id": "r", "object": "response", "status": "completed", "output": [message]})
        },
        events: |text| {
            vec![
                json!({"type": "response.created", "response": {"status": "in_progress", "output": []}}),
                json!({"type": "response.output_text.delta", "delta": text}),
                json!({"type": "response.completed", "response": (APIS[1].whole)(text)}),
            ]
        },
        declined: || {
            let content = json!([{"type": "refusal", "refusal": "I cannot help with that"}]);
            let message =
                json!({"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content});
            json!({"id": "r", "object": "response", "status": "completed", "output": [message]})
        },
    },
    Api {
        word: "anthropic",
        whole: |text| {
            json!({"id": "r", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 5, "output_tokens": 3}})
        },
        events: |text| {
            vec![
                json!({"type": "message_start", "message": {"id": "r", "model": "m", "usage": {"input_tokens": 5, "output_tokens": 1}}}),
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
                json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}}),
                json!({"type": "message_stop"}),
            ]
        },
        declined: || {
            json!({"id": "r", "type": "message", "role": "assistant", "model": "m", "stop_reason": "refusal", "content": [],
                "usage": {"input_tokens": 5, "output_tokens": 3}})
        },
    },
    Api {
        word: "gemini",
        whole: |text| json!({"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}]}),
        events: |text| vec![(APIS[3].whole)(text)],
        declined: || json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
    },
];

const DONE: &str = "<thought>It is there.</thought>\n<complete success=\"true\">There it is</complete>";

impl Api {
    fn reply(&self, text: &str) -> Scripted {
        Scripted::default().body((self.whole)(text).to_string())
    }
    fn stream(&self, text: &str) -> Scripted {
        let name = |event: &Value| event["type"].as_str().map_or(String::new(), |name| format!("event: {name}\n"));
        let lines = |event: &Value| format!("{}data: {event}\n\n", name(event));
        let body: String = (self.events)(text).iter().map(lines).collect();
        Scripted { media_type: Some("text/event-stream".to_owned()), ..Scripted::default().body(body) }
    }
}

/// A browser for all runs of a test, and what is common to them.
struct Bench<'a> {
    api: &'a Api,
    chromium: Chromium,
}

struct Ran {
    said: Said,
    calls: Vec<Call>,
}

impl Bench<'_> {
    fn run(&self, replies: Vec<Scripted>, more: &[&str]) -> Ran {
        let model = ModelServer::start(replies);
        let out = tempfile::tempdir().expect("a folder");
        let mut command = handeye(&["act", "look", "--planner", "standard", "--model-timeout", "2s", "--json"]);
        command.args(["--web", "about:blank", "--cdp", self.chromium.endpoint(), "--keep-open"]).args(more);
        command.arg("--out").arg(out.path()).env("HANDEYE_MODEL_RETRY_COUNT", "1").env("HANDEYE_MODEL_NAME", "m");
        command.env("HANDEYE_MODEL_RETRY_INTERVAL", "10ms").env("HANDEYE_MODEL_BASE_URL", model.base_url());
        command.env("HANDEYE_MODEL_PROVIDER", self.api.word).env("HANDEYE_MODEL_API_KEY", KEY);
        let said: Said = command.output().expect("the program starts").into();
        assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
        for text in [&said.stdout, &said.stderr] {
            assert!(!text.contains(KEY), "{text}");
        }
        Ran { said, calls: model.calls() }
    }

    /// The trouble passes: the second attempt is heard.
    #[track_caller]
    fn passes(&self, trouble: Scripted, then: Scripted, more: &[&str], told: &str) -> Ran {
        let ran = self.run(vec![trouble, then], more);
        let said = &ran.said;
        assert_eq!((said.code, ran.calls.len()), (Some(0), 2), "{}: {told}: {}", self.api.word, said.stderr);
        assert!(said.stderr.contains(told), "{}: {told} in {}", self.api.word, said.stderr);
        assert_eq!(ran.calls[0].raw, ran.calls[1].raw, "the same is asked again");
        ran
    }

    /// It ends the run after so many attempts.
    #[track_caller]
    fn ends(&self, trouble: &Scripted, attempts: usize, code: i32, kind: &str, told: &str) {
        let ran = self.run(vec![trouble.clone(); 4], &[]);
        let said = &ran.said;
        assert_eq!((said.code, ran.calls.len()), (Some(code), attempts), "{}: {}", self.api.word, said.stderr);
        let object: Value = serde_json::from_str(&said.stdout).expect("one object");
        assert_eq!(object["error"]["kind"], kind, "{}: {object}", self.api.word);
        assert!(said.stderr.contains(told), "{}: {told} in {}", self.api.word, said.stderr);
        assert!(code != 5 || said.stderr.contains("hint:"), "{}: says what to do: {}", self.api.word, said.stderr);
    }
}

const KEY: &str = "sk-0123456789abcdef";
const PAGE: &str = "<html><head><title>502 Bad Gateway</title></head><body><p>nginx</p></body></html>";

fn check(api: &Api) {
    let bench = Bench { api, chromium: Chromium::start(640, 480) };
    let good = || api.reply(DONE);
    let busy = Scripted::status(429).header("Retry-After", "1").body(r#"{"error":{"message":"slow down"}}"#);
    let ran = bench.passes(busy.clone(), good(), &[], "HTTP 429: slow down");
    let apart = ran.calls[1].at.saturating_sub(ran.calls[0].at);
    assert!(apart >= Duration::from_secs(1), "waits as told: {apart:?}");
    let down = Scripted::status(500).body(format!(r#"{{"error":{{"message":"no room for {KEY}"}}}}"#));
    bench.passes(down.clone(), good(), &[], "HTTP 500: no room for ***");
    bench.passes(Scripted::hang(Hang::Reset), good(), &[], "waits");
    bench.passes(Scripted::hang(Hang::Stall), good(), &[], "no answer within 2 s");
    bench.passes(Scripted::status(502).body(PAGE), good(), &[], "HTTP 502: 502 Bad Gateway nginx");
    bench.passes(api.reply(" "), good(), &[], "empty response");
    // A stream that is cut, or stands still in the middle of it.
    let stream = api.stream(DONE);
    let half = stream.body.as_ref().map_or(0, String::len) / 2;
    let then = || api.stream(DONE);
    let cut = Scripted { hang: Some(Hang::CutAfter(half)), ..stream.clone() };
    bench.passes(cut, then(), &["--stream"], "waits");
    let stalls = Scripted { hang: Some(Hang::StallAfter(half)), ..stream };
    bench.passes(stalls, then(), &["--stream"], "a reply still incomplete after 2 s");

    bench.ends(&busy, 2, 5, "quota", "HTTP 429");
    bench.ends(&down, 2, 5, "transport", "(after 2 attempts)");
    bench.ends(&api.reply(""), 2, 5, "misread", "empty response");
    bench.ends(&Scripted::default().body(PAGE), 1, 5, "model", "but a page");
    bench.ends(&Scripted::status(401).body(r#"{"error":{"message":"wrong key"}}"#), 1, 5, "auth", "wrong key");
    // To decline is an answer: the task is not done, and nothing is wrong with the model.
    bench.ends(&Scripted::default().body((api.declined)().to_string()), 1, 1, "refused", "declined");
}

#[test]
fn trouble_of_chat_completions() {
    check(&APIS[0]);
}
#[test]
fn trouble_of_responses() {
    check(&APIS[1]);
}
#[test]
fn trouble_of_messages() {
    check(&APIS[2]);
}
#[test]
fn trouble_of_gemini() {
    check(&APIS[3]);
}
