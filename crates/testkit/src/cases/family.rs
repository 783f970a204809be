//! The replies of a case in the way in which another family writes places.
//!
//! The cases are written for boxes from 0 to 1000, x before y. What a family counts in, its order, its shape and its key for
//! a place come from its row; where it counts pixels, those of the picture that it is shown at that scale.

use super::Case;
use handeye_core::{Family, FramePx, Order, Scale, Shape, Shown, Size};

impl Case {
    /// The same case for a model of another family, at one of its device pixel ratios. Whatever is no
    /// place stays as it is, and so does the form in which the numbers of a place stand.
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

const KEY: &str = "\"bbox\"";

fn spelled(reply: &str, family: &Family, shown: &Shown) -> String {
    let mut pieces = reply.split(KEY);
    let mut out = plain_lists(pieces.next().unwrap_or_default(), family, shown);
    for piece in pieces {
        // In whatever form its numbers stand, the value ends with the target.
        let (value, behind) = piece.split_at(piece.find('}').unwrap_or(piece.len()));
        out.push_str(&format!("\"{}\"", family.key));
        out.push_str(&in_place(value, family, shown));
        out.push_str(&plain_lists(behind, family, shown));
    }
    out
}

/// Lists of four numbers, wherever they stand.
fn plain_lists(text: &str, family: &Family, shown: &Shown) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let (list, behind) = from.split_at(from.find(']').map_or(from.len(), |close| close + 1));
        let is_list = list.ends_with(']') && list.bytes().all(|b| b.is_ascii_digit() || b"[], .".contains(&b));
        if is_list && numbers(list).len() == 4 {
            out.push_str(&in_place(list, family, shown));
            rest = behind;
        } else {
            out.push('[');
            rest = &from[1..];
        }
    }
    out.push_str(rest);
    out
}

/// A number and where it stands.
fn numbers(text: &str) -> Vec<(std::ops::Range<usize>, f64)> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(|c: char| !(c.is_ascii_digit() || c == '.')) {
        let digits = word.trim_end_matches(|c: char| !(c.is_ascii_digit() || c == '.'));
        if let Ok(number) = digits.parse() {
            found.push((at..at + digits.len(), number));
        }
        at += word.len();
    }
    found
}

/// The numbers of a box or a point, in the separators in which they stood.
fn in_place(value: &str, family: &Family, shown: &Shown) -> String {
    let found = numbers(value);
    let (Some((first, _)), Some((second, _)), Some((last, _))) = (found.first(), found.get(1), found.last()) else {
        return value.to_owned();
    };
    let written = match found.iter().map(|(_, n)| *n).collect::<Vec<f64>>()[..] {
        [x, y] => written([x, y, x, y], Shape::Point, family, shown),
        [left, top, right, bottom] => written([left, top, right, bottom], family.shape, family, shown),
        _ => return value.to_owned(),
    };
    let between = &value[first.end..second.start];
    format!("{}{}{}", &value[..first.start], written.join(between), &value[last.end..])
}

fn written(place: [f64; 4], shape: Shape, family: &Family, shown: &Shown) -> Vec<String> {
    let [left, top, right, bottom] = place;
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
            Order::Xy => [x, y],
            Order::Yx => [y, x],
        }
    };
    match shape {
        Shape::Box => [corner(left, top), corner(right, bottom)].concat(),
        Shape::Point => corner(f64::midpoint(left, right), f64::midpoint(top, bottom)).to_vec(),
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
        let gemini = Family::named("gemini").expect("a family");
        for (odd, wanted) in [
            (r#"{"bbox":"172 417 250 556"}"#, r#"{"box_2d":"417 172 556 250"}"#),
            (r#"{"bbox":[422, 417, 500, 556</bbox>]}"#, r#"{"box_2d":[417, 422, 556, 500</bbox>]}"#),
            (r#"{"bbox":[711, 486]}"#, r#"{"box_2d":[486, 711]}"#),
            (r#"{"bbox":[1, 2, 3]} [] null"#, r#"{"box_2d":[1, 2, 3]} [] null"#),
        ] {
            assert_eq!(spelled(odd, gemini, &shown(gemini)), wanted);
        }
    }
}
