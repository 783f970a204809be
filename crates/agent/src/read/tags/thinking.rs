//! Thinking blocks: what a reasoning model wrote to itself, drafts of answers included.

use super::{Tag, marks};
use std::borrow::Cow;

/// Removes thinking blocks and says so.
///
/// A block that was never opened reaches back to the start. A block that is never closed ends where the answer begins: at the
/// last `<thought>` or `<planning>` at the start of a line, else the last such `<log>`, else the last such `<complete>` or `<error>`.
///
/// ```
/// use handeye_agent::read::tags::without_thinking;
/// let (text, repairs) = without_thinking("so I tap it</think>\n<log>Tap it</log>");
/// assert_eq!((text.trim(), repairs.len()), ("<log>Tap it</log>", 1));
/// ```
pub fn without_thinking(text: &str) -> (Cow<'_, str>, Vec<String>) {
    let mut kept: Vec<&str> = Vec::new();
    let mut repairs = Vec::new();
    let mut say = |what: &str| {
        if !repairs.iter().any(|r| r == what) {
            repairs.push(what.to_owned());
        }
    };
    // Where the text outside of blocks goes on, and where an open block began.
    let (mut from, mut block) = (0, None);
    let first = marks(text, |name, _| Tag::named(name)).first().map_or(text.len(), |m| m.span.start);
    for mark in marks(text, is_thinking) {
        match (block, mark.closing) {
            (None, false) if !mark.self_closed && (mark.span.start < first || stands_free(text, mark.span.start)) => {
                kept.push(&text[from..mark.span.start]);
                block = Some(mark.span.end);
            }
            (Some(_), true) => {
                say("removed a thinking block");
                (from, block) = (mark.span.end, None);
            }
            (None, true) if !text[mark.span.end..].starts_with(['"', '”', '\'']) => {
                say("removed everything before the end of a thinking block");
                kept.clear();
                from = mark.span.end;
            }
            _ => {}
        }
    }
    match block {
        None => kept.push(&text[from..]),
        Some(start) => {
            say("removed a thinking block that was not closed");
            kept.extend(answer_after(&text[start..]));
        }
    }
    if repairs.is_empty() { (Cow::Borrowed(text), repairs) } else { (Cow::Owned(kept.concat()), repairs) }
}

fn is_thinking(name: &str, open: char) -> Option<()> {
    let known = matches!(name, "think" | "thinking" | "reasoning");
    // `[THINK]` is a marker of one family; other words in square brackets are prose.
    (known && (open != '[' || name == "think")).then_some(())
}

/// At the start of a line or behind another tag: not inside a sentence or a text to be typed.
pub(in crate::read) fn stands_free(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with(['\n', '>', '＞'])
}

/// The answer behind an unfinished block.
fn answer_after(draft: &str) -> Option<&str> {
    let found = marks(draft, |name, open| Tag::named(name).filter(|_| open == '<'));
    let starts_line = |at: usize| {
        let before = draft[..at].trim_end_matches([' ', '\t']);
        before.ends_with('\n')
    };
    let last = |kinds: &[Tag]| {
        let of_kind = found.iter().rev().filter(|m| !m.closing && kinds.contains(&m.tag));
        of_kind.map(|m| m.span.start).find(|at| starts_line(*at))
    };
    let at = last(&[Tag::Thought, Tag::Planning])
        .or_else(|| last(&[Tag::Log]))
        .or_else(|| last(&[Tag::Complete, Tag::Error]))?;
    Some(&draft[at..])
}
