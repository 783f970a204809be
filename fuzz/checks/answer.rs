//! Any reply to a question: a value, or a short refusal. What is JSON in its tags is the value, letter by letter.

use handeye_agent::read::answer;
use handeye_agent::read::tags::without_thinking;
use handeye_core::Finish;
use serde_json::Value;

pub(crate) fn check(text: &str) {
    for finish in [Finish::Stop, Finish::Length] {
        match answer(text, finish) {
            Ok(read) => assert!(read.errors.iter().all(|error| !error.trim().is_empty())),
            Err(misread) => assert!(!misread.why.is_empty() && misread.why.chars().count() <= 520),
        }
    }
    if text.len() > 1 << 14 {
        return;
    }
    // Whatever a text holds, also tags of ours, it comes out as it went in. Thinking is taken out wherever it stands.
    let value = Value::from(text);
    let said = format!("<thought>It is there.</thought>\n<data-json>{value}</data-json>");
    if without_thinking(&said).0 == said {
        assert_eq!(answer(&said, Finish::Stop).map(|read| (read.value, read.errors)), Ok((value, Vec::new())));
    }
}
