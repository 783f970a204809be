//! Trees for tests, as a person writes them down: indentation is nesting.
//!
//! `button "Save" @10,10,80,30 [disabled] value="x" placeholder="…" desc="…" hint="…" kind="…" options="a|b"`. Without a
//! place, elements stand below each other; what is inside of a row stands beside each other.

use handeye_core::{NodeRef, Point, Rect, Toggle, UiNode, UiTree};

const INTERACTIVE: &[&str] = &[
    "button",
    "link",
    "textbox",
    "searchbox",
    "combobox",
    "listbox",
    "checkbox",
    "radio",
    "switch",
    "tab",
    "menuitem",
    "option",
    "slider",
    "spinbutton",
    "treeitem",
];

pub(crate) fn tree(text: &str) -> UiTree {
    let mut nodes: Vec<UiNode> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (number, line) in text.lines().filter(|l| !l.trim().is_empty()).enumerate() {
        let indent = line.len() - line.trim_start().len();
        while open.last().is_some_and(|(i, _)| *i >= indent) {
            open.pop();
        }
        let parent = open.last().map(|(_, at)| *at);
        let mut node = node(line.trim(), number);
        node.parent = parent.map(|p| u32::try_from(p).expect("small"));
        if node.rect.is_empty() {
            let holder = open.iter().rev().map(|(_, at)| *at).find(|&at| is_line(&nodes[at]));
            node.rect = match holder {
                Some(line) if !is_line(&node) => {
                    let before = (nodes.len() - line - 1) as f64;
                    Rect::new(nodes[line].rect.left + 60.0 * before, nodes[line].rect.top, 50.0, 20.0)
                }
                _ => Rect::new(10.0, 30.0 * number as f64, 300.0, 20.0),
            };
        }
        if node.covered_by.is_none() {
            node.point = Some(Point::new(node.rect.center().x, node.rect.center().y));
        }
        open.push((indent, nodes.len()));
        nodes.push(node);
    }
    UiTree { nodes, truncated: false }
}

fn is_line(node: &UiNode) -> bool {
    matches!(node.role.as_str(), "row" | "listitem" | "article")
}

fn node(line: &str, number: usize) -> UiNode {
    let (role, rest) = line.split_once(' ').unwrap_or((line, ""));
    let mut node = UiNode {
        node: NodeRef { document: "main".into(), id: number as u64 },
        role: role.into(),
        interactive: INTERACTIVE.contains(&role),
        ..UiNode::default()
    };
    for part in parts(rest) {
        apply(&mut node, &part);
    }
    node
}

/// Splits at blanks outside of quotes and brackets.
fn parts(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let (mut quoted, mut bracket) = (false, false);
    for c in text.chars() {
        quoted ^= c == '"';
        bracket = (bracket || c == '[') && c != ']';
        if c == ' ' && !quoted && !bracket {
            out.push(String::new());
        } else if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out.retain(|p| !p.is_empty());
    out
}

fn apply(node: &mut UiNode, part: &str) {
    let bare = |s: &str| s.trim_matches('"').to_owned();
    if part.starts_with('"') {
        node.name = bare(part);
    } else if let Some(place) = part.strip_prefix('@') {
        let n: Vec<f64> = place.split(',').map(|n| n.parse().expect("a number")).collect();
        node.rect = Rect::new(n[0], n[1], n[2], n[3]);
    } else if let Some(states) = part.strip_prefix('[') {
        for state in states.trim_end_matches(']').split(',').map(str::trim) {
            set_state(node, state);
        }
    } else if let Some((key, value)) = part.split_once('=') {
        let value = bare(value);
        match key {
            "value" => node.value = Some(value),
            "placeholder" => node.placeholder = value,
            "desc" => node.description = value,
            "hint" => node.hint = value,
            "kind" => node.kind = value,
            "options" => node.options = value.split('|').map(str::to_owned).collect(),
            other => panic!("unknown attribute {other}"),
        }
    } else {
        panic!("cannot read `{part}`");
    }
}

fn set_state(node: &mut UiNode, state: &str) {
    let states = &mut node.states;
    match state {
        "disabled" => states.disabled = true,
        "focused" => states.focused = true,
        "readonly" => states.readonly = true,
        "checked" => states.checked = Some(Toggle::On),
        "unchecked" => states.checked = Some(Toggle::Off),
        "pressed" => states.pressed = Some(Toggle::On),
        "selected" => states.selected = Some(true),
        "expanded" => states.expanded = Some(true),
        "collapsed" => states.expanded = Some(false),
        "password" => states.password = true,
        "multiline" => states.multiline = true,
        "interactive" => node.interactive = true,
        other => match other.strip_prefix("covered by ") {
            Some(by) => node.covered_by = Some(by.to_owned()),
            None => panic!("unknown state {other}"),
        },
    }
}
