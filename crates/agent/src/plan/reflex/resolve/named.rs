//! Clauses that are the name of a control: `Empty the cart`, `Archive the customer Blue Harbor`.

use super::super::step::{Clause, Press, Step};
use super::Scene;
use crate::locate::tree::{self, Candidate, Found, Purpose, Wanted};

impl Scene<'_> {
    /// A clause whose verb is the name of a control, or begins it, and that says no more than whose control it is:
    /// `Archive the customer Blue Harbor`.
    pub(in crate::plan::reflex) fn control_in(&self, clause: &str) -> Option<Candidate> {
        let said = Wanted { loose: true, ..Wanted::named(clause.trim(), Purpose::Click) };
        let Found::One(one) = tree::find(&self.index, &said) else { return None };
        let node = self.node(&one);
        let control = matches!(node.role.as_str(), "button" | "link" | "menuitem" | "tab");
        let begins = tree::begins_alike(clause, &self.index.visible_name(one.index));
        (control && begins && tree::hindrance(node).is_none()).then_some(one)
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
