//! How far a goal has got: what was done, what is under way, what is left.

use super::facts;
use super::resolve::{Ready, Tried};
use super::step::Clause;
use super::verdict;
use crate::plan::{Completion, Plan, Planned};
use crate::run::{Done, DoneResult};
use handeye_core::text::clip;
use handeye_core::{Action, DeviceCause, Observation, Target, Verdict};
use std::collections::VecDeque;

/// Clauses that a list may add.
const MOST_ADDED: usize = 100;

#[derive(Debug)]
pub(super) struct Progress {
    goal: String,
    left: VecDeque<Clause>,
    /// What was done, in words, each as it was seen.
    done: Vec<String>,
    /// What the batch under way is to do, clause by clause.
    under_way: Vec<UnderWay>,
    /// What was already tried for the clause whose turn it is.
    tried: Tried,
    added: usize,
}

#[derive(Debug)]
struct UnderWay {
    /// The clauses that it stands for, to be put back when it was not reached.
    clauses: Vec<Clause>,
    ready: Ready,
}

/// Whether the goal can go on after a batch.
pub(super) enum Review {
    GoOn,
    Stop(String),
}

impl Progress {
    pub(super) fn new(goal: &str, clauses: Vec<Clause>) -> Self {
        Self {
            goal: goal.to_owned(),
            left: clauses.into(),
            done: Vec::new(),
            under_way: Vec::new(),
            tried: Tried::default(),
            added: 0,
        }
    }
    pub(super) fn is_of(&self, goal: &str) -> bool {
        self.goal == goal
    }
    pub(super) fn next(&self) -> Option<&Clause> {
        self.left.front()
    }
    pub(super) fn tried(&self) -> Tried {
        self.tried
    }
    /// The clause is done without input.
    pub(super) fn advance(&mut self, said: String) {
        self.left.pop_front();
        self.tried = Tried::default();
        self.done.push(said);
    }
    /// The clause is several.
    pub(super) fn expand(&mut self, clauses: Vec<Clause>) {
        self.left.pop_front();
        self.tried = Tried::default();
        self.added += clauses.len();
        if self.added <= MOST_ADDED {
            for clause in clauses.into_iter().rev() {
                self.left.push_front(clause);
            }
        }
    }
    /// Takes the clauses of an action out of the list. An action that only prepares leaves its clause there.
    pub(super) fn begin(&mut self, ready: Ready) {
        let mut clauses = Vec::new();
        if ready.prepares.is_none() {
            for _ in 0..ready.clauses.max(1) {
                clauses.extend(self.left.pop_front());
            }
        }
        self.under_way.push(UnderWay { clauses, ready });
    }
    /// Nothing is left to plan behind the actions under way.
    pub(super) fn ends_with_these(&self) -> bool {
        self.left.is_empty() && self.under_way.iter().all(|u| u.ready.prepares.is_none() && u.ready.expect.is_none())
    }
    pub(super) fn message_with(&self, log: &[String]) -> String {
        let all: Vec<&str> = self.done.iter().chain(log).map(String::as_str).collect();
        format!("done: {}", all.join("; "))
    }

    /// Judges the batch that ran.
    pub(super) fn review(&mut self, last: &[Done], seen: &Observation) -> Review {
        let under_way = std::mem::take(&mut self.under_way);
        let mut results = last.iter();
        let mut put_back: Vec<Clause> = Vec::new();
        let mut stop: Option<String> = None;
        for mut step in under_way {
            let dones: Vec<&Done> = results.by_ref().take(step.ready.actions.len()).collect();
            if stop.is_some() {
                continue;
            }
            if dones.is_empty() || dones.iter().all(|d| d.result == DoneResult::Cancelled) {
                put_back.append(&mut step.clauses);
                continue;
            }
            match judge(&step.ready, &dones, seen, self.tried) {
                Judged::Done(said) => {
                    if let Some(prepared) = step.ready.prepares {
                        self.tried.note(prepared);
                    } else {
                        self.tried = Tried::default();
                        self.done.push(said);
                    }
                }
                Judged::Again => {
                    self.tried.retried = true;
                    put_back.append(&mut step.clauses);
                }
                Judged::Drawn => {
                    self.tried.retried = true;
                    self.tried.drawn_list = true;
                    put_back.append(&mut step.clauses);
                }
                Judged::Rest(left) => {
                    if let Some(clause) = step.clauses.first_mut() {
                        super::resolve::repeat_only(&mut clause.step, left);
                    }
                    put_back.append(&mut step.clauses);
                }
                Judged::Stop(why) => {
                    let sent = dones.iter().filter(|d| d.was_sent());
                    self.done.extend(sent.map(|d| format!("{} ({})", d.summary, d.outcome())));
                    stop = Some(why);
                }
            }
        }
        for clause in put_back.into_iter().rev() {
            self.left.push_front(clause);
        }
        stop.map_or(Review::GoOn, Review::Stop)
    }

    fn so_far(&self) -> String {
        if self.done.is_empty() {
            "nothing was done before".to_owned()
        } else {
            format!("done before: {}", self.done.join("; "))
        }
    }
    pub(super) fn abstain(&self, why: &str, candidates: Vec<String>) -> Planned {
        Planned::Abstained { why: format!("{why}; {}", self.so_far()), candidates }
    }
    pub(super) fn complete(&self) -> Planned {
        let message = if self.done.is_empty() { "nothing was to be done".to_owned() } else { self.message_with(&[]) };
        finish(true, message)
    }
    pub(super) fn fail(&self, why: &str) -> Planned {
        finish(false, format!("{why}; {}", self.so_far()))
    }
}

fn finish(success: bool, message: String) -> Planned {
    Planned::Plan(Plan { thought: message.clone(), complete: Some(Completion { success, message }), ..Plan::default() })
}

enum Judged {
    Done(String),
    /// Plan the clause once more.
    Again,
    /// The same, and take the list for one that the page draws.
    Drawn,
    /// So many repetitions are still to be done.
    Rest(u32),
    Stop(String),
}

/// What became of the actions of one clause.
fn judge(ready: &Ready, dones: &[&Done], seen: &Observation, tried: Tried) -> Judged {
    let said = clip(&ready.said, 160);
    if let Some(bad) = dones.iter().find(|d| d.is_failure()) {
        // The page drew itself anew between the look and the input: look again, once.
        let gone = match &bad.result {
            DoneResult::NotFound { .. } => true,
            DoneResult::Failed(error) => matches!(error.cause, DeviceCause::NotFound(_)),
            _ => false,
        };
        if gone && !tried.retried && dones.len() == 1 {
            return Judged::Again;
        }
        // Nothing was sent, so another look costs nothing: something may lie on top that was not there before.
        let refused = matches!(verdict(bad), Some(Verdict::Refused | Verdict::Covered { .. }));
        if refused && !tried.retried && dones.len() == 1 {
            return if matches!(ready.actions[0], Action::Select { .. }) { Judged::Drawn } else { Judged::Again };
        }
        return Judged::Stop(format!("`{}`: {}", bad.summary, bad.outcome()));
    }
    let cancelled = dones.iter().filter(|d| d.result == DoneResult::Cancelled).count();
    if cancelled > 0 {
        let same = ready.actions.iter().all(|a| a == &ready.actions[0]);
        if same {
            return Judged::Rest(u32::try_from(cancelled).unwrap_or(1));
        }
        return Judged::Stop(format!("the page changed before `{said}` was finished"));
    }
    if let Some(wrong) = ready.expect.as_ref().and_then(|expect| facts::contradicts(seen, expect)) {
        if tried.retried || !matches!(verdict(dones[dones.len() - 1]), Some(Verdict::NoOpSuspected)) {
            return Judged::Stop(format!("{said}, but {wrong}"));
        }
        return Judged::Again;
    }
    // A field tells what it holds: text that is not there was not typed.
    let is_text =
        |a: &Action<Target>| matches!(a, Action::Input { .. } | Action::ClearInput { .. } | Action::Select { .. });
    let untrue = ready.actions.iter().zip(dones).find(|(a, d)| is_text(a) && !d.is_confirmed());
    if let Some((_, done)) = untrue {
        return Judged::Stop(format!("`{}`: {}", done.summary, done.outcome()));
    }
    let idle = dones.iter().find(|d| matches!(verdict(d), Some(Verdict::NoOpSuspected)));
    let Some(idle) = idle else { return Judged::Done(ready.said.clone()) };
    if ready.expect.is_some() || ready.idle_is_fine || facts::has_focus(seen, &ready.actions) {
        return Judged::Done(ready.said.clone());
    }
    Judged::Stop(format!("{said}, but {}", idle.outcome().trim_start_matches("done, ").trim_start_matches("done on ")))
}
