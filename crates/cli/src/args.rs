//! The command line: what can be asked, and nothing of how it is done.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Does what you say on a real screen: looks, decides one step, acts, checks, looks again.
#[derive(Debug, Parser)]
#[command(name = "handeye", version, disable_help_subcommand = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Work on a goal until it is met
    Act {
        /// What is to be done, in plain language
        goal: String,
        /// Which planners may decide, in order: reflex (no model), standard
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        planner: Vec<String>,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Click an element
    Tap(Single),
    /// Click an element twice
    DoubleClick(Single),
    /// Click an element with the secondary button
    RightClick(Single),
    /// Move the pointer onto an element
    Hover(Single),
    /// Press an element and hold it
    LongPress {
        target: String,
        /// How long to hold it
        #[arg(long, value_name = "T", value_parser = duration, default_value = "1s")]
        duration: Duration,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Type text into a field
    Input {
        target: String,
        text: String,
        /// What becomes of the text that is there
        #[arg(long, value_enum, default_value = "replace")]
        mode: Mode,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Empty a field
    Clear(Single),
    /// Press a key or a chord such as Control+A
    Press {
        keys: String,
        /// An element to click first
        target: Option<String>,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Scroll the page or the area at an element
    Scroll {
        /// An element in the area to scroll
        target: Option<String>,
        #[arg(long, value_enum, default_value = "down")]
        direction: Side,
        /// Points to scroll; about three quarters of the view when left out
        #[arg(long, value_name = "POINTS", conflicts_with = "to", value_parser = distance)]
        distance: Option<f64>,
        /// Go on until this edge
        #[arg(long, value_enum)]
        to: Option<Edge>,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Drag one element onto another
    Drag {
        from: String,
        to: String,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Choose an option of a drop-down list
    Select {
        target: String,
        option: String,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Give files to a file field (each must also be allowed with --upload)
    Upload {
        target: String,
        #[arg(required = true)]
        files: Vec<String>,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Move the caret of the focused field (with --cdp, in a page that is already open)
    Cursor {
        #[arg(value_enum)]
        direction: CursorSide,
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
        times: u32,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Open an address in the page that --web or --cdp names
    Navigate {
        url: String,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Load the page again
    Reload {
        #[command(flatten)]
        run: RunArgs,
    },
    /// Go back to the page before
    Back {
        #[command(flatten)]
        run: RunArgs,
    },
    /// Go forward again
    Forward {
        #[command(flatten)]
        run: RunArgs,
    },
    /// Say whether browser, model and folders are ready, and how to mend what is not
    Doctor {
        #[command(flatten)]
        device: DeviceArgs,
        #[command(flatten)]
        model: ModelArgs,
        /// The folder that runs would be written to
        #[arg(long, value_name = "DIR", default_value = "handeye_run")]
        out: PathBuf,
        /// Print the findings as one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Run the deciding of a recorded run again, without device and model, and say whether it decides the same
    Replay {
        /// The folder of the run
        run: PathBuf,
        /// Print the finding as one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write the report of a recorded run again
    Report {
        /// The folder of the run
        run: PathBuf,
    },
    /// Cleans up after a browser whose owner died
    #[command(name = "__reap", hide = true, trailing_var_arg = true)]
    Reap {
        #[arg(allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Single {
    /// The element, in words: `Sign in`, `the second Delete button`
    pub(crate) target: String,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// What every run takes.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Device")]
pub(crate) struct DeviceArgs {
    /// Address of the page to start on
    #[arg(long, value_name = "URL")]
    pub(crate) web: Option<String>,
    /// Use the running browser at this DevTools endpoint (http://… or ws://…) instead of starting one
    #[arg(long, value_name = "ENDPOINT")]
    pub(crate) cdp: Option<String>,
    /// The browser to start
    #[arg(long, value_name = "PATH")]
    pub(crate) browser: Option<PathBuf>,
    /// Show the browser's window
    #[arg(long)]
    pub(crate) headed: bool,
    /// Size of the page in CSS pixels
    #[arg(long, value_name = "WxH", value_parser = viewport, default_value = "1280x720")]
    pub(crate) viewport: (u32, u32),
    /// Frame pixels per CSS pixel
    #[arg(long, value_name = "N", value_parser = scale, default_value = "1")]
    pub(crate) scale: f64,
    /// Leave the browser running, and print its DevTools endpoint
    #[arg(long)]
    pub(crate) keep_open: bool,
    /// What becomes of the page's confirm and prompt dialogs
    #[arg(long, value_enum, default_value = "dismiss")]
    pub(crate) dialogs: Dialogs,
    /// A file that may be given to pages; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) upload: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Model (unset: HANDEYE_MODEL_*)")]
pub(crate) struct ModelArgs {
    /// Name of the model
    #[arg(long = "model", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// How much the model is asked to write down
    #[arg(long, value_enum, default_value = "balance")]
    pub(crate) effort: EffortArg,
    /// Give up on one attempt of a model call after this time
    #[arg(long, value_name = "T", value_parser = duration)]
    pub(crate) model_timeout: Option<Duration>,
    /// Have replies streamed
    #[arg(long)]
    pub(crate) stream: bool,
    /// Longest edge of the pictures that a model is shown, in pixels
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(16..=16384))]
    pub(crate) image_limit: Option<u32>,
    /// Knowledge that has priority over what the model believes
    #[arg(long, value_name = "TEXT")]
    pub(crate) context: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Rounds that may act
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10000))]
    pub(crate) max_rounds: Option<u32>,
    /// Time for the whole run
    #[arg(long, value_name = "T", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// Tokens that all model calls may use together
    #[arg(long, value_name = "N")]
    pub(crate) budget_tokens: Option<u64>,
    /// Longest wait for a quiet screen after each action
    #[arg(long, value_name = "T", value_parser = duration, default_value = "3s")]
    pub(crate) settle: Duration,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Folder for runs; each gets a folder of its own in it
    #[arg(long, value_name = "DIR", default_value = "handeye_run")]
    pub(crate) out: PathBuf,
    /// Print result.json on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress on standard error
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Dialogs {
    Dismiss,
    Accept,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EffortArg {
    Fast,
    Balance,
    Deep,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Mode {
    Replace,
    Append,
    TypeOnly,
    Clear,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Side {
    Down,
    Up,
    Right,
    Left,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CursorSide {
    Left,
    Right,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Edge {
    Bottom,
    Top,
    Right,
    Left,
}

/// `500ms`, `3s`, `2m`, `1h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit.trim() {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("give a time with its unit, such as 500ms, 3s or 2m".to_owned()),
    };
    let number: f64 = number.parse().map_err(|_| "give a time such as 500ms, 3s or 2m".to_owned())?;
    let seconds = number * factor;
    if !(0.001..=604_800.0).contains(&seconds) {
        return Err("give a time between 1ms and 168h".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

fn viewport(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once(['x', 'X', '×']);
    let parsed = sides.and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
    match parsed {
        Some((w, h)) if (16..=10_000).contains(&w) && (16..=10_000).contains(&h) => Ok((w, h)),
        _ => Err("give width x height from 16 to 10000, such as 1280x720".to_owned()),
    }
}

fn distance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if (1.0..=1e6).contains(&n) => Ok(n),
        _ => Err("give a number of points from 1 to 1000000".to_owned()),
    }
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if (0.1..=8.0).contains(&n) => Ok(n),
        _ => Err("give a number from 0.1 to 8".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn times_have_a_unit() {
        for (text, ms) in [("500ms", 500), ("3s", 3000), ("1.5s", 1500), ("2m", 120_000), ("1h", 3_600_000)] {
            assert_eq!(duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["5", "s", "", "-3s", "3 weeks", "0s", "1e9h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
