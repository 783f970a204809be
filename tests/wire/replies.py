"""Replies as the providers' own clients know them: each is built by their response types, and holds no key that these do not have."""

import anthropic.types as an
import anthropic.types.beta as an_beta
import openai.types.chat as chat
import openai.types.responses as rs
import pydantic
from google.genai import types as gemini

SEAL = "c2VhbGVkIGJ5IHRoZSBwcm92aWRlcg=="


def made(of, **fields):
    """One value of a client's type, as the server would write it."""
    value = pydantic.TypeAdapter(of).validate_python(fields)
    no_strangers(value, type(value).__name__)
    return value.model_dump(mode="json", by_alias=True, exclude_unset=True)


def no_strangers(value, place):
    """The response types let keys pass that they do not know."""
    if isinstance(value, pydantic.BaseModel):
        if value.model_extra:
            raise ValueError(f"{place}: no such keys: {sorted(value.model_extra)}")
        for name in type(value).model_fields:
            no_strangers(getattr(value, name), f"{place}.{name}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            no_strangers(item, f"{place}[{at}]")


def openai_chat():
    usage = {
        "prompt_tokens": 1200,
        "completion_tokens": 40,
        "total_tokens": 1240,
        "prompt_tokens_details": {"cached_tokens": 1024, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 16, "audio_tokens": 0, "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0},
    }

    def whole(message, finish):
        choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish, "logprobs": None}
        return {"reply": made(chat.ChatCompletion, id="chatcmpl-1", object="chat.completion", created=1, model="gpt-1", choices=[choice], usage=usage)}

    def chunk(delta, finish=None, **more):
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        fields = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-1", "choices": [choice], **more}
        return made(chat.ChatCompletionChunk, **fields)

    call = {"id": "call_1", "type": "function", "function": {"name": "tap", "arguments": '{"x": 1}'}}
    yield "text", whole({"content": "<log>Save</log>", "refusal": None}, "stop")
    yield "cut", whole({"content": "<log>Sa", "refusal": None}, "length")
    yield "calls", whole({"content": None, "refusal": None, "tool_calls": [call]}, "tool_calls")
    yield "refused", whole({"content": None, "refusal": "I cannot help with that."}, "stop")
    yield "filtered", whole({"content": "", "refusal": None}, "content_filter")
    yield "stream", {
        "events": [
            chunk({"role": "assistant", "content": ""}),
            chunk({"content": "<log>Sa"}),
            chunk({"content": "ve</log>"}),
            chunk({"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "tap", "arguments": ""}}]}),
            chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"x":'}}]}),
            chunk({"tool_calls": [{"index": 0, "function": {"arguments": " 1}"}}]}),
            chunk({}, "tool_calls"),
            chunk({}, choices=[], usage=usage),
        ]
    }


def openai_responses():
    usage = {
        "input_tokens": 1200,
        "input_tokens_details": {"cached_tokens": 1024, "cache_write_tokens": 0},
        "output_tokens": 40,
        "output_tokens_details": {"reasoning_tokens": 16},
        "total_tokens": 1240,
    }
    reasoning = {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "The button is there."}], "encrypted_content": SEAL, "status": "completed"}
    parts = [{"type": "output_text", "text": "<log>Save</log>", "annotations": [], "logprobs": []}]
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": parts}
    call = {"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": "tap", "arguments": '{"x": 1}', "status": "completed"}
    click = {"type": "click", "button": "left", "x": 10, "y": 20}
    checks = [{"id": "sc_1", "code": "malicious_instructions", "message": "Is it meant?"}]
    one = {"id": "cu_1", "type": "computer_call", "call_id": "call_1", "status": "completed", "pending_safety_checks": checks, "action": click}
    many = {"id": "cu_1", "type": "computer_call", "call_id": "call_1", "status": "completed", "pending_safety_checks": [], "actions": [click, {"type": "wait"}]}

    def response(output, status="completed", **more):
        fields = {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "model": "gpt-1",
            "output": output,
            "status": status,
            "error": None,
            "incomplete_details": None,
            "instructions": None,
            "metadata": {},
            "parallel_tool_calls": True,
            "temperature": 1.0,
            "tool_choice": "auto",
            "tools": [],
            "top_p": 1.0,
            "usage": usage,
            **more,
        }
        return made(rs.Response, **fields)

    def event(at, kind, **fields):
        return made(rs.ResponseStreamEvent, type=kind, sequence_number=at, **fields)

    yield "text", {"reply": response([message])}
    yield "reasoning", {"reply": response([reasoning, message])}
    yield "calls", {"reply": response([reasoning, call])}
    yield "computer", {"reply": response([reasoning, many])}
    yield "computer-preview", {"reply": response([reasoning, one])}
    yield "cut", {"reply": response([message], "incomplete", incomplete_details={"reason": "max_output_tokens"})}
    yield "filtered", {"reply": response([], "incomplete", incomplete_details={"reason": "content_filter"})}
    refusal = {**message, "content": [{"type": "refusal", "refusal": "I cannot help with that."}]}
    yield "refused", {"reply": response([refusal])}
    yield "failed", {"reply": response([], "failed", error={"code": "server_error", "message": "Something broke."}, usage=None)}
    yield "stream", {
        "events": [
            event(0, "response.created", response=response([], "in_progress", usage=None)),
            event(1, "response.output_item.added", output_index=0, item={**reasoning, "summary": [], "status": "in_progress"}),
            event(2, "response.reasoning_summary_text.delta", item_id="rs_1", output_index=0, summary_index=0, delta="The button is there."),
            event(3, "response.output_item.done", output_index=0, item=reasoning),
            event(4, "response.output_item.added", output_index=1, item={**message, "content": [], "status": "in_progress"}),
            event(5, "response.output_text.delta", item_id="msg_1", output_index=1, content_index=0, delta="<log>Save</log>", logprobs=[]),
            event(6, "response.output_item.done", output_index=1, item=message),
            event(7, "response.completed", response=response([reasoning, message])),
        ]
    }
    yield "stream-failed", {
        "events": [
            event(0, "response.created", response=response([], "in_progress", usage=None)),
            event(1, "response.failed", response=response([], "failed", error={"code": "rate_limit_exceeded", "message": "Slow down."}, usage=None)),
        ]
    }
    yield "stream-error", {"events": [event(0, "error", code="server_error", message="Something broke.", param=None)]}


def anthropic():
    usage = {
        "input_tokens": 100,
        "cache_read_input_tokens": 1024,
        "cache_creation_input_tokens": 76,
        "cache_creation": {"ephemeral_5m_input_tokens": 76, "ephemeral_1h_input_tokens": 0},
        "output_tokens": 40,
        "output_tokens_details": {"thinking_tokens": 16},
        "service_tier": "standard",
    }
    thinking = {"type": "thinking", "thinking": "The button is there.", "signature": SEAL}
    redacted = {"type": "redacted_thinking", "data": SEAL}
    text = {"type": "text", "text": "<log>Save</log>", "citations": None}
    call = {"type": "tool_use", "id": "toolu_1", "name": "tap", "input": {"x": 1}}

    def message(content, reason, of=an.Message, **more):
        fields = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-1", "content": content, "stop_reason": reason, "stop_sequence": None, "usage": usage}
        return made(of, **{**fields, **more})

    def event(kind, **fields):
        return made(an.RawMessageStreamEvent, type=kind, **fields)

    def block(index, start, *deltas):
        yield event("content_block_start", index=index, content_block=start)
        for delta in deltas:
            yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)

    yield "text", {"reply": message([text], "end_turn")}
    yield "thinking", {"reply": message([thinking, redacted, text], "end_turn")}
    yield "calls", {"reply": message([thinking, text, call], "tool_use")}
    click = {"type": "tool_use", "id": "toolu_1", "name": "computer", "input": {"action": "left_click", "coordinate": [10, 20]}}
    yield "computer", {"reply": message([thinking, click], "tool_use", an_beta.BetaMessage)}
    yield "cut", {"reply": message([text], "max_tokens")}
    details = {"type": "refusal", "category": "cyber", "explanation": "It could do harm."}
    yield "refused", {"reply": message([], "refusal", stop_details=details)}
    began = message([], None, usage={**usage, "output_tokens": 1})
    stopped = {"stop_reason": "tool_use", "stop_sequence": None}
    yield "stream", {
        "events": [
            event("message_start", message=began),
            *block(
                0,
                {"type": "thinking", "thinking": "", "signature": ""},
                {"type": "thinking_delta", "thinking": "The button "},
                {"type": "thinking_delta", "thinking": "is there."},
                {"type": "signature_delta", "signature": SEAL},
            ),
            {"type": "ping"},
            *block(1, {"type": "text", "text": ""}, {"type": "text_delta", "text": "<log>Sa"}, {"type": "text_delta", "text": "ve</log>"}),
            *block(
                2,
                {"type": "tool_use", "id": "toolu_1", "name": "tap", "input": {}},
                {"type": "input_json_delta", "partial_json": ""},
                {"type": "input_json_delta", "partial_json": '{"x":'},
                {"type": "input_json_delta", "partial_json": " 1}"},
            ),
            event("message_delta", delta=stopped, usage={"output_tokens": 40, "output_tokens_details": {"thinking_tokens": 16}}),
            event("message_stop"),
        ]
    }
    overloaded = made(an.ErrorResponse, type="error", error={"type": "overloaded_error", "message": "Overloaded"}, request_id="req_1")
    yield "stream-error", {"events": [event("message_start", message=began), overloaded]}


def google():
    usage = {"prompt_token_count": 1200, "candidates_token_count": 24, "thoughts_token_count": 16, "cached_content_token_count": 1024, "total_token_count": 1240}

    def reply(parts, finish="STOP", **more):
        candidate = {"index": 0, "content": {"role": "model", "parts": parts}}
        if finish:
            candidate["finish_reason"] = finish
        return made(gemini.GenerateContentResponse, **{"candidates": [candidate], "model_version": "gemini-1", "response_id": "r1", "usage_metadata": usage, **more})

    sealed = {"thought_signature": b"sealed by the provider"}
    thought = {"text": "The button is there.", "thought": True}
    click = {"function_call": {"name": "click_at", "args": {"x": 500, "y": 250}}, **sealed}
    yield "text", {"reply": reply([{"text": "<log>Save</log>"}])}
    yield "thinking", {"reply": reply([thought, {"text": "<log>Save</log>", **sealed}])}
    yield "calls", {"reply": reply([{"function_call": {"id": "f1", "name": "tap", "args": {"x": 1}}, **sealed}, {"function_call": {"id": "f2", "name": "tap", "args": {"x": 2}}}])}
    yield "computer", {"reply": reply([thought, click])}
    yield "cut", {"reply": reply([{"text": "<log>Sa"}], "MAX_TOKENS")}
    yield "safety", {"reply": reply([], "SAFETY")}
    yield "malformed", {"reply": reply([], "MALFORMED_FUNCTION_CALL")}
    blocked = {"block_reason": "PROHIBITED_CONTENT", "block_reason_message": "It is not allowed."}
    yield "blocked", {"reply": made(gemini.GenerateContentResponse, prompt_feedback=blocked, usage_metadata={"prompt_token_count": 1200})}
    yield "stream", {
        "events": [
            reply([{"text": "The button ", "thought": True}], None),
            reply([{"text": "is there.", "thought": True}], None),
            reply([{"text": "<log>Sa"}], None),
            reply([{"text": "ve</log>"}], None),
            reply([{"text": "", **sealed}]),
        ]
    }


def all_of_them():
    apis = {"openai": openai_chat, "openai-responses": openai_responses, "anthropic": anthropic, "gemini": google}
    return {f"{api}-{name}": {"api": api, **reply} for api, replies in apis.items() for name, reply in replies()}
