//! Chinese clauses about the page, the pointer, keys and files.

use super::pressing::repeated;
use super::purpose;
use super::{Cx, target};
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::grammar::values::{file, number};
use crate::plan::reflex::grammar::{PRONOUN, keys, patterns};
use crate::plan::reflex::step::{Press, Step};
use handeye_core::{Direction, ScrollKind};

/// Clauses without a target.
pub(super) fn fixed(text: &str) -> Option<Step> {
    let bare = text.trim_end_matches("一下");
    Some(match bare {
        "刷新"
        | "刷新页面"
        | "刷新网页"
        | "刷新当前页面"
        | "刷新一下页面"
        | "重新加载"
        | "重新加载页面"
        | "重新载入页面"
        | "重载页面"
        | "重新加载当前页面"
        | "重新加载网页" => Step::Reload,
        "后退"
        | "返回"
        | "返回上一页"
        | "返回上一级"
        | "返回前一页"
        | "返回上个页面"
        | "返回上一个页面"
        | "返回到上一页"
        | "回到上一页"
        | "回到上一个页面"
        | "回到前一页"
        | "后退一页"
        | "退回上一页"
        | "浏览器后退"
        | "后退一步"
        | "退一步"
        | "退回一步"
        | "退后一步"
        | "往回退一步"
        | "再后退"
        | "点浏览器的后退"
        | "后退到上一页"
        | "退回到上一页"
        | "浏览器返回" => Step::Back,
        "前进" | "前进一页" | "浏览器前进" | "前进到下一页" => Step::Forward,
        "关闭标签页"
        | "关闭当前标签页"
        | "关闭这个标签页"
        | "关闭当前页面"
        | "关闭页面"
        | "关闭窗口"
        | "关闭当前窗口"
        | "关闭网页"
        | "关掉当前标签页" => Step::CloseTab,
        "展开" | "点开" => Step::Unfold { target: Wanted::named(PRONOUN, Purpose::Click), open: true },
        "收起" | "折叠" => Step::Unfold { target: Wanted::named(PRONOUN, Purpose::Click), open: false },
        _ => return to_page(bare),
    })
}

/// `翻到第2页`, `去第 3 页`, `翻到下一页`.
fn to_page(text: &str) -> Option<Step> {
    let rest = [
        "往后翻到",
        "往前翻到",
        "翻到",
        "翻至",
        "跳到",
        "跳至",
        "跳转到",
        "切到",
        "切换到",
        "转到",
        "换到",
        "回到",
        "去到",
        "去",
        "到",
        "看",
        "打开",
        "点击",
        "点",
        "进入",
        "查看",
    ]
    .iter()
    .find_map(|v| text.strip_prefix(v))?
    .trim();
    if matches!(rest, "下一页" | "上一页") && text.starts_with('翻') {
        return Some(patterns::click(Wanted::named(rest, Purpose::Click)));
    }
    let page = rest.strip_prefix('第')?.strip_suffix('页')?;
    number(page).filter(|n| (1..=9999).contains(n)).map(|page| Step::TurnTo { page })
}

pub(super) fn scroll(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let (text, times) = repeated(text);
    let (area, text) = match text
        .strip_prefix('在')
        .and_then(|t| t.find(['向', '往', '滚', '下', '上']).map(|at| (&t[..at], &t[at..])))
    {
        Some((area, rest)) if rest.contains(['滚', '滑', '拉', '翻']) => {
            let area = area.trim().trim_end_matches(['里', '中', '内', '上']).trim();
            let page = area.ends_with("页面") || area.is_empty();
            (if page { None } else { Some(target(cx, area, Purpose::Hold)?) }, rest)
        }
        _ => (None, text),
    };
    let text = ["将页面", "把页面", "将网页", "把网页", "页面", "网页"]
        .iter()
        .find_map(|l| text.strip_prefix(l))
        .unwrap_or(text)
        .trim();
    let (direction, mut rest) = match text.strip_prefix(['向', '往', '朝']) {
        Some(rest) => {
            let side = rest.chars().next()?;
            (Some(side_of(side)?), rest[side.len_utf8()..].trim_start_matches(['面', '边', '方']))
        }
        None => match text.chars().next()? {
            c @ ('下' | '上') if text[c.len_utf8()..].starts_with(['滚', '拉', '翻']) => {
                (side_of(c), &text[c.len_utf8()..])
            }
            _ => (None, text),
        },
    };
    let verb = ["滚动", "滑动", "滚", "滑", "拉动", "拉", "翻动", "翻"].iter().find_map(|v| rest.strip_prefix(v));
    rest = verb?.trim().trim_start_matches("页面").trim_start_matches("网页").trim();
    // `滑块`, `拉取` are words of their own.
    if direction.is_none()
        && !rest.starts_with(['到', '至'])
        && !rest.is_empty()
        && !rest.starts_with(|c: char| c.is_ascii_digit() || c == '一')
    {
        return None;
    }
    if let Some(to) = rest.strip_prefix(['到', '至']) {
        return scroll_to(cx, to.trim(), area);
    }
    let distance = ["像素", "px", "个像素"]
        .iter()
        .find_map(|u| rest.strip_suffix(u))
        .and_then(|n| n.trim().trim_end_matches('个').parse::<f64>().ok());
    let plain = matches!(
        rest,
        "" | "一下" | "一点" | "一些" | "一屏" | "一页" | "一段" | "一段距离" | "页面" | "一会" | "一点点"
    );
    if distance.is_none() && !plain {
        return None;
    }
    Some(Step::Scroll { direction: direction.unwrap_or_default(), to: ScrollKind::SingleAction, distance, area, times })
}

pub(super) fn side_of(c: char) -> Option<Direction> {
    Some(match c {
        '下' => Direction::Down,
        '上' => Direction::Up,
        '左' => Direction::Left,
        '右' => Direction::Right,
        _ => return None,
    })
}

pub(super) fn scroll_to(cx: &Cx<'_>, to: &str, area: Option<Wanted>) -> Option<Step> {
    let edge = |text: &str| match text {
        "底部" | "底端" | "最底部" | "最下面" | "最下方" | "最底下" | "底" | "末尾" | "最后" | "尾部" => {
            Some(ScrollKind::ScrollToBottom)
        }
        "顶部" | "顶端" | "最顶部" | "最上面" | "最上方" | "顶" | "开头" | "最前面" => {
            Some(ScrollKind::ScrollToTop)
        }
        _ => None,
    };
    let bare = ["页面的", "页面", "网页的", "网页"].iter().find_map(|l| to.strip_prefix(l)).unwrap_or(to);
    let make = |to, area| Some(Step::Scroll { direction: Direction::Down, to, distance: None, area, times: 1 });
    if let Some(kind) = edge(bare) {
        return make(kind, area);
    }
    for end in ["底部", "底端", "最底部", "末尾", "顶部", "顶端", "最顶部", "开头"] {
        if let Some(holder) = bare.strip_suffix(end) {
            let holder = target(cx, holder.trim().trim_end_matches('的'), Purpose::Hold)?;
            return make(edge(end)?, Some(holder));
        }
    }
    let name = [
        "可见为止",
        "出现为止",
        "出现",
        "的位置",
        "位置",
        "那里",
        "处",
        "为止",
        "那一块",
        "那块",
        "那一部分",
        "那部分",
    ]
    .iter()
    .fold(to, |t, end| t.strip_suffix(end).unwrap_or(t));
    Some(Step::ScrollTo { target: target(cx, name, Purpose::Point)? })
}

/// `按回车`, `按下 Ctrl+A`, `在搜索框中按回车`.
pub(super) fn key(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let (text, times) = repeated(text);
    let (on, text) = match text
        .strip_prefix('在')
        .and_then(|t| ["按下", "按", "敲"].iter().find_map(|v| t.split_once(v)).map(|(p, _)| (p, &t[p.len()..])))
    {
        Some((place, rest)) => (Some(place), rest),
        None => (None, text),
    };
    let pressed =
        ["按一下", "按下", "敲击", "敲一下", "敲下", "按动", "点按", "键入", "敲", "按", "使用", "单击", "点击"]
            .iter()
            .find_map(|v| text.strip_prefix(v));
    let name = pressed.unwrap_or(text).trim();
    let name = ["键盘上的", "键盘的", "键盘", "快捷键", "组合键"]
        .iter()
        .fold(name, |n, l| n.strip_prefix(l).unwrap_or(n))
        .trim();
    let name = purpose::without(name).filter(|n| keys::read(&cx.quotes.value(n)).is_some()).unwrap_or(name);
    let name = cx.quotes.value(name);
    let chord = keys::read(&name)?;
    let whole_key = matches!(text, "回车" | "回车键") || pressed.is_some();
    // A click on a key's name is a click, but for the keys that only a keyboard has.
    let clicked = ["单击", "点击", "点按"].iter().any(|v| text.starts_with(v));
    if !whole_key || (clicked && !text.contains('键') && !text.contains("回车")) {
        return None;
    }
    let or_button = (!chord.is_certain).then(|| Wanted { strict: true, ..Wanted::named(name, Purpose::Click) });
    let on = match on {
        Some(place) => Some(target(cx, place.trim().trim_end_matches(['里', '中', '内', '上']), Purpose::Type)?),
        None => None,
    };
    Some(Step::Key { chord: chord.name, times, on, or_button })
}

pub(super) fn hover(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let taken = text.starts_with(['把', '将']);
    let text = text.trim_start_matches(['把', '将']);
    let pointer = ["鼠标指针", "鼠标光标", "鼠标", "指针", "光标"].iter().find_map(|p| text.strip_prefix(p));
    let rest = match pointer {
        Some(rest) => [
            "移动到",
            "移动至",
            "移到",
            "移至",
            "悬停到",
            "悬停在",
            "放到",
            "放在",
            "指向",
            "停在",
            "停留在",
            "悬浮在",
            "悬浮到",
        ]
        .iter()
        .find_map(|v| rest.trim().strip_prefix(v))?,
        // `再移到X上`: the pointer that was moved before; with `把` it would be a drag.
        None if !taken && text.ends_with('上') && !text.ends_with("最上") => {
            ["移动到", "移到", "移至", "悬停在", "悬停到", "悬停"].iter().find_map(|v| text.strip_prefix(v))?
        }
        None => ["悬停在", "悬停到", "悬停于", "悬停", "悬浮在", "停留在"].iter().find_map(|v| text.strip_prefix(v))?,
    };
    let rest = ["展开出来的", "展开的", "弹出来的", "弹出的", "出现的"]
        .iter()
        .find_map(|l| rest.trim().strip_prefix(l))
        .unwrap_or(rest);
    let name = ["的上方", "上方", "上面", "之上", "上", "处", "那里"]
        .iter()
        .find_map(|e| rest.trim().strip_suffix(e))
        .unwrap_or(rest);
    Some(Step::Click { target: target(cx, name, Purpose::Point)?, how: Press::Hover, times: 1 })
}

pub(super) fn drag(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let taken = text.strip_prefix('把').or(text.strip_prefix('将'));
    let verbs = ["拖拽", "拖动", "拖放", "拖", "移动", "移"];
    let (from, to) = if let Some(rest) = taken {
        verbs.iter().find_map(|v| {
            rest.split_once(v).filter(|(f, t)| !f.trim().is_empty() && t.trim().starts_with(['到', '至', '进', '入']))
        })?
    } else {
        let rest = ["拖拽", "拖动", "拖放", "拖"].iter().find_map(|v| text.strip_prefix(v))?;
        let at = rest.rfind(['到', '至'])?;
        (&rest[..at], &rest[at..])
    };
    let to = to.trim().trim_start_matches(['到', '至', '进', '入']).trim();
    // Where in a list something lands is not seen, so nobody could say that it is done.
    if ["最上", "最下", "最前", "最后", "最顶", "最底", "第一", "开头", "末尾"].iter().any(|w| to.contains(w))
        || ["之间", "前面", "后面", "上方", "下方", "上面", "下面"].iter().any(|e| to.ends_with(e))
    {
        return None;
    }
    // `把X从 A 拖到 B 那一栏`: a column of a board, which is what the name stands over.
    let from = from.rsplit_once('从').map_or(from, |(f, _)| if f.trim().is_empty() { from } else { f });
    let column = ["那一栏", "那一列", "那栏", "那列", "这一栏", "这一列", "一栏", "一列", "列", "泳道"]
        .iter()
        .find_map(|e| to.trim_end_matches(['里', '中', '内', '下']).strip_suffix(e))
        .map(|name| name.trim().trim_end_matches('的').trim());
    if let Some(column) = column.filter(|c| !c.is_empty()) {
        let to = target(cx, column, Purpose::Point)?;
        let from = target(cx, from, Purpose::Point)?;
        // `“X”卡片`: not every card is marked up as one.
        let bare = Wanted { role: None, or: None, ..from.clone() };
        let from = if from.quoted && from.role.is_some() { from.or_else(bare) } else { from };
        return Some(Step::Drag { from, to });
    }
    let place = ["的上面", "上面", "里面", "的位置", "位置", "上", "里", "中", "内", "处"]
        .iter()
        .find_map(|e| to.strip_suffix(e))
        .unwrap_or(to);
    if place.trim_end_matches('%').parse::<f64>().is_ok() {
        return Some(Step::Set { target: target(cx, from, Purpose::Type)?, value: place.to_owned(), quoted: false });
    }
    Some(Step::Drag { from: target(cx, from, Purpose::Point)?, to: target(cx, place, Purpose::Point)? })
}

/// `上传F到X`, `把F传到X`, `给X上传F`, `上传F作为X`, `用F作为X`.
pub(super) fn upload(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let file_of = |t: &str| {
        let t = t.trim().trim_start_matches("本地").trim_start_matches("文件").trim();
        cx.quotes.only(t).map(str::to_owned).or_else(|| file(t)).filter(|f| file(f).is_some())
    };
    let place = |t: &str| {
        let t = t.trim().trim_end_matches(['里', '中', '内', '上', '处']);
        target(cx, t, Purpose::Upload)
    };
    let make = |file: String, to: Option<Wanted>| Some(Step::Upload { files: vec![file], to });
    let joints =
        ["作为", "当作", "当做", "用作", "做为", "上传到", "上传至", "上传给", "传到", "传至", "到", "至", "给", "为"];
    let verbs = ["上传", "选择文件", "选取文件", "添加附件", "导入"];
    let lead = ["把", "将", "用", "以"].iter().find_map(|l| text.strip_prefix(l)).filter(|_| !text.starts_with("用户"));
    if let Some(rest) = lead {
        // The last joint, for the path may hold one as well.
        let parted = joints.iter().filter_map(|j| rest.rsplit_once(j)).find_map(|(f, to)| Some((file_of(f)?, to)));
        if let Some((name, to)) = parted {
            return make(name, Some(place(to)?));
        }
        let name = rest.strip_suffix("上传上去").or(rest.strip_suffix("传上去")).or(rest.strip_suffix("上传"))?;
        return make(file_of(name)?, None);
    }
    if let Some(rest) = text.strip_prefix(['在', '向', '给', '通', '为', '往']) {
        let (to, name) = rest.split_once("上传")?;
        return make(file_of(name)?, Some(place(to.trim_start_matches('过'))?));
    }
    if let Some(rest) = verbs.iter().find_map(|v| text.strip_prefix(v)) {
        if let Some(name) = file_of(rest) {
            return make(name, None);
        }
        let (name, to) =
            joints.iter().filter_map(|j| rest.rsplit_once(j)).find_map(|(f, to)| Some((file_of(f)?, to)))?;
        return make(name, Some(place(to)?));
    }
    // `公司标志上传F`
    let (to, name) = text.split_once("上传")?;
    make(file_of(name)?, Some(place(to)?))
}
