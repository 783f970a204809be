//! From a clause to the actions that it means on the screen as it is.

use super::facts::{self, Judgement};
use super::messages::{self as say};
use super::step::{Clause, Press, Step};
use crate::language::{Language, Message};
use crate::locate::tree::{self, Candidate, Found, Hindrance, Index, Purpose, RoleWord, Wanted};
use handeye_core::{Action, Claim, InputMode, NodeRef, Observation, Target, UiNode, UiTree};
use named::may_be_named;
use naming::said_as;

mod choosing;
mod dragging;
mod fields;
mod going;
mod named;
mod naming;
mod things;

/// What can be done about a clause now.
pub(super) enum Turn {
    Act(Box<Ready>),
    /// It is so already.
    Already(String),
    Expand(Vec<Clause>),
    /// A statement is not true.
    False(String),
    Many {
        why: String,
        candidates: Vec<String>,
    },
    Missing {
        why: String,
        candidates: Vec<String>,
    },
}

/// Actions that are clear enough to be done.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    pub(super) actions: Vec<Action<Target>>,
    /// What was done, in the past tense.
    pub(super) said: String,
    pub(super) why: String,
    /// How many clauses it stands for.
    pub(super) clauses: usize,
    /// It only puts text into a field, so that more of the kind may follow in the same round.
    pub(super) fills_field: bool,
    pub(super) expect: Option<Expect>,
    /// What was dragged, and the heading that it has to stand under then.
    pub(super) column: Option<(NodeRef, NodeRef)>,
    /// The questions that were open when something was to be deleted: one more of them means that it is not done yet.
    pub(super) asked: Option<usize>,
    /// It only makes the clause possible: its turn comes again.
    pub(super) prepares: Option<Prepared>,
    /// Nothing need change on the screen.
    pub(super) idle_is_fine: bool,
}

/// A state to read back.
#[derive(Clone, Debug)]
pub(super) struct Expect {
    pub(super) node: NodeRef,
    pub(super) wanted: Wanted,
    pub(super) on: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prepared {
    /// The pointer was put on the row, whose controls may only show then.
    Hovered,
    /// The list was opened.
    Opened,
}

/// What was tried for the clause whose turn it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tried {
    pub(super) retried: bool,
    hovered: bool,
    opened: bool,
    /// The native list lies under one that the page draws.
    pub(super) drawn_list: bool,
}

impl Tried {
    pub(super) fn note(&mut self, prepared: Prepared) {
        match prepared {
            Prepared::Hovered => self.hovered = true,
            Prepared::Opened => self.opened = true,
        }
    }
}

/// The screen, and what was tried on it.
pub(super) struct Scene<'a> {
    seen: &'a Observation,
    tree: &'a UiTree,
    index: Index<'a>,
    tried: Tried,
    language: Language,
}

static NO_TREE: UiTree = UiTree { nodes: Vec::new(), truncated: false };

/// A target that was found, or why not.
type Sought = Result<Candidate, Turn>;

impl Ready {
    fn new(actions: Vec<Action<Target>>, said: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            actions,
            said: said.into(),
            why: why.into(),
            clauses: 1,
            fills_field: false,
            expect: None,
            column: None,
            asked: None,
            prepares: None,
            idle_is_fine: false,
        }
    }
    /// Nothing needs to be looked at again.
    pub(super) fn is_final(&self) -> bool {
        self.prepares.is_none() && self.expect.is_none() && self.column.is_none() && self.asked.is_none()
    }
    fn fine_when_idle(self) -> Self {
        Self { idle_is_fine: true, ..self }
    }
}

impl From<Ready> for Turn {
    fn from(ready: Ready) -> Self {
        Self::Act(Box::new(ready))
    }
}

impl<'a> Scene<'a> {
    pub(super) fn of(seen: &'a Observation, tried: Tried, language: Language) -> Self {
        let tree = seen.tree.as_ref().unwrap_or(&NO_TREE);
        Self { seen, tree, index: Index::of(tree), tried, language }
    }

    pub(super) fn turn(&self, clause: &Clause) -> Turn {
        // `Save and close` as the name of one control, when there is one.
        if let Some((whole, more)) = &clause.joined
            && let Turn::Act(ready) = self.step(&literal(whole), &clause.text)
            // Any text can be typed; an option is there or not.
            && (!matches!(**whole, Step::Set { .. }) || ready.actions.iter().all(|a| a.verb() == "Select"))
        {
            return Ready { clauses: more + 1, ..*ready }.into();
        }
        if let Some(control) = self.control_called(clause) {
            return self.press(&control, Press::Once, 1);
        }
        if let Step::Click { target, .. } = &clause.step
            && target.loose
        {
            return self.press_named(&target.words);
        }
        if let Some(operated) = self.control_at_end(clause) {
            return operated;
        }
        if let Some(switched) = self.switched_on(clause) {
            return switched;
        }
        match self.step(&clause.step, &clause.text) {
            missing @ Turn::Missing { .. } if may_be_named(&clause.step) => self
                .control_in(super::grammar::bare(&clause.text))
                .map_or(missing, |control| self.press(&control, Press::Once, 1)),
            turn => turn,
        }
    }

    fn step(&self, step: &Step, text: &str) -> Turn {
        match step {
            Step::Click { target, how, times } => self.click(target, *how, *times),
            Step::Unfold { target, open } => self.unfold(target, *open),
            Step::Type { text: value, into, append } => self.type_text(value, into.as_ref(), *append, text),
            Step::Clear { field } => self.clear(field.as_ref()),
            Step::Key { chord, times, on, or_button } => self.key(chord, *times, on.as_ref(), or_button.as_ref()),
            Step::Choose { option, list } => self.choose(option, list.as_ref()),
            Step::Set { target, value, .. } => self.set(target, value),
            Step::Toggle { target, on } => self.toggle(target, *on),
            Step::Operate { control, thing } => match self.operate(control, thing) {
                Turn::Act(ready) if control == "delete" && ready.prepares.is_none() => {
                    Ready { asked: Some(facts::questions(self.tree)), ..*ready }.into()
                }
                turn => turn,
            },
            Step::TurnTo { page } => self.turn_to_page(*page),
            Step::There { place, here, there } => self.there(place, here, there, text),
            Step::Entry { said } => self.entry(said),
            Step::Add { text } => self.add(text),
            Step::Search { text, field } => self.search(text, field.as_ref()),
            Step::Scroll { direction, to, distance, area, times } => {
                let area = match area {
                    Some(area) => match self.one(area) {
                        Ok(one) => Some(one),
                        Err(turn) => return turn,
                    },
                    None => None,
                };
                let locate = area.map(|a| self.target(&a, "the area to scroll"));
                let action = Action::Scroll { direction: *direction, scroll_type: *to, distance: *distance, locate };
                let said = self.say(say::SCROLLED, &[&action.summary(), text]);
                Ready::new(vec![action; *times as usize], said, "says where to scroll").fine_when_idle().into()
            }
            Step::ScrollTo { target } => self.scroll_to(target),
            Step::Go { url } => match self.absolute(url) {
                Some(url) => {
                    let said = self.say(say::WENT_TO, &[&url]);
                    Ready::new(vec![Action::Navigate { url }], said, "names an address").fine_when_idle().into()
                }
                None => self.missing(say::NO_ADDRESS, &[url]),
            },
            Step::Reload => {
                Ready::new(vec![Action::Reload], self.say(say::RELOADED, &[]), "says so").fine_when_idle().into()
            }
            Step::Back => Ready::new(vec![Action::GoBack], self.say(say::WENT_BACK, &[]), "says so").into(),
            Step::Forward => Ready::new(vec![Action::GoForward], self.say(say::WENT_FORWARD, &[]), "says so").into(),
            Step::CloseTab => Ready::new(vec![Action::CloseTab], self.say(say::CLOSED_TAB, &[]), "says so").into(),
            Step::Close { target } => self.close(target),
            Step::Sleep { ms } => {
                let said = self.say(say::WAITED, &[&ms.to_string()]);
                Ready::new(vec![Action::Sleep { time_ms: *ms }], said, "says so").fine_when_idle().into()
            }
            Step::WaitFor { check } => match facts::judge(self.seen, check, self.language) {
                Judgement::True(why) => Turn::Already(self.say(say::WAITED_UNTIL, &[&why])),
                Judgement::False(why) | Judgement::Unclear { why, .. } => {
                    Turn::False(self.say(say::WAITED_IN_VAIN, &[&why]))
                }
            },
            Step::Verify { check } => match facts::judge(self.seen, check, self.language) {
                Judgement::True(why) => Turn::Already(self.say(say::CHECKED, &[&why])),
                Judgement::False(why) => Turn::False(self.say(say::CHECK_FAILED, &[text, &why])),
                Judgement::Unclear { why, candidates } => Turn::Missing { why, candidates },
            },
            Step::Drag { from, to } => self.drag(from, to),
            Step::Upload { files, to } => self.upload(files, to.as_ref()),
            Step::Each { whole, steps } => self.each(whole, steps, text),
            Step::Either(steps) => self.either(steps, text),
            Step::Aside => Turn::Already(self.say(say::KEPT_TO, &[text])),
        }
    }

    /// The one element that a description means, or the turn that says why there is none.
    fn one(&self, wanted: &Wanted) -> Sought {
        match tree::find(&self.index, wanted) {
            Found::One(one) => Ok(one),
            Found::Many(many) => Err(self.several(wanted, &many)),
            Found::None(near) => Err(self.nothing(wanted, &near)),
        }
    }

    fn nothing(&self, wanted: &Wanted, near: &[Candidate]) -> Turn {
        let mut why = self.say(say::NOTHING_ANSWERS, &[&self.said_as(wanted)]);
        if self.tree.truncated {
            why = self.say(say::AMONG_LISTED, &[&why]);
        }
        Turn::Missing { why, candidates: self.describe(near) }
    }

    /// The same, and it can be operated now.
    fn operable(&self, wanted: &Wanted) -> Sought {
        let one = self.one(wanted)?;
        let node = self.node(&one);
        let hindrance = tree::hindrance(node)
            .or_else(|| (wanted.purpose == Purpose::Type && node.states.readonly).then_some(Hindrance::ReadOnly));
        match hindrance {
            Some(state) => Err(self.hindered(&one, &state)),
            None => Ok(one),
        }
    }

    fn node(&self, candidate: &Candidate) -> &UiNode {
        self.index.node(candidate.index)
    }

    fn target(&self, found: &Candidate, words: &str) -> Target {
        let node = self.node(found);
        let description = if words.is_empty() { node.label() } else { words.to_owned() };
        let element = tree::to_element(node, found, &description);
        Target {
            description,
            claim: Some(Claim::Node { element, score: found.score, why: found.why.clone() }),
            ..Target::default()
        }
    }

    fn say(&self, message: Message, parts: &[&str]) -> String {
        self.language.say(message, parts)
    }

    fn missing(&self, message: Message, parts: &[&str]) -> Turn {
        Turn::Missing { why: self.say(message, parts), candidates: Vec::new() }
    }

    fn many(&self, message: Message, parts: &[&str], candidates: &[Candidate]) -> Turn {
        Turn::Many { why: self.say(message, parts), candidates: self.describe(candidates) }
    }

    fn hindered(&self, found: &Candidate, state: &Hindrance) -> Turn {
        self.missing(say::IS_SO, &[&self.label(found), &state.said(self.language)])
    }

    /// Several elements answer: what tells them apart, and how to say which one is meant.
    fn several(&self, wanted: &Wanted, many: &[Candidate]) -> Turn {
        let names: Vec<String> = many.iter().map(|c| self.index.visible_name(c.index)).collect();
        let (count, said) = (many.len().to_string(), self.said_as(wanted));
        let equal = !names[0].is_empty() && names[0].chars().count() < 40 && names.iter().all(|n| *n == names[0]);
        // In a place, the ordinal has to be said with the place.
        let alone = |w: &Wanted| w.ordinal.is_none() && w.within.is_none() && w.near.is_none();
        if equal && wanted.readings().all(alone) {
            return self.many(say::SEVERAL_EQUAL, &[&count, &said, &names[0]], many);
        }
        self.many(say::SEVERAL, &[&count, &said], many)
    }

    fn describe(&self, candidates: &[Candidate]) -> Vec<String> {
        tree::describe(&self.index, candidates, self.language)
    }

    fn said_as(&self, wanted: &Wanted) -> String {
        said_as(self.language, wanted)
    }

    fn label(&self, found: &Candidate) -> String {
        tree::label(&self.index, found.index, self.language)
    }

    fn repeated(&self, said: String, times: u32) -> String {
        if times > 1 { self.say(say::TIMES, &[&said, &times.to_string()]) } else { said }
    }

    fn click(&self, target: &Wanted, how: Press, times: u32) -> Turn {
        match self.operable(target) {
            Ok(found) => self.press(&found, how, times),
            Err(turn @ Turn::Missing { .. }) if how == Press::Once => {
                let cross = self.delete_cross(target).or_else(|| self.option_to_click(target));
                // The controls of a row may only show while the pointer is on it.
                let row = target.readings().filter_map(|w| w.within.as_deref()).find(|w| w.role == Some(RoleWord::Row));
                let bare = cross.or_else(|| self.hidden_in_row(target));
                bare.or_else(|| self.show_controls(row?)).or_else(|| self.show_beside(target)).unwrap_or(turn)
            }
            Err(turn) => turn,
        }
    }

    /// `the delete button in the row of X`, where the button is a cross.
    fn delete_cross(&self, target: &Wanted) -> Option<Turn> {
        let mut reading = Some(target);
        while let Some(one) = reading {
            let means_delete =
                matches!(one.words.to_lowercase().as_str(), "delete" | "remove" | "destroy" | "删除" | "移除");
            if means_delete && (one.within.is_some() || one.near.is_some()) {
                let cross = Wanted { words: "×".to_owned(), quoted: false, or: None, ..one.clone() };
                if let Ok(found) = self.operable(&cross)
                    && !self.node(&found).name.chars().any(char::is_alphanumeric)
                {
                    return Some(self.press(&found, Press::Once, 1));
                }
            }
            reading = one.or.as_deref();
        }
        None
    }

    /// A click on what is an option of a native list chooses it.
    fn option_to_click(&self, target: &Wanted) -> Option<Turn> {
        let named = matches!(target.role, None | Some(RoleWord::Option)) && !target.words.is_empty();
        let turn = named.then(|| {
            self.choose(&Wanted { strict: true, or: None, ..target.clone() }.for_purpose(Purpose::Choose), None)
        })?;
        matches!(&turn, Turn::Act(ready) if ready.actions.iter().all(|a| a.verb() == "Select")).then_some(turn)
    }

    fn press(&self, found: &Candidate, how: Press, times: u32) -> Turn {
        let locate = self.target(found, "");
        let label = self.label(found);
        let (action, verb) = match how {
            Press::Once => (Action::Tap { locate }, say::CLICKED),
            Press::Double => (Action::DoubleClick { locate }, say::DOUBLE_CLICKED),
            Press::Secondary => (Action::RightClick { locate }, say::RIGHT_CLICKED),
            Press::Hover => (Action::Hover { locate }, say::POINTED_AT),
            Press::Hold(duration) => (Action::LongPress { locate, duration }, say::HELD),
        };
        let said = self.repeated(self.say(verb, &[&label]), times);
        let ready = Ready::new(vec![action; times as usize], said, found.why.clone());
        if how == Press::Hover { ready.fine_when_idle().into() } else { ready.into() }
    }

    fn unfold(&self, target: &Wanted, open: bool) -> Turn {
        // `the section`, where only one thing can be opened.
        if target.or.as_ref().unwrap_or(&Box::new(target.clone())).words.is_empty() {
            let folded =
                |i: &usize| self.index.node(*i).states.expanded == Some(!open) && self.index.node(*i).interactive;
            let main = |i: &usize| {
                !self
                    .index
                    .tree
                    .ancestors(*i)
                    .any(|a| matches!(self.index.node(a).role.as_str(), "navigation" | "banner"))
            };
            let all: Vec<usize> = (0..self.tree.nodes.len()).filter(folded).filter(main).collect();
            if let [only] = all.as_slice() {
                let found = Candidate {
                    index: *only,
                    score: 0.9,
                    why: "it is the only thing that can be folded so".to_owned(),
                };
                return self.press(&found, Press::Once, 1);
            }
        }
        let folds = |c: &&Candidate| self.node(c).states.expanded.is_some();
        let found = match tree::find(&self.index, target) {
            // Of elements with one name, the one that folds is meant.
            Found::Many(many) if many.iter().filter(folds).count() == 1 => {
                many.iter().find(folds).cloned().ok_or_else(|| self.nothing(target, &many))
            }
            _ => self.operable(target),
        };
        let found = match found {
            Ok(found) => found,
            Err(turn) => return turn,
        };
        if self.node(&found).states.expanded == Some(open) {
            let state = if open { say::OPEN_ALREADY } else { say::SHUT_ALREADY };
            return Turn::Already(self.say(state, &[&self.label(&found)]));
        }
        self.press(&found, Press::Once, 1)
    }

    fn key(&self, chord: &str, times: u32, on: Option<&Wanted>, or_button: Option<&Wanted>) -> Turn {
        if let Some(button) = or_button
            && let Found::One(one) = tree::find(&self.index, button)
            && self.node(&one).interactive
        {
            // In a menu or a dialog that is open, the name is that of its control.
            let asked = self
                .tree
                .ancestors(one.index)
                .any(|a| matches!(self.index.node(a).role.as_str(), "menu" | "dialog" | "alertdialog"));
            if asked || self.node(&one).role == "menuitem" {
                return self.press(&one, Press::Once, times);
            }
            return self.many(say::KEY_OR_BUTTON, &[chord, &self.label(&one)], &[one]);
        }
        let locate = match on {
            Some(on) => match self.operable(on) {
                Ok(found) => Some(self.target(&found, "")),
                Err(turn) => return turn,
            },
            None => None,
        };
        let action = Action::KeyboardPress { key_name: chord.to_owned(), locate };
        let said = self.repeated(self.say(say::PRESSED, &[chord]), times);
        Ready::new(vec![action; times as usize], said, "names a key").fine_when_idle().into()
    }

    /// Acting on an element brings it into view, so pointing at it is how to scroll to it.
    fn scroll_to(&self, target: &Wanted) -> Turn {
        // Where a link and a heading have one name, the heading is what can be scrolled to.
        let found = match tree::find(&self.index, target) {
            Found::Many(many) => {
                let headings: Vec<&Candidate> = many.iter().filter(|c| self.node(c).role == "heading").collect();
                match headings.as_slice() {
                    [one] => Ok((*one).clone()),
                    _ => self.one(target),
                }
            }
            _ => self.one(target),
        };
        let found = match found {
            Ok(found) => found,
            Err(turn) => return turn,
        };
        if self.node(&found).point.is_some() {
            return Turn::Already(self.say(say::IN_VIEW_ALREADY, &[&self.label(&found)]));
        }
        let said = self.say(say::SCROLLED_TO, &[&self.label(&found)]);
        let action = Action::Hover { locate: self.target(&found, "") };
        Ready::new(vec![action], said, found.why.clone()).fine_when_idle().into()
    }

    fn absolute(&self, url: &str) -> Option<String> {
        if !url.starts_with('/') {
            return Some(url.to_owned());
        }
        let (scheme, rest) = self.seen.place.url.split_once("://")?;
        let host = rest.split('/').next()?;
        Some(format!("{scheme}://{host}{url}"))
    }

    /// A list of names: all of it as one name, else one step for each, when each of them is clear.
    fn each(&self, whole: &Step, steps: &[Step], text: &str) -> Turn {
        if let turn @ (Turn::Act(_) | Turn::Already(_)) = self.step(whole, text) {
            return turn;
        }
        for step in steps {
            match self.step(step, text) {
                Turn::Act(_) | Turn::Already(_) => {}
                unclear => return unclear,
            }
        }
        let clause = |step: &Step| Clause { text: text.to_owned(), step: step.clone(), joined: None };
        Turn::Expand(steps.iter().map(clause).collect())
    }

    /// Readings of which exactly one has to fit the page.
    fn either(&self, steps: &[Step], text: &str) -> Turn {
        let mut fitting: Vec<Turn> = Vec::new();
        let mut unclear: Option<Turn> = None;
        for step in steps {
            match self.step(step, text) {
                turn @ Turn::Act(_) => {
                    let known = |t: &Turn| matches!((t, &turn), (Turn::Act(a), Turn::Act(b)) if same_place(&a.actions, &b.actions));
                    if !fitting.iter().any(known) {
                        fitting.push(turn);
                    }
                }
                turn @ (Turn::Already(_) | Turn::Expand(_)) => fitting.push(turn),
                turn @ Turn::Many { .. } => unclear = Some(turn),
                turn => unclear = unclear.or(Some(turn)),
            }
        }
        // A list that was named and has the option leaves nothing to doubt.
        let is_option = |t: &Turn| matches!(t, Turn::Act(ready) if ready.actions.iter().all(|a| a.verb() == "Select"));
        if fitting.len() == 1 && is_option(&fitting[0]) {
            return fitting.swap_remove(0);
        }
        match (fitting.len(), unclear) {
            (1, Some(many @ Turn::Many { .. })) => many,
            (1, _) => fitting.swap_remove(0),
            (0, Some(turn)) => turn,
            (0, None) => self.missing(say::NOTHING_FITS, &[]),
            _ => {
                let candidates = fitting.iter().map(|t| match t {
                    Turn::Act(ready) => ready.said.clone(),
                    Turn::Already(said) => said.clone(),
                    _ => String::new(),
                });
                Turn::Many { why: self.say(say::READS_TWICE, &[]), candidates: candidates.collect() }
            }
        }
    }
}

/// Two readings that come to the same input.
fn same_place(a: &[Action<Target>], b: &[Action<Target>]) -> bool {
    let places = |actions: &[Action<Target>]| -> Vec<(String, Vec<Option<NodeRef>>)> {
        let node = |t: &Target| match &t.claim {
            Some(Claim::Node { element, .. }) => element.node.clone(),
            _ => None,
        };
        actions.iter().map(|a| (a.verb().to_owned(), a.targets().iter().map(|(_, t)| node(t)).collect())).collect()
    };
    let text = |actions: &[Action<Target>]| {
        actions
            .iter()
            .map(|a| match a {
                Action::Input { value, .. } => value.clone(),
                Action::Select { option, .. } => option.clone(),
                _ => String::new(),
            })
            .collect::<Vec<_>>()
    };
    places(a) == places(b) && text(a) == text(b)
}

/// A step whose names are taken literally.
fn literal(step: &Step) -> Step {
    super::grammar::strictly(step.clone())
}

/// Leaves so many repetitions of a step.
pub(super) fn repeat_only(step: &mut Step, left: u32) {
    match step {
        Step::Click { times, .. } | Step::Key { times, .. } | Step::Scroll { times, .. } => *times = left.max(1),
        _ => {}
    }
}

fn input(value: &str, mode: InputMode, locate: Option<Target>) -> Action<Target> {
    Action::Input { value: value.to_owned(), mode, locate }
}
