//! The verbs of the grammar, what they mean to a device, and how a prompt lists them.

use crate::read::calls::same_name;
use crate::read::reply::Misread;
use handeye_core::ActionSpace;
use handeye_core::text::clip;

/// What a verb means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meaning {
    /// This verb, at one place.
    At(&'static str),
    Drag,
    Keys,
    Type,
    Scroll,
    Wait,
    /// The end, with or without success.
    End(bool),
    /// The first of these verbs that the device has.
    Device(&'static [&'static str]),
}

impl Meaning {
    /// The verb that a device has to have for it.
    pub(crate) fn verb(self) -> Option<&'static str> {
        match self {
            Self::At(verb) => Some(verb),
            Self::Drag => Some("DragAndDrop"),
            Self::Keys => Some("KeyboardPress"),
            Self::Type => Some("Input"),
            Self::Scroll => Some("Scroll"),
            Self::Wait => Some("Sleep"),
            Self::End(_) | Self::Device(_) => None,
        }
    }
}

/// The first name of each is the one that the models know best. The others are those of other versions of the grammar.
const VERBS: &[(&[&str], Meaning)] = &[
    (&["click", "left_single", "left_click"], Meaning::At("Tap")),
    (&["left_double", "double_click"], Meaning::At("DoubleClick")),
    (&["right_single", "right_click"], Meaning::At("RightClick")),
    (&["drag", "left_click_drag"], Meaning::Drag),
    (&["hotkey", "press", "press_key"], Meaning::Keys),
    (&["type"], Meaning::Type),
    (&["scroll"], Meaning::Scroll),
    (&["long_press"], Meaning::At("LongPress")),
    (&["press_back", "navigate_back"], Meaning::Device(&["GoBack"])),
    (&["press_home"], Meaning::Device(&["Home"])),
    (&["open_app"], Meaning::Device(&["Launch"])),
    (&["wait"], Meaning::Wait),
    (&["finished", "finish"], Meaning::End(true)),
    (&["call_user"], Meaning::End(false)),
];

pub(super) fn named(name: &str) -> Option<Meaning> {
    VERBS.iter().find(|(names, _)| names.iter().any(|n| same_name(n, name))).map(|(_, meaning)| *meaning)
}

/// The verbs of the grammar that mean something to this device.
pub(crate) fn offered(space: &ActionSpace) -> impl Iterator<Item = (&'static str, Meaning)> {
    let has = |meaning: Meaning| match meaning {
        Meaning::Device(verbs) => verbs.iter().any(|verb| space.has(verb)),
        _ => meaning.verb().is_none_or(|verb| space.has(verb)),
    };
    VERBS.iter().filter(move |(_, meaning)| has(*meaning)).map(|(names, meaning)| (names[0], *meaning))
}

pub(super) fn unknown(name: &str, space: &ActionSpace) -> Misread {
    let names: Vec<&str> = offered(space).map(|(name, _)| name).collect();
    Misread::new(format!("there is no action `{}` here; there are {}", clip(name, 40), names.join(", ")))
}
