use super::super::step::{Check, Press, Says, Step, Subject};
use super::*;
use crate::locate::tree::{Ordinal, Relation};
use handeye_core::ScrollKind;

/// A description in one line; only the first reading, for readings are the matter of the phrase tests.
fn target(wanted: &Wanted) -> String {
    // The strict reading of the whole phrase only says again what was said.
    let wanted = match &wanted.or {
        Some(or) if wanted.strict => or.as_ref(),
        _ => wanted,
    };
    let words = wanted.words.trim_start_matches(char::is_control);
    let mut out = if wanted.quoted { format!("{words:?}") } else { words.to_owned() };
    if wanted.strict {
        out = format!("={out}=");
    }
    if let Some(role) = wanted.role {
        out = format!("{out}<{role:?}>");
    }
    match wanted.ordinal {
        Some(Ordinal::Nth(n)) => out = format!("{out}#{n}"),
        Some(Ordinal::FromEnd(n)) => out = format!("{out}#-{n}"),
        None => {}
    }
    if let Some(within) = &wanted.within {
        out = format!("{out} in [{}]", target(within));
    }
    if let Some((relation, anchor)) = &wanted.near {
        let word = match relation {
            Relation::NextTo => "beside",
            Relation::RightOf => "right of",
            Relation::LeftOf => "left of",
            Relation::Above => "above",
            Relation::Below => "below",
            Relation::For => "of",
        };
        out = format!("{out} {word} [{}]", target(anchor));
    }
    out
}

fn check_line(check: &Check) -> String {
    let subject = match &check.subject {
        Subject::Page => "page".to_owned(),
        Subject::Title => "title".to_owned(),
        Subject::Address => "url".to_owned(),
        Subject::Element(wanted) => target(wanted),
    };
    let not = if check.negated { "not " } else { "" };
    match &check.says {
        Says::Contains(text) => format!("{subject} {not}contains {text:?}"),
        Says::Equals(text) => format!("{subject} {not}is {text:?}"),
        Says::Count(n) => format!("{subject} {not}count {n}"),
        state => format!("{subject} {not}{}", format!("{state:?}").to_lowercase()),
    }
}

fn line(step: &Step) -> String {
    let maybe = |w: &Option<Wanted>| w.as_ref().map_or("focus".to_owned(), target);
    let times = |n: u32| if n == 1 { String::new() } else { format!(" x{n}") };
    match step {
        Step::Click { target: t, how, times: n } => {
            let verb = match how {
                Press::Once => "click",
                Press::Double => "double",
                Press::Secondary => "right",
                Press::Hover => "hover",
                Press::Hold(ms) => return format!("hold {ms} {}", target(t)),
            };
            format!("{verb} {}{}", target(t), times(*n))
        }
        Step::Unfold { target: t, open } => format!("{} {}", if *open { "expand" } else { "collapse" }, target(t)),
        Step::Type { text, into, append } => {
            format!("{} {text:?} > {}", if *append { "append" } else { "type" }, maybe(into))
        }
        Step::Clear { field } => format!("clear {}", maybe(field)),
        Step::Key { chord, times: n, on, .. } => {
            let on = on.as_ref().map_or(String::new(), |on| format!(" on {}", target(on)));
            format!("key {chord}{on}{}", times(*n))
        }
        Step::Choose { option, list: Some(list) } => format!("choose {} from {}", target(option), target(list)),
        Step::Choose { option, list: None } => format!("choose {}", target(option)),
        Step::Set { target: t, value, .. } => format!("set {} = {value:?}", target(t)),
        Step::Toggle { target: t, on } => {
            let verb = match on {
                Some(true) => "tick",
                Some(false) => "untick",
                None => "flip",
            };
            format!("{verb} {}", target(t))
        }
        Step::Operate { control, thing, .. } => format!("{control}: {}", target(thing)),
        Step::Search { text, .. } => format!("search {text:?}"),
        Step::Scroll { direction, to, distance, area, times: n } => {
            let what = match to {
                ScrollKind::SingleAction => format!("{direction:?}").to_lowercase(),
                other => format!("{other:?}"),
            };
            let far = distance.map_or(String::new(), |d| format!(" {d}"));
            let area = area.as_ref().map_or(String::new(), |a| format!(" in {}", target(a)));
            format!("scroll {what}{far}{area}{}", times(*n))
        }
        Step::ScrollTo { target: t } => format!("scroll to {}", target(t)),
        Step::Go { url } => format!("go {url}"),
        Step::Aside => "aside".into(),
        Step::Reload => "reload".into(),
        Step::Back => "back".into(),
        Step::Forward => "forward".into(),
        Step::CloseTab => "close tab".into(),
        Step::Close { target: t } => format!("close {}", target(t)),
        Step::Sleep { ms } => format!("sleep {ms}"),
        Step::WaitFor { check } => format!("wait: {}", check_line(check)),
        Step::Drag { from, to } => format!("drag {} to {}", target(from), target(to)),
        Step::Upload { files, to } => format!("upload {} > {}", files.join(" "), maybe(to)),
        Step::Verify { check } => format!("verify: {}", check_line(check)),
        Step::Each { whole: _, steps } => {
            format!("each({})", steps.iter().map(line).collect::<Vec<_>>().join(" + "))
        }
        Step::Either(steps) => format!("either({})", steps.iter().map(line).collect::<Vec<_>>().join(" | ")),
    }
}

fn show(goal: &str) -> String {
    match read(goal) {
        Ok(clauses) => clauses.iter().map(|c| line(&c.step)).collect::<Vec<_>>().join("; "),
        Err(unread) => format!("✗ {unread}"),
    }
}

/// Each case: a goal, and behind `=>` what it is read into.
fn check_table(table: &str) {
    let mut wrong = Vec::new();
    for case in table.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (goal, want) = case.split_once("=>").map_or((case, ""), |(g, w)| (g.trim(), w.trim()));
        let got = show(&goal.replace("\\n", "\n"));
        let fits = got == want || (want == "✗" && got.starts_with('✗'));
        if !fits {
            wrong.push(format!("{goal} => {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn english_goals() {
    check_table(include_str!("tests/english.txt"));
}

#[test]
fn chinese_goals() {
    check_table(include_str!("tests/chinese.txt"));
}

#[test]
fn goals_that_are_not_steps() {
    check_table(include_str!("tests/refused.txt"));
}

#[test]
fn chinese_everyday_goals() {
    check_table(include_str!("tests/chinese_plain.txt"));
}
