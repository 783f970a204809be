//! The binary `handeye`: reads the command line and the environment, prints, and leaves the rest to the library.

mod args;
mod environment;
mod printer;
mod progress;
mod screen;
mod work;

use args::{Cli, Command, DeviceArgs, ModelArgs, OutputArgs};
use clap::Parser;
use handeye::doctor::{Finding, Health};
use handeye::{CancelToken, Finished, StartError};
use screen::{Screen, harmless, harmless_json};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Wrong use or configuration.
const USAGE: u8 = 2;
/// Cancelled by the user.
const CANCELLED: u8 = 130;

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Command::Reap { args } = cli.command {
        // Before the runtime: the reaper is a small process that only waits.
        return handeye::reaper_main(args);
    }
    environment::start_logging();
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return complain(&format!("the runtime could not be started: {error}"), None, USAGE),
    };
    let code = runtime.block_on(command(cli.command));
    // Blocking threads may still hold a file; they are not worth waiting for at the end.
    runtime.shutdown_background();
    code
}

async fn command(command: Command) -> ExitCode {
    match command {
        Command::Doctor { device, model, out, json } => doctor(&device, &model, &out, json).await,
        Command::Replay { run, json } => replay(&run, json).await,
        Command::Report { run } => report(&run),
        Command::Reap { .. } => ExitCode::SUCCESS,
        other => match work::of(other) {
            Ok((work, run)) => Box::pin(perform(work, run)).await,
            Err(message) => complain(&message, None, USAGE),
        },
    }
}

async fn perform(work: handeye::Work, run: args::RunArgs) -> ExitCode {
    let cancel = CancelToken::new();
    let output = &run.output;
    let mut options = match environment::options(work, &run, cancel.clone()) {
        Ok(options) => options,
        Err(error) => return start_error(&error),
    };
    let screen = Arc::new(Screen::new(options.secrets()));
    options.watch = progress::watch(output.quiet, screen.clone());
    let signals = tokio::spawn(cancel_on_signal(Signals::new().ok(), cancel));
    let finished = handeye::run(options).await;
    signals.abort();
    match finished {
        Ok(finished) => told(&finished, output, &screen),
        Err(error) => start_error(&error),
    }
}

/// The signals that mean "stop". They are listened to from before the run begins until it has ended, so that none is lost
/// between two.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }
}

/// The first signal cancels in good order, the second ends the process at once; the reaper sees to the browser.
async fn cancel_on_signal(signals: Option<Signals>, cancel: CancelToken) {
    // Without handlers the signals keep their usual meaning.
    let Some(mut signals) = signals else { return };
    signals.next().await;
    cancel.cancel();
    signals.next().await;
    std::process::exit(i32::from(CANCELLED));
}

/// The result on standard output, everything about it on standard error.
fn told(finished: &Finished, output: &OutputArgs, screen: &Screen) -> ExitCode {
    // The result's end is the masked one.
    let end = &finished.result.end;
    let mut printed = true;
    screen.flush();
    match end {
        _ if output.json => {
            let json = serde_json::to_string_pretty(&finished.result).unwrap_or_default();
            printed = print(&harmless_json(&json));
        }
        handeye::End::Completed { message } => printed = print(&screen.text(message)),
        _ => {}
    }
    if !end.is_success() {
        screen.say(&format!("handeye: {}", screen.text(&end.to_string())));
    }
    if let handeye::End::Error { hint: Some(hint), .. } = end {
        screen.say(&format!("  hint: {}", screen.text(hint)));
    }
    if let Some(problem) = &finished.result.record_problem {
        screen.say(&format!("handeye: the record of this run is not whole: {problem}"));
    }
    if let Some(endpoint) = &finished.left_open {
        screen.say(&format!("browser left open at {endpoint}"));
    }
    if !output.quiet
        && let Some(report) = &finished.result.report
    {
        screen.say(&format!("report: {}", report.display()));
    }
    screen.flush();
    match finished.outcome.end.exit_code() {
        // Whoever reads the result would take an empty file for one.
        0 if !printed => ExitCode::from(USAGE),
        code => ExitCode::from(code),
    }
}

fn start_error(error: &StartError) -> ExitCode {
    complain(&error.to_string(), error.hint().as_deref(), error.exit_code())
}

fn complain(message: &str, hint: Option<&str>, code: u8) -> ExitCode {
    say(&format!("handeye: {}", harmless(message)));
    if let Some(hint) = hint {
        say(&format!("  hint: {}", harmless(hint)));
    }
    ExitCode::from(code)
}

async fn doctor(device: &DeviceArgs, model: &ModelArgs, out: &Path, json: bool) -> ExitCode {
    let settings = environment::settings_for_doctor(model);
    let findings =
        handeye::doctor::examine(environment::which_browser(device), environment::model(model), &settings, out).await;
    if json {
        print(&harmless_json(&serde_json::to_string_pretty(&findings).unwrap_or_default()));
    } else {
        for f in &findings {
            print(&harmless(&finding(f)));
        }
    }
    let broken = findings.iter().any(|f| f.health == Health::Broken);
    if broken { ExitCode::from(USAGE) } else { ExitCode::SUCCESS }
}

fn finding(f: &Finding) -> String {
    let mark = match f.health {
        Health::Ok => "ok     ",
        Health::Warning => "warning",
        Health::Broken => "BROKEN ",
    };
    let fix = f.fix.as_ref().map(|fix| format!("\n                  {fix}")).unwrap_or_default();
    format!("{mark}  {:<7}  {}{fix}", f.what, f.says)
}

async fn replay(run: &Path, json: bool) -> ExitCode {
    let replayed = match handeye::replay(run).await {
        Ok(replayed) => replayed,
        Err(error) => return complain(&error.to_string(), Some(error.hint()), USAGE),
    };
    if json {
        print(&harmless_json(&serde_json::to_string_pretty(&replayed).unwrap_or_default()));
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

fn report(run: &Path) -> ExitCode {
    match handeye::report(run) {
        Ok(path) => {
            print(&path.display().to_string());
            ExitCode::SUCCESS
        }
        Err(error) => complain(&error.to_string(), Some(error.hint()), USAGE),
    }
}

/// A closed pipe at the other end is no reason to fail: who closed it wants no more. `false` when the text got lost.
fn print(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => true,
        Err(error) => {
            say(&format!("handeye: the result could not be written to standard output: {error}"));
            false
        }
    }
}

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Whether standard error can show colours.
fn has_colours() -> bool {
    std::io::stderr().is_terminal() && environment::var("NO_COLOR").is_none()
}
