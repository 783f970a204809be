//! Drag and drop: with the held button as pointer events, and through the page's own drag and drop where that begins.

use super::super::page::LOOK_WITHIN;
use super::super::verdict::Expect;
use super::super::{WebDevice, fault};
use super::pointer::{Button, MOUSE, acknowledged, moved, pressed, released};
use super::{Aim, For};
use fault::Stop;
use handeye_core::{Ctx, DeviceError, Effect, Element, Logical, Point};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

const WHAT: &str = "drag";
const DRAG: &str = "Input.dispatchDragEvent";
/// The first moves, in points: a drag begins when the pointer has moved a few.
const LIFT: [f64; 2] = [4.0, 9.0];
/// From there to the goal; each is waited for, as pages follow the pointer frame by frame.
const STEPS: u32 = 8;
/// From so many points off it comes to the goal in a step of its own: many pages look where it comes from.
const APPROACH: f64 = 12.0;
/// So often it is held over the goal until the page makes nothing new of it.
const MOST_HOVERS: u32 = 6;
/// When the page began a drag of its own, the browser tells of it within this time.
const TOLD_WITHIN: Duration = Duration::from_secs(1);

/// What `lifted` of `js/drag.js` gives.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Lifted {
    /// The page's own drag and drop began.
    drags: bool,
}

/// What `hover` of `js/drag.js` gives.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Hovered {
    changes: u32,
    /// It may be dropped there; `None` when the page has no say.
    takes: Option<bool>,
}

impl WebDevice {
    pub(in super::super) async fn drag(&mut self, from: &Element, to: &Element, cx: &Ctx) -> Result<Effect, Stop> {
        // The goal first, without watching it: nothing is taken up when there is nowhere to put it.
        let goal = self.place_of(to, cx).await?;
        let aim = self.aim(from, Expect::Hold, cx).await?;
        let session = aim.page.session.clone();
        aim.page.lock().drag = None;
        // Always: many pages make a thing draggable only when the button goes down on it.
        session.post("Input.setInterceptDrags", json!({"enabled": true}));
        let carried = self.carry(&aim, goal, to, cx).await;
        session.post("Input.setInterceptDrags", json!({"enabled": false}));
        let (goal, takes) = match carried {
            Ok(carried) => carried,
            Err(error) => {
                session.post(MOUSE, released(goal, Button::Left, 1));
                return Err(error);
            }
        };
        if let Some(last) = &mut self.last {
            last.expect = Expect::Drag { refused: takes == Some(false) };
        }
        let how = if takes.is_some() { " (the page's own drag and drop)" } else { "" };
        Ok(Effect::unverified(format!("dragged {} from {} to {goal}{how}", aim.on, aim.at)).on(aim.on))
    }

    /// Where to drop: a place, which need not be a control and may be covered by what is dragged.
    async fn place_of(&self, element: &Element, cx: &Ctx) -> Result<Point<Logical>, Stop> {
        let Some(node) = &element.node else { return Ok(element.point) };
        let page = self.tabs.front().ok_or_else(|| DeviceError::gone(WHAT, "the tab is gone"))?;
        let (_, at, _) = self.aim_at_node(&page, node, element.point, For::Drop, WHAT, cx).await?;
        Ok(at)
    }

    /// Takes it up, brings it to the goal and lets go there. Where that was, and whether the page's own drag and drop took it.
    async fn carry(
        &self,
        aim: &Aim,
        goal: Point<Logical>,
        to: &Element,
        cx: &Ctx,
    ) -> Result<(Point<Logical>, Option<bool>), Stop> {
        let page = &aim.page;
        page.session.post(MOUSE, moved(aim.at, 0));
        acknowledged(page, MOUSE, pressed(aim.at, Button::Left, 1), WHAT).await?;
        let mut at = aim.at;
        for far in LIFT {
            at = towards(aim.at, goal, far);
            acknowledged(page, MOUSE, moved(at, 1), WHAT).await?;
        }
        let lifted: Lifted = aim.world.run("lifted", json!({}), LOOK_WITHIN).await.unwrap_or_default();
        let wait = if lifted.drags { TOLD_WITHIN } else { Duration::ZERO };
        let mut data = page.wait(cx.instant() + wait, |state| state.drag.take()).await;
        // The two may lie so far apart that only one is in view. The thing is held now, so the page can scroll to the goal.
        let goal = self.place_of(to, cx).await?;
        let begin = at;
        for step in 1..=STEPS {
            if data.is_some() {
                break;
            }
            at = between(begin, goal, f64::from(step) / f64::from(STEPS));
            acknowledged(page, MOUSE, moved(at, 1), WHAT).await?;
            data = page.lock().drag.take();
        }
        let drop = Drop { aim, goal, node: to.node.as_ref().map(|n| n.id), cx };
        let takes = match data {
            Some(data) => Some(drop.by_page(&data).await?),
            None => drop.by_pointer().await?,
        };
        Ok((goal, takes))
    }
}

/// The last part of a drag.
struct Drop<'a> {
    aim: &'a Aim,
    goal: Point<Logical>,
    /// The element that is the goal, in its own document.
    node: Option<u64>,
    cx: &'a Ctx,
}

impl Drop<'_> {
    async fn by_pointer(&self) -> Result<Option<bool>, Stop> {
        let page = &self.aim.page;
        let mut seen = Hovered::default();
        for _ in 0..MOST_HOVERS {
            let before = seen.changes;
            seen = self.hover().await;
            // Lists look at each move, and at no rest.
            acknowledged(page, MOUSE, moved(self.goal, 1), WHAT).await?;
            if seen.changes == before {
                break;
            }
        }
        // Told late, the page's own drag is told still.
        let late = page.lock().drag.take();
        if let Some(data) = late {
            return Ok(Some(self.by_page(&data).await?));
        }
        acknowledged(page, MOUSE, released(self.goal, Button::Left, 1), WHAT).await?;
        Ok(None)
    }

    /// A page may move things on each of these events and needs its time for that: it is held over the goal until nothing new
    /// comes of it.
    async fn by_page(&self, data: &Value) -> Result<bool, Stop> {
        let near = towards(self.goal, self.aim.at, APPROACH);
        self.tell("dragEnter", near, data).await?;
        self.tell("dragOver", near, data).await?;
        let mut seen = self.hover().await;
        for turn in 0..MOST_HOVERS {
            let before = seen.changes;
            self.tell("dragOver", self.goal, data).await?;
            seen = self.hover().await;
            if turn > 0 && seen.changes == before {
                break;
            }
        }
        let takes = seen.takes.unwrap_or(true);
        self.tell("drop", self.goal, data).await?;
        acknowledged(&self.aim.page, MOUSE, released(self.goal, Button::Left, 1), WHAT).await?;
        Ok(takes)
    }

    async fn tell(&self, kind: &str, at: Point<Logical>, data: &Value) -> Result<(), DeviceError> {
        let params = json!({"type": kind, "x": at.x, "y": at.y, "data": data});
        acknowledged(&self.aim.page, DRAG, params, WHAT).await
    }

    /// Waits until the page has drawn what it makes of it.
    async fn hover(&self) -> Hovered {
        let alone = self.aim.worlds.len() == 1;
        let args = if alone { json!({"id": self.node, "x": self.goal.x, "y": self.goal.y}) } else { json!({}) };
        // A page that went away or hangs is found out by the settling that follows.
        self.aim.world.run("hover", args, self.cx.remaining(LOOK_WITHIN)).await.unwrap_or_default()
    }
}

/// The point so far on the way, but not beyond its end.
fn towards(from: Point<Logical>, to: Point<Logical>, far: f64) -> Point<Logical> {
    let whole = (to.x - from.x).hypot(to.y - from.y);
    between(from, to, (far / whole.max(1.0)).min(1.0))
}

fn between(from: Point<Logical>, to: Point<Logical>, part: f64) -> Point<Logical> {
    Point::new(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part)
}
