//! Chinese clauses.

use super::values::{address, duration_ms, file, number};
use super::{PRONOUN, Parsed, Why, check_zh, keys, patterns};
use crate::locate::tree::phrase::chinese as phrase;
use crate::locate::tree::phrase::quotes::{Quotes, is_mark};
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::step::{Press, Step};
use handeye_core::{Direction, ScrollKind};

mod typing;

pub(super) struct Cx<'a> {
    quotes: &'a Quotes,
}

/// Whether a text says nothing but `首先` or `请`.
pub(super) fn is_filler(text: &str) -> bool {
    FILLERS.contains(&text.trim())
}

/// Whether a text begins as a step does.
pub(super) fn begins_step(text: &str) -> bool {
    let text = strip_fillers(text);
    CLICKS.iter().any(|(v, _)| v.chars().count() > 1 && text.len() > v.len() && text.starts_with(v))
}

pub(super) fn clause(text: &str, quotes: &Quotes) -> Result<Parsed, Why> {
    let cx = Cx { quotes };
    let text = strip_fillers(text);
    if text.is_empty() {
        return Err(Why::new());
    }
    refuse(text)?;
    read(&cx, text, 0).map(Parsed::from)
}

const FILLERS: &[&str] = &[
    "请你帮我",
    "请帮我",
    "请帮忙",
    "麻烦你帮我",
    "麻烦帮我",
    "麻烦你",
    "麻烦",
    "帮我",
    "帮忙",
    "请您",
    "请你",
    "请",
    "我想要",
    "我想",
    "我要",
    "我需要",
    "你需要",
    "需要",
    "给我",
    "然后",
    "接着",
    "接下来",
    "随后",
    "紧接着",
    "之后",
    "最后再",
    "最后",
    "首先",
    "其次",
    "先",
    "再",
    "并且",
    "并",
    "同时",
    "现在",
    "下面",
    "直接",
    "就",
    "尝试",
    "试着",
    "继续",
];

fn strip_fillers(text: &str) -> &str {
    let signs = |c: char| c.is_whitespace() || "，,。.、；;：:！!".contains(c);
    let mut text = text.trim_matches(signs);
    loop {
        let before = text;
        for filler in FILLERS {
            let Some(rest) = text.strip_prefix(filler) else { continue };
            // `最后一个…` counts, `请求` and `先生` are words.
            let ordinal = filler.ends_with("最后") && rest.starts_with(['一', '的', '个', '那']);
            let word = rest.starts_with(['求', '生', '假', '见']);
            if !ordinal && !word && !rest.trim_matches(signs).is_empty() {
                text = rest.trim_matches(signs);
                break;
            }
        }
        for tail in ["吧", "谢谢", "即可", "就行", "就好", "哦"] {
            text = text.strip_suffix(tail).unwrap_or(text).trim_matches(signs);
        }
        if text == before {
            return text;
        }
    }
}

fn refuse(text: &str) -> Result<(), Why> {
    let says = |list: &[&str]| list.iter().any(|w| text.contains(w));
    if says(&["如果", "假如", "要是", "倘若", "否则", "除非", "的话"]) {
        return Err("sets a condition; without a model steps are done as they stand".to_owned());
    }
    if says(&["每当", "循环", "重复执行", "逐个", "依次对", "直到"]) && !text.contains("滚") && !text.starts_with("等")
    {
        return Err("asks for a repetition; say each step, or how many times".to_owned());
    }
    if ["不要", "别", "禁止", "切勿", "请勿"].iter().any(|w| text.starts_with(w)) {
        return Err("says what not to do; without a model only steps are done".to_owned());
    }
    let asks = text.ends_with(['吗', '呢', '？', '?']) || says(&["什么", "怎么", "为什么", "哪个", "哪些", "多少"]);
    if asks {
        return Err("asks a question; without a model only steps are done".to_owned());
    }
    Ok(())
}

/// How often a clause may be turned round before it is given up.
const MOST_TURNS: u8 = 4;

fn read(cx: &Cx<'_>, text: &str, turn: u8) -> Result<Step, Why> {
    let text = strip_fillers(text);
    if turn > MOST_TURNS || text.is_empty() {
        return Err(Why::new());
    }
    if let Some(step) = fixed(text).or_else(|| scroll(cx, text)).or_else(|| key(cx, text)) {
        return Ok(step);
    }
    if let Some(result) = wait(cx, text).or_else(|| verify(cx, text)) {
        return result;
    }
    if let Some(step) = hover(cx, text).or_else(|| drag(cx, text)).or_else(|| upload(cx, text)) {
        return Ok(step);
    }
    if let Some(result) = delete(cx, text).or_else(|| add_to_cart(cx, text)) {
        return result;
    }
    if let Some(step) = tick(cx, text).or_else(|| clear(cx, text)) {
        return Ok(step);
    }
    if let Some(result) = typing::read(cx, text).or_else(|| set(cx, text)) {
        return result;
    }
    if let Some(step) = choose(cx, text) {
        return Ok(step);
    }
    if let Some(result) = taken(cx, text, turn) {
        return result;
    }
    if let Some(step) = placed_first(cx, text, turn) {
        return Ok(step);
    }
    if let Some(step) = close(cx, text).or_else(|| search(cx, text)).or_else(|| press(cx, text)) {
        return Ok(step);
    }
    Err(Why::new())
}

pub(super) fn target(cx: &Cx<'_>, text: &str, purpose: Purpose) -> Option<Wanted> {
    let text = text.trim().trim_matches(|c: char| "，,。：:".contains(c)).trim();
    if matches!(
        text,
        "它" | "其" | "该元素" | "该按钮" | "该输入框" | "该框" | "这个输入框" | "这个按钮" | "那个" | "该项"
    ) {
        return Some(Wanted::named(PRONOUN, purpose));
    }
    phrase::read(text, cx.quotes, purpose)
}

/// Clauses without a target.
fn fixed(text: &str) -> Option<Step> {
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
        | "浏览器后退" => Step::Back,
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
        _ => return None,
    })
}

fn scroll(cx: &Cx<'_>, text: &str) -> Option<Step> {
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

fn side_of(c: char) -> Option<Direction> {
    Some(match c {
        '下' => Direction::Down,
        '上' => Direction::Up,
        '左' => Direction::Left,
        '右' => Direction::Right,
        _ => return None,
    })
}

fn scroll_to(cx: &Cx<'_>, to: &str, area: Option<Wanted>) -> Option<Step> {
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
    let name = ["可见为止", "出现为止", "出现", "的位置", "位置", "那里", "处", "为止"]
        .iter()
        .fold(to, |t, end| t.strip_suffix(end).unwrap_or(t));
    Some(Step::ScrollTo { target: target(cx, name, Purpose::Point)? })
}

/// `按回车`, `按下 Ctrl+A`, `在搜索框中按回车`.
fn key(cx: &Cx<'_>, text: &str) -> Option<Step> {
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

fn wait(cx: &Cx<'_>, text: &str) -> Option<Result<Step, Why>> {
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

fn verify(cx: &Cx<'_>, text: &str) -> Option<Result<Step, Why>> {
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

fn hover(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let text = text.strip_prefix('把').or(text.strip_prefix('将')).unwrap_or(text);
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
        None => ["悬停在", "悬停到", "悬停于", "悬停", "悬浮在", "停留在"].iter().find_map(|v| text.strip_prefix(v))?,
    };
    let name = ["的上方", "上方", "上面", "之上", "上", "处", "那里"]
        .iter()
        .find_map(|e| rest.trim().strip_suffix(e))
        .unwrap_or(rest);
    Some(Step::Click { target: target(cx, name, Purpose::Point)?, how: Press::Hover, times: 1 })
}

fn drag(cx: &Cx<'_>, text: &str) -> Option<Step> {
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
    let place = ["的上面", "上面", "里面", "的位置", "位置", "上", "里", "中", "内", "处"]
        .iter()
        .find_map(|e| to.strip_suffix(e))
        .unwrap_or(to);
    if place.trim_end_matches('%').parse::<f64>().is_ok() {
        return Some(Step::Set { target: target(cx, from, Purpose::Type)?, value: place.to_owned(), quoted: false });
    }
    Some(Step::Drag { from: target(cx, from, Purpose::Point)?, to: target(cx, place, Purpose::Point)? })
}

fn upload(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let file_of = |t: &str| {
        let t = t.trim().trim_start_matches("文件").trim();
        cx.quotes.only(t).map(str::to_owned).or_else(|| file(t))
    };
    let place = |t: &str| target(cx, t.trim().trim_end_matches(['里', '中', '内', '上', '处']), Purpose::Upload);
    let make = |file: String, to: Option<Wanted>| Some(Step::Upload { files: vec![file], to });
    if let Some(rest) = text.strip_prefix('把').or(text.strip_prefix('将')) {
        let (name, to) = rest.split_once("上传")?;
        let to = to.trim().trim_start_matches(['到', '至', '给']).trim();
        let to = if to.is_empty() { None } else { Some(place(to)?) };
        return make(file_of(name)?, to);
    }
    if let Some(rest) = text.strip_prefix(['在', '向', '给', '通']) {
        let (to, name) = rest.split_once("上传")?;
        return make(file_of(name)?, Some(place(to.trim_start_matches('过'))?));
    }
    let rest = text.strip_prefix("上传")?;
    if let Some(at) = rest.find(['到', '至'])
        && let Some(name) = file_of(&rest[..at])
    {
        return make(name, Some(place(rest[at..].trim_start_matches(['到', '至']))?));
    }
    make(file_of(rest)?, None)
}

/// Words for many things at once.
const BULK: &[&str] = &["所有", "全部", "每个", "每一", "一切", "全体", "这些", "那些", "任何", "任意", "几个", "多个"];

fn refuse_bulk(thing: &str) -> Result<(), Why> {
    if BULK.iter().any(|b| thing.contains(b))
        || ["最便宜", "最贵", "最新", "最旧", "最大", "最小"].iter().any(|b| thing.contains(b))
    {
        return Err("does not name one element; without a model nothing is done in bulk".to_owned());
    }
    Ok(())
}

fn delete(cx: &Cx<'_>, text: &str) -> Option<Result<Step, Why>> {
    let verbs = ["删除掉", "删除", "删掉", "删去", "移除", "去掉", "移走"];
    let (thing, verb) = match text.strip_prefix('把').or(text.strip_prefix('将')) {
        Some(rest) => verbs.iter().find_map(|v| rest.strip_suffix(v).map(|t| (t.trim(), *v)))?,
        None => verbs.iter().find_map(|v| text.strip_prefix(v).map(|t| (t.trim(), *v)))?,
    };
    if thing.is_empty() || thing.ends_with("的勾选") || thing.ends_with("的勾") {
        return None;
    }
    for end in ["的内容", "的文字", "的文本", "里的内容", "中的内容", "内的内容"] {
        if let Some(field) = thing.strip_suffix(end) {
            let field = field.trim().trim_end_matches(['里', '中', '内']);
            return Some(target(cx, field, Purpose::Type).map(|f| Step::Clear { field: Some(f) }).ok_or_else(Why::new));
        }
    }
    if let Err(why) = refuse_bulk(thing) {
        return Some(Err(why));
    }
    // `从购物车中删除X`
    let thing = target(cx, thing, Purpose::Point);
    let whole = cx.quotes.restore(&format!("{verb}{}", text.trim_start_matches(verb)));
    Some(
        thing
            .map(|thing| patterns::operate("delete", thing, &whole))
            .ok_or_else(|| "names no single element".to_owned()),
    )
}

/// `把X加入购物车`.
fn add_to_cart(cx: &Cx<'_>, text: &str) -> Option<Result<Step, Why>> {
    let ends = [
        "加入到购物车",
        "添加到购物车",
        "加入购物车",
        "加到购物车",
        "放入购物车",
        "放进购物车",
        "加进购物车",
        "添加进购物车",
    ];
    let end = ends.iter().find(|e| text.trim_end_matches(['里', '中', '内']).ends_with(**e))?;
    let thing = text.trim_end_matches(['里', '中', '内']).strip_suffix(end)?.trim();
    let thing = thing.strip_prefix('把').or(thing.strip_prefix('将')).unwrap_or(thing).trim();
    if thing.is_empty() || thing.starts_with("点") || thing.starts_with("单击") {
        return None;
    }
    if let Err(why) = refuse_bulk(thing) {
        return Some(Err(why));
    }
    Some(
        target(cx, thing, Purpose::Point)
            .map(|thing| patterns::operate("add to cart", thing, &cx.quotes.restore(text)))
            .ok_or_else(Why::new),
    )
}

/// One step, or one for each name of a list.
fn over_list(cx: &Cx<'_>, text: &str, purpose: Purpose, make: &dyn Fn(Wanted) -> Step) -> Option<Step> {
    let whole = target(cx, text, purpose).map(make);
    let parts: Vec<&str> = text
        .split(['、', '，', ','])
        .flat_map(|p| p.split("以及"))
        .flat_map(|p| p.split(['和', '与', '及']))
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .collect();
    if parts.len() < 2 {
        return whole;
    }
    let steps: Option<Vec<Step>> = parts.iter().map(|p| target(cx, p, purpose).map(make)).collect();
    match steps {
        Some(steps) => patterns::each(whole, steps),
        None => whole,
    }
}

fn tick(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let text = text.trim();
    let make = |on: Option<bool>| move |target: Wanted| Step::Toggle { target, on };
    let off = ["取消勾选", "取消选中", "取消选择", "不勾选", "去掉勾选", "去除勾选", "反勾选"];
    let on = ["勾选上", "勾选", "勾上", "打勾", "选中复选框"];
    for (verbs, state) in [(&off[..], false), (&on[..], true)] {
        if let Some(rest) = verbs.iter().find_map(|v| text.strip_prefix(v)) {
            return over_list(cx, rest, Purpose::Toggle, &make(Some(state)));
        }
    }
    for end in ["前面的勾", "前的勾", "的勾选", "的勾"] {
        if let Some(name) =
            ["去掉", "取消", "去除"].iter().find_map(|v| text.strip_prefix(v)).and_then(|r| r.strip_suffix(end))
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

fn clear(cx: &Cx<'_>, text: &str) -> Option<Step> {
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
    let whole = Wanted { strict: false, ..Wanted::named(cx.quotes.restore(text), Purpose::Click) };
    let readings = vec![
        Step::Clear { field: Some(target(cx, name, Purpose::Type)?) },
        patterns::click(Wanted { strict: true, ..whole }),
    ];
    patterns::either(readings)
}

/// `在国家下拉框中选择德国`, `从列表里选出德国`, `选择德国`.
fn choose(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let verbs = ["选择", "选中", "选取", "选出", "挑选", "选定", "选"];
    let make = |option: Wanted| Step::Choose { option, list: None };
    if let Some(rest) = text.strip_prefix(['在', '从', '于']) {
        let (place, verb, option) = verbs
            .iter()
            .filter_map(|v| find_verb(rest, v).map(|(p, o)| (p, *v, o)))
            .min_by_key(|(p, v, _)| (p.len(), usize::MAX - v.len()))?;
        let _ = verb;
        let inner = place.trim();
        let place = ["里面", "之中", "当中", "里", "中", "内", "上"]
            .iter()
            .find_map(|e| inner.strip_suffix(e))
            .unwrap_or(inner)
            .trim();
        let holder = phrase::read_place(place, cx.quotes)?;
        let list = target(cx, place, Purpose::Choose)?;
        let option = target(cx, option, Purpose::Choose)?;
        return patterns::either(vec![
            Step::Choose { option: option.clone(), list: Some(list) },
            Step::Choose { option: option.inside(&holder), list: None },
        ]);
    }
    if let Some(rest) = verbs.iter().find_map(|v| text.strip_prefix(v)) {
        let rest = rest.trim_start_matches('了').trim();
        if rest.is_empty() {
            return None;
        }
        for joint in ["作为", "当作"] {
            if let Some((option, list)) = rest.split_once(joint) {
                return Some(Step::Choose {
                    option: target(cx, option, Purpose::Choose)?,
                    list: Some(target(cx, list, Purpose::Choose)?),
                });
            }
        }
        let mut readings: Vec<Step> = over_list(cx, rest, Purpose::Choose, &make).into_iter().collect();
        // `选择国家下拉框中的德国`
        if let Some((list, option)) = ["里的", "中的", "内的", "为"].iter().find_map(|j| rest.split_once(j))
            && let (Some(list), Some(option)) = (target(cx, list, Purpose::Choose), target(cx, option, Purpose::Choose))
        {
            readings.push(Step::Choose { option, list: Some(list) });
        }
        return patterns::either(readings);
    }
    // `国家选择德国`, `尺码选大号`
    let (list, option) = ["选择", "选"].iter().find_map(|v| find_verb(text, v))?;
    let option = option.trim_start_matches(['为', '成', '了', '：', ':']).trim();
    let list = list.trim();
    if list.is_empty() || starts_with_verb(list) {
        return None;
    }
    Some(Step::Choose { option: target(cx, option, Purpose::Choose)?, list: Some(target(cx, list, Purpose::Choose)?) })
}

/// What stands before and behind a verb, where the verb is not part of a noun such as `选择框`.
fn find_verb<'t>(text: &'t str, verb: &str) -> Option<(&'t str, &'t str)> {
    text.match_indices(verb).find_map(|(at, _)| {
        let (front, back) = (&text[..at], &text[at + verb.len()..]);
        let noun = back.starts_with(['框', '栏', '器', '区', '项', '卡', '法', '列', '键'])
            || (verb == "选" && back.starts_with(['中', '择', '定', '取', '出']));
        (!front.trim().is_empty() && !back.trim().is_empty() && !noun).then_some((front, back))
    })
}

const CLICKS: &[(&str, Press)] = &[
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

fn starts_with_verb(text: &str) -> bool {
    CLICKS.iter().any(|(v, _)| text.starts_with(v))
        || ["输入", "填写", "选择", "勾选", "验证", "检查", "等待", "把", "将"].iter().any(|v| text.starts_with(v))
}

/// Takes `3 次`, `两下` off the end, or `连续…` and `一下` away.
fn repeated(text: &str) -> (&str, u32) {
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
fn press(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let (bare, times) = repeated(text);
    let bare = bare.strip_prefix("连续").unwrap_or(bare);
    if let Some((verb, how)) = CLICKS.iter().find(|(v, _)| bare.starts_with(v)) {
        let mut rest = bare[verb.len()..].trim().trim_start_matches('了').trim();
        let mut times = times;
        // `点击两次X`
        if let Some((count, name)) = rest.split_once(['次', '下'])
            && let Some(n) = number(count).filter(|n| (1..=50).contains(n))
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
        return over_list(cx, rest, purpose, &make);
    }
    for (verb, open) in [("展开", true), ("收起", false), ("折叠", false)] {
        if let Some(rest) = text.strip_prefix(verb).map(str::trim).filter(|r| !r.is_empty()) {
            return Some(Step::Unfold { target: target(cx, rest, Purpose::Click)?, open });
        }
    }
    bare_command(text)
}

const COMMANDS: &[&str] = &[
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

fn bare_command(text: &str) -> Option<Step> {
    let text = text.trim_end_matches("一下");
    if COMMANDS.contains(&text) {
        return Some(patterns::click(Wanted::named(text, Purpose::Click)));
    }
    for thing in ["表单", "更改", "修改", "设置", "数据", "信息"] {
        if let Some(command) = text.strip_suffix(thing).map(|t| t.trim_end_matches("该").trim_end_matches("此"))
            && matches!(command, "提交" | "保存" | "应用" | "重置" | "发送")
        {
            let or = Some(Box::new(Wanted::named(command, Purpose::Click)));
            return Some(patterns::click(Wanted { strict: true, or, ..Wanted::named(text, Purpose::Click) }));
        }
    }
    None
}

/// `数量改成3`: without `把`.
fn set(cx: &Cx<'_>, text: &str) -> Option<Result<Step, Why>> {
    if starts_with_verb(text) { None } else { typing::set(cx, text) }
}

/// `把X点开`, `将X双击`: the verb stands at the end.
fn taken(cx: &Cx<'_>, text: &str, turn: u8) -> Option<Result<Step, Why>> {
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
fn placed_first(cx: &Cx<'_>, text: &str, turn: u8) -> Option<Step> {
    let rest = text.strip_prefix(['在', '从', '于', '到'])?;
    let verbs = CLICKS.iter().map(|(v, _)| *v).filter(|v| v.chars().count() > 1);
    let all = verbs.chain(["勾选", "取消勾选", "删除", "移除", "展开", "收起", "上传", "清空", "点", "按"]);
    let (place, back) = all
        .filter_map(|v| rest.find(v).map(|at| (&rest[..at], &rest[at..])))
        .filter(|(p, _)| !p.trim().is_empty())
        .min_by_key(|(p, _)| p.len())?;
    let place = place.trim().trim_end_matches(['，', ',']).trim();
    let place = ["里面", "当中", "之中", "里", "中", "内", "上"]
        .iter()
        .find_map(|e| place.strip_suffix(e))
        .unwrap_or(place)
        .trim();
    let mut step = read(cx, back, turn + 1).ok()?;
    if place.ends_with("页面") || place.ends_with("屏幕") || place.ends_with("网页") || place.ends_with('页') {
        return Some(step);
    }
    let holder = phrase::read_place(place, cx.quotes)?;
    let mut placed = false;
    super::each_target(&mut step, &mut |w| {
        *w = w.clone().inside(&holder);
        placed = true;
    });
    placed.then_some(step)
}

fn close(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let rest = ["关闭", "关掉", "关上"].iter().find_map(|v| text.strip_prefix(v))?.trim();
    let rest = rest.trim_start_matches("当前").trim_start_matches("这个").trim();
    if rest.is_empty() {
        return None;
    }
    Some(Step::Close { target: target(cx, rest, Purpose::Hold)? })
}

fn search(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let rest = ["搜索一下", "搜索", "搜一下", "查找", "搜"].iter().find_map(|v| text.strip_prefix(v))?;
    let rest = rest.trim().trim_start_matches(['：', ':', '关']).trim();
    let noun = ["按钮", "框", "栏", "图标", "结果"].iter().any(|n| rest.starts_with(n) || rest.ends_with(n));
    if rest.is_empty()
        || noun
        || (rest.chars().any(is_mark) && cx.quotes.only(rest).is_none())
        || BULK.iter().any(|b| rest.contains(b))
    {
        return None;
    }
    Some(Step::Search { text: cx.quotes.value(rest), field: None })
}
