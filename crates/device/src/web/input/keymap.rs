//! From the names of keys, as people and models write them, to what a browser wants to know of a key.

use std::fmt;

/// A key as the protocol describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// `KeyboardEvent.key`.
    pub(super) name: String,
    /// `KeyboardEvent.code` on a US keyboard.
    pub(super) code: String,
    /// The Windows virtual key code.
    pub(super) number: u32,
    /// What it types when no modifier but Shift is held.
    pub(super) text: Option<String>,
    /// 1 left, 2 right, 3 number pad.
    pub(super) location: u8,
}

/// Keys that are pressed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chord {
    pub(super) modifiers: Vec<Modifier>,
    /// `None` when only modifiers are pressed.
    pub(super) key: Option<Key>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modifier {
    Alt,
    Control,
    Meta,
    Shift,
}

impl Modifier {
    pub(super) fn bit(self) -> u8 {
        match self {
            Self::Alt => 1,
            Self::Control => 2,
            Self::Meta => 4,
            Self::Shift => 8,
        }
    }
    pub(super) fn key(self) -> Key {
        let (name, code, number) = match self {
            Self::Alt => ("Alt", "AltLeft", 18),
            Self::Control => ("Control", "ControlLeft", 17),
            Self::Meta => ("Meta", "MetaLeft", 91),
            Self::Shift => ("Shift", "ShiftLeft", 16),
        };
        Key { name: name.to_owned(), code: code.to_owned(), number, text: None, location: 1 }
    }
    fn named(folded: &str) -> Option<Self> {
        Some(match folded {
            "control" | "ctrl" | "ctl" | "控制键" | "控制" | "⌃" => Self::Control,
            "shift" | "上档键" | "⇧" => Self::Shift,
            "alt" | "option" | "opt" | "⌥" => Self::Alt,
            "meta" | "cmd" | "command" | "super" | "win" | "windows" | "⌘" => Self::Meta,
            _ => return None,
        })
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for modifier in &self.modifiers {
            write!(f, "{modifier:?}+")?;
        }
        match &self.key {
            Some(key) if key.name == " " => f.write_str("Space"),
            Some(key) => f.write_str(&key.name),
            None => Ok(()),
        }
    }
}

/// Named keys: names (folded, without blanks), `key`, `code`, number, text.
type Row = (&'static [&'static str], &'static str, &'static str, u32, Option<&'static str>);
const NAMED: &[Row] = &[
    (&["enter", "return", "↵", "⏎", "回车", "回车键", "确认键", "确定键", "换行键"], "Enter", "Enter", 13, Some("\r")),
    (&["tab", "制表键", "⇥", "tab键"], "Tab", "Tab", 9, None),
    (&["escape", "esc", "退出键", "取消键", "esc键", "⎋"], "Escape", "Escape", 27, None),
    (&["backspace", "back", "退格", "退格键", "⌫"], "Backspace", "Backspace", 8, None),
    (&["delete", "del", "删除", "删除键", "forwarddelete", "⌦"], "Delete", "Delete", 46, None),
    (&["space", "spacebar", "空格", "空格键", "␣"], " ", "Space", 32, Some(" ")),
    (&["arrowup", "up", "uparrow", "↑", "上", "上键", "上箭头", "向上键", "方向键上"], "ArrowUp", "ArrowUp", 38, None),
    (
        &["arrowdown", "down", "downarrow", "↓", "下", "下键", "下箭头", "向下键", "方向键下"],
        "ArrowDown",
        "ArrowDown",
        40,
        None,
    ),
    (
        &["arrowleft", "left", "leftarrow", "←", "左", "左键", "左箭头", "向左键", "方向键左"],
        "ArrowLeft",
        "ArrowLeft",
        37,
        None,
    ),
    (
        &["arrowright", "right", "rightarrow", "→", "右", "右键", "右箭头", "向右键", "方向键右"],
        "ArrowRight",
        "ArrowRight",
        39,
        None,
    ),
    (&["home", "首页键", "home键"], "Home", "Home", 36, None),
    (&["end", "end键", "结束键"], "End", "End", 35, None),
    (&["pageup", "pgup", "prior", "上一页", "上翻页键", "上翻页"], "PageUp", "PageUp", 33, None),
    (&["pagedown", "pgdn", "pgdown", "next", "下一页", "下翻页键", "下翻页"], "PageDown", "PageDown", 34, None),
    (&["insert", "ins", "插入键"], "Insert", "Insert", 45, None),
    (&["capslock", "caps", "大写锁定", "大写键"], "CapsLock", "CapsLock", 20, None),
    (&["numlock"], "NumLock", "NumLock", 144, None),
    (&["scrolllock"], "ScrollLock", "ScrollLock", 145, None),
    (&["pause", "break"], "Pause", "Pause", 19, None),
    (&["printscreen", "prtsc", "prtscn", "print", "截屏键"], "PrintScreen", "PrintScreen", 44, None),
    (&["contextmenu", "menu", "apps", "菜单键"], "ContextMenu", "ContextMenu", 93, None),
    (&["numpadenter", "kpenter"], "Enter", "NumpadEnter", 13, Some("\r")),
    (&["numpadadd", "kpadd"], "+", "NumpadAdd", 107, Some("+")),
    (&["numpadsubtract", "kpsubtract"], "-", "NumpadSubtract", 109, Some("-")),
    (&["numpadmultiply", "kpmultiply"], "*", "NumpadMultiply", 106, Some("*")),
    (&["numpaddivide", "kpdivide"], "/", "NumpadDivide", 111, Some("/")),
    (&["numpaddecimal", "kpdecimal"], ".", "NumpadDecimal", 110, Some(".")),
    (&["volumeup", "audiovolumeup"], "AudioVolumeUp", "AudioVolumeUp", 183, None),
    (&["volumedown", "audiovolumedown"], "AudioVolumeDown", "AudioVolumeDown", 182, None),
    (&["mute", "audiovolumemute"], "AudioVolumeMute", "AudioVolumeMute", 181, None),
    (&["mediaplaypause"], "MediaPlayPause", "MediaPlayPause", 179, None),
    (&["plus", "加号"], "+", "Equal", 187, Some("+")),
    (&["minus", "hyphen", "减号"], "-", "Minus", 189, Some("-")),
    (&["comma", "逗号"], ",", "Comma", 188, Some(",")),
    (&["period", "dot", "句号"], ".", "Period", 190, Some(".")),
    (&["slash", "斜杠"], "/", "Slash", 191, Some("/")),
];

/// Printable keys of a US keyboard beside letters and digits: plain, shifted, `code`, number.
const SIGNS: &[(char, char, &str, u32)] = &[
    ('`', '~', "Backquote", 192),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
];
const SHIFTED_DIGITS: [char; 10] = [')', '!', '@', '#', '$', '%', '^', '&', '*', '('];

/// The key of one printable character, and whether Shift is held for it. `None` for what a US keyboard has no key for.
pub(super) fn printable(c: char) -> Option<(Key, bool)> {
    let of =
        |code: String, number: u32| Key { name: c.to_string(), code, number, text: Some(c.to_string()), location: 0 };
    if c.is_ascii_alphabetic() {
        let upper = c.to_ascii_uppercase();
        return Some((of(format!("Key{upper}"), u32::from(upper)), c.is_ascii_uppercase()));
    }
    if c.is_ascii_digit() {
        return Some((of(format!("Digit{c}"), u32::from(c)), false));
    }
    if let Some(digit) = SHIFTED_DIGITS.iter().position(|&s| s == c) {
        return Some((of(format!("Digit{digit}"), 48 + digit as u32), true));
    }
    if c == ' ' {
        return Some((of("Space".to_owned(), 32), false));
    }
    SIGNS
        .iter()
        .find(|(plain, shifted, ..)| c == *plain || c == *shifted)
        .map(|&(_, shifted, code, number)| (of(code.to_owned(), number), c == shifted))
}

fn named(name: &str) -> Option<Key> {
    let folded: String = name.to_lowercase().chars().filter(|c| !c.is_whitespace() && *c != '_' && *c != '-').collect();
    if let Some(&(_, key, code, number, text)) = NAMED.iter().find(|(names, ..)| names.contains(&folded.as_str())) {
        let location = if code.starts_with("Numpad") { 3 } else { 0 };
        let text = text.map(str::to_owned);
        return Some(Key { name: key.to_owned(), code: code.to_owned(), number, text, location });
    }
    if let Some(number) = folded.strip_prefix('f').and_then(|n| n.parse::<u32>().ok()).filter(|n| (1..=24).contains(n))
    {
        let name = format!("F{number}");
        return Some(Key { name: name.clone(), code: name, number: 111 + number, text: None, location: 0 });
    }
    if let Some(digit) = folded.strip_prefix("numpad").and_then(|n| n.parse::<u32>().ok()).filter(|n| *n <= 9) {
        let text = digit.to_string();
        let code = format!("Numpad{digit}");
        return Some(Key { name: text.clone(), code, number: 96 + digit, text: Some(text), location: 3 });
    }
    // `KeyA` and `Digit1`, as a page's own events name them.
    let single = folded.strip_prefix("key").or_else(|| folded.strip_prefix("digit")).filter(|rest| rest.len() == 1);
    single.and_then(|rest| rest.chars().next()).and_then(printable).map(|(key, _)| key)
}

/// Reads one key or a chord. The error names the part that is no key.
pub(super) fn chord(text: &str) -> Result<Chord, String> {
    let mut modifiers: Vec<Modifier> = Vec::new();
    let mut key: Option<Key> = None;
    let trimmed = if text.trim().is_empty() { text } else { text.trim() };
    for part in parts(trimmed) {
        let folded = part.trim().to_lowercase();
        if key.is_some() {
            return Err(format!("`{text}` presses more than one key beside Control, Shift, Alt and Meta"));
        }
        let part = if folded.is_empty() { part } else { part.trim() };
        if let Some(modifier) = Modifier::named(&folded) {
            if !modifiers.contains(&modifier) {
                modifiers.push(modifier);
            }
            continue;
        }
        let (found, shift) = single(part).ok_or_else(|| {
            format!(
                "`{part}` is not the name of a key; names are such as Enter, Tab, Escape, ArrowDown, F5, a or Control+A"
            )
        })?;
        if shift && !modifiers.contains(&Modifier::Shift) && modifiers.is_empty() {
            modifiers.push(Modifier::Shift);
        }
        key = Some(found);
    }
    if key.is_none() && modifiers.is_empty() {
        return Err("no key was named".to_owned());
    }
    if let Some(found) = &mut key {
        apply_shift(found, &modifiers);
    }
    Ok(Chord { modifiers, key })
}

/// `Control+Shift+K` by its plus signs, which may also be the key: `Control++`. A dash joins only after a modifier.
fn parts(text: &str) -> Vec<&str> {
    if text.chars().count() == 1 {
        return vec![text];
    }
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.char_indices().skip(1).find(|(_, c)| *c == '+' || *c == '＋').map(|(i, _)| i) {
        let (head, tail) = rest.split_at(at);
        parts.push(head);
        rest = tail.strip_prefix(['+', '＋']).unwrap_or(tail);
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    if let [only] = parts.as_slice()
        && let Some((head, tail)) = only.split_once('-')
        && !tail.is_empty()
        && Modifier::named(&head.to_lowercase()).is_some()
    {
        return vec![head, tail];
    }
    parts
}

/// One key, and whether the name itself asks for Shift.
fn single(part: &str) -> Option<(Key, bool)> {
    let mut chars = part.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && let Some(found) = printable(c)
    {
        return Some(found);
    }
    named(part.trim()).map(|key| (key, false))
}

/// A letter is lower case unless Shift is held; with Shift a sign is its upper one.
fn apply_shift(key: &mut Key, modifiers: &[Modifier]) {
    let shift = modifiers.contains(&Modifier::Shift);
    let mut chars = key.name.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return };
    let typed = if c.is_ascii_alphabetic() {
        if shift { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    } else if !shift || key.location == 3 {
        c
    } else if let Some(digit) = c.to_digit(10) {
        SHIFTED_DIGITS.get(digit as usize).copied().unwrap_or(c)
    } else {
        SIGNS.iter().find(|(plain, ..)| *plain == c).map_or(c, |&(_, shifted, ..)| shifted)
    };
    key.name = typed.to_string();
    key.text = Some(typed.to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, want: &str) {
        let got = match chord(text) {
            Ok(c) => {
                let key = c.key.as_ref();
                let typed = key.and_then(|k| k.text.as_deref()).unwrap_or("-").escape_debug().to_string();
                format!("{c} {} {} {typed}", key.map_or("-", |k| &k.code), key.map_or(0, |k| k.number))
            }
            Err(why) => format!("✗ {why}"),
        };
        assert_eq!(got, want, "{text}");
    }

    #[test]
    fn keys_are_read_as_people_write_them() {
        check("Enter", "Enter Enter 13 \\r");
        check(" return ", "Enter Enter 13 \\r");
        check("回车", "Enter Enter 13 \\r");
        check("空格键", "Space Space 32  ");
        check(" ", "Space Space 32  ");
        check("Page Down", "PageDown PageDown 34 -");
        check("arrow_left", "ArrowLeft ArrowLeft 37 -");
        check("f12", "F12 F12 123 -");
        check("a", "a KeyA 65 a");
        check("A", "Shift+A KeyA 65 A");
        check("?", "Shift+? Slash 191 ?");
        check("+", "Shift++ Equal 187 +");
        check("KeyQ", "q KeyQ 81 q");
        check("Numpad7", "7 Numpad7 103 7");
    }

    #[test]
    fn chords_are_read_as_people_write_them() {
        check("Control+A", "Control+a KeyA 65 a");
        check("ctrl + shift + k", "Control+Shift+K KeyK 75 K");
        check("Cmd+C", "Meta+c KeyC 67 c");
        check("Ctl-V", "Control+v KeyV 86 v");
        check("Option+ArrowUp", "Alt+ArrowUp ArrowUp 38 -");
        check("Control++", "Control++ Equal 187 +");
        check("Shift+1", "Shift+! Digit1 49 !");
        check("Shift+Tab", "Shift+Tab Tab 9 -");
        check("Ctrl＋回车", "Control+Enter Enter 13 \\r");
        check("Shift", "Shift+ - 0 -");
    }

    #[test]
    fn what_is_no_key_is_named() {
        let hint = "names are such as Enter, Tab, Escape, ArrowDown, F5, a or Control+A";
        check("Entr", &format!("✗ `Entr` is not the name of a key; {hint}"));
        check("Control+Foo", &format!("✗ `Foo` is not the name of a key; {hint}"));
        check("hello", &format!("✗ `hello` is not the name of a key; {hint}"));
        check("a+b", "✗ `a+b` presses more than one key beside Control, Shift, Alt and Meta");
        check("", "✗ no key was named");
        check("F25", &format!("✗ `F25` is not the name of a key; {hint}"));
    }
}
