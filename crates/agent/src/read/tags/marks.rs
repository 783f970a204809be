//! Opening and closing marks: `<name …>`, `</name>`, `<name … />`.

use std::ops::Range;

/// Bytes in which a mark must end.
const REACH: usize = 300;

pub(in crate::read) struct Mark<'a, T> {
    pub(in crate::read) tag: T,
    pub(in crate::read) closing: bool,
    pub(in crate::read) self_closed: bool,
    pub(in crate::read) attributes: &'a str,
    pub(in crate::read) span: Range<usize>,
}

/// All marks whose name `read` knows. It gets the name in lower case without hyphens and underscores, and the bracket.
pub(in crate::read) fn marks<T>(text: &str, read: impl Fn(&str, char) -> Option<T>) -> Vec<Mark<'_, T>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(i) = text[at..].find(['<', '＜', '◁', '[']).map(|i| at + i) {
        match mark(text, i, &read) {
            Some(mark) => {
                at = mark.span.end;
                found.push(mark);
            }
            None => at = i + text[i..].chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}

fn mark<'a, T>(text: &'a str, at: usize, read: &impl Fn(&str, char) -> Option<T>) -> Option<Mark<'a, T>> {
    let mut reach = REACH.min(text.len() - at);
    while !text.is_char_boundary(at + reach) {
        reach -= 1;
    }
    let near = &text[at..at + reach];
    let open = near.chars().next()?;
    let close = match open {
        '＜' => '＞',
        '◁' => '▷',
        '[' => ']',
        _ => '>',
    };
    let inner = &near[open.len_utf8()..];
    let (closing, inner) = match inner.strip_prefix(['/', '／']) {
        Some(rest) => (true, rest.trim_start_matches(' ')),
        None => (false, inner),
    };
    let name_len = inner.find(|c: char| !(c.is_ascii_alphabetic() || matches!(c, '-' | '_'))).unwrap_or(inner.len());
    let name: String = inner[..name_len].to_ascii_lowercase().chars().filter(char::is_ascii_alphabetic).collect();
    if name.is_empty() || open == '[' && !inner.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let tag = read(&name, open)?;
    let rest = &inner[name_len..];
    if !rest.starts_with(|c: char| c.is_whitespace() || matches!(c, '/' | '>' | '＞' | '▷' | ']' | '{' | '｛' | '<'))
    {
        return None;
    }
    let (attributes, len) = if let Some(len) = without_bracket(rest, closing) {
        ("", len)
    } else {
        let len = attributes_end(rest, close)?;
        (rest[..len].trim(), len + close_len(&rest[len..]))
    };
    let end = at + near.len() - rest.len() + len;
    // `<log>` in backticks is talked about, not used.
    if text[..at].ends_with('`') && text[end..].starts_with('`') && !text[..at].ends_with("```") {
        return None;
    }
    let self_closed = !closing && attributes.ends_with('/');
    Some(Mark { tag, closing, self_closed, attributes: attributes.trim_end_matches('/').trim_end(), span: at..end })
}

/// Where a mark ends whose closing bracket was forgotten: `</log` before another tag, `<action-param-json {"a": 1}`.
fn without_bracket(rest: &str, closing: bool) -> Option<usize> {
    let inner = rest.trim_start();
    let next = inner.chars().next()?;
    let is_end = if closing { matches!(next, '<' | '＜') } else { matches!(next, '{' | '｛') };
    is_end.then_some(rest.len() - inner.len())
}

fn close_len(rest: &str) -> usize {
    rest.chars().next().map_or(0, char::len_utf8)
}

/// Where the closing bracket stands; a `>` in a quoted value is none.
fn attributes_end(rest: &str, close: char) -> Option<usize> {
    let mut quote = None;
    for (i, c) in rest.char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) if c == '<' => break,
            None if c == close || close == '＞' && c == '>' || close == '>' && c == '＞' => return Some(i),
            None if c == '<' => return None,
            None if matches!(c, '"' | '\'') && rest[..i].trim_end().ends_with('=') => quote = Some(c),
            _ => {}
        }
    }
    // A quote that is never closed: take the first bracket.
    quote.and_then(|_| rest.find(close)).filter(|i| !rest[..*i].contains('<'))
}

/// The value of an attribute, in any kind of quotes or none.
///
/// ```
/// use handeye_agent::read::tags::attribute;
/// assert_eq!(attribute(r#"index="2" Status = 'done'"#, "status"), Some("done"));
/// assert_eq!(attribute("success=true", "success"), Some("true"));
/// ```
pub fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let lower = attributes.to_ascii_lowercase();
    for (at, found) in lower.match_indices(name) {
        let alone = !lower[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
        let rest = attributes.get(at + found.len()..)?.trim_start();
        let Some(rest) = rest.strip_prefix(['=', ':', '＝', '：']).filter(|_| alone) else { continue };
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’'));
        let value = match quote {
            Some(q) => {
                let inner = &rest[q.len_utf8()..];
                let end = inner.find(|c: char| c == q || matches!((q, c), ('“', '”') | ('‘', '’')));
                &inner[..end.unwrap_or(inner.len())]
            }
            None => &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())],
        };
        return Some(value.trim());
    }
    None
}
