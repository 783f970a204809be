"""Checks what we send and what we read against the types of the providers' own clients.

- `requests/`: the bodies that our tests wrote are what these clients would send, to the last key.
- `replies/`: what our readers are fed is what these clients' types make; `--write` writes it anew.
"""

import importlib.metadata
import json
import pathlib
import sys

import anthropic.types.beta.message_create_params as anthropic_beta
import anthropic.types.message_create_params as anthropic_params
import openai.types.chat.completion_create_params as chat_params
import openai.types.responses.response_create_params as responses_params
from google.genai import types as gemini

import replies
from fits import faults

HERE = pathlib.Path(__file__).parent



def faults_of_gemini(body):
    """The client has no type for the whole body, but one for each of its fields; they refuse unknown keys."""
    fields = {
        "systemInstruction": gemini.Content.model_validate,
        "contents": lambda items: [gemini.Content.model_validate(item) for item in items],
        "tools": lambda items: [gemini.Tool.model_validate(item) for item in items],
        "generationConfig": gemini.GenerationConfig.model_validate,
    }
    found = [f"$.{key}: is missing" for key in ("contents",) if key not in body]
    for key, value in body.items():
        if key not in fields:
            found.append(f"$.{key}: generateContent has no such field")
            continue
        try:
            fields[key](value)
        except (TypeError, ValueError) as error:
            found.append(f"$.{key}: {error}")
    return found


def faults_of_body(name, body):
    streamed = body.get("stream") is True
    if name.startswith("openai-responses-"):
        of = responses_params.ResponseCreateParamsStreaming if streamed else responses_params.ResponseCreateParamsNonStreaming
    elif name.startswith("openai-"):
        of = chat_params.CompletionCreateParamsStreaming if streamed else chat_params.CompletionCreateParamsNonStreaming
    elif name.startswith("anthropic-"):
        params = anthropic_beta if "computer" in name else anthropic_params
        of = params.MessageCreateParamsStreaming if streamed else params.MessageCreateParamsNonStreaming
    elif name.startswith("gemini-"):
        return faults_of_gemini(body)
    else:
        return [f"{name}: no client is known for it"]
    return faults(body, of)


def snapshot(path):
    """What stands in a snapshot below its header."""
    return json.loads(path.read_text(encoding="utf-8").split("\n---\n", 1)[1])


def check_requests():
    paths = sorted((HERE / "requests").glob("*.snap"))
    found = [f"{path.name} {fault}" for path in paths for fault in faults_of_body(path.stem, snapshot(path))]
    # Types that let anything pass would find no fault at all.
    for path in paths:
        odd = {**snapshot(path), "no_such_key": 1}
        if not faults_of_body(path.stem, odd):
            found.append(f"{path.name}: a key that nobody knows is not found")
    return len(paths), found


def check_replies(write):
    made = replies.all_of_them()
    folder = HERE / "replies"
    found = []
    for name, reply in made.items():
        path = folder / f"{name}.json"
        text = json.dumps(reply, indent=1, ensure_ascii=False) + "\n"
        if write:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            found.append(f"{path.name}: is not what the client's types make of it; run validate.py --write")
    found += [f"{path.name}: nothing makes it" for path in folder.glob("*.json") if path.stem not in made]
    return len(made), found


def main():
    write = sys.argv[1:] == ["--write"]
    bodies, found = check_requests()
    read, more = check_replies(write)
    for fault in found + more:
        print(fault, file=sys.stderr)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("anthropic", "google-genai", "openai"))
    print(f"{bodies} bodies and {read} replies against the types of {versions}: {len(found + more)} faults")
    return 1 if found or more or not bodies else 0


if __name__ == "__main__":
    sys.exit(main())
