//! Clauses that are the name of a control: `Empty the cart`, `Archive the customer Blue Harbor`.

use super::super::step::{Clause, Press, Step};
use super::{Scene, Turn};
use crate::locate::tree::{self, Candidate, Found, Purpose, Wanted};

impl Scene<'_> {
    /// A clause whose verb is the name of a control, or begins it, and that says no more than whose control it is:
    /// `Archive the customer Blue Harbor`.
    pub(in crate::plan::reflex) fn control_in(&self, clause: &str) -> Option<Candidate> {
        match self.control_sought(clause) {
            Found::One(one) => Some(one),
            _ => None,
        }
    }

    fn control_sought(&self, clause: &str) -> Found {
        let is_control = |c: &Candidate| {
            let node = self.node(c);
            let control = matches!(node.role.as_str(), "button" | "link" | "menuitem" | "tab")
                || node.interactive && matches!(node.role.as_str(), "generic" | "listitem");
            control && tree::hindrance(node).is_none()
        };
        // `save it as a draft`
        let plain: Vec<&str> = clause.split_whitespace().filter(|w| !matches!(*w, "it" | "that")).collect();
        match tree::find_control(&self.index, &plain.join(" ")) {
            Found::One(one) if !is_control(&one) => Found::None(vec![one]),
            found => found,
        }
    }

    /// A clause of which only the page can say that it is the name of a control.
    pub(super) fn press_named(&self, clause: &str) -> Turn {
        let said = Wanted::named(clause.trim(), Purpose::Click);
        match self.control_sought(clause) {
            Found::One(one) => self.press(&one, Press::Once, 1),
            Found::Many(many) => self.several(&said, &many),
            Found::None(near) => self.nothing(&said, &near),
        }
    }

    /// `把第二件商品移入收藏`, where the page has controls that are called `移入收藏`: it is no drag.
    pub(super) fn control_at_end(&self, clause: &Clause) -> Option<Turn> {
        if !matches!(clause.step, Step::Drag { .. } | Step::Set { .. } | Step::Either(_)) {
            return None;
        }
        let said = super::super::grammar::bare(&clause.text);
        let rest = said.strip_prefix('把').or(said.strip_prefix('将'))?;
        let named = |i: usize| {
            let node = self.index.node(i);
            let control = node.interactive && matches!(node.role.as_str(), "button" | "link" | "menuitem");
            let name = node.name.trim();
            (control && name.chars().count() > 2 && rest.ends_with(name)).then_some(name)
        };
        let name = (0..self.index.len()).filter_map(named).max_by_key(|n| n.len())?;
        let thing = tree::phrase::read(rest[..rest.len() - name.len()].trim(), Purpose::Point)?;
        match self.operate(name, &thing) {
            Turn::Missing { .. } => None,
            turn => Some(turn),
        }
    }

    /// A clause that is word for word the name of one control means that control: `Empty the cart`, `Enable notifications`.
    /// What is meant for the browser is not.
    pub(super) fn control_called(&self, clause: &Clause) -> Option<Candidate> {
        let bare = bare_words(&clause.text);
        let opens =
            |text: &str| ["open ", "launch ", "load ", "bring up ", "visit "].iter().any(|v| text.starts_with(v));
        let plain = matches!(clause.step, Step::Click { .. });
        let may = may_be_named(&clause.step) && (!plain || opens(&bare));
        let whole = Wanted { strict: true, ..Wanted::named(&clause.text, Purpose::Click) };
        let found = match tree::find(&self.index, &whole) {
            // `Launch the small dialog` is the button `Launch Small Dialog`.
            Found::None(_) => tree::find(&self.index, &Wanted { words: bare, ..whole }),
            found => found,
        };
        match found {
            Found::One(one) if may && tree::hindrance(self.node(&one)).is_none() => {
                let role = self.node(&one).role.as_str();
                matches!(role, "button" | "link" | "menuitem" | "tab").then_some(one)
            }
            _ => None,
        }
    }
}

/// Steps whose words may be the name of a control as well.
pub(super) fn may_be_named(step: &Step) -> bool {
    matches!(
        step,
        Step::Click { how: Press::Once, times: 1, .. }
            | Step::Operate { .. }
            | Step::Close { .. }
            | Step::Clear { .. }
            | Step::Toggle { .. }
            | Step::Unfold { .. }
            | Step::Choose { .. }
            | Step::Set { .. }
            | Step::Search { .. }
            | Step::Add { .. }
            | Step::Either(_)
            | Step::Each { .. }
    )
}

/// A clause in lower case, without its articles.
fn bare_words(text: &str) -> String {
    let low = text.to_lowercase();
    low.split_whitespace().filter(|w| !matches!(*w, "the" | "a" | "an")).collect::<Vec<_>>().join(" ")
}
