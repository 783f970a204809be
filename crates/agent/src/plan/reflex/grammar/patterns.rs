//! Steps that both languages build in the same way.

use crate::locate::tree::{Purpose, RoleWord, Wanted};
use crate::plan::reflex::step::{Press, Step};

pub(super) fn click(target: Wanted) -> Step {
    Step::Click { target: target.for_purpose(Purpose::Click), how: Press::Once, times: 1 }
}

/// One step for each name, or for all of them as one name.
pub(super) fn each(whole: Option<Step>, mut steps: Vec<Step>) -> Option<Step> {
    match (whole, steps.len()) {
        (whole, 0) => whole,
        (_, 1) => steps.pop(),
        (Some(whole), _) => Some(Step::Each { whole: Box::new(strictly(whole)), steps }),
        (None, _) => {
            let whole = Box::new(steps[0].clone());
            Some(Step::Each { whole: Box::new(never(*whole)), steps })
        }
    }
}

/// The step with its name taken literally only.
pub(in crate::plan::reflex) fn strictly(mut step: Step) -> Step {
    super::each_target(&mut step, &mut |w| {
        w.strict = true;
        w.or = None;
    });
    step
}

/// A step whose target no page has.
fn never(mut step: Step) -> Step {
    super::each_target(&mut step, &mut |w| *w = Wanted::named("\u{2}", w.purpose));
    strictly(step)
}

/// A control in the row of a thing, by all readings of the thing that name it.
pub(super) fn within_row(control: &Wanted, thing: &Wanted) -> Option<Wanted> {
    let mut readings: Vec<Wanted> = Vec::new();
    let mut reading = Some(thing);
    while let Some(one) = reading {
        if !one.loose && !one.is_literal() {
            let row = Wanted { role: Some(RoleWord::Row), or: None, purpose: Purpose::Hold, ..one.clone() };
            readings.push(control.clone().inside(&row));
        }
        reading = one.or.as_deref();
    }
    let mut out: Option<Wanted> = None;
    for one in readings.into_iter().rev() {
        out = Some(join(one, out));
    }
    out
}

/// Puts further readings behind all of those that there are.
pub(super) fn join(mut first: Wanted, rest: Option<Wanted>) -> Wanted {
    first.or = match first.or.take() {
        Some(or) => Some(Box::new(join(*or, rest))),
        None => rest.map(Box::new),
    };
    first
}

/// The readings of one clause, of which the page decides.
pub(super) fn either(mut readings: Vec<Step>) -> Option<Step> {
    let mut unique: Vec<Step> = Vec::new();
    for step in readings.drain(..) {
        if !unique.contains(&step) {
            unique.push(step);
        }
    }
    match unique.len() {
        0 | 1 => unique.pop(),
        _ => Some(Step::Either(unique)),
    }
}

/// The control of that name that belongs to a thing.
pub(super) fn operate(control: &str, thing: Wanted) -> Step {
    Step::Operate { control: control.to_owned(), thing: thing.for_purpose(Purpose::Point) }
}

/// Whether a description speaks of a box to tick or a switch.
pub(super) fn is_tick_word(wanted: &Wanted) -> bool {
    let mut reading = Some(wanted);
    while let Some(w) = reading {
        if matches!(w.role, Some(RoleWord::Checkbox | RoleWord::Switch | RoleWord::Radio)) {
            return true;
        }
        reading = w.or.as_deref();
    }
    false
}

/// Names that mean a cart, for `put X into the cart`.
pub(super) fn is_cart(words: &str) -> bool {
    let words = words.trim().to_lowercase();
    let words = words.strip_prefix("the ").or(words.strip_prefix("my ")).unwrap_or(&words);
    matches!(
        words,
        "cart" | "basket" | "bag" | "shopping cart" | "shopping basket" | "shopping bag" | "购物车" | "购物篮"
    )
}
