//! The verbs of the grammar, what they mean to a device, and what is said of those that nothing here can do.

use crate::read::calls::same_name;
use crate::read::reply::Misread;
use handeye_core::ActionSpace;
use handeye_core::text::clip;

/// What a verb means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meaning {
    /// This verb, at one place.
    At(&'static str),
    /// The field is emptied first: the models were taught so.
    Type,
    Swipe,
    Drag,
    Keys,
    Wait,
    /// A verb that some devices have.
    Device(&'static str),
    /// Needs somebody who is not there. What to do in its place.
    Nobody(&'static str),
}

impl Meaning {
    /// The verb that a device has to have for it.
    pub(crate) fn verb(self) -> Option<&'static str> {
        match self {
            Self::At(verb) | Self::Device(verb) => Some(verb),
            Self::Type => Some("Input"),
            Self::Swipe => Some("Scroll"),
            Self::Drag => Some("DragAndDrop"),
            Self::Keys => Some("KeyboardPress"),
            Self::Wait => Some("Sleep"),
            Self::Nobody(_) => None,
        }
    }
}

/// As the models write them. `Drag`, `Press` and `Select` are ours: pages need them, and phones do not.
const VERBS: &[(&str, Meaning)] = &[
    ("Tap", Meaning::At("Tap")),
    ("Double Tap", Meaning::At("DoubleClick")),
    ("Long Press", Meaning::At("LongPress")),
    ("Type", Meaning::Type),
    ("Type_Name", Meaning::Type),
    ("Swipe", Meaning::Swipe),
    ("Drag", Meaning::Drag),
    ("Press", Meaning::Keys),
    ("Select", Meaning::Device("Select")),
    ("Launch", Meaning::Device("Launch")),
    ("Back", Meaning::Device("GoBack")),
    ("Home", Meaning::Device("Home")),
    ("Wait", Meaning::Wait),
    (
        "Take_over",
        Meaning::Nobody(
            "nobody can take over. Go on alone, or, when that is not possible, end with finish(message=\"what is missing\", success=false)",
        ),
    ),
    (
        "Interact",
        Meaning::Nobody(
            "nobody can be asked. Choose what fits the goal best, or end with finish(message=\"what is unclear\", success=false)",
        ),
    ),
    (
        "Note",
        Meaning::Nobody(
            "nothing is kept but what you write. Write what you need later into <think>, and do the next step",
        ),
    ),
    (
        "Call_API",
        Meaning::Nobody("there is nothing to call. Summarise what you saw yourself, in the message of finish"),
    ),
];

pub(super) fn named(name: &str) -> Option<Meaning> {
    VERBS.iter().find(|(own, _)| same_name(own, name)).map(|(_, meaning)| *meaning)
}

/// The verbs that this device can do.
pub(crate) fn offered(space: &ActionSpace) -> impl Iterator<Item = (&'static str, Meaning)> {
    let has = |meaning: &Meaning| meaning.verb().is_some_and(|verb| space.has(verb));
    VERBS.iter().copied().filter(move |(name, meaning)| *name != "Type_Name" && has(meaning))
}

pub(super) fn unknown(name: &str, space: &ActionSpace) -> Misread {
    let names: Vec<&str> = offered(space).map(|(name, _)| name).collect();
    Misread::new(format!(
        "there is no action `{}` here; there are {}, and finish(message=\"…\") to end",
        clip(name, 40),
        names.join(", ")
    ))
}
