//! Statements as people say them in passing: `列表里只有“X”这一条`, `它还是“X”`, `看看有没有X`, `现在是X那一步`.

use super::{object, plain_subject, state, subject};
use crate::locate::tree::phrase::quotes::{Quotes, is_mark};
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::grammar::PLACE_OF_IT;
use crate::plan::reflex::step::{Check, Says, Step, Subject};

/// Words that add nothing to a statement.
const ADVERBS: &[&str] = &[
    "此时",
    "这时",
    "现在",
    "应该会",
    "应该",
    "应当",
    "仍然",
    "仍旧",
    "依然",
    "已经",
    "确实",
    "真的",
    "能够",
    "可以",
    "成功",
    "正确",
];

fn check(subject: Subject, says: Says, negated: bool) -> Step {
    Step::Verify { check: Check { subject, says, negated } }
}

fn shown(text: &str, quotes: &Quotes, negated: bool) -> Option<Step> {
    let text = text.trim();
    if let Some(inner) = quotes.only(plain_subject(text)) {
        return Some(check(Subject::Page, Says::Contains(inner.to_owned()), negated));
    }
    Some(check(Subject::Element(subject(text, quotes)?), Says::Shown, negated))
}

/// Reads a statement, or `None` when it is none of these.
pub(crate) fn steps(text: &str, quotes: &Quotes) -> Option<Step> {
    let text = text.trim().trim_matches(|c: char| "，,。.：:!！".contains(c)).trim();
    if ["所有", "每个", "全部都", "或者", "大于", "小于", "至少", "至多", "不超过", "如果", "超过"]
        .iter()
        .any(|w| text.contains(w))
    {
        return None;
    }
    let mut plain = text.to_owned();
    for adverb in ADVERBS {
        plain = plain.replace(adverb, "");
    }
    let text = plain.trim();
    only(text, quotes)
        .or_else(|| has_or_not(text, quotes))
        .or_else(|| gone(text, quotes))
        .or_else(|| current(text, quotes))
        .or_else(|| of_it(text, quotes))
        .or_else(|| at_a_place(text, quotes))
        .or_else(|| titled(text, quotes))
        .or_else(|| ticked(text, quotes))
}

/// `列表里只有“X”这一条`, `只剩下“X”`.
fn only(text: &str, quotes: &Quotes) -> Option<Step> {
    let verbs = [
        "只剩下了",
        "只剩下",
        "只剩了",
        "只剩",
        "只有",
        "只显示",
        "仅剩下",
        "仅剩",
        "仅有",
        "只留下",
        "只看到",
        "只能看到",
        "只看得到",
    ];
    let (front, back) = verbs.iter().find_map(|v| text.split_once(v))?;
    let front = front.trim().trim_end_matches('也').trim_end_matches('就').trim();
    let name = strip_count(back.trim());
    let inner = quotes.only(name);
    // `只剩 2 条` counts.
    if inner.is_none() && name.starts_with(|c: char| c.is_ascii_digit() || "一二两三四五六七八九十".contains(c))
    {
        return None;
    }
    let place = front.trim_end_matches(['里', '中', '内', '上']).trim();
    let known = [
        "",
        "列表",
        "页面",
        "表格",
        "清单",
        "结果",
        "搜索结果",
        "待办列表",
        "待办清单",
        "待办",
        "屏幕",
        "它",
        "这",
        "剩下",
        "任务列表",
    ];
    if !known.contains(&place.trim_end_matches("里面").trim_end_matches("下面").trim()) {
        return None;
    }
    let wanted = match inner {
        Some(inner) => Wanted { quoted: true, strict: true, ..Wanted::named(inner, Purpose::Read) },
        None if !name.is_empty() && !name.chars().any(is_mark) => {
            Wanted { strict: true, ..Wanted::named(name, Purpose::Read) }
        }
        None => return None,
    };
    Some(check(Subject::Element(wanted), Says::Alone(1), false))
}

/// `“X”这一条`, `“X”一项`, `“X”了`: X.
fn strip_count(text: &str) -> &str {
    let text = text.trim().trim_end_matches('了').trim();
    let ends = [
        "这一条",
        "这一项",
        "这一个",
        "这一行",
        "这条",
        "这项",
        "这个",
        "一条",
        "一项",
        "一个",
        "一行",
        "这一条待办",
        "一条待办",
        "这一件",
        "这一封",
        "一封",
    ];
    ends.iter().find_map(|e| text.strip_suffix(e).filter(|t| !t.trim().is_empty())).unwrap_or(text).trim()
}

/// `看看结果里有没有 X`, `里面有“X”`, `页面上看到“X”`.
fn has_or_not(text: &str, quotes: &Quotes) -> Option<Step> {
    let verbs = [
        "有没有出现",
        "有没有显示",
        "有没有看到",
        "有没有",
        "是否有",
        "是不是有",
        "能不能看到",
        "看得到",
        "看到",
        "有显示",
        "出现了",
        "会出现",
    ];
    let quoted_only = ["有", "出现", "显示"];
    let quoted = |back: &str| {
        back.trim().trim_start_matches(['了', '着']).trim().chars().all(is_mark) && !back.trim().is_empty()
    };
    let (front, back) = verbs.iter().find_map(|v| text.split_once(v)).or_else(|| {
        quoted_only.iter().find_map(|v| text.split_once(v)).filter(|(_, back)| quoted(strip_count(back)))
    })?;
    if front.ends_with(['没', '不', '未', '只', '还', '都', '否']) {
        return None;
    }
    let back = strip_count(back.trim().trim_start_matches(['了', '着', '：', ':']));
    let place = front.trim().trim_end_matches(['也', '会', '能', '可', '要']).trim();
    if back.is_empty() || !is_anywhere(place) && !quoted(back) {
        return None;
    }
    if is_anywhere(place) {
        return shown(back, quotes, false);
    }
    let value = quotes.only(back)?;
    let place = place.trim_end_matches("里面").trim_end_matches(['里', '中', '内', '上']).trim();
    let within = Wanted { purpose: Purpose::Read, ..crate::locate::tree::phrase::chinese::read_place(place, quotes)? };
    Some(check(Subject::Element(within), Says::Contains(value.to_owned()), false))
}

/// Places that name no one part of the page for certain.
fn is_anywhere(place: &str) -> bool {
    let place = place.trim().trim_end_matches("里面").trim_end_matches(['里', '中', '内', '上', '的']).trim();
    matches!(
        place,
        "" | "页面"
            | "屏幕"
            | "网页"
            | "当前页面"
            | "里面"
            | "其中"
            | "这里"
            | "那里"
            | "结果"
            | "答案"
            | "搜索结果"
            | "内容"
            | "页面内容"
            | "界面"
            | "画面"
            | "提示"
            | "下面"
            | "上面"
            | "左下角"
            | "右下角"
            | "左上角"
            | "右上角"
            | "底部"
            | "顶部"
            | "页面底部"
            | "页面顶部"
            | "左边"
            | "右边"
            | "下方"
            | "上方"
            | "左侧"
            | "右侧"
            | "页面左下角"
            | "页面右下角"
            | "页面右上角"
            | "页面左上角"
    )
}

/// `“X”不见了`, `“X”不在列表里`, `“X”没有了`, `列表里没有“X”`.
fn gone(text: &str, quotes: &Quotes) -> Option<Step> {
    let ends = [
        "不见了",
        "没有了",
        "消失了",
        "没了",
        "被删除了",
        "被删掉了",
        "不在了",
        "不再显示",
        "不再出现",
        "不在列表里了",
        "不在列表里",
        "不在列表中",
        "不在页面上",
        "不在里面",
    ];
    if let Some(name) = ends.iter().find_map(|e| text.strip_suffix(e)) {
        let name = name.trim().trim_end_matches('也').trim_end_matches('都').trim();
        return shown(strip_count(name), quotes, true);
    }
    let verbs = ["不再有", "已没有", "没有看到", "看不到", "没有", "不会有", "不应有"];
    let (front, back) = verbs.iter().find_map(|v| text.split_once(v))?;
    let back = strip_count(back.trim());
    let place = front.trim();
    let list = matches!(place.trim_end_matches(['里', '中', '内', '上']), "列表" | "表格" | "清单");
    if (is_anywhere(place) || list) && !back.is_empty() && back.chars().all(is_mark) {
        return shown(back, quotes, true);
    }
    None
}

/// `现在是 X 那一步`, `在“X”页面`.
fn current(text: &str, quotes: &Quotes) -> Option<Step> {
    let rest = ["当前处于", "当前在", "当前是", "处在", "处于", "停在", "到了", "来到了", "来到", "是", "在"]
        .iter()
        .find_map(|l| text.strip_prefix(l))?;
    let ends = [
        "那一步",
        "这一步",
        "这一步骤",
        "步骤",
        "那一页",
        "这一页",
        "这个页面",
        "那个页面",
        "页面",
        "标签页",
        "选项卡",
        "页",
        "阶段",
    ];
    let name = ends.iter().find_map(|e| rest.trim().strip_suffix(e))?.trim().trim_end_matches('的').trim();
    let wanted = match quotes.only(name) {
        Some(inner) => Wanted { quoted: true, ..Wanted::named(inner, Purpose::Read) },
        None if !name.is_empty() && !name.chars().any(is_mark) => Wanted::named(name, Purpose::Read),
        None => return None,
    };
    Some(check(Subject::Element(Wanted { strict: true, ..wanted }), Says::Open, false))
}

/// `它还是“X”`, `他的状态变成了 X`.
fn of_it(text: &str, quotes: &Quotes) -> Option<Step> {
    let rest = ["它", "他", "她", "其", "这条", "该行", "那一行", "这一行", "这一条"]
        .iter()
        .find_map(|p| text.strip_prefix(p))?
        .trim();
    let plain = rest.strip_prefix('的').unwrap_or(rest).trim().replace("是否", "");
    let rest = plain.as_str();
    let verbs = [
        "变成了",
        "变为了",
        "变成",
        "变为",
        "更新为",
        "改成了",
        "显示为",
        "显示",
        "还是",
        "仍是",
        "依旧是",
        "也是",
        "是",
        "为",
        "包含",
        "写着",
    ];
    let (what, back) = verbs
        .iter()
        .filter_map(|v| rest.find(v).map(|at| (at, v.len())))
        .min_by_key(|(at, len)| (*at, usize::MAX - len))
        .map(|(at, len)| (rest[..at].trim(), rest[at + len..].trim()))?;
    let back = back.trim_start_matches(['了', '：', ':']).trim();
    let mark = back.chars().all(is_mark) && !back.is_empty();
    if back.is_empty() || !mark && back.chars().any(is_mark) || what.ends_with(['不', '没']) || what.chars().count() > 6
    {
        return None;
    }
    let value = quotes.value(back);
    // `它还是“X”`: only a quote is text for certain.
    if what.is_empty() && !mark {
        return None;
    }
    let says = Says::Contains(value);
    if what.is_empty() {
        return Some(check(Subject::Page, says, false));
    }
    Some(check(Subject::Element(Wanted::named(PLACE_OF_IT, Purpose::Read)), says, false))
}

/// `左下角显示“2 items left”`.
fn at_a_place(text: &str, quotes: &Quotes) -> Option<Step> {
    let verbs =
        ["显示的是", "显示着", "显示了", "显示为", "显示", "写着", "出现了", "出现", "变成了", "变成", "变为", "是"];
    let (front, back) = verbs.iter().find_map(|v| text.split_once(v))?;
    let front = front.trim().trim_end_matches("的文字").trim_end_matches('也').trim_end_matches("的计数").trim();
    let back = back.trim().trim_start_matches('了').trim();
    (is_anywhere(front) && !front.is_empty() && !back.is_empty() && back.chars().all(is_mark))
        .then(|| shown(back, quotes, false))?
}

/// `标题是“X”`, `页面标题变成“X”`.
fn titled(text: &str, quotes: &Quotes) -> Option<Step> {
    let starts = ["标题", "页面标题", "网页标题", "页面的标题", "网址", "地址栏", "页面网址"];
    if !starts.iter().any(|s| text.starts_with(s)) {
        return None;
    }
    object(text, quotes, false)
        .filter(|c| matches!(c.subject, Subject::Title | Subject::Address))
        .map(|check| Step::Verify { check })
}

fn ticked(text: &str, quotes: &Quotes) -> Option<Step> {
    let ends = ["被勾选", "勾选", "勾选上", "被勾选上", "打上勾", "打勾", "被选中", "选中"];
    let text = text.trim_end_matches('了');
    let name = ends.iter().find_map(|e| text.strip_suffix(e))?.trim();
    if name.ends_with(['没', '未', '不', '否']) || name.ends_with("没有") {
        return None;
    }
    state(&format!("{}已勾选", name.trim_end_matches('被').trim_end_matches('已').trim_end_matches('都')), quotes)
        .map(|check| Step::Verify { check })
}

/// How a count is asked for in [`super::count`].
pub(super) fn left_over(text: &str) -> String {
    let mut text = text.to_owned();
    for (said, plain) in [
        ("只剩下", "有"),
        ("还剩下", "有"),
        ("只剩", "有"),
        ("还剩", "有"),
        ("剩下", "有"),
        ("只有", "有"),
        ("共有", "有"),
        ("一共有", "有"),
    ] {
        text = text.replacen(said, plain, 1);
    }
    text
}
