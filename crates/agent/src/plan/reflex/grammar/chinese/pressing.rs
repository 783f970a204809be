//! Chinese clauses that click.

use super::purpose;
use super::{Cx, over_list, read, target};
use crate::locate::tree::phrase::chinese as phrase;
use crate::locate::tree::phrase::quotes::has_cjk;
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::grammar::values::{address, duration_ms, number};
use crate::plan::reflex::grammar::{AGAIN, Why, each_target, patterns};
use crate::plan::reflex::step::{Press, Step};

pub(super) const CLICKS: &[(&str, Press)] = &[
    ("用鼠标右键点击", Press::Secondary),
    ("右键点击", Press::Secondary),
    ("右键单击", Press::Secondary),
    ("用右键点击", Press::Secondary),
    ("右击", Press::Secondary),
    ("右键", Press::Secondary),
    ("鼠标双击", Press::Double),
    ("双击一下", Press::Double),
    ("双击", Press::Double),
    ("连续点击两次", Press::Double),
    ("长按", Press::Hold(1000)),
    ("按住", Press::Hold(1000)),
    ("用鼠标点击", Press::Once),
    ("鼠标点击", Press::Once),
    ("鼠标左键点击", Press::Once),
    ("左键点击", Press::Once),
    ("点击一下", Press::Once),
    ("单击一下", Press::Once),
    ("点击", Press::Once),
    ("单击", Press::Once),
    ("点按", Press::Once),
    ("点选", Press::Once),
    ("点开", Press::Once),
    ("点一下", Press::Once),
    ("点下", Press::Once),
    ("轻点", Press::Once),
    ("轻触", Press::Once),
    ("轻按", Press::Once),
    ("触摸", Press::Once),
    ("按一下", Press::Once),
    ("按下", Press::Once),
    ("聚焦到", Press::Once),
    ("聚焦", Press::Once),
    ("激活", Press::Once),
    ("进入到", Press::Once),
    ("进入", Press::Once),
    ("切换到", Press::Once),
    ("切换至", Press::Once),
    ("切到", Press::Once),
    ("跳转到", Press::Once),
    ("跳转至", Press::Once),
    ("转到", Press::Once),
    ("前往", Press::Once),
    ("导航到", Press::Once),
    ("访问", Press::Once),
    ("打开", Press::Once),
    ("去到", Press::Once),
    ("回到", Press::Once),
    ("返回到", Press::Once),
    ("返回", Press::Once),
    ("点", Press::Once),
    ("按", Press::Once),
];

pub(super) fn starts_with_verb(text: &str) -> bool {
    CLICKS.iter().any(|(v, _)| text.starts_with(v))
        || ["输入", "填写", "选择", "勾选", "验证", "检查", "等待", "把", "将"].iter().any(|v| text.starts_with(v))
}

/// Takes `3 次`, `两下` off the end, or `连续…` and `一下` away.
pub(super) fn repeated(text: &str) -> (&str, u32) {
    let text = text.trim();
    let text = text.strip_suffix("一下").unwrap_or(text).trim_end();
    for unit in ["次", "下", "遍"] {
        let Some(head) = text.strip_suffix(unit) else { continue };
        let head = head.trim_end();
        let from = head
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_ascii_digit() || "一二三四五六七八九十两".contains(*c))
            .map(|(i, _)| i)
            .last();
        if let Some(from) = from
            && let Some(n) = number(&head[from..]).filter(|n| (1..=50).contains(n))
            && from > 0
        {
            return (head[..from].trim_end(), n);
        }
    }
    (text, 1)
}

/// `点击X`, `双击X 3 次`, `打开 https://…`, or the bare name of a command.
pub(super) fn press(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let (bare, times) = repeated(text);
    let bare = bare.strip_prefix("连续").unwrap_or(bare);
    if let Some((verb, how)) = CLICKS.iter().find(|(v, _)| bare.starts_with(v)) {
        let mut rest = bare[verb.len()..].trim().trim_start_matches('了').trim();
        let mut times = times;
        // `点击两次X`
        if let Some((count, name)) = rest.split_once(['次', '下'])
            && !name.starts_with(['面', '方', '边', '拉'])
            && let Some(n) = number(count.trim()).filter(|n| (1..=50).contains(n))
        {
            times = n;
            rest = name.trim();
        }
        if let Some(url) = address(
            cx.quotes
                .value(rest.trim_start_matches("网址").trim_start_matches("网站").trim_start_matches("链接").trim())
                .as_str(),
        ) {
            return Some(Step::Go { url });
        }
        let mut how = *how;
        if let Press::Hold(_) = how
            && let Some(at) = rest.find(|c: char| c.is_ascii_digit() || "一二三四五六七八九十两半".contains(c))
            && let Some(ms) = duration_ms(&rest[at..])
        {
            how = Press::Hold(ms);
            rest = &rest[..at];
        }
        let name = rest.trim().trim_end_matches("页面").trim_end_matches("界面");
        let rest = if matches!(
            *verb,
            "进入" | "进入到" | "打开" | "切换到" | "转到" | "前往" | "跳转到" | "回到" | "返回到" | "返回"
        ) && !name.is_empty()
        {
            name
        } else {
            rest
        };
        if rest.is_empty() {
            return None;
        }
        if matches!(*verb, "返回" | "返回到" | "回到") && rest.ends_with(['页', '级']) && rest.starts_with("上")
        {
            return Some(Step::Back);
        }
        let purpose = if how == Press::Once { Purpose::Click } else { Purpose::Point };
        let make = |target: Wanted| Step::Click { target, how, times };
        let whole = over_list(cx, rest, purpose, &make);
        return match (whole, purpose::without(rest).and_then(|name| target(cx, name, purpose))) {
            (Some(Step::Click { target, .. }), Some(short)) => Some(make(target.or_else(short))),
            // `Yes, delete it 确认` is one name before it is two.
            (Some(Step::Each { steps, .. }), Some(short)) => patterns::each(Some(make(short)), steps),
            (None, Some(short)) => Some(make(short)),
            (whole, _) => whole,
        };
    }
    for (verb, open) in [("展开", true), ("收起", false), ("折叠", false)] {
        if let Some(rest) = text.strip_prefix(verb).map(str::trim).filter(|r| !r.is_empty()) {
            return Some(Step::Unfold { target: target(cx, rest, Purpose::Click)?, open });
        }
    }
    bare_command(text)
}

/// `再点一次`, `再点一次重新展开`: what was clicked before.
pub(super) fn again(text: &str) -> Option<Step> {
    let text = text.trim().trim_start_matches(['，', ',']).trim();
    let rest = ["再点一次", "再点一下", "再点击一次", "再次点击"].iter().find_map(|v| text.strip_prefix(v))?.trim();
    let rest = rest.strip_prefix('它').unwrap_or(rest).trim();
    let clicks = rest.is_empty() || purpose::is_purpose(rest);
    clicks.then(|| patterns::click(Wanted::named(AGAIN, Purpose::Click)))
}

pub(super) const COMMANDS: &[&str] = &[
    "登录",
    "登陆",
    "登入",
    "注册",
    "退出登录",
    "退出",
    "注销",
    "登出",
    "提交",
    "保存",
    "取消",
    "确定",
    "确认",
    "下一步",
    "上一步",
    "下一页",
    "上一页",
    "发送",
    "发布",
    "搜索",
    "查询",
    "结算",
    "去结算",
    "结账",
    "应用",
    "继续",
    "完成",
    "重置",
    "关闭",
    "同意",
    "接受",
    "拒绝",
    "撤销",
    "重做",
];

pub(super) fn bare_command(text: &str) -> Option<Step> {
    let text = text.trim_end_matches("一下");
    if COMMANDS.contains(&text) {
        return Some(patterns::click(Wanted::named(text, Purpose::Click)));
    }
    // `提交（Submit）`: what stands in brackets is the label on the screen.
    if let Some((command, label)) = text.split_once(['（', '('])
        && let Some(label) = label.strip_suffix(['）', ')'])
        && COMMANDS.contains(&command.trim())
        && !label.trim().is_empty()
    {
        return Some(patterns::click(Wanted::named(label.trim(), Purpose::Click)));
    }
    for thing in ["表单", "更改", "修改", "设置", "数据", "信息"] {
        if let Some(command) = text.strip_suffix(thing).map(|t| t.trim_end_matches("该").trim_end_matches("此"))
            && matches!(command, "提交" | "保存" | "应用" | "重置" | "发送")
        {
            let or = Some(Box::new(Wanted::named(command, Purpose::Click)));
            return Some(patterns::click(Wanted { strict: true, or, ..Wanted::named(text, Purpose::Click) }));
        }
    }
    // `提交订单`: a control that is called just so.
    let longer =
        ["提交", "保存", "确认", "取消", "发送", "发布", "应用", "重置", "同意", "接受", "拒绝", "撤销", "立即"]
            .iter()
            .filter_map(|c| text.strip_prefix(c))
            // `同意这一条` points to a row.
            .any(|thing| {
                (1..=4).contains(&thing.chars().count()) && !thing.starts_with(['这', '那', '该', '此', '它'])
            });
    let plain = text.chars().all(|c| has_cjk(c.encode_utf8(&mut [0; 4])));
    (longer && plain).then(|| patterns::click(Wanted { strict: true, ..Wanted::named(text, Purpose::Click) }))
}

/// `把X点开`, `将X双击`: the verb stands at the end.
pub(super) fn taken(cx: &Cx<'_>, text: &str, turn: u8) -> Option<Result<Step, Why>> {
    let rest = text.strip_prefix('把').or(text.strip_prefix('将'))?;
    for verb in [
        "右键点击",
        "右击",
        "双击",
        "长按",
        "点击",
        "单击",
        "点开",
        "打开",
        "展开",
        "收起",
        "折叠",
        "关闭",
        "关掉",
        "提交",
        "点一下",
    ] {
        if let Some(name) = rest.strip_suffix(verb).or(rest.strip_suffix(&format!("{verb}一下"))) {
            return Some(read(cx, &format!("{verb}{}", name.trim()), turn + 1));
        }
    }
    None
}

/// `在弹窗中点击确定`: the place stands first.
pub(super) fn placed_first(cx: &Cx<'_>, text: &str, turn: u8) -> Option<Step> {
    // `左边的菜单里点X` needs no word before the place.
    let goes = ["进入到", "切换到", "进入", "切到", "来到", "回到", "去到", "到", "去", "进"]
        .iter()
        .find_map(|l| text.strip_prefix(l));
    let led = text.strip_prefix(['在', '从', '于']).or(goes);
    if let Some(step) = led.and_then(|rest| verb_last(cx, rest, turn)) {
        return Some(step);
    }
    let rest = led.unwrap_or(text);
    let verbs = CLICKS.iter().map(|(v, _)| *v).filter(|v| v.chars().count() > 1);
    let all = verbs.chain([
        "勾选",
        "取消勾选",
        "删除",
        "移除",
        "展开",
        "收起",
        "上传",
        "清空",
        "选择",
        "选中",
        "选",
        "点",
        "按",
    ]);
    let (place, back) = all
        .filter_map(|v| rest.find(v).map(|at| (&rest[..at], &rest[at..])))
        .filter(|(p, _)| !p.trim().is_empty())
        // `候选文人里勾选X`: a verb stands behind the end of the place.
        .min_by_key(|(p, _)| (!p.trim().ends_with(['里', '中', '内', '面', '上', '，']), p.len()))?;
    if goes.is_some() && !place.trim().ends_with(['里', '中', '内', '面', '上', '下', '页']) {
        return None;
    }
    let place = place.trim().trim_end_matches(['，', ',']).trim();
    if led.is_none() && (!place.ends_with(['里', '中', '内', '面', '上']) || starts_with_verb(place)) {
        return None;
    }
    let place = ["那里", "那边", "这里", "里面", "当中", "之中", "里", "中", "内", "上"]
        .iter()
        .find_map(|e| place.strip_suffix(e))
        .unwrap_or(place)
        .trim();
    let mut step = read(cx, back, turn + 1).ok()?;
    let whole_page = matches!(place, "页面" | "网页" | "屏幕" | "页" | "当前页面" | "本页");
    if goes.is_some() && !whole_page {
        // Only what is led to by a control of the page is meant.
    } else if place.ends_with("页面") || place.ends_with("屏幕") || place.ends_with("网页") || place.ends_with('页')
    {
        return Some(step);
    }
    let holder = phrase::read_place(place, cx.quotes)?;
    let mut placed = false;
    let there = step.clone();
    each_target(&mut step, &mut |w| {
        *w = w.clone().inside(&holder);
        placed = true;
    });
    if !placed || goes.is_none() {
        return placed.then_some(step);
    }
    let place = target(cx, place, Purpose::Click)?;
    Some(Step::There { place, here: Box::new(step), there: Box::new(there) })
}

/// `在X上点一下`, `在X上双击`.
fn verb_last(cx: &Cx<'_>, rest: &str, turn: u8) -> Option<Step> {
    let bare = rest.trim().trim_end_matches("一下").trim_end_matches("一次").trim();
    for verb in [
        "右键点击",
        "单击右键",
        "点击鼠标右键",
        "单击鼠标右键",
        "点鼠标右键",
        "点击右键",
        "点右键",
        "右击",
        "双击",
        "长按",
        "点击",
        "单击",
        "轻点",
        "点按",
        "点",
        "按",
    ] {
        let Some(name) = bare.strip_suffix(verb).map(str::trim) else { continue };
        let name = if ["区域", "位置", "地方"].iter().any(|e| name.ends_with(e)) {
            name
        } else {
            ["上面", "处", "上", "那里"].iter().find_map(|e| name.strip_suffix(e))?.trim()
        };
        let verb = if verb.ends_with("右键") { "右击" } else { verb };
        return read(cx, &format!("{verb}{name}"), turn + 1).ok();
    }
    None
}
