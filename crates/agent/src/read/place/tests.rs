use super::*;
use handeye_core::Size;
use proptest::prelude::*;

#[derive(serde::Deserialize)]
struct Row {
    id: String,
    text: String,
    #[serde(default)]
    family: String,
    #[serde(default)]
    cut: bool,
    /// Left, top, right and bottom, or x and y, in parts of the picture.
    at: Option<Vec<f64>>,
    #[serde(default)]
    references: usize,
    absent: Option<String>,
    misread: Option<String>,
}

#[test]
fn the_vectors_read_as_they_should() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../../../tests/data/vectors/places.json")).expect("rows");
    for Row { id, text, family, cut, at, references, absent, misread } in rows {
        let family = Family::named(&family).expect("a family");
        let shown = Shown::whole(Size::new(1000.0, 1000.0), None, family.block);
        let finish = if cut { Finish::Length } else { Finish::Stop };
        match place(&text, finish, family, &shown) {
            Ok(Place::At { spot, references: found, .. }) => {
                let got =
                    spot.rect.map_or(vec![spot.point.x, spot.point.y], |r| vec![r.left, r.top, r.right(), r.bottom()]);
                let want = at.unwrap_or_else(|| panic!("{id}: {got:?}"));
                let close = got.len() == want.len() && got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-9);
                assert!(close && found.len() == references, "{id}: {got:?}, {found:?}");
            }
            Ok(Place::Absent { why }) => assert_eq!(Some(why), absent, "{id}"),
            Err(error) => {
                let part = misread.unwrap_or_else(|| panic!("{id}: {error}"));
                assert!(error.why.contains(&part), "{id}: {error}");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_reply_is_read_without_a_panic_and_lies_on_the_picture(text in ".{0,200}|[\\[\\]{}\":, 0-9a-z<>/|=()'_-]{0,120}") {
        for family in handeye_core::family::FAMILIES {
            let shown = Shown::whole(Size::new(1280.0, 720.0), Some(1000), family.block);
            if let Ok(Place::At { spot, .. }) = place(&text, Finish::Stop, family, &shown) {
                prop_assert!((0.0..=1.0).contains(&spot.point.x) && (0.0..=1.0).contains(&spot.point.y));
            }
        }
    }
}
