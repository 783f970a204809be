//! Which crate may use which.

use crate::sh;
use anyhow::{Context, Result};
use serde_json::Value;

/// Each of our crates and those of ours that it may depend on. A new line or word here needs a sentence in ARCHITECTURE.md.
const ALLOWED: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("image", &["core"]),
    ("chat", &["core"]),
    ("cdp", &["core"]),
    ("journal", &["core"]),
    ("device", &["core", "image", "cdp"]),
    ("agent", &["core"]),
    ("handeye", &["core", "image", "chat", "cdp", "journal", "device", "agent"]),
    ("cli", &["handeye"]),
    ("testkit", &["core"]),
    ("xtask", &[]),
];

/// What has no place in the tree of the agent, which decides and does nothing else.
const NOT_IN_AGENT: [&str; 8] =
    ["tokio", "reqwest", "tungstenite", "tokio-tungstenite", "hyper", "axum", "x11rb", "mio"];

pub(super) fn check() -> Result<Vec<String>> {
    let metadata = sh::output(&mut sh::cargo("metadata --format-version 1 --no-deps --locked"))?;
    let metadata: Value = serde_json::from_str(&metadata).context("the answer of `cargo metadata`")?;
    let mut faults = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = short(package["name"].as_str().unwrap_or_default());
        let Some((_, allowed)) = ALLOWED.iter().find(|(n, _)| *n == name) else {
            faults.push(format!("crate `{name}` is not in the table of allowed edges, xtask/src/tidy/edges.rs"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let full = dependency["name"].as_str().unwrap_or_default();
            if full.starts_with("handeye") {
                faults.extend(edge(name, allowed, short(full), dependency["kind"].as_str()));
            }
        }
    }
    faults.extend(agent_tree()?);
    Ok(faults)
}

/// What is wrong with one crate of ours depending on another. `kind` is null for a normal dependency.
fn edge(name: &str, allowed: &[&str], on: &str, kind: Option<&str>) -> Option<String> {
    match (on, kind) {
        ("testkit", Some("dev")) => None,
        ("testkit", _) => Some(format!("`{name}` depends on `testkit`, which is for tests only")),
        // Tests may look from further above, but never make a circle through the product.
        (_, Some("dev")) => None,
        _ if allowed.contains(&on) => None,
        _ => Some(format!("`{name}` depends on `{on}`, which it must not (DESIGN: the house)")),
    }
}

fn agent_tree() -> Result<Vec<String>> {
    let tree = sh::output(&mut sh::cargo("tree -p handeye-agent -e normal --prefix none --locked"))?;
    let crates = tree.lines().filter_map(|l| l.split(' ').next());
    let mut bad: Vec<&str> = crates.filter(|c| NOT_IN_AGENT.contains(c)).collect();
    bad.sort_unstable();
    bad.dedup();
    Ok(bad.iter().map(|c| format!("`{c}` is in the tree of `agent`, which only decides")).collect())
}

/// `handeye-core` is `core`, the crate `handeye` itself keeps its name.
fn short(name: &str) -> &str {
    name.strip_prefix("handeye-").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::edge;

    #[test]
    fn edges_are_judged_by_table_and_kind() {
        assert_eq!(edge("agent", &["core"], "core", None), None);
        assert_eq!(edge("agent", &["core"], "testkit", Some("dev")), None);
        assert!(edge("agent", &["core"], "cdp", None).is_some());
        assert!(edge("agent", &["core"], "testkit", None).is_some());
    }
}
