//! The part of the screen around something, that a model is to look at enlarged.

use crate::settings::Settings;
use handeye_core::{Family, Frame, FramePx, Logical, Rect, Shown, Size};

/// How many times larger a part is shown.
const ENLARGED: f64 = 2.0;

/// How much is taken around it on each side, in points.
const MARGIN: f64 = 100.0;
/// The least area of a part, in square points: what surrounds a small thing tells it from those that look alike.
const LEAST: f64 = 400.0 * 400.0;

/// The part around a rectangle: 100 points more on each side, and 400 by 400 at least. At an edge it is moved, not cut, so that it
/// is smaller only where the screen is.
pub(crate) fn around(rect: Rect<Logical>, screen: Size<Logical>) -> Rect<Logical> {
    let wide = Rect::new(
        rect.left - MARGIN,
        rect.top - MARGIN,
        rect.width.max(0.0) + 2.0 * MARGIN,
        rect.height.max(0.0) + 2.0 * MARGIN,
    );
    let part = moved(wide, screen);
    if part.area() >= LEAST || part.is_empty() {
        return part;
    }
    let scale = (LEAST / part.area()).sqrt();
    let (width, height) = (half_up(part.width * scale), half_up(part.height * scale));
    let middle = part.center();
    moved(Rect::new(half_up(middle.x - width / 2.0), half_up(middle.y - height / 2.0), width, height), screen)
}

/// How a model of this family is shown that part of a frame.
pub(crate) fn enlarged(part: Rect<Logical>, frame: &Frame, settings: &Settings, family: &Family) -> Shown {
    let [left, top, width, height] = <[f64; 4]>::from(part).map(|v| v * frame.scale);
    let cut = Rect::<FramePx>::new(left, top, width, height);
    Shown::part(frame.image.size, cut, ENLARGED, settings.image_limit, family.block)
}

/// Onto the screen, at its size as far as the screen goes.
fn moved(part: Rect<Logical>, screen: Size<Logical>) -> Rect<Logical> {
    let (width, height) = (part.width.min(screen.width), part.height.min(screen.height));
    let left = part.left.clamp(0.0, (screen.width - width).max(0.0));
    let top = part.top.clamp(0.0, (screen.height - height).max(0.0));
    Rect::new(left, top, width, height)
}

/// The whole number next to it; of two, the greater.
fn half_up(value: f64) -> f64 {
    (value + 0.5).floor()
}

#[cfg(test)]
mod tests;
