//! XML-like tags as models write them.
//!
//! Names match in any case, with blanks, attributes, underscores for hyphens and full-width brackets. A tag that is not closed
//! ends at the next known tag or at the end. Tags that stand inside another one belong to its text: a draft in a thought is no
//! action. [`without_thinking`] removes the blocks in which reasoning models try out answers.
//!
//! ```
//! use handeye_agent::read::tags::{self, Tag};
//! let (text, _) = tags::without_thinking("<think>draft <log>old</log></think><LOG >new");
//! let found = tags::scan(&text);
//! let log = tags::last(&found, Tag::Log).expect("a log");
//! assert_eq!((log.text, log.closed), ("new", false));
//! ```

mod marks;
#[cfg(test)]
mod tests;
mod thinking;

pub use marks::attribute;
pub(super) use marks::{Mark, marks};
use std::ops::Range;
pub(super) use thinking::stands_free;
pub use thinking::without_thinking;

/// The tags of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    Thought,
    Planning,
    Log,
    Memory,
    UpdatePlan,
    MarkDone,
    Complete,
    Error,
    ActionType,
    ActionParams,
}

const COUNT: usize = 10;

impl Tag {
    /// By name without case, hyphens and underscores.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "thought" => Self::Thought,
            "planning" => Self::Planning,
            "log" => Self::Log,
            "memory" => Self::Memory,
            "updateplancontent" => Self::UpdatePlan,
            "marksubgoaldone" => Self::MarkDone,
            "complete" => Self::Complete,
            "error" => Self::Error,
            "actiontype" => Self::ActionType,
            "actionparamjson" | "actionparamsjson" | "actionparam" | "actionparams" => Self::ActionParams,
            _ => return None,
        })
    }

    /// As the protocol writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Thought => "thought",
            Self::Planning => "planning",
            Self::Log => "log",
            Self::Memory => "memory",
            Self::UpdatePlan => "update-plan-content",
            Self::MarkDone => "mark-sub-goal-done",
            Self::Complete => "complete",
            Self::Error => "error",
            Self::ActionType => "action-type",
            Self::ActionParams => "action-param-json",
        }
    }
}

/// A tag that was found, and what stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tagged<'a> {
    pub tag: Tag,
    /// What stands between the name and `>`.
    pub attributes: &'a str,
    /// Without blanks at the ends, and without the piece of a closing tag at the end of the reply.
    pub text: &'a str,
    /// It has its closing tag.
    pub closed: bool,
    /// From `<` of the opening tag to behind the closing one, in bytes of the scanned text.
    pub span: Range<usize>,
}

/// The last tag of a kind: what stands before it was thought better of.
pub fn last<'f, 'a>(found: &'f [Tagged<'a>], tag: Tag) -> Option<&'f Tagged<'a>> {
    found.iter().rfind(|t| t.tag == tag)
}

/// What stands outside of all tags that were found, line breaks between the pieces.
pub fn outside(text: &str, found: &[Tagged<'_>]) -> String {
    let mut pieces = Vec::new();
    let mut at = 0;
    for tagged in found {
        pieces.push(text.get(at..tagged.span.start).unwrap_or_default());
        at = tagged.span.end;
    }
    pieces.push(text.get(at..).unwrap_or_default());
    pieces.retain(|p| !p.trim().is_empty());
    pieces.join("\n")
}

/// Finds the known tags that are not inside another one, in order.
pub fn scan(text: &str) -> Vec<Tagged<'_>> {
    let marks = marks(text, |name, open| Tag::named(name).filter(|_| matches!(open, '<' | '＜')));
    let ends = ends(&marks);
    let mut found = Vec::new();
    let mut i = 0;
    while let Some(mark) = marks.get(i) {
        if mark.closing {
            i += 1;
            continue;
        }
        let from = mark.span.end;
        let end = match mark.tag {
            _ if mark.self_closed => End { text: from, tag: from, next: i + 1, closed: true },
            Tag::ActionParams => params_end(text, &marks, i),
            _ => match (ends[i].close, ends[i].reopen) {
                (Some(c), reopen) if reopen.is_none_or(|r| c < r) => End::closed(&marks, c),
                _ => End::before(text, &marks, i + 1),
            },
        };
        let inner = text.get(from..end.text).unwrap_or_default();
        let inner = if end.closed || end.text < text.len() { inner } else { without_torn_tag(inner) };
        found.push(Tagged {
            tag: mark.tag,
            attributes: mark.attributes,
            text: inner.trim(),
            closed: end.closed,
            span: mark.span.start..end.tag,
        });
        i = end.next;
    }
    found
}

/// Where a tag ends: its text, the tag itself, and the mark to go on with.
struct End {
    text: usize,
    tag: usize,
    next: usize,
    closed: bool,
}

impl End {
    fn closed(marks: &[Mark<'_, Tag>], close: usize) -> Self {
        let span = &marks[close].span;
        Self { text: span.start, tag: span.end, next: close + 1, closed: true }
    }
    /// Half open: up to the mark, or to the end.
    fn before(text: &str, marks: &[Mark<'_, Tag>], next: usize) -> Self {
        let at = marks.get(next).map_or(text.len(), |m| m.span.start);
        Self { text: at, tag: at, next, closed: false }
    }
}

/// For each mark the next closing and the next opening one of its kind.
#[derive(Clone, Copy, Default)]
struct Partners {
    close: Option<usize>,
    reopen: Option<usize>,
}

fn ends(marks: &[Mark<'_, Tag>]) -> Vec<Partners> {
    let mut seen = [Partners::default(); COUNT];
    let mut out = vec![Partners::default(); marks.len()];
    for (i, mark) in marks.iter().enumerate().rev() {
        let kind = &mut seen[mark.tag as usize];
        out[i] = *kind;
        if mark.closing {
            kind.close = Some(i);
        } else {
            kind.reopen = Some(i);
        }
    }
    out
}

/// The end of parameters. A text in them may hold tags, so an end counts only where JSON can end.
fn params_end(text: &str, marks: &[Mark<'_, Tag>], open: usize) -> End {
    let from = marks[open].span.end;
    let can_end = |m: &Mark<'_, Tag>| {
        let before = text.get(from..m.span.start).unwrap_or_default().trim_end();
        before.is_empty() || before.ends_with(['}', ']', ')', '｝', '］', '】', '`'])
    };
    let goes_on = |m: &Mark<'_, Tag>| {
        let after = text.get(m.span.end..).unwrap_or_default().trim_start();
        after.is_empty() || after.starts_with(['<', '＜', '`'])
    };
    let mut first_close = None;
    for (i, mark) in marks.iter().enumerate().skip(open + 1) {
        match (mark.tag, mark.closing) {
            (Tag::ActionParams, true) if can_end(mark) && goes_on(mark) => return End::closed(marks, i),
            (Tag::ActionParams, true) => {
                first_close.get_or_insert(i);
            }
            (Tag::ActionParams | Tag::ActionType, false) if first_close.is_some() => break,
            (_, false) if can_end(mark) && first_close.is_none() => return End::before(text, marks, i),
            (Tag::ActionParams, false) => return End::before(text, marks, i),
            _ => {}
        }
    }
    first_close.map_or_else(|| End::before(text, marks, marks.len()), |i| End::closed(marks, i))
}

/// Drops `</action-param-js` at the end.
fn without_torn_tag(text: &str) -> &str {
    let Some(at) = text.rfind(['<', '＜']) else { return text };
    let tail = text[at..].trim_start_matches(['<', '＜']);
    let name = tail.trim_start_matches('/');
    let is_piece = name.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_'));
    if is_piece && (name.is_empty() || is_start_of_a_name(name)) { &text[..at] } else { text }
}

fn is_start_of_a_name(piece: &str) -> bool {
    let piece = piece.to_ascii_lowercase().replace('_', "-");
    const ALL: [Tag; COUNT] = [
        Tag::Thought,
        Tag::Planning,
        Tag::Log,
        Tag::Memory,
        Tag::UpdatePlan,
        Tag::MarkDone,
        Tag::Complete,
        Tag::Error,
        Tag::ActionType,
        Tag::ActionParams,
    ];
    ALL.iter().any(|t| t.name().starts_with(&piece))
}
