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
                    let (x, y) = spot.point01;
                    assert!((0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y));
                    if let Some([l, t, r, b]) = spot.rect01 {
                        assert!(0.0 <= l && l < r && r <= 1.0 && 0.0 <= t && t < b && b <= 1.0);
                    }
                }
                Err(error) => assert!(error.to_string().chars().count() < 500),
            }
        }
    }
});
