//! The record of a run on disk: written while the run goes on, read by everything that comes after it.
//!
//! A run is a folder, `<out>/<run id>/`:
//!
//! | file | what it is |
//! |---|---|
//! | `journal.jsonl` | one event a line, each with its number, its time and the hash of the line before; a long message to a model stands there once |
//! | `blobs/ab/abcd….png` | frames and request bodies, named by the blake3 hash of their bytes, each kept once |
//! | `result.json` | how the run ended, for programs |
//! | `report.html` | the steps, for people: one file that opens from disk without a network |
//!
//! [`RunJournal`] writes. Recording never fails, and does not wait for the disk while less than 64 MB and 10 000 events are
//! queued: a thread of its own writes, in order. A disk that stands still for longer is waited for once, for some seconds; then
//! it costs parts of the record and not the run, as one that fills up does, and `result.json` says so. Only a disk that is full
//! before the run begins is an error. [`Run`] reads, and is forgiving: a torn last line, a broken chain or an event of a later
//! version is told as a [`Fault`] and the rest is still there. [`RecordedWorld`] lets the same decisions be made again without a
//! device, and names the first difference. [`write_report`] and [`summary`] turn a record into something to look at; they read
//! nothing but the journal, so a run that was killed has a report too.
//!
//! Nothing here decides anything, talks to a device or a model, or reads the environment.
//!
//! ```
//! use handeye_core::{Event, Journal};
//! use handeye_journal::{Run, RunJournal};
//!
//! let out = std::env::temp_dir().join(format!("handeye-doc-{}", std::process::id()));
//! let journal = RunJournal::create(&out, "first-run", Vec::new())?;
//! journal.record(Event::Notice { text: "hello".into() });
//! drop(journal);
//!
//! let run = Run::read(&out.join("first-run"))?;
//! assert_eq!(run.events[0].event, Event::Notice { text: "hello".into() });
//! # std::fs::remove_dir_all(&out)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod messages;
pub mod reader;
pub mod recorded;
pub mod report;
pub mod writer;

pub use reader::{BlobError, Envelope, Fault, ReadError, Run, Started};
pub use recorded::{Mismatch, RecordedWorld};
pub use report::{ReportError, ReportOptions, summary, write_report, write_report_with};
pub use writer::{Problem, Recording, RunJournal, RunResult, StorageError};
