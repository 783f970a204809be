//! What the planners share whose models write calls: the device's other verbs on the menu, and the plan of a reply.

use super::{Completion, Plan};
use crate::read::CallsReply;
use handeye_core::ActionSpace;
use handeye_core::space::{ActionSpec, ParamKind};

/// The verbs of a device that the grammar has no name for: they go by their own.
pub(super) fn others<'s>(space: &'s ActionSpace, known: &[&str]) -> Vec<&'s ActionSpec> {
    space.specs.iter().filter(|spec| !known.contains(&spec.name.as_str())).collect()
}

/// The arguments of such a verb: `start_box='…', option='…'`. `places` are the names of a target, and of the two of a pair.
pub(super) fn arguments(spec: &ActionSpec, quote: char, place: impl Fn(&str) -> String) -> Vec<String> {
    let argument = |name: &str, kind: &ParamKind| match kind {
        ParamKind::Target => place(name),
        ParamKind::Integer(..) | ParamKind::Number => format!("{name}={quote}number{quote}"),
        ParamKind::Choice(options) => format!("{name}={quote}{}{quote}", options.join(" | ")),
        ParamKind::Text | ParamKind::Texts => format!("{name}={quote}…{quote}"),
    };
    spec.params.iter().filter(|p| p.required).map(|p| argument(&p.name, &p.kind)).collect()
}

impl From<CallsReply> for Plan {
    fn from(read: CallsReply) -> Self {
        Self {
            thought: read.thought,
            actions: read.actions,
            complete: read.complete.map(|(success, message)| Completion { success, message }),
            repairs: read.repairs,
            ..Self::default()
        }
    }
}
