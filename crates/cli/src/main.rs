//! The binary `handeye`: reads the command line and the environment, prints, and leaves the rest to the library.

mod args;
mod environment;
mod models;
mod output;
mod printer;
mod progress;
mod screen;
mod work;

use args::{Cli, Command, ModelsWhat};
use clap::FromArgMatches;
use handeye::CancelToken;
use output::Output;
use progress::Tell;
use screen::Screen;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Wrong use or configuration.
const USAGE: u8 = 2;
/// Cancelled by the user.
const CANCELLED: u8 = 130;

fn main() -> ExitCode {
    let matches = args::help::command().try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return output::not_understood(&error, environment::asks_for_json()),
    };
    if let Command::Reap { args } = cli.command {
        // Before the runtime: the reaper is a small process that only waits.
        return handeye::reaper_main(args);
    }
    environment::start_logging();
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let problem = output::usage(format!("the runtime could not be started: {error}"));
            return Output { json: environment::asks_for_json() }.problem(&problem, USAGE);
        }
    };
    let code = runtime.block_on(command(cli.command));
    // Blocking threads may still hold a file; they are not worth waiting for at the end.
    runtime.shutdown_background();
    code
}

async fn command(command: Command) -> ExitCode {
    match command {
        Command::Doctor { device, model, out, json } => {
            let (browser, models) = (environment::which_browser(&device), environment::models(&model));
            Output { json }.diagnosis(&handeye::doctor::examine(browser, models, environment::unread(), &out).await)
        }
        Command::Models { what: None, model, json } => models::list(environment::models(&model), Output { json }),
        Command::Models { what: Some(ModelsWhat::Verify), model, json } => {
            Output { json }.diagnosis(&handeye::verify(environment::models(&model)).await)
        }
        Command::Replay { run, json } => replay(&run, Output { json }).await,
        Command::Report { run } => report(&run),
        Command::Reap { .. } => ExitCode::SUCCESS,
        other => match work::of(other) {
            Ok((work, run)) => Box::pin(perform(work, run)).await,
            Err(message) => Output { json: environment::asks_for_json() }.problem(&output::usage(message), USAGE),
        },
    }
}

async fn perform(mut work: handeye::Work, run: args::RunArgs) -> ExitCode {
    let cancel = CancelToken::new();
    let output = Output { json: run.output.json };
    let is_single = matches!(work, handeye::Work::Single(_) | handeye::Work::Locate(_) | handeye::Work::Describe(_));
    let mut options = match environment::options(&mut work, &run, cancel.clone()) {
        Ok(options) => options,
        Err(error) => return output.start_error(&error),
    };
    let screen = Arc::new(Screen::new(options.secrets()));
    let tell = match run.output.quiet {
        true => Tell::Nothing,
        false if is_single => Tell::StepsOnly,
        false => Tell::All,
    };
    options.watch = progress::watch(tell, screen.clone());
    let told = (tell != Tell::Nothing).then(|| screen.clone());
    let signals = tokio::spawn(cancel_on_signal(Signals::new().ok(), cancel, told));
    // Boxed: what a run holds from its beginning to its end is large.
    let finished = Box::pin(handeye::run(work, options)).await;
    signals.abort();
    screen.flush();
    match finished {
        Ok(finished) => output.finished(&finished, run.output.quiet, &screen),
        Err(error) => output.start_error(&error),
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
async fn cancel_on_signal(signals: Option<Signals>, cancel: CancelToken, told: Option<Arc<Screen>>) {
    // Without handlers the signals keep their usual meaning.
    let Some(mut signals) = signals else { return };
    signals.next().await;
    cancel.cancel();
    if let Some(screen) = told {
        screen.line(&screen::Line::note("stopping in good order; once more stops at once".to_owned()));
    }
    signals.next().await;
    std::process::exit(i32::from(CANCELLED));
}

async fn replay(run: &Path, output: Output) -> ExitCode {
    match handeye::replay(run).await {
        Ok(replayed) => output.replayed(&replayed),
        Err(error) => output.problem(&output::usage_with(error.to_string(), error.hint()), USAGE),
    }
}

fn report(run: &Path) -> ExitCode {
    match handeye::report(run) {
        Ok(path) => {
            output::print(&path.display().to_string());
            ExitCode::SUCCESS
        }
        Err(error) => Output { json: false }.problem(&output::usage_with(error.to_string(), error.hint()), USAGE),
    }
}
