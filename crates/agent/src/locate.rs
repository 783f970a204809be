//! Finding what a planner or a person meant: a ladder, cheapest rung first. Every rung leaves a line in the receipt.
//!
//! The rungs, by their numbers in the design: the user's selector (1); the UI tree, when one element answers and no other comes
//! near (3); the box that came with the plan (4); a model that looks at the screen (6), and the same in two steps on an
//! enlarged part of it (7). A place that a model gives is its claim: the UI tree confirms it or snaps it to the one control that
//! it lies on, and says where it knows better.

use crate::run::Sight;
use crate::settings::Settings;
use handeye_core::event::{Receipt, RungTried};
use handeye_core::{Claim, Element, End, Rung, Stop, Target, UiNode, UiTree, Want, World};
use serde_json::Value;

pub(crate) mod area;
mod claim;
mod model;
mod prompt;
mod selector;
pub mod tree;

use tree::Purpose;

/// Says why, and what was near.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    pub why: String,
    /// Set when looking again would be of no use: the run ends so.
    pub end: Option<End>,
}

impl NotFound {
    fn because(why: impl Into<String>) -> Self {
        Self { why: why.into(), end: None }
    }
}

type Found = Result<Element, NotFound>;

/// Locates one target.
///
/// # Errors
/// A [`Stop`] when the run is cancelled or its time is over.
pub async fn locate(
    world: &mut dyn World,
    settings: &Settings,
    sight: &mut Sight,
    (target, purpose): (&Target, Purpose),
    receipt: &mut Receipt,
) -> Result<Found, Stop> {
    Locating { world, settings, sight, target, purpose, receipt }.find().await
}

/// One target on its way up the ladder.
struct Locating<'a> {
    world: &'a mut dyn World,
    settings: &'a Settings,
    sight: &'a mut Sight,
    target: &'a Target,
    purpose: Purpose,
    receipt: &'a mut Receipt,
}

impl Locating<'_> {
    async fn find(&mut self) -> Result<Found, Stop> {
        let target = self.target;
        match (&target.selector, &target.claim) {
            (Some(selector), claim) => self.by_selector(selector, claim.as_ref()).await,
            (None, Some(Claim::Node { element, score, why })) => {
                let label = element.label.clone().unwrap_or_else(|| element.description.clone());
                self.tried(Rung::Tree, vec![(label, *score)], why.clone());
                Ok(Ok(element.clone()))
            }
            // Where no place was asked for, none is missing.
            (None, Some(Claim::Model(Value::Null))) if !self.settings.inline() => self.by_words().await,
            (None, Some(Claim::Model(raw))) => {
                let found = self.by_box(raw).await?;
                self.deeper(found).await
            }
            (None, Some(Claim::Place { said, at })) => {
                let found = self.by_point(said, *at).await?;
                self.deeper(found).await
            }
            (None, None) => self.by_words().await,
        }
    }

    /// A target in words alone: the UI tree when it is certain, else the model.
    async fn by_words(&mut self) -> Result<Found, Stop> {
        let missing = match self.by_tree().await? {
            Ok(element) => return Ok(Ok(element)),
            Err(missing) => missing,
        };
        Ok(match self.by_model().await? {
            None => Err(missing),
            Some(Err(NotFound { why, end })) => Err(NotFound { why: format!("{}; {why}", missing.why), end }),
            Some(found) => found,
        })
    }

    fn tried(&mut self, rung: Rung, candidates: Vec<(String, f64)>, why: impl Into<String>) {
        self.receipt.rungs.push(RungTried { rung, candidates, why: why.into() });
    }

    fn refuse(&mut self, rung: Rung, why: impl Into<String>) -> Found {
        let why = why.into();
        self.tried(rung, Vec::new(), why.clone());
        Err(NotFound::because(why))
    }

    /// The rung of the UI tree, for a target in words alone.
    async fn by_tree(&mut self) -> Result<Found, Stop> {
        let description = &self.target.description;
        let seen = match self.world.observe(Want::tree()).await? {
            Ok(seen) => seen,
            Err(error) => return Ok(self.refuse(Rung::Tree, error.to_string())),
        };
        let Some(tree) = seen.tree else {
            let why = format!("no place was given for `{description}`, and the device has no UI tree to look it up in");
            return Ok(self.refuse(Rung::Tree, why));
        };
        let found = tree::element(&tree, description, self.purpose, self.receipt);
        Ok(found.map_err(|why| NotFound::because(format!("{why}{}", on_offer(&tree)))))
    }
}

/// Some of what can be operated, first what is in view, for who looked in vain.
fn on_offer(tree: &UiTree) -> String {
    let (near, far): (Vec<&UiNode>, Vec<&UiNode>) =
        tree.nodes.iter().filter(|n| n.interactive).partition(|n| n.point.is_some());
    let mut labels: Vec<String> = near.into_iter().chain(far).map(UiNode::label).collect();
    labels.dedup();
    let more = if labels.len() > SHOWN { ", …" } else { "" };
    labels.truncate(SHOWN);
    let cut = if tree.truncated { "; the page has more elements than could be read" } else { "" };
    if labels.is_empty() { cut.to_owned() } else { format!("; the page has {}{more}{cut}", labels.join(", ")) }
}

/// Elements that a message lists.
const SHOWN: usize = 6;
