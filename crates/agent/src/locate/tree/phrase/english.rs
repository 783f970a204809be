//! English descriptions: `the second Delete button in the row of "Alice"`.

mod names;
mod numbers;
mod owners;
mod places;
mod sides;
mod soft;
mod words;

use names::{is_noun, named, plural_end, trailing_kind};
use numbers::{counts_no_names, leading_ordinal};
use owners::{belonging, possessive, refers};
use places::split;
pub(crate) use places::{read_place, says_page};
use soft::soft;
use words::{ARTICLES, StripWord as _, starts, trim};
pub(crate) use words::{Word, words};

use super::quotes::{Quotes, is_mark};
use super::{PRONOUN, REFERENT, chain, loosely, role_for};
use crate::locate::tree::{Purpose, RoleWord, Wanted};

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
    "appropriate",
    "relevant",
    "matching",
    "corresponding",
];

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
    // `the first item in it`: in what was spoken of.
    if let [name @ .., place, it] = words
        && matches!(place.low.as_str(), "in" | "inside" | "on" | "of")
        && it.low == "it"
        && !name.is_empty()
    {
        let holder = Wanted::named(PRONOUN, Purpose::Hold);
        return target(cx, name).map(|one| one.inside(&holder));
    }
    let all = words;
    let words = trim(words);
    let first = words.first()?;
    let quoted = words.iter().any(Word::is_quote);
    let literal = (!quoted).then(|| Wanted { strict: true, ..Wanted::named(slice(cx, words), cx.purpose) });
    // `删除“标题4”`: a quote that touches a word is a part of the name.
    let text = slice(cx, words);
    let touches = |(a, b): (char, char)| is_mark(b) && a.is_alphanumeric() && !is_mark(a);
    if quoted && text.chars().zip(text.chars().skip(1)).any(touches) {
        return Some(Wanted { strict: true, ..Wanted::named(cx.quotes.restore(text), cx.purpose) });
    }
    let vague = VAGUE.contains(&first.low.as_str()) || starts(words, "one of").is_some();
    // `the right one` is the correct one; `on the right` is a side.
    let superlative = words.iter().any(|w| SUPERLATIVES.contains(&w.low.as_str())) || first.low == "right";
    if vague || superlative {
        // `All` may be the name of a link; it is never a choice that is made here.
        // `choose Every week`: written as a name.
        let written = cx.marked[first.start..].starts_with(char::is_uppercase) && words.len() > 1;
        let name = superlative && !vague || matches!(first.low.as_str(), "all" | "other") || written;
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
    readings.extend(kind_as_name(cx, words));
    readings.extend(whole);
    for at in 1..words.len() {
        readings.extend(split(cx, words, at));
    }
    if let Some((side, used)) = sides::leading(words)
        && leading_ordinal(&words[used..]).is_none()
    {
        readings.extend(head(cx, &words[used..]).map(|w| sides::on_side(w, side)));
    }
    readings.extend(possessive(cx, words));
    readings.extend(soft(cx, words));
    readings.extend(apposed(cx, all));
    if !readings.is_empty() {
        readings.extend(loosely(&cx.quotes.restore(slice(cx, all)), cx.purpose));
    }
    chain(readings)
}

/// `the Text field`, `the Select list`: a kind whose first word is written as a name may be called so.
fn kind_as_name(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    let [name, noun] = words else { return None };
    let written = |w: &Word| cx.marked[w.start..].starts_with(char::is_uppercase);
    let inside = cx.marked[..name.start].trim_end().ends_with(char::is_alphanumeric);
    let (_, at) = trailing_kind(cx, words, false)?;
    let (role, alone) = trailing_kind(cx, std::slice::from_ref(noun), false)?;
    (at == 0 && alone == 0 && inside && written(name) && !written(noun))
        .then(|| Wanted { role: Some(role_for(role, cx.purpose)), ..Wanted::named(slice(cx, &words[..1]), cx.purpose) })
}

/// `the ticket E-mail bounces back`: any noun with an article before a name that is written as one. The last reading, and only
/// the whole name will do.
fn apposed(cx: &Cx<'_>, words: &[Word]) -> Option<Wanted> {
    let [article, noun, name @ ..] = words else { return None };
    if let Some(last) = words.iter().rposition(|w| w.low.chars().any(|c| c.is_ascii_digit()))
        && article.low == "the"
        && (1..=2).contains(&(words.len() - 1 - last))
        && words[last + 1..].iter().all(|w| w.low.chars().all(|c| c.is_ascii_lowercase()) && !is_noun(&w.low))
        && leading_ordinal(&words[1..]).is_none()
    {
        // `the $20K - $50K salary range`
        return Some(Wanted { strict: true, ..Wanted::named(slice(cx, &words[1..=last]), cx.purpose) });
    }
    let written = |w: &Word| cx.marked[w.start..].starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let plain = noun.low.len() > 2 && noun.low.chars().all(|c| c.is_ascii_lowercase()) && !written(noun);
    let adjective = ["ed", "ing", "st", "nd", "rd", "th"].iter().any(|e| noun.low.ends_with(e));
    let says_name = name.first().is_some_and(written) && name.iter().all(|w| !w.is_quote());
    (article.low == "the" && plain && !adjective && says_name && !SIDES.contains(&noun.low.as_str()))
        .then(|| Wanted { strict: true, ..Wanted::named(slice(cx, name), cx.purpose) })
}

const SIDES: &[&str] =
    &["left", "right", "top", "bottom", "upper", "lower", "next", "last", "other", "same", "new", "old"];

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
