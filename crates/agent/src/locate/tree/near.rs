//! Elements found by what stands beside them: `the button next to Email`, `the delete button for Alice`.

use super::choose::{self, Pooled};
use super::index::{Index, share_a_line};
use super::names::{Phrase, contains_text};
use super::roles::RoleWord;
use super::scope::Scope;
use super::{ENOUGH, Purpose, Relation, Wanted};
use handeye_core::{Logical, Rect};

/// How far the second box is from the first, where it stands as asked.
type Measure<'a> = dyn Fn(&Rect<Logical>, &Rect<Logical>) -> Option<f64> + 'a;

/// So much farther away a second neighbour has to be.
const CLEARLY_FARTHER: f64 = 1.5;
/// A caption and what stands under it are no farther apart than this, in logical points.
const CLOSE_BY: f64 = 60.0;

/// The candidates of a scope that stand so to the anchor: the nearest, and all that are about as near.
pub(super) fn pool(
    index: &Index<'_>,
    wanted: &Wanted,
    scope: &Scope,
    relation: Relation,
    anchor: &Wanted,
) -> Vec<Pooled> {
    let bare = Wanted { near: None, ..wanted.clone() };
    let all = choose::pool(index, &bare, scope);
    if relation == Relation::For {
        return belonging(index, wanted, anchor, all);
    }
    let mut anchors = anchors(index, anchor);
    // `the switch next to Email`, where the switch itself is called so: the text is what it stands beside.
    let texts: Vec<usize> = anchors.iter().copied().filter(|a| !all.iter().any(|p| p.index == *a)).collect();
    if !texts.is_empty() {
        anchors = texts;
    } else if matches!(relation, Relation::NextTo | Relation::LeftOf) {
        // `the checkbox next to Gift wrap`: a box stands beside its own label before it stands beside another box.
        let own = |p: &Pooled| {
            anchors.contains(&p.index) && matches!(index.node(p.index).role.as_str(), "checkbox" | "radio" | "switch")
        };
        let own: Vec<Pooled> = all.iter().filter(|p| own(p)).cloned().collect();
        if !own.is_empty() {
            return own;
        }
    }
    let answering = choose::answering(index, &bare, &all);
    let all = all.into_iter().filter(|p| answering.contains(&p.index));
    let all: Vec<Pooled> = all.collect();
    let measured = |distance: &Measure<'_>| {
        let mut near: Vec<(f64, Pooled)> = Vec::new();
        for pooled in &all {
            let distance = anchors
                .iter()
                .filter(|&&a| {
                    a != pooled.index && !index.is_inside(a, pooled.index) && !index.is_inside(pooled.index, a)
                })
                .filter_map(|&a| distance(&index.node(a).rect, &index.node(pooled.index).rect))
                .fold(f64::INFINITY, f64::min);
            if distance.is_finite() && !index.node(pooled.index).rect.is_empty() {
                near.push((distance, pooled.clone()));
            }
        }
        near
    };
    let mut near = measured(&|a, o| distance(relation, a, o));
    if relation == Relation::NextTo
        && let [anchor] = anchors.as_slice()
    {
        // What shares the anchor's box is beside it, however near the next box is.
        let shares = |p: &Pooled, holder: usize| index.is_inside(p.index, holder);
        let holder = index.tree.ancestors(*anchor).find(|&h| near.iter().any(|(_, p)| shares(p, h)));
        near.retain(|(_, p)| holder.is_none_or(|h| shares(p, h)));
    }
    if near.is_empty() && matches!(relation, Relation::Above | Relation::Below) {
        // A short caption over a wide line of controls: not in its column, but right under it.
        near = measured(&|a, o| close_by(relation, a, o));
    }
    let closest = near.iter().map(|n| n.0).fold(f64::INFINITY, f64::min);
    if wanted.ordinal.is_some() {
        return near.into_iter().map(|n| n.1).collect();
    }
    near.into_iter().filter(|n| n.0 <= closest.max(4.0) * CLEARLY_FARTHER).map(|n| n.1).collect()
}

fn anchors(index: &Index<'_>, anchor: &Wanted) -> Vec<usize> {
    if anchor.words.is_empty() || anchor.ordinal.is_some() || anchor.within.is_some() {
        let asked = Wanted { purpose: Purpose::Read, ..anchor.clone() };
        return match super::read_once(index, &asked) {
            super::Found::One(one) => vec![one.index],
            _ => Vec::new(),
        };
    }
    choose::anchors(index, anchor, &|_| true)
}

/// How far an element is from the anchor on the said side; `None` when it is on another one.
fn distance(relation: Relation, anchor: &Rect<Logical>, other: &Rect<Logical>) -> Option<f64> {
    let right = other.left - anchor.right();
    let left = anchor.left - other.right();
    let below = other.top - anchor.bottom();
    let above = anchor.top - other.bottom();
    let in_column = other.left < anchor.right() && other.right() > anchor.left;
    let on_line = share_a_line(anchor, other);
    let side = |gap: f64, aligned: bool| (aligned && gap > -3.0).then(|| gap.max(0.0));
    match relation {
        Relation::RightOf => side(right, on_line),
        Relation::LeftOf => side(left, on_line),
        Relation::Above => side(above, in_column),
        Relation::Below => side(below, in_column),
        Relation::NextTo | Relation::For => {
            let beside =
                [side(right, on_line), side(left, on_line)].into_iter().flatten().fold(f64::INFINITY, f64::min);
            let over =
                [side(above, in_column), side(below, in_column)].into_iter().flatten().fold(f64::INFINITY, f64::min);
            // Above and below are only meant when nothing stands at the side.
            let best = beside.min(over + 200.0);
            best.is_finite().then_some(best)
        }
    }
}

/// How far an element is above or below the anchor, when it stands close by but not in the anchor's column.
fn close_by(relation: Relation, anchor: &Rect<Logical>, other: &Rect<Logical>) -> Option<f64> {
    let gap = if relation == Relation::Below { other.top - anchor.bottom() } else { anchor.top - other.bottom() };
    (-3.0..=CLOSE_BY).contains(&gap).then(|| gap.max(1.0))
}

/// `X for Y`: the X that is named after Y, stands in the row of Y, or beside it.
fn belonging(index: &Index<'_>, wanted: &Wanted, anchor: &Wanted, all: Vec<Pooled>) -> Vec<Pooled> {
    let mut named = Vec::new();
    let phrase = (!wanted.words.is_empty()).then(|| Phrase::new(&wanted.words, wanted.quoted, wanted.strict));
    // A row or a part of the page says much that is not its name.
    let is_row = matches!(wanted.role, Some(RoleWord::Item | RoleWord::Row)) && !wanted.words.is_empty();
    let holds_controls = |i: usize| index.subtree(i).into_iter().any(|m| m != i && index.node(m).interactive);
    for p in all.iter().filter(|p| !is_row && !holds_controls(p.index)) {
        let name = index.visible_name(p.index);
        if !anchor.words.is_empty() && contains_text(&name, &anchor.words) {
            let rest = without(&name, &anchor.words);
            let fits = phrase.as_ref().is_none_or(|phrase| phrase.likeness(&rest).is_some_and(|(s, _)| s >= ENOUGH));
            if fits && (wanted.words.is_empty() || !rest.is_empty()) {
                named.push(Pooled { index: p.index, cost: p.cost, name: Some(rest) });
            }
        }
    }
    if !named.is_empty() {
        if wanted.words.is_empty() {
            return named.into_iter().map(|p| Pooled { name: None, ..p }).collect();
        }
        return named;
    }
    let row = Wanted { role: Some(RoleWord::Row), ..anchor.clone() };
    let in_row = Wanted { near: None, within: Some(Box::new(row)), ..wanted.clone() };
    let mut rows = super::scope::scopes(index, &in_row);
    let Some(scope) = (!rows.is_empty()).then(|| rows.swap_remove(0)) else { return Vec::new() };
    all.into_iter().filter(|p| scope.has(p.index)).collect()
}

/// A name without the words of the anchor and the small words around them.
fn without(name: &str, words: &str) -> String {
    let name = super::names::key(name);
    let words = super::names::key(words);
    let rest = name.replacen(&words, " ", 1);
    let small = ["for", "of", "the", "from", "a", "item", "row"];
    rest.split_whitespace().filter(|w| !small.contains(w)).collect::<Vec<_>>().join(" ")
}
