//! Typing, clearing, setting, searching, uploading.

use super::super::messages as say;
use super::super::step::FOCUSED;
use super::{Ready, Scene, Sought, Turn, input};
use crate::locate::tree::phrase::quotes::{Quotes, is_mark};
use crate::locate::tree::{self, Candidate, Found, Purpose, RoleWord, Wanted, is_field, is_select, same_text};
use handeye_core::{Action, InputMode};

impl Scene<'_> {
    /// `said` is the whole clause.
    pub(super) fn type_text(&self, text: &str, into: Option<&Wanted>, append: bool, said: &str) -> Turn {
        let mode = if append { InputMode::Append } else { InputMode::Replace };
        let Some(into) = into else {
            let labelled = self.labelled_text(text).filter(|_| !quotes_something(said));
            return match labelled {
                Some((field, rest)) => self.fill(&field, &rest, mode),
                None => self.type_at_focus(text, append),
            };
        };
        // What was unfolded before has the field, or the focus has moved into it.
        if into.words == FOCUSED
            && let Some(inside) = into.or.as_deref()
        {
            return match self.operable(inside) {
                Ok(found) => self.fill(&found, text, mode),
                Err(_) => self.type_at_focus(text, append),
            };
        }
        match self.field(into) {
            Ok(found) => self.fill(&found, text, mode),
            Err(turn) => turn,
        }
    }

    fn fill(&self, found: &Candidate, text: &str, mode: InputMode) -> Turn {
        let node = self.node(found);
        if is_select(node) {
            return self.select(found, &Wanted::named(text, Purpose::Choose));
        }
        let kind = node.kind.to_ascii_lowercase();
        if node.role == "combobox" && !kind.is_empty() && !kind.starts_with("input") && kind != "textarea" {
            // A list that the page draws takes no text.
            return self.choose_from_opened(found, &Wanted::named(text, Purpose::Choose));
        }
        let said = self.typed(text, found);
        let action = input(text, mode, Some(self.target(found, "")));
        // A field that offers completions may open a list over the next one.
        let fills_field = mode == InputMode::Replace && !matches!(node.role.as_str(), "combobox" | "searchbox");
        Ready { fills_field, ..Ready::new(vec![action], said, found.why.clone()).fine_when_idle() }.into()
    }

    fn typed(&self, text: &str, found: &Candidate) -> String {
        let secret = self.node(found).states.password;
        let shown = if secret { self.say(say::SECRET, &[]) } else { self.language.quote(text) };
        self.say(say::TYPED, &[&shown, &self.label(found)])
    }

    /// `优惠码SPRING20`, `姓名李四`: the name of one field, and what is to be typed there.
    fn labelled_text(&self, text: &str) -> Option<(Candidate, String)> {
        let mut found: Vec<(usize, Candidate, String)> = Vec::new();
        for index in self.fields() {
            let node = self.index.node(index);
            let beside = self.index.label_beside(index).unwrap_or_default();
            for label in [&node.name, &node.placeholder, &beside] {
                let label = tree::label_of_field(label);
                let Some(rest) = text.strip_prefix(label.as_str()).filter(|_| label.chars().count() > 1) else {
                    continue;
                };
                // `To` does not begin `Tomorrow`.
                if label.ends_with(char::is_alphanumeric) && label.is_ascii() && !rest.starts_with([' ', ':', '：']) {
                    continue;
                }
                let rest = rest.trim_start_matches(['：', ':', '为', '是', ' ']).trim();
                if rest.is_empty() || found.iter().any(|f| f.1.index == index) {
                    continue;
                }
                let why = "the text begins with its name".to_owned();
                found.push((label.len(), Candidate { index, score: 0.9, why }, rest.to_owned()));
            }
        }
        let longest = found.iter().map(|f| f.0).max()?;
        found.retain(|f| f.0 == longest);
        let [(_, field, rest)] = found.as_slice() else { return None };
        // Behind a click on another field the text may be meant as it stands.
        let elsewhere = |i: usize| i != field.index && self.index.node(i).states.focused;
        (!self.fields().into_iter().any(elsewhere)).then(|| (field.clone(), rest.clone()))
    }

    /// Without a place, the text goes to the field that has the focus, or to the only field there is.
    fn type_at_focus(&self, text: &str, append: bool) -> Turn {
        let fields = self.fields();
        // `enter Name`, `输入姓名李四`: the text may say where it goes.
        let is_called = |i: &&usize| {
            let name = handeye_core::text::fold(&self.index.node(**i).name);
            name.chars().count() > 1
                && handeye_core::text::fold(text).starts_with(name.trim_end_matches([':', '：', '*', ' ']))
        };
        if fields.len() > 1
            && let Some(&named) = fields.iter().find(is_called)
        {
            let found = Candidate { index: named, score: 0.5, why: String::new() };
            return self.many(say::WHICH_FIELD, &[], &[found]);
        }
        if let Some(&focused) = fields.iter().find(|&&i| self.index.node(i).states.focused) {
            let found = Candidate { index: focused, score: 0.95, why: "it has the focus".to_owned() };
            if append {
                return self.fill(&found, text, InputMode::Append);
            }
            let said = self.typed(text, &found);
            return Ready::new(vec![input(text, InputMode::TypeOnly, None)], said, found.why).fine_when_idle().into();
        }
        match fields.as_slice() {
            [only] => {
                let found = Candidate { index: *only, score: 0.9, why: "it is the only field".to_owned() };
                self.fill(&found, text, if append { InputMode::Append } else { InputMode::Replace })
            }
            [] => self.missing(say::NO_FIELD, &[]),
            many => {
                let named: Vec<Candidate> =
                    many.iter().map(|&i| Candidate { index: i, score: 0.5, why: String::new() }).collect();
                self.many(say::WHICH_FIELD, &[], &named)
            }
        }
    }

    /// Fields that can be typed into now.
    fn fields(&self) -> Vec<usize> {
        let usable = |i: &usize| {
            let node = self.index.node(*i);
            is_field(node) && !node.states.disabled && !node.states.readonly
        };
        (0..self.tree.nodes.len()).filter(usable).collect()
    }

    /// The field that a description means. When the page has one field only, and nothing names it, it is the one.
    fn field(&self, wanted: &Wanted) -> Sought {
        match self.operable(wanted) {
            Err(missing @ Turn::Missing { .. }) => {
                let fields = self.fields();
                let nameless = |i: usize| {
                    let node = self.index.node(i);
                    node.name.is_empty()
                        && node.placeholder.is_empty()
                        && node.description.is_empty()
                        && self.index.label_beside(i).is_none()
                };
                let about_fields = matches!(wanted.role, None | Some(RoleWord::Field | RoleWord::TextArea))
                    && wanted.within.is_none()
                    && wanted.near.is_none()
                    && wanted.ordinal.is_none();
                match fields.as_slice() {
                    [only] if about_fields && nameless(*only) && !names_something_else(wanted) => Ok(Candidate {
                        index: *only,
                        score: 0.8,
                        why: "it is the only field, and nothing names it".to_owned(),
                    }),
                    _ => Err(missing),
                }
            }
            found => found,
        }
    }

    pub(super) fn clear(&self, field: Option<&Wanted>) -> Turn {
        let found = if let Some(wanted) = field {
            match self.field(wanted) {
                Ok(found) => found,
                Err(turn) => return turn,
            }
        } else {
            let all = self.fields();
            // While a dialog is open, its fields are the ones that are spoken of.
            let in_dialog = |i: &usize| {
                let role = |a: usize| self.index.node(a).role.as_str();
                self.tree.ancestors(*i).any(|a| matches!(role(a), "dialog" | "alertdialog"))
            };
            let asked: Vec<usize> = all.iter().copied().filter(in_dialog).collect();
            let fields = if asked.is_empty() { all } else { asked };
            let focused = fields.iter().copied().find(|&i| self.index.node(i).states.focused);
            match (focused, fields.as_slice()) {
                (Some(i), _) | (None, &[i]) => {
                    Candidate { index: i, score: 0.9, why: "it has the focus or is the only field".to_owned() }
                }
                _ => return self.many(say::WHICH_FIELD_CLEAR, &[], &[]),
            }
        };
        if self.node(&found).value.as_deref() == Some("") {
            return Turn::Already(self.say(say::EMPTY_ALREADY, &[&self.label(&found)]));
        }
        let said = self.say(say::CLEARED, &[&self.label(&found)]);
        let action = Action::ClearInput { locate: Some(self.target(&found, "")) };
        Ready::new(vec![action], said, found.why.clone()).fine_when_idle().into()
    }

    /// Text, an option or a number, by what the element takes.
    pub(super) fn set(&self, target: &Wanted, value: &str) -> Turn {
        if target.words == FOCUSED {
            return match target.or.as_deref() {
                Some(clicked) => self.set_clicked(clicked, value),
                None => self.set_focused(value),
            };
        }
        let as_field = self.field(&target.clone().for_purpose(Purpose::Type));
        let list = target.clone().for_purpose(Purpose::Choose);
        let as_list = match tree::find(&self.index, &list) {
            Found::One(one) if is_select(self.node(&one)) || self.node(&one).role == "combobox" => Some(one),
            _ => None,
        };
        match (as_field, as_list) {
            (Ok(field), Some(list)) if field.index != list.index => self.many(say::FIELD_AND_LIST, &[], &[field, list]),
            // What lies over it opens its list, and takes no text.
            (Ok(field), _) if self.node(&field).role == "combobox" && self.node(&field).covered_by.is_some() => {
                self.choose(&Wanted::named(value, Purpose::Choose), Some(&list))
            }
            (Ok(field), _) => self.fill(&field, value, InputMode::Replace),
            (Err(_), Some(list)) if is_select(self.node(&list)) => {
                self.select(&list, &Wanted::named(value, Purpose::Choose))
            }
            // Its own box may lie over it.
            (Err(_), Some(found)) if self.node(&found).covered_by.is_some() => {
                self.choose(&Wanted::named(value, Purpose::Choose), Some(&list))
            }
            (Err(_), Some(list)) => self.choose_from_opened(&list, &Wanted::named(value, Purpose::Choose)),
            // Radio buttons, buttons in a row or a list that the page draws, under that label.
            (Err(turn), None) => match self.choose(&Wanted::named(value, Purpose::Choose), Some(&list)) {
                Turn::Missing { .. } => {
                    self.choose_in_group(&Wanted::named(value, Purpose::Choose), target).unwrap_or(turn)
                }
                chosen => chosen,
            },
        }
    }

    /// What was clicked just before, or the field that came up in its place.
    fn set_focused(&self, value: &str) -> Turn {
        let takes = |i: &usize| {
            let node = self.index.node(*i);
            node.states.focused && (is_field(node) || is_select(node)) && !node.states.disabled && !node.states.readonly
        };
        match (0..self.tree.nodes.len()).find(takes) {
            Some(index) => {
                let found = Candidate { index, score: 0.95, why: "it has the focus".to_owned() };
                self.fill(&found, value, InputMode::Replace)
            }
            None => self.missing(say::NO_FOCUS, &[]),
        }
    }

    /// The text of the field that has the focus, where the click before has put it there: the field is what was clicked, it
    /// stands in its place or in its row, or it holds the text that was clicked.
    fn set_clicked(&self, clicked: &Wanted, value: &str) -> Turn {
        let nodes = &self.tree.nodes;
        let Some(focused) = nodes.iter().position(|n| n.states.focused && (is_field(n) || is_select(n))) else {
            return self.missing(say::NO_FOCUS_TO_CHANGE, &[]);
        };
        let found = Candidate { index: focused, score: 0.9, why: "it has the focus since the click".to_owned() };
        let node = self.node(&found);
        let held = node.value.clone().unwrap_or_default();
        let mut belongs = false;
        let mut reading = Some(clicked);
        while let Some(one) = reading {
            belongs |= !one.words.is_empty() && tree::same_text(&held, &one.words);
            reading = one.or.as_deref();
        }
        if let Found::One(one) = tree::find(&self.index, clicked) {
            let row = |i: usize| std::iter::once(i).chain(self.tree.ancestors(i)).find(|&a| self.index.is_row(a));
            let place = self.index.node(one.index);
            let same_row = row(one.index).is_some() && row(one.index) == row(focused);
            belongs |= one.index == focused
                || self.index.is_inside(focused, one.index)
                || same_row
                || place.rect.contains(node.rect.center())
                || node.rect.contains(place.rect.center())
                || matches!(place.role.as_str(), "button" | "link" | "menuitem");
        }
        if !belongs {
            return self.missing(say::OTHER_FOCUS, &[&self.label(&found)]);
        }
        self.fill(&found, value, InputMode::Replace)
    }

    /// `priority High`: the longest beginning that is the name of one field, and what stands behind it.
    pub(super) fn entry(&self, said: &str) -> Turn {
        let words: Vec<&str> = said.split_whitespace().collect();
        let mut unclear: Option<Turn> = None;
        for at in (1..words.len()).rev() {
            let (label, value) = (words[..at].join(" "), words[at..].join(" "));
            let field = Wanted { strict: true, ..Wanted::named(label, Purpose::Type) };
            match self.set(&field, &value) {
                turn @ (Turn::Act(_) | Turn::Already(_)) => return turn,
                turn @ Turn::Many { .. } => unclear = unclear.or(Some(turn)),
                _ => {}
            }
        }
        unclear.unwrap_or_else(|| self.missing(say::NO_LABEL, &[said]))
    }

    /// A new entry goes into the one field that says it is for that.
    pub(super) fn add(&self, text: &str) -> Turn {
        let says_add = |i: &usize| {
            let node = self.index.node(*i);
            let words = format!("{} {} {} {}", node.name, node.placeholder, node.description, node.hint).to_lowercase();
            let add = ["add", "new", "todo", "to-do", "to be done", "task", "添加", "新增", "新建", "待办", "任务"]
                .iter()
                .any(|w| words.contains(w));
            add && !words.contains("search") && !words.contains("搜索")
        };
        let fields: Vec<usize> = self.fields().into_iter().filter(says_add).collect();
        let found = match fields.as_slice() {
            [only] => Candidate { index: *only, score: 0.85, why: "it is the only field for new entries".to_owned() },
            [] => return self.missing(say::NO_ENTRY_FIELD, &[]),
            many => {
                let named: Vec<Candidate> =
                    many.iter().map(|&i| Candidate { index: i, score: 0.5, why: String::new() }).collect();
                return self.many(say::ENTRY_FIELDS, &[], &named);
            }
        };
        let said = self.say(say::ADDED, &[&self.language.quote(text), &self.label(&found)]);
        let enter = Action::KeyboardPress { key_name: "Enter".to_owned(), locate: None };
        let actions = vec![input(text, InputMode::Replace, Some(self.target(&found, ""))), enter];
        Ready::new(actions, said, found.why.clone()).fine_when_idle().into()
    }

    pub(super) fn search(&self, text: &str, field: Option<&Wanted>) -> Turn {
        let default = Wanted { role: Some(RoleWord::Search), ..Wanted::named("search", Purpose::Type) };
        let found = match (self.operable(field.unwrap_or(&default)), field) {
            (Ok(found), _) => found,
            (Err(turn), Some(_)) => return turn,
            (Err(turn), None) => match self.only_search_field() {
                Some(found) => found,
                None => return turn,
            },
        };
        let said = self.say(say::SEARCHED, &[&self.language.quote(text), &self.label(&found)]);
        let enter = Action::KeyboardPress { key_name: "Enter".to_owned(), locate: None };
        let actions = vec![input(text, InputMode::Replace, Some(self.target(&found, ""))), enter];
        Ready::new(actions, said, found.why.clone()).fine_when_idle().into()
    }

    /// The one field that says it is for searching, in whatever words.
    fn only_search_field(&self) -> Option<Candidate> {
        let searches = |i: &usize| {
            let node = self.index.node(*i);
            let words = format!("{} {} {}", node.name, node.placeholder, node.description).to_lowercase();
            ["search", "搜索", "查找", "检索", "搜一搜"].iter().any(|w| words.contains(w))
        };
        let fields: Vec<usize> = self.fields().into_iter().filter(searches).collect();
        let [index] = fields.as_slice() else { return None };
        Some(Candidate { index: *index, score: 0.85, why: "it is the only field for searching".to_owned() })
    }

    pub(super) fn upload(&self, files: &[String], to: Option<&Wanted>) -> Turn {
        let found = match to {
            Some(to) => self.operable(to).or_else(|turn| self.labelled_upload(to).ok_or(turn)),
            None => self
                .operable(&Wanted { role: None, ..Wanted::named("", Purpose::Upload) })
                .or_else(|_| self.only_file_field()),
        };
        match found {
            Ok(found) => {
                let said = self.say(say::UPLOADED, &[&files.join(", "), &self.label(&found)]);
                let action = Action::Upload { locate: self.target(&found, ""), files: files.to_vec() };
                Ready::new(vec![action], said, found.why.clone()).into()
            }
            Err(turn) => turn,
        }
    }

    /// What takes files beside the text that a description names.
    fn labelled_upload(&self, to: &Wanted) -> Option<Candidate> {
        let takes = |i: usize| tree::takes_files(self.index.node(i)) && tree::hindrance(self.index.node(i)).is_none();
        let labelled = |i: usize| {
            let beside = self.index.label_beside(i)?;
            to.readings()
                .filter(|w| !w.words.is_empty() && w.within.is_none() && w.near.is_none())
                .any(|w| same_text(&beside, &w.words))
                .then_some(i)
        };
        let all: Vec<usize> = (0..self.tree.nodes.len()).filter(|&i| takes(i)).filter_map(labelled).collect();
        let [index] = all.as_slice() else { return None };
        Some(Candidate { index: *index, score: 0.9, why: "its label says so".to_owned() })
    }

    fn only_file_field(&self) -> Sought {
        let files: Vec<usize> = (0..self.tree.nodes.len())
            .filter(|&i| self.index.node(i).kind.eq_ignore_ascii_case("input:file"))
            .collect();
        match files.as_slice() {
            [only] => Ok(Candidate { index: *only, score: 0.9, why: "it is the only file field".to_owned() }),
            [] => Err(self.missing(say::NO_FILE_FIELD, &[])),
            many => {
                let named: Vec<Candidate> =
                    many.iter().map(|&i| Candidate { index: i, score: 0.5, why: String::new() }).collect();
                Err(self.many(say::FILE_FIELDS, &[], &named))
            }
        }
    }
}

/// Whether a clause has a text in quotes, which is meant literally.
fn quotes_something(clause: &str) -> bool {
    Quotes::mark(clause).is_ok_and(|(marked, _)| marked.chars().any(is_mark))
}

/// Words that no nameless field can be meant by.
fn names_something_else(wanted: &Wanted) -> bool {
    let words = wanted.words.to_lowercase();
    ["search", "搜索", "password", "密码", "captcha", "验证码", "file", "文件"].iter().any(|w| words.contains(w))
}
