//! Runs the deciding of a recorded run again, with no device and no model, and says whether it decides the same.

use crate::model;
use crate::work::Work;
use handeye_agent::settings::SettingsRecord;
use handeye_core::Outcome;
use handeye_journal::{Mismatch, ReadError, RecordedWorld, Run};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What a replay found.
#[derive(Debug, Serialize)]
pub struct Replayed {
    /// Needs that were asked again and were the same.
    pub needs: usize,
    /// The first difference, if any: where, what was recorded, what is asked now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// `None` when the record ends without an end of the run: it was killed there.
    pub outcome: Option<Outcome>,
    /// What is wrong with the record itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

/// Why a run could not be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("cannot replay `{}`: {why}", dir.display())]
    Unknown { dir: PathBuf, why: &'static str },
    #[error("cannot replay `{}`: its journal has no beginning", dir.display())]
    Empty { dir: PathBuf },
    /// What was decided is not in question: the record lacks what it refers to.
    #[error("cannot replay `{}`: {why}", dir.display())]
    Incomplete { dir: PathBuf, why: String },
}

impl ReplayError {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Read(error) => error.hint(),
            Self::Incomplete { .. } => "the folder `blobs` belongs to the run: copy it too",
            Self::Unknown { .. } => "replay it with the version that recorded it",
            Self::Empty { .. } => {
                "the run was killed before it began, or the file was damaged; there is nothing to replay"
            }
        }
    }
}

/// Replays the run in this folder.
///
/// # Errors
/// When the folder holds no readable run, or one that today's code does not know how to start.
pub async fn replay(dir: &Path) -> Result<Replayed, ReplayError> {
    let unknown = |why| ReplayError::Unknown { dir: dir.to_owned(), why };
    let dir = &crate::run_folder(dir);
    let run = Run::read(dir)?;
    let started = run.started.as_ref().ok_or_else(|| ReplayError::Empty { dir: dir.to_owned() })?;
    let record =
        SettingsRecord::deserialize(&started.settings).map_err(|_| unknown("its settings are of another version"))?;
    let settings = record.settings().ok_or_else(|| unknown("it names a model family that is not known"))?;
    let work =
        Work::recorded(&started.settings, &record).ok_or_else(|| unknown("what it was to do is of another version"))?;
    let bodies = model::connect(&model::recorded(&started.settings)).unwrap_or_default();
    let mut world = RecordedWorld::new(&run, bodies);
    let outcome = work.decide(&mut world, &record.planners, &record.space, &settings).await;
    let needs = world.progress().0;
    let faults = run.faults.iter().map(ToString::to_string).collect();
    if matches!(world.mismatch(), Some(Mismatch::RecordEnded { .. })) {
        // A run that was killed decided the same for as long as it lived, and one whose device never opened decided nothing.
        let killed = run.outcome.is_none();
        if killed || run.outcome.as_ref().is_some_and(|was| needs == 0 && was.rounds == 0) {
            return Ok(Replayed { needs, difference: None, outcome: run.outcome, faults });
        }
    }
    if let Some(missing @ Mismatch::Record { .. }) = world.mismatch() {
        return Err(ReplayError::Incomplete { dir: dir.clone(), why: missing.to_string() });
    }
    let difference = difference(&run, &world, &outcome);
    Ok(Replayed { needs, difference, outcome: Some(outcome), faults })
}

fn difference(run: &Run, world: &RecordedWorld, outcome: &Outcome) -> Option<String> {
    if let Some(mismatch) = world.mismatch() {
        return Some(mismatch.to_string());
    }
    if let Some(was) = run.outcome.as_ref().filter(|was| *was != outcome) {
        return Some(format!("it ended as {:?}, now as {:?}", was.end.to_string(), outcome.end.to_string()));
    }
    (!world.is_used_up()).then(|| "the recorded run asked for more".to_owned())
}
