//! Chinese statements about the page: `总价为 12 元`, `页面显示“保存成功”`.

use super::values::number;
use crate::locate::tree::phrase::chinese;
use crate::locate::tree::phrase::quotes::{Quotes, is_mark};
use crate::locate::tree::{Purpose, RoleWord, Wanted};
use crate::plan::reflex::step::{Check, Says, Subject};

mod plain;

pub(super) use plain::steps;

/// Endings without an object: what they say, and whether they deny it.
type State = (&'static str, fn() -> Says, bool);

const STATES: &[State] = &[
    ("没有显示", || Says::Shown, true),
    ("没有出现", || Says::Shown, true),
    ("没有被勾选", || Says::Checked, true),
    ("没有勾选", || Says::Checked, true),
    ("没有被选中", || Says::Checked, true),
    ("没有选中", || Says::Checked, true),
    ("未被勾选", || Says::Checked, true),
    ("未被选中", || Says::Checked, true),
    ("未勾选", || Says::Checked, true),
    ("未选中", || Says::Checked, true),
    ("不显示", || Says::Shown, true),
    ("未显示", || Says::Shown, true),
    ("不存在", || Says::Shown, true),
    ("不可见", || Says::Shown, true),
    ("看不见", || Says::Shown, true),
    ("看不到", || Says::Shown, true),
    ("不见了", || Says::Shown, true),
    ("消失", || Says::Shown, true),
    ("隐藏", || Says::Shown, true),
    ("处于选中状态", || Says::Checked, false),
    ("处于勾选状态", || Says::Checked, false),
    ("已被勾选", || Says::Checked, false),
    ("已勾选", || Says::Checked, false),
    ("被勾选", || Says::Checked, false),
    ("勾选", || Says::Checked, false),
    ("已被选中", || Says::Checked, false),
    ("已选中", || Says::Checked, false),
    ("被选中", || Says::Checked, false),
    ("选中", || Says::Checked, false),
    ("已完成", || Says::Checked, false),
    ("已开启", || Says::Checked, false),
    ("已打开", || Says::Checked, false),
    ("已关闭", || Says::Checked, true),
    ("不可用", || Says::Disabled, false),
    ("不可点击", || Says::Disabled, false),
    ("不能点击", || Says::Disabled, false),
    ("被禁用", || Says::Disabled, false),
    ("已禁用", || Says::Disabled, false),
    ("禁用", || Says::Disabled, false),
    ("可点击", || Says::Enabled, false),
    ("可用", || Says::Enabled, false),
    ("已启用", || Says::Enabled, false),
    ("为空", || Says::Empty, false),
    ("是空的", || Says::Empty, false),
    ("已清空", || Says::Empty, false),
    ("获得焦点", || Says::Focused, false),
    ("可见", || Says::Shown, false),
    ("出现", || Says::Shown, false),
    ("显示", || Says::Shown, false),
    ("存在", || Says::Shown, false),
    ("加载完成", || Says::Shown, false),
    ("加载完毕", || Says::Shown, false),
    ("弹出", || Says::Shown, false),
];

/// Verbs with an object: whether it is the whole of it.
const OBJECTS: &[(&str, bool)] = &[
    ("的值应该是", true),
    ("的值应为", true),
    ("的值等于", true),
    ("的值是", true),
    ("的值为", true),
    ("的内容是", true),
    ("的内容为", true),
    ("的文字是", true),
    ("的文字为", true),
    ("的文本是", true),
    ("的文本为", true),
    ("应该等于", true),
    ("应该显示为", true),
    ("应该显示", false),
    ("应该包含", false),
    ("应该是", true),
    ("应该为", true),
    ("应当是", true),
    ("应当为", true),
    ("应显示为", true),
    ("应显示", false),
    ("应包含", false),
    ("应为", true),
    ("应是", true),
    ("显示为", true),
    ("变成", true),
    ("变为", true),
    ("等于", true),
    ("包含", false),
    ("含有", false),
    ("显示", false),
    ("出现", false),
    ("写着", false),
    ("是", true),
    ("为", true),
    ("有", false),
];

const TAILS: &[&str] = &["出来了", "出来", "在页面上", "在屏幕上", "的状态", "状态", "了", "的", "在页面中", "完成"];

fn strip_tails(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let before = text;
        for tail in TAILS {
            if text.ends_with("加载完成")
                || text.ends_with("选中状态")
                || text.ends_with("勾选状态")
                || text.ends_with("已完成")
                || text.ends_with("空的")
            {
                break;
            }
            text = text.strip_suffix(tail).unwrap_or(text).trim_end();
        }
        if text == before {
            return text;
        }
    }
}

pub(super) fn read(text: &str, quotes: &Quotes) -> Option<Check> {
    let text = text.trim().trim_matches(|c: char| "，,。.：:".contains(c)).trim();
    if ["所有", "每个", "全部都", "或者", "大于", "小于", "至少", "至多", "不超过"].iter().any(|w| text.contains(w))
    {
        return None;
    }
    for (lead, negated) in [
        ("没有看到", true),
        ("看不到", true),
        ("不能看到", true),
        ("可以看到", false),
        ("能看到", false),
        ("能够看到", false),
        ("看到", false),
        ("出现了", false),
        ("显示了", false),
        ("出现", false),
        ("显示", false),
        ("存在", false),
        ("弹出", false),
    ] {
        if let Some(rest) = text.strip_prefix(lead).map(str::trim)
            && !rest.is_empty()
        {
            return Some(Check { subject: Subject::Element(subject(rest, quotes)?), says: Says::Shown, negated });
        }
    }
    if quotes.only(plain_subject(text)).is_some() {
        return Some(Check { subject: Subject::Element(subject(text, quotes)?), says: Says::Shown, negated: false });
    }
    count(text, quotes)
        .or_else(|| object(text, quotes, true))
        .or_else(|| state(text, quotes))
        .or_else(|| object(text, quotes, false))
}

/// `X出现`, `X已勾选`.
fn state(text: &str, quotes: &Quotes) -> Option<Check> {
    let text = strip_tails(text);
    let (front, says, negated) =
        STATES.iter().find_map(|(end, says, no)| text.strip_suffix(end).map(|f| (f.trim(), says(), *no)))?;
    let front = [
        "是否已经",
        "是否已",
        "是否",
        "应该是",
        "应该已",
        "应该",
        "应当",
        "已经",
        "已",
        "是",
        "应",
        "会",
        "正常",
        "成功",
    ]
    .iter()
    .fold(front, |f, end| f.strip_suffix(end).unwrap_or(f).trim_end());
    let (front, denied) = match front.strip_suffix('不').or(front.strip_suffix("没有")).or(front.strip_suffix("没"))
    {
        Some(rest) => (rest.trim_end().trim_end_matches("应该").trim_end_matches('应'), true),
        None => (front, false),
    };
    let purpose = match says {
        Says::Checked => Purpose::Toggle,
        Says::Empty => Purpose::Type,
        Says::Shown => Purpose::Read,
        _ => Purpose::Click,
    };
    let wanted = chinese::read(plain_subject(front), quotes, purpose)?;
    Some(Check { subject: Subject::Element(wanted), says, negated: negated ^ denied })
}

/// `文字“X”`, `“X”字样`: X.
fn plain_subject(text: &str) -> &str {
    let text = text.trim();
    let text = ["页面上的", "页面上", "页面中", "页面里", "页面"]
        .iter()
        .find_map(|l| text.strip_prefix(l).filter(|r| !r.trim().is_empty()))
        .unwrap_or(text)
        .trim();
    let tail = ["字样", "的文字", "的字样", "这几个字", "文字", "的提示", "提示"]
        .iter()
        .find_map(|t| text.strip_suffix(t))
        .map(str::trim);
    let text = tail.filter(|t| !t.is_empty() && t.chars().all(is_mark)).unwrap_or(text);
    let lead =
        ["文字", "文本", "提示", "消息", "字样", "内容"].iter().find_map(|l| text.strip_prefix(l)).map(str::trim);
    lead.filter(|t| !t.is_empty() && t.chars().all(is_mark)).unwrap_or(text)
}

fn subject(text: &str, quotes: &Quotes) -> Option<Wanted> {
    chinese::read(plain_subject(text), quotes, Purpose::Read)
}

/// `列表中有3个项目`, `购物车里有两件商品`.
fn count(text: &str, quotes: &Quotes) -> Option<Check> {
    let text = plain::left_over(text);
    let (front, back) = text.split_once('有')?;
    let back = back.trim_start();
    let end = back.find(|c: char| !c.is_ascii_digit() && !"一二三四五六七八九十两".contains(c))?;
    let n = number(&back[..end])?;
    let noun = back[end..].trim();
    let known = ["商品", "项目", "待办", "任务", "条目", "结果", "记录", "数据", "项", "行", "待办事项", "事项", ""];
    let noun = if known.contains(&noun) {
        noun
    } else {
        noun.strip_prefix(|c| "个件条行项张只".contains(c)).unwrap_or(noun).trim()
    };
    if !known.contains(&noun) || (noun.is_empty() && back[end..].is_empty()) {
        return None;
    }
    let negated = front.ends_with('没');
    let place = front.trim_end_matches('没').trim().trim_end_matches(['共', '只', '应', '里', '中', '内', '上']).trim();
    let base = Wanted { role: Some(RoleWord::Item), ..Wanted::named("", Purpose::Read) };
    let counted = if place.is_empty() || place.ends_with("页面") {
        base
    } else {
        base.inside(&chinese::read_place(place, quotes)?)
    };
    Some(Check { subject: Subject::Element(counted), says: Says::Count(n), negated })
}

/// `X为V`, `页面显示V`. With `sure`, only where the object is quoted.
fn object(text: &str, quotes: &Quotes, sure: bool) -> Option<Check> {
    let mut found: Option<(usize, &str, bool)> = None;
    for (verb, whole) in OBJECTS {
        let at = text.find(verb).filter(|at| *at > 0 && at + verb.len() < text.len());
        if let Some(at) = at
            && found.is_none_or(|(f, v, _)| at < f || (at == f && verb.len() > v.len()))
        {
            found = Some((at, verb, *whole));
        }
    }
    let (at, verb, whole) = found?;
    let mut front = text[..at].trim();
    let mut back = text[at + verb.len()..].trim();
    let mut negated = false;
    for (no, what) in [("不再", true), ("没有", true), ("不", true), ("没", true), ("未", true)] {
        if let Some(rest) = front.strip_suffix(no) {
            front = rest.trim_end();
            negated = what;
            break;
        }
    }
    back = back.trim_start_matches(['了', '着']).trim_start_matches(['：', ':']).trim();
    front = ["应该", "应当", "现在", "已经", "的值", "的内容", "应"]
        .iter()
        .fold(front, |f, end| f.strip_suffix(end).unwrap_or(f).trim_end());
    let bare = ["文字", "文本", "内容", "字样", "提示"].iter().find_map(|l| back.strip_prefix(l)).map(str::trim);
    back = bare.filter(|b| b.chars().all(is_mark) && !b.is_empty()).unwrap_or(back);
    back = back.strip_suffix("字样").unwrap_or(back).trim();
    let is_quote = back.chars().count() == 1 && back.chars().all(is_mark);
    if back.is_empty() || (!is_quote && (sure || back.chars().any(is_mark))) {
        return None;
    }
    let value = quotes.value(back);
    let place = front.trim_end_matches(['上', '中', '里', '内']).trim();
    let subject = match place {
        "页面" | "屏幕" | "网页" | "当前页面" | "" => Subject::Page,
        "标题" | "页面标题" | "网页标题" | "页面的标题" => Subject::Title,
        "网址" | "地址" | "URL" | "url" | "页面地址" | "当前网址" | "页面网址" | "地址栏" => {
            Subject::Address
        }
        _ => Subject::Element(chinese::read(front, quotes, Purpose::Read)?),
    };
    if matches!(subject, Subject::Page) && !is_quote {
        let shown = chinese::read(back, quotes, Purpose::Read)?;
        return Some(Check { subject: Subject::Element(shown), says: Says::Shown, negated });
    }
    let says = if whole && !matches!(subject, Subject::Page) { Says::Equals(value) } else { Says::Contains(value) };
    Some(Check { subject, says, negated })
}
