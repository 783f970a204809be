//! Controls that belong to something: the delete button of a row, the cross of a dialog.

use super::super::messages as say;
use super::super::step::Press;
use super::{Prepared, Ready, Scene, Turn};
use crate::locate::tree::{self, Candidate, Found, Purpose, Relation, RoleWord, Wanted};
use handeye_core::Action;

impl Scene<'_> {
    /// The control of that name which belongs to one thing.
    pub(super) fn operate(&self, control: &str, thing: &Wanted) -> Turn {
        let mut unclear: Option<Turn> = None;
        let mut reading = Some(thing);
        while let Some(one) = reading {
            for wanted in controls_of(control, one) {
                match self.operable(&wanted) {
                    Ok(found) if self.node(&found).interactive => return self.press(&found, Press::Once, 1),
                    // A text that says `Delete account` is no control.
                    Ok(_) => {}
                    Err(many @ Turn::Many { .. }) => return many,
                    Err(turn) => unclear = unclear.or(Some(turn)),
                }
            }
            reading = one.or.as_deref();
        }
        if control == "delete"
            && let Some(found) = self.cross_of(thing)
        {
            return self.press(&found, Press::Once, 1);
        }
        if let Some(turn) = self.show_controls(thing) {
            return turn;
        }
        let missing = self.missing(say::NO_CONTROL, &[&self.control_name(control), &self.said_as(thing)]);
        match unclear {
            Some(Turn::Missing { why, candidates }) if !candidates.is_empty() => Turn::Missing { why, candidates },
            _ => missing,
        }
    }

    /// What the control is called in the language of the goal.
    fn control_name(&self, control: &str) -> String {
        match control {
            "delete" => self.say(say::DELETE, &[]),
            "edit" => self.say(say::EDIT, &[]),
            "add to cart" => self.say(say::ADD_TO_CART, &[]),
            other => other.to_owned(),
        }
    }

    /// A cross in the row of one thing takes it away.
    fn cross_of(&self, thing: &Wanted) -> Option<Candidate> {
        let mut reading = Some(thing);
        while let Some(one) = reading {
            for wanted in controls_of("×", one) {
                let Ok(found) = self.operable(&wanted) else { continue };
                if !self.node(&found).name.chars().any(char::is_alphanumeric) {
                    return Some(found);
                }
            }
            reading = one.or.as_deref();
        }
        None
    }

    /// Some rows show their controls only while the pointer is on them.
    pub(super) fn show_controls(&self, thing: &Wanted) -> Option<Turn> {
        if self.tried.hovered {
            return None;
        }
        let mut reading = Some(thing);
        while let Some(one) = reading {
            let row = if one.ordinal.is_some() {
                one.clone()
            } else {
                Wanted { role: one.role.or(Some(RoleWord::Item)), ..one.clone() }
            };
            if let Found::One(found) = tree::find(&self.index, &row.for_purpose(Purpose::Point)) {
                let said = self.say(say::POINTED_AT, &[&self.label(&found)]);
                let action = Action::Hover { locate: self.target(&found, "") };
                let ready = Ready::new(vec![action], said, found.why.clone()).fine_when_idle();
                return Some(Ready { prepares: Some(Prepared::Hovered), ..ready }.into());
            }
            reading = one.or.as_deref();
        }
        None
    }

    /// What a click is to find beside something may only show while the pointer is there.
    pub(super) fn show_beside(&self, target: &Wanted) -> Option<Turn> {
        let anchor = target.readings().find_map(|w| w.near.as_ref().map(|(_, anchor)| anchor))?;
        self.show_controls(&Wanted { purpose: Purpose::Point, ..(**anchor).clone() })
    }

    /// A control of a row that has no name, or that only shows while the pointer is on the row.
    pub(super) fn hidden_in_row(&self, target: &Wanted) -> Option<Turn> {
        let mut reading = Some(target);
        while let Some(one) = reading {
            reading = one.or.as_deref();
            let Some(row) = one.within.as_deref() else { continue };
            if row.role != Some(RoleWord::Row) && row.role != Some(RoleWord::Item) {
                continue;
            }
            let mut holder = Some(row);
            while let Some(place) = holder {
                holder = place.or.as_deref();
                let asked = Wanted { or: None, purpose: Purpose::Point, role: Some(RoleWord::Item), ..place.clone() };
                let Found::One(found) = tree::find(&self.index, &asked) else { continue };
                if is_cross(&one.words)
                    && let Some(control) = self.nameless_control(found.index)
                {
                    return Some(self.press(&control, Press::Once, 1));
                }
                if !self.tried.hovered {
                    let said = self.say(say::POINTED_AT, &[&self.label(&found)]);
                    let action = Action::Hover { locate: self.target(&found, "") };
                    let ready = Ready::new(vec![action], said, found.why.clone()).fine_when_idle();
                    return Some(Ready { prepares: Some(Prepared::Hovered), ..ready }.into());
                }
            }
        }
        None
    }

    /// The one button of a row that has no name, only a picture.
    fn nameless_control(&self, row: usize) -> Option<Candidate> {
        let is_bare = |i: &usize| {
            let node = self.index.node(*i);
            let says = self.index.visible_name(*i);
            *i != row
                && node.interactive
                && matches!(node.role.as_str(), "button" | "link" | "generic" | "img" | "image")
                && !says.chars().any(char::is_alphanumeric)
                && tree::hindrance(node).is_none()
        };
        let all: Vec<usize> = self.index.subtree(row).into_iter().filter(is_bare).collect();
        let inner: Vec<usize> =
            all.iter().copied().filter(|&i| !all.iter().any(|&o| o != i && self.index.is_inside(i, o))).collect();
        let [index] = inner.as_slice() else { return None };
        let hint = self.index.node(*index).hint.to_lowercase();
        let other = ["edit", "expand", "toggle", "more", "drag", "move", "copy", "add", "open", "menu", "info"];
        (!other.iter().any(|w| hint.contains(w))).then(|| Candidate {
            index: *index,
            score: 0.85,
            why: "it is the only control without a name there".to_owned(),
        })
    }

    /// One of several controls that close the same dialog: its cross, its button.
    fn any_close(&self, wanted: &Wanted) -> Option<Turn> {
        let all = match tree::find(&self.index, wanted) {
            Found::One(one) => vec![one],
            Found::Many(many) => many,
            Found::None(_) => return None,
        };
        let dialog = |c: &Candidate| {
            self.tree.ancestors(c.index).find(|&a| matches!(self.index.node(a).role.as_str(), "dialog" | "alertdialog"))
        };
        let first = dialog(&all[0])?;
        let closes = |c: &Candidate| dialog(c) == Some(first) && tree::hindrance(self.node(c)).is_none();
        all.iter().all(closes).then(|| self.press(&all[0], Press::Once, 1))
    }

    /// Closes a dialog, a banner or a menu by the control that it has for it.
    pub(super) fn close(&self, target: &Wanted) -> Turn {
        let cross = Wanted::named("close", Purpose::Click).inside(&target.clone().for_purpose(Purpose::Hold));
        match self.operable(&cross) {
            Ok(found) => return self.press(&found, Press::Once, 1),
            Err(many @ Turn::Many { .. }) => return self.any_close(&cross).unwrap_or(many),
            Err(_) => {}
        }
        // `close the message`, while one dialog is open.
        let vague = target.readings().all(|w| GENERAL.contains(&w.words.as_str()));
        let dialog = Wanted { role: Some(RoleWord::Dialog), ..Wanted::named("", Purpose::Hold) };
        if vague && let Some(turn) = self.any_close(&Wanted::named("close", Purpose::Click).inside(&dialog)) {
            return turn;
        }
        // A menu or a section that is open folds by a click on what opened it.
        let folded = target.clone().for_purpose(Purpose::Click);
        if let Found::One(one) = tree::find(&self.index, &folded)
            && self.node(&one).states.expanded == Some(true)
        {
            return self.press(&one, Press::Once, 1);
        }
        let switch = target.clone().for_purpose(Purpose::Toggle);
        if !target.words.is_empty()
            && let Found::One(_) = tree::find(&self.index, &switch)
        {
            return self.toggle(&switch, Some(false));
        }
        match self.one(&target.clone().for_purpose(Purpose::Hold)) {
            Ok(found) => {
                let inside: Vec<Candidate> = self
                    .index
                    .subtree(found.index)
                    .into_iter()
                    .filter(|&i| self.index.node(i).role == "button")
                    .map(|index| Candidate { index, score: 0.5, why: String::new() })
                    .collect();
                let why = self.say(say::NO_CLOSE, &[&self.label(&found)]);
                Turn::Missing { why, candidates: self.describe(&inside) }
            }
            Err(turn) => turn,
        }
    }
}

/// What people call a dialog without its name.
const GENERAL: &[&str] = &[
    "message",
    "window",
    "popup",
    "notice",
    "notification",
    "panel",
    "drawer",
    "preview",
    "form",
    "overlay",
    "it",
    "the message",
];

/// The ways in which a control can belong to a thing.
fn controls_of(control: &str, thing: &Wanted) -> Vec<Wanted> {
    let plain = Wanted::named(control, Purpose::Click);
    let holder = Wanted { or: None, purpose: Purpose::Hold, ..thing.clone() };
    if thing.ordinal.is_some() || thing.near.is_some() {
        return vec![plain.inside(&holder)];
    }
    if thing.loose || thing.is_literal() {
        return Vec::new();
    }
    let named = Wanted { near: Some((Relation::For, Box::new(holder.clone()))), ..plain.clone() };
    let row = Wanted { role: Some(RoleWord::Row), ..holder };
    vec![named, plain.inside(&row)]
}

/// Names of a small cross.
fn is_cross(words: &str) -> bool {
    let words = words.trim().to_lowercase();
    let bare = ["icon", "button", "symbol", "sign", "mark"]
        .iter()
        .find_map(|n| words.strip_suffix(n))
        .unwrap_or(&words)
        .trim();
    matches!(
        bare,
        "×" | "x"
            | "✕"
            | "✖"
            | "✗"
            | "cross"
            | "red cross"
            | "red x"
            | "red ×"
            | "small ×"
            | "little ×"
            | "little x"
            | "small x"
    )
}
