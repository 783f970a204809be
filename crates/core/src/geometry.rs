//! Points, rectangles and sizes that know which space they are in.
//!
//! `SentPx ⇄ FramePx ⇄ Logical`. Edges are half open: a rectangle covers `left <= x < left + width`.

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
    fn scaled<V>(self, sx: f64, sy: f64) -> Point<V> {
        Point::new(self.x * sx, self.y * sy)
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
    /// The part that both cover, if any.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let (left, top) = (self.left.max(other.left), self.top.max(other.top));
        let cut = Self::new(left, top, self.right().min(other.right()) - left, self.bottom().min(other.bottom()) - top);
        (!cut.is_empty()).then_some(cut)
    }
    fn scaled<V>(self, sx: f64, sy: f64) -> Rect<V> {
        Rect::new(self.left * sx, self.top * sy, self.width * sx, self.height * sy)
    }
}

/// How a screenshot, the image made of it for a model, and the device's points relate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    pub frame: Size<FramePx>,
    pub sent: Size<SentPx>,
    /// Frame pixels per logical point.
    pub scale: f64,
}

impl View {
    /// The view of a frame that is sent with its longest edge at most `limit` pixels; nothing is ever enlarged.
    pub fn of(frame: Size<FramePx>, scale: f64, limit: Option<u32>) -> Self {
        let longest = frame.width.max(frame.height);
        let shrink = limit.map_or(1.0, |limit| (f64::from(limit.max(1)) / longest.max(1.0)).min(1.0));
        let sent = Size::new((frame.width * shrink).round().max(1.0), (frame.height * shrink).round().max(1.0));
        Self { frame, sent, scale }
    }
    pub fn sent_to_frame(&self, r: Rect<SentPx>) -> Rect<FramePx> {
        r.scaled(self.frame.width / self.sent.width, self.frame.height / self.sent.height)
    }
    pub fn frame_to_logical(&self, r: Rect<FramePx>) -> Rect<Logical> {
        r.scaled(1.0 / self.scale, 1.0 / self.scale)
    }
    pub fn logical_to_frame(&self, r: Rect<Logical>) -> Rect<FramePx> {
        r.scaled(self.scale, self.scale)
    }
    pub fn sent_to_logical(&self, r: Rect<SentPx>) -> Rect<Logical> {
        self.frame_to_logical(self.sent_to_frame(r))
    }
    pub fn point_to_logical(&self, p: Point<SentPx>) -> Point<Logical> {
        p.scaled(self.frame.width / self.sent.width / self.scale, self.frame.height / self.sent.height / self.scale)
    }
    pub fn logical_size(&self) -> Size<Logical> {
        Size::new(self.frame.width / self.scale, self.frame.height / self.scale)
    }
}
