//! Looking ahead: what follows a place, without moving there. Every look is bounded, so that reading stays linear.

/// How far a key may reach, in bytes.
const KEY_REACH: usize = 256;
/// How far the sign that closes a corner bracket is looked for, in bytes.
const CORNER_REACH: usize = 1024;
/// How far a tag may reach, in bytes.
const TAG_REACH: usize = 64;

/// The ASCII sign that a full-width one stands for in structural positions.
pub(super) fn plain(c: char) -> char {
    match c {
        '｛' => '{',
        '｝' => '}',
        '［' | '【' => '[',
        '］' | '】' => ']',
        '（' => '(',
        '）' => ')',
        '：' => ':',
        '，' | '、' => ',',
        '；' => ';',
        '＝' => '=',
        other => other,
    }
}

pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200d}' | '\u{2060}')
}

pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '＂' | '＇' | '「' | '」' | '『' | '』')
}

/// `a` opened a text: may `b` end it? Full certainty comes from what follows.
pub(super) fn may_close(a: char, b: char) -> bool {
    match a {
        '“' | '”' => matches!(b, '”' | '“' | '"' | '＂'),
        '‘' | '’' => matches!(b, '’' | '‘' | '\'' | '＇'),
        '`' => b == '`',
        '「' => b == '」',
        '『' => b == '』',
        '\'' | '＇' => matches!(b, '\'' | '＇'),
        _ => matches!(b, '"' | '＂'),
    }
}

pub(super) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..).and_then(|rest| rest.chars().next())
}

/// The place after the blanks that start at `at`, and whether there was a line break among them.
pub(super) fn after_blanks(text: &str, at: usize) -> (usize, bool) {
    let rest = text.get(at..).unwrap_or_default();
    let inner = rest.trim_start_matches(is_blank);
    let blanks = &rest[..rest.len() - inner.len()];
    (at + blanks.len(), blanks.contains('\n'))
}

/// At most `limit` bytes from `at`, ending between characters.
pub(super) fn window(text: &str, at: usize, limit: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let mut end = limit.min(rest.len());
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    &rest[..end]
}

/// How the keys of a text have been written so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Keys {
    /// Without quotes.
    pub(super) bare: bool,
    /// With an equals sign for the colon.
    pub(super) equals: bool,
}

/// `"name":` starts at `at`; `name:` and `name =` too where keys are written so. A key that the end of the text cuts off is one,
/// if it looks like a name: `"}` at the end is none.
pub(super) fn key_ahead(text: &str, at: usize, keys: Keys) -> bool {
    let (at, _) = after_blanks(text, at);
    let near = window(text, at, KEY_REACH);
    let Some((end, quoted)) = key_end(near, keys) else { return false };
    let after = near[end..].trim_start_matches(is_blank);
    match after.chars().next().map(plain) {
        // `https://` is no key.
        Some(':') => quoted || !after.starts_with("://"),
        Some('=') => keys.equals && !after.starts_with("=="),
        None => {
            quoted
                && at + near.len() == text.len()
                && near[..end].chars().all(|c| is_name(c) || is_quote(c) || is_blank(c))
        }
        _ => false,
    }
}

/// A quote alone at the end of the text.
pub(super) fn is_last_quote(text: &str, at: usize) -> bool {
    window(text, at, KEY_REACH)
        .strip_prefix(is_quote)
        .is_some_and(|rest| rest.chars().all(is_blank) && at + window(text, at, KEY_REACH).len() == text.len())
}

/// Whether 「 or 『 at `at` opens a text: behind the sign that closes it, structure follows. They stand inside of texts more
/// often than around them.
pub(super) fn corner_opens(text: &str, at: usize) -> bool {
    let near = window(text, at, CORNER_REACH);
    let Some(open) = near.chars().next().filter(|c| matches!(c, '「' | '『')) else { return true };
    let mut depth = 0;
    for (i, c) in near.char_indices() {
        if c == open {
            depth += 1;
        } else if may_close(open, c) {
            depth -= 1;
        }
        if depth == 0 {
            let (next, _) = after_blanks(text, at + i + c.len_utf8());
            return char_at(text, next).is_none_or(|c| matches!(plain(c), ':' | ',' | '}' | ']' | ')' | '=' | ';'));
        }
    }
    // Longer than can be seen: what starts so is a text.
    true
}

/// `"name":` starts at `at`, colon included.
pub(super) fn whole_key_ahead(text: &str, at: usize) -> bool {
    let near = window(text, at, KEY_REACH);
    key_end(near, Keys::default())
        .is_some_and(|(end, quoted)| quoted && near[end..].trim_start_matches(is_blank).starts_with([':', '：']))
}

/// Where the key at the start of a text ends, and whether it is in quotes. An open quote reaches to the end.
fn key_end(near: &str, keys: Keys) -> Option<(usize, bool)> {
    let first = near.chars().next()?;
    if is_quote(first) {
        let mut escaped = false;
        let close = near.char_indices().skip(1).find(|(_, c)| {
            let ends = !escaped && may_close(first, *c);
            escaped = *c == '\\' && !escaped;
            ends
        });
        return Some((close.map_or(near.len(), |(i, c)| i + c.len_utf8()), true));
    }
    let name = near.find(|c| !is_name(c)).unwrap_or(near.len());
    // `name":`, whose quote in front was forgotten, is written as no text is.
    let quote = near[name..].chars().next().filter(|c| is_quote(*c)).map_or(0, char::len_utf8);
    let half_quoted = quote > 0 && near[name + quote..].trim_start_matches(is_blank).starts_with([':', '：']);
    (name > 0 && (keys.bare || half_quoted)).then_some((name + if half_quoted { quote } else { 0 }, false))
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '$')
}

/// The place after the tag that starts at `at`: `</bbox>`, `<point>`, `<|box_end|>`, or the piece of one at the end of the text.
pub(super) fn tag_end(text: &str, at: usize) -> Option<usize> {
    let near = window(text, at, TAG_REACH);
    let inner = near.strip_prefix('<')?;
    let name = inner.trim_start_matches(['/', '|']);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        // `</` at the very end is the start of a tag that was cut off.
        return (inner == "/" && at + near.len() == text.len()).then_some(text.len());
    }
    let stop = inner.find(|c: char| c == '>' || !(is_name(c) || c.is_ascii_punctuation() || c == ' ') || c == '<');
    match stop {
        Some(i) if inner[i..].starts_with('>') => Some(at + 1 + i + 1),
        None if at + near.len() == text.len() && inner.starts_with('/') => Some(text.len()),
        _ => None,
    }
}

/// A comment starts at `at`.
pub(super) fn is_comment(text: &str, at: usize) -> bool {
    let near = window(text, at, 2);
    matches!(near, "//" | "/*" | "# ")
}
