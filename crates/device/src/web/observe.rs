//! Looking: the frame, the place, and what else there is to tell, in as few round trips as the protocol allows.

use super::navigate::title;
use super::page::{LOOK_WITHIN, Load, Page, World};
use super::script::{ScriptError, is_document_gone};
use super::settle::Last;
use super::tree::{self, FrameTree};
use super::{WebDevice, fault};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join_all;
use handeye_cdp::CdpError;
use handeye_core::{Ctx, DeviceError, Frame, Image, ImageFormat, Observation, Place, Want};
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

const WHAT: &str = "look at the page";
/// A frame of a page that is not stuck takes well under a second.
const CAPTURE_WITHIN: Duration = Duration::from_secs(10);
/// A page that waits for another one, and that was looked at so before, answers this soon if it does at all.
const LATE_WITHIN: Duration = Duration::from_millis(300);
/// A page that is being replaced tells of the next document about this soon.
const NEWS_WITHIN: Duration = Duration::from_millis(100);
/// How often a look is repeated when the page is replaced under it, as in a chain of redirects.
const TRIES: u32 = 6;

/// What `observe` of `js/main.js` gives.
#[derive(Deserialize)]
struct Seen {
    url: String,
    title: String,
    time: String,
    path: Vec<i32>,
    tree: Option<FrameTree>,
}

#[derive(Deserialize)]
struct Shot {
    data: String,
}

impl WebDevice {
    pub(super) async fn look(&mut self, want: &Want, cx: &Ctx) -> Result<Observation, DeviceError> {
        let mut failed = None;
        for _ in 0..TRIES {
            let page = self.front(WHAT)?;
            match self.look_once(&page, want, cx).await {
                Ok(mut observation) => {
                    self.catch_up();
                    if want.frame {
                        self.tell(&page, &mut observation);
                    }
                    return Ok(observation);
                }
                // Another document, or another tab: look again, at once or when there is news of it.
                Err(error @ ScriptError::DocumentGone) => {
                    let news = page.news();
                    page.wait(cx.instant() + cx.remaining(NEWS_WITHIN), |s| (s.gone || s.news != news).then_some(()))
                        .await;
                    failed = Some(error);
                }
                Err(ScriptError::Cdp(error @ CdpError::Gone { .. })) => {
                    if !self.is_replaced(&page, cx).await {
                        return Err(fault::cdp(WHAT, error));
                    }
                    failed = Some(ScriptError::Cdp(error));
                }
                Err(ScriptError::Cdp(error @ CdpError::Timeout { .. })) if page.lock().load == Load::Leaving => {
                    if page.lock().documents > 0 {
                        return self.look_from_outside(&page, want, cx).await;
                    }
                    if !self.close_silent(&page) {
                        return Err(fault::cdp(WHAT, error));
                    }
                    failed = Some(ScriptError::Cdp(error));
                }
                Err(error) => return Err(fault::script(WHAT, error)),
            }
        }
        Err(fault::script(WHAT, failed.unwrap_or(ScriptError::DocumentGone)))
    }

    async fn look_once(&mut self, page: &Page, want: &Want, cx: &Ctx) -> Result<Observation, ScriptError> {
        let at_most = cx.remaining(if page.is_late() { LATE_WITHIN } else { LOOK_WITHIN });
        let main = page.main(cx.instant() + at_most).await?;
        let inner = if want.tree { page.inner_worlds() } else { Vec::new() };
        let shot = async { if want.frame { self.capture(page, cx).await.map(Some) } else { Ok(None) } };
        let promised = async {
            match &self.promise {
                Some(again) if want.frame => again.ask().await,
                _ => None,
            }
        };
        let (frame, seen, broken, frames) = tokio::join!(
            shot,
            look_into(&main, want, at_most),
            promised,
            // A frame that goes away or is stuck leaves its part of the tree out; the rest is still true.
            join_all(inner.iter().map(|world| look_into(world, want, at_most.min(Duration::from_secs(2))))),
        );
        let (frame, mut seen) = (frame?, seen?);
        if let (Some(selector), Some(why)) = (&want.selector, seen.tree.as_mut().and_then(|own| own.error.take())) {
            return Err(ScriptError::Selector { selector: selector.to_string(), why });
        }
        if let Some(effect) = broken {
            self.promise = None;
            self.notes.push(super::Note::broken(&effect));
        }
        let tree = seen.tree.take().map(|own| {
            let frames = inner.iter().zip(frames).filter_map(|(world, seen)| {
                let seen = seen.ok()?;
                Some((seen.path, world.context.clone(), seen.tree?))
            });
            tree::join(&main.context, own, frames.collect(), want.region)
        });
        self.time.clone_from(&seen.time);
        if let Some(frame) = &frame {
            self.seen = Some(frame.image.clone());
        }
        Ok(Observation {
            frame,
            tree,
            place: Place { url: seen.url, title: seen.title },
            device_time: seen.time,
            ..Observation::default()
        })
    }

    /// A look at a page whose script is held back, since another page is on its way: the browser itself answers for it.
    async fn look_from_outside(&mut self, page: &Page, want: &Want, cx: &Ctx) -> Result<Observation, DeviceError> {
        let (there, url) = {
            let mut state = page.lock();
            state.awaited.late = true;
            (state.awaited.url.clone(), state.url.clone())
        };
        if !want.frame {
            return Err(DeviceError::failed(WHAT, format!("{there} is on its way and has not answered yet"))
                .with_hint("wait for it, or go on: what is done on this page gives the other one up"));
        }
        let frame = self.capture(page, cx).await.map_err(|e| fault::script(WHAT, e))?;
        let title = title(page).await.unwrap_or_default();
        self.catch_up();
        self.seen = Some(frame.image.clone());
        let mut seen = Observation {
            frame: Some(frame),
            place: Place { url, title },
            device_time: self.time.clone(),
            ..Observation::default()
        };
        self.tell(page, &mut seen);
        seen.notes.push(format!(
            "{there} is on its way and has not answered yet, so this is still the page before; wait for it, go to another \
             page, or go on here, which gives it up"
        ));
        Ok(seen)
    }

    /// What is told once, and to whoever looks at the screen: a look at the tree alone must not swallow it.
    fn tell(&mut self, page: &Page, seen: &mut Observation) {
        seen.dialogs = std::mem::take(&mut self.dialogs);
        seen.notes = std::mem::take(&mut self.notes).into_iter().map(super::Note::text).collect();
        seen.notes.extend(bad_status(page));
        let untold = std::mem::take(&mut self.untold);
        if untold > 0 {
            seen.notes.push(format!("{untold} more dialogs opened before the last one"));
        }
    }

    /// How many parts of the screen are another than before the action, beside those that change anyway and the place of the
    /// pointer itself.
    pub(super) async fn drawn(&self, page: &Page, last: Option<&Last>, cx: &Ctx) -> usize {
        let Some(before) = self.seen.clone() else { return 0 };
        let (Ok(first), Ok(second)) = (self.capture(page, cx).await, self.capture(page, cx).await) else { return 0 };
        let around = last.and_then(|l| l.at).map(|at| {
            let (x, y, margin) = (at.x * first.scale, at.y * first.scale, 24.0 * first.scale);
            handeye_core::Rect::new(x - margin, y - margin, 2.0 * margin, 2.0 * margin)
        });
        let compare = move || {
            let [before, first, second] = [&before, &first.image, &second.image].map(handeye_image::decode);
            let (before, first, second) = (before.ok()?, first.ok()?, second.ok()?);
            let mut ignored = handeye_image::changed_tiles(&first, &second, &[]).ok()?;
            ignored.extend(around);
            handeye_image::changed_tiles(&before, &second, &ignored).ok().map(|tiles| tiles.len())
        };
        tokio::task::spawn_blocking(compare).await.ok().flatten().unwrap_or(0)
    }

    /// The viewport as the browser draws it.
    pub(super) async fn capture(&self, page: &Page, cx: &Ctx) -> Result<Frame, ScriptError> {
        let params = json!({"format": "png", "optimizeForSpeed": true, "captureBeyondViewport": false});
        let shot = page.session.call_within::<Shot>("Page.captureScreenshot", params, cx.remaining(CAPTURE_WITHIN));
        let shot = match shot.await {
            Err(CdpError::Protocol { message, .. }) if is_document_gone(&message) => {
                return Err(ScriptError::DocumentGone);
            }
            shot => shot?,
        };
        let at = cx.now();
        let bytes = STANDARD.decode(shot.data.as_bytes()).map_err(|e| ScriptError::Threw(e.to_string()))?;
        let size = handeye_image::png_size(&bytes).map_err(|e| ScriptError::Threw(e.to_string()))?;
        let scale = size.width / f64::from(self.options.viewport.0);
        Ok(Frame { image: Image::new(bytes, ImageFormat::Png, size), scale, at })
    }
}

/// That the server answered with an error when it was asked for this page; told once for each document.
fn bad_status(page: &Page) -> Option<String> {
    let mut state = page.lock();
    let status = state.status.as_mut().filter(|status| !status.told)?;
    status.told = true;
    let line = status.line.clone();
    Some(format!("the server answered {line} when it was asked for {}", state.url))
}

async fn look_into(world: &World, want: &Want, at_most: Duration) -> Result<Seen, ScriptError> {
    // The region is cut out when the frames are joined: a frame does not know where it lies.
    world.run("observe", json!({"tree": want.tree, "selector": want.selector}), at_most).await
}
