//! The writer thread: lines and blobs to the disk, in order, whatever the disk does.

use super::queue::{Job, Queue};
use super::{Envelope, StorageError};
use crate::messages::Written;
use crate::reader::{VERSION, chain};
use event_listener::Event as Wake;
use handeye_core::Masker;
use handeye_core::{Elapsed, Event, Hash, Need};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where lines go. A seam, so that a disk that fails can be tested.
pub(super) trait Sink: Send {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Until the bytes are safe from a crash of the machine.
    fn sync(&mut self) -> io::Result<()>;
    /// Shortens the file to its whole lines.
    fn cut(&mut self, len: u64) -> io::Result<()>;
    /// The file has no name any more: somebody removed it.
    fn is_gone(&self) -> bool;
}

impl Sink for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }
    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
    fn cut(&mut self, len: u64) -> io::Result<()> {
        self.set_len(len)
    }
    #[cfg(unix)]
    fn is_gone(&self) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        self.metadata().is_ok_and(|m| m.nlink() == 0)
    }
    #[cfg(not(unix))]
    fn is_gone(&self) -> bool {
        false
    }
}

/// Shared by the recording side and the thread.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) queue: Queue,
    /// Every line up to this number has reached the file or was given up.
    pub(super) reached: AtomicU64,
    pub(super) wake: Wake,
    problem: OnceLock<String>,
}

impl Shared {
    /// Keeps the first failure; the others are its consequences.
    pub(super) fn fail(&self, what: impl FnOnce() -> String) {
        self.problem.get_or_init(|| {
            let text = what();
            tracing::warn!(problem = text, "the record of this run is incomplete");
            text
        });
    }
    pub(super) fn problem(&self) -> Option<&str> {
        self.problem.get().map(String::as_str)
    }
}

pub(super) struct Disk {
    pub(super) dir: PathBuf,
    pub(super) sink: Box<dyn Sink>,
    pub(super) masker: std::sync::Arc<Masker>,
    pub(super) durable: bool,
    /// Bytes of whole lines in the file.
    len: u64,
    prev: String,
    /// A broken line could not be cut off: the next one starts on a line of its own.
    torn: bool,
    /// Messages to models that stand in the file.
    written: Written,
}

impl Disk {
    pub(super) fn new(dir: PathBuf, sink: Box<dyn Sink>, masker: std::sync::Arc<Masker>, durable: bool) -> Self {
        Self { dir, sink, masker, durable, len: 0, prev: String::new(), torn: false, written: Written::default() }
    }

    /// The body of the thread.
    pub(super) fn run(mut self, shared: &Shared) {
        let mut last = 0;
        while let Some(job) = shared.queue.pop() {
            match job {
                Job::Line { seq, at, event } => {
                    self.line(seq, at, &event, shared);
                    last = seq;
                }
                Job::Blob { hash, ext, bytes } => {
                    if let Err(e) = self.blob(&hash, ext, &bytes) {
                        shared.fail(|| format!("a blob could not be written to `{}`: {e}", self.dir.display()));
                        shared.queue.forget(&hash);
                    }
                }
                Job::Lost { seq } => last = seq,
            }
            // A machine's crash is only survived by what was synced; one sync serves all lines that wait for it.
            if self.durable && !shared.queue.is_empty() {
                continue;
            }
            if self.durable
                && let Err(e) = self.sink.sync()
                && e.kind() != io::ErrorKind::InvalidInput
            {
                shared.fail(|| format!("`{}` could not be synced: {e}", self.journal().display()));
            }
            if shared.reached.swap(last, Ordering::SeqCst) < last {
                shared.wake.notify(usize::MAX);
            }
        }
        self.check_name(shared);
        shared.reached.store(u64::MAX, Ordering::SeqCst);
        shared.wake.notify(usize::MAX);
        shared.queue.set_done();
    }

    fn journal(&self) -> PathBuf {
        self.dir.join("journal.jsonl")
    }

    /// Writing to a file that was removed succeeds, and is lost all the same.
    fn check_name(&self, shared: &Shared) {
        if self.sink.is_gone() {
            shared.fail(|| format!("`{}` was removed while the run went on", self.journal().display()));
        }
    }

    fn line(&mut self, seq: u64, at: Elapsed, event: &Event, shared: &Shared) {
        let (mut line, messages) = match encode(seq, at, &self.prev, event, &self.masker, &self.written) {
            Ok(encoded) => encoded,
            Err(e) => return shared.fail(|| format!("event {seq} could not be written as JSON: {e}")),
        };
        let hash = chain(line.as_bytes());
        line.push('\n');
        let bytes = if self.torn { format!("\n{line}") } else { line };
        match self.sink.append(bytes.as_bytes()) {
            Ok(()) => {
                self.len += bytes.len() as u64;
                self.prev = hash;
                self.torn = false;
                self.written.add(messages);
                self.check_name(shared);
            }
            Err(e) => {
                shared.fail(|| format!("`{}` could not be written from event {seq} on: {e}", self.journal().display()));
                // Half a line may have reached the file.
                self.torn = self.sink.cut(self.len).is_err();
            }
        }
    }

    fn blob(&mut self, hash: &Hash, ext: &str, bytes: &[u8]) -> io::Result<()> {
        let folder = self.dir.join("blobs").join(&hash.as_str()[..2]);
        // Never `create_dir_all`: a folder that was removed during the run must not come back half filled.
        match fs::create_dir(&folder) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
            _ => {}
        }
        write_whole(&folder.join(format!("{hash}.{ext}")), self.durable, |file| file.write_all(bytes))
    }
}

/// Writes a file so that its name never shows anything but the whole of it.
pub(crate) fn write_whole(
    path: &Path,
    durable: bool,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".part");
    let temporary = PathBuf::from(temporary);
    let written = File::create(&temporary).and_then(|mut file| {
        fill(&mut file)?;
        if durable { file.sync_data() } else { Ok(()) }
    });
    written.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        _ = fs::remove_file(&temporary);
    })
}

/// One line without its line break, and the messages that stand in it for the first time.
fn encode(
    seq: u64,
    at: Elapsed,
    prev: &str,
    event: &Event,
    masker: &Masker,
    written: &Written,
) -> serde_json::Result<(String, Vec<String>)> {
    let line = serde_json::to_string(&Envelope { v: VERSION, seq, t: at, prev, event })?;
    let is_concerned = masker.concerns(&line);
    let is_request = matches!(event, Event::Asked { need: Need::Chat(..), .. });
    if !is_concerned && !is_request {
        return Ok((line, Vec::new()));
    }
    let mut event = if is_concerned { masked(event, masker)? } else { serde_json::to_value(event)? };
    let messages = written.shorten(&mut event);
    Ok((serde_json::to_string(&Envelope { v: VERSION, seq, t: at, prev, event })?, messages))
}

/// The event without secrets, and still readable as an event.
fn masked(event: &Event, masker: &Masker) -> serde_json::Result<Value> {
    let plain = serde_json::to_value(event)?;
    for keep_words in [false, true] {
        let mut value = plain.clone();
        masker.value(&mut value, keep_words);
        let reads = serde_json::from_value::<Event>(value.clone());
        if reads.is_ok_and(|e| e != Event::Unknown || *event == Event::Unknown) {
            return Ok(value);
        }
    }
    let text = "an event was left out: without a secret in it, it could not be read again".to_owned();
    serde_json::to_value(Event::Notice { text })
}

/// Opens the journal of a run in `<out>/<run id>/` and makes the folders.
pub(super) fn open(dir: &Path) -> Result<File, StorageError> {
    fs::create_dir_all(dir.join("blobs")).map_err(|e| StorageError::new("create the folder", dir, e))?;
    let path = dir.join("journal.jsonl");
    let file = File::options().create(true).append(true).open(&path);
    let file = file.map_err(|e| StorageError::new("create the file", &path, e))?;
    let mut file = file;
    let len = file.metadata().map_err(|e| StorageError::new("read", &path, e))?.len();
    if len > 0 {
        let taken = io::Error::new(io::ErrorKind::AlreadyExists, "it already holds a run");
        return Err(StorageError::new("start a record in", &path, taken));
    }
    if let Err(e) = has_room(&mut file) {
        // What we made goes again; what somebody else put there stays.
        _ = fs::remove_file(&path);
        _ = fs::remove_dir(dir.join("blobs"));
        _ = fs::remove_dir(dir);
        return Err(StorageError::new("write to", &path, e));
    }
    Ok(file)
}

/// Folders and empty files can be made on a disk that is full. It is better to hear of it now than after the first action.
fn has_room(file: &mut File) -> io::Result<()> {
    file.write_all(&vec![b' '; 64 << 10])?;
    file.set_len(0)
}

#[cfg(test)]
mod tests {
    use super::has_room;
    use std::fs::File;
    use std::io::ErrorKind;

    #[test]
    fn a_full_disk_is_noticed_before_the_run() {
        let mut full = File::options().write(true).open("/dev/full").expect("/dev/full");
        assert_eq!(has_room(&mut full).expect_err("full").kind(), ErrorKind::StorageFull);
    }
}
