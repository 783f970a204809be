//! Any reply of a model that was asked where something is: a place on the picture, nowhere, or a short refusal.

use handeye_agent::read::{Place, Spot, place};
use handeye_core::family::FAMILIES;
use handeye_core::{Finish, Shown, Size};

pub(crate) fn check(text: &str) {
    for family in FAMILIES {
        let shown = Shown::whole(Size::new(1281.0, 719.0), None, family.block);
        for finish in [Finish::Stop, Finish::Length] {
            match place(text, finish, family, &shown) {
                Ok(Place::At { spot, references, .. }) => references.iter().chain([&spot]).for_each(is_on_picture),
                Ok(Place::Absent { why }) => assert!(why.chars().count() <= 520),
                Err(misread) => assert!(!misread.why.is_empty() && misread.why.chars().count() <= 520),
            }
        }
    }
}

fn is_on_picture(spot: &Spot) {
    assert!((0.0..=1.0).contains(&spot.point.x) && (0.0..=1.0).contains(&spot.point.y));
    if let Some(rect) = spot.rect {
        assert!(rect.left >= 0.0 && rect.top >= 0.0 && !rect.is_empty());
        assert!(rect.right() < 1.0 + 1e-9 && rect.bottom() < 1.0 + 1e-9);
    }
}
