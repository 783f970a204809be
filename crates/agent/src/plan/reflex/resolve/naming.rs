//! How a description is named in a message.

use super::super::messages as say;
use crate::language::Language;
use crate::locate::tree::{self, RoleWord, Wanted};

/// How a description is named in a message.
pub(super) fn said_as(language: Language, wanted: &Wanted) -> String {
    let mut reading = wanted;
    while reading.strict
        && let Some(or) = &reading.or
    {
        reading = or;
    }
    let role = reading.role.filter(|r| *r != RoleWord::Any).map(|r| language.say(r.said(), &[]));
    let name = if reading.words.is_empty() { String::new() } else { language.words(&reading.words) };
    let mut out = match (name.is_empty(), role) {
        (false, Some(role)) => language.say(say::THE_KIND_NAMED, &[&role, &name]),
        (true, Some(role)) => language.say(say::THE_KIND, &[&role]),
        _ => name,
    };
    if let Some(ordinal) = reading.ordinal {
        out = match ordinal {
            tree::Ordinal::Nth(n) => language.say(say::NTH, &[&n.to_string(), &out]),
            tree::Ordinal::FromEnd(n) => language.say(say::NTH_FROM_END, &[&n.to_string(), &out]),
        };
    }
    if let Some(place) = &reading.within {
        out = language.say(say::INSIDE, &[&out, &said_as(language, place)]);
    }
    if let Some((relation, anchor)) = &reading.near {
        let words = match relation {
            tree::Relation::NextTo => say::NEXT_TO,
            tree::Relation::RightOf => say::RIGHT_OF,
            tree::Relation::LeftOf => say::LEFT_OF,
            tree::Relation::Above => say::ABOVE,
            tree::Relation::Below => say::BELOW,
            tree::Relation::For => say::OF,
        };
        out = language.say(words, &[&out, &said_as(language, anchor)]);
    }
    out
}
