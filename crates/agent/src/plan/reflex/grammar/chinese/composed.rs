//! Sentences that stand for several steps: logging in with what is to be typed, adding an entry to a list.

use super::{Cx, Purpose, Step, Wanted, patterns};
use crate::locate::tree::phrase::quotes::is_mark;

/// `添加待办“茶”`, `把“茶”加到列表中`.
pub(super) fn add_to_list(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let at = text.find(is_mark)?;
    let mark = text[at..].chars().next()?;
    let (front, back) = (text[..at].trim(), text[at + mark.len_utf8()..].trim());
    let back = back.trim_end_matches(['里', '中', '内']);
    let front_ok = front.strip_prefix("把").or(front.strip_prefix("将")).map_or_else(
        || {
            let noun = ["添加", "新增", "新建", "增加", "创建", "加入"].iter().find_map(|v| front.strip_prefix(v))?;
            let noun =
                ["一个", "一条", "一项", "新的", "新"].iter().fold(noun.trim(), |n, l| n.strip_prefix(l).unwrap_or(n));
            let noun = ["名为", "叫做", "内容为", "：", ":", "叫"]
                .iter()
                .fold(noun, |n, t| n.strip_suffix(t).unwrap_or(n))
                .trim_end_matches('的');
            matches!(noun, "" | "待办" | "待办事项" | "任务" | "事项" | "条目" | "项目" | "待办任务" | "todo")
                .then_some(false)
        },
        |rest| rest.trim().is_empty().then_some(true),
    )?;
    let back_ok = if front_ok {
        ["加到", "添加到", "加入到", "加入", "添加进", "放入"].iter().find_map(|v| back.strip_prefix(v)).is_some_and(
            |l| matches!(l.trim(), "列表" | "待办列表" | "待办" | "清单" | "待办清单" | "任务列表" | "待办事项"),
        )
    } else {
        matches!(
            back,
            "" | "到列表"
                | "到待办列表"
                | "的待办"
                | "的待办事项"
                | "的任务"
                | "待办"
                | "任务"
                | "到清单"
                | "这个待办"
                | "这一待办"
        )
    };
    back_ok.then(|| Step::Add { text: cx.quotes.value(&mark.to_string()) })
}

/// `用用户名 a 和密码 b 登录`.
pub(super) fn log_in(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let rest = ["使用", "用", "以"].iter().find_map(|l| text.strip_prefix(l))?;
    let rest = ["登录", "登陆", "登入"].iter().find_map(|e| rest.strip_suffix(e))?;
    let mut steps = Vec::new();
    for part in rest.split(['，', ',', '、', '和']).map(str::trim).filter(|p| !p.is_empty()) {
        let label = ["用户名", "邮箱", "账号", "密码", "手机号"].iter().find(|l| part.starts_with(**l))?;
        let value = part[label.len()..].trim().trim_start_matches(['为', '是', '：', ':']).trim();
        if value.is_empty() {
            return None;
        }
        steps.push(Step::Type {
            text: cx.quotes.value(value),
            into: Some(Wanted::named(*label, Purpose::Type)),
            append: false,
        });
    }
    if steps.is_empty() {
        return None;
    }
    steps.push(patterns::click(Wanted::named("登录", Purpose::Click)));
    patterns::each(None, steps)
}
