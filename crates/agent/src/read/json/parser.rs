//! The tolerant parser: objects, lists and bare words. It always ends with a value; only depth can stop it.

use super::look::{
    Keys, after_blanks, char_at, corner_opens, is_blank, is_comment, is_quote, plain, tag_end, whole_key_ahead, window,
};
use super::strings::Place;
use super::{JsonError, Loose, MAX_DEPTH, deep};
use serde_json::{Map, Value};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    Object,
    List,
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    /// The place of the next character, in bytes.
    pub(super) at: usize,
    /// What is open around the place, outermost first.
    pub(super) open: Vec<Open>,
    pub(super) keys: Keys,
    /// Members with a colon.
    pub(super) pairs: usize,
    /// Texts without quotes.
    pub(super) bare_texts: usize,
    pub(super) cut: bool,
    pub(super) torn: bool,
    /// A quote ends a text only where no raw quote in it waits for its partner.
    pub(super) pairs_only: bool,
    /// A text ended while a raw quote in it waited for its partner: `5" pipe`, or a wrong end.
    pub(super) unpaired: bool,
    /// A text took in what was meant to follow it.
    pub(super) ran_on: bool,
    /// Quotes stand where there is no text in quotes: in a bare one, in a comment, between members.
    pub(super) stray_quotes: bool,
    /// Up to here no quote ends a key.
    pub(super) no_key_end_before: usize,
    repairs: Vec<String>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self {
            text,
            at,
            open: Vec::new(),
            keys: Keys::default(),
            pairs: 0,
            bare_texts: 0,
            cut: false,
            torn: false,
            pairs_only: false,
            unpaired: false,
            ran_on: false,
            stray_quotes: false,
            no_key_end_before: 0,
            repairs: Vec::new(),
        }
    }

    pub(super) fn done(self, value: Value) -> Loose {
        Loose { value, repairs: self.repairs, cut: self.cut, torn: self.torn }
    }

    pub(super) fn mended(&mut self, what: &str) {
        if !self.repairs.iter().any(|r| r == what) {
            self.repairs.push(what.to_owned());
        }
    }

    pub(super) fn is_open(&self, kind: Open) -> bool {
        self.open.contains(&kind)
    }

    pub(super) fn peek(&self) -> Option<char> {
        char_at(self.text, self.at)
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Takes a structural sign, full-width or not.
    fn sign(&mut self) {
        if self.bump().is_some_and(|c| !c.is_ascii()) {
            self.mended("read full-width punctuation as structure");
        }
    }

    fn leave_out(&mut self) {
        if let Some(c) = self.bump() {
            self.stray_quotes |= is_quote(c);
            self.mended("left out a stray sign");
        }
    }

    fn blanks(&mut self) {
        self.at = after_blanks(self.text, self.at).0;
    }

    /// Blanks, comments and stray tags.
    fn noise(&mut self) {
        loop {
            self.blanks();
            let rest = &self.text[self.at..];
            if is_comment(self.text, self.at) {
                let end = if rest.starts_with("/*") { rest.find("*/").map(|i| i + 2) } else { rest.find('\n') };
                let end = end.unwrap_or(rest.len());
                self.stray_quotes |= rest[..end].contains(is_quote);
                self.at += end;
                self.mended("left out a comment");
            } else if let Some(end) = tag_end(self.text, self.at) {
                self.at = end;
                self.mended("left out a stray tag");
            } else {
                return;
            }
        }
    }

    /// The end of the text came inside something.
    fn ended_inside(&mut self, kind: Open) {
        self.cut = true;
        self.torn |= kind == Open::List;
        self.mended("closed what the end of the text left open");
    }

    pub(super) fn value(&mut self) -> Result<Value, JsonError> {
        self.blanks();
        if is_comment(self.text, self.at) {
            self.noise();
        }
        let Some(c) = self.peek() else {
            (self.cut, self.torn) = (true, true);
            self.mended("put null where the end cut off a value");
            return Ok(Value::Null);
        };
        let place = match self.open.last() {
            None => Place::Top,
            Some(Open::Object) => Place::Value,
            Some(Open::List) => Place::Item,
        };
        match plain(c) {
            '{' => self.object(),
            '[' => self.list(),
            '(' if place != Place::Top => self.list(),
            ',' | '}' | ']' | ')' => {
                self.mended("put null where a value was missing");
                Ok(Value::Null)
            }
            '<' => self.tagged(),
            _ if is_quote(c) && corner_opens(self.text, self.at) => Ok(Value::String(self.string(place))),
            _ => Ok(self.bare()),
        }
    }

    fn enter(&mut self, kind: Open) -> Result<(), JsonError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(deep(self.at));
        }
        self.open.push(kind);
        Ok(())
    }

    fn object(&mut self) -> Result<Value, JsonError> {
        self.enter(Open::Object)?;
        self.sign();
        let map = self.members()?;
        self.open.pop();
        Ok(Value::Object(map))
    }

    /// `"a": 1, "b": 2` without the brace in front: the whole text must be members.
    pub(super) fn without_brace(mut self) -> Result<Option<Loose>, JsonError> {
        if !whole_key_ahead(self.text, 0) {
            return Ok(None);
        }
        self.mended("added the missing opening brace");
        self.enter(Open::Object)?;
        let map = self.members()?;
        let whole = self.text[self.at..].trim_matches(is_blank).is_empty();
        // The end of the text is where the object ends; only a torn tail is a cut.
        self.cut = self.torn;
        Ok(whole.then(|| self.done(Value::Object(map))))
    }

    fn members(&mut self) -> Result<Map<String, Value>, JsonError> {
        let mut map = Map::new();
        let mut comma = true;
        loop {
            self.noise();
            let Some(c) = self.peek() else {
                self.ended_inside(Open::Object);
                return Ok(map);
            };
            match plain(c) {
                '}' => {
                    if comma && !map.is_empty() {
                        self.mended("removed a trailing comma");
                    }
                    self.sign();
                    return Ok(map);
                }
                ']' | ')' if self.is_open(Open::List) => {
                    self.mended("added a missing closing brace");
                    return Ok(map);
                }
                // Another object where a key is due: only a list of objects whose brace is missing looks like this.
                '{' if !map.is_empty() && self.open.iter().rev().nth(1) == Some(&Open::List) => {
                    self.mended("added a missing closing brace");
                    return Ok(map);
                }
                ',' | ';' | ':' | '{' | '[' | ']' | '(' | ')' => self.leave_out(),
                // A quote too many behind a value: `[1, 2]", "b": 3`.
                _ if !comma && is_quote(c) && self.ends_behind(c) => {
                    self.leave_out();
                    comma = self.comma();
                }
                _ => {
                    if !comma {
                        self.mended("added a missing comma");
                    }
                    self.member(&mut map)?;
                    comma = self.comma();
                }
            }
        }
    }

    /// Behind the sign a bracket closes, a comma stands or the text ends.
    fn ends_behind(&self, sign: char) -> bool {
        let (next, _) = after_blanks(self.text, self.at + sign.len_utf8());
        char_at(self.text, next).is_none_or(|c| matches!(plain(c), ',' | '}' | ']'))
    }

    /// Takes the comma after a member or an item, if there is one.
    fn comma(&mut self) -> bool {
        self.noise();
        let is_comma = self.peek().is_some_and(|c| plain(c) == ',');
        if is_comma {
            self.sign();
        }
        is_comma
    }

    fn member(&mut self, map: &mut Map<String, Value>) -> Result<(), JsonError> {
        let key = self.key();
        self.blanks();
        let value = match self.peek().map(plain) {
            Some(':') => {
                self.sign();
                self.pairs += 1;
                self.value()?
            }
            Some('=') => {
                self.sign();
                if self.peek() == Some('>') {
                    self.bump();
                }
                self.mended("read an equals sign as a colon");
                self.keys.equals = true;
                self.pairs += 1;
                self.value()?
            }
            next @ (None | Some(',' | '}' | ']' | ')')) => {
                self.mended("put null where a value was missing");
                self.torn |= next.is_none();
                Value::Null
            }
            Some(_) => {
                self.mended("added a missing colon");
                self.value()?
            }
        };
        map.insert(key, value);
        Ok(())
    }

    fn key(&mut self) -> String {
        if self.peek().is_some_and(is_quote) {
            return self.string(Place::Key);
        }
        self.mended("put quotes around a bare key");
        self.keys.bare = true;
        let rest = &self.text[self.at..];
        let stop = |c: char| matches!(plain(c), ':' | '=' | ',' | '{' | '}' | '[' | ']') || c == '\n' || is_quote(c);
        let len = rest.find(stop).unwrap_or(rest.len());
        // At least one character, so that reading goes on.
        let len = len.max(rest.chars().next().map_or(0, char::len_utf8));
        self.at += len;
        // `prompt": …`: only the quote in front was forgotten.
        if self.peek().is_some_and(is_quote) {
            let (next, _) = after_blanks(self.text, self.at + self.peek().map_or(0, char::len_utf8));
            if char_at(self.text, next).is_some_and(|c| plain(c) == ':') {
                self.bump();
            }
        }
        rest[..len].trim_matches(is_blank).to_owned()
    }

    fn list(&mut self) -> Result<Value, JsonError> {
        self.enter(Open::List)?;
        if self.peek().map(plain) == Some('(') {
            self.mended("read round brackets as a list");
        }
        self.sign();
        let items = self.items()?;
        self.open.pop();
        Ok(Value::Array(items))
    }

    fn items(&mut self) -> Result<Vec<Value>, JsonError> {
        let mut items = Vec::new();
        let mut comma = true;
        loop {
            self.noise();
            let Some(c) = self.peek() else {
                self.ended_inside(Open::List);
                return Ok(items);
            };
            match plain(c) {
                ']' | ')' => {
                    if comma && !items.is_empty() {
                        self.mended("removed a trailing comma");
                    }
                    self.sign();
                    return Ok(items);
                }
                '}' if self.is_open(Open::Object) => {
                    self.mended("added a missing closing bracket");
                    return Ok(items);
                }
                _ if is_quote(c) && self.is_open(Open::Object) && whole_key_ahead(self.text, self.at) => {
                    self.mended("added a missing closing bracket");
                    return Ok(items);
                }
                ',' | ';' | ':' | '}' | '…' => self.leave_out(),
                '.' if self.text[self.at..].starts_with("...") => {
                    self.at += 3;
                    self.mended("left out a stray sign");
                }
                _ => {
                    if !comma {
                        self.mended("added a missing comma");
                    }
                    let before = self.at;
                    items.push(self.value()?);
                    if self.at == before {
                        self.leave_out();
                    }
                    comma = self.comma();
                }
            }
        }
    }

    /// A tag where a value is due: `<bbox>1 2 3 4</bbox>` is the text inside, a lone tag is left out.
    fn tagged(&mut self) -> Result<Value, JsonError> {
        let Some(end) = tag_end(self.text, self.at) else { return Ok(self.bare()) };
        let inner = window(self.text, end, 200);
        let is_opening = !self.text[self.at..].starts_with("</");
        if let Some(len) = inner.find('<').filter(|_| is_opening)
            && let Some(close) = tag_end(self.text, end + len)
            && !inner[..len].trim_start_matches(is_blank).starts_with(|c| is_quote(c) || plain(c) == '{')
        {
            self.at = close;
            self.mended("read what stood inside a tag as a text");
            return Ok(Value::String(inner[..len].trim_matches(is_blank).to_owned()));
        }
        self.noise();
        // Tags are gone now, so this goes one level down at most.
        if self.peek() == Some('<') { Ok(self.bare()) } else { self.value() }
    }
}
