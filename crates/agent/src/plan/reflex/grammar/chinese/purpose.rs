//! What a step is for, said behind it: `按 Enter 保存`, `点 Apply 应用`, `点叉号把它删掉`.

use super::pressing::COMMANDS;
use crate::locate::tree::phrase::chinese::ends_with_kind;
use crate::locate::tree::phrase::quotes::{has_cjk, is_mark};

const VERBS: &[&str] = &[
    "保存",
    "提交",
    "排序",
    "删除",
    "删掉",
    "移除",
    "去掉",
    "确认",
    "确定",
    "取消",
    "搜索",
    "查找",
    "查询",
    "关闭",
    "关掉",
    "登录",
    "发送",
    "发出",
    "应用",
    "完成",
    "打开",
    "展开",
    "收起来",
    "收起",
    "重新展开",
    "变成",
    "变为",
    "关上",
    "新增",
    "添加",
    "新建",
    "创建",
    "筛选",
    "过滤",
    "退出",
    "返回",
    "结束",
    "继续",
    "生效",
    "更新",
    "刷新",
    "进入",
    "放弃",
    "放弃修改",
    "取消编辑",
    "加载",
    "下单",
    "同意",
    "换行",
    "选中",
    "跳转",
    "翻页",
    "查看",
    "恢复",
    "撤销",
    "清除",
    "注册",
    "预览",
    "下载",
    "存档",
    "归档",
];
const OBJECTS: &[&str] = &[
    "",
    "它",
    "一下",
    "表单",
    "更改",
    "修改",
    "改动",
    "设置",
    "弹窗",
    "对话框",
    "菜单",
    "编辑",
    "操作",
    "结果",
    "列表",
    "卡片",
    "抽屉",
    "侧边栏",
    "提示",
    "通知",
    "弹层",
    "弹框",
    "确认框",
    "提示框",
    "这条",
    "这一条",
    "这一项",
    "该项",
    "内容",
    "详情",
    "页面",
    "窗口",
    "面板",
    "下拉框",
    "订单",
    "任务",
    "待办",
    "新任务",
    "选择",
    "邮件",
    "消息",
    "更多",
    "下一步",
    "下一页",
    "上一页",
    "数据",
    "这些",
    "表格",
    "倒序",
    "升序",
    "降序",
    "筛选",
    "查询",
    "账号",
    "评论",
    "这封邮件",
    "这一行",
    "该行",
    "输入",
    "搜索",
    "掉",
    "了",
];

/// Whether a text only says what for.
pub(super) fn is_purpose(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['，', ',']).trim();
    let text = ["来", "以便", "以", "用来", "去", "从而", "进行", "即可", "就能", "就可以"]
        .iter()
        .find_map(|l| text.strip_prefix(l))
        .unwrap_or(text);
    if let Some(rest) = text.strip_prefix('把').or(text.strip_prefix('将')) {
        return VERBS.iter().any(|v| {
            rest.trim_end_matches(['了', '掉'])
                .strip_suffix(v.trim_end_matches('掉'))
                .is_some_and(|object| !object.is_empty() && OBJECTS.contains(&object.trim()))
        });
    }
    let text = match text.strip_prefix(['按', '以']) {
        Some(rest) if rest.ends_with("排序") || rest.ends_with("排列") => {
            return rest.chars().all(|c| has_cjk(&c.to_string()));
        }
        _ => text,
    };
    VERBS.iter().any(|v| text.strip_prefix(v).is_some_and(|object| OBJECTS.contains(&object.trim())))
}

/// The text without the purpose at its end, where it is sure what stands before it: a quote, a foreign name, a kind of
/// element, a command.
pub(super) fn without(text: &str) -> Option<&str> {
    let text = text.trim();
    for (at, _) in text.char_indices().skip(1) {
        let (front, back) = (text[..at].trim_end(), &text[at..]);
        if front.is_empty() || !is_purpose(back) {
            continue;
        }
        let object = back.trim_start().starts_with(['把', '将']) || back.trim_start().starts_with('来');
        let last = front.chars().next_back().unwrap_or(' ');
        let ends = is_mark(last)
            || (last.is_ascii() && !last.is_whitespace())
            || matches!(last, '）' | '×' | '→' | '…' | '键' | '✕' | '✖')
            || ends_with_kind(front)
            || ["表头", "叉号", "加号", "回车", "箭头", "勾号", "星号", "叉", "的标题"]
                .iter()
                .any(|e| front.ends_with(e))
            // Of two commands the second may be a button too: `点击保存删除`.
            || COMMANDS.contains(&front) && !VERBS.contains(&back.trim());
        if ends || object {
            return Some(front);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_are_taken_off_where_the_name_ends_for_certain() {
        for (text, want) in [
            ("Enter 保存", Some("Enter")),
            ("回车键提交", Some("回车键")),
            ("Apply 应用", Some("Apply")),
            ("右边的叉号把它删掉", Some("右边的叉号")),
            ("Save changes 保存修改", Some("Save changes")),
            ("提交按钮提交表单", Some("提交按钮")),
            ("Price 列的表头按价格排序", Some("Price 列的表头")),
            ("× 关闭弹窗", Some("×")),
            ("弹窗右上角的叉关闭它", Some("弹窗右上角的叉")),
            ("Cards 的标题把卡片收起来", Some("Cards 的标题")),
            ("取消订阅", None),
            ("全部删除", None),
            ("Save", None),
            ("表单提交", None),
            ("我的订单查询", None),
        ] {
            assert_eq!(without(text), want, "{text}");
        }
    }
}
