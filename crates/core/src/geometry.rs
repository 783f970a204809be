//! Points, rectangles and sizes that know which space they are in.
//!
//! [`Unit`] is the hub: a model's coordinates become parts of the picture, and parts become a place in any space of known
//! [`Size`], with [`Size::place`] and [`Size::part`]. Edges are half open: a rectangle covers `left <= x < left + width`.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// Points that the device's input takes: CSS pixels in a browser, points or dp on a phone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Logical;
/// Pixels of the screenshot as the device encoded it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FramePx;
/// Pixels of the image that a model was shown, after resizing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SentPx;

/// Parts of a picture, from 0 to 1 across its width and down its height, whatever its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Unit;

/// A place in the space `U`. Serialised as `[x, y]`.
#[derive(Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]", bound = "")]
pub struct Point<U> {
    pub x: f64,
    pub y: f64,
    space: PhantomData<fn() -> U>,
}

/// Width and height in the space `U`. Serialised as `[width, height]`.
#[derive(Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]", bound = "")]
pub struct Size<U> {
    pub width: f64,
    pub height: f64,
    space: PhantomData<fn() -> U>,
}

/// An upright rectangle in the space `U`. Serialised as `[left, top, width, height]`.
#[derive(Serialize, Deserialize)]
#[serde(from = "[f64; 4]", into = "[f64; 4]", bound = "")]
pub struct Rect<U> {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    space: PhantomData<fn() -> U>,
}

// Written out because a derive would ask the same of `U`, which is only a name.
macro_rules! plain_data {
    ($name:ident { $($field:ident),+ }) => {
        impl<U> Clone for $name<U> { fn clone(&self) -> Self { *self } }
        impl<U> Copy for $name<U> {}
        impl<U> PartialEq for $name<U> {
            fn eq(&self, other: &Self) -> bool { $(self.$field == other.$field)&&+ }
        }
        impl<U> Default for $name<U> { fn default() -> Self { Self { $($field: 0.0,)+ space: PhantomData } } }
        impl<U> fmt::Debug for $name<U> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list()$(.entry(&self.$field))+.finish()
            }
        }
        impl<U> $name<U> { pub const fn new($($field: f64),+) -> Self { Self { $($field,)+ space: PhantomData } } }
    };
}
plain_data!(Point { x, y });
plain_data!(Size { width, height });
plain_data!(Rect { left, top, width, height });

impl<U> From<[f64; 2]> for Point<U> {
    fn from([x, y]: [f64; 2]) -> Self {
        Self::new(x, y)
    }
}
impl<U> From<Point<U>> for [f64; 2] {
    fn from(p: Point<U>) -> Self {
        [p.x, p.y]
    }
}
impl<U> From<[f64; 2]> for Size<U> {
    fn from([width, height]: [f64; 2]) -> Self {
        Self::new(width, height)
    }
}
impl<U> From<Size<U>> for [f64; 2] {
    fn from(s: Size<U>) -> Self {
        [s.width, s.height]
    }
}
impl<U> From<[f64; 4]> for Rect<U> {
    fn from([left, top, width, height]: [f64; 4]) -> Self {
        Self::new(left, top, width, height)
    }
}
impl<U> From<Rect<U>> for [f64; 4] {
    fn from(r: Rect<U>) -> Self {
        [r.left, r.top, r.width, r.height]
    }
}

impl<U> fmt::Display for Point<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:.0}, {:.0})", self.x, self.y)
    }
}
impl<U> fmt::Display for Size<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0}x{:.0}", self.width, self.height)
    }
}
impl<U> fmt::Display for Rect<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0}x{:.0} at ({:.0}, {:.0})", self.width, self.height, self.left, self.top)
    }
}

impl<U> Point<U> {
    /// Straight-line distance, in the unit of the space.
    pub fn distance(self, other: Self) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

impl<U> Rect<U> {
    /// From two opposite corners, in any order.
    pub fn of_corners(a: Point<U>, b: Point<U>) -> Self {
        Self::new(a.x.min(b.x), a.y.min(b.y), (a.x - b.x).abs(), (a.y - b.y).abs())
    }
    pub fn right(&self) -> f64 {
        self.left + self.width
    }
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }
    pub fn center(&self) -> Point<U> {
        Point::new(self.left + self.width / 2.0, self.top + self.height / 2.0)
    }
    pub fn area(&self) -> f64 {
        self.width.max(0.0) * self.height.max(0.0)
    }
    pub fn is_empty(&self) -> bool {
        !(self.width > 0.0 && self.height > 0.0)
    }
    pub fn contains(&self, p: Point<U>) -> bool {
        p.x >= self.left && p.x < self.right() && p.y >= self.top && p.y < self.bottom()
    }
    /// The smallest rectangle around both.
    pub fn around(&self, other: &Self) -> Self {
        let (left, top) = (self.left.min(other.left), self.top.min(other.top));
        Self::new(left, top, self.right().max(other.right()) - left, self.bottom().max(other.bottom()) - top)
    }
    /// The part that both cover, if any.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let (left, top) = (self.left.max(other.left), self.top.max(other.top));
        let cut = Self::new(left, top, self.right().min(other.right()) - left, self.bottom().min(other.bottom()) - top);
        (!cut.is_empty()).then_some(cut)
    }
}

impl<U> Size<U> {
    /// Where that part of a picture of this size lies.
    pub fn place(self, part: Rect<Unit>) -> Rect<U> {
        let (left, top) = (part.left * self.width, part.top * self.height);
        Rect::new(left, top, part.width * self.width, part.height * self.height)
    }
    /// Where that point of a picture of this size lies: always on it, because edges are half open.
    pub fn place_point(self, part: Point<Unit>) -> Point<U> {
        let inside = |v: f64, most: f64| (v * most).clamp(0.0, (most - 1.0).max(0.0));
        Point::new(inside(part.x, self.width), inside(part.y, self.height))
    }
    /// Which part of a picture of this size a rectangle is.
    pub fn part(self, place: Rect<U>) -> Rect<Unit> {
        let (width, height) = (self.width.max(f64::MIN_POSITIVE), self.height.max(f64::MIN_POSITIVE));
        Rect::new(place.left / width, place.top / height, place.width / width, place.height / height)
    }
}

impl Size<FramePx> {
    /// The size of the image that is made of this frame for a model, with its longest edge at most `limit` pixels. Nothing is
    /// ever enlarged.
    pub fn sent(self, limit: Option<u32>) -> Size<SentPx> {
        let longest = self.width.max(self.height).max(1.0);
        let shrink = limit.map_or(1.0, |limit| (f64::from(limit.max(1)) / longest).min(1.0));
        Size::new((self.width * shrink).round().max(1.0), (self.height * shrink).round().max(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_frame_is_sent_at_most_as_long_as_the_limit() {
        let sent = |w: f64, h: f64, limit| Size::<FramePx>::new(w, h).sent(limit).to_string();
        assert_eq!(sent(2560.0, 1440.0, None), "2560x1440");
        assert_eq!(sent(2560.0, 1440.0, Some(1280)), "1280x720");
        assert_eq!(sent(1440.0, 2561.0, Some(1000)), "562x1000");
        assert_eq!(sent(640.0, 480.0, Some(1280)), "640x480");
        assert_eq!(sent(4000.0, 1.0, Some(10)), "10x1");
    }

    proptest! {
        /// A place survives the way to a part and back, in every space, and a point of a picture lies on the picture.
        #[test]
        fn parts_and_places_are_the_same_thing(
            (w, h) in (1.0..8000.0f64, 1.0..8000.0f64),
            (l, t, pw, ph) in (0.0..1.0f64, 0.0..1.0f64, 0.0..1.0f64, 0.0..1.0f64),
            limit in proptest::option::of(1u32..4000),
        ) {
            let frame = Size::<FramePx>::new(w, h);
            let part = Rect::<Unit>::new(l, t, pw * (1.0 - l), ph * (1.0 - t));
            let sent = frame.sent(limit);
            for back in [frame.part(frame.place(part)), sent.part(sent.place(part))] {
                let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
                prop_assert!(near(back.left, part.left) && near(back.top, part.top));
                prop_assert!(near(back.width, part.width) && near(back.height, part.height));
            }
            let whole = Rect::new(0.0, 0.0, w.max(1.0), h.max(1.0));
            prop_assert!(whole.contains(frame.place_point(part.center())));
            prop_assert!(sent.width <= w.round().max(1.0) && sent.height <= h.round().max(1.0));
        }
    }
}
