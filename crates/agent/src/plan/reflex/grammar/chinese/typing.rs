//! Chinese clauses that put text somewhere.

use super::{Cx, Purpose, Step, Why, counted_list, parts_of, patterns, starts_with_verb, target};
use crate::locate::tree::phrase::quotes::is_mark;
use crate::plan::reflex::messages;
use crate::plan::reflex::step::FOCUSED;

const VERBS: &[&str] =
    &["输入", "填写", "填入", "填上", "键入", "录入", "写入", "写上", "敲入", "打入", "打上", "粘贴", "填", "写", "打"];
const NOUNS: &[char] = &['框', '栏', '区', '法', '项', '域', '件', '开', '勾', '字', '印', '信', '折', '着', '有'];
const SET: &[&str] = &[
    "填写为",
    "填写成",
    "填为",
    "填成",
    "设置为",
    "设置成",
    "设定为",
    "设为",
    "设成",
    "修改为",
    "修改成",
    "更改为",
    "更改成",
    "改为",
    "改成",
    "换成",
    "换为",
    "调整为",
    "调整到",
    "调整至",
    "调整成",
    "调到",
    "调为",
    "调成",
    "更新为",
    "变为",
    "变成",
    "选择为",
    "选为",
    "选成",
    "增加到",
    "减少到",
    "改到",
    "重命名为",
    "替换为",
    "替换成",
    "切换为",
    "拖到",
    "写成",
    "输入为",
];

/// A text to type: quoted, or plain words that describe nothing.
fn text_of(cx: &Cx<'_>, text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches(['：', ':', '了']).trim();
    let text = ["文字", "文本", "内容", "数字", "关键词", "关键字"]
        .iter()
        .find_map(|l| text.strip_prefix(l).filter(|r| !r.trim().is_empty()))
        .unwrap_or(text)
        .trim();
    let text = text.trim_start_matches(['：', ':']).trim();
    if let Some(inner) = cx.quotes.only(text) {
        return Some(inner.to_owned());
    }
    let vague = [
        "任意",
        "随便",
        "随机",
        "一个",
        "一段",
        "一些",
        "某个",
        "你的",
        "我的",
        "自己的",
        "正确的",
        "有效的",
        "合适的",
        "所有",
        "一首",
        "一篇",
        "一条",
        "一封",
        "一份",
        "一句",
        "一张",
        "一则",
        "一行",
    ];
    if text.is_empty() || vague.iter().any(|v| text.starts_with(v)) || text.chars().any(is_mark) {
        return None;
    }
    Some(cx.quotes.value(text))
}

/// Names for what was clicked just before, or for the field that came up in its place.
fn is_focus(name: &str) -> bool {
    matches!(
        name,
        "" | "它"
            | "内容"
            | "文字"
            | "文本"
            | "里面的内容"
            | "里面的文字"
            | "其中的内容"
            | "其内容"
            | "输入框里的内容"
            | "框里的内容"
            | "框里的文字"
            | "原来的内容"
            | "原来的文字"
            | "里面"
            | "名字"
    )
}

fn place(text: &str) -> &str {
    let text = text.trim();
    let end = [
        "里面",
        "当中",
        "之中",
        "这一栏",
        "那一栏",
        "一栏",
        "这一项",
        "那一项",
        "那里",
        "这里",
        "那儿",
        "处",
        "里",
        "中",
        "内",
        "上",
        "处",
    ]
    .iter()
    .find_map(|e| text.strip_suffix(e))
    .filter(|t| !t.trim().is_empty());
    end.unwrap_or(text).trim().trim_end_matches(['，', ',', '：', ':'])
}

fn make(text: String, into: Option<crate::locate::tree::Wanted>) -> Step {
    Step::Type { text, into, append: false }
}

pub(super) fn read(cx: &Cx<'_>, text: &str) -> Option<Result<Step, Why>> {
    let no_text = || Err(Why::from(messages::NO_TEXT));
    if let Some(rest) = text.strip_prefix('把').or(text.strip_prefix('将')) {
        return taken(cx, rest);
    }
    let (front, back) = split_verb(text)?;
    let front = front.trim();
    if front.is_empty() {
        return unplaced(cx, back).map(Ok).or(Some(no_text()));
    }
    let led = front.strip_prefix(['在', '向', '往', '给', '于', '对', '到']);
    if led.is_none() && starts_with_verb(front) {
        return None;
    }
    let field = led.unwrap_or(front).trim_end_matches(['都', '均']);
    let field = place(["重新", "也", "就"].iter().find_map(|a| field.strip_suffix(a)).unwrap_or(field));
    // `都填好以后`, `给它打上勾`: no field and no text.
    if matches!(field, "都" | "全部" | "全都" | "") || matches!(back.trim(), "勾" | "上勾" | "对勾" | "星" | "钩")
    {
        return None;
    }
    if let Some(result) = distributed(cx, field, back, front.ends_with(['都', '均'])) {
        return Some(result);
    }
    let into = target(cx, field, Purpose::Type)?;
    let back = back.trim().trim_start_matches(['为', '成', '上', '入']).trim();
    // `追加输入`
    Some(text_of(cx, back).map_or_else(no_text, |text| Ok(make(text, Some(into)))))
}

/// `在 A 和 B 两个框里都输入X`.
fn distributed(cx: &Cx<'_>, fields: &str, back: &str, all: bool) -> Option<Result<Step, Why>> {
    let back = back.trim().trim_start_matches(['为', '成', '上', '入']).trim();
    let (names, Some((n, kind))) = counted_list(fields) else {
        // `在 A 和 B 里都输入X`
        let parts = parts_of(place(fields));
        if !all || parts.len() < 2 {
            return None;
        }
        let text = text_of(cx, back)?;
        let one = |p: &str| Some(make(text.clone(), Some(target(cx, p, Purpose::Type)?)));
        let steps: Option<Vec<Step>> = parts.iter().map(|p| one(p)).collect();
        return steps.and_then(|steps| patterns::each(one(place(fields)), steps)).map(Ok);
    };
    let parts = parts_of(names);
    if n < 2 || parts.len() != n {
        return Some(Err(Why::from(messages::FIELD_COUNT)));
    }
    let text = text_of(cx, back)?;
    let step = |p: &&str| Some(make(text.clone(), Some(target(cx, &format!("{p}{kind}"), Purpose::Type)?)));
    let steps: Option<Vec<Step>> = parts.iter().map(step).collect();
    steps.and_then(|steps| patterns::each(None, steps)).map(Ok)
}

/// The first verb that is not part of a noun such as `输入框`.
fn split_verb(text: &str) -> Option<(&str, &str)> {
    let mut best: Option<(usize, usize)> = None;
    for verb in VERBS {
        for (at, _) in text.match_indices(verb) {
            let back = &text[at + verb.len()..];
            if back.starts_with(NOUNS) || back.trim().is_empty() {
                continue;
            }
            if best.is_none_or(|(b, len)| at < b || (at == b && verb.len() > len)) {
                best = Some((at, verb.len()));
            }
            break;
        }
    }
    let (at, len) = best?;
    Some((&text[..at], &text[at + len..]))
}

/// `输入V`, `输入V到X中`, `输入用户名 V`.
fn unplaced(cx: &Cx<'_>, back: &str) -> Option<Step> {
    let back = back.trim();
    let mut readings = Vec::new();
    for joint in ["到", "进", "至", "入", "在"] {
        if let Some(at) = back.rfind(joint).filter(|at| *at > 0 && at + joint.len() < back.len()) {
            let field = back[at..].trim_start_matches(['到', '进', '至', '入', '在']);
            if let (Some(text), Some(into)) = (text_of(cx, &back[..at]), target(cx, place(field), Purpose::Type)) {
                let certain = back[..at].trim().chars().all(is_mark);
                readings.push(make(text, Some(into)));
                if certain {
                    return readings.pop();
                }
                break;
            }
        }
    }
    // `用户名：alice`, `邮箱为a@b.c`, `用户名“alice”`
    let label = ["：", ":", "为", "是", "成"]
        .iter()
        .find_map(|j| back.split_once(j))
        .filter(|(l, v)| !l.is_empty() && !v.trim().is_empty());
    let quote = back.find(is_mark).filter(|at| *at > 0).map(|at| (&back[..at], &back[at..]));
    let spaced =
        back.split_once(' ').filter(|(l, v)| crate::locate::tree::phrase::quotes::has_cjk(l) && !v.trim().is_empty());
    if let Some((label, value)) = label.or(quote).or(spaced) {
        let plain = ["文字", "文本", "内容", "数字", "关键词", "关键字"].contains(&label.trim());
        if !plain && let (Some(text), Some(into)) = (text_of(cx, value), target(cx, label, Purpose::Type)) {
            return Some(make(text, Some(into)));
        }
    }
    if readings.is_empty() {
        return text_of(cx, back).map(|text| make(text, None));
    }
    patterns::either(readings)
}

/// `X改成V`.
pub(super) fn set(cx: &Cx<'_>, rest: &str) -> Option<Result<Step, Why>> {
    // A slider is dragged to a number; anything else is dragged to a place.
    let is_number = |at: usize, v: &str| rest[at + v.len()..].trim().trim_end_matches('%').parse::<f64>().is_ok();
    let found =
        SET.iter().filter_map(|v| rest.find(v).filter(|at| *v != "拖到" || is_number(*at, v)).map(|at| (at, v.len())));
    let (at, len) = found.min_by_key(|(at, len)| (*at, usize::MAX - len))?;
    let (name, value) = (rest[..at].trim(), &rest[at + len..]);
    let name = ["的值", "的内容", "的文字", "的文本"].iter().find_map(|e| name.strip_suffix(e)).unwrap_or(name);
    let name = name.split_once('从').map_or(name, |(n, _)| if n.is_empty() { name } else { n }).trim();
    // `弹窗里的内容`: of the field there.
    let of_place =
        ["里的内容", "中的内容", "里的文字", "中的文字"].iter().find_map(|e| rest[..at].trim().strip_suffix(e));
    let of_place =
        of_place.filter(|p| p.ends_with("弹窗") || p.ends_with("对话框") || p.ends_with("弹框") || p.ends_with("窗口"));
    let target = if let Some(place) = of_place {
        target(cx, &format!("{place}里的输入框"), Purpose::Type)?
    } else if is_focus(name) {
        // `改成X` stands alone only where it says all.
        if name.is_empty()
            && !matches!(&rest[at..at + len], "改成" | "改为" | "修改为" | "修改成" | "换成" | "更改为" | "重命名为")
        {
            return None;
        }
        crate::locate::tree::Wanted::named(FOCUSED, Purpose::Type)
    } else {
        target(cx, place(name), Purpose::Type)?
    };
    let quoted = value.chars().any(is_mark);
    let no_text = || Why::from(messages::NO_TEXT);
    Some(text_of(cx, value).map(|value| Step::Set { target, value, quoted }).ok_or_else(no_text))
}

/// `把X改成V`, `把V填入X`.
fn taken(cx: &Cx<'_>, rest: &str) -> Option<Result<Step, Why>> {
    if let Some(result) = set(cx, rest) {
        return Some(result);
    }
    let (value, field) = split_verb(rest)?;
    let field = field.trim().trim_start_matches(['到', '进', '至', '入', '在']).trim();
    if value.trim().is_empty() || field.is_empty() {
        return None;
    }
    let into = target(cx, place(field), Purpose::Type)?;
    Some(Ok(make(text_of(cx, value)?, Some(into))))
}
