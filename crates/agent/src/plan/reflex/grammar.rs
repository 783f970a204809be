//! Reads a goal into clauses, all of it or nothing.
//!
//! Quoted texts are taken out first, so that nothing in them is read as grammar. Then the goal is cut where a new clause
//! must begin (a line, a semicolon, `then`, `然后`) and tried at each place where one may begin (`and`, a comma, `并`): such a
//! place is a boundary when what follows reads as a clause of its own. So `Terms and Conditions` stays one name, and
//! `click Save and close the dialog` becomes two clauses.

use super::messages;
use super::step::{Clause, Step};
use crate::language::{Language, Message};
use crate::locate::tree::phrase::PRONOUN;
use crate::locate::tree::phrase::english::words;
use crate::locate::tree::phrase::quotes::{Quotes, has_cjk};
use crate::locate::tree::{Purpose, Wanted};
use cut::{Cut, cuts};
use std::collections::HashMap;
use std::fmt;

mod check_en;
mod check_zh;
mod chinese;
mod cut;
mod english;
mod keys;
mod patterns;
mod refs;
mod tidy;
mod values;

pub(super) use patterns::strictly;
use refs::{each_reading, each_target};

/// A clause without the words before and behind it that say nothing: `请`, `吧`.
pub(super) fn bare(clause: &str) -> &str {
    if has_cjk(clause) { chinese::strip_fillers(clause) } else { clause.trim() }
}

/// A clause that was not understood. Nothing of the goal is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    pub clause: String,
    pub why: Message,
    pub language: Language,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = self.language.say(self.why, &[]);
        f.write_str(&self.language.say(messages::UNREAD, &[&handeye_core::text::clip(&self.clause, 200), &why]))
    }
}

/// A step that was read, and the words before which the next clause may leave out its verb: `type a into b and c into d`.
struct Parsed {
    step: Step,
    lead: Option<String>,
    /// A statement that nobody asked to check in so many words: it stands behind the steps whose outcome it tells.
    declared: bool,
}

impl From<Step> for Parsed {
    fn from(step: Step) -> Self {
        Self { step, lead: None, declared: false }
    }
}

/// Why a text is no clause; empty when it simply is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Why(Option<Message>);

impl Why {
    fn new() -> Self {
        Self::default()
    }
    fn is_empty(self) -> bool {
        self.0.is_none()
    }
}

impl From<Message> for Why {
    fn from(message: Message) -> Self {
        Self(Some(message))
    }
}

/// The name that stands for the row of the element of the clause before.
const PLACE_OF_IT: &str = "\u{1}its place";
/// The name that stands for what was clicked last.
const AGAIN: &str = "\u{1}again";
/// A goal of more clauses than this is not a list of steps that a person gave.
const MOST_CLAUSES: usize = 200;
/// The longest goal that is read.
const MOST_CHARACTERS: usize = 20_000;

/// The language in which a person said a goal.
pub(super) fn language_of(goal: &str) -> Language {
    let marked = Quotes::mark(goal).map_or_else(|rest| goal.replace(&rest, ""), |(marked, _)| marked);
    // `switch to 中文` is English.
    if english::begins_step(&marked) { Language::English } else { Language::of(&marked) }
}

/// Reads a goal.
///
/// # Errors
/// The first clause that is not understood, and why.
pub fn read(goal: &str) -> Result<Vec<Clause>, Unread> {
    read_knowing(goal, &|_| false)
}

/// Reads a goal, where a clause that is no step by its words is a click when it names a control, as `is_control` knows.
pub(super) fn read_knowing(goal: &str, is_control: &dyn Fn(&str) -> bool) -> Result<Vec<Clause>, Unread> {
    let language = language_of(goal);
    let unread = |clause: &str, why: Message| Unread { clause: clause.trim().to_owned(), why, language };
    if goal.chars().count() > MOST_CHARACTERS {
        return Err(unread(&handeye_core::text::clip(goal, 60), messages::TOO_LONG));
    }
    let (marked, quotes) = Quotes::mark(goal.trim()).map_err(|rest| unread(&rest, messages::OPEN_QUOTE))?;
    let marked = if has_cjk(&marked) { marked } else { tidy::tidy(&marked) };
    let mut clauses = Vec::new();
    let mut last = refs::Last::default();
    for stretch in cut::stretches(&marked) {
        let mut reader = Reader {
            text: &marked,
            quotes: &quotes,
            cuts: cuts(&marked, stretch),
            end: stretch.1,
            is_control,
            memo: HashMap::new(),
            furthest: (stretch.0, Why::new()),
        };
        let Some(pieces) = reader.from(stretch.0, None) else {
            let (at, why) = reader.furthest;
            let end = reader.cuts.iter().find(|c| c.start > at && c.is_strong).map_or(stretch.1, |c| c.start);
            let clause = quotes.restore(&marked[at..end]);
            let clause = clause.trim_matches(|c: char| c.is_whitespace() || ",，.。".contains(c));
            return Err(unread(clause, why.0.unwrap_or(messages::UNKNOWN)));
        };
        for (n, piece) in pieces.iter().enumerate() {
            let joined = pieces.get(n + 1).and_then(|next| reader.joined(piece, next));
            let text = quotes.restore(marked[piece.start..piece.end].trim());
            if piece.step == Step::Aside {
                continue;
            }
            let mut step = piece.step.clone();
            if !refs::resolve(&mut step, &last) {
                return Err(unread(&text, messages::NO_ANTECEDENT));
            }
            if clauses.is_empty() && piece.declared {
                return Err(unread(&text, messages::ONLY_TELLS));
            }
            last.note(&step);
            clauses.push(Clause { text, step, joined });
        }
    }
    let Some(last) = clauses.last() else { return Err(unread(goal, messages::UNKNOWN)) };
    // What only opens the form for something new is a step before others, and no goal.
    if matches!(last.step, Step::Click { .. }) && english::makes_new(&words(&last.text)) {
        return Err(unread(&last.text, messages::ADD_WHAT));
    }
    // What was begun has to be finished: a form that nobody sends makes nothing.
    let begun = clauses.iter().rposition(|c| english::makes_new(&words(&c.text)));
    let ends = |c: &Clause| {
        matches!(
            c.step,
            Step::Click { .. } | Step::Key { .. } | Step::Operate { .. } | Step::Each { .. } | Step::Either(_)
        )
    };
    if let Some(at) = begun
        && !clauses[at + 1..].iter().any(ends)
    {
        return Err(unread(&clauses[at].text, messages::ADD_WHAT));
    }
    // So is what is only to be found.
    if matches!(last.step, Step::ScrollTo { .. }) && english::finds(&last.text) {
        return Err(unread(&last.text, messages::UNKNOWN));
    }
    if clauses.len() > MOST_CLAUSES {
        return Err(unread(&handeye_core::text::clip(goal, 60), messages::TOO_MANY));
    }
    Ok(clauses)
}

/// One clause and where it stands.
#[derive(Clone)]
struct Piece {
    start: usize,
    end: usize,
    step: Step,
    declared: bool,
}

/// Reads one stretch, in which every boundary is a matter of reading.
struct Reader<'a> {
    text: &'a str,
    quotes: &'a Quotes,
    cuts: Vec<Cut>,
    end: usize,
    is_control: &'a dyn Fn(&str) -> bool,
    memo: HashMap<(usize, Option<String>), Option<Vec<Piece>>>,
    /// How far clauses could be read, and why not farther.
    furthest: (usize, Why),
}

impl Reader<'_> {
    /// All clauses from a place on, cut as often as can be.
    fn from(&mut self, start: usize, lead: Option<&str>) -> Option<Vec<Piece>> {
        if self.text[start..self.end].trim_matches(|c: char| c.is_whitespace() || ",，.。、!！".contains(c)).is_empty()
        {
            return Some(Vec::new());
        }
        let key = (start, lead.map(str::to_owned));
        if let Some(known) = self.memo.get(&key) {
            return known.clone();
        }
        let found = self.search(start, lead);
        self.memo.insert(key, found.clone());
        found
    }

    fn search(&mut self, start: usize, lead: Option<&str>) -> Option<Vec<Piece>> {
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for cut in self.cuts.iter().filter(|c| c.start >= start) {
            ends.push((cut.start, cut.end));
            if cut.is_strong {
                break;
            }
        }
        if !ends.iter().any(|(at, _)| self.cuts.iter().any(|c| c.start == *at && c.is_strong)) {
            ends.push((self.end, self.end));
        }
        for (end, next) in ends {
            let piece = &self.text[start..end];
            if piece.trim().is_empty() || self.swallows(start, end) {
                continue;
            }
            match clause(piece, self.quotes, lead).or_else(|why| self.named_control(piece).ok_or(why)) {
                Ok(parsed) => {
                    let (step, declared) = (parsed.step, parsed.declared);
                    if types_a_step(piece, &step) {
                        if start >= self.furthest.0 && self.furthest.1.is_empty() {
                            self.furthest = (start, messages::NO_TEXT.into());
                        }
                        continue;
                    }
                    if next > self.furthest.0 {
                        self.furthest = (next, Why::new());
                    }
                    // `click the first and the last link` is one clause; `open A, then the B tab` is two.
                    let strong = self.cuts.iter().any(|c| c.start == end && c.is_strong);
                    let lead = parsed.lead.filter(|l| strong || !matches!(l.as_str(), "click" | "open"));
                    if let Some(rest) = self.from(next, lead.as_deref()) {
                        let mut out = vec![Piece { start, end, step, declared }];
                        out.extend(rest);
                        return Some(out);
                    }
                }
                Err(why) if !why.is_empty() && start >= self.furthest.0 && self.furthest.1.is_empty() => {
                    self.furthest = (start, why);
                }
                Err(_) => {}
            }
        }
        None
    }

    fn named_control(&self, piece: &str) -> Option<Parsed> {
        let said = self.quotes.restore(bare(piece));
        let target = || Wanted { loose: true, ..Wanted::named(&said, Purpose::Click) };
        (self.is_control)(&said).then(|| patterns::click(target()).into())
    }

    /// Whether a piece would take a step behind a comma for a part of a name: `click A, frob the B` is not one click.
    fn swallows(&self, start: usize, end: usize) -> bool {
        let led = self.text[start..end].trim_start().to_lowercase();
        if ["in ", "on ", "inside ", "within ", "from ", "at ", "under ", "for ", "into ", "在", "从"]
            .iter()
            .any(|p| led.starts_with(p))
        {
            return false;
        }
        self.cuts.iter().filter(|c| c.start > start && c.end < end).any(|c| {
            let rest = &self.text[c.end..end];
            let comma = self.text[c.start..c.end].contains([',', '，', '.']);
            let before = &self.text[start..c.start];
            let says = !english::is_filler(before) && !chinese::is_filler(before);
            let negated = ["not ", "but not ", "and not ", "except "]
                .iter()
                .any(|n| rest.trim_start().to_lowercase().starts_with(n));
            comma && says && (negated || english::begins_step(rest) || chinese::begins_step(rest))
        })
    }

    /// The reading of a clause and its followers as one name, where no strong word parts them.
    fn joined(&self, piece: &Piece, next: &Piece) -> Option<(Box<Step>, usize)> {
        if !may_be_one_name(&piece.step) {
            return None;
        }
        let at = self.cuts.iter().position(|c| c.start == piece.end)?;
        if self.cuts[at].is_strong {
            return None;
        }
        // It stands for this clause and the one behind it, so it has to hold all of both.
        if next.start < self.cuts[at].end || next.step == Step::Aside {
            return None;
        }
        let text = &self.text[piece.start..next.end];
        let parsed = clause(text, self.quotes, None).ok()?;
        let whole = match parsed.step {
            Step::Each { whole, .. } => *whole,
            step => step,
        };
        may_be_one_name(&whole).then(|| (Box::new(whole), 1))
    }
}

/// Whether the text to type goes on like a step, as in `write hello and confirm that`: it may be one, so the text has to stand
/// in quotes. `piece` still has quoted texts as marks.
fn types_a_step(piece: &str, step: &Step) -> bool {
    let (Step::Type { text, .. } | Step::Set { value: text, .. } | Step::Search { text, .. } | Step::Add { text }) =
        step
    else {
        return false;
    };
    [" and ", " then ", "并", "然后"].iter().any(|joint| {
        let rest = piece.split_once(joint).map_or("", |(_, rest)| rest);
        text.contains(joint) && !rest.is_empty() && (english::begins_step(rest) || chinese::begins_step(rest))
    })
}

/// Steps whose name, or whose option, may hold what reads as the next step.
fn may_be_one_name(step: &Step) -> bool {
    matches!(
        step,
        Step::Click { .. } | Step::Choose { .. } | Step::Toggle { .. } | Step::Operate { .. } | Step::Set { .. }
    )
}

/// Reads one clause in the language that it is written in.
fn clause(text: &str, quotes: &Quotes, lead: Option<&str>) -> Result<Parsed, Why> {
    let text = text.trim();
    let english = || english::clause(text, quotes).or_else(|why| with_lead(text, quotes, lead).ok_or(why));
    if !has_cjk(text) {
        return english();
    }
    if text.starts_with(|c: char| c.is_ascii_alphabetic())
        && let Ok(parsed) = english::clause(text, quotes)
    {
        return Ok(parsed);
    }
    let led = || lead.filter(|l| has_cjk(l)).and_then(|l| chinese::clause(&format!("{l}{text}"), quotes).ok());
    let says_all = |p: &Parsed| matches!(&p.step, Step::Type { into: Some(_), .. });
    chinese::clause(text, quotes).or_else(|why| led().filter(says_all).ok_or(why))
}

/// Reads `c into d` behind `type a into b`: with the same verb, when it says as much.
fn with_lead(text: &str, quotes: &Quotes, lead: Option<&str>) -> Option<Parsed> {
    let parsed = english::clause(&format!("{} {text}", lead.filter(|l| !has_cjk(l))?), quotes).ok()?;
    says_all(&parsed.step, text, lead).then_some(parsed)
}

/// Whether a step whose verb was left out says all that it needs, so that it is a step of its own.
fn says_all(step: &Step, text: &str, lead: Option<&str>) -> bool {
    match step {
        Step::Type { into, .. } => into.is_some(),
        Step::Choose { list, .. } => list.is_some(),
        Step::Set { .. } | Step::Verify { .. } => true,
        Step::Entry { said } => said.split_whitespace().count() < 12 && !english::begins_step(text),
        // `go to A, then to B`
        Step::Click { .. } if lead == Some("go") => text.starts_with("to "),
        // `open Settings and then the Profile tab`
        Step::Click { .. } => text.starts_with("the ") && english::ends_with_kind(text),
        Step::Either(steps) => steps.iter().all(|s| says_all(s, text, lead)),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
