//! What a model wrote to itself, apart from its answer: `<think>…</think><answer>…</answer>`.

use crate::read::tags::marks;

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
    let mut out = Blocks::default();
    let (mut thoughts, mut outside) = (Vec::new(), Vec::new());
    let mut answer: Option<&str> = None;
    // Where the text of the block, or outside of blocks, began.
    let (mut from, mut inside) = (0, None);
    for mark in marks(text, named) {
        let piece = &text[from..mark.span.start];
        match (inside, mark.tag, mark.closing) {
            (None, block, false) => {
                outside.push(piece);
                inside = Some(block);
            }
            // A block that was never opened reaches back to the start.
            (None | Some(Block::Think), Block::Think, true) => {
                thoughts.append(&mut outside);
                thoughts.push(piece);
                inside = None;
            }
            (Some(Block::Answer), Block::Answer, true) => {
                answer = Some(piece);
                inside = None;
            }
            // The thought was not closed, but here begins the answer.
            (Some(Block::Think), Block::Answer, false) => {
                thoughts.push(piece);
                inside = Some(Block::Answer);
            }
            _ => continue,
        }
        from = mark.span.end;
    }
    let last = &text[from..];
    match inside {
        Some(Block::Answer) => answer = Some(last),
        Some(Block::Think) => {
            out.open = true;
            outside.push(last);
        }
        None => outside.push(last),
    }
    out.has_tags = answer.is_some();
    if answer.is_some() {
        thoughts.append(&mut outside);
    }
    let joined = |pieces: Vec<&str>| {
        let pieces: Vec<&str> = pieces.into_iter().map(str::trim).filter(|p| !p.is_empty()).collect();
        pieces.join("\n")
    };
    out.thought = joined(thoughts);
    out.answer = answer.map_or_else(|| joined(outside), |answer| answer.trim().to_owned());
    out
}
