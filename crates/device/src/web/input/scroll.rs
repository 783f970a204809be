//! Scrolling with the wheel, confirmed by how far the box really moved.

use super::super::page::{LOOK_WITHIN, Page, World};
use super::super::verdict::Expect;
use super::super::{WebDevice, fault};
use super::Inner;
use super::pointer::{MOUSE, acknowledged};
use fault::Stop;
use handeye_core::{Ctx, DeviceError, Direction, Effect, Element, Logical, Point, ScrollKind, Verdict};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

const WHAT: &str = "scroll";
/// Of a box's height or width, when no distance is given: the last lines stay in view.
const SCREENFUL: f64 = 0.75;
/// One turn of the wheel to an edge; longer than any page that is not endless.
const FAR: f64 = 100_000.0;
/// A list that goes on loading has no end: it is left after this many turns.
const TURNS: u32 = 30;

/// What `scroller` of `js/scroll.js` gives.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Scroller {
    gone: bool,
    /// Nothing here scrolls that way.
    none: bool,
    /// What does scroll, elsewhere.
    others: Vec<String>,
    id: u64,
    on: String,
    x: f64,
    y: f64,
    at: f64,
    max: f64,
    page: f64,
    frame: Option<i32>,
    inner: Option<Inner>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Extent {
    gone: bool,
    at: f64,
    max: f64,
}

/// A box that scrolls, and where the wheel has to be turned.
struct Place {
    page: Arc<Page>,
    world: World,
    found: Scroller,
    at: Point<Logical>,
}

#[derive(Clone, Copy)]
struct Way {
    axis: &'static str,
    sign: f64,
    /// `bottom`, `top`, `right edge`, `left edge`.
    edge: &'static str,
    verb: &'static str,
}

fn way(direction: Direction) -> Way {
    match direction {
        Direction::Down => Way { axis: "y", sign: 1.0, edge: "bottom", verb: "down" },
        Direction::Up => Way { axis: "y", sign: -1.0, edge: "top", verb: "up" },
        Direction::Right => Way { axis: "x", sign: 1.0, edge: "right edge", verb: "to the right" },
        Direction::Left => Way { axis: "x", sign: -1.0, edge: "left edge", verb: "to the left" },
    }
}

impl WebDevice {
    pub(in super::super) async fn scroll(
        &mut self,
        direction: Direction,
        kind: ScrollKind,
        distance: Option<f64>,
        element: Option<&Element>,
        cx: &Ctx,
    ) -> Result<Effect, Stop> {
        let direction = match kind {
            ScrollKind::SingleAction => direction,
            ScrollKind::ScrollToBottom => Direction::Down,
            ScrollKind::ScrollToTop => Direction::Up,
            ScrollKind::ScrollToRight => Direction::Right,
            ScrollKind::ScrollToLeft => Direction::Left,
        };
        let way = way(direction);
        let place = self.find_scroller(element, way, cx).await?;
        if place.found.none {
            let others = match place.found.others.as_slice() {
                [] => String::new(),
                some => format!("; what scrolls is {}", some.join(", ")),
            };
            return Ok(Effect::new(Verdict::NoOpSuspected, format!("nothing here scrolls {}{others}", way.verb)));
        }
        let on = place.found.on.clone();
        let effect = if kind == ScrollKind::SingleAction {
            let distance = distance.filter(|d| d.is_finite() && *d > 0.0).unwrap_or(place.found.page * SCREENFUL);
            scroll_by(&place, way, distance).await?
        } else {
            scroll_to_edge(&place, way, cx).await?
        };
        Ok(effect.on(on))
    }

    /// What the wheel would move at the element, or in the middle of the page. Begins to watch.
    async fn find_scroller(&mut self, element: Option<&Element>, way: Way, cx: &Ctx) -> Result<Place, Stop> {
        let page = self.front(WHAT)?;
        let main = self.main(&page, WHAT, cx).await?;
        let (width, height) = self.options.viewport;
        let start = element.map_or(Point::new(f64::from(width) / 2.0, f64::from(height) / 2.0), |e| e.point);
        // An element is only the place to turn the wheel at; its box's point is enough, and it need not take clicks.
        let node = element.and_then(|e| e.node.as_ref());
        let mut world = main.clone();
        let mut id = None;
        let mut path = Vec::new();
        let (mut x, mut y) = (start.x, start.y);
        if let Some(node) = node {
            if node.document == main.context {
                id = Some(node.id);
            } else if let Some(inner) = page.inner_worlds().into_iter().find(|w| w.context == node.document) {
                world = inner;
                id = Some(node.id);
            }
        }
        let mut outward: Vec<Inner> = Vec::new();
        loop {
            let args = json!({"id": id, "x": x, "y": y, "axis": way.axis, "sign": way.sign});
            let found: Scroller = world.run("scroller", args, LOOK_WITHIN).await.map_err(|e| fault::script(WHAT, e))?;
            if found.gone {
                let why = handeye_core::DeviceCause::NotFound("the element is not on the page any more".to_owned());
                return Err(DeviceError::new(WHAT, why).into());
            }
            if let (Some(frame), Some(inner)) = (found.frame, found.inner) {
                path.push(frame);
                if let Some(next) = self.world_at(&page, &path, cx).await {
                    (x, y) = (inner.x, inner.y);
                    outward.push(inner);
                    world = next;
                    continue;
                }
            }
            self.watch(&page, vec![world.clone()], Expect::Known);
            let inside = world != main;
            let at = if inside && outward.is_empty() {
                // Found by its number in a frame: the point that the tree gave lies in the main viewport.
                start
            } else {
                let (x, y) = outward.iter().rev().fold((found.x, found.y), |(x, y), inner| inner.outward(x, y));
                Point::new(x, y)
            };
            return Ok(Place { page, world, found, at });
        }
    }
}

async fn turn(place: &Place, way: Way, distance: f64) -> Result<(), DeviceError> {
    let (dx, dy) = if way.axis == "x" { (way.sign * distance, 0.0) } else { (0.0, way.sign * distance) };
    let params = json!({
        "type": "mouseWheel", "x": place.at.x, "y": place.at.y, "deltaX": dx, "deltaY": dy, "pointerType": "mouse",
    });
    acknowledged(&place.page, MOUSE, params, WHAT).await
}

/// Waits until the box stands still.
async fn stand(place: &Place, way: Way, from: f64) -> Result<Extent, DeviceError> {
    let args = json!({"id": place.found.id, "axis": way.axis, "from": from});
    let extent: Extent = place.world.run("scrolled", args, LOOK_WITHIN).await.map_err(|e| fault::script(WHAT, e))?;
    Ok(extent)
}

fn is_at_edge(at: f64, max: f64, way: Way) -> bool {
    // Right-to-left boxes count from 0 down.
    if way.sign > 0.0 { at >= max - 1.5 || (at <= 0.0 && max == 0.0) } else { at.abs() < 1.5 && at >= -1.5 }
}

async fn scroll_by(place: &Place, way: Way, distance: f64) -> Result<Effect, DeviceError> {
    let found = &place.found;
    if is_at_edge(found.at, found.max, way) {
        return Ok(Effect::new(Verdict::NoOpSuspected, format!("{} is at its {} already", found.on, way.edge)));
    }
    turn(place, way, distance).await?;
    let now = stand(place, way, found.at).await?;
    let moved = (now.at - found.at).abs();
    if now.gone {
        return Ok(Effect::unverified("what scrolled is not on the page any more"));
    }
    if moved < 1.0 {
        return Ok(Effect::new(Verdict::NoOpSuspected, format!("{} did not move", found.on)));
    }
    let edge = if is_at_edge(now.at, now.max, way) { format!(" and is at its {}", way.edge) } else { String::new() };
    Ok(Effect::confirmed(format!("{} scrolled {} by {moved:.0}{edge}", found.on, way.verb)))
}

async fn scroll_to_edge(place: &Place, way: Way, cx: &Ctx) -> Result<Effect, DeviceError> {
    let found = &place.found;
    let mut now = Extent { gone: false, at: found.at, max: found.max };
    for _ in 0..TURNS {
        if cx.cancel.is_cancelled() {
            break;
        }
        if !is_at_edge(now.at, now.max, way) {
            let from = now.at;
            turn(place, way, FAR).await?;
            now = stand(place, way, from).await?;
            if now.gone {
                return Ok(Effect::unverified("what scrolled is not on the page any more"));
            }
            if (now.at - from).abs() < 1.0 {
                return Ok(Effect::new(
                    Verdict::NoOpSuspected,
                    format!("{} stopped before its {}", found.on, way.edge),
                ));
            }
        }
        if way.sign < 0.0 {
            break;
        }
        let args = json!({"id": found.id, "axis": way.axis, "max": now.max});
        let grown: Extent = place.world.run("grows", args, LOOK_WITHIN).await.map_err(|e| fault::script(WHAT, e))?;
        let more = grown.max > now.max + 1.0;
        now = grown;
        if !more {
            break;
        }
    }
    let moved = (now.at - found.at).abs();
    if !is_at_edge(now.at, now.max, way) {
        return Ok(Effect::unverified(format!("{} scrolled by {moved:.0}; it goes on loading more", found.on)));
    }
    Ok(Effect::confirmed(if moved < 1.0 {
        format!("{} is at its {} already", found.on, way.edge)
    } else {
        format!("{} is at its {}, {moved:.0} further", found.on, way.edge)
    }))
}
