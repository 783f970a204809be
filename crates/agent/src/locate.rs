//! Finding what a planner meant: a ladder, cheapest rung first. Every rung leaves a line in the receipt.
//!
//! A box in the reply is the model's claim. The UI tree may confirm it or snap it to the one control that it lies on; it never
//! leads to an element elsewhere, and no other rung is asked in its place.

use crate::read::boxes::{self, Spot};
use crate::settings::Settings;
use handeye_core::event::{Receipt, RungTried};
use handeye_core::text::fold;
use handeye_core::{
    Claim, Element, Logical, Observation, Point, Rect, Rung, Size, Stop, Target, UiNode, UiTree, Want, World,
};
use serde_json::Value;

pub mod tree;

use tree::Purpose;

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
    purpose: Purpose,
    receipt: &mut Receipt,
) -> Result<Result<Element, NotFound>, Stop> {
    match &target.claim {
        Some(Claim::Node { element, score, why }) => {
            let label = element.label.clone().unwrap_or_else(|| element.description.clone());
            receipt.rungs.push(RungTried { rung: Rung::Tree, candidates: vec![(label, *score)], why: why.clone() });
            Ok(Ok(element.clone()))
        }
        Some(Claim::Model(raw)) => by_box(world, settings, seen, (target, purpose), raw, receipt).await,
        None => by_tree(world, target, purpose, receipt).await,
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
    (target, purpose): (&Target, Purpose),
    raw: &Value,
    receipt: &mut Receipt,
) -> Result<Result<Element, NotFound>, Stop> {
    let Some(frame) = &seen.frame else {
        return Ok(refuse(receipt, Rung::Plan, "the plan gives a box, but no screenshot was shown".to_owned()));
    };
    let spot = match boxes::coordinates(raw, settings.family, &settings.shown(frame.image.size, settings.family)) {
        Ok(spot) => spot,
        Err(error) => return Ok(refuse(receipt, Rung::Plan, error.to_string())),
    };
    let (rect, point) = place(&spot, frame.logical_size());
    let nearby = match world.observe(Want::region(rect)).await? {
        Ok(seen) => seen.tree,
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
    if nearby.is_some() {
        conflict(world, target, purpose, &element, receipt).await?;
    }
    Ok(Ok(element))
}

/// The claim in logical points. The click point stays on the screen.
fn place(spot: &Spot, size: Size<Logical>) -> (Rect<Logical>, Point<Logical>) {
    let point = size.place_point(spot.point);
    (spot.rect.map_or_else(|| Rect::new(point.x - 1.0, point.y - 1.0, 2.0, 2.0), |r| size.place(r)), point)
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

/// An element elsewhere that answers to the description loses to the box; the receipt shows it.
async fn conflict(
    world: &mut dyn World,
    target: &Target,
    purpose: Purpose,
    element: &Element,
    receipt: &mut Receipt,
) -> Result<(), Stop> {
    if element.label.as_deref().is_some_and(|label| is_named_in(label, &target.description)) {
        return Ok(());
    }
    let tree = world.observe(Want::tree()).await?.ok().and_then(|seen| seen.tree);
    let mut tried = Receipt::default();
    let other = tree.and_then(|tree| tree::element(&tree, &target.description, purpose, &mut tried).ok());
    if let Some(other) = other.filter(|other| other.node != element.node && !other.rect.contains(element.point)) {
        let label = other.label.unwrap_or_else(|| other.description.clone());
        let why =
            format!("{label} at {} answers to the description too; the box is what the model claims", other.point);
        receipt.rungs.push(RungTried { rung: Rung::Tree, candidates: vec![(label, other.confidence)], why });
    }
    Ok(())
}

/// Whether a description speaks of the name in a label such as `button "Save"`.
fn is_named_in(label: &str, description: &str) -> bool {
    let name = label.split_once('"').map_or("", |(_, name)| name.trim_end_matches('"'));
    let (name, description) = (fold(name), fold(description));
    !name.is_empty() && (description.contains(&name) || name.contains(&description))
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
    purpose: Purpose,
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
    let found = tree::element(&tree, &target.description, purpose, receipt);
    Ok(found.map_err(|why| NotFound { why: format!("{why}{}", on_offer(&tree)) }))
}

#[cfg(test)]
mod tests;
