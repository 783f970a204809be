//! `handeye models`: the families that are known, and the models that are configured.

use crate::USAGE;
use crate::output::{self, Output};
use crate::screen::{harmless, harmless_json};
use handeye::{ChatError, FAMILIES, Family, Models, Order, Problem, Scale, Shape};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(Serialize)]
struct Listed {
    v: u32,
    configured: Vec<Configured>,
    families: Vec<Row>,
}

/// A model that is set.
#[derive(Serialize)]
struct Configured {
    slot: &'static str,
    name: String,
    family: &'static str,
    place: String,
    settings: Vec<Set>,
}

#[derive(Serialize)]
struct Set {
    setting: &'static str,
    value: String,
    /// The variable or flag, or `default`.
    origin: String,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    /// What it writes for a place.
    places: String,
    planner: &'static str,
    max_rounds: u32,
    /// Pictures are padded to a multiple of so many pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<u32>,
    json_mode: bool,
}

pub(crate) fn list(models: Result<Models, ChatError>, output: Output) -> ExitCode {
    let models = match models {
        Ok(models) => models,
        Err(error) => {
            let problem = Problem::new(error.kind(), error.message.clone(), error.hint.clone());
            return output.problem(&problem, USAGE);
        }
    };
    let listed = Listed { v: 1, configured: configured(&models), families: FAMILIES.iter().map(row).collect() };
    let text = if output.json {
        harmless_json(&serde_json::to_string_pretty(&listed).unwrap_or_default())
    } else {
        harmless(readable(&listed).trim_end())
    };
    // An empty file would be taken for a list.
    ExitCode::from(if output::print(&text) { 0 } else { USAGE })
}

fn configured(models: &Models) -> Vec<Configured> {
    let one = |(slot, config): (handeye::Slot, &handeye::ModelConfig)| Configured {
        slot: slot.word(),
        name: config.name.clone(),
        family: config.family.name,
        place: config.place(),
        settings: config
            .rows()
            .into_iter()
            .filter(|row| row.origin != "default")
            .map(|row| Set { setting: row.setting.word(), value: row.value, origin: row.origin })
            .collect(),
    };
    models.iter().map(one).collect()
}

fn row(family: &Family) -> Row {
    Row {
        name: family.name,
        places: places(family),
        planner: family.planner,
        max_rounds: family.max_rounds,
        block: (family.block > 1).then_some(family.block),
        json_mode: family.json_mode,
    }
}

/// `[x1, y1, x2, y2] from 0 to 1000`
fn places(family: &Family) -> String {
    let numbers = match (family.shape, family.order) {
        (Shape::Box, Order::Xy) => "[x1, y1, x2, y2]",
        (Shape::Box, Order::Yx) => "[y1, x1, y2, x2]",
        (Shape::Point, Order::Xy) => "[x, y]",
        (Shape::Point, Order::Yx) => "[y, x]",
    };
    match family.scale {
        Scale::Range(most) => format!("{numbers} from 0 to {most}"),
        Scale::Pixels => format!("{numbers} in pixels"),
        Scale::FractionsOrPixels => format!("{numbers} from 0.0 to 1.0, or pixels"),
    }
}

fn readable(listed: &Listed) -> String {
    let mut text = String::new();
    if listed.configured.is_empty() {
        text.push_str("No model is configured: plain steps work, goals do not (docs/models.md).\n");
    }
    for model in &listed.configured {
        let _ = writeln!(text, "{:<11} {} at {}, family {}", model.slot, model.name, model.place, model.family);
        for set in &model.settings {
            let _ = writeln!(text, "{:<11}   {} = {} ({})", "", set.setting.to_lowercase(), set.value, set.origin);
        }
    }
    let _ = writeln!(text, "\n{:<24} {:<39} {:<10} rounds", "FAMILY", "PLACES", "PLANNER");
    for family in &listed.families {
        let Row { name, places, planner, max_rounds, .. } = family;
        let _ = writeln!(text, "{name:<24} {places:<39} {planner:<10} {max_rounds}");
    }
    text
}
