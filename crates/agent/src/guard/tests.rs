use super::*;
use handeye_core::{Point, Rect, Rung};

fn tap(x: f64, y: f64) -> Action<Element> {
    let element = Element {
        description: String::new(),
        rect: Rect::new(x - 5.0, y - 5.0, 10.0, 10.0),
        point: Point::new(x, y),
        found_by: Rung::Plan,
        confidence: 1.0,
        node: None,
        label: None,
        secret: false,
    };
    Action::Tap { locate: element }
}

fn key(name: &str) -> Action<Element> {
    Action::KeyboardPress { key_name: name.to_owned(), locate: None }
}

/// Each step: the action, the screen before, the screen after, and `=` when the device saw no change. Gives the counts.
fn check(steps: &[(Action<Element>, &str, &str, bool)], want: &[u32]) {
    let mut guard = Guard::default();
    let hash = |name: &str| Some(Hash(name.into()));
    let counts: Vec<u32> = steps
        .iter()
        .map(|(action, before, after, nothing)| {
            match guard.step(vec![action.clone()], hash(before), hash(after), *nothing) {
                Circling::No => 0,
                Circling::Repeated { times, .. } => times,
            }
        })
        .collect();
    assert_eq!(counts, want);
}

#[test]
fn the_same_action_on_the_same_screen_is_counted() {
    let dead = (tap(10.0, 10.0), "a", "a", true);
    check(&vec![dead; 6], &[0, 2, 3, 4, 5, 6]);
}

#[test]
fn a_place_within_ten_points_is_the_same_and_one_beyond_is_not() {
    let at = |x: f64| (tap(x, 10.0), "a", "a", true);
    check(&[at(10.0), at(19.0), at(12.0)], &[0, 2, 3]);
    check(&[at(10.0), at(21.0)], &[0, 0]);
}

#[test]
fn dead_things_that_are_tried_in_turn_are_counted_each() {
    let (a, b, c) = (tap(10.0, 10.0), tap(90.0, 10.0), key("Enter"));
    let dead = |action: &Action<Element>| (action.clone(), "s", "s", true);
    check(&[dead(&a), dead(&b), dead(&a), dead(&b), dead(&a), dead(&b)], &[0, 0, 2, 2, 3, 3]);
    check(&[dead(&a), dead(&b), dead(&c), dead(&a), dead(&b), dead(&c), dead(&a)], &[0, 0, 0, 2, 2, 2, 3]);
    // Something that changed the screen in between makes it another try.
    check(&[dead(&a), dead(&a), (b, "s", "t", false), dead(&a)], &[0, 2, 0, 0]);
}

#[test]
fn a_screen_that_changed_starts_the_count_again() {
    let step = |before, after| (tap(10.0, 10.0), before, after, false);
    check(&[step("0", "1"), step("1", "2"), step("2", "3"), step("3", "4")], &[0, 0, 0, 0]);
    check(&[step("0", "0"), step("0", "0"), step("0", "1"), step("1", "1")], &[0, 2, 0, 0]);
}

#[test]
fn a_ticker_does_not_hide_that_nothing_changed() {
    // The pictures differ, but the device saw changes only where things also change without input.
    let step = |before, after| (tap(10.0, 10.0), before, after, true);
    check(&[step("0", "1"), step("1", "2"), step("2", "3")], &[0, 2, 3]);
}

#[test]
fn two_screens_in_turn_are_counted() {
    let open = (tap(10.0, 10.0), "a", "b", false);
    let close = (tap(90.0, 10.0), "b", "a", false);
    let turns: Vec<_> = (0..12).map(|i| if i % 2 == 0 { open.clone() } else { close.clone() }).collect();
    check(&turns, &[0, 0, 0, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
}

#[test]
fn other_parameters_are_another_action_and_waiting_is_none() {
    check(&[(key("Tab"), "a", "a", true), (key("Enter"), "a", "a", true)], &[0, 0]);
    let wait = (Action::Sleep { time_ms: 1000 }, "a", "a", true);
    check(&vec![wait; 8], &[0; 8]);
}
