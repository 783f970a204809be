//! Turns a record into something to look at. Reads nothing but the run's folder.

mod data;
mod gather;
mod page;
mod summary;
mod words;

use crate::reader::{Lines, ReadError};
use crate::writer::write_whole;
use data::Data;
use gather::Gather;
use handeye_core::ErrorKind;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
pub use summary::summary;

/// How a report is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportOptions {
    /// The page is no larger than this, by leaving out frames and long texts. The page itself needs some 40 kB.
    pub max_bytes: u64,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self { max_bytes: 30 << 20 }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error("no report: {0}")]
    Read(#[from] ReadError),
    #[error("no report: `{}` holds no event that can be read", path.display())]
    Empty { path: PathBuf },
    #[error("cannot write the report `{}`: {source}", path.display())]
    Write {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

impl ReportError {
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Storage
    }
    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Read(error) => error.hint(),
            Self::Empty { .. } => "the run was killed before it began, or the file was damaged",
            Self::Write { .. } => {
                "the report is written to the run's folder: it must have room, and you must be allowed to write there"
            }
        }
    }
}

/// Writes `<run dir>/report.html` from what the journal holds so far, and returns its path.
pub fn write_report(run_dir: &Path) -> Result<PathBuf, ReportError> {
    let (data, is_empty) = gathered(run_dir)?;
    if is_empty {
        return Err(ReportError::Empty { path: run_dir.join("journal.jsonl") });
    }
    written(run_dir, data, &ReportOptions::default())
}

/// As [`write_report`], and also of a record that holds nothing, as that of a run on a full disk.
pub fn write_report_with(run_dir: &Path, options: &ReportOptions) -> Result<PathBuf, ReportError> {
    written(run_dir, gathered(run_dir)?.0, options)
}

fn written(run_dir: &Path, mut data: Data, options: &ReportOptions) -> Result<PathBuf, ReportError> {
    page::fit(&mut data, run_dir, options.max_bytes);
    let path = run_dir.join("report.html");
    let written = write_whole(&path, false, |file| {
        let mut out = BufWriter::with_capacity(256 << 10, file);
        page::write(&mut data, run_dir, &mut out)?;
        out.flush()
    });
    match written {
        Ok(()) => Ok(path),
        Err(source) => Err(ReportError::Write { path, source }),
    }
}

/// Event by event, so that what the record holds beside the steps (UI trees above all) is never in memory at once.
/// Also says whether there was none.
fn gathered(run_dir: &Path) -> Result<(Data, bool), ReadError> {
    let mut lines = Lines::open(run_dir)?;
    let mut gather = Gather::default();
    let mut is_empty = true;
    while let Some(envelope) = lines.next()? {
        gather.take(envelope);
        is_empty = false;
    }
    let id = run_dir.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    Ok((gather.finish(&id, &lines.faults), is_empty))
}
