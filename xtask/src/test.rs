//! Every check and every test, in the order in which they are quickest to fail.

use crate::{clients, demo, pages, setup, sh, tidy};
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Tally {
    passed: u64,
    failed: u64,
    /// Steps that are no tests and went wrong.
    broken: Vec<&'static str>,
    times: Vec<(&'static str, Duration)>,
}

/// Runs all steps, also when one fails, and ends with `N passed, N failed`.
pub(crate) fn run() -> Result<ExitCode> {
    let mut tally = Tally::default();
    let start = Instant::now();
    setup::everything()?;
    tally.times.push(("setup", start.elapsed()));
    tally.check("pages", pages::ensure);
    tally.check("clients", clients::check);
    tally.check("fmt", || sh::run(&mut sh::cargo("fmt --all --check")));
    tally.check("tidy", || match tidy::run()? {
        ExitCode::SUCCESS => Ok(()),
        _ => anyhow::bail!("see above"),
    });
    tally.check("clippy", || sh::run(&mut sh::cargo("clippy --workspace --all-targets --locked -- -D warnings")));
    // The end-to-end tests run the binary itself.
    tally.check("build", || sh::run(&mut sh::cargo("build --locked -p handeye-cli")));
    let nextest = "nextest run --workspace --locked --no-fail-fast --color never --hide-progress-bar";
    tally.tests("nextest", &mut sh::cargo(nextest))?;
    // Both languages of the demo, as a user would run it.
    for words in [&[][..], &["--zh"]] {
        tally.check("demo", || match demo::run(words)? {
            ExitCode::SUCCESS => Ok(()),
            _ => anyhow::bail!("the demo did not end well"),
        });
    }
    tally.tests("doc tests", &mut sh::cargo("test --workspace --locked --doc --no-fail-fast --quiet"))?;
    Ok(tally.close(start.elapsed()))
}

/// Every case for every family.
pub(crate) fn cases() -> Result<ExitCode> {
    setup::everything()?;
    let mut tally = Tally::default();
    let start = Instant::now();
    let nextest = "nextest run -p handeye-cli --locked --no-fail-fast --color never --hide-progress-bar";
    let mut command = sh::cargo(nextest);
    command.args(["-E", "test(/^(cases|families)::/)"]).env("CASES_OF_ALL_FAMILIES", "1");
    tally.tests("cases", &mut command)?;
    Ok(tally.close(start.elapsed()))
}

impl Tally {
    fn check(&mut self, name: &'static str, check: impl FnOnce() -> Result<()>) {
        let start = Instant::now();
        if let Err(error) = check() {
            eprintln!("{name}: {error:#}");
            self.broken.push(name);
        }
        self.times.push((name, start.elapsed()));
    }

    /// Runs a test command with its output on ours, and adds up what its summaries say.
    fn tests(&mut self, name: &'static str, command: &mut Command) -> Result<()> {
        let start = Instant::now();
        println!("$ {}", sh::shown(command));
        // One pipe for both streams: nextest sums up on stderr, the doc tests on stdout.
        let (reader, writer) = std::io::pipe().context("a pipe")?;
        command.stdin(Stdio::null()).stdout(writer.try_clone().context("a pipe")?).stderr(writer);
        let mut child = command.spawn().with_context(|| format!("`{}` could not be started", sh::shown(command)))?;
        // The command keeps the ends of the pipe that it was given; while it lives, reading would never end.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let failed_before = self.failed;
        for line in BufReader::new(reader).lines().map_while(Result::ok) {
            println!("{line}");
            if let Some((passed, failed)) = summary(&line) {
                self.passed += passed;
                self.failed += failed;
            }
        }
        let status = child.wait().context("the end of the tests")?;
        if !status.success() && self.failed == failed_before {
            self.broken.push(name);
        }
        self.times.push((name, start.elapsed()));
        Ok(())
    }

    fn close(&self, took: Duration) -> ExitCode {
        println!();
        for (name, took) in &self.times {
            println!("{name:>10} {:6.1} s", took.as_secs_f64());
        }
        println!("{:>10} {:6.1} s", "all", took.as_secs_f64());
        if !self.broken.is_empty() {
            println!("went wrong: {}", self.broken.join(", "));
        }
        println!("{} passed, {} failed", self.passed, self.failed + self.broken.len() as u64);
        if self.failed == 0 && self.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Passed and failed of a line that sums up a test run: of nextest, or of the built-in harness.
fn summary(line: &str) -> Option<(u64, u64)> {
    // What nextest repeats of a failed test's own output is indented, its summary too.
    let counts = line.trim_start().strip_prefix("Summary [").or_else(|| line.strip_prefix("test result:"))?;
    let mut sum = (0, 0);
    for part in counts.split([',', ';', ':', '.', ']']) {
        let mut words = part.split_whitespace();
        match (words.next().and_then(|n| n.parse::<u64>().ok()), words.collect::<Vec<_>>().join(" ").as_str()) {
            (Some(n), what) if what.starts_with("passed") => sum.0 += n,
            (Some(n), "failed" | "timed out" | "exec failed") => sum.1 += n,
            _ => {}
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn summaries_are_read() {
        let all = [
            ("     Summary [  20.382s] 17 tests run: 16 passed, 1 failed, 0 skipped", Some((16, 1))),
            ("     Summary [   0.581s] 1017 tests run: 1017 passed (3 slow), 0 skipped", Some((1017, 0))),
            (
                "     Summary [ 180.1s] 4/9 tests run: 2 passed (1 slow, 1 flaky), 1 failed, 1 timed out, 0 skipped",
                Some((2, 2)),
            ),
            (
                "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
                Some((2, 0)),
            ),
            (
                "    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 44 filtered out; finished in 1.58s",
                None,
            ),
            ("        PASS [   0.013s] ( 1/17) handeye-testkit it", None),
        ];
        assert_eq!(all.map(|(line, _)| summary(line)), all.map(|(_, want)| want));
    }
}
