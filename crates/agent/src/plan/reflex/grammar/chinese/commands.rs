//! Clauses whose verb is what a button says: `查看陈静的订单`, `同意这一条`, `生成链接`. Only the page can tell which control
//! that is, and whether it has one.

use super::{Cx, Purpose, Step, target};
use crate::locate::tree::phrase::REFERENT;
use crate::locate::tree::phrase::quotes::{has_cjk, is_mark};
use crate::locate::tree::{RoleWord, Wanted, speaks_of_several};
use crate::plan::reflex::grammar::patterns;

/// Verbs that buttons are known by.
const VERBS: &str = "\
    取消收藏 取消关注 取消置顶 取消预约 确认收货 恢复默认 立即购买 去付款 去支付 查看 编辑 修改 同意 拒绝 通过 驳回 受理 \
    审核 审批 批准 发货 退款 生成 导出 导入 下载 打印 分享 复制 收藏 移入 转交 转派 分配 指派 恢复 还原 归档 存档 置顶 撤回 \
    撤销 催办 催单 预约 报名 签到 关注 点赞 评论 回复 转发 邀请 解绑 绑定 启动 停止 重启 发布 发送 下架 上架 结束 开始 创建 \
    新建 新增 添加 标记为 移出 移到 加入 申请 领取 兑换 支付 付款 充值 提现 续费 订阅 退订 登记 核销 锁定 解锁 冻结 解冻 \
    测试 运行 执行 部署 忽略 保存 提交 确认 预览 同步 备份 清空 重命名 重置 移除";

/// What points to the row that was spoken of before.
const POINTERS: &str = "\
    这一行 那一行 这行 那行 该行 此行 这一条 那一条 这条 那条 该条 此条 这一项 那一项 该项 此项 这一个 那一个 这个 那个 这笔 \
    那笔 这张 那张 这份 那份 这位 那位 这封 那封 这件 那件 它 该 此";

/// The longest clause that is read as one, in characters.
const LONGEST: usize = 30;

pub(super) fn command(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let text = text.trim().trim_end_matches("一下").trim_end_matches('了');
    let said = cx.quotes.restore(text);
    let plain = !text.contains(['，', ',', '、', '：', ':', '？']) && text.chars().count() <= LONGEST;
    if !plain || speaks_of_several(&said) {
        return None;
    }
    if let Some(rest) = text.strip_prefix('把').or(text.strip_prefix('将')) {
        let verb = VERBS.split(' ').filter(|v| rest.len() > v.len()).find(|v| rest.ends_with(v))?;
        let thing = rest[..rest.len() - verb.len()].trim();
        if points(thing) {
            return Some(in_that_row(verb));
        }
        return Some(patterns::operate(verb, target(cx, thing, Purpose::Point)?));
    }
    // Of a row that was spoken of before, any control can be named.
    let verb = text.char_indices().map(|(at, _)| at).find(|&at| points(&text[at..])).map(|at| &text[..at]);
    if let Some(verb) = verb.filter(|v| (2..=4).contains(&v.chars().count()) && v.chars().all(is_cjk)) {
        return Some(in_that_row(verb));
    }
    let verb = VERBS.split(' ').find(|v| text.starts_with(v))?;
    let thing = text[verb.len()..].trim();
    let names_something = thing.chars().any(|c| is_mark(c) || c.is_alphanumeric());
    names_something.then(|| Step::Click {
        target: Wanted { loose: true, ..Wanted::named(said, Purpose::Click) },
        how: crate::plan::reflex::step::Press::Once,
        times: 1,
    })
}

fn is_cjk(c: char) -> bool {
    has_cjk(c.encode_utf8(&mut [0; 4]))
}

/// `这一行`, `这一行的工单`, `该工单`: nothing but a word that points, and a noun.
fn points(text: &str) -> bool {
    let Some(pointer) = POINTERS.split(' ').find(|p| text.starts_with(p)) else { return false };
    let noun = text[pointer.len()..].trim().trim_start_matches('的');
    let needs_noun = matches!(pointer, "该" | "此");
    noun.chars().count() <= 4 && noun.chars().all(is_cjk) && (!needs_noun || !noun.is_empty())
}

fn in_that_row(verb: &str) -> Step {
    let row = Wanted { role: Some(RoleWord::Row), ..Wanted::named(REFERENT, Purpose::Hold) };
    patterns::click(Wanted { strict: true, ..Wanted::named(verb, Purpose::Click) }.inside(&row))
}
