//! Where a clause must end, and where it may.

use crate::locate::tree::phrase::quotes::{has_cjk, is_mark};

/// A place between two clauses, or so it seems: the separator's own text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) start: usize,
    pub(super) end: usize,
    /// No clause reaches over it.
    pub(super) is_strong: bool,
}

/// Words that begin a new clause wherever they stand alone.
const STRONG_EN: &[&str] =
    &["and then", "then", "and after that", "after that", "afterwards", "and afterwards", "and finally", "followed by"];
const WEAK_EN: &[&str] = &["and also", "and", "&", "finally", "lastly", "plus"];
const STRONG_ZH: &[&str] = &["然后再", "然后", "接着再", "紧接着", "接着", "随后", "接下来", "而后", "之后再", "其次"];
const WEAK_ZH: &[&str] = &["并且", "以及", "之后", "以后", "最后", "同时", "并", "再", "后", "和", "与", "及"];

/// The parts of a goal that are parted for certain: lines, numbered steps, sentences that end with `。` or a semicolon.
pub(super) fn stretches(text: &str) -> Vec<(usize, usize)> {
    let mut bounds = vec![0];
    for (at, c) in text.char_indices() {
        if matches!(c, '\n' | '\r' | ';' | '；' | '。' | '！') {
            bounds.push(at);
            bounds.push(at + c.len_utf8());
        }
    }
    for (start, end) in numbers(text) {
        bounds.push(start);
        bounds.push(end);
    }
    bounds.push(text.len());
    bounds.sort_unstable();
    let mut out = Vec::new();
    let mut from = 0;
    let skip = numbers(text);
    for &to in &bounds {
        if to > from {
            let is_number = skip.iter().any(|&(s, e)| s <= from && to <= e);
            let lead = bullet(&text[from..to]);
            let piece = &text[from + lead..to];
            let says_something = piece.chars().any(|c| c.is_alphanumeric() || is_mark(c));
            if !is_number && says_something {
                out.push((from + lead, to));
            }
        }
        from = from.max(to);
    }
    out
}

/// The length of a list mark at the beginning of a line.
fn bullet(line: &str) -> usize {
    let trimmed = line.trim_start();
    let lead = line.len() - trimmed.len();
    for mark in ["- ", "* ", "• ", "– ", "·"] {
        if let Some(rest) = trimmed.strip_prefix(mark) {
            return line.len() - rest.len();
        }
    }
    lead
}

/// The numbers of a list: `1. … 2. …`, `1) …`, `(1) …`, `step 1: …`, `第一步：…`, `①…`. They count from one upwards.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut next = 1;
    let mut at = 0;
    while at < text.len() {
        if !text.is_char_boundary(at) {
            at += 1;
            continue;
        }
        let before = text[..at].chars().next_back();
        let at_start = before.is_none_or(|c| c.is_whitespace() || "：:，,。.；;、）)".contains(c) || is_mark(c));
        if at_start && let Some(len) = number_mark(&text[at..], next) {
            out.push((at, at + len));
            next += 1;
            at += len;
            continue;
        }
        at += 1;
    }
    // A list begins with its first number, or behind a few words that announce it.
    let announced = out.first().is_some_and(|(start, _)| {
        let lead = text[..*start].trim();
        lead.is_empty() || lead.ends_with([':', '：']) && lead.chars().count() < 60 && announces(lead)
    });
    if announced && (out.len() > 1 || out.first().is_some_and(|(s, _)| text[..*s].trim().is_empty())) {
        if let Some((start, _)) = out.first().copied()
            && start > 0
        {
            out.insert(0, (0, start));
        }
        return out;
    }
    Vec::new()
}

/// Words before a list that only say that it comes; anything else might be a step and must not be lost.
fn announces(lead: &str) -> bool {
    let lead = lead.to_lowercase();
    let words = [
        "步骤",
        "操作",
        "如下",
        "以下",
        "下面",
        "顺序",
        "流程",
        "step",
        "following",
        "do this",
        "in order",
        "instruction",
        "please",
    ];
    words.iter().any(|w| lead.contains(w))
}

fn number_mark(text: &str, n: u32) -> Option<usize> {
    const CIRCLED: &str = "①②③④⑤⑥⑦⑧⑨⑩";
    if let Some(rest) = CIRCLED.chars().nth(n as usize - 1).and_then(|c| text.strip_prefix(c)) {
        return Some(text.len() - rest.trim_start().len());
    }
    let lower = text.get(..8).unwrap_or(text).to_lowercase();
    let step = if lower.starts_with("step ") {
        5
    } else if text.starts_with("步骤") {
        "步骤".len()
    } else {
        0
    };
    let rest = &text[step..];
    let rest = if step > 0 { rest.trim_start() } else { rest };
    if let Some(after) = rest.strip_prefix('第') {
        let end = after.find('步')?;
        if super::values::number(&after[..end]) != Some(n) {
            return None;
        }
        let after = after[end + '步'.len_utf8()..].trim_start();
        let after = after.strip_prefix(['：', ':', '，', ',', '、']).unwrap_or(after);
        return Some(text.len() - after.len());
    }
    let (rest, bracket) = match rest.strip_prefix(['(', '（']) {
        Some(inner) => (inner, true),
        None => (rest, false),
    };
    let after = rest.strip_prefix(n.to_string().as_str())?;
    let mark = after.chars().next();
    let signed = match mark {
        Some('.' | ')' | '、' | '）' | '．') => true,
        Some(':' | '：') => step > 0,
        Some(c) if step > 0 => c.is_whitespace() || has_cjk(after.get(..c.len_utf8()).unwrap_or("")),
        _ => false,
    };
    if !signed || (bracket && !matches!(mark, Some(')' | '）'))) {
        return None;
    }
    let after = &after[mark.map_or(0, char::len_utf8)..];
    // `1.5` is no mark.
    if after.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    Some(text.len() - after.trim_start().len())
}

/// The separators of one stretch, in order; neighbours are one.
pub(super) fn cuts(text: &str, (from, to): (usize, usize)) -> Vec<Cut> {
    let mut found: Vec<Cut> = Vec::new();
    let mut at = from;
    while at < to {
        let rest = &text[at..to];
        let before = text[from..at].chars().next_back();
        if is_initial(&text[from..at], rest) {
            at += 1;
            continue;
        }
        match separator(rest, before) {
            // Without any sign between them, the first of the two has to be a click.
            Some((0, _)) if !clicks(&text[found.last().map_or(from, |c| c.end)..at]) => {
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
            Some((len, is_strong)) => {
                found.push(Cut { start: at, end: at + len, is_strong });
                at += if len > 0 { len } else { rest.chars().next().map_or(1, char::len_utf8) };
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    let mut out: Vec<Cut> = Vec::new();
    for cut in found {
        match out.last_mut() {
            Some(last) if text[last.end..cut.start].trim().is_empty() => {
                last.end = cut.end;
                last.is_strong |= cut.is_strong;
            }
            _ => out.push(cut),
        }
    }
    // A separator at the very beginning parts nothing.
    out.retain(|c| !text[from..c.start].trim().is_empty());
    out
}

/// `Michael R. sent`: the stop behind a single capital is no end.
fn is_initial(before: &str, rest: &str) -> bool {
    let mut back = before.chars().rev();
    let capital = back.next().is_some_and(|c| c.is_ascii_uppercase());
    rest.starts_with(". ") && capital && back.next() == Some(' ') && back.next().is_some_and(char::is_lowercase)
}

fn clicks(text: &str) -> bool {
    let text = text.trim_start();
    ["点", "单击", "打开"].iter().any(|v| text.starts_with(v))
}

fn separator(rest: &str, before: Option<char>) -> Option<(usize, bool)> {
    let first = rest.chars().next()?;
    let after = rest[first.len_utf8()..].chars().next();
    match first {
        ',' if !(before.is_some_and(|c| c.is_ascii_digit()) && after.is_some_and(|c| c.is_ascii_digit())) => {
            return Some((1, false));
        }
        '，' | '、' => return Some((first.len_utf8(), false)),
        '.' | '!' if after.is_none_or(char::is_whitespace) => return Some((1, false)),
        // A full stop straight behind a quote or before Chinese text ends a sentence too.
        '.' if before.is_some_and(is_mark) && after.is_some_and(char::is_uppercase) => return Some((1, false)),
        _ => {}
    }
    let alone = before.is_none_or(|c| c.is_whitespace() || is_mark(c) || c.is_ascii_punctuation());
    if alone && first.is_ascii() {
        for (list, strong) in [(STRONG_EN, true), (WEAK_EN, false)] {
            if let Some(len) = list.iter().find_map(|w| word_at(rest, w)) {
                return Some((len, strong));
            }
        }
    }
    // `点“X”选Y` needs no comma.
    let noun = ["选项", "选中", "选框", "选卡", "选择框", "选择器", "选择列", "选择项"];
    if before.is_some_and(is_mark) && rest.starts_with('选') && !noun.iter().any(|n| rest.starts_with(n)) {
        return Some((0, false));
    }
    // `后退` is a step of its own; `，再点一次` says that it is the same again.
    if rest.starts_with("后退")
        || (before == Some('，')
            && ["再点一次", "再点一下", "再点击一次", "再次点击"].iter().any(|w| rest.starts_with(w)))
    {
        return None;
    }
    for (list, strong) in [(STRONG_ZH, true), (WEAK_ZH, false)] {
        if let Some(word) = list.iter().find(|w| rest.starts_with(**w)) {
            return Some((word.len(), strong));
        }
    }
    None
}

fn word_at(rest: &str, word: &str) -> Option<usize> {
    let head = rest.get(..word.len())?;
    let after = rest[word.len()..].chars().next();
    let ends = after.is_none_or(|c| c.is_whitespace() || is_mark(c) || ",:，".contains(c) || has_cjk(&c.to_string()));
    (head.eq_ignore_ascii_case(word) && ends).then_some(word.len())
}
