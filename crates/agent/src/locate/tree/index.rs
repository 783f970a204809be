//! A UI tree with what matching needs to ask of it again and again.

use super::names;
use handeye_core::{Logical, Rect, UiNode, UiTree};

pub(crate) struct Index<'a> {
    pub(crate) tree: &'a UiTree,
    children: Vec<Vec<usize>>,
    /// Elements without a parent: a device may leave the page itself out.
    roots: Vec<usize>,
}

/// Roles of the things that lists and tables are made of.
const ROW_ROLES: &[&str] = &["row", "listitem", "article", "treeitem", "option", "menuitem", "figure"];
/// Roles that mark a place of its own on the page.
const PLACE_ROLES: &[&str] =
    &["main", "document", "RootWebArea", "rootwebarea", "application", "webarea", "body", "window"];

impl<'a> Index<'a> {
    pub(crate) fn of(tree: &'a UiTree) -> Self {
        let mut children = vec![Vec::new(); tree.nodes.len()];
        let mut roots = Vec::new();
        for (i, _) in tree.nodes.iter().enumerate() {
            match tree.parent(i).and_then(|p| children.get_mut(p)) {
                Some(list) => list.push(i),
                None => roots.push(i),
            }
        }
        Self { tree, children, roots }
    }
    pub(crate) fn node(&self, i: usize) -> &'a UiNode {
        &self.tree.nodes[i]
    }
    pub(crate) fn len(&self) -> usize {
        self.tree.nodes.len()
    }
    pub(crate) fn children(&self, i: usize) -> &[usize] {
        self.children.get(i).map_or(&[], Vec::as_slice)
    }
    /// The element and those beside it.
    pub(crate) fn siblings(&self, i: usize) -> &[usize] {
        self.tree.parent(i).map_or(&self.roots, |p| self.children(p))
    }
    pub(crate) fn is_inside(&self, i: usize, holder: usize) -> bool {
        self.tree.ancestors(i).any(|a| a == holder)
    }
    /// The element and everything in it, in document order.
    pub(crate) fn subtree(&self, i: usize) -> Vec<usize> {
        let mut out = vec![i];
        let mut next = 0;
        while let Some(&at) = out.get(next) {
            out.extend(self.children(at));
            next += 1;
        }
        out.sort_unstable();
        out
    }
    /// All text in an element, as read from top to bottom. `None` when there is none.
    pub(crate) fn text(&self, i: usize) -> Option<String> {
        let mut parts: Vec<&str> = Vec::new();
        for at in self.subtree(i) {
            let node = self.node(at);
            // A name that was made of the content would say everything twice.
            if self.children(at).is_empty() || node.role == "text" {
                parts.extend([node.name.as_str(), node.value.as_deref().unwrap_or_default()]);
            }
        }
        let text = parts.into_iter().filter(|p| !p.trim().is_empty()).collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            let name = &self.node(i).name;
            return (!name.is_empty()).then(|| name.clone());
        }
        Some(text)
    }
    /// What a person would call the element: its name, else the text in it.
    pub(crate) fn visible_name(&self, i: usize) -> String {
        let node = self.node(i);
        if node.name.is_empty() { self.text(i).unwrap_or_default() } else { node.name.clone() }
    }

    /// Rows, list items, cards: one of several things of the same kind.
    pub(crate) fn is_row(&self, i: usize) -> bool {
        let node = self.node(i);
        if ROW_ROLES.contains(&node.role.as_str()) {
            return true;
        }
        if !matches!(node.role.as_str(), "generic" | "group" | "region" | "div" | "section")
            || self.children(i).is_empty()
        {
            return false;
        }
        let shape = self.shape(i);
        self.siblings(i).iter().filter(|&&s| self.shape(s) == shape).count() >= 2
    }
    /// What makes siblings alike: their role, kind, and which roles they hold at the first level.
    fn shape(&self, i: usize) -> (String, String, Vec<String>) {
        let node = self.node(i);
        let mut held: Vec<String> = self.children(i).iter().map(|&c| self.node(c).role.clone()).collect();
        held.sort_unstable();
        held.dedup();
        (node.role.clone(), node.kind.clone(), held)
    }
    /// A row of column names.
    pub(crate) fn is_header_row(&self, i: usize) -> bool {
        let children = self.children(i);
        let is_head = |c: usize| self.node(c).role == "columnheader";
        let is_blank = |c: usize| self.text(c).is_none() && self.subtree(c).iter().all(|&m| !self.node(m).interactive);
        children.iter().any(|&c| is_head(c)) && children.iter().all(|&c| is_head(c) || is_blank(c))
    }
    /// The whole page, or so much of it that it is no place on it.
    pub(crate) fn is_page(&self, i: usize) -> bool {
        PLACE_ROLES.contains(&self.node(i).role.as_str())
    }

    /// Sorts elements as a person reads them: line by line, each from left to right.
    pub(crate) fn reading_order(&self, indices: &mut Vec<usize>) {
        indices.sort_by(|&a, &b| {
            let (a, b) = (self.node(a).rect, self.node(b).rect);
            a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left))
        });
        let mut lines: Vec<(Rect<Logical>, Vec<usize>)> = Vec::new();
        for &i in indices.iter() {
            let rect = self.node(i).rect;
            match lines.iter_mut().find(|(line, _)| share_a_line(line, &rect)) {
                Some((_, members)) => members.push(i),
                None => lines.push((rect, vec![i])),
            }
        }
        for (_, members) in &mut lines {
            members.sort_by(|&a, &b| self.node(a).rect.left.total_cmp(&self.node(b).rect.left));
        }
        *indices = lines.into_iter().flat_map(|(_, members)| members).collect();
    }

    /// The text that labels an element without a name of its own: at its left on the same line, at its right for boxes to
    /// tick, or just above.
    pub(crate) fn label_beside(&self, i: usize) -> Option<String> {
        let node = self.node(i);
        let column = self.column_of(i);
        let ticks = matches!(node.role.as_str(), "checkbox" | "radio" | "switch");
        let mut best: Option<(f64, String)> = None;
        for (at, other) in self.tree.nodes.iter().enumerate() {
            if at == i || !is_text_like(other) || other.name.trim().is_empty() || self.is_inside(at, i) {
                continue;
            }
            // What lies behind a dialog labels nothing in it.
            if other.covered_by.is_some() && node.covered_by.is_none() {
                continue;
            }
            // The cells beside its own say other things of the row.
            if column.as_ref().is_some_and(|(cell, _)| !self.is_inside(at, *cell)) {
                continue;
            }
            let Some(distance) = label_distance(&node.rect, &other.rect, ticks) else { continue };
            if self.inside_control(at) || self.between(&node.rect, &other.rect, i, at) {
                continue;
            }
            if best.as_ref().is_none_or(|(d, _)| distance < *d) {
                best = Some((distance, other.name.clone()));
            }
        }
        best.map(|(_, text)| text).or(column.map(|(_, head)| head))
    }
    /// The cell of a table that an element stands in, and what its column is called. Page and body of a table may be two
    /// tables, so the head is the one that stands above.
    pub(crate) fn column_of(&self, i: usize) -> Option<(usize, String)> {
        let cell = self.tree.ancestors(i).find(|&a| matches!(self.node(a).role.as_str(), "cell" | "gridcell"))?;
        let rect = self.node(cell).rect;
        let middle = rect.center().x;
        let above = |h: &&UiNode| {
            let stands = h.rect.left <= middle && middle <= h.rect.right() && h.rect.bottom() <= rect.top + 2.0;
            h.role == "columnheader" && stands && !clean_name(h).is_empty()
        };
        let heads = self.tree.nodes.iter().filter(above);
        let head = heads.max_by(|a, b| a.rect.top.total_cmp(&b.rect.top))?;
        Some((cell, clean_name(head)))
    }
    /// What stands behind an element on its line, and just below it: `12` behind or under `Total`.
    pub(crate) fn text_after(&self, i: usize) -> Vec<String> {
        const BESIDE: f64 = 600.0;
        const BELOW: f64 = 32.0;
        let rect = self.node(i).rect;
        let mut beside: Option<(f64, String)> = None;
        let mut below: Option<(f64, String)> = None;
        for (at, other) in self.tree.nodes.iter().enumerate() {
            let text = other.value.clone().unwrap_or_else(|| other.name.clone());
            if at == i || !self.children(at).is_empty() || text.is_empty() || self.is_inside(at, i) {
                continue;
            }
            let (right, down) = (other.rect.left - rect.right(), other.rect.top - rect.bottom());
            let aligned = other.rect.left < rect.right() && other.rect.right() > rect.left;
            if share_a_line(&rect, &other.rect) && (-4.0..BESIDE).contains(&right) {
                if beside.as_ref().is_none_or(|(gap, _)| right < *gap) {
                    beside = Some((right, text));
                }
            } else if aligned
                && !other.interactive
                && (-4.0..BELOW).contains(&down)
                && below.as_ref().is_none_or(|(gap, _)| down < *gap)
            {
                below = Some((down, text));
            }
        }
        [beside, below].into_iter().flatten().map(|(_, text)| text).collect()
    }
    fn inside_control(&self, i: usize) -> bool {
        self.tree.ancestors(i).any(|a| {
            let node = self.node(a);
            node.interactive
                && !node.role.is_empty()
                && matches!(node.role.as_str(), "button" | "link" | "tab" | "option")
        })
    }
    /// Whether another control stands between an element and the text that might label it.
    fn between(&self, a: &Rect<Logical>, b: &Rect<Logical>, i: usize, at: usize) -> bool {
        let gap = Rect::of_corners(a.center(), b.center());
        self.tree.nodes.iter().enumerate().any(|(k, n)| {
            k != i
                && k != at
                && n.interactive
                && self.children(k).is_empty()
                && !self.is_inside(at, k)
                && !self.is_inside(i, k)
                && gap_crosses(&gap, &n.rect)
        })
    }
}

fn gap_crosses(gap: &Rect<Logical>, rect: &Rect<Logical>) -> bool {
    let c = rect.center();
    let wide = Rect::new(gap.left - 1.0, gap.top - 1.0, gap.width + 2.0, gap.height + 2.0);
    wide.contains(c)
}

fn is_text_like(node: &UiNode) -> bool {
    matches!(
        node.role.as_str(),
        "text" | "label" | "heading" | "legend" | "paragraph" | "cell" | "rowheader" | "term" | "strong" | "generic"
    ) && !node.interactive
}

/// How far a text is from the element that it might label; `None` when it stands elsewhere.
fn label_distance(field: &Rect<Logical>, text: &Rect<Logical>, ticks: bool) -> Option<f64> {
    const FAR: f64 = 240.0;
    const ABOVE: f64 = 36.0;
    if share_a_line(field, text) {
        let left = field.left - text.right();
        if (-4.0..FAR).contains(&left) {
            return Some(left.max(0.0) + if ticks { 8.0 } else { 0.0 });
        }
        let right = text.left - field.right();
        if ticks && (-4.0..FAR).contains(&right) {
            return Some(right.max(0.0));
        }
        return None;
    }
    let above = field.top - text.bottom();
    let aligned = text.left < field.right() && text.right() > field.left;
    // A box to tick is rarely named above it.
    let far = if ticks { 120.0 } else { 60.0 };
    (aligned && (-4.0..ABOVE).contains(&above)).then(|| above.max(0.0) + far)
}

/// Two boxes stand on one line when they share more than half of the lower one's height.
pub(crate) fn share_a_line(a: &Rect<Logical>, b: &Rect<Logical>) -> bool {
    let shared = a.bottom().min(b.bottom()) - a.top.max(b.top);
    shared > 0.5 * a.height.min(b.height).max(1.0)
}

/// The name of a node as matching sees it: what people read, with the marks of required fields and counts taken off.
pub(crate) fn clean_name(node: &UiNode) -> String {
    names::clean(&node.name)
}
