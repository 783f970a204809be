//! One HTML file: the template, the data as an island of JSON, and each frame once.

use super::data::{Data, FrameId, FrameInfo, FrameState};
use super::summary;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

const TEMPLATE: &str = include_str!("template.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("view.js");

/// Leaves out texts and frames until the page fits into `max_bytes`. What goes, goes from the middle of the run: its beginning
/// and its end are what people look at.
pub(super) fn fit(data: &mut Data, dir: &Path, max_bytes: u64) {
    fit_texts(data, max_bytes / 2);
    let used = (TEMPLATE.len() + STYLE.len() + SCRIPT.len() + island(data).len() * 2) as u64;
    let mut room = max_bytes.saturating_sub(used);
    let (mut left_out, mut bytes_left_out) = (0_u64, 0_u64);
    for id in by_importance(data) {
        let frame = &mut data.frames[id];
        let Ok(meta) = fs::metadata(dir.join(&frame.path)) else { continue };
        let size = meta.len().div_ceil(3) * 4 + 100;
        if size <= room {
            room -= size;
            frame.state = FrameState::Kept;
        } else {
            frame.state = FrameState::LeftOut;
            left_out += 1;
            bytes_left_out += meta.len();
        }
    }
    if left_out > 0 {
        data.run.left_out.push(format!(
            "{left_out} frames ({} MB) are not in this page, to keep it below {} MB; they are in the run's folder",
            bytes_left_out.div_ceil(1 << 20),
            max_bytes.div_ceil(1 << 20)
        ));
    }
}

fn fit_texts(data: &mut Data, most: u64) {
    let mut room = most;
    let mut left_out = 0_u32;
    for text in &mut data.texts {
        let size = text.len() as u64;
        if size <= room {
            room -= size;
        } else {
            *text = format!("[{size} bytes are left out here to keep this page small; they are in journal.jsonl]");
            left_out += 1;
        }
    }
    if left_out > 0 {
        data.run.left_out.push(format!("{left_out} long texts are not in this page; they are in journal.jsonl"));
    }
}

/// Frames in the order in which they are worth their bytes: those of the last round, then from the beginning.
fn by_importance(data: &Data) -> Vec<FrameId> {
    let shown = |round: &super::data::Round| {
        let plans = round.plans.iter().filter_map(|p| p.frame);
        let steps = round.steps.iter().flat_map(|s| [s.before, s.after]).flatten();
        plans.chain(steps).collect::<Vec<_>>()
    };
    let last = data.rounds.iter().rev().map(shown).find(|frames| !frames.is_empty()).unwrap_or_default();
    let all = data.rounds.iter().flat_map(shown);
    let mut known = BTreeSet::new();
    last.into_iter().chain(all).chain(0..data.frames.len()).filter(|id| known.insert(*id)).collect()
}

/// The data as JSON that no HTML parser can leave early.
pub(super) fn island(data: &Data) -> String {
    let mut json = serde_json::to_string(data).unwrap_or_default();
    if data.typed_secrets.concerns(&json)
        && let Ok(mut value) = serde_json::to_value(data)
    {
        data.typed_secrets.value(&mut value, true);
        json = value.to_string();
    }
    json.replace('<', "\\u003c")
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Writes the page. The template's marks are found before anything is put in, so no text of a run can be one.
pub(super) fn write(data: &mut Data, dir: &Path, out: &mut impl Write) -> io::Result<()> {
    // A frame that cannot be read after all must be told in the island, which comes first.
    for frame in data.frames.iter_mut().filter(|f| f.state == FrameState::Kept) {
        if fs::File::open(dir.join(&frame.path)).is_err() {
            frame.state = FrameState::Missing;
        }
    }
    let mut rest = TEMPLATE;
    while let Some((before, after)) = rest.split_once("{{") {
        out.write_all(before.as_bytes())?;
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        rest = after;
        match name {
            "title" => out.write_all(html(&title(data)).as_bytes())?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "script" => out.write_all(SCRIPT.as_bytes())?,
            "summary" => out.write_all(html(&summary::of_data(data)).as_bytes())?,
            "data" => out.write_all(island(data).as_bytes())?,
            "frames" => write_frames(&data.frames, dir, out)?,
            _ => {}
        }
    }
    out.write_all(rest.as_bytes())
}

fn title(data: &Data) -> String {
    let goal = if data.run.goal.is_empty() { &data.run.id } else { &data.run.goal };
    format!("{}: {}", data.run.end.kind, handeye_core::text::clip(&data.typed_secrets.text(goal), 80))
}

/// Each frame in an element of its own, so that the page decodes only what it shows.
fn write_frames(frames: &[FrameInfo], dir: &Path, out: &mut impl Write) -> io::Result<()> {
    for (id, frame) in frames.iter().enumerate().filter(|(_, f)| f.state == FrameState::Kept) {
        let bytes = fs::read(dir.join(&frame.path))?;
        writeln!(out, "<script type=\"text/plain\" id=\"frame-{id}\">{}</script>", STANDARD.encode(bytes))?;
    }
    Ok(())
}
