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
    AltGr,
    Control,
    Meta,
    Shift,
}

impl Modifier {
    pub(super) fn bit(self) -> u8 {
        match self {
            Self::Alt => 1,
            // Control and Alt together, as a browser tells of it.
            Self::AltGr => 3,
            Self::Control => 2,
            Self::Meta => 4,
            Self::Shift => 8,
        }
    }
    pub(super) fn key(self) -> Key {
        let (name, code, number) = match self {
            Self::Alt => ("Alt", "AltLeft", 18),
            Self::AltGr => ("AltGraph", "AltRight", 18),
            Self::Control => ("Control", "ControlLeft", 17),
            Self::Meta => ("Meta", "MetaLeft", 91),
            Self::Shift => ("Shift", "ShiftLeft", 16),
        };
        let location = if self == Self::AltGr { 2 } else { 1 };
        Key { name: name.to_owned(), code: code.to_owned(), number, text: None, location }
    }
    fn named(folded: &str) -> Option<Self> {
        Some(match folded {
            "control" | "ctrl" | "ctl" | "控制键" | "控制" | "⌃" => Self::Control,
            "shift" | "上档键" | "⇧" => Self::Shift,
            "alt" | "option" | "opt" | "⌥" => Self::Alt,
            "altgr" | "altgraph" => Self::AltGr,
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

/// A name without what people write differently.
fn fold(name: &str) -> String {
    name.to_lowercase().chars().filter(|c| !c.is_whitespace() && *c != '_' && *c != '-').collect()
}

fn named(name: &str) -> Option<Key> {
    let folded = fold(name);
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
    let mut rest = match text {
        "\n" | "\r" | "\r\n" | "\\n" => "Enter",
        "\t" | "\\t" => "Tab",
        _ if text.trim().is_empty() => text,
        _ => text.trim(),
    };
    while let Some((modifier, tail)) = leading_modifier(rest) {
        if !modifiers.contains(&modifier) {
            modifiers.push(modifier);
        }
        rest = tail;
    }
    if rest.is_empty() {
        return if modifiers.is_empty() {
            Err("no key was named".to_owned())
        } else {
            Ok(Chord { modifiers, key: None })
        };
    }
    let Some((mut key, shift)) = single(rest) else {
        let several = rest.split(['+', '＋', ',']).map(str::trim).filter(|part| single(part).is_some()).count();
        return Err(if several > 1 {
            format!("`{text}` presses more than one key beside Control, Shift, Alt and Meta")
        } else {
            unknown(rest)
        });
    };
    if shift && modifiers.is_empty() {
        modifiers.push(Modifier::Shift);
    }
    apply_shift(&mut key, &modifiers);
    Ok(Chord { modifiers, key: Some(key) })
}

/// The modifier that a chord begins with, and what is joined to it: by a plus, a dash, a blank, or nothing after a sign as in
/// `⇧⌘P`.
fn leading_modifier(text: &str) -> Option<(Modifier, &str)> {
    let joins = |c: char| c.is_whitespace() || matches!(c, '+' | '＋' | '-');
    let first = text.chars().next().map_or(0, char::len_utf8);
    let word = text.find(joins).unwrap_or(text.len());
    let (modifier, end) = [word, first].into_iter().find_map(|end| {
        let name = text.get(..end)?.to_lowercase();
        Modifier::named(name.strip_suffix("key").unwrap_or(&name)).map(|modifier| (modifier, end))
    })?;
    let tail = text.get(end..).unwrap_or_default().trim_start();
    // Only one sign joins: the next one is the key, as in `Control++`.
    let tail = tail.strip_prefix(['+', '＋', '-']).unwrap_or(tail).trim_start();
    Some((modifier, if tail.eq_ignore_ascii_case("key") { "" } else { tail }))
}

/// One key, and whether the name itself asks for Shift.
fn single(part: &str) -> Option<(Key, bool)> {
    let bare = part.strip_suffix(" key").or_else(|| part.strip_suffix(" Key")).unwrap_or(part);
    let mut chars = bare.chars();
    let only = chars.next().filter(|_| chars.next().is_none());
    if let Some(found) = only.and_then(printable) {
        return Some(found);
    }
    let found = named(bare).or_else(|| fold(bare).strip_suffix("键").and_then(named)).map(|key| (key, false));
    // A letter that this keyboard has no key for is typed all the same.
    found.or_else(|| only.filter(|c| !c.is_control() && !c.is_whitespace()).map(|c| (letter(c), false)))
}

fn letter(c: char) -> Key {
    Key { name: c.to_string(), code: String::new(), number: 0, text: Some(c.to_string()), location: 0 }
}

/// That it is no key, and the names that are nearest to it.
fn unknown(part: &str) -> String {
    let folded = fold(part);
    let most = if folded.chars().count() < 6 { 1 } else { 2 };
    let mut near: Vec<(usize, &str)> = NAMED
        .iter()
        .flat_map(|(names, _, code, ..)| names.iter().map(move |name| (*name, *code)))
        .map(|(name, code)| (distance(&folded, name), code))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    near.sort_unstable();
    let mut names: Vec<&str> = Vec::new();
    for (_, code) in near {
        if !names.contains(&code) && names.len() < 3 {
            names.push(code);
        }
    }
    let hint = if names.is_empty() {
        "names are such as Enter, Tab, Escape, ArrowDown, F5, a or Control+A".to_owned()
    } else {
        format!("a name like it is {}", names.join(" or "))
    };
    format!("`{part}` is not the name of a key; {hint}")
}

/// How many letters have to be put in, left out or changed to get from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for ((j, y), pair) in b.iter().enumerate().zip(row.windows(2)) {
            let &[diagonal, above] = pair else { continue };
            let left = next.get(j).copied().unwrap_or_default();
            next.push((diagonal + usize::from(x != *y)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
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
        check("Enter key", "Enter Enter 13 \\r");
        check("a key", "a KeyA 65 a");
        check("\n", "Enter Enter 13 \\r");
        check("\t", "Tab Tab 9 -");
        check("é", "é  0 é");
        check("ß", "ß  0 ß");
        check("NumpadEnter", "Enter NumpadEnter 13 \\r");
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
        check("Shift key", "Shift+ - 0 -");
        check("control a", "Control+a KeyA 65 a");
        check("ctrl-shift-p", "Control+Shift+P KeyP 80 P");
        check("⌘K", "Meta+k KeyK 75 k");
        check("⇧⌘P", "Shift+Meta+P KeyP 80 P");
        check("⌘ + K", "Meta+k KeyK 75 k");
        check("shift page down", "Shift+PageDown PageDown 34 -");
        check("Control+-", "Control+- Minus 189 -");
        check("Ctrl--", "Control+- Minus 189 -");
        check("AltGr+q", "AltGr+q KeyQ 81 q");
    }

    #[test]
    fn what_is_no_key_is_named() {
        let hint = "names are such as Enter, Tab, Escape, ArrowDown, F5, a or Control+A";
        check("Entr", "✗ `Entr` is not the name of a key; a name like it is Enter");
        check("ctrl+arrwdown", "✗ `arrwdown` is not the name of a key; a name like it is ArrowDown");
        check("Pgup2", "✗ `Pgup2` is not the name of a key; a name like it is PageUp");
        check(
            "Control+A, Delete",
            "✗ `Control+A, Delete` presses more than one key beside Control, Shift, Alt and Meta",
        );
        check("Control+Foo", &format!("✗ `Foo` is not the name of a key; {hint}"));
        check("hello", &format!("✗ `hello` is not the name of a key; {hint}"));
        check("a+b", "✗ `a+b` presses more than one key beside Control, Shift, Alt and Meta");
        check("", "✗ no key was named");
        check("F25", &format!("✗ `F25` is not the name of a key; {hint}"));
    }
}
