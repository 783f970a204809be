//! Progress on standard error: each step before it is done, and then what was seen of it.
//!
//! The end of a run is not told here: it is the result.

use crate::screen::{Line, Screen};
use handeye::observe::Watch;
use handeye::{Effect, Event, Need, TaskKind, TaskState, Verdict};
use std::sync::{Arc, Mutex, PoisonError};

/// Which events are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tell {
    Nothing,
    /// The result of a single action says what came of it; saying it here too would be saying it twice.
    StepsOnly,
    All,
}

/// Prints as the run goes on; `None` when it is to be quiet.
pub(crate) fn watch(tell: Tell, screen: Arc<Screen>) -> Option<Watch> {
    if tell == Tell::Nothing {
        return None;
    }
    let teller = Mutex::new(Teller { effects: tell == Tell::All, ..Teller::default() });
    Some(Arc::new(move |event: &Event| {
        let told = teller.lock().unwrap_or_else(PoisonError::into_inner).told(event, &screen);
        match told {
            Told::Nothing => {}
            Told::Lines(lines) => lines.iter().for_each(|line| screen.line(line)),
            Told::Waits(what) => screen.status(&what),
        }
    }))
}

enum Told {
    Nothing,
    Lines(Vec<Line>),
    Waits(String),
}

impl From<Line> for Told {
    fn from(line: Line) -> Self {
        Self::Lines(vec![line])
    }
}

/// What an event means depends a little on those before it.
#[derive(Default)]
struct Teller {
    effects: bool,
    /// A model was asked since the last plan, so the plan's words are the model's.
    asked: bool,
    /// What the step under way was seen to do.
    effect: Option<Effect>,
}

impl Teller {
    fn told(&mut self, event: &Event, screen: &Screen) -> Told {
        match event {
            Event::Started { goal, device, .. } => {
                Told::Lines(vec![Line::heading(screen.piece(goal)), Line::aside(screen.piece(device))])
            }
            Event::Asked { need: Need::Chat(..), .. } => {
                self.asked = true;
                Told::Waits("asks the model".to_owned())
            }
            Event::Asked { need: Need::Pause(_), .. } => Told::Waits("waits".to_owned()),
            Event::Planned { plan } => {
                let is_models = std::mem::take(&mut self.asked);
                if let Some(why) = &plan.misread {
                    return Line::doubt(format!("reply not readable: {}", screen.piece(why))).into();
                }
                // What a planner says of its last plan is the result.
                let said = if plan.log.is_empty() { &plan.thought } else { &plan.log };
                if !is_models || said.is_empty() || plan.actions.is_empty() {
                    return Told::Nothing;
                }
                Line::aside(screen.piece(said)).into()
            }
            Event::Effect { effect, .. } => {
                self.effect = Some(effect.clone());
                Told::Nothing
            }
            Event::Task { kind, title, state, detail, .. } => self.task(*kind, *state, title, detail, screen),
            Event::Notice { text } => Line::note(screen.piece(text)).into(),
            _ => Told::Nothing,
        }
    }

    fn task(&mut self, kind: TaskKind, state: TaskState, title: &str, detail: &str, screen: &Screen) -> Told {
        match (kind, state) {
            (TaskKind::Action, TaskState::Running) => {
                self.effect = None;
                Line::step(screen.piece(title)).into()
            }
            (TaskKind::Action, TaskState::Finished | TaskState::Failed) if self.effects => match self.effect.take() {
                Some(effect) => came_of(&effect, title, screen).into(),
                None if state == TaskState::Failed => Line::bad(screen.piece(detail)).into(),
                None => Told::Nothing,
            },
            (TaskKind::Action, TaskState::Cancelled) if self.effects => {
                Line::aside(format!("not tried: {}", screen.piece(title))).into()
            }
            (TaskKind::Insight, TaskState::Running) => Line::step(screen.piece(title)).into(),
            (TaskKind::Insight, TaskState::Finished) => Line::good(screen.piece(detail)).into(),
            (TaskKind::Locate, TaskState::Failed) if self.effects => {
                Line::bad(format!("{}: {}", screen.piece(title), screen.piece(detail))).into()
            }
            _ => Told::Nothing,
        }
    }
}

/// The mark says the state of the effect, as the words do.
fn came_of(effect: &Effect, title: &str, screen: &Screen) -> Line {
    let mut said = effect.to_string();
    if let Some(on) = effect.on.as_ref().filter(|on| !title.contains(on.as_str())) {
        said = format!("on {on}, {said}");
    }
    let said = screen.piece(&said);
    match effect.verdict {
        Verdict::Confirmed => Line::good(said),
        Verdict::Unverified | Verdict::NoOpSuspected => Line::doubt(said),
        Verdict::Reverted | Verdict::Refused | Verdict::Covered { .. } => Line::bad(said),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(kind: TaskKind, state: TaskState, detail: &str) -> Event {
        Event::Task { id: 1, kind, title: "Tap - Save".into(), state, detail: detail.into() }
    }

    /// The lines that these events make.
    fn told(effects: bool, events: &[Event]) -> String {
        let screen = Screen::default();
        let mut teller = Teller { effects, ..Teller::default() };
        let mut text = String::new();
        for event in events {
            match teller.told(event, &screen) {
                Told::Nothing => {}
                Told::Lines(lines) => lines.iter().for_each(|l| text.push_str(&(screen.drawn(l) + "\n"))),
                Told::Waits(what) => text.push_str(&format!("[{what}]\n")),
            }
        }
        text
    }

    #[test]
    fn a_step_is_told_before_it_is_done_and_marked_by_its_effect() {
        let step = |effect: Effect, state| {
            let events = [
                task(TaskKind::Action, TaskState::Running, ""),
                Event::Effect { task: 1, effect },
                task(TaskKind::Action, state, "done"),
            ];
            (told(true, &events), told(false, &events))
        };
        let check = |effect: Effect, state, came_of: &str| {
            let (all, steps) = step(effect, state);
            assert_eq!(all, format!("  → Tap - Save\n    {came_of}\n"));
            assert_eq!(steps, "  → Tap - Save\n");
        };
        let because = "the page says so";
        check(Effect::confirmed(because), TaskState::Finished, "✓ confirmed: the page says so");
        check(Effect::unverified(because), TaskState::Finished, "! unverified: the page says so");
        check(Effect::new(Verdict::NoOpSuspected, because), TaskState::Finished, "! no-op suspected: the page says so");
        let covered = Effect::new(Verdict::Covered { by: "dialog \"Cookies\"".into() }, because);
        check(covered, TaskState::Failed, "✗ covered by dialog \"Cookies\": the page says so");
        let elsewhere = Effect::confirmed(because).on("button \"Store\"");
        check(elsewhere, TaskState::Finished, "✓ on button \"Store\", confirmed: the page says so");
    }

    #[test]
    fn steps_that_never_ran_are_told_as_such() {
        let events = [
            task(TaskKind::Locate, TaskState::Failed, "no such button"),
            task(TaskKind::Action, TaskState::Cancelled, ""),
            task(TaskKind::Action, TaskState::Running, ""),
            task(TaskKind::Action, TaskState::Failed, "failed: the page is gone"),
        ];
        assert_eq!(
            told(true, &events),
            "    ✗ Tap - Save: no such button\n  not tried: Tap - Save\n  → Tap - Save\n    ✗ failed: the page is gone\n"
        );
    }
}
