//! One action a call, with places as lists of pixels: `{"action": "left_click", "coordinate": [640, 360]}`, or a call of the
//! name `left_click` with the rest.

use super::{Place, Reading, Step, Steps, Unread, aim, keys, millis, number, pair, text};
use handeye_core::{Action, Direction, InputMode, Rect, ScrollKind, Target};
use serde_json::{Value, json};

const NAMES: [&str; 17] = [
    "screenshot",
    "cursor_position",
    "zoom",
    "left_click",
    "right_click",
    "middle_click",
    "double_click",
    "triple_click",
    "mouse_move",
    "left_click_drag",
    "left_mouse_down",
    "left_mouse_up",
    "key",
    "hold_key",
    "type",
    "scroll",
    "wait",
];

/// One notch of a wheel, in points.
pub(super) const NOTCH: f64 = 100.0;
/// A key is pressed at most so often in one call.
const MOST_PRESSES: f64 = 100.0;

pub(super) fn knows(name: &str) -> bool {
    NAMES.contains(&name)
}

impl Reading<'_, '_> {
    pub(super) fn single(&mut self, name: &str, input: &Value) -> Steps {
        let held = ["left_click", "right_click", "double_click", "left_click_drag", "scroll"];
        if held.contains(&name) {
            self.no_held_keys(&input["text"])?;
        }
        match name {
            "screenshot" => Ok(vec![Step::Look]),
            "cursor_position" => Ok(vec![Step::Pointer]),
            "zoom" => self.zoom(input),
            "left_click" => self.at_pointer(input, |locate| Action::Tap { locate }),
            "right_click" => self.at_pointer(input, |locate| Action::RightClick { locate }),
            "double_click" => self.at_pointer(input, |locate| Action::DoubleClick { locate }),
            "mouse_move" => {
                let place = self.pixels(&input["coordinate"])?;
                let locate = self.target(place);
                self.one(Action::Hover { locate })
            }
            "left_click_drag" => self.drag(input),
            "key" => self.key(input),
            "type" => self.type_text(&text(input, "text", name)?),
            "scroll" => self.scroll_notches(input),
            "wait" => self.one(Action::Sleep { time_ms: millis(input, "duration", 1.0)? }),
            "triple_click" => Err(self.cannot(
                "three clicks in a row are not possible here: to select what a field holds, click it and press ctrl+a",
            )),
            "middle_click" => Err(self.cannot("the middle button is not possible here")),
            "hold_key" => Err(self.cannot("a key cannot be held for a time; `key` presses it")),
            "left_mouse_down" | "left_mouse_up" => {
                Err(self.cannot("a button cannot be held by itself; `left_click_drag` drags from one place to another"))
            }
            _ => Err(self.unknown(name)),
        }
    }

    pub(super) fn no_held_keys(&self, held: &Value) -> Result<(), Unread> {
        let is_none = match held {
            Value::Null => true,
            Value::String(text) => text.trim().is_empty(),
            Value::Array(keys) => keys.is_empty(),
            _ => false,
        };
        if is_none { Ok(()) } else { Err(self.cannot(&format!("keys ({held}) cannot be held down meanwhile"))) }
    }

    /// Where the call says, else where the pointer is.
    fn at_pointer(&mut self, input: &Value, action: impl FnOnce(Target) -> Action<Target>) -> Steps {
        let place = self.place_or_pointer(&input["coordinate"])?;
        let locate = self.target(place);
        self.one(action(locate))
    }

    fn place_or_pointer(&self, said: &Value) -> Result<Place, Unread> {
        if !said.is_null() {
            return self.pixels(said);
        }
        let unset = || Unread::bad("no `coordinate` is given, and nothing has moved the pointer yet: say where");
        self.pointer.clone().ok_or_else(unset)
    }

    fn drag(&mut self, input: &Value) -> Steps {
        let from = aim(self.place_or_pointer(&input["start_coordinate"])?);
        let to = self.pixels(&input["coordinate"])?;
        let to = self.target(to);
        self.one(Action::DragAndDrop { from, to })
    }

    fn key(&self, input: &Value) -> Steps {
        let chords = keys::of_text(&text(input, "text", "key")?);
        let times = match &input["repeat"] {
            Value::Null => 1.0,
            said => number(said).unwrap_or(0.0),
        };
        if chords.is_empty() || !(1.0..=MOST_PRESSES).contains(&times) {
            return Err(Unread::bad(format!(
                "`key` needs `text`, a key such as Return or ctrl+s; `repeat` is from 1 to {MOST_PRESSES:.0}"
            )));
        }
        let steps = chords.iter().map(|chord| self.press(chord)).collect::<Result<Vec<_>, _>>()?;
        Ok(std::iter::repeat_n(steps, times as usize).flatten().collect())
    }

    pub(super) fn press(&self, chord: &str) -> Result<Step, Unread> {
        self.act(Action::KeyboardPress { key_name: chord.to_owned(), locate: None })
    }

    /// Text for the caret. A line break at the end is the Enter key.
    pub(super) fn type_text(&self, text: &str) -> Steps {
        let typed = text.trim_end_matches(['\n', '\r']);
        let mut steps = Vec::new();
        if !typed.is_empty() {
            let (value, mode) = (typed.to_owned(), InputMode::TypeOnly);
            steps.push(self.act(Action::Input { value, mode, locate: None })?);
        }
        if typed.len() < text.len() {
            steps.push(self.press("Enter")?);
        }
        if steps.is_empty() { Err(Unread::bad("there is no text to type")) } else { Ok(steps) }
    }

    fn scroll_notches(&mut self, input: &Value) -> Steps {
        let direction = direction(&input["scroll_direction"])?;
        let notches = match &input["scroll_amount"] {
            Value::Null => 5.0,
            said => number(said).unwrap_or(0.0),
        };
        let place = match &input["coordinate"] {
            Value::Null => None,
            said => Some(self.pixels(said)?),
        };
        self.scroll(direction, Some(notches * NOTCH), place)
    }

    /// `distance` in points; most of a screenful when it is not said.
    pub(super) fn scroll(&mut self, direction: Direction, distance: Option<f64>, place: Option<Place>) -> Steps {
        if distance.is_some_and(|distance| distance <= 0.0) {
            return Err(Unread::bad("the distance to scroll must be greater than 0"));
        }
        let locate = place.map(|place| self.target(place));
        self.one(Action::Scroll { direction, scroll_type: ScrollKind::SingleAction, distance, locate })
    }

    fn zoom(&self, input: &Value) -> Steps {
        let form = || Unread::bad("`zoom` needs `region`: [left, top, right, bottom] in pixels of the screenshot");
        let Some([a, b, c, d]) = input["region"].as_array().map(Vec::as_slice) else { return Err(form()) };
        let (from, to) = (self.pixels(&json!([a, b]))?, self.pixels(&json!([c, d]))?);
        let part = Rect::of_corners(from.at, to.at);
        if part.is_empty() || pair(&from.said).is_none() { Err(form()) } else { Ok(vec![Step::Zoom(part)]) }
    }
}

pub(super) fn direction(said: &Value) -> Result<Direction, Unread> {
    match said.as_str().map(str::to_ascii_lowercase).as_deref() {
        Some("down") => Ok(Direction::Down),
        Some("up") => Ok(Direction::Up),
        Some("left") => Ok(Direction::Left),
        Some("right") => Ok(Direction::Right),
        _ => Err(Unread::bad(format!("the direction to scroll is {said}, but must be up, down, left or right"))),
    }
}
