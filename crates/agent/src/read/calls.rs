//! Calls with literal arguments, as models that were trained on a grammar of calls write them:
//! `click(start_box='(500,250)')`, `do(action="Tap", element=[500, 250])`.
//!
//! A call is read, never evaluated: a name, and arguments that are texts, numbers or lists. Raw quotes inside a text are taken
//! as they stand where the end of the text is plain; where it is not, and where a call is not closed, nothing is read.

mod blocks;
mod literal;
#[cfg(test)]
mod properties;
#[cfg(test)]
pub(super) mod tests;
mod values;

pub(super) use blocks::blocks;
pub(super) use literal::{Arg, Literal};
pub(super) use values::{brief, millis, params, place, text};

use super::reply::Misread;
use handeye_core::text::clip;
use handeye_core::{Action, Finish, Target};
use std::ops::Range;

/// What a reply in a grammar of calls says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallsReply {
    pub thought: String,
    /// In order; they are one batch.
    pub actions: Vec<Action<Target>>,
    /// The end: whether the goal is met, and the answer.
    pub complete: Option<(bool, String)>,
    /// The reply as the grammar has it, without what was left out: for the conversation.
    pub said: String,
    /// One short text for each thing that had to be mended.
    pub repairs: Vec<String>,
}

impl CallsReply {
    pub(super) fn mended(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.repairs.contains(&what) {
            self.repairs.push(what);
        }
    }
}

/// One call as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call<'a> {
    pub(super) name: &'a str,
    pub(super) args: Vec<Arg>,
    span: Range<usize>,
}

impl Call<'_> {
    /// There are no other arguments than these, each once: `text` are names of one and the same. Else what looks like an
    /// argument may be a part of that text.
    pub(super) fn only(&self, text: &[&str], others: &[&str]) -> Result<(), Misread> {
        let names: Vec<&str> = self.args.iter().map(|arg| arg.key.as_str()).collect();
        let of_text = names.iter().filter(|name| text.contains(name)).count();
        let strange = names
            .iter()
            .enumerate()
            .find(|(i, name)| !text.contains(name) && !others.contains(name) || names[..*i].contains(name));
        let strange = strange.map(|(_, name)| *name).or_else(|| names.last().copied().filter(|_| of_text > 1));
        strange.map_or(Ok(()), |name| {
            Err(Misread::new(format!(
                "`{}` in `{}(…)` is no argument of it, or was given twice; inside a text write \\\" or \\' for a quote",
                clip(name, 40),
                self.name
            )))
        })
    }
    /// The same call without its arguments under these names.
    pub(super) fn without(&self, names: &[&str]) -> Self {
        let args = self.args.iter().filter(|arg| !names.contains(&arg.key.as_str())).cloned().collect();
        Self { args, ..self.clone() }
    }
    /// The argument under the first of these names that it has. The empty name is for an argument without one.
    pub(super) fn arg(&self, names: &[&str]) -> Option<&Literal> {
        let named =
            |name: &&str| self.args.iter().position(|a| a.key == *name).filter(|at| *at == 0 || !name.is_empty());
        names.iter().find_map(named).map(|at| &self.args[at].value)
    }
}

/// The calls of a reply, which stand together.
#[derive(Debug, PartialEq)]
pub(super) struct Group<'a> {
    /// At least one.
    pub(super) calls: Vec<Call<'a>>,
    /// Words stand before or behind them.
    pub(super) has_words: bool,
    /// From the first to the last.
    pub(super) said: &'a str,
}

/// Finds the calls of a text: those whose names are verbs, and any that stands where one is due, at the start or behind
/// another call. `None` when there is no call.
///
/// # Errors
/// A call that is not closed, texts whose end is unclear, calls with words between them, and a call that is only talked about.
pub(super) fn group<'a>(
    text: &'a str,
    finish: Finish,
    is_verb: impl Fn(&str) -> bool,
) -> Result<Option<Group<'a>>, Misread> {
    let mut calls: Vec<Call<'a>> = Vec::new();
    let start = separators(text, 0);
    let mut due = start;
    while let Some(name) = next_name(text, due, &is_verb) {
        if !calls.is_empty() && name.start != due {
            return Err(Misread::new(
                "the reply holds actions with words between them, so it is not clear which are meant; write what is to be done \
                 now, and nothing behind it",
            ));
        }
        let call = literal::call(text, name)?;
        due = separators(text, call.span.end);
        calls.push(call);
    }
    let (Some(first), Some(last)) = (calls.first(), calls.last()) else { return Ok(None) };
    let cut = finish == Finish::Length;
    if cut && (due < text.len() || last.args.iter().any(|a| a.value.has_raw_quotes())) {
        return Err(Misread::cut(&format!("what follows `{}(…)`", last.name)));
    }
    let before = &text[..first.span.start];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let stands_free = first.span.start == start || separators(line, 0) == line.len();
    if !stands_free && (cut || due < text.len()) {
        return Err(Misread::new(format!(
            "`{}(…)` stands inside a sentence, so it is not clear whether it is meant; write it on a line of its own",
            last.name
        )));
    }
    let next = calls.iter().skip(1).map(|call| call.span.start).chain([text.len()]);
    if calls.iter().zip(next).any(|(call, next)| closes_again(&text[call.span.end..next])) {
        return Err(Misread::new(format!(
            "it is not clear where `{}(…)` ends; write nothing behind it, and inside a text \\\" or \\' for a quote",
            last.name
        )));
    }
    let said = &text[first.span.start..last.span.end];
    let has_words = first.span.start != start || due < text.len();
    Ok(Some(Group { calls, has_words, said }))
}

/// Words behind a call that could be the rest of a text in it: they end as a call with a text does.
fn closes_again(words: &str) -> bool {
    let mut before = ' ';
    for c in words.chars().filter(|c| !c.is_whitespace()) {
        if matches!(c, ')' | '）') && matches!(before, '"' | '\'' | '”' | '’') {
            return true;
        }
        before = c;
    }
    false
}

/// Behind what may stand between two calls: blanks, commas, semicolons, backticks, numbers of a list, comments.
fn separators(text: &str, from: usize) -> usize {
    let mut at = from;
    let mut starts_line = from == 0 || text[..from].ends_with('\n');
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        at += if c.is_whitespace() {
            starts_line |= c == '\n';
            c.len_utf8()
        } else if starts_line && c == '-' {
            1
        } else if starts_line && (1..=2).contains(&digits) && rest[digits..].starts_with(['.', ')']) {
            digits + 1
        } else if matches!(c, ',' | ';' | '，' | '；' | '`' | '*') {
            starts_line = false;
            c.len_utf8()
        } else if c == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            return at;
        };
    }
    at
}

/// The name of the next call: the one that is due, whatever its name, or the next one that is a verb.
fn next_name(text: &str, due: usize, is_verb: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut from = due;
    while let Some(open) = text[from..].find(['(', '（']).map(|at| from + at) {
        let before = &text[due..open];
        let blanks = before.len() - before.trim_end_matches(' ').len();
        let name = before.trim_end_matches(' ');
        let start =
            due + name.rfind(|c| !is_name(c)).map_or(0, |at| at + name[at..].chars().next().map_or(1, char::len_utf8));
        let range = start..open - blanks;
        let is_name = (1..=40).contains(&range.len());
        let is_due = range.start == due;
        // `click (the button)` in a sentence is none.
        let is_call = |verb: bool| if verb { is_due || blanks == 0 } else { is_due && blanks == 0 };
        if is_name && is_call(is_verb(&text[range.clone()])) {
            return Some(range);
        }
        from = open + if text[open..].starts_with('(') { 1 } else { '（'.len_utf8() };
    }
    None
}

/// Whether two names of a verb are one, whatever their case, blanks and signs: `Double Tap` and `double_tap`.
pub(super) fn same_name(a: &str, b: &str) -> bool {
    let letters = |name| str::chars(name).filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    letters(a).eq(letters(b))
}
