//! A chain of planners, and a batch that the page leaves behind.

use crate::bench::{Bench, DONE, tap};
use handeye_core::{Changes, Event, NodeRef, Rect, UiNode, UiTree};

fn button(id: u64, name: &str, rect: [f64; 4]) -> UiNode {
    let rect = Rect::from(rect);
    UiNode {
        node: NodeRef { document: "d".into(), id },
        role: "button".into(),
        name: name.into(),
        rect,
        point: Some(rect.center()),
        interactive: true,
        ..UiNode::default()
    }
}

fn page() -> UiTree {
    let nodes = vec![button(1, "Save", [100.0, 100.0, 80.0, 30.0]), button(2, "thing", [700.0, 100.0, 80.0, 30.0])];
    UiTree { nodes, truncated: false }
}

#[test]
fn the_planner_that_takes_over_is_told_what_was_done_and_why_the_other_stopped() {
    let mut bench = Bench::new(&[DONE]);
    bench.planners = vec!["reflex", "standard"];
    bench.goal = "click Save, then click Send".to_owned();
    bench.changes = Some(Changes { mutations: 1, ..Changes::default() });
    bench.tree = Some(page());
    let ran = bench.run();
    assert_eq!(ran.end(), "completed: done");
    let told = ran.told(1);
    assert!(
        told.contains("[2026-01-31 14:25:01] The steps above were done by another planner, which could not go on"),
        "{told}"
    );
    assert!(told.contains("Send") && told.contains("button \"Save\""), "{told}");
    let fed = ran.events(|e| if let Event::Feedback { text } = e { Some(text.clone()) } else { None });
    assert!(fed.iter().any(|text| text.contains("another planner")), "{fed:?}");
    assert_eq!(ran.outcome.planner, "standard");
}

#[test]
fn a_goal_that_is_not_taken_on_goes_to_the_next_planner_without_feedback() {
    let mut bench = Bench::new(&[DONE]);
    bench.planners = vec!["reflex", "standard"];
    bench.goal = "book me the nicest flight".to_owned();
    let ran = bench.run();
    assert_eq!((ran.end().as_str(), ran.needs().as_str()), ("completed: done", "look tree chat"));
    assert!(!ran.told(1).contains("another planner"), "{}", ran.told(1));
}

#[test]
fn a_page_that_was_left_ends_the_batch() {
    let both = format!("{}{}", tap(100, 100), tap(300, 300));
    let mut bench = Bench::new(&[&both, DONE]);
    bench.changes = Some(Changes { url: Some("http://127.0.0.1/next".to_owned()), ..Changes::default() });
    let ran = bench.run();
    assert_eq!(ran.needs(), "look chat near tap settle look chat");
    assert!(ran.told(2).contains("not tried, because a step before it failed or the page changed"), "{}", ran.told(2));
    assert_eq!((ran.end().as_str(), ran.outcome.actions), ("completed: done", 1));
}

/// The rungs of the first receipt.
fn receipt(place: (u32, u32)) -> Vec<String> {
    let mut bench = Bench::new(&[&tap(place.0, place.1), DONE]);
    bench.tree = Some(page());
    let ran = bench.run();
    assert!(ran.needs().contains("tap settle"), "{}", ran.needs());
    let receipts = ran.events(|e| match e {
        Event::Located { receipt, .. } => {
            Some(receipt.rungs.iter().map(|r| r.why.clone()).collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    });
    receipts[0].lines().map(str::to_owned).collect()
}

#[test]
fn a_box_wins_over_an_element_elsewhere_and_the_receipt_shows_the_conflict() {
    // The box is described as `thing`, and a button of that name lies elsewhere.
    let rungs = receipt((140, 115));
    assert!(rungs[0].contains("its centre (140, 115) lies on button \"Save\""), "{rungs:?}");
    assert_eq!(
        rungs[1],
        "button \"thing\" at (740, 115) answers to the description too; the box is what the model claims"
    );
    let rungs = receipt((500, 500));
    assert!(rungs[0].contains("no single control lies in it") && rungs.len() == 2, "{rungs:?}");
    let rungs = receipt((740, 115));
    assert!(rungs[0].contains("lies on button \"thing\"") && rungs.len() == 1, "{rungs:?}");
}
