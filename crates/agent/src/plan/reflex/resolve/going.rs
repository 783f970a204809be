//! Steps that lead to another part of the application: a page of a list, a tab in which the next thing is done.

use super::super::messages as say;
use super::super::step::{Clause, Press, Step};
use super::{Scene, Turn};
use crate::locate::tree::{self, Candidate, Found, Purpose, Wanted, share_a_line};

impl Scene<'_> {
    /// The control of a pager for one page: a number in a line of numbers, outside of any table.
    pub(super) fn turn_to_page(&self, page: u32) -> Turn {
        let number = |i: usize| {
            let node = self.index.node(i);
            let in_table = |i: usize| matches!(self.index.node(i).role.as_str(), "cell" | "gridcell" | "row");
            let table = in_table(i) || self.index.tree.ancestors(i).any(in_table);
            (node.interactive && !table).then(|| page_number(&self.index.visible_name(i))).flatten()
        };
        let all: Vec<(usize, u32)> = (0..self.index.len()).filter_map(|i| number(i).map(|n| (i, n))).collect();
        let in_line = |i: usize| {
            let rect = self.index.node(i).rect;
            all.iter().any(|(o, n)| n.abs_diff(page) == 1 && share_a_line(&rect, &self.index.node(*o).rect))
        };
        let mut fits: Vec<usize> = all.iter().filter(|(i, n)| *n == page && in_line(*i)).map(|(i, _)| *i).collect();
        let inner = fits.clone();
        fits.retain(|&i| !inner.iter().any(|&o| o != i && self.index.is_inside(o, i)));
        let candidate = |index| Candidate { index, score: 0.9, why: "it turns to that page".to_owned() };
        match fits.as_slice() {
            [one] if tree::hindrance(self.index.node(*one)).is_none() => self.press(&candidate(*one), Press::Once, 1),
            [] | [_] => self.missing(say::NO_PAGE, &[&page.to_string()]),
            many => {
                let many: Vec<Candidate> = many.iter().copied().map(candidate).collect();
                self.several(&Wanted::named(page.to_string(), Purpose::Click), &many)
            }
        }
    }

    /// `到成员里移除郭峰`: here where the page has it, else behind the tab or link of that name.
    pub(super) fn there(&self, place: &Wanted, here: &Step, there: &Step, text: &str) -> Turn {
        let missing = match self.step(here, text) {
            missing @ Turn::Missing { .. } => missing,
            turn => return turn,
        };
        let leads = |c: &Candidate| {
            let node = self.node(c);
            let way = matches!(node.role.as_str(), "tab" | "link" | "menuitem" | "treeitem" | "generic" | "listitem");
            way && node.interactive && node.states.selected != Some(true) && tree::hindrance(node).is_none()
        };
        match tree::find(&self.index, place) {
            Found::One(one) if leads(&one) => {
                let click = Step::Click { target: place.clone(), how: Press::Once, times: 1 };
                let clause = |step: Step| Clause { text: text.to_owned(), step, joined: None };
                Turn::Expand(vec![clause(click), clause(there.clone())])
            }
            _ => missing,
        }
    }
}

/// `2`, `第 2 页`, `Page 2`, `Go to page 2`.
fn page_number(name: &str) -> Option<u32> {
    let low: String = name.to_lowercase().split_whitespace().collect();
    let bare = ["gotopage", "page", "第"].iter().find_map(|l| low.strip_prefix(l)).unwrap_or(&low);
    bare.strip_suffix('页').unwrap_or(bare).parse().ok()
}
