//! One action a call, with places in thousandths of the picture: `click_at {"x": 500, "y": 250}`. Two generations of such models
//! have names of their own for the same actions; both are read.

use super::single::{NOTCH, direction};
use super::{Place, Reading, Step, Steps, Unread, aim, keys, millis, number, text};
use handeye_core::text::clip;
use handeye_core::{Action, Direction, InputMode, Point};
use serde_json::{Value, json};

/// Coordinates run from 0 to this.
const GRID: f64 = 1000.0;

const NAMES: [&str; 30] = [
    "open_web_browser",
    "take_screenshot",
    "wait_5_seconds",
    "wait",
    "go_back",
    "go_forward",
    "search",
    "navigate",
    "click_at",
    "click",
    "double_click",
    "triple_click",
    "middle_click",
    "right_click",
    "long_press",
    "hover_at",
    "move",
    "mouse_down",
    "mouse_up",
    "type_text_at",
    "type",
    "key_combination",
    "press_key",
    "hotkey",
    "key_down",
    "key_up",
    "scroll_document",
    "scroll_at",
    "scroll",
    "drag_and_drop",
];

pub(super) fn knows(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Fields that no call with places in pixels has.
pub(super) fn has_its_shape(input: &Value) -> bool {
    let fields = ["x", "y", "intent", "press_enter", "direction", "seconds", "safety_decision"];
    fields.iter().any(|field| !input[*field].is_null())
}

/// What the provider wants a person to agree to.
pub(super) fn unconfirmed(input: &Value) -> Option<Unread> {
    let said = &input["safety_decision"];
    let decision = said["decision"].as_str().or(said.as_str()).unwrap_or_default().to_ascii_lowercase();
    if said.is_null() || ["", "regular", "allow", "allowed"].contains(&decision.as_str()) {
        return None;
    }
    let why = said["explanation"].as_str().filter(|why| !why.trim().is_empty());
    Some(Unread::Unconfirmed(clip(why.unwrap_or(&decision), 500)))
}

impl Reading<'_, '_> {
    pub(super) fn grid(&mut self, name: &str, input: &Value) -> Steps {
        match name {
            // There is one already, and it is shown.
            "open_web_browser" | "take_screenshot" => Ok(vec![Step::Look]),
            "wait_5_seconds" => self.one(Action::Sleep { time_ms: 5_000 }),
            "wait" => self.one(Action::Sleep { time_ms: millis(input, "seconds", 1.0)? }),
            "go_back" => self.one(Action::GoBack),
            "go_forward" => self.one(Action::GoForward),
            "navigate" => self.one(Action::Navigate { url: text(input, "url", name)? }),
            "type_text_at" => self.type_at(input),
            "type" => self.type_here(input),
            "key_combination" | "hotkey" => self.combination(&input["keys"]),
            "press_key" => self.combination(&input["key"]),
            "scroll_document" | "scroll_at" | "scroll" => self.scroll_grid(name, input),
            "drag_and_drop" => self.drag_on_grid(input),
            "search" => Err(self.cannot("no search engine is set up; open the address of one")),
            "triple_click" => Err(self.cannot(
                "three clicks in a row are not possible here: to select what a field holds, click it and press Control+A",
            )),
            "middle_click" => Err(self.cannot("the middle button is not possible here")),
            "key_down" | "key_up" => Err(self.cannot("a key cannot be held by itself; press it together with the others")),
            "mouse_down" | "mouse_up" => {
                Err(self.cannot("a button cannot be held by itself; `drag_and_drop` drags from one place to another"))
            }
            _ => self.on_grid(name, input),
        }
    }

    /// What is done at one place.
    fn on_grid(&mut self, name: &str, input: &Value) -> Steps {
        let place = self.thousandths(input, "x", "y")?;
        let locate = self.target(place);
        self.one(match name {
            "click_at" | "click" => Action::Tap { locate },
            "double_click" => Action::DoubleClick { locate },
            "right_click" => Action::RightClick { locate },
            "hover_at" | "move" => Action::Hover { locate },
            "long_press" => Action::LongPress { locate, duration: millis(input, "seconds", 2.0)?.clamp(1, 60_000) },
            _ => return Err(self.unknown(name)),
        })
    }

    fn thousandths(&self, input: &Value, x: &str, y: &str) -> Result<Place, Unread> {
        let form = "places run from 0 to 1000 across the screenshot and down it, whatever its size";
        let (Some(across), Some(down)) = (number(&input[x]), number(&input[y])) else {
            return Err(Unread::bad(format!("`{x}` and `{y}` have to be numbers; {form}")));
        };
        if !(0.0..=GRID).contains(&across) || !(0.0..=GRID).contains(&down) {
            return Err(Unread::bad(format!("({across}, {down}) lies outside of the screenshot; {form}")));
        }
        let at = self.screen.shown.content(Point::new(across / GRID, down / GRID));
        Ok(Place { said: json!([input[x], input[y]]), at })
    }

    /// Into the field at a place, which is emptied first unless the call says otherwise.
    fn type_at(&mut self, input: &Value) -> Steps {
        let value = text(input, "text", "type_text_at")?;
        let place = self.thousandths(input, "x", "y")?;
        let locate = Some(self.target(place));
        let mode = if input["clear_before_typing"] == false { InputMode::TypeOnly } else { InputMode::Replace };
        let mut steps = vec![self.act(Action::Input { value, mode, locate })?];
        if input["press_enter"] != false {
            steps.push(self.press("Enter")?);
        }
        Ok(steps)
    }

    /// To where the caret is, or into the field at a place when the call names one.
    fn type_here(&mut self, input: &Value) -> Steps {
        let value = text(input, "text", "type")?;
        let mut steps = Vec::new();
        if !input["x"].is_null() || !input["y"].is_null() {
            let place = self.thousandths(input, "x", "y")?;
            let locate = self.target(place);
            steps.push(self.act(Action::Tap { locate })?);
        }
        steps.extend(self.type_text(&value)?);
        if input["press_enter"] == true && !value.ends_with('\n') {
            steps.push(self.press("Enter")?);
        }
        Ok(steps)
    }

    fn combination(&self, said: &Value) -> Steps {
        let chords = match said {
            Value::String(text) => keys::of_text(text),
            keys => keys::of_list(keys),
        };
        if chords.is_empty() {
            return Err(Unread::bad("no key is named; give one such as Enter or Control+A"));
        }
        chords.iter().map(|chord| self.press(chord)).collect()
    }

    fn scroll_grid(&mut self, name: &str, input: &Value) -> Steps {
        let direction = direction(&input["direction"])?;
        let along = match direction {
            Direction::Up | Direction::Down => self.screen.size.height,
            Direction::Left | Direction::Right => self.screen.size.width,
        };
        let has = |key: &str| !input[key].is_null();
        let of = |key: &str, default: f64| if has(key) { number(&input[key]).unwrap_or(0.0) } else { default };
        let distance = if name == "scroll_document" {
            None
        } else if has("magnitude_in_wheel_clicks") {
            Some(of("magnitude_in_wheel_clicks", 0.0) * NOTCH)
        } else if name == "scroll_at" {
            Some(of("magnitude", 800.0) / GRID * along)
        } else {
            let (across, down) = self.points_per_pixel();
            let scale = if matches!(direction, Direction::Up | Direction::Down) { down } else { across };
            Some(of("magnitude_in_pixels", of("magnitude", 300.0)) * scale)
        };
        let place = if has("x") || has("y") { Some(self.thousandths(input, "x", "y")?) } else { None };
        self.scroll(direction, distance, place)
    }

    fn drag_on_grid(&mut self, input: &Value) -> Steps {
        let is_later = !input["start_x"].is_null();
        let ([from_x, from_y], [to_x, to_y]) = if is_later {
            (["start_x", "start_y"], ["end_x", "end_y"])
        } else {
            (["x", "y"], ["destination_x", "destination_y"])
        };
        let from = aim(self.thousandths(input, from_x, from_y)?);
        let to = self.thousandths(input, to_x, to_y)?;
        let to = self.target(to);
        self.one(Action::DragAndDrop { from, to })
    }
}
