//! The runner carries a batch of actions out: locate, act, settle, check. An error stops the batch and cancels the rest.

use crate::locate::{self, NotFound};
use crate::settings::Settings;
use handeye_core::event::Receipt;
use handeye_core::{
    Action, DeviceError, Effect, Element, Event, Observation, Quiet, Settled, Stop, Target, TaskKind, TaskState, Want,
    World,
};

/// What became of one action of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The action as planned, in one line.
    pub summary: String,
    /// The action as it was sent; `None` when it was not reached or its target was not found.
    pub action: Option<Action<Element>>,
    pub result: DoneResult,
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
            DoneResult::Ran(effect) => {
                !matches!(effect.verdict, handeye_core::Verdict::Refused | handeye_core::Verdict::Covered { .. })
            }
            DoneResult::Failed(e) => matches!(e.cause, handeye_core::DeviceCause::Interrupted(_)),
            _ => false,
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
    /// The device is gone: nothing more can be done.
    pub fatal: Option<DeviceError>,
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
///
/// # Errors
/// A [`Stop`] when the run is cancelled or its time is over.
pub async fn batch(
    world: &mut dyn World,
    tasks: &mut Tasks,
    settings: &Settings,
    seen: &Observation,
    actions: &[Action<Target>],
) -> Result<Batch, Stop> {
    let mut out = Batch { done: Vec::new(), after: None, fatal: None };
    let mut halted = false;
    for action in actions {
        let summary = action.summary();
        if halted {
            tasks.skip(world, TaskKind::Action, &summary);
            out.done.push(Done { summary, action: None, result: DoneResult::Cancelled });
            continue;
        }
        let step = one(world, tasks, settings, seen, action).await?;
        halted = step.done.is_failure() || step.left_page;
        if let DoneResult::Failed(error) = &step.done.result
            && error.is_fatal()
        {
            out.fatal = Some(error.clone());
        }
        out.done.push(step.done);
    }
    let touched = out.done.iter().any(|d| d.action.is_some());
    if touched && out.fatal.is_none() {
        match world.observe(Want::frame()).await? {
            Ok(after) => out.after = Some(after),
            Err(error) if error.is_fatal() => out.fatal = Some(error),
            // The next round looks again and meets the same error, if it lasts.
            Err(_) => {}
        }
    }
    Ok(out)
}

struct Step {
    done: Done,
    /// The page is another one now: boxes of the same plan mean nothing any more.
    left_page: bool,
}

async fn one(
    world: &mut dyn World,
    tasks: &mut Tasks,
    settings: &Settings,
    seen: &Observation,
    action: &Action<Target>,
) -> Result<Step, Stop> {
    let summary = action.summary();
    let mut elements = Vec::new();
    for (_, target) in action.targets() {
        match locate_task(world, tasks, settings, seen, target).await? {
            Ok(element) => elements.push(element),
            Err(why) => {
                tasks.skip(world, TaskKind::Action, &summary);
                let done = Done { summary, action: None, result: DoneResult::NotFound { why } };
                return Ok(Step { done, left_page: false });
            }
        }
    }
    let Some(located) = action.clone().with_targets(elements) else {
        return Err(Stop::Broken(format!("`{summary}` lost a target while it was located")));
    };
    // Only now is it known whether the field is one for passwords.
    let summary = located.summary();
    let id = tasks.start(world, TaskKind::Action, &summary);
    let (result, left_page) = act_and_settle(world, settings, &located).await?;
    let done = Done { summary, action: Some(located), result };
    let state = if done.is_failure() { TaskState::Failed } else { TaskState::Finished };
    if let DoneResult::Ran(effect) = &done.result {
        world.note(Event::Effect { task: id, effect: effect.clone() });
    }
    note(world, id, TaskKind::Action, &done.summary, state, &done.outcome());
    Ok(Step { done, left_page })
}

async fn locate_task(
    world: &mut dyn World,
    tasks: &mut Tasks,
    settings: &Settings,
    seen: &Observation,
    target: &Target,
) -> Result<Result<Element, String>, Stop> {
    let id = tasks.start(world, TaskKind::Locate, &target.description);
    let mut receipt = Receipt { target: target.description.clone(), ..Receipt::default() };
    let found = locate::locate(world, settings, seen, target, &mut receipt).await?;
    if let Ok(element) = &found {
        receipt.element = Some(element.clone());
    }
    world.note(Event::Located { task: id, receipt });
    match found {
        Ok(element) => {
            note(world, id, TaskKind::Locate, &target.description, TaskState::Finished, "");
            Ok(Ok(element))
        }
        Err(NotFound { why }) => {
            note(world, id, TaskKind::Locate, &target.description, TaskState::Failed, &why);
            Ok(Err(why))
        }
    }
}

/// Input, then quiet, then the verdict. A failed action is not followed by a wait.
async fn act_and_settle(
    world: &mut dyn World,
    settings: &Settings,
    action: &Action<Element>,
) -> Result<(DoneResult, bool), Stop> {
    let effect = match world.act(action.clone()).await? {
        Ok(effect) => effect,
        Err(error) => return Ok((DoneResult::Failed(error), false)),
    };
    if effect.is_failure() {
        return Ok((DoneResult::Ran(effect), false));
    }
    match world.settle(settings.settle).await? {
        Ok(settled) => {
            let left = settled.by == Quiet::Loaded || settled.changes.url.is_some();
            Ok((DoneResult::Ran(verdict(effect, &settled)), left))
        }
        Err(error) if error.is_fatal() => Ok((DoneResult::Failed(error), false)),
        Err(error) => {
            // The input was sent; only the waiting failed.
            let because = format!("{}; then waiting for quiet failed: {error}", effect.because);
            Ok((DoneResult::Ran(Effect { because, ..effect }), false))
        }
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
