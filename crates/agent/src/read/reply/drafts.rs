//! A reply that holds several answers: drafts that were thought better of, and the one that is meant.
//!
//! Models wrap what they only consider in whatever they were trained with, so no list of wrappers is ever complete. What all
//! drafts have in common: something stands between them and the answer that is no part of an answer. Steps that are meant to
//! be done one after the other follow each other with nothing between.

use super::{Misread, Reading, actions, is_meant, is_talked_about};
use crate::read::tags::{Tag, Tagged};

/// The tags of the answer that is meant: the last one, when it begins with a thought of its own.
///
/// # Errors
/// [`Misread`] when there are several and none of them shows that it replaces the others.
pub(super) fn without<'f, 'a>(
    reading: &mut Reading<'_>,
    found: &'f [Tagged<'a>],
    text: &str,
) -> Result<&'f [Tagged<'a>], Misread> {
    let acts = found.iter().any(|t| t.tag == Tag::ActionType && !actions::is_no_verb(t.text));
    let decides = |i: usize| match found[i].tag {
        Tag::ActionType => !actions::is_no_verb(found[i].text) && !is_talked_about(found, i, text, reading.finish),
        Tag::Complete => is_meant(&found[i], text, acts) && !is_talked_about(found, i, text, reading.finish),
        _ => false,
    };
    if !acts {
        // Of several ends the last one counts, whatever stands between.
        return Ok(found);
    }
    let decisions: Vec<usize> = (0..found.len()).filter(|i| decides(*i)).collect();
    let is_apart = |from: usize, to: usize| {
        let first = if matches!(found[from + 1].tag, Tag::ActionParams) { from + 2 } else { from + 1 };
        (first..=to).any(|i| is_prose(text.get(found[i - 1].span.end..found[i].span.start).unwrap_or_default()))
    };
    let Some(&[before, decision]) = decisions.array_windows().rev().find(|[a, b]| is_apart(*a, *b)) else {
        return Ok(found);
    };
    let thinks = |i: &usize| matches!(found[*i].tag, Tag::Thought | Tag::Planning);
    let Some(start) = (before + 1..decision).rev().find(thinks) else {
        return Err(Misread::new(
            "the reply holds several answers with text between them, so it is not clear which one is meant; write one answer \
             and nothing else: a thought, a log, and the action",
        ));
    };
    reading.mended("took the last of several answers");
    Ok(&found[start..])
}

/// Says something, beside marks of lists and fences.
fn is_prose(gap: &str) -> bool {
    gap.lines().any(|line| !line.trim_start().starts_with("```") && line.contains(char::is_alphabetic))
}
