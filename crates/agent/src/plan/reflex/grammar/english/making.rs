//! Clauses that make something new and say what it is like: `create a new ticket`, `give it the title "Tea"`.

use super::{Cx, Parsed, Word, patterns, slice, starts, target, value};
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::step::Step;

pub(super) fn read(cx: &Cx<'_>, body: &[Word]) -> Option<Parsed> {
    named(cx, body).or_else(|| given(cx, body)).or_else(|| made(cx, body).map(Parsed::from))
}

/// The noun of `a new NOUN` behind a verb that makes one.
pub(super) fn made_thing(body: &[Word]) -> Option<&[Word]> {
    const MAKES: &[&str] = &["make", "create", "start", "begin", "set up", "add", "open", "compose", "write"];
    let used = MAKES.iter().find_map(|v| starts(body, v))?;
    let rest = &body[used..];
    let (article, thing) = rest.split_first()?;
    let (new, thing) = match thing {
        [new, thing @ ..] if matches!(new.low.as_str(), "new" | "fresh") => (true, thing),
        all => (false, all),
    };
    let sure = new || matches!(body[0].low.as_str(), "make" | "create");
    let plain = |w: &Word| w.low.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    let noun = (1..=3).contains(&thing.len()) && thing.iter().all(plain);
    (matches!(article.low.as_str(), "a" | "an" | "another") && sure && noun).then_some(thing)
}

/// `make a new ticket`: the control for it, by the names that such controls have.
fn made(cx: &Cx<'_>, body: &[Word]) -> Option<Step> {
    let thing = slice(cx, made_thing(body)?);
    let names = [
        slice(cx, body).to_owned(),
        format!("create {thing}"),
        format!("add {thing}"),
        format!("create new {thing}"),
        format!("create a {thing}"),
        format!("create a new {thing}"),
        format!("add new {thing}"),
        format!("add a {thing}"),
        format!("add a new {thing}"),
        format!("start new {thing}"),
        format!("new {thing}"),
    ];
    // `compose a new message`: the button may say no more than the verb.
    let verb = matches!(body[0].low.as_str(), "compose" | "write").then(|| body[0].low.clone());
    let mut wanted: Option<Wanted> = None;
    for name in names.into_iter().chain(verb).collect::<Vec<_>>().into_iter().rev() {
        wanted = Some(patterns::join(Wanted { strict: true, ..Wanted::named(name, Purpose::Click) }, wanted));
    }
    wanted.map(patterns::click)
}

/// `name it Tea`, `call it Tea`.
fn named(cx: &Cx<'_>, body: &[Word]) -> Option<Parsed> {
    let [verb, it, text @ ..] = body else { return None };
    let field = match verb.low.as_str() {
        "name" | "call" => ["name", "title"],
        "title" => ["title", "name"],
        _ => return None,
    };
    if it.low != "it" || text.is_empty() || (text.len() > 1 && text.iter().any(Word::is_quote)) {
        return None;
    }
    let [first, second] = field.map(|f| Wanted::named(f, Purpose::Type));
    let into = Some(patterns::join(first, Some(second)));
    Some(Step::Type { text: value(cx, text), into, append: false }.into())
}

/// `give it the title "Tea"`, `give it a priority of High`.
fn given(cx: &Cx<'_>, body: &[Word]) -> Option<Parsed> {
    let used = starts(body, "give it").or(starts(body, "give the new one"))?;
    let (article, said) = body[used..].split_first()?;
    if !matches!(article.low.as_str(), "the" | "a" | "an") || said.len() < 2 {
        return None;
    }
    let lead = Some("give it the".to_owned());
    let split = said.iter().position(|w| matches!(w.low.as_str(), "of" | ":" | "=") || w.is_quote());
    let step = match split {
        Some(at) if at > 0 && at < said.len() => {
            let text = if said[at].is_quote() { &said[at..] } else { &said[at + 1..] };
            let quoted = text.iter().any(Word::is_quote);
            if text.is_empty() || quoted && text.len() > 1 {
                return None;
            }
            Step::Set { target: target(cx, &said[..at], Purpose::Type)?, value: value(cx, text), quoted }
        }
        Some(_) => return None,
        None => Step::Entry { said: slice(cx, said).to_owned() },
    };
    Some(Parsed { step, lead, declared: false })
}
