//! Calls of computer tools, as providers trained their models to make them.
//!
//! There are three ways to say an action, told apart by the shape of a call and by nothing else:
//!
//! - [`single`]: one action, named by the call itself or by its field `action`; places are lists of pixels of the picture.
//! - [`list`]: a list of actions in one call, each with its `type`; places are fields `x` and `y`, in pixels.
//! - [`grid`]: one action, named by the call itself; places are fields `x` and `y` in thousandths of the picture.
//!
//! Beside these a model may call functions: the verbs of the device that no computer tool has, by their own names.
//!
//! What the device cannot do, and what makes no sense, is refused with a text that the model can act upon. Nothing is moved onto
//! the picture that the model placed outside of it.

use handeye_core::text::clip;
use handeye_core::{Action, ActionSpace, Claim, Logical, Point, Rect, Shown, Size, Target, ToolCall, Unit};
use serde_json::Value;

mod grid;
mod keys;
mod list;
mod single;
#[cfg(test)]
mod tests;

/// What a call is read against.
#[derive(Clone, Copy, Debug)]
pub struct Screen<'a> {
    pub space: &'a ActionSpace,
    /// How the model was shown the whole picture of the screen.
    pub shown: Shown,
    /// The size of the screen in points of input.
    pub size: Size<Logical>,
}

/// A place on the screen, and what the model wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub said: Value,
    pub at: Point<Unit>,
}

/// One thing that a call asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Act(Action<Target>),
    /// A screenshot.
    Look,
    /// An enlarged part of the screen.
    Zoom(Rect<Unit>),
    /// Where the pointer is.
    Pointer,
}

/// What a call asks for, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallSteps {
    pub steps: Vec<Step>,
    /// What the model says that it is for; empty when it says nothing.
    pub intent: String,
}

/// Why a call is not carried out. The texts are for the model and for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    #[error("{0}")]
    Bad(String),
    /// The provider wants a person to agree first.
    #[error("{0}")]
    Unconfirmed(String),
}

impl Unread {
    fn bad(why: impl Into<String>) -> Self {
        Self::Bad(why.into())
    }
}

type Steps = Result<Vec<Step>, Unread>;

/// Reads one call. `pointer` is where the last one left the pointer: some actions go to wherever it is.
///
/// # Errors
/// [`Unread`] when nothing of the call may be carried out.
pub fn call(call: &ToolCall, screen: Screen<'_>, pointer: &mut Option<Place>) -> Result<CallSteps, Unread> {
    let input = match &call.input {
        Value::String(text) => {
            return Err(Unread::bad(format!("the input of `{}` is no JSON: {}", call.name, clip(text, 200))));
        }
        input => input,
    };
    let mut reading = Reading { screen, pointer };
    let name = call.name.trim();
    if let Some(why) = list::unconfirmed(input).or_else(|| grid::unconfirmed(input)) {
        return Err(why);
    }
    let steps = if screen.space.has(name) {
        reading.function(name, input)
    } else if let Some(actions) = list::actions(input).filter(|_| name == TOOL) {
        reading.list(&actions)
    } else if name == TOOL {
        let action = input["action"].as_str().unwrap_or_default();
        reading.single(action, input)
    } else if single::knows(name) && !(grid::knows(name) && grid::has_its_shape(input)) {
        reading.single(name, input)
    } else if grid::knows(name) {
        reading.grid(name, input)
    } else {
        Err(reading.unknown(name))
    };
    Ok(CallSteps { steps: steps?, intent: input["intent"].as_str().unwrap_or_default().trim().to_owned() })
}

/// The name of a call of a tool that has one name for all of its actions.
const TOOL: &str = "computer";

/// Actions, by whatever name, that a device with these verbs cannot do.
pub fn lacking(space: &ActionSpace) -> Vec<String> {
    let never = ["middle_click", "triple_click", "hold_key", "left_mouse_down", "left_mouse_up"];
    let by_verb = [
        ("Tap", "left_click"),
        ("DoubleClick", "double_click"),
        ("RightClick", "right_click"),
        ("Hover", "mouse_move"),
        ("DragAndDrop", "left_click_drag"),
        ("KeyboardPress", "key"),
        ("Input", "type"),
        ("Scroll", "scroll"),
        ("Sleep", "wait"),
    ];
    let missing = by_verb.iter().filter(|(verb, _)| !space.has(verb)).map(|(_, name)| *name);
    never.into_iter().chain(missing).map(str::to_owned).collect()
}

struct Reading<'a, 'p> {
    screen: Screen<'a>,
    pointer: &'p mut Option<Place>,
}

impl Reading<'_, '_> {
    /// A verb of the device, by its own name. Its targets are told in words.
    fn function(&self, name: &str, input: &Value) -> Steps {
        let read = self.screen.space.read(name, input).map_err(|bad| Unread::bad(bad.to_string()))?;
        Ok(vec![Step::Act(read.action)])
    }

    /// The action, when the device has it.
    fn act(&self, action: Action<Target>) -> Result<Step, Unread> {
        if self.screen.space.has(action.verb()) {
            return Ok(Step::Act(action));
        }
        Err(self.cannot(&format!("{} is not possible here", action.verb())))
    }

    fn one(&self, action: Action<Target>) -> Steps {
        Ok(vec![self.act(action)?])
    }

    fn cannot(&self, why: &str) -> Unread {
        Unread::bad(format!("{why}; this device offers {}", self.screen.space.names()))
    }

    fn unknown(&self, name: &str) -> Unread {
        self.cannot(&format!("`{}` is not a known action", clip(name, 60)))
    }

    /// A place as a target; the pointer is there afterwards.
    fn target(&mut self, place: Place) -> Target {
        *self.pointer = Some(place.clone());
        aim(place)
    }

    /// A place in pixels of the picture.
    fn pixels(&self, said: &Value) -> Result<Place, Unread> {
        let size = self.screen.shown.canvas();
        let (wide, high) = (size.width.max(1.0), size.height.max(1.0));
        let form = format!("a place is two numbers of pixels of the screenshot, which is {size}");
        let [x, y] =
            pair(said).ok_or_else(|| Unread::bad(format!("{} is no place; {form}", clip(&said.to_string(), 80))))?;
        if !(0.0..=wide).contains(&x) || !(0.0..=high).contains(&y) {
            return Err(Unread::bad(format!("({x}, {y}) lies outside of the screenshot; {form}")));
        }
        Ok(Place { said: said.clone(), at: self.screen.shown.content(Point::new(x / wide, y / high)) })
    }

    /// How much of the screen, in points of input, so many pixels of the picture are: across it and down it.
    fn points_per_pixel(&self) -> (f64, f64) {
        let (size, seen) = (self.screen.size, self.screen.shown.size);
        (size.width / seen.width.max(1.0), size.height / seen.height.max(1.0))
    }
}

/// A target that is a bare place.
fn aim(place: Place) -> Target {
    let description = match pair(&place.said) {
        Some([x, y]) => format!("the point ({x}, {y})"),
        None => "the point".to_owned(),
    };
    Target { description, claim: Some(Claim::Place { said: place.said, at: place.at }), ..Target::default() }
}

/// Two numbers, in whatever way they are written.
fn pair(said: &Value) -> Option<[f64; 2]> {
    let numbers: Vec<f64> = match said {
        Value::Array(items) => items.iter().map(number).collect::<Option<_>>()?,
        Value::Object(map) => vec![number(map.get("x")?)?, number(map.get("y")?)?],
        Value::String(text) => {
            let bare = text.trim().trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
            bare.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?
        }
        _ => return None,
    };
    numbers.try_into().ok()
}

/// A finite number, also one in quotes.
fn number(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    number.is_finite().then_some(number)
}

/// A text that has to be there. Numbers are texts too.
fn text(input: &Value, key: &str, name: &str) -> Result<String, Unread> {
    match &input[key] {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(Unread::bad(format!("`{name}` needs `{key}`, a text"))),
    }
}

/// A time in seconds as milliseconds; `default` when it is not said.
fn millis(input: &Value, key: &str, default: f64) -> Result<u64, Unread> {
    /// No wait is longer than the longest that a planner may ask for.
    const MOST: f64 = 600.0;
    let seconds = match &input[key] {
        Value::Null => default,
        said => number(said).unwrap_or(-1.0),
    };
    if (0.0..=MOST).contains(&seconds) {
        return Ok((seconds * 1000.0).round() as u64);
    }
    Err(Unread::bad(format!("`{key}` is {}, but must be a number of seconds from 0 to {MOST:.0}", input[key])))
}
