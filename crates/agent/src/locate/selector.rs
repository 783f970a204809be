//! The rung of the user's selector: exact, so it finds the one element that it names or none.

use super::{Found, Locating, NotFound, on_offer};
use handeye_core::{Claim, DeviceCause, Element, End, ErrorKind, Rung, Selector, Stop, UiNode, Want};

/// How many of several matches are named.
const NAMED: usize = 5;

impl Locating<'_> {
    pub(super) async fn by_selector(&mut self, selector: &Selector, claim: Option<&Claim>) -> Result<Found, Stop> {
        let found = match self.selected(selector).await? {
            Ok(found) => found,
            Err(missing) => return Ok(Err(missing)),
        };
        let Some(Claim::Model(raw)) = claim else { return Ok(Ok(found)) };
        // The model's box says where it is; the selector may only confirm that.
        let claimed = match self.by_box(raw).await? {
            Ok(claimed) => claimed,
            Err(missing) => return Ok(Err(missing)),
        };
        let confirms = found.node == claimed.node || found.rect.contains(claimed.point);
        if !confirms {
            self.beaten(Rung::Selector, &found, "is what the selector finds");
        }
        Ok(Ok(if confirms { found } else { claimed }))
    }

    async fn selected(&mut self, selector: &Selector) -> Result<Found, Stop> {
        let nodes = match self.world.observe(Want::selector(selector.clone())).await? {
            Ok(seen) => seen.tree.map(|tree| tree.nodes),
            Err(error) => {
                let mut refused = self.refuse(Rung::Selector, error.to_string());
                // What the device does not take as a selector, it will never take.
                if let (Err(missing), DeviceCause::Failed(_)) = (&mut refused, &error.cause) {
                    missing.end = Some(End::Error {
                        kind: ErrorKind::Usage,
                        message: error.to_string(),
                        hint: error.hint.clone(),
                    });
                }
                return Ok(refused);
            }
        };
        let Some(nodes) = nodes else {
            return Ok(self.refuse(Rung::Selector, "the device has no UI tree to find a selector in"));
        };
        let (hidden, seen): (Vec<&UiNode>, Vec<&UiNode>) = nodes.iter().partition(|node| node.rect.is_empty());
        match (seen.as_slice(), hidden.as_slice()) {
            ([one], _) => Ok(Ok(self.the_one(selector, one, hidden.len()))),
            ([], []) => self.nothing(selector).await,
            ([], [one]) => {
                let why = format!("`{selector}` finds {}, which is not visible", one.label());
                Ok(self.several(hidden.as_slice(), why))
            }
            ([], many) => {
                let why = format!("`{selector}` finds {}, and none is visible", listed(many, UiNode::label));
                Ok(self.several(many, why))
            }
            (many, _) => {
                let why =
                    format!("`{selector}` finds {}", listed(many, |n| format!("{} at {}", n.label(), n.rect.center())));
                Ok(self.several(many, format!("{why}; make it name one of them")))
            }
        }
    }

    fn the_one(&mut self, selector: &Selector, node: &UiNode, hidden: usize) -> Element {
        let mut why = format!("the one element that `{selector}` finds");
        if hidden > 0 {
            why.push_str(&format!(" (beside {hidden} that nobody sees)"));
        }
        if let Some(by) = &node.covered_by {
            why.push_str(&format!("; {by} lies over it"));
        }
        self.tried(Rung::Selector, vec![(node.label(), 1.0)], why);
        Element {
            description: self.target.description.clone(),
            rect: node.rect,
            point: node.point.unwrap_or_else(|| node.rect.center()),
            found_by: Rung::Selector,
            confidence: 1.0,
            node: Some(node.node.clone()),
            label: Some(node.label()),
            secret: node.states.password,
        }
    }

    async fn nothing(&mut self, selector: &Selector) -> Result<Found, Stop> {
        let tree = self.world.observe(Want::tree()).await?.ok().and_then(|seen| seen.tree);
        let offer = tree.as_ref().map(on_offer).unwrap_or_default();
        Ok(self.refuse(Rung::Selector, format!("`{selector}` finds no element{offer}")))
    }

    fn several(&mut self, nodes: &[&UiNode], why: String) -> Found {
        let candidates = nodes.iter().take(NAMED).map(|node| (node.label(), 1.0)).collect();
        self.tried(Rung::Selector, candidates, why.clone());
        Err(NotFound::because(why))
    }
}

/// `3 elements: a, b, c`
fn listed(nodes: &[&UiNode], name: impl Fn(&UiNode) -> String) -> String {
    let names: Vec<String> = nodes.iter().take(NAMED).map(|node| name(node)).collect();
    let more = if nodes.len() > NAMED { ", …" } else { "" };
    format!("{} elements: {}{more}", nodes.len(), names.join(", "))
}
