//! How far a goal has got: what was done, what is under way, what is left.

use super::facts;
use super::messages as say;
use super::resolve::{Ready, Tried};
use super::step::Clause;
use crate::language::{Language, Message};
use crate::plan::{Completion, Plan, Planned};
use crate::run::{Done, DoneResult};
use handeye_core::text::clip;
use handeye_core::{Action, DeviceCause, Dialog, Effect, Observation, Target, Verdict};
use std::collections::VecDeque;

/// Clauses that a list may add.
const MOST_ADDED: usize = 100;

#[derive(Debug)]
pub(super) struct Progress {
    goal: String,
    /// In which people are told what became of it.
    language: Language,
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
            language: super::grammar::language_of(goal),
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
    pub(super) fn language(&self) -> Language {
        self.language
    }
    pub(super) fn say(&self, message: Message, parts: &[&str]) -> String {
        self.language.say(message, parts)
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
        self.left.is_empty() && self.under_way.iter().all(|u| u.ready.is_final())
    }
    pub(super) fn message_with(&self, log: &[String]) -> String {
        let all: Vec<String> = self.done.iter().chain(log).cloned().collect();
        self.say(say::DONE, &[&self.language.list(&all)])
    }

    /// Judges the batch that ran. `asked` are the dialogs that came up meanwhile.
    pub(super) fn review(&mut self, last: &[Done], seen: &Observation, asked: &[Dialog]) -> Review {
        let clause = self.under_way.iter().flat_map(|u| &u.clauses).next_back().or(self.left.front());
        let text = clause.map(|c| c.text.clone()).unwrap_or_default();
        let ran = !self.under_way.is_empty();
        let review = self.judge_batch(last, seen);
        let question = asked.iter().rev().find(|d| d.is_question());
        match (review, question.filter(|_| ran)) {
            (Review::GoOn, Some(dialog)) => self.answered(dialog, &text),
            (review, _) => review,
        }
    }

    /// The page asked something in a dialog of the browser, which was answered at once: a step that was not confirmed did not
    /// happen, unless the next clause says so.
    fn answered(&mut self, dialog: &Dialog, text: &str) -> Review {
        let question = self.language.quote(&dialog.message);
        let message = match (self.left.front().and_then(|c| c.step.answers_dialog()), dialog.accepted) {
            (Some(false), false) => say::DIALOG_CANCELLED,
            (Some(true), true) => say::DIALOG_ACCEPTED,
            (None, true) => return Review::GoOn,
            (Some(false), true) => return Review::Stop(self.of_clause(text, say::DIALOG_NOT_CANCELLED, &[&question])),
            (_, false) => {
                self.done.pop();
                return Review::Stop(self.of_clause(text, say::DIALOG_DISMISSED, &[&question]));
            }
        };
        self.advance(self.say(message, &[&question]));
        Review::GoOn
    }

    fn of_clause(&self, text: &str, message: Message, parts: &[&str]) -> String {
        self.say(say::OF_CLAUSE, &[text, &self.say(message, parts)])
    }

    fn judge_batch(&mut self, last: &[Done], seen: &Observation) -> Review {
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
            let text = step.clauses.last().or(self.left.front()).map(|c| c.text.clone()).unwrap_or_default();
            let next = self.left.front().filter(|_| put_back.is_empty());
            let awaited = next.is_some_and(|next| next.step.looks());
            let leads_on = next.is_some_and(|next| next.step.is_in_dialog());
            let judge = Judge {
                ready: &step.ready,
                dones: &dones,
                seen,
                awaited,
                leads_on,
                is_last: next.is_none(),
                tried: self.tried,
                language: self.language,
            };
            match judge.verdict(&text) {
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
                    // Of a single action `why` says it all.
                    let sent = dones.iter().filter(|d| d.was_sent() && dones.len() > 1);
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
            self.say(say::NOTHING_BEFORE, &[])
        } else {
            self.say(say::DONE_BEFORE, &[&self.language.list(&self.done)])
        }
    }
    pub(super) fn abstain(&self, why: &str, candidates: Vec<String>) -> Planned {
        Planned::Abstained { why: self.say(say::WITH_HISTORY, &[why, &self.so_far()]), candidates }
    }
    pub(super) fn complete(&self) -> Planned {
        let message = if self.done.is_empty() { self.say(say::NOTHING_TO_DO, &[]) } else { self.message_with(&[]) };
        finish(true, message)
    }
    pub(super) fn fail(&self, why: &str) -> Planned {
        finish(false, self.say(say::WITH_HISTORY, &[why, &self.so_far()]))
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

/// What is looked at to judge the actions of one clause.
struct Judge<'a> {
    ready: &'a Ready,
    dones: &'a [&'a Done],
    seen: &'a Observation,
    /// The next clause looks for what was to come of it, and so decides.
    awaited: bool,
    /// The next clause is about the dialog that it was to open, and so shows whether it did.
    leads_on: bool,
    /// No clause comes behind it.
    is_last: bool,
    tried: Tried,
    language: Language,
}

impl Judge<'_> {
    fn say(&self, message: Message, parts: &[&str]) -> String {
        self.language.say(message, parts)
    }

    /// What became of the actions of the clause that says `text`. Each state of an effect has its place here; what was not
    /// seen to be done is not done.
    fn verdict(&self, text: &str) -> Judged {
        let (ready, dones) = (self.ready, self.dones);
        let said = clip(&ready.said, 160);
        if let Some(bad) = dones.iter().find(|d| d.is_failure()) {
            return self.failed(bad, text);
        }
        let cancelled = dones.iter().filter(|d| d.result == DoneResult::Cancelled).count();
        if cancelled > 0 {
            let same = ready.actions.iter().all(|a| a == &ready.actions[0]);
            if same {
                return Judged::Rest(u32::try_from(cancelled).unwrap_or(1));
            }
            return Judged::Stop(self.say(say::CHANGED_MIDWAY, &[text]));
        }
        if let (Some(before), Some(tree), true) = (ready.asked, &self.seen.tree, self.is_last)
            && facts::questions(tree) > before
        {
            return Judged::Stop(self.say(say::ASKS_FIRST, &[&said]));
        }
        let idle = dones.iter().find_map(|d| effect(d).filter(|e| e.verdict == Verdict::NoOpSuspected));
        let unseen = dones.iter().find_map(|d| effect(d).filter(|e| e.verdict == Verdict::Unverified));
        if let Some((thing, heading)) = &ready.column
            && let Some(wrong) = facts::not_under(self.seen, thing, heading, self.language)
        {
            return Judged::Stop(self.say(say::STATE_UNCHANGED, &[&said, &wrong]));
        }
        if let Some(expect) = &ready.expect {
            // The state of a box is read back, which is better evidence than any.
            return match facts::contradicts(self.seen, expect, self.language) {
                None => Judged::Done(ready.said.clone()),
                Some(_) if !self.tried.retried && idle.is_some() => Judged::Again,
                Some(wrong) => Judged::Stop(self.say(say::STATE_UNCHANGED, &[&said, &wrong])),
            };
        }
        // A field tells what it holds: text that is not there was not typed.
        let is_text =
            |a: &Action<Target>| matches!(a, Action::Input { .. } | Action::ClearInput { .. } | Action::Select { .. });
        let untrue = ready.actions.iter().zip(dones).find(|(a, d)| is_text(a) && !d.is_confirmed());
        if let Some(effect) = untrue.and_then(|(_, d)| effect(d)) {
            return Judged::Stop(self.say(say::UNSEEN, &[&said, &effect.because]));
        }
        match (idle, unseen) {
            (Some(_), _) if ready.idle_is_fine || self.awaited => {
                Judged::Done(self.say(say::NOTHING_CHANGED, &[&ready.said]))
            }
            _ if ready.idle_is_fine || facts::has_focus(self.seen, &ready.actions) => Judged::Done(ready.said.clone()),
            (None, Some(_)) if self.awaited || self.leads_on => Judged::Done(ready.said.clone()),
            (Some(effect), _) => Judged::Stop(self.say(say::NO_EFFECT, &[&said, &effect.because])),
            (None, Some(effect)) => Judged::Stop(self.say(say::UNSEEN, &[&said, &effect.because])),
            (None, None) => Judged::Done(ready.said.clone()),
        }
    }

    /// An action that was not done.
    fn failed(&self, bad: &Done, text: &str) -> Judged {
        let once = !self.tried.retried && self.dones.len() == 1;
        // The page drew itself anew between the look and the input: look again, once.
        let gone = match &bad.result {
            DoneResult::NotFound { .. } => true,
            DoneResult::Failed(error) => matches!(error.cause, DeviceCause::NotFound(_)),
            _ => false,
        };
        // Where no press can have done anything, another look costs nothing: something may lie on top that was not there before.
        let refused =
            effect(bad).is_some_and(|e| !e.spent && matches!(e.verdict, Verdict::Refused | Verdict::Covered { .. }));
        if refused && once && matches!(self.ready.actions[0], Action::Select { .. }) {
            return Judged::Drawn;
        }
        if (gone || refused) && once {
            return Judged::Again;
        }
        let why = match &bad.result {
            DoneResult::Ran(effect) => match &effect.verdict {
                Verdict::Covered { by } => self.say(say::COVERED, &[by, &effect.because]),
                Verdict::Reverted => self.say(say::REVERTED, &[&effect.because]),
                _ => self.say(say::REFUSED, &[&effect.because]),
            },
            DoneResult::NotFound { why } => self.say(say::LOST, &[why]),
            DoneResult::Failed(error) => self.say(say::FAILED, &[&error.to_string()]),
            DoneResult::Cancelled => String::new(),
        };
        Judged::Stop(self.say(say::OF_CLAUSE, &[text, &why]))
    }
}

/// The effect that an action was seen to have, if input was sent.
fn effect(done: &Done) -> Option<&Effect> {
    match &done.result {
        DoneResult::Ran(effect) => Some(effect),
        _ => None,
    }
}
