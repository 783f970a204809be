//! Drag and drop: with the held button as pointer events, and through the page's own drag and drop where it has one.

use super::super::page::LOOK_WITHIN;
use super::super::verdict::Expect;
use super::super::{WebDevice, fault};
use super::Aim;
use super::pointer::{Button, MOUSE, acknowledged, moved, pressed, released};
use fault::Stop;
use handeye_cdp::Ignored;
use handeye_core::{Ctx, DeviceError, Effect, Element, Logical, Point, Verdict};
use serde_json::{Value, json};
use std::time::Duration;

const WHAT: &str = "drag";
/// Between the two ends; each is waited for, as pages follow the pointer frame by frame.
const STEPS: u32 = 8;
/// The browser tells of a drag of its own within a few frames after the pointer moved.
const DRAG_STARTS_WITHIN: Duration = Duration::from_millis(250);

impl WebDevice {
    pub(in super::super) async fn drag(&mut self, from: &Element, to: &Element, cx: &Ctx) -> Result<Effect, Stop> {
        // The goal first, without watching it: bringing it into view must not move the start away afterwards.
        let mut goal = self.place_of(to, cx).await?;
        let aim = self.aim(from, Expect::Hold, cx).await?;
        if to.node.is_some() {
            goal = self.place_of(to, cx).await?;
        }
        let draggable: bool = aim
            .world
            .run("isDraggable", json!({"id": aim.id}), LOOK_WITHIN)
            .await
            .map_err(|e| fault::script(WHAT, e))?;
        let session = aim.page.session.clone();
        aim.page.lock().drag = None;
        if draggable {
            let on = session.call::<Ignored>("Input.setInterceptDrags", json!({"enabled": true})).await;
            on.map_err(|e| fault::cdp(WHAT, e))?;
        }
        let dragged = carry(&aim, goal, draggable, cx).await;
        if draggable {
            session.post("Input.setInterceptDrags", json!({"enabled": false}));
        }
        let html = dragged?;
        let how = if html { " (the page's own drag and drop)" } else { "" };
        Ok(Effect::unverified(format!("dragged {} from {} to {goal}{how}", aim.on, aim.at)).on(aim.on))
    }

    /// Where to drop: a place, which need not be a control and may be covered by what is dragged.
    async fn place_of(&mut self, element: &Element, cx: &Ctx) -> Result<Point<Logical>, Stop> {
        if element.node.is_none() {
            return Ok(element.point);
        }
        match self.look_at(element, true, cx).await {
            Ok(aim) => Ok(aim.at),
            Err(Stop::Effect(effect)) if matches!(effect.verdict, Verdict::Covered { .. } | Verdict::Refused) => {
                Ok(element.point)
            }
            Err(other) => Err(other),
        }
    }
}

/// Moves from the aim to the goal with the button held. Whether the page's own drag and drop took over.
async fn carry(aim: &Aim, goal: Point<Logical>, draggable: bool, cx: &Ctx) -> Result<bool, DeviceError> {
    let page = &aim.page;
    page.session.post(MOUSE, moved(aim.at, 0));
    acknowledged(page, MOUSE, pressed(aim.at, Button::Left, 1), WHAT).await?;
    for step in 1..=STEPS {
        // The first steps are short: a drag starts when the pointer has moved a few points.
        let part = (f64::from(step) / f64::from(STEPS)).powi(2);
        let at = Point::new(aim.at.x + (goal.x - aim.at.x) * part, aim.at.y + (goal.y - aim.at.y) * part);
        acknowledged(page, MOUSE, moved(at, 1), WHAT).await?;
        if !draggable || step < 2 {
            continue;
        }
        let wait = if step == 2 { DRAG_STARTS_WITHIN } else { Duration::ZERO };
        let taken = page.wait(cx.instant() + wait, |state| state.drag.take()).await;
        if let Some(data) = taken {
            drop_at(aim, goal, &data).await?;
            return Ok(true);
        }
    }
    // Some pages look where the pointer rests before they accept the drop.
    acknowledged(page, MOUSE, moved(goal, 1), WHAT).await?;
    let late = page.lock().drag.take();
    if let Some(data) = late {
        drop_at(aim, goal, &data).await?;
        return Ok(true);
    }
    acknowledged(page, MOUSE, released(goal, Button::Left, 1), WHAT).await?;
    Ok(false)
}

async fn drop_at(aim: &Aim, goal: Point<Logical>, data: &Value) -> Result<(), DeviceError> {
    for kind in ["dragEnter", "dragOver", "dragOver", "drop"] {
        let params = json!({"type": kind, "x": goal.x, "y": goal.y, "data": data});
        acknowledged(&aim.page, "Input.dispatchDragEvent", params, WHAT).await?;
    }
    acknowledged(&aim.page, MOUSE, released(goal, Button::Left, 1), WHAT).await
}
