//! Words that say nothing of their own when the name of an element stands beside them.

use super::{Span, Token};
use crate::locate::tree::Ordinal;
use crate::locate::tree::names::is_cjk;
use crate::locate::tree::phrase::nouns;
use crate::locate::tree::roles::RoleWord;

/// How a phrase counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    No,
    Of(Ordinal),
    /// More than one number, or one whose noun is not clear.
    Unclear,
}

const SMALL: &str = "\
    the a an my your our of in on at to into onto from for with by under beneath above below over beside next \
    near inside within behind that which is are was be has this there here now also just please too again \
    named called labelled labeled marked titled reading says saying shown displayed visible current open \
    opened appears appeared opens instead left right top bottom upper lower corner side hand middle main small \
    little big page screen one per up down where written belongs belonging corresponding own already so as";

/// Nouns for what is on a page, besides the kinds of elements.
const THINGS: &str = "\
    page screen view window setting settings column block box card bar title caption value entry drop pop text \
    name number site website app part place position";

/// Words of a phrase that means more than one thing, none, or one that only a mind could pick.
const SEVERAL: &str = "\
    all every each both any some several multiple everything anything whatever random either other another \
    these those them and or not no never dont without except but unless if when until cheapest largest biggest \
    smallest newest oldest latest lowest highest best worst most least longest shortest nearest closest \
    correct appropriate relevant matching what how who why than";
const SEVERAL_ZH: &str = "\
    所有 全部 每 任意 任何 各个 随便 其他 其它 某 这些 那些 一些 几个 都 最 不 没 别 未 除了 以外 如果 若 或 \
    和 与 及 、 什么 多少 哪 谁 吗";

const SMALL_ZH: &str = "\
    的 了 着 在 到 里面 里边 里 中间 中 上 内 那一行 这一行 那行 这行 一行 行 那一列 那列 列 那一栏 一栏 栏 \
    那一项 一项 项 那条 这条 一条 条 那个 这个 一个 个 那 这 一 把 将 该 此 请 先 再 就 也 让 给 对 从 为 是 \
    有 叫做 名叫 名为 叫 名 写着 写有 标有 标着 显示 出现 弹出来 弹出 出来 打开 页面 界面 屏幕 网页 当前 右边 \
    左边 旁边 旁 上面 下面 上方 下方 顶部 底部 左侧 右侧 左上角 右上角 左下角 右下角 后面 前面 对应 所在 位置 \
    地方 处 一下 一次 张 位 件 份 笔 款 种 只 块 格 组 后 时 下 侧 边 现在 目前 原来 已有 字样 名字 名称 数据 \
    信息 功能 页";

/// Parts that lie over the page or beside it. What is said to be in one is not meant where there is none: that is no small
/// word. Readings that know such parts have been tried before.
const PARTS: &[&str] = &["dialog", "dialogue", "modal", "popup", "sidebar", "drawer"];
const PARTS_IN_CHINESE: &[&str] = &["弹窗", "对话框", "弹出框", "侧边栏", "侧栏", "抽屉"];

/// `Save in the dialog`, `弹窗里的保存`.
pub(super) fn is_in_a_part(tokens: &[Token]) -> bool {
    let plain = |at: usize| tokens.get(at).filter(|t| t.quote.is_none()).map_or("", |t| t.key.as_str());
    let stands_in = |at: usize| {
        let article = at.checked_sub(1).is_some_and(|i| ["the", "this", "that", "a", "open"].contains(&plain(i)));
        let before = if article { at.checked_sub(2) } else { at.checked_sub(1) };
        before.is_some_and(|i| ["in", "on", "inside", "within", "of", "from"].contains(&plain(i)))
    };
    if (0..tokens.len()).any(|at| PARTS.contains(&plain(at)) && stands_in(at)) {
        return true;
    }
    let words: String = (0..tokens.len()).map(plain).collect();
    let behind = |part: &str| words.split(part).skip(1).any(|rest| rest.starts_with(['里', '中', '内', '上', '的']));
    PARTS_IN_CHINESE.iter().any(|part| behind(part))
}

/// Whether the phrase speaks of more than one thing, or of something that is not simply named.
pub(super) fn speaks_of_several(tokens: &[Token]) -> bool {
    let plain = |t: &&Token| t.quote.is_none();
    let latin = tokens.iter().filter(plain).any(|t| says(SEVERAL, &t.key));
    let text: String = tokens.iter().map(|t| if t.quote.is_some() { "\u{1}" } else { t.key.as_str() }).collect();
    latin || SEVERAL_ZH.split(' ').any(|w| text.contains(w))
}

/// Whether these words are all of the kind that says nothing: no name of an element can be told by them. A word that is
/// written with a capital is a name all the same.
pub(super) fn says_nothing(tokens: &[Token]) -> bool {
    if tokens.iter().any(|t| t.capital) {
        return false;
    }
    if tokens.iter().all(|t| t.key.chars().all(is_cjk)) {
        let text: String = tokens.iter().map(|t| t.key.as_str()).collect();
        return uncovered(&text).is_empty();
    }
    tokens.iter().all(|t| is_soft(&t.key))
}

/// Whether a word is in a list of words.
fn says(list: &str, word: &str) -> bool {
    list.split(' ').any(|w| w == word)
}

fn is_soft(word: &str) -> bool {
    says(SMALL, word) || says(THINGS, word) || is_kind_word(word) || ordinal_of(word).is_some()
}

/// Whether a word is (part of) a noun for a kind of element.
fn is_kind_word(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    let of_kind = |w: &str| nouns::ENGLISH.iter().any(|(n, _)| n.split(' ').any(|part| part == w));
    let of_part = |w: &str| nouns::ENGLISH_PARTS.iter().any(|n| n.split(' ').any(|part| part == w));
    let of_item = |w: &str| nouns::ENGLISH_ITEMS.contains(&w);
    [word, singular].iter().any(|w| of_kind(w) || of_part(w) || of_item(w))
}

/// The places of the words that are in no name and say something.
pub(super) fn left_over(tokens: &[Token], names: &[Span]) -> Vec<usize> {
    let free = |at: usize| !names.iter().any(|n| n.holds(at));
    let mut out = Vec::new();
    let mut at = 0;
    let end = aim(tokens, names).unwrap_or(tokens.len());
    while at < end {
        if !free(at) {
            at += 1;
        } else if tokens[at].quote.is_some() {
            out.push(at);
            at += 1;
        } else if tokens[at].key.chars().all(is_cjk) {
            let to = (at..end).find(|&i| !free(i) || tokens[i].quote.is_some() || !tokens[i].key.chars().all(is_cjk));
            let to = to.unwrap_or(end);
            let text: String = tokens[at..to].iter().map(|t| t.key.as_str()).collect();
            out.extend(uncovered(&text).into_iter().map(|i| at + i));
            at = to;
        } else {
            if !is_soft(&tokens[at].key) && !is_apposed(tokens, names, at) {
                out.push(at);
            }
            at += 1;
        }
    }
    out
}

pub(super) fn is_small(token: &Token) -> bool {
    token.quote.is_none() && says(SMALL, &token.key)
}

/// The words that say something, the kinds of elements among them: a kind may be a part of the name.
pub(super) fn all_but_small(tokens: &[Token]) -> Vec<usize> {
    (0..tokens.len()).filter(|&at| !says(SMALL, &tokens[at].key)).collect()
}

/// `the customer Falcon Air`, `the colour Purple`: a noun between an article and a name, or behind a name.
pub(super) fn is_apposed(tokens: &[Token], names: &[Span], at: usize) -> bool {
    let word = &tokens[at];
    let plain = !word.capital && word.key.len() > 2 && word.key.chars().all(|c| c.is_ascii_lowercase());
    let adjective =
        ["ed", "ing", "est", "ly", "un"].iter().any(|e| word.key.ends_with(e)) || word.key.starts_with("un");
    let article = at.checked_sub(1).and_then(|p| tokens.get(p)).is_some_and(|t| t.key == "the");
    // `the urgent Save button` says which button.
    let before =
        names.iter().any(|n| n.from == at + 1 && says_written(&tokens[n.from]) && kind_beside(tokens, *n).is_none());
    plain && !adjective && article && before
}

/// Whether a noun for things stands right behind a name: `Send invoice`, `Delete comment`, `Delete评论` are other controls than `Send`
/// and `Delete`.
pub(super) fn goes_on(tokens: &[Token], name: Span) -> bool {
    let Some(next) = tokens.get(name.to).filter(|t| t.quote.is_none()) else { return false };
    if next.key.chars().all(is_cjk) {
        let text: String =
            tokens[name.to..].iter().take(6).map_while(|t| t.quote.is_none().then_some(t.key.as_str())).collect();
        let longest =
            |nouns: &mut dyn Iterator<Item = &'static str>| nouns.filter(|n| text.starts_with(n)).map(str::len).max();
        let item = longest(&mut nouns::CHINESE_ITEMS.iter().copied().filter(|n| n.chars().count() > 1));
        let kind = longest(&mut nouns::CHINESE.iter().map(|(n, _)| *n));
        return item > kind;
    }
    let kind = nouns::ENGLISH.iter().any(|(n, _)| n.split(' ').any(|part| part == next.key));
    let thing = nouns::ENGLISH_ITEMS.contains(&next.key.as_str()) || says(THINGS, &next.key);
    thing && !kind && !says(SMALL, &next.key) && !matches!(next.key.as_str(), "box" | "bar" | "card" | "row")
}

/// Written as a name or a number.
fn says_written(token: &Token) -> bool {
    token.capital || token.key.contains(|c: char| c.is_ascii_digit())
}

/// `… to sort`, `… to save it`: what a step is for. Where it begins.
fn aim(tokens: &[Token], names: &[Span]) -> Option<usize> {
    const AIMS: &[&str] = &[
        "sort", "open", "close", "save", "confirm", "submit", "continue", "go", "see", "show", "apply", "finish",
        "expand", "start", "begin", "add", "create", "view", "order", "edit", "get", "switch", "proceed", "send",
        "return", "collapse",
    ];
    (1..tokens.len().saturating_sub(1)).find(|&at| {
        tokens[at].key == "to"
            && AIMS.contains(&tokens[at + 1].key.as_str())
            && names.iter().any(|n| n.to <= at)
            && names.iter().all(|n| n.to <= at)
            && tokens[at..].iter().all(|t| t.quote.is_none() && !t.capital)
    })
}

/// The Chinese characters that no soft word covers, when as many as can be are covered.
fn uncovered(text: &str) -> Vec<usize> {
    let chars: Vec<char> = text.chars().collect();
    let words: Vec<Vec<char>> = SMALL_ZH
        .split(' ')
        .chain(nouns::CHINESE.iter().map(|(n, _)| *n))
        .chain(nouns::CHINESE_ITEMS.iter().copied())
        .chain(nouns::CHINESE_PARTS.iter().map(|(n, _)| *n))
        .map(|w| w.chars().collect())
        .collect();
    // For each place: the fewest bare characters up to it, and the step that led there.
    let mut best: Vec<(usize, usize)> = vec![(0, 0)];
    for to in 1..=chars.len() {
        let mut here = (best[to - 1].0 + 1, 0);
        for word in words.iter().filter(|w| w.len() <= to && chars[to - w.len()..to] == w[..]) {
            let bare = best[to - word.len()].0;
            if bare < here.0 {
                here = (bare, word.len());
            }
        }
        // `第二个`
        if let Some(len) = counted_zh(&chars[..to])
            && best[to - len].0 < here.0
        {
            here = (best[to - len].0, len);
        }
        best.push(here);
    }
    let mut out = Vec::new();
    let mut at = chars.len();
    while at > 0 {
        match best[at].1 {
            0 => {
                at -= 1;
                out.push(at);
            }
            len => at -= len,
        }
    }
    out.reverse();
    out
}

/// The length of an ordinal at the end: `第二`, `第3`.
fn counted_zh(chars: &[char]) -> Option<usize> {
    let digits = chars.iter().rev().take_while(|c| "一二三四五六七八九十".contains(**c)).count();
    let at = chars.len().checked_sub(digits + 1)?;
    (digits > 0 && chars[at] == '第').then_some(digits + 1)
}

fn ordinal_of(word: &str) -> Option<Ordinal> {
    const WORDS: &[&str] =
        &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    if let Some(n) = WORDS.iter().position(|w| *w == word) {
        return u32::try_from(n + 1).ok().map(Ordinal::Nth);
    }
    if word == "last" {
        return Some(Ordinal::FromEnd(1));
    }
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|s| word.strip_suffix(s))?;
    digits.parse().ok().filter(|n| (1..=99).contains(n)).map(Ordinal::Nth)
}

/// The ordinal of a phrase, outside of its names.
pub(super) fn ordinal(tokens: &[Token], names: &[Span]) -> Counted {
    let free = |at: &usize| !names.iter().any(|n| n.holds(*at)) && tokens[*at].quote.is_none();
    let mut found: Vec<Ordinal> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if free(&at) {
            if let Some(one) = ordinal_of(&tokens[at].key) {
                found.push(one);
            } else if tokens[at].key == "第" || (tokens[at].key == "最" || tokens[at].key == "倒") {
                let n: String = tokens[at + 1..].iter().take(2).map(|t| t.key.as_str()).collect();
                let digits: String =
                    n.chars().take_while(|c| c.is_ascii_digit() || "一二三四五六七八九十".contains(*c)).collect();
                match crate::locate::tree::phrase::chinese::number(&digits) {
                    Some(n) if tokens[at].key == "第" => found.push(Ordinal::Nth(n)),
                    _ => return Counted::Unclear,
                }
            }
        }
        at += 1;
    }
    match found.as_slice() {
        [] => Counted::No,
        [one] => Counted::Of(*one),
        _ => Counted::Unclear,
    }
}

/// The kind that a phrase without a name speaks of: in English the first one before a place, in Chinese the last.
pub(super) fn kind_of_all(tokens: &[Token]) -> Option<RoleWord> {
    let chinese = tokens.iter().any(|t| t.key.chars().all(is_cjk));
    if chinese {
        let text: String = tokens.iter().filter(|t| t.quote.is_none()).map(|t| t.key.as_str()).collect();
        return nouns::CHINESE
            .iter()
            .filter_map(|(n, r)| text.rfind(n).map(|at| (at + n.len(), n.len(), *r)))
            .max_by_key(|(end, len, _)| (*end, *len))
            .map(|(_, _, role)| role);
    }
    let place =
        ["in", "on", "at", "of", "from", "under", "above", "below", "next", "beside", "near", "for", "with", "inside"];
    let head = tokens.iter().skip(1).position(|t| place.contains(&t.key.as_str())).map_or(tokens.len(), |at| at + 1);
    (0..head).rev().find_map(|end| kind_ending(&tokens[..=end]))
}

fn kind_ending(tokens: &[Token]) -> Option<RoleWord> {
    let words: Vec<&str> = tokens.iter().map(|t| if t.quote.is_some() { "" } else { t.key.as_str() }).collect();
    let fits = |noun: &str| {
        let parts: Vec<&str> = noun.split(' ').collect();
        words.ends_with(&parts)
    };
    let kind = nouns::ENGLISH.iter().filter(|(n, _)| fits(n)).max_by_key(|(n, _)| n.len()).map(|(_, r)| *r);
    kind.or_else(|| (words.last() == Some(&"box")).then_some(RoleWord::Field))
}

/// The kind that is said right behind a name, or right before it: `the Save button`, `button Save`, `“保存”按钮`.
pub(super) fn kind_beside(tokens: &[Token], name: Span) -> Option<RoleWord> {
    let behind = &tokens[name.to..];
    for len in (1..=behind.len().min(4)).rev() {
        let part = &behind[..len];
        if part.iter().any(|t| t.quote.is_some()) {
            continue;
        }
        if part.iter().all(|t| t.key.chars().all(is_cjk)) {
            let text: String = part.iter().map(|t| t.key.as_str()).collect();
            let text = text.strip_prefix('的').unwrap_or(&text).to_owned();
            if let Some((_, role)) = nouns::CHINESE.iter().find(|(n, _)| *n == text) {
                return Some(*role);
            }
        } else if let Some(role) = kind_ending(part).filter(|_| {
            let text: Vec<&str> = part.iter().map(|t| t.key.as_str()).collect();
            let text = text.join(" ");
            text == "box" || nouns::ENGLISH.iter().any(|(n, _)| *n == text)
        }) {
            return Some(role);
        }
    }
    let before = &tokens[..name.from];
    let led = before.last().is_some_and(|t| !matches!(t.key.as_str(), "in" | "of" | "on" | "the"));
    kind_ending(before).filter(|_| led)
}

/// Kinds that people say of nearly everything that bears a name.
pub(super) fn is_loose_kind(role: RoleWord) -> bool {
    matches!(
        role,
        RoleWord::Any
            | RoleWord::Item
            | RoleWord::Row
            | RoleWord::Text
            | RoleWord::Heading
            | RoleWord::Section
            | RoleWord::List
            | RoleWord::Option
            | RoleWord::Tab
            | RoleWord::MenuItem
            | RoleWord::Icon
            | RoleWord::Link
            | RoleWord::Button
            | RoleWord::Cell
    )
}

const PLACING: &str = "\
    in of on at under inside within from for with by to into as";
const BESIDE: &str = "\
    next beside besides near above below over behind under beneath";
const BESIDE_ZH: &str = "\
    右边 左边 旁边 右侧 左侧 上面 下面 上方 下方 后面 前面 旁 右面 左面 底下";
const INSIDE_ZH: &str = "\
    里 中 内 那一行 这一行 那行 这行 行 上 那一栏 栏 下 那条 那一条";

/// Whether the phrase says where something is by what it stands beside: that is for those who measure.
pub(super) fn says_beside(tokens: &[Token], names: &[Span]) -> bool {
    let beside = |at: usize| {
        let word = tokens[at].key.as_str();
        let next = tokens.get(at + 1).map(|t| t.key.as_str());
        says(BESIDE, word) || (matches!(word, "left" | "right") && next == Some("of"))
    };
    let latin = (1..tokens.len()).any(|at| beside(at) && names.iter().any(|n| n.from > at));
    latin || names.iter().any(|n| behind(tokens, *n).is_some_and(|text| starts_with_any(&text, BESIDE_ZH)))
}

/// The Chinese words right behind a name, without `的`.
fn behind(tokens: &[Token], name: Span) -> Option<String> {
    let text: String =
        tokens[name.to..].iter().take(4).map_while(|t| t.quote.is_none().then_some(t.key.as_str())).collect();
    let text = text.strip_prefix('的').map(str::to_owned).unwrap_or(text);
    (!text.is_empty()).then_some(text)
}

fn starts_with_any(text: &str, words: &str) -> bool {
    words.split(' ').any(|w| text.starts_with(w))
}

/// Whether a name only says where the element is: `… in the row of X`, `X那一行的…`.
pub(super) fn is_place(tokens: &[Token], names: &[Span], name: Span, to_type: bool) -> bool {
    // What is typed into `手机号那一栏` goes into the field of that name.
    let ends = |text: &str| to_type && says(INSIDE_ZH, text);
    if behind(tokens, name).is_some_and(|text| starts_with_any(&text, INSIDE_ZH) && !ends(&text)) {
        return true;
    }
    let chinese = tokens.iter().any(|t| t.quote.is_none() && t.key.chars().all(is_cjk));
    if chinese && names.iter().any(|n| n.from >= name.to) {
        return true;
    }
    let mut at = name.from;
    while at > 0 {
        at -= 1;
        if names.iter().any(|n| n.holds(at)) || tokens[at].quote.is_some() {
            return false;
        }
        if says(PLACING, &tokens[at].key) {
            return at > 0;
        }
    }
    false
}
