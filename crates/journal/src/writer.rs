//! Writes a run's record while the run goes on.

mod disk;
mod queue;
#[cfg(test)]
mod tests;

use crate::report::{self, ReportOptions};
use async_trait::async_trait;
pub(crate) use disk::write_whole;
use disk::{Disk, Shared, Sink};
use handeye_core::Masker;
use handeye_core::{Ctx, Elapsed, End, ErrorKind, Event, Hash, Journal, Outcome, Seq, Usage};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long [`RunJournal::finish`] waits for a disk that does not answer.
const LAST_WAIT: Duration = Duration::from_secs(30);

/// Why a record could not be begun.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what} `{}`: {source}", path.display())]
pub struct StorageError {
    /// What was attempted, as in "cannot …": `create the folder`.
    pub what: &'static str,
    pub path: PathBuf,
    #[source]
    pub source: io::Error,
}

impl StorageError {
    pub(crate) fn new(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self { what, path: path.to_owned(), source }
    }
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Storage
    }
    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self.source.kind() {
            io::ErrorKind::NotADirectory => "a part of this path is a file; give another folder with --out",
            io::ErrorKind::AlreadyExists => "give another folder with --out, or remove this one",
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "give a folder that you may write to with --out"
            }
            io::ErrorKind::StorageFull => "free some space, or give a folder on another disk with --out",
            io::ErrorKind::InvalidInput => "use letters, digits, `.`, `-` and `_`",
            _ => "check the folder, or give another one with --out",
        }
    }
}

/// What a record is made with, beside its folder.
#[derive(Default)]
pub struct Recording {
    /// Values that must not reach the disk; each is replaced by `***` wherever it stands in a text.
    pub secrets: Vec<String>,
    /// A line counts as written once it survives a crash of the machine. Costs a sync of the disk each time.
    pub durable: bool,
    /// Time since the run began. `None` counts from the moment of creation.
    pub clock: Option<Box<dyn Fn() -> Elapsed + Send + Sync>>,
    pub report: ReportOptions,
}

/// One line of the file.
#[derive(Serialize)]
struct Envelope<'a, E> {
    v: u32,
    seq: u64,
    t: Elapsed,
    prev: &'a str,
    event: E,
}

/// What went wrong, for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The kind of an error, or how else the run ended: `transport`, `usage`, `abstained`, `budget-exhausted`, …
    pub kind: String,
    pub message: String,
    /// What a person can do about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
}

impl Problem {
    pub fn new(kind: ErrorKind, message: impl Into<String>, hint: Option<String>) -> Self {
        let kind = match serde_json::to_value(kind) {
            Ok(serde_json::Value::String(word)) => word,
            _ => String::new(),
        };
        Self { kind, message: message.into(), hint }
    }

    /// `None` when the run did what it was to do.
    pub fn of(end: &End) -> Option<Self> {
        let (kind, message) = match end {
            End::Completed { .. } => return None,
            End::Error { kind, message, hint } => return Some(Self::new(*kind, message.clone(), hint.clone())),
            End::Failed { message } => ("failed", message.clone()),
            End::BudgetExhausted { message, .. } => ("budget-exhausted", message.clone()),
            End::Stuck { why } => ("stuck", why.clone()),
            End::Refused { why } => ("refused", why.clone()),
            End::Abstained { .. } => ("abstained", end.to_string()),
            End::Cancelled => ("cancelled", end.to_string()),
        };
        let message = message.strip_prefix("abstained: ").unwrap_or(&message).to_owned();
        Some(Self { kind: kind.to_owned(), message, hint: None })
    }
}

/// What result.json holds, and what `--json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    pub v: u32,
    /// `None` after a success alone. A run that could not begin is told in the same words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<Problem>,
    pub run_id: String,
    pub goal: String,
    pub device: String,
    pub model: String,
    /// The end in one line: `completed: 3 in stock`.
    pub message: String,
    pub end: End,
    pub exit_code: u8,
    pub rounds: u32,
    /// Actions that were sent to the device.
    pub actions: u32,
    pub model_calls: u32,
    pub usage: Usage,
    /// Millionths of a US dollar for all model calls, where every price is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub microdollars: Option<u64>,
    /// The answer to a question, exactly as it was given.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "handeye_core::outcome::given")]
    pub value: Option<Value>,
    /// Milliseconds since the run began.
    pub millis: u64,
    /// The planner whose decisions ended the run.
    pub planner: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
    #[serde(serialize_with = "shown")]
    pub folder: PathBuf,
    /// `None` when it could not be written; `record_problem` says why.
    #[serde(serialize_with = "shown_if_any")]
    pub report: Option<PathBuf>,
    /// The first failure of the disk, if there was one: the record has gaps from there on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub record_problem: Option<String>,
}

/// A path may hold bytes that are no text. It is shown as well as it can be: the result must be written all the same.
fn shown<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&path.display())
}

#[expect(clippy::ref_option, reason = "serde asks for a reference to the field")]
fn shown_if_any<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
    match path {
        Some(path) => shown(path, to),
        None => to.serialize_none(),
    }
}

/// What the record needs to remember of the events that passed.
#[derive(Default)]
struct Seen {
    goal: String,
    device: String,
    model: String,
    ended: bool,
    result: Option<RunResult>,
}

/// The record of one run, open for writing.
pub struct RunJournal {
    run_id: String,
    dir: PathBuf,
    clock: Box<dyn Fn() -> Elapsed + Send + Sync>,
    masker: Arc<Masker>,
    report: ReportOptions,
    shared: Arc<Shared>,
    seen: Mutex<Seen>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl RunJournal {
    /// Begins the record of a run in `<out>/<run id>/`. Every value of `secrets` is masked in all that is written.
    pub fn create(out: &Path, run_id: &str, secrets: Vec<String>) -> Result<Arc<Self>, StorageError> {
        Self::create_with(out, run_id, Recording { secrets, ..Recording::default() })
    }

    pub fn create_with(out: &Path, run_id: &str, recording: Recording) -> Result<Arc<Self>, StorageError> {
        check_id(run_id).map_err(|why| {
            StorageError::new("name a run", Path::new(run_id), io::Error::new(io::ErrorKind::InvalidInput, why))
        })?;
        let out = std::path::absolute(out).map_err(|e| StorageError::new("find the folder", out, e))?;
        let dir = out.join(run_id);
        let file = disk::open(&dir)?;
        Self::start(dir, run_id, Box::new(file), recording)
    }

    fn start(dir: PathBuf, run_id: &str, sink: Box<dyn Sink>, recording: Recording) -> Result<Arc<Self>, StorageError> {
        let masker = Arc::new(Masker::new(recording.secrets));
        let shared = Arc::new(Shared::default());
        let disk = Disk::new(dir.clone(), sink, Arc::clone(&masker), recording.durable);
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("journal".into())
            .spawn(move || disk.run(&for_thread))
            .map_err(|e| StorageError::new("start the thread that writes to", &dir, e))?;
        let clock = recording.clock.unwrap_or_else(|| {
            let start = Ctx::bare();
            Box::new(move || start.now())
        });
        Ok(Arc::new(Self {
            run_id: run_id.to_owned(),
            dir,
            clock,
            masker,
            report: recording.report,
            shared,
            seen: Mutex::default(),
            thread: Mutex::new(Some(thread)),
        }))
    }

    /// The run's folder, as an absolute path.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Ends the record: writes what is queued, the report and result.json. Blocks until it is done, at most half a minute
    /// on a disk that does not answer. A second call returns the first one's result.
    pub fn finish(&self, outcome: &Outcome) -> RunResult {
        if let Some(result) = &self.seen().result {
            return result.clone();
        }
        if !self.seen().ended {
            self.record(Event::Ended { outcome: outcome.clone() });
        }
        let millis = (self.clock)().millis();
        self.close();
        let report = match report::write_report_with(&self.dir, &self.report) {
            Ok(path) => Some(path),
            Err(e) => {
                self.shared.fail(|| e.to_string());
                None
            }
        };
        let mut result = self.result(outcome, millis, report);
        let path = self.dir.join("result.json");
        let text = serde_json::to_string_pretty(&result).unwrap_or_default();
        if let Err(e) = write_whole(&path, false, |file| file.write_all(text.as_bytes())) {
            self.shared.fail(|| format!("`{}` could not be written: {e}", path.display()));
            result.record_problem = self.shared.problem().map(str::to_owned);
        }
        self.seen().result = Some(result.clone());
        result
    }

    fn result(&self, outcome: &Outcome, millis: u64, report: Option<PathBuf>) -> RunResult {
        let seen = self.seen();
        let end = self.masked_end(&outcome.end);
        RunResult {
            v: 1,
            error: Problem::of(&end),
            run_id: self.run_id.clone(),
            goal: self.masker.text(&seen.goal).into_owned(),
            device: self.masker.text(&seen.device).into_owned(),
            model: self.masker.text(&seen.model).into_owned(),
            message: self.masker.text(&end.to_string()).into_owned(),
            exit_code: outcome.end.exit_code(),
            end,
            rounds: outcome.rounds,
            actions: outcome.actions,
            model_calls: outcome.model_calls,
            usage: outcome.usage,
            microdollars: outcome.microdollars,
            value: outcome.value.clone().map(|mut value| {
                self.masker.value(&mut value, true);
                value
            }),
            millis,
            planner: outcome.planner.clone(),
            warnings: outcome.warnings.iter().map(|w| self.masker.text(w).into_owned()).collect(),
            folder: self.dir.clone(),
            report,
            record_problem: self.shared.problem().map(str::to_owned),
        }
    }

    fn masked_end(&self, end: &End) -> End {
        let masked = serde_json::to_value(end).ok().and_then(|mut value| {
            self.masker.value(&mut value, true);
            serde_json::from_value(value).ok()
        });
        // Only a secret that is a part of the words themselves gets here: the end is still told, without its message.
        masked.unwrap_or(End::Failed { message: handeye_core::mask::MASK.into() })
    }

    fn close(&self) {
        self.shared.queue.close();
        let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        if self.shared.queue.wait_done(LAST_WAIT) {
            if thread.join().is_err() {
                self.shared.fail(|| "the thread that writes the record broke off".into());
            }
        } else {
            let dir = self.dir.display();
            self.shared.fail(|| format!("the disk of `{dir}` took nothing for {} s", LAST_WAIT.as_secs()));
        }
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, event: &Event) {
        match event {
            Event::Started { goal, device, model, .. } => {
                let mut seen = self.seen();
                (seen.goal, seen.device, seen.model) = (goal.clone(), device.clone(), model.clone());
            }
            Event::Ended { .. } => self.seen().ended = true,
            _ => {}
        }
    }

    fn push(&self, event: Event, at: impl FnOnce() -> Elapsed) -> Seq {
        self.remember(&event);
        let (seq, had_room) = self.shared.queue.push_line(event, at);
        if !had_room {
            self.too_slow();
        }
        Seq(seq)
    }

    fn too_slow(&self) {
        let dir = self.dir.display();
        self.shared.fail(|| format!("the disk of `{dir}` is too slow: parts of the record were dropped"));
    }
}

#[async_trait]
impl Journal for RunJournal {
    /// Texts are masked first, and the hash is that of the masked text.
    fn blob(&self, bytes: &[u8], ext: &'static str) -> Hash {
        let kept = self.masker.bytes(bytes, ext);
        let hash = Hash::of(&kept);
        if !self.shared.queue.push_blob(&hash, ext, || kept.into_owned()) {
            self.too_slow();
        }
        hash
    }

    fn record(&self, event: Event) -> Seq {
        self.push(event, || (self.clock)())
    }

    fn record_at(&self, event: Event, at: Elapsed) -> Seq {
        self.push(event, || at)
    }

    async fn written(&self, seq: Seq) {
        // A number that was never given out would never be reached.
        let seq = seq.0.min(self.shared.queue.last_seq());
        loop {
            if self.shared.reached.load(Ordering::SeqCst) >= seq {
                return;
            }
            let listener = self.shared.wake.listen();
            if self.shared.reached.load(Ordering::SeqCst) >= seq {
                return;
            }
            listener.await;
        }
    }
}

impl Drop for RunJournal {
    fn drop(&mut self) {
        self.close();
    }
}

/// A run's id is a folder's name on every system.
fn check_id(id: &str) -> Result<(), Cow<'static, str>> {
    if id.is_empty() {
        return Err("it is empty".into());
    }
    if id.len() > 120 {
        return Err(format!("it has {} bytes, 120 are the most", id.len()).into());
    }
    if id.starts_with('.') {
        return Err("it begins with a dot".into());
    }
    match id.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))) {
        Some(bad) => Err(format!("it holds {bad:?}").into()),
        None => Ok(()),
    }
}
