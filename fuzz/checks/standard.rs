//! Any reply: something to do, or a short refusal.

use handeye_agent::read::standard;
use handeye_core::{ActionSpace, Finish, Verb};
use std::sync::LazyLock;

static SPACE: LazyLock<ActionSpace> = LazyLock::new(|| {
    ActionSpace::of(&[
        Verb::Tap,
        Verb::Input,
        Verb::KeyboardPress,
        Verb::Scroll,
        Verb::DragAndDrop,
        Verb::Select,
        Verb::Upload,
        Verb::Sleep,
        Verb::Navigate,
        Verb::Reload,
    ])
});

pub(crate) fn check(text: &str) {
    for finish in [Finish::Stop, Finish::Length] {
        match standard(text, finish, &SPACE) {
            Ok(read) => assert!(!read.actions.is_empty() || read.complete.is_some() || read.error.is_some()),
            Err(misread) => assert!(!misread.why.is_empty() && misread.why.chars().count() <= 520),
        }
    }
}
