//! The replies of a case in the way in which another family writes places.
//!
//! The cases are written for boxes from 0 to 1000, x before y. What a family counts in, its order, its shape and its key for
//! a place come from its row; where it counts pixels, those of the picture that it is shown at that scale.

use super::Case;
use handeye_core::{Family, FramePx, Order, Scale, Shape, Shown, Size};

impl Case {
    /// The same case for a model of another family, at one of its device pixel ratios. Boxes that are no plain list of four
    /// numbers stay as they are: a case about the forms of boxes is a case of its own family.
    pub fn written_for(&self, family: &Family, scale: f64) -> Self {
        let [width, height] = self.expect.viewport;
        let picture = Size::<FramePx>::new((f64::from(width) * scale).round(), (f64::from(height) * scale).round());
        let shown = Shown::whole(picture, None, family.block);
        let mut case = self.clone();
        case.expect.dpr = vec![scale];
        case.replies = self.replies.iter().map(|reply| spelled(reply, family, &shown)).collect();
        // An answer may stand in the field for reasoning.
        for reasoning in case.transport.iter_mut().filter_map(|row| row.get_mut("reasoning")) {
            if let Some(text) = reasoning.as_str() {
                *reasoning = spelled(text, family, &shown).into();
            }
        }
        case
    }
}

fn spelled(reply: &str, family: &Family, shown: &Shown) -> String {
    let mut out = String::new();
    let mut rest = reply;
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let (list, behind) = match from.find(']') {
            Some(close) => from.split_at(close + 1),
            None => (from, ""),
        };
        if let Some(place) = numbers(list) {
            out.push_str(&written(place, family, shown));
            rest = behind;
        } else {
            out.push('[');
            rest = &from[1..];
        }
    }
    out.push_str(rest);
    out.replace("\"bbox\"", &format!("\"{}\"", family.key))
}

/// The four numbers of `[1, 2, 3, 4]`.
fn numbers(list: &str) -> Option<[f64; 4]> {
    let inside = list.strip_prefix('[')?.strip_suffix(']')?;
    let numbers: Option<Vec<f64>> = inside.split(',').map(|n| n.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

fn written([left, top, right, bottom]: [f64; 4], family: &Family, shown: &Shown) -> String {
    let canvas = shown.canvas();
    let across = |n: f64| n / 1000.0 * shown.size.width;
    let down = |n: f64| n / 1000.0 * shown.size.height;
    let number = |pixels: f64, of: f64| match family.scale {
        Scale::Range(range) => format!("{:.0}", pixels / of * range),
        Scale::Pixels => format!("{pixels:.0}"),
        Scale::FractionsOrPixels => format!("{:.4}", pixels / of),
    };
    let corner = |x: f64, y: f64| {
        let (x, y) = (number(across(x), canvas.width), number(down(y), canvas.height));
        match family.order {
            Order::Xy => format!("{x}, {y}"),
            Order::Yx => format!("{y}, {x}"),
        }
    };
    match family.shape {
        Shape::Box => format!("[{}, {}]", corner(left, top), corner(right, bottom)),
        Shape::Point => format!("[{}]", corner(f64::midpoint(left, right), f64::midpoint(top, bottom))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_written_as_each_family_writes_it() {
        let shown = |family: &Family| Shown::whole(Size::new(1280.0, 720.0), None, family.block);
        for (name, wanted) in [
            ("default", r#"{"bbox": [100, 200, 300, 400]} and [1] and ["#),
            ("qwen3-vl", r#"{"bbox_2d": [100, 200, 300, 400]} and [1] and ["#),
            ("gemini", r#"{"box_2d": [200, 100, 400, 300]} and [1] and ["#),
            ("qwen2.5-vl", r#"{"bbox_2d": [128, 144, 384, 288]} and [1] and ["#),
            ("kimi", r#"{"point": [0.2000, 0.3000]} and [1] and ["#),
        ] {
            let family = Family::named(name).expect("a family");
            assert_eq!(
                spelled(r#"{"bbox": [100, 200, 300, 400]} and [1] and ["#, family, &shown(family)),
                wanted,
                "{name}"
            );
        }
    }
}
