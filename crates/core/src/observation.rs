//! What a device can say about one moment.

use crate::{Frame, Logical, Rect, Selector, UiTree};
use serde::{Deserialize, Serialize};

/// What an observation should contain. Asking for less is faster.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Want {
    pub frame: bool,
    pub tree: bool,
    /// Only the elements of the tree that touch this region.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub region: Option<Rect<Logical>>,
    /// Only the elements that this selector finds, without parents. Those that nobody sees have an empty box.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub selector: Option<Selector>,
}

impl Want {
    pub fn frame() -> Self {
        Self { frame: true, ..Self::default() }
    }
    pub fn tree() -> Self {
        Self { tree: true, ..Self::default() }
    }
    pub fn region(region: Rect<Logical>) -> Self {
        Self { tree: true, region: Some(region), ..Self::default() }
    }
    pub fn selector(selector: Selector) -> Self {
        Self { tree: true, selector: Some(selector), ..Self::default() }
    }
}

/// Where the device is: a page's address and title, or a window's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub url: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DialogKind {
    Alert,
    Confirm,
    Prompt,
    BeforeUnload,
}

/// A native dialog that was open at some moment, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dialog {
    pub kind: DialogKind,
    pub message: String,
    pub accepted: bool,
}

impl Dialog {
    /// The page asked for a decision: nothing is done when it is answered with no.
    pub fn is_question(&self) -> bool {
        matches!(self.kind, DialogKind::Confirm | DialogKind::Prompt)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Observation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<Frame>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<UiTree>,
    pub place: Place,
    /// Dialogs since the observation with a frame before this one, oldest first. Only told with a frame.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dialogs: Vec<Dialog>,
    /// What else happened since then and a person would have noticed: a tab opened, a download ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The device's own clock, `YYYY-MM-DD HH:MM:SS`.
    pub device_time: String,
}
