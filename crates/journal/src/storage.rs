//! What can go wrong with the folder of a run.

use handeye_core::ErrorKind;
use std::io;
use std::path::{Path, PathBuf};

/// Why a record could not be begun, read or shown.
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
    /// The folder holds no record that can be used.
    pub fn unreadable(dir: &Path, why: impl Into<String>) -> Self {
        Self::new("use the record in", dir, io::Error::new(io::ErrorKind::InvalidData, why.into()))
    }
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::Storage
    }
    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self.source.kind() {
            io::ErrorKind::NotFound if self.what == "read" => "give the folder of a run, as `<out>/<run id>`",
            io::ErrorKind::InvalidData => "give the folder of another run, or use the version of handeye that wrote it",
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
