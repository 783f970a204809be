//! What `it`, `that row`, `her row` and `its text` mean: the element, row or text of the clauses before.

use super::{AGAIN, PLACE_OF_IT, PRONOUN};
use crate::locate::tree::phrase::REFERENT;
use crate::locate::tree::{Purpose, Relation, RoleWord, Wanted};
use crate::plan::reflex::step::{FOCUSED, Press, Says, Step, Subject};

/// What was spoken of last.
#[derive(Clone, Debug, Default)]
pub(super) struct Last {
    /// The element that was acted on.
    target: Option<Wanted>,
    /// The texts that were typed since something else was clicked on by its own name, first one first.
    typed: Vec<String>,
    /// The clause before was a click, so that a field may have been opened or have the focus.
    clicked: bool,
    /// The clause before put something into the element: it is not set a second time by `set it to X`.
    filled: bool,
    /// What was clicked last, if nothing was done since.
    pressed: Option<Wanted>,
    /// What was just unfolded: text without a place goes into the field in it.
    unfolded: Option<Wanted>,
    /// The row that was last spoken of, also when a menu or a dialog came after it.
    row: Option<Wanted>,
}

impl Last {
    /// Takes note of a step that was read.
    pub(super) fn note(&mut self, step: &Step) {
        if let Step::Type { text, .. } = step {
            self.typed.push(text.clone());
        }
        self.clicked = match step {
            Step::Click { how, .. } => matches!(how, Press::Once | Press::Double),
            Step::Operate { control, .. } => control == "edit",
            Step::Sleep { .. } | Step::WaitFor { .. } | Step::Clear { .. } => self.clicked,
            _ => false,
        };
        self.unfolded = match step {
            Step::Unfold { target, open: true } => Some(target.clone()),
            Step::Sleep { .. } | Step::WaitFor { .. } => self.unfolded.take(),
            _ => None,
        };
        // Keys, waits and the like leave it at that.
        self.filled = fills(step) || self.filled && main_target(step).is_none();
        match step {
            Step::Click { target, how: Press::Once, .. } => self.pressed = Some(target.clone()),
            Step::Sleep { .. } | Step::WaitFor { .. } | Step::Verify { .. } => {}
            _ => self.pressed = None,
        }
        // `等“X”出现，受理这一行`
        if let Step::WaitFor { check } | Step::Verify { check } = step
            && let (Subject::Page, Says::Contains(text), false) = (&check.subject, &check.says, check.negated)
        {
            self.row = row_of(&Wanted { quoted: true, ..Wanted::named(text.as_str(), Purpose::Read) });
        }
        if let Some(target) = main_target(step)
            && target.words != FOCUSED
        {
            // What has gone is not what the next step speaks of.
            if matches!(step, Step::WaitFor { check } if check.negated) {
                return;
            }
            self.target = Some(target.clone());
            // What answers a question, or is only looked at, is no row that one goes on speaking of.
            let aside = step.looks() || step.answers_dialog().is_some();
            self.row = row_of(target).filter(|_| !aside).or_else(|| self.row.take());
        }
        // `it` is then the entry that was made.
        if let Step::Add { text } = step {
            let entry = Wanted { role: Some(RoleWord::Item), quoted: true, ..Wanted::named(text, Purpose::Point) };
            self.row = Some(entry.clone());
            self.target = Some(entry);
        }
    }
}

/// Puts what was spoken of in the place of the words that only point to it. False when there is nothing to point to.
pub(super) fn resolve(step: &mut Step, last: &Last) -> bool {
    if let Step::Click { target, .. } = step
        && target.words == AGAIN
    {
        let Some(pressed) = &last.pressed else { return false };
        *target = pressed.clone();
        return true;
    }
    if let Step::Type { into: into @ None, .. } = step
        && let Some(holder) = &last.unfolded
    {
        let field = Wanted { role: Some(RoleWord::Field), ..Wanted::named("", Purpose::Type) };
        let field = field.inside(&holder.clone().for_purpose(Purpose::Hold));
        *into = Some(Wanted { or: Some(Box::new(field)), ..Wanted::named(FOCUSED, Purpose::Type) });
        return true;
    }
    if let Step::Set { target, .. } = step
        && target.words == PRONOUN
        && last.clicked
    {
        // What was clicked takes the text, or has given way to a field that does.
        let opened = last.target.clone().map(|t| Box::new(t.for_purpose(Purpose::Point)));
        *target = Wanted { or: opened, ..Wanted::named(FOCUSED, Purpose::Type) };
        return last.target.is_some();
    }
    if let Step::Set { target, .. } = step
        && target.words == PRONOUN
        && last.filled
    {
        return false;
    }
    // `click Delete in the row of Ann and delete it` speaks of the question that came, or of what has gone.
    if let Step::Operate { control, thing } = step
        && thing.words == PRONOUN
        && last.target.as_ref().is_some_and(|t| t.readings().any(|w| w.words.eq_ignore_ascii_case(control)))
    {
        return false;
    }
    let mut ok = true;
    if let Step::WaitFor { check } | Step::Verify { check } = step
        && let Subject::Element(wanted) = &mut check.subject
    {
        let of_text = matches!(check.says, Says::Shown | Says::Alone(_));
        if wanted.words == PRONOUN && of_text && !last.typed.is_empty() {
            let texts = &last.typed[last.typed.len() - 1..];
            *wanted = any_of(texts, |w| Wanted { within: wanted.within.clone(), ..w });
            return true;
        }
        if !last.typed.is_empty() && wanted.words == REFERENT {
            *wanted = any_of(&last.typed, |w| Wanted { role: Some(RoleWord::Row), ..w });
            return true;
        }
    }
    each_target(step, &mut |wanted| ok &= fill(wanted, last.target.as_ref(), last.row.as_ref()));
    ok
}

/// Whether a step puts something into an element, by any of its readings.
fn fills(step: &Step) -> bool {
    match step {
        Step::Type { .. } | Step::Set { .. } | Step::Choose { .. } => true,
        Step::Either(steps) | Step::Each { steps, .. } => steps.iter().any(fills),
        _ => false,
    }
}

/// The texts, one after the other, each as what it is made into.
fn any_of(texts: &[String], make: impl Fn(Wanted) -> Wanted) -> Wanted {
    let mut out: Option<Wanted> = None;
    for text in texts.iter().rev() {
        let one = make(Wanted { quoted: true, ..Wanted::named(text.trim(), Purpose::Read) });
        out = Some(Wanted { or: out.map(Box::new), ..one });
    }
    out.unwrap_or_default()
}

fn fill(wanted: &mut Wanted, last: Option<&Wanted>, row: Option<&Wanted>) -> bool {
    let mut ok = true;
    if let Some(or) = wanted.or.as_deref_mut() {
        ok &= fill(or, last, row);
    }
    if wanted.words == PRONOUN {
        match last {
            Some(last) => *wanted = last.clone().for_purpose(wanted.purpose),
            None => ok = false,
        }
        return ok;
    }
    if wanted.words == PLACE_OF_IT {
        match last.and_then(|l| l.within.as_deref()).filter(|w| row_of(w).is_some()).or(row) {
            Some(place) if !place.words.is_empty() => {
                *wanted = Wanted { role: Some(RoleWord::Item), ..place.clone().for_purpose(wanted.purpose) };
            }
            _ => ok = false,
        }
        return ok;
    }
    if wanted.words == REFERENT {
        match last.and_then(row_of).or_else(|| row.cloned()) {
            Some(row) => *wanted = row.for_purpose(wanted.purpose),
            None => ok = false,
        }
        return ok;
    }
    // `its ×`: the one in the row of what was spoken of.
    if let Some((Relation::For, anchor)) = &wanted.near
        && anchor.words == REFERENT
    {
        wanted.near = None;
        match last.and_then(row_of) {
            Some(row) => wanted.within = Some(Box::new(row)),
            None => ok = false,
        }
        return ok;
    }
    if let Some((_, anchor)) = &mut wanted.near {
        ok &= fill(anchor, last, row);
    }
    if let Some(within) = &mut wanted.within {
        ok &= fill(within, last, row);
    }
    ok
}

/// The row or box that an element stands in, by all readings of its description.
fn row_of(last: &Wanted) -> Option<Wanted> {
    let is_row = |w: &Wanted| matches!(w.role, Some(RoleWord::Row | RoleWord::Item));
    let rest = last.or.as_deref().and_then(row_of);
    let here = if last.is_literal() {
        None
    } else if is_row(last) {
        Some(Wanted { or: None, ..last.clone() })
    } else if let Some(within) =
        last.within.as_deref().filter(|w| is_row(w) || w.ordinal.is_some() || !w.words.is_empty())
    {
        Some(within.clone())
    } else if let Some((Relation::For | Relation::NextTo, anchor)) = &last.near {
        Some(Wanted { role: Some(RoleWord::Row), or: None, ..(**anchor).clone() })
    } else if last.words.is_empty() {
        None
    } else {
        Some(Wanted { role: Some(RoleWord::Row), or: None, ordinal: None, ..last.clone() })
    };
    match (here, rest) {
        (Some(here), rest) => {
            let here = here.for_purpose(Purpose::Hold);
            Some(Wanted { or: rest.map(Box::new), ..here })
        }
        (None, rest) => rest,
    }
}

/// The element that `it` means in the clause behind.
fn main_target(step: &Step) -> Option<&Wanted> {
    match step {
        Step::Click { target, .. }
        | Step::Unfold { target, .. }
        | Step::Set { target, .. }
        | Step::Toggle { target, .. }
        | Step::ScrollTo { target }
        | Step::Close { target }
        | Step::Operate { thing: target, .. }
        | Step::Drag { from: target, .. } => Some(target),
        Step::There { there, .. } => main_target(there),
        Step::Type { into, .. } => into.as_ref(),
        Step::Clear { field } => field.as_ref(),
        Step::Choose { option, list } => Some(list.as_ref().unwrap_or(option)),
        Step::WaitFor { check } | Step::Verify { check } => match &check.subject {
            Subject::Element(wanted) => Some(wanted),
            _ => None,
        },
        _ => None,
    }
}

/// All targets of a step, to be changed.
pub(super) fn each_target(step: &mut Step, visit: &mut dyn FnMut(&mut Wanted)) {
    match step {
        Step::Click { target, .. }
        | Step::Unfold { target, .. }
        | Step::Set { target, .. }
        | Step::Toggle { target, .. }
        | Step::ScrollTo { target }
        | Step::Close { target } => visit(target),
        Step::Operate { thing, .. } => visit(thing),
        Step::Type { into, .. } => into.iter_mut().for_each(visit),
        Step::Clear { field } | Step::Search { field, .. } => field.iter_mut().for_each(visit),
        Step::Key { on, .. } => on.iter_mut().for_each(visit),
        Step::Scroll { area, .. } => area.iter_mut().for_each(visit),
        Step::Upload { to, .. } => to.iter_mut().for_each(visit),
        Step::Choose { option, list } => {
            visit(option);
            list.iter_mut().for_each(visit);
        }
        Step::Drag { from, to } => {
            visit(from);
            visit(to);
        }
        Step::WaitFor { check } | Step::Verify { check } => {
            if let Subject::Element(wanted) = &mut check.subject {
                visit(wanted);
            }
        }
        Step::There { place, here, there } => {
            visit(place);
            each_target(here, visit);
            each_target(there, visit);
        }
        Step::Each { whole, steps } => {
            each_target(whole, visit);
            for s in steps {
                each_target(s, visit);
            }
        }
        Step::Either(steps) => {
            for s in steps {
                each_target(s, visit);
            }
        }
        Step::Aside
        | Step::Add { .. }
        | Step::Entry { .. }
        | Step::TurnTo { .. }
        | Step::Go { .. }
        | Step::Reload
        | Step::Back
        | Step::Forward
        | Step::CloseTab
        | Step::Sleep { .. } => {}
    }
}

/// All readings of one description, to be changed.
pub(super) fn each_reading(wanted: &mut Wanted, change: &mut dyn FnMut(&mut Wanted)) {
    let mut slot = Some(wanted);
    while let Some(one) = slot {
        change(one);
        slot = one.or.as_deref_mut();
    }
}
