//! Whether what was done is what a reply said. Knows what the reply was made of, and nothing of how replies are read.

use super::speech::{Speech, Step, Tool};
use super::trouble::{Means, Told};
use handeye_core::{Action, ActionSpace, Direction, Element};

/// What there is to compare of an action.
#[derive(Clone, Debug, Default, PartialEq)]
struct Parts {
    verb: String,
    place: Option<(i64, i64)>,
    text: Option<String>,
    number: Option<i64>,
}

fn of_step(step: &Step) -> Parts {
    let (place, text, number) = match step {
        Step::Tap { at } => (Some(*at), None, None),
        Step::Type { at, text } => (*at, Some(text.clone()), None),
        Step::Press { key } => (None, Some((*key).to_owned()), None),
        Step::Scroll { at, distance } => (*at, Some("up".to_owned()), *distance),
        Step::Wait { ms } => (None, None, Some(*ms)),
    };
    Parts { verb: step.verb().to_owned(), place, text, number }
}

/// Where it is done, in whole points.
pub(super) fn place(action: &Action<Element>) -> Option<(i64, i64)> {
    action.targets().first().map(|(_, e)| (e.point.x.round() as i64, e.point.y.round() as i64))
}

fn of_action(action: &Action<Element>) -> Parts {
    let (text, number) = match action {
        Action::Input { value, .. } => (Some(value.clone()), None),
        Action::KeyboardPress { key_name, .. } => (Some(key_name.clone()), None),
        Action::Scroll { direction, distance, .. } => {
            (Some(direction_word(*direction)), distance.map(|d| d.round() as i64))
        }
        Action::Sleep { time_ms } => (None, Some(time_ms.cast_signed())),
        _ => (None, None),
    };
    Parts { verb: action.verb().to_owned(), place: place(action), text, number }
}

fn direction_word(direction: Direction) -> String {
    format!("{direction:?}").to_lowercase()
}

/// What a reply was given for.
pub(super) struct Screen<'a> {
    pub(super) space: &'a ActionSpace,
    /// Without, where things are is not the reply's to say.
    pub(super) with_places: bool,
    /// All that was sought was found.
    pub(super) is_found: bool,
    /// Where the replies before it left the pointer: calls that name no place mean that one.
    pub(super) pointer: Option<(i64, i64)>,
    pub(super) speech: &'a Speech,
}

impl Screen<'_> {
    /// A place that calls mean without naming it.
    fn is_pointer(&self, at: (i64, i64)) -> bool {
        self.speech.tool.is_some() && self.pointer == Some(at)
    }
    /// A number that calls mean without naming it, or name in another unit.
    fn is_meant(&self, verb: &str, number: i64, text: &str) -> bool {
        let Some(tool) = self.speech.tool else { return false };
        let in_units = |times: f64| numbers(text).iter().any(|(n, ..)| (n * times).round() as i64 == number);
        tool.unsaid.contains(&(verb, number)) || tool.units.iter().any(|(of, times)| *of == verb && in_units(*times))
    }
}

/// An error says what was done that should not have been.
pub(super) fn judge(told: &Told, done: &[&Action<Element>], screen: &Screen<'_>) -> Result<(), String> {
    let judged = |parts: Parts| Parts { place: parts.place.filter(|_| screen.with_places), ..parts };
    let of_step = |step: &Step| judged(of_step(step));
    let done: Vec<Parts> = done.iter().map(|action| judged(of_action(action))).collect();
    let wrong = |what: &str| Err(format!("{what}: {done:?}"));
    match &told.means {
        Means::Steps(steps) | Means::FirstOf(steps) => {
            let wanted: Vec<Parts> = steps.iter().map(of_step).collect();
            if !wanted.starts_with(&done) {
                return wrong("something else was done");
            }
            let must = screen.is_found && matches!(told.means, Means::Steps(_)) && !wanted.is_empty();
            if must && done.is_empty() { wrong("nothing was done") } else { Ok(()) }
        }
        Means::PartsOf { steps, most, changed } => {
            if done.len() > *most {
                return wrong("it was done too often");
            }
            let known: Vec<Parts> = steps.iter().map(of_step).collect();
            match done.iter().find(|d| !is_of(d, &known, (*changed, &told.text), screen)) {
                Some(other) => wrong(&format!("{other:?} was not said")),
                None => Ok(()),
            }
        }
        Means::Text => match done.iter().find(|d| !is_said(d, &told.text, screen)) {
            Some(other) => wrong(&format!("{other:?} does not stand in the text")),
            None => Ok(()),
        },
    }
}

/// Each part is one of those known, or one that `changed` signs can make of it.
fn is_of(done: &Parts, known: &[Parts], (changed, text): (usize, &str), screen: &Screen<'_>) -> bool {
    let place = |at: (i64, i64)| {
        known.iter().any(|k| k.place == Some(at)) || changed > 0 && (has_place(text, at) || screen.is_pointer(at))
    };
    // Where no parameters stand, those that are left out are meant.
    let hollow = text.split_whitespace().collect::<String>().contains("{}");
    let ways = known.iter().filter(|k| k.verb == "Scroll").count();
    let no_way = hollow || text.matches("\"direction\"").count() < ways;
    let swiped = changed > 0 && done.verb == "Scroll" && text.contains("Swipe");
    let words = |said: &str| {
        swiped
            || changed > 0 && no_way && done.verb == "Scroll" && said == "down"
            || known.iter().filter_map(|k| k.text.as_deref()).any(|k| distance(k, said) <= 4 * changed)
    };
    let number = |n: i64| {
        known.iter().any(|k| k.number == Some(n))
            || swiped && has_difference(text, n)
            || changed > 0 && (has_number(text, n) || hollow && n == 1000 || screen.is_meant(&done.verb, n, text))
    };
    known.iter().any(|k| k.verb == done.verb)
        && done.place.is_none_or(place)
        && done.text.as_deref().is_none_or(words)
        && done.number.is_none_or(number)
}

fn is_said(done: &Parts, text: &str, screen: &Screen<'_>) -> bool {
    let spec = screen.space.specs.iter().find(|spec| spec.name == done.verb);
    let of_tool = screen.speech.tool.into_iter().flat_map(|tool: &Tool| tool.names);
    let verb = of_tool.filter(|(verb, _)| *verb == done.verb).any(|(_, name)| text.contains(name))
        || spec.is_some_and(|spec| spec.also.iter().chain([&spec.name]).any(|name| bare(text).contains(&bare(name))));
    let words = |said: &str| {
        let is_default = done.verb == "Scroll" && (said == "down" || text.contains("Swipe"));
        is_default || bare(text).contains(&bare(said))
    };
    let number = |n: i64| {
        has_number(text, n)
            || done.verb == "Sleep" && (n == 1000 || n % 1000 == 0 && has_number(text, n / 1000))
            || done.verb == "Scroll" && has_difference(text, n)
            || screen.is_meant(&done.verb, n, text)
    };
    verb && done.place.is_none_or(|at| has_place(text, at) || screen.is_pointer(at))
        && done.text.as_deref().is_none_or(words)
        && done.number.is_none_or(number)
}

fn bare(text: &str) -> String {
    text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The whole numbers and decimals of a text, each with where it begins and ends.
fn numbers(text: &str) -> Vec<(f64, usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        match rest[..length].parse::<f64>() {
            Ok(number) if length > 0 => {
                let from = if text[..at].ends_with('-') { at - 1 } else { at };
                found.push((if from < at { -number } else { number }, from, at + length));
                at += length;
            }
            _ => at += length.max(rest.chars().next().map_or(1, char::len_utf8)),
        }
    }
    found
}

fn has_number(text: &str, number: i64) -> bool {
    numbers(text).iter().any(|(n, ..)| n.round() as i64 == number)
}

/// A swipe is as long as its ends are apart.
fn has_difference(text: &str, difference: i64) -> bool {
    let found = numbers(text);
    found.iter().any(|a| found.iter().any(|b| ((a.0 - b.0).abs() - difference as f64).abs() <= 1.0))
}

/// A box with this middle, or this point, stands in the text: numbers with nothing but signs between, or the name of the second.
pub(super) fn has_place(text: &str, at: (i64, i64)) -> bool {
    let found = numbers(text);
    let together = |run: &[(f64, usize, usize)]| {
        run.array_windows().all(|[a, b]| !text[a.2..b.1].replace("\"y\"", "").contains(|c: char| c.is_alphanumeric()))
    };
    let middle = |a: f64, b: f64| f64::midpoint(a.clamp(0.0, 1000.0), b.clamp(0.0, 1000.0));
    let near = |x: f64, y: f64| (x - at.0 as f64).abs() <= 1.0 && (y - at.1 as f64).abs() <= 1.0;
    let a_box = |run: &[(f64, usize, usize)]| near(middle(run[0].0, run[2].0), middle(run[1].0, run[3].0));
    found.windows(4).any(|run| together(run) && a_box(run))
        || found.windows(2).any(|run| together(run) && near(run[0].0, run[1].0))
}

/// How many signs must change to make the one of the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = (diagonal + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = cost;
        }
    }
    row[b.len()]
}

#[test]
fn the_judge_sees_what_it_should() {
    assert!(has_place("[100, 200, 300, 400]", (200, 300)) && has_place("(20,30)", (20, 30)));
    assert!(!has_place("[100, 200, x 300, 400]", (200, 300)) && !has_place("[100, 200, 300]", (200, 400)));
    assert_eq!((distance("abc", "abc"), distance("abc", "xabd")), (0, 2));
    assert_eq!(numbers("a-1.5 2.").iter().map(|n| n.0).collect::<Vec<_>>(), [-1.5, 2.0]);
}
