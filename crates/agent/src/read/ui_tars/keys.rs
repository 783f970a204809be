//! Keys as the grammar names them: in lower case, with blanks between those that are pressed together.

/// Their names, and ours. What is not in the list is a letter, a sign, or a name that the device knows.
const KEYS: &[(&[&str], &str)] = &[
    (&["ctrl", "control"], "Control"),
    (&["shift"], "Shift"),
    (&["alt", "option"], "Alt"),
    (&["cmd", "command", "meta", "win", "windows", "super"], "Meta"),
    (&["enter", "return"], "Enter"),
    (&["esc", "escape"], "Escape"),
    (&["del", "delete"], "Delete"),
    (&["backspace"], "Backspace"),
    (&["tab"], "Tab"),
    (&["space", "spacebar"], "Space"),
    (&["up", "arrowup", "uparrow", "arrow_up"], "ArrowUp"),
    (&["down", "arrowdown", "downarrow", "arrow_down"], "ArrowDown"),
    (&["left", "arrowleft", "leftarrow", "arrow_left"], "ArrowLeft"),
    (&["right", "arrowright", "rightarrow", "arrow_right"], "ArrowRight"),
    (&["pageup", "page_up", "pgup"], "PageUp"),
    (&["pagedown", "page_down", "pgdn"], "PageDown"),
    (&["home"], "Home"),
    (&["end"], "End"),
    (&["insert", "ins"], "Insert"),
    (&["capslock", "caps_lock"], "CapsLock"),
];

/// Two words that are one key.
const PAIRS: &[(&str, &str)] = &[
    ("page up", "pageup"),
    ("page down", "pagedown"),
    ("arrow up", "up"),
    ("arrow down", "down"),
    ("arrow left", "left"),
    ("arrow right", "right"),
    ("caps lock", "capslock"),
];

/// The chord in our names, `Control+Shift+T`. `None` when no key is named.
pub(super) fn chord(written: &str) -> Option<String> {
    // A line break is what the Enter key types.
    if written.contains('\n') && written.trim().is_empty() {
        return Some("Enter".to_owned());
    }
    let mut written = written.trim().to_lowercase();
    for (pair, key) in PAIRS {
        written = written.replace(pair, key);
    }
    let mut parts: Vec<&str> = written.split_whitespace().flat_map(joined).collect();
    // `ctrl + c`: the plus stands between two keys.
    if parts.len() > 2 {
        let last = parts.len() - 1;
        parts =
            parts.iter().enumerate().filter(|(i, part)| **part != "+" || *i == last).map(|(_, part)| *part).collect();
    }
    let held = parts.len() > 1;
    let keys: Vec<String> = parts.into_iter().map(|part| named(part, held)).collect();
    (!keys.is_empty()).then(|| keys.join("+"))
}

/// `ctrl+c` and `ctrl-c`, where the sign joins two keys.
fn joined(part: &str) -> Vec<&str> {
    let is_key = |name: &str| KEYS.iter().any(|(names, _)| names.contains(&name));
    for sign in ['+', '-'] {
        let pieces: Vec<&str> = part.split(sign).collect();
        if let [held @ .., last] = pieces.as_slice()
            && !held.is_empty()
            && !last.is_empty()
            && held.iter().all(|piece| is_key(piece))
        {
            return pieces;
        }
    }
    vec![part]
}

fn named(part: &str, held: bool) -> String {
    if let Some((_, ours)) = KEYS.iter().find(|(names, _)| names.contains(&part)) {
        return (*ours).to_owned();
    }
    let is_function = part.len() > 1 && part.starts_with('f') && part[1..].bytes().all(|b| b.is_ascii_digit());
    if is_function || held && part.chars().count() == 1 { part.to_uppercase() } else { part.to_owned() }
}
