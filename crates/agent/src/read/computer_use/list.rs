//! A list of actions in one call: `{"actions": [{"type": "click", "button": "left", "x": 640, "y": 360}]}`.

use super::{Place, Reading, Step, Steps, Unread, aim, keys, number, text};
use handeye_core::text::clip;
use handeye_core::{Action, Direction};
use serde_json::{Value, json};

/// How long a wait of no said length is, in milliseconds.
const WAIT: u64 = 2_000;

/// The actions of a call that has them.
pub(super) fn actions(input: &Value) -> Option<Vec<Value>> {
    match (&input["actions"], &input["action"]) {
        (Value::Array(actions), _) => Some(actions.clone()),
        (_, action @ Value::Object(_)) => Some(vec![action.clone()]),
        _ => None,
    }
}

/// Checks that the provider wants a person to look at.
pub(super) fn unconfirmed(input: &Value) -> Option<Unread> {
    let checks = input["pending_safety_checks"].as_array().filter(|checks| !checks.is_empty())?;
    let said = checks.iter().map(|check| {
        let words = ["message", "code", "id"].into_iter().find_map(|key| check[key].as_str());
        clip(words.unwrap_or("a check without a name"), 300)
    });
    Some(Unread::Unconfirmed(said.collect::<Vec<_>>().join("; ")))
}

impl Reading<'_, '_> {
    pub(super) fn list(&mut self, actions: &[Value]) -> Steps {
        if actions.is_empty() {
            return Err(Unread::bad("the call holds no action"));
        }
        let mut steps = Vec::new();
        for (index, action) in actions.iter().enumerate() {
            let read = self.listed(action).map_err(|error| match error {
                Unread::Bad(why) if actions.len() > 1 => Unread::Bad(format!(
                    "action {} of {}: {why}; none of them was carried out",
                    index + 1,
                    actions.len()
                )),
                error => error,
            });
            steps.extend(read?);
        }
        Ok(steps)
    }

    fn listed(&mut self, action: &Value) -> Steps {
        let kind = action["type"].as_str().unwrap_or_default();
        self.no_held_keys(if kind == "keypress" { &Value::Null } else { &action["keys"] })?;
        match kind {
            "screenshot" => Ok(vec![Step::Look]),
            "click" => self.click(action),
            "double_click" => {
                let locate = self.here(action)?;
                let locate = self.target(locate);
                self.one(Action::DoubleClick { locate })
            }
            "move" => {
                let locate = self.here(action)?;
                let locate = self.target(locate);
                self.one(Action::Hover { locate })
            }
            "drag" => self.path(action),
            "keypress" => {
                let chords = keys::of_list(&action["keys"]);
                if chords.is_empty() {
                    return Err(Unread::bad("`keypress` needs `keys`: a list such as [\"CTRL\", \"A\"]"));
                }
                chords.iter().map(|chord| self.press(chord)).collect()
            }
            "scroll" => self.scroll_pixels(action),
            "type" => self.type_text(&text(action, "text", kind)?),
            "wait" => self.one(Action::Sleep { time_ms: WAIT }),
            _ => Err(self.unknown(kind)),
        }
    }

    fn here(&self, action: &Value) -> Result<Place, Unread> {
        self.pixels(&json!([action["x"], action["y"]]))
    }

    fn click(&mut self, action: &Value) -> Steps {
        match action["button"].as_str().unwrap_or("left") {
            "back" => return self.one(Action::GoBack),
            "forward" => return self.one(Action::GoForward),
            "wheel" | "middle" => return Err(self.cannot("the middle button is not possible here")),
            "left" | "right" => {}
            other => return Err(self.cannot(&format!("there is no button `{}`", clip(other, 40)))),
        }
        let place = self.here(action)?;
        let locate = self.target(place);
        let is_right = action["button"] == "right";
        self.one(if is_right { Action::RightClick { locate } } else { Action::Tap { locate } })
    }

    /// From the first place of a path to its last one.
    fn path(&mut self, action: &Value) -> Steps {
        let Some([from, .., to]) = action["path"].as_array().map(Vec::as_slice) else {
            return Err(Unread::bad("`drag` needs `path`: a list of at least two places {\"x\": …, \"y\": …}"));
        };
        let from = aim(self.pixels(from)?);
        let to = self.pixels(to)?;
        let to = self.target(to);
        self.one(Action::DragAndDrop { from, to })
    }

    /// Both ways at once are two actions.
    fn scroll_pixels(&mut self, action: &Value) -> Steps {
        let place = if action["x"].is_null() && action["y"].is_null() { None } else { Some(self.here(action)?) };
        let by = |key: &str| match &action[key] {
            Value::Null => Some(0.0),
            said => number(said),
        };
        let (Some(x), Some(y)) = (by("scroll_x"), by("scroll_y")) else {
            return Err(Unread::bad("`scroll_x` and `scroll_y` are numbers of pixels"));
        };
        if x == 0.0 && y == 0.0 {
            return Err(Unread::bad("`scroll_x` and `scroll_y` are both 0, so nothing is to be scrolled"));
        }
        let (across, down) = self.points_per_pixel();
        let mut steps = Vec::new();
        for (by, scale, back, forth) in
            [(y, down, Direction::Up, Direction::Down), (x, across, Direction::Left, Direction::Right)]
        {
            if by != 0.0 {
                let direction = if by < 0.0 { back } else { forth };
                steps.extend(self.scroll(direction, Some(by.abs() * scale), place.clone())?);
            }
        }
        Ok(steps)
    }
}
