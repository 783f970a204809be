//! One action of its own, without a planner: what `handeye tap` and its like do.

use crate::act::{device_end, stopped};
use crate::budget::Metered;
use crate::run::{self, Done, DoneResult, Tasks};
use crate::settings::Settings;
use handeye_core::{Action, End, ErrorKind, Event, Outcome, Target, Want, World};

/// Looks, locates, acts, and says what became of it.
pub async fn single(world: &mut dyn World, action: Action<Target>, settings: &Settings) -> Outcome {
    let mut metered = Metered::new(world, settings.budget_tokens);
    let (end, actions) = match run(&mut metered, action, settings).await {
        Ok((end, done)) => (end, u32::from(done.was_sent())),
        Err(end) => (end, 0),
    };
    let (model_calls, usage, microdollars) = (metered.calls, metered.usage, metered.microdollars());
    let outcome = Outcome {
        end,
        rounds: 1,
        actions,
        model_calls,
        microdollars,
        value: None,
        usage,
        planner: "none".to_owned(),
        warnings: Vec::new(),
    };
    world.note(Event::Ended { outcome: outcome.clone() });
    outcome
}

async fn run(world: &mut dyn World, action: Action<Target>, settings: &Settings) -> Result<(End, Done), End> {
    world.note(Event::Round { number: 1 });
    let seen = world.observe(Want::frame()).await.map_err(stopped)?.map_err(|e| device_end(&e))?;
    let mut tasks = Tasks::default();
    let mut batch = run::batch(world, &mut tasks, settings, &seen, &[action]).await;
    let done = batch.done.pop().ok_or(End::Cancelled)?;
    let dismissed =
        batch.after.as_ref().is_some_and(|after| after.dialogs.iter().any(|d| d.is_question() && !d.accepted));
    let end = match batch.stop {
        Some(stop) => stopped(stop),
        None if let Some(end) = batch.end => end,
        // The page asked, and the answer was no: what was to be done was not.
        None if dismissed => End::Failed { message: format!("{}: {}", done.summary, done.outcome()) },
        None => end(&done),
    };
    Ok((end, done))
}

fn end(done: &Done) -> End {
    match &done.result {
        // What went away before the input is the task's failure, not the device's.
        DoneResult::Failed(error) if error.kind() != ErrorKind::NotFound => device_end(error),
        _ if done.is_failure() => End::Failed { message: format!("{}: {}", done.summary, done.outcome()) },
        _ => End::Completed { message: format!("{}: {}", done.summary, done.outcome()) },
    }
}
