//! The rung of the box that came with the plan, and what the UI tree says of any box that a model gave.
//!
//! A box in the reply is the model's claim. The UI tree may confirm it or snap it to the one control that it lies on; it never
//! leads to an element elsewhere, and no other rung is asked in its place.

use super::tree;
use super::{Found, Locating};
use crate::read::boxes::{self, Spot};
use handeye_core::event::Receipt;
use handeye_core::text::fold;
use handeye_core::{
    Claim, Element, FramePx, Logical, Point, Rect, Rung, Shown, Size, Stop, UiNode, UiTree, Unit, Want,
};
use serde_json::Value;

impl Locating<'_> {
    /// The rung of the box that came with the plan.
    pub(super) async fn by_box(&mut self, raw: &Value) -> Result<Found, Stop> {
        let Some(frame) = self.sight.seen().frame.clone() else {
            return Ok(self.refuse(Rung::Plan, "the plan gives a box, but no screenshot was shown"));
        };
        let shown = self.settings.shown(frame.image.size, self.settings.family);
        let spot = match boxes::coordinates(raw, self.settings.family, &shown) {
            Ok(spot) => spot,
            Err(error) => return Ok(self.refuse(Rung::Plan, error.to_string())),
        };
        let said = format!("the plan's box {raw}");
        let (rect, point) = on_screen(&spot, &shown, frame.image.size, frame.logical_size());
        let element = self.claimed(Rung::Plan, &said, (rect, point), &spot.repairs).await?;
        Ok(Ok(element))
    }

    /// The same rung, for a point that the planner has read already.
    pub(super) async fn by_point(&mut self, raw: &Value, at: Point<Unit>) -> Result<Found, Stop> {
        let Some(frame) = &self.sight.seen().frame else {
            return Ok(self.refuse(Rung::Plan, "the plan gives a point, but no screenshot was shown"));
        };
        let point = frame.logical_size().place_point(at);
        Ok(Ok(self.claimed(Rung::Plan, &format!("the plan's point {raw}"), (around(point), point), &[]).await?))
    }

    /// What a model claims, confirmed or snapped by the tree. Leaves a line in the receipt.
    pub(super) async fn claimed(
        &mut self,
        rung: Rung,
        said: &str,
        (rect, point): (Rect<Logical>, Point<Logical>),
        repairs: &[String],
    ) -> Result<Element, Stop> {
        let nearby = match self.world.observe(Want::region(rect)).await? {
            Ok(seen) => seen.tree,
            Err(_) => None,
        };
        let claim = Element {
            description: self.target.description.clone(),
            rect,
            point,
            found_by: rung,
            confidence: 0.8,
            node: None,
            label: None,
            secret: false,
        };
        let (element, candidates, verdict) = confirm(claim, nearby.as_ref());
        let mut why = format!("{said} is {rect}");
        for more in repairs.iter().chain([&verdict]) {
            why.push_str("; ");
            why.push_str(more);
        }
        self.tried(rung, candidates, why);
        // What the tree was asked for in words before has said already whether it knows another.
        let is_described = !matches!(self.target.claim, Some(Claim::Place { .. }));
        if nearby.is_some() && rung == Rung::Plan && is_described {
            self.conflict(&element).await?;
        }
        Ok(element)
    }

    /// An element elsewhere that answers to the description loses to the box; the receipt shows it.
    async fn conflict(&mut self, element: &Element) -> Result<(), Stop> {
        if element.label.as_deref().is_some_and(|label| is_named_in(label, &self.target.description)) {
            return Ok(());
        }
        let tree = self.world.observe(Want::tree()).await?.ok().and_then(|seen| seen.tree);
        let mut tried = Receipt::default();
        let other = tree.and_then(|tree| tree::element(&tree, &self.target.description, self.purpose, &mut tried).ok());
        if let Some(other) = other.filter(|other| other.node != element.node && !other.rect.contains(element.point)) {
            self.beaten(Rung::Tree, &other, "answers to the description too");
        }
        Ok(())
    }

    /// An element that the model's box does not lie on.
    pub(super) fn beaten(&mut self, rung: Rung, other: &Element, what: &str) {
        let label = other.label.clone().unwrap_or_else(|| other.description.clone());
        let why = format!("{label} at {} {what}; the box is what the model claims", other.point);
        self.tried(rung, vec![(label, other.confidence)], why);
    }
}

/// A place on a shown picture, in logical points. The click point stays on the screen.
pub(super) fn on_screen(
    spot: &Spot,
    shown: &Shown,
    picture: Size<FramePx>,
    screen: Size<Logical>,
) -> (Rect<Logical>, Point<Logical>) {
    let point = screen.place_point(shown.of_picture(picture, spot.point));
    let rect = spot.rect.map(|rect| screen.place(shown.rect_of_picture(picture, rect)));
    (rect.unwrap_or_else(|| around(point)), point)
}

/// What stands for the rectangle of a bare point.
fn around(point: Point<Logical>) -> Rect<Logical> {
    Rect::new(point.x - 1.0, point.y - 1.0, 2.0, 2.0)
}

/// Confirms the claim with the controls that its box touches, or snaps it to the one that it lies on.
fn confirm(claim: Element, nearby: Option<&UiTree>) -> (Element, Vec<(String, f64)>, String) {
    let Some(tree) = nearby else {
        return (claim, Vec::new(), "the device has no UI tree to confirm it with".to_owned());
    };
    let controls: Vec<(&UiNode, f64)> = tree
        .nodes
        .iter()
        .filter(|n| n.interactive)
        .filter_map(|n| n.rect.intersection(&claim.rect).map(|cut| (n, overlap(&claim, n, cut.area()))))
        .collect();
    let mut candidates: Vec<(String, f64)> = controls.iter().map(|(n, o)| (n.label(), *o)).collect();
    candidates.sort_by(|a, b| b.1.total_cmp(&a.1));
    candidates.truncate(5);
    // What is covered cannot take the click while something on top of it can; of nested controls the inner one takes it, the
    // smallest that holds the point.
    let on = controls.iter().filter(|(n, _)| n.rect.contains(claim.point)).min_by(|(a, _), (b, _)| {
        let hidden = |n: &UiNode| n.covered_by.is_some();
        hidden(a).cmp(&hidden(b)).then(a.rect.area().total_cmp(&b.rect.area()))
    });
    if let Some((node, _)) = on {
        let verdict = format!("its centre {} lies on {}", claim.point, node.label());
        let element = Element {
            node: Some(node.node.clone()),
            label: Some(node.label()),
            secret: node.states.password,
            confidence: 0.95,
            ..claim
        };
        return (element, candidates, verdict);
    }
    let mostly: Vec<&&UiNode> = controls.iter().filter(|(_, o)| *o >= SNAP_OVERLAP).map(|(n, _)| n).collect();
    if let [node] = mostly.as_slice() {
        let to = node.point.unwrap_or_else(|| node.rect.center());
        let verdict = format!("moved from {} to {to}, onto {}, the only control in the box", claim.point, node.label());
        let element = Element {
            rect: node.rect,
            point: to,
            node: Some(node.node.clone()),
            label: Some(node.label()),
            secret: node.states.password,
            confidence: 0.85,
            ..claim
        };
        return (element, candidates, verdict);
    }
    (claim, candidates, "no single control lies in it, so its centre is used as it is".to_owned())
}

/// A box snaps to a control when they share at least this part of the smaller of the two.
const SNAP_OVERLAP: f64 = 0.5;

/// The shared area as a part of the smaller of the two.
fn overlap(claim: &Element, node: &UiNode, shared: f64) -> f64 {
    shared / claim.rect.area().min(node.rect.area()).max(1.0)
}

/// Whether a description speaks of the name in a label such as `button "Save"`.
fn is_named_in(label: &str, description: &str) -> bool {
    let name = label.split_once('"').map_or("", |(_, name)| name.trim_end_matches('"'));
    let (name, description) = (fold(name), fold(description));
    !name.is_empty() && (description.contains(&name) || name.contains(&description))
}

#[cfg(test)]
mod tests;
