//! A description read against the page: the names of elements that stand in it, with nothing left that says more.
//!
//! Grammar takes a phrase apart by its small words, and people use more of them than any grammar knows. Here the page does
//! it: the names that its elements have are found in the phrase, whatever stands around them. What is left over has to be
//! words that say nothing of their own (articles, places, kinds: [`soft`]), else there is no match. Of several names one is
//! the element and the others say where it is, so it has to be in the row or the part of the page that bears them.

use super::index::Index;
use super::names::{self, is_cjk, same_text};
use super::phrase::quotes::Quotes;
use super::roles::{RoleWord, is_field};
use super::{Found, Purpose, Wanted};

mod clause;
mod soft;

pub(super) use clause::control;

/// More names than this in one phrase are a list, or a sentence.
const MOST_NAMES: usize = 3;
/// The longest phrase that is looked through, in words or Chinese characters.
const LONGEST: usize = 40;

/// A word, a Chinese character or a quoted text of the phrase.
#[derive(Clone, Debug, PartialEq)]
struct Token {
    key: String,
    /// The text in the quotes.
    quote: Option<String>,
    /// Written with a capital.
    capital: bool,
}

/// A name that stands in the phrase: its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    from: usize,
    to: usize,
}

impl Span {
    fn len(self) -> usize {
        self.to - self.from
    }
    fn holds(self, at: usize) -> bool {
        (self.from..self.to).contains(&at)
    }
}

/// Finds the one element that a phrase names, where `wanted.words` is the phrase as it was said, quotes and all.
pub(super) fn read(index: &Index<'_>, wanted: &Wanted) -> Found {
    let tokens = tokens_of(&wanted.words);
    if tokens.is_empty() || tokens.len() > LONGEST || soft::speaks_of_several(&tokens) || soft::is_in_a_part(&tokens) {
        return Found::None(Vec::new());
    }
    let mut names = names_in(index, &tokens);
    // `the colour Purple`: a label before what it is about is a noun.
    let starts: Vec<usize> = names.iter().map(|n| n.from).collect();
    let label = |n: &Span| {
        let plain = n.len() == 1 && !tokens[n.from].capital && tokens[n.from].quote.is_none();
        plain && starts.contains(&n.to) && n.from > 0 && tokens[n.from - 1].key == "the"
    };
    names.retain(|n| !label(n));
    if names.len() > MOST_NAMES {
        return Found::None(Vec::new());
    }
    let mut rest = soft::left_over(&tokens, &names);
    // A quoted text that is no whole name may stand in a row.
    let only_place = |at: &usize| tokens[*at].quote.is_some() && !names.is_empty();
    let quotes: Vec<Span> = rest.iter().copied().filter(only_place).map(|at| Span { from: at, to: at + 1 }).collect();
    rest.retain(|at| !quotes.iter().any(|q| q.holds(*at)));
    let reading = Reading { index, wanted, tokens: &tokens, ordinal: soft::ordinal(&tokens, &names) };
    match (names.as_slice(), rest.as_slice()) {
        (_, _) if matches!(reading.ordinal, soft::Counted::Unclear) => Found::None(Vec::new()),
        ([], []) => reading.kind_only(),
        _ if soft::says_beside(&tokens, &names) || !nouns_fit(index, &tokens, &names) => Found::None(Vec::new()),
        ([], rest) => {
            // `Budget for March` as it stands, `save as a draft` for `Save draft`, and kinds that are a part of a name.
            let bare = |at: &[usize]| Name { text: words_of(&tokens, at), quoted: false, at: None };
            let readings = [joined(&tokens, rest), bare(rest), bare(&soft::all_but_small(&tokens))];
            let found = |name: &Name| match reading.by_words(name, false, &[]) {
                Found::None(_) => None,
                found => Some(found),
            };
            readings.iter().find_map(found).unwrap_or(Found::None(Vec::new()))
        }
        (names, []) => reading.by_names(names, &quotes),
        // The name was not said in full, and the others say where it is.
        (names, rest) if is_one_stretch(rest) && quotes.is_empty() => {
            reading.by_words(&joined(&tokens, rest), false, names)
        }
        _ => Found::None(Vec::new()),
    }
}

pub(super) fn speaks_of_several(text: &str) -> bool {
    soft::speaks_of_several(&tokens_of(text))
}

/// A noun before a name says of what kind it is: a column of that name has to have it, and a noun that is none of those that
/// anybody says has to stand on the page: `the customer Ann`, `the colour Purple`, but not `the vendor Ann`.
fn nouns_fit(index: &Index<'_>, tokens: &[Token], names: &[Span]) -> bool {
    names.iter().filter(|n| n.from > 0).all(|name| {
        let noun = &tokens[name.from - 1];
        if noun.quote.is_some() || noun.key.chars().all(is_cjk) || names.iter().any(|n| n.holds(name.from - 1)) {
            return true;
        }
        let said = name_of(tokens, *name).text;
        let bears = |i: &usize| same_text(&names::clean(&index.node(*i).name), &said);
        let mut columns = (0..index.len()).filter(bears).filter_map(|i| super::scope::in_column(index, &noun.key, i));
        let fits = match columns.next() {
            Some(first) => first || columns.any(|c| c),
            None => true,
        };
        let on_page = || (0..index.len()).any(|i| names::contains_text(&index.node(i).name, &noun.key));
        fits && (!soft::is_apposed(tokens, names, name.from - 1) || on_page())
    })
}

struct Reading<'a> {
    index: &'a Index<'a>,
    wanted: &'a Wanted,
    tokens: &'a [Token],
    ordinal: soft::Counted,
}

impl Reading<'_> {
    /// `the search field above the table`, where the page has one.
    fn kind_only(&self) -> Found {
        let Some(role) = soft::kind_of_all(self.tokens) else { return Found::None(Vec::new()) };
        let words = if role == RoleWord::Search { "search" } else { "" };
        let control = !matches!(
            role,
            RoleWord::Any | RoleWord::Text | RoleWord::Section | RoleWord::Item | RoleWord::Row | RoleWord::Heading
        );
        if !control || (self.ordinal == soft::Counted::No && self.wanted.purpose == Purpose::Read) {
            return Found::None(Vec::new());
        }
        match self.find(Wanted { role: Some(role), ..Wanted::named(words, self.wanted.purpose) }, &[]) {
            // A kind of which the page has several was not what the phrase is about.
            Found::Many(_) => Found::None(Vec::new()),
            found => found,
        }
    }

    /// One of the names is the element.
    fn by_names(&self, names: &[Span], quotes: &[Span]) -> Found {
        let to_type = self.wanted.purpose == Purpose::Type;
        let mut found: Vec<super::Candidate> = Vec::new();
        let target = |n: &&Span| !soft::is_place(self.tokens, names, **n, to_type) && !soft::goes_on(self.tokens, **n);
        for &name in names.iter().filter(target) {
            let others: Vec<Span> = names.iter().chain(quotes).copied().filter(|o| *o != name).collect();
            match self.by_words(&name_of(self.tokens, name), true, &others) {
                Found::One(one) if !found.iter().any(|f| f.index == one.index) => found.push(one),
                Found::Many(many) if names.len() == 1 => return Found::Many(many),
                _ => {}
            }
        }
        // What can be operated is meant before a text that says where it is.
        if self.wanted.purpose != Purpose::Read && found.iter().any(|c| self.index.node(c.index).interactive) {
            found.retain(|c| self.index.node(c.index).interactive);
        }
        match found.len() {
            0 => Found::None(Vec::new()),
            1 => Found::One(found.swap_remove(0)),
            _ => Found::Many(found),
        }
    }

    fn by_words(&self, name: &Name, whole: bool, places: &[Span]) -> Found {
        let role = name.at.and_then(|span| soft::kind_beside(self.tokens, span));
        let purpose = self.wanted.purpose;
        let plain = Wanted { strict: whole, quoted: name.quoted, ..Wanted::named(name.text.clone(), purpose) };
        let role = role.filter(|_| purpose != Purpose::Type).map(|r| super::phrase::role_for(r, purpose));
        let found = self.find(Wanted { role, ..plain.clone() }, places);
        match found {
            // Kinds that people say of nearly everything.
            Found::None(_) if role.is_some_and(|r| whole && soft::is_loose_kind(r)) => self.find(plain, places),
            found => found,
        }
    }

    /// The element in the places that the other names say.
    fn find(&self, mut one: Wanted, places: &[Span]) -> Found {
        match self.ordinal {
            soft::Counted::Of(ordinal) if places.is_empty() => one.ordinal = Some(ordinal),
            soft::Counted::No => {}
            _ => return Found::None(Vec::new()),
        }
        let mut readings = vec![one];
        for &place in places {
            let name = name_of(self.tokens, place);
            // A quoted text may be a part of what a row says.
            let holder =
                Wanted { strict: !name.quoted, quoted: name.quoted, ..Wanted::named(name.text.clone(), Purpose::Hold) };
            let row = Wanted { role: Some(RoleWord::Row), ..holder.clone() };
            readings =
                [row, holder].iter().flat_map(|h| readings.iter().map(|w| w.clone().inside(h))).collect::<Vec<_>>();
        }
        let mut last = Found::None(Vec::new());
        for mut reading in readings {
            if let Some(outer) = &self.wanted.within {
                reading = reading.inside(outer);
            }
            match super::read_once(self.index, &reading) {
                Found::None(_) => {}
                Found::One(one) if self.is_wrong_side(one.index) => {}
                found @ Found::One(_) => return found,
                found @ Found::Many(_) => last = found,
            }
        }
        last
    }

    /// A text beside a field is not the field.
    fn is_wrong_side(&self, i: usize) -> bool {
        self.wanted.purpose == Purpose::Type && !is_field(self.index.node(i)) && !self.index.node(i).states.multiline
    }
}

/// A name in the phrase, as it is looked for.
struct Name {
    text: String,
    quoted: bool,
    at: Option<Span>,
}

fn name_of(tokens: &[Token], span: Span) -> Name {
    let quoted = span.len() == 1 && tokens[span.from].quote.is_some();
    let text = match &tokens[span.from].quote {
        Some(inner) if quoted => inner.clone(),
        _ => text_of(&tokens[span.from..span.to]),
    };
    Name { text, quoted, at: Some(span) }
}

fn joined(tokens: &[Token], rest: &[usize]) -> Name {
    // `Budget for March` is one name.
    let small = |at: usize| rest.contains(&at) || soft::is_small(&tokens[at]);
    let at = match (rest.first(), rest.last()) {
        (Some(&from), Some(&to)) if (from..=to).all(small) => Some(Span { from, to: to + 1 }),
        _ => None,
    };
    let Some(span) = at else {
        return Name { text: words_of(tokens, rest), quoted: false, at };
    };
    name_of(tokens, span)
}

fn words_of(tokens: &[Token], at: &[usize]) -> String {
    text_of(&at.iter().map(|&i| tokens[i].clone()).collect::<Vec<_>>())
}

fn is_one_stretch(rest: &[usize]) -> bool {
    rest.windows(2).all(|w| w[1] == w[0] + 1)
}

fn text_of(tokens: &[Token]) -> String {
    let mut out = String::new();
    for token in tokens {
        let word = token.quote.as_ref().unwrap_or(&token.key);
        let glued = out.chars().next_back().is_none_or(is_cjk) && word.chars().next().is_some_and(is_cjk);
        if !out.is_empty() && !glued {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

fn tokens_of(text: &str) -> Vec<Token> {
    let Ok((marked, quotes)) = Quotes::mark(text) else { return Vec::new() };
    let mut out = Vec::new();
    let mut word = String::new();
    let end = |word: &mut String, out: &mut Vec<Token>| {
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        for key in names::key(word).split(' ').filter(|k| !k.is_empty()) {
            out.push(Token { key: key.to_owned(), quote: None, capital });
        }
        word.clear();
    };
    for c in marked.chars() {
        if let Some(inner) = quotes.inner(c) {
            end(&mut word, &mut out);
            out.push(Token { key: names::key(inner), quote: Some(inner.trim().to_owned()), capital: true });
        } else if is_cjk(c) {
            end(&mut word, &mut out);
            out.push(Token { key: c.to_string(), quote: None, capital: false });
        } else if c.is_whitespace() {
            end(&mut word, &mut out);
        } else {
            word.push(c);
        }
    }
    end(&mut word, &mut out);
    out
}

/// The longest names of elements that stand in the phrase, in order.
fn names_in(index: &Index<'_>, tokens: &[Token]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for i in 0..index.len() {
        let node = index.node(i);
        // A column is spoken of beside what stands in it: `the quantity 300`.
        let column = node.role == "columnheader";
        let shown = node.value.clone().filter(|_| !is_field(node)).unwrap_or_default();
        for text in [&node.name, &node.placeholder, &node.description, &shown] {
            let name = names::clean(text);
            if name.is_empty() || name.len() > 160 || seen.contains(&name) {
                continue;
            }
            spans_of(&name, tokens, column, &mut spans);
            seen.push(name);
        }
    }
    spans.sort_by_key(|s| (std::cmp::Reverse(s.len()), s.from));
    let mut kept: Vec<Span> = Vec::new();
    for span in spans {
        if !kept.iter().any(|k| span.from < k.to && k.from < span.to) {
            kept.push(span);
        }
    }
    kept.sort_by_key(|s| s.from);
    kept
}

fn spans_of(name: &str, tokens: &[Token], column: bool, out: &mut Vec<Span>) {
    let words = tokens_of_name(name);
    if words.is_empty() || words.len() > tokens.len() {
        for (at, token) in tokens.iter().enumerate() {
            if token.quote.as_ref().is_some_and(|q| same_text(q, name)) {
                out.push(Span { from: at, to: at + 1 });
            }
        }
        return;
    }
    for from in 0..=tokens.len() - words.len() {
        let span = Span { from, to: from + words.len() };
        let part = &tokens[from..span.to];
        if part.iter().zip(&words).all(|(t, w)| t.quote.is_none() && t.key == *w)
            && !soft::says_nothing(part)
            && (!column || part[0].capital || part[0].key.chars().all(is_cjk))
            && !(part.len() == 1 && part[0].key.chars().all(is_cjk))
        {
            out.push(span);
        }
    }
    for (at, token) in tokens.iter().enumerate() {
        if token.quote.as_ref().is_some_and(|q| same_text(q, name)) {
            out.push(Span { from: at, to: at + 1 });
        }
    }
}

/// The words of a name. A blank between Chinese characters is only drawn.
fn tokens_of_name(name: &str) -> Vec<String> {
    let mut out = Vec::new();
    for key in names::key(name).split(' ').filter(|k| !k.is_empty()) {
        let mut word = String::new();
        for c in key.chars() {
            if is_cjk(c) {
                if !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
                out.push(c.to_string());
            } else {
                word.push(c);
            }
        }
        if !word.is_empty() {
            out.push(word);
        }
    }
    out
}

#[cfg(test)]
mod tests;
