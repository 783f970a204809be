//! Where a drag ended. Pure.

use super::{Expect, Facts, evidence, shows, with_texts};
use handeye_core::{Effect, Verdict};
use serde::Deserialize;

/// Where the thing that was dragged stands now: `ended` of `js/drag.js`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(in super::super) struct Ended {
    /// `after generic "Eve" under heading "Done"`, when that is another place of the document than before.
    at: Option<String>,
    /// That is where it was dropped.
    there: bool,
    /// It followed the pointer and is back at its place.
    back: bool,
}

/// The verdict, when the drag has one of its own.
pub(super) fn verdict(expect: &Expect, facts: &Facts) -> Option<Effect> {
    let Expect::Drag { refused } = expect else { return None };
    let sure = evidence(facts).is_some_and(|e| e.sure);
    match &facts.report.ended {
        Some(Ended { at: Some(at), there: true, .. }) => {
            Some(Effect::confirmed(with_texts(format!("it stands {at} now"), &facts.report)))
        }
        Some(Ended { at: Some(at), .. }) => {
            Some(Effect::unverified(format!("it stands {at} now, and that is not where it was dropped")))
        }
        _ if sure && shows(facts) => None,
        Some(Ended { back: true, .. }) => {
            Some(Effect::new(Verdict::Reverted, "it went back to where it was when it was dropped"))
        }
        _ if *refused => Some(Effect::new(Verdict::Refused, "the page takes nothing that is dropped there")),
        _ => None,
    }
}
