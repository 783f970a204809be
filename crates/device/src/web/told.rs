//! What a page's script tells without being asked: what must be known before its document may be gone, or while it stands still.

use super::verdict::Lost;
use serde::Deserialize;

/// Since the last input.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Something else took the input.
    pub(super) lost: Option<Lost>,
    /// The page went for another document.
    leaves: Option<Leaves>,
    /// The input is being handled now.
    handling: bool,
    /// A dialog opened while it was.
    pub(super) asked: bool,
}

/// The page goes for another document: the listener for `navigate` in `js/cause.js`.
#[derive(Debug, Deserialize)]
struct Leaves {
    /// In the input's own task, or after something that was certainly its doing, or to where no page goes by itself.
    caused: bool,
    /// The input's own tasks, in milliseconds of the world's clock.
    spans: Vec<(f64, f64)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Message {
    Lost(Lost),
    Leaves(Leaves),
    Handling(bool),
}

impl Told {
    /// The first of a kind is what the input led to.
    pub(super) fn take(&mut self, payload: &str) {
        match serde_json::from_str(payload) {
            Ok(Message::Lost(lost)) => self.lost = self.lost.take().or(Some(lost)),
            Ok(Message::Leaves(leaves)) => self.leaves = self.leaves.take().or(Some(leaves)),
            Ok(Message::Handling(now)) => self.handling = now,
            Err(error) => tracing::debug!(%error, "a message of the page's script was not understood"),
        }
    }

    /// A dialog opened.
    pub(super) fn opens(&mut self) {
        self.asked |= self.handling;
    }

    /// The page itself went away, as it might have without the input: nothing of it began in these times either.
    pub(super) fn left_by_itself(&self, began_within: impl Fn(&[(f64, f64)]) -> bool) -> bool {
        self.leaves.as_ref().is_some_and(|l| !l.caused && !began_within(&l.spans))
    }
}
