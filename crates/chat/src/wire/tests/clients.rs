//! Replies that the types of the providers' own clients made (`tests/wire/replies.py`): what our readers make of them, and
//! that those clients accept what is sent back.

use super::{body_is, options, plain, shown, sse, tools};
use crate::wire::{Api, Asked};
use handeye_core::{ChatRequest, Message, Part, Role, ToolResult};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Made {
    api: Api,
    reply: Option<Value>,
    events: Option<Vec<Value>>,
}

impl Made {
    fn body(&self) -> String {
        match (&self.reply, &self.events) {
            (Some(reply), _) => reply.to_string(),
            (None, events) => sse(events.as_deref().unwrap_or_default(), "\n"),
        }
    }
}

fn all() -> Vec<(String, Made)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/wire/replies");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder of replies") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a reply");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let made = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        all.push((name, made));
    }
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    all
}

#[test]
fn what_the_clients_types_make_is_read() {
    // What is sent back is pinned below.
    let short = |text: String| match text.split_once(" | [").or_else(|| text.split_once(" | {")) {
        Some((said, _)) => format!("{said} | …"),
        None => text,
    };
    let lines = all().into_iter().map(|(name, made)| format!("{name}: {}", short(shown(made.api, &made.body()))));
    insta::assert_snapshot!("replies-of-the-clients", lines.collect::<Vec<_>>().join("\n"));
}

/// The conversation goes on with the reply, with what came of each of its calls, and back at the same model.
#[test]
fn what_was_said_is_sent_back() {
    for (name, made) in all() {
        let asked = Asked { has_tools: true, mark: options().mark(made.api), ..Asked::default() };
        let Ok(reply) = made.api.read([made.body().as_bytes()], &asked) else { continue };
        let Some((_, kind)) = name.rsplit_once(made.api.word()) else { panic!("{name}: no {}", made.api) };
        let offered = if kind.starts_with("-computer") { Vec::new() } else { tools().tools };
        let mut request = ChatRequest { tools: offered, ..plain() };
        request.messages.truncate(2);
        request.messages.push(reply.message());
        let results = reply.calls.iter().map(|call| {
            let (id, name) = (call.id.clone(), call.name.clone());
            Part::Result(ToolResult { id, name, ..ToolResult::default() })
        });
        let parts = results.flat_map(|result| [result, Part::Text("It is done.".into())]).collect::<Vec<_>>();
        let parts = if parts.is_empty() { vec![Part::Text("And now?".into())] } else { parts };
        request.messages.push(Message::new(Role::User, parts));
        body_is(made.api, &format!("after{kind}"), &request, &options());
    }
}
