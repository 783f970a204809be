//! Telling equal elements apart: by the row, card, dialog or section that only one of them lies in, by the text beside it, else
//! by their order.

use super::Candidate;
use super::choose::is_same_control;
use super::index::Index;
use super::names::same_text;
use crate::language::{Language, Message};
use handeye_core::UiNode;
use handeye_core::text::clip;

/// Where one of several equals lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Row(String),
    /// A card, a dialog, a section.
    Part(String),
    /// The text at its left or just above.
    Beside(String),
    /// Number so and so of so many, as a person reads them.
    Nth(usize, usize),
}

const IN_ROW: Message = Message("{0} in the row \"{1}\"", "“{1}”那一行的{0}");
const IN_PART: Message = Message("{0} in \"{1}\"", "“{1}”里的{0}");
const BESIDE: Message = Message("{0} beside \"{1}\"", "“{1}”旁边的{0}");
const NTH: Message = Message("{0} (number {1} of {2})", "{0}（第{1}个，共{2}个）");
const DISABLED: Message = Message("disabled", "不可用");
const READONLY: Message = Message("read-only", "只读");
const COVERED: Message = Message("covered by {0}", "被 {0} 挡住");
const WITH_STATE: Message = Message("{0} ({1})", "{0}（{1}）");

/// Why an element cannot be operated just now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hindrance {
    Disabled,
    ReadOnly,
    Covered(String),
}

impl Hindrance {
    pub(crate) fn said(&self, language: Language) -> String {
        match self {
            Self::Disabled => language.say(DISABLED, &[]),
            Self::ReadOnly => language.say(READONLY, &[]),
            Self::Covered(by) => language.say(COVERED, &[by]),
        }
    }
}

/// Why an element cannot be operated just now.
pub(crate) fn hindrance(node: &UiNode) -> Option<Hindrance> {
    if node.states.disabled {
        return Some(Hindrance::Disabled);
    }
    node.covered_by.as_ref().map(|by| Hindrance::Covered(by.clone()))
}

/// What an element is called: its name, its placeholder, else the text in it.
fn title_of(index: &Index<'_>, i: usize) -> String {
    let node = index.node(i);
    let name = if node.name.is_empty() { &node.placeholder } else { &node.name };
    if name.is_empty() { index.text(i).unwrap_or_default() } else { name.clone() }
}

fn placed(language: Language, label: &str, place: Option<&Place>) -> String {
    match place {
        None => label.to_owned(),
        Some(Place::Row(title)) => language.say(IN_ROW, &[label, title]),
        Some(Place::Part(title)) => language.say(IN_PART, &[label, title]),
        Some(Place::Beside(text)) => language.say(BESIDE, &[label, text]),
        Some(Place::Nth(n, of)) => language.say(NTH, &[label, &n.to_string(), &of.to_string()]),
    }
}

/// How one element is named to people, told apart from all that look the same: `button "Add to cart" in "Enamel mug"`.
pub(crate) fn label(index: &Index<'_>, i: usize, language: Language) -> String {
    let node = index.node(i);
    let title = title_of(index, i);
    let same = |&o: &usize| {
        let other = index.node(o);
        let alike = other.role == node.role && other.interactive == node.interactive && !other.rect.is_empty();
        o == i || (alike && title_of(index, o) == title && !is_same_control(index, i, o))
    };
    let equals: Vec<usize> = (0..index.len()).filter(same).collect();
    let places = places(index, &equals);
    let place = equals.iter().position(|&e| e == i).and_then(|at| places[at].as_ref());
    placed(language, &language.element(&node.role, &title), place)
}

/// How candidates are named to people, each told apart from the others: `button "Save" (disabled)`.
pub(crate) fn describe(index: &Index<'_>, candidates: &[Candidate], most: usize, language: Language) -> Vec<String> {
    let named: Vec<String> =
        candidates.iter().map(|c| language.element(&index.node(c.index).role, &title_of(index, c.index))).collect();
    let mut out = Vec::new();
    for (candidate, name) in candidates.iter().zip(&named).take(most) {
        let alike = candidates.iter().zip(&named).filter(|(_, n)| *n == name);
        let equals: Vec<usize> = alike.map(|(c, _)| c.index).collect();
        let places = places(index, &equals);
        let place = equals.iter().position(|&e| e == candidate.index).and_then(|at| places[at].as_ref());
        let line = placed(language, name, place);
        out.push(match hindrance(index.node(candidate.index)) {
            Some(state) => language.say(WITH_STATE, &[&line, &state.said(language)]),
            None => line,
        });
    }
    out
}

/// Where each of several equals lies; nothing when it is the only one.
fn places(index: &Index<'_>, equals: &[usize]) -> Vec<Option<Place>> {
    if equals.len() < 2 {
        return vec![None; equals.len()];
    }
    let found: Vec<Option<Place>> = equals.iter().map(|&i| place(index, i, equals)).collect();
    // A place that two share tells nothing.
    let unique = found.iter().enumerate().all(|(a, p)| p.is_some() && found[..a].iter().all(|q| q != p));
    if unique {
        return found;
    }
    let mut order = equals.to_vec();
    index.reading_order(&mut order);
    let nth = |i: &usize| order.iter().position(|o| o == i).map(|n| Place::Nth(n + 1, order.len()));
    equals.iter().map(nth).collect()
}

fn place(index: &Index<'_>, i: usize, equals: &[usize]) -> Option<Place> {
    let holds_another = |part: usize| equals.iter().any(|&e| e != i && (e == part || index.is_inside(e, part)));
    let branch = index.tree.ancestors(i).take_while(|&a| !holds_another(a)).last();
    let own = title_of(index, i);
    if let Some(branch) = branch
        && let Some(title) = part_title(index, branch, i, &own)
    {
        let title = clip(&title, 40);
        return Some(if index.node(branch).role == "row" { Place::Row(title) } else { Place::Part(title) });
    }
    let beside = index.label_beside(i).filter(|text| !same_text(text, &own))?;
    Some(Place::Beside(clip(&beside, 40)))
}

/// What a part of the page is called: its own name, its heading, else the first words in it.
fn part_title(index: &Index<'_>, part: usize, i: usize, own: &str) -> Option<String> {
    const NAMED: &[&str] =
        &["dialog", "alertdialog", "region", "form", "group", "radiogroup", "navigation", "tabpanel", "table", "list"];
    let node = index.node(part);
    // A row of a table may be known by a long number; else a number only counts, or is a price.
    let numbered = |text: &str| {
        node.role == "row" && text.len() > 2 && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '#'))
    };
    let says = |text: &str| (text.chars().any(char::is_alphabetic) || numbered(text)) && !same_text(text, own);
    if NAMED.contains(&node.role.as_str()) && says(&node.name) && Some(&node.name) != index.text(part).as_ref() {
        return Some(node.name.clone());
    }
    let members: Vec<usize> =
        index.subtree(part).into_iter().filter(|&m| m != i && m != part && !index.is_inside(m, i)).collect();
    let heading = members.iter().find(|&&m| index.node(m).role == "heading" && says(&index.node(m).name));
    let in_control = |m: usize| {
        std::iter::once(m).chain(index.tree.ancestors(m)).take_while(|&a| a != part).any(|a| {
            let role = index.node(a).role.as_str();
            index.node(a).interactive && !matches!(role, "link" | "row" | "listitem" | "cell" | "generic")
        })
    };
    let text =
        || members.iter().find(|&&m| index.children(m).is_empty() && says(&index.node(m).name) && !in_control(m));
    heading.or_else(text).map(|&m| index.node(m).name.clone())
}
