//! What the UI tree says: whether a statement about the page is true.

use super::messages as say;
use super::resolve::Expect;
use super::step::{Check, Says, Subject};
use crate::language::{Language, Message};
use crate::locate::tree::{self, Candidate, Found, Index, Purpose, RoleWord, Wanted, contains_text, same_text};
use handeye_core::text::{clip, fold};
use handeye_core::{Action, Claim, NodeRef, Observation, Place, Target, Toggle, UiNode, UiTree};
use marked::{asks, is_any_message, is_question, loading, message};

mod marked;

/// The judgement of a statement, and the reason in words.
pub(super) enum Judgement {
    True(String),
    False(String),
    /// The subject is several elements that do not agree, or none of the kind that has such a state.
    Unclear {
        why: String,
        candidates: Vec<String>,
    },
}

pub(super) fn judge(seen: &Observation, check: &Check, language: Language) -> Judgement {
    let empty = UiTree::default();
    let tree = seen.tree.as_ref().unwrap_or(&empty);
    let facts = Facts { index: Index::of(tree), place: &seen.place, language };
    let positive = match &check.subject {
        Subject::Page => facts.text(&page_text(tree), say::THE_PAGE, &check.says),
        Subject::Title => facts.text(&seen.place.title, say::THE_TITLE, &check.says),
        Subject::Address => facts.text(&seen.place.url, say::THE_ADDRESS, &check.says),
        Subject::Element(wanted) => facts.element(wanted, &check.says, check.negated),
    };
    // What is not among the elements that were read may be among the others.
    let counts = matches!(check.says, Says::Count(_) | Says::Alone(_));
    let of_all = matches!(check.says, Says::Shown | Says::Open) || check.subject == Subject::Page;
    let by_absence = counts || of_all && matches!(positive, Judgement::False(_));
    if tree.truncated && by_absence {
        return facts.unclear(say::NOT_WHOLE, &[], &[]);
    }
    match (positive, check.negated) {
        (Judgement::True(why), true) => Judgement::False(why),
        (Judgement::False(why), true) => Judgement::True(why),
        (judgement, _) => judgement,
    }
}

fn page_text(tree: &UiTree) -> String {
    let parts = tree.nodes.iter().flat_map(|n| [Some(n.name.as_str()), n.value.as_deref()]).flatten();
    parts.filter(|p| !p.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What stands in quotes is meant letter by letter: `Saved ✓` is not shown by `Saved. Your changes …`. Only case, width and
/// blanks do not matter.
fn shows_literally(tree: &UiTree, found: &Found, wanted: &Wanted) -> bool {
    let want = fold(&wanted.words);
    let holds = |n: &UiNode| {
        let texts =
            [Some(n.name.as_str()), n.value.as_deref(), Some(n.placeholder.as_str()), Some(n.description.as_str())];
        texts.into_iter().flatten().any(|t| fold(t).contains(&want))
    };
    match found {
        Found::One(one) => holds(&tree.nodes[one.index]) || (plain_text(wanted) && tree.nodes.iter().any(holds)),
        Found::Many(many) => many.iter().any(|c| holds(&tree.nodes[c.index])),
        Found::None(_) => fold(&page_text(tree)).contains(&want),
    }
}

/// The page as it is, and the language in which is told what it says.
struct Facts<'a> {
    index: Index<'a>,
    place: &'a Place,
    language: Language,
}

impl Facts<'_> {
    fn say(&self, message: Message, parts: &[&str]) -> String {
        self.language.say(message, parts)
    }

    fn decide(&self, is: bool, yes: (Message, &[&str]), no: (Message, &[&str])) -> Judgement {
        if is { Judgement::True(self.say(yes.0, yes.1)) } else { Judgement::False(self.say(no.0, no.1)) }
    }

    fn unclear(&self, message: Message, parts: &[&str], near: &[Candidate]) -> Judgement {
        let candidates = tree::describe(&self.index, near, self.language);
        Judgement::Unclear { why: self.say(message, parts), candidates }
    }

    fn label(&self, i: usize) -> String {
        tree::label(&self.index, i, self.language)
    }

    fn text(&self, actual: &str, what: Message, says: &Says) -> Judgement {
        let (name, shown) = (self.say(what, &[]), self.language.quote(&clip(actual, 120)));
        match says {
            Says::Equals(want) => {
                let quoted = self.language.quote(want);
                // Of an address each letter counts.
                let is = actual.trim() == want.trim() || what != say::THE_ADDRESS && same_text(actual, want);
                self.decide(is, (say::IS_TEXT, &[&name, &shown]), (say::SHOULD_BE, &[&name, &quoted, &shown]))
            }
            Says::Contains(want) => {
                let quoted = self.language.quote(want);
                let holds = contains_text(actual, want) || actual.contains(want.as_str());
                let no = if what == say::THE_PAGE { say::SHOWS_NOT } else { say::SHOULD_CONTAIN };
                self.decide(holds, (say::SHOWS, &[&name, &quoted]), (no, &[&name, &quoted, &shown]))
            }
            _ => self.unclear(say::NO_SUCH_STATE, &[&name], &[]),
        }
    }

    fn element(&self, wanted: &Wanted, says: &Says, negated: bool) -> Judgement {
        if let Says::Count(want) = says {
            let found = count(&self.index, wanted);
            // What no element answers to may not be there, or may be called otherwise.
            let named = !wanted.words.is_empty() && wanted.within.is_none() && wanted.near.is_none();
            if found == 0 && !named {
                return self.unclear(say::NOTHING_ANSWERS, &[&self.language.words(&wanted.words)], &[]);
            }
            let found = found.to_string();
            let want = want.to_string();
            return self.decide(found == want, (say::COUNT_IS, &[&found]), (say::COUNT_SHOULD, &[&want, &found]));
        }
        let name =
            if wanted.words.is_empty() { self.say(say::THE_ELEMENT, &[]) } else { self.language.words(&wanted.words) };
        let found = tree::find(&self.index, wanted);
        match says {
            Says::Shown => return self.shown(wanted, &found, &name),
            Says::Open => return self.open(wanted, &found, &name),
            Says::Alone(n) => return self.alone(&found, &name, *n),
            _ => {}
        }
        match found {
            Found::One(one) => self.all_are(&[one], wanted, says, negated, &name),
            Found::Many(many) => self.all_are(&many, wanted, says, negated, &name),
            // `the message says "X"`: whatever shows it, when nothing goes by that noun.
            Found::None(near) => match says {
                Says::Contains(text) | Says::Equals(text) if is_any_message(wanted) => {
                    self.text(&page_text(self.index.tree), say::THE_PAGE, &Says::Contains(text.clone()))
                }
                _ => self.unclear(say::NOTHING_ANSWERS, &[&name], &near),
            },
        }
    }

    fn shown(&self, wanted: &Wanted, found: &Found, name: &str) -> Judgement {
        let tree = self.index.tree;
        let is = |i: usize| Judgement::True(self.say(say::IS_SHOWN, &[&self.label(i)]));
        let is_not = || Judgement::False(self.say(say::IS_NOT_SHOWN, &[name]));
        if wanted.quoted && !shows_literally(tree, found, wanted) {
            return is_not();
        }
        match found {
            Found::One(one) => is(one.index),
            Found::Many(many) => is(many[0].index),
            Found::None(_) if says_more(wanted) => self.unclear(say::NOTHING_ANSWERS, &[name], &[]),
            // A text may be part of a longer one.
            Found::None(_) if wanted.readings().any(|w| plain_text(w) && contains_text(&page_text(tree), &w.words)) => {
                Judgement::True(self.say(say::IS_SHOWN, &[name]))
            }
            Found::None(_) => message(&self.index, wanted)
                .or_else(|| loading(&self.index, wanted))
                .or_else(|| self.headed(wanted))
                .or_else(|| asks(&self.index, wanted))
                .or_else(|| self.one_of(wanted))
                .map_or_else(is_not, is),
        }
    }

    /// One of the things that unquoted words name in the plural.
    fn one_of(&self, wanted: &Wanted) -> Option<usize> {
        let words = singular(&wanted.words).filter(|_| !wanted.quoted)?;
        let one = tree::phrase::read(&words, Purpose::Read)?;
        let one = match &wanted.within {
            Some(holder) => one.inside(holder),
            None => one,
        };
        match tree::find(&self.index, &one) {
            Found::One(one) => Some(one.index),
            Found::Many(many) => many.first().map(|c| c.index),
            Found::None(_) => None,
        }
    }

    /// The heading of a dialog that the page does not mark as one.
    fn headed(&self, wanted: &Wanted) -> Option<usize> {
        let dialog = wanted.readings().find(|w| w.role == Some(RoleWord::Dialog) && !w.words.is_empty())?;
        let heading = Wanted { role: Some(RoleWord::Heading), or: None, ..dialog.clone() };
        match tree::find(&self.index, &heading) {
            Found::One(one) => Some(one.index),
            _ => None,
        }
    }

    /// Elements that agree are as good as one.
    fn all_are(&self, all: &[Candidate], wanted: &Wanted, says: &Says, negated: bool, name: &str) -> Judgement {
        let judged: Option<Vec<(bool, String)>> = all.iter().map(|c| self.state(c.index, says, wanted)).collect();
        let Some(judged) = judged else {
            return self.unclear(say::NO_SUCH_STATE, &[name], all);
        };
        if judged.iter().all(|j| j.0 == judged[0].0) {
            let (is, why) = judged[0].clone();
            return if is { Judgement::True(why) } else { Judgement::False(why) };
        }
        let any_text = matches!(says, Says::Contains(_) | Says::Equals(_)) && !negated && wanted.ordinal.is_none();
        if any_text && let Some((_, why)) = judged.iter().find(|j| j.0) {
            return Judgement::True(why.clone());
        }
        self.unclear(say::SEVERAL_DIFFER, &[name], all)
    }

    /// Whether a page, a part of it or a step of that name is where one is: the title, a heading, a dialog or the address
    /// says so, or a tab or step of that name is marked, or the field that the step is about is there.
    fn open(&self, wanted: &Wanted, found: &Found, name: &str) -> Judgement {
        let yes = |message: Message, part: &str| Judgement::True(self.say(message, &[part]));
        let address =
            self.place.url.split("://").nth(1).unwrap_or(&self.place.url).replace(['/', '-', '_', '.', '#'], " ");
        for one in wanted.readings().filter(|w| !w.words.is_empty()) {
            let says = |text: &str| contains_text(text, &one.words);
            if says(&self.place.title) {
                return self.decide(
                    true,
                    (say::IS_TEXT, &[&self.say(say::THE_TITLE, &[]), &self.language.quote(&self.place.title)]),
                    (say::IS_NOT_OPEN, &[]),
                );
            }
            let heads = |i: &usize| {
                let node = self.index.node(*i);
                let field = tree::is_field(node) && same_text(&node.name, &one.words);
                field || (matches!(node.role.as_str(), "heading" | "dialog") && says(&node.name))
            };
            if let Some(i) = (0..self.index.len()).find(heads) {
                return yes(say::IS_SHOWN, &self.label(i));
            }
            if says(&address) {
                return yes(say::IS_OPEN, name);
            }
        }
        let all: &[Candidate] = match found {
            Found::One(one) => std::slice::from_ref(one),
            Found::Many(many) => many,
            Found::None(_) => &[],
        };
        let marks =
            |node: &UiNode| node.states.selected.is_some() || node.states.pressed.is_some() || node.role == "tab";
        let marked: Vec<&UiNode> = all.iter().map(|c| self.index.node(c.index)).filter(|n| marks(n)).collect();
        match marked.iter().any(|n| is_on(n)) {
            true => yes(say::IS_OPEN, name),
            false if marked.is_empty() => Judgement::False(self.say(say::NOT_OPENED, &[name])),
            false => Judgement::False(self.say(say::IS_NOT_OPEN, &[name])),
        }
    }

    /// Whether an element stands in one of so many rows. Where it stands in several lists, they have to agree.
    fn alone(&self, found: &Found, name: &str, want: u32) -> Judgement {
        let index = &self.index;
        let all: Vec<usize> = match found {
            Found::One(one) => vec![one.index],
            Found::Many(many) => many.iter().map(|c| c.index).collect(),
            Found::None(_) => return Judgement::False(self.say(say::IS_NOT_SHOWN, &[name])),
        };
        let is_row = |i: &usize| {
            matches!(index.node(*i).role.as_str(), "row" | "listitem" | "article" | "treeitem" | "option")
                && !index.is_header_row(*i)
        };
        let row_of = |i: usize| std::iter::once(i).chain(index.tree.ancestors(i)).find(is_row);
        let lists = all.into_iter().filter_map(row_of).filter_map(|row| index.tree.parent(row));
        let counts: Vec<usize> = lists.map(|list| index.children(list).iter().filter(|&i| is_row(i)).count()).collect();
        let Some(&rows) = counts.first() else {
            return self.unclear(say::NO_LIST_HOLDS, &[name], &[]);
        };
        let right = |n: &usize| u32::try_from(*n) == Ok(want);
        let said = self.say(say::ONE_OF, &[name, &rows.to_string()]);
        if counts.iter().all(right) {
            Judgement::True(said)
        } else if counts.iter().any(right) {
            self.unclear(say::SEVERAL_LISTS, &[name], &[])
        } else {
            Judgement::False(self.say(say::SHOULD_BE_OF, &[&want.to_string(), &said]))
        }
    }

    /// Whether one element is as said, with the reason. `None` when it has nothing that could be so or not.
    fn state(&self, i: usize, says: &Says, wanted: &Wanted) -> Option<(bool, String)> {
        let node = self.index.node(i);
        let word = |is: bool, yes: Message, no: Message| (is, self.say(if is { yes } else { no }, &[&self.label(i)]));
        let ticks = [node.states.checked.is_some(), node.states.pressed.is_some(), node.states.selected.is_some()];
        let has_state = match says {
            Says::Checked | Says::Selected => ticks.contains(&true),
            Says::Expanded => node.states.expanded.is_some(),
            _ => true,
        };
        if !has_state {
            // A box in the row of what was named, or a row that says `Open`.
            return match says {
                Says::Expanded => self.holds(i, "open", true, wanted).filter(|found| found.0),
                _ => self.tick_of_row(i).map(|tick| {
                    let is = is_on(self.index.node(tick));
                    (is, self.say(if is { say::IS_CHECKED } else { say::NOT_CHECKED }, &[&self.label(tick)]))
                }),
            };
        }
        Some(match says {
            Says::Enabled => word(!node.states.disabled, say::ENABLED, say::IS_DISABLED),
            Says::Disabled => word(node.states.disabled, say::IS_DISABLED, say::ENABLED),
            Says::Checked => word(is_on(node), say::IS_CHECKED, say::NOT_CHECKED),
            Says::Selected => word(is_on(node), say::IS_SELECTED, say::NOT_SELECTED),
            Says::Focused => word(node.states.focused, say::IS_FOCUSED, say::NOT_FOCUSED),
            Says::Expanded => word(node.states.expanded == Some(true), say::IS_EXPANDED, say::NOT_EXPANDED),
            Says::Empty => {
                let value = node.value.as_deref().unwrap_or_default();
                let held = self.language.quote(value);
                let label = self.label(i);
                let told = if value.is_empty() {
                    self.say(say::IS_EMPTY, &[&label])
                } else {
                    self.say(say::HOLDS, &[&label, &held])
                };
                (value.is_empty(), told)
            }
            Says::Equals(want) => return self.holds(i, want, true, wanted),
            Says::Contains(want) => return self.holds(i, want, false, wanted),
            Says::Shown | Says::Count(_) | Says::Alone(_) | Says::Open => word(true, say::IS_SHOWN, say::IS_NOT_SHOWN),
        })
    }

    /// The one box to tick in the row that an element stands in.
    fn tick_of_row(&self, i: usize) -> Option<usize> {
        let row = self.index.tree.ancestors(i).find(|&a| self.index.is_row(a))?;
        let ticks: Vec<usize> =
            self.index.subtree(row).into_iter().filter(|&m| tree::is_tick(self.index.node(m))).collect();
        if let [one] = ticks.as_slice() { Some(*one) } else { None }
    }

    /// What the other cells of a table's row say.
    fn rest_of_row(&self, i: usize) -> Option<Vec<String>> {
        let row = self.index.tree.ancestors(i).find(|&a| self.index.node(a).role == "row")?;
        let cell = |c: &usize| *c != i && !self.index.is_inside(i, *c);
        let cells = self.index.children(row).iter().copied().filter(cell);
        Some(cells.filter_map(|c| self.index.text(c)).collect())
    }

    /// Whether an element, or what stands behind its label on the same line, says the text.
    /// `None` when nothing is there that could say it: a text that is only the name itself, a password.
    fn holds(&self, i: usize, want: &str, whole: bool, wanted: &Wanted) -> Option<(bool, String)> {
        let (node, label) = (self.index.node(i), self.label(i));
        if node.states.password {
            return None;
        }
        let mut texts: Vec<String> =
            vec![node.value.clone().unwrap_or_default(), node.name.clone(), self.index.text(i).unwrap_or_default()];
        let is_field = node.value.is_some() || tree::is_field(node);
        // What holds other things, or says its value itself as `Total: $12` does, has no value beside it.
        let holds_its_own = is_field || !self.index.children(i).is_empty() || is_pair(&node.name);
        let in_row = if is_field { None } else { self.rest_of_row(i) };
        if let Some(cells) = &in_row {
            // What stands below belongs to another row.
            texts.extend(cells.iter().cloned());
        } else if !holds_its_own && node.role != "columnheader" {
            texts.extend(self.index.text_after(i).into_iter().filter(|t| !is_pair(t)));
        }
        let fits = |t: &String| {
            !t.is_empty()
                && if whole {
                    same_text(t, want) || t.trim() == want.trim()
                } else {
                    contains_text(t, want) || is_field && t.contains(want)
                }
        };
        let values = if is_field { &texts[..1] } else { &texts[..] };
        if let Some(text) = values.iter().find(|t| fits(t)) {
            return Some((true, self.say(say::SAYS, &[&label, &self.language.quote(text)])));
        }
        // `Total: $12` says of the total that it is $12.
        let ends_so = values.iter().any(|t| {
            whole && !is_field && t.trim_end_matches(['.', '。']).ends_with(want.trim()) && contains_text(t, want)
        });
        let quoted = self.language.quote(want);
        if ends_so {
            return Some((true, self.say(say::SAYS, &[&label, &quoted])));
        }
        // `the plan is Pro`, where all that there is of it is the word `Plan`.
        let only_name = |t: &&String| {
            !t.is_empty()
                && !wanted
                    .readings()
                    .any(|w| contains_text(t, &w.words) && !w.words.is_empty() && same_text(t, &w.words))
        };
        if whole && !is_field && !values.iter().any(|t| only_name(&t)) {
            return None;
        }
        let shown = values.iter().rev().find(|t| !t.is_empty()).map_or("", String::as_str);
        Some((false, self.say(say::SHOULD_SAY, &[&label, &quoted, &self.language.quote(shown)])))
    }
}

/// `Total: $12`: a label with its value.
fn is_pair(text: &str) -> bool {
    text.split_once([':', '：']).is_some_and(|(label, value)| !label.trim().is_empty() && !value.trim().is_empty())
}

/// `Delete buttons` as one of them, `Delete button`.
fn singular(words: &str) -> Option<String> {
    let last = words.split_whitespace().next_back()?;
    let stem = match last {
        _ if !last.is_ascii() || last.len() < 4 => return None,
        _ if last.ends_with("ies") => format!("{}y", &last[..last.len() - 3]),
        _ if ["xes", "shes", "ches", "sses"].iter().any(|e| last.ends_with(e)) => last[..last.len() - 2].to_owned(),
        _ => last.strip_suffix('s').filter(|stem| !stem.ends_with('s'))?.to_owned(),
    };
    Some(format!("{}{stem}", &words[..words.len() - last.len()]))
}

/// Words that say more than a name: `4 Delete buttons`, `no error`, `Save is enabled`. That no such text is there says nothing.
fn says_more(wanted: &Wanted) -> bool {
    let mut words = wanted.words.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    let counts = first == "no" || !first.is_empty() && first.chars().all(|c| c.is_ascii_digit());
    !wanted.quoted
        && (counts && words.clone().next().is_some() || words.any(|w| matches!(w, "is" | "are" | "isn't" | "aren't")))
}

fn plain_text(wanted: &Wanted) -> bool {
    !wanted.words.is_empty() && wanted.role.is_none() && wanted.within.is_none() && wanted.near.is_none()
}

fn count(index: &Index<'_>, wanted: &Wanted) -> u32 {
    let asked = Wanted { purpose: Purpose::Read, ..wanted.clone() };
    let n = match tree::find(index, &asked) {
        Found::One(_) => 1,
        Found::Many(many) => many.len(),
        Found::None(_) => 0,
    };
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// How many questions of the page are open.
pub(super) fn questions(tree: &UiTree) -> usize {
    let index = Index::of(tree);
    (0..index.len()).filter(|&i| is_question(&index, i)).count()
}

pub(super) fn is_on(node: &UiNode) -> bool {
    node.states.checked == Some(Toggle::On)
        || node.states.pressed == Some(Toggle::On)
        || node.states.selected == Some(true)
}

/// Says so when an element that is still there is not in the expected state.
pub(super) fn contradicts(seen: &Observation, expect: &Expect, language: Language) -> Option<String> {
    let tree = seen.tree.as_ref()?;
    let by_handle = tree.find(&expect.node);
    let node = match by_handle {
        Some(node) => node,
        None => match tree::resolve(tree, &expect.wanted) {
            Found::One(one) => tree.nodes.get(one.index)?,
            _ => return None,
        },
    };
    let message = if expect.on { say::STILL_OFF } else { say::STILL_ON };
    (is_on(node) != expect.on).then(|| language.say(message, &[&language.element(&node.role, &node.name)]))
}

/// Says so when what was dragged into a column does not stand under its heading.
pub(super) fn not_under(seen: &Observation, thing: &NodeRef, heading: &NodeRef, language: Language) -> Option<String> {
    let tree = seen.tree.as_ref()?;
    let (thing, heading) = (tree.find(thing)?, tree.find(heading)?);
    let (at, head) = (thing.rect.center(), heading.rect);
    let is_under = head.left - 1.0 <= at.x && at.x <= head.right() + 1.0 && at.y >= head.center().y;
    let (thing, heading) = (language.element(&thing.role, &thing.name), language.element(&heading.role, &heading.name));
    (!is_under).then(|| language.say(say::NOT_UNDER, &[&thing, &heading]))
}

/// A click whose purpose was the focus has it now.
pub(super) fn has_focus(seen: &Observation, actions: &[Action<Target>]) -> bool {
    let [Action::Tap { locate }] = actions else { return false };
    let Some(Claim::Node { element, .. }) = &locate.claim else { return false };
    let Some(node) = element.node.as_ref().and_then(|n| seen.tree.as_ref()?.find(n)) else { return false };
    let keeps = matches!(node.role.as_str(), "textbox" | "searchbox" | "combobox" | "spinbutton");
    (keeps && node.states.focused) || (matches!(node.role.as_str(), "tab" | "radio" | "option") && is_on(node))
}
