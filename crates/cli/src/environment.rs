//! What the environment and the flags together mean. The only place that reads environment variables.

use crate::args::{DeviceArgs, Dialogs, EffortArg, ModelArgs, RunArgs};
use handeye::doctor::Which;
use handeye::{
    Budget, CancelToken, ChatError, DialogPolicy, Effort, LaunchOptions, Models, Options, Prices, Reference, Settings,
    Slot, Source, StartError, WebOptions, Work, reference,
};
use std::path::{Path, PathBuf};

#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
pub(crate) fn var(name: &str) -> Option<String> {
    // A value that is no text is told as wrong by whoever reads it; as unset it would be left out without a word.
    let value = std::env::var_os(name)?.to_string_lossy().into_owned();
    Some(value).filter(|v| !v.trim().is_empty())
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
fn search_path() -> Option<std::ffi::OsString> {
    std::env::var_os("PATH")
}

/// Whether the command line asks for JSON, also when it is not understood.
pub(crate) fn asks_for_json() -> bool {
    std::env::args_os().take_while(|arg| arg != "--").any(|arg| arg == "--json")
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
fn temp_dir() -> std::path::PathBuf {
    std::env::temp_dir()
}

/// Developers' logs: `HANDEYE_LOG=debug`, or as finely as tracing's filters allow.
pub(crate) fn start_logging() {
    let Some(filter) = var("HANDEYE_LOG") else { return };
    let filter = tracing_subscriber::EnvFilter::builder().parse_lossy(filter);
    let colours = crate::output::has_colours();
    // A second start would mean that a library took the place already: then its logs are as good.
    let _ =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colours).try_init();
}

/// The models of the environment, with the flags' changes to the one that plans.
pub(crate) fn models(args: &ModelArgs) -> Result<Models, ChatError> {
    let lookup = |name: &str| match name {
        "HANDEYE_MODEL_NAME" => args.name.clone().or_else(|| var(name)),
        _ => var(name),
    };
    let mut models = Models::from_lookup(&lookup)?;
    if let Some(config) = models.get_mut(Slot::Planning) {
        // The planning slot's name stands in another variable.
        if let Some(name) = &args.name {
            config.name.clone_from(name);
        }
        if let Some(timeout) = args.model_timeout {
            config.timeout = Some(timeout);
        }
        config.stream |= args.stream;
    }
    if !models.is_empty() {
        let prices = var("HANDEYE_PRICES");
        models.price_by(&Prices::with(prices.as_deref().map(Path::new))?, args.price);
    }
    Ok(models)
}

/// Variables that look as if they set something of a model, and do not. Only their names are told.
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
pub(crate) fn unread() -> Option<String> {
    let set = std::env::vars_os().filter(|(_, value)| !value.to_string_lossy().trim().is_empty());
    let names = handeye::unread_settings(set.filter_map(|(name, _)| name.into_string().ok()), &var);
    (!names.is_empty()).then(|| format!("set, but read by nobody (docs/models.md says what is): {}", names.join(", ")))
}

fn effort(arg: EffortArg) -> Effort {
    match arg {
        EffortArg::Fast => Effort::Fast,
        EffortArg::Balance => Effort::Balance,
        EffortArg::Deep => Effort::Deep,
    }
}

fn launch(args: &DeviceArgs) -> LaunchOptions {
    LaunchOptions {
        browser: args.browser.clone(),
        headed: args.headed,
        viewport: args.viewport,
        keep_open: args.keep_open,
        dialogs: dialogs(args),
        search_path: search_path(),
        reaper: std::env::current_exe().ok(),
        temp_dir: temp_dir(),
        ..LaunchOptions::default()
    }
}

fn dialogs(args: &DeviceArgs) -> DialogPolicy {
    match args.dialogs {
        Dialogs::Dismiss => DialogPolicy::Dismiss,
        Dialogs::Accept => DialogPolicy::Accept,
    }
}

pub(crate) fn which_browser(args: &DeviceArgs) -> Which {
    match &args.cdp {
        Some(endpoint) => Which::Running(endpoint.clone()),
        None => Which::Own(launch(args)),
    }
}

/// A file may be named as on any command line; everything else is an address.
fn place(named: &str) -> String {
    let path = Path::new(named);
    let is_path = named.starts_with("./") || named.starts_with("../") || path.is_file();
    match std::path::absolute(path) {
        Ok(whole) if is_path => whole.to_string_lossy().into_owned(),
        _ => named.to_owned(),
    }
}

fn web(args: &DeviceArgs) -> Result<WebOptions, StartError> {
    if let Some(named) = args.web.as_deref().filter(|n| !n.contains(['/', ':']))
        && [".html", ".htm"].iter().any(|e| named.ends_with(e))
        && !Path::new(named).is_file()
    {
        return Err(StartError::Usage {
            message: format!("no file `{named}` is in this folder"),
            hint: "name a file that exists, or an address such as http://localhost:3000".to_owned(),
        });
    }
    let url = match (&args.web, &args.cdp) {
        (Some(url), _) if !url.trim().is_empty() => place(url),
        // The page that is open in that browser.
        (_, Some(_)) => String::new(),
        (_, None) => {
            return Err(StartError::Usage {
                message: "no device is given".to_owned(),
                hint: "name a page to start on: --web URL".to_owned(),
            });
        }
    };
    for file in &args.upload {
        if let Err(error) = std::fs::metadata(file) {
            return Err(StartError::Usage {
                message: format!("the file `{}` of --upload cannot be read: {error}", file.display()),
                hint: "name files that exist".to_owned(),
            });
        }
    }
    let source = match &args.cdp {
        Some(endpoint) => Source::Attach(endpoint.clone()),
        None => Source::Launch(launch(args)),
    };
    Ok(WebOptions {
        source,
        url,
        viewport: args.viewport,
        scale: args.scale,
        keep_open: args.keep_open,
        dialogs: dialogs(args),
        uploads: args.upload.clone(),
    })
}

/// Flags, then our variables, then the older names, then what the family prefers.
fn max_rounds(flag: Option<u32>, family: u32) -> Result<u32, StartError> {
    if let Some(n) = flag {
        return Ok(n);
    }
    for name in ["HANDEYE_REPLANNING_CYCLE_LIMIT", "MIDSCENE_REPLANNING_CYCLE_LIMIT"] {
        let Some(text) = var(name) else { continue };
        return match text.trim().parse() {
            Ok(n) if n >= 1 => Ok(n),
            _ => Err(StartError::Usage {
                message: format!("`{name}` is {text:?}, but must be a whole number from 1"),
                hint: "unset it, or give --max-rounds".to_owned(),
            }),
        };
    }
    Ok(family)
}

/// That of the call, where a blank one says that there is none; else that of all calls.
fn context(flag: Option<&str>) -> Option<String> {
    match flag {
        Some(text) => Some(text.to_owned()).filter(|text| !text.trim().is_empty()),
        None => var("HANDEYE_CONTEXT"),
    }
}

/// The pictures of `--image`, read.
fn references(images: &[(String, PathBuf)]) -> Result<Vec<Reference>, StartError> {
    let wrong = |message: String| StartError::Usage {
        message,
        hint: format!("--image NAME=PATH takes a PNG or JPEG file of at most {} bytes", reference::MOST_BYTES),
    };
    let read = |(name, path): &(String, PathBuf)| {
        let cannot = |why: String| wrong(format!("the file `{}` of --image cannot be read: {why}", path.display()));
        let about = std::fs::metadata(path).map_err(|e| cannot(e.to_string()))?;
        if !about.is_file() {
            return Err(cannot("it is no file".to_owned()));
        }
        if about.len() > reference::MOST_BYTES {
            return Err(cannot(format!("it has {} bytes", about.len())));
        }
        let bytes = std::fs::read(path).map_err(|e| cannot(e.to_string()))?;
        handeye::reference(name, bytes).map_err(wrong)
    };
    images.iter().map(read).collect()
}

pub(crate) fn options(work: &mut Work, run: &RunArgs, cancel: CancelToken) -> Result<Options, StartError> {
    let mut models = models(&run.model)?;
    if let Some(sum) = run.limits.budget_usd {
        models.keep_within(&Budget::new(sum))?;
    }
    let notices = if models.is_empty() { None } else { unread() }.into_iter().collect();
    let family = models.get(Slot::Planning).map_or(Settings::default().family, |model| model.family);
    let (told, shown) = (context(run.model.context.as_deref()), references(&run.model.image)?);
    match work {
        Work::Goal { goal, .. } => (goal.context, goal.references) = (told, shown),
        Work::Question(question) => (question.context, question.references) = (told, shown),
        Work::Single(_) | Work::Locate(_) | Work::Describe(_) if shown.is_empty() => {}
        Work::Single(_) | Work::Locate(_) | Work::Describe(_) => {
            let message = "this command has no use for the pictures of --image".to_owned();
            return Err(StartError::Usage { message, hint: "they are for goals and questions".to_owned() });
        }
    }
    let settings = Settings {
        effort: effort(run.model.effort),
        deep_locate: run.model.deep_locate,
        max_rounds: max_rounds(run.limits.max_rounds, family.max_rounds)?,
        image_limit: run.model.image_limit,
        budget_tokens: run.limits.budget_tokens,
        settle: run.limits.settle,
        ..Settings::default()
    };
    Ok(Options {
        models,
        settings,
        timeout: run.limits.timeout,
        out: run.output.out.clone(),
        durable: run.output.durable,
        cancel,
        notices,
        ..Options::new(web(&run.device)?)
    })
}
