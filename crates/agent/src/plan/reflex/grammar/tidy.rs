//! What is put in order before a goal is cut into clauses: longer ways to say `then`, remarks that ask for nothing, hints in
//! brackets, and values that are listed before it is said what to do with them.
//!
//! Quoted texts are marks here, so nothing in them is touched. What is dropped stands in the tables below; all else stays
//! and has to be read as a clause.

use crate::locate::tree::phrase::english::{Word, words};

/// Ways to say `then`. Longer ones first.
const THEN: &[&str] = &[
    "and only after that",
    "and only then",
    "and once that is done",
    "and once that's done",
    "and once this is done",
    "once you have done that",
    "once you've done that",
    "once that has been done",
    "once that is done",
    "once that's done",
    "once this is done",
    "once it is done",
    "when you are done with that",
    "when that is done",
    "when that's done",
    "when this is done",
    "after that is done",
    "after that's done",
    "after doing that",
    "after doing so",
    "after this",
    "after which",
    "whereupon",
    "having done that",
    "having done so",
    "with that done",
    "only then",
    "thereafter",
    "subsequently",
];

/// What `leave the others alone` may speak of.
const OTHERS: &[&str] = &["other", "others", "rest", "remaining", "else"];
const ABOUT_OTHERS: &[&str] = &[
    "the",
    "of",
    "all",
    "any",
    "everything",
    "anything",
    "boxes",
    "box",
    "checkboxes",
    "checkbox",
    "options",
    "option",
    "items",
    "item",
    "fields",
    "field",
    "ones",
    "rows",
    "row",
    "entries",
    "entry",
    "tasks",
    "task",
    "todos",
    "todo",
    "settings",
    "setting",
    "values",
    "value",
    "them",
    "page",
    "form",
];
const AS_THEY_ARE: &[&str] =
    &["alone", "unchanged", "untouched", "as they are", "as it is", "as is", "as they were", "exactly as they are"];

/// The text of a goal in plain order.
pub(super) fn tidy(marked: &str) -> String {
    let mut text = again(&pairs(&made_like(marked)));
    for phrase in THEN {
        text = replace(&text, phrase, "then");
    }
    unbracket(&without_others(&telling(&text)))
}

/// `the page then shows X` is told of the page; no step begins with such a word, so the `then` parts nothing.
fn telling(text: &str) -> String {
    const TELLS: &[&str] =
        &["shows", "says", "reads", "displays", "contains", "is", "has", "appears", "disappears", "lists", "becomes"];
    let all = words(text);
    let found = (1..all.len().saturating_sub(1)).find(|&i| {
        let before = &all[i - 1];
        all[i].low == "then" && TELLS.contains(&all[i + 1].low.as_str()) && !before.is_sign() && before.low != "and"
    });
    match found {
        Some(i) => telling(&format!("{}{}", &text[..all[i].start], &text[all[i + 1].start..])),
        None => text.to_owned(),
    }
}

fn is_word_char(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '\'' | '_'))
}

/// Replaces a phrase where it stands as whole words, whatever its case.
fn replace(text: &str, phrase: &str, with: &str) -> String {
    let low = text.to_ascii_lowercase();
    let mut out = String::new();
    let mut from = 0;
    while let Some(found) = low[from..].find(phrase) {
        let (start, end) = (from + found, from + found + phrase.len());
        let whole = !is_word_char(text[..start].chars().next_back()) && !is_word_char(text[end..].chars().next());
        out.push_str(&text[from..start]);
        out.push_str(if whole { with } else { &text[start..end] });
        from = end;
    }
    out.push_str(&text[from..]);
    out
}

fn starts(words: &[Word], phrase: &str) -> Option<usize> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    (words.len() >= parts.len() && words.iter().zip(&parts).all(|(w, p)| w.low == *p)).then_some(parts.len())
}

/// Takes out `but leave the other boxes alone`: nothing is done to what no step names.
fn without_others(text: &str) -> String {
    let all = words(text);
    for at in 0..all.len() {
        let (verb, touches) = match all[at].low.as_str() {
            "leave" | "leaving" | "keep" | "keeping" => (1, false),
            "don't" if starts(&all[at..], "don't touch").or(starts(&all[at..], "don't change")).is_some() => (2, true),
            "do" if starts(&all[at..], "do not touch").or(starts(&all[at..], "do not change")).is_some() => (3, true),
            _ => continue,
        };
        let mut end = at + verb;
        while all.get(end).is_some_and(|w| OTHERS.contains(&w.low.as_str()) || ABOUT_OTHERS.contains(&w.low.as_str())) {
            end += 1;
        }
        if !all[at + verb..end].iter().any(|w| OTHERS.contains(&w.low.as_str())) {
            continue;
        }
        if !touches {
            let Some(n) = AS_THEY_ARE.iter().filter_map(|p| starts(&all[end..], p)).max() else { continue };
            end += n;
        }
        if all.get(end).is_some_and(|w| !w.is_sign() && !matches!(w.low.as_str(), "and" | "then")) {
            continue;
        }
        let mut begin = at;
        while begin > 0 && matches!(all[begin - 1].low.as_str(), "but" | "and" | "while" | "just" | "please" | ",") {
            begin -= 1;
        }
        let stop = all.get(end).map_or(text.len(), |w| w.start);
        let rest = without_others(&text[stop..]);
        let joint = if rest.starts_with(|c: char| c.is_alphanumeric()) { ", " } else { "" };
        return format!("{}{joint}{rest}", text[..all[begin].start].trim_end());
    }
    text.to_owned()
}

/// Hints in brackets: places are read as if the brackets were not there, remarks about the same place are dropped. Other
/// brackets stay, as a part of a name.
fn unbracket(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find(" (") {
        let Some(close) = rest[open..].find(')').map(|c| open + c) else { break };
        let inner = rest[open + 2..close].trim();
        let low = inner.to_lowercase();
        let said: Vec<&str> = low.split_whitespace().collect();
        let after = rest[close + 1..].chars().next();
        out.push_str(&rest[..open]);
        if is_same_place(&said) {
            // It says again what the step says.
        } else if is_place(&said) && after.is_none_or(|c| !c.is_alphanumeric()) {
            out.push(' ');
            out.push_str(inner);
        } else {
            out.push_str(&rest[open..=close]);
        }
        rest = &rest[close + 1..];
    }
    out.push_str(rest);
    out
}

fn is_place(said: &[&str]) -> bool {
    let first = said.first().copied().unwrap_or_default();
    matches!(first, "in" | "on" | "inside" | "under" | "below" | "above" | "beside" | "near" | "next") && said.len() > 1
}

/// `use the button in the same box`.
fn is_same_place(said: &[&str]) -> bool {
    let known = [
        "use", "with", "the", "a", "its", "own", "button", "icon", "link", "in", "of", "on", "that", "same", "box",
        "row", "card", "line", "section", "panel", "beside", "it", "there",
    ];
    said.len() > 2 && said.contains(&"same") && said.iter().all(|w| known.contains(w))
}

/// Ways to say that the values listed before or behind go into their fields.
const FILL_THESE: &[&str] = &[
    "fill these",
    "fill them",
    "fill this",
    "fill those",
    "enter these",
    "enter them",
    "enter this",
    "type these",
    "type them",
    "put these",
    "put them",
    "use these",
    "use them",
    "fill in these",
    "fill in the form with these",
    "fill the form with these",
    "enter the following",
    "fill in the following",
    "use the following",
    "type the following",
    "put the following",
    "fill out the form with the following",
    "fill in the form with the following",
    "fill the form with the following",
];
const FILL_TAIL: &[&str] = &[
    "in",
    "into",
    "to",
    "the",
    "two",
    "three",
    "four",
    "fields",
    "field",
    "boxes",
    "form",
    "inputs",
    "values",
    "value",
    "details",
    "data",
    "credentials",
    "login",
    "with",
    "matching",
    "corresponding",
    "as",
    "follows",
    "for",
    "their",
    "respective",
    "on",
    "page",
    "there",
    "of",
    "these",
];

/// `Username: ann, password: x1. Fill these into the two fields` becomes a clause for each pair.
fn pairs(text: &str) -> String {
    let all = words(text);
    let found = (0..all.len()).find_map(|at| {
        let n = FILL_THESE.iter().filter_map(|p| starts(&all[at..], p)).max()?;
        let more = all[at + n..].iter().take_while(|w| FILL_TAIL.contains(&w.low.as_str())).count();
        Some((at, at + n + more))
    });
    let Some((begin, end)) = found else { return text.to_owned() };
    let from = all[begin].start;
    let to = all.get(end).map_or(text.len(), |w| w.start);
    let ends_well = all.get(end).is_none_or(|w| w.is_sign() || matches!(w.low.as_str(), "and" | "then"));
    if !ends_well {
        return text.to_owned();
    }
    let (before, after) = (&text[..from], text[to..].trim_start_matches([':', ' ', '\n', ',', '.']));
    let (head, tail) = if before.contains(':') {
        let Some(read) = read_pairs(before) else { return text.to_owned() };
        (read, after.to_owned())
    } else {
        let stop = after.find(". ").unwrap_or(after.len());
        let Some(read) = read_pairs(&after[..stop]) else { return text.to_owned() };
        (format!("{before}{read}"), after[stop..].trim_start_matches('.').to_owned())
    };
    let tail = tail.trim_start();
    let tail = ["and then ", "and ", "then "].iter().find_map(|j| tail.strip_prefix(j)).unwrap_or(tail);
    format!("{head}; {tail}")
}

fn read_pairs(text: &str) -> Option<String> {
    let mut out = Vec::new();
    for part in text.trim().trim_end_matches('.').split([',', ';', '\n']) {
        let part = part.trim().trim_start_matches("- ");
        let part = part.strip_prefix("and ").unwrap_or(part).trim();
        if part.is_empty() {
            continue;
        }
        let (key, value) = part.split_once(':')?;
        let key_words = key.split_whitespace().count();
        if !(1..=3).contains(&key_words) || value.trim().is_empty() || value.trim().contains(": ") {
            return None;
        }
        out.push(format!("fill in {}: {}", key.trim(), value.trim()));
    }
    (!out.is_empty()).then(|| out.join("; "))
}

/// Ways to ask for the step before with another value.
const AGAIN: &[&str] = &[
    "do the same with",
    "do the same for",
    "do the same thing with",
    "do the same thing for",
    "do that again for",
    "do that again with",
    "do this again for",
    "do this again with",
    "do it again for",
    "do it again with",
    "repeat that for",
    "repeat that with",
    "repeat this for",
    "repeat this with",
    "repeat the same with",
    "repeat the same for",
    "and the same for",
    "and the same with",
    "the same for",
    "the same with",
];

/// `Type "A" into Name. Do the same with "B".`: the sentence before is said again with the other text, when each of the two
/// has one quoted text, so that it is clear which one is meant. All else stays, and is then no clause.
fn again(text: &str) -> String {
    let all = words(text);
    let found = (0..all.len()).find_map(|at| {
        let n = AGAIN.iter().filter_map(|p| starts(&all[at..], p)).max()?;
        Some((at, at + n))
    });
    let Some((begin, end)) = found.filter(|(b, _)| *b > 0) else { return text.to_owned() };
    let mut given = Vec::new();
    let mut stop = end;
    while let Some(word) = all.get(stop) {
        if word.is_quote() {
            given.push(&text[word.start..word.end]);
        } else if !matches!(word.low.as_str(), "," | "and") {
            break;
        }
        stop += 1;
    }
    let ends_there = all.get(stop).is_none_or(|w| matches!(w.low.as_str(), "." | ";" | "then" | "!"));
    let mut before = begin;
    while before > 0 && matches!(all[before - 1].low.as_str(), "then" | "and" | "," | "." | ";") {
        before -= 1;
    }
    let head = text[..all.get(before).map_or(0, |w| w.start)].trim_end();
    let from = head.rfind(['.', ';', '\n']).map_or(0, |at| at + 1);
    let sentence = &head[from..];
    let quoted: Vec<Word> = words(sentence).into_iter().filter(Word::is_quote).collect();
    let [only] = quoted.as_slice() else { return text.to_owned() };
    // The text has to be what the verb is about: in `in the box that says "A" type b` it is not.
    let told = words(sentence).iter().filter(|w| !w.is_sign()).take(2).any(|w| w.start == only.start);
    if given.is_empty() || !ends_there || !told {
        return text.to_owned();
    }
    let mut out = head.to_owned();
    for value in given {
        out.push_str("; ");
        out.push_str(sentence[..only.start].trim_start());
        out.push_str(value);
        out.push_str(&sentence[only.end..]);
    }
    out.push_str(text[all.get(stop).map_or(text.len(), |w| w.start)..].trim_start_matches([' ']));
    again(&out)
}

/// `make a new ticket: subject Tea, …`, `create a task with the title Tea, …`: what it is like comes as clauses of its own.
fn made_like(marked: &str) -> String {
    let all = words(marked);
    let mut out = marked.to_owned();
    for at in (1..all.len()).rev() {
        let with =
            all[at].low == "with" && all.get(at + 1).is_some_and(|w| matches!(w.low.as_str(), "the" | "a" | "an"));
        if all[at].low != ":" && !with {
            continue;
        }
        let from = (0..at).rev().find(|&i| all[i].is_sign() || matches!(all[i].low.as_str(), "and" | "then"));
        if super::english::makes_new(&all[from.map_or(0, |i| i + 1)..at]) {
            let end = if with { all[at + 1].end } else { all[at].end };
            let goes_on = !with && super::english::begins_step(&marked[end..]);
            out.replace_range(all[at].start..end, if goes_on { "," } else { ", give it the" });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[track_caller]
    fn check(text: &str, want: &str) {
        assert_eq!(tidy(text), want, "{text}");
    }

    #[test]
    fn remarks_are_put_in_order() {
        check("tick A and only then click B", "tick A then click B");
        check("Open the menu. Once that is done, pick X", "Open the menu. then, pick X");
        check("Select A and B but leave the other boxes alone", "Select A and B");
        check("Tick A, but leave the rest as they are, then click Go", "Tick A, then click Go");
        check("Leave the door open", "Leave the door open");
        check("keep the others quiet", "keep the others quiet");
        check("click Add (use the button in the same box)", "click Add");
        check("click Help (in the footer)", "click Help in the footer");
        check("click Clear completed (1)", "click Clear completed (1)");
        check("click Export (CSV)", "click Export (CSV)");
        check(
            "Username: ann, password: x1. Fill these into the two fields and click Login.",
            "fill in Username: ann; fill in password: x1; click Login.",
        );
        check(
            "Fill in the following: Name: Bob, City: Rome. Click Go",
            "fill in Name: Bob; fill in City: Rome; Click Go",
        );
    }
}
