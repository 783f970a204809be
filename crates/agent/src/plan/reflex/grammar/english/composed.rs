//! Sentences that stand for several steps: logging in with what is to be typed, adding an entry to a list.

use super::{Cx, Purpose, Step, Wanted, Word, patterns, starts, value};

/// `log in with username "a" and password "b"`, `sign in as a with password b`.
pub(super) fn log_in(cx: &Cx<'_>, body: &[Word]) -> Option<Step> {
    let command =
        ["log in", "login", "sign in", "log on", "sign up", "register"].iter().find(|c| starts(body, c).is_some())?;
    let mut rest = &body[command.split(' ').count()..];
    let mut steps = Vec::new();
    let put =
        |label: &str, text: String| Step::Type { text, into: Some(Wanted::named(label, Purpose::Type)), append: false };
    let first = rest.first()?.low.as_str();
    if first == "as" {
        steps.push(put("username", value(cx, rest.get(1..2)?)));
        rest = &rest[2..];
    }
    while let [word, tail @ ..] = rest {
        if matches!(word.low.as_str(), "with" | "using" | "and" | "," | "the" | "&" | "as" | ":") {
            rest = tail;
            continue;
        }
        let label = ["email address", "user name", "username", "password", "email", "user", "name", "phone"]
            .iter()
            .find(|l| starts(rest, l).is_some())?;
        let tail = &rest[label.split(' ').count()..];
        let tail: &[Word] = match tail {
            [sign, tail @ ..] if sign.is_sign() => tail,
            all => all,
        };
        steps.push(put(label, value(cx, tail.get(..1)?)));
        rest = &tail[1..];
    }
    if steps.is_empty() {
        return None;
    }
    steps.push(patterns::click(Wanted::named(*command, Purpose::Click)));
    patterns::each(None, steps)
}

/// `add a new todo called "tea"`, `add "tea" to the list`.
pub(super) fn add_to_list(cx: &Cx<'_>, rest: &[Word]) -> Option<Step> {
    let Some(at) = rest.iter().position(Word::is_quote) else { return plain_entry(cx, rest) };
    let small = |w: &Word| {
        w.is_sign()
            || matches!(
                w.low.as_str(),
                "a" | "an"
                    | "the"
                    | "new"
                    | "another"
                    | "todo"
                    | "todos"
                    | "to-do"
                    | "task"
                    | "item"
                    | "entry"
                    | "called"
                    | "named"
                    | "titled"
                    | "with"
                    | "text"
                    | "name"
                    | "title"
                    | "to"
                    | "list"
                    | "my"
                    | "as"
                    | "saying"
                    | "one"
                    | "more"
            )
    };
    let rest_is_small = rest.iter().enumerate().all(|(i, w)| i == at || small(w));
    rest_is_small.then(|| Step::Add { text: value(cx, &rest[at..=at]) })
}

/// `add the todo Buy stamps`, `add a task called Tea`: the noun says that what follows is the text.
fn plain_entry(cx: &Cx<'_>, rest: &[Word]) -> Option<Step> {
    let nouns = ["todo item", "to-do item", "to do item", "todo", "to-do", "to do", "task", "entry", "item", "note"];
    let lead =
        ["the new", "a new", "another", "the", "a", "an", "new"].iter().find_map(|l| starts(rest, l)).unwrap_or(0);
    let named = &rest[lead..];
    let noun = nouns.iter().find_map(|n| starts(named, n))?;
    let text = &named[noun..];
    let text =
        ["called", "named", "titled", "saying", ":"].iter().find_map(|l| starts(text, l)).map_or(text, |n| &text[n..]);
    let to = text.iter().any(|w| matches!(w.low.as_str(), "to" | "in" | "into" | "using" | "with"));
    let written = text.first().is_some_and(|w| cx.text[w.start..].starts_with(char::is_uppercase));
    (!text.is_empty() && !to && written).then(|| Step::Add { text: value(cx, text) })
}
