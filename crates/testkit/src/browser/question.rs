//! One question to one page over DevTools, and no more: tests judge the page without the code that they test.

use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::Duration;
use tokio_tungstenite::tungstenite::{self, Message};

/// Whether the expression is true in a page of the browser at `endpoint`.
pub(super) fn is_true(endpoint: &str, expression: &str, newest: bool) -> Result<bool, String> {
    let page = page(endpoint, newest)?;
    let script =
        format!("(()=>{{try{{return String(Boolean({expression}))}}catch(e){{return 'the page says: '+e}}}})()");
    match evaluate(&page, &script)?.as_str() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        other => Err(other.unwrap_or("no text came back").to_owned()),
    }
}

/// The DevTools address of a page. Chromium names the newest first.
fn page(endpoint: &str, newest: bool) -> Result<String, String> {
    let targets = crate::http::get(&format!("{endpoint}/json/list")).map_err(|e| format!("{endpoint}: {e}"))?.json();
    let is_page = |t: &&Value| {
        let address = t["url"].as_str().unwrap_or_default();
        t["type"] == "page" && !["about:", "chrome:", "devtools:"].iter().any(|p| address.starts_with(p))
    };
    let pages: Vec<&Value> = targets.as_array().into_iter().flatten().filter(is_page).collect();
    let page = if newest { pages.first() } else { pages.last() }.ok_or("no page is left")?;
    Ok(page["webSocketDebuggerUrl"].as_str().unwrap_or_default().to_owned())
}

fn evaluate(page: &str, script: &str) -> Result<Value, String> {
    let said = |e: tungstenite::Error| format!("{page}: {e}");
    let host = page.trim_start_matches("ws://").split('/').next().unwrap_or_default();
    let stream = TcpStream::connect(host).map_err(|e| format!("{host}: {e}"))?;
    let limit = stream.set_read_timeout(Some(Duration::from_secs(10)));
    limit.map_err(|e| e.to_string())?;
    let (mut socket, _) = tungstenite::client(page, stream).map_err(|e| e.to_string())?;
    let call = json!({"id": 1, "method": "Runtime.evaluate",
        "params": {"expression": script, "returnByValue": true, "awaitPromise": true}});
    socket.send(Message::text(call.to_string())).map_err(said)?;
    loop {
        let message = socket.read().map_err(said)?;
        let answer: Value = serde_json::from_slice(&message.into_data()).unwrap_or_default();
        if answer["id"] == 1 {
            return Ok(answer["result"]["result"]["value"].clone());
        }
    }
}
