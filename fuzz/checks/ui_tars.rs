//! Any reply in the grammar of UI-TARS: something to do, or a short refusal.

use handeye_agent::read::ui_tars;
use handeye_core::{ActionSpace, Finish, Verb};
use std::sync::LazyLock;

static SPACE: LazyLock<ActionSpace> = LazyLock::new(|| ActionSpace::of(&Verb::ALL));

pub(crate) fn check(text: &str) {
    for finish in [Finish::Stop, Finish::Length] {
        match ui_tars(text, finish, &SPACE) {
            Ok(read) => assert!(!read.actions.is_empty() || read.complete.is_some()),
            Err(misread) => assert!(!misread.why.is_empty() && misread.why.chars().count() <= 520),
        }
    }
}
