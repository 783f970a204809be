//! Where to look: `in the row of Alice`, `in the cart`, `in the dialog`, `of the second item`.

use super::choose;
use super::index::{Index, share_a_line};
use super::names::{self, Phrase, hint_words};
use super::roles::{HOLDERS, RoleWord, is_field, is_tick};
use super::{ENOUGH, Found, Purpose, Wanted};

/// A part of the tree.
pub(super) struct Scope {
    /// `None` is the whole tree.
    members: Option<Vec<bool>>,
    /// The element that holds the part, where there is one.
    root: Option<usize>,
}

impl Scope {
    fn whole() -> Self {
        Self { members: None, root: None }
    }
    fn of(index: &Index<'_>, parts: &[usize]) -> Self {
        let mut members = vec![false; index.len()];
        for &part in parts {
            for i in index.subtree(part) {
                members[i] = true;
            }
        }
        let root = if let [one] = parts { Some(*one) } else { None };
        Self { members: Some(members), root }
    }
    fn of_each(index: &Index<'_>, which: impl Fn(usize) -> bool) -> Self {
        Self { members: Some((0..index.len()).map(which).collect()), root: None }
    }
    pub(super) fn has(&self, i: usize) -> bool {
        self.members.as_ref().is_none_or(|m| m.get(i).copied().unwrap_or(false))
    }
    pub(super) fn is_root(&self, i: usize) -> bool {
        self.root == Some(i)
    }
    fn is_empty(&self) -> bool {
        self.members.as_ref().is_some_and(|m| !m.contains(&true))
    }
}

/// The places to look in, the most likely reading first. Empty when the place is not on the page.
pub(super) fn scopes(index: &Index<'_>, wanted: &Wanted) -> Vec<Scope> {
    let Some(holder) = &wanted.within else { return vec![Scope::whole()] };
    let mut out = Vec::new();
    for outer in scopes(index, holder) {
        if holder.near.is_some() || holder.ordinal.is_some() {
            let asked = Wanted { purpose: Purpose::Hold, ..(**holder).clone() };
            if let Found::One(one) = super::read_once(index, &asked) {
                out.push(Scope::of(index, &[one.index]));
            }
        } else if matches!(holder.role, Some(RoleWord::Row | RoleWord::Item)) && !holder.words.is_empty() {
            out.extend(rows(index, holder, &outer));
        } else {
            out.extend(places(index, wanted, holder, &outer));
        }
    }
    if let Some(other) = &holder.or {
        let reread = Wanted { within: Some(other.clone()), ..wanted.clone() };
        out.extend(scopes(index, &reread));
    }
    out.retain(|s| !s.is_empty());
    if out.is_empty() && holder.optional && holder.within.is_none() {
        out.push(Scope::whole());
    }
    out
}

/// A row of a table, a list item, or a card: a repeated box that holds both text and controls.
fn is_record(index: &Index<'_>, i: usize) -> bool {
    if !index.is_row(i) || index.children(i).is_empty() {
        return false;
    }
    if matches!(index.node(i).role.as_str(), "row" | "listitem" | "article" | "treeitem" | "option") {
        return true;
    }
    let members = index.subtree(i);
    let has_text = members.iter().any(|&m| index.node(m).role == "text" || index.node(m).role == "heading");
    has_text && members.iter().any(|&m| m != i && index.node(m).interactive)
}

/// Whether an element stands in the column of that name; `None` when no column is called so.
pub(super) fn in_column(index: &Index<'_>, noun: &str, i: usize) -> Option<bool> {
    let names = [noun, noun.strip_suffix('s').unwrap_or(noun)];
    let heads = |h: &usize| {
        let node = index.node(*h);
        node.role == "columnheader" && names.iter().any(|n| names::same_text(&names::clean(&node.name), n))
    };
    let columns: Vec<usize> = (0..index.len()).filter(heads).collect();
    let center = index.node(i).rect.center().x;
    let over = |h: &usize| {
        let rect = index.node(*h).rect;
        rect.left - 1.0 <= center && center <= rect.right() + 1.0
    };
    (!columns.is_empty()).then(|| columns.iter().any(over))
}

/// The rows that say the words.
fn rows(index: &Index<'_>, holder: &Wanted, outer: &Scope) -> Vec<Scope> {
    let mut anchors = choose::anchors(index, &Wanted { role: None, ..holder.clone() }, &|i| outer.has(i));
    // `the row of the contact Ann`, `订单号 D1003 那一行`: a noun, or the head of a column before what stands in it.
    if anchors.is_empty() {
        let named = |words: &str| Wanted { role: None, words: words.to_owned(), strict: true, ..holder.clone() };
        let heads: Vec<String> = (0..index.len())
            .filter(|&i| index.node(i).role == "columnheader" && outer.has(i))
            .map(|i| names::clean(&index.node(i).name))
            .filter(|n| !n.is_empty())
            .collect();
        let said = holder.words.to_lowercase();
        let head = heads.iter().filter(|h| said.starts_with(&h.to_lowercase())).max_by_key(|h| h.len());
        let noun = holder.words.split_once(' ').filter(|(n, _)| super::phrase::nouns::ENGLISH_ITEMS.contains(n));
        if let Some(rest) = head.and_then(|h| holder.words.get(h.len()..)).map(str::trim).filter(|r| !r.is_empty()) {
            let noun = head.map_or("", String::as_str);
            anchors = choose::anchors(index, &named(rest), &|i| outer.has(i));
            anchors.retain(|&i| in_column(index, noun, i) == Some(true));
        } else if let Some((noun, name)) = noun {
            anchors = choose::anchors(index, &named(name), &|i| outer.has(i));
            anchors.retain(|&i| in_column(index, noun, i) != Some(false));
        }
    }
    let mut rows: Vec<usize> = Vec::new();
    for &anchor in &anchors {
        let row = std::iter::once(anchor).chain(index.tree.ancestors(anchor)).find(|&a| is_record(index, a));
        if let Some(row) = row
            && !rows.contains(&row)
        {
            rows.push(row);
        }
    }
    if rows.is_empty() && !holder.strict {
        // The words may be a part of all that a row says.
        let says = |i: &usize| {
            outer.has(*i)
                && is_record(index, *i)
                && (names::contains_text(&index.node(*i).name, &holder.words)
                    || index.text(*i).is_some_and(|t| names::contains_text(&t, &holder.words)))
        };
        let saying: Vec<usize> = (0..index.len()).filter(says).collect();
        rows = saying.iter().copied().filter(|&i| !saying.iter().any(|&b| b != i && index.is_inside(b, i))).collect();
    }
    if !rows.is_empty() {
        return vec![Scope::of(index, &rows)];
    }
    // No markup says what a row is: what stands on one line with the words.
    if anchors.is_empty() {
        return Vec::new();
    }
    let on_line = |i: usize| {
        outer.has(i)
            && anchors
                .iter()
                .any(|&a| a != i && share_a_line(&index.node(a).rect, &index.node(i).rect) && is_leaf(index, i))
    };
    vec![Scope::of_each(index, on_line)]
}

fn is_leaf(index: &Index<'_>, i: usize) -> bool {
    index.subtree(i).len() <= 6
}

/// Parts of the page with that name: regions that carry it, then what stands under a heading of that name, then ids, then
/// what stands around the text.
fn places(index: &Index<'_>, wanted: &Wanted, holder: &Wanted, outer: &Scope) -> Vec<Scope> {
    let mut tiers = Vec::new();
    if holder.words.is_empty() {
        let of_role = by_role(index, holder, outer);
        return if of_role.is_empty() { Vec::new() } else { vec![Scope::of(index, &of_role)] };
    }
    if holder.role == Some(RoleWord::Navigation) {
        let parts = named_part(index, holder, outer);
        return if parts.is_empty() { Vec::new() } else { vec![Scope::of(index, &parts)] };
    }
    let phrase = Phrase::new(&holder.words, holder.quoted, holder.strict);
    let is_holder = |i: usize| {
        outer.has(i)
            && !index.children(i).is_empty()
            && HOLDERS.contains(&index.node(i).role.as_str())
            && !index.is_page(i)
    };
    let says = |text: &str, least: f64| phrase.likeness(text).is_some_and(|(s, _)| s >= least);
    let named: Vec<usize> = (0..index.len())
        .filter(|&i| is_holder(i) && index.node(i).role != "row" && says(&index.node(i).name, ENOUGH))
        .filter(|&i| index.text(i).is_none_or(|text| text != index.node(i).name))
        .collect();
    if !named.is_empty() {
        tiers.push(Scope::of(index, &outermost(index, &named)));
    }
    let anchors =
        choose::anchors(index, &Wanted { role: None, ..holder.clone() }, &|i| outer.has(i) && !is_control(index, i));
    let (headings, texts): (Vec<usize>, Vec<usize>) =
        anchors.into_iter().partition(|&a| heading_of(index, a).is_some());
    tiers.extend(around(index, wanted, &headings, true));
    let hinted: Vec<usize> = (0..index.len())
        .filter(|&i| is_holder(i) && index.node(i).hint.split_whitespace().any(|h| says(&hint_words(h), 0.83)))
        .collect();
    if !hinted.is_empty() {
        tiers.push(Scope::of(index, &outermost(index, &hinted)));
    }
    tiers.extend(listed_behind(index, &texts));
    tiers.extend(around(index, wanted, &texts, false));
    tiers
}

/// A list, a table or a box with controls straight behind a text that names it, where no box holds the two.
fn listed_behind(index: &Index<'_>, anchors: &[usize]) -> Option<Scope> {
    let holds_controls = |i: usize| index.subtree(i).into_iter().any(|m| m != i && index.node(m).interactive);
    let mut parts = Vec::new();
    for &anchor in anchors {
        let siblings = index.siblings(anchor);
        let at = siblings.iter().position(|&s| s == anchor)?;
        let next = siblings.get(at + 1).copied().filter(|&s| match index.node(s).role.as_str() {
            "list" | "table" | "grid" | "tree" => true,
            "generic" | "group" | "radiogroup" => holds_controls(s) && index.node(anchor).role == "text",
            _ => false,
        });
        parts.extend(next);
    }
    (!parts.is_empty()).then(|| Scope::of(index, &parts))
}

/// Parts of the page that are known by where they are: the sidebar, the header.
fn named_part(index: &Index<'_>, holder: &Wanted, outer: &Scope) -> Vec<usize> {
    let roles: &[&str] = match holder.words.as_str() {
        "sidebar" | "side bar" | "side menu" | "left sidebar" | "left menu" | "left-hand menu" | "left side menu"
        | "side navigation" | "left navigation" => &["complementary"],
        "header" | "top bar" | "top menu" | "top navigation" => &["banner"],
        "footer" => &["contentinfo"],
        "toolbar" | "tool bar" => &["toolbar"],
        "menu bar" => &["menubar", "navigation"],
        _ => &["navigation", "menubar"],
    };
    let words: Vec<&str> = holder.words.split(' ').collect();
    let fits = |i: &usize| {
        let node = index.node(*i);
        let hinted = node.hint.split_whitespace().any(|h| hint_words(h).replace(' ', "").contains(&words.join("")));
        let named = node.name.to_lowercase().contains(&holder.words);
        outer.has(*i)
            && !index.children(*i).is_empty()
            && (roles.contains(&node.role.as_str()) || hinted || (named && HOLDERS.contains(&node.role.as_str())))
    };
    let found: Vec<usize> = (0..index.len()).filter(fits).collect();
    if found.is_empty() && (words[0].starts_with("side") || words[0].starts_with("left")) {
        let navigation = |i: &usize| outer.has(*i) && index.node(*i).role == "navigation";
        return outermost(index, &(0..index.len()).filter(navigation).collect::<Vec<_>>());
    }
    outermost(index, &found)
}

fn is_control(index: &Index<'_>, i: usize) -> bool {
    std::iter::once(i).chain(index.tree.ancestors(i)).any(|a| {
        let node = index.node(a);
        node.interactive && matches!(node.role.as_str(), "button" | "link" | "tab" | "menuitem" | "option")
            || is_field(node)
            || is_tick(node)
    })
}

fn by_role(index: &Index<'_>, holder: &Wanted, outer: &Scope) -> Vec<usize> {
    let Some(role) = holder.role else { return Vec::new() };
    let fits = |i: &usize| outer.has(*i) && super::roles::role_cost(role, index.node(*i)).is_some();
    let found: Vec<usize> = (0..index.len()).filter(|i| fits(i) && !index.children(*i).is_empty()).collect();
    if found.is_empty() && role == RoleWord::Dialog {
        let hinted = |i: &usize| {
            let words = index.node(*i).hint.to_lowercase();
            outer.has(*i)
                && (["modal", "dialog", "popup"].iter().any(|w| words.contains(w)) || is_question(index, *i))
                && !index.children(*i).is_empty()
        };
        return outermost(index, &(0..index.len()).filter(hinted).collect::<Vec<_>>());
    }
    outermost(index, &found)
}

/// A bubble that asks something: a tooltip with buttons in it.
fn is_question(index: &Index<'_>, i: usize) -> bool {
    index.node(i).role == "tooltip" && index.subtree(i).into_iter().any(|m| index.node(m).role == "button")
}

fn outermost(index: &Index<'_>, parts: &[usize]) -> Vec<usize> {
    parts.iter().copied().filter(|&i| !index.tree.ancestors(i).any(|a| parts.contains(&a))).collect()
}

/// The heading that an element is, or is the text of.
fn heading_of(index: &Index<'_>, i: usize) -> Option<usize> {
    std::iter::once(i)
        .chain(index.tree.ancestors(i).take(2))
        .find(|&a| matches!(index.node(a).role.as_str(), "heading" | "caption" | "legend"))
}

/// The smallest parts around the anchors that hold something that could be meant.
fn around(index: &Index<'_>, wanted: &Wanted, anchors: &[usize], headed: bool) -> Vec<Scope> {
    let bare = Wanted { within: None, ordinal: None, ..wanted.clone() };
    let holds = |scope: &Scope| -> bool {
        let pool = choose::pool(index, &bare, scope);
        if bare.words.is_empty() {
            return !pool.is_empty();
        }
        !matches!(choose::decide(index, &bare, &pool), Found::None(_))
    };
    let mut parts: Vec<usize> = Vec::new();
    for &anchor in anchors {
        let mut branch = if headed { heading_of(index, anchor).unwrap_or(anchor) } else { anchor };
        loop {
            let up = index.tree.parent(branch);
            let section = match up {
                _ if headed => section(index, branch),
                Some(up) if !index.is_page(up) => vec![up],
                _ => break,
            };
            if holds(&Scope::of(index, &section)) {
                parts.extend(section);
                break;
            }
            let closed = headed && section.last() != index.siblings(branch).last();
            let Some(up) = up.filter(|&up| !closed && !is_record(index, up) && !index.is_page(up)) else { break };
            branch = up;
        }
    }
    parts.sort_unstable();
    parts.dedup();
    if parts.is_empty() { Vec::new() } else { vec![Scope::of(index, &parts)] }
}

/// What belongs to a heading: the branch that it is in and its siblings up to the next heading.
fn section(index: &Index<'_>, branch: usize) -> Vec<usize> {
    let siblings = index.siblings(branch);
    let Some(at) = siblings.iter().position(|&s| s == branch) else { return vec![branch] };
    let starts_section = |s: usize| {
        let mut first = s;
        while index.node(first).role != "heading" {
            match index.children(first).first() {
                Some(&child) => first = child,
                None => return false,
            }
        }
        true
    };
    let mut out = vec![branch];
    out.extend(siblings[at + 1..].iter().copied().take_while(|&s| !starts_section(s)));
    out
}
