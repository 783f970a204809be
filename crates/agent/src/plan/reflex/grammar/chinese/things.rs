//! Chinese clauses that do something to a thing: delete it, put it into the cart, close it, look for it.

use super::{Cx, target};
use crate::locate::tree::Purpose;
use crate::locate::tree::phrase::chinese as phrase;
use crate::locate::tree::phrase::quotes::is_mark;
use crate::plan::reflex::grammar::{Why, patterns};
use crate::plan::reflex::messages;
use crate::plan::reflex::step::Step;

/// Words for many things at once.
pub(super) const BULK: &[&str] =
    &["所有", "全部", "每个", "每一", "一切", "全体", "这些", "那些", "任何", "任意", "几个", "多个"];

pub(super) fn refuse_bulk(thing: &str) -> Result<(), Why> {
    if BULK.iter().any(|b| thing.contains(b))
        || ["最便宜", "最贵", "最新", "最旧", "最大", "最小"].iter().any(|b| thing.contains(b))
    {
        return Err(Why::from(messages::BULK));
    }
    Ok(())
}

pub(super) fn delete(cx: &Cx<'_>, text: &str) -> Option<Result<Step, Why>> {
    let verbs = ["删除掉", "删除", "删掉", "删去", "移除", "去掉", "移走"];
    let thing = match text.strip_prefix('把').or(text.strip_prefix('将')) {
        Some(rest) => verbs.iter().find_map(|v| rest.strip_suffix(v))?.trim(),
        None => verbs.iter().find_map(|v| text.strip_prefix(v))?.trim(),
    };
    if thing.is_empty() || thing.ends_with("的勾选") || thing.ends_with("的勾") {
        return None;
    }
    for end in ["的内容", "的文字", "的文本", "里的内容", "中的内容", "内的内容"] {
        if let Some(field) = thing.strip_suffix(end) {
            let field = field.trim().trim_end_matches(['里', '中', '内']);
            return Some(target(cx, field, Purpose::Type).map(|f| Step::Clear { field: Some(f) }).ok_or(Why::new()));
        }
    }
    if let Err(why) = refuse_bulk(thing) {
        return Some(Err(why));
    }
    // `从购物车中删除X`
    let thing = target(cx, thing, Purpose::Point);
    Some(thing.map(|thing| patterns::operate("delete", thing)).ok_or(Why::from(messages::UNSURE)))
}

/// `把X加入购物车`.
pub(super) fn add_to_cart(cx: &Cx<'_>, text: &str) -> Option<Result<Step, Why>> {
    let ends = [
        "加入到购物车",
        "添加到购物车",
        "加入购物车",
        "加到购物车",
        "放入购物车",
        "放进购物车",
        "加进购物车",
        "添加进购物车",
    ];
    let end = ends.iter().find(|e| text.trim_end_matches(['里', '中', '内']).ends_with(**e))?;
    let thing = text.trim_end_matches(['里', '中', '内']).strip_suffix(end)?.trim();
    let thing = thing.strip_prefix('把').or(thing.strip_prefix('将')).unwrap_or(thing).trim();
    let thing = thing.trim_end_matches(['也', '都']);
    if thing.is_empty() || thing.starts_with("点") || thing.starts_with("单击") {
        return None;
    }
    if let Err(why) = refuse_bulk(thing) {
        return Some(Err(why));
    }
    Some(target(cx, thing, Purpose::Point).map(|thing| patterns::operate("add to cart", thing)).ok_or(Why::new()))
}

pub(super) fn close(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let rest = ["关闭", "关掉", "关上"].iter().find_map(|v| text.strip_prefix(v))?.trim();
    let rest = rest.trim_start_matches("当前").trim_start_matches("这个").trim();
    if rest.is_empty() {
        return None;
    }
    Some(Step::Close { target: target(cx, rest, Purpose::Hold)? })
}

pub(super) fn search(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let rest = ["搜索一下", "搜索", "搜一下", "查找", "搜"].iter().find_map(|v| text.strip_prefix(v))?;
    let rest = rest.trim().trim_start_matches(['：', ':', '关']).trim();
    let noun = ["按钮", "框", "栏", "图标", "结果"].iter().any(|n| rest.starts_with(n) || rest.ends_with(n));
    if rest.is_empty()
        || noun
        || (rest.chars().any(is_mark) && cx.quotes.only(rest).is_none())
        || BULK.iter().any(|b| rest.contains(b))
    {
        return None;
    }
    Some(Step::Search { text: cx.quotes.value(rest), field: None })
}

/// `给X点上星标（Star）`, `给X加上星标`, `给X点赞`: the control of that name that belongs to the thing.
pub(super) fn mark(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let rest = text.strip_prefix('给').or(text.strip_prefix('为'))?;
    let verbs = ["点上", "点一下", "点个", "点击", "加上", "加个", "打上", "标上", "添加", "点"];
    let (thing, control) = verbs
        .iter()
        .filter_map(|v| rest.find(v).filter(|at| *at > 0).map(|at| (at, &rest[at + v.len()..])))
        .min_by_key(|(at, back)| (*at, back.len()))
        .map(|(at, back)| (&rest[..at], back.trim()))?;
    if control.is_empty() || control.chars().count() > 20 || control.chars().any(is_mark) {
        return None;
    }
    if refuse_bulk(thing).is_err() {
        return None;
    }
    let (label, meaning) = phrase::label_and_meaning(control);
    let thing = target(cx, thing, Purpose::Point)?;
    let known = |name: &str| patterns::operate(name, thing.clone());
    match label {
        Some(label) => Some(known(&label)),
        None => Some(known(&meaning)),
    }
}
