//! A run as plain text: its steps and what came of them.

use super::data::{Data, Plan, Step};
use super::gather::Gather;
use crate::reader::Run;
use handeye_core::text;
use std::fmt::Write as _;

/// The steps of a run, one or two lines each, for terminals and for Markdown. Ends with a line break.
pub fn summary(run: &Run) -> String {
    let id = run.dir.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let mut gather = Gather::default();
    run.events.iter().for_each(|envelope| gather.take(envelope.clone()));
    of_data(&gather.finish(&id, &run.faults))
}

pub(crate) fn of_data(data: &Data) -> String {
    let mut out = String::new();
    let run = &data.run;
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!("Goal: {}", run.goal));
    line(format!("End: {}{}", run.end.kind, after(": ", &run.end.message)));
    if let Some(hint) = &run.end.hint {
        line(format!("Hint: {hint}"));
    }
    let figures = &run.figures;
    line(format!(
        "{} rounds, {} actions, {} model calls, {} tokens{}, {}",
        figures.rounds,
        figures.actions,
        figures.calls,
        figures.usage.total(),
        dollars(figures.microdollars),
        seconds(figures.millis)
    ));
    line(format!("Device: {}{}", run.device, after(", model: ", &run.model)));
    run.warnings.iter().for_each(|w| line(format!("Warning: {w}")));
    run.faults.iter().for_each(|f| line(format!("Record: {f}")));
    let mut number = 0;
    for round in &data.rounds {
        line(String::new());
        let place = after("  ", &round.url);
        line(if round.number == 0 { format!("Start{place}") } else { format!("Round {}{place}", round.number) });
        round.plans.iter().for_each(|plan| plan_lines(plan, &mut line));
        for step in &round.steps {
            number += 1;
            line(format!("  {number}. {} → {} [{}]", step.title, came_of(step), seconds(step.parts.total())));
        }
        round.feedback.iter().for_each(|f| line(format!("  told the planner: {}", one_line(f))));
        round.notices.iter().for_each(|n| line(format!("  notice: {}", one_line(n))));
    }
    data.typed_secrets.text(&out).into_owned()
}

fn plan_lines(plan: &Plan, line: &mut impl FnMut(String)) {
    if !plan.thought.is_empty() {
        line(format!("  thought: {}", one_line(&plan.thought)));
    }
    if !plan.log.is_empty() {
        line(format!("  log: {}", one_line(&plan.log)));
    }
    plan.repairs.iter().for_each(|r| line(format!("  repaired: {}", one_line(r))));
    if let Some(why) = &plan.misread {
        line(format!("  the reply could not be read: {}", one_line(why)));
    }
    if let Some(why) = &plan.abstained {
        line(format!("  abstained: {}", one_line(why)));
    }
    if let Some(why) = plan.unavailable.as_ref().filter(|_| plan.calls.iter().all(|c| c.error.is_none())) {
        line(format!("  no reply: {}", one_line(why)));
    }
    for error in plan.calls.iter().filter_map(|c| c.error.as_ref()) {
        line(format!("  model error: {}", one_line(&error.message)));
    }
    if let Some((success, message)) = &plan.complete {
        let word = if *success { "complete" } else { "gives up" };
        line(format!("  {word}{}", after(": ", &one_line(message))));
    }
    if plan.unfinished {
        line("  the record ends before the planner decided".into());
    }
}

fn came_of(step: &Step) -> String {
    if let Some(error) = &step.error {
        return format!("failed: {}", one_line(&error.message));
    }
    match &step.effect {
        Some(effect) => {
            let by = effect.by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
            format!("{}{by}: {}", effect.verdict, one_line(&effect.because))
        }
        None => format!("{}{}", step.state, after(": ", &one_line(&step.detail))),
    }
}

fn after(sign: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{sign}{text}") }
}

fn one_line(text: &str) -> String {
    text::clip(&text.split_whitespace().collect::<Vec<_>>().join(" "), 300)
}

/// `, $0.0123`; nothing where no price was known.
fn dollars(millionths: u64) -> String {
    let sum = millionths as f64 / 1e6;
    match millionths {
        0 => String::new(),
        1_000_000.. => format!(", ${sum:.2}"),
        _ => format!(", ${sum:.4}"),
    }
}

/// `0.4 s`, `2 min 5 s`.
pub(super) fn seconds(millis: u64) -> String {
    match millis {
        0..60_000 => {
            let mut text = String::new();
            _ = write!(text, "{}.{} s", millis / 1000, millis % 1000 / 100);
            text
        }
        _ => format!("{} min {} s", millis / 60_000, millis % 60_000 / 1000),
    }
}
