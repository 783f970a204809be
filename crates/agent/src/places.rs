//! How a family writes places, in the words of our prompts.

use handeye_core::{Family, Order, Scale, Shape};

/// `its box [left, top, right, bottom]`
pub(crate) fn shape(family: &Family) -> &'static str {
    match (family.shape, family.order) {
        (Shape::Box, Order::Xy) => "its box [left, top, right, bottom]",
        (Shape::Box, Order::Yx) => "its box [top, left, bottom, right]",
        (Shape::Point, Order::Xy) => "its middle [x, y]",
        (Shape::Point, Order::Yx) => "its middle [y, x]",
    }
}

/// What its numbers count, on a picture that is called so.
pub(crate) fn numbers(family: &Family, picture: &str) -> String {
    match family.scale {
        Scale::Range(most) => format!(
            "in whole numbers from 0 to {most:.0}: 0 is the left or top edge of the {picture}, {most:.0} its right or bottom \
             edge, whatever its size in pixels"
        ),
        Scale::Pixels => {
            format!("in whole pixels of the {picture}, whose size is told with it; 0 is its left or top edge")
        }
        Scale::FractionsOrPixels => format!(
            "as numbers from 0.0 to 1.0 with three decimals: 0.0 is the left or top edge of the {picture}, 1.0 its right or \
             bottom edge, whatever its size in pixels"
        ),
    }
}

/// How a number comes of pixels, as a sentence with a blank in front; empty where it is pixels.
pub(crate) fn scaled(family: &Family, picture: &str) -> String {
    let formula = match family.scale {
        Scale::Range(most) => format!("x * {most:.0} / w"),
        Scale::Pixels => return String::new(),
        Scale::FractionsOrPixels => "x / w".to_owned(),
    };
    format!(" A place x pixels from the left of a {picture} w pixels wide is at {formula}.")
}

/// An example: two fifths across and a third down.
pub(crate) fn example(family: &Family) -> String {
    let (wide, high) = match family.scale {
        Scale::Range(most) => (most, most),
        Scale::Pixels => (1280.0, 720.0),
        Scale::FractionsOrPixels => (1.0, 1.0),
    };
    let say = |v: f64| if wide > 1.0 { format!("{v:.0}") } else { format!("{v:.3}") };
    let (left, top, right, bottom) = (say(0.36 * wide), say(0.31 * high), say(0.44 * wide), say(0.35 * high));
    let (across, down) = (say(0.4 * wide), say(0.33 * high));
    match (family.shape, family.order) {
        (Shape::Box, Order::Xy) => format!("[{left}, {top}, {right}, {bottom}]"),
        (Shape::Box, Order::Yx) => format!("[{top}, {left}, {bottom}, {right}]"),
        (Shape::Point, Order::Xy) => format!("[{across}, {down}]"),
        (Shape::Point, Order::Yx) => format!("[{down}, {across}]"),
    }
}
