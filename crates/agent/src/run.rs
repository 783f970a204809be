//! The runner carries a batch of actions out: locate, act, settle, check. An error stops the batch and cancels the rest.

use crate::locate::tree::Purpose;
use crate::locate::{self, NotFound};
use crate::settings::Settings;
use handeye_core::event::Receipt;
use handeye_core::{
    Action, Changes, DeviceError, Effect, Element, End, Event, Observation, Quiet, Settled, Stop, Target, TaskKind,
    TaskState, Verdict, Want, World,
};

/// What became of one action of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The action as planned, in one line.
    pub summary: String,
    /// The action as it was sent; `None` when it was not reached or its target was not found.
    pub action: Option<Action<Element>>,
    pub result: DoneResult,
    /// What the device saw change on the screen; `None` when it did not look.
    pub changes: Option<Changes>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum DoneResult {
    /// Input was sent; the effect says what was seen.
    Ran(Effect),
    /// The target was not found; nothing was sent.
    NotFound { why: String },
    /// The device could not do it.
    Failed(DeviceError),
    /// An earlier action of the batch failed or left the page, so this one was not tried.
    Cancelled,
}

impl Done {
    fn without_input(summary: String, result: DoneResult) -> Self {
        Self { summary, action: None, result, changes: None }
    }
    pub fn is_failure(&self) -> bool {
        match &self.result {
            DoneResult::Ran(effect) => effect.is_failure(),
            DoneResult::NotFound { .. } | DoneResult::Failed(_) => true,
            DoneResult::Cancelled => false,
        }
    }
    pub fn is_confirmed(&self) -> bool {
        matches!(&self.result, DoneResult::Ran(effect) if effect.is_confirmed())
    }
    /// Input reached the device.
    pub fn was_sent(&self) -> bool {
        match &self.result {
            DoneResult::Ran(effect) => !matches!(effect.verdict, Verdict::Refused | Verdict::Covered { .. }),
            DoneResult::Failed(e) => matches!(e.cause, handeye_core::DeviceCause::Interrupted(_)),
            _ => false,
        }
    }
    /// The screen is as it was, beside what changes without input too.
    pub fn changed_nothing(&self) -> bool {
        match &self.result {
            DoneResult::Ran(effect) if effect.verdict == Verdict::NoOpSuspected => true,
            _ => self.changes.as_ref().is_some_and(Changes::is_empty),
        }
    }
    /// What became of it, for feedback and logs.
    pub fn outcome(&self) -> String {
        match &self.result {
            DoneResult::Ran(effect) if effect.is_failure() => format!("not done, {effect}"),
            DoneResult::Ran(effect) => match &effect.on {
                Some(on) => format!("done on {on}, {effect}"),
                None => format!("done, {effect}"),
            },
            DoneResult::NotFound { why } => format!("not done, target not found: {why}"),
            DoneResult::Failed(e) => format!("failed: {e}"),
            DoneResult::Cancelled => "not tried, because a step before it failed or the page changed".to_owned(),
        }
    }
}

/// What became of a batch.
#[derive(Debug)]
pub struct Batch {
    pub done: Vec<Done>,
    /// The frame after the last action, when there is one.
    pub after: Option<Observation>,
    /// The run ended in the middle of the batch.
    pub stop: Option<Stop>,
    /// Nothing that could be planned next would be of use: the run ends so.
    pub end: Option<End>,
}

impl Batch {
    pub fn has_failed(&self) -> bool {
        self.done.iter().any(Done::is_failure)
    }
}

/// Gives tasks their numbers over a whole run.
#[derive(Debug, Default)]
pub struct Tasks(u32);

impl Tasks {
    pub fn start(&mut self, world: &mut dyn World, kind: TaskKind, title: &str) -> u32 {
        self.0 += 1;
        note(world, self.0, kind, title, TaskState::Running, "");
        self.0
    }
    fn skip(&mut self, world: &mut dyn World, kind: TaskKind, title: &str) {
        self.0 += 1;
        note(world, self.0, kind, title, TaskState::Cancelled, "");
    }
}

pub(crate) fn note(world: &mut dyn World, id: u32, kind: TaskKind, title: &str, state: TaskState, detail: &str) {
    world.note(Event::Task { id, kind, title: title.to_owned(), state, detail: detail.to_owned() });
}

/// Runs the actions in order. `seen` is the observation that they were planned on.
pub async fn batch(
    world: &mut dyn World,
    tasks: &mut Tasks,
    settings: &Settings,
    seen: &Observation,
    actions: &[Action<Target>],
) -> Batch {
    let mut out = Batch { done: Vec::new(), after: None, stop: None, end: None };
    let mut sight = Sight::of(seen);
    let mut halted = false;
    for action in actions {
        if halted {
            out.done.push(not_tried(world, tasks, action));
            continue;
        }
        let step = one(world, tasks, settings, &mut sight, action).await;
        halted = step.done.is_failure() || step.left_page || step.stop.is_some();
        sight.is_old |= step.done.action.is_some();
        out.done.push(step.done);
        out.stop = step.stop;
        out.end = step.end;
    }
    if out.stop.is_none() && out.done.iter().any(|d| d.action.is_some()) {
        match world.observe(Want::frame()).await {
            Ok(Ok(after)) => out.after = Some(after),
            // The next round looks again and meets the same error, if it lasts.
            Ok(Err(_)) => {}
            Err(stop) => out.stop = Some(stop),
        }
    }
    out.after = sight.then(out.after);
    out
}

/// What is known of the screen while a batch runs.
#[derive(Debug)]
pub struct Sight {
    seen: Observation,
    /// Something was done since.
    is_old: bool,
    /// Somebody looked since the batch began, so that what is told once was told here.
    has_looked: bool,
}

impl Sight {
    pub fn of(seen: &Observation) -> Self {
        Self { seen: seen.clone(), is_old: false, has_looked: false }
    }

    /// The last observation, whatever was done since.
    pub fn seen(&self) -> &Observation {
        &self.seen
    }

    /// The screen as it is now; what was seen of it before serves as long as nothing was done.
    pub async fn now(&mut self, world: &mut dyn World) -> Result<Result<&Observation, DeviceError>, Stop> {
        if self.is_old || self.seen.frame.is_none() {
            let mut seen = match world.observe(Want::frame()).await? {
                Ok(seen) => seen,
                Err(error) => return Ok(Err(error)),
            };
            if self.has_looked {
                seen.dialogs.splice(0..0, std::mem::take(&mut self.seen.dialogs));
                seen.notes.splice(0..0, std::mem::take(&mut self.seen.notes));
            }
            *self = Self { seen, is_old: false, has_looked: true };
        }
        Ok(Ok(&self.seen))
    }

    /// The observation after the batch, with what was told in the middle of it.
    fn then(self, after: Option<Observation>) -> Option<Observation> {
        if !self.has_looked {
            return after;
        }
        let Some(mut after) = after else { return Some(self.seen) };
        after.dialogs.splice(0..0, self.seen.dialogs);
        after.notes.splice(0..0, self.seen.notes);
        Some(after)
    }
}

struct Step {
    done: Done,
    /// The page is another one now: boxes of the same plan mean nothing any more.
    left_page: bool,
    stop: Option<Stop>,
    end: Option<End>,
}

impl Step {
    fn of(done: Done, stop: Option<Stop>) -> Self {
        Self { done, left_page: false, stop, end: None }
    }
}

fn not_tried(world: &mut dyn World, tasks: &mut Tasks, action: &Action<Target>) -> Done {
    let summary = action.summary();
    tasks.skip(world, TaskKind::Action, &summary);
    Done::without_input(summary, DoneResult::Cancelled)
}

async fn one(
    world: &mut dyn World,
    tasks: &mut Tasks,
    settings: &Settings,
    sight: &mut Sight,
    action: &Action<Target>,
) -> Step {
    let summary = action.summary();
    let mut elements = Vec::new();
    for (_, target) in action.targets() {
        match locate_task(world, tasks, settings, sight, (target, purpose(action))).await {
            Ok((Ok(element), _)) => elements.push(element),
            Ok((Err(NotFound { why, end }), _)) => {
                tasks.skip(world, TaskKind::Action, &summary);
                let done = Done::without_input(summary, DoneResult::NotFound { why });
                return Step { end, ..Step::of(done, None) };
            }
            Err(stop) => {
                return Step::of(not_tried(world, tasks, action), Some(stop));
            }
        }
    }
    let Some(located) = action.clone().with_targets(elements) else {
        let stop = Stop::Broken(format!("`{summary}` lost a target while it was located"));
        return Step::of(Done::without_input(summary, DoneResult::Cancelled), Some(stop));
    };
    // Only now is it known whether the field is one for passwords.
    let summary = located.summary();
    let id = tasks.start(world, TaskKind::Action, &summary);
    let step = act_and_settle(world, settings, located, summary).await;
    let done = &step.done;
    if let DoneResult::Ran(effect) = &done.result {
        world.note(Event::Effect { task: id, effect: effect.clone() });
    }
    let state = match &done.result {
        DoneResult::Cancelled => TaskState::Cancelled,
        _ if done.is_failure() => TaskState::Failed,
        _ => TaskState::Finished,
    };
    note(world, id, TaskKind::Action, &done.summary, state, &done.outcome());
    step
}

/// What the targets of an action are wanted for.
fn purpose(action: &Action<Target>) -> Purpose {
    match action {
        Action::Input { .. } | Action::ClearInput { .. } => Purpose::Type,
        Action::Select { .. } => Purpose::Choose,
        Action::Upload { .. } => Purpose::Upload,
        Action::Hover { .. } | Action::Scroll { .. } | Action::DragAndDrop { .. } => Purpose::Point,
        _ => Purpose::Click,
    }
}

/// Locates one target as a task of the run, and hands back how.
pub(crate) async fn locate_task(
    world: &mut dyn World,
    tasks: &mut Tasks,
    settings: &Settings,
    sight: &mut Sight,
    (target, purpose): (&Target, Purpose),
) -> Result<(Result<Element, NotFound>, Receipt), Stop> {
    let id = tasks.start(world, TaskKind::Locate, &target.description);
    let mut receipt = Receipt { target: target.description.clone(), ..Receipt::default() };
    let found = locate::locate(world, settings, sight, (target, purpose), &mut receipt).await;
    let (state, detail) = match &found {
        Ok(Ok(element)) => {
            receipt.element = Some(element.clone());
            (TaskState::Finished, String::new())
        }
        Ok(Err(NotFound { why, .. })) => (TaskState::Failed, why.clone()),
        Err(_) => (TaskState::Cancelled, String::new()),
    };
    world.note(Event::Located { task: id, receipt: receipt.clone() });
    note(world, id, TaskKind::Locate, &target.description, state, &detail);
    Ok((found?, receipt))
}

/// Input, then quiet, then the verdict. A failed action is not followed by a wait.
async fn act_and_settle(world: &mut dyn World, settings: &Settings, action: Action<Element>, summary: String) -> Step {
    let acted = world.act(action.clone()).await;
    let done = |result, changes| Done { summary, action: Some(action), result, changes };
    let effect = match acted {
        Ok(Ok(effect)) if effect.is_failure() => return Step::of(done(DoneResult::Ran(effect), None), None),
        Ok(Ok(effect)) => effect,
        Ok(Err(error)) => return Step::of(done(DoneResult::Failed(error), None), None),
        Err(stop) => {
            let result = match &stop {
                Stop::Gone(error) => DoneResult::Failed(error.clone()),
                _ => DoneResult::Cancelled,
            };
            return Step::of(done(result, None), Some(stop));
        }
    };
    match world.settle(settings.settle).await {
        Ok(Ok(settled)) => {
            let left_page = settled.by == Quiet::Loaded || settled.changes.as_ref().is_some_and(|c| c.url.is_some());
            let result = DoneResult::Ran(verdict(effect, &settled));
            Step { done: done(result, settled.changes), left_page, stop: None, end: None }
        }
        Ok(Err(error)) => {
            // The input was sent; only the waiting failed.
            let because = format!("{}; then waiting for quiet failed: {error}", effect.because);
            Step::of(done(DoneResult::Ran(Effect { because, ..effect }), None), None)
        }
        Err(stop) => Step::of(done(DoneResult::Ran(effect), None), Some(stop)),
    }
}

/// The later verdict wins; a wait that ran into its cap is said.
fn verdict(first: Effect, settled: &Settled) -> Effect {
    let on = first.on.clone();
    let mut effect = settled.effect.clone().unwrap_or(first);
    effect.on = effect.on.or(on);
    if settled.by == Quiet::Cap {
        let busy = if settled.busy.is_empty() { String::new() } else { format!(" ({})", settled.busy) };
        effect.because.push_str(&format!("; the screen was still busy after {} ms{busy}", settled.took));
    }
    effect
}
