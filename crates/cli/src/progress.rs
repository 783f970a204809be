//! Progress on standard error, one line for each thing that a person would want to know.

use crate::screen::Screen;
use handeye::observe::Watch;
use handeye::{Event, TaskKind, TaskState};
use std::sync::Arc;

/// Prints as the run goes on; `None` when it is to be quiet.
pub(crate) fn watch(quiet: bool, screen: Arc<Screen>) -> Option<Watch> {
    if quiet {
        return None;
    }
    Some(Arc::new(move |event: &Event| {
        if let Some(line) = line(event, &screen) {
            screen.say(&line);
        }
    }))
}

fn line(event: &Event, screen: &Screen) -> Option<String> {
    let mark = |mark: &str, colour: &str, title: &str, detail: &str| {
        Some(format!("  {} {}: {}", screen.paint(mark, colour), screen.piece(title), screen.piece(detail)))
    };
    match event {
        Event::Started { goal, device, .. } => {
            Some(format!("{} — {}", screen.paint(&screen.piece(goal), "1"), screen.piece(device)))
        }
        Event::Planned { plan } => {
            if let Some(why) = &plan.misread {
                return mark("!", "33", "reply not readable", why);
            }
            let said = if plan.log.is_empty() { &plan.thought } else { &plan.log };
            (!said.is_empty()).then(|| screen.paint(&format!("  {}", screen.piece(said)), "2"))
        }
        Event::Task { kind: TaskKind::Action, title, state, detail, .. } => match state {
            TaskState::Finished => mark("✓", "32", title, detail),
            TaskState::Failed => mark("✗", "31", title, detail),
            TaskState::Cancelled => mark("-", "2", title, "not tried"),
            TaskState::Pending | TaskState::Running => None,
        },
        Event::Task { kind: TaskKind::Locate, title, state: TaskState::Failed, detail, .. } => {
            mark("✗", "31", title, detail)
        }
        Event::Notice { text } => Some(format!("  {} {}", screen.paint("·", "33"), screen.piece(text))),
        _ => None,
    }
}
