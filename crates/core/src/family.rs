//! Model families: how a kind of model writes coordinates, and its limits. One row each; facts from the models' own documentation.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// `[x1, y1, x2, y2]`
    Xy,
    /// `[y1, x1, y2, x2]`
    Yx,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    Box,
    Point,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family {
    pub name: &'static str,
    pub shape: Shape,
    pub order: Order,
    /// Coordinates run from 0 to this, whatever the size of the picture.
    pub range: f64,
    /// The planner that suits it.
    pub planner: &'static str,
    /// Rounds that may act, unless the user says otherwise.
    pub max_rounds: u32,
}

const fn thousand(name: &'static str, order: Order) -> Family {
    Family { name, shape: Shape::Box, order, range: 1000.0, planner: "standard", max_rounds: 20 }
}

/// Families whose boxes run from 0 to 1000. The first is what an unset family means.
pub const FAMILIES: &[Family] = &[
    thousand("default", Order::Xy),
    thousand("qwen3-vl", Order::Xy),
    thousand("qwen3", Order::Xy),
    thousand("qwen3.5", Order::Xy),
    thousand("qwen3.6", Order::Xy),
    thousand("doubao-vision", Order::Xy),
    thousand("doubao-seed", Order::Xy),
    thousand("gemini", Order::Yx),
    thousand("glm-v", Order::Xy),
    thousand("xiaomi-mimo", Order::Xy),
];

impl Family {
    pub fn default_family() -> &'static Self {
        &FAMILIES[0]
    }
    /// Looks a family up by name; an empty name is the default family.
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = name.trim().to_ascii_lowercase();
        if name.is_empty() {
            return Some(Self::default_family());
        }
        FAMILIES.iter().find(|f| f.name == name)
    }
}
