//! What `--help` shows: the commands in groups, and for each command only what matters to it.

use super::Cli;
use clap::{Arg, Command, CommandFactory};
use std::fmt::Write as _;

/// The heading of the flags that only a command with a model needs.
pub(crate) const MODEL: &str = "Model (else HANDEYE_MODEL_*)";

/// The commands in the order in which people meet them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Goals", &["act"]),
    ("Questions", &["query", "ask", "number", "boolean", "assert", "wait", "locate", "describe"]),
    (
        "Single actions",
        &[
            "tap",
            "double-click",
            "right-click",
            "hover",
            "long-press",
            "input",
            "clear",
            "press",
            "scroll",
            "drag",
            "select",
            "upload",
            "cursor",
            "navigate",
            "reload",
            "back",
            "forward",
        ],
    ),
    ("Recorded runs", &["report", "replay"]),
    ("This machine", &["doctor", "models"]),
];

const EXAMPLES: &str = "Examples:
  handeye act \"click 'Learn more'\" --web https://example.com
  handeye tap \"the second Delete button\" --cdp http://127.0.0.1:9222";

pub(crate) const ACT: &str = "\
Examples:
  handeye act \"click 'Learn more'\" --web https://example.com
  handeye act \"type alice into Name, then press Enter\" --web localhost:3000
  handeye act \"在搜索框输入 手机,然后点击搜索\" --web localhost:3000 --json
  handeye act \"find the cheapest cup\" --web shop.html --model qwen3-vl-plus

A goal that begins with a dash: handeye act --web URL -- \"-5 …\"

Exit codes:
  0    done
  1    the task failed or a check is false, or nobody could read the goal
  2    wrong use or configuration
  3    a budget or the time ended, or it went in circles
  4    the browser or the page could not be used
  5    the model could not be used
  130  cancelled (Ctrl-C; once more stops at once)";

pub(crate) const QUERY: &str = "\
Examples:
  handeye query \"the products, each with name and price\" --web shop.html
  handeye query '{\"total\": \"the sum as a number\"}' --web shop.html
  handeye query \"the prices\" --schema '{\"items\": {\"type\": \"number\"}}' --web x";

pub(crate) const ASSERT: &str = "\
Plain statements need no model: the text \"Saved\" is visible, the Save button
is disabled, the Name field contains \"alice\", the title is \"Shop\". All others
are judged by the model.

Exit codes: 0 true · 1 false, or nobody can tell · 5 the model failed";

pub(crate) const LOCATE: &str = "\
Examples:
  handeye locate \"Learn more\" --web https://example.com
  handeye locate css=#save --web localhost:3000 --json
  handeye locate \"the red dot\" --deep-locate --web localhost:3000

Places are in points of the page. Exit codes: 0 found · 1 not found";

pub(crate) const DESCRIBE: &str = "\
The words of the page itself need no model. Others come from the model, and are
an answer only when they lead back to the point.

Exit codes: 0 described · 1 no words lead back to it";

pub(crate) const DOCTOR: &str = "\
Exit codes: 0 ready, perhaps with warnings · 2 settings or folder · 4 browser
            5 model";

pub(crate) const MODELS: &str = "\
Exit codes of verify: 0 all answered well · 2 settings · 5 a model did not

docs/models.md says how models are set up.";

/// The command line with its help.
pub(crate) fn command() -> Command {
    let plain = Cli::command();
    let help = overview(&plain);
    let names: Vec<String> = plain.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let command = plain.override_help(help);
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name.clone(), |sub| if ASKS_A_MODEL.contains(&name.as_str()) { sub } else { brief(sub) })
    })
}

/// The commands for which the flags about models matter.
const ASKS_A_MODEL: &[&str] =
    &["act", "locate", "describe", "doctor", "models", "query", "ask", "number", "boolean", "assert", "wait"];

/// A single action seldom asks a model: what is about models works there too, but is not in the way.
fn brief(command: Command) -> Command {
    let aims = command.get_arguments().any(|arg| matches!(arg.get_id().as_str(), "target" | "from"));
    let of_models = move |arg: &Arg| match arg.get_id().as_str() {
        "deep_locate" => !aims,
        "max_rounds" | "budget_tokens" | "budget_usd" => true,
        _ => arg.get_help_heading() == Some(MODEL),
    };
    command.mut_args(|arg| if of_models(&arg) { arg.hide(true) } else { arg })
}

fn overview(command: &Command) -> String {
    let mut text = String::new();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let _ = writeln!(text, "{about}\n\nUsage: handeye COMMAND …");
    for (group, names) in GROUPS {
        let _ = writeln!(text, "\n{group}:");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let _ = writeln!(text, "  {name:<13} {}", about.map(ToString::to_string).unwrap_or_default());
        }
    }
    let _ =
        write!(text, "\n{EXAMPLES}\n\n`handeye COMMAND --help` shows the flags of a command, --version the version.");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut known: Vec<String> =
            Cli::command().get_subcommands().filter(|c| !c.is_hide_set()).map(|c| c.get_name().to_owned()).collect();
        let mut sorted = grouped.clone();
        sorted.sort_unstable();
        known.sort_unstable();
        assert_eq!(sorted, known);
    }

    #[test]
    fn help_fits_a_terminal_of_80_columns() {
        let mut command = command();
        command.build();
        for sub in std::iter::once(&mut command.clone()).chain(command.get_subcommands_mut()) {
            let help = sub.render_help().to_string();
            let widest = help.lines().map(|line| line.chars().count()).max().unwrap_or_default();
            assert!(widest <= 80, "{}: {widest} columns\n{help}", sub.get_name());
        }
    }

    #[test]
    fn flags_for_models_stand_only_where_a_model_is_asked() {
        let command = command();
        let help = |name: &str| command.find_subcommand(name).expect("a command").clone().render_help().to_string();
        assert!(help("act").contains("--model-timeout") && help("act").contains("Exit codes"));
        assert!(!help("tap").contains("--model-timeout") && !help("tap").contains("--max-rounds"));
        assert!(command.try_get_matches_from(["handeye", "tap", "x", "--web", "y", "--model", "m"]).is_ok());
    }
}
