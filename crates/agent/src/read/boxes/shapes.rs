//! The shapes in which models give a place.

use super::numbers;
use handeye_core::PLACE_KEYS;
use handeye_core::text::name_key;
use serde_json::{Map, Value};

/// Two or four numbers.
pub(super) enum Raw {
    /// In the order of the family.
    Listed(Vec<f64>),
    /// Sides and axes were named: x before y.
    Named(Vec<f64>),
}

const MAX_NESTING: usize = 8;

/// Named sides, each row left, top, right, bottom; letters as `name_key` leaves them.
const CORNERS: &[[&str; 4]] = &[
    ["x1", "y1", "x2", "y2"],
    ["xmin", "ymin", "xmax", "ymax"],
    ["minx", "miny", "maxx", "maxy"],
    ["left", "top", "right", "bottom"],
    ["x0", "y0", "x1", "y1"],
    ["startx", "starty", "endx", "endy"],
];
const SIZES: &[[&str; 4]] = &[
    ["x", "y", "width", "height"],
    ["x", "y", "w", "h"],
    ["left", "top", "width", "height"],
    ["left", "top", "w", "h"],
];
const POINTS: &[[&str; 2]] = &[["x", "y"], ["cx", "cy"], ["centerx", "centery"], ["left", "top"]];

/// Reads the numbers of a place. `None` when there are none.
pub(super) fn read(raw: &Value, repairs: &mut Vec<String>) -> Result<Option<Raw>, String> {
    let found = value(raw, repairs, 0)?;
    Ok(match found {
        Some(Raw::Listed(n)) => Some(Raw::Listed(counted(n, repairs)?)),
        other => other,
    })
}

fn say(repairs: &mut Vec<String>, what: &str) {
    if !repairs.iter().any(|r| r == what) {
        repairs.push(what.to_owned());
    }
}

fn value(raw: &Value, repairs: &mut Vec<String>, depth: usize) -> Result<Option<Raw>, String> {
    if depth > MAX_NESTING {
        return Err("it is nested too deep".to_owned());
    }
    match raw {
        Value::Null => Ok(None),
        Value::Bool(_) => Err("it is no list of numbers".to_owned()),
        Value::Number(n) => Ok(Some(Raw::Listed(vec![n.as_f64().ok_or("a number is too large")?]))),
        Value::String(text) => string(text, repairs, depth),
        Value::Array(items) => list(items, repairs, depth),
        Value::Object(map) => object(map, repairs, depth),
    }
}

fn string(text: &str, repairs: &mut Vec<String>, depth: usize) -> Result<Option<Raw>, String> {
    let text = text.trim();
    if text.is_empty() || ["null", "none", "n/a", "[]", "{}", "无"].contains(&text.to_lowercase().as_str()) {
        return Ok(None);
    }
    say(repairs, "read coordinates that were given as a text");
    // Named sides: `{"x": 1, …}` and `x1=10, y1=20`.
    if text.contains('{') || text.contains(['=', ':', '：']) && text.len() < 400 {
        let braced = if text.contains('{') {
            text.to_owned()
        } else {
            format!("{{{}}}", text.trim_matches(['(', ')', '[', ']']))
        };
        if let Ok(read) = crate::read::json(&braced)
            && read.value.is_object()
            && !read.cut
        {
            return value(&read.value, repairs, depth + 1);
        }
    }
    let numbers = numbers::read(text)?;
    Ok((!numbers.is_empty()).then_some(Raw::Listed(numbers)))
}

fn list(items: &[Value], repairs: &mut Vec<String>, depth: usize) -> Result<Option<Raw>, String> {
    if items.iter().all(Value::is_number) && !items.is_empty() {
        let numbers: Option<Vec<f64>> = items.iter().take(64).map(Value::as_f64).collect();
        return Ok(Some(Raw::Listed(numbers.ok_or("a number is too large")?)));
    }
    let (mut listed, mut named, mut boxes) = (Vec::new(), Vec::new(), 0);
    for item in items.iter().take(64) {
        // A label beside the numbers: `["bbox_2d", [1, 2, 3, 4]]`.
        if item
            .as_str()
            .is_some_and(|s| !s.contains(|c: char| c.is_ascii_digit()) || numbers::read(s).is_ok_and(|n| n.is_empty()))
        {
            say(repairs, "left out words beside the coordinates");
            continue;
        }
        match value(item, repairs, depth + 1)? {
            Some(Raw::Listed(n)) => {
                boxes += usize::from(n.len() == 4);
                listed.extend(n);
            }
            Some(Raw::Named(n)) => {
                boxes += usize::from(n.len() == 4);
                named.extend(n);
            }
            None if item.is_null() && items.len() > 1 => return Err("a coordinate is missing".to_owned()),
            None => {}
        }
    }
    if boxes > 1 {
        return Err(format!("it holds {boxes} boxes where one is needed"));
    }
    if items.iter().any(|v| !v.is_number()) {
        say(repairs, "read coordinates out of a nested list");
    }
    match (listed.is_empty(), named.len()) {
        (true, 0) => Ok(None),
        (true, 2 | 4) => Ok(Some(Raw::Named(named))),
        (false, 0) => Ok(Some(Raw::Listed(listed))),
        _ => Err("it mixes shapes".to_owned()),
    }
}

fn object(map: &Map<String, Value>, repairs: &mut Vec<String>, depth: usize) -> Result<Option<Raw>, String> {
    if map.is_empty() {
        return Ok(None);
    }
    let keyed: Vec<(String, &Value)> = map.iter().take(64).map(|(k, v)| (name_key(k), v)).collect();
    let get = |name: &str| keyed.iter().find(|(k, _)| k == name).map(|(_, v)| *v);
    if let Some(whole) = PLACE_KEYS.iter().find_map(|k| get(k)) {
        return value(whole, repairs, depth + 1);
    }
    say(repairs, "read coordinates that were given by name");
    let all = |names: &[&str]| names.iter().map(|n| get(n).and_then(lone_number)).collect::<Option<Vec<f64>>>();
    if let Some(corners) = CORNERS.iter().find_map(|names| all(names)) {
        return Ok(Some(Raw::Named(corners)));
    }
    if let Some(sized) = SIZES.iter().find_map(|names| all(names)) {
        let [x, y, width, height] = sized[..] else { return Err("it has no four sides".to_owned()) };
        if width < 0.0 || height < 0.0 {
            return Err("its width or height is negative".to_owned());
        }
        return Ok(Some(Raw::Named(vec![x, y, x + width, y + height])));
    }
    if let Some(point) = POINTS.iter().find_map(|names| all(names)) {
        return Ok(Some(Raw::Named(point)));
    }
    let corner = |names: &[&str]| names.iter().find_map(|n| get(n));
    let first = corner(&["topleft", "start", "lefttop", "min"]);
    let second = corner(&["bottomright", "end", "rightbottom", "max"]);
    if let (Some(first), Some(second)) = (first, second) {
        return list(&[first.clone(), second.clone()], repairs, depth + 1);
    }
    Err("it does not name a place".to_owned())
}

fn lone_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(n) => n.as_f64().filter(|n| n.is_finite()),
        Value::String(s) => s.trim().parse().ok().filter(|n: &f64| n.is_finite()),
        _ => None,
    }
}

/// Two and four numbers are a point and a box, eight are the four corners of one. Others would have to be guessed.
fn counted(numbers: Vec<f64>, repairs: &mut Vec<String>) -> Result<Vec<f64>, String> {
    match numbers[..] {
        [_, _] | [_, _, _, _] => Ok(numbers),
        [x1, y1, _, _, x3, y3, x4, y4] => {
            say(repairs, "read four corners as a box");
            // Corners go round, or in two rows: then the last one is opposite to the first.
            #[expect(clippy::float_cmp, reason = "corners on one side have the very same number")]
            let rows = x1 == x3 || y1 == y3;
            Ok(if rows { vec![x1, y1, x4, y4] } else { vec![x1, y1, x3, y3] })
        }
        [_] => Err("it has one number".to_owned()),
        _ => Err(format!("it has {} numbers", numbers.len())),
    }
}
