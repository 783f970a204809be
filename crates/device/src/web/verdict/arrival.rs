//! Whether a press and a click arrived at what they were aimed at. Pure.

use super::{Evidence, Expect, Facts, evidence, shows};
use handeye_core::{Effect, Verdict};
use serde::Deserialize;

/// Input that went to something else: `lose` of `js/arrival.js`.
#[derive(Clone, Debug, Deserialize)]
pub(in super::super) struct Lost {
    what: Part,
    how: How,
    /// What took it; empty when the browser sent no click at all.
    by: String,
    /// The press, or a click before this one, had arrived.
    pressed: bool,
    /// It outlived the press, and was taken away when another field lost the focus: the press itself did nothing.
    #[serde(default)]
    blurred: bool,
    /// Only what was aimed at is gone, and what it stood in is there as before.
    alone: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Press,
    Click,
}

/// What became of the element that was aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum How {
    Gone,
    Moved,
    Covered,
    /// It, or what was pressed in it, was drawn anew.
    Redrawn,
}

impl Lost {
    /// A drag and a long press end elsewhere than they began, or before a click.
    pub(in super::super) fn matters_to(&self, expect: &Expect) -> bool {
        match expect {
            Expect::Click => true,
            Expect::Hold | Expect::Drag { .. } => self.what == Part::Press,
            _ => false,
        }
    }

    /// Nothing that happens later can show that it arrived after all.
    pub(super) fn is_final(&self) -> bool {
        !self.pressed || matches!(self.how, How::Moved | How::Covered)
    }

    /// The verdict, when it is not that of a click which arrived. Pages also choose when the button goes down: then what was
    /// pressed is gone, and there is something to show for it.
    pub(super) fn verdict(&self, facts: &Facts, on: &str) -> Option<Effect> {
        let seen = evidence(facts).filter(|e| e.sure);
        match (self.pressed, self.how, seen) {
            _ if self.blurred && !facts.report.state.iter().any(|s| s.changed) => Some(self.taken(on)),
            (true, How::Gone | How::Redrawn, Some(_)) if shows(facts) => None,
            (true, How::Gone, Some(_)) if !self.alone && !facts.report.left => None,
            (true, How::Gone, Some(Evidence { says, .. })) => Some(Effect::unverified(format!(
                "the press took it away before the click, which is all that was seen: {says}"
            ))),
            (true, How::Moved | How::Covered, Some(_)) if facts.report.state.iter().any(|s| s.changed) => None,
            _ => Some(self.taken(on)),
        }
    }

    /// The press reached what it was meant for, and no field that was left explains what came between; or it was something
    /// else to operate that took the press.
    fn is_spent(&self) -> bool {
        const CONTROLS: &[&str] = &[
            "button",
            "link",
            "checkbox",
            "radio",
            "switch",
            "tab",
            "option",
            "menuitem",
            "menuitemcheckbox",
            "menuitemradio",
            "combobox",
            "treeitem",
            "slider",
        ];
        let control = CONTROLS.contains(&self.by.split(' ').next().unwrap_or_default());
        self.pressed && !self.blurred || !self.pressed && control
    }

    fn taken(&self, on: &str) -> Effect {
        self.told(on).spent(self.is_spent())
    }

    fn told(&self, on: &str) -> Effect {
        if self.by.is_empty() && self.blurred {
            let because =
                format!("leaving the field before drew {on} anew during the press, so that no click came of it");
            return Effect::new(Verdict::Refused, because);
        }
        if self.by.is_empty() {
            return Effect::new(Verdict::Refused, format!("the press drew {on} anew, so that no click came of it"));
        }
        let because = match (self.pressed, self.how) {
            (false, How::Gone) => format!("{on} was gone when the press came"),
            (false, How::Moved) => format!("{on} was elsewhere when the press came"),
            (false, _) => format!("it lay over {on} when the press came"),
            (true, _) if self.blurred => {
                format!("leaving the field before took {on} away during the press, and the click went there")
            }
            (true, How::Gone | How::Redrawn) => format!("the press took {on} away, and the click went there"),
            (true, How::Moved) => format!("the press moved {on} away, and the click went there"),
            (true, How::Covered) => format!("it came over {on} at the press, and the click went there"),
        };
        Effect::new(Verdict::Covered { by: self.by.clone() }, because)
    }
}
