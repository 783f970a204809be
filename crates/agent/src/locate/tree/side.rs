//! Which of several equals lies on the said side.

use super::index::Index;
use super::{Candidate, Side};
use handeye_core::{Logical, Rect};

/// So far out an element has to lie to be farther out than another one.
const CLEARLY: f64 = 8.0;

/// The one of several equals that lies there, if it is one. Within a part of the page the outermost is meant; on the whole
/// page it has to be the only one in its half, unless the outermost was said.
pub(super) fn narrow(index: &Index<'_>, equals: &[Candidate], side: Side, in_part: bool) -> Option<Candidate> {
    if side.most || in_part {
        return outermost(index, equals, side);
    }
    let page = index.tree.nodes.iter().map(|n| n.rect).filter(|r| !r.is_empty()).fold(None, |all, r| match all {
        None => Some(r),
        Some(all) => Some(union(&all, &r)),
    })?;
    let middle = page.center();
    let fits = |c: &&Candidate| {
        let at = index.node(c.index).rect.center();
        let on = |side: i8, at: f64, middle: f64| side == 0 || (at - middle) * f64::from(side) > 0.0;
        on(side.x, at.x, middle.x) && on(side.y, at.y, middle.y)
    };
    let mut there = equals.iter().filter(fits);
    match (there.next(), there.next()) {
        (Some(one), None) => Some(one.clone()),
        // Of two, one is the left one wherever they stand; in a corner is what lies nearest to it in both directions.
        _ if equals.len() == 2 || (side.x != 0 && side.y != 0) => outermost(index, equals, side),
        _ => None,
    }
}

fn outermost(index: &Index<'_>, equals: &[Candidate], side: Side) -> Option<Candidate> {
    let lead = |a: &Candidate, b: &Candidate| -> bool {
        let (a, b) = (index.node(a.index).rect.center(), index.node(b.index).rect.center());
        let by = [(side.x, a.x - b.x), (side.y, a.y - b.y)];
        let said = || by.iter().filter(|(s, _)| *s != 0).map(|(s, d)| f64::from(*s) * d);
        said().all(|d| d > -CLEARLY) && said().any(|d| d >= CLEARLY)
    };
    let others_behind = |a: &&Candidate| equals.iter().all(|b| b.index == a.index || lead(a, b));
    equals.iter().find(others_behind).cloned()
}

fn union(a: &Rect<Logical>, b: &Rect<Logical>) -> Rect<Logical> {
    let (left, top) = (a.left.min(b.left), a.top.min(b.top));
    Rect::new(left, top, a.right().max(b.right()) - left, a.bottom().max(b.bottom()) - top)
}
