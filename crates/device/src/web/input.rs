//! Input: aiming right before it, sending it, and telling what took it.

mod drag;
mod kept;
mod keymap;
mod keys;
mod pointer;
mod scroll;
mod select;
mod text;
mod upload;

pub(super) use kept::Again;

use super::page::{LOOK_WITHIN, Page, World};
use super::verdict::Expect;
use super::{WebDevice, fault};
use fault::Stop;
use handeye_core::{Ctx, DeviceCause, DeviceError, Effect, Element, Logical, Point, Verdict};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// How long an input may take to be acknowledged: a page that runs scripts for longer is stuck.
const INPUT_WITHIN: Duration = Duration::from_secs(15);

/// A place that was looked at right before the input.
pub(super) struct Aim {
    pub(super) page: Arc<Page>,
    /// In the main viewport.
    pub(super) at: Point<Logical>,
    /// The document that the element lives in, and its number there.
    pub(super) world: World,
    pub(super) id: u64,
    /// `role "name"`.
    pub(super) on: String,
    pub(super) kind: String,
    pub(super) editable: bool,
    /// Every document from that of the element to the main one.
    pub(super) worlds: Vec<World>,
}

/// What a place is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    /// It is to take the input that follows, and is watched from now on.
    Input,
    /// Something is to be dropped there.
    Drop,
}

/// What `aim` of `js/hit.js` gives.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Aimed {
    x: f64,
    y: f64,
    id: u64,
    on: Option<String>,
    kind: String,
    editable: bool,
    disabled: bool,
    gone: bool,
    hidden: bool,
    /// The point lies outside the viewport, of this size.
    outside: bool,
    width: f64,
    height: f64,
    /// Something else would take the input.
    by: Option<String>,
    /// The point lies on this iframe, at this place of its own.
    frame: Option<i32>,
    inner: Option<Inner>,
}

/// A place in an iframe's own coordinates, and where those lie.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct Inner {
    pub(super) x: f64,
    pub(super) y: f64,
    ox: f64,
    oy: f64,
    sx: f64,
    sy: f64,
}

#[derive(Deserialize)]
struct Through {
    x: Option<f64>,
    y: Option<f64>,
    by: Option<String>,
    #[serde(default)]
    out: bool,
}

impl WebDevice {
    /// Looks again at an element, right before an input on it: it must be there, enabled and reachable. Begins to watch.
    pub(super) async fn aim(&mut self, element: &Element, expect: Expect, cx: &Ctx) -> Result<Aim, Stop> {
        let aim = self.look_at(element, cx).await?;
        self.watch(&aim.page, aim.worlds.clone(), expect);
        if let Some(last) = &mut self.last {
            last.at = Some(aim.at);
        }
        Ok(aim)
    }

    async fn look_at(&mut self, element: &Element, cx: &Ctx) -> Result<Aim, Stop> {
        let what = format!("aim at {}", element.label.as_deref().unwrap_or(&element.description));
        let page = self.front(&what)?;
        let found = match &element.node {
            Some(node) => self.aim_at_node(&page, node, element.point, For::Input, &what, cx).await?,
            None => self.aim_at_point(&page, element.point, &what, cx).await?,
        };
        let (aimed, at, worlds) = found;
        let on = aimed.on.clone().unwrap_or_default();
        if let Some(by) = aimed.by {
            let because = format!("{on} cannot be reached at {at}");
            return Err(Effect::new(Verdict::Covered { by }, because).on(on).into());
        }
        if aimed.disabled {
            return Err(Effect::new(Verdict::Refused, format!("{on} is disabled")).on(on).into());
        }
        let Some(world) = worlds.first().cloned() else {
            return Err(DeviceError::failed(what, "the page has no document").into());
        };
        Ok(Aim { page, at, world, id: aimed.id, on, kind: aimed.kind, editable: aimed.editable, worlds })
    }

    /// The point may lie in a frame, and in a frame of that: each document is asked in turn.
    async fn aim_at_point(
        &self,
        page: &Page,
        point: Point<Logical>,
        what: &str,
        cx: &Ctx,
    ) -> Result<(Aimed, Point<Logical>, Vec<World>), Stop> {
        let main = self.main(page, what, cx).await?;
        let mut worlds = vec![main];
        let mut path = Vec::new();
        let (mut x, mut y) = (point.x, point.y);
        loop {
            let Some(world) = worlds.first() else { return Err(DeviceError::failed(what, "no document").into()) };
            let args = json!({"x": x, "y": y});
            let aimed: Aimed = world.run("aim", args, LOOK_WITHIN).await.map_err(|e| fault::script(what, e))?;
            if aimed.outside {
                return Err(DeviceError::failed(
                    what,
                    format!("{point} is outside the page's viewport of {}x{}", aimed.width, aimed.height),
                )
                .into());
            }
            let (Some(frame), Some(inner)) = (aimed.frame, aimed.inner) else { return Ok((aimed, point, worlds)) };
            path.push(frame);
            match self.world_at(page, &path, cx).await {
                Some(world) => {
                    worlds.insert(0, world);
                    (x, y) = (inner.x, inner.y);
                }
                // A frame without a document of its own, or one that is not there yet: the iframe itself takes it.
                None => return Ok((aimed, point, worlds)),
            }
        }
    }

    /// An element of the tree: its own document is asked where it can be reached, then each document around it.
    async fn aim_at_node(
        &self,
        page: &Page,
        node: &handeye_core::NodeRef,
        point: Point<Logical>,
        purpose: For,
        what: &str,
        cx: &Ctx,
    ) -> Result<(Aimed, Point<Logical>, Vec<World>), Stop> {
        let main = self.main(page, what, cx).await?;
        let gone =
            || DeviceError::new(what, DeviceCause::NotFound("the element is not on the page any more".to_owned()));
        let inside = node.document != main.context;
        let (world, path) = if inside {
            let world = page.inner_worlds().into_iter().find(|w| w.context == node.document).ok_or_else(gone)?;
            let path: Vec<i32> =
                world.run("framePath", json!({}), LOOK_WITHIN).await.map_err(|e| fault::script(what, e))?;
            (world, path)
        } else {
            (main, Vec::new())
        };
        // A frame does not know where it lies, so the point within it is looked for anew.
        let (x, y) = if inside { (-1.0, -1.0) } else { (point.x, point.y) };
        let quiet = purpose == For::Drop;
        let args = json!({"id": node.id, "x": x, "y": y, "drop": quiet});
        let mut aimed: Aimed = world.run("aim", args, LOOK_WITHIN).await.map_err(|e| fault::script(what, e))?;
        if aimed.gone {
            let why =
                if aimed.hidden { "the element is hidden now" } else { "the element is not on the page any more" };
            return Err(DeviceError::new(what, DeviceCause::NotFound(why.to_owned())).into());
        }
        let mut worlds = vec![world];
        let mut at = Point::new(aimed.x, aimed.y);
        for depth in (0..path.len()).rev() {
            let outer = if depth == 0 {
                Some(self.main(page, what, cx).await?)
            } else {
                self.world_at(page, &path[..depth], cx).await
            };
            let outer = outer.ok_or_else(gone)?;
            let args = json!({"index": path.get(depth), "x": at.x, "y": at.y, "quiet": quiet});
            let through: Through =
                outer.run("throughFrame", args, LOOK_WITHIN).await.map_err(|e| fault::script(what, e))?;
            let (Some(x), Some(y)) = (through.x, through.y) else { return Err(gone().into()) };
            at = Point::new(x, y);
            if through.out {
                aimed.by = Some("nothing; its frame is scrolled out of the viewport".to_owned());
            } else if aimed.by.is_none() {
                aimed.by = through.by;
            }
            worlds.push(outer);
        }
        Ok((aimed, at, worlds))
    }

    pub(super) async fn main(&self, page: &Page, what: &str, cx: &Ctx) -> Result<World, DeviceError> {
        page.main(cx.instant() + cx.remaining(LOOK_WITHIN)).await.map_err(|e| fault::script(what, e))
    }

    /// The document of the frame at a path of numbers from the top.
    pub(super) async fn world_at(&self, page: &Page, path: &[i32], cx: &Ctx) -> Option<World> {
        if path.is_empty() {
            return self.main(page, "look into a frame", cx).await.ok();
        }
        let worlds = page.inner_worlds();
        let paths = futures_util::future::join_all(
            worlds.iter().map(|w| w.run::<Vec<i32>>("framePath", json!({}), Duration::from_secs(1))),
        )
        .await;
        worlds.into_iter().zip(paths).find(|(_, found)| found.as_ref().is_ok_and(|p| p == path)).map(|(world, _)| world)
    }
}

impl Inner {
    /// A point of the frame in the coordinates of the document around it.
    pub(super) fn outward(&self, x: f64, y: f64) -> (f64, f64) {
        (self.ox + x * self.sx, self.oy + y * self.sy)
    }
}
