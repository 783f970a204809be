//! Sub-goals: the parts of a goal in their order, each with the steps that were done for it.
//!
//! The one that is being worked on is the first that is not finished, so there are never two, whatever order they are finished in.

use super::steps;
use crate::read::reply::{SubGoal, SubGoalStatus};
use handeye_core::event::{SubGoalRecord, SubGoalState};
use handeye_core::text::{clip_to, fold};
use std::collections::BTreeMap;

/// The longest text of a sub-goal, in characters.
const LONGEST: usize = 300;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Goals(BTreeMap<u32, Part>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Part {
    text: String,
    finished: bool,
    /// One line a step, with what became of it.
    log: Vec<String>,
}

impl Goals {
    /// Takes over what a reply says of the plan.
    ///
    /// A whole new plan replaces the old one; anything else changes what it names and leaves the rest. Models write one goal or
    /// two to tell that these are done or now read otherwise, and a goal that got lost so would never be worked on again, while
    /// one too many is seen in the next round's list. What was done stays with the words, wherever they stand now, else with
    /// the number.
    pub fn update(&mut self, update: &[SubGoal]) {
        let old = self.0.clone();
        if self.is_replaced_by(update) {
            self.0.clear();
        }
        for goal in update {
            let before = old.get(&goal.index);
            let text = match (goal.text.trim(), before) {
                ("", Some(part)) => part.text.clone(),
                // A number that nobody explained.
                ("", None) => continue,
                // One line, as the list is one line a goal.
                (text, _) => clip_to(&text.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST),
            };
            let same = old.values().find(|part| fold(&part.text) == fold(&text));
            // Another text under a number is the same goal in other words, unless the old words stand under another number.
            let reworded = before.filter(|part| update.iter().all(|g| fold(&g.text) != fold(&part.text)));
            let log = same.or(reworded).map(|part| part.log.clone()).unwrap_or_default();
            self.0.insert(goal.index, Part { text, finished: goal.status == SubGoalStatus::Finished, log });
        }
    }

    /// A whole new plan counts from 1 without a gap, says each goal in words, and says something new. One goal alone is not a
    /// plan in place of several.
    fn is_replaced_by(&self, update: &[SubGoal]) -> bool {
        let is_whole = (1..).zip(update).all(|(n, goal)| goal.index == n && !goal.text.trim().is_empty());
        let says_new =
            |goal: &SubGoal| self.0.get(&goal.index).is_none_or(|part| fold(&part.text) != fold(goal.text.trim()));
        is_whole && update.len() > 1 && update.iter().any(says_new)
    }

    /// Numbers that are not known mean nothing.
    pub fn finish(&mut self, done: &[u32]) {
        for index in done {
            if let Some(part) = self.0.get_mut(index) {
                part.finished = true;
            }
        }
    }

    /// The goal is met, so each of its parts is.
    pub fn finish_all(&mut self) {
        self.0.values_mut().for_each(|part| part.finished = true);
    }

    /// Records a step that ran for the goal that is being worked on.
    pub(super) fn log(&mut self, line: &str) {
        if let Some((_, part)) = self.running_mut() {
            part.log.push(line.to_owned());
        }
    }

    fn running(&self) -> Option<(u32, &Part)> {
        self.0.iter().find(|(_, part)| !part.finished).map(|(index, part)| (*index, part))
    }
    fn running_mut(&mut self) -> Option<(u32, &mut Part)> {
        self.0.iter_mut().find(|(_, part)| !part.finished).map(|(index, part)| (*index, part))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As the record keeps them.
    pub fn record(&self) -> Vec<SubGoalRecord> {
        let running = self.running().map(|(index, _)| index);
        let state = |index: u32, part: &Part| match (part.finished, running == Some(index)) {
            (true, _) => SubGoalState::Finished,
            (false, true) => SubGoalState::Running,
            (false, false) => SubGoalState::Pending,
        };
        let record = |(index, part): (&u32, &Part)| SubGoalRecord {
            index: *index,
            text: part.text.clone(),
            state: state(*index, part),
        };
        self.0.iter().map(record).collect()
    }

    /// The list and the steps for the running goal, less the newest `told`, as the planner reads them.
    pub(super) fn told(&self, told: usize) -> String {
        let mut text = "Your sub-goals:\n".to_owned();
        for goal in self.record() {
            text.push_str(&format!("{}. [{}] {}\n", goal.index, goal.state.word(), goal.text));
        }
        match self.running() {
            None => {
                text.push_str("\nAll of them are finished: complete, or write a new plan if the goal is not met.\n");
            }
            Some((index, part)) => {
                let lines = steps(&part.log, told);
                if !lines.is_empty() {
                    text.push_str(&format!(
                        "\nSteps for sub-goal {index} so far, each with what became of it:\n{lines}"
                    ));
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests;
