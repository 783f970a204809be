//! The UI tree: what a device can say about the controls on the screen, beyond its pixels.

use crate::{Logical, Point, Rect};
use serde::{Deserialize, Serialize};

/// The device's own handle of an element. It stays valid while the element lives and is never shown to a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NodeRef {
    /// The document (browser: a frame's execution context) that `id` belongs to.
    pub document: String,
    pub id: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Toggle {
    Off,
    On,
    Mixed,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// States as ARIA names them. Absent means that the element has no such state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct States {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<Toggle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressed: Option<Toggle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<bool>,
    #[serde(skip_serializing_if = "is_default")]
    pub disabled: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub focused: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub readonly: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub required: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub invalid: bool,
    /// The value is secret: it is never read.
    #[serde(skip_serializing_if = "is_default")]
    pub password: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub multiline: bool,
}

/// One element. Texts are as a person would read them; hidden elements are not in the tree, but for those that a selector finds,
/// which have an empty box.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UiNode {
    pub node: NodeRef,
    /// Index of the parent in [`UiTree::nodes`]; parents come before their children.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent: Option<u32>,
    /// ARIA role: `button`, `link`, `textbox`, `row`, …; `text` for a run of text, `generic` for a box without a role.
    pub role: String,
    /// Accessible name by the W3C rules; for `text` the text itself.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub description: String,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub placeholder: String,
    /// Current value of a field, slider or select (the shown option). `None` when it has none or it is secret.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<String>,
    /// Options of a select, as shown.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub options: Vec<String>,
    /// Element kind as the platform names it: `a`, `input:email`, `select`, …
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub kind: String,
    /// Link target, id, test id: never shown to a person, so weaker than any text.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub hint: String,
    #[serde(default)]
    pub states: States,
    /// Visible box in logical points of the main viewport, also for elements in frames. May lie outside the viewport.
    pub rect: Rect<Logical>,
    /// A point of the box where a click would reach this element; `None` when it is covered or outside the viewport.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub point: Option<Point<Logical>>,
    /// What covers it, when something does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub covered_by: Option<String>,
    /// A person could operate it: native controls, widget roles, click handlers that the page declares.
    #[serde(skip_serializing_if = "is_default", default)]
    pub interactive: bool,
}

/// Elements in document order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UiTree {
    pub nodes: Vec<UiNode>,
    /// Set when the page held more elements than are listed.
    #[serde(skip_serializing_if = "is_default", default)]
    pub truncated: bool,
}

impl UiTree {
    pub fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent(index), |&i| self.parent(i))
    }
    pub fn parent(&self, index: usize) -> Option<usize> {
        self.nodes.get(index)?.parent.map(|p| p as usize)
    }
    pub fn find(&self, node: &NodeRef) -> Option<&UiNode> {
        self.nodes.iter().find(|n| n.node == *node)
    }
}

impl UiNode {
    /// `button "Sign in"`: how an element is named to people and models.
    pub fn label(&self) -> String {
        let name = if self.name.is_empty() { &self.placeholder } else { &self.name };
        if name.is_empty() { self.role.clone() } else { format!("{} \"{}\"", self.role, crate::text::clip(name, 60)) }
    }
}
