//! One call: its name, and its arguments as they were written.

use super::Call;
use crate::read::reply::Misread;
use handeye_core::text::clip;
use std::ops::Range;

/// One argument. The name is in lower case; empty when there was none.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::read) struct Arg {
    pub(in crate::read) key: String,
    pub(in crate::read) value: Literal,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::read) enum Literal {
    /// A text in quotes, escapes decoded.
    Text { text: String, raw_quotes: bool },
    /// A number, a list, a word, or coordinates in tags: as written.
    Plain(String),
}

impl Literal {
    /// Without its quotes.
    pub(in crate::read) fn words(&self) -> &str {
        match self {
            Self::Text { text, .. } | Self::Plain(text) => text,
        }
    }
    /// Quotes stand in the text that were not escaped, so its end is only where the call says.
    pub(super) fn has_raw_quotes(&self) -> bool {
        matches!(self, Self::Text { raw_quotes: true, .. })
    }
}

/// Arguments that are words of the model's own, in which quotes may stand; all others end at the next quote.
const FREE: &[&str] = &["", "content", "text", "message", "value", "option", "reason", "instruction"];
/// Longest name of an argument, in bytes.
const LONGEST_KEY: usize = 24;

/// Reads the call whose name stands there.
pub(super) fn call(text: &str, name: Range<usize>) -> Result<Call<'_>, Misread> {
    let verb = &text[name.clone()];
    let mut reader = Reader { text, at: name.end, verb };
    reader.blanks();
    reader.skip(['(', '（']);
    let mut args = Vec::new();
    // An argument, and then a comma or the end; only the first may go without its name. Anything else is a call that
    // something happened to.
    let mut due = true;
    loop {
        reader.blanks();
        if reader.skip([')', '）']) {
            return Ok(Call { name: verb, args, span: name.start..reader.at });
        }
        if reader.skip([',', '，']) {
            due = true;
        } else if std::mem::take(&mut due) && (args.is_empty() || key(reader.rest()).is_some()) {
            args.push(reader.argument()?);
        } else if reader.rest().is_empty() {
            return Err(reader.cut());
        } else {
            return Err(Misread::new(format!(
                "`{verb}(…)` cannot be read from `{}` on; write its arguments as name='value', a comma between them",
                clip(reader.rest(), 20)
            )));
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    verb: &'a str,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn skip(&mut self, any: [char; 2]) -> bool {
        let found = self.rest().chars().next().filter(|c| any.contains(c));
        self.at += found.map_or(0, char::len_utf8);
        found.is_some()
    }

    fn argument(&mut self) -> Result<Arg, Misread> {
        let key = key(self.rest());
        let name = key.map_or("", |(name, _)| name).to_ascii_lowercase();
        self.at += key.map_or(0, |(_, len)| len);
        self.blanks();
        let value = match self.rest().chars().next() {
            None => return Err(self.cut()),
            Some(quote) if closing(quote).is_some() => self.quoted(&name)?,
            Some(_) => self.plain()?,
        };
        Ok(Arg { key: name, value })
    }

    fn cut(&self) -> Misread {
        Misread::cut(&format!("`{}(`", self.verb))
    }

    /// A text in quotes. Its end is the quote behind which the call goes on or ends; others in it are part of it.
    fn quoted(&mut self, key: &str) -> Result<Literal, Misread> {
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or('"');
        let triple = ["\"\"\"", "'''"].into_iter().find(|quotes| rest.starts_with(quotes));
        let quote = triple.map_or_else(|| closing(first).unwrap_or(first).to_string(), str::to_owned);
        let from = triple.map_or(first.len_utf8(), str::len);
        let is_free = FREE.contains(&key);
        let Some((end, raw)) = end_of_text(&rest[from..], &quote, is_free) else { return Err(self.cut()) };
        let written = &rest[from..from + end];
        // A quote that belongs to another call, or to another argument, is none of the text.
        let runs_on = raw > 0 && (written.contains('\n') || written.contains(&format!("={quote}")));
        if raw % 2 == 1 || runs_on {
            return Err(Misread::new(format!(
                "it is not clear where the text of `{}` in `{}(…)` ends; write \\{quote} for a quote inside it, or use the other \
                 kind of quotes around it",
                if key.is_empty() { "the argument" } else { key },
                self.verb
            )));
        }
        let text = unescaped(written);
        self.at += from + end + quote.len();
        Ok(Literal::Text { text, raw_quotes: raw > 0 })
    }

    /// Up to the comma in front of the next argument, or the end of the call; brackets and quotes in it are closed first.
    fn plain(&mut self) -> Result<Literal, Misread> {
        let rest = self.rest();
        let (mut depth, mut quote) = (0_usize, None);
        for (i, c) in rest.char_indices() {
            match (quote, c) {
                (Some(open), _) => quote = (c != open).then_some(open),
                (None, '"' | '\'') => quote = Some(c),
                (None, '(' | '[' | '{' | '（') => depth += 1,
                (None, ')' | ']' | '}' | '）') if depth > 0 => depth -= 1,
                (None, ')' | '）') => return Ok(self.written(i)),
                (None, ',' | '，') if depth == 0 && goes_on(&rest[i + c.len_utf8()..]) => return Ok(self.written(i)),
                _ => {}
            }
        }
        Err(self.cut())
    }

    fn written(&mut self, len: usize) -> Literal {
        let value = Literal::Plain(self.rest()[..len].trim_end().to_owned());
        self.at += len;
        value
    }
}

/// The quote that closes a text.
fn closing(open: char) -> Option<char> {
    match open {
        '"' | '\'' => Some(open),
        '“' => Some('”'),
        '‘' => Some('’'),
        _ => None,
    }
}

/// `name =` at the start: the name, and how long all of it is.
fn key(text: &str) -> Option<(&str, usize)> {
    let len = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let behind = text[len..].trim_start();
    let sign = behind.chars().next().filter(|c| matches!(c, '=' | '＝'))?;
    let is_name = (1..=LONGEST_KEY).contains(&len) && !behind.starts_with("==");
    is_name.then(|| (&text[..len], text.len() - behind.len() + sign.len_utf8()))
}

/// Behind a comma: the next argument, or the end of the call.
fn goes_on(behind: &str) -> bool {
    let behind = behind.trim_start();
    behind.starts_with([')', '）']) || key(behind).is_some()
}

/// Whether a text may end here: the call goes on with the next argument, or it ends, and nothing but another call follows on
/// the line.
fn may_end(behind: &str) -> bool {
    let behind = behind.trim_start();
    if let Some(rest) = behind.strip_prefix([',', '，']) {
        return goes_on(rest);
    }
    let Some(rest) = behind.strip_prefix([')', '）']) else { return false };
    let rest = rest.trim_start_matches([' ', '\t', ';', ',', '，', '；', '`', '.', '。']);
    let name = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    rest.is_empty() || rest.starts_with(['\n', '\r', '<', '#']) || (name > 0 && rest[name..].starts_with(['(', '（']))
}

/// Where the text ends, and how many quotes of its kind stand in it unescaped, apostrophes apart.
fn end_of_text(text: &str, quote: &str, is_free: bool) -> Option<(usize, usize)> {
    let (mut raw, mut before) = (0, ' ');
    let mut lone = None;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c == '\\' {
            at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
        } else if let Some(behind) = rest.strip_prefix(quote) {
            if !is_free || may_end(behind) {
                return Some((at, raw));
            }
            let in_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let is_apostrophe = matches!(c, '\'' | '’') && in_word(Some(before)) && in_word(behind.chars().next());
            raw += usize::from(!is_apostrophe);
            if behind.trim_start().starts_with([')', '）']) {
                lone.get_or_insert(at);
            }
            at += quote.len();
        } else {
            at += c.len_utf8();
        }
        before = c;
    }
    // Words stand behind the call, but no other quote that could be meant.
    lone.filter(|_| raw == 1).map(|at| (at, 0))
}

/// Decodes the escapes of a text. A backslash that begins none stays.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.clone().next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some(same @ ('\\' | '\'' | '"' | '“' | '”' | '‘' | '’' | '/')) => out.push(same),
            Some('u') => {
                let digits: String = chars.clone().skip(1).take(4).collect();
                let code = (digits.len() == 4).then(|| u32::from_str_radix(&digits, 16).ok()).flatten();
                let Some(c) = code.and_then(char::from_u32) else {
                    out.push('\\');
                    continue;
                };
                out.push(c);
                chars.by_ref().take(4).for_each(drop);
            }
            _ => {
                out.push('\\');
                continue;
            }
        }
        chars.next();
    }
    out
}
