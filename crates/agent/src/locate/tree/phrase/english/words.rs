//! The words of a marked text, and what can be taken off their ends.

use crate::locate::tree::phrase::quotes::is_mark;

/// One word, one quoted text or one sign of a marked text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    /// In lower case, without the signs around it.
    pub(crate) low: String,
    /// Where it stands in the marked text.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Word {
    pub(crate) fn is_sign(&self) -> bool {
        self.low.chars().all(|c| !c.is_alphanumeric() && !is_mark(c) && !matches!(c, '#' | '+' | '×' | '$' | '%' | '@'))
    }
    pub(crate) fn is_quote(&self) -> bool {
        self.low.chars().all(is_mark)
    }
}

pub(crate) fn words(marked: &str) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let chars: Vec<(usize, char)> = marked.char_indices().collect();
    let mut open: Option<usize> = None;
    let close = |from: Option<usize>, to: usize, out: &mut Vec<Word>| {
        if let Some(start) = from {
            out.push(Word { low: marked[start..to].to_lowercase().replace('’', "'"), start, end: to });
        }
    };
    for (n, &(at, c)) in chars.iter().enumerate() {
        let before = n.checked_sub(1).map_or(' ', |p| chars[p].1);
        let after = chars.get(n + 1).map_or(' ', |p| p.1);
        let alone = is_mark(c)
            || match c {
                ',' | '.' => !after.is_alphanumeric() || (c == ',' && !before.is_alphanumeric()),
                ':' | '!' | '?' => !after.is_alphanumeric() && !matches!(after, '/' | '\\'),
                ';' | '，' | '。' | '；' | '=' | '…' | '–' | '—' | '(' | ')' => true,
                _ => false,
            };
        if c.is_whitespace() {
            close(open.take(), at, &mut out);
        } else if alone {
            close(open.take(), at, &mut out);
            let end = at + c.len_utf8();
            out.push(Word { low: c.to_string(), start: at, end });
        } else if open.is_none() {
            open = Some(at);
        }
    }
    close(open, marked.len(), &mut out);
    out
}

pub(super) const ARTICLES: &[&str] = &["the", "a", "an", "my", "this", "that", "your", "our"];

pub(super) fn starts(words: &[Word], phrase: &str) -> Option<usize> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    (words.len() >= parts.len() && words.iter().zip(&parts).all(|(w, p)| w.low == *p)).then_some(parts.len())
}

pub(super) fn ends(words: &[Word], phrase: &str) -> Option<usize> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    let from = words.len().checked_sub(parts.len())?;
    words[from..].iter().zip(&parts).all(|(w, p)| w.low == *p).then_some(from)
}

pub(super) fn trim(mut words: &[Word]) -> &[Word] {
    while let [first, rest @ ..] = words
        && !rest.is_empty()
        && (first.is_sign() || ARTICLES.contains(&first.low.as_str()))
    {
        words = rest;
    }
    loop {
        let before = words.len();
        while let [rest @ .., last] = words
            && last.is_sign()
        {
            words = rest;
        }
        for filler in [
            "on the page",
            "on this page",
            "on the screen",
            "on screen",
            "on the current page",
            "in the page",
            "of the page",
            "from the page",
        ] {
            if let Some(at) = ends(words, filler)
                && at > 0
            {
                words = &words[..at];
            }
        }
        if let Some(at) = ["there", "below", "above", "please"].iter().find_map(|f| ends(words, f))
            && at > 0
        {
            words = &words[..at];
        }
        words = without_appearing(words);
        if words.len() == before {
            return words;
        }
    }
}

/// Takes `that opens`, `that appears` off: when it was said, it has to be there already.
fn without_appearing(words: &[Word]) -> &[Word] {
    for end in [
        "opens",
        "appears",
        "opened",
        "appeared",
        "pops up",
        "shows up",
        "comes up",
        "popped up",
        "drops down",
        "is shown",
        "is displayed",
        "has appeared",
        "has opened",
        "appears there",
        "just appeared",
        "you see",
    ] {
        for joint in ["that", "which"] {
            if let Some(at) = ends(words, &format!("{joint} {end}"))
                && at > 0
            {
                return &words[..at];
            }
        }
    }
    words
}

pub(super) trait StripWord {
    fn strip_prefix_word(&self, word: &str) -> Option<&Self>;
}

impl StripWord for [Word] {
    fn strip_prefix_word(&self, word: &str) -> Option<&Self> {
        match self {
            [first, rest @ ..] if first.low == word => Some(rest),
            _ => None,
        }
    }
}
