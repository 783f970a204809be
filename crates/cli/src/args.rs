//! The command line: what can be asked, and nothing of how it is done.

pub(crate) mod help;

use clap::{Args, Parser, Subcommand, ValueEnum};
use handeye::{Price, WebOptions};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Does what you say on a real screen: looks, decides one step, acts, checks.
#[derive(Debug, Parser)]
#[command(name = "handeye", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Work on a goal until it is met
    #[command(after_help = help::ACT)]
    Act {
        /// What is to be done, in plain language
        goal: String,
        /// Who decides, in order: reflex, standard, ui-tars, …
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        planner: Vec<String>,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Read values off the screen, as JSON
    #[command(after_help = help::QUERY)]
    Query {
        /// What to read, in words, or as a JSON object of names and meanings
        demand: String,
        /// The JSON Schema of the answer, or a file with it
        #[arg(long, value_name = "JSON")]
        schema: Option<String>,
        #[command(flatten)]
        look: LookArgs,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Ask a question; the answer is a text
    #[command(visible_alias = "string")]
    Ask(Asking),
    /// Ask a question; the answer is a number
    Number(Asking),
    /// Ask a question; the answer is true or false
    Boolean(Asking),
    /// Check a statement about the screen; exit code 1 when it is false
    #[command(after_help = help::ASSERT)]
    Assert(Asking),
    /// Wait until a statement about the screen is true
    #[command(after_help = help::ASSERT)]
    Wait {
        /// The statement
        statement: String,
        /// How long at most
        #[arg(long, value_name = "T", value_parser = duration, default_value = "15s")]
        within: Duration,
        /// Time from one look of the model to the next
        #[arg(long, value_name = "T", value_parser = duration, default_value = "3s")]
        every: Duration,
        #[command(flatten)]
        look: LookArgs,
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
        /// The element, in words
        target: String,
        /// How long to hold it
        #[arg(long, value_name = "T", value_parser = duration, default_value = "1s")]
        duration: Duration,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Type text into a field
    Input {
        /// The field, in words
        target: String,
        /// The text, of any script
        text: String,
        /// replace, append, type-only or clear [default: replace]
        #[arg(long, value_enum, value_name = "HOW", default_value = "replace")]
        #[arg(hide_possible_values = true, hide_default_value = true)]
        mode: Mode,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Empty a field
    Clear(Single),
    /// Press a key or a chord such as Control+A
    Press {
        /// `Enter`, `Control+A`, …
        keys: String,
        /// An element to click first
        target: Option<String>,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Scroll the page or the area at an element
    Scroll {
        /// An element in the area to scroll, or down, up, right or left
        target: Option<String>,
        /// down, up, right or left [default: down]
        #[arg(long, value_enum, value_name = "SIDE", default_value = "down")]
        #[arg(hide_possible_values = true, hide_default_value = true)]
        direction: Side,
        /// Points to scroll [default: most of the view]
        #[arg(long, value_name = "POINTS", conflicts_with = "to", value_parser = distance)]
        distance: Option<f64>,
        /// Go on until this edge: bottom, top, right or left
        #[arg(long, value_enum, value_name = "EDGE", hide_possible_values = true)]
        to: Option<Edge>,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Drag one element onto another
    Drag {
        /// What is dragged, in words
        from: String,
        /// Where it is dropped, in words
        to: String,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Choose an option of a drop-down list
    Select {
        /// The list, in words
        target: String,
        /// What the option says
        option: String,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Give files to a file field
    Upload {
        /// The field, in words
        target: String,
        /// Paths of the files
        #[arg(required = true)]
        files: Vec<String>,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Move the caret of the focused field
    Cursor {
        /// Which way
        #[arg(value_enum)]
        direction: CursorSide,
        /// How far
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
        times: u32,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Open another address
    Navigate {
        /// The address
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
    /// Say where an element is, and how it was found
    #[command(after_help = help::LOCATE)]
    Locate(Single),
    /// Say what lies at a point, in words that lead back to it
    #[command(after_help = help::DESCRIBE)]
    Describe {
        /// The point of the page, such as 140,115
        #[arg(value_name = "X,Y", value_parser = point)]
        at: (f64, f64),
        #[command(flatten)]
        run: RunArgs,
    },
    /// Look at browser, model and folders, and say how to mend them
    #[command(after_help = help::DOCTOR)]
    Doctor {
        #[command(flatten)]
        device: DeviceArgs,
        #[command(flatten)]
        model: ModelArgs,
        /// Where the folders of runs are made
        #[arg(long, value_name = "DIR", default_value = "handeye_run", help_heading = "Output")]
        out: PathBuf,
        /// Print the findings as one JSON object
        #[arg(long, help_heading = "Output")]
        json: bool,
    },
    /// List the families of models and what is configured, or try it
    #[command(after_help = help::MODELS)]
    Models {
        /// verify: ask each model for a word, a picture and a place
        #[arg(value_enum, hide_possible_values = true)]
        what: Option<ModelsWhat>,
        #[command(flatten)]
        model: ModelArgs,
        /// Print it as one JSON object
        #[arg(long, help_heading = "Output")]
        json: bool,
    },
    /// Decide a recorded run again, offline: is it the same?
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
    /// In words, or css=…, xpath=…, role=…, text=…, testid=…
    pub(crate) target: String,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Asking {
    /// The question or the statement
    pub(crate) words: String,
    #[command(flatten)]
    pub(crate) look: LookArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// What of the screen the model is given.
#[derive(Debug, Args)]
pub(crate) struct LookArgs {
    /// Tell the model the elements of the page, too
    #[arg(long)]
    pub(crate) tree: bool,
    /// Do not show it the screenshot
    #[arg(long)]
    pub(crate) no_screenshot: bool,
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
    /// The page to start on: an address or a file
    #[arg(long, value_name = "URL")]
    pub(crate) web: Option<String>,
    /// Use the browser that runs there (http://… or ws://…)
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
    /// Leave the browser running and say where
    #[arg(long)]
    pub(crate) keep_open: bool,
    /// Its questions: dismiss or accept [default: dismiss]
    #[arg(long, value_enum, value_name = "HOW", default_value = "dismiss")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub(crate) dialogs: Dialogs,
    /// A file that pages may be given; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) upload: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = help::MODEL)]
pub(crate) struct ModelArgs {
    /// Name of the model
    #[arg(long = "model", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// fast, balance or deep [default: balance]
    #[arg(long, value_enum, value_name = "HOW", default_value = "balance")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub(crate) effort: EffortArg,
    /// Locate on an enlarged part, for small things
    #[arg(long)]
    pub(crate) deep_locate: bool,
    /// Time for one attempt of a model call
    #[arg(long, value_name = "T", value_parser = duration)]
    pub(crate) model_timeout: Option<Duration>,
    /// Have replies streamed
    #[arg(long)]
    pub(crate) stream: bool,
    /// US dollars for a million of its tokens, in and out
    #[arg(long, value_name = "IN,OUT", value_parser = price)]
    pub(crate) price: Option<Price>,
    /// Longest edge of the pictures for the model, in pixels
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(16..=16384))]
    pub(crate) image_limit: Option<u32>,
    /// What the model should know, with priority
    #[arg(long, value_name = "TEXT")]
    pub(crate) context: Option<String>,
    /// A picture that the words speak of; may be repeated
    #[arg(long, value_name = "NAME=PATH", value_parser = picture)]
    pub(crate) image: Vec<(String, PathBuf)>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Rounds that may act [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10000))]
    pub(crate) max_rounds: Option<u32>,
    /// Time for the whole run
    #[arg(long, value_name = "T", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// Tokens for all model calls together
    #[arg(long, value_name = "N")]
    pub(crate) budget_tokens: Option<u64>,
    /// US dollars for all model calls together
    #[arg(long, value_name = "X", value_parser = dollars)]
    pub(crate) budget_usd: Option<f64>,
    /// Longest wait for quiet after an action
    #[arg(long, value_name = "T", value_parser = duration, default_value = "3s")]
    pub(crate) settle: Duration,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Where the folders of runs are made
    #[arg(long, value_name = "DIR", default_value = "handeye_run")]
    pub(crate) out: PathBuf,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Sync the record to the disk before each action
    #[arg(long)]
    pub(crate) durable: bool,
    /// No progress on standard error
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ModelsWhat {
    Verify,
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
    let time = handeye::duration(text).ok_or("give a time with its unit, such as 500ms, 3s or 2m")?;
    if !(Duration::from_millis(1)..=Duration::from_hours(168)).contains(&time) {
        return Err("give a time between 1ms and 168h".to_owned());
    }
    Ok(time)
}

fn point(text: &str) -> Result<(f64, f64), String> {
    let parsed = text.split_once(',').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    let is_place = |(x, y): &(f64, f64)| [x, y].into_iter().all(|v| (0.0..1e6).contains(v));
    parsed.filter(is_place).ok_or_else(|| "give a point of the page as X,Y, such as 140,115".to_owned())
}

fn price(text: &str) -> Result<Price, String> {
    Price::parse(text).ok_or_else(|| "give two numbers of US dollars, such as 1.25,10".to_owned())
}

fn dollars(text: &str) -> Result<f64, String> {
    let sum = text.trim().trim_start_matches('$').parse::<f64>().ok();
    sum.filter(|sum| sum.is_finite() && *sum > 0.0).ok_or_else(|| "give a sum of US dollars, such as 0.50".to_owned())
}

fn picture(text: &str) -> Result<(String, PathBuf), String> {
    let pair = text.split_once('=').filter(|(name, path)| !name.trim().is_empty() && !path.trim().is_empty());
    let (name, path) = pair.ok_or("give a name and a file, such as logo=logo.png")?;
    Ok((name.to_owned(), PathBuf::from(path)))
}

fn viewport(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once(['x', 'X', '×']);
    let parsed = sides.and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
    match parsed {
        Some((w, h)) if WebOptions::SIDES.contains(&w) && WebOptions::SIDES.contains(&h) => Ok((w, h)),
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
        Ok(n) if WebOptions::SCALES.contains(&n) => Ok(n),
        _ => Err("give a number from 0.1 to 10".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        help::command().debug_assert();
    }

    #[test]
    fn a_page_is_as_large_as_the_library_makes_it() {
        let (width, height) = WebOptions::default().viewport;
        let default = help::command().find_subcommand("act").and_then(|act| {
            let viewport = act.get_arguments().find(|arg| arg.get_id() == "viewport")?;
            viewport.get_default_values().first()?.to_str().map(str::to_owned)
        });
        assert_eq!(default, Some(format!("{width}x{height}")));
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
