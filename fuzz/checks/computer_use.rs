//! Any call of a computer tool: something that the device has, on the screen, or a refusal with a reason.

use handeye_agent::read::computer_use::{Screen, Step, call};
use handeye_core::{ActionSpace, Claim, Shown, Size, ToolCall, Verb};
use serde_json::Value;
use std::sync::LazyLock;

static SPACE: LazyLock<ActionSpace> = LazyLock::new(|| {
    ActionSpace::of(&[
        Verb::Tap,
        Verb::DoubleClick,
        Verb::RightClick,
        Verb::Hover,
        Verb::Input,
        Verb::KeyboardPress,
        Verb::Scroll,
        Verb::DragAndDrop,
        Verb::Select,
        Verb::Sleep,
        Verb::Navigate,
    ])
});

/// A line with the call's name, and its input behind it.
pub(crate) fn check(text: &str) {
    let (name, input) = text.split_once('\n').unwrap_or((text, "{}"));
    let input = serde_json::from_str(input).unwrap_or_else(|_| Value::from(input));
    let screen = Screen { space: &SPACE, shown: Shown::at(Size::new(1280.0, 800.0)), size: Size::new(1920.0, 1200.0) };
    let one = ToolCall { id: String::new(), name: name.to_owned(), input };
    match call(&one, screen, &mut None) {
        Ok(read) => {
            assert!(!read.steps.is_empty());
            for step in read.steps {
                let Step::Act(action) = step else { continue };
                assert!(SPACE.has(action.verb()));
                for (_, target) in action.targets() {
                    if let Some(Claim::Place { at, .. }) = &target.claim {
                        assert!((0.0..=1.0).contains(&at.x) && (0.0..=1.0).contains(&at.y));
                    }
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
