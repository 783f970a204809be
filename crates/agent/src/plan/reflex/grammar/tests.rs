use super::super::step::{Check, Press, Says, Step, Subject};
use super::*;
use crate::locate::tree::{Ordinal, Relation, Wanted};
use handeye_core::ScrollKind;

/// A description in one line; only the first reading, for readings are the matter of the phrase tests.
fn target(wanted: &Wanted) -> String {
    // The strict reading of the whole phrase only says again what was said.
    let wanted = match &wanted.or {
        Some(or) if wanted.is_literal() => or.as_ref(),
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
        Says::Alone(n) => format!("{subject} one of {n}"),
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
        Step::TurnTo { page } => format!("page {page}"),
        Step::There { place, here, there } => format!("there {}: {} | {}", target(place), line(here), line(there)),
        Step::Entry { said } => format!("entry {said:?}"),
        Step::Add { text } => format!("add {text:?}"),
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
fn ordinary_english() {
    check_table(include_str!("tests/ordinary.txt"));
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

/// What stands between the clauses of a goal that was read parts them or says what not to do; nothing else is ever dropped.
#[test]
fn no_part_of_a_goal_is_lost() {
    let parting = [
        "然后",
        "接着",
        "再",
        "最后",
        "之后",
        "以后",
        "并且",
        "以及",
        "并",
        "后",
        "和",
        "与",
        "及",
        "同时",
        "随后",
        "接下来",
        "请",
        "首先",
        "先",
        "第一步",
        "第二步",
        "1",
        "2",
        "3",
        "①",
        "②",
        "，",
        "。",
        "、",
        "；",
        "：",
        "）",
        "!",
        "！",
        ",",
        ".",
        ";",
        ")",
        " ",
    ];
    let mut goals: Vec<String> = Vec::new();
    for table in [include_str!("tests/chinese.txt"), include_str!("tests/chinese_plain.txt")] {
        let cases = table.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split_once(" => "));
        goals.extend(cases.filter(|(_, want)| *want != "✗").map(|(goal, _)| goal.trim().to_owned()));
    }
    // Goals put together from others, in the ways in which people join them.
    let pairs: Vec<String> = goals
        .iter()
        .zip(goals.iter().cycle().skip(17))
        .zip(["，然后", "；", "。", "，再", "\n"].iter().cycle())
        .map(|((a, b), joint)| format!("{a}{joint}{b}"))
        .collect();
    goals.extend(pairs);
    for goal in &goals {
        let Ok(clauses) = read(goal) else { continue };
        let mut rest = goal.as_str();
        let mut gaps = Vec::new();
        for clause in &clauses {
            let at = rest.find(clause.text.trim()).unwrap_or_else(|| panic!("{goal}: `{}` out of order", clause.text));
            gaps.push(rest[..at].to_owned());
            rest = &rest[at + clause.text.trim().len()..];
        }
        gaps.push(rest.to_owned());
        for gap in gaps {
            let aside = ["不要", "不用", "不需要", "别", "其余", "其他"].iter().any(|w| gap.contains(w));
            let left = parting.iter().fold(gap.clone(), |g, p| g.replace(p, ""));
            assert!(aside || left.trim().is_empty(), "{goal}: `{gap}` is lost");
        }
    }
}

/// Words that join clauses and are no part of any.
const JOINTS: &[&str] =
    &["and", "then", "after", "that", "afterwards", "finally", "lastly", "also", "plus", "followed", "by", "step"];

/// Every word of a goal is in a clause, or the goal is not read.
#[track_caller]
fn nothing_is_lost(goal: &str) {
    let Ok(clauses) = read(goal) else { return };
    let (marked, quotes) = Quotes::mark(goal.trim()).expect("was read");
    let words_of = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
    };
    let mut said: Vec<String> = clauses.iter().flat_map(|c| words_of(&c.text)).collect();
    for word in words_of(&quotes.restore(&tidy::tidy(&marked))) {
        if let Some(at) = said.iter().position(|s| *s == word) {
            said.swap_remove(at);
        } else {
            let is_joint = JOINTS.contains(&word.as_str()) || word.parse::<u32>().is_ok();
            assert!(is_joint, "`{word}` of `{goal}` is in no clause");
        }
    }
    for (n, clause) in clauses.iter().enumerate() {
        if clause.joined.is_some() {
            assert!(n + 1 < clauses.len(), "`{}` of `{goal}` would swallow what is not there", clause.text);
        }
    }
}

#[test]
fn no_clause_is_lost() {
    let tables = [include_str!("tests/english.txt"), include_str!("tests/ordinary.txt")];
    let goals: Vec<String> = tables
        .iter()
        .flat_map(|t| t.lines())
        .filter(|l| !l.trim().is_empty() && !l.starts_with('#'))
        .map(|l| l.split_once("=>").map_or(l, |(g, _)| g).trim().replace("\\n", "\n"))
        .collect();
    for (n, goal) in goals.iter().enumerate() {
        nothing_is_lost(goal);
        let other = &goals[(n * 7 + 3) % goals.len()];
        nothing_is_lost(&format!("{goal}\n{other}"));
        nothing_is_lost(&format!("{}. {other}", goal.trim_end_matches('.')));
        if !goal.starts_with(|c: char| c.is_ascii_digit()) && !other.starts_with(|c: char| c.is_ascii_digit()) {
            nothing_is_lost(&format!("1. {goal} 2. {other} 3. Check that \"X\" is gone."));
        }
    }
}

#[test]
fn a_clause_at_the_end_of_a_line_is_joined_with_nothing() {
    let clauses =
        read("1. Hover over \"Walk dog\". 2. Click the × at the end of that row. 3. Check that \"Walk dog\" is gone.");
    let clauses = clauses.expect("is read");
    assert_eq!(clauses.len(), 3);
    assert!(clauses.iter().all(|c| c.joined.is_none()));
}
