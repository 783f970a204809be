//! The ladder: which rung is asked for what, what it leaves in the receipt, and where it leads.

use crate::bench::reply;
use crate::requests::shown;
use handeye_agent::Settings;
use handeye_agent::locate::tree::Purpose;
use handeye_agent::locate::{self, NotFound};
use handeye_agent::run::Sight;
use handeye_core::event::Receipt;
use handeye_core::{
    ChatError, ChatErrorKind, ChatRequest, Claim, DeviceError, Element, End, Family, Got, Need, NodeRef, Observation,
    Rect, Rung, Selector, Slot, Target, UiNode, UiTree, Want,
};
use handeye_testkit::frames;
use handeye_testkit::scripted::ScriptedWorld;
use serde_json::{Value, json};

/// A screen of 1280 x 720 points, what its elements are, and what the model answers.
struct Screen {
    settings: Settings,
    nodes: Vec<UiNode>,
    /// What the selector finds, or why it is none.
    selected: Result<Vec<UiNode>, DeviceError>,
    replies: Vec<Result<String, ChatErrorKind>>,
    scale: f64,
}

/// How one target was looked for.
struct Ran {
    found: Result<Element, NotFound>,
    receipt: Receipt,
    requests: Vec<ChatRequest>,
    needs: Vec<&'static str>,
}

fn node(id: u64, role: &str, name: &str, rect: [f64; 4]) -> UiNode {
    let rect = Rect::from(rect);
    let node = NodeRef { document: "d".into(), id };
    let point = (!rect.is_empty()).then(|| rect.center());
    UiNode { node, role: role.into(), name: name.into(), rect, point, interactive: true, ..UiNode::default() }
}

impl Screen {
    fn new(replies: &[&str]) -> Self {
        let nodes = vec![
            node(1, "button", "Save", [100.0, 100.0, 80.0, 30.0]),
            node(2, "button", "Delete", [300.0, 100.0, 80.0, 30.0]),
            node(3, "button", "Delete", [300.0, 200.0, 80.0, 30.0]),
            node(4, "button", "", [640.0, 360.0, 12.0, 12.0]),
        ];
        let replies = replies.iter().map(|text| Ok((*text).to_owned())).collect();
        Self { settings: Settings::default(), nodes, selected: Ok(Vec::new()), replies, scale: 1.0 }
    }

    fn find(self, target: &Target) -> Ran {
        let Self { settings, nodes, selected, replies, scale } = self;
        let mut world = ScriptedWorld::new();
        let (width, height) = ((1280.0 * scale) as u32, (720.0 * scale) as u32);
        let mut frame = frames::solid(width, height, [9, 9, 9]);
        frame.scale = scale;
        let (seen, now) = (frame.clone(), frame);
        let mut replies = replies.into_iter();
        world.always(move |need| {
            let tree = |nodes: Vec<UiNode>| {
                Got::Seen(Ok(Observation { tree: Some(UiTree { nodes, truncated: false }), ..Observation::default() }))
            };
            Some(match need {
                Need::Observe(Want { frame: true, .. }) => Got::Seen(Ok(frames::seen(now.clone()))),
                Need::Observe(Want { selector: Some(_), .. }) => match &selected {
                    Ok(nodes) => tree(nodes.clone()),
                    Err(error) => Got::Seen(Err(error.clone())),
                },
                Need::Observe(Want { region: Some(region), .. }) => {
                    tree(nodes.iter().filter(|n| n.rect.intersection(region).is_some()).cloned().collect())
                }
                Need::Observe(_) => tree(nodes.clone()),
                Need::Chat(Slot::Grounding, _) => Got::Heard(match replies.next().expect("a reply") {
                    Ok(text) => Ok(reply(&text)),
                    Err(kind) => Err(ChatError::new(kind, "no model is configured")),
                }),
                other => panic!("{other:?}"),
            })
        });
        let mut receipt = Receipt::default();
        let mut sight = Sight::of(&frames::seen(seen));
        let (found, transcript) = world.play(async |world| {
            locate::locate(world, &settings, &mut sight, (target, Purpose::Click), &mut receipt).await
        });
        let mut requests = Vec::new();
        let needs = transcript.needs.into_iter().map(|need| match need {
            Need::Observe(Want { frame: true, .. }) => "look",
            Need::Observe(Want { selector: Some(_), .. }) => "select",
            Need::Observe(Want { region: Some(_), .. }) => "near",
            Need::Observe(_) => "tree",
            Need::Chat(_, request) => {
                requests.push(*request);
                "chat"
            }
            other => panic!("{other:?}"),
        });
        let needs = needs.collect();
        Ran { found: found.expect("nothing stops it"), receipt, requests, needs }
    }
}

impl Ran {
    /// Where it led, the needs, and the rungs with their reasons.
    fn told(&self) -> String {
        let place = match &self.found {
            Ok(e) => format!("{:?} {} {}", e.found_by, e.point, e.label.as_deref().unwrap_or("-")),
            Err(missing) => format!("not found: {}", missing.why),
        };
        let rungs: Vec<String> = self.receipt.rungs.iter().map(|r| format!("{:?}: {}", r.rung, r.why)).collect();
        format!("{place}\n{}\n{}", self.needs.join(" "), rungs.join("\n"))
    }
}

fn selected(selector: &str) -> Target {
    let read = Selector::read(selector).and_then(Result::ok);
    Target { description: selector.to_owned(), selector: read, ..Target::default() }
}

fn deep(words: &str) -> Target {
    Target { deep: true, ..Target::new(words) }
}

fn claimed(words: &str, place: Value) -> Target {
    Target { claim: Some(Claim::Model(place)), ..Target::new(words) }
}

#[test]
fn a_selector_finds_the_one_that_it_names_or_none() {
    let find = |nodes: Vec<UiNode>| Screen { selected: Ok(nodes), ..Screen::new(&[]) }.find(&selected("css=.x")).told();
    let save = || node(1, "button", "Save", [100.0, 100.0, 80.0, 30.0]);
    let hidden = || node(9, "button", "Save", [0.0; 4]);
    insta::assert_snapshot!(find(vec![save()]), @r#"
    Selector (140, 115) button "Save"
    select
    Selector: the one element that `css=.x` finds
    "#);
    insta::assert_snapshot!(find(vec![hidden(), save()]), @r#"
    Selector (140, 115) button "Save"
    select
    Selector: the one element that `css=.x` finds (beside 1 that nobody sees)
    "#);
    insta::assert_snapshot!(find(vec![hidden()]), @r#"
    not found: `css=.x` finds button "Save", which is not visible
    select
    Selector: `css=.x` finds button "Save", which is not visible
    "#);
    insta::assert_snapshot!(find(vec![hidden(), hidden()]), @r#"
    not found: `css=.x` finds 2 elements: button "Save", button "Save", and none is visible
    select
    Selector: `css=.x` finds 2 elements: button "Save", button "Save", and none is visible
    "#);
    insta::assert_snapshot!(find(vec![save(), node(2, "button", "Delete", [300.0, 100.0, 80.0, 30.0])]), @r#"
    not found: `css=.x` finds 2 elements: button "Save" at (140, 115), button "Delete" at (340, 115); make it name one of them
    select
    Selector: `css=.x` finds 2 elements: button "Save" at (140, 115), button "Delete" at (340, 115); make it name one of them
    "#);
    insta::assert_snapshot!(find(Vec::new()), @r#"
    not found: `css=.x` finds no element; the page has button "Save", button "Delete", button
    select tree
    Selector: `css=.x` finds no element; the page has button "Save", button "Delete", button
    "#);
}

#[test]
fn what_is_no_selector_ends_the_run_as_wrong_use() {
    let error = DeviceError::failed("look for `css=##`", "'##' is not a valid selector");
    let ran = Screen { selected: Err(error), ..Screen::new(&[]) }.find(&selected("css=##"));
    let end = ran.found.expect_err("nothing is found").end.expect("an end");
    assert_eq!(
        (end.exit_code(), end.to_string().as_str()),
        (2, "error: look for `css=##`: '##' is not a valid selector")
    );
}

#[test]
fn a_selector_only_confirms_a_box() {
    let save = vec![node(1, "button", "Save", [100.0, 100.0, 80.0, 30.0])];
    let find = |place: Value| {
        let target = Target { claim: Some(Claim::Model(place)), ..selected("css=#save") };
        Screen { selected: Ok(save.clone()), ..Screen::new(&[]) }.find(&target).told()
    };
    // In thousandths of 1280 x 720: the button is at 78 to 141, 139 to 181.
    insta::assert_snapshot!(find(json!([80, 140, 140, 180])), @r#"
    Selector (140, 115) button "Save"
    select near
    Selector: the one element that `css=#save` finds
    Plan: the plan's box [80,140,140,180] is 77x29 at (102, 101); its centre (141, 115) lies on button "Save"
    "#);
    insta::assert_snapshot!(find(json!([235, 140, 296, 180])), @r#"
    Plan (340, 115) button "Delete"
    select near tree
    Selector: the one element that `css=#save` finds
    Plan: the plan's box [235,140,296,180] is 78x29 at (301, 101); its centre (340, 115) lies on button "Delete"
    Selector: button "Save" at (140, 115) is what the selector finds; the box is what the model claims
    "#);
}

#[test]
fn words_go_to_the_tree_first_and_then_to_the_model() {
    let find = |words: &str, replies: &[&str]| Screen::new(replies).find(&Target::new(words)).told();
    insta::assert_snapshot!(find("the Save button", &[]), @r#"
    Tree (140, 115) button "Save"
    tree
    Tree: button "Save" whose name is exactly that (1.00)
    "#);
    insta::assert_snapshot!(find("the lower red one", &[r#"{"bbox": [236, 280, 296, 318]}"#]), @r#"
    Model (340, 215) button "Delete"
    tree chat near
    Tree: no element answers to `the lower red one`
    Model: the model's place [236,280,296,318] on the screen is 77x27 at (302, 202); its centre (340, 215) lies on button "Delete"
    "#);
    // Two answer to the words: the tree is not certain.
    insta::assert_snapshot!(find("Delete", &[r#"{"bbox_2d": [236, 280, 296, 318]}"#]), @r#"
    Model (340, 215) button "Delete"
    tree chat near
    Tree: several elements answer to `Delete`
    Model: the model's place [236,280,296,318] on the screen is 77x27 at (302, 202); its centre (340, 215) lies on button "Delete"
    "#);
    insta::assert_snapshot!(find("the lower red one", &[r#"{"bbox": [], "error": "nothing is red"}"#]), @r#"
    not found: no element answers to `the lower red one`; the page has button "Save", button "Delete", button; the model does not see it: nothing is red
    tree chat
    Tree: no element answers to `the lower red one`
    Model: the model does not see it: nothing is red
    "#);
    insta::assert_snapshot!(find("the lower red one", &["It is at the top.", r#"{"bbox": [236, 280, 296, 318]}"#]), @r#"
    Model (340, 215) button "Delete"
    tree chat chat near
    Tree: no element answers to `the lower red one`
    Model: the model's place [236,280,296,318] on the screen is 77x27 at (302, 202); asked again, because the reply is no JSON object with `bbox`: there is no JSON value in `It is at the top.` (at byte 0); its centre (340, 215) lies on button "Delete"
    "#);
    insta::assert_snapshot!(find("the lower red one", &["It is at the top.", "I said where."]), @r#"
    not found: no element answers to `the lower red one`; the page has button "Save", button "Delete", button; what the model answers could not be read: the reply is no JSON object with `bbox`: there is no JSON value in `I said where.` (at byte 0)
    tree chat chat
    Tree: no element answers to `the lower red one`
    Model: what the model answers could not be read: the reply is no JSON object with `bbox`: there is no JSON value in `I said where.` (at byte 0)
    "#);
}

#[test]
fn without_a_model_the_rung_says_so_and_with_a_broken_one_the_run_ends() {
    let find = |kind| Screen { replies: vec![Err(kind)], ..Screen::new(&[]) }.find(&Target::new("the red one"));
    let ran = find(ChatErrorKind::Config);
    insta::assert_snapshot!(ran.told(), @r#"
    not found: no element answers to `the red one`; the page has button "Save", button "Delete", button
    tree chat
    Tree: no element answers to `the red one`
    Model: no model is configured
    "#);
    assert_eq!(ran.found.expect_err("nothing").end, None);
    let ended = find(ChatErrorKind::Auth).found.expect_err("nothing").end.expect("an end");
    assert!(matches!(ended, End::Error { .. }) && ended.exit_code() == 5, "{ended:?}");
}

#[test]
fn deep_looks_twice_and_at_all_of_it_when_no_part_is_chosen() {
    let find = |replies: &[&str]| Screen::new(replies).find(&deep("the small dot")).told();
    // The part around the dot begins at (448, 166); on it, the dot is at 485 to 515 thousandths.
    let dot = r#"{"bbox": [485, 485, 515, 515]}"#;
    insta::assert_snapshot!(find(&[r#"{"bbox": [495, 490, 515, 530]}"#, dot]), @"
    Deep (646, 368) button
    tree chat chat near
    Tree: no element answers to `the small dot`
    Deep: the part 397x403 at (448, 166) is looked at enlarged
    Deep: the model's place [485,485,515,515] on the enlarged part is 12x12 at (641, 361); its centre (646, 368) lies on button
    ");
    insta::assert_snapshot!(find(&[r#"{"bbox": [495, 490, 515, 530], "references": [[100, 490, 200, 530]]}"#, r#"{"bbox": []}"#]), @r#"
    not found: no element answers to `the small dot`; the page has button "Save", button "Delete", button; the model does not see it
    tree chat chat
    Tree: no element answers to `the small dot`
    Deep: the part 731x229 at (28, 253) is looked at enlarged
    Deep: the model does not see it
    "#);
    insta::assert_snapshot!(find(&[r#"{"bbox": []}"#, r#"{"bbox": [500, 500, 509, 516]}"#]), @"
    Model (646, 366) button
    tree chat chat near
    Tree: no element answers to `the small dot`
    Deep: no part of the screen was chosen (the model does not see it); so all of it is looked at
    Model: the model's place [500,500,509,516] on the screen is 12x12 at (640, 360); its centre (646, 366) lies on button
    ");
}

#[test]
fn a_box_of_the_plan_says_where_to_look_again_and_stays_what_it_is() {
    let target = Target { deep: true, ..claimed("the small dot", json!([495, 490, 515, 530])) };
    let find = |reply: &str| Screen::new(&[reply]).find(&target).told();
    insta::assert_snapshot!(find(r#"{"bbox": [485, 485, 515, 515]}"#), @"
    Deep (646, 368) button
    near tree chat near
    Plan: the plan's box [495,490,515,530] is 26x29 at (634, 353); its centre (646, 367) lies on button
    Deep: the part 397x403 at (448, 166) is looked at enlarged
    Deep: the model's place [485,485,515,515] on the enlarged part is 12x12 at (641, 361); its centre (646, 368) lies on button
    ");
    insta::assert_snapshot!(find(r#"{"bbox": [], "error": "no dot"}"#), @"
    Plan (646, 367) button
    near tree chat
    Plan: the plan's box [495,490,515,530] is 26x29 at (634, 353); its centre (646, 367) lies on button
    Deep: the part 397x403 at (448, 166) is looked at enlarged
    Deep: the model does not see it: no dot
    ");
}

#[test]
fn an_empty_box_is_none_only_where_boxes_were_asked_for() {
    let target = claimed("the Save button", Value::Null);
    let inline = Screen::new(&[]).find(&target);
    assert_eq!(inline.needs, Vec::<&str>::new(), "{}", inline.told());
    assert!(inline.found.is_err());
    let mut screen = Screen::new(&[]);
    screen.settings.one_model = false;
    assert_eq!(screen.find(&target).found.expect("the tree knows it").found_by, Rung::Tree);
}

/// On any screen, and with any family, the point is the same one.
#[test]
fn places_are_the_same_for_every_family_and_scale() {
    let place = |family: &str, scale: f64, reply: &str| {
        let mut screen = Screen { scale, ..Screen::new(&[reply]) };
        screen.settings.grounding = Family::named(family).expect("a family");
        screen.nodes.clear();
        screen.find(&Target::new("the dot")).found.expect("a place").point.to_string()
    };
    assert_eq!(place("", 1.0, r#"{"bbox": [495, 490, 515, 530]}"#), "(646, 367)");
    assert_eq!(place("", 2.0, r#"{"bbox": [495, 490, 515, 530]}"#), "(646, 367)");
    assert_eq!(place("gemini", 1.5, r#"[{"box_2d": [490, 495, 530, 515]}]"#), "(646, 367)");
    assert_eq!(place("gpt-5", 2.0, r#"{"bbox": [1272, 714, 1312, 754]}"#), "(646, 367)");
    assert_eq!(place("qwen2.5-vl", 1.0, r#"{"bbox_2d": [636, 357, 656, 377]}"#), "(646, 367)");
    assert_eq!(place("kimi", 1.0, r#"{"point": [0.505, 0.51]}"#), "(646, 367)");
    assert_eq!(place("vlm-ui-tars", 1.0, "click(start_box='(505,510)')"), "(646, 367)");
}

#[test]
fn the_requests_of_the_model_that_locates() {
    let plain = Screen::new(&["{}"]).find(&Target::new("the lower red one"));
    insta::assert_snapshot!("locate_request", shown(&plain.requests[0]));
    let mut screen = Screen::new(&["Where?", "{}"]);
    screen.settings.grounding = Family::named("gemini").expect("a family");
    let asked = screen.find(&Target::new("the lower red one"));
    insta::assert_snapshot!("locate_request_gemini_again", shown(&asked.requests[1]));
    let mut screen = Screen::new(&[r#"{"bbox_2d": [495, 490, 515, 530]}"#, "{}"]);
    screen.settings.grounding = Family::named("qwen2.5-vl").expect("a family");
    let deep = screen.find(&deep("the small dot"));
    insta::assert_snapshot!("section_request", shown(&deep.requests[0]));
    insta::assert_snapshot!("part_request", shown(&deep.requests[1]));
}
