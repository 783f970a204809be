//! The binary `handeye`: reads the command line and the environment, prints, and leaves the rest to the library.

mod args;
mod environment;
mod progress;
mod work;

use args::{Cli, Command, DeviceArgs, ModelArgs, OutputArgs};
use clap::Parser;
use handeye::doctor::{Finding, Health};
use handeye::{CancelToken, Finished, StartError};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

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
            Ok((work, run)) => perform(work, run).await,
            Err(message) => complain(&message, None, USAGE),
        },
    }
}

async fn perform(work: handeye::Work, run: args::RunArgs) -> ExitCode {
    let cancel = CancelToken::new();
    let output = &run.output;
    let options = match environment::options(work, &run, cancel.clone(), progress::watch(output.quiet)) {
        Ok(options) => options,
        Err(error) => return start_error(&error),
    };
    let signals = tokio::spawn(cancel_on_signal(cancel));
    let finished = handeye::run(options).await;
    signals.abort();
    match finished {
        Ok(finished) => told(&finished, output),
        Err(error) => start_error(&error),
    }
}

/// The first signal cancels in good order, the second ends the process at once; the reaper sees to the browser.
async fn cancel_on_signal(cancel: CancelToken) {
    for _ in 0..2 {
        next_signal().await;
        if cancel.is_cancelled() {
            std::process::exit(i32::from(CANCELLED));
        }
        cancel.cancel();
    }
}

async fn next_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        // Without handlers the signals keep their usual meaning.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}

/// The result on standard output, everything about it on standard error.
fn told(finished: &Finished, output: &OutputArgs) -> ExitCode {
    let end = &finished.outcome.end;
    let code = end.exit_code();
    if output.json {
        let text = serde_json::to_string_pretty(&finished.result).unwrap_or_default();
        print(&text);
    } else {
        match end {
            handeye::End::Completed { message } => print(message),
            other => {
                say(&format!("handeye: {other}"));
                if let handeye::End::Error { hint: Some(hint), .. } = other {
                    say(&format!("  hint: {hint}"));
                }
            }
        }
    }
    if output.json && !end.is_success() {
        say(&format!("handeye: {end}"));
    }
    if let Some(problem) = &finished.result.record_problem {
        say(&format!("handeye: the record of this run is not whole: {problem}"));
    }
    if let Some(endpoint) = &finished.left_open {
        say(&format!("browser left open at {endpoint}"));
    }
    if !output.quiet
        && let Some(report) = &finished.result.report
    {
        say(&format!("report: {}", report.display()));
    }
    ExitCode::from(code)
}

fn start_error(error: &StartError) -> ExitCode {
    complain(&error.to_string(), error.hint().as_deref(), error.exit_code())
}

fn complain(message: &str, hint: Option<&str>, code: u8) -> ExitCode {
    say(&format!("handeye: {message}"));
    if let Some(hint) = hint {
        say(&format!("  hint: {hint}"));
    }
    ExitCode::from(code)
}

async fn doctor(device: &DeviceArgs, model: &ModelArgs, out: &Path, json: bool) -> ExitCode {
    let settings = environment::settings_for_doctor(model);
    let findings =
        handeye::doctor::examine(environment::which_browser(device), environment::model(model), &settings, out).await;
    if json {
        print(&serde_json::to_string_pretty(&findings).unwrap_or_default());
    } else {
        for f in &findings {
            print(&finding(f));
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
        print(&serde_json::to_string_pretty(&replayed).unwrap_or_default());
    } else {
        match &replayed.difference {
            None => print(&format!("{} needs, all the same; it ended: {}", replayed.needs, replayed.outcome.end)),
            Some(difference) => print(&format!("after {} needs it decides otherwise: {difference}", replayed.needs)),
        }
    }
    ExitCode::from(u8::from(replayed.difference.is_some()))
}

fn report(run: &Path) -> ExitCode {
    match handeye::report(run) {
        Ok(path) => {
            print(&path.display().to_string());
            ExitCode::SUCCESS
        }
        Err(error) => complain(&error.to_string(), Some("name the folder of a run, where its record is whole"), USAGE),
    }
}

/// A closed pipe at the other end is no reason to fail.
fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Whether standard error can show colours.
fn has_colours() -> bool {
    std::io::stderr().is_terminal() && environment::var("NO_COLOR").is_none()
}
