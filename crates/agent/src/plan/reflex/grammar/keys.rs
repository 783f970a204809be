//! Names of keys as people say them, and the names that devices take.

/// One key by its names. Keys in the second group are also names of buttons.
const KEYS: &[(&str, &[&str])] = &[
    ("Enter", &["enter", "return", "回车", "回车键", "确认键", "enter键"]),
    ("Escape", &["escape", "esc", "退出键"]),
    ("Tab", &["tab", "制表", "制表键"]),
    ("Space", &["space", "spacebar", "space bar", "空格", "空格键"]),
    ("Backspace", &["backspace", "退格", "退格键"]),
    ("Delete", &["delete", "del", "删除键"]),
    ("Insert", &["insert", "ins"]),
    ("Home", &["home"]),
    ("End", &["end"]),
    ("PageUp", &["page up", "pageup", "pgup", "上翻页", "上翻页键"]),
    ("PageDown", &["page down", "pagedown", "pgdn", "下翻页", "下翻页键"]),
    ("ArrowUp", &["arrow up", "arrowup", "up arrow", "up", "上方向", "向上", "上箭头", "向上箭头", "上", "上方向键"]),
    (
        "ArrowDown",
        &["arrow down", "arrowdown", "down arrow", "down", "下方向", "向下", "下箭头", "向下箭头", "下", "下方向键"],
    ),
    (
        "ArrowLeft",
        &["arrow left", "arrowleft", "left arrow", "left", "左方向", "向左", "左箭头", "向左箭头", "左", "左方向键"],
    ),
    (
        "ArrowRight",
        &[
            "arrow right",
            "arrowright",
            "right arrow",
            "right",
            "右方向",
            "向右",
            "右箭头",
            "向右箭头",
            "右",
            "右方向键",
        ],
    ),
];

const MODIFIERS: &[(&str, &[&str])] = &[
    ("Control", &["control", "ctrl", "ctl"]),
    ("Shift", &["shift"]),
    ("Alt", &["alt", "option"]),
    ("Meta", &["meta", "cmd", "command", "win", "windows", "super", "⌘"]),
];

/// Keys whose bare names are also what buttons and links are called.
const BUTTON_NAMES: &[&str] =
    &["Delete", "Insert", "Home", "End", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Space", "Tab"];

/// A key or chord.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chord {
    pub(super) name: String,
    /// The word `key` or a modifier made clear that a key is meant.
    pub(super) is_certain: bool,
}

fn lookup<'a>(table: &[(&'a str, &[&str])], name: &str) -> Option<&'a str> {
    table.iter().find(|(_, names)| names.contains(&name)).map(|(key, _)| *key)
}

/// Reads `Enter`, `the Escape key`, `Ctrl+Shift+K`, `Ctrl and A`, `Alt-F4`, `回车键`.
pub(super) fn read(text: &str) -> Option<Chord> {
    let lower = text.trim().to_lowercase();
    let mut name = lower.trim_matches(|c: char| c.is_whitespace() || ".,。，".contains(c));
    name = name.strip_prefix("the ").unwrap_or(name).trim();
    let bare =
        ["button on the keyboard", "on the keyboard", "on your keyboard", "keys", "key", "组合键", "快捷键", "键"]
            .iter()
            .find_map(|s| name.strip_suffix(s))
            .map(str::trim)
            .filter(|n| !n.is_empty());
    let said_key = bare.is_some();
    let name = bare.unwrap_or(name);
    let name = name.strip_prefix("键盘上的").or(name.strip_prefix("键盘")).unwrap_or(name).trim();
    if let Some(key) = single(name) {
        let is_certain = said_key || !BUTTON_NAMES.contains(&key.as_str());
        return Some(Chord { name: key, is_certain });
    }
    if said_key && let Some(c) = one_character(name) {
        return Some(Chord { name: c, is_certain: true });
    }
    chord(name)
}

/// A key that stands alone.
fn single(name: &str) -> Option<String> {
    if let Some(key) = lookup(KEYS, name) {
        return Some(key.to_owned());
    }
    let number = name.strip_prefix('f')?;
    let n: u32 = number.parse().ok()?;
    ((1..=24).contains(&n) && !number.starts_with('0')).then(|| format!("F{n}"))
}

fn one_character(name: &str) -> Option<String> {
    let mut chars = name.chars();
    let first = chars.next()?;
    (chars.next().is_none() && !first.is_whitespace() && first.is_ascii()).then(|| first.to_string())
}

fn chord(name: &str) -> Option<Chord> {
    let name = name.replace(" plus ", "+").replace(" and ", "+").replace(['＋', '加'], "+");
    let sep = if name.contains('+') {
        '+'
    } else if name.contains('-') {
        '-'
    } else {
        ' '
    };
    let parts: Vec<&str> = name.split(sep).map(str::trim).filter(|p| !p.is_empty()).collect();
    let (last, modifiers) = parts.split_last()?;
    if modifiers.is_empty() {
        return None;
    }
    let mut out = Vec::new();
    for modifier in modifiers {
        out.push(lookup(MODIFIERS, modifier)?.to_owned());
    }
    let key = single(last).or_else(|| one_character(last).map(|c| c.to_uppercase()))?;
    out.push(key);
    Some(Chord { name: out.join("+"), is_certain: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_by_all_their_names() {
        for (said, want) in [
            ("Enter", "Enter"),
            ("the Escape key", "Escape"),
            ("Ctrl+A", "Control+A"),
            ("ctrl + shift + k", "Control+Shift+K"),
            ("Ctrl-S", "Control+S"),
            ("Shift Tab", "Shift+Tab"),
            ("the down arrow key", "ArrowDown"),
            ("Cmd and C", "Meta+C"),
            ("回车", "Enter"),
            ("回车键", "Enter"),
            ("Ctrl+A 组合键", "Control+A"),
            ("F5", "F5"),
            ("the a key", "a"),
        ] {
            assert_eq!(read(said).map(|c| c.name).as_deref(), Some(want), "{said}");
        }
        for said in ["Submit", "the Save button", "a", "F99", "Ctrl", ""] {
            assert_eq!(read(said), None, "{said}");
        }
        assert!(!read("Delete").expect("a key").is_certain);
        assert!(read("the Delete key").expect("a key").is_certain);
    }
}
