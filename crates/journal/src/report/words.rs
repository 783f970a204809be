//! How the report names things of the record.

use super::data::{EffectView, EndView, Failure, Mark, SettledView, Tone};
use handeye_core::outcome::Budget;
use handeye_core::{Changes, ChatError, DeviceError, Effect, Element, End, Quiet, Settled, Verdict};
use serde::Serialize;
use serde_json::Value;

/// The name that a plain enum is written with.
pub(super) fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

pub(super) fn end(end: &End) -> EndView {
    let exit_code = Some(end.exit_code());
    let view = |kind: &str, tone, message: &str| EndView {
        kind: kind.into(),
        tone,
        message: message.into(),
        exit_code,
        ..EndView::default()
    };
    match end {
        End::Completed { message } => view("completed", Tone::Good, message),
        End::Failed { message } => view("failed", Tone::Bad, message),
        End::BudgetExhausted { which, message } => {
            let kind = match which {
                Budget::Rounds => "out of rounds",
                Budget::Time => "out of time",
                Budget::Tokens => "out of tokens",
                Budget::Money => "out of money",
            };
            view(kind, Tone::Doubt, message)
        }
        End::Stuck { why } => view("stuck", Tone::Doubt, why),
        End::Refused { why } => view("refused", Tone::Bad, why),
        End::Abstained { why, candidates } => {
            EndView { candidates: candidates.clone(), ..view("abstained", Tone::Doubt, why) }
        }
        End::Cancelled => view("cancelled", Tone::Plain, ""),
        End::Error { message, hint, .. } => EndView { hint: hint.clone(), ..view("error", Tone::Bad, message) },
    }
}

pub(super) fn unfinished() -> EndView {
    EndView {
        kind: "unfinished".into(),
        tone: Tone::Doubt,
        message: "the record has no end: the run was killed, or it still goes on".into(),
        ..EndView::default()
    }
}

pub(super) fn effect(effect: &Effect) -> EffectView {
    let (verdict, tone, by) = match &effect.verdict {
        Verdict::Confirmed => ("confirmed", Tone::Good, None),
        Verdict::Unverified => ("unverified", Tone::Plain, None),
        Verdict::NoOpSuspected => ("no-op suspected", Tone::Doubt, None),
        Verdict::Reverted => ("reverted", Tone::Bad, None),
        Verdict::Refused => ("refused", Tone::Bad, None),
        Verdict::Covered { by } => ("covered", Tone::Bad, Some(by.clone())),
    };
    EffectView { verdict: verdict.into(), tone, because: effect.because.clone(), on: effect.on.clone(), by }
}

pub(super) fn device_error(error: &DeviceError) -> Failure {
    Failure { kind: word(&error.kind()), message: error.to_string(), hint: error.hint.clone() }
}

pub(super) fn chat_error(error: &ChatError) -> Failure {
    Failure { kind: word(&error.kind), message: error.message.clone(), hint: error.hint.clone() }
}

pub(super) fn mark(name: &str, element: &Element) -> Mark {
    Mark {
        name: name.into(),
        description: element.description.clone(),
        rect: element.rect,
        point: element.point,
        found_by: word(&element.found_by),
        confidence: element.confidence,
        label: element.label.clone(),
    }
}

pub(super) fn settled(settled: &Settled) -> SettledView {
    let by = match settled.by {
        Quiet::Idle => "nothing moved any more",
        Quiet::Loaded => "a new document had loaded",
        Quiet::Dialog => "a dialog opened or closed",
        Quiet::Cap => "time ran out while something still moved",
    };
    SettledView {
        by: by.into(),
        took: settled.took,
        busy: settled.busy.clone(),
        changes: settled.changes.as_ref().map(changes).unwrap_or_default(),
    }
}

fn changes(changes: &Changes) -> Vec<String> {
    let count = |n: u32, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let flag = |is: bool, what: &str| is.then(|| what.to_owned());
    let all = [
        changes.url.as_ref().map(|url| format!("address now {url}")),
        flag(changes.value, "a value"),
        flag(changes.focus, "the focus"),
        flag(changes.scroll, "the scroll position"),
        flag(changes.opened, "a new tab or window"),
        flag(changes.dialog, "a dialog"),
        count(changes.mutations, "change of the document", "changes of the document"),
        count(changes.requests, "request", "requests"),
    ];
    all.into_iter().flatten().collect()
}
