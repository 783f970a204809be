//! Steps: which tasks, receipts, inputs and effects belong to one action.

use super::Gather;
use crate::report::data::{Mark, Parts, ReceiptView, RungView, Step, Tone};
use crate::report::words;
use handeye_core::event::Receipt;
use handeye_core::{Action, DeviceError, Effect, Element, Settled, TaskKind, TaskState};

/// Round and step, as indices.
#[derive(Clone, Copy)]
pub(super) struct StepRef(usize, usize);

/// A locate task. It belongs to the action that is named next.
#[derive(Default)]
pub(super) struct Locating {
    task: u32,
    title: String,
    state: Option<TaskState>,
    detail: String,
    at: u64,
    since: Option<u64>,
    took: u64,
    receipts: Vec<ReceiptView>,
    step: Option<usize>,
}

impl Gather {
    pub(super) fn step(&mut self, StepRef(round, step): StepRef) -> &mut Step {
        &mut self.data.rounds[round].steps[step]
    }

    fn here(&self, step: usize) -> StepRef {
        StepRef(self.data.rounds.len().saturating_sub(1), step)
    }

    /// The step that has acted last in this round.
    pub(super) fn acted(&self) -> Option<StepRef> {
        let steps = &self.data.rounds.last()?.steps;
        let current = self.current.filter(|&i| steps[i].action.is_some())?;
        Some(self.here(current))
    }

    pub(super) fn is_locating(&self) -> bool {
        self.locating.iter().any(|l| l.state == Some(TaskState::Running))
    }

    pub(super) fn task(&mut self, id: u32, kind: TaskKind, title: String, state: TaskState, detail: String, t: u64) {
        match kind {
            TaskKind::Plan => {}
            TaskKind::Locate => self.locate_task(id, title, state, detail, t),
            TaskKind::Action | TaskKind::Insight => self.action_task(id, title, state, detail, t),
        }
    }

    fn locate_task(&mut self, id: u32, title: String, state: TaskState, detail: String, t: u64) {
        let index = self.locating.iter().position(|l| l.task == id).unwrap_or_else(|| {
            self.locating.push(Locating { task: id, title, at: t, ..Locating::default() });
            self.locating.len() - 1
        });
        let locating = &mut self.locating[index];
        locating.state = Some(state);
        if !detail.is_empty() {
            locating.detail = detail;
        }
        if state == TaskState::Running {
            locating.since = Some(t);
        } else if let Some(since) = locating.since.take() {
            locating.took += t.saturating_sub(since);
        }
    }

    fn action_task(&mut self, id: u32, title: String, state: TaskState, detail: String, t: u64) {
        let index = match self.tasks.get(&id) {
            Some(&index) => index,
            None => self.new_step(Some(id), title, t),
        };
        let frame = self.frame;
        let step = self.step(self.here(index));
        step.state = words::word(&state);
        if !detail.is_empty() {
            step.detail = detail;
        }
        if state == TaskState::Running {
            step.at = t;
            step.before = step.before.or(frame);
            self.current = Some(index);
        }
    }

    fn new_step(&mut self, task: Option<u32>, title: String, t: u64) -> usize {
        let steps = &mut self.round().steps;
        steps.push(Step { title, state: "running".into(), at: t, ..Step::default() });
        let index = steps.len() - 1;
        if let Some(task) = task {
            self.tasks.insert(task, index);
        }
        for locating in self.locating.iter_mut().filter(|l| l.step.is_none()) {
            locating.step = Some(index);
        }
        index
    }

    pub(super) fn located(&mut self, task: u32, receipt: Receipt) {
        let chosen = receipt.element.as_ref().map(|e| words::mark("", e));
        let rungs = receipt.rungs.into_iter().map(|tried| RungView {
            rung: words::word(&tried.rung),
            candidates: tried.candidates,
            why: tried.why,
        });
        let view = ReceiptView { target: receipt.target, rungs: rungs.collect(), chosen };
        if let Some(locating) = self.locating.iter_mut().find(|l| l.task == task) {
            locating.receipts.push(view);
        } else if let Some(&index) = self.tasks.get(&task) {
            self.step(self.here(index)).receipts.push(view);
        } else {
            self.locating.push(Locating { task, receipts: vec![view], ..Locating::default() });
        }
    }

    /// The device is asked to act: the step that runs, else the next one that has not acted, else one of its own.
    pub(super) fn acts(&mut self, action: &Action<Element>, class: Option<String>, t: u64) -> StepRef {
        let free = |step: &Step| step.action.is_none() && matches!(step.state.as_str(), "pending" | "running");
        let current = self.current;
        let steps = &self.round().steps;
        let index = current.filter(|&i| steps.get(i).is_some_and(free)).or_else(|| steps.iter().position(free));
        let index = index.unwrap_or_else(|| self.new_step(None, action.summary(), t));
        self.current = Some(index);
        let (frame, calls, loose) = (self.frame, std::mem::take(&mut self.calls), std::mem::take(&mut self.loose));
        let reference = self.here(index);
        let step = self.step(reference);
        step.before = frame.or(step.before);
        step.calls.extend(calls);
        step.parts.add(&loose);
        step.class = class;
        step.marks = action.targets().into_iter().map(|(name, element)| words::mark(name, element)).collect();
        step.action = serde_json::to_value(action).ok();
        self.awaits_frame = None;
        reference
    }

    pub(super) fn did(&mut self, reference: StepRef, did: Result<Effect, DeviceError>, took: u64) {
        let step = self.step(reference);
        step.parts.act += took;
        match did {
            Ok(effect) => step.effect = Some(words::effect(&effect)),
            Err(e) => step.error = Some(words::device_error(&e)),
        }
        self.awaits_frame = Some(reference);
    }

    pub(super) fn quiet(&mut self, step: Option<StepRef>, quiet: Result<Settled, DeviceError>, took: u64) {
        let Some(reference) = step else {
            self.loose.settle += took;
            return;
        };
        let step = self.step(reference);
        step.parts.settle += took;
        match quiet {
            Ok(settled) => {
                step.settled = Some(words::settled(&settled));
                if let Some(effect) = &settled.effect {
                    final_word(step, effect);
                }
            }
            Err(e) => step.error = step.error.take().or_else(|| Some(words::device_error(&e))),
        }
    }

    pub(super) fn effect(&mut self, task: u32, effect: &Effect) {
        let Some(index) = self.tasks.get(&task).copied().or(self.current) else { return };
        final_word(self.step(self.here(index)), effect);
    }

    pub(super) fn close_steps(&mut self) {
        for locating in std::mem::take(&mut self.locating) {
            let Locating { task, title, state, detail, at, took, receipts, step, .. } = locating;
            let index = step.unwrap_or_else(|| {
                let index = self.new_step(Some(task), title, at);
                // A target that was never found is a step that never ran.
                let (state, frame) = (state.unwrap_or(TaskState::Failed), self.frame);
                let step = self.step(self.here(index));
                (step.state, step.before) = (words::word(&state), frame);
                index
            });
            let step = self.step(self.here(index));
            step.parts.locate += took;
            step.receipts.extend(receipts);
            if state == Some(TaskState::Failed) && step.action.is_none() {
                // The runner calls such an action cancelled; what a person wants to know is that its target was not found.
                (step.state, step.detail) = ("failed".into(), format!("target not found: {detail}"));
            }
            name_marks(step);
        }
        let Some(round) = self.data.rounds.last_mut() else { return };
        let planned_on = round.plans.last().and_then(|p| p.frame);
        for step in &mut round.steps {
            step.tone = tone(step);
            // What was planned and never ran was planned on this frame.
            step.before = step.before.or(planned_on);
        }
        // What grounding asked for a target that was not found.
        let last = round.steps.iter_mut().rfind(|s| s.state == "failed" && s.action.is_none());
        if let (Some(step), false) = (last, self.calls.is_empty()) {
            step.calls.append(&mut self.calls);
            let Parts { observe, settle, pause, .. } = std::mem::take(&mut self.loose);
            step.parts.add(&Parts { observe, settle, pause, ..Parts::default() });
        }
    }
}

/// A target that was found for an action that did not run is shown too.
fn name_marks(step: &mut Step) {
    if step.marks.is_empty() {
        let found = step.receipts.iter().filter_map(|r| r.chosen.clone());
        step.marks = found.map(|mark| Mark { name: "locate".into(), ..mark }).collect();
    }
}

fn final_word(step: &mut Step, effect: &Effect) {
    let word = words::effect(effect);
    if let Some(first) = step.effect.take()
        && first != word
        && step.first_effect.is_none()
    {
        step.first_effect = Some(first);
    }
    step.effect = Some(word);
}

fn tone(step: &Step) -> Tone {
    if step.error.is_some() || step.state == "failed" {
        return Tone::Bad;
    }
    match (&step.effect, step.state.as_str()) {
        (Some(effect), _) => effect.tone,
        (None, "pending" | "running") => Tone::Doubt,
        (None, _) => Tone::Plain,
    }
}
