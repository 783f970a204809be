//! Which work a command means.

use crate::args::{Command, CursorSide, Edge, Mode, RunArgs, Side, Single};
use clap::ValueEnum;
use handeye::{Action, Direction, Goal, InputMode, ScrollKind, Selector, Target, Work};
use std::path::PathBuf;

/// In words, or a selector when it begins as one. What a command names must be there.
fn target(words: String) -> Result<Target, String> {
    if words.trim().is_empty() {
        return Err("the target is empty: say in words which element is meant".to_owned());
    }
    let selector = Selector::read(&words).transpose().map_err(|e| e.to_string())?;
    Ok(Target { description: words, selector, ..Target::default() })
}

fn one(single: Single, action: impl FnOnce(Target) -> Action<Target>) -> Result<(Action<Target>, RunArgs), String> {
    Ok((action(target(single.target)?), single.run))
}

/// The work and the arguments of its run.
///
/// # Errors
/// A message when the command is none that works on a device.
pub(crate) fn of(command: Command) -> Result<(Work, RunArgs), String> {
    let (action, run) = match command {
        Command::Act { goal, planner, run } => {
            let planners = planner.into_iter().map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect();
            return Ok((Work::Goal { goal: Goal::new(goal), planners }, run));
        }
        Command::Tap(s) => one(s, |locate| Action::Tap { locate })?,
        Command::DoubleClick(s) => one(s, |locate| Action::DoubleClick { locate })?,
        Command::RightClick(s) => one(s, |locate| Action::RightClick { locate })?,
        Command::Hover(s) => one(s, |locate| Action::Hover { locate })?,
        Command::Clear(s) => one(s, |t| Action::ClearInput { locate: Some(t) })?,
        Command::LongPress { target: t, duration, run } => {
            let duration = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
            (Action::LongPress { locate: target(t)?, duration }, run)
        }
        Command::Input { target: t, text, mode, run } => {
            (Action::Input { value: text, mode: input_mode(mode), locate: Some(target(t)?) }, run)
        }
        Command::Press { keys, target: t, run } => {
            (Action::KeyboardPress { key_name: keys, locate: t.map(target).transpose()? }, run)
        }
        Command::Scroll { target: t, direction, distance, to, run } => match t.as_deref().and_then(side) {
            // `handeye scroll down` says where to, and names no element.
            Some(side) => (scroll(None, side, distance, to), run),
            None => (scroll(t.map(target).transpose()?, direction, distance, to), run),
        },
        Command::Drag { from, to, run } => (Action::DragAndDrop { from: target(from)?, to: target(to)? }, run),
        Command::Select { target: t, option, run } => (Action::Select { locate: target(t)?, option }, run),
        Command::Upload { target: t, files, mut run } => {
            // Whoever names a file here allows that it is given to the page.
            run.device.upload.extend(files.iter().map(PathBuf::from));
            (Action::Upload { locate: target(t)?, files }, run)
        }
        Command::Cursor { direction, times, run } => {
            let direction = match direction {
                CursorSide::Left => Direction::Left,
                CursorSide::Right => Direction::Right,
            };
            (Action::CursorMove { direction, times }, run)
        }
        Command::Navigate { url, run } => (Action::Navigate { url }, run),
        Command::Reload { run } => (Action::Reload, run),
        Command::Back { run } => (Action::GoBack, run),
        Command::Forward { run } => (Action::GoForward, run),
        Command::Doctor { .. }
        | Command::Models { .. }
        | Command::Replay { .. }
        | Command::Report { .. }
        | Command::Reap { .. } => {
            return Err("this command works on no device".to_owned());
        }
    };
    Ok((Work::Single(action), run))
}

fn input_mode(mode: Mode) -> InputMode {
    match mode {
        Mode::Replace => InputMode::Replace,
        Mode::Append => InputMode::Append,
        Mode::TypeOnly => InputMode::TypeOnly,
        Mode::Clear => InputMode::Clear,
    }
}

fn side(word: &str) -> Option<Side> {
    Side::from_str(word.trim(), true).ok()
}

fn scroll(locate: Option<Target>, side: Side, distance: Option<f64>, to: Option<Edge>) -> Action<Target> {
    let direction = match side {
        Side::Down => Direction::Down,
        Side::Up => Direction::Up,
        Side::Right => Direction::Right,
        Side::Left => Direction::Left,
    };
    let scroll_type = match to {
        None => ScrollKind::SingleAction,
        Some(Edge::Bottom) => ScrollKind::ScrollToBottom,
        Some(Edge::Top) => ScrollKind::ScrollToTop,
        Some(Edge::Right) => ScrollKind::ScrollToRight,
        Some(Edge::Left) => ScrollKind::ScrollToLeft,
    };
    Action::Scroll { direction, scroll_type, distance, locate }
}
