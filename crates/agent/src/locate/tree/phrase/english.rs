//! English descriptions: `the second Delete button in the row of "Alice"`.

use super::nouns::{ENGLISH, ENGLISH_ITEMS, ENGLISH_PARTS};
use super::quotes::{Quotes, is_mark};
use super::{REFERENT, append, chain, role_for};
use crate::locate::tree::{Ordinal, Purpose, Relation, RoleWord, Wanted};

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

/// What is needed all along while one phrase is read.
struct Cx<'a> {
    marked: &'a str,
    quotes: &'a Quotes,
    purpose: Purpose,
}

pub(crate) fn read(marked: &str, quotes: &Quotes, purpose: Purpose) -> Option<Wanted> {
    read_words(marked, quotes, &words(marked), purpose)
}

/// Reads some words of a marked text.
pub(crate) fn read_words(marked: &str, quotes: &Quotes, words: &[Word], purpose: Purpose) -> Option<Wanted> {
    target(&Cx { marked, quotes, purpose }, words)
}

const ARTICLES: &[&str] = &["the", "a", "an", "my", "this", "that", "your", "our"];
/// Words that speak of more than one element, or of one that only a mind could pick.
const VAGUE: &[&str] = &[
    "all",
    "every",
    "each",
    "both",
    "any",
    "some",
    "several",
    "multiple",
    "everything",
    "anything",
    "whatever",
    "whichever",
    "random",
    "either",
    "other",
    "another",
    "various",
    "these",
    "those",
    "them",
    "it",
];
const SUPERLATIVES: &[&str] = &[
    "cheapest",
    "largest",
    "biggest",
    "smallest",
    "newest",
    "oldest",
    "latest",
    "lowest",
    "highest",
    "best",
    "worst",
    "most",
    "least",
    "longest",
    "shortest",
    "fastest",
    "nearest",
    "closest",
    "greatest",
    "youngest",
    "earliest",
    "correct",
    "right",
    "appropriate",
    "relevant",
    "matching",
    "corresponding",
];

fn starts(words: &[Word], phrase: &str) -> Option<usize> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    (words.len() >= parts.len() && words.iter().zip(&parts).all(|(w, p)| w.low == *p)).then_some(parts.len())
}

fn ends(words: &[Word], phrase: &str) -> Option<usize> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    let from = words.len().checked_sub(parts.len())?;
    words[from..].iter().zip(&parts).all(|(w, p)| w.low == *p).then_some(from)
}

fn trim(mut words: &[Word]) -> &[Word] {
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

fn slice<'a>(cx: &Cx<'a>, words: &[Word]) -> &'a str {
    match (words.first(), words.last()) {
        (Some(first), Some(last)) => cx.marked[first.start..last.end].trim(),
        _ => "",
    }
}

fn target(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    if refers(words) {
        return Some(Wanted { role: Some(RoleWord::Row), ..Wanted::named(REFERENT, cx.purpose) });
    }
    if let Some(one) = belonging(cx, words) {
        return Some(one);
    }
    let words = trim(words);
    let first = words.first()?;
    let quoted = words.iter().any(Word::is_quote);
    let literal = (!quoted).then(|| Wanted { strict: true, ..Wanted::named(slice(cx, words), cx.purpose) });
    let vague = VAGUE.contains(&first.low.as_str()) || starts(words, "one of").is_some();
    let superlative = words.iter().any(|w| SUPERLATIVES.contains(&w.low.as_str()));
    if vague || superlative {
        // `All` may be the name of a link; it is never a choice that is made here.
        let name = superlative && !vague || matches!(first.low.as_str(), "all" | "other");
        let bulk = plural_end(words) || words.get(1).is_some_and(|w| ARTICLES.contains(&w.low.as_str()));
        return literal.filter(|_| name && !bulk && cx.purpose != Purpose::Toggle);
    }
    let mut readings = Vec::new();
    let whole = head(cx, words);
    // `First name` and `Last page` are names before they count anything.
    let as_name = leading_ordinal(words)
        .and_then(|_| named(cx, words, false))
        .filter(|_| whole.as_ref().is_some_and(|w| !w.words.is_empty()));
    let whole = whole.filter(|w| !(w.ordinal.is_some() && counts_no_names(&w.words)));
    let role_only = whole.as_ref().is_some_and(|w| w.words.is_empty() && w.ordinal.is_none());
    let literal = literal.filter(|_| !(role_only && cx.purpose == Purpose::Hold));
    // A name that is nothing but the words themselves needs no second, stricter reading.
    if !whole.as_ref().is_some_and(|w| w.role.is_none() && w.ordinal.is_none()) {
        readings.extend(literal);
    }
    readings.extend(as_name);
    readings.extend(whole);
    for at in 1..words.len() {
        readings.extend(split(cx, words, at));
    }
    readings.extend(possessive(cx, words));
    readings.extend(soft(cx, words));
    chain(readings)
}

/// `first name` never means the first of several names.
fn counts_no_names(words: &str) -> bool {
    matches!(words.to_lowercase().as_str(), "name" | "names" | "class" | "aid" | "party")
}

/// `that row`, `the same card`, `her row`: what was spoken of before.
fn refers(words: &[Word]) -> bool {
    let low: Vec<&str> = words.iter().filter(|w| !w.is_sign()).map(|w| w.low.as_str()).collect();
    let held = ["row", "line", "card", "entry", "item", "box", "tile", "record", "section", "panel"];
    match low.as_slice() {
        ["that" | "this" | "her" | "his" | "their" | "its", noun]
        | ["the" | "that" | "this", "same" | "very", noun] => held.contains(noun),
        ["the", "same", "table", "row"] => true,
        _ => false,
    }
}

/// `its ×`, `her Edit button`: what belongs to the one spoken of before.
fn belonging(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    let (first, rest) = words.split_first()?;
    if !matches!(first.low.as_str(), "its" | "her" | "his" | "their") || rest.is_empty() {
        return None;
    }
    let anchor = Wanted { role: Some(RoleWord::Row), ..Wanted::named(REFERENT, Purpose::Hold) };
    let one = head(cx, rest)?;
    Some(Wanted { near: Some((Relation::For, Box::new(anchor))), ..one })
}

/// Nouns that say what a thing is about and are no kind of element: `the Completed filter`, `the category Billing`.
const SOFT: &[&str] = &[
    "filter",
    "view",
    "category",
    "question",
    "page",
    "step",
    "topic",
    "setting",
    "screen",
    "size",
    "colour",
    "color",
    "mode",
    "plan",
    "tool",
    "feature",
    "chip",
    "badge",
    "tag",
    "department",
    "theme",
    "language",
    "country",
    "status",
    "priority",
    "chapter",
    "tier",
    "brand",
    "model",
    "format",
    "filter link",
    "level",
    "command",
    "action",
    "folder",
    "channel",
    "variant",
    "choice",
    "symbol",
    "sign",
    "glyph",
    "cross",
    "tile",
    "column header",
    "column",
    "block",
    "setting row",
    "group",
    "section",
    "card",
    "entry",
    "option",
    "list",
    "item",
    "heading",
    "header",
    "panel",
    "title",
    "menu",
    "tab",
    "area",
    "post",
    "article",
    "file",
    "product",
    "task",
    "todo",
    "line",
    "label",
    "message",
];

/// The name without a noun that is no kind of element: the last reading, for when nothing of that kind is there.
fn soft(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    let longest = SOFT.iter().filter_map(|n| ends(words, n)).min().filter(|at| *at > 0);
    let name = if let Some(at) = longest {
        &words[..at]
    } else {
        let used = SOFT.iter().filter_map(|n| starts(words, n)).max()?;
        let rest = &words[used..];
        let named = LEAD_INS.iter().filter(|l| !matches!(**l, "for" | "with")).find_map(|l| starts(rest, l));
        let name = &rest[named.unwrap_or(0)..];
        // Without a word that leads it in, only a quoted or written-out name is one.
        let first = name.first()?;
        let capital = cx.marked[first.start..].starts_with(char::is_uppercase);
        if named.is_none() && !first.is_quote() && !capital {
            return None;
        }
        name
    };

    if leading_ordinal(name).is_some()
        || (1..name.len()).any(|i| HOLDING.iter().any(|h| starts(&name[i..], h).is_some()))
    {
        return None;
    }
    let one = name_of(cx, name, None)?;
    Some(Wanted { strict: !one.quoted, ..one })
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

fn plural_end(words: &[Word]) -> bool {
    let singular = |w: &Word| [w.low.strip_suffix('s'), w.low.strip_suffix("es")].into_iter().flatten().any(is_noun);
    words.last().is_some_and(singular)
}

fn is_noun(word: &str) -> bool {
    ENGLISH.iter().any(|(n, _)| *n == word) || ENGLISH_ITEMS.contains(&word) || word == "box"
}

/// Ordinal, kind and name, without a place.
fn head(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    let mut words = trim(words);
    let ordinal = match leading_ordinal(words) {
        Some((ordinal, used)) => {
            words = trim(&words[used..]);
            if let Some(rest) = words.strip_prefix_word("of") {
                words = trim(rest);
            }
            Some(ordinal)
        }
        None => None,
    };
    let mut wanted = named(cx, words, ordinal.is_some())?;
    if ordinal.is_some() {
        wanted.ordinal = ordinal;
        if wanted.words.is_empty() && matches!(wanted.role, None | Some(RoleWord::Any)) {
            wanted.role = Some(RoleWord::Item);
        }
    }
    Some(wanted)
}

trait StripWord {
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

const ORDINALS: &[&str] = &[
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
];

fn ordinal_word(word: &str) -> Option<u32> {
    if let Some(n) = ORDINALS.iter().position(|o| *o == word) {
        return u32::try_from(n + 1).ok();
    }
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|s| word.strip_suffix(s))?;
    digits.parse().ok().filter(|n| (1..=999).contains(n))
}

fn leading_ordinal(words: &[Word]) -> Option<(Ordinal, usize)> {
    for (phrase, n) in [
        ("second to last", 2),
        ("second last", 2),
        ("next to last", 2),
        ("last but one", 2),
        ("third to last", 3),
        ("third last", 3),
    ] {
        if let Some(used) = starts(words, phrase) {
            return Some((Ordinal::FromEnd(n), used));
        }
    }
    let first = words.first()?;
    match first.low.as_str() {
        "last" | "final" | "bottommost" => return Some((Ordinal::FromEnd(1), 1)),
        "penultimate" => return Some((Ordinal::FromEnd(2), 1)),
        "topmost" => return Some((Ordinal::Nth(1), 1)),
        _ => {}
    }
    ordinal_word(&first.low).map(|n| (Ordinal::Nth(n), 1))
}

/// `#2`, `number 2`, `no. 2` or a bare number at the end.
fn trailing_number(words: &[Word]) -> Option<(u32, usize)> {
    let last = words.last()?;
    let digits = last.low.strip_prefix('#').unwrap_or(&last.low);
    let n: u32 = digits.parse().ok().filter(|n| (1..=999).contains(n))?;
    let mut at = words.len() - 1;
    if at > 0 && matches!(words[at - 1].low.as_str(), "number" | "no" | "nr" | "#") {
        at -= 1;
    }
    Some((n, at))
}

/// How a name is led in behind a kind.
const LEAD_INS: &[&str] = &[
    "labeled",
    "labelled",
    "named",
    "called",
    "titled",
    "entitled",
    "marked",
    "saying",
    "reading",
    "that says",
    "that reads",
    "which says",
    "which reads",
    "with the text",
    "with text",
    "with the label",
    "with label",
    "with the name",
    "with name",
    "with the title",
    "with title",
    "with the caption",
    "with the words",
    "with the word",
    "with the placeholder",
    "with placeholder",
    "with the value",
    "containing the text",
    "containing",
    "that contains",
    "that is labeled",
    "that is called",
    "labeled as",
    "labelled as",
    "with",
    "showing",
    "whose name is",
    "whose text is",
    "whose label is",
    "for",
];

/// Kind and name.
fn named(cx: &Cx<'_>, words: &[Word], counted: bool) -> Option<Wanted> {
    let words = trim(words);
    if words.is_empty() {
        return counted.then(|| Wanted { role: Some(RoleWord::Item), ..Wanted::named("", cx.purpose) });
    }
    let make = |name: &[Word], role: Option<RoleWord>| name_of(cx, name, role.map(|r| role_for(r, cx.purpose)));
    if let Some(part) = ENGLISH_PARTS.iter().find(|p| starts(words, p) == Some(words.len())) {
        return Some(Wanted { role: Some(RoleWord::Navigation), ..Wanted::named(*part, cx.purpose) });
    }
    // `button labelled "X"`, `item called X`.
    if let Some((role, used)) = leading_kind(words, true) {
        let rest = &words[used..];
        for lead in LEAD_INS {
            // `for` and `with` lead in a name only when it is quoted; else they may say where the element is.
            let Some(n) = starts(rest, lead) else { continue };
            let name = trim(&rest[n..]);
            if (matches!(*lead, "for" | "with")) && !(name.len() == 1 && name[0].is_quote()) {
                continue;
            }
            if !name.is_empty() {
                return make(name, Some(role));
            }
        }
        // `button "X"`, `button ONE`, `field X`.
        let named = role != RoleWord::Item && trailing_kind(cx, words, counted).is_none();
        if !rest.is_empty() && (rest[0].is_quote() || named) {
            if rest.len() == 1
                && let Some((n, 0)) = trailing_number(rest)
            {
                return Some(Wanted {
                    ordinal: Some(Ordinal::Nth(n)),
                    role: Some(role_for(role, cx.purpose)),
                    ..Wanted::named("", cx.purpose)
                });
            }
            return make(rest, Some(role));
        }
    }
    if let Some((role, at)) = trailing_kind(cx, words, counted) {
        if at == 0 {
            return Some(Wanted { role: Some(role_for(role, cx.purpose)), ..Wanted::named("", cx.purpose) })
                .map(|w| if role == RoleWord::Search { Wanted { words: "search".into(), ..w } } else { w });
        }
        return make(&words[..at], Some(role));
    }
    if let Some((n, at)) = trailing_number(words)
        && let Some((role, 0)) = trailing_kind(cx, &words[..at], true)
    {
        return Some(Wanted {
            ordinal: Some(Ordinal::Nth(n)),
            role: Some(role_for(role, cx.purpose)),
            ..Wanted::named("", cx.purpose)
        });
    }
    if plural_kind(words) {
        return None;
    }
    make(words, None)
}

/// A name: one quoted text, or plain words without any.
fn name_of(cx: &Cx<'_>, words: &[Word], role: Option<RoleWord>) -> Option<Wanted> {
    let words = trim(words);
    let plain = Wanted { role, ..Wanted::named("", cx.purpose) };
    if let [one] = words
        && one.is_quote()
    {
        let inner = cx.quotes.only(&one.low)?;
        return Some(Wanted { words: inner.trim().to_owned(), quoted: true, ..plain });
    }
    if words.is_empty() || words.iter().any(Word::is_quote) {
        return None;
    }
    Some(Wanted { words: slice(cx, words).to_owned(), ..plain })
}

fn leading_kind(words: &[Word], items: bool) -> Option<(RoleWord, usize)> {
    let nouns = ENGLISH.iter().filter_map(|(n, r)| starts(words, n).map(|used| (*r, used)));
    let longest = nouns.max_by_key(|(_, used)| *used);
    // `the box that says "X"`
    let boxed = || {
        let led = words.get(1).is_some_and(|w| {
            matches!(
                w.low.as_str(),
                "that" | "which" | "labelled" | "labeled" | "saying" | "called" | "named" | "marked" | "with"
            )
        });
        (led && words[0].low == "box").then_some((RoleWord::Field, 1))
    };
    longest.or_else(boxed).or_else(|| {
        let item = ENGLISH_ITEMS.iter().find_map(|n| starts(words, n).map(|used| (RoleWord::Item, used)));
        item.filter(|_| items && words.len() > 1)
    })
}

/// A kind at the end: its role and where it begins.
fn trailing_kind(cx: &Cx<'_>, words: &[Word], counted: bool) -> Option<(RoleWord, usize)> {
    let nouns = ENGLISH.iter().filter_map(|(n, r)| ends(words, n).map(|at| (*r, at)));
    let longest = nouns.min_by_key(|(_, at)| *at);
    // A box or a spinner is a field to type into, a box to tick or a picture that turns.
    let wide = || {
        let at = ends(words, "box").or_else(|| ends(words, "spinner").filter(|_| cx.purpose == Purpose::Type))?;
        Some((if cx.purpose == Purpose::Type { RoleWord::Field } else { RoleWord::Any }, at))
    };
    longest.or_else(wide).or_else(|| {
        let at = ENGLISH_ITEMS.iter().find_map(|n| ends(words, n))?;
        let after_quote = at > 0 && words[at - 1].is_quote();
        let common = words
            .last()
            .is_some_and(|w| matches!(w.low.as_str(), "item" | "row" | "entry" | "card" | "product" | "task" | "todo"));
        (counted || after_quote || (common && at > 0)).then_some((RoleWord::Item, at))
    })
}

/// `the buttons`: several elements, which is no description of one.
fn plural_kind(words: &[Word]) -> bool {
    words.len() <= 2 && plural_end(words) && words.iter().all(|w| !w.is_quote())
}

/// What may stand between an element and where it is. Longer ones first.
const RELATIONS: &[(&str, Relation)] = &[
    ("to the right of", Relation::RightOf),
    ("on the right of", Relation::RightOf),
    ("on the right side of", Relation::RightOf),
    ("right of", Relation::RightOf),
    ("to the left of", Relation::LeftOf),
    ("on the left of", Relation::LeftOf),
    ("on the left side of", Relation::LeftOf),
    ("left of", Relation::LeftOf),
    ("right next to", Relation::NextTo),
    ("next to", Relation::NextTo),
    ("adjacent to", Relation::NextTo),
    ("close to", Relation::NextTo),
    ("beside", Relation::NextTo),
    ("near", Relation::NextTo),
    ("above", Relation::Above),
    ("below", Relation::Below),
    ("beneath", Relation::Below),
    ("underneath", Relation::Below),
];

const HOLDING: &[&str] = &[
    "inside of",
    "inside",
    "within",
    "in",
    "on",
    "from",
    "at",
    "under",
    "of",
    "belonging to",
    "associated with",
    "for",
    "with",
    "containing",
];

/// The reading that takes the words from `at` on as a place.
fn split(cx: &Cx<'_>, words: &[Word], at: usize) -> Vec<Wanted> {
    let rest = &words[at..];
    let hold = Cx { purpose: Purpose::Hold, ..*cx };
    let read = Cx { purpose: Purpose::Read, ..*cx };
    let mut out = Vec::new();
    let Some(one) = head(cx, &words[..at]) else { return out };
    if let Some((used, relation)) = RELATIONS.iter().find_map(|(p, r)| starts(rest, p).map(|n| (n, *r))) {
        if let Some(anchor) = target(&read, &rest[used..]) {
            out.push(Wanted { near: Some((relation, Box::new(anchor))), ..one });
        }
        return out;
    }
    let Some((preposition, used)) = HOLDING.iter().find_map(|p| starts(rest, p).map(|n| (*p, n))) else { return out };
    let place = trim(&rest[used..]);
    if place.is_empty() {
        return out;
    }
    let kinded = one.role.is_some() || one.ordinal.is_some();
    match preposition {
        "with" | "containing" => {
            // `the row with Alice`: what the element says, not where it is.
            if matches!(one.role, Some(RoleWord::Item | RoleWord::Row))
                && one.words.is_empty()
                && let Some(name) = name_of(cx, place, None)
            {
                out.push(Wanted { words: name.words, quoted: name.quoted, ..one });
            }
        }
        "for" | "of" | "belonging to" | "associated with" => {
            let anchor = holder(&hold, place);
            let counted = one.ordinal.is_some();
            if let Some(anchor) = anchor {
                let is_place = anchor.role.is_some() || anchor.ordinal.is_some();
                let near = Wanted { near: Some((Relation::For, Box::new(anchor.clone()))), ..one.clone() };
                if preposition == "of" && (counted || is_place) {
                    out.push(Wanted { within: Some(Box::new(anchor)), ..one.clone() });
                }
                if kinded || preposition == "of" {
                    out.push(near);
                }
            }
        }
        "under" => {
            if let Some(place_wanted) = holder(&hold, place) {
                out.push(Wanted { within: Some(Box::new(place_wanted)), ..one.clone() });
            }
            if let Some(anchor) = target(&read, place) {
                out.push(Wanted { near: Some((Relation::Below, Box::new(anchor))), ..one });
            }
        }
        _ => {
            if is_whole_page(place) {
                out.push(one);
            } else if let Some(place_wanted) = holder(&hold, place) {
                out.push(Wanted { within: Some(Box::new(place_wanted)), ..one });
            }
        }
    }
    out
}

/// `the Settings page`, `the site`: no part of the page but all of it.
fn is_whole_page(place: &[Word]) -> bool {
    place.last().is_some_and(|w| {
        matches!(w.low.as_str(), "page" | "screen" | "site" | "website" | "webpage" | "window" | "app" | "form")
    }) && (place.len() == 1 || place.last().is_some_and(|w| matches!(w.low.as_str(), "page" | "screen")))
}

/// A place that holds elements.
pub(crate) fn read_place(marked: &str, quotes: &Quotes, words: &[Word]) -> Option<Wanted> {
    let words = trim(words);
    if is_whole_page(words) {
        return None;
    }
    holder(&Cx { marked, quotes, purpose: Purpose::Hold }, words)
}

/// Whether the words say no more than `on this page`.
pub(crate) fn says_page(words: &[Word]) -> bool {
    is_whole_page(trim(words))
}

fn holder(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    if refers(words) {
        return Some(Wanted { role: Some(RoleWord::Row), ..Wanted::named(REFERENT, cx.purpose) });
    }
    let words = trim(words);
    // `the end of that row`: a part of it that only says where in it.
    for edge in [
        "end of",
        "right end of",
        "left end of",
        "beginning of",
        "start of",
        "far right of",
        "right side of",
        "left side of",
        "right of",
        "left of",
        "bottom of",
        "top of",
        "right edge of",
        "far end of",
        "corner of",
        "top right corner of",
        "top right of",
        "bottom right of",
    ] {
        if let Some(used) = starts(words, edge)
            && used < words.len()
        {
            return holder(cx, &words[used..]);
        }
    }
    let row = |name: &[Word]| {
        let name = name_of(cx, name, None)?;
        Some(Wanted { role: Some(RoleWord::Row), ..name })
    };
    let nested = |name: &[Word]| -> Option<Wanted> {
        // `the row of Alice in the Users table`: the last place is the outer one.
        let at = (1..name.len()).find(|&i| matches!(name[i].low.as_str(), "in" | "inside" | "within"))?;
        let outer = holder(cx, &name[at + 1..])?;
        Some(Wanted { within: Some(Box::new(outer)), ..row(&name[..at])? })
    };
    for lead in [
        "row of",
        "row for",
        "row with the text",
        "row with the name",
        "row with",
        "row containing",
        "row that contains",
        "row that says",
        "row where the name is",
        "row labeled",
        "row labelled",
        "row named",
        "row called",
        "row whose name is",
        "row saying",
        "same row as",
        "line of",
        "line for",
        "line with",
        "line containing",
        "card of",
        "card for",
        "card with",
        "card containing",
        "entry for",
        "entry of",
        "item named",
        "item called",
        "item with the text",
        "item with the name",
        "item with",
        "item containing",
        "record of",
        "record for",
        "row for the",
        "item for",
        "section for",
    ] {
        if let Some(used) = starts(words, lead) {
            let name = trim(&words[used..]);
            let plain = row(name);
            return match (nested(name), plain) {
                (Some(nested), Some(plain)) => Some(append(nested, Some(plain))),
                (nested, plain) => nested.or(plain),
            };
        }
    }
    for end in ["row", "line", "card", "entry", "item", "record"] {
        if let Some(at) = ends(words, end)
            && at > 0
            && leading_ordinal(words).is_none()
        {
            let name = match &words[at - 1] {
                w if w.low == "'s" => &words[..at - 1],
                _ => &words[..at],
            };
            if let [.., last] = name
                && let Some(bare) = last.low.strip_suffix("'s")
            {
                let end = last.start + bare.len();
                let text = cx.marked[name[0].start..end].trim();
                return Some(Wanted { role: Some(RoleWord::Row), ..Wanted::named(text, cx.purpose) });
            }
            return row(name);
        }
    }
    target(cx, words)
}

/// `Alice's delete button`, `the second item's checkbox`.
fn possessive(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    let at = words.iter().position(|w| w.low == "'s" || (w.low.ends_with("'s") && w.low.len() > 2))?;
    let rest = &words[at + 1..];
    let one = head(cx, rest)?;
    let owner_end = if words[at].low == "'s" {
        words.get(at.checked_sub(1)?)?.end
    } else {
        words[at].end - words[at].low.len() + words[at].low.trim_end_matches("'s").len()
    };
    let owner = cx.marked[words[0].start..owner_end].trim();
    let owner_words = self::words(owner);
    let hold = Cx { marked: owner, purpose: Purpose::Hold, ..*cx };
    let anchor = head(&hold, &owner_words)?;
    if anchor.ordinal.is_some() {
        return Some(Wanted { within: Some(Box::new(anchor)), ..one });
    }
    Some(Wanted { near: Some((Relation::For, Box::new(anchor))), ..one })
}

/// Whether the last words name a kind of element, or are a quoted name: nothing that belongs to it can follow.
pub(crate) fn is_closed(words: &[Word]) -> bool {
    let words = trim(words);
    let cx = Cx { marked: "", quotes: &Quotes::default(), purpose: Purpose::Type };
    words.last().is_some_and(Word::is_quote) || trailing_kind(&cx, words, true).is_some()
}

/// Whether the words are only a kind of element, in the plural: `the buttons ONE and TWO` begins so.
pub(crate) fn plural_lead(words: &[Word]) -> Option<usize> {
    let from = words.iter().position(|w| !ARTICLES.contains(&w.low.as_str()))?;
    (from + 1..=words.len().min(from + 3)).rev().find(|&to| {
        let phrase = words[from..to].iter().map(|w| w.low.as_str()).collect::<Vec<_>>().join(" ");
        [phrase.strip_suffix('s'), phrase.strip_suffix("es")].into_iter().flatten().any(is_noun)
    })
}
