//! The UI trees of a page's frames, joined into one in the coordinates of the main viewport.

use handeye_core::{Logical, NodeRef, Point, Rect, States, Toggle, UiNode, UiTree};
use serde::Deserialize;
use std::collections::HashMap;

/// No page that a person can use has more; a tree is bounded whatever the page does.
const MOST: usize = 5000;

/// The tree of one document, as `js/tree.js` gives it.
#[derive(Debug, Deserialize)]
pub(super) struct FrameTree {
    nodes: Vec<FrameNode>,
    truncated: bool,
}

#[derive(Debug, Deserialize)]
struct FrameNode {
    id: u64,
    parent: i64,
    role: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    placeholder: String,
    value: Option<String>,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    hint: String,
    #[serde(default)]
    states: FrameStates,
    rect: [f64; 4],
    point: Option<[f64; 2]>,
    by: Option<String>,
    #[serde(default)]
    interactive: bool,
    /// Of an iframe: its number among its siblings, and where its content lies.
    frame: Option<i32>,
    origin: Option<[f64; 4]>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FrameStates {
    checked: Option<Toggle>,
    pressed: Option<Toggle>,
    selected: Option<bool>,
    expanded: Option<bool>,
    disabled: bool,
    focused: bool,
    readonly: bool,
    required: bool,
    invalid: bool,
    password: bool,
    multiline: bool,
}

impl From<FrameStates> for States {
    fn from(s: FrameStates) -> Self {
        Self {
            checked: s.checked,
            pressed: s.pressed,
            selected: s.selected,
            expanded: s.expanded,
            disabled: s.disabled,
            focused: s.focused,
            readonly: s.readonly,
            required: s.required,
            invalid: s.invalid,
            password: s.password,
            multiline: s.multiline,
        }
    }
}

/// Where a document lies in the main viewport: its origin and how much it is enlarged, and what of it can be seen.
#[derive(Clone, Debug)]
struct Placed {
    x: f64,
    y: f64,
    sx: f64,
    sy: f64,
    window: Option<Rect<Logical>>,
    /// Something lies over the whole frame.
    covered_by: Option<String>,
    parent: Option<u32>,
}

impl Placed {
    fn rect(&self, [left, top, width, height]: [f64; 4]) -> Rect<Logical> {
        Rect::new(self.x + left * self.sx, self.y + top * self.sy, width * self.sx, height * self.sy)
    }
    fn point(&self, [x, y]: [f64; 2]) -> Point<Logical> {
        Point::new(self.x + x * self.sx, self.y + y * self.sy)
    }
    fn shows(&self, point: Point<Logical>) -> bool {
        self.window.is_none_or(|window| window.contains(point))
    }
}

/// One tree of the main document and the frames in it. Each frame comes with its path of numbers from the top.
pub(super) fn join(
    context: &str,
    own: FrameTree,
    mut frames: Vec<(Vec<i32>, String, FrameTree)>,
    region: Option<Rect<Logical>>,
) -> UiTree {
    frames.sort_by_key(|(path, ..)| path.len());
    let mut inside: HashMap<Vec<i32>, (String, FrameTree)> = HashMap::new();
    for (path, context, tree) in frames {
        inside.insert(path, (context, tree));
    }
    let mut tree = UiTree { nodes: Vec::new(), truncated: own.truncated };
    let top = Placed { x: 0.0, y: 0.0, sx: 1.0, sy: 1.0, window: None, covered_by: None, parent: None };
    add(&mut tree, &Vec::new(), context, own, &top, &mut inside);
    match region {
        Some(region) => cut(tree, region),
        None => tree,
    }
}

fn add(
    tree: &mut UiTree,
    path: &[i32],
    context: &str,
    from: FrameTree,
    placed: &Placed,
    inside: &mut HashMap<Vec<i32>, (String, FrameTree)>,
) {
    tree.truncated |= from.truncated;
    // Where each node of this document stands in the joined tree: the nodes of frames lie in between.
    let mut indices: Vec<u32> = Vec::with_capacity(from.nodes.len());
    for node in from.nodes {
        if tree.nodes.len() >= MOST {
            tree.truncated = true;
            return;
        }
        let parent = usize::try_from(node.parent).ok().and_then(|p| indices.get(p).copied()).or(placed.parent);
        let index = tree.nodes.len() as u32;
        indices.push(index);
        let (frame, origin) = (node.frame, node.origin);
        tree.nodes.push(convert(node, context, placed, parent));
        let (Some(number), Some([x, y, sx, sy])) = (frame, origin) else { continue };
        let inner = [path, &[number]].concat();
        let Some((context, frame_tree)) = inside.remove(&inner) else { continue };
        let Some(element) = tree.nodes.last() else { continue };
        let covered_by = placed.covered_by.clone().or_else(|| element.covered_by.clone());
        let window = placed.window.map_or(Some(element.rect), |w| w.intersection(&element.rect));
        let at = placed.point([x, y]);
        let (sx, sy) = (sx * placed.sx, sy * placed.sy);
        let window = Some(window.unwrap_or_default());
        let placed = Placed { x: at.x, y: at.y, sx, sy, window, covered_by, parent: Some(index) };
        add(tree, &inner, &context, frame_tree, &placed, inside);
    }
}

fn convert(node: FrameNode, context: &str, placed: &Placed, parent: Option<u32>) -> UiNode {
    let point = node.point.map(|p| placed.point(p)).filter(|&p| placed.shows(p) && placed.covered_by.is_none());
    let covered_by = if node.point.is_some() { placed.covered_by.clone() } else { node.by };
    UiNode {
        node: NodeRef { document: context.to_owned(), id: node.id },
        parent,
        role: node.role,
        name: node.name,
        description: node.about,
        placeholder: node.placeholder,
        value: node.value,
        options: node.options,
        kind: node.kind,
        hint: node.hint,
        states: node.states.into(),
        rect: placed.rect(node.rect),
        point,
        covered_by,
        interactive: node.interactive,
    }
}

/// Only what touches the region. A parent that is left out is replaced by its nearest one that is kept.
fn cut(tree: UiTree, region: Rect<Logical>) -> UiTree {
    let mut moved: Vec<Option<u32>> = Vec::with_capacity(tree.nodes.len());
    let mut nodes = Vec::new();
    for mut node in tree.nodes {
        let parent = node.parent.and_then(|p| moved.get(p as usize).copied().flatten());
        if node.rect.intersection(&region).is_some() {
            node.parent = parent;
            moved.push(Some(nodes.len() as u32));
            nodes.push(node);
        } else {
            moved.push(parent);
        }
    }
    UiTree { nodes, truncated: tree.truncated }
}
