use super::*;
use handeye_core::{Family, Verb};
use proptest::prelude::*;
use serde_json::json;

/// Calls as the providers' documentation shows them, and such as are wrong.
const CALLS: &str = include_str!("../../../tests/data/computer-use-calls.json");

fn web() -> ActionSpace {
    let verbs: Vec<Verb> = Verb::ALL.into_iter().filter(|verb| *verb != Verb::Upload).collect();
    ActionSpace::of(&verbs)
}

/// A screen of 1920x1200 points, shown in 1280x800 pixels.
fn screen(space: &ActionSpace) -> Screen<'_> {
    Screen { space, shown: Shown::at(Size::new(1280.0, 800.0)), size: Size::new(1920.0, 1200.0) }
}

fn shown(step: &Step) -> String {
    let places = |action: &Action<Target>| {
        let at = |target: &Target| match &target.claim {
            Some(Claim::Place { at, .. }) => format!(" @{:.3},{:.3}", at.x, at.y),
            _ => String::new(),
        };
        action.targets().into_iter().map(|(_, target)| at(target)).collect::<String>()
    };
    match step {
        Step::Act(action @ Action::Input { mode, .. }) => format!("{} [{mode:?}]{}", action.summary(), places(action)),
        Step::Act(action) => format!("{}{}", action.summary(), places(action)),
        Step::Look => "look".to_owned(),
        Step::Zoom(part) => {
            format!("zoom {:.3},{:.3} {:.3}x{:.3}", part.left, part.top, part.width, part.height)
        }
        Step::Pointer => "pointer".to_owned(),
    }
}

#[test]
fn calls_are_read_as_their_documentation_means_them() {
    let calls: Vec<Value> = serde_json::from_str(CALLS).expect("a list");
    let space = web();
    let (mut lines, mut of) = (Vec::new(), String::new());
    for value in &calls {
        if value["of"] != of.as_str() {
            of = value["of"].as_str().expect("a text").to_owned();
            lines.push(format!("\n# {of}\n"));
        }
        let name = value["name"].as_str().expect("a name").to_owned();
        let one = ToolCall { id: "1".into(), name: name.clone(), input: value["input"].clone() };
        let read = match call(&one, screen(&space), &mut None) {
            Ok(read) => read.steps.iter().map(shown).collect::<Vec<_>>().join("; "),
            Err(Unread::Bad(why)) => format!("✗ {}", why.split("; this device offers").next().unwrap_or_default()),
            Err(Unread::Unconfirmed(why)) => format!("? {why}"),
        };
        lines.push(format!("{name} {}\n    {read}", value["input"]));
    }
    insta::assert_snapshot!(lines.join("\n").trim());
}

#[test]
fn what_the_device_cannot_do_is_refused_with_what_it_offers() {
    let space = ActionSpace::of(&[Verb::Tap]);
    let right = ToolCall { id: "1".into(), name: "right_click".into(), input: json!({"coordinate": [1, 1]}) };
    let error = call(&right, screen(&space), &mut None).expect_err("no such verb");
    assert_eq!(error.to_string(), "RightClick is not possible here; this device offers Tap");
    let lacks = lacking(&space);
    assert!(lacks.contains(&"right_click".to_owned()) && !lacks.contains(&"left_click".to_owned()), "{lacks:?}");
    let broken = ToolCall { id: "1".into(), name: "left_click".into(), input: json!("{\"coordinate\": [1,") };
    assert!(call(&broken, screen(&space), &mut None).expect_err("no JSON").to_string().contains("is no JSON"));
}

#[test]
fn a_click_without_a_place_goes_to_where_the_pointer_is() {
    let space = web();
    let mut pointer = None;
    let mut read = |name: &str, input: Value| {
        let one = ToolCall { id: "1".into(), name: name.into(), input };
        call(&one, screen(&space), &mut pointer).map(|read| shown(&read.steps[0])).map_err(|e| e.to_string())
    };
    assert!(read("left_click", json!({})).expect_err("nowhere").contains("nothing has moved the pointer"));
    assert_eq!(
        read("mouse_move", json!({"coordinate": [640, 400]})).as_deref(),
        Ok("Hover - the point (640, 400) @0.500,0.500")
    );
    assert_eq!(read("left_click", json!({})).as_deref(), Ok("Tap - the point (640, 400) @0.500,0.500"));
    let drag = read("left_click_drag", json!({"coordinate": [0, 0]}));
    assert_eq!(drag.as_deref(), Ok("DragAndDrop - the point (640, 400) to the point (0, 0) @0.500,0.500 @0.000,0.000"));
}

#[test]
fn a_padded_picture_counts_its_padding() {
    let space = web();
    let shown_so = Shown { block: 28, ..Shown::at(Size::new(1270.0, 790.0)) };
    let padded = Screen { shown: shown_so, ..screen(&space) };
    let one = ToolCall { id: "1".into(), name: "left_click".into(), input: json!({"coordinate": [635, 395]}) };
    let read = call(&one, padded, &mut None).expect("a click");
    assert!(shown(&read.steps[0]).ends_with("@0.500,0.500"), "{read:?}");
    assert_eq!(Family::default_family().block, 1);
}

fn any_json() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "left_click",
        "type",
        "scroll",
        "click",
        "keypress",
        "drag",
        "down",
        "ctrl+a",
        "",
        " ",
        "[1,2]",
        "require_confirmation",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-2000.0..3000.0f64).prop_map(Value::from),
        words.prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    let keys = prop::sample::select(vec![
        "action",
        "actions",
        "type",
        "coordinate",
        "start_coordinate",
        "text",
        "x",
        "y",
        "keys",
        "path",
        "scroll_x",
        "scroll_y",
        "direction",
        "magnitude",
        "region",
        "repeat",
        "duration",
        "seconds",
        "button",
        "pending_safety_checks",
        "safety_decision",
        "url",
        "locate",
        "scroll_direction",
        "scroll_amount",
        "decision",
        "end_x",
    ]);
    leaf.prop_recursive(3, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((keys.clone(), inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
        ]
    })
}

proptest! {
    /// Any call: something that the device has, on the screen, or a refusal that says why.
    #[test]
    fn any_call_is_read_or_refused(
        name in prop_oneof![
            prop::sample::select(vec!["computer", "left_click", "type", "scroll", "click_at", "drag_and_drop", "Navigate", "key", "zoom"]).prop_map(str::to_owned),
            ".{0,12}",
        ],
        input in any_json(),
    ) {
        let space = web();
        match call(&ToolCall { id: String::new(), name, input }, screen(&space), &mut None) {
            Ok(read) => {
                prop_assert!(!read.steps.is_empty() && read.steps.len() <= 400);
                for step in read.steps {
                    let Step::Act(action) = step else { continue };
                    prop_assert!(space.has(action.verb()));
                    for (_, target) in action.targets() {
                        if let Some(Claim::Place { at, .. }) = &target.claim {
                            prop_assert!((0.0..=1.0).contains(&at.x) && (0.0..=1.0).contains(&at.y));
                        }
                    }
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
