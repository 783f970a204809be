//! Chinese clauses that wait for something or look at it.

use super::{Cx, target};
use crate::locate::tree::Purpose;
use crate::plan::reflex::grammar::values::duration_ms;
use crate::plan::reflex::grammar::{Why, check_zh};
use crate::plan::reflex::step::Step;

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
    ) {
        return Some(Ok(Step::Sleep { ms: 1000 }));
    }
    if let Some(ms) = duration_ms(rest.trim_start_matches('约').trim_end_matches('后')) {
        return Some(Ok(Step::Sleep { ms }));
    }
    let said =
        rest.trim_end_matches(['后', '时']).trim_end_matches("为止").trim_end_matches("之").trim_end_matches("以");
    let check = check_zh::read(said, cx.quotes);
    let check = check.or_else(|| {
        let wanted = target(cx, said, Purpose::Read)?;
        Some(crate::plan::reflex::step::Check {
            subject: crate::plan::reflex::step::Subject::Element(wanted),
            says: crate::plan::reflex::step::Says::Shown,
            negated: false,
        })
    });
    Some(
        check
            .map(|check| Step::WaitFor { check })
            .ok_or_else(|| "waits for something that is not understood".to_owned()),
    )
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
        "看看",
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
    let check = check_zh::read(rest, cx.quotes);
    if check.is_none() && *lead == "确认" && rest.chars().count() <= 4 {
        return None;
    }
    Some(check.map(|check| Step::Verify { check }).ok_or_else(|| "is a check that is not understood".to_owned()))
}
