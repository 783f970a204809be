use super::*;
use crate::wire::{Asked, ReplyReader, tokens_of_request, tokens_of_text};
use handeye_core::{ChatErrorKind, Family, Finish, Image, ImageFormat, Reply, Shown, Size, Usage};
use proptest::prelude::*;

fn request() -> ChatRequest {
    let image = Image::new(*b"\x89PNG", ImageFormat::Png, Size::new(1280.0, 720.0));
    let picture = Part::Image { image, shown: Shown::at(Size::new(1280.0, 720.0)) };
    ChatRequest {
        messages: vec![
            Message::text(Role::System, "You see a \"screen\"."),
            Message::new(Role::User, vec![Part::Text("Press 保存".into()), picture]),
            Message::text(Role::Assistant, "<log>a</log>"),
            Message::new(Role::User, vec![Part::Text("b".into()), Part::Text("c".into())]),
        ],
        ..ChatRequest::default()
    }
}

fn body(request: &ChatRequest, options: &Options, pictures: Pictures) -> String {
    Api::Chat.body(request, options, pictures)
}

fn pretty(options: &Options, pictures: Pictures) -> String {
    let value: Value = serde_json::from_str(&body(&request(), options, pictures)).expect("json");
    serde_json::to_string_pretty(&value).expect("json")
}

#[test]
fn a_plain_body() {
    let options = Options { model: "m".into(), ..Options::default() };
    insta::assert_snapshot!(body(&request(), &options, Pictures::Bytes), @r#"{"model":"m","messages":[{"role":"system","content":"You see a \"screen\"."},{"role":"user","content":[{"type":"text","text":"Press 保存"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw==","detail":"high"}}]},{"role":"assistant","content":"<log>a</log>"},{"role":"user","content":"b\nc"}]}"#);
}

#[test]
fn a_full_body_with_pictures_by_name() {
    let extra = serde_json::from_str(
        r#"{"top_p":0.5,"stream_options":{"x":1},"max_tokens":null,"thinking":{"type":"off","y":null}}"#,
    );
    let options = Options {
        model: "m".into(),
        family: Family::default_family(),
        temperature: Some(0.0),
        max_tokens: Some(99),
        thinking: None,
        json_mode: true,
        stream: true,
        extra: extra.expect("json"),
    };
    insta::assert_snapshot!(pretty(&options, Pictures::Names), @r#"
    {
      "model": "m",
      "messages": [
        {
          "role": "system",
          "content": "You see a \"screen\"."
        },
        {
          "role": "user",
          "content": [
            {
              "type": "text",
              "text": "Press 保存"
            },
            {
              "type": "image_url",
              "image_url": {
                "url": "blob:87da8eea1705a3b5da471f2e9ff924794004aef45804b611c8b0323c1049eae7@1280x720",
                "detail": "high"
              }
            }
          ]
        },
        {
          "role": "assistant",
          "content": "<log>a</log>"
        },
        {
          "role": "user",
          "content": "b\nc"
        }
      ],
      "temperature": 0,
      "stream": true,
      "stream_options": {
        "include_usage": true,
        "x": 1
      },
      "top_p": 0.5,
      "thinking": {
        "type": "off"
      }
    }
    "#);
}

#[test]
fn options_of_the_user_and_of_the_request_meet() {
    let mut request = ChatRequest { temperature: Some(0.25), max_tokens: Some(50), ..ChatRequest::default() };
    let with = |request: &ChatRequest, temperature, max_tokens| {
        body(request, &Options { model: "m".into(), temperature, max_tokens, ..Options::default() }, Pictures::Bytes)
    };
    assert_eq!(with(&request, None, None), r#"{"model":"m","messages":[],"temperature":0.25,"max_tokens":50}"#);
    assert_eq!(with(&request, Some(1.0), Some(40)), r#"{"model":"m","messages":[],"temperature":1,"max_tokens":40}"#);
    request.max_tokens = Some(30);
    assert_eq!(with(&request, Some(0.1), Some(40)), r#"{"model":"m","messages":[],"temperature":0.1,"max_tokens":30}"#);
}

fn read_pieces(pieces: &[&[u8]]) -> Result<Reply, String> {
    let asked = Asked { tokens: 1000, answers_in_reasoning: true, ..Asked::default() };
    Api::Chat.read(pieces.iter().copied(), &asked).map_err(|e| format!("{:?} {}", e.kind, e.message))
}

fn read(body: &str) -> Result<Reply, String> {
    read_pieces(&[body.as_bytes()])
}

/// `text | reasoning | finish | usage`, or the failure.
#[track_caller]
fn check(body: &str, want: &str) {
    let said = match read(body) {
        Ok(r) => {
            let from = if r.from_reasoning { " (from reasoning)" } else { "" };
            let u = r.usage;
            let estimated = if u.estimated { "~" } else { "" };
            format!(
                "{}{from} | {} | {:?} | {estimated}{}+{} {} {}",
                r.text, r.reasoning, r.finish, u.input, u.output, u.cached, u.reasoning
            )
        }
        Err(said) => said,
    };
    assert_eq!(said, want, "{body}");
}

fn whole(choice: &str) -> String {
    format!(r#"{{"id":"i","model":"mm","choices":[{choice}],"usage":{{"prompt_tokens":7,"completion_tokens":3}}}}"#)
}

#[test]
fn whole_replies_are_read() {
    let message =
        |message: &str, finish: &str| whole(&format!(r#"{{"index":0,"message":{message},"finish_reason":{finish}}}"#));
    check(&message(r#"{"content":"hi"}"#, r#""stop""#), "hi |  | Stop | 7+3 0 0");
    check(&message(r#"{"content":"hi","reasoning_content":"why"}"#, "null"), "hi | why | Stop | 7+3 0 0");
    check(
        &message(r#"{"content":"","reasoning_content":"why"}"#, r#""stop""#),
        "why (from reasoning) |  | Stop | 7+3 0 0",
    );
    check(&message(r#"{"content":null,"reasoning":"why"}"#, r#""stop""#), "why (from reasoning) |  | Stop | 7+3 0 0");
    check(&message(r#"{"content":" \n","reasoning_content":" "}"#, r#""stop""#), "Empty empty response");
    check(&message(r#"{"content":""}"#, r#""length""#), "Empty empty response");
    check(&message(r#"{"content":"cut"}"#, r#""length""#), "cut |  | Length | 7+3 0 0");
    check(&message(r#"{"content":"part"}"#, r#""content_filter""#), "part |  | Refusal | 7+3 0 0");
    check(
        &message(r#"{"content":""}"#, r#""content_filter""#),
        "Refused the request was declined by: no content, finish reason content_filter",
    );
    check(
        &message(r#"{"content":null,"refusal":"I cannot."}"#, r#""stop""#),
        "Refused the request was declined by: I cannot",
    );
    check(&message(r#"{"content":"x"}"#, r#""tool_calls""#), "x |  | Calls | 7+3 0 0");
    check(
        &message(r#"{"content":null,"tool_calls":[{"function":{"name":"tap"}}]}"#, r#""tool_calls""#),
        "Empty empty response: it calls a tool and says nothing",
    );
    check(&message(r#"{"content":"x"}"#, r#""error""#), "Transport a broken reply: finish reason error");
    check(
        &message(r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#, r#""stop""#),
        "ab |  | Stop | 7+3 0 0",
    );
    check(&message(r#"{"content":[{"thought":true,"text":"t"},{"text":"a"}]}"#, r#""stop""#), "a | t | Stop | 7+3 0 0");
    check(
        &message(
            r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text","text":"a"}]}"#,
            r#""stop""#,
        ),
        "a | t | Stop | 7+3 0 0",
    );
    check(
        &message(
            r#"{"content":"a","reasoning_details":[{"type":"reasoning.text","text":"t"},{"type":"reasoning.encrypted","data":"zz"}]}"#,
            r#""stop""#,
        ),
        "a | t | Stop | 7+3 0 0",
    );
    check(&whole(r#"{"text":"old style"}"#), "old style |  | Stop | 7+3 0 0");
    check(
        &whole(r#"{"index":1,"message":{"content":"no"}},{"index":0,"message":{"content":"yes"}}"#),
        "yes |  | Stop | 7+3 0 0",
    );
    check(r#"[{"choices":[{"message":{"content":"a"}}]}]"#, "a |  | Stop | ~1000+1 0 0");
    check(
        "  \n {\"choices\":[{\"message\":{\"content\":\"a\",\"new\":1},\"new\":[]}],\"new\":{}}",
        "a |  | Stop | ~1000+1 0 0",
    );
    check(r#"{"choices":[]}"#, "Empty empty response: it has no choices");
    check(r#"{"choices":null}"#, "Empty empty response: it has no choices");
    check("", "Empty empty response: the body is empty");
    check(" \n \u{feff}", "Empty empty response: the body is empty");
    check("\u{feff}{\"choices\":[{\"message\":{\"content\":{\"text\":\"a\"}}}]}", "a |  | Stop | ~1000+1 0 0");
}

/// Case P07, r: a content that says nothing, in whichever way, gives way to the reasoning.
#[test]
fn a_content_without_an_answer_falls_back_to_reasoning() {
    let check = |content: &str, want: &str| {
        let message = format!(r#"{{"message":{{"content":{content},"reasoning_content":"the answer"}}}}"#);
        self::check(&whole(&message), &format!("{want} | Stop | 7+3 0 0"));
    };
    for empty in [
        "null",
        r#""""#,
        r#"" \n\t""#,
        "[]",
        r#"[{"type":"text","text":""}]"#,
        r#""<think></think>""#,
        r#""<think>\n\n</think>\n""#,
        r#""<THINK> </THINK>""#,
        r#""</think>""#,
        r#""<think>""#,
        r#""[THINK][/THINK]""#,
        r#""<think></think><think></think>""#,
    ] {
        check(empty, "the answer (from reasoning) | ");
    }
    check(r#""<think>hm</think>""#, "the answer (from reasoning) | hm");
    check(r#""<think>hm""#, "the answer (from reasoning) | hm");
    check(r#""<think></think>a""#, "<think></think>a | the answer");
    check(r#""<thought></thought>""#, "<thought></thought> | the answer");
    // Without a reasoning the planner is told that there was nothing but thinking, and an empty block is nothing at all.
    self::check(&whole(r#"{"message":{"content":"<think>hm</think>"}}"#), "<think>hm</think> |  | Stop | 7+3 0 0");
    self::check(&whole(r#"{"message":{"content":"<think></think>"}}"#), "Empty empty response");
}

#[test]
fn bodies_that_are_no_reply_say_what_they_are() {
    check(r#"{"error":{"message":"boom"}}"#, "Transport the reply is an error: boom");
    check(r#"{"error":{"message":"busy","code":429},"choices":[]}"#, "Quota the reply is an error: busy");
    check(
        r#"{"choices":[{"error":{"message":"gone","code":502},"message":{"content":""}}]}"#,
        "Transport the reply is an error: gone",
    );
    check("<html><h1>Welcome</h1></html>", "BadRequest HTTP 200: not a chat completion but a page: Welcome");
    check(r#"{"status":"ok"}"#, r#"BadRequest HTTP 200: not a chat completion: {"status":"ok"}"#);
    check(r#"{"choices":[{"#, r#"Transport a broken reply: its JSON is cut: {"choices":[{"#);
    check(
        r#"{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}"#,
        "Quota the reply is an error: insufficient balance",
    );
    check(r#"{"detail":"Not Found"}"#, "BadRequest HTTP 200: not a chat completion: Not Found");
    check(r#""upstream error""#, "BadRequest HTTP 200: not a chat completion: upstream error");
    check(
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
        "Transport a broken reply: the stream ended before the reply was complete",
    );
    // Case R04, r, I and J: plain words, whichever letters they begin with.
    for text in [
        "not json at all",
        "upstream connect error or disconnect",
        "data is late",
        "event horizon",
        ": wait",
        "d",
        "\u{feff}no",
    ] {
        let want = text.trim_start_matches('\u{feff}');
        let said = if text.starts_with(':') {
            "Transport a broken reply: the stream ended before the reply was complete".to_owned()
        } else {
            format!("Transport HTTP 200: not a chat completion but a text: {want}")
        };
        check(text, &said);
    }
    check(
        "401 Unauthorized: no valid session",
        "Auth HTTP 200: not a chat completion but a text: 401 Unauthorized: no valid session",
    );
    // … and in the middle of a stream: as lines, as JSON without a field, as an event that is no part of a completion.
    let begun = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
    let cut = "Transport a broken reply: the stream ended before the reply was complete";
    check(&format!("{begun}upstream reset\nsee the log\n"), &format!("{cut}: upstream reset see the log"));
    check(
        &format!("{begun}{{\n\"error\": {{\"message\": \"boom\", \"code\": 429}}\n}}\n"),
        "Quota the reply is an error: boom",
    );
    check(&format!("{begun}data: {{\"note\":1}}\n\n"), &format!("{cut}: {{\"note\":1}}"));
    check(&format!("{begun}event: error\ndata: {{\"message\":\"boom\"}}\n\n"), "Transport the reply is an error: boom");
    check(
        &format!("{begun}data: {{\"object\":\"error\",\"message\":\"boom\",\"code\":400}}\n\n"),
        "BadRequest the reply is an error: boom",
    );
    check("data: oops\n\n", "Transport a broken stream: not JSON: oops");
    // Blanks and a mark before a stream are no part of it, however they come.
    let late = "Transport a broken reply: the stream ended before the reply was complete";
    for pieces in [&["\r :# dn"][..], &["\r ", ":# dn"], &["\n\u{feff}: a"], &["\n", "\u{feff}: a"]] {
        let pieces: Vec<&[u8]> = pieces.iter().map(|piece| piece.as_bytes()).collect();
        assert_eq!(read_pieces(&pieces), Err(late.to_owned()), "{pieces:?}");
    }
    check("event: error\ndata: overloaded\n\n", "Transport the reply is an error: overloaded");
    check("data: {\"error\":{\"message\":\"boom\"}}\n\n", "Transport the reply is an error: boom");
}

#[test]
fn streams_are_read() {
    let chunk = |delta: &str, finish: &str| {
        format!(
            "data: {{\"id\":\"i\",\"model\":\"mm\",\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{finish}}}]}}\n\n"
        )
    };
    let usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4,\"prompt_tokens_details\":{\"cached_tokens\":5},\"completion_tokens_details\":{\"reasoning_tokens\":2}}}\n\n";
    let stream = [
        ": ping\n\n".to_owned(),
        chunk(r#"{"role":"assistant","content":""}"#, "null"),
        chunk(r#"{"reasoning_content":"be","content":null}"#, "null"),
        chunk(r#"{"reasoning_content":"cause"}"#, "null"),
        chunk(r#"{"content":"he"}"#, "null"),
        chunk(r#"{"content":"llo"}"#, "null"),
        chunk("{}", r#""length""#),
        usage.to_owned(),
        "data: [DONE]\n\n".to_owned(),
        "data: not read\n\n".to_owned(),
    ];
    check(&stream.concat(), "hello | because | Length | 9+4 5 2");
    check(&stream[..7].concat(), "hello | because | Length | ~1000+4 0 0");
    let no_finish = [&stream[1..6].concat(), "data: [DONE]\n\n"].concat();
    check(&no_finish, "hello | because | Stop | ~1000+4 0 0");
    let only_thought = [stream[2].as_str(), &chunk("{}", r#""stop""#)].concat();
    check(&only_thought, "be (from reasoning) |  | Stop | ~1000+1 0 0");
    check(&chunk("{}", r#""stop""#), "Empty empty response");
    let reply = read(&stream.concat()).expect("a reply");
    assert_eq!((reply.model.as_str(), reply.request_id.as_str()), ("mm", "i"));
}

#[test]
fn usage_is_found_under_its_names() {
    let check = |usage: &str, input: u64, output: u64, cached: u64, reasoning: u64, estimated: bool| {
        let body = format!(r#"{{"choices":[{{"message":{{"content":"abcd"}}}}],"usage":{usage}}}"#);
        let want = Usage { input, output, cached, reasoning, estimated, ..Usage::default() };
        assert_eq!(read(&body).expect("a reply").usage, want, "{usage}");
    };
    check(r#"{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}"#, 1, 2, 0, 0, false);
    check(r#"{"prompt_tokens":10.0,"completion_tokens":2,"prompt_cache_hit_tokens":8}"#, 10, 2, 8, 0, false);
    check(r#"{"input_tokens":5,"output_tokens":6,"output_tokens_details":{"thinking_tokens":4}}"#, 5, 6, 0, 4, false);
    check(r#"{"prompt_tokens":5,"completion_tokens":null,"prompt_tokens_details":null}"#, 5, 0, 0, 0, true);
    check("null", 1000, 1, 0, 0, true);
    check("{}", 1000, 1, 0, 0, true);
    check(r#"{"prompt_tokens":0,"completion_tokens":0}"#, 1000, 1, 0, 0, true);
}

#[test]
fn tokens_are_guessed() {
    assert_eq!([tokens_of_text(""), tokens_of_text("abcde"), tokens_of_text("保存 ab")], [0, 2, 3]);
    let image = 1280 * 720 / 784 + 1;
    let texts = 5 + 4 + 3 + 1 + 1;
    assert_eq!(tokens_of_request(&request()), image + texts);
}

#[test]
fn the_reason_to_finish_is_known_before_the_end() {
    let mut reader = ReplyReader::new(Api::Chat, Asked::default());
    let mut push = |text: &str| reader.push(text.as_bytes()).map(|p| format!("{p:?}")).expect("a stream");
    assert_eq!(push("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"), "More");
    assert_eq!(push("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"), "Finished");
    assert_eq!(push("data: [DONE]\n\n"), "Complete");
    assert_eq!(read(r#"{"error":1}"#), Err("Transport the reply is an error: 1".into()));
    let failure = ReplyReader::new(Api::Chat, Asked { tokens: 3, ..Asked::default() }).end().expect_err("empty");
    assert_eq!((failure.kind, failure.spent.map(|u| u.input)), (ChatErrorKind::Empty, Some(3)));
    assert_eq!(read(&whole(r#"{"message":{"content":"a"}}"#)).expect("a reply").finish, Finish::Stop);
}

proptest! {
    /// However a body is cut, it reads the same.
    #[test]
    fn any_chunking_gives_the_same_reply(
        text in "[a-z价é😀\"\\\\\n<>]{1,40}", crlf: bool, streamed: bool, cuts in prop::collection::vec(1usize..30, 0..60),
    ) {
        let end = if crlf { "\r\n\r\n" } else { "\n\n" };
        let body = if streamed {
            let delta = json!({"choices": [{"delta": {"content": text}}]});
            let last = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
            format!("data: {delta}{end}data: {last}{end}data: [DONE]{end}")
        } else {
            json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}).to_string()
        };
        let mut pieces = Vec::new();
        let mut rest = body.as_bytes();
        for cut in cuts {
            let (piece, after) = rest.split_at(cut.min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        pieces.push(rest);
        let read = read_pieces(&pieces);
        prop_assert_eq!(&read, &self::read(&body));
        let blank = text.trim().is_empty();
        prop_assert_eq!(read.map(|r| r.text).ok(), (!blank).then_some(text));
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_pieces(&[&bytes]);
        let _ = read_pieces(&[b"data: ", &bytes, b"\n\n"]);
        let _ = crate::failure::from_status(500, &String::from_utf8_lossy(&bytes), None);
    }
}

/// What stands in each body because of the family alone.
#[test]
fn each_family_has_its_fields() {
    let request = ChatRequest { messages: vec![Message::text(Role::User, "x")], json: true, ..ChatRequest::default() };
    let rows = handeye_core::family::FAMILIES.iter().map(|family| {
        let fields = |request: &ChatRequest, json_mode: bool| {
            let options = Options { model: "m".into(), family, json_mode, ..Options::default() };
            let mut body = super::body(request, &options, Pictures::Names);
            body.retain(|key, _| key != "model" && key != "messages");
            Value::Object(body)
        };
        let (all, plain) = (fields(&request, true), fields(&request, false));
        assert_eq!(plain.get("response_format"), None, "{}: HANDEYE_MODEL_RESPONSE_FORMAT=none", family.name);
        format!("{} {all}", family.name)
    });
    insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"), @r#"
    default {}
    qwen3-vl {"enable_thinking":false}
    qwen3 {"enable_thinking":false}
    qwen3.5 {"enable_thinking":false}
    qwen3.6 {"enable_thinking":false}
    qwen2.5-vl {"vl_high_resolution_images":true}
    doubao-vision {"thinking":{"type":"disabled"},"response_format":{"type":"json_object"}}
    doubao-seed {"thinking":{"type":"disabled"},"response_format":{"type":"json_object"}}
    gemini {"extra_body":{"google":{"thinking_config":{"include_thoughts":false,"thinking_level":"minimal"}}}}
    glm-v {"thinking":{"type":"disabled"},"response_format":{"type":"json_object"}}
    gpt-5 {"reasoning_effort":"none","response_format":{"type":"json_object"}}
    kimi {"thinking":{"type":"disabled"},"response_format":{"type":"json_object"}}
    kimi3 {"response_format":{"type":"json_object"}}
    xiaomi-mimo {"thinking":{"type":"disabled"},"response_format":{"type":"json_object"}}
    vlm-ui-tars {}
    vlm-ui-tars-doubao {}
    vlm-ui-tars-doubao-1.5 {}
    auto-glm {"top_p":0.85,"frequency_penalty":0.2}
    auto-glm-multilingual {"top_p":0.85,"frequency_penalty":0.2}
    "#);
}
