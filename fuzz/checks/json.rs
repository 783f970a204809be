//! Any text: read or refused, and strict JSON exactly as the strict parser reads it, also through the tolerant one.

use handeye_agent::read::json;
use serde_json::{Value, json as value};

pub(crate) fn check(text: &str) {
    match json(text) {
        Ok(read) => assert!(read.cut || !read.torn),
        Err(error) => assert!(error.offset <= text.len()),
    }
    let Ok(strict) = serde_json::from_str::<Value>(text) else { return };
    if let Ok(read) = json(text) {
        assert_eq!(read.value, strict);
        assert!(read.repairs.is_empty() && !read.cut);
    }
    // Numbers are printed anew: the strict parser may read the last digit of a long one differently.
    let printed = strict.to_string();
    if let Ok(read) = json(&format!("[{printed},]")) {
        assert_eq!(
            read.value.to_string(),
            value!([serde_json::from_str::<Value>(&printed).expect("strict JSON")]).to_string()
        );
        assert!(!read.cut);
    }
}
