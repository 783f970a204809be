//! Options, boxes to tick and switches.

use super::super::facts::is_on;
use super::super::messages as say;
use super::super::step::{Clause, Press, Step};
use super::{Expect, Prepared, Ready, Scene, Turn};
use crate::locate::tree::{self, Candidate, Found, Ordinal, Purpose, RoleWord, Wanted, is_select, is_tick, same_text};
use handeye_core::Action;

impl Scene<'_> {
    pub(super) fn choose(&self, option: &Wanted, list: Option<&Wanted>) -> Turn {
        let Some(list) = list else { return self.choose_anywhere(option) };
        let as_list = Wanted { role: Some(RoleWord::Dropdown), or: None, ..list.clone() };
        let found = match (list.role, tree::find(&self.index, &as_list)) {
            (None, Found::One(one)) if is_select(self.node(&one)) || self.node(&one).role == "combobox" => {
                self.operable(&as_list)
            }
            _ => self.operable(list),
        };
        let found = match found {
            Ok(found) => found,
            Err(turn) => {
                if let Some(turn) = self.choose_behind_its_box(option, &as_list) {
                    return turn;
                }
                // `from the menu`: whatever has come that has the option.
                let nameless = list.readings().all(|w| {
                    w.loose
                        || w.is_literal()
                        || matches!(w.words.as_str(), "" | "context" | "popup" | "pop-up" | "弹出")
                });
                let anywhere = || (nameless && list.within.is_none()).then(|| self.choose_anywhere(option));
                return self
                    .choose_in_group(option, list)
                    .or_else(|| self.pick_value(option, list))
                    .or_else(anywhere)
                    .unwrap_or(turn);
            }
        };
        let node = self.node(&found);
        if is_select(node) && self.tried.drawn_list {
            return self.choose_from_opened(&self.drawn(&found), option);
        }
        if is_select(node) {
            return self.select(&found, option);
        }
        if node.role == "combobox" || node.states.expanded.is_some() || self.shows_choice(&found) {
            return self.choose_from_opened(&found, option);
        }
        self.choose_inside(option, list)
            .or_else(|| self.choose_in_group(option, list))
            .unwrap_or_else(|| self.missing(say::NO_LIST, &[&self.label(&found)]))
    }

    /// An option of what a label names: a group of radio buttons or segments that the label stands at, or a list that the
    /// page draws itself, which is opened first.
    pub(super) fn choose_in_group(&self, option: &Wanted, label: &Wanted) -> Option<Turn> {
        if !self.tried.opened
            && let Some(inside @ (Turn::Act(_) | Turn::Already(_) | Turn::Many { .. })) =
                self.choose_inside(option, label)
        {
            return Some(inside);
        }
        let opener = self.opener(label)?;
        if self.tried.opened {
            // The list that has come may stand anywhere on the page.
            let in_list =
                |role: &str| matches!(role, "option" | "menuitem" | "menuitemradio" | "treeitem" | "listitem" | "text");
            let mut found = tree::find(&self.index, option);
            if let Found::Many(many) = &found {
                let listed: Vec<Candidate> = many
                    .iter()
                    .filter(|c| in_list(&self.index.node(c.index).role) && !self.index.is_inside(c.index, opener.index))
                    .cloned()
                    .collect();
                if let [one] = listed.as_slice() {
                    found = Found::One(one.clone());
                }
            }
            return Some(match found {
                Found::One(one) if one.index != opener.index => self.take(&one, option),
                Found::One(one) => Turn::Already(self.say(say::CHOSEN_ALREADY, &[&self.label(&one)])),
                Found::Many(many) => self.several(option, &many),
                Found::None(near) => self.nothing(option, &near),
            });
        }
        let shown = self.index.visible_name(opener.index);
        if same_text(&shown, &option.words)
            || self.node(&opener).value.as_deref().is_some_and(|v| same_text(v, &option.words))
        {
            return Some(Turn::Already(
                self.say(say::CHOSEN_IN_ALREADY, &[&self.language.quote(&option.words), &self.label(&opener)]),
            ));
        }
        let Turn::Act(ready) = self.press(&opener, Press::Once, 1) else { return None };
        Some(Ready { prepares: Some(Prepared::Opened), ..*ready }.into())
    }

    /// What opens the list that a label names: a button or box that says it has a list, or the one control that the label
    /// stands at.
    fn opener(&self, label: &Wanted) -> Option<Candidate> {
        let mut readings = Some(label);
        while let Some(one) = readings {
            let phrase = tree::Phrase::new(&one.words, one.quoted, true);
            let says = |text: &str| phrase.likeness(text).is_some_and(|(s, _)| s >= 0.95);
            let opens = |i: usize| {
                let node = self.index.node(i);
                !is_select(node)
                    && (node.states.expanded.is_some()
                        || matches!(node.role.as_str(), "combobox" | "button" | "generic")
                        || (node.role == "textbox" && node.states.readonly))
                    // Once it is open, its own list may lie over it.
                    && (self.tried.opened || tree::hindrance(node).is_none())
            };
            let fits = |i: &usize| {
                let node = self.index.node(*i);
                let named = says(&node.name)
                    || says(&node.description)
                    || self.index.label_beside(*i).is_some_and(|l| says(&l));
                opens(*i)
                    && node.interactive
                    && named
                    && (node.states.expanded.is_some()
                        || matches!(node.role.as_str(), "combobox" | "textbox")
                        || !says(&node.name))
            };
            let all: Vec<usize> = (0..self.tree.nodes.len()).filter(fits).collect();
            if let [index] = all.as_slice() {
                return Some(Candidate { index: *index, score: 0.9, why: "the label stands at it".to_owned() });
            }
            readings = one.or.as_deref();
        }
        None
    }

    /// A box that takes no text but shows what was chosen, as libraries draw their lists.
    fn shows_choice(&self, found: &Candidate) -> bool {
        let shows = |i: usize| self.index.node(i).role == "textbox" && self.index.node(i).states.readonly;
        let node = self.node(found);
        shows(found.index)
            || node.role == "generic" && node.interactive && self.index.children(found.index).iter().any(|&c| shows(c))
    }

    /// A date, a time or a number is chosen by writing it.
    fn pick_value(&self, value: &Wanted, field: &Wanted) -> Option<Turn> {
        let Found::One(one) = tree::find(&self.index, &field.clone().for_purpose(Purpose::Type)) else { return None };
        let kind = self.node(&one).kind.to_ascii_lowercase();
        let takes = ["date", "time", "month", "week", "number", "range", "color"].iter().any(|k| kind.contains(k));
        (takes && !value.words.is_empty()).then(|| self.set(field, &value.words))
    }

    /// An option in a group of radio buttons, boxes or items.
    fn choose_inside(&self, option: &Wanted, list: &Wanted) -> Option<Turn> {
        let inside = option.clone().inside(&list.clone().for_purpose(Purpose::Hold));
        match tree::find(&self.index, &inside) {
            // The box that picks a row of a table is no option of a list, whatever the row says.
            Found::One(one) if self.picks_a_row(&one) => None,
            Found::One(one) => Some(self.take(&one, &inside)),
            Found::Many(many) => Some(self.several(&inside, &many)),
            Found::None(_) => None,
        }
    }

    /// What the page draws in the place of a native list: the control around or just behind it.
    fn drawn(&self, list: &Candidate) -> Candidate {
        let around = self.index.tree.ancestors(list.index).find(|&a| self.index.node(a).interactive);
        around.map_or_else(|| list.clone(), |index| Candidate { index, ..list.clone() })
    }

    fn picks_a_row(&self, found: &Candidate) -> bool {
        let of_row = || self.index.tree.ancestors(found.index).any(|a| self.index.node(a).role == "row");
        self.node(found).role == "checkbox" && of_row()
    }

    /// A drawn list whose own box lies over the field that bears its name: the box is what opens it.
    fn choose_behind_its_box(&self, option: &Wanted, list: &Wanted) -> Option<Turn> {
        let Found::One(field) = tree::find(&self.index, list) else { return None };
        let node = self.node(&field);
        node.covered_by.as_ref().filter(|_| node.role == "combobox")?;
        let above = self.index.tree.ancestors(field.index).next()?;
        let outer = self.index.node(above);
        if !outer.interactive || tree::hindrance(outer).is_some() {
            return None;
        }
        if node.states.expanded == Some(true) || self.tried.opened {
            return Some(self.take_listed(option));
        }
        Some(self.choose_from_opened(&Candidate { index: above, ..field.clone() }, option))
    }

    /// An option of the list that was opened; what else says the same on the page is none.
    fn take_listed(&self, option: &Wanted) -> Turn {
        let is_option = |i: &usize| {
            let node = self.index.node(*i);
            let of_list = match node.role.as_str() {
                "option" | "menuitemradio" => true,
                "generic" | "listitem" => node.states.selected.is_some(),
                _ => false,
            };
            of_list && tree::hindrance(node).is_none()
        };
        let says = |i: &usize| option.readings().any(|o| same_text(&self.index.node(*i).name, &o.words));
        let listed: Vec<usize> = (0..self.tree.nodes.len()).filter(is_option).filter(says).collect();
        if let [index] = listed.as_slice() {
            let one = Candidate { index: *index, score: 1.0, why: "an option of the open list".to_owned() };
            return self.take(&one, option);
        }
        match tree::find(&self.index, option) {
            Found::One(one) if self.picks_a_row(&one) => self.nothing(option, &[]),
            Found::One(one) => self.take(&one, option),
            Found::Many(many) => self.several(option, &many),
            Found::None(near) => self.nothing(option, &near),
        }
    }

    /// A list that is drawn by the page: opened first, then clicked in.
    pub(super) fn choose_from_opened(&self, list: &Candidate, option: &Wanted) -> Turn {
        let node = self.node(list);
        let is_open = node.states.expanded == Some(true) || self.tried.opened;
        if !is_open && node.states.expanded != Some(true) {
            let Turn::Act(ready) = self.press(list, Press::Once, 1) else {
                return self.missing(say::CANNOT_OPEN, &[&self.label(list)]);
            };
            return Ready { prepares: Some(Prepared::Opened), ..*ready }.into();
        }
        self.take_listed(option)
    }

    /// An option of a native list.
    pub(super) fn select(&self, list: &Candidate, option: &Wanted) -> Turn {
        let node = self.node(list);
        let texts = &node.options;
        let counted = |o: &Wanted| match o.ordinal.filter(|_| o.words.is_empty())? {
            Ordinal::Nth(n) => (n as usize).checked_sub(1).and_then(|n| texts.get(n)),
            Ordinal::FromEnd(n) => texts.len().checked_sub(n as usize).and_then(|n| texts.get(n)),
        };
        let by_count = std::iter::successors(Some(option), |o| o.or.as_deref()).find_map(counted);
        let chosen: Option<&String> = match by_count {
            Some(text) => Some(text),
            None => match Self::options_named(texts, option).as_slice() {
                [one] => Some(*one),
                [] => None,
                many => {
                    let why = self.say(say::SEVERAL_OPTIONS, &[&self.label(list), &self.said_as(option)]);
                    return Turn::Many { why, candidates: many.iter().map(|o| (*o).clone()).collect() };
                }
            },
        };
        let Some(text) = chosen else {
            let candidates = texts.iter().take(8).cloned().collect();
            return Turn::Missing {
                why: self.say(say::NO_OPTION, &[&self.label(list), &self.said_as(option)]),
                candidates,
            };
        };
        if node.value.as_ref() == Some(text) {
            return Turn::Already(self.say(say::CHOSEN_IN_ALREADY, &[&self.language.quote(text), &self.label(list)]));
        }
        let said = self.say(say::CHOSE, &[&self.language.quote(text), &self.label(list)]);
        let action = Action::Select { locate: self.target(list, ""), option: text.clone() };
        Ready { fills_field: true, ..Ready::new(vec![action], said, list.why.clone()) }.into()
    }

    /// The options that answer to a name: those that are it, else those that mean it.
    fn options_named<'o>(texts: &'o [String], option: &Wanted) -> Vec<&'o String> {
        let mut readings = Some(option);
        while let Some(reading) = readings {
            let exact: Vec<&String> = texts.iter().filter(|t| t.trim() == reading.words.trim()).collect();
            if exact.len() == 1 {
                return exact;
            }
            let same: Vec<&String> = texts.iter().filter(|t| same_text(t, &reading.words)).collect();
            if !same.is_empty() {
                return same;
            }
            let phrase = tree::Phrase::new(&reading.words, reading.quoted, reading.strict);
            let alike: Vec<&String> =
                texts.iter().filter(|t| phrase.likeness(t).is_some_and(|(s, _)| s >= tree::ENOUGH)).collect();
            if !alike.is_empty() {
                return alike;
            }
            readings = reading.or.as_deref();
        }
        Vec::new()
    }

    /// Something to choose, wherever it is: a radio button, a tab, an item, an option of some list.
    fn choose_anywhere(&self, option: &Wanted) -> Turn {
        let lists: Vec<Candidate> = (0..self.tree.nodes.len())
            .filter(|&i| {
                is_select(self.index.node(i))
                    && !option.words.is_empty()
                    && !Self::options_named(&self.index.node(i).options, &strict(option)).is_empty()
            })
            .map(|index| Candidate { index, score: 0.9, why: "it has that option".to_owned() })
            .collect();
        // The list that was clicked just before is the one that is open.
        if let Some(open) = lists.iter().find(|l| self.node(l).states.focused) {
            return self.select(open, option);
        }
        let found = tree::find(&self.index, option);
        match (found, lists.as_slice()) {
            (Found::One(one), []) => self.take(&one, option),
            (Found::One(one), [list]) if self.index.is_inside(one.index, list.index) || one.index == list.index => {
                self.select(list, option)
            }
            (Found::None(_), [list]) => self.select(list, option),
            (Found::Many(many), [list]) if many.iter().all(|c| self.index.is_inside(c.index, list.index)) => {
                self.select(list, option)
            }
            (Found::None(near), []) => self.nothing(option, &near),
            (Found::One(one), lists) => self.several(option, &[&[one], lists].concat()),
            (Found::Many(many), _) => self.several(option, &many),
            (Found::None(_), lists) => self.several(option, lists),
        }
    }

    /// Chooses an element that stands on the page.
    fn take(&self, found: &Candidate, wanted: &Wanted) -> Turn {
        let node = self.node(found);
        if let Some(state) = tree::hindrance(node) {
            return self.hindered(found, &state);
        }
        if is_tick(node) && node.role != "button" {
            return self.switch(found, wanted, Some(true));
        }
        if let Some(select) = self.index.tree.ancestors(found.index).find(|&a| is_select(self.index.node(a)))
            && node.role == "option"
        {
            let text = Wanted::named(node.name.clone(), Purpose::Choose);
            return self.select(&Candidate { index: select, ..found.clone() }, &text);
        }
        if matches!(node.role.as_str(), "option" | "tab" | "menuitemradio" | "treeitem")
            && node.states.selected == Some(true)
        {
            return Turn::Already(self.say(say::CHOSEN_ALREADY, &[&self.label(found)]));
        }
        self.press(found, Press::Once, 1)
    }

    /// `打开匿名购买`, where that is a switch: on, whatever it is now.
    pub(super) fn switched_on(&self, clause: &Clause) -> Option<Turn> {
        let Step::Click { target, how: Press::Once, times: 1 } = &clause.step else { return None };
        let said = super::super::grammar::bare(&clause.text);
        let opens =
            ["打开", "开启", "启用", "turn on ", "switch on "].iter().any(|v| said.to_lowercase().starts_with(v));
        let found = self.operable(target).ok().filter(|_| opens)?;
        let node = self.node(&found);
        let switch = matches!(node.role.as_str(), "switch" | "checkbox") && node.states.checked.is_some();
        switch.then(|| self.switch(&found, &target.clone().for_purpose(Purpose::Toggle), Some(true)))
    }

    pub(super) fn toggle(&self, target: &Wanted, on: Option<bool>) -> Turn {
        match self.operable(target) {
            Ok(found) => self.switch(&found, target, on),
            Err(turn) => turn,
        }
    }

    fn switch(&self, found: &Candidate, wanted: &Wanted, on: Option<bool>) -> Turn {
        let node = self.node(found);
        let is = is_on(node);
        let want = on.unwrap_or(!is);
        if is == want {
            let message = if want { say::ON_ALREADY } else { say::OFF_ALREADY };
            return Turn::Already(self.say(message, &[&self.label(found)]));
        }
        if node.role == "radio" && !want {
            return self.missing(say::RADIO_OFF, &[&self.label(found)]);
        }
        let Turn::Act(ready) = self.press(found, Press::Once, 1) else {
            return self.missing(say::CANNOT_CLICK, &[&self.label(found)]);
        };
        let expect = Some(Expect { node: node.node.clone(), wanted: wanted.clone(), on: want });
        let message = if want { say::TURNED_ON } else { say::TURNED_OFF };
        Ready { said: self.say(message, &[&self.label(found)]), expect, ..*ready }.into()
    }
}

/// The same words, and nothing but them.
fn strict(wanted: &Wanted) -> Wanted {
    let or = wanted.or.as_ref().map(|o| Box::new(strict(o)));
    Wanted { strict: true, or, ..wanted.clone() }
}
