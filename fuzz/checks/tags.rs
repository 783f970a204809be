//! Any text: tags lie inside it, in order, and hold pieces of it.

use handeye_agent::read::tags::{outside, scan, without_thinking};

pub(crate) fn check(text: &str) {
    let (kept, repairs) = without_thinking(text);
    assert!(kept.len() <= text.len());
    assert!(!repairs.is_empty() || kept == text);
    let found = scan(&kept);
    let mut at = 0;
    for tagged in &found {
        assert!(tagged.span.start >= at && tagged.span.end > tagged.span.start);
        assert!(kept[tagged.span.clone()].contains(tagged.text));
        at = tagged.span.end;
    }
    assert!(outside(&kept, &found).len() <= kept.len() + found.len());
}
