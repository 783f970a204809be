//! The verbs that a device offers. The same description makes the planner's menu and validates what a planner wrote.

mod names;
mod read;

use crate::text::name_key;
use crate::{Action, Target, Verb};
use read::{as_object, build, coerce, read_target, take};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParamKind {
    Target,
    Text,
    /// Whole number, from and to, both included.
    Integer(u64, u64),
    Number,
    Choice(Vec<String>),
    Texts,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParamSpec {
    pub name: String,
    pub kind: ParamKind,
    pub required: bool,
    pub about: String,
    /// Other names that models use for it.
    pub also: Vec<String>,
}

/// One verb: what it is for, its parameters, and the other names that people and models have for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActionSpec {
    pub name: String,
    pub about: String,
    pub params: Vec<ParamSpec>,
    pub also: Vec<String>,
}

/// The verbs of one device, in the order of the menu.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ActionSpace {
    pub specs: Vec<ActionSpec>,
}

/// A planner's action that could not be accepted: says what and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadAction(pub String);

/// An accepted action and what had to be mended to accept it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadAction {
    pub action: Action<Target>,
    pub repairs: Vec<String>,
}

fn param(name: &str, kind: ParamKind, required: bool, about: &str, also: &[&str]) -> ParamSpec {
    let also = also.iter().map(|s| (*s).to_owned()).collect();
    ParamSpec { name: name.to_owned(), kind, required, about: about.to_owned(), also }
}
fn choice(options: &[&str]) -> ParamKind {
    ParamKind::Choice(options.iter().map(|s| (*s).to_owned()).collect())
}

const LOCATE_ALSO: &[&str] =
    &["target", "element", "selector", "on", "at", "where", "bbox", "box", "point", "position"];

impl ActionSpec {
    /// The description of a common verb.
    pub fn of(verb: Verb) -> Self {
        let locate = |about: &str| param("locate", ParamKind::Target, true, about, LOCATE_ALSO);
        let maybe = |about: &str| param("locate", ParamKind::Target, false, about, LOCATE_ALSO);
        let (name, about, params): (&str, &str, Vec<ParamSpec>) = match verb {
            Verb::Tap => ("Tap", "Click or tap an element once", vec![locate("The element to click")]),
            Verb::DoubleClick => (
                "DoubleClick",
                "Click an element twice in quick succession",
                vec![locate("The element to double-click")],
            ),
            Verb::RightClick => (
                "RightClick",
                "Click an element with the secondary button, usually to open its context menu",
                vec![locate("The element to right-click")],
            ),
            Verb::Hover => {
                ("Hover", "Move the pointer onto an element without clicking", vec![locate("The element to point at")])
            }
            Verb::LongPress => (
                "LongPress",
                "Press an element and hold it",
                vec![
                    locate("The element to hold"),
                    param(
                        "duration",
                        ParamKind::Integer(1, 60_000),
                        false,
                        "Milliseconds to hold; 1000 when left out",
                        &["durationms", "time", "timems", "ms"],
                    ),
                ],
            ),
            Verb::Input => (
                "Input",
                "Type text into a field. The whole text is given, not only what is to be added",
                vec![
                    param(
                        "value",
                        ParamKind::Text,
                        false,
                        "The text; may be empty to clear the field",
                        &["text", "content", "string", "input", "inputtext"],
                    ),
                    maybe("The field; when left out, the text goes to the focused one"),
                    param(
                        "mode",
                        choice(&["replace", "append", "typeOnly", "clear"]),
                        false,
                        "replace (default): the field holds just the text afterwards; append: the text is put behind what is there; typeOnly: it goes to the caret without clearing; clear: the field is emptied",
                        &[],
                    ),
                ],
            ),
            Verb::ClearInput => {
                ("ClearInput", "Empty a field", vec![maybe("The field; when left out, the focused one")])
            }
            Verb::KeyboardPress => (
                "KeyboardPress",
                "Press one key or a chord such as Control+A or Control+Shift+K",
                vec![
                    param(
                        "keyName",
                        ParamKind::Text,
                        true,
                        "Key or chord, joined by +",
                        &["key", "keys", "name", "hotkey", "keyname", "shortcut", "value", "combo"],
                    ),
                    maybe("An element to click first, to give it the focus"),
                ],
            ),
            Verb::CursorMove => (
                "CursorMove",
                "Move the text caret of the focused field",
                vec![
                    param("direction", choice(&["left", "right"]), true, "Which way", &["dir"]),
                    param(
                        "times",
                        ParamKind::Integer(1, 1000),
                        false,
                        "How many characters; 1 when left out",
                        &["count", "steps", "n"],
                    ),
                ],
            ),
            Verb::Scroll => (
                "Scroll",
                "Scroll the page, or the scrollable area at an element",
                vec![
                    param(
                        "direction",
                        choice(&["down", "up", "right", "left"]),
                        false,
                        "Which part of the content comes into view; down when left out",
                        &["dir"],
                    ),
                    param(
                        "scrollType",
                        choice(&["singleAction", "scrollToBottom", "scrollToTop", "scrollToRight", "scrollToLeft"]),
                        false,
                        "singleAction (default): once by distance; the others go on until that edge",
                        &["type", "kind"],
                    ),
                    param(
                        "distance",
                        ParamKind::Number,
                        false,
                        "Points to scroll; about three quarters of that area when left out",
                        &["amount", "pixels", "px"],
                    ),
                    maybe("An element in the area to scroll; when left out, the middle of the screen"),
                ],
            ),
            Verb::DragAndDrop => (
                "DragAndDrop",
                "Press on one element, move to another place and let go",
                vec![
                    param("from", ParamKind::Target, true, "What to drag", &["source", "start", "locate", "startbox"]),
                    param(
                        "to",
                        ParamKind::Target,
                        true,
                        "Where to let go",
                        &["target", "end", "destination", "endbox", "drop"],
                    ),
                ],
            ),
            Verb::Select => (
                "Select",
                "Choose an option of a native drop-down list (its open list is not visible on a screenshot)",
                vec![
                    locate("The list"),
                    param(
                        "option",
                        ParamKind::Text,
                        true,
                        "Text of the option",
                        &["value", "choice", "item", "label", "text"],
                    ),
                ],
            ),
            Verb::Upload => (
                "Upload",
                "Give files to a file field. Only files that the user allowed can be given",
                vec![
                    locate("The file field or the button that opens it"),
                    param("files", ParamKind::Texts, true, "Paths", &["file", "path", "paths"]),
                ],
            ),
            Verb::Sleep => (
                "Sleep",
                "Wait for a given time. Use it only when something visibly needs time",
                vec![param(
                    "timeMs",
                    ParamKind::Integer(0, 600_000),
                    false,
                    "Milliseconds; 1000 when left out",
                    &["time", "ms", "duration", "milliseconds"],
                )],
            ),
            Verb::Navigate => (
                "Navigate",
                "Open an address in the current tab",
                vec![param(
                    "url",
                    ParamKind::Text,
                    true,
                    "The address",
                    &["href", "address", "link", "website", "uri"],
                )],
            ),
            Verb::Reload => ("Reload", "Load the current page again", vec![]),
            Verb::GoBack => ("GoBack", "Go back to the page before", vec![]),
            Verb::GoForward => ("GoForward", "Go forward again after going back", vec![]),
            Verb::CloseTab => ("CloseTab", "Close the current tab and go back to the one before it", vec![]),
        };
        Self { name: name.to_owned(), about: about.to_owned(), params, also: names::also(verb) }
    }
}

impl ActionSpace {
    pub fn of(verbs: &[Verb]) -> Self {
        Self { specs: verbs.iter().map(|v| ActionSpec::of(*v)).collect() }
    }
    /// All names, for messages.
    pub fn names(&self) -> String {
        self.specs.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(", ")
    }
    pub fn has(&self, verb: &str) -> bool {
        self.specs.iter().any(|s| s.name == verb)
    }

    /// Finds a verb by its name or a synonym, whatever its case, blanks and punctuation, and by either with an object behind it.
    pub fn find(&self, name: &str) -> Option<&ActionSpec> {
        names::find(&self.specs, name).map(|known| known.spec)
    }

    /// Turns a verb and its parameters, as a planner wrote them, into an action.
    ///
    /// # Errors
    /// An unknown verb (names the known ones), a missing or unusable parameter (names it and what it takes).
    pub fn read(&self, verb: &str, params: &Value) -> Result<ReadAction, BadAction> {
        let known = names::find(&self.specs, verb)
            .ok_or_else(|| BadAction(format!("`{verb}` is not an action of this device; it has {}", self.names())))?;
        let spec = known.spec;
        let mut repairs = Vec::new();
        if name_key(&spec.name) != name_key(verb) {
            repairs.push(format!("read the verb `{verb}` as `{}`", spec.name));
        }
        let given = as_object(spec, params, &mut repairs)?;
        let mut values = Map::new();
        let mut targets = Vec::new();
        for p in &spec.params {
            let found = take(&given, p, &mut repairs).or_else(|| known.implies(&p.name).map(Value::from));
            let value = match found {
                None | Some(Value::Null) if p.kind != ParamKind::Target => None,
                other => other,
            };
            match (&p.kind, value) {
                (ParamKind::Target, Some(value)) if p.required || !value.is_null() => {
                    targets.push((p.name.clone(), read_target(&value)));
                }
                (_, None | Some(Value::Null)) if p.required => {
                    return Err(BadAction(format!("`{}` needs `{}`: {}", spec.name, p.name, p.about)));
                }
                (ParamKind::Target, _) | (_, None) => {}
                (kind, Some(value)) => {
                    values.insert(p.name.clone(), coerce(spec, p, kind, &value, &mut repairs)?);
                }
            }
        }
        if values.is_empty() && targets.is_empty() {
            known_of(spec, &given)?;
        }
        let action = build(spec, values, targets)?;
        Ok(ReadAction { action, repairs })
    }
}

/// Something was written that is no parameter, and nothing that is one: what was meant is not what the defaults would do.
fn known_of(spec: &ActionSpec, given: &Map<String, Value>) -> Result<(), BadAction> {
    let is_known = |key: &str| {
        let key = name_key(key);
        spec.params.iter().any(|p| p.also.iter().chain([&p.name]).any(|name| name_key(name) == key))
    };
    let Some(other) = given.keys().find(|key| !is_known(key)).filter(|_| !spec.params.is_empty()) else {
        return Ok(());
    };
    let names: Vec<&str> = spec.params.iter().map(|p| p.name.as_str()).collect();
    let other = crate::text::clip(other, 40);
    Err(BadAction(format!("`{}` has no parameter `{other}`; it takes {}", spec.name, names.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Claim;
    use serde_json::json;

    fn web() -> ActionSpace {
        ActionSpace::of(&[
            Verb::Tap,
            Verb::DoubleClick,
            Verb::Input,
            Verb::KeyboardPress,
            Verb::Scroll,
            Verb::DragAndDrop,
            Verb::Sleep,
            Verb::Navigate,
        ])
    }

    #[track_caller]
    fn check(verb: &str, params: &Value, want: &str) {
        let got = match web().read(verb, params) {
            Ok(read) => format!("{} {:?}", read.action.summary(), read.repairs),
            Err(bad) => format!("✗ {bad}"),
        };
        assert_eq!(got, want);
    }

    #[test]
    fn verbs_and_parameters_are_read_as_models_write_them() {
        let box1 = json!({"prompt": "Save", "bbox": [1, 2, 3, 4]});
        check("Tap", &json!({"locate": box1}), "Tap - Save []");
        check(" tap ", &json!({"locate": box1}), "Tap - Save []");
        check("left_click", &json!({"locate": box1}), r#"Tap - Save ["read the verb `left_click` as `Tap`"]"#);
        check("点击", &json!({"locate": box1}), r#"Tap - Save ["read the verb `点击` as `Tap`"]"#);
        check("Tap", &json!({"bbox": [1, 2, 3, 4], "prompt": "Save"}), r#"Tap - Save ["read a flat target"]"#);
        check("Tap", &json!("Save"), r#"Tap - Save ["read a lone value as `locate`"]"#);
        check(
            "KeyboardPress",
            &json!([{"keyName": "Enter"}]),
            r#"KeyboardPress Enter ["took the parameters out of a list of one"]"#,
        );
        check(
            "KeyboardPress",
            &json!({"keys": ["Control", "A"]}),
            r#"KeyboardPress Control+A ["read `keys` as `keyName`", "joined a list of keys to a chord"]"#,
        );
        check("Input", &json!({"value": 12}), r#"Input "12" []"#);
        check("Input", &json!({"mode": "clear"}), "Input clear []");
        check("Input", &json!({"mode": "append", "value": "x"}), r#"Input "x" []"#);
        check(
            "Scroll",
            &json!({"scrollType": "untilBottom"}),
            r#"Scroll to the bottom ["read `untilBottom` as `scrollToBottom`"]"#,
        );
        check("scroll_up", &json!({}), r#"Scroll up ["read the verb `scroll_up` as `Scroll`"]"#);
        check(
            "scroll_up",
            &json!({"dir": "left"}),
            r#"Scroll left ["read the verb `scroll_up` as `Scroll`", "read `dir` as `direction`"]"#,
        );
        check("滚动到底部", &json!({}), r#"Scroll to the bottom ["read the verb `滚动到底部` as `Scroll`"]"#);
        check("Scroll", &json!({"direction": "down", "distance": "200"}), "Scroll down 200 []");
        check("Sleep", &json!({}), "Sleep 1000 ms []");
    }

    #[test]
    fn what_cannot_be_accepted_says_what_would_be_right() {
        check("Tap", &json!({}), "✗ `Tap` needs `locate`: The element to click");
        check("Input", &json!({"locate": "x"}), "✗ `Input` needs `value`");
        check(
            "Scroll",
            &json!({"direction": "sideways"}),
            "✗ `direction` of `Scroll` is \"sideways\", but must be one of down, up, right, left",
        );
        check("Sleep", &json!({"timeMs": 9_000_000}), "✗ `timeMs` of `Sleep` is 9000000, but must be from 0 to 600000");
        check(
            "Nope",
            &json!({}),
            "✗ `Nope` is not an action of this device; it has Tap, DoubleClick, Input, KeyboardPress, Scroll, DragAndDrop, Sleep, Navigate",
        );
        check(
            "",
            &json!({}),
            "✗ `` is not an action of this device; it has Tap, DoubleClick, Input, KeyboardPress, Scroll, DragAndDrop, Sleep, Navigate",
        );
    }

    #[test]
    fn a_target_that_says_null_keeps_its_claim() {
        let claim = |params: Value| match web().read("Tap", &params).expect("reads").action {
            Action::Tap { locate } => {
                locate.claim.map(|c| if let Claim::Model(v) = c { v.to_string() } else { "?".to_owned() })
            }
            _ => None,
        };
        for (params, place) in [
            (json!({"locate": "Save", "bbox": [1, 2, 3, 4]}), Some("[1,2,3,4]")),
            (json!({"locate": {"prompt": "Save"}, "bbox": [1, 2, 3, 4]}), Some("[1,2,3,4]")),
            (json!({"locate": {"prompt": "Save", "bbox": [5, 6, 7, 8]}, "bbox": [1, 2, 3, 4]}), Some("[5,6,7,8]")),
            (json!({"x": 86, "y": 486}), Some("{\"x\":86,\"y\":486}")),
            (json!({"locate": {"prompt": "Save", "x": 86, "y": 486}}), Some("{\"x\":86,\"y\":486}")),
            (json!({"locate": {"prompt": "Save", "bbox": [1, 2, 3, 4], "error": "I see no Save"}}), Some("null")),
            (json!({"locate": {"prompt": "Save", "bbox": [1, 2, 3, 4], "error": "none"}}), Some("[1,2,3,4]")),
            (json!({"locate": {"prompt": "Save", "bbox": [1, 2, 3, 4], "found": false}}), Some("null")),
            (json!({"locate": {"prompt": "Save"}}), None),
        ] {
            assert_eq!(claim(params.clone()).as_deref(), place, "{params}");
        }
        let read = web().read("Tap", &json!({"locate": {"prompt": "Submit", "bbox": null}})).expect("reads");
        assert_eq!(
            read.action,
            Action::Tap {
                locate: Target {
                    description: "Submit".into(),
                    claim: Some(Claim::Model(Value::Null)),
                    ..Target::default()
                }
            }
        );
    }
}
