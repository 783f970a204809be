//! A world that answers from a record, so that decisions can be made again without a device or a model.

mod compare;

use crate::reader::{BlobError, Run};
use async_trait::async_trait;
pub use handeye_core::diff::Difference;
use handeye_core::{Chat, Elapsed, Event, Got, Hash, Image, Need, Slot, World};
use std::collections::HashMap;
use std::collections::VecDeque;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Why a run in the recorded world could not go on as it was recorded.
#[derive(Clone, Debug, PartialEq)]
pub enum Mismatch {
    /// The agent asked for something else.
    Need { asked: u64, difference: Difference },
    /// The request to the model would be sent in other words.
    Body { asked: u64, difference: Difference },
    /// The record holds no further answer: the run was killed here, or today's code asks for more.
    RecordEnded { now: String },
    /// What the record refers to cannot be read.
    Record { asked: u64, why: String },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Need { asked, difference } => write!(f, "need {asked} differs from the record at {difference}"),
            Self::Body { asked, difference } => {
                write!(f, "the request body of need {asked} differs from the record at {difference}")
            }
            Self::RecordEnded { now } => write!(f, "the record ends here, and the run asks for more: {now}"),
            Self::Record { asked, why } => write!(f, "need {asked} cannot be answered from the record: {why}"),
        }
    }
}

struct Pair {
    id: u64,
    need: Need,
    body: Option<String>,
    at: Elapsed,
    got: Got,
}

/// Answers each [`Need`] with what was recorded for it, in order. At the first difference it answers [`Got::Cancelled`] for
/// good, and [`RecordedWorld::mismatch`] says why.
pub struct RecordedWorld {
    dir: PathBuf,
    pairs: VecDeque<Pair>,
    chats: HashMap<Slot, Arc<dyn Chat>>,
    now: Elapsed,
    mismatch: Option<Mismatch>,
    answered: usize,
}

impl RecordedWorld {
    /// Where a slot has a model in `chats`, each request's body must also be what was recorded.
    pub fn new(run: &Run, chats: HashMap<Slot, Arc<dyn Chat>>) -> Self {
        let mut answers: HashMap<u64, (Elapsed, &Got)> = HashMap::new();
        for envelope in &run.events {
            if let Event::Answered { id, got } = &envelope.event {
                answers.entry(*id).or_insert((envelope.t, got));
            }
        }
        let mut pairs = VecDeque::new();
        for envelope in &run.events {
            let Event::Asked { id, need, body, .. } = &envelope.event else { continue };
            // What was asked and never answered is where the run was killed: nothing after it can be answered in order.
            let Some((at, got)) = answers.remove(id) else { break };
            pairs.push_back(Pair { id: *id, need: need.clone(), body: body.clone(), at, got: got.clone() });
        }
        Self { dir: run.dir.clone(), pairs, chats, now: Elapsed::default(), mismatch: None, answered: 0 }
    }

    /// The first difference, if there was one.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        self.mismatch.as_ref()
    }
    /// Every recorded answer was given.
    pub fn is_used_up(&self) -> bool {
        self.pairs.is_empty()
    }
    /// How many needs were answered, and how many answers the record still holds.
    pub fn progress(&self) -> (usize, usize) {
        (self.answered, self.pairs.len())
    }

    fn answer(&mut self, need: &Need) -> Result<Got, Mismatch> {
        let Some(pair) = self.pairs.front() else {
            return Err(Mismatch::RecordEnded { now: compare::describe(need) });
        };
        let asked = pair.id;
        if let Some(difference) = compare::needs(&pair.need, need) {
            return Err(Mismatch::Need { asked, difference });
        }
        if let (Need::Chat(slot, request), Some(recorded)) = (need, &pair.body)
            && let Some(chat) = self.chats.get(slot)
        {
            let now = chat.wire_body(request);
            if Hash::of(now.as_bytes()).as_str() != recorded {
                let recorded = self.load(&Hash(recorded.as_str().into()), asked)?;
                let difference = compare::bodies(&String::from_utf8_lossy(&recorded), &now);
                return Err(Mismatch::Body { asked, difference });
            }
        }
        let mut got = pair.got.clone();
        if let Some(image) = pictured(&mut got) {
            image.bytes = self.load(&image.hash, asked)?.into();
        }
        self.now = pair.at;
        self.answered += 1;
        self.pairs.pop_front();
        Ok(got)
    }

    fn load(&self, hash: &Hash, asked: u64) -> Result<Vec<u8>, Mismatch> {
        crate::reader::blob(&self.dir, hash).map_err(|e: BlobError| Mismatch::Record { asked, why: e.to_string() })
    }
}

/// The picture of an answer that has one.
fn pictured(got: &mut Got) -> Option<&mut Image> {
    match got {
        Got::Seen(Ok(observation)) => observation.frame.as_mut().map(|frame| &mut frame.image),
        _ => None,
    }
}

#[async_trait]
impl World for RecordedWorld {
    async fn ask(&mut self, need: Need) -> Got {
        if self.mismatch.is_some() {
            return Got::Cancelled;
        }
        match self.answer(&need) {
            Ok(got) => got,
            Err(mismatch) => {
                self.mismatch = Some(mismatch);
                Got::Cancelled
            }
        }
    }
    fn now(&self) -> Elapsed {
        self.now
    }
    /// The record holds what was told then already.
    fn note(&mut self, _event: Event) {}
}
