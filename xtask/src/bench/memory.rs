//! The memory of the `handeye` process over a run of twenty rounds with its own browser (which is not counted).

use super::stats::rounded;
use super::{act_command, sh};
use crate::web;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const ROUNDS: usize = 20;

/// Resident megabytes, now and at most so far.
#[derive(Clone, Copy, Default)]
struct Resident {
    now: f64,
    peak: f64,
}

/// Looks at the process every 5 ms; `at_round[n]` is the first look after the n-th tap arrived, so that the end of the run
/// (its report) counts for the peak but not for the growth.
pub(super) fn measure(handeye: &Path, folder: &Path) -> Result<Value> {
    let taps = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&taps);
    let origin = web::serve(move |request| match request.path.as_str() {
        "/" => Some(include_bytes!("counter.html").to_vec()),
        "/tap" => {
            counted.fetch_add(1, Ordering::SeqCst);
            Some(Vec::new())
        }
        _ => None,
    })?;
    let replies = folder.join("counter.json");
    std::fs::write(&replies, json!(replies_of_run()).to_string())?;
    let mut command = act_command(handeye, &replies, &format!("{origin}/"), folder);
    let errors = folder.join("stderr");
    command.stdout(Stdio::null()).stderr(std::fs::File::create(&errors)?);
    let mut child = command.spawn().context("the built `handeye`")?;
    let mut at_round = vec![Resident::default(); ROUNDS + 1];
    let mut peak: f64 = 0.0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if let Some(resident) = resident(child.id()) {
            let round = taps.load(Ordering::SeqCst).min(ROUNDS);
            if at_round[round].now == 0.0 {
                at_round[round] = resident;
            }
            peak = peak.max(resident.peak);
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let taps = taps.load(Ordering::SeqCst);
    if !status.success() || taps != ROUNDS {
        let said = std::fs::read_to_string(&errors).unwrap_or_default();
        bail!("`{}`: {status} after {taps} of {ROUNDS} taps\n{said}", sh::shown(&command));
    }
    let series: Vec<f64> = at_round.iter().map(|r| rounded(r.now)).collect();
    Ok(
        json!({"peak_mb": rounded(peak), "growth_mb": rounded(at_round[ROUNDS].now - at_round[5].now), "by_round_mb": series,
        "rounds": ROUNDS, "goal_mb": 40}),
    )
}

fn replies_of_run() -> Vec<String> {
    let tap = "<thought>Once more.</thought>\n<log>Tap the button</log>\n<action-type>Tap</action-type>\n\
        <action-param-json>{\"locate\": {\"prompt\": \"Add one\", \"bbox\": [422, 417, 578, 500]}}</action-param-json>";
    let mut replies = vec![tap.to_owned(); ROUNDS];
    replies.push("<thought>It says twenty.</thought>\n<complete success=\"true\">done</complete>".into());
    replies
}

fn resident(pid: u32) -> Option<Resident> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let megabytes = |name: &str| {
        let line = status.lines().find_map(|l| l.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<f64>().ok().map(|kib| kib * 1024.0 / 1e6)
    };
    Some(Resident { now: megabytes("VmRSS:")?, peak: megabytes("VmHWM:")? })
}
