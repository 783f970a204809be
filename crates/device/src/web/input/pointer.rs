//! The mouse.

use super::super::page::Page;
use super::super::verdict::Expect;
use super::super::{WebDevice, fault};
use super::{Aim, INPUT_WITHIN};
use fault::Stop;
use handeye_cdp::{CdpError, Ignored};
use handeye_core::{Ctx, DeviceError, Effect, Element, Logical, Point};
use serde_json::{Value, json};
use std::time::Duration;

#[derive(Clone, Copy)]
pub(super) enum Button {
    Left,
    Right,
}

impl Button {
    fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
    /// The bit of this button in the mask of those that are down.
    fn bit(self) -> u8 {
        match self {
            Self::Left => 1,
            Self::Right => 2,
        }
    }
}

pub(super) fn moved(at: Point<Logical>, buttons: u8) -> Value {
    let button = if buttons == 0 { "none" } else { "left" };
    json!({"type": "mouseMoved", "x": at.x, "y": at.y, "button": button, "buttons": buttons, "pointerType": "mouse"})
}

pub(super) fn pressed(at: Point<Logical>, button: Button, count: u8) -> Value {
    json!({
        "type": "mousePressed", "x": at.x, "y": at.y, "button": button.name(), "buttons": button.bit(),
        "clickCount": count, "pointerType": "mouse",
    })
}

pub(super) fn released(at: Point<Logical>, button: Button, count: u8) -> Value {
    json!({
        "type": "mouseReleased", "x": at.x, "y": at.y, "button": button.name(), "buttons": 0,
        "clickCount": count, "pointerType": "mouse",
    })
}

pub(super) const MOUSE: &str = "Input.dispatchMouseEvent";

/// Waits for the acknowledgement of the last input of a series. A page that leaves or hangs because of it took it.
pub(super) async fn acknowledged(
    page: &Page,
    method: &'static str,
    params: Value,
    what: &str,
) -> Result<(), DeviceError> {
    match page.session.call_within::<Ignored>(method, params, INPUT_WITHIN).await {
        // A refusal means that the frame or the document went away under the input.
        Ok(_) | Err(CdpError::Timeout { .. } | CdpError::Protocol { .. }) => Ok(()),
        Err(error) => Err(fault::cdp(what, error)),
    }
}

impl WebDevice {
    pub(in super::super) async fn tap(&mut self, element: &Element, times: u8, cx: &Ctx) -> Result<Effect, Stop> {
        let aim = self.aim(element, Expect::Click, cx).await?;
        self.click(&aim, Button::Left, times).await?;
        let verb = if times == 1 { "clicked" } else { "double-clicked" };
        Ok(Effect::unverified(format!("{verb} {} at {}", aim.on, aim.at)).on(aim.on))
    }

    pub(in super::super) async fn right_click(&mut self, element: &Element, cx: &Ctx) -> Result<Effect, Stop> {
        let aim = self.aim(element, Expect::Click, cx).await?;
        self.click(&aim, Button::Right, 1).await?;
        Ok(Effect::unverified(format!("right-clicked {} at {}", aim.on, aim.at)).on(aim.on))
    }

    /// The events of a click travel together; only the last one is waited for.
    pub(super) async fn click(&self, aim: &Aim, button: Button, times: u8) -> Result<(), DeviceError> {
        let session = &aim.page.session;
        session.post(MOUSE, moved(aim.at, 0));
        for count in 1..times {
            session.post(MOUSE, pressed(aim.at, button, count));
            session.post(MOUSE, released(aim.at, button, count));
        }
        session.post(MOUSE, pressed(aim.at, button, times));
        acknowledged(&aim.page, MOUSE, released(aim.at, button, times), &format!("click {}", aim.on)).await
    }

    pub(in super::super) async fn hover(&mut self, element: &Element, cx: &Ctx) -> Result<Effect, Stop> {
        let aim = self.aim(element, Expect::Hover, cx).await?;
        acknowledged(&aim.page, MOUSE, moved(aim.at, 0), "move the pointer").await?;
        Ok(Effect::confirmed(format!("the pointer is on {} at {}", aim.on, aim.at)).on(aim.on))
    }

    pub(in super::super) async fn long_press(&mut self, element: &Element, ms: u64, cx: &Ctx) -> Result<Effect, Stop> {
        let aim = self.aim(element, Expect::Hold, cx).await?;
        let session = &aim.page.session;
        session.post(MOUSE, moved(aim.at, 0));
        acknowledged(&aim.page, MOUSE, pressed(aim.at, Button::Left, 1), "press").await?;
        let time = cx.remaining(Duration::from_millis(ms));
        // The time is what the action is; a cancel shortens it, and the button comes up in any case.
        let _ = tokio::time::timeout(time, cx.cancel.cancelled()).await;
        acknowledged(&aim.page, MOUSE, released(aim.at, Button::Left, 1), "release").await?;
        Ok(Effect::unverified(format!("held {} for {} ms", aim.on, time.as_millis())).on(aim.on))
    }
}
