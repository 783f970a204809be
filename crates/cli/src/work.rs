//! Which work a command means.

use crate::args::{Asking, Command, CursorSide, Edge, LookArgs, Mode, RunArgs, Side, Single};
use clap::ValueEnum;
use handeye::{Action, Direction, Goal, InputMode, Kind, Point, Question, ScrollKind, Selector, Target, Work};
use std::path::{Path, PathBuf};
use std::time::Duration;

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
        Command::Query { demand, schema, look, run } => {
            let schema = schema.as_deref().map(read_schema).transpose()?;
            return Ok((question(Kind::Query { schema }, demand, &look), run));
        }
        Command::Ask(asking) => return Ok(asked(Kind::String, asking)),
        Command::Number(asking) => return Ok(asked(Kind::Number, asking)),
        Command::Boolean(asking) => return Ok(asked(Kind::Boolean, asking)),
        Command::Assert(asking) => return Ok(asked(Kind::Assert, asking)),
        Command::Wait { statement, within, every, look, run } => {
            let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            let kind = Kind::Wait { at_most: ms(within), every: ms(every) };
            return Ok((question(kind, statement, &look), run));
        }
        Command::Describe { at: (x, y), run } => return Ok((Work::Describe(Point::new(x, y)), run)),
        Command::Locate(s) => return Ok((Work::Locate(target(s.target)?), s.run)),
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

fn question(kind: Kind, words: String, look: &LookArgs) -> Work {
    Work::Question(Question { tree: look.tree, screenshot: !look.no_screenshot, ..Question::new(kind, words) })
}

fn asked(kind: Kind, Asking { words, look, run }: Asking) -> (Work, RunArgs) {
    (question(kind, words, &look), run)
}

/// JSON, or a file that holds it.
fn read_schema(given: &str) -> Result<serde_json::Value, String> {
    let text = if given.trim_start().starts_with(['{', 't', 'f']) && !Path::new(given).is_file() {
        given.to_owned()
    } else {
        std::fs::read_to_string(given).map_err(|e| format!("the schema `{given}` cannot be read: {e}"))?
    };
    serde_json::from_str(&text).map_err(|e| format!("the schema is not JSON: {e}"))
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
