//! One run, from its options to its report.

use crate::live::LiveWorld;
use crate::model::{self, Chats, HOW_TO_SET};
use crate::observe::{Watch, Watched};
use crate::work::Work;
use handeye_agent::settings::SettingsRecord;
use handeye_agent::{Question, Settings, plan};
use handeye_chat::Models;
use handeye_core::outcome::Budget;
use handeye_core::{
    CancelToken, ChatError, Ctx, Device, DeviceError, Elapsed, End, ErrorKind, Event, Journal, Outcome, Slot, Usage,
};
use handeye_device::web::{Source, WebDevice, WebOptions};
use handeye_journal::{Recording, RunJournal, RunResult, StorageError};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Everything that a run needs to know.
pub struct Options {
    pub work: Work,
    pub web: WebOptions,
    /// Which model is asked for what.
    pub models: Models,
    pub settings: Settings,
    pub timeout: Option<Duration>,
    /// Runs are written to folders of their own below this one.
    pub out: PathBuf,
    /// An action's intent is synced to the disk before the action, so that a crash of the machine does not lose it.
    pub durable: bool,
    /// Cancelling it ends the run in good order.
    pub cancel: CancelToken,
    pub watch: Option<Watch>,
    /// What a person should know before the run begins; part of the record.
    pub notices: Vec<String>,
}

impl Options {
    pub fn new(work: Work, web: WebOptions) -> Self {
        Self {
            work,
            web,
            models: Models::default(),
            settings: Settings::default(),
            timeout: None,
            out: PathBuf::from("handeye_run"),
            durable: false,
            cancel: CancelToken::new(),
            watch: None,
            notices: Vec::new(),
        }
    }
}

impl Options {
    /// Every value in these options that must not be shown: those of the model, and the passwords and tokens in the addresses
    /// of the page and of the browser.
    pub fn secrets(&self) -> Vec<String> {
        let mut secrets = self.models.iter().flat_map(|(_, config)| handeye_chat::secrets(config)).collect::<Vec<_>>();
        secrets.extend(handeye_chat::password_in(&self.web.url));
        if let Source::Attach(endpoint) = &self.web.source {
            secrets.extend(handeye_chat::password_in(endpoint));
            // Services that rent browsers take the key there. Short values are options.
            let query = endpoint.split_once('?').map_or("", |(_, query)| query);
            let values = query.split('&').filter_map(|pair| pair.split_once('=')).map(|(_, value)| value);
            secrets.extend(values.filter(|value| value.len() >= 16).map(str::to_owned));
        }
        secrets
    }
}

/// A run that began and ended, however it ended.
#[derive(Debug)]
pub struct Finished {
    pub outcome: Outcome,
    pub result: RunResult,
    /// Where a browser that was left open can be reached.
    pub left_open: Option<String>,
}

/// Why a run could not begin.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("{message}")]
    Usage { message: String, hint: String },
    #[error(transparent)]
    Model(#[from] ChatError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl StartError {
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Usage { hint, .. } => Some(hint.clone()),
            Self::Model(e) => e.hint.clone(),
            Self::Storage(e) => Some(e.hint().to_owned()),
        }
    }
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Usage { .. } => ErrorKind::Usage,
            Self::Model(e) => e.kind(),
            Self::Storage(e) => e.kind(),
        }
    }
    /// All of these are wrong use or configuration.
    pub fn exit_code(&self) -> u8 {
        2
    }
}

const WHAT_WEB_TAKES: &str = "--web takes an address such as http://localhost:3000, or the path of a file";

/// Does the work, keeps the record and writes the report.
///
/// # Errors
/// When the run cannot begin at all. Once it has begun, everything that happens is an [`Outcome`].
pub async fn run(options: Options) -> Result<Finished, StartError> {
    let chain = chain(&options)?;
    options.web.check().map_err(|why| usage(&why, WHAT_WEB_TAKES))?;
    let chats = model::connect(&options.models)?;
    let (journal, cx) = begin(&options)?;
    let mut left_open = None;
    let outcome = match WebDevice::open(options.web.clone(), &cx).await {
        Ok(device) => {
            let endpoint = device.endpoint().filter(|_| stays_open(&options)).map(str::to_owned);
            start(&cx, &options, &chain, &chats, &device.name(), device.actions());
            for remark in device.remarks() {
                cx.journal.record(Event::Notice { text: remark.clone() });
            }
            let outcome = within(Box::new(device), &options, chain, chats, &cx).await;
            if let Some(endpoint) = endpoint {
                left_open = answers(&endpoint).await.then_some(endpoint);
            }
            outcome
        }
        Err(error) => {
            let place = match &options.web.source {
                Source::Attach(endpoint) if options.web.url.is_empty() => endpoint,
                _ => &options.web.url,
            };
            start(&cx, &options, &chain, &chats, place, &handeye_core::ActionSpace::default());
            not_opened(&error, &cx)
        }
    };
    let result = finish(&journal, &outcome).await;
    Ok(Finished { outcome, result, left_open })
}

/// A browser of ours that is to go on running.
fn stays_open(options: &Options) -> bool {
    options.web.keep_open && matches!(options.web.source, Source::Launch(_))
}

/// Whether a browser still listens there: it may have been closed, or have died, meanwhile.
async fn answers(endpoint: &str) -> bool {
    let address = endpoint.split_once("://").and_then(|(_, rest)| rest.split('/').next()).unwrap_or_default();
    let connected = tokio::time::timeout(Duration::from_secs(1), tokio::net::TcpStream::connect(address)).await;
    matches!(connected, Ok(Ok(_)))
}

/// The record, and the context that everything else is given.
fn begin(options: &Options) -> Result<(Arc<RunJournal>, Ctx), StorageError> {
    let mut cx = Ctx::bare().with_timeout(options.timeout);
    cx.cancel = options.cancel.clone();
    let secrets = options.secrets();
    let clock = cx.clone();
    let clock: Box<dyn Fn() -> Elapsed + Send + Sync> = Box::new(move || clock.now());
    let recording = Recording { secrets, durable: options.durable, clock: Some(clock), ..Recording::default() };
    let journal = RunJournal::create_with(&options.out, &run_id(&cx), recording)?;
    let kept: Arc<dyn Journal> = journal.clone();
    cx.journal = match &options.watch {
        Some(watch) => Arc::new(Watched { journal: kept, watch: watch.clone() }),
        None => kept,
    };
    Ok((journal, cx))
}

/// The names of the planners, checked.
fn chain(options: &Options) -> Result<Vec<String>, StartError> {
    let (goal, planners) = match &options.work {
        Work::Goal { goal, planners } => (goal, planners),
        Work::Single(_) | Work::Locate(_) => return Ok(Vec::new()),
        Work::Question(question) => return answerable(question, options).map(|()| Vec::new()),
    };
    if goal.text.trim().is_empty() {
        return Err(usage("the goal is empty", "say in a sentence what is to be done"));
    }
    let mut names = planners.clone();
    if names.is_empty() {
        names.push("reflex".to_owned());
        if !options.models.is_empty() {
            names.push(options.settings.family.planner.to_owned());
        }
    }
    for name in &names {
        let Some(planner) = plan::named(name) else {
            let known = plan::NAMES.join(", ");
            return Err(usage(&format!("there is no planner `{name}`"), &format!("the planners are {known}")));
        };
        if name != "reflex" && options.models.is_empty() {
            return Err(usage(
                &format!("the planner `{name}` needs a model, and none is configured"),
                &format!("{HOW_TO_SET}, or use --planner reflex"),
            ));
        }
        if let Some((message, hint)) = plan::unsuited(name, options.settings.family) {
            return Err(usage(&message, &hint));
        }
        if let Some(model) = options.models.get(Slot::Planning).filter(|_| planner.needs_computer_tool()) {
            model.has_computer_tool()?;
        }
    }
    Ok(names)
}

/// What can be told of a question before anything is opened.
fn answerable(question: &Question, options: &Options) -> Result<(), StartError> {
    question.check().map_err(|why| usage(&why, "`handeye query --help` shows what can be asked"))?;
    if !question.kind.is_statement() && options.models.is_empty() {
        return Err(usage(
            &format!("`{}` needs a model, and none is configured", question.kind.word()),
            &format!("{HOW_TO_SET}; `assert` and `wait` judge plain statements without one"),
        ));
    }
    Ok(())
}

fn usage(message: &str, hint: &str) -> StartError {
    StartError::Usage { message: message.to_owned(), hint: hint.to_owned() }
}

fn start(
    cx: &Ctx,
    options: &Options,
    chain: &[String],
    chats: &Chats,
    device: &str,
    space: &handeye_core::ActionSpace,
) {
    let record = SettingsRecord::of(&options.settings, &options.work.as_goal(), chain, space);
    let mut settings = serde_json::to_value(record).unwrap_or_default();
    if let (Some((key, work)), Some(map)) = (options.work.record(), settings.as_object_mut()) {
        map.insert(key.to_owned(), work);
    }
    if let Some(map) = settings.as_object_mut().filter(|_| !options.models.is_empty()) {
        let models = serde_json::to_value(model::record(&options.models)).unwrap_or_default();
        map.insert("models".to_owned(), models);
    }
    cx.journal.record(Event::Started {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        goal: options.work.title(),
        device: device.to_owned(),
        model: model::names(&options.models, chats),
        wall_time: wall_time(cx).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        settings,
    });
    for text in &options.notices {
        cx.journal.record(Event::Notice { text: text.clone() });
    }
}

/// The run itself, with the device open; closes it.
async fn within(device: Box<dyn Device>, options: &Options, chain: Vec<String>, chats: Chats, cx: &Ctx) -> Outcome {
    let space = device.actions().clone();
    let mut world = LiveWorld::new(device, chats, cx.clone());
    let outcome = options.work.decide(&mut world, &chain, &space, &options.settings).await;
    // Closing must work after a cancel too, so it gets a context that nobody cancelled.
    let mut closing = cx.clone();
    closing.cancel = CancelToken::new();
    closing.deadline = None;
    if let Err(error) = world.into_device().close(&closing).await {
        cx.journal.record(Event::Notice { text: format!("the device was not closed in good order: {error}") });
    }
    outcome
}

fn not_opened(error: &DeviceError, cx: &Ctx) -> Outcome {
    let end = if cx.cancel.is_cancelled() {
        End::Cancelled
    } else if cx.remaining(Duration::MAX).is_zero() {
        let message =
            format!("the time limit is over, and the page was not open yet ({error}); raise it with --timeout");
        End::BudgetExhausted { which: Budget::Time, message }
    } else {
        let kind = match error.kind() {
            ErrorKind::Cancelled => ErrorKind::Device,
            kind => kind,
        };
        End::Error { kind, message: error.to_string(), hint: error.hint.clone() }
    };
    let outcome = Outcome {
        end,
        rounds: 0,
        actions: 0,
        model_calls: 0,
        microdollars: None,
        value: None,
        usage: Usage::default(),
        planner: "none".to_owned(),
        warnings: Vec::new(),
    };
    cx.journal.record(Event::Ended { outcome: outcome.clone() });
    outcome
}

/// Writes result.json and the report, off the runtime's threads.
async fn finish(journal: &Arc<RunJournal>, outcome: &Outcome) -> RunResult {
    let (keeper, kept) = (journal.clone(), outcome.clone());
    match tokio::task::spawn_blocking(move || keeper.finish(&kept)).await {
        Ok(result) => result,
        // The writing panicked or was aborted; what can be said is said without it.
        Err(_) => journal.finish(outcome),
    }
}

/// `20260131-142501-3f9a1c`: sorts by time, and two runs of one second differ.
pub(crate) fn run_id(cx: &Ctx) -> String {
    format!("{}-{:06x}", wall_time(cx).strftime("%Y%m%d-%H%M%S"), cx.random() >> 40)
}

/// When the run began, by the clock on the wall.
fn wall_time(cx: &Ctx) -> jiff::Zoned {
    // A clock that stands outside the years 1 to 9999 is as good as none.
    let time = jiff::Timestamp::try_from(cx.started_at()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    time.to_zoned(jiff::tz::TimeZone::system())
}

#[cfg(test)]
mod tests {
    use super::answers;

    #[tokio::test]
    async fn only_a_browser_that_answers_is_said_to_be_left_open() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let endpoint = format!("ws://{}/devtools/browser/x", listener.local_addr().expect("an address"));
        assert!(answers(&endpoint).await);
        drop(listener);
        assert!(!answers(&endpoint).await);
        assert!(!answers("").await);
    }
}
