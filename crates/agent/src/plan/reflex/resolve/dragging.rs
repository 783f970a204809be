//! Dragging: a thing to a thing, or into the column, list or section of a name.

use super::super::messages as say;
use super::{Ready, Scene, Turn};
use crate::locate::tree::{Candidate, RoleWord, Wanted};
use handeye_core::Action;

impl Scene<'_> {
    pub(super) fn drag(&self, from: &Wanted, to: &Wanted) -> Turn {
        let found = match (self.operable(from), self.one(to)) {
            (Ok(a), Ok(b)) => {
                let goal = self.goal_of_drag(&a, b, to);
                Ok((a, goal))
            }
            (Err(turn), _) | (_, Err(turn)) => Err(turn),
        };
        match found {
            Ok((a, (b, heading))) => {
                let said = self.say(say::DRAGGED, &[&self.label(&a), &self.label(&b)]);
                let why = format!("{}; {}", a.why, b.why);
                let action = Action::DragAndDrop { from: self.target(&a, ""), to: self.target(&b, "") };
                let column = heading.map(|h| (self.node(&a).node.clone(), self.index.node(h).node.clone()));
                Ready { column, ..Ready::new(vec![action], said, why) }.into()
            }
            Err(turn) => turn,
        }
    }

    /// A heading takes nothing that is dropped on it: what is meant is the box that it heads, or the first thing below it, or the
    /// empty place there, which the device knows; then with the heading, under which the thing has to stand in the end.
    fn goal_of_drag(&self, from: &Candidate, found: Candidate, to: &Wanted) -> (Candidate, Option<usize>) {
        let role = self.node(&found).role.as_str();
        let heads = role == "heading" || role == "text" && says_container(to);
        if !heads {
            return (found, None);
        }
        let at =
            |index| Candidate { index, why: format!("{}; it is what stands under it", found.why), ..found.clone() };
        if let Some(holder) = self.headed_box(found.index) {
            return (at(holder), None);
        }
        match self.first_below(found.index).filter(|&i| i != from.index && !self.index.is_inside(i, from.index)) {
            Some(first) => (at(first), Some(found.index)),
            None if role == "heading" => (found.clone(), Some(found.index)),
            // A box that the tree does not list is dropped into by its text.
            None => (found, None),
        }
    }

    /// The box around a title that has no other heading in it, but more than the title. Around a title that is only a text, it
    /// has to be one of several boxes of its kind.
    fn headed_box(&self, title: usize) -> Option<usize> {
        let index = &self.index;
        let part_of = |m: usize| m == title || index.is_inside(m, title);
        let holder = index
            .tree
            .ancestors(title)
            .take_while(|&a| !index.is_page(a))
            .find(|&a| index.subtree(a).into_iter().any(|m| m != a && !part_of(m) && !index.is_inside(title, m)))?;
        let alone = index.subtree(holder).into_iter().all(|m| part_of(m) || index.node(m).role != "heading");
        let is_like =
            |&s: &usize| s != holder && index.node(s).role == index.node(holder).role && !index.children(s).is_empty();
        let repeated = index.node(title).role == "heading" || index.siblings(holder).iter().any(is_like);
        (alone && repeated).then_some(holder)
    }

    /// The first thing straight under a heading, where no box holds the two.
    fn first_below(&self, heading: usize) -> Option<usize> {
        const NEAR: f64 = 80.0;
        if self.index.node(heading).role != "heading" {
            return None;
        }
        let head = self.index.node(heading).rect;
        let siblings = self.index.siblings(heading);
        let next = *siblings.get(siblings.iter().position(|&s| s == heading)? + 1)?;
        let node = self.index.node(next);
        let gap = node.rect.top - (head.top + head.height);
        let under = (-1.0..NEAR).contains(&gap)
            && node.rect.left >= head.left - 1.0
            && node.rect.center().x <= head.left + head.width;
        (under && node.role != "heading").then_some(next)
    }
}

/// Whether the goal of a drag was called something that holds things.
fn says_container(to: &Wanted) -> bool {
    const HOLDS: &[&str] =
        &["column", "list", "section", "lane", "swimlane", "area", "panel", "group", "box", "列", "栏", "列表"];
    to.readings().any(|w| {
        matches!(w.role, Some(RoleWord::List | RoleWord::Section))
            || HOLDS.iter().any(|n| w.words.to_lowercase().ends_with(n))
    })
}
