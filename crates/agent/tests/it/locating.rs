//! The box rule: a box is the model's claim, and nothing else is asked in its place.

use crate::bench::{Bench, DONE};
use handeye_core::{Event, Need};

fn tap_at(place: &str) -> String {
    format!(
        "<action-type>Tap</action-type><action-param-json>{{\"locate\":{{\"prompt\":\"thing\",\"bbox\":{place}}}}}</action-param-json>"
    )
}

/// A box, and where the tap went, or what the model was told.
fn check(place: &str, want: &str) {
    let ran = Bench::new(&[&tap_at(place), DONE]).run();
    let tapped = ran.transcript.needs.iter().find_map(|need| match need {
        Need::Act(action) => Some(format!("tap at {}", action.targets()[0].1.point)),
        _ => None,
    });
    let got = tapped.unwrap_or_else(|| {
        assert_eq!(
            ran.needs(),
            "look chat look chat",
            "a box that cannot be read is fed back, and no other rung is asked"
        );
        ran.told(2)
    });
    assert!(got.contains(want), "{place}: {got}");
}

#[test]
fn boxes_lead_to_points_or_are_fed_back() {
    check("[400, 500, 600, 520]", "tap at (500, 510)");
    check("[0, 0, 20, 20]", "tap at (10, 10)");
    check("[1000, 1000, 1000, 1000]", "tap at (999, 999)");
    check("[400, 500]", "tap at (400, 500)");
    check("[]", "target not found");
    check("null", "target not found");
    check("[437, 763, 562]", "[437,763,562]");
    check("[1110, 640, 1270, 684]", "1110");
}

#[test]
fn every_locate_leaves_a_receipt() {
    let ran = Bench::new(&[&tap_at("[400, 500, 600, 520]"), &tap_at("null"), DONE]).run();
    let whys = ran.events(|e| match e {
        Event::Located { receipt, .. } => Some(format!("{}: {}", receipt.element.is_some(), receipt.rungs[0].why)),
        _ => None,
    });
    assert_eq!(whys.len(), 2);
    assert!(whys[0].starts_with("true: the plan's box [400,500,600,520] is 200x20 at (400, 500)"), "{}", whys[0]);
    assert!(whys[1].starts_with("false: "), "{}", whys[1]);
}
