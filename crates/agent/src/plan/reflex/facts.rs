//! What the UI tree says: whether a statement about the page is true.

use super::resolve::Expect;
use super::step::{Check, Says, Subject};
use crate::locate::tree::{self, Found, Index, Purpose, Wanted, contains_text, same_text};
use handeye_core::text::{clip, fold};
use handeye_core::{Action, Claim, Observation, Place, Target, Toggle, UiNode, UiTree};

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

pub(super) fn judge(seen: &Observation, check: &Check) -> Judgement {
    let empty = UiTree::default();
    let tree = seen.tree.as_ref().unwrap_or(&empty);
    let positive = match &check.subject {
        Subject::Page => text(&page_text(tree), "the page", &check.says),
        Subject::Title => text(&seen.place.title, "the title", &check.says),
        Subject::Address => text(&seen.place.url, "the address", &check.says),
        Subject::Element(wanted) => element(tree, &seen.place, wanted, &check.says, check.negated),
    };
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

fn decide(is: bool, yes: String, no: String) -> Judgement {
    if is { Judgement::True(yes) } else { Judgement::False(no) }
}

fn text(actual: &str, what: &str, says: &Says) -> Judgement {
    let shown = clip(actual, 120);
    match says {
        Says::Equals(want) => decide(
            same_text(actual, want) || actual.trim() == want.trim(),
            format!("{what} is {want:?}"),
            format!("{what} should be {want:?} but is {shown:?}"),
        ),
        Says::Contains(want) => {
            let holds = contains_text(actual, want) || actual.contains(want.as_str());
            let no = if what == "the page" {
                format!("the page does not show {want:?}")
            } else {
                format!("{what} should contain {want:?} but is {shown:?}")
            };
            decide(holds, format!("{what} shows {want:?}"), no)
        }
        _ => Judgement::Unclear { why: format!("{what} has no such state"), candidates: Vec::new() },
    }
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

fn element(tree: &UiTree, place: &Place, wanted: &Wanted, says: &Says, negated: bool) -> Judgement {
    let index = Index::of(tree);
    if let Says::Count(want) = says {
        let found = count(&index, wanted);
        return decide(
            found == *want,
            format!("there are {found}"),
            format!("there should be {want} but there are {found}"),
        );
    }
    if *says == Says::Opened {
        return opened(tree, place, wanted);
    }
    let found = tree::find(&index, wanted);
    let name = if wanted.words.is_empty() { "the element".to_owned() } else { format!("`{}`", wanted.words) };
    if *says == Says::Shown {
        if wanted.quoted && !shows_literally(tree, &found, wanted) {
            return Judgement::False(format!("{name} is not shown"));
        }
        return match found {
            Found::One(one) => Judgement::True(format!("{} is shown", tree.nodes[one.index].label())),
            Found::Many(many) => Judgement::True(format!("{} is shown", tree.nodes[many[0].index].label())),
            // A text may be part of a longer one.
            Found::None(_) if plain_text(wanted) && contains_text(&page_text(tree), &wanted.words) => {
                Judgement::True(format!("{name} is shown"))
            }
            Found::None(_) => match message(&index, wanted) {
                Some(i) => Judgement::True(format!("{} is shown", index.node(i).label())),
                None => Judgement::False(format!("{name} is not shown")),
            },
        };
    }
    if let Says::Alone(n) = says {
        return alone(&index, &found, &name, *n);
    }
    let candidates = match found {
        Found::One(one) => vec![one],
        Found::Many(many) => many,
        // `the message says "X"`: whatever shows it, when nothing goes by that noun.
        Found::None(_) if is_any_message(wanted) && matches!(says, Says::Contains(_) | Says::Equals(_)) => {
            let said = match says {
                Says::Contains(text) | Says::Equals(text) => Says::Contains(text.clone()),
                other => other.clone(),
            };
            return text(&page_text(tree), "the page", &said);
        }
        Found::None(near) => {
            return Judgement::Unclear {
                why: format!("no element answers to {name}"),
                candidates: tree::describe(tree, &near),
            };
        }
    };
    // A step of that name is under way when the field that it is about is there.
    let is_field =
        |n: &UiNode| matches!(n.role.as_str(), "textbox" | "searchbox" | "combobox" | "spinbutton" | "listbox");
    if *says == Says::Current && tree.nodes.iter().any(|n| is_field(n) && same_text(&n.name, &wanted.words)) {
        return Judgement::True(format!("the field {name} is there"));
    }
    let candidates = match says {
        // Only a heading or something that can be marked says where one is.
        Says::Current => candidates.into_iter().filter(|c| can_be_current(index.node(c.index))).collect(),
        _ => candidates,
    };
    if candidates.is_empty() {
        return Judgement::Unclear { why: format!("the page does not tell that of {name}"), candidates: Vec::new() };
    }
    if *says == Says::Current && candidates.iter().any(|c| state(&index, c.index, says).0) {
        return Judgement::True(format!("{name} is where one is"));
    }
    let judged: Vec<(bool, String)> = candidates.iter().map(|c| state(&index, c.index, says)).collect();
    // Several elements that agree are as good as one.
    if judged.iter().all(|j| j.0 == judged[0].0) {
        let (is, why) = judged[0].clone();
        return if is { Judgement::True(why) } else { Judgement::False(why) };
    }
    let any_text = matches!(says, Says::Contains(_) | Says::Equals(_)) && !negated && wanted.ordinal.is_none();
    if any_text && let Some((_, why)) = judged.iter().find(|j| j.0) {
        return Judgement::True(why.clone());
    }
    Judgement::Unclear {
        why: format!("several elements answer to {name}"),
        candidates: tree::describe(tree, &candidates),
    }
}

fn can_be_current(node: &UiNode) -> bool {
    node.role == "heading" || node.states.selected.is_some() || node.states.pressed.is_some() || node.role == "tab"
}

/// What `an error message`, `a toast` means: something that the page marks as such, under the named element if one is named.
fn message(index: &Index<'_>, wanted: &Wanted) -> Option<usize> {
    let kinds: &[(&str, &[&str])] = &[
        ("error", &["error", "invalid", "danger", "alert", "warning"]),
        ("validation", &["error", "invalid", "danger", "alert", "warning"]),
        ("warning", &["warning", "alert", "danger", "error"]),
        ("toast", &["toast", "snackbar", "notification", "alert"]),
        ("notification", &["toast", "snackbar", "notification", "alert"]),
        ("alert", &["alert", "error", "warning"]),
        ("success", &["success", "toast", "notification", "alert"]),
        ("confirmation", &["success", "confirm", "toast", "notification", "alert"]),
        ("notice", &["notice", "notification", "alert"]),
    ];
    let mut reading = Some(wanted);
    while let Some(one) = reading {
        reading = one.or.as_deref();
        let words = one.words.to_lowercase();
        let said: Vec<&str> = words.split_whitespace().filter(|w| !matches!(*w, "a" | "an" | "the" | "some")).collect();
        let (Some(first), true) =
            (said.first(), said.len() <= 2 && said[1..].iter().all(|w| *w == "message" || *w == "error"))
        else {
            continue;
        };
        let Some((_, hints)) = kinds.iter().find(|(kind, _)| kind == first) else { continue };
        let below = match &one.near {
            Some((_, anchor)) => match tree::find(index, &anchor.as_ref().clone().for_purpose(Purpose::Read)) {
                Found::One(found) => Some(found.index),
                _ => continue,
            },
            None => None,
        };
        let fits = |i: usize| {
            let node = index.node(i);
            let marked = matches!(node.role.as_str(), "alert" | "alertdialog" | "status")
                || hints.iter().any(|h| node.hint.to_lowercase().contains(h)) && !node.interactive;
            let near = below.is_none_or(|b| {
                let (field, text) = (index.node(b).rect, node.rect);
                text.top > field.top && text.top - field.bottom() < 60.0 && text.left < field.right() + 40.0
            });
            marked && near && !node.rect.is_empty() && index.text(i).is_some_and(|t| !t.trim().is_empty())
        };
        if let Some(found) = (0..index.len()).find(|&i| fits(i)) {
            return Some(found);
        }
    }
    None
}

/// Nouns for a text that is nothing more than said somewhere.
fn is_any_message(wanted: &Wanted) -> bool {
    let known = [
        "answer",
        "message",
        "text",
        "result",
        "output",
        "response",
        "reply",
        "notice",
        "confirmation",
        "summary",
        "feedback",
        "footer",
        "header",
        "counter",
        "banner",
    ];
    let words = wanted.words.to_lowercase();
    let here = known.contains(&words.as_str()) && wanted.within.is_none() && wanted.near.is_none();
    here || wanted.or.as_deref().is_some_and(is_any_message)
}

/// Whether a page of that name is open: its title, a heading or its address says so.
fn opened(tree: &UiTree, place: &Place, wanted: &Wanted) -> Judgement {
    let mut reading = Some(wanted);
    let mut name = String::new();
    while let Some(one) = reading {
        name.clone_from(&one.words);
        let address = place.url.split("://").nth(1).unwrap_or(&place.url).replace(['/', '-', '_', '.', '#'], " ");
        let is_heading =
            |n: &&UiNode| matches!(n.role.as_str(), "heading" | "dialog") && contains_text(&n.name, &one.words);
        if !one.words.is_empty() {
            if contains_text(&place.title, &one.words) {
                return Judgement::True(format!("the title is {:?}", clip(&place.title, 80)));
            }
            if let Some(heading) = tree.nodes.iter().find(is_heading) {
                return Judgement::True(format!("{} is shown", heading.label()));
            }
            if contains_text(&address, &one.words) {
                return Judgement::True(format!("the address is {}", clip(&place.url, 120)));
            }
        }
        reading = one.or.as_deref();
    }
    Judgement::False(format!("no title, heading or address says `{name}`"))
}

/// Whether an element stands in one of so many rows. Where it stands in several lists, they have to agree.
fn alone(index: &Index<'_>, found: &Found, name: &str, want: u32) -> Judgement {
    let all: Vec<usize> = match found {
        Found::One(one) => vec![one.index],
        Found::Many(many) => many.iter().map(|c| c.index).collect(),
        Found::None(_) => return Judgement::False(format!("{name} is not shown")),
    };
    let is_row = |i: &usize| {
        matches!(index.node(*i).role.as_str(), "row" | "listitem" | "article" | "treeitem" | "option")
            && !index.is_header_row(*i)
    };
    let row_of = |i: usize| std::iter::once(i).chain(index.tree.ancestors(i)).find(is_row);
    let lists = all.into_iter().filter_map(row_of).filter_map(|row| index.tree.parent(row));
    let counts: Vec<usize> = lists.map(|list| index.children(list).iter().filter(|&i| is_row(i)).count()).collect();
    let Some(&rows) = counts.first() else {
        return Judgement::Unclear { why: format!("{name} stands in no list or table"), candidates: Vec::new() };
    };
    let right = |n: &usize| u32::try_from(*n) == Ok(want);
    let said = format!("{name} is one of {rows}");
    if counts.iter().all(right) {
        Judgement::True(said)
    } else if counts.iter().any(right) {
        Judgement::Unclear { why: format!("{name} stands in several lists"), candidates: Vec::new() }
    } else {
        Judgement::False(format!("there should be {want}, but {said}"))
    }
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

/// Whether one element is as said, with the reason.
fn state(index: &Index<'_>, i: usize, says: &Says) -> (bool, String) {
    let node = index.node(i);
    let label = node.label();
    let word = |is: bool, yes: &str, no: &str| (is, format!("{label} is {}", if is { yes } else { no }));
    match says {
        Says::Enabled => word(!node.states.disabled, "enabled", "disabled"),
        Says::Disabled => word(node.states.disabled, "disabled", "enabled"),
        Says::Checked => word(is_on(node), "checked", "not checked"),
        Says::Selected => word(is_on(node), "selected", "not selected"),
        Says::Focused => word(node.states.focused, "focused", "not focused"),
        Says::Empty => {
            let value = node.value.as_deref().unwrap_or_default();
            (
                value.is_empty(),
                if value.is_empty() {
                    format!("{label} is empty")
                } else {
                    format!("{label} holds {:?}", clip(value, 80))
                },
            )
        }
        Says::Expanded => word(node.states.expanded == Some(true), "expanded", "not expanded"),
        Says::Equals(want) | Says::Contains(want) => holds(index, i, want, matches!(says, Says::Equals(_))),
        Says::Current => word(node.role == "heading" || is_on(node), "where one is", "not where one is"),
        Says::Shown | Says::Count(_) | Says::Alone(_) | Says::Opened => (true, format!("{label} is shown")),
    }
}

/// Whether an element, or what stands behind its label on the same line, says the text.
fn holds(index: &Index<'_>, i: usize, want: &str, whole: bool) -> (bool, String) {
    let node = index.node(i);
    let mut texts: Vec<String> =
        vec![node.value.clone().unwrap_or_default(), node.name.clone(), index.text(i).unwrap_or_default()];
    let is_field = node.value.is_some();
    if !is_field {
        texts.extend(index.text_after(i));
    }
    let fits = |t: &String| {
        !t.is_empty() && if whole { same_text(t, want) || t.trim() == want.trim() } else { contains_text(t, want) }
    };
    let values = if is_field { &texts[..1] } else { &texts[..] };
    if let Some(text) = values.iter().find(|t| fits(t)) {
        return (true, format!("{} says {:?}", node.label(), clip(text, 80)));
    }
    // `Total: $12` says of the total that it is $12.
    let ends_so = values.iter().any(|t| {
        whole && !is_field && t.trim_end_matches(['.', '。']).ends_with(want.trim()) && contains_text(t, want)
    });
    if ends_so {
        return (true, format!("{} says {want:?}", node.label()));
    }
    let shown = values.iter().rev().find(|t| !t.is_empty()).map_or(String::new(), |t| clip(t, 80));
    (false, format!("{} should say {want:?} but says {shown:?}", node.label()))
}

pub(super) fn is_on(node: &UiNode) -> bool {
    node.states.checked == Some(Toggle::On)
        || node.states.pressed == Some(Toggle::On)
        || node.states.selected == Some(true)
}

/// Says so when an element that is still there is not in the expected state.
pub(super) fn contradicts(seen: &Observation, expect: &Expect) -> Option<String> {
    let tree = seen.tree.as_ref()?;
    let by_handle = tree.find(&expect.node);
    let node = match by_handle {
        Some(node) => node,
        None => match tree::resolve(tree, &expect.wanted) {
            Found::One(one) => tree.nodes.get(one.index)?,
            _ => return None,
        },
    };
    (is_on(node) != expect.on).then(|| format!("{} is still {}", node.label(), if expect.on { "off" } else { "on" }))
}

/// A click whose purpose was the focus has it now.
pub(super) fn has_focus(seen: &Observation, actions: &[Action<Target>]) -> bool {
    let [Action::Tap { locate }] = actions else { return false };
    let Some(Claim::Node { element, .. }) = &locate.claim else { return false };
    let Some(node) = element.node.as_ref().and_then(|n| seen.tree.as_ref()?.find(n)) else { return false };
    let keeps = matches!(node.role.as_str(), "textbox" | "searchbox" | "combobox" | "spinbutton");
    (keeps && node.states.focused) || (matches!(node.role.as_str(), "tab" | "radio" | "option") && is_on(node))
}
