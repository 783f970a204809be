//! Any reply in the grammar of AutoGLM: something to do, or a short refusal.

use handeye_agent::read::auto_glm;
use handeye_core::{ActionSpace, Finish, Size, Verb};
use std::sync::LazyLock;

static SPACE: LazyLock<ActionSpace> = LazyLock::new(|| ActionSpace::of(&Verb::ALL));

pub(crate) fn check(text: &str) {
    for finish in [Finish::Stop, Finish::Length] {
        match auto_glm(text, finish, &SPACE, Size::new(1080.0, 2400.0)) {
            Ok(read) => assert!(!read.actions.is_empty() || read.complete.is_some()),
            Err(misread) => assert!(!misread.why.is_empty() && misread.why.chars().count() <= 520),
        }
    }
}
