//! Words for a point: the tree's own when they lead back to it, else a model's, and only when they do.

use crate::bench::reply;
use crate::requests::shown;
use handeye_agent::{Settings, describe};
use handeye_core::{
    ChatError, ChatErrorKind, ChatRequest, Got, Need, NodeRef, Observation, Outcome, Point, Rect, Slot, UiNode, UiTree,
    Want,
};
use handeye_testkit::frames;
use handeye_testkit::scripted::ScriptedWorld;

fn node(id: u64, role: &str, name: &str, rect: [f64; 4]) -> UiNode {
    let rect = Rect::from(rect);
    let node = NodeRef { document: "d".into(), id };
    UiNode {
        node,
        role: role.into(),
        name: name.into(),
        rect,
        point: Some(rect.center()),
        interactive: true,
        ..UiNode::default()
    }
}

/// What is said of a point, with the replies of the model that describes and of the one that locates, in order.
fn said(at: [f64; 2], replies: &[&str]) -> (Outcome, Vec<(Slot, ChatRequest)>) {
    let nodes = vec![
        node(1, "button", "Save", [100.0, 100.0, 80.0, 30.0]),
        node(2, "button", "", [640.0, 360.0, 12.0, 12.0]),
        node(3, "button", "", [670.0, 360.0, 12.0, 12.0]),
    ];
    let mut replies: std::vec::IntoIter<String> =
        replies.iter().map(|r| (*r).to_owned()).collect::<Vec<_>>().into_iter();
    let mut world = ScriptedWorld::new();
    world.always(move |need| {
        let tree = |nodes: Vec<UiNode>| Some(UiTree { nodes, truncated: false });
        Some(match need {
            Need::Observe(Want { region: Some(region), .. }) => {
                let near = nodes.iter().filter(|n| n.rect.intersection(region).is_some()).cloned().collect();
                Got::Seen(Ok(Observation { tree: tree(near), ..Observation::default() }))
            }
            Need::Observe(want) => {
                let mut seen = frames::seen(frames::solid(1280, 720, [9, 9, 9]));
                seen.frame = seen.frame.filter(|_| want.frame);
                seen.tree = tree(nodes.clone()).filter(|_| want.tree);
                Got::Seen(Ok(seen))
            }
            Need::Chat(..) => Got::Heard(match replies.next() {
                Some(text) => Ok(reply(&text)),
                None => Err(ChatError::new(ChatErrorKind::Config, "no model is configured")),
            }),
            other => panic!("{other:?}"),
        })
    });
    let settings = Settings::default();
    let (outcome, transcript) = world.play(async |world| describe(world, Point::from(at), &settings).await);
    let asked = transcript.needs.into_iter().filter_map(|need| match need {
        Need::Chat(slot, request) => Some((slot, *request)),
        _ => None,
    });
    (outcome, asked.collect())
}

const DOT: &str = r#"{"description": "the left dot"}"#;

#[test]
fn the_words_of_the_tree_need_no_model() {
    let (outcome, asked) = said([110.0, 105.0], &[]);
    assert_eq!((outcome.end.to_string().as_str(), asked.len()), ("completed: button \"Save\"", 0));
    assert_eq!(outcome.value.expect("a value")["element"]["found_by"], "tree");
}

#[test]
fn words_of_a_model_count_only_when_they_lead_back() {
    // The first words lead to the other dot, the second to this one; from then on the part is shown too.
    let section = r#"{"bbox": [495, 490, 515, 530]}"#;
    let part = r#"{"bbox": [485, 485, 515, 515]}"#;
    let replies =
        [DOT, r#"{"bbox": [523, 500, 533, 517]}"#, r#"{"description": "the first of two dots"}"#, section, part];
    let (outcome, asked) = said([646.0, 366.0], &replies);
    assert_eq!(outcome.end.to_string(), "completed: the first of two dots");
    let value = outcome.value.expect("a value");
    assert_eq!((&value["tries"], &value["element"]["found_by"]), (&2.into(), &"deep".into()));
    let slots: Vec<Slot> = asked.iter().map(|(slot, _)| *slot).collect();
    use Slot::{Grounding, Insight};
    assert_eq!(slots, [Insight, Grounding, Insight, Grounding, Grounding]);
    insta::assert_snapshot!("describe_request_again", shown(&asked[2].1));
}

#[test]
fn words_that_lead_nowhere_are_told() {
    let nothing = r#"{"bbox": []}"#;
    let (outcome, asked) = said([646.0, 366.0], &[DOT, nothing, "a dot", DOT, nothing, nothing]);
    assert_eq!((outcome.end.exit_code(), asked.len()), (1, 6), "{}", outcome.end);
    let end = outcome.end.to_string();
    assert!(
        end.starts_with("failed: no words were found that lead back to (646, 366): nobody finds \"the left dot\""),
        "{end}"
    );
}

#[test]
fn a_point_without_words_and_without_a_model_is_said_so() {
    let (outcome, _) = said([646.0, 366.0], &[]);
    let end = outcome.end.to_string();
    assert_eq!(end, "failed: the UI tree has no words that lead to (646, 366) alone, and no model is configured");
    let (outcome, _) = said([1280.0, 10.0], &[]);
    assert_eq!(outcome.end.exit_code(), 2, "{}", outcome.end);
}
