//! Any value, and any text as one: a place inside the picture, or a short refusal.
#![no_main]

use handeye_agent::read::{coordinates, json};
use handeye_core::Family;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let mut raws = vec![Value::from(text)];
    raws.extend(json(text).ok().map(|read| read.value));
    for family in ["default", "gemini"] {
        let family = Family::named(family).unwrap();
        for raw in &raws {
            match coordinates(raw, family) {
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
});
