//! Descriptions of elements in plain English or Chinese, read into [`Wanted`].
//!
//! One phrase often has several readings: `Log in to the shop` is a name or something in a shop, `first name` is a field or
//! the first of several. They are kept in the order in which a person would try them: first the whole phrase as the name of
//! an element, then name and kind, then name, kind and place. Words are never dropped: a phrase that is not understood
//! becomes a name that no element has.

use super::{Purpose, RoleWord, Wanted, names};
use quotes::{Quotes, has_cjk};

pub(crate) mod chinese;
pub(crate) mod english;
pub(super) mod nouns;
pub(crate) mod quotes;

/// The name that stands for the element of the clause before.
pub(crate) const PRONOUN: &str = "\u{1}it";
/// The name that stands for the row or box of what was spoken of before: `that row`, `her row`. No element answers to it
/// unless the words before say what it is.
pub(crate) const REFERENT: &str = "\u{1}row";

/// Reads the description of one element. `None` when it speaks of several, or cannot be understood at all.
pub fn read(description: &str, purpose: Purpose) -> Option<Wanted> {
    let (marked, quotes) = Quotes::mark(description).ok()?;
    read_marked(&marked, &quotes, purpose)
}

pub(crate) fn read_marked(marked: &str, quotes: &Quotes, purpose: Purpose) -> Option<Wanted> {
    if has_cjk(marked) { chinese::read(marked, quotes, purpose) } else { english::read(marked, quotes, purpose) }
}

/// Joins readings into one description, each one the `or` of the one before.
fn chain(readings: Vec<Wanted>) -> Option<Wanted> {
    let mut joined: Option<Wanted> = None;
    let mut seen: Vec<&Wanted> = Vec::new();
    let unique: Vec<bool> = readings
        .iter()
        .map(|r| {
            let new = !seen.contains(&r);
            seen.push(r);
            new
        })
        .collect();
    for (reading, _) in readings.into_iter().zip(unique).rev().filter(|(_, unique)| *unique) {
        joined = Some(append(reading, joined));
    }
    joined
}

fn append(mut first: Wanted, rest: Option<Wanted>) -> Wanted {
    first.or = match first.or.take() {
        Some(or) => Some(Box::new(append(*or, rest))),
        None => rest.map(Box::new),
    };
    first
}

/// The role that `box` and the like stand for, by what is to be done with it.
pub(super) fn role_for(role: RoleWord, purpose: Purpose) -> RoleWord {
    match (role, purpose) {
        (RoleWord::Field, Purpose::Toggle) => RoleWord::Any,
        (RoleWord::List | RoleWord::Menu, Purpose::Choose) => RoleWord::Dropdown,
        (role, _) => role,
    }
}

/// The phrase as it was said, to be read against the page when no other reading is met there.
fn loosely(said: &str, purpose: Purpose) -> Option<Wanted> {
    let long = said.split_whitespace().count() > 1 || said.chars().filter(|c| names::is_cjk(*c)).count() > 2;
    let takes = !matches!(purpose, Purpose::Hold | Purpose::Read);
    (long && takes).then(|| Wanted { loose: true, ..Wanted::named(said.trim(), purpose) })
}

#[cfg(test)]
mod tests;
