//! Reads a run's record, whatever state it was left in.

use crate::messages::Named;
use handeye_core::{Elapsed, Event, Hash, ImageFormat, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// The version of the lines that this build writes, and the newest that it reads.
pub(crate) const VERSION: u32 = 1;

/// No event comes near this; without a limit a damaged file of any size would be read into memory as one line.
const LONGEST_LINE: u64 = 256 << 20;

/// What a line says about the one before it: the first 16 digits of the blake3 hash of its bytes.
pub(crate) fn chain(line: &[u8]) -> String {
    Hash::of(line).as_str()[..16].to_owned()
}

/// One event with its place in the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    pub v: u32,
    /// From 1. A gap means that lines were lost, which is told as a [`Fault`].
    pub seq: u64,
    pub t: Elapsed,
    pub prev: String,
    pub event: Event,
}

/// What is wrong with a record. The rest of it can be used all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Fault {
    /// The last line has no end: the writer was killed while it wrote it. It is left out.
    TornTail { bytes: usize },
    /// A line is no event. It is left out.
    BadLine { line: usize, why: String },
    /// A line does not follow on the one before it: one of the two was changed, or lines between them are gone.
    BrokenChain { line: usize },
    /// Numbers are missing before this line.
    Gap { line: usize, missing: u64 },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TornTail { bytes } => {
                write!(
                    f,
                    "the last {bytes} bytes are half a line and were left out: the run was killed while it wrote them"
                )
            }
            Self::BadLine { line, why } => write!(f, "line {line} is no event and was left out: {why}"),
            Self::BrokenChain { line } => {
                write!(
                    f,
                    "line {line} does not follow on the line before it: the record was changed by hand, or is incomplete"
                )
            }
            Self::Gap { line, missing: 1 } => write!(f, "1 event is missing before line {line}"),
            Self::Gap { line, missing } => write!(f, "{missing} events are missing before line {line}"),
        }
    }
}

/// Why there is no record to read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot read `{}`: {source}", path.display())]
    Io {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("`{}` is written in version {found} of the journal; this build reads up to version {VERSION}", path.display())]
    Version { path: PathBuf, found: u32 },
}

impl ReadError {
    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => {
                "name the folder of one run, the one that holds journal.jsonl; it lies in the folder that --out named"
            }
            Self::Version { .. } => "read it with the version of Handeye that recorded it, or a later one",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    #[error("`{0}` is no hash of a blob")]
    BadName(String),
    #[error("the blob {hash} is not in the record")]
    Missing { hash: Hash },
    #[error("the blob {hash} holds other bytes than its name says")]
    Changed { hash: Hash },
    #[error("cannot read the blob `{}`: {source}", path.display())]
    Io {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// What a run began with.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Started {
    pub version: String,
    pub goal: String,
    pub device: String,
    pub model: String,
    pub wall_time: String,
    pub settings: Value,
}

impl Started {
    pub(crate) fn of(event: &Event) -> Option<Self> {
        let Event::Started { version, goal, device, model, wall_time, settings } = event else { return None };
        Some(Self {
            version: version.clone(),
            goal: goal.clone(),
            device: device.clone(),
            model: model.clone(),
            wall_time: wall_time.clone(),
            settings: settings.clone(),
        })
    }
}

/// A whole record in memory.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The run's folder.
    pub dir: PathBuf,
    /// `None` when the record does not get as far as that.
    pub started: Option<Started>,
    pub events: Vec<Envelope>,
    /// `None` when the run was killed, or still goes on.
    pub outcome: Option<Outcome>,
    pub faults: Vec<Fault>,
}

impl Run {
    /// Reads `<dir>/journal.jsonl`.
    pub fn read(dir: &Path) -> Result<Self, ReadError> {
        let mut run = Self { dir: dir.to_owned(), ..Self::default() };
        let mut lines = Lines::open(dir)?;
        while let Some(envelope) = lines.next()? {
            match &envelope.event {
                started @ Event::Started { .. } if run.started.is_none() => run.started = Started::of(started),
                Event::Ended { outcome } => run.outcome = Some(outcome.clone()),
                _ => {}
            }
            run.events.push(envelope);
        }
        run.faults = lines.faults;
        Ok(run)
    }

    /// The bytes of a blob, checked against its hash.
    pub fn blob(&self, hash: &Hash) -> Result<Vec<u8>, BlobError> {
        blob(&self.dir, hash)
    }
}

/// Reads the events one by one, so that a long record needs no memory to be walked through.
pub(crate) struct Lines {
    path: PathBuf,
    file: BufReader<File>,
    buffer: Vec<u8>,
    line: usize,
    prev: String,
    last_seq: u64,
    named: Named,
    pub(crate) faults: Vec<Fault>,
}

impl Lines {
    pub(crate) fn open(dir: &Path) -> Result<Self, ReadError> {
        let path = dir.join("journal.jsonl");
        let failed = |source| ReadError::Io { path: path.clone(), source };
        // A device under this name would be read for ever, and a pipe would be waited for already when it is opened.
        if !fs::metadata(&path).map_err(failed)?.is_file() {
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")));
        }
        let file = File::open(&path).map_err(failed)?;
        let file = BufReader::with_capacity(64 << 10, file);
        Ok(Self {
            path,
            file,
            buffer: Vec::new(),
            line: 0,
            prev: String::new(),
            last_seq: 0,
            named: Named::default(),
            faults: Vec::new(),
        })
    }

    /// The next event, `None` at the end. What is wrong with a line goes to `faults`, and the line after it is read.
    pub(crate) fn next(&mut self) -> Result<Option<Envelope>, ReadError> {
        loop {
            self.buffer.clear();
            let read = self.file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.buffer);
            read.map_err(|source| ReadError::Io { path: self.path.clone(), source })?;
            if self.buffer.is_empty() {
                return Ok(None);
            }
            if self.buffer.pop() != Some(b'\n') {
                self.faults.push(Fault::TornTail { bytes: self.buffer.len() + 1 });
                return Ok(None);
            }
            self.line += 1;
            let read = read_line(&self.buffer, &mut self.named);
            let hash = chain(&self.buffer);
            match read {
                Ok(envelope) => {
                    self.check_place(&envelope);
                    self.prev = hash;
                    self.last_seq = envelope.seq;
                    return Ok(Some(envelope));
                }
                Err(Unread::Version(found)) if self.line == 1 => {
                    return Err(ReadError::Version { path: self.path.clone(), found });
                }
                Err(Unread::Version(found)) => self.bad_line(format!("it is of version {found}")),
                Err(Unread::Bad(why)) => self.bad_line(why),
                // The line says where it stands, though not in words that we know.
                Err(Unread::Event { envelope, why }) => {
                    self.bad_line(why);
                    self.check_place(&envelope);
                    self.prev = hash;
                    self.last_seq = envelope.seq;
                }
            }
        }
    }

    fn bad_line(&mut self, why: String) {
        self.faults.push(Fault::BadLine { line: self.line, why });
    }

    fn check_place(&mut self, envelope: &Envelope) {
        let line = self.line;
        if envelope.prev != self.prev {
            self.faults.push(Fault::BrokenChain { line });
        }
        let missing = envelope.seq.saturating_sub(self.last_seq.saturating_add(1));
        if missing > 0 {
            self.faults.push(Fault::Gap { line, missing });
        }
    }
}

enum Unread {
    Version(u32),
    Bad(String),
    Event { envelope: Box<Envelope>, why: String },
}

fn read_line(bytes: &[u8], named: &mut Named) -> Result<Envelope, Unread> {
    #[derive(Deserialize)]
    struct Outer<'a> {
        v: u32,
        #[serde(default)]
        seq: u64,
        #[serde(default)]
        t: Elapsed,
        #[serde(default)]
        prev: String,
        #[serde(borrow)]
        event: Option<&'a RawValue>,
    }
    let outer: Outer<'_> = serde_json::from_slice(bytes).map_err(|e| Unread::Bad(e.to_string()))?;
    if outer.v > VERSION {
        return Err(Unread::Version(outer.v));
    }
    let envelope = Envelope { v: outer.v, seq: outer.seq, t: outer.t, prev: outer.prev, event: Event::Unknown };
    let Some(event) = outer.event else { return Err(Unread::Bad("it holds no event".into())) };
    match read_event(event.get(), named) {
        Ok(event) => Ok(Envelope { event, ..envelope }),
        Err(why) => Err(Unread::Event { envelope: Box::new(envelope), why }),
    }
}

fn read_event(json: &str, named: &mut Named) -> Result<Event, String> {
    // Only requests to models hold names; other lines are read as they stand.
    if !json.contains(r#""need":"chat""#) {
        return serde_json::from_str(json).map_err(|e| e.to_string());
    }
    let mut value: Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    named.restore(&mut value)?;
    serde_json::from_value(value).map_err(|e| e.to_string())
}

/// Where a blob of this hash and ending lies, relative to the run's folder. `None` when the hash is none.
pub(crate) fn blob_path(hash: &Hash, ext: &str) -> Option<String> {
    let name = hash.as_str();
    let is_hash = name.len() == 64 && name.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    is_hash.then(|| format!("blobs/{}/{name}.{ext}", &name[..2]))
}

/// The file of a blob, whatever its ending.
fn find_blob(dir: &Path, hash: &Hash) -> Result<PathBuf, BlobError> {
    let known = [ImageFormat::Png.extension(), ImageFormat::Jpeg.extension(), "json"];
    for ext in known {
        let path = blob_path(hash, ext).ok_or_else(|| BlobError::BadName(hash.as_str().to_owned()))?;
        let path = dir.join(path);
        if path.is_file() {
            return Ok(path);
        }
    }
    let folder = dir.join("blobs").join(&hash.as_str()[..2]);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .find(|path| path.file_stem().is_some_and(|stem| stem == hash.as_str()))
        .ok_or_else(|| BlobError::Missing { hash: hash.clone() })
}

pub(crate) fn blob(dir: &Path, hash: &Hash) -> Result<Vec<u8>, BlobError> {
    let path = find_blob(dir, hash)?;
    // A pipe or a device in its place could be read for ever.
    if !fs::symlink_metadata(&path).is_ok_and(|file| file.is_file()) {
        return Err(BlobError::Missing { hash: hash.clone() });
    }
    let bytes = fs::read(&path).map_err(|source| BlobError::Io { path, source })?;
    if Hash::of(&bytes) == *hash { Ok(bytes) } else { Err(BlobError::Changed { hash: hash.clone() }) }
}
