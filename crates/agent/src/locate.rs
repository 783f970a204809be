//! Finding what a planner meant: a ladder, cheapest rung first. Every rung leaves a line in the receipt.
//!
//! A box in the reply is the model's claim. The UI tree may confirm it or snap it to the one control that it lies on; it never
//! leads to an element elsewhere, and no other rung is asked in its place.

use crate::read::boxes::{self, Spot};
use crate::settings::Settings;
use handeye_core::event::{Receipt, RungTried};
use handeye_core::{
    Claim, Element, Logical, Observation, Point, Rect, Rung, Size, Stop, Target, UiNode, UiTree, Want, World,
};
use serde_json::Value;

pub mod tree;

/// Says why, and what was near.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    pub why: String,
}

/// Locates one target. `seen` is the observation that the planner decided on.
///
/// # Errors
/// A [`Stop`] when the run is cancelled or its time is over.
pub async fn locate(
    world: &mut dyn World,
    settings: &Settings,
    seen: &Observation,
    target: &Target,
    receipt: &mut Receipt,
) -> Result<Result<Element, NotFound>, Stop> {
    match &target.claim {
        Some(Claim::Node { element, score, why }) => {
            let label = element.label.clone().unwrap_or_else(|| element.description.clone());
            receipt.rungs.push(RungTried { rung: Rung::Tree, candidates: vec![(label, *score)], why: why.clone() });
            Ok(Ok(element.clone()))
        }
        Some(Claim::Model(raw)) => by_box(world, settings, seen, target, raw, receipt).await,
        None => by_tree(world, target, receipt).await,
    }
}

fn refuse(receipt: &mut Receipt, rung: Rung, why: String) -> Result<Element, NotFound> {
    receipt.rungs.push(RungTried { rung, candidates: Vec::new(), why: why.clone() });
    Err(NotFound { why })
}

/// The rung of the box that came with the plan.
async fn by_box(
    world: &mut dyn World,
    settings: &Settings,
    seen: &Observation,
    target: &Target,
    raw: &Value,
    receipt: &mut Receipt,
) -> Result<Result<Element, NotFound>, Stop> {
    let Some(frame) = &seen.frame else {
        return Ok(refuse(receipt, Rung::Plan, "the plan gives a box, but no screenshot was shown".to_owned()));
    };
    let spot = match boxes::coordinates(raw, settings.family) {
        Ok(spot) => spot,
        Err(error) => return Ok(refuse(receipt, Rung::Plan, error.to_string())),
    };
    let size = Size::new(frame.image.size.width / frame.scale, frame.image.size.height / frame.scale);
    let (rect, point) = place(&spot, size);
    let nearby = match world.observe(Want::region(rect)).await? {
        Ok(seen) => seen.tree,
        Err(error) if error.is_fatal() => return Ok(refuse(receipt, Rung::Plan, error.to_string())),
        Err(_) => None,
    };
    let claim = Element {
        description: target.description.clone(),
        rect,
        point,
        found_by: Rung::Plan,
        confidence: 0.8,
        node: None,
        label: None,
        secret: false,
    };
    let mut why = format!("the plan's box {raw} is {rect}");
    for repair in &spot.repairs {
        why.push_str("; ");
        why.push_str(repair);
    }
    let (element, candidates, verdict) = confirm(claim, nearby.as_ref());
    why.push_str("; ");
    why.push_str(&verdict);
    receipt.rungs.push(RungTried { rung: Rung::Plan, candidates, why });
    Ok(Ok(element))
}

/// The claim in logical points. The click point stays on the screen.
fn place(spot: &Spot, size: Size<Logical>) -> (Rect<Logical>, Point<Logical>) {
    let clamp = |v: f64, most: f64| v.clamp(0.0, (most - 1.0).max(0.0));
    let point =
        Point::new(clamp(spot.point01.0 * size.width, size.width), clamp(spot.point01.1 * size.height, size.height));
    let rect = match spot.rect01 {
        Some([l, t, r, b]) => {
            Rect::of_corners(Point::new(l * size.width, t * size.height), Point::new(r * size.width, b * size.height))
        }
        None => Rect::new(point.x - 1.0, point.y - 1.0, 2.0, 2.0),
    };
    (rect, point)
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
    // Of nested controls the inner one takes the click: the smallest that holds the point.
    let on = controls
        .iter()
        .filter(|(n, _)| n.rect.contains(claim.point))
        .min_by(|a, b| a.0.rect.area().total_cmp(&b.0.rect.area()));
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

/// Some of what can be operated, first what is in view, for who looked in vain.
fn on_offer(tree: &UiTree) -> String {
    let (near, far): (Vec<&UiNode>, Vec<&UiNode>) =
        tree.nodes.iter().filter(|n| n.interactive).partition(|n| n.point.is_some());
    let mut labels: Vec<String> = near.into_iter().chain(far).map(UiNode::label).collect();
    labels.dedup();
    let more = if labels.len() > SHOWN { ", …" } else { "" };
    labels.truncate(SHOWN);
    if labels.is_empty() { String::new() } else { format!("; the page has {}{more}", labels.join(", ")) }
}

/// Elements that a message lists.
const SHOWN: usize = 6;

/// The rung of the UI tree, for a target in words alone.
async fn by_tree(
    world: &mut dyn World,
    target: &Target,
    receipt: &mut Receipt,
) -> Result<Result<Element, NotFound>, Stop> {
    let seen = match world.observe(Want::tree()).await? {
        Ok(seen) => seen,
        Err(error) => return Ok(refuse(receipt, Rung::Tree, error.to_string())),
    };
    let Some(tree) = seen.tree else {
        let why =
            format!("no place was given for `{}`, and the device has no UI tree to look it up in", target.description);
        return Ok(refuse(receipt, Rung::Tree, why));
    };
    let found = tree::element(&tree, &target.description, receipt);
    Ok(found.map_err(|why| NotFound { why: format!("{why}{}", on_offer(&tree)) }))
}

#[cfg(test)]
mod tests;
