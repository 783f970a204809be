//! The loop: observe, plan, compile, run, feed back, until the planner completes, a budget ends, the guard trips or the user
//! cancels.

use crate::budget::Metered;
use crate::feedback;
use crate::guard::{self, Circling, Guard};
use crate::history::{BadReply, History, Limits};
use crate::plan::{self, Plan, PlanView, Planned, Planner};
use crate::run::{self, Batch, Done, DoneResult, Tasks};
use crate::settings::{Goal, Settings};
use handeye_core::outcome::Budget;
use handeye_core::text::clip;
use handeye_core::{
    ActionSpace, ChatError, ChatErrorKind, DeviceError, End, ErrorKind, Event, Observation, Outcome, Stop, TaskKind,
    TaskState, Want, World,
};

/// The unreadable reply in a row that ends a run.
pub const MISREADS_IN_A_ROW: u32 = 4;
/// The failed batch in a row that ends a run.
pub const FAILED_BATCHES_IN_A_ROW: u32 = 6;
/// The failure in all, of either kind, that ends a run.
pub const FAILURES_IN_ALL: u32 = 16;
/// How often an observation that failed is tried again at once.
const LOOKS: u32 = 3;

/// Works on a goal until it ends. `planners` is the chain: when one abstains, the next goes on from where it stopped.
pub async fn act(
    world: &mut dyn World,
    planners: &mut [Box<dyn Planner>],
    space: &ActionSpace,
    goal: &Goal,
    settings: &Settings,
) -> Outcome {
    let asked = settings.effort;
    let effort = planners.iter().fold(asked, |effort, planner| planner.effort(effort));
    let other = planners.iter().find(|planner| planner.effort(asked) != asked).map_or("", |planner| planner.name());
    let settings = &Settings { effort, ..settings.clone() };
    let mut run = Run {
        world: Metered::new(world, settings.budget_tokens),
        space,
        goal,
        settings,
        history: History::within(Limits { tokens: settings.history_tokens, ..Limits::default() }),
        guard: Guard::default(),
        tasks: Tasks::default(),
        last: Vec::new(),
        after: None,
        planner: 0,
        rounds: 0,
        actions: 0,
        misreads: 0,
        failed_batches: 0,
        failures: 0,
        warnings: Vec::new(),
    };
    if effort != asked {
        run.warn(format!("effort {} runs as {}: the planner {other} has no other", asked.word(), effort.word()));
    }
    let end = match run.rounds(planners).await {
        Ok(end) | Err(end) => end,
    };
    let planner = planners.get(run.planner.min(planners.len().saturating_sub(1))).map_or("none", |p| p.name());
    let outcome = Outcome {
        end,
        rounds: run.rounds,
        actions: run.actions,
        model_calls: run.world.calls,
        usage: run.world.usage,
        microdollars: run.world.microdollars(),
        value: None,
        planner: planner.to_owned(),
        warnings: run.warnings,
    };
    world.note(Event::Ended { outcome: outcome.clone() });
    outcome
}

struct Run<'a> {
    world: Metered<'a>,
    space: &'a ActionSpace,
    goal: &'a Goal,
    settings: &'a Settings,
    history: History,
    guard: Guard,
    tasks: Tasks,
    last: Vec<Done>,
    /// The observation after the last batch.
    after: Option<Observation>,
    planner: usize,
    rounds: u32,
    actions: u32,
    misreads: u32,
    failed_batches: u32,
    failures: u32,
    warnings: Vec<String>,
}

/// Both arms end the run; `?` carries the second one up.
type Ended<T> = Result<T, End>;

impl Run<'_> {
    async fn rounds(&mut self, planners: &mut [Box<dyn Planner>]) -> Ended<End> {
        self.check(planners)?;
        loop {
            self.rounds += 1;
            let may_act = self.rounds <= self.settings.max_rounds;
            self.world.note(Event::Round { number: self.rounds });
            let seen = self.observe().await?;
            let plan = self.plan(planners, &seen, may_act).await?;
            for note in &plan.memory {
                self.history.remember(note);
            }
            if plan.actions.is_empty() {
                return Ok(completion(&plan).unwrap_or_else(|| nothing_planned(&plan)));
            }
            if !may_act {
                self.rounds -= 1;
                return Err(self.out_of_rounds());
            }
            let batch = self.run(&seen, &plan).await;
            if let Some(end) = self.feed_back(&seen, &plan, batch)? {
                return Ok(end);
            }
        }
    }

    /// What can be told before round 1.
    fn check(&self, planners: &[Box<dyn Planner>]) -> Ended<()> {
        if self.goal.text.trim().is_empty() {
            return Err(usage("the goal is empty", "say in a sentence what is to be done"));
        }
        if planners.is_empty() {
            return Err(usage("no planner is given", "use --planner reflex, or configure a model"));
        }
        Ok(())
    }

    fn warn(&mut self, text: String) {
        self.world.note(Event::Notice { text: text.clone() });
        self.warnings.push(text);
    }

    /// The frame after the last batch while it is fresh, else a new one.
    async fn observe(&mut self) -> Ended<Observation> {
        let kept = self.after.take();
        if let Some(after) = &kept
            && let Some(frame) = &after.frame
            && self.world.now().since(frame.at) <= self.settings.reuse_frame
        {
            return Ok(kept.unwrap_or_default());
        }
        let mut seen = self.look().await?;
        if let Some(after) = kept {
            // Its picture is too old, but what it tells of dialogs and tabs is told only once.
            seen.dialogs.splice(0..0, after.dialogs);
            seen.notes.splice(0..0, after.notes);
        }
        Ok(seen)
    }

    async fn look(&mut self) -> Ended<Observation> {
        let mut last: Option<DeviceError> = None;
        for _ in 0..LOOKS {
            let world: &mut dyn World = &mut self.world;
            match world.observe(Want::frame()).await.map_err(stopped)? {
                Ok(seen) => return Ok(seen),
                Err(error) => last = Some(error),
            }
            // Only what is gone ends the run; a wait that failed says nothing about the next look.
            let _ = world.settle(self.settings.settle).await.map_err(stopped)?;
        }
        Err(last.map_or(End::Cancelled, |e| device_end(&e)))
    }

    /// One readable plan: asks again after a reply that could not be read, and the next planner when one abstains.
    async fn plan(&mut self, planners: &mut [Box<dyn Planner>], seen: &Observation, may_act: bool) -> Ended<Plan> {
        loop {
            let Some(planner) = planners.get_mut(self.planner) else {
                return Err(usage("no planner is left", "name one with --planner"));
            };
            let name = planner.name();
            let task = self.tasks.start(&mut self.world, TaskKind::Plan, name);
            let view = PlanView {
                goal: self.goal,
                observation: seen,
                space: self.space,
                settings: self.settings,
                round: self.rounds,
                may_act,
                last: &self.last,
            };
            let planned = planner.plan(&mut self.world, &view, &mut self.history).await;
            let planned = match planned {
                Ok(planned) => planned,
                Err(stop) => {
                    run::note(&mut self.world, task, TaskKind::Plan, name, TaskState::Cancelled, "");
                    return Err(stopped(stop));
                }
            };
            self.world.note(Event::Planned { plan: plan::record(name, &planned) });
            let (state, detail) = match &planned {
                Planned::Plan(_) => (TaskState::Finished, String::new()),
                Planned::Abstained { why, .. } | Planned::Misread { why, .. } | Planned::GaveUp { why } => {
                    (TaskState::Failed, why.clone())
                }
                Planned::Unavailable(error) => (TaskState::Failed, error.to_string()),
            };
            run::note(&mut self.world, task, TaskKind::Plan, name, state, &detail);
            match planned {
                Planned::Plan(plan) => {
                    self.misreads = 0;
                    self.history.bad_reply = None;
                    return Ok(plan);
                }
                Planned::Misread { why, raw } => self.misread(why, raw)?,
                Planned::GaveUp { why } => return Err(End::Failed { message: why }),
                Planned::Unavailable(error) => return Err(unavailable(&error)),
                // Nobody is asked to take over when nothing may be done any more.
                Planned::Abstained { .. } if !may_act => {
                    self.rounds -= 1;
                    return Err(self.out_of_rounds());
                }
                Planned::Abstained { why, candidates } => {
                    self.abstained(planners.len(), name, &seen.device_time, why, candidates)?;
                }
            }
        }
    }

    fn misread(&mut self, why: String, raw: String) -> Ended<()> {
        self.misreads += 1;
        self.failures += 1;
        if self.misreads >= MISREADS_IN_A_ROW {
            return Err(End::Error {
                kind: ErrorKind::Misread,
                message: format!(
                    "{MISREADS_IN_A_ROW} replies in a row could not be read; the last: {why}; it began {:?}",
                    clip(&raw, 300)
                ),
                hint: Some("try another model, or --effort fast; the report keeps the raw replies".to_owned()),
            });
        }
        self.too_many_failures(&why)?;
        self.history.bad_reply = Some(BadReply { raw, why });
        Ok(())
    }

    fn too_many_failures(&self, last: &str) -> Ended<()> {
        if self.failures < FAILURES_IN_ALL {
            return Ok(());
        }
        Err(End::Failed { message: format!("{FAILURES_IN_ALL} steps failed or could not be read; the last: {last}") })
    }

    /// Hands over to the next planner, which is told why; without one the run ends.
    fn abstained(
        &mut self,
        planners: usize,
        name: &str,
        device_time: &str,
        why: String,
        candidates: Vec<String>,
    ) -> Ended<()> {
        if self.planner + 1 >= planners {
            return Err(End::Abstained { why, candidates });
        }
        self.planner += 1;
        self.world.note(Event::Notice { text: format!("{name} abstained: {why}") });
        if self.actions > 0 {
            let text = feedback::of_takeover(device_time, &why);
            self.world.note(Event::Feedback { text: text.clone() });
            self.history.add_feedback(&text);
        }
        Ok(())
    }

    async fn run(&mut self, seen: &Observation, plan: &Plan) -> Batch {
        let batch = run::batch(&mut self.world, &mut self.tasks, self.settings, seen, &plan.actions).await;
        self.actions += u32::try_from(batch.done.iter().filter(|d| d.was_sent()).count()).unwrap_or(0);
        batch
    }

    /// Logs, feedback, failure counts and the guard. `Some` ends the run.
    fn feed_back(&mut self, seen: &Observation, plan: &Plan, batch: Batch) -> Ended<Option<End>> {
        let time = batch.after.as_ref().unwrap_or(seen).device_time.clone();
        let mut text = feedback::of_batch(&time, &batch.done);
        self.log(plan, &batch.done);
        if let Some(stop) = batch.stop {
            return Err(stopped(stop));
        }
        if let Some(end) = batch.end {
            return Err(end);
        }
        let failed = batch.has_failed();
        if failed {
            self.failed_batches += 1;
            self.failures += 1;
        } else {
            self.failed_batches = 0;
        }
        let circling = self.circling(seen, &batch);
        if let Some(warning) = feedback::of_circling(&circling) {
            text.push('\n');
            text.push_str(&warning);
        }
        // A question of the page that was dismissed usually means that nothing was done.
        let dismissed = batch.after.as_ref().is_some_and(|a| a.dialogs.iter().any(|d| !d.accepted));
        let confirmed = !failed && !dismissed && batch.done.iter().all(Done::is_confirmed);
        if let Some(end) = completion(plan) {
            if confirmed {
                return Ok(Some(end));
            }
            text.push('\n');
            text.push_str(feedback::COMPLETION_DROPPED);
        }
        self.world.note(Event::Feedback { text: text.clone() });
        let last = batch.done.iter().rev().find(|d| d.is_failure()).map(|d| format!("{}: {}", d.summary, d.outcome()));
        if self.failed_batches >= FAILED_BATCHES_IN_A_ROW {
            let last = last.unwrap_or_default();
            return Err(End::Failed {
                message: format!("{FAILED_BATCHES_IN_A_ROW} steps in a row failed; the last: {last}"),
            });
        }
        self.too_many_failures(last.as_deref().unwrap_or_default())?;
        if let Circling::Repeated { times, what } = &circling
            && *times >= guard::STOP_AT
        {
            let step = batch.done.last().map(|d| d.summary.clone()).unwrap_or_default();
            return Err(End::Stuck { why: format!("{what} for the {times}th time, without visible change: {step}") });
        }
        self.history.set_feedback(text);
        self.last = batch.done;
        self.after = batch.after;
        Ok(None)
    }

    fn log(&mut self, plan: &Plan, done: &[Done]) {
        let said = plan.log.trim();
        for (i, d) in done.iter().enumerate() {
            if d.result == DoneResult::Cancelled {
                continue;
            }
            let step = if i == 0 && !said.is_empty() { format!("{said} ({})", d.summary) } else { d.summary.clone() };
            self.history.log(&step, &d.outcome());
        }
    }

    fn circling(&mut self, seen: &Observation, batch: &Batch) -> Circling {
        let hash = |o: &Observation| o.frame.as_ref().map(|f| f.image.hash.clone());
        let actions = batch.done.iter().filter_map(|d| d.action.clone()).collect();
        let nothing_changed = batch.done.iter().all(Done::changed_nothing);
        self.guard.step(actions, hash(seen), batch.after.as_ref().and_then(hash), nothing_changed)
    }

    fn out_of_rounds(&self) -> End {
        End::BudgetExhausted {
            which: Budget::Rounds,
            message: format!(
                "the goal was not met within {} rounds; raise the limit with --max-rounds or HANDEYE_REPLANNING_CYCLE_LIMIT",
                self.settings.max_rounds
            ),
        }
    }
}

fn usage(message: &str, hint: &str) -> End {
    End::Error { kind: ErrorKind::Usage, message: message.to_owned(), hint: Some(hint.to_owned()) }
}

/// The end that a planner's completion means.
fn completion(plan: &Plan) -> Option<End> {
    plan.complete.as_ref().map(|c| {
        let message = c.message.clone();
        if c.success { End::Completed { message } } else { End::Failed { message } }
    })
}

/// Planners answer an action, a completion or a refusal; this stands for a planner that breaks that contract.
fn nothing_planned(plan: &Plan) -> End {
    End::Failed { message: format!("the planner decided nothing: {}", clip(&plan.thought, 200)) }
}

/// The end of a run whose model gave no reply.
pub(crate) fn unavailable(error: &ChatError) -> End {
    match error.kind {
        ChatErrorKind::Cancelled => return End::Cancelled,
        ChatErrorKind::OverBudget => {
            return End::BudgetExhausted { which: Budget::Money, message: error.message.clone() };
        }
        ChatErrorKind::OverTokens => {
            return End::BudgetExhausted { which: Budget::Tokens, message: error.message.clone() };
        }
        ChatErrorKind::Refused => return End::Refused { why: error.message.clone() },
        _ => {}
    }
    let mut message = error.message.clone();
    // The last attempt is what the message tells of; one that failed in the same way says nothing new.
    if let [earlier @ .., last] = error.failed_attempts.as_slice() {
        let how = |line: &str| line.split_once(": ").map_or(line, |(_, how)| how).to_owned();
        let others: Vec<&str> = earlier.iter().filter(|line| how(line) != how(last)).map(String::as_str).collect();
        if !others.is_empty() {
            message.push_str(&format!(" (earlier attempts: {})", others.join("; ")));
        }
    }
    End::Error { kind: error.kind(), message, hint: error.hint.clone() }
}

pub(crate) fn device_end(error: &DeviceError) -> End {
    End::Error { kind: error.kind(), message: error.to_string(), hint: error.hint.clone() }
}

pub(crate) fn stopped(stop: Stop) -> End {
    match stop {
        Stop::Cancelled => End::Cancelled,
        Stop::TimeOver => End::BudgetExhausted {
            which: Budget::Time,
            message: "the time limit is over; raise it with --timeout".to_owned(),
        },
        Stop::Gone(error) => device_end(&error),
        Stop::Broken(why) => End::Error { kind: ErrorKind::Device, message: why, hint: None },
    }
}
