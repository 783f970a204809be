//! Finds and names the first difference between what was recorded and what is asked now.

use handeye_core::diff::{self, Difference};
use handeye_core::{Need, text};
use serde_json::Value;

pub(super) fn needs(recorded: &Need, now: &Need) -> Option<Difference> {
    if recorded == now {
        return None;
    }
    // Values decide, as they would be written; the types above only save the work where nothing differs.
    diff::first(&to_value(recorded), &to_value(now), &|_, _| false)
}

/// The difference of two request bodies that are known to differ.
pub(super) fn bodies(recorded: &str, now: &str) -> Difference {
    let parsed = (serde_json::from_str::<Value>(recorded), serde_json::from_str::<Value>(now));
    if let (Ok(recorded), Ok(now)) = parsed
        && let Some(difference) = diff::first(&recorded, &now, &|_, _| false)
    {
        return difference;
    }
    let (recorded, now) = diff::around(recorded, now);
    Difference { path: "body".into(), recorded, now }
}

/// A need in one line.
pub(super) fn describe(need: &Need) -> String {
    text::clip(&to_value(need).to_string(), 200)
}

fn to_value(need: &Need) -> Value {
    serde_json::to_value(need).unwrap_or_default()
}
