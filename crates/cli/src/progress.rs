//! Progress on standard error, one line for each thing that a person would want to know.

use handeye::observe::Watch;
use handeye::{Event, TaskKind, TaskState};
use std::sync::Arc;

/// Prints as the run goes on; `None` when it is to be quiet.
pub(crate) fn watch(quiet: bool) -> Option<Watch> {
    if quiet {
        return None;
    }
    let colours = crate::has_colours();
    Some(Arc::new(move |event: &Event| {
        if let Some(line) = line(event, colours) {
            crate::say(&line);
        }
    }))
}

fn paint(text: &str, code: &str, colours: bool) -> String {
    if colours { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}

fn line(event: &Event, colours: bool) -> Option<String> {
    match event {
        Event::Started { goal, device, .. } => Some(format!("{} — {device}", paint(goal, "1", colours))),
        Event::Planned { plan } => {
            if let Some(why) = &plan.misread {
                return Some(format!("  {} reply not readable: {why}", paint("!", "33", colours)));
            }
            let said = if plan.log.is_empty() { &plan.thought } else { &plan.log };
            (!said.is_empty()).then(|| paint(&format!("  {said}"), "2", colours))
        }
        Event::Task { kind: TaskKind::Action, title, state, detail, .. } => match state {
            TaskState::Finished => Some(format!("  {} {title}: {detail}", paint("✓", "32", colours))),
            TaskState::Failed => Some(format!("  {} {title}: {detail}", paint("✗", "31", colours))),
            TaskState::Cancelled => Some(format!("  {} {title}: not tried", paint("-", "2", colours))),
            TaskState::Pending | TaskState::Running => None,
        },
        Event::Task { kind: TaskKind::Locate, title, state: TaskState::Failed, detail, .. } => {
            Some(format!("  {} {title}: {detail}", paint("✗", "31", colours)))
        }
        Event::Notice { text } => Some(format!("  {} {text}", paint("·", "33", colours))),
        _ => None,
    }
}
