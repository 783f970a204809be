use super::*;
use handeye_core::NodeRef;

fn node(id: u64, role: &str, name: &str, rect: [f64; 4], interactive: bool) -> UiNode {
    let rect = Rect::from(rect);
    UiNode {
        node: NodeRef { document: "d".into(), id },
        role: role.into(),
        name: name.into(),
        rect,
        point: Some(rect.center()),
        interactive,
        ..UiNode::default()
    }
}

fn claim(rect: [f64; 4]) -> Element {
    let rect = Rect::from(rect);
    Element {
        description: "it".into(),
        rect,
        point: rect.center(),
        found_by: Rung::Plan,
        confidence: 0.8,
        node: None,
        label: None,
        secret: false,
    }
}

/// The point and the element that a box leads to.
#[track_caller]
fn check(rect: [f64; 4], nodes: Vec<UiNode>, want: &str) {
    let tree = UiTree { nodes, truncated: false };
    let (element, _, why) = confirm(claim(rect), Some(&tree));
    let got = format!("{} {}", element.point, element.label.unwrap_or_else(|| "nothing".into()));
    assert_eq!(got, want, "{why}");
}

#[test]
fn a_box_is_confirmed_by_the_control_under_its_centre() {
    let save = || node(1, "button", "Save", [100.0, 100.0, 80.0, 30.0], true);
    check([100.0, 100.0, 80.0, 30.0], vec![save()], "(140, 115) button \"Save\"");
    // Off its middle, but on it: the claim stays where it is.
    check([160.0, 100.0, 30.0, 30.0], vec![save()], "(175, 115) button \"Save\"");
    let card = node(2, "link", "Card", [50.0, 50.0, 300.0, 200.0], true);
    check([100.0, 100.0, 80.0, 30.0], vec![card, save()], "(140, 115) button \"Save\"");
}

#[test]
fn a_box_means_the_control_on_top() {
    let mut below = node(1, "button", "Delete", [100.0, 100.0, 60.0, 30.0], true);
    below.covered_by = Some("dialog \"Sure?\"".into());
    let top = node(2, "button", "OK", [90.0, 90.0, 120.0, 60.0], true);
    check([100.0, 100.0, 60.0, 30.0], vec![below.clone(), top], "(130, 115) button \"OK\"");
    check([100.0, 100.0, 60.0, 30.0], vec![below], "(130, 115) button \"Delete\"");
}

#[test]
fn a_box_snaps_to_the_only_control_in_it() {
    // The box holds a label and, at its right, a small checkbox.
    let tick = || node(1, "checkbox", "Gift wrap", [240.0, 105.0, 16.0, 16.0], true);
    let text = node(2, "text", "Gift wrap", [100.0, 100.0, 100.0, 26.0], false);
    check([100.0, 100.0, 160.0, 26.0], vec![text, tick()], "(248, 113) checkbox \"Gift wrap\"");
    let other = node(3, "button", "?", [110.0, 105.0, 16.0, 16.0], true);
    check([100.0, 100.0, 160.0, 26.0], vec![other, tick()], "(180, 113) nothing");
}

#[test]
fn a_box_never_leads_to_a_control_that_it_hardly_touches() {
    let save = node(1, "button", "Save", [100.0, 100.0, 80.0, 30.0], true);
    check([172.0, 100.0, 100.0, 30.0], vec![save], "(222, 115) nothing");
    check([400.0, 400.0, 20.0, 20.0], Vec::new(), "(410, 410) nothing");
}

#[test]
fn a_password_field_is_told_by_what_the_device_says_of_it() {
    let field = |password| {
        let mut field = node(1, "textbox", "Code", [100.0, 100.0, 80.0, 30.0], true);
        field.states.password = password;
        UiTree { nodes: vec![field], truncated: false }
    };
    // Its middle lies on the field, or the field is the only control in the box.
    for rect in [[100.0, 100.0, 80.0, 30.0], [20.0, 100.0, 160.0, 30.0]] {
        for password in [true, false] {
            assert_eq!(confirm(claim(rect), Some(&field(password))).0.secret, password);
        }
    }
}
