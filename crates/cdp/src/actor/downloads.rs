//! Downloads are told of by name when they begin, and by number after that.

use super::{Outlets, read};
use crate::BrowserEvent;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::PathBuf;

#[derive(Default)]
pub(super) struct Downloads {
    running: HashMap<String, Began>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Began {
    guid: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    suggested_filename: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Progress {
    guid: String,
    /// A number that may be beyond 2^53 or negative when unknown, so a float.
    #[serde(default)]
    received_bytes: f64,
    #[serde(default)]
    state: String,
    #[serde(default)]
    file_path: Option<PathBuf>,
}

impl Downloads {
    pub(super) fn began(&mut self, json: &str, outlets: &Outlets) {
        let Some(began) = read::<Began>("Browser.downloadWillBegin", json) else { return };
        outlets.tell(BrowserEvent::Downloading {
            guid: began.guid.clone(),
            name: began.suggested_filename.clone(),
            url: began.url.clone(),
        });
        self.running.insert(began.guid.clone(), began);
    }

    pub(super) fn progressed(&mut self, json: &str, outlets: &Outlets) {
        let Some(progress) = read::<Progress>("Browser.downloadProgress", json) else { return };
        let completed = match progress.state.as_str() {
            "completed" => true,
            "canceled" => false,
            _ => return,
        };
        let Some(began) = self.running.remove(&progress.guid) else { return };
        outlets.tell(BrowserEvent::Downloaded {
            guid: began.guid,
            name: began.suggested_filename,
            url: began.url,
            bytes: progress.received_bytes.max(0.0) as u64,
            path: progress.file_path.filter(|_| completed),
            completed,
        });
    }
}
