//! What a model wrote to itself, apart from its answer: `<think>…</think><answer>…</answer>`.

use crate::read::tags::{Mark, marks};

/// A reply, taken apart.
#[derive(Debug, Default, PartialEq)]
pub(in crate::read) struct Blocks {
    /// What stands in thinking blocks, and in front of an answer in tags.
    pub(in crate::read) thought: String,
    /// What stands in the last `<answer>`; without one, what stands outside of thinking blocks.
    pub(in crate::read) answer: String,
    /// The answer has its tags.
    pub(in crate::read) has_tags: bool,
    /// A thinking block was not closed, so the answer may be a draft.
    pub(in crate::read) open: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Block {
    Think,
    Answer,
}

/// Words that some servers leave at the end of a reply.
const ENDINGS: [&str; 4] = ["[EOS]", "<|im_end|>", "<|endoftext|>", "</s>"];

pub(in crate::read) fn blocks(reply: &str) -> Blocks {
    let mut text = reply.trim();
    while let Some(shorter) = ENDINGS.iter().find_map(|ending| text.strip_suffix(ending)) {
        text = shorter.trim_end();
    }
    let named = |name: &str, open: char| match name {
        "think" | "thinking" => Some(Block::Think),
        "answer" if open != '[' => Some(Block::Answer),
        _ => None,
    };
    let found = marks(text, named);
    // All in front of the last end of a thought is thought, drafts of answers too, whether it was opened or not.
    let end = found.iter().rposition(|mark| mark.tag == Block::Think && mark.closing).map_or(0, |last| last + 1);
    let (thought, rest) = found.split_at(end);
    let from = thought.last().map_or(0, |mark| mark.span.end);
    let mut thoughts = pieces(text, 0, thought, thought.last().map_or(0, |mark| mark.span.start));
    let opens = |block: Block| rest.iter().rposition(|mark| mark.tag == block && !mark.closing);
    let depth = |closing: bool| found.iter().filter(|m| m.tag == Block::Think && m.closing == closing).count();
    let open = depth(false) > depth(true);
    let mut out = Blocks { has_tags: opens(Block::Answer).is_some(), open, ..Blocks::default() };
    if let Some(open) = opens(Block::Answer) {
        let (before, after) = rest.split_at(open);
        thoughts.extend(pieces(text, from, before, after[0].span.start));
        let close = after.iter().find(|mark| mark.tag == Block::Answer && mark.closing);
        let answer = &text[after[0].span.end..close.map_or(text.len(), |mark| mark.span.start)];
        out.answer.push_str(answer.trim());
    } else {
        out.answer = pieces(text, from, rest, text.len()).join("\n");
    }
    out.thought = thoughts.join("\n");
    out
}

/// What stands from there to the end, without the marks between.
fn pieces<'t>(text: &'t str, from: usize, marks: &[Mark<'_, Block>], end: usize) -> Vec<&'t str> {
    let starts = std::iter::once(from).chain(marks.iter().map(|mark| mark.span.end));
    let ends = marks.iter().map(|mark| mark.span.start).chain([end]);
    let pieces = starts.zip(ends).filter_map(|(start, end)| text.get(start..end));
    pieces.map(str::trim).filter(|piece| !piece.is_empty()).collect()
}
