//! The vectors of the loop and of parameters, and that none of all the vectors is missing. Where ours differs from the system
//! that they were measured on, the row says why.

use crate::bench::{Bench, DONE, reply, tap};
use handeye_agent::Effort;
use handeye_agent::locate::tree::Purpose;
use handeye_agent::locate::{self};
use handeye_agent::run::Sight;
use handeye_core::event::Receipt;
use handeye_core::{
    ActionSpace, Claim, DeviceError, Effect, FramePx, Got, Need, Observation, Rect, Shown, Size, Target, Verb, Want,
};
use handeye_testkit::frames;
use handeye_testkit::scripted::ScriptedWorld;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors")
}

fn rows<T: for<'a> Deserialize<'a>>(file: &str) -> Vec<T> {
    let text = std::fs::read_to_string(folder().join(file)).expect("a file of vectors");
    let rows: Vec<Value> = serde_json::from_str(&text).expect("rows");
    let run = rows.into_iter().filter(|row| row["not_run"].is_null());
    run.map(|row| T::deserialize(&row).unwrap_or_else(|e| panic!("{e}: {row}"))).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    id: String,
    #[serde(default, rename = "reason")]
    _reason: Option<String>,
    #[serde(default)]
    effort: Effort,
    rounds: Option<u32>,
    /// `tap` and `done` stand for the usual ones.
    replies: Vec<String>,
    /// Every action fails.
    #[serde(default)]
    failing: bool,
    calls: usize,
    /// How the end begins.
    ends: String,
    needs: Option<String>,
    /// What is told with one of the requests, counted from 1.
    told: Option<(usize, String)>,
}

#[test]
fn runs_go_as_they_should() {
    for row in rows::<Run>("loop.json") {
        let replies: Vec<String> = row.replies.iter().enumerate().map(|(i, said)| spelled(i, said)).collect();
        let replies: Vec<&str> = replies.iter().map(String::as_str).collect();
        let failing = row.failing;
        let mut bench = Bench::new(&replies).acting(move |_, _| {
            if failing {
                Err(DeviceError::failed("tap", "it broke"))
            } else {
                Ok(Effect::confirmed("the page changed"))
            }
        });
        bench.settings.effort = row.effort;
        bench.settings.max_rounds = row.rounds.unwrap_or(bench.settings.max_rounds);
        let ran = bench.run();
        assert!(ran.end().starts_with(&row.ends), "{}: {}", row.id, ran.end());
        assert_eq!(ran.requests().len(), row.calls, "{}", row.id);
        if let Some(needs) = row.needs {
            assert_eq!(ran.needs(), needs, "{}", row.id);
        }
        if let Some((request, part)) = row.told {
            assert!(ran.told(request).contains(&part), "{}: {part} in {}", row.id, ran.told(request));
        }
    }
}

fn spelled(index: usize, said: &str) -> String {
    match said {
        "tap" => tap(100 + 50 * u32::try_from(index).expect("a few"), 100),
        "done" => DONE.to_owned(),
        text => text.to_owned(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    id: String,
    #[serde(default, rename = "reason")]
    _reason: Option<String>,
    #[serde(default)]
    verb: String,
    #[serde(default)]
    params: Value,
    reads: Option<Value>,
    refused: Option<String>,
    /// Pixels of the frame for one logical point.
    scale: Option<f64>,
    #[serde(default, rename = "box")]
    place: [f64; 4],
    #[serde(default)]
    rect: [f64; 4],
    #[serde(default)]
    point: [f64; 2],
    /// The part of the frame that the model saw, and how much larger.
    part: Option<[f64; 4]>,
    #[serde(default)]
    enlarged: f64,
    target: Option<Target>,
    /// What each request to the model says.
    #[serde(default)]
    asks: Vec<String>,
    #[serde(default)]
    rung: Value,
}

#[test]
fn parameters_are_taken_as_they_should_be() {
    for row in rows::<Parameters>("parameters.json") {
        if let Some(scale) = row.scale {
            let claim = Some(Claim::Model(json!(row.place)));
            let found = located(&Target { claim, ..Target::default() }, scale, &[]).0;
            assert!(near(&<[f64; 4]>::from(found.rect), &row.rect), "{}: {}", row.id, found.rect);
            assert!(near(&<[f64; 2]>::from(found.point), &row.point), "{}: {}", row.id, found.point);
        } else if let Some(part) = row.part {
            let frame = Size::<FramePx>::new(1000.0, 1000.0);
            let shown = Shown::part(frame, part.into(), row.enlarged, None, 1);
            let [left, top, right, bottom] = row.place;
            let place = shown.canvas().part(Rect::new(left, top, right - left, bottom - top));
            let rect = frame.place(shown.rect_of_picture(frame, place));
            assert!(near(&<[f64; 4]>::from(rect), &row.rect), "{}: {rect}", row.id);
        } else if let Some(target) = row.target {
            let (found, asks) = located(&target, 1.0, &[r#"{"bbox":[0,0,500,500]}"#, r#"{"bbox":[100,100,200,200]}"#]);
            assert_eq!((json!(found.found_by), found.description.as_str()), (row.rung, "btn"), "{}", row.id);
            assert_eq!(asks.len(), row.asks.len(), "{}", row.id);
            assert!(asks.iter().zip(&row.asks).all(|(said, part)| said.contains(part)), "{}: {asks:?}", row.id);
        } else {
            match ActionSpace::of(&[Verb::Input]).read(&row.verb, &row.params) {
                Ok(read) => assert_eq!(Some(json!(read.action)), row.reads, "{}", row.id),
                Err(bad) => {
                    let part = row.refused.unwrap_or_else(|| panic!("{}: {bad}", row.id));
                    assert!(bad.0.contains(&part), "{}: {bad}", row.id);
                }
            }
        }
    }
}

fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
}

/// Where a target lies on a screen of 1000 x 1000 pixels without a UI tree, and what a model was asked about it.
fn located(target: &Target, scale: f64, replies: &[&str]) -> (handeye_core::Element, Vec<String>) {
    let mut frame = frames::solid(1000, 1000, [9, 9, 9]);
    frame.scale = scale;
    let mut sight = Sight::of(&Observation { frame: Some(frame), ..Observation::default() });
    let mut replies: Vec<String> = replies.iter().rev().map(|text| (*text).to_owned()).collect();
    let mut world = ScriptedWorld::new();
    world.always(move |need| match need {
        Need::Chat(..) => Some(Got::Heard(Ok(reply(&replies.pop().expect("a reply"))))),
        Need::Observe(Want { frame: false, .. }) => Some(Got::Seen(Ok(Observation::default()))),
        _ => None,
    });
    let settings = handeye_agent::Settings::default();
    let mut receipt = Receipt::default();
    let (found, transcript) = world
        .play(async |world| locate::locate(world, &settings, &mut sight, (target, Purpose::Click), &mut receipt).await);
    let asked = transcript.needs.iter().filter_map(|need| match need {
        Need::Chat(_, request) => Some(request.messages.iter().map(handeye_core::Message::joined).collect()),
        _ => None,
    });
    (found.expect("nothing stops it").expect("an element"), asked.collect())
}

/// How many vectors there are of each kind.
const COUNTS: [(char, u32); 10] =
    [('A', 8), ('B', 16), ('C', 10), ('D', 15), ('E', 8), ('F', 5), ('G', 12), ('H', 8), ('I', 10), ('J', 9)];

/// Those of which the right value is ours, not what was measured.
const OURS: &str = "A4 A7 B2 B3 B4 B15 B16 C6 C9 C10 D5 D6 D14 E2 E3 E8 F3 F4 G2 G4 G8 H5 H6 H7 H8 I2 I5 I10 J2 J3";

/// Every object of the data files that has an id.
fn all() -> Vec<(String, Value)> {
    fn walk(value: &Value, out: &mut Vec<(String, Value)>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| walk(item, out)),
            Value::Object(map) => match map.get("id").and_then(Value::as_str) {
                Some(id) => out.push((number(id), value.clone())),
                None => map.values().for_each(|item| walk(item, out)),
            },
            _ => {}
        }
    }
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder()).expect("a folder").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a file");
        let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", entry.path().display()));
        walk(&value, &mut out);
    }
    out
}

/// `D14` of `D14b: four corners`.
fn number(id: &str) -> String {
    let digits = id.chars().skip(1).take_while(char::is_ascii_digit).count();
    id.chars().take(1 + digits).collect()
}

#[test]
fn every_vector_is_there() {
    let all = all();
    let there: BTreeSet<&str> = all.iter().map(|(id, _)| id.as_str()).collect();
    let wanted = COUNTS.iter().flat_map(|(kind, count)| (1..=*count).map(move |n| format!("{kind}{n}")));
    let missing: Vec<String> = wanted.filter(|id| !there.contains(id.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn what_differs_says_why() {
    let all = all();
    let reasoned: BTreeSet<&str> = all
        .iter()
        .filter(|(_, row)| row["reason"].as_str().is_some_and(|reason| reason.len() > 10))
        .map(|(id, _)| id.as_str())
        .collect();
    let missing: Vec<&str> = OURS.split(' ').filter(|id| !reasoned.contains(id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for (id, row) in &all {
        assert!(row["not_run"].is_null() || row["not_run"].as_str().is_some_and(|why| why.len() > 20), "{id}");
    }
}
