//! Coordinates as models write them, brought into the frame-independent form of 0 to 1.
//!
//! A box may come as a list, a nested list, a text, or an object with named sides; in the order x, y or y, x as the family
//! does. What has one reading is read; a place that would have to be guessed is refused, with the value in the message.
//!
//! ```
//! use handeye_agent::read::{BoxError, coordinates};
//! use handeye_core::{Family, Shown, Size};
//! use serde_json::json;
//!
//! let family = Family::default_family();
//! let shown = Shown::at(Size::new(1280.0, 720.0));
//! let spot = coordinates(&json!([0, 0, 31, 55]), family, &shown).expect("a box");
//! assert_eq!(spot.rect, Some([0.0, 0.0, 0.031, 0.055].into()));
//! assert!(matches!(coordinates(&json!([1110, 640, 1270, 684]), family, &shown), Err(BoxError::Range { .. })));
//! assert!(matches!(coordinates(&json!(null), family, &shown), Err(BoxError::Absent)));
//! ```

mod numbers;
mod shapes;
#[cfg(test)]
mod tests;

use handeye_core::text::clip;
use handeye_core::{Family, Order, Point, Rect, Scale, Shape, Shown, Unit};
use serde_json::Value;
use shapes::Raw;

/// How far outside an edge of a box may lie, as a part of the range: models round and pad.
const OVERSHOOT: f64 = 0.02;
/// How far outside the middle may lie, as a part of the range: the last unit.
const OVERSHOOT_OF_MIDDLE: f64 = 0.001;

/// A place on what a model was shown, without its padding.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// `None` when the model gave a point, or a box without an area.
    pub rect: Option<Rect<Unit>>,
    /// The point, or the middle of the box.
    pub point: Point<Unit>,
    /// One short text for each repair.
    pub repairs: Vec<String>,
}

/// Why there is no place. The messages are for the model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BoxError {
    #[error("no place was given: the box is empty, so nothing can be clicked there")]
    Absent,
    #[error("`{value}` is not a box: {why}; give {form}")]
    Shape { value: String, why: String, form: String },
    #[error("`{value}` is outside the picture: {range}; give {form}")]
    Range { value: String, range: String, form: String },
}

/// Reads a place that a model of this family gave on a picture that it was shown so.
///
/// # Errors
/// [`BoxError::Absent`] for null, an empty text or list, four zeros, and nothing but minus ones; [`BoxError::Shape`] for anything
/// that is not two or four numbers; [`BoxError::Range`] for an edge more than 2 % outside the family's range, or a middle outside.
pub fn coordinates(raw: &Value, family: &Family, shown: &Shown) -> Result<Spot, BoxError> {
    let value = || clip(&raw.to_string(), 80);
    let shape = |why: String| BoxError::Shape { value: value(), why, form: form(family) };
    let mut repairs = Vec::new();
    let place = shapes::read(raw, &mut repairs).map_err(shape)?.ok_or(BoxError::Absent)?;
    let (numbers, ordered) = match place {
        Raw::Listed(numbers) => (numbers, family.order == Order::Yx),
        Raw::Named(numbers) => (numbers, false),
    };
    // How models write that they see no such thing.
    let all = |value: f64| numbers.iter().all(|n| n.total_cmp(&value).is_eq());
    if numbers.len() == 4 && (all(0.0) || all(-0.0)) || all(-1.0) {
        return Err(BoxError::Absent);
    }
    // Where either may be meant, what is a little more than one is a fraction outside, and no pixel in the first corner.
    let most_of_a_fraction = if family.scale == Scale::FractionsOrPixels { 2.0 } else { 1.0 };
    let fractions =
        numbers.iter().all(|n| (0.0..=most_of_a_fraction).contains(n)) && numbers.iter().any(|n| n.fract() != 0.0);
    let range = ranges(family, shown, fractions);
    if fractions && range[0] > 1.0 {
        return Err(shape(format!("it looks like fractions, but {}", said_range(family))));
    }
    // The range of the axis that the number at this place is on.
    let most = |at: usize| range[if ordered { 1 - at % 2 } else { at % 2 }];
    let is_outside = |n: f64, most: f64, slack: f64| n < -slack * most || n > (1.0 + slack) * most;
    let middle = |axis: usize| {
        let ends: Vec<f64> = numbers.iter().skip(axis).step_by(2).copied().collect();
        ends.iter().sum::<f64>() / ends.len() as f64
    };
    let middle_is_outside = [0, 1].into_iter().any(|axis| is_outside(middle(axis), most(axis), OVERSHOOT_OF_MIDDLE));
    if middle_is_outside || numbers.iter().enumerate().any(|(at, n)| is_outside(*n, most(at), OVERSHOOT)) {
        return Err(BoxError::Range { value: value(), range: said_range(family), form: form(family) });
    }
    if numbers.iter().enumerate().any(|(at, n)| *n < 0.0 || *n > most(at)) {
        repairs.push("moved a coordinate that was just outside to the edge".to_owned());
    }
    let mut unit: Vec<f64> = numbers.iter().enumerate().map(|(at, n)| (n / most(at)).clamp(0.0, 1.0)).collect();
    if ordered {
        unit.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
    }
    let at = |x: f64, y: f64| shown.content(Point::new(x, y));
    match unit[..] {
        [x, y] => Ok(Spot { rect: None, point: at(x, y), repairs }),
        [x1, y1, x2, y2] => Ok(spot(at(x1, y1), at(x2, y2), repairs)),
        _ => Err(shape(format!("it has {} numbers", unit.len()))),
    }
}

/// How far coordinates run across the picture and down it.
fn ranges(family: &Family, shown: &Shown, fractions: bool) -> [f64; 2] {
    match family.scale {
        Scale::Range(most) => [most, most],
        Scale::FractionsOrPixels if fractions => [1.0, 1.0],
        Scale::Pixels | Scale::FractionsOrPixels => [shown.canvas().width.max(1.0), shown.canvas().height.max(1.0)],
    }
}

/// From two corners in any order.
fn spot(a: Point<Unit>, b: Point<Unit>, mut repairs: Vec<String>) -> Spot {
    if a.x > b.x || a.y > b.y {
        repairs.push("put the corners of a box in order".to_owned());
    }
    let rect = Rect::of_corners(a, b);
    if rect.is_empty() {
        repairs.push("read a box without an area as a point".to_owned());
    }
    Spot { rect: (!rect.is_empty()).then_some(rect), point: rect.center(), repairs }
}

fn said_range(family: &Family) -> String {
    match family.scale {
        Scale::Range(range) => format!(
            "coordinates run from 0 to {range} across its width and down its height, whatever its size in pixels"
        ),
        Scale::Pixels => "coordinates are pixels of the picture as it was shown".to_owned(),
        Scale::FractionsOrPixels => "coordinates run from 0.0 to 1.0 across its width and down its height".to_owned(),
    }
}

/// What a right answer looks like for the family.
fn form(family: &Family) -> String {
    let numbers = match family.scale {
        Scale::Range(range) => format!("as numbers from 0 to {range}"),
        Scale::Pixels => "in pixels".to_owned(),
        Scale::FractionsOrPixels => "as numbers from 0.0 to 1.0".to_owned(),
    };
    let names = match (family.shape, family.order) {
        (Shape::Box, Order::Xy) => "[x1, y1, x2, y2]",
        (Shape::Box, Order::Yx) => "[y1, x1, y2, x2]",
        (Shape::Point, Order::Xy) => "[x, y]",
        (Shape::Point, Order::Yx) => "[y, x]",
    };
    format!("{names} {numbers}")
}
