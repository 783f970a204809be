//! Texts: where they end, and what stands in them.
//!
//! A quote ends a text only when structure follows that fits the place: after a key a colon; after a value a closing bracket
//! or a comma and a key; after an item of a list a bracket or a comma and an item. Any other quote belongs to the text.
//!
//! What is typed may look like structure itself: `"value": "{"a": "b", "c": 1}"`. When a text ended in the middle of a pair of
//! quotes and what is left makes no sense, the value is read once more with [`Parser::pairs_only`].

use super::look::{
    after_blanks, char_at, is_blank, is_comment, is_last_quote, is_quote, key_ahead, may_close, plain, tag_end,
    whole_key_ahead, window,
};
use super::parser::{Open, Parser};

/// Bytes in which the true end of a key is looked for when the first quote does not fit.
const KEY_SEARCH: usize = 256;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Key,
    /// The value of a key.
    Value,
    Item,
    /// Not inside anything.
    Top,
}

impl Parser<'_> {
    /// Reads the text whose opening quote is next.
    pub(super) fn string(&mut self, place: Place) -> String {
        let Some(open) = self.bump() else { return String::new() };
        match open {
            '"' => {}
            '\'' | '`' => self.mended("read single quotes as double quotes"),
            _ => self.mended("read typographic quotes as plain ones"),
        }
        let mut out = String::new();
        // Inside of a pair of raw quotes.
        let mut inside = false;
        // The first raw quote.
        let mut kept = None;
        while let Some(c) = self.bump() {
            if c == '\\' {
                self.escape(open, &mut out);
            } else if may_close(open, c) {
                let waits = self.pairs_only && inside && self.at < self.text.len();
                if !waits && self.ends_here(self.at, place) {
                    self.unpaired |= inside && place != Place::Key;
                    // With raw quotes in it and no comma behind it, a text may as well go on.
                    let no_comma = || char_at(self.text, after_blanks(self.text, self.at).0).is_some_and(is_quote);
                    self.ran_on |=
                        kept.is_some_and(|at| runs_on(&out, at, inside) || place == Place::Value && no_comma());
                    return out;
                }
                if !self.pairs_only && place == Place::Value && self.is_next_key(c, &mut out) {
                    self.unpaired = true;
                    return out;
                }
                self.mended("kept raw quotes inside a text");
                inside ^= !self.is_apostrophe(c, &out);
                kept = kept.or(Some(out.len()));
                out.push(c);
            } else {
                inside ^= c == open;
                if c.is_control() {
                    self.mended("kept a raw line break or tab inside a text");
                }
                out.push(c);
            }
        }
        self.mended("closed a text that the end cut off");
        (self.cut, self.torn) = (true, true);
        out
    }

    /// `it's`: a quote between letters has no partner.
    fn is_apostrophe(&self, quote: char, before: &str) -> bool {
        matches!(quote, '\'' | '’')
            && before.ends_with(char::is_alphanumeric)
            && self.peek().is_some_and(char::is_alphanumeric)
    }

    /// The quote that was just taken opens the next key, `"a": "x, "b": 1`: ends the text in front of the comma.
    fn is_next_key(&mut self, quote: char, out: &mut String) -> bool {
        let text = out.trim_end_matches(super::is_blank);
        let Some(comma) = text.chars().next_back().filter(|c| plain(*c) == ',') else { return false };
        let key = self.at - quote.len_utf8();
        if !whole_key_ahead(self.text, key) {
            return false;
        }
        out.truncate(text.len() - comma.len_utf8());
        let before = self.text[..key].trim_end_matches(super::is_blank);
        self.at = before.len() - comma.len_utf8();
        self.mended("closed a text in front of the next key");
        true
    }

    /// Whether the quote before `at` ends its text.
    fn ends_here(&mut self, at: usize, place: Place) -> bool {
        let (next, new_line) = after_blanks(self.text, at);
        let Some(c) = char_at(self.text, next) else { return true };
        if self.text[next..].starts_with("```") || c == '<' && self.structure_after_tag(next) {
            return true;
        }
        match (place, plain(c)) {
            (Place::Key, ':' | '=') => true,
            (Place::Key, _) => !self.key_ends_later(at),
            (Place::Top, _) => false,
            (_, '/' | '#') => is_comment(self.text, next),
            (Place::Value, '}') | (Place::Item, ']' | ')') => self.closes_well(next),
            (Place::Value, ']' | ')') => self.is_open(Open::List) && self.closes_well(next),
            (Place::Item, '}') => self.is_open(Open::Object) && self.closes_well(next),
            (Place::Value, ',') => self.member_after_comma(next + c.len_utf8()),
            (Place::Item, ',') => self.item_after_comma(next + c.len_utf8()),
            // A missing comma.
            (Place::Value, n) => {
                (is_quote(n) || new_line) && key_ahead(self.text, next, self.keys) && !is_last_quote(self.text, next)
            }
            (Place::Item, n) => (is_quote(n) || n == '{') && next > at,
        }
    }

    /// A later quote within reach is followed by a colon. What was searched in vain is not searched again.
    fn key_ends_later(&mut self, at: usize) -> bool {
        let from = at.max(self.no_key_end_before);
        let near = window(self.text, from, (at + KEY_SEARCH).saturating_sub(from));
        let found = near.char_indices().filter(|(_, c)| is_quote(*c)).any(|(i, c)| {
            let after = near[i + c.len_utf8()..].trim_start_matches(super::is_blank);
            after.starts_with([':', '：'])
        });
        if !found {
            self.no_key_end_before = from + near.len();
        }
        found
    }

    /// Brackets close here, and then the text ends or more structure follows.
    fn closes_well(&self, at: usize) -> bool {
        let (mut at, mut left) = (at, self.open.len());
        loop {
            let (next, new_line) = after_blanks(self.text, at);
            let Some(c) = char_at(self.text, next) else { return true };
            match plain(c) {
                '}' | ']' | ')' => {
                    left = left.saturating_sub(1);
                    if left == 0 {
                        return true;
                    }
                    at = next + c.len_utf8();
                }
                ',' | '{' | '[' => return true,
                '<' => return tag_end(self.text, next).is_some(),
                '/' | '#' => return is_comment(self.text, next),
                _ => {
                    return self.text[next..].starts_with("```")
                        || (is_quote(c) || new_line) && key_ahead(self.text, next, self.keys);
                }
            }
        }
    }

    pub(super) fn member_after_comma(&self, at: usize) -> bool {
        let (next, _) = after_blanks(self.text, at);
        match char_at(self.text, next).map(plain) {
            None => true,
            Some('}') => self.closes_well(next),
            Some(']' | ')') => self.is_open(Open::List) && self.closes_well(next),
            // One more value of a list of objects whose brace is missing: `[{"a": "x", {"a": "y"}]`.
            Some('{') => self.is_open(Open::List),
            Some('/' | '#') => is_comment(self.text, next),
            Some(_) => key_ahead(self.text, next, self.keys),
        }
    }

    fn item_after_comma(&self, at: usize) -> bool {
        let (next, _) = after_blanks(self.text, at);
        let Some(c) = char_at(self.text, next) else { return true };
        let word = window(self.text, next, 5);
        match plain(c) {
            ']' | ')' => self.closes_well(next),
            '}' => self.is_open(Open::Object) && self.closes_well(next),
            '{' | '[' | '(' | '-' | '.' => true,
            c if c.is_ascii_digit() || is_quote(c) => true,
            '/' | '#' => is_comment(self.text, next),
            _ => ["true", "True", "false", "False", "null", "None"].iter().any(|w| word.starts_with(w)),
        }
    }

    fn structure_after_tag(&self, at: usize) -> bool {
        let Some(end) = tag_end(self.text, at) else { return false };
        let (next, _) = after_blanks(self.text, end);
        char_at(self.text, next).is_none_or(|c| matches!(plain(c), ',' | '}' | ']' | ')' | '<'))
    }

    /// Reads what follows a backslash. An escape that JSON does not know keeps its backslash: `\d` is meant as `\d`.
    fn escape(&mut self, open: char, out: &mut String) {
        let Some(c) = self.bump() else {
            out.push('\\');
            return;
        };
        match c {
            '"' | '\\' | '/' => out.push(c),
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'u' => self.unicode_escape(out),
            c if may_close(open, c) || c == '\'' => {
                self.mended("read an escaped quote");
                out.push(c);
            }
            c => {
                self.mended("kept the backslash of an unknown escape");
                out.push('\\');
                out.push(c);
            }
        }
    }

    fn unicode_escape(&mut self, out: &mut String) {
        let Some(first) = self.four_hex() else {
            self.mended("kept the backslash of an unknown escape");
            out.push_str("\\u");
            return;
        };
        if let Some(c) = char::from_u32(first) {
            out.push(c);
            return;
        }
        let back = self.at;
        let low = if self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            self.four_hex().filter(|low| first < 0xdc00 && (0xdc00..0xe000).contains(low))
        } else {
            None
        };
        let pair = low.and_then(|low| char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00)));
        out.push(pair.unwrap_or_else(|| {
            self.at = back;
            self.mended("replaced half of a surrogate pair");
            char::REPLACEMENT_CHARACTER
        }));
    }

    fn four_hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let code = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(code)
    }
}

/// A text with raw quotes ended before, and what came behind it was so broken that it was taken for more of the text:
/// `"a": "x"<"b": {"c": "y"`. Then brackets in it have no partners; or a key follows, and the first raw quote stands where one
/// closes, or the last one waits for its partner.
fn runs_on(text: &str, first: usize, waits: bool) -> bool {
    let count = |sign: char| text.chars().filter(|c| plain(*c) == sign).count();
    let unpaired = count('{') != count('}') || count('[') != count(']');
    let (before, rest) = text.split_at(first);
    let closes =
        before.ends_with(|c: char| !is_blank(c) && !matches!(plain(c), '(' | '[' | '{' | '<' | '=' | ':' | ','));
    let closes = closes && !rest.chars().nth(1).is_some_and(char::is_alphanumeric);
    unpaired || (closes || waits) && has_key(text)
}

/// A quote, and then a colon.
pub(super) fn has_key(text: &str) -> bool {
    let ends = text.char_indices().filter(|(_, c)| is_quote(*c));
    let mut behind = ends.map(|(at, c)| text[at + c.len_utf8()..].trim_start_matches(is_blank));
    behind.any(|behind| behind.starts_with([':', '：']))
}
