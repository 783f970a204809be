//! Starts a browser and holds it until it is killed or its input ends: the test of what a kill leaves behind runs this.
//! `holder FOLDER PATH own|shell`, and `holder __reap …` as its own reaper.

use handeye_cdp::{Browser, LaunchOptions, REAP, reaper_main};
use handeye_core::Ctx;
use std::io::{Read, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(first) = arguments.next() else { return ExitCode::from(2) };
    if first == REAP {
        return reaper_main(arguments);
    }
    let options = LaunchOptions {
        temp_dir: first.into(),
        search_path: arguments.next(),
        reaper: arguments.next().filter(|reaper| reaper == "own").and_then(|_| std::env::current_exe().ok()),
        ..LaunchOptions::default()
    };
    let Ok(runtime) = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build() else {
        return ExitCode::FAILURE;
    };
    runtime.block_on(hold(&options))
}

async fn hold(options: &LaunchOptions) -> ExitCode {
    let Ok(browser) = Browser::launch(options, &Ctx::bare()).await else { return ExitCode::FAILURE };
    say("up");
    let mut input = String::new();
    let _ = std::io::stdin().read_to_string(&mut input);
    if input.contains("panic") {
        // Unwinding drops the browser.
        std::panic::resume_unwind(Box::new("as told"));
    }
    say("closing");
    browser.close().await;
    ExitCode::SUCCESS
}

fn say(word: &str) {
    let _ = writeln!(std::io::stdout(), "{word}");
}
