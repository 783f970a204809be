//! The bare script: the same captures and inputs as a run of ours, and two animation frames after each input.

use super::form::{EMAIL, EMAIL_TEXT, EXPRESS, NAME, NAME_TEXT, SEND, WRAP};
use super::socket::Session;
use crate::web;
use anyhow::{Context, Result};
use serde_json::{Value, json};

/// Opens the form in a tab of its own, fills it in, and closes the tab.
pub(super) fn fill(endpoint: &str, url: &str) -> Result<()> {
    let target: Value = serde_json::from_str(&web::fetch("PUT", &format!("{endpoint}/json/new?about:blank"))?)?;
    let mut page = Session::connect(target["webSocketDebuggerUrl"].as_str().context("the address of a tab")?)?;
    page.call("Page.enable", &json!({}))?;
    let size = json!({"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false});
    page.call("Emulation.setDeviceMetricsOverride", &size)?;
    page.call("Page.navigate", &json!({"url": url}))?;
    page.wait_for("Page.loadEventFired")?;
    for (control, text) in [(NAME, NAME_TEXT), (EMAIL, EMAIL_TEXT)] {
        capture(&mut page)?;
        click(&mut page, control)?;
        key(&mut page, "a", "KeyA", 65, 2)?;
        page.call("Input.insertText", &json!({"text": text}))?;
        two_frames(&mut page)?;
    }
    for control in [EXPRESS, WRAP, SEND] {
        capture(&mut page)?;
        click(&mut page, control)?;
        two_frames(&mut page)?;
    }
    capture(&mut page)?;
    web::fetch("GET", &format!("{endpoint}/json/close/{}", target["id"].as_str().unwrap_or_default()))?;
    Ok(())
}

fn capture(page: &mut Session) -> Result<()> {
    page.call(
        "Page.captureScreenshot",
        &json!({"format": "png", "optimizeForSpeed": true, "captureBeyondViewport": false}),
    )
    .map(|_| ())
}

fn click(page: &mut Session, [left, top, right, bottom]: [f64; 4]) -> Result<()> {
    let (x, y) = (f64::midpoint(left, right), f64::midpoint(top, bottom));
    for (kind, button, clicks) in [("mouseMoved", "none", 0), ("mousePressed", "left", 1), ("mouseReleased", "left", 1)]
    {
        let event = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": clicks});
        page.call("Input.dispatchMouseEvent", &event)?;
    }
    Ok(())
}

/// Selects all, as ours does before it replaces a text.
fn key(page: &mut Session, key: &str, code: &str, number: u32, modifiers: u32) -> Result<()> {
    for kind in ["rawKeyDown", "keyUp"] {
        let mut event =
            json!({"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers});
        if kind == "rawKeyDown" {
            event["commands"] = json!(["selectAll"]);
        }
        page.call("Input.dispatchKeyEvent", &event)?;
    }
    Ok(())
}

fn two_frames(page: &mut Session) -> Result<()> {
    let wait = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";
    page.call("Runtime.evaluate", &json!({"expression": wait, "awaitPromise": true})).map(|_| ())
}
