//! How well a text on the screen is what somebody said.

use super::glossary::{self, Unit};
use handeye_core::text::fold;
use unicode_normalization::UnicodeNormalization;

/// What was said, prepared for many comparisons.
pub(crate) struct Phrase {
    raw: String,
    folded: String,
    key: String,
    plain: String,
    core: String,
    units: Vec<Unit>,
    quoted: bool,
    strict: bool,
    whole: bool,
}

/// A degree of likeness and its name.
pub(crate) type Likeness = (f64, &'static str);

/// Words that may stand or be missing without meaning another control.
const NEUTRAL: &[&str] = &[
    "the",
    "a",
    "an",
    "your",
    "my",
    "our",
    "please",
    "enter",
    "type",
    "here",
    "请",
    "请输入",
    "输入",
    "您的",
    "你的",
    "我的",
    "请填写",
    "请选择",
];
/// Words that turn a name into its opposite, or into something that cannot be undone.
const GRAVE: &[&str] = &[
    "not",
    "dont",
    "un",
    "no",
    "never",
    "cancel",
    "delete",
    "remove",
    "clear",
    "reset",
    "erase",
    "discard",
    "destroy",
    "unsubscribe",
    "all",
    "every",
    "without",
    "except",
    "stop",
    "disable",
    "取消",
    "不",
    "非",
    "未",
    "别",
    "勿",
    "退出",
    "停用",
    "禁用",
    "删除",
    "移除",
    "清空",
    "清除",
    "重置",
    "注销",
    "撤销",
    "全部",
    "所有",
    "解除",
    "忘记",
    "拒绝",
    "反",
];

pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c as u32, 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x3040..=0x30ff | 0xac00..=0xd7af | 0x20000..=0x323af)
}

/// A text without what says nothing: letters, digits and the signs that tell `C++` from `C` and `-2` from `2`, lower case,
/// single blanks.
pub(crate) fn key(text: &str) -> String {
    let chars: Vec<char> = text.nfkc().flat_map(char::to_lowercase).collect();
    let mut out = String::new();
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|p| chars.get(p)).copied().unwrap_or(' ');
        let after = chars.get(i + 1).copied().unwrap_or(' ');
        let keep = match c {
            '\'' | '’' => continue,
            '+' | '#' | '%' | '$' | '€' | '£' | '¥' | '@' => true,
            '-' | '−' => !before.is_alphanumeric() && after.is_ascii_digit(),
            '.' | ',' => before.is_ascii_digit() && after.is_ascii_digit(),
            c => c.is_alphanumeric(),
        };
        if keep {
            // A blank between Chinese characters is only drawn: `确 定`.
            if is_cjk(c) && out.ends_with(' ') && out.trim_end().chars().next_back().is_some_and(is_cjk) {
                out.pop();
            }
            out.push(c);
        } else if !out.ends_with(' ') && !out.is_empty() {
            out.push(' ');
        }
    }
    out.trim_end().to_owned()
}

/// Letters and digits only, without blanks.
fn plain(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
}

/// A key without its neutral words.
fn core(key: &str) -> String {
    let words: Vec<&str> = key.split(' ').filter(|w| !NEUTRAL.contains(w)).collect();
    let out = words.join(" ");
    for lead in ["请输入", "请填写", "请选择", "请", "输入您的", "输入你的", "您的", "你的", "我的", "输入"]
    {
        if let Some(rest) = out.strip_prefix(lead)
            && !rest.is_empty()
        {
            return rest.trim_start().to_owned();
        }
    }
    if out.is_empty() { key.to_owned() } else { out }
}

/// A name without marks of required fields and without a count at its end.
pub(crate) fn clean(name: &str) -> String {
    // A plus sign or a bullet before a name is a drawing.
    let mut name = name.trim();
    name = ["+ ", "＋ ", "＋", "• ", "▸ ", "▾ ", "» ", "← ", "→ "]
        .iter()
        .find_map(|m| name.strip_prefix(m))
        .unwrap_or(name)
        .trim_start();
    loop {
        let before = name;
        for mark in
            ["*", "＊", ":", "：", "(required)", "（必填）", "(必填)", "(optional)", "（选填）", "(选填)", "…", "..."]
        {
            name = name.strip_suffix(mark).unwrap_or(name).trim_end();
            name = if mark == "*" { name.strip_prefix(mark).unwrap_or(name).trim_start() } else { name };
        }
        for (open, close) in [('(', ')'), ('（', '）'), ('[', ']')] {
            if let Some(inner) = name.strip_suffix(close)
                && let Some((head, count)) = inner.rsplit_once(open)
                && !count.is_empty()
                && !head.trim().is_empty()
                && count.chars().all(|c| c.is_ascii_digit())
            {
                name = head.trim_end();
            }
        }
        if name == before {
            return name.to_owned();
        }
    }
}

impl Phrase {
    pub(crate) fn new(words: &str, quoted: bool, strict: bool) -> Self {
        let key = key(words);
        Self {
            raw: words.trim().to_owned(),
            folded: fold(words),
            plain: plain(words),
            core: core(&key),
            units: glossary::units(&core(&key)),
            key,
            quoted,
            strict,
            whole: false,
        }
    }
    /// To count things, their names have to be the whole of what was said.
    pub(crate) fn counted(self, counted: bool) -> Self {
        Self { whole: counted, ..self }
    }

    /// `None` when the two have nothing in common.
    pub(crate) fn likeness(&self, text: &str) -> Option<Likeness> {
        let text = text.trim();
        if text.is_empty() || self.raw.is_empty() {
            return None;
        }
        if text == self.raw {
            return Some((1.0, "is exactly that"));
        }
        let bare = clean(text);
        if fold(text) == self.folded || fold(&bare) == self.folded {
            return Some((0.98, "is that but for case and blanks"));
        }
        let key = key(&bare);
        if key.is_empty() || self.key.is_empty() {
            return self.by_sign(text);
        }
        if key == self.key {
            return Some((0.97, "is that but for punctuation"));
        }
        if core(&key) == self.core {
            return Some((0.87, "is that but for words that say nothing"));
        }
        if self.strict {
            return None;
        }
        if plain(text) == self.plain {
            return Some((0.86, "has the same letters and digits"));
        }
        let by_meaning = self.by_meaning(&key);
        if by_meaning.is_some() || self.whole {
            return by_meaning;
        }
        self.by_part(&key)
    }

    /// Names that are signs only: `×` for close.
    fn by_sign(&self, text: &str) -> Option<Likeness> {
        if self.strict {
            return None;
        }
        let sign = |s: &str| glossary::meaning(s.trim());
        let said = if self.key.is_empty() { sign(&self.raw) } else { glossary::meaning(&self.key) };
        let there = sign(text).or_else(|| glossary::meaning(&key(text)));
        (said.is_some() && said == there).then_some((0.86, "means the same"))
    }

    fn by_meaning(&self, key: &str) -> Option<Likeness> {
        let foreign = self.key.chars().any(is_cjk) != key.chars().any(is_cjk);
        if self.quoted && !foreign {
            return None;
        }
        let theirs = glossary::units(&core(key));
        if theirs != self.units || !theirs.iter().any(|u| matches!(u, Unit::Meaning(_))) {
            return None;
        }
        Some(if theirs.len() == 1 { (0.86, "means the same") } else { (0.84, "means the same word by word") })
    }

    fn by_part(&self, key: &str) -> Option<Likeness> {
        let ours: Vec<&str> = self.key.split(' ').collect();
        let theirs: Vec<&str> = key.split(' ').collect();
        let at = theirs.windows(ours.len().max(1)).position(|w| w == ours.as_slice());
        if let Some(at) = at {
            let rest: Vec<&str> = theirs[..at].iter().chain(&theirs[at + ours.len()..]).copied().collect();
            return Some((self.part(ours.len() as f64 / theirs.len() as f64, &rest), "holds these words"));
        }
        let mut sorted = (ours.clone(), theirs.clone());
        sorted.0.sort_unstable();
        sorted.1.sort_unstable();
        if sorted.0 == sorted.1 {
            return Some((0.84, "has the same words in another order"));
        }
        if let Some(at) = key.find(&self.key) {
            let rest = [&key[..at], &key[at + self.key.len()..]].concat();
            let share = self.key.chars().count() as f64 / key.chars().count() as f64;
            if self.key.chars().all(|c| is_cjk(c) || c == ' ') {
                let rest: Vec<&str> = GRAVE.iter().copied().filter(|g| !g.is_ascii() && rest.contains(g)).collect();
                return Some((self.part(share, &rest), "holds these characters"));
            }
            return Some((0.6, "holds this within a word"));
        }
        let shared = ours.iter().filter(|w| theirs.contains(w)).count();
        if shared > 0 {
            let share = shared as f64 / ours.len().max(theirs.len()) as f64;
            return Some((0.3 + 0.4 * share, "shares words"));
        }
        (key.len() > 2 && self.key.contains(key)).then_some((0.4, "is part of it"))
    }

    /// The score of a text of which what was said makes up this share; `rest` are the other words.
    fn part(&self, share: f64, rest: &[&str]) -> f64 {
        let grave = |w: &&str| GRAVE.contains(w);
        if rest.iter().any(grave) {
            return 0.5;
        }
        if self.key.split(' ').any(|w| GRAVE.contains(&w)) {
            // `Delete` is not `Delete account`.
            return 0.7;
        }
        match share {
            s if s >= 0.5 => 0.86,
            s if s >= 0.33 => 0.83,
            s if s >= 0.2 && !self.quoted => 0.81,
            _ => 0.7,
        }
    }
}

/// What a field is called, without `请输入` and the like.
pub(crate) fn label_of_field(label: &str) -> String {
    core(&key(&clean(label)))
}

/// Whether a text is shown somewhere in another one, at word boundaries where the script has them.
pub(crate) fn contains_text(whole: &str, part: &str) -> bool {
    let (whole_key, part_key) = (key(whole), key(part));
    if part_key.is_empty() {
        return !fold(part).is_empty() && fold(whole).contains(&fold(part));
    }
    if part_key.chars().any(is_cjk) {
        return whole_key.replace(' ', "").contains(&part_key.replace(' ', ""));
    }
    format!(" {whole_key} ").contains(&format!(" {part_key} "))
}

/// Whether two texts say the same to a reader.
pub(crate) fn same_text(a: &str, b: &str) -> bool {
    let (ka, kb) = (key(a), key(b));
    if ka.is_empty() || kb.is_empty() { fold(a) == fold(b) } else { ka == kb }
}

/// Whether two texts begin with the same word, or with the same two Chinese characters.
pub(crate) fn begins_alike(a: &str, b: &str) -> bool {
    let first = |text: &str| -> String {
        let key = key(text);
        let cjk: String = key.chars().take_while(|c| is_cjk(*c)).take(2).collect();
        if cjk.is_empty() { key.split(' ').next().unwrap_or_default().to_owned() } else { cjk }
    };
    let (a, b) = (first(a), first(b));
    !a.is_empty() && a == b
}

/// The words of an id, a class, a test id or the last part of an address.
pub(crate) fn hint_words(atom: &str) -> String {
    let atom = ["href=", "testid=", "name="].iter().find_map(|k| atom.strip_prefix(k)).unwrap_or(atom);
    let path = atom.split(['?', '#']).next().unwrap_or(atom);
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    let stem = last.split_once('.').map_or(last, |(stem, _)| stem);
    let stem = if stem.is_empty() { atom.trim_start_matches(['#', '/']) } else { stem };
    let mut out = String::new();
    let mut lower = false;
    for c in stem.chars() {
        if c.is_alphanumeric() {
            if lower && c.is_uppercase() {
                out.push(' ');
            }
            lower = c.is_lowercase() || c.is_numeric();
            out.extend(c.to_lowercase());
        } else {
            lower = false;
            out.push(' ');
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}
