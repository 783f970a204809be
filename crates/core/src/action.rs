//! Actions are data: a closed set of common verbs, and one open arm for a platform's own.

use crate::{Logical, NodeRef, Point, Rect, Selector, Unit};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    #[default]
    Down,
    Up,
    Right,
    Left,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum InputMode {
    /// The field holds exactly the text afterwards.
    #[default]
    Replace,
    /// The text is put behind what the field holds.
    Append,
    /// The text goes to where the caret is; nothing is clicked first unless a target is given.
    TypeOnly,
    /// The field is emptied; the text is ignored.
    Clear,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ScrollKind {
    #[default]
    SingleAction,
    ScrollToBottom,
    ScrollToTop,
    ScrollToRight,
    ScrollToLeft,
}

/// Paths of files to give to a page.
pub type UploadFiles = Vec<String>;

/// What a step is about, before it is located.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// In words: `the Save button in the dialog`.
    pub description: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim: Option<Claim>,
    /// The user's own way to find it, which is tried before every other.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub selector: Option<Selector>,
    /// It is small, or one of many alike: the model is to look at an enlarged part of the screen.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub deep: bool,
}

impl Target {
    /// A target in words alone.
    pub fn new(description: impl Into<String>) -> Self {
        Self { description: description.into(), ..Self::default() }
    }
}

/// Where the planner says that the target is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// The coordinates as the model wrote them, in the model's own space. `null` when it gave the key without a value.
    Model(Value),
    /// A point of the picture that the model was shown, as parts of it, and what the model wrote.
    Place { said: Value, at: Point<Unit> },
    /// An element of the UI tree, with the score and the reason that chose it.
    Node { element: Element, score: f64, why: String },
}

/// Which way of locating found an element. In the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rung {
    Selector,
    Cache,
    Tree,
    /// The box given with the plan.
    Plan,
    Ocr,
    Model,
    Deep,
}

/// A located target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// In words, as the target was described.
    pub description: String,
    pub rect: Rect<Logical>,
    /// Where to click: kept apart from the rectangle, whose centre may be covered.
    pub point: Point<Logical>,
    pub found_by: Rung,
    /// From 0 to 1.
    pub confidence: f64,
    /// The device's handle, where the element is one that the UI tree knows: the device checks it before input.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub node: Option<NodeRef>,
    /// `role "name"` of that node.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub label: Option<String>,
    /// A password field: what is typed into it is shown to nobody.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub secret: bool,
}

/// One step. `T` is [`Target`] as planned and [`Element`] once located.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase", tag = "verb")]
pub enum Action<T> {
    Tap {
        locate: T,
    },
    DoubleClick {
        locate: T,
    },
    RightClick {
        locate: T,
    },
    Hover {
        locate: T,
    },
    /// `duration` in milliseconds.
    LongPress {
        locate: T,
        duration: u64,
    },
    Input {
        value: String,
        mode: InputMode,
        locate: Option<T>,
    },
    ClearInput {
        locate: Option<T>,
    },
    /// `key_name`: one key or a chord such as `Control+Shift+K`.
    KeyboardPress {
        key_name: String,
        locate: Option<T>,
    },
    CursorMove {
        direction: Direction,
        times: u32,
    },
    /// `distance` in logical points; `None` is most of a screenful.
    Scroll {
        direction: Direction,
        scroll_type: ScrollKind,
        distance: Option<f64>,
        locate: Option<T>,
    },
    DragAndDrop {
        from: T,
        to: T,
    },
    /// Chooses an option of a drop-down list by its text.
    Select {
        locate: T,
        option: String,
    },
    /// Gives files to a file field.
    Upload {
        locate: T,
        files: UploadFiles,
    },
    /// `time_ms` in milliseconds.
    Sleep {
        time_ms: u64,
    },
    Navigate {
        url: String,
    },
    Reload,
    GoBack,
    GoForward,
    /// Closes the tab in front and goes back to the one before it.
    CloseTab,
    /// A verb of the platform or the user.
    Device {
        name: String,
        args: Map<String, Value>,
        targets: Vec<(String, T)>,
    },
}

/// The names of the common verbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    Tap,
    DoubleClick,
    RightClick,
    Hover,
    LongPress,
    Input,
    ClearInput,
    KeyboardPress,
    CursorMove,
    Scroll,
    DragAndDrop,
    Select,
    Upload,
    Sleep,
    Navigate,
    Reload,
    GoBack,
    GoForward,
    CloseTab,
}

impl Verb {
    /// Every common verb, in the order of a menu.
    pub const ALL: [Self; 19] = [
        Self::Tap,
        Self::DoubleClick,
        Self::RightClick,
        Self::Hover,
        Self::LongPress,
        Self::Input,
        Self::ClearInput,
        Self::KeyboardPress,
        Self::CursorMove,
        Self::Scroll,
        Self::DragAndDrop,
        Self::Select,
        Self::Upload,
        Self::Sleep,
        Self::Navigate,
        Self::Reload,
        Self::GoBack,
        Self::GoForward,
        Self::CloseTab,
    ];
}

impl<T> Action<T> {
    pub fn verb(&self) -> &str {
        match self {
            Self::Tap { .. } => "Tap",
            Self::DoubleClick { .. } => "DoubleClick",
            Self::RightClick { .. } => "RightClick",
            Self::Hover { .. } => "Hover",
            Self::LongPress { .. } => "LongPress",
            Self::Input { .. } => "Input",
            Self::ClearInput { .. } => "ClearInput",
            Self::KeyboardPress { .. } => "KeyboardPress",
            Self::CursorMove { .. } => "CursorMove",
            Self::Scroll { .. } => "Scroll",
            Self::DragAndDrop { .. } => "DragAndDrop",
            Self::Select { .. } => "Select",
            Self::Upload { .. } => "Upload",
            Self::Sleep { .. } => "Sleep",
            Self::Navigate { .. } => "Navigate",
            Self::Reload => "Reload",
            Self::GoBack => "GoBack",
            Self::GoForward => "GoForward",
            Self::CloseTab => "CloseTab",
            Self::Device { name, .. } => name,
        }
    }

    /// The targets in the order in which they are located, each with its parameter's name.
    pub fn targets(&self) -> Vec<(&str, &T)> {
        match self {
            Self::Tap { locate }
            | Self::DoubleClick { locate }
            | Self::RightClick { locate }
            | Self::Hover { locate }
            | Self::LongPress { locate, .. }
            | Self::Select { locate, .. }
            | Self::Upload { locate, .. } => vec![("locate", locate)],
            Self::Input { locate, .. }
            | Self::ClearInput { locate }
            | Self::KeyboardPress { locate, .. }
            | Self::Scroll { locate, .. } => locate.iter().map(|t| ("locate", t)).collect(),
            Self::DragAndDrop { from, to } => vec![("from", from), ("to", to)],
            Self::Device { targets, .. } => targets.iter().map(|(n, t)| (n.as_str(), t)).collect(),
            Self::CursorMove { .. }
            | Self::Sleep { .. }
            | Self::Navigate { .. }
            | Self::Reload
            | Self::GoBack
            | Self::GoForward
            | Self::CloseTab => Vec::new(),
        }
    }

    /// The same action with its targets replaced by `with`, in the order of [`Action::targets`]. `None` when there are too few.
    pub fn with_targets<U>(self, with: Vec<U>) -> Option<Action<U>> {
        let mut with = with.into_iter();
        let mut next = || with.next();
        let optional = |old: Option<T>, next: &mut dyn FnMut() -> Option<U>| match old {
            Some(_) => next().map(Some),
            None => Some(None),
        };
        Some(match self {
            Self::Tap { .. } => Action::Tap { locate: next()? },
            Self::DoubleClick { .. } => Action::DoubleClick { locate: next()? },
            Self::RightClick { .. } => Action::RightClick { locate: next()? },
            Self::Hover { .. } => Action::Hover { locate: next()? },
            Self::LongPress { duration, .. } => Action::LongPress { locate: next()?, duration },
            Self::Input { value, mode, locate } => Action::Input { value, mode, locate: optional(locate, &mut next)? },
            Self::ClearInput { locate } => Action::ClearInput { locate: optional(locate, &mut next)? },
            Self::KeyboardPress { key_name, locate } => {
                Action::KeyboardPress { key_name, locate: optional(locate, &mut next)? }
            }
            Self::CursorMove { direction, times } => Action::CursorMove { direction, times },
            Self::Scroll { direction, scroll_type, distance, locate } => {
                Action::Scroll { direction, scroll_type, distance, locate: optional(locate, &mut next)? }
            }
            Self::DragAndDrop { .. } => Action::DragAndDrop { from: next()?, to: next()? },
            Self::Select { option, .. } => Action::Select { locate: next()?, option },
            Self::Upload { files, .. } => Action::Upload { locate: next()?, files },
            Self::Sleep { time_ms } => Action::Sleep { time_ms },
            Self::Navigate { url } => Action::Navigate { url },
            Self::Reload => Action::Reload,
            Self::GoBack => Action::GoBack,
            Self::GoForward => Action::GoForward,
            Self::CloseTab => Action::CloseTab,
            Self::Device { name, args, targets } => {
                let targets = targets.into_iter().map(|(n, _)| next().map(|u| (n, u))).collect::<Option<Vec<_>>>()?;
                Action::Device { name, args, targets }
            }
        })
    }

    /// May be done twice without harm: looking, waiting, moving the pointer, scrolling to an edge.
    pub fn is_idempotent(&self) -> bool {
        match self {
            Self::Hover { .. }
            | Self::Sleep { .. }
            | Self::Reload
            | Self::Navigate { .. }
            | Self::ClearInput { .. }
            | Self::Select { .. } => true,
            Self::Input { mode, .. } => matches!(mode, InputMode::Replace | InputMode::Clear),
            Self::Scroll { scroll_type, .. } => *scroll_type != ScrollKind::SingleAction,
            _ => false,
        }
    }
}

impl Action<Target> {
    /// `Tap - the Save button`, `Input "alice" - Username`: one line for people and logs.
    pub fn summary(&self) -> String {
        let is_secret = |t: &Target| matches!(&t.claim, Some(Claim::Node { element, .. }) if element.secret);
        summary(self, |t| t.description.as_str(), is_secret)
    }
}
impl Action<Element> {
    pub fn summary(&self) -> String {
        summary(self, |e| e.description.as_str(), |e| e.secret)
    }
}

fn summary<'a, T>(action: &'a Action<T>, name: impl Fn(&'a T) -> &'a str, is_secret: impl Fn(&'a T) -> bool) -> String {
    let detail = match action {
        Action::Input { value, mode: InputMode::Clear, .. } if value.is_empty() => "clear".to_owned(),
        Action::Input { locate: Some(field), .. } if is_secret(field) => "a secret".to_owned(),
        Action::Input { value, .. } => format!("{:?}", crate::text::clip(value, 60)),
        Action::KeyboardPress { key_name, .. } => key_name.clone(),
        Action::Select { option, .. } => format!("{option:?}"),
        Action::Scroll { direction, scroll_type: ScrollKind::SingleAction, distance, .. } => {
            let side = format!("{direction:?}").to_lowercase();
            distance.map_or(side.clone(), |d| format!("{side} {d:.0}"))
        }
        Action::Scroll { scroll_type, .. } => match scroll_type {
            ScrollKind::ScrollToBottom => "to the bottom".to_owned(),
            ScrollKind::ScrollToTop => "to the top".to_owned(),
            ScrollKind::ScrollToRight => "to the right edge".to_owned(),
            _ => "to the left edge".to_owned(),
        },
        Action::Navigate { url } => url.clone(),
        Action::Sleep { time_ms } => format!("{time_ms} ms"),
        Action::CursorMove { direction, times } => format!("{direction:?} x{times}").to_lowercase(),
        Action::Upload { files, .. } => files.join(", "),
        Action::Device { args, .. } if !args.is_empty() => Value::Object(args.clone()).to_string(),
        _ => String::new(),
    };
    let targets: Vec<&str> = action.targets().into_iter().map(|(_, t)| name(t)).collect();
    let mut line = action.verb().to_owned();
    if !detail.is_empty() {
        line.push(' ');
        line.push_str(&detail);
    }
    if !targets.is_empty() {
        line.push_str(" - ");
        line.push_str(&targets.join(" to "));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_into_a_password_field_is_not_shown() {
        let element = Element {
            description: "Password".to_owned(),
            rect: Rect::new(0.0, 0.0, 100.0, 20.0),
            point: Point::new(50.0, 10.0),
            found_by: Rung::Tree,
            confidence: 1.0,
            node: None,
            label: None,
            secret: true,
        };
        let input = |locate| Action::Input { value: "hunter2".to_owned(), mode: InputMode::Replace, locate };
        assert_eq!(input(Some(element.clone())).summary(), "Input a secret - Password");
        let claim = Some(Claim::Node { element: element.clone(), score: 1.0, why: String::new() });
        let target = Target { description: "Password".to_owned(), claim, ..Target::default() };
        let planned = Action::Input { value: "hunter2".to_owned(), mode: InputMode::Append, locate: Some(target) };
        assert_eq!(planned.summary(), "Input a secret - Password");
        assert_eq!(input(Some(Element { secret: false, ..element })).summary(), "Input \"hunter2\" - Password");
    }
}
