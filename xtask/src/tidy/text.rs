//! Sizes, words and paths in the files of the repository.

use crate::sh;

/// Lines of a source file; tables of tests may be longer.
const LONGEST: usize = 600;
const LONGEST_TEST: usize = 800;

/// Marks of unfinished work. Put together here so that this file does not hold them.
const UNFINISHED: [&str; 4] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("HA", "CK")];

/// Places of one machine.
const PLACES: [&str; 4] = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Us", "ers/")];

/// What deciding must not touch: time, threads, processes, files, the network, chance.
const NOT_IN_AGENT: [&str; 12] = [
    "Instant",
    "SystemTime",
    "spawn",
    "select!",
    "tokio",
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "getrandom",
    "block_on",
];

pub(super) fn check(files: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files {
        if file.ends_with("/mod.rs") {
            faults.push(format!("{file}: a module `foo` with parts is `foo.rs` and `foo/bar.rs`"));
        }
        // Pictures and other bytes have no lines.
        let Ok(text) = std::fs::read_to_string(sh::root().join(file)) else { continue };
        faults.extend(in_text(file, &text));
    }
    faults
}

fn in_text(file: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let is_rust = extension(file) == "rs";
    let is_test = file.contains("/tests/") || file.ends_with("/tests.rs");
    let limit = if is_test { LONGEST_TEST } else { LONGEST };
    let lines = text.lines().count();
    if is_rust && lines > limit {
        faults.push(format!("{file}: {lines} lines, at most {limit} are good: split it by subject"));
    }
    let is_data = file.starts_with("tests/") || matches!(extension(file), "lock" | "json" | "html" | "snap");
    let in_agent = is_rust && !is_test && file.starts_with("crates/agent/src/");
    for (number, line) in text.lines().enumerate() {
        let mut fault = |what: String| faults.push(format!("{file}:{}: {what}", number + 1));
        // In code only comments count: a test may well press a button with that name.
        let prose = if is_rust { line.split_once("//").map_or("", |(_, comment)| comment) } else { line };
        if let Some(word) = UNFINISHED.iter().find(|w| !is_data && has_word(prose, w)) {
            fault(format!("`{word}` marks unfinished work: finish it or file an issue"));
        }
        if let Some(place) = PLACES.iter().find(|p| line.contains(*p)) {
            fault(format!("`{place}` is a place on one machine"));
        }
        if is_rust && line.trim_start().starts_with("#[ignore") {
            fault("a test is run or removed, not ignored".into());
        }
        let code = line.split("//").next().unwrap_or_default();
        if let Some(word) = NOT_IN_AGENT.iter().find(|w| in_agent && has_word(code, w)) {
            fault(format!("`{word}`: the agent awaits only its World"));
        }
    }
    faults
}

fn extension(file: &str) -> &str {
    file.rsplit_once('.').map_or("", |(_, e)| e)
}

/// Whether the word stands in the line with no letter, digit or underscore beside it.
fn has_word(line: &str, word: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        !joins(before.chars().next_back()) && !joins(after.chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::{PLACES, UNFINISHED, in_text};

    #[test]
    fn each_rule_is_seen_and_named_with_its_line() {
        let check = |file: &str, text: &str| in_text(file, text).join("; ");
        let unfinished = format!("fn a() {{}}\n// {} later", UNFINISHED[0]);
        assert!(check("crates/x/src/a.rs", &unfinished).starts_with("crates/x/src/a.rs:2: "));
        assert_eq!(check("crates/x/src/a.rs", "// TodoMVC, HACKATHON"), "");
        assert_eq!(check("crates/x/src/a.rs", &format!("find(\"{}\")", UNFINISHED[0])), "");
        assert!(check("README.md", &format!("see {}x", PLACES[0])).contains("one machine"));
        assert!(check("crates/agent/src/a.rs", "let t = Instant::now();").contains("`Instant`"));
        assert_eq!(check("crates/agent/src/a.rs", "// an Instant is not used; respawned();"), "");
        assert_eq!(check("crates/agent/src/a/tests.rs", "let t = Instant::now();"), "");
        assert!(check("crates/x/src/a.rs", &"\n".repeat(601)).contains("601 lines"));
        assert_eq!(check("crates/x/tests/it/a.rs", &"\n".repeat(601)), "");
        assert!(check("crates/x/tests/it/a.rs", "  #[ignore = \"slow\"]").contains("not ignored"));
    }
}
