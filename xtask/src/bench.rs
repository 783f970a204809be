//! What Handeye costs beside a bare DevTools script that does the same captures and inputs; its memory; its start.
//!
//! Both drive the same page in the same browser, in turn. The page itself holds the watch: it notes when each of its five
//! controls was first touched, so neither side is asked how fast it is, and what lies between two touches is one round: the
//! input, what follows it, a capture, the decision. Ours gets its replies from a file, so no model's time is in it.

mod browser;
mod form;
mod memory;
mod script;
mod socket;
mod stats;

use crate::sh;
use anyhow::{Context, Result, bail};
use browser::Browser;
use serde_json::{Value, json};
use stats::{median, rounded};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    Quick,
    Full,
}

pub(crate) fn run(effort: Effort) -> Result<ExitCode> {
    let is_quick = effort == Effort::Quick;
    sh::run(&mut sh::cargo("build --release --locked -p handeye-cli"))?;
    let handeye = sh::target_dir()?.join("release/handeye");
    let folder = Scratch::new()?;

    let start = start_time(&handeye, if is_quick { 10 } else { 50 })?;
    let rounds = rounds(&handeye, &folder.0, if is_quick { 3 } else { 15 })?;
    let memory = memory::measure(&handeye, &folder.0)?;
    let result = json!({
        "date": sh::output(&mut sh::command("date -u +%FT%TZ"))?.trim(),
        "commit": sh::output(&mut sh::command("git describe --always --dirty"))?.trim(),
        "command": if is_quick { "cargo xtask bench --quick" } else { "cargo xtask bench" },
        "machine": machine(),
        "round": rounds,
        "memory": memory,
        "version_ms": start,
    });
    print_table(&result);
    let name = format!(
        "{}-bench{}.json",
        &result["date"].as_str().unwrap_or_default()[..10],
        if is_quick { "-quick" } else { "" }
    );
    let file = sh::root().join("bench/results").join(name);
    std::fs::create_dir_all(file.parent().unwrap_or(sh::root()))?;
    std::fs::write(&file, format!("{result:#}\n"))?;
    println!("written to {}", file.strip_prefix(sh::root()).unwrap_or(&file).display());
    Ok(ExitCode::SUCCESS)
}

/// A folder for records, gone when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("handeye-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).with_context(|| format!("no folder {}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Milliseconds of `handeye --version`, from start to exit.
fn start_time(handeye: &Path, times: usize) -> Result<Value> {
    let mut samples = Vec::new();
    for _ in 0..times {
        let start = Instant::now();
        sh::output(Command::new(handeye).arg("--version"))?;
        samples.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(
        json!({"median": rounded(median(&samples)), "most": rounded(samples.iter().copied().fold(0.0, f64::max)), "runs": times, "goal": 10}),
    )
}

/// Both sides fill in the form, in turn.
fn rounds(handeye: &Path, folder: &Path, times: usize) -> Result<Value> {
    let form = form::Form::serve()?;
    let browser = Browser::start(folder)?;
    let replies = folder.join("form.json");
    std::fs::write(&replies, json!(form::replies()).to_string())?;
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    // The first turn warms the browser up and is thrown away.
    for turn in 0..=times {
        let theirs = form.timed(|| script::fill(&browser.endpoint, &form.url))?;
        let our_command = || act(handeye, &replies, &form.url, folder, Some(&browser.endpoint));
        let our = form.timed(our_command)?;
        if turn > 0 {
            ours.push(our);
            bare.push(theirs);
        }
    }
    let of = |turns: &[form::Turn], pick: fn(&form::Turn) -> f64| median(&turns.iter().map(pick).collect::<Vec<_>>());
    let side = |turns: &[form::Turn]| {
        json!({"round": rounded(of(turns, form::Turn::round)), "input": rounded(of(turns, form::Turn::input)),
            "tap": rounded(of(turns, form::Turn::tap)), "all": turns.iter().map(|t| rounded(t.round())).collect::<Vec<_>>()})
    };
    // Each turn has its own ratio, so that what slows the machine for a while slows both sides of it.
    let ratios: Vec<f64> = ours.iter().zip(&bare).map(|(o, b)| o.round() / b.round()).collect();
    Ok(json!({"ours_ms": side(&ours), "bare_ms": side(&bare), "ratio": (median(&ratios) * 100.0).round() / 100.0,
        "goal": 1.4, "turns": times}))
}

/// Runs `handeye act` with scripted replies to its end.
fn act(handeye: &Path, replies: &Path, url: &str, out: &Path, cdp: Option<&str>) -> Result<()> {
    let mut command = act_command(handeye, replies, url, out);
    if let Some(endpoint) = cdp {
        command.args(["--cdp", endpoint]);
    }
    let output = command.output().context("the built `handeye`")?;
    if !output.status.success() {
        bail!("`{}` failed: {}\n{}", sh::shown(&command), output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

fn act_command(handeye: &Path, replies: &Path, url: &str, out: &Path) -> Command {
    let mut command = Command::new(handeye);
    command.args(["act", "Do what the replies say", "--planner", "standard", "--viewport", "1280x720", "--json"]);
    command.args(["--web", url]).arg("--out").arg(out.join("run"));
    command.env("HANDEYE_MODEL_BASE_URL", format!("scripted:{}", replies.display()));
    command.env("HANDEYE_MODEL_NAME", "scripted").env("HANDEYE_MODEL_FAMILY", "qwen3-vl");
    command
}

fn machine() -> Value {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = info.lines().find_map(|l| l.strip_prefix("model name")).map(|l| l.trim_start_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    json!({"cpu": cpu.unwrap_or("unknown"), "cores": cores})
}

fn print_table(result: &Value) {
    let (round, memory, start) = (&result["round"], &result["memory"], &result["version_ms"]);
    let line = |title: &str, ours: &Value, bare: &Value, ratio: &Value, goal: &Value| {
        let text = |value: &Value| if value.is_null() { String::new() } else { value.to_string() };
        let goal = if goal.is_null() { String::new() } else { format!("≤ {goal}") };
        println!("{title:<42}{:>9}{:>9}{:>8}{goal:>8}", text(ours), text(bare), text(ratio));
    };
    println!("\n{:<42}{:>9}{:>9}{:>8}{:>8}", "", "handeye", "bare", "ratio", "goal");
    let none = &Value::Null;
    let (ours, bare) = (&round["ours_ms"], &round["bare_ms"]);
    line("time per round, five-action form, ms", &ours["round"], &bare["round"], &round["ratio"], &round["goal"]);
    for (title, key) in [("  a round of input", "input"), ("  a round of tap", "tap")] {
        line(title, &ours[key], &bare[key], &ratio(&ours[key], &bare[key]), none);
    }
    line("peak memory of a 20-round run, MB", &memory["peak_mb"], none, none, &memory["goal_mb"]);
    line("  growth from round 5 to round 20, MB", &memory["growth_mb"], none, none, none);
    line("`handeye --version`, ms", &start["median"], none, none, &start["goal"]);
}

fn ratio(ours: &Value, bare: &Value) -> Value {
    let (ours, bare) = (ours.as_f64().unwrap_or(0.0), bare.as_f64().unwrap_or(0.0));
    json!((ours / bare * 100.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::{Browser, Scratch, form, script};

    #[test]
    fn the_bare_script_fills_in_the_form() {
        let folder = Scratch::new().expect("a folder");
        let form = form::Form::serve().expect("a form");
        let browser = Browser::start(&folder.0).expect("a browser");
        for _ in 0..2 {
            let turn = form.timed(|| script::fill(&browser.endpoint, &form.url)).expect("a filled form");
            println!("input {:.1} ms, tap {:.1} ms, round {:.1} ms", turn.input(), turn.tap(), turn.round());
            assert!(turn.round() > 0.0);
        }
    }
}
