//! Words of user interfaces that mean the same, in English and Chinese.
//!
//! People say `log in` where a page says `Sign in`, and `登录` in front of an English page. A term belongs to one group
//! only, and a group holds only what may stand for each other on a control: a verb and its opposite never meet here.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The terms of one meaning, as [`super::names::key`] writes them.
const GROUPS: &[&[&str]] = &[
    &["sign in", "log in", "login", "signin", "log on", "logon", "登录", "登陆", "登入"],
    &["sign out", "log out", "logout", "signout", "log off", "退出", "退出登录", "登出", "注销登录"],
    &[
        "sign up",
        "signup",
        "register",
        "create account",
        "create an account",
        "注册",
        "创建账号",
        "创建账户",
        "免费注册",
    ],
    &["search", "find", "query", "搜索", "查询", "查找", "检索", "搜一下"],
    &["delete", "remove", "del", "删除", "移除", "删掉", "destroy", "trash", "bin"],
    &["edit", "modify", "编辑", "修改", "更改"],
    &["add", "添加", "新增", "增加"],
    &["create", "新建", "创建", "建立"],
    &["new", "新", "新的"],
    &[
        "cart",
        "basket",
        "shopping cart",
        "shopping basket",
        "shopping bag",
        "bag",
        "my cart",
        "your cart",
        "购物车",
        "购物篮",
    ],
    &["add to cart", "add to basket", "add to bag", "加入购物车", "加到购物车", "添加到购物车", "放入购物车", "加购"],
    &["checkout", "check out", "proceed to checkout", "结账", "结算", "去结算", "去结账"],
    &["buy", "buy now", "purchase", "购买", "立即购买"],
    &["pay", "pay now", "支付", "付款", "立即支付"],
    &["ok", "okay", "confirm", "确定", "确认", "好", "好的"],
    &["yes", "是", "是的"],
    &["no", "否", "不"],
    &["cancel", "取消", "放弃"],
    &["submit", "提交", "递交"],
    &["send", "发送", "寄出"],
    &["save", "保存", "存储"],
    &["save changes", "保存更改", "保存修改"],
    &["apply", "应用"],
    &["reset", "重置", "重设"],
    &["refresh", "reload", "刷新", "重新加载"],
    &["next", "next page", "next step", "下一步", "下一页", "下一个", "下一张"],
    &["previous", "prev", "previous page", "previous step", "上一步", "上一页", "上一个", "上一张"],
    &["back", "go back", "返回", "后退"],
    &["forward", "前进"],
    &["continue", "proceed", "继续"],
    &["start", "begin", "开始"],
    &["stop", "停止"],
    &["pause", "暂停"],
    &["play", "播放"],
    &["close", "x", "×", "✕", "✖", "✗", "⨯", "关闭", "关掉", "叉号", "叉叉", "叉"],
    &["dismiss", "忽略"],
    &["open", "打开"],
    &["settings", "setting", "preferences", "options", "设置", "设定", "偏好设置", "选项设置"],
    &["profile", "my profile", "user profile", "个人资料", "个人中心", "个人主页", "资料"],
    &["account", "my account", "账户", "账号", "帐户", "帐号", "我的账户"],
    &["home", "homepage", "home page", "首页", "主页"],
    &["dashboard", "仪表盘", "仪表板", "控制台", "看板"],
    &["help", "帮助"],
    &["about", "about us", "关于", "关于我们"],
    &["contact", "contact us", "联系", "联系我们"],
    &["more", "show more", "load more", "see more", "view more", "更多", "查看更多", "加载更多", "显示更多"],
    &["less", "show less", "收起", "显示更少"],
    &["menu", "菜单", "☰", "≡"],
    &["filter", "筛选", "过滤"],
    &["sort", "sort by", "排序", "排序方式"],
    &["upload", "上传"],
    &["download", "下载"],
    &["import", "导入"],
    &["export", "导出"],
    &["print", "打印"],
    &["share", "分享", "转发分享"],
    &["copy", "复制", "拷贝"],
    &["paste", "粘贴"],
    &["cut", "剪切"],
    &["undo", "撤销", "撤消"],
    &["redo", "重做"],
    &["reply", "回复"],
    &["forward message", "转发"],
    &["like", "点赞", "赞", "喜欢"],
    &["follow", "关注"],
    &["favorite", "favourite", "star", "bookmark", "收藏", "加星"],
    &["subscribe", "订阅"],
    &["unsubscribe", "取消订阅", "退订"],
    &["accept", "agree", "i agree", "接受", "同意", "我同意"],
    &["accept all", "全部接受", "接受全部", "接受所有"],
    &["decline", "reject", "拒绝"],
    &["select all", "全选", "选择全部"],
    &["clear", "清空", "清除"],
    &["expand", "展开"],
    &["collapse", "折叠"],
    &["view", "查看"],
    &["details", "detail", "view details", "详情", "详细信息", "查看详情"],
    &["preview", "预览"],
    &["update", "更新"],
    &["increase", "plus", "+", "＋", "increment", "增大", "加一"],
    &["decrease", "minus", "-", "−", "－", "decrement", "减少", "减小", "减一"],
    &["username", "user name", "user id", "userid", "login name", "用户名", "用户名称", "登录名"],
    &["password", "pass word", "passwd", "密码", "口令"],
    &["confirm password", "repeat password", "password confirmation", "确认密码", "重复密码"],
    &["new password", "新密码"],
    &["remember me", "记住我", "记住密码", "保持登录", "stay signed in", "keep me signed in", "keep me logged in"],
    &["forgot password", "forgot your password", "lost password", "lost your password", "忘记密码", "找回密码"],
    &[
        "email",
        "e mail",
        "mail address",
        "email address",
        "e mail address",
        "邮箱",
        "电子邮箱",
        "电子邮件",
        "邮箱地址",
        "邮件地址",
        "电子邮件地址",
    ],
    &[
        "phone",
        "telephone",
        "phone number",
        "telephone number",
        "mobile",
        "mobile number",
        "mobile phone",
        "电话",
        "电话号码",
        "手机号",
        "手机号码",
        "联系电话",
    ],
    &["name", "full name", "姓名", "名字", "名称", "全名", "全称"],
    &["first name", "given name", "forename", "名", "firstname"],
    &["last name", "surname", "family name", "姓", "姓氏", "lastname"],
    &["middle name", "middle initial", "中间名"],
    &["gender", "sex", "性别"],
    &["male", "男", "男性"],
    &["female", "女", "女性"],
    &["age", "年龄"],
    &["birthday", "date of birth", "birth date", "生日", "出生日期"],
    &["address", "地址"],
    &["street", "街道"],
    &["city", "town", "城市"],
    &["state", "province", "省份", "省", "州"],
    &["country", "国家", "国家地区"],
    &["zip", "zip code", "zipcode", "postal code", "postcode", "邮编", "邮政编码"],
    &["company", "organization", "organisation", "公司", "单位"],
    &["position", "job title", "职位"],
    &["department", "部门"],
    &["office", "办公室", "办公地点"],
    &["salary", "薪资", "薪水", "工资"],
    &["date", "日期"],
    &["time", "时间"],
    &["start date", "开始日期", "起始日期"],
    &["end date", "结束日期"],
    &["year", "年", "年份"],
    &["month", "月", "月份"],
    &["day", "日"],
    &["week", "周", "星期"],
    &["today", "今天", "今日"],
    &["quantity", "qty", "数量"],
    &["amount", "金额"],
    &["price", "价格", "单价"],
    &["total", "总计", "合计", "总价", "总额"],
    &["subtotal", "小计"],
    &["discount", "折扣", "优惠"],
    &["coupon", "promo code", "coupon code", "优惠券", "优惠码"],
    &["size", "尺寸", "尺码", "大小"],
    &["color", "colour", "颜色"],
    &["small", "小", "小号"],
    &["medium", "中", "中号"],
    &["large", "大", "大号"],
    &["title", "标题"],
    &["subject", "主题"],
    &["description", "描述", "说明", "简介"],
    &["content", "内容", "正文"],
    &["message", "消息", "留言", "信息"],
    &["comment", "comments", "评论", "备注"],
    &["note", "notes", "备忘", "笔记"],
    &["text", "文本", "文字"],
    &["number", "号码", "数字", "编号"],
    &["code", "代码"],
    &["verification code", "captcha", "验证码"],
    &["category", "类别", "分类", "类目"],
    &["type", "类型", "种类"],
    &["status", "状态"],
    &["tag", "tags", "标签"],
    &["language", "语言"],
    &["theme", "主题外观"],
    &["dark mode", "dark theme", "night mode", "深色模式", "暗黑模式", "夜间模式", "暗色模式"],
    &["notification", "notifications", "通知"],
    &["email notifications", "邮件通知"],
    &["privacy", "隐私"],
    &["privacy policy", "隐私政策"],
    &["terms", "terms of service", "terms and conditions", "terms of use", "服务条款", "条款", "使用条款", "用户协议"],
    &["security", "安全"],
    &["general", "常规", "通用"],
    &["advanced", "高级"],
    &["user", "users", "用户"],
    &["member", "members", "成员", "会员"],
    &["admin", "administrator", "管理员"],
    &["team", "团队"],
    &["project", "projects", "项目"],
    &["task", "tasks", "任务"],
    &["todo", "todos", "to do", "待办", "待办事项"],
    &["order", "orders", "订单"],
    &["product", "products", "商品", "产品"],
    &["customer", "customers", "客户", "顾客"],
    &["file", "files", "文件"],
    &["folder", "folders", "文件夹"],
    &["image", "images", "picture", "photo", "图片", "照片", "图像"],
    &["video", "videos", "视频"],
    &["music", "音乐"],
    &["link", "链接", "超链接"],
    &["page", "页面"],
    &["form", "forms", "表单"],
    &["table", "tables", "表格"],
    &["chart", "charts", "图表"],
    &["report", "reports", "报告", "报表"],
    &["calendar", "日历"],
    &["map", "地图"],
    &["list", "列表"],
    &["item", "items", "条目"],
    &["result", "results", "结果"],
    &["news", "新闻"],
    &["blog", "博客"],
    &["article", "articles", "文章"],
    &["inbox", "收件箱"],
    &["outbox", "sent", "已发送", "发件箱"],
    &["draft", "drafts", "草稿", "草稿箱"],
    &["compose", "写信", "写邮件", "撰写"],
    &["spam", "垃圾邮件"],
    &["recycle bin", "回收站"],
    &["all", "全部", "所有"],
    &["none", "无"],
    &["active", "进行中", "未完成", "活跃"],
    &["completed", "complete", "done", "finished", "已完成", "完成"],
    &["pending", "待处理", "待定"],
    &["clear completed", "清除已完成", "清空已完成", "清除已完成项", "清除已完成的"],
    &["enabled", "已启用"],
    &["disabled", "已禁用"],
    &["online", "在线"],
    &["offline", "离线"],
    &["left", "左"],
    &["right", "右"],
    &["first", "首"],
    &["payment", "付款方式", "支付方式", "payment method"],
    &["shipping", "delivery", "配送", "送货", "运费"],
    &["shipping address", "delivery address", "收货地址", "送货地址"],
    &["billing address", "账单地址"],
    &["credit card", "信用卡"],
    &["card number", "卡号"],
    &["invoice", "invoices", "发票"],
    &["support", "支持"],
    &["feedback", "反馈"],
    &["documentation", "docs", "文档"],
    &["overview", "概览", "总览"],
    &["history", "历史", "历史记录"],
    &["recent", "最近"],
    &["monday", "星期一", "周一"],
    &["tuesday", "星期二", "周二"],
    &["wednesday", "星期三", "周三"],
    &["thursday", "星期四", "周四"],
    &["friday", "星期五", "周五"],
    &["saturday", "星期六", "周六"],
    &["sunday", "星期日", "星期天", "周日"],
    &["china", "中国"],
    &["germany", "德国"],
    &["france", "法国"],
    &["japan", "日本"],
    &["united kingdom", "uk", "英国"],
    &["united states", "usa", "us", "美国"],
    &["canada", "加拿大"],
    &["english", "英语", "英文"],
    &["chinese", "中文", "汉语"],
    &["red", "红色", "红"],
    &["green", "绿色", "绿"],
    &["blue", "蓝色", "蓝"],
    &["yellow", "黄色", "黄"],
    &["black", "黑色", "黑"],
    &["white", "白色", "白"],
    &["purple", "紫色"],
    &["orange", "橙色"],
    &["pink", "粉色", "粉红色"],
    &["gray", "grey", "灰色"],
    &["toggle all", "mark all as complete", "全部标记为完成", "全部完成"],
];

static TERMS: LazyLock<HashMap<&'static str, u16>> = LazyLock::new(|| {
    let numbered = (0u16..).zip(GROUPS);
    numbered.flat_map(|(n, group)| group.iter().map(move |term| (*term, n))).collect()
});

/// A piece of a name: a meaning that the glossary knows, or a word as it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Meaning(u16),
    Word(String),
}

/// The longest term, in words or Chinese characters.
const LONGEST: usize = 7;

/// The meaning of a whole key.
pub(crate) fn meaning(key: &str) -> Option<u16> {
    TERMS.get(key).copied()
}

/// A key taken apart into meanings and words, sorted: the order in which languages put them differs.
pub(crate) fn units(key: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    let words: Vec<&str> = key.split(' ').filter(|w| !w.is_empty()).collect();
    let mut at = 0;
    while at < words.len() {
        let longest = (1..=LONGEST.min(words.len() - at)).rev().find_map(|n| {
            let term = words[at..at + n].join(" ");
            meaning(&term).or_else(|| meaning(term.strip_suffix('s')?)).map(|m| (n, m))
        });
        if let Some((n, m)) = longest {
            units.push(Unit::Meaning(m));
            at += n;
        } else {
            chinese(words[at], &mut units);
            at += 1;
        }
    }
    units.sort();
    units
}

fn chinese(word: &str, units: &mut Vec<Unit>) {
    let chars: Vec<char> = word.chars().collect();
    if !chars.iter().any(|c| super::names::is_cjk(*c)) {
        units.push(Unit::Word(word.to_owned()));
        return;
    }
    let mut at = 0;
    let mut unknown = String::new();
    while at < chars.len() {
        let longest = (1..=LONGEST.min(chars.len() - at)).rev().find_map(|n| {
            let term: String = chars[at..at + n].iter().collect();
            meaning(&term).map(|m| (n, m))
        });
        if let Some((n, m)) = longest {
            if !unknown.is_empty() {
                units.push(Unit::Word(std::mem::take(&mut unknown)));
            }
            units.push(Unit::Meaning(m));
            at += n;
        } else {
            if chars[at] != '的' {
                unknown.push(chars[at]);
            }
            at += 1;
        }
    }
    if !unknown.is_empty() {
        units.push(Unit::Word(unknown));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_term_has_two_meanings() {
        let mut seen = HashMap::new();
        for group in GROUPS {
            for term in *group {
                assert_eq!(seen.insert(*term, group[0]), None, "`{term}` stands in two groups");
            }
        }
    }

    #[test]
    fn phrases_meet_across_languages() {
        assert_eq!(units("recent orders"), units("最近的订单"));
        assert_eq!(units("sign in"), units("登录"));
        assert_eq!(units("新建文件夹"), units("create folder"));
        assert_ne!(units("sign in"), units("退出登录"));
    }
}
