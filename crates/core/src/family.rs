//! Model families: how a kind of model is shown pictures, writes places, and is told to think. One row each; facts from the
//! models' own documentation. A new family is a row here and nothing else.

use crate::Thinking;
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

/// What a model's coordinates count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// From 0 to this across the picture and down it, whatever its size.
    Range(f64),
    /// Pixels of the picture that the model was shown, its padding included.
    Pixels,
    /// From 0 to 1 when they are written with a decimal point and none is greater than 1; else pixels.
    FractionsOrPixels,
}

/// Where the servers of a family read how much to think, in chat completions. Other APIs have one place for all models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinkingField {
    /// `reasoning_effort`, as OpenAI has it.
    Effort,
    /// `thinking: {type}`.
    Kind,
    /// The same, and an effort beside it.
    KindAndEffort,
    /// `enable_thinking`, with a budget.
    Enable,
    /// The configuration of Gemini's own API, in a place for what chat completions lack.
    Google,
    /// Nothing can be said.
    None,
}

/// Keys under which models of any family give a place, as [`crate::text::name_key`] leaves them; the first that is there counts.
pub const PLACE_KEYS: &[&str] = &[
    "bbox",
    "bbox2d",
    "box",
    "box2d",
    "boundingbox",
    "rect",
    "point",
    "point2d",
    "coordinate",
    "coordinates",
    "position",
    "center",
    "startbox",
];

/// The planner of the models that were trained on no grammar of their own.
pub const STANDARD: &str = "standard";

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family {
    pub name: &'static str,
    pub shape: Shape,
    pub order: Order,
    pub scale: Scale,
    /// What the model was trained to call a place; the key that it is asked for.
    pub key: &'static str,
    /// Pictures are padded with white, right and below, to a multiple of so many pixels; 1: not at all. Such models would
    /// else be shown a picture that their server scaled by a little, and count in pixels of that.
    pub block: u32,
    /// The planner that suits it. Those that are not [`STANDARD`] read the family's own grammar, and no other planner can.
    pub planner: &'static str,
    /// Rounds that may act, unless the user says otherwise.
    pub max_rounds: u32,
    pub thinking_field: ThinkingField,
    /// How much to think when nobody says: deciding one step of many is slow and dear with more.
    pub thinking: Option<Thinking>,
    /// Its servers can be held to answer with one JSON object (`response_format`), and do better so.
    pub json_mode: bool,
    /// How closely it is to look at pictures, in OpenAI's word.
    pub detail: &'static str,
    /// An answer may stand in the field for reasoning, with an empty text beside it: what is no reply in full is asked for again,
    /// so a mere thought does no harm. A grammar of one line is another matter.
    pub answers_in_reasoning: bool,
    /// What chat completions call the most tokens of a reply.
    pub limit: &'static str,
    /// More fields of each body, as JSON.
    pub body: &'static str,
}

/// What most have in common: boxes from 0 to 1000, x first.
const THOUSAND: Family = Family {
    name: "default",
    shape: Shape::Box,
    order: Order::Xy,
    scale: Scale::Range(1000.0),
    key: "bbox",
    block: 1,
    planner: STANDARD,
    max_rounds: 20,
    thinking_field: ThinkingField::Effort,
    thinking: None,
    json_mode: false,
    detail: "high",
    answers_in_reasoning: true,
    limit: "max_tokens",
    body: "{}",
};

const QWEN3: Family = Family {
    name: "qwen3-vl",
    key: "bbox_2d",
    thinking_field: ThinkingField::Enable,
    thinking: Some(Thinking::Off),
    ..THOUSAND
};

const DOUBAO: Family = Family {
    name: "doubao-seed",
    thinking_field: ThinkingField::KindAndEffort,
    thinking: Some(Thinking::Off),
    json_mode: true,
    ..THOUSAND
};

const KIMI: Family = Family {
    name: "kimi",
    shape: Shape::Point,
    scale: Scale::FractionsOrPixels,
    key: "point",
    thinking_field: ThinkingField::Kind,
    thinking: Some(Thinking::Off),
    json_mode: true,
    ..THOUSAND
};

const UI_TARS: Family = Family {
    name: "vlm-ui-tars",
    planner: "ui-tars",
    max_rounds: 40,
    thinking_field: ThinkingField::None,
    answers_in_reasoning: false,
    ..THOUSAND
};

const AUTO_GLM: Family = Family {
    name: "auto-glm",
    shape: Shape::Point,
    key: "point",
    planner: "auto-glm",
    max_rounds: 100,
    thinking_field: ThinkingField::None,
    answers_in_reasoning: false,
    body: r#"{"top_p": 0.85, "frequency_penalty": 0.2}"#,
    ..THOUSAND
};

/// All families. The first is what an unset family means.
pub const FAMILIES: &[Family] = &[
    THOUSAND,
    QWEN3,
    Family { name: "qwen3", ..QWEN3 },
    Family { name: "qwen3.5", ..QWEN3 },
    Family { name: "qwen3.6", ..QWEN3 },
    Family {
        name: "qwen2.5-vl",
        scale: Scale::Pixels,
        key: "bbox_2d",
        block: 28,
        thinking_field: ThinkingField::None,
        body: r#"{"vl_high_resolution_images": true}"#,
        ..THOUSAND
    },
    Family { name: "doubao-vision", ..DOUBAO },
    DOUBAO,
    Family {
        name: "gemini",
        order: Order::Yx,
        key: "box_2d",
        thinking_field: ThinkingField::Google,
        thinking: Some(Thinking::Off),
        ..THOUSAND
    },
    Family {
        name: "glm-v",
        thinking_field: ThinkingField::Kind,
        thinking: Some(Thinking::Off),
        json_mode: true,
        ..THOUSAND
    },
    Family {
        name: "gpt-5",
        scale: Scale::Pixels,
        thinking: Some(Thinking::Off),
        json_mode: true,
        // Else the picture is shrunk before the model sees it, and its pixels are not ours.
        detail: "original",
        limit: "max_completion_tokens",
        ..THOUSAND
    },
    KIMI,
    Family { name: "kimi3", thinking_field: ThinkingField::Effort, thinking: None, ..KIMI },
    Family {
        name: "xiaomi-mimo",
        thinking_field: ThinkingField::Kind,
        thinking: Some(Thinking::Off),
        json_mode: true,
        ..THOUSAND
    },
    UI_TARS,
    Family { name: "vlm-ui-tars-doubao", ..UI_TARS },
    Family { name: "vlm-ui-tars-doubao-1.5", ..UI_TARS },
    AUTO_GLM,
    Family { name: "auto-glm-multilingual", ..AUTO_GLM },
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
    /// Its models decide in a grammar of their own.
    pub fn has_own_grammar(&self) -> bool {
        self.planner != STANDARD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_consistent() {
        for family in FAMILIES {
            assert_eq!(Family::named(family.name).map(|f| f.name), Some(family.name), "names are unique");
            assert!(PLACE_KEYS.contains(&crate::text::name_key(family.key).as_str()), "{}", family.key);
            assert!(family.block >= 1 && family.max_rounds >= 1, "{}", family.name);
            let body: serde_json::Value = serde_json::from_str(family.body).expect("JSON");
            assert!(body.is_object(), "{}", family.name);
            let says = family.thinking_field != ThinkingField::None;
            assert!(says || family.thinking.is_none(), "{} has no field for its thinking", family.name);
        }
    }
}
