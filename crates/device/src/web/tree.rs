//! The UI trees of a page's frames, joined into one in the coordinates of the main viewport.

use handeye_core::{Logical, NodeRef, Point, Rect, States, Toggle, UiNode, UiTree};
use serde::Deserialize;
use std::collections::HashMap;

/// No page that a person can use has more; a tree is bounded whatever the page does.
const MOST: usize = 5000;

/// The tree of one document, as `js/tree.js` and `js/selector.js` give it.
#[derive(Debug, Deserialize)]
pub(super) struct FrameTree {
    nodes: Vec<FrameNode>,
    truncated: bool,
    /// Of a selector: its text is only a part of what these elements say.
    #[serde(default)]
    partial: bool,
    /// Why it is no selector.
    pub(super) error: Option<String>,
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
    /// An iframe that is only here because what it holds has to be placed.
    #[serde(default)]
    carrier: bool,
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
    mut own: FrameTree,
    mut frames: Vec<(Vec<i32>, String, FrameTree)>,
    region: Option<Rect<Logical>>,
) -> UiTree {
    frames.sort_by_key(|(path, ..)| path.len());
    // What a selector names wholly in one document leaves out what it names in part in another.
    let is_whole = |t: &FrameTree| !t.partial && t.nodes.iter().any(|n| !n.carrier);
    if is_whole(&own) || frames.iter().any(|(.., t)| is_whole(t)) {
        for tree in frames.iter_mut().map(|(.., t)| t).chain([&mut own]).filter(|t| t.partial) {
            tree.nodes.iter_mut().for_each(|n| n.carrier = true);
        }
    }
    let tree = UiTree { nodes: Vec::new(), truncated: own.truncated };
    let mut joining = Joining { tree, carriers: Vec::new(), inside: HashMap::new() };
    for (path, context, tree) in frames {
        joining.inside.insert(path, (context, tree));
    }
    let top = Placed { x: 0.0, y: 0.0, sx: 1.0, sy: 1.0, window: None, covered_by: None, parent: None };
    joining.add(&[], context, own, &top);
    let Joining { tree, carriers, .. } = joining;
    keep(tree, |index, node| {
        !carriers.get(index).copied().unwrap_or_default()
            && region.is_none_or(|region| node.rect.intersection(&region).is_some())
    })
}

struct Joining {
    tree: UiTree,
    /// For each node of the tree: it is not to stay.
    carriers: Vec<bool>,
    /// Documents that have no place yet, by their path.
    inside: HashMap<Vec<i32>, (String, FrameTree)>,
}

impl Joining {
    fn add(&mut self, path: &[i32], context: &str, from: FrameTree, placed: &Placed) {
        self.tree.truncated |= from.truncated;
        // Where each node of this document stands in the joined tree: the nodes of frames lie in between.
        let mut indices: Vec<u32> = Vec::with_capacity(from.nodes.len());
        for node in from.nodes {
            if self.tree.nodes.len() >= MOST {
                self.tree.truncated = true;
                return;
            }
            let parent = usize::try_from(node.parent).ok().and_then(|p| indices.get(p).copied()).or(placed.parent);
            let index = self.tree.nodes.len() as u32;
            indices.push(index);
            let (frame, origin) = (node.frame, node.origin);
            self.carriers.push(node.carrier);
            self.tree.nodes.push(convert(node, context, placed, parent));
            let (Some(number), Some([x, y, sx, sy])) = (frame, origin) else { continue };
            let inner = [path, &[number]].concat();
            let Some((context, frame_tree)) = self.inside.remove(&inner) else { continue };
            let Some(element) = self.tree.nodes.last() else { continue };
            let covered_by = placed.covered_by.clone().or_else(|| element.covered_by.clone());
            let window = placed.window.map_or(Some(element.rect), |w| w.intersection(&element.rect));
            let at = placed.point([x, y]);
            let (sx, sy) = (sx * placed.sx, sy * placed.sy);
            let window = Some(window.unwrap_or_default());
            let placed = Placed { x: at.x, y: at.y, sx, sy, window, covered_by, parent: Some(index) };
            self.add(&inner, &context, frame_tree, &placed);
        }
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
        // Nothing is seen of it, wherever its document lies.
        rect: if node.rect[2..] == [0.0, 0.0] { Rect::default() } else { placed.rect(node.rect) },
        point,
        covered_by,
        interactive: node.interactive,
    }
}

/// Only some of the nodes. A parent that is left out is replaced by its nearest one that is kept.
fn keep(tree: UiTree, is_kept: impl Fn(usize, &UiNode) -> bool) -> UiTree {
    let mut moved: Vec<Option<u32>> = Vec::with_capacity(tree.nodes.len());
    let mut nodes = Vec::new();
    for (index, mut node) in tree.nodes.into_iter().enumerate() {
        let parent = node.parent.and_then(|p| moved.get(p as usize).copied().flatten());
        if is_kept(index, &node) {
            node.parent = parent;
            moved.push(Some(nodes.len() as u32));
            nodes.push(node);
        } else {
            moved.push(parent);
        }
    }
    UiTree { nodes, truncated: tree.truncated }
}
