//! Chinese words for where something is: `张三那一行`, `右上角的`, `弹出的菜单`, `提交（Submit）`.

use super::{Cx, LEAD_INS, RELATIONS, RoleWord, leading_ordinal, name_of};
use crate::locate::tree::phrase::nouns::CHINESE_ITEMS;
use crate::locate::tree::phrase::quotes::is_mark;
use crate::locate::tree::{Relation, Side, Wanted};

const fn side(x: i8, y: i8, most: bool) -> Side {
    Side { x, y, most }
}

/// Sides, the longer words first.
const SIDES: &[(&str, Side)] = &[
    ("最右上角", side(1, -1, true)),
    ("最左上角", side(-1, -1, true)),
    ("最右下角", side(1, 1, true)),
    ("最左下角", side(-1, 1, true)),
    ("最右侧", side(1, 0, true)),
    ("最右边", side(1, 0, true)),
    ("最右端", side(1, 0, true)),
    ("最右面", side(1, 0, true)),
    ("最右", side(1, 0, true)),
    ("最左侧", side(-1, 0, true)),
    ("最左边", side(-1, 0, true)),
    ("最左端", side(-1, 0, true)),
    ("最左面", side(-1, 0, true)),
    ("最左", side(-1, 0, true)),
    ("最上面", side(0, -1, true)),
    ("最上方", side(0, -1, true)),
    ("最上边", side(0, -1, true)),
    ("最顶部", side(0, -1, true)),
    ("最顶上", side(0, -1, true)),
    ("最下面", side(0, 1, true)),
    ("最下方", side(0, 1, true)),
    ("最下边", side(0, 1, true)),
    ("最底部", side(0, 1, true)),
    ("最底下", side(0, 1, true)),
    ("右上角", side(1, -1, false)),
    ("左上角", side(-1, -1, false)),
    ("右下角", side(1, 1, false)),
    ("左下角", side(-1, 1, false)),
    ("右上方", side(1, -1, false)),
    ("左上方", side(-1, -1, false)),
    ("右下方", side(1, 1, false)),
    ("左下方", side(-1, 1, false)),
    ("右边", side(1, 0, false)),
    ("右侧", side(1, 0, false)),
    ("右面", side(1, 0, false)),
    ("左边", side(-1, 0, false)),
    ("左侧", side(-1, 0, false)),
    ("左面", side(-1, 0, false)),
    ("顶部", side(0, -1, false)),
    ("顶端", side(0, -1, false)),
    ("上方", side(0, -1, false)),
    ("上面", side(0, -1, false)),
    ("上边", side(0, -1, false)),
    ("底部", side(0, 1, false)),
    ("底端", side(0, 1, false)),
    ("下方", side(0, 1, false)),
    ("下面", side(0, 1, false)),
    ("下边", side(0, 1, false)),
    ("底下", side(0, 1, false)),
];

/// In a row, what stands before is at its beginning and what stands behind at its end.
const IN_ROW: &[(&str, Side)] = &[
    ("前面", side(-1, 0, false)),
    ("前头", side(-1, 0, false)),
    ("开头", side(-1, 0, false)),
    ("后面", side(1, 0, false)),
    ("后头", side(1, 0, false)),
    ("末尾", side(1, 0, false)),
    ("结尾", side(1, 0, false)),
];

/// `页面右上角的X`: the side and X.
pub(super) fn leading_side(text: &str) -> Option<(Side, &str)> {
    let bare = ["整个页面", "页面", "屏幕", "网页", "界面", "窗口"]
        .iter()
        .find_map(|p| text.strip_prefix(p))
        .map_or(text, |t| t.strip_prefix('的').unwrap_or(t).trim_start());
    let (side, rest) = SIDES.iter().find_map(|(word, side)| bare.strip_prefix(word).map(|r| (*side, r)))?;
    let rest = rest.trim_start();
    let rest =
        ["的那个", "的这个", "那个", "这个", "的"].iter().find_map(|l| rest.strip_prefix(l)).unwrap_or(rest).trim();
    (!rest.is_empty() && !rest.starts_with(['里', '中', '内'])).then_some((side, rest))
}

/// `X最右边`: X and the side.
pub(super) fn trailing_side(text: &str) -> Option<(&str, Side)> {
    let (front, side) =
        SIDES.iter().chain(IN_ROW).find_map(|(word, side)| text.strip_suffix(word).map(|f| (f, *side)))?;
    let front = front.trim().trim_end_matches('的').trim();
    (!front.is_empty()).then_some((front, side))
}

/// Measure words of the things that rows and cards are.
const OF_THINGS: &[char] =
    &['行', '排', '条', '封', '项', '个', '位', '名', '份', '篇', '件', '张', '笔', '款', '则', '只', '本', '首', '部'];
/// Measure words and nouns of parts of the page.
const OF_PARTS: &[&str] = &["块", "列", "栏", "组", "段", "区", "片", "部分"];
const PART_NOUNS: &[&str] = &["列", "栏", "区域", "部分", "面板", "板块", "区", "分组", "模块", "卡片", "分类", "泳道"];

/// `X那一行`, `X这张卡片`, `X发来的那封邮件`: the thing or part that goes by X. The role is that of a thing, or none for a part.
pub(super) fn marked(cx: &Cx<'_>, text: &str, role: RoleWord) -> Option<Wanted> {
    let text = text.trim();
    let (front, back) = text
        .char_indices()
        .rev()
        .filter(|(_, c)| matches!(c, '那' | '这'))
        .map(|(at, c)| (&text[..at], &text[at + c.len_utf8()..]))
        .next()?;
    let back = back.trim();
    let one = back.strip_prefix('一').unwrap_or(back);
    let is_thing = one.strip_prefix(OF_THINGS).is_some_and(|noun| {
        let noun = noun.trim();
        // `那个按钮` is a kind of control, no place.
        let named = CHINESE_ITEMS.contains(&noun) || noun == "卡片";
        named || noun.is_empty() && !one.starts_with('个')
    });
    let is_part = OF_PARTS
        .iter()
        .any(|m| one.strip_prefix(m).is_some_and(|noun| noun.is_empty() || PART_NOUNS.contains(&noun.trim())))
        || one.strip_prefix('个').is_some_and(|noun| PART_NOUNS.contains(&noun.trim()));
    if !is_thing && !is_part {
        return None;
    }
    let front = front.trim().trim_end_matches('的').trim_end();
    let front = ["所在", "对应", "发来", "发送", "写来", "写", "发布", "提交", "创建", "寄来"]
        .iter()
        .find_map(|v| front.strip_suffix(v).filter(|f| !f.trim().is_empty()))
        .unwrap_or(front)
        .trim();
    let front = LEAD_INS.iter().find_map(|l| front.strip_prefix(l)).unwrap_or(front).trim().trim_end_matches('的');
    // `第二个项目那一行` counts the rows.
    if is_thing && let Some((ordinal, rest, _)) = leading_ordinal(front) {
        let counted = rest.is_empty() || CHINESE_ITEMS.contains(&rest);
        return counted.then(|| Wanted { role: Some(role), ordinal: Some(ordinal), ..Wanted::named("", cx.purpose) });
    }
    let one = name_of(cx, front, is_thing.then_some(role))?;
    // `订单 A7 那一行`: the row may say no more than `A7`.
    let bare = CHINESE_ITEMS
        .iter()
        .find_map(|noun| front.strip_prefix(noun))
        .map(str::trim)
        .filter(|name| is_thing && name.starts_with(|c: char| c.is_ascii_alphanumeric() || is_mark(c)))
        .and_then(|name| name_of(cx, name, Some(role)));
    Some(match bare {
        Some(bare) => one.or_else(bare),
        None => one,
    })
}

/// `右边的X`: the relation and X.
pub(crate) fn leading_relation(text: &str) -> Option<(Relation, &str)> {
    let (rest, relation) = RELATIONS.iter().find_map(|(word, r)| text.strip_prefix(word).map(|t| (t, *r)))?;
    let name = rest.strip_prefix('的').unwrap_or(rest).trim();
    (!name.is_empty() && !name.contains('的')).then_some((relation, name))
}

pub(crate) fn beside(mut one: Wanted, relation: Relation, anchor: &Wanted) -> Wanted {
    one.or = one.or.map(|or| Box::new(beside(*or, relation, anchor)));
    Wanted { near: Some((relation, Box::new(anchor.clone()))), ..one }
}

/// `弹出的菜单`, `出现的对话框`: the menu, the dialog.
pub(crate) fn without_arrival(text: &str) -> &str {
    ["刚弹出的", "弹出来的", "弹出的", "跳出来的", "跳出的", "出现的", "打开的", "展开的", "新出现的"]
        .iter()
        .find_map(|l| text.strip_prefix(l))
        .map_or(text, |rest| ["那个", "这个"].iter().find_map(|l| rest.strip_prefix(l)).unwrap_or(rest))
        .trim()
}

/// Words for what has popped up that are no kind of element where a name stands before them.
pub(super) fn is_popup(text: &str) -> bool {
    const WORDS: &str =
        "提示 提示信息 确认提示 二次确认 气泡 气泡框 气泡提示 浮窗 小窗 小窗口 弹出窗口 抽屉 确认窗口 确认信息";
    WORDS.split(' ').any(|w| w == text)
}

/// `提交（Submit）按钮`: the label on the screen, and the phrase without it.
pub(super) fn bracketed(text: &str) -> Option<(&str, String)> {
    let (at, open) = text.char_indices().find(|(_, c)| matches!(c, '（' | '('))?;
    let close = if open == '（' { '）' } else { ')' };
    let inner_at = at + open.len_utf8();
    let end = inner_at + text[inner_at..].find([close, ')', '）'])?;
    let inner = text[inner_at..end].trim();
    let (front, back) = (text[..at].trim(), text[end..].trim_start_matches([')', '）']).trim());
    let meaning = front.chars().any(crate::locate::tree::names::is_cjk) || front.ends_with(is_mark);
    let label = !inner.is_empty() && !inner.chars().all(|c| c.is_ascii_digit()) && inner.chars().count() <= 40;
    (meaning && label && !back.contains(['（', '('])).then(|| (inner, format!("{front}{back}")))
}

/// Words behind a name that are no kind of element: `Completed 筛选`, `Week 视图`.
const SOFT: &[&str] = &[
    "筛选条件",
    "筛选项",
    "筛选器",
    "筛选",
    "过滤器",
    "视图",
    "分类",
    "问题",
    "选项",
    "文件夹",
    "步骤",
    "栏目",
    "频道",
    "模式",
    "类别",
    "目录",
    "主题",
    "条件",
    "页面",
    "页",
    "分组",
    "条目",
    "一项",
    "这一项",
    "那一项",
    "项",
    "字样",
    "文字",
    "入口",
    "功能",
    "题",
    "章节",
    "城市",
    "国家",
    "语言",
    "颜色",
    "标记",
    "通知",
    "提示",
];

/// The phrase without a soft noun, where the name before it ends for certain.
pub(super) fn without_soft(text: &str) -> Option<&str> {
    let front = SOFT.iter().find_map(|s| text.strip_suffix(s))?;
    let name = front.trim().trim_end_matches('这').trim_end_matches('那').trim_end_matches('的').trim();
    let ends = name.ends_with(|c: char| c.is_ascii() && !c.is_whitespace() || is_mark(c));
    ends.then_some(name)
}

/// A menu, a list or a bar: a page may draw one without any markup, so the place does not matter when there is none.
pub(super) fn is_soft_place(place: &Wanted) -> bool {
    let soft = matches!(place.role, Some(RoleWord::Menu | RoleWord::Navigation | RoleWord::List | RoleWord::Dropdown));
    soft && place.ordinal.is_none() && place.near.is_none()
}
