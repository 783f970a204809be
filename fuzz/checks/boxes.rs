//! Any value, and any text as one: a place inside the picture, or a short refusal.

use handeye_agent::read::{coordinates, json};
use handeye_core::family::FAMILIES;
use handeye_core::{Shown, Size};
use serde_json::Value;

pub(crate) fn check(text: &str) {
    let mut raws = vec![Value::from(text)];
    raws.extend(json(text).ok().map(|read| read.value));
    for family in FAMILIES {
        let shown = Shown::whole(Size::new(1281.0, 719.0), None, family.block);
        for raw in &raws {
            match coordinates(raw, family, &shown) {
                Ok(spot) => {
                    assert!((0.0..=1.0).contains(&spot.point.x) && (0.0..=1.0).contains(&spot.point.y));
                    if let Some(rect) = spot.rect {
                        assert!(rect.left >= 0.0 && rect.top >= 0.0 && !rect.is_empty());
                        assert!(rect.right() < 1.0 + 1e-9 && rect.bottom() < 1.0 + 1e-9);
                    }
                }
                Err(error) => assert!(error.to_string().chars().count() < 500),
            }
        }
    }
}
