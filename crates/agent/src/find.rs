//! Where something is: what `handeye locate` says. Nothing is done to it.

use crate::act::{device_end, stopped};
use crate::budget::Metered;
use crate::locate::NotFound;
use crate::locate::tree::Purpose;
use crate::run::{self, Sight, Tasks};
use crate::settings::Settings;
use handeye_core::event::Receipt;
use handeye_core::{Element, End, Event, Outcome, Rung, Target, Want, World};
use serde_json::{Value, json};

/// Looks, locates, and says where and how. The outcome's value is the element with its receipt.
pub async fn find(world: &mut dyn World, target: &Target, settings: &Settings) -> Outcome {
    let mut metered = Metered::new(world, settings.budget_tokens);
    let (end, value) = match run(&mut metered, target, settings).await {
        Ok((end, receipt)) => (end, Some(value(&receipt))),
        Err(end) => (end, None),
    };
    let outcome = looked(&metered, end, value);
    world.note(Event::Ended { outcome: outcome.clone() });
    outcome
}

/// The outcome of work that did nothing to the screen.
pub(crate) fn looked(metered: &Metered<'_>, end: End, value: Option<Value>) -> Outcome {
    Outcome {
        end,
        rounds: 1,
        actions: 0,
        model_calls: metered.calls,
        usage: metered.usage,
        microdollars: metered.microdollars(),
        value,
        planner: "none".to_owned(),
        warnings: Vec::new(),
    }
}

async fn run(world: &mut dyn World, target: &Target, settings: &Settings) -> Result<(End, Receipt), End> {
    world.note(Event::Round { number: 1 });
    let seen = world.observe(Want::frame()).await.map_err(stopped)?.map_err(|e| device_end(&e))?;
    let (mut tasks, mut sight) = (Tasks::default(), Sight::of(&seen));
    let located = run::locate_task(world, &mut tasks, settings, &mut sight, (target, Purpose::Point)).await;
    let (found, receipt) = located.map_err(stopped)?;
    let end = match found {
        Ok(element) => End::Completed { message: said(&element) },
        Err(NotFound { end: Some(end), .. }) => end,
        Err(NotFound { why, .. }) => End::Failed { message: format!("`{}` was not found: {why}", target.description) },
    };
    Ok((end, receipt))
}

/// `(140, 115) in 80x30 at (100, 100): button "Save", found by the UI tree`
fn said(element: &Element) -> String {
    let label = element.label.as_ref().map(|label| format!("{label}, ")).unwrap_or_default();
    format!("{} in {}: {label}found by {}", element.point, element.rect, rung(element.found_by))
}

/// A rung in words.
pub(crate) fn rung(rung: Rung) -> &'static str {
    match rung {
        Rung::Selector => "the selector",
        Rung::Cache => "the cache",
        Rung::Tree => "the UI tree",
        Rung::Plan => "the plan's box",
        Rung::Ocr => "its text on the screen",
        Rung::Model => "the model",
        Rung::Deep => "the model, on an enlarged part",
    }
}

/// Numbers in logical points; `element` is null when it was not found.
fn value(receipt: &Receipt) -> Value {
    json!({ "element": receipt.element, "rungs": receipt.rungs })
}
