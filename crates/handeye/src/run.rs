//! One run, from its options to its report.

use crate::job::{Job, close};
use crate::model::{self, Chats};
use crate::observe::{Watch, Watched};
use crate::work::Work;
use handeye_agent::Settings;
use handeye_chat::Models;
use handeye_core::outcome::Budget;
use handeye_core::{
    CancelToken, ChatError, Ctx, Device, DeviceError, Elapsed, End, ErrorKind, Event, Journal, Outcome, Usage,
};
use handeye_device::web::{Source, WebDevice, WebOptions};
use handeye_journal::{Recording, RunJournal, RunResult, StorageError};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Everything that a run needs to know.
pub struct Options {
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
    pub fn new(web: WebOptions) -> Self {
        Self {
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
    /// Checks what can be told before anything is opened, and connects the models.
    pub(crate) fn connect(&self) -> Result<Chats, StartError> {
        self.web.check().map_err(|why| StartError::usage(&why, WHAT_WEB_TAKES))?;
        Ok(model::connect(&self.models)?)
    }

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
    pub(crate) fn usage(message: &str, hint: &str) -> Self {
        Self::Usage { message: message.to_owned(), hint: hint.to_owned() }
    }
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

/// Opens the device, does the work, keeps the record and writes the report.
///
/// # Errors
/// When the run cannot begin at all. Once it has begun, everything that happens is an [`Outcome`].
pub async fn run(work: Work, options: Options) -> Result<Finished, StartError> {
    let chats = options.connect()?;
    let job = Job::new(&work, &options, &chats)?;
    let (journal, cx) = begin(&options)?;
    let mut left_open = None;
    let outcome = match WebDevice::open(options.web.clone(), &cx).await {
        Ok(device) => {
            let endpoint = device.endpoint().filter(|_| stays_open(&options)).map(str::to_owned);
            job.start(&cx, &device.name(), device.actions());
            for remark in device.remarks() {
                cx.journal.record(Event::Notice { text: remark.clone() });
            }
            let (outcome, device) = job.on(Box::new(device), &cx).await;
            close(device, &cx).await;
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
            job.start(&cx, place, &handeye_core::ActionSpace::default());
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
pub(crate) fn begin(options: &Options) -> Result<(Arc<RunJournal>, Ctx), StorageError> {
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
pub(crate) async fn finish(journal: &Arc<RunJournal>, outcome: &Outcome) -> RunResult {
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
pub(crate) fn wall_time(cx: &Ctx) -> jiff::Zoned {
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
