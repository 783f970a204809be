//! Chinese clauses that wait for something or look at it.

use super::pressing::starts_with_verb;
use super::{Cx, target};
use crate::locate::tree::Purpose;
use crate::locate::tree::phrase::quotes::is_mark;
use crate::plan::reflex::grammar::values::duration_ms;
use crate::plan::reflex::grammar::{Why, check_zh};
use crate::plan::reflex::messages;
use crate::plan::reflex::step::{Check, Says, Step, Subject};

/// `弹窗出来`, `出现“X”`, `弹出对话框`: standing alone, it is what the next step waits for.
pub(super) fn arrival(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let text = text.trim_end_matches(['后', '时']).trim_end_matches(['以', '之']).trim();
    let ends =
        ["弹出来了", "弹出来", "出来了", "出来", "出现了", "出现", "弹出了", "弹出", "显示出来", "加载出来", "跳出来"];
    let starts = ["弹出", "出现", "跳出", "看到", "看见"];
    let thing = ends
        .iter()
        .find_map(|e| text.strip_suffix(e))
        .or_else(|| starts.iter().find_map(|s| text.strip_prefix(s)))?
        .trim()
        .trim_start_matches(['了', '的'])
        .trim();
    let thing = ["页面上", "页面里", "屏幕上"].iter().find_map(|p| thing.strip_prefix(p)).unwrap_or(thing);
    // `“X”的提示`: what says X.
    if let Some(said) = without_kind_of_message(thing).and_then(|said| cx.quotes.only(said)) {
        let check = Check { subject: Subject::Page, says: Says::Contains(said.to_owned()), negated: false };
        return Some(Step::WaitFor { check });
    }
    if thing.is_empty() || starts_with_verb(thing) || thing.chars().count() > 20 {
        return None;
    }
    let wanted = target(cx, thing, Purpose::Read)?;
    let check = Check { subject: Subject::Element(wanted), says: Says::Shown, negated: false };
    Some(Step::WaitFor { check })
}

/// A statement without a verb that says to check it: `页面上应该看到“X”`, `标题是“X”`, `X 已经被勾选`.
pub(super) fn statement(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let says_so =
        ["页面上应该", "页面应该", "页面上应当", "应该", "应当", "此时应该", "这时应该", "现在应该", "屏幕上应该"]
            .iter()
            .any(|l| text.starts_with(l))
            || text.contains("应该")
            || ["标题是", "标题为", "页面标题是", "页面标题为", "网址是", "网址包含", "标题包含", "标题应"]
                .iter()
                .any(|l| text.starts_with(l))
            || ["已经被勾选", "已被勾选", "已经勾选", "已经被选中", "已被选中", "没有被勾选", "未被勾选"]
                .iter()
                .any(|e| text.ends_with(e));
    if !says_so || starts_with_verb(text) {
        return None;
    }
    check_zh::steps(text, cx.quotes)
}

/// `“X”的提示`, `“X”字样`: the quoted text, and nothing behind it.
fn without_kind_of_message(text: &str) -> Option<&str> {
    ["提示框", "提示", "字样", "消息", "文字", "通知", "字"]
        .iter()
        .find_map(|e| text.strip_suffix(e))
        .map(|s| s.trim_end_matches('的').trim_end())
        .filter(|s| s.ends_with(is_mark))
}

pub(super) fn wait(cx: &Cx<'_>, text: &str) -> Option<Result<Step, Why>> {
    let rest = ["等待直到", "等待", "等候", "等到", "直到", "等", "暂停", "停顿"]
        .iter()
        .find_map(|l| text.strip_prefix(l))?
        .trim();
    if matches!(
        rest,
        "" | "一下"
            | "一会"
            | "一会儿"
            | "片刻"
            | "页面加载"
            | "页面加载完成"
            | "页面加载完毕"
            | "加载完成"
            | "页面加载完成后"
            | "加载"
            | "页面加载完"
            | "页面加载完后"
            | "加载完"
            | "加载完后"
            | "加载完毕"
            | "数据加载完"
            | "数据加载完成"
            | "列表加载完"
            | "列表加载完成"
            | "内容加载完"
            | "内容加载完成"
    ) {
        return Some(Ok(Step::Sleep { ms: 1000 }));
    }
    if let Some(ms) = duration_ms(rest.trim_start_matches('约').trim_end_matches('后')) {
        return Some(Ok(Step::Sleep { ms }));
    }
    let said =
        rest.trim_end_matches(['后', '时']).trim_end_matches("为止").trim_end_matches("之").trim_end_matches("以");
    // `“X”的提示` is what says X; `X 弹窗出来` is X that has come.
    let said = without_kind_of_message(said).unwrap_or(said);
    let said = ["弹出来", "显示出来", "出来", "弹出"].iter().find_map(|e| said.strip_suffix(e)).unwrap_or(said).trim();
    let check = match check_zh::steps(said, cx.quotes) {
        Some(Step::Verify { check }) => Some(check),
        _ => check_zh::read(said, cx.quotes),
    };
    let check = check.or_else(|| {
        let wanted = target(cx, said, Purpose::Read)?;
        Some(Check { subject: Subject::Element(wanted), says: Says::Shown, negated: false })
    });
    Some(check.map(|check| Step::WaitFor { check }).ok_or(Why::from(messages::WAIT_UNREAD)))
}

pub(super) fn verify(cx: &Cx<'_>, text: &str) -> Option<Result<Step, Why>> {
    let lead = [
        "验证一下",
        "检查一下",
        "确认一下",
        "核对一下",
        "验证",
        "检查",
        "确认",
        "确保",
        "断言",
        "核对",
        "校验",
        "检验",
        "查看是否",
        "看看是不是",
        "看看",
        "看一看",
        "检查看看",
        "看一下",
    ]
    .iter()
    .find(|l| text.starts_with(**l))?;
    let rest = text[lead.len()..].trim().trim_start_matches(['：', ':', '，']).trim();
    let rest = rest.strip_prefix("是否").unwrap_or(rest);
    // `确认` and `检查` may be names of buttons.
    if rest.is_empty() {
        return None;
    }
    if let Some(step) = check_zh::steps(rest, cx.quotes) {
        return Some(Ok(step));
    }
    let check = check_zh::read(rest, cx.quotes);
    if check.is_none() && *lead == "确认" && rest.chars().count() <= 4 {
        return None;
    }
    Some(check.map(|check| Step::Verify { check }).ok_or(Why::from(messages::CHECK_UNREAD)))
}
