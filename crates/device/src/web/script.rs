//! Running our JavaScript in a page's isolated world.

use super::page::World;
use handeye_cdp::CdpError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::LazyLock;
use std::time::Duration;

/// The name of the isolated world. Another process may have left one in the same page, so each has a name of its own.
pub(super) fn world() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| format!("handeye {}", own()));
    &NAME
}

/// By this name a page's script tells something without being asked.
pub(super) fn tell() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| format!("{TELL}{}", own()));
    &NAME
}

/// What `TELL` stands for in the source.
const TELL: &str = "__handeyeTell";

/// Something that no other process has.
fn own() -> String {
    static OWN: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
    format!("{:016x}", *OWN)
}

/// Everything that runs in a page, in one function so that nothing lies about in its world.
pub(super) fn library() -> &'static str {
    static SOURCE: LazyLock<String> = LazyLock::new(|| LIBRARY.replace(TELL, tell()));
    &SOURCE
}

const LIBRARY: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("js/core.js"),
    include_str!("js/roles.js"),
    include_str!("js/names.js"),
    include_str!("js/hit.js"),
    include_str!("js/watch.js"),
    include_str!("js/cause.js"),
    include_str!("js/arrival.js"),
    include_str!("js/drag.js"),
    include_str!("js/field.js"),
    include_str!("js/scroll.js"),
    include_str!("js/tree.js"),
    include_str!("js/selector.js"),
    include_str!("js/main.js"),
    "})()"
);

/// Why a script gave no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum ScriptError {
    /// The document went away meanwhile: the page navigated, or the frame is gone. Look again.
    #[error("the document was replaced")]
    DocumentGone,
    #[error(transparent)]
    Cdp(#[from] CdpError),
    /// Our own script failed, or its answer is not what it should be.
    #[error("the page script failed: {0}")]
    Threw(String),
    /// What the user wrote is no selector.
    #[error("`{selector}`: {why}")]
    Selector { selector: String, why: String },
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Evaluated {
    result: RemoteValue,
    exception_details: Option<Exception>,
}
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct RemoteValue {
    value: Option<Value>,
    object_id: Option<String>,
    description: Option<String>,
}
#[derive(serde::Deserialize)]
struct Exception {
    text: String,
    exception: Option<RemoteValue>,
}

impl World {
    /// Calls one of the doors of `js/main.js` and reads its answer.
    pub(super) async fn run<R: DeserializeOwned>(
        &self,
        door: &str,
        args: impl Serialize,
        at_most: Duration,
    ) -> Result<R, ScriptError> {
        let answer = self.evaluate(&call(door, &args)?, true, at_most).await?;
        let Some(Value::String(text)) = answer.value else {
            return Err(ScriptError::Threw(format!("`{door}` gave no text")));
        };
        serde_json::from_str(&text).map_err(|e| ScriptError::Threw(format!("`{door}` gave {e}")))
    }

    /// Calls a door whose answer nobody reads, without waiting.
    pub(super) fn post(&self, door: &str, args: impl Serialize) {
        if let Ok(expression) = call(door, &args) {
            let params = json!({"uniqueContextId": self.context, "expression": expression, "silent": true});
            self.session.post("Runtime.evaluate", params);
        }
    }

    /// A handle of an element for other domains of the protocol. It lives until its document does.
    pub(super) async fn object(&self, id: u64, at_most: Duration) -> Result<String, ScriptError> {
        let answer = self.evaluate(&format!("__handeyeNode({id})"), false, at_most).await?;
        answer.object_id.ok_or(ScriptError::DocumentGone)
    }

    async fn evaluate(&self, expression: &str, value: bool, at_most: Duration) -> Result<RemoteValue, ScriptError> {
        let params = json!({
            "uniqueContextId": self.context, "expression": expression,
            "awaitPromise": value, "returnByValue": value, "silent": true,
        });
        let answer: Evaluated = match self.session.call_within("Runtime.evaluate", params, at_most).await {
            Ok(answer) => answer,
            Err(CdpError::Protocol { message, .. }) if is_document_gone(&message) => {
                return Err(ScriptError::DocumentGone);
            }
            Err(other) => return Err(other.into()),
        };
        match answer.exception_details {
            None => Ok(answer.result),
            Some(thrown) => {
                let said = thrown.exception.and_then(|e| e.description).unwrap_or(thrown.text);
                Err(ScriptError::Threw(said.lines().take(3).collect::<Vec<_>>().join(" ")))
            }
        }
    }
}

fn call(door: &str, args: &impl Serialize) -> Result<String, ScriptError> {
    let args = serde_json::to_string(args).map_err(|e| ScriptError::Threw(e.to_string()))?;
    Ok(format!("__handeye(\"{door}\",{args})"))
}

/// The messages by which the browser says that a context is no more.
pub(super) fn is_document_gone(message: &str) -> bool {
    [
        "uniqueContextId not found",
        "Cannot find context",
        "context was destroyed",
        "navigated or closed",
        "was collected",
        "No frame",
        "Not attached to an active page",
    ]
    .iter()
    .any(|known| message.contains(known))
}
