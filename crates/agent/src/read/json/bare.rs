//! What stands without quotes: numbers, literals and bare texts.

use super::look::{after_blanks, char_at, is_blank, is_comment, is_quote, key_ahead, plain, tag_end};
use super::parser::{Open, Parser};
use super::strings::{Place, has_key};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

impl Parser<'_> {
    /// A literal, a number, or a text without quotes.
    pub(super) fn bare(&mut self) -> Value {
        let rest = &self.text[self.at..];
        let stop =
            |c: char| is_blank(c) || is_quote(c) || matches!(plain(c), ',' | '{' | '}' | '[' | ']' | ')' | '<' | ';');
        let len = rest.find(stop).unwrap_or(rest.len());
        if let Some((value, repair)) = scalar(&rest[..len])
            && self.scalar_ends(self.at + len)
        {
            self.at += len;
            if let Some(repair) = repair {
                self.mended(repair);
            }
            return value;
        }
        let end = self.bare_end();
        let start = self.at;
        let text = self.text[start..end].trim_matches(is_blank);
        // `Save"`: only the quote in front was forgotten.
        let text = match text.strip_suffix(is_quote) {
            Some(inner) if !inner.contains(is_quote) => inner.to_owned(),
            _ => text.to_owned(),
        };
        self.at = end;
        self.bare_texts += 1;
        self.stray_quotes |= self.text[start..end].contains(is_quote);
        self.ran_on |= has_key(&text);
        self.mended("put quotes around a bare text");
        Value::String(text)
    }

    /// Whether a number or literal that ends at `at` is the whole value.
    fn scalar_ends(&self, at: usize) -> bool {
        if self.open.last() == Some(&Open::List) {
            return true;
        }
        let (next, new_line) = after_blanks(self.text, at);
        let Some(c) = char_at(self.text, next) else { return true };
        match plain(c) {
            ',' => self.member_after_comma(next + c.len_utf8()),
            '}' | ']' | ')' | '<' | ';' => true,
            '/' | '#' => is_comment(self.text, next),
            _ => new_line || key_ahead(self.text, next, self.keys) || self.text[next..].starts_with("```"),
        }
    }

    /// Where a text without quotes ends.
    fn bare_end(&self) -> usize {
        let mut at = self.at;
        let in_list = self.open.last() == Some(&Open::List);
        while let Some(c) = char_at(self.text, at) {
            let after = at + c.len_utf8();
            let ends = match plain(c) {
                '}' => self.is_open(Open::Object),
                ']' => in_list,
                ',' if in_list => true,
                ',' => self.member_after_comma(after),
                '`' => self.text[at..].starts_with("```"),
                '<' => self.text[at..].starts_with("</") && tag_end(self.text, at).is_some(),
                _ => false,
            };
            if ends && at > self.at {
                return at;
            }
            if is_blank(c) {
                let (next, new_line) = after_blanks(self.text, at);
                if new_line && (in_list || key_ahead(self.text, next, self.keys)) {
                    return at;
                }
                at = next;
            } else {
                at = after;
            }
        }
        self.text.len()
    }

    /// A number, a literal or a quoted text that is the whole text.
    pub(super) fn lone_scalar(&mut self) -> Option<Value> {
        // A fence with nothing in it is no text in backticks.
        if self.peek().is_some_and(is_quote) && !self.text.starts_with("```") {
            let text = self.string(Place::Top);
            if after_blanks(self.text, self.at).0 < self.text.len() {
                self.mended("took the value out of the text around it");
            }
            // `"Save" is the button`: the quotes belong to prose.
            return (!self.cut || !text.contains(is_quote)).then_some(Value::String(text));
        }
        let (value, repair) = scalar(self.text.trim_matches(|c| is_blank(c) || c == ';'))?;
        if let Some(repair) = repair {
            self.mended(repair);
        }
        Some(value)
    }
}

/// A number or a literal, with what was mended in it.
fn scalar(token: &str) -> Option<(Value, Option<&'static str>)> {
    let python = Some("read a Python word");
    Some(match token {
        "true" => (Value::Bool(true), None),
        "false" => (Value::Bool(false), None),
        "null" => (Value::Null, None),
        "True" | "TRUE" => (Value::Bool(true), python),
        "False" | "FALSE" => (Value::Bool(false), python),
        "None" | "NULL" | "Null" | "nil" | "undefined" => (Value::Null, Some("read a word for nothing as null")),
        "NaN" | "nan" | "Infinity" | "-Infinity" | "+Infinity" | "inf" | "-inf" => {
            (Value::Null, Some("put null for a number that JSON does not have"))
        }
        _ => return number(token),
    })
}

/// `+5`, `.5`, `5.`, `007` and `１２` are numbers too; hexadecimal ones are not.
fn number(token: &str) -> Option<(Value, Option<&'static str>)> {
    let ascii: String = if token.is_ascii() { token.to_owned() } else { token.nfkc().collect() };
    let (minus, digits) = match ascii.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", ascii.strip_prefix('+').unwrap_or(&ascii)),
    };
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((m, e)) => (m, Some(e)),
        None => (digits, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((w, f)) => (w, Some(f)),
        None => (mantissa, None),
    };
    let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let power = exponent.map(|e| e.strip_prefix(['+', '-']).unwrap_or(e));
    if !all_digits(whole)
        || !fraction.is_none_or(all_digits)
        || whole.is_empty() && fraction.is_none_or(str::is_empty)
        || power.is_some_and(|p| p.is_empty() || !all_digits(p))
    {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let mut strict = format!("{minus}{}", if whole.is_empty() { "0" } else { whole });
    if let Some(fraction) = fraction {
        strict.push('.');
        strict.push_str(if fraction.is_empty() { "0" } else { fraction });
    }
    if let Some(exponent) = exponent {
        strict.push('e');
        strict.push_str(exponent);
    }
    let repair = (strict != token && exponent.is_none()).then_some("read a number that is not written as in JSON");
    match serde_json::from_str(&strict) {
        Ok(value) => Some((value, repair)),
        Err(_) => Some((Value::Null, Some("put null for a number that is out of range"))),
    }
}
