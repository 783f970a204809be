//! What is printed: results on standard output, everything about them on standard error, and the exit code.
//!
//! With `--json` standard output holds exactly one object, however the command ended; one that has an `error` did not do what
//! was asked.

use crate::USAGE;
use crate::environment;
use crate::screen::{Line, Screen, harmless, harmless_json};
use handeye::doctor::{Diagnosis, Finding, Health};
use handeye::{Dollars, End, ErrorKind, Finished, Problem, Replayed, RunResult, StartError};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// How a command's result is to be printed.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
}

/// The object for a command that did not get as far as a result of its own.
#[derive(Serialize)]
struct Refusal<'a> {
    v: u32,
    error: &'a Problem,
    exit_code: u8,
}

pub(crate) fn usage(message: String) -> Problem {
    Problem::new(ErrorKind::Usage, message, None)
}

pub(crate) fn usage_with(message: String, hint: &str) -> Problem {
    Problem::new(ErrorKind::Usage, message, Some(hint.to_owned()))
}

/// A command line that cannot be read, or that asks for help.
pub(crate) fn not_understood(error: &clap::Error, json: bool) -> ExitCode {
    // Help and version go to standard output; whoever closed it wants no more.
    let _ = error.print();
    if error.use_stderr() && json {
        let text = error.render().to_string();
        // What follows the message is a tip and the usage.
        let message = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error:");
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        let problem = usage_with(message, "`handeye COMMAND --help` shows what it takes");
        print_json(&Refusal { v: 1, error: &problem, exit_code: USAGE });
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(USAGE))
}

impl Output {
    /// Something that did not even begin.
    pub(crate) fn problem(self, problem: &Problem, exit_code: u8) -> ExitCode {
        let screen = Screen::plain();
        screen.line(&Line::failure(harmless(&problem.message)));
        if let Some(hint) = &problem.hint {
            screen.line(&Line::hint(harmless(hint)));
        }
        if self.json {
            print_json(&Refusal { v: 1, error: problem, exit_code });
        }
        ExitCode::from(exit_code)
    }

    pub(crate) fn start_error(self, error: &StartError) -> ExitCode {
        let problem = Problem::new(error.kind(), error.to_string(), error.hint());
        self.problem(&problem, error.exit_code())
    }

    /// The result on standard output, everything about it on standard error.
    pub(crate) fn finished(self, finished: &Finished, quiet: bool, screen: &Screen) -> ExitCode {
        // The result's end is the masked one.
        let result = &finished.result;
        let printed = match &result.end {
            _ if self.json => print_json(result),
            End::Completed { message } => print(&screen.text(message)),
            _ => true,
        };
        if !result.end.is_success() {
            screen.line(&Line::failure(screen.text(&result.end.to_string())));
        }
        if let End::Error { hint: Some(hint), .. } = &result.end {
            screen.line(&Line::hint(screen.text(hint)));
        }
        if let Some(problem) = &result.record_problem {
            screen.say(&format!("handeye: the record of this run is not whole: {problem}"));
        }
        if let Some(endpoint) = &finished.left_open {
            screen.say(&format!("browser left open at {endpoint}"));
        }
        if let (1.., false) = (result.model_calls, quiet) {
            screen.say(&models(result));
        }
        if let (Some(report), false) = (&result.report, quiet) {
            screen.say(&format!("report: {}", report.display()));
        }
        screen.flush();
        match finished.outcome.end.exit_code() {
            // Whoever reads the result would take an empty file for one.
            0 if !printed => ExitCode::from(USAGE),
            code => ExitCode::from(code),
        }
    }

    pub(crate) fn diagnosis(self, diagnosis: &Diagnosis) -> ExitCode {
        if self.json {
            print_json(diagnosis);
        } else {
            diagnosis.findings.iter().for_each(|f| _ = print(&harmless(&finding(f))));
        }
        ExitCode::from(diagnosis.exit_code)
    }

    pub(crate) fn replayed(self, replayed: &Replayed) -> ExitCode {
        if self.json {
            print_json(replayed);
        } else {
            let needs = replayed.needs;
            print(&harmless(&match (&replayed.difference, &replayed.outcome) {
                (Some(difference), _) => format!("after {needs} needs it decides otherwise: {difference}"),
                (None, Some(outcome)) => format!("{needs} needs, all the same; it ended: {}", outcome.end),
                (None, None) => format!("{needs} needs, all the same; then the record ends: the run was killed"),
            }));
        }
        for fault in &replayed.faults {
            say(&format!("handeye: the record is not whole: {}", harmless(fault)));
        }
        ExitCode::from(u8::from(replayed.difference.is_some()))
    }
}

/// `models: 3 calls, 6600 tokens, $0.0120`
fn models(result: &RunResult) -> String {
    let calls = if result.model_calls == 1 { "call" } else { "calls" };
    let about = if result.usage.estimated { "about " } else { "" };
    let cost = result.microdollars.map_or(String::new(), |sum| format!(", {}", Dollars::of_micros(sum)));
    format!("models: {} {calls}, {about}{} tokens{cost}", result.model_calls, result.usage.total())
}

fn finding(f: &Finding) -> String {
    let mark = match f.health {
        Health::Ok => "ok     ",
        Health::Warning => "warning",
        Health::Broken => "BROKEN ",
    };
    let fix = f.fix.as_ref().map(|fix| format!("\n{:18}fix: {fix}", "")).unwrap_or_default();
    format!("{mark}  {:<7}  {}{fix}", f.what, f.says)
}

fn print_json(value: &impl Serialize) -> bool {
    print(&harmless_json(&serde_json::to_string_pretty(value).unwrap_or_default()))
}

/// A closed pipe at the other end is no reason to fail: who closed it wants no more. `false` when the text got lost.
pub(crate) fn print(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Ok(()) => true,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => true,
        Err(error) => {
            say(&format!("handeye: the result could not be written to standard output: {error}"));
            false
        }
    }
}

pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Whether standard error can show colours.
pub(crate) fn has_colours() -> bool {
    let is_dumb = environment::var("TERM").is_some_and(|term| term == "dumb");
    std::io::stderr().is_terminal() && environment::var("NO_COLOR").is_none() && !is_dumb
}
