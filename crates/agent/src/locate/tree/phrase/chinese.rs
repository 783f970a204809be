//! Chinese descriptions: `购物车里的第二件商品`, `“张三”那一行的编辑按钮`.

use super::nouns::{CHINESE, CHINESE_ITEMS, CHINESE_PARTS};
use super::quotes::{Quotes, is_mark};
use super::{chain, loosely, role_for};
use crate::locate::tree::{Ordinal, Purpose, Relation, RoleWord, Wanted};

mod scopes;

pub(crate) use scopes::{beside, leading_relation, without_arrival};

struct Cx<'a> {
    quotes: &'a Quotes,
    purpose: Purpose,
}

pub(crate) fn read(marked: &str, quotes: &Quotes, purpose: Purpose) -> Option<Wanted> {
    target(&Cx { quotes, purpose }, marked)
}

/// A place that holds elements.
pub(crate) fn read_place(marked: &str, quotes: &Quotes) -> Option<Wanted> {
    let place = holder(&Cx { quotes, purpose: Purpose::Hold }, marked)?;
    Some(optional_where_soft(place))
}

fn optional_where_soft(mut place: Wanted) -> Wanted {
    place.optional = scopes::is_soft_place(&place);
    place.or = place.or.map(|or| Box::new(optional_where_soft(*or)));
    place
}

const VAGUE: &[&str] = &[
    "所有",
    "全部",
    "每个",
    "每一个",
    "每一",
    "一切",
    "任意",
    "任何",
    "各个",
    "全体",
    "随便",
    "其他",
    "其它",
    "某个",
    "这些",
    "那些",
    "它",
    "一些",
    "几个",
];
const SUPERLATIVES: &[&str] = &[
    "最便宜",
    "最贵",
    "最大",
    "最小",
    "最新",
    "最旧",
    "最低",
    "最高",
    "最好",
    "最多",
    "最少",
    "最长",
    "最短",
    "最近的",
    "最早",
    "最晚",
    "合适",
    "正确的",
    "相应",
    "对应的那个",
];
const MEASURES: &str = "个件条行项列张位封篇款种只栏段幅份家部排名";

pub(crate) fn trim(text: &str) -> &str {
    let mut text = text.trim_matches(|c: char| c.is_whitespace() || "，,。.、；;：:！!".contains(c));
    for lead in [
        "页面上的",
        "页面中的",
        "页面里的",
        "页面上",
        "页面中",
        "屏幕上的",
        "当前页面的",
        "这个",
        "那个",
        "该",
        "名为",
        "叫做",
        "名叫",
        "叫",
        "标有",
        "写着",
        "写有",
    ] {
        if let Some(rest) = text.strip_prefix(lead)
            && !rest.trim().is_empty()
            && !(lead.ends_with('上') && rest.starts_with(['方', '面', '边', '角']))
        {
            text = rest.trim_start();
        }
    }
    text
}

/// `“X”这个问题` is `“X”问题`.
fn without_pointing(text: &str) -> Option<String> {
    let mut chars = text.chars();
    let quote = chars.next().filter(|c| is_mark(*c))?;
    let rest = chars.as_str();
    let noun = ["这个", "那个", "这一", "那一"].iter().find_map(|l| rest.strip_prefix(l))?;
    Some(format!("{quote}{noun}"))
}

/// `表格右上角的 X`: a side of something large only says where to look first.
fn on_side_of(text: &str) -> Option<(crate::locate::tree::Side, &str)> {
    let large = ["表格", "页面", "列表", "窗口", "屏幕", "卡片", "网页"];
    large.iter().find_map(|l| scopes::leading_side(text.strip_prefix(l)?))
}

fn target(cx: &Cx<'_>, text: &str) -> Option<Wanted> {
    let text = trim(text);
    if let Some(plain) = without_pointing(text) {
        return target(cx, &plain);
    }
    if text.is_empty() {
        return None;
    }
    let quoted = text.chars().any(is_mark);
    let literal = (!quoted).then(|| Wanted { strict: true, ..Wanted::named(text, cx.purpose) });
    let vague = VAGUE.iter().any(|v| text.starts_with(v));
    if vague || SUPERLATIVES.iter().any(|s| text.contains(s)) {
        return only_name(cx, text, literal.filter(|_| cx.purpose != Purpose::Toggle));
    }
    let mut readings = Vec::new();
    if let Some((label, meaning)) = scopes::bracketed(text) {
        readings.extend(literal);
        readings.extend(bracketed(cx, text, label));
        readings.extend(target(cx, &meaning));
        return chain(readings);
    }
    let whole = scopes::marked(cx, text, RoleWord::Item).filter(|w| w.role.is_some()).or_else(|| head(cx, text));
    let role_only = whole.as_ref().is_some_and(|w| w.words.is_empty() && w.ordinal.is_none());
    let literal = literal.filter(|_| !(role_only && cx.purpose == Purpose::Hold));
    if !whole.as_ref().is_some_and(|w| w.role.is_none() && w.ordinal.is_none()) {
        readings.extend(literal);
    }
    readings.extend(whole);
    if let Some((side, rest)) = scopes::leading_side(text).or_else(|| on_side_of(text))
        && leading_ordinal(rest).is_none()
    {
        readings.extend(target(cx, rest).map(|w| on_side(w, side)));
    }
    readings.extend(splits(cx, text));
    readings.extend(scopes::without_soft(text).and_then(|name| target(cx, name)));
    if !readings.is_empty() {
        readings.extend(loosely(&cx.quotes.restore(text), cx.purpose));
    }
    chain(readings)
}

/// `提交（Submit）按钮`: the label on the screen with the kind around it.
fn bracketed(cx: &Cx<'_>, text: &str, label: &str) -> Option<Wanted> {
    let (front, back) = text.split_once(label)?;
    let front = front.trim_end_matches(['（', '(']).trim();
    let back = back.trim_start_matches(['）', ')']).trim();
    let kind = if back.is_empty() { kind_at_end(front) } else { kind_at_end(back).filter(|(_, rest)| rest.is_empty()) };
    let role = kind.map(|(role, _)| role_for(role, cx.purpose)).filter(|r| *r != RoleWord::Item);
    let one = Wanted { role, quoted: true, ..Wanted::named(label, cx.purpose) };
    // What stands before may say where it is.
    match front.rsplit_once('的') {
        Some((place, _)) if back.is_empty() || kind.is_some() => {
            let mut placed = placed_one(cx, place.trim(), &one);
            placed.extend(scopes::leading_side(front).map(|(side, _)| on_side(one.clone(), side)));
            chain(placed)
        }
        None => Some(one),
        _ => None,
    }
}

fn on_side(mut wanted: Wanted, side: crate::locate::tree::Side) -> Wanted {
    wanted.or = wanted.or.map(|or| Box::new(on_side(*or, side)));
    Wanted { side: wanted.side.or(Some(side)), ..wanted }
}

/// `全部` may be the name of a link; `所有复选框` is never one element.
fn only_name(cx: &Cx<'_>, text: &str, literal: Option<Wanted>) -> Option<Wanted> {
    if let Some((role, name)) = kind_at_end(text) {
        if matches!(name, "全部" | "所有") && !matches!(role, RoleWord::Item | RoleWord::Checkbox | RoleWord::Option)
        {
            return Some(Wanted { role: Some(role), ..Wanted::named(name, cx.purpose) });
        }
        return None;
    }
    let literal = literal?;
    Some(if text.chars().count() <= 2 { Wanted { strict: false, ..literal } } else { literal })
}

/// A number in digits or Chinese characters.
pub(crate) fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if text.chars().all(|c| c.is_ascii_digit()) {
        return text.parse().ok();
    }
    let mut total = 0;
    let mut digit = 0;
    for c in text.chars() {
        match c {
            '十' => {
                total += if digit == 0 { 10 } else { digit * 10 };
                digit = 0;
            }
            '百' => {
                total += digit.max(1) * 100;
                digit = 0;
            }
            '零' => {}
            '两' => digit = 2,
            c => digit = u32::try_from("一二三四五六七八九".chars().position(|d| d == c)? + 1).ok()?,
        }
    }
    Some(total + digit)
}

/// `第二个`, `最后一件`, `倒数第二行`: the ordinal, what follows, and whether the measure word was `行`.
fn leading_ordinal(text: &str) -> Option<(Ordinal, &str, bool)> {
    if let Some(rest) = text.strip_prefix("倒数第") {
        let (n, rest, row) = counted(rest)?;
        return Some((Ordinal::FromEnd(n), rest, row));
    }
    for lead in ["最后一", "最末一", "最后", "末尾"] {
        if let Some(rest) = text.strip_prefix(lead) {
            let (rest, row) = measure(rest);
            return Some((Ordinal::FromEnd(1), rest, row));
        }
    }
    if let Some(rest) = text.strip_prefix('首') {
        let (after, row) = measure(rest);
        return (after != rest).then_some((Ordinal::Nth(1), after, row));
    }
    let (n, rest, row) = counted(text.strip_prefix('第')?)?;
    Some((Ordinal::Nth(n), rest, row))
}

fn counted(text: &str) -> Option<(u32, &str, bool)> {
    let text = text.trim_start();
    let end =
        text.find(|c: char| !c.is_ascii_digit() && !"一二三四五六七八九十百零两".contains(c)).unwrap_or(text.len());
    let n = number(&text[..end])?;
    let (rest, row) = measure(&text[end..]);
    (n > 0).then_some((n, rest, row))
}

fn measure(text: &str) -> (&str, bool) {
    let text = text.trim_start();
    let rest = text.strip_prefix(|c| MEASURES.contains(c)).unwrap_or(text);
    let row = text.starts_with('行') || text.starts_with('排');
    (rest.trim_start().strip_prefix('的').unwrap_or(rest).trim_start(), row)
}

/// Ordinal, kind and name, without a place.
fn head(cx: &Cx<'_>, text: &str) -> Option<Wanted> {
    let text = trim(text);
    if let Some((ordinal, rest, row)) = leading_ordinal(text) {
        if rest.is_empty() || (row && matches!(rest, "数据" | "记录")) {
            let role = if row { RoleWord::Row } else { RoleWord::Item };
            return Some(Wanted { role: Some(role), ordinal: Some(ordinal), ..Wanted::named("", cx.purpose) });
        }
        let mut one = named(cx, rest, true)?;
        if row && !matches!(one.role, Some(RoleWord::Item | RoleWord::Row)) {
            // `第二行删除按钮`: the button of that row.
            let rows = Wanted { role: Some(RoleWord::Row), ordinal: Some(ordinal), ..Wanted::named("", Purpose::Hold) };
            return Some(one.inside(&rows));
        }
        one.ordinal = Some(ordinal);
        if one.words.is_empty() && matches!(one.role, None | Some(RoleWord::Any)) {
            one.role = Some(RoleWord::Item);
        }
        return Some(one);
    }
    named(cx, text, false)
}

const LEAD_INS: &[&str] = &[
    "名为",
    "名叫",
    "叫做",
    "叫",
    "标题为",
    "标题是",
    "文字为",
    "文字是",
    "文本为",
    "文本是",
    "内容为",
    "内容是",
    "标签为",
    "标签是",
    "名称为",
    "名称是",
    "名字为",
    "名字是",
    "写着",
    "写有",
    "标有",
    "标着",
    "显示为",
    "显示",
    "带有",
    "包含",
    "含有",
    "占位符为",
    "占位符是",
    "提示为",
];

/// Kind and name.
fn named(cx: &Cx<'_>, text: &str, counted: bool) -> Option<Wanted> {
    let text = trim(text).trim_end_matches('的').trim_end();
    let make = |name: &str, role: Option<RoleWord>| name_of(cx, name, role.map(|r| role_for(r, cx.purpose)));
    if let Some((_, part)) = CHINESE_PARTS.iter().find(|(n, _)| *n == text) {
        return Some(Wanted { role: Some(RoleWord::Navigation), ..Wanted::named(*part, cx.purpose) });
    }
    if let Some(column) = ["表头", "列标题", "列头"].iter().find_map(|k| text.strip_suffix(k)) {
        let column = column.trim().trim_end_matches('的').trim_end();
        let name = ["那一列", "这一列", "那列", "列"].iter().find_map(|l| column.strip_suffix(l)).unwrap_or(column);
        return make(name.trim(), Some(RoleWord::Heading));
    }
    if let Some((role, name)) = kind_at_end(text) {
        let name = name.trim().trim_end_matches('的').trim_end();
        let name = LEAD_INS.iter().find_map(|l| name.strip_prefix(l)).unwrap_or(name);
        // An item noun is a name of its own unless something counts it or a quote stands before it.
        let is_name = role == RoleWord::Item && !counted && !name.ends_with(is_mark) && name.is_empty();
        if !is_name {
            if name.is_empty() {
                let words = if role == RoleWord::Search { "search" } else { "" };
                return Some(Wanted { role: Some(role_for(role, cx.purpose)), ..Wanted::named(words, cx.purpose) });
            }
            return make(name, Some(role));
        }
    }
    // `按钮“提交”`, `标签页2`.
    for (noun, role) in CHINESE {
        if let Some(rest) = text.strip_prefix(noun)
            && noun.chars().count() > 1
        {
            let rest = rest.trim();
            let spaced = text[noun.len()..].starts_with(' ') && number(rest).is_none();
            let foreign = rest.starts_with(|c: char| c.is_ascii_alphabetic());
            if spaced || foreign || rest.chars().all(is_mark) || LEAD_INS.iter().any(|l| rest.starts_with(l)) {
                let name = LEAD_INS.iter().find_map(|l| rest.strip_prefix(l)).unwrap_or(rest);
                return make(name, Some(*role));
            }
            // A Latin name behind a Chinese noun: `按钮 ONE`.
            if !rest.is_empty() && number(rest).is_none() && !super::has_cjk(rest) && !rest.chars().any(is_mark) {
                return make(rest, Some(*role));
            }
            if let Some(n) = number(rest) {
                return Some(Wanted {
                    role: Some(*role),
                    ordinal: Some(Ordinal::Nth(n)),
                    ..Wanted::named("", cx.purpose)
                });
            }
        }
    }
    make(text, None)
}

fn name_of(cx: &Cx<'_>, name: &str, role: Option<RoleWord>) -> Option<Wanted> {
    let name = name.trim();
    let plain = Wanted { role, ..Wanted::named("", cx.purpose) };
    if let Some(inner) = cx.quotes.only(name) {
        return Some(Wanted { words: inner.trim().to_owned(), quoted: true, ..plain });
    }
    if name.is_empty() || name.chars().any(is_mark) {
        return None;
    }
    Some(Wanted { words: name.to_owned(), ..plain })
}

/// The kind at the end of a text and what stands before it.
fn kind_at_end(text: &str) -> Option<(RoleWord, &str)> {
    let kinds = CHINESE.iter().filter_map(|(n, r)| text.strip_suffix(n).map(|rest| (*r, rest)));
    let items = CHINESE_ITEMS.iter().filter_map(|n| text.strip_suffix(n).map(|rest| (RoleWord::Item, rest)));
    kinds.chain(items).min_by_key(|(_, rest)| rest.len())
}

/// `星标（Star）`: the label on the screen, if one is given, and the words before it.
pub(crate) fn label_and_meaning(text: &str) -> (Option<String>, String) {
    match scopes::bracketed(text) {
        Some((label, meaning)) => (Some(label.to_owned()), meaning),
        None => (None, text.trim().to_owned()),
    }
}

/// Whether a phrase ends with the word for a kind of control.
pub(crate) fn ends_with_kind(text: &str) -> bool {
    let control = |r: RoleWord| {
        matches!(
            r,
            RoleWord::Button
                | RoleWord::Link
                | RoleWord::Tab
                | RoleWord::Checkbox
                | RoleWord::Radio
                | RoleWord::Switch
                | RoleWord::Icon
                | RoleWord::Option
                | RoleWord::MenuItem
        )
    };
    kind_at_end(text).is_some_and(|(role, _)| control(role))
}

const RELATIONS: &[(&str, Relation)] = &[
    ("旁边", Relation::NextTo),
    ("边上", Relation::NextTo),
    ("附近", Relation::NextTo),
    ("旁", Relation::NextTo),
    ("右边", Relation::RightOf),
    ("右侧", Relation::RightOf),
    ("右面", Relation::RightOf),
    ("后面", Relation::RightOf),
    ("左边", Relation::LeftOf),
    ("左侧", Relation::LeftOf),
    ("左面", Relation::LeftOf),
    ("前面", Relation::LeftOf),
    ("上方", Relation::Above),
    ("上面", Relation::Above),
    ("上边", Relation::Above),
    ("下方", Relation::Below),
    ("下面", Relation::Below),
    ("下边", Relation::Below),
    ("底下", Relation::Below),
];

const INSIDE: &[&str] = &["里面", "里边", "内部", "当中", "之中", "中间", "里", "中", "内", "上"];

/// All readings that take the front of the phrase as a place.
fn splits(cx: &Cx<'_>, text: &str) -> Vec<Wanted> {
    let mut out = Vec::new();
    // The last `的` parts the element from its place.
    for (at, _) in text.match_indices('的').collect::<Vec<_>>().into_iter().rev() {
        let (front, back) = (text[..at].trim(), text[at + '的'.len_utf8()..].trim());
        if !front.is_empty() && !back.is_empty() {
            out.extend(placed(cx, front, back, true));
        }
    }
    // `购物车里第一件商品`, `第二行删除按钮`, `“张三”旁边删除按钮`.
    let mut cuts: Vec<usize> = Vec::new();
    let marks =
        ["那一行", "这一行", "所在行", "一行", "行", "那一列", "那一条", "那一块", "那条", "那行", "卡片", "那一栏"];
    for end in INSIDE.iter().chain(RELATIONS.iter().map(|(r, _)| r)).chain(&marks) {
        cuts.extend(text.match_indices(end).map(|(at, found)| at + found.len()));
    }
    cuts.sort_unstable();
    cuts.dedup();
    for at in cuts.into_iter().rev() {
        let (front, back) = (text[..at].trim(), text[at..].trim());
        if !back.is_empty() && !back.starts_with(['的', '边', '面', '侧', '方']) && front.chars().count() > 1 {
            out.extend(placed(cx, front, back, false));
        }
    }
    out
}

/// An element behind the words for its place.
fn placed(cx: &Cx<'_>, front: &str, back: &str, linked: bool) -> Vec<Wanted> {
    let mut out = Vec::new();
    let Some(one) = head(cx, back) else { return out };
    out.extend(in_marked(cx, front, &one));
    if !out.is_empty() {
        return out;
    }
    out.extend(placed_by_words(cx, front, one, linked));
    out
}

/// `X那一行最右边的…`.
fn in_marked(cx: &Cx<'_>, front: &str, one: &Wanted) -> Option<Wanted> {
    let hold = Cx { quotes: cx.quotes, purpose: Purpose::Hold };
    let front = INSIDE
        .iter()
        .find_map(|i| front.strip_suffix(i).filter(|t| scopes::marked(&hold, t, RoleWord::Row).is_some()))
        .unwrap_or(front);
    if let Some(place) = scopes::marked(&hold, front, RoleWord::Row) {
        return Some(one.clone().inside(&place));
    }
    let (front, side) = scopes::trailing_side(front)?;
    let place = scopes::marked(&hold, front, RoleWord::Row).or_else(|| row_of(&hold, front))?;
    Some(on_side(one.clone(), side).inside(&place))
}

fn placed_one(cx: &Cx<'_>, front: &str, one: &Wanted) -> Vec<Wanted> {
    match in_marked(cx, front, one) {
        Some(found) => vec![found],
        None => placed_by_words(cx, front, one.clone(), true),
    }
}

fn placed_by_words(cx: &Cx<'_>, front: &str, one: Wanted, linked: bool) -> Vec<Wanted> {
    let mut out = Vec::new();
    let read = Cx { quotes: cx.quotes, purpose: Purpose::Read };
    let hold = Cx { quotes: cx.quotes, purpose: Purpose::Hold };
    if let Some((anchor, relation)) = RELATIONS.iter().find_map(|(r, rel)| front.strip_suffix(r).map(|a| (a, *rel))) {
        let anchor = anchor.trim().trim_end_matches('的');
        if let Some(anchor) = target(&read, anchor) {
            out.push(Wanted { near: Some((relation, Box::new(anchor))), ..one.clone() });
        }
        if !front.ends_with('上') {
            return out;
        }
    }
    if let Some(row) = row_of(&hold, front) {
        out.push(one.inside(&row));
        return out;
    }
    if let Some(place) = INSIDE.iter().find_map(|i| front.strip_suffix(i)).map(str::trim).filter(|p| !p.is_empty()) {
        if is_page(place) {
            out.push(one);
        } else if let Some(place) = holder(&hold, place) {
            out.push(one.inside(&place));
        }
        return out;
    }
    // `表格右上角的…`, `左边菜单底部的…`
    if linked
        && let Some((place, side)) = scopes::trailing_side(front)
        && let Some(place) = holder(&hold, place)
    {
        out.push(on_side(one.clone(), side).inside(&place));
    }
    if linked {
        let front = front.strip_suffix("对应").unwrap_or(front).trim();
        let front = front.strip_prefix('给').or(front.strip_prefix('与')).unwrap_or(front);
        if let Some(anchor) = holder(&hold, front) {
            if anchor.ordinal.is_some() || anchor.role.is_some() {
                out.push(one.clone().inside(&anchor));
            }
            out.push(Wanted { near: Some((Relation::For, Box::new(anchor))), ..one });
        }
    }
    out
}

fn is_page(place: &str) -> bool {
    place.ends_with("页面") || place.ends_with("屏幕") || matches!(place, "网页" | "网站" | "页")
}

/// `张三那一行`, `包含“张三”的行`, `第二行`.
fn row_of(cx: &Cx<'_>, text: &str) -> Option<Wanted> {
    let text = INSIDE.iter().find_map(|i| text.strip_suffix(i).filter(|t| t.ends_with('行'))).unwrap_or(text).trim();
    if let Some((ordinal, "", true)) = leading_ordinal(text) {
        return Some(Wanted { role: Some(RoleWord::Row), ordinal: Some(ordinal), ..Wanted::named("", cx.purpose) });
    }
    let name = [
        "所在的那一行",
        "所在那一行",
        "所在的行",
        "所在行",
        "的那一行",
        "那一行",
        "这一行",
        "那行",
        "这行",
        "的一行",
        "一行",
        "的行",
        "行",
    ]
    .iter()
    .find_map(|e| text.strip_suffix(e))?
    .trim();
    let name = LEAD_INS.iter().find_map(|l| name.strip_prefix(l)).unwrap_or(name).trim().trim_end_matches('的');
    let name = name_of(cx, name, Some(RoleWord::Row))?;
    Some(name)
}

fn holder(cx: &Cx<'_>, text: &str) -> Option<Wanted> {
    let text = scopes::without_arrival(trim(text));
    if scopes::is_popup(text) {
        return Some(Wanted { role: Some(RoleWord::Dialog), ..Wanted::named("", cx.purpose) });
    }
    if let Some(part) = scopes::marked(cx, text, RoleWord::Row) {
        return Some(part);
    }
    if let Some(row) = row_of(cx, text) {
        return Some(row);
    }
    target(cx, text)
}
