//! How a picture is shown to a model, and where what the model sees lies on the screen.

use crate::geometry::{FramePx, Point, Rect, SentPx, Size, Unit};
use serde::{Deserialize, Serialize};

/// A part of a picture, scaled and padded. The world makes it; the agent only says how.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// The part of the picture, in its own whole pixels. `None` is all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop: Option<Rect<FramePx>>,
    /// The size to which that part is scaled.
    pub size: Size<SentPx>,
    /// White is added on the right and below, up to a multiple of this.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub block: u32,
    /// A point of the picture, in its own pixels, that a ring is drawn around.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Point<FramePx>>,
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_one(block: &u32) -> bool {
    *block <= 1
}

impl Shown {
    /// At this very size, without padding.
    pub fn at(size: Size<SentPx>) -> Self {
        Self { crop: None, size, block: 1, mark: None }
    }
    /// All of a picture, with its longest edge at most `limit` pixels. Nothing is enlarged.
    pub fn whole(picture: Size<FramePx>, limit: Option<u32>, block: u32) -> Self {
        Self { crop: None, size: picture.sent(limit), block: block.max(1), mark: None }
    }
    /// A part of a picture, enlarged so many times, with its longest edge at most `limit` pixels. The part is cut to whole
    /// pixels that lie on the picture.
    pub fn part(picture: Size<FramePx>, part: Rect<FramePx>, enlarged: f64, limit: Option<u32>, block: u32) -> Self {
        let (left, top) = (
            part.left.floor().clamp(0.0, (picture.width - 1.0).max(0.0)),
            part.top.floor().clamp(0.0, (picture.height - 1.0).max(0.0)),
        );
        let right = part.right().ceil().clamp(left + 1.0, picture.width.max(left + 1.0));
        let bottom = part.bottom().ceil().clamp(top + 1.0, picture.height.max(top + 1.0));
        let crop = Rect::new(left, top, right - left, bottom - top);
        let size = Size::<FramePx>::new(crop.width * enlarged, crop.height * enlarged).sent(limit);
        Self { crop: Some(crop), size, block: block.max(1), mark: None }
    }

    /// With a ring around this point of the picture.
    pub fn marked(self, point: Point<FramePx>) -> Self {
        Self { mark: Some(point), ..self }
    }

    /// Where the mark is on a picture of this size as the model sees it.
    pub fn mark_on(&self, picture: Size<FramePx>) -> Option<Point<SentPx>> {
        let mark = self.mark?;
        let crop = self.crop.unwrap_or(Rect::new(0.0, 0.0, picture.width, picture.height));
        let at = |v: f64, from: f64, side: f64, size: f64| (v - from) / side.max(1.0) * size;
        Some(Point::new(
            at(mark.x, crop.left, crop.width, self.size.width),
            at(mark.y, crop.top, crop.height, self.size.height),
        ))
    }

    /// The size of the picture that the model sees, padding included.
    pub fn canvas(&self) -> Size<SentPx> {
        let block = f64::from(self.block.max(1));
        let padded = |side: f64| (side / block).ceil() * block;
        Size::new(padded(self.size.width), padded(self.size.height))
    }
    /// Nothing has to be done to a picture of this size.
    pub fn is_as_it_is(&self, picture: Size<FramePx>) -> bool {
        let whole = self.crop.is_none_or(|c| c == Rect::new(0.0, 0.0, picture.width, picture.height));
        let canvas = self.canvas();
        self.mark.is_none()
            && whole
            && (canvas.width, canvas.height) == (picture.width, picture.height)
            && self.size == canvas
    }

    /// From a part of what the model sees to a part of what is shown on it: padding is nowhere, so it counts as the edge.
    pub fn content(&self, seen: Point<Unit>) -> Point<Unit> {
        let canvas = self.canvas();
        let inside = |part: f64, canvas: f64, content: f64| (part * canvas / content.max(1.0)).clamp(0.0, 1.0);
        Point::new(inside(seen.x, canvas.width, self.size.width), inside(seen.y, canvas.height, self.size.height))
    }
    /// From a part of what is shown to a part of the whole picture.
    pub fn of_picture(&self, picture: Size<FramePx>, shown: Point<Unit>) -> Point<Unit> {
        let Some(crop) = self.crop else { return shown };
        let at = |from: f64, side: f64, part: f64, all: f64| (from + part * side) / all.max(1.0);
        Point::new(
            at(crop.left, crop.width, shown.x, picture.width),
            at(crop.top, crop.height, shown.y, picture.height),
        )
    }
    /// The same for a rectangle.
    pub fn rect_of_picture(&self, picture: Size<FramePx>, shown: Rect<Unit>) -> Rect<Unit> {
        let a = self.of_picture(picture, Point::new(shown.left, shown.top));
        let b = self.of_picture(picture, Point::new(shown.right(), shown.bottom()));
        Rect::of_corners(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn padding_goes_to_the_next_multiple() {
        let shown = Shown::whole(Size::new(100.0, 80.0), None, 28);
        assert_eq!(shown.canvas(), Size::new(112.0, 84.0));
        // What lies in the padding is at the edge.
        let at = shown.content(Point::new(110.0 / 112.0, 40.0 / 84.0));
        assert_eq!((at.x, at.y), (1.0, 0.5));
        assert!(!shown.is_as_it_is(Size::new(100.0, 80.0)));
        assert!(Shown::whole(Size::new(112.0, 84.0), None, 28).is_as_it_is(Size::new(112.0, 84.0)));
    }

    #[test]
    fn a_part_lies_on_the_picture() {
        let picture = Size::new(1280.0, 720.0);
        let crop = |part: Rect<FramePx>| Shown::part(picture, part, 2.0, None, 1).crop.expect("a part");
        assert_eq!(crop(Rect::new(10.2, 20.9, 100.0, 50.0)), Rect::new(10.0, 20.0, 101.0, 51.0));
        assert_eq!(crop(Rect::new(-5.0, -5.0, 10.0, 10.0)), Rect::new(0.0, 0.0, 5.0, 5.0));
        assert_eq!(crop(Rect::new(2000.0, 2000.0, 10.0, 10.0)), Rect::new(1279.0, 719.0, 1.0, 1.0));
    }

    proptest! {
        /// A pixel of the picture survives the way to the model's picture and back.
        #[test]
        fn every_pixel_maps_back(
            (w, h) in (10.0..4000.0f64, 10.0..4000.0f64),
            (l, t, pw, ph) in (0.0..0.9f64, 0.0..0.9f64, 0.1..1.0f64, 0.1..1.0f64),
            (x, y) in (0.0..1.0f64, 0.0..1.0f64),
            enlarged in prop::sample::select(vec![1.0, 1.5, 2.0]),
            limit in prop::option::of(64u32..4000),
            block in prop::sample::select(vec![1u32, 28, 32]),
        ) {
            let (w, h) = (w.round(), h.round());
            let picture = Size::<FramePx>::new(w, h);
            let part = Rect::new(l * w, t * h, pw * (1.0 - l) * w, ph * (1.0 - t) * h);
            let shown = Shown::part(picture, part, enlarged, limit, block);
            let crop = shown.crop.expect("a part");
            prop_assert!(crop.left >= 0.0 && crop.right() <= w && crop.top >= 0.0 && crop.bottom() <= h);
            // A point of the picture, where the model sees it…
            let (px, py) = (crop.left + x * crop.width, crop.top + y * crop.height);
            let canvas = shown.canvas();
            prop_assert!(canvas.width >= shown.size.width && canvas.width < shown.size.width + f64::from(block));
            let seen = Point::new(x * shown.size.width / canvas.width, y * shown.size.height / canvas.height);
            // … and back.
            let back = picture.place_point(shown.of_picture(picture, shown.content(seen)));
            prop_assert!((back.x - px.min(w - 1.0)).abs() < 1e-6 && (back.y - py.min(h - 1.0)).abs() < 1e-6);
        }
    }
}
