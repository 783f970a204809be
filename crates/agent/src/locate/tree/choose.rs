//! From candidates to one element, or to the reason why there is none.

use super::index::{Index, clean_name};
use super::names::{self, Phrase, hint_words, same_text};
use super::roles::{RoleWord, is_field, is_select, is_tick, purpose_cost, role_cost};
use super::scope::Scope;
use super::{Candidate, ENOUGH, Found, MARGIN, NAMED, Ordinal, Purpose, Wanted};

/// An element that could take it, before its texts are looked at.
#[derive(Clone, Debug)]
pub(super) struct Pooled {
    pub(super) index: usize,
    /// What its kind takes off the score.
    pub(super) cost: f64,
    /// The name to compare instead of its own.
    pub(super) name: Option<String>,
}

/// What an element that cannot be operated now loses: enough to let one on top of it win, not enough to be no match.
const COVERED: f64 = 0.11;
const DISABLED: f64 = 0.04;
/// So much may an element of exactly the said role look less like the words than one of a similar role.
const ROLE_LEAD: f64 = 0.05;
/// A generic element with more in it than this is a part of the page, not a control.
const SMALL: usize = 40;

/// All elements in a scope whose kind could be meant.
pub(super) fn pool(index: &Index<'_>, wanted: &Wanted, scope: &Scope) -> Vec<Pooled> {
    if matches!(wanted.role, Some(RoleWord::Item | RoleWord::Row)) {
        return items(index, wanted, scope).into_iter().map(|i| Pooled { index: i, cost: 0.0, name: None }).collect();
    }
    (0..index.len())
        .filter(|&i| scope.has(i))
        .filter_map(|i| cost(index, wanted, i).map(|cost| Pooled { index: i, cost, name: None }))
        .collect()
}

fn cost(index: &Index<'_>, wanted: &Wanted, i: usize) -> Option<f64> {
    let node = index.node(i);
    match wanted.role {
        None | Some(RoleWord::Any) => purpose_cost(wanted.purpose, node),
        // `type into the Name field`: the role is no more than the purpose already says.
        Some(role) => {
            let by_role = role_cost(role, node)?;
            // `the Remote option`, to be switched on, is a box or a switch, not the text beside it.
            if wanted.purpose == Purpose::Toggle && matches!(role, RoleWord::Option | RoleWord::Text) && !is_tick(node)
            {
                return None;
            }
            // Without a name the kind is all that was said, so it has to be that kind.
            if wanted.words.is_empty() && by_role > 0.02 {
                return None;
            }
            if wanted.purpose == Purpose::Type
                && !matches!(role, RoleWord::Field | RoleWord::Search | RoleWord::TextArea)
            {
                return purpose_cost(Purpose::Type, node);
            }
            Some(by_role)
        }
    }
}

/// The rows, list items or cards of a scope: the outermost ones, in reading order.
fn items(index: &Index<'_>, wanted: &Wanted, scope: &Scope) -> Vec<usize> {
    let table_only = wanted.role == Some(RoleWord::Row);
    let is_item = |i: &usize| scope.has(*i) && !scope.is_root(*i) && index.is_row(*i) && !index.is_header_row(*i);
    // A named part of the page is called by its name, not by one of the things in it.
    let goes_by = |i: &usize| {
        let node = index.node(*i);
        node.role != "region" || wanted.words.is_empty() || same_text(&clean_name(node), &wanted.words)
    };
    let all: Vec<usize> = (0..index.len()).filter(|i| is_item(i) && goes_by(i)).collect();
    let by_role = |i: &usize| if table_only { index.node(*i).role == "row" } else { named_row(index, *i) };
    let named: Vec<usize> = all.iter().copied().filter(by_role).collect();
    let chosen = if named.is_empty() { all } else { named };
    let outermost: Vec<usize> =
        chosen.iter().copied().filter(|&i| !index.tree.ancestors(i).any(|a| chosen.contains(&a))).collect();
    // Lists of links around the content are not what `the first item` means while there is another list.
    let inner: Vec<usize> = outermost.iter().copied().filter(|&i| !in_navigation(index, i)).collect();
    let mut out = if inner.is_empty() { outermost } else { inner };
    index.reading_order(&mut out);
    out
}

fn named_row(index: &Index<'_>, i: usize) -> bool {
    matches!(index.node(i).role.as_str(), "row" | "listitem" | "article" | "treeitem" | "option")
}

fn in_navigation(index: &Index<'_>, i: usize) -> bool {
    index.tree.ancestors(i).any(|a| {
        matches!(
            index.node(a).role.as_str(),
            "navigation" | "banner" | "contentinfo" | "menu" | "menubar" | "tablist" | "toolbar" | "complementary"
        )
    })
}

/// Scores the pool and picks.
pub(super) fn decide(index: &Index<'_>, wanted: &Wanted, pool: &[Pooled]) -> Found {
    let mut scored = score(index, wanted, pool);
    scored.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
    let scored = if wanted.role.is_some() || !matches!(wanted.purpose, Purpose::Point | Purpose::Read | Purpose::Hold) {
        prefer_role(scored)
    } else {
        scored
    };
    let candidates = collapse(index, scored.into_iter().map(|(c, _)| c).collect());
    let good: Vec<Candidate> = candidates.iter().filter(|c| c.score >= ENOUGH).cloned().collect();
    let Some(best) = good.first().map(|c| c.score) else {
        return Found::None(candidates.into_iter().filter(|c| c.score > 0.35).take(NAMED).collect());
    };
    // What a button unfolds bears its name too.
    let good = if wanted.purpose == Purpose::Point { without_unfolded(index, &good) } else { good };
    let equals: Vec<Candidate> = good.into_iter().filter(|c| best - c.score < MARGIN - 1e-9).collect();
    let found = match wanted.ordinal {
        Some(ordinal) => nth(index, wanted, equals, ordinal),
        None if equals.len() == 1 => Found::One(equals[0].clone()),
        None => {
            let in_part = wanted.within.is_some();
            let there = wanted.side.and_then(|side| super::side::narrow(index, &equals, side, in_part));
            there.map_or(Found::Many(equals), Found::One)
        }
    };
    match found {
        Found::One(one) if matches!(wanted.role, Some(RoleWord::Item | RoleWord::Row)) => descend(index, wanted, one),
        found => found,
    }
}

/// The candidates but the parts of the page that another one of them unfolds or heads.
fn without_unfolded(index: &Index<'_>, candidates: &[Candidate]) -> Vec<Candidate> {
    let part = |c: &Candidate| matches!(index.node(c.index).role.as_str(), "region" | "tabpanel" | "group");
    let named = |c: &Candidate| {
        let same = |o: &Candidate| same_text(&clean_name(index.node(o.index)), &clean_name(index.node(c.index)));
        candidates.iter().any(|o| !part(o) && same(o))
    };
    candidates.iter().filter(|c| !(part(c) && named(c))).cloned().collect()
}

/// Those of the pool whose texts answer to the words.
pub(super) fn answering(index: &Index<'_>, wanted: &Wanted, pool: &[Pooled]) -> Vec<usize> {
    score(index, wanted, pool).into_iter().filter(|(c, _)| c.score >= ENOUGH).map(|(c, _)| c.index).collect()
}

/// Each candidate with what its kind took off.
fn score(index: &Index<'_>, wanted: &Wanted, pool: &[Pooled]) -> Vec<(Candidate, f64)> {
    let phrase = (!wanted.words.is_empty())
        .then(|| Phrase::new(&wanted.words, wanted.quoted, wanted.strict).counted(wanted.ordinal.is_some()));
    let mut out = Vec::new();
    for pooled in pool {
        let node = index.node(pooled.index);
        let (likeness, why) = match &phrase {
            None => (1.0, "is of that kind".to_owned()),
            Some(phrase) => match likeness(index, wanted, phrase, pooled) {
                Some(found) => found,
                None => continue,
            },
        };
        let mut score = likeness - pooled.cost;
        // `Select Budget for March` is the box of a row, not what opens it: a box is clicked by its whole name.
        let in_part =
            likeness < 0.9 && wanted.role.is_none() && matches!(wanted.purpose, Purpose::Click | Purpose::Point);
        if in_part && is_tick(node) {
            score -= COVERED;
        }
        let mut why = format!("{} {why}", node.label());
        // What is only read need not be operable.
        if wanted.purpose != Purpose::Read
            && let Some(state) = super::hindrance(node)
        {
            score -= if node.covered_by.is_some() { COVERED } else { DISABLED };
            why.push_str(&format!("; it is {}", state.said(crate::language::Language::English)));
        }
        out.push((Candidate { index: pooled.index, score: score.max(0.0), why }, pooled.cost));
    }
    out
}

/// The best of an element's texts.
fn likeness(index: &Index<'_>, wanted: &Wanted, phrase: &Phrase, pooled: &Pooled) -> Option<(f64, String)> {
    let i = pooled.index;
    let node = index.node(i);
    let mut best: Option<(f64, String)> = None;
    let mut offer = |text: &str, weight: f64, what: &str| {
        if let Some((likeness, how)) = phrase.likeness(text) {
            let score = likeness * weight;
            if best.as_ref().is_none_or(|(b, _)| score > *b) {
                best = Some((score, format!("whose {what} {how} ({score:.2})")));
            }
        }
    };
    if let Some(name) = &pooled.name {
        offer(name, 1.0, "name");
        return best;
    }
    if matches!(wanted.role, Some(RoleWord::Item | RoleWord::Row)) {
        // A row is called by what stands in it, not by what its buttons do.
        let in_button = |at: usize| {
            let chain = std::iter::once(at).chain(index.tree.ancestors(at));
            chain.take_while(|&a| a != i).any(|a| index.node(a).role == "button")
        };
        let mut words: Vec<&str> = Vec::new();
        for at in index.subtree(i) {
            if at != i && in_button(at) {
                continue;
            }
            if at != i || !has_button(index, i) {
                offer(&clean_name(index.node(at)), 0.99, "content");
            }
            if index.children(at).is_empty() {
                words.extend([index.node(at).name.as_str(), index.node(at).value.as_deref().unwrap_or_default()]);
            }
        }
        let says = || names::contains_text(&words.join(" "), &wanted.words);
        if !wanted.strict && best.as_ref().is_none_or(|(b, _)| *b < 0.82) && says() {
            best = Some((0.82, "whose content holds these words (0.82)".to_owned()));
        }
        return best;
    }
    offer(&node.name, 1.0, "name");
    if (node.name.is_empty() || node.role == "columnheader")
        && (node.interactive || wanted.role.is_some())
        && index.subtree(i).len() <= SMALL
    {
        offer(&index.text(i).unwrap_or_default(), 1.0, "text");
    }
    // `the search box`: of that kind, or one that says that it is for searching.
    let searches = |text: &str| ["search", "搜索", "查找", "搜一"].iter().any(|w| text.to_lowercase().starts_with(w));
    if wanted.role == Some(RoleWord::Search)
        && (node.role == "searchbox"
            || node.kind.ends_with(":search")
            || is_field(node) && (searches(&node.placeholder) || searches(&node.name)))
        && best.is_none()
    {
        best = Some((0.9, "which is a search field".to_owned()));
    }
    let mut offer = |text: &str, weight: f64, what: &str| {
        if let Some((likeness, how)) = phrase.likeness(text) {
            let score = likeness * weight;
            if best.as_ref().is_none_or(|(b, _)| score > *b) {
                best = Some((score, format!("whose {what} {how} ({score:.2})")));
            }
        }
    };
    offer(&node.placeholder, 0.97, "placeholder");
    offer(&node.description, 0.94, "description");
    if !is_field(node) {
        offer(node.value.as_deref().unwrap_or_default(), 0.94, "value");
    }
    // A list that shows its choice, or a switch that says `Off`, is not called so.
    let shows_choice =
        node.role == "combobox" && index.children(i).len() == 1 && index.text(i).as_ref() == Some(&node.name);
    let shows_state = is_tick(node) && says_state(&node.name);
    let unlabelled = node.name.is_empty()
        || node.name == node.placeholder
        || Some(&node.name) == node.value.as_ref()
        || shows_choice
        || shows_state;
    let takes_label = is_field(node) || is_select(node) || is_tick(node) || node.role == "slider";
    // What is pointed at by its text is the text, and not the box beside it.
    let means_text = matches!(wanted.purpose, Purpose::Point | Purpose::Read) && wanted.role.is_none() && is_tick(node);
    if unlabelled && takes_label && !means_text {
        offer(&index.label_beside(i).unwrap_or_default(), 0.94, "label beside it");
    }
    // A control without a name in a table goes by its column.
    if !takes_label && node.interactive && node.role == "generic" && node.name.is_empty() {
        offer(&index.column_of(i).map(|(_, head)| head).unwrap_or_default(), 0.94, "column");
    }
    if wanted.purpose == Purpose::Toggle || (wanted.purpose == Purpose::Choose && is_tick(node)) {
        for text in row_texts(index, i) {
            offer(&text, 0.92, "row");
        }
    }
    if !wanted.strict {
        let silent = index.visible_name(i).trim().is_empty() || is_field(node);
        for atom in node.hint.split_whitespace() {
            offer(&hint_words(atom), if silent { 0.83 } else { 0.7 }, "id or address");
        }
    }
    best
}

fn has_button(index: &Index<'_>, row: usize) -> bool {
    index.subtree(row).into_iter().any(|m| m != row && index.node(m).role == "button")
}

fn says_state(name: &str) -> bool {
    matches!(name.trim().to_lowercase().as_str(), "on" | "off" | "yes" | "no" | "开" | "关" | "是" | "否")
}

/// The texts in the row of a box to tick, when it is the only one there.
fn row_texts(index: &Index<'_>, i: usize) -> Vec<String> {
    let Some(row) = index.tree.ancestors(i).find(|&a| index.is_row(a)) else { return Vec::new() };
    let members = index.subtree(row);
    if members.iter().filter(|&&m| is_tick(index.node(m))).count() != 1 {
        return Vec::new();
    }
    members.into_iter().filter(|&m| m != i && !index.node(m).interactive).map(|m| index.node(m).name.clone()).collect()
}

/// Where an element of exactly the said kind answers, those of a similar kind are not meant.
fn prefer_role(scored: Vec<(Candidate, f64)>) -> Vec<(Candidate, f64)> {
    let exact = |c: &(Candidate, f64)| c.1 < 0.02;
    let best_exact = scored.iter().filter(|c| exact(c)).map(|c| c.0.score).fold(0.0, f64::max);
    let best_other = scored.iter().filter(|c| !exact(c)).map(|c| c.0.score).fold(0.0, f64::max);
    if best_exact >= ENOUGH && best_exact + ROLE_LEAD >= best_other {
        return scored.into_iter().filter(|c| exact(c) || c.0.score < ENOUGH).collect();
    }
    scored
}

/// Wrappers, labels and texts of one control become one candidate. The list is sorted, best first.
fn collapse(index: &Index<'_>, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        match kept.iter_mut().find(|k| is_same_control(index, k.index, candidate.index)) {
            None => kept.push(candidate),
            Some(k) => {
                if is_better_handle(index, candidate.index, k.index) {
                    k.index = candidate.index;
                    k.score = k.score.max(candidate.score);
                    k.why = candidate.why;
                }
            }
        }
    }
    kept
}

pub(super) fn is_same_control(index: &Index<'_>, a: usize, b: usize) -> bool {
    let (na, nb) = (index.node(a), index.node(b));
    let alike = || same_text(&index.visible_name(a), &index.visible_name(b));
    if index.is_inside(a, b) || index.is_inside(b, a) {
        let (outer, inner) = if index.is_inside(a, b) { (nb, na) } else { (na, nb) };
        return alike()
            || (outer.interactive
                && !inner.interactive
                && !named_row(index, if index.is_inside(a, b) { b } else { a }));
    }
    if na.rect == nb.rect && !na.rect.is_empty() && alike() {
        return true;
    }
    // A drop-down list and the box that shows its choice.
    if matches!((na.role.as_str(), nb.role.as_str()), ("combobox", "listbox") | ("listbox", "combobox")) && alike() {
        return true;
    }
    // Two links to one place, such as a picture and the title below it.
    na.role == "link" && nb.role == "link" && leads_to(na).is_some() && leads_to(na) == leads_to(nb) && alike()
}

/// The address of a link, where it is one.
fn leads_to(node: &handeye_core::UiNode) -> Option<&str> {
    let href =
        node.hint.split_whitespace().find_map(|h| h.strip_prefix("href=").or(h.starts_with('/').then_some(h)))?;
    (!href.starts_with('#') || href.len() > 1).then_some(href)
}

/// Of two candidates that are one control, whether the first is the one to operate.
fn is_better_handle(index: &Index<'_>, new: usize, old: usize) -> bool {
    let (n, o) = (index.node(new), index.node(old));
    if n.role == "combobox" && o.role == "listbox" {
        return true;
    }
    if n.interactive != o.interactive {
        return n.interactive;
    }
    index.is_inside(new, old)
}

fn nth(index: &Index<'_>, wanted: &Wanted, equals: Vec<Candidate>, ordinal: Ordinal) -> Found {
    let mut order: Vec<usize> = equals.iter().map(|c| c.index).collect();
    if matches!(wanted.role, Some(RoleWord::Item | RoleWord::Row)) {
        index.reading_order(&mut order);
    } else {
        // Rows keep the order of the document where it is also that of the screen.
        index.reading_order(&mut order);
    }
    let count = order.len();
    let place = match ordinal {
        Ordinal::Nth(n) => (n as usize).checked_sub(1),
        Ordinal::FromEnd(n) => count.checked_sub(n as usize),
    };
    let Some(chosen) = place.and_then(|p| order.get(p)) else {
        return Found::None(equals);
    };
    let Some(candidate) = equals.into_iter().find(|c| c.index == *chosen) else { return Found::None(Vec::new()) };
    let why = format!("{}; number {} of {count}", candidate.why, place.unwrap_or_default() + 1);
    Found::One(Candidate { why, ..candidate })
}

/// From a row to the part of it that the purpose is about.
fn descend(index: &Index<'_>, wanted: &Wanted, row: Candidate) -> Found {
    let members: Vec<usize> = index.subtree(row.index).into_iter().filter(|&m| m != row.index).collect();
    let only = |fits: &dyn Fn(usize) -> bool| -> Found {
        let fitting: Vec<Candidate> =
            members.iter().copied().filter(|&m| fits(m)).map(|m| Candidate { index: m, ..row.clone() }).collect();
        match fitting.as_slice() {
            [] => Found::None(vec![row.clone()]),
            [one] => Found::One(one.clone()),
            _ => Found::Many(fitting),
        }
    };
    match wanted.purpose {
        Purpose::Point | Purpose::Read | Purpose::Hold => Found::One(row),
        // A star or a heart that can be pressed is not the box of a row.
        Purpose::Toggle => match only(&|m| is_tick(index.node(m)) && index.node(m).role != "button") {
            Found::None(_) => only(&|m| is_tick(index.node(m))),
            found => found,
        },
        Purpose::Type => only(&|m| is_field(index.node(m))),
        Purpose::Upload => only(&|m| purpose_cost(Purpose::Upload, index.node(m)) == Some(0.0)),
        Purpose::Choose => match only(&|m| is_tick(index.node(m)) || is_select(index.node(m))) {
            Found::None(_) => click_in_row(index, row, &members, wanted.role == Some(RoleWord::Row)),
            found => found,
        },
        Purpose::Click => click_in_row(index, row, &members, wanted.role == Some(RoleWord::Row)),
    }
}

/// A click on `the first result` means the row, its one link, or its text: never a button that happens to stand in it.
fn click_in_row(index: &Index<'_>, row: Candidate, members: &[usize], row_itself: bool) -> Found {
    let on = |m: usize| Found::One(Candidate { index: m, ..row.clone() });
    if index.node(row.index).interactive || members.is_empty() {
        return Found::One(row);
    }
    let links: Vec<usize> = members.iter().copied().filter(|&m| index.node(m).role == "link").collect();
    // Who says `row` means no link in it.
    if let [link] = links.as_slice()
        && !row_itself
    {
        return on(*link);
    }
    let whole = index.text(row.index).unwrap_or_default();
    if let Some(&m) = members.iter().find(|&&m| index.node(m).interactive && same_text(&index.visible_name(m), &whole))
    {
        return on(m);
    }
    let in_control = |m: usize| index.tree.ancestors(m).any(|a| a != row.index && index.node(a).interactive);
    let is_text = |m: usize| {
        matches!(index.node(m).role.as_str(), "text" | "cell" | "gridcell")
            && index.subtree(m).iter().all(|&i| !index.node(i).interactive)
    };
    let texts = members.iter().copied().filter(|&m| is_text(m) && !in_control(m));
    let widest = texts.max_by(|&a, &b| index.node(a).name.len().cmp(&index.node(b).name.len()));
    match widest {
        Some(m) if links.is_empty() || row_itself => on(m),
        _ if links.is_empty() || row_itself => Found::One(row),
        _ => Found::Many(links.into_iter().map(|m| Candidate { index: m, ..row.clone() }).collect()),
    }
}

/// Elements whose texts answer to the words, whatever their kind: the best ones only.
pub(super) fn anchors(index: &Index<'_>, wanted: &Wanted, has: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let phrase = Phrase::new(&wanted.words, wanted.quoted, wanted.strict);
    let mut scored: Vec<(f64, usize)> = Vec::new();
    for i in (0..index.len()).filter(|&i| has(i)) {
        let node = index.node(i);
        let fits = match wanted.role {
            None | Some(RoleWord::Any | RoleWord::Item | RoleWord::Row | RoleWord::Section) => true,
            Some(role) => role_cost(role, node).is_some(),
        };
        if !fits {
            continue;
        }
        let texts = [names::clean(&node.name), node.placeholder.clone(), node.value.clone().unwrap_or_default()];
        let best = texts.iter().filter_map(|t| phrase.likeness(t)).map(|(s, _)| s).fold(0.0, f64::max);
        if best >= ENOUGH {
            scored.push((best, i));
        }
    }
    let top = scored.iter().map(|s| s.0).fold(0.0, f64::max);
    let mut out: Vec<usize> = scored.into_iter().filter(|s| s.0 > top - 0.05).map(|s| s.1).collect();
    // The innermost element that says it is the place where it stands.
    let all = out.clone();
    out.retain(|&i| !all.iter().any(|&b| b != i && index.is_inside(b, i)));
    out
}
