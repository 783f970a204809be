use super::*;
use crate::read::coordinates;
use handeye_core::family::FAMILIES;
use handeye_core::{Order, Point, Scale, Shape};
use proptest::prelude::*;
use serde_json::json;

#[derive(serde::Deserialize)]
struct Row {
    id: String,
    /// Left, top, width, height.
    rect: [f64; 4],
    screen: [f64; 2],
    area: [f64; 4],
}

#[test]
fn the_vectors_are_as_they_should_be() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../../../tests/data/vectors/areas.json")).expect("rows");
    for Row { id, rect, screen, area } in rows {
        let got: Rect<Logical> = around(rect.into(), screen.into());
        assert_eq!(got, area.into(), "{id}");
    }
}

/// Vector E8: pixels of an enlarged part, and where they lie on the picture.
#[test]
fn a_place_on_an_enlarged_part_maps_back() {
    let picture = Size::<FramePx>::new(1000.0, 800.0);
    let shown = Shown::part(picture, Rect::new(100.0, 50.0, 200.0, 200.0), 2.0, None, 1);
    let gpt = handeye_core::Family::named("gpt-5").expect("a family");
    let spot = coordinates(&json!([11, 21, 31, 41]), gpt, &shown).expect("a place");
    let rect = picture.place(shown.rect_of_picture(picture, spot.rect.expect("a box")));
    // Nothing is rounded before the click. Rounded to whole pixels it would be [106, 61, 116, 71].
    let off = [rect.left - 105.5, rect.top - 60.5, rect.right() - 115.5, rect.bottom() - 70.5];
    assert!(off.iter().all(|off| off.abs() < 1e-9), "{rect:?}");
}

proptest! {
    /// What a model of any family writes for a point of an enlarged part leads back to that very pixel of the frame.
    #[test]
    fn any_point_of_a_part_maps_back_to_its_pixel(
        (w, h) in (300u32..2600, 300u32..2600),
        scale in prop::sample::select(vec![1.0, 1.5, 2.0]),
        (l, t, rw, rh) in (0.0..1.0f64, 0.0..1.0f64, 0.0..0.2f64, 0.0..0.2f64),
        (x, y) in (0.0..1.0f64, 0.0..1.0f64),
        limit in prop::option::of(600u32..3000),
        which in 0..FAMILIES.len(),
    ) {
        let family = &FAMILIES[which];
        let screen = Size::<Logical>::new(f64::from(w), f64::from(h));
        let picture = Size::<FramePx>::new((screen.width * scale).round(), (screen.height * scale).round());
        let rect = Rect::<Logical>::new(l * screen.width, t * screen.height, rw * screen.width, rh * screen.height);
        let area = around(rect, screen);
        prop_assert!(area.left >= 0.0 && area.right() <= screen.width + 1e-9, "{area:?}");
        prop_assert!(area.top >= 0.0 && area.bottom() <= screen.height + 1e-9, "{area:?}");
        // What is looked for lies on it, and where the screen has room, it is as large as it should be.
        let seen = rect.intersection(&Rect::new(0.0, 0.0, screen.width, screen.height)).map_or(rect.center(), |r| r.center());
        prop_assert!(area.contains(seen), "{area:?} {rect:?}");
        prop_assert!(screen.width.min(screen.height) < 1000.0 || area.area() >= LEAST * 0.99, "{area:?}");
        let part = Rect::<FramePx>::new(area.left * scale, area.top * scale, area.width * scale, area.height * scale);
        let shown = Shown::part(picture, part, 2.0, limit, family.block);
        let crop = shown.crop.expect("a part");
        // A pixel of the frame, and what the model calls it.
        let at = Point::<FramePx>::new((crop.left + x * (crop.width - 1.0)).round(), (crop.top + y * (crop.height - 1.0)).round());
        let canvas = shown.canvas();
        let on = |v: f64, from: f64, side: f64, size: f64| (v - from) / side * size;
        let (sx, sy) = (on(at.x, crop.left, crop.width, shown.size.width), on(at.y, crop.top, crop.height, shown.size.height));
        // As models of this kind write: whole numbers, or three decimals. Pixels of a picture that was made smaller are
        // larger than those of the frame.
        let whole = |v: f64| if shown.size.width >= crop.width { v.round() } else { v };
        let number = |v: f64, side: f64| match family.scale {
            Scale::Range(most) => (v / side * most).round(),
            Scale::Pixels => whole(v),
            Scale::FractionsOrPixels => (v / side * 1000.0).round() / 1000.0,
        };
        let (a, b) = (number(sx, canvas.width), number(sy, canvas.height));
        let written = match (family.shape, family.order) {
            (Shape::Point, Order::Xy) => json!([a, b]),
            (Shape::Point, Order::Yx) => json!([b, a]),
            (Shape::Box, Order::Xy) => json!([a, b, a, b]),
            (Shape::Box, Order::Yx) => json!([b, a, b, a]),
        };
        // Four zeros mean that there is nothing, and fractions without a decimal point are pixels.
        let is_else = |v: f64| v.abs() < 1e-9 || (family.scale == Scale::FractionsOrPixels && (v - 1.0).abs() < 1e-9);
        if is_else(a) && is_else(b) {
            return Ok(());
        }
        let spot = coordinates(&written, family, &shown).expect("a place");
        let back = picture.place_point(shown.of_picture(picture, spot.point));
        prop_assert!((back.x - at.x).abs() <= 1.0 && (back.y - at.y).abs() <= 1.0, "{written} {back:?} {at:?} {shown:?}");
    }
}
