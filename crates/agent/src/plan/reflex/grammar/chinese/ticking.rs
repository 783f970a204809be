//! Chinese clauses that turn something on or off, or empty it.

use super::things::BULK;
use super::{Cx, over_list, target};
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::grammar::patterns;
use crate::plan::reflex::step::Step;

const TICK_MARKS: &[&str] = &[
    "前面的勾选",
    "前面的对勾",
    "前面的勾",
    "前的勾",
    "后面的勾",
    "旁边的勾",
    "上的勾",
    "的勾选",
    "的对勾",
    "的选中",
    "的勾",
    "的钩",
];

pub(super) fn tick(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let text = text.trim();
    let make = |on: Option<bool>| move |target: Wanted| Step::Toggle { target, on };
    let off = ["取消勾选", "取消选中", "取消选择", "不勾选", "去掉勾选", "去除勾选", "反勾选"];
    let on = ["勾选上", "勾选", "勾上", "打勾", "选中复选框"];
    for (verbs, state) in [(&off[..], false), (&on[..], true)] {
        if let Some(rest) = verbs.iter().find_map(|v| text.strip_prefix(v)) {
            return over_list(cx, rest, Purpose::Toggle, &make(Some(state)));
        }
    }
    // `附加服务勾选开发票`: a box of the group of that label.
    for (verbs, state) in [(&off[..], false), (&on[..], true)] {
        let parted = verbs.iter().find_map(|v| text.split_once(v));
        if let Some((label, name)) = parted.map(|(l, n)| (l.trim(), n.trim()))
            && (2..=8).contains(&label.chars().count())
            && label.chars().all(crate::locate::tree::is_cjk)
            && !super::starts_with_verb(label)
            && !label.starts_with(['把', '将', '给', '在', '从', '于', '到'])
            && !label.ends_with(['里', '中', '内', '上', '的'])
            && !name.is_empty()
        {
            let group = target(cx, label, Purpose::Hold)?;
            return Some(Step::Toggle { target: target(cx, name, Purpose::Toggle)?.inside(&group), on: Some(state) });
        }
    }
    // `把X前面的勾去掉`, `给X打上勾`
    let taken = text.strip_prefix('把').or(text.strip_prefix('将'));
    if let Some(name) = taken.and_then(|r| {
        let r = r.trim_end_matches('了');
        let r = ["都去掉", "去掉", "取消掉", "取消", "去除", "点掉", "拿掉"].iter().find_map(|v| r.strip_suffix(v))?;
        TICK_MARKS.iter().find_map(|m| r.trim().strip_suffix(m))
    }) {
        return over_list(cx, name.trim().trim_end_matches('的'), Purpose::Toggle, &make(Some(false)));
    }
    if let Some(rest) = text.strip_prefix('给').or(text.strip_prefix('在')).or(text.strip_prefix('为'))
        && let Some(name) =
            ["打上勾", "打个勾", "打上对勾", "打钩", "打勾", "勾上", "勾选上"].iter().find_map(|v| rest.strip_suffix(v))
    {
        let name = ["前面", "上", "前"].iter().find_map(|e| name.trim().strip_suffix(e)).unwrap_or(name).trim();
        return over_list(cx, name.trim_end_matches('都').trim_end_matches('的'), Purpose::Toggle, &make(Some(true)));
    }
    for end in TICK_MARKS {
        if let Some(name) = ["去掉", "取消掉", "取消", "去除"]
            .iter()
            .find_map(|v| text.strip_prefix(v))
            .and_then(|r| r.strip_suffix(end))
        {
            return over_list(cx, name, Purpose::Toggle, &make(Some(false)));
        }
    }
    if let Some(rest) = text.strip_prefix('把').or(text.strip_prefix('将')) {
        for (ends, state) in [
            (&["取消勾选", "取消选中", "关掉", "标记为未完成", "设为未完成", "标为未完成"][..], false),
            (
                &[
                    "勾选上",
                    "勾选",
                    "勾上",
                    "打上勾",
                    "打勾",
                    "选中",
                    "标记为已完成",
                    "标记为完成",
                    "设为已完成",
                    "设为完成",
                    "标为已完成",
                    "标为完成",
                    "标记成已完成",
                    "标记完成",
                ][..],
                true,
            ),
        ] {
            if let Some(name) = ends.iter().find_map(|e| rest.strip_suffix(e)) {
                let name = name.trim().trim_end_matches(['都', '全']).trim();
                return over_list(cx, name, Purpose::Toggle, &make(Some(state)));
            }
        }
        for (ends, state) in [
            (&["打开", "开启", "启用", "设为开", "切换为开"][..], true),
            (&["关闭", "禁用", "停用", "设为关", "切换为关"][..], false),
        ] {
            if let Some(name) = ends.iter().find_map(|e| rest.strip_suffix(e)) {
                let wanted = target(cx, name, Purpose::Toggle)?;
                if patterns::is_tick_word(&wanted) || ["启用", "禁用", "停用", "开启"].iter().any(|e| rest.ends_with(e))
                {
                    return Some(Step::Toggle { target: wanted, on: Some(state) });
                }
            }
        }
        return None;
    }
    for (verbs, state) in [
        (&["开启", "启用", "激活", "打开"][..], Some(true)),
        (&["禁用", "停用", "关闭", "关掉"][..], Some(false)),
        (&["切换"][..], None),
    ] {
        if let Some((verb, rest)) = verbs.iter().find_map(|v| text.strip_prefix(v).map(|r| (*v, r))) {
            let rest = rest.trim();
            // `启用日期填 2026-12-15`: the verb is a part of the label.
            let sets =
                ["填", "改成", "改为", "设为", "设成", "选"].iter().any(|v| rest.find(v).is_some_and(|at| at > 0));
            if sets && !patterns::is_tick_word(&target(cx, rest, Purpose::Toggle)?) {
                return None;
            }
            if rest.is_empty() || rest.starts_with(['到', '至', '为']) {
                return None;
            }
            let wanted = target(cx, rest, Purpose::Toggle)?;
            // `打开设置` opens something; `打开夜间模式开关` turns something on.
            let certain = !matches!(verb, "打开" | "关闭" | "关掉" | "切换");
            return (certain || patterns::is_tick_word(&wanted)).then_some(Step::Toggle { target: wanted, on: state });
        }
    }
    None
}

pub(super) fn clear(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let verbs = ["清空", "清除", "清掉", "清理"];
    let name = match text.strip_prefix('把').or(text.strip_prefix('将')) {
        Some(rest) => verbs.iter().find_map(|v| rest.strip_suffix(v))?,
        None => verbs.iter().find_map(|v| text.strip_prefix(v))?,
    };
    let name = ["里的内容", "中的内容", "内的内容", "的内容", "里的文字", "中的文字", "的文字", "内容"]
        .iter()
        .find_map(|e| name.strip_suffix(e))
        .unwrap_or(name)
        .trim();
    if name.is_empty() || matches!(name, "输入框" | "文本框" | "它") {
        return Some(Step::Clear { field: None });
    }
    if BULK.iter().any(|b| name.contains(b)) {
        return None;
    }
    Some(Step::Clear { field: Some(target(cx, name, Purpose::Type)?) })
}
