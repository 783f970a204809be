//! Matching a described target in a UI tree.
//!
//! [`Wanted`] is a description taken apart: words, role, ordinal, surroundings. [`resolve`] scores every element that could
//! take it and answers with one element only when the match is unique; in all other cases it says which elements came near.
//! A wrong element is worse than none, so nothing is ever guessed: a score below [`ENOUGH`], or a second best within
//! [`MARGIN`], is no match.
//!
//! Scores go from 0 to 1. What a person reads of an element counts most: its name, then its placeholder, value, description
//! or the text beside it, then ids and link targets, which nobody sees.

use crate::language::Language;
use handeye_core::event::{Receipt, RungTried};
use handeye_core::{Element, Rung, UiNode, UiTree};

mod apart;
mod choose;
mod glossary;
mod index;
mod names;
mod near;
pub mod phrase;
mod roles;
mod scope;
mod side;
mod spot;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;

pub(crate) use apart::{Hindrance, hindrance};
pub(crate) use index::{Index, share_a_line};
pub(crate) use names::{Phrase, contains_text, is_cjk, label_of_field, same_text};
pub use roles::RoleWord;
pub(crate) use roles::{is_field, is_select, is_tick, takes_files};

/// The least score of a match.
pub const ENOUGH: f64 = 0.8;
/// How far the second best has to stay behind.
pub const MARGIN: f64 = 0.1;
/// How many elements are named when there is no single match.
const NAMED: usize = 5;

/// Which of several equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordinal {
    /// From the first, which is 1.
    Nth(u32),
    /// From the last, which is 1.
    FromEnd(u32),
}

/// On which side of its surroundings an element lies: `最右边的`, `右上角的`. It only tells apart what else would be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// -1 is left, 1 is right, 0 is not said.
    pub x: i8,
    /// -1 is top, 1 is bottom, 0 is not said.
    pub y: i8,
    /// Farther out than all others.
    pub most: bool,
}

/// Where an element lies as seen from another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    NextTo,
    RightOf,
    LeftOf,
    Above,
    Below,
    /// `the delete button for Alice`: in the same row, beside that label, or named after it.
    For,
}

/// What the element is wanted for: it decides which roles can take it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    #[default]
    Click,
    Type,
    /// A list to choose from, or a choice itself.
    Choose,
    Toggle,
    Upload,
    /// Something to point at, drag or scroll to.
    Point,
    /// Something to read.
    Read,
    /// Something that holds other elements.
    Hold,
}

/// A description taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// The name as it was said; empty when only a role or a place was.
    pub words: String,
    pub role: Option<RoleWord>,
    /// The words stood in quotes: they are meant literally.
    pub quoted: bool,
    /// Only the whole name will do.
    pub strict: bool,
    pub ordinal: Option<Ordinal>,
    pub within: Option<Box<Wanted>>,
    pub near: Option<(Relation, Box<Wanted>)>,
    pub side: Option<Side>,
    /// The words are a whole phrase, quotes and all, that is read against the page.
    pub loose: bool,
    /// As a place: when the page has no such part, the name alone decides.
    pub optional: bool,
    pub purpose: Purpose,
    /// Another way to read the same words, for when no element answers to this one.
    pub or: Option<Box<Wanted>>,
}

/// One element that came into question.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Index in [`UiTree::nodes`].
    pub index: usize,
    /// From 0 to 1.
    pub score: f64,
    pub why: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    One(Candidate),
    /// Several answer equally well, best first.
    Many(Vec<Candidate>),
    /// None does; these came nearest, best first.
    None(Vec<Candidate>),
}

impl Wanted {
    pub fn named(words: impl Into<String>, purpose: Purpose) -> Self {
        Self { words: words.into(), purpose, ..Self::default() }
    }
    /// For the purpose, in all its readings and not in its surroundings.
    pub fn for_purpose(mut self, purpose: Purpose) -> Self {
        self.purpose = purpose;
        self.or = self.or.map(|or| Box::new(or.for_purpose(purpose)));
        self
    }
    /// Inside of `holder`, in all its readings. A place that was said already stays the inner one.
    pub fn inside(mut self, holder: &Wanted) -> Self {
        self.within = Some(Box::new(match self.within.take() {
            Some(inner) => inner.inside(holder),
            None => holder.clone(),
        }));
        self.or = self.or.map(|or| Box::new(or.inside(holder)));
        self
    }
    /// All readings, the first one first.
    pub(crate) fn readings(&self) -> impl Iterator<Item = &Wanted> {
        std::iter::successors(Some(self), |w| w.or.as_deref())
    }
    /// With another reading for when no element answers to any of these.
    pub(crate) fn or_else(mut self, last: Wanted) -> Self {
        self.or = Some(Box::new(match self.or.take() {
            Some(or) => or.or_else(last),
            None => last,
        }));
        self
    }
    /// Only repeats the whole phrase, which has better readings behind it.
    pub(crate) fn is_literal(&self) -> bool {
        self.strict && self.or.as_ref().is_some_and(|or| !or.loose)
    }
    /// `the box`, for a click: whatever the page has just one of would answer to it.
    fn says_nothing(&self) -> bool {
        let anything = matches!(self.role, None | Some(RoleWord::Any)) && self.words.is_empty();
        let anywhere = self.ordinal.is_none() && self.within.is_none() && self.near.is_none();
        anything && anywhere && !matches!(self.purpose, Purpose::Type | Purpose::Toggle | Purpose::Upload)
    }
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.role.is_none() && self.ordinal.is_none()
    }
}

/// Finds the element that a description means.
pub fn resolve(tree: &UiTree, wanted: &Wanted) -> Found {
    find(&Index::of(tree), wanted)
}

pub(crate) fn find(index: &Index<'_>, wanted: &Wanted) -> Found {
    let mut nearest = Vec::new();
    let mut reading = Some(wanted);
    while let Some(one) = reading {
        match read_once(index, one) {
            Found::None(candidates) => nearest.extend(candidates),
            found => return found,
        }
        reading = one.or.as_deref();
    }
    nearest.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut seen = Vec::new();
    nearest.retain(|c| {
        !seen.contains(&c.index) && {
            seen.push(c.index);
            true
        }
    });
    nearest.truncate(NAMED);
    Found::None(nearest)
}

/// One reading of a description.
fn read_once(index: &Index<'_>, wanted: &Wanted) -> Found {
    if wanted.is_empty() || wanted.says_nothing() {
        return Found::None(Vec::new());
    }
    if wanted.loose {
        return spot::read(index, wanted);
    }
    let mut nearest = Vec::new();
    for scope in scope::scopes(index, wanted) {
        let pool = match &wanted.near {
            Some((relation, anchor)) => near::pool(index, wanted, &scope, *relation, anchor),
            None => choose::pool(index, wanted, &scope),
        };
        match choose::decide(index, wanted, &pool) {
            Found::None(candidates) => nearest.extend(candidates),
            found => return found,
        }
    }
    Found::None(nearest)
}

/// Whether a text speaks of more than one thing, or of something that is not simply named: `所有`, `最新的`.
pub(crate) fn speaks_of_several(text: &str) -> bool {
    spot::speaks_of_several(text)
}

/// The control that a clause names, where the rest of it says whose control that is: `查看陈静的订单`.
pub(crate) fn find_control(index: &Index<'_>, clause: &str) -> Found {
    spot::control(index, clause)
}

/// How one element is named to people, told apart from those that look the same.
pub(crate) fn label(index: &Index<'_>, i: usize, language: Language) -> String {
    apart::label(index, i, language)
}

/// How the first few candidates are named to people, each told apart from the others.
pub(crate) fn describe(index: &Index<'_>, candidates: &[Candidate], language: Language) -> Vec<String> {
    apart::describe(index, candidates, NAMED, language)
}

/// The found node as an element that an action can take.
pub fn to_element(node: &UiNode, candidate: &Candidate, description: &str) -> Element {
    Element {
        description: description.to_owned(),
        rect: node.rect,
        point: node.point.unwrap_or_else(|| node.rect.center()),
        found_by: Rung::Tree,
        confidence: candidate.score,
        node: Some(node.node.clone()),
        label: Some(node.label()),
        secret: node.states.password,
    }
}

/// Finds what a description in plain words means. Leaves a line in the receipt.
///
/// # Errors
/// Says that the words were not understood, or which elements came near.
pub fn element(tree: &UiTree, description: &str, purpose: Purpose, receipt: &mut Receipt) -> Result<Element, String> {
    let Some(wanted) = phrase::read(description, purpose) else {
        let why = format!("`{description}` does not read as the description of one element");
        receipt.rungs.push(RungTried { rung: Rung::Tree, candidates: Vec::new(), why: why.clone() });
        return Err(why);
    };
    let found = resolve(tree, &wanted);
    let (candidates, outcome) = match &found {
        Found::One(one) => (std::slice::from_ref(one), Ok(one)),
        Found::Many(many) => (many.as_slice(), Err(format!("several elements answer to `{description}`"))),
        Found::None(near) => (near.as_slice(), Err(format!("no element answers to `{description}`"))),
    };
    let labels = describe(&Index::of(tree), candidates, Language::English);
    let scored = labels.iter().cloned().zip(candidates.iter().map(|c| c.score)).collect();
    let why = match &outcome {
        Ok(one) => one.why.clone(),
        Err(why) => why.clone(),
    };
    receipt.rungs.push(RungTried { rung: Rung::Tree, candidates: scored, why });
    match outcome {
        Ok(one) => match tree.nodes.get(one.index) {
            Some(node) => Ok(to_element(node, one, description)),
            None => Err(format!("no element answers to `{description}`")),
        },
        Err(why) if labels.is_empty() => Err(why),
        Err(why) => Err(format!("{why}; nearest: {}", labels.join("; "))),
    }
}
