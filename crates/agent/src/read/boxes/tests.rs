use super::*;

#[derive(serde::Deserialize)]
struct Row {
    id: String,
    /// Why it is not as elsewhere.
    #[serde(default, rename = "reason")]
    _reason: Option<String>,
    raw: Value,
    #[serde(default)]
    family: String,
    /// The picture, 1280 x 720 when it does not matter.
    picture: Option<[f64; 2]>,
    rect: Option<[f64; 4]>,
    point: Option<(f64, f64)>,
    error: Option<String>,
    repairs: Option<Vec<String>>,
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
}

fn shown(family: &Family, picture: Option<[f64; 2]>) -> Shown {
    Shown::whole(picture.unwrap_or([1280.0, 720.0]).into(), None, family.block)
}

#[test]
fn the_vectors_read_as_they_should() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../../../tests/data/vectors/boxes.json")).expect("rows");
    for row in rows {
        let name = format!("{}: {}", row.id, row.raw);
        let family = Family::named(&row.family).expect("a family");
        match (coordinates(&row.raw, family, &shown(family, row.picture)), row.error) {
            (Ok(spot), None) => {
                let (x, y) = row.point.expect("a point");
                assert!(close(&[spot.point.x, spot.point.y], &[x, y]), "{name}: {spot:?}");
                assert!(
                    close(
                        &spot.rect.map_or(vec![], |r| vec![r.left, r.top, r.right(), r.bottom()]),
                        &row.rect.map_or(vec![], |r| r.to_vec())
                    ),
                    "{name}: {spot:?}"
                );
                if let Some(repairs) = row.repairs {
                    assert_eq!(spot.repairs, repairs, "{name}");
                }
            }
            (Err(error), Some(part)) => assert!(error.to_string().contains(&part), "{name}: {error}"),
            (got, _) => panic!("{name}: {got:?}"),
        }
    }
}

#[test]
fn four_zeros_say_that_there_is_nothing() {
    let family = Family::default_family();
    assert_eq!(coordinates(&serde_json::json!([0, 0, 0, 0]), family, &shown(family, None)), Err(BoxError::Absent));
    assert_eq!(coordinates(&serde_json::json!("0, 0, 0, 0"), family, &shown(family, None)), Err(BoxError::Absent));
    assert!(
        coordinates(&serde_json::json!([0, 0]), family, &shown(family, None)).is_ok(),
        "a point in the corner is a place"
    );
}

#[test]
fn the_message_has_the_order_of_the_family_and_shortens_long_values() {
    let gemini = Family::named("gemini").expect("a family");
    let error = coordinates(&serde_json::json!([1, 2, 3]), gemini, &shown(gemini, None)).expect_err("three");
    assert!(error.to_string().ends_with("give [y1, x1, y2, x2] as numbers from 0 to 1000"), "{error}");
    let long = coordinates(&serde_json::json!("x".repeat(10_000)), gemini, &shown(gemini, None)).expect_err("prose");
    assert!(long.to_string().len() < 300, "{long}");
}
