//! Chinese clauses.

use super::{PRONOUN, Parsed, Why, patterns};
use crate::locate::tree::phrase::chinese as phrase;
use crate::locate::tree::phrase::quotes::Quotes;
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::step::Step;

mod choosing;
mod commands;
mod composed;
mod moving;
mod openers;
mod pressing;
mod purpose;
mod telling;
mod things;
mod ticking;
mod typing;

use choosing::choose;
use composed::{add_to_list, log_in};
use moving::{drag, fixed, hover, key, scroll, upload};
use openers::refuse;
pub(super) use openers::strip_fillers;
use pressing::{placed_first, press, starts_with_verb, taken};
use telling::{verify, wait};
use things::{add_to_cart, close, delete, search};
use ticking::{clear, tick};

pub(super) struct Cx<'a> {
    quotes: &'a Quotes,
}

/// Whether a text says nothing but `首先` or `请`.
pub(super) fn is_filler(text: &str) -> bool {
    openers::FILLERS.contains(&text.trim())
}

/// Whether a text begins as a step does.
pub(super) fn begins_step(text: &str) -> bool {
    let text = strip_fillers(text);
    const OTHERS: &[&str] = &[
        "输入",
        "填写",
        "选择",
        "勾选",
        "取消勾选",
        "清空",
        "验证",
        "检查",
        "等待",
        "滚动",
        "刷新",
        "删除",
        "展开",
        "关闭",
        "打开",
        "拖动",
        "上传",
        "按",
    ];
    if OTHERS.iter().any(|v| text.len() > v.len() && text.starts_with(v)) {
        return true;
    }
    pressing::CLICKS.iter().any(|(v, _)| v.chars().count() > 1 && text.len() > v.len() && text.starts_with(v))
}

pub(super) fn clause(text: &str, quotes: &Quotes) -> Result<Parsed, Why> {
    let cx = Cx { quotes };
    if let Some(step) = pressing::again(text) {
        return Ok(step.into());
    }
    let text = strip_fillers(text);
    if text.is_empty() {
        return Err(Why::new());
    }
    if let Some(rest) = openers::aside(text) {
        return if rest.is_empty() { Ok(Parsed::from(Step::Aside)) } else { clause(rest, quotes) };
    }
    refuse(text)?;
    let mut step = read(&cx, text, 0)?;
    // A name does not go on behind a comma: `新建一个订单，收货人填A` is two clauses, the first of which has to be read.
    let mut broken = false;
    super::each_target(&mut step, &mut |w| broken |= !w.quoted && w.words.contains('，'));
    if broken {
        return Err(Why::new());
    }
    // `收货人填A，手机号 139…`
    let lead = matches!(&step, Step::Type { into: Some(_), .. } | Step::Choose { list: Some(_), .. })
        .then(|| "填写".to_owned());
    Ok(Parsed { lead, ..Parsed::from(step) })
}

/// How often a clause may be turned round before it is given up.
const MOST_TURNS: u8 = 4;

fn read(cx: &Cx<'_>, text: &str, turn: u8) -> Result<Step, Why> {
    let text = strip_fillers(text);
    if turn > MOST_TURNS || text.is_empty() {
        return Err(Why::new());
    }
    if let Some(step) = fixed(text).or_else(|| scroll(cx, text)).or_else(|| key(cx, text)) {
        return Ok(step);
    }
    if let Some(result) = wait(cx, text).or_else(|| verify(cx, text)) {
        return result;
    }
    if let Some(step) = telling::arrival(cx, text).or_else(|| telling::statement(cx, text)) {
        return Ok(step);
    }
    if let Some(step) = hover(cx, text).or_else(|| drag(cx, text)).or_else(|| upload(cx, text)) {
        return Ok(step);
    }
    if let Some(step) = add_to_list(cx, text).or_else(|| log_in(cx, text)) {
        return Ok(step);
    }
    if let Some(result) = delete(cx, text).or_else(|| add_to_cart(cx, text)) {
        return result;
    }
    if let Some(step) = tick(cx, text).or_else(|| things::mark(cx, text)).or_else(|| clear(cx, text)) {
        return Ok(step);
    }
    if let Some(result) = typing::read(cx, text).or_else(|| set(cx, text)) {
        return result;
    }
    if let Some(step) = choose(cx, text) {
        return Ok(step);
    }
    if let Some(result) = taken(cx, text, turn) {
        return result;
    }
    if let Some(step) = placed_first(cx, text, turn) {
        return Ok(step);
    }
    if let Some(step) = close(cx, text).or_else(|| search(cx, text)).or_else(|| press(cx, text)) {
        return Ok(step);
    }
    commands::command(cx, text).ok_or(Why::new())
}

pub(super) fn target(cx: &Cx<'_>, text: &str, purpose: Purpose) -> Option<Wanted> {
    let text = text.trim().trim_matches(|c: char| "，,。：:".contains(c)).trim();
    if matches!(
        text,
        "它" | "其"
            | "该元素"
            | "该按钮"
            | "该输入框"
            | "该框"
            | "这个输入框"
            | "这个按钮"
            | "那个"
            | "该项"
            | "那一项"
            | "这一项"
            | "那一个"
            | "这条"
            | "那条"
    ) {
        return Some(Wanted::named(PRONOUN, purpose));
    }
    // `它右边的 ×`: what was spoken of is the neighbour.
    if let Some(rest) = text.strip_prefix('它').or(text.strip_prefix('其'))
        && let Some((relation, name)) = phrase::leading_relation(rest)
    {
        let one = phrase::read(name, cx.quotes, purpose)?;
        return Some(phrase::beside(one, relation, &Wanted::named(PRONOUN, Purpose::Read)));
    }
    phrase::read(text, cx.quotes, purpose)
}

/// One step, or one for each name of a list.
fn over_list(cx: &Cx<'_>, text: &str, purpose: Purpose, make: &dyn Fn(Wanted) -> Step) -> Option<Step> {
    let text = text.trim();
    let whole = target(cx, text, purpose).map(make);
    let (names, counted) = counted_list(text);
    let parts = parts_of(names);
    if let Some((n, kind)) = counted {
        // `A、B 两个标签` is a list for certain, and has to have as many.
        if parts.len() != n || n < 2 {
            return if n < 2 || parts.len() < 2 { whole } else { None };
        }
        // `A 和 B 两行`: the boxes of the rows, where boxes are ticked.
        let row = names.len() < text.len() && text[names.len()..].contains('行') && kind.is_empty();
        let named = |p: &&str| {
            let name = match (row, purpose) {
                (true, Purpose::Toggle) => format!("{p}那一行的复选框"),
                (true, _) => format!("{p}那一行"),
                _ => format!("{p} {kind}"),
            };
            target(cx, &name, purpose).map(make)
        };
        let steps: Option<Vec<Step>> = parts.iter().map(named).collect();
        return steps.and_then(|steps| patterns::each(None, steps));
    }
    if parts.len() < 2 {
        return whole;
    }
    // What reads as a clause of its own is no name in a list.
    let tells = |p: &str| {
        p.contains("不要")
            || p.contains("弹")
            || p.contains("以后")
            || starts_with_verb(p)
            || ["出来", "出现", "后", "了"].iter().any(|e| p.ends_with(e))
    };
    if text.contains(['，', ',']) && parts.iter().skip(1).any(|p| tells(p)) {
        return None;
    }
    let steps: Option<Vec<Step>> = parts.iter().map(|p| target(cx, p, purpose).map(make)).collect();
    match steps {
        Some(steps) => patterns::each(whole, steps),
        None => whole,
    }
}

fn parts_of(text: &str) -> Vec<&str> {
    text.split(['、', '，', ','])
        .flat_map(|p| p.split("以及"))
        .flat_map(|p| p.split(['和', '与', '及']))
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .collect()
}

/// `A、B 两个标签`: the names, how many there are, and what they are.
fn counted_list(text: &str) -> (&str, Option<(usize, &str)>) {
    let bare = text.trim_end_matches(['都', '全']).trim();
    for (at, c) in bare.char_indices().rev() {
        if !"两二三四五六七八九十".contains(c) && !c.is_ascii_digit() {
            continue;
        }
        let back = &bare[at + c.len_utf8()..];
        let Some(kind) =
            back.trim_start().strip_prefix(['个', '行', '项', '条', '栏', '种', '封', '张', '件', '款', '位'])
        else {
            continue;
        };
        let kind = kind.trim();
        let Some(n) = super::values::number(&c.to_string()) else { continue };
        let names = bare[..at].trim().trim_end_matches('这').trim_end_matches('那').trim();
        let plain = kind.chars().count() <= 5 && !kind.contains(['的', '、', '和']) && !names.is_empty();
        if plain && !names.ends_with('第') && names.contains(['、', '和', '与', '及', '，', ',']) {
            return (names, Some((n as usize, kind)));
        }
    }
    (text, None)
}

/// What stands before and behind a verb, where the verb is not part of a noun such as `选择框`.
fn find_verb<'t>(text: &'t str, verb: &str) -> Option<(&'t str, &'t str)> {
    text.match_indices(verb).find_map(|(at, _)| {
        let (front, back) = (&text[..at], &text[at + verb.len()..]);
        if verb == "选"
            && front.ends_with(['勾', '点', '挑', '多', '单', '反', '筛', '候', '待', '人', '首', '当', '入'])
        {
            return None;
        }
        let noun = back.starts_with(['框', '栏', '器', '区', '项', '卡', '法', '列', '键'])
            || (verb == "选" && back.starts_with(['中', '择', '定', '取', '出']));
        (!front.trim().is_empty() && !back.trim().is_empty() && !noun).then_some((front, back))
    })
}

/// `数量改成3`: without `把`.
fn set(cx: &Cx<'_>, text: &str) -> Option<Result<Step, Why>> {
    if starts_with_verb(text) { None } else { typing::set(cx, text) }
}
