use super::*;
use crate::wire::tests::shown;

#[track_caller]
fn check(body: &str, want: &str) {
    assert_eq!(shown(Api::Responses, body), want, "{body}");
}

const USAGE: &str = r#""usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":2,"cache_write_tokens":1},"output_tokens":3,"output_tokens_details":{"reasoning_tokens":1}}"#;
const COUNTS: &str = "7+3 cached 2 written 1 reasoning 1";

fn whole(output: &str, more: &str) -> String {
    format!(r#"{{"id":"resp_1","object":"response","model":"mm","output":{output},{more},{USAGE}}}"#)
}

fn message(text: &str) -> String {
    format!(
        r#"{{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{{"type":"output_text","text":"{text}","annotations":[]}}]}}"#
    )
}

#[test]
fn whole_responses_are_read() {
    let text = format!("[{}]", message("hi"));
    check(
        &whole(&text, r#""status":"completed","error":null,"incomplete_details":null"#),
        &format!("hi | Stop | {COUNTS}"),
    );
    let cut = |reason: &str| format!(r#""status":"incomplete","incomplete_details":{{"reason":"{reason}"}}"#);
    check(&whole(&text, &cut("max_output_tokens")), &format!("hi | Length | {COUNTS}"));
    check(&whole(&text, &cut("content_filter")), &format!("hi | Refusal | {COUNTS}"));
    check(&whole(&text, &cut("new")), &format!("hi | Other | {COUNTS}"));
    check(&whole("[]", &cut("max_output_tokens")), "Empty empty response");
    check(
        &whole("[]", &cut("content_filter")),
        "Refused the request was declined by: no content, finish reason content_filter",
    );
    check(
        &whole(
            r#"[{"type":"message","content":[{"type":"refusal","refusal":"I will not."}]}]"#,
            r#""status":"completed""#,
        ),
        "Refused the request was declined by: I will not",
    );
    let failed = |code: &str| whole("[]", &format!(r#""status":"failed","error":{{"code":"{code}","message":"no"}}"#));
    check(&failed("server_error"), "Transport the reply is an error: no");
    check(&failed("rate_limit_exceeded"), "Quota the reply is an error: no");
    check(&failed("invalid_prompt"), "BadRequest the reply is an error: no");
    check(&failed("image_too_large"), "BadRequest the reply is an error: no");
    check(&failed("image_content_policy_violation"), "Refused the reply is an error: no");
    check(&whole("[]", r#""status":"cancelled""#), "Transport a broken reply: finish reason error");
    check(r#"{"status":"ok"}"#, r#"BadRequest HTTP 200: not a response of OpenAI's responses API: {"status":"ok"}"#);
}

#[test]
fn reasoning_goes_back_when_it_was_encrypted() {
    let reasoning = r#"{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],"encrypted_content":"e"}"#;
    let call = r#"{"type":"function_call","id":"fc_1","call_id":"c1","name":"tap","arguments":"{\"x\":1}","status":"completed"}"#;
    let output = format!("[{reasoning},{call}]");
    check(
        &whole(&output, r#""status":"completed""#),
        &format!(r#" | (a/b) | c1 calls tap {{"x":1}} | Calls | {COUNTS} | {output}"#),
    );
    // What came of reasoning that is not kept anywhere is refused without it.
    let lost = output.replace(r#","encrypted_content":"e""#, "");
    check(
        &whole(&lost, r#""status":"completed""#),
        &format!(r#" | (a/b) | c1 calls tap {{"x":1}} | Calls | {COUNTS}"#),
    );
}

#[test]
fn calls_of_the_computer_have_a_list_of_actions() {
    let call =
        |what: &str| format!(r#"[{{"type":"computer_call","id":"cu_1","call_id":"c1","status":"completed",{what}}}]"#);
    let one = call(r#""action":{"type":"click","x":1,"y":2},"pending_safety_checks":[]"#);
    check(
        &whole(&one, r#""status":"completed""#),
        &format!(r#" | c1 calls computer {{"actions":[{{"type":"click","x":1,"y":2}}]}} | Calls | {COUNTS} | {one}"#),
    );
    let many = call(r#""actions":[{"type":"wait"}],"pending_safety_checks":[{"id":"s"}]"#);
    check(
        &whole(&many, r#""status":"completed""#),
        &format!(
            r#" | c1 calls computer {{"actions":[{{"type":"wait"}}],"pending_safety_checks":[{{"id":"s"}}]}} | Calls | {COUNTS} | {many}"#
        ),
    );
}

#[test]
fn streams_are_read() {
    let stream = |events: &[String]| events.iter().flat_map(|e| ["data: ", e.as_str(), "\n\n"]).collect::<String>();
    let begun = || {
        vec![
            r#"{"type":"response.created","response":{"id":"resp_1","status":"in_progress","output":[]}}"#.to_owned(),
            r#"{"type":"response.reasoning_summary_text.delta","delta":"why"}"#.to_owned(),
            r#"{"type":"response.output_text.delta","delta":"h"}"#.to_owned(),
            r#"{"type":"response.output_text.delta","delta":"i"}"#.to_owned(),
            r#"{"type":"response.new.thing","delta":"i"}"#.to_owned(),
        ]
    };
    let done = |output: &str| {
        format!(r#"{{"type":"response.completed","response":{}}}"#, whole(output, r#""status":"completed""#))
    };
    let mut all = begun();
    all.push(format!(r#"{{"type":"response.output_item.done","output_index":0,"item":{}}}"#, message("hi")));
    all.push(done(&format!("[{}]", message("hi"))));
    check(&stream(&all), &format!("hi | (why) | Stop | {COUNTS}"));
    // Servers that leave the output out at the end, or the items before it.
    *all.last_mut().expect("an event") = done("[]");
    check(&stream(&all), &format!("hi | (why) | Stop | {COUNTS}"));
    all.remove(5);
    check(&stream(&all), &format!("hi | (why) | Stop | {COUNTS}"));
    check(&stream(&begun()), "Transport a broken reply: the stream ended before the reply was complete");
    let after = |event: &str| stream(&[begun(), vec![event.to_owned()]].concat());
    check(
        &after(
            r#"{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}}"#,
        ),
        "Quota the reply is an error: slow",
    );
    check(
        &after(r#"{"type":"error","code":"server_error","message":"boom","param":null}"#),
        "Transport the reply is an error: boom",
    );
    check(
        &after(&format!(
            r#"{{"type":"response.incomplete","response":{}}}"#,
            whole("[]", r#""status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}"#)
        )),
        &format!("hi | (why) | Length | {COUNTS}"),
    );
}
