//! What a goal is read into.

use crate::locate::tree::{RoleWord, Wanted};
use handeye_core::{Direction, ScrollKind};

/// The name that stands for the field that has the focus. With other readings behind it, only the focus that a click on
/// one of those has given counts.
pub const FOCUSED: &str = "\u{1}focus";

/// One clause of a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// The words of the goal.
    pub text: String,
    pub step: Step,
    /// The reading in which the words of this clause and of so many after it are one name: `Save and close` may be a button.
    pub joined: Option<(Box<Step>, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    Once,
    Double,
    Secondary,
    Hover,
    /// For so many milliseconds.
    Hold(u64),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Click {
        target: Wanted,
        how: Press,
        times: u32,
    },
    /// Open or shut something that folds.
    Unfold {
        target: Wanted,
        open: bool,
    },
    Type {
        text: String,
        into: Option<Wanted>,
        append: bool,
    },
    Clear {
        field: Option<Wanted>,
    },
    Key {
        chord: String,
        times: u32,
        /// What to click first.
        on: Option<Wanted>,
        /// The key's name may be that of a button as well.
        or_button: Option<Wanted>,
    },
    /// Choose something by its name, in a list when one is named.
    Choose {
        option: Wanted,
        list: Option<Wanted>,
    },
    /// Set to a value, whatever the element takes: text, an option, on or off.
    Set {
        target: Wanted,
        value: String,
        quoted: bool,
    },
    Toggle {
        target: Wanted,
        /// `None` turns it over.
        on: Option<bool>,
    },
    /// Operate the control of that name that belongs to the thing: delete, edit, add to the cart.
    Operate {
        /// Name of the control.
        control: String,
        thing: Wanted,
    },
    /// Turn a list that is shown page by page to one of them.
    TurnTo {
        page: u32,
    },
    /// A step in a place that may first have to be gone to: in the place here, or without it once the place was clicked.
    There {
        place: Wanted,
        here: Box<Step>,
        there: Box<Step>,
    },
    /// A label and what goes into its field, in one run of words: the page decides where the label ends.
    Entry {
        said: String,
    },
    Search {
        text: String,
        field: Option<Wanted>,
    },
    /// Put a new entry into a list, with the one field that is for it.
    Add {
        text: String,
    },
    Scroll {
        direction: Direction,
        to: ScrollKind,
        distance: Option<f64>,
        area: Option<Wanted>,
        times: u32,
    },
    ScrollTo {
        target: Wanted,
    },
    Go {
        url: String,
    },
    Reload,
    Back,
    Forward,
    CloseTab,
    Close {
        target: Wanted,
    },
    Sleep {
        ms: u64,
    },
    WaitFor {
        check: Check,
    },
    Drag {
        from: Wanted,
        to: Wanted,
    },
    Upload {
        files: Vec<String>,
        to: Option<Wanted>,
    },
    Verify {
        check: Check,
    },
    /// Says only what is not to be done, which is kept by doing nothing.
    Aside,
    /// A list of names that may be one name: `Antigua and Barbuda`. Each step is done when no element has the whole name.
    Each {
        whole: Box<Step>,
        steps: Vec<Step>,
    },
    /// Readings of which exactly one must fit the page.
    Either(Vec<Step>),
}

impl Step {
    /// Whether the step only looks, at what a step before it was to bring.
    pub(super) fn looks(&self) -> bool {
        matches!(self, Self::WaitFor { .. } | Self::Verify { .. })
    }
    /// Whether the step is done in a dialog that has come: `click OK in the dialog`.
    pub(super) fn is_in_dialog(&self) -> bool {
        let Self::Click { target, .. } = self else { return false };
        target.readings().filter_map(|w| w.within.as_deref()).any(|w| w.role == Some(RoleWord::Dialog))
    }
    /// Whether the step answers a question of the page with yes or no: `click OK in the dialog`, `dismiss the dialog`.
    pub(super) fn answers_dialog(&self) -> Option<bool> {
        const YES: &[&str] = &["ok", "okay", "yes", "accept", "confirm", "确定", "确认", "好", "好的", "是"];
        const NO: &[&str] = &["cancel", "no", "dismiss", "取消", "否", "关闭"];
        let target = match self {
            Self::Click { target, how: Press::Once, times: 1 } => target,
            Self::Close { target } => {
                return target.readings().any(|w| w.role == Some(RoleWord::Dialog)).then_some(false);
            }
            _ => return None,
        };
        target.readings().find_map(|w| {
            let words = w.words.to_lowercase();
            let says = |list: &[&str]| list.contains(&words.as_str());
            if says(YES) { Some(true) } else { says(NO).then_some(false) }
        })
    }
}

/// A statement about the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    pub subject: Subject,
    pub says: Says,
    pub negated: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    Page,
    Title,
    Address,
    Element(Wanted),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    /// It is there to see.
    Shown,
    Contains(String),
    Equals(String),
    Enabled,
    Disabled,
    Checked,
    Selected,
    Focused,
    Empty,
    Expanded,
    /// So many of them.
    Count(u32),
    /// It is there, one of so many rows.
    Alone(u32),
    /// It is what the page or a part of it now shows, or where one is in a list of steps: a title, a heading, the address, a
    /// mark says so.
    Open,
}
