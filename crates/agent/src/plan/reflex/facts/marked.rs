//! Messages that a page marks as such: errors, toasts, notices.

use crate::locate::tree::{self, Found, Index, Purpose, Wanted};

/// What `an error message`, `a toast` means: something that the page marks as such, under the named element if one is named.
pub(super) fn message(index: &Index<'_>, wanted: &Wanted) -> Option<usize> {
    let kinds: &[(&str, &[&str])] = &[
        ("error", &["error", "invalid", "danger", "alert", "warning"]),
        ("validation", &["error", "invalid", "danger", "alert", "warning"]),
        ("warning", &["warning", "alert", "danger", "error"]),
        ("toast", &["toast", "snackbar", "notification", "alert"]),
        ("notification", &["toast", "snackbar", "notification", "alert"]),
        ("alert", &["alert", "error", "warning"]),
        ("success", &["success", "toast", "notification", "alert"]),
        ("confirmation", &["success", "confirm", "toast", "notification", "alert"]),
        ("notice", &["notice", "notification", "alert"]),
    ];
    let mut reading = Some(wanted);
    while let Some(one) = reading {
        reading = one.or.as_deref();
        let words = one.words.to_lowercase();
        let said: Vec<&str> = words.split_whitespace().filter(|w| !matches!(*w, "a" | "an" | "the" | "some")).collect();
        let (Some(first), true) =
            (said.first(), said.len() <= 2 && said.iter().skip(1).all(|w| *w == "message" || *w == "error"))
        else {
            continue;
        };
        let Some((_, hints)) = kinds.iter().find(|(kind, _)| kind == first) else { continue };
        let below = match &one.near {
            Some((_, anchor)) => match tree::find(index, &anchor.as_ref().clone().for_purpose(Purpose::Read)) {
                Found::One(found) => Some(found.index),
                _ => continue,
            },
            None => None,
        };
        let fits = |i: usize| {
            let node = index.node(i);
            let marked = matches!(node.role.as_str(), "alert" | "alertdialog" | "status")
                || hints.iter().any(|h| node.hint.to_lowercase().contains(h)) && !node.interactive;
            let near = below.is_none_or(|b| {
                let (field, text) = (index.node(b).rect, node.rect);
                text.top > field.top && text.top - field.bottom() < 60.0 && text.left < field.right() + 40.0
            });
            marked && near && !node.rect.is_empty() && index.text(i).is_some_and(|t| !t.trim().is_empty())
        };
        if let Some(found) = (0..index.len()).find(|&i| fits(i)) {
            return Some(found);
        }
    }
    None
}

/// Nouns for a text that is nothing more than said somewhere.
pub(super) fn is_any_message(wanted: &Wanted) -> bool {
    let known = [
        "answer",
        "message",
        "text",
        "result",
        "output",
        "response",
        "reply",
        "notice",
        "note",
        "confirmation",
        "summary",
        "feedback",
        "footer",
        "header",
        "counter",
        "banner",
    ];
    let words = wanted.words.to_lowercase();
    let here = known.contains(&words.as_str()) && wanted.within.is_none() && wanted.near.is_none();
    here || wanted.or.as_deref().is_some_and(is_any_message)
}

/// What says that something is being loaded, for `the loading message`, `加载提示`.
pub(super) fn loading(index: &Index<'_>, wanted: &Wanted) -> Option<usize> {
    const SPOKEN: &[&str] = &["loading", "loader", "spinner", "progress", "加载", "载入", "转圈", "进度"];
    const SHOWN: &[&str] = &["loading", "please wait", "加载中", "正在加载", "载入中", "请稍", "处理中"];
    let speaks = |w: &Wanted| !w.quoted && SPOKEN.iter().any(|s| w.words.to_lowercase().contains(s));
    if !wanted.readings().any(speaks) {
        return None;
    }
    let shows = |i: &usize| {
        let node = index.node(*i);
        let name = node.name.to_lowercase();
        let short = name.chars().count() < 40 && !node.interactive;
        node.role == "progressbar" || short && SHOWN.iter().any(|s| name.contains(s))
    };
    (0..index.len()).find(shows)
}

/// What asks a question, for `the prompt`, `提示`: a dialog, or a bubble with buttons in it.
pub(super) fn asks(index: &Index<'_>, wanted: &Wanted) -> Option<usize> {
    const SPOKEN: &[&str] =
        &["提示", "确认", "确认提示", "提示信息", "气泡", "确认气泡", "提示框", "prompt", "confirmation", "popconfirm"];
    if !wanted.readings().any(|w| !w.quoted && SPOKEN.contains(&w.words.to_lowercase().as_str())) {
        return None;
    }
    (0..index.len()).find(|&i| is_question(index, i))
}

/// A dialog, or a bubble with buttons in it.
pub(super) fn is_question(index: &Index<'_>, i: usize) -> bool {
    match index.node(i).role.as_str() {
        "dialog" | "alertdialog" => true,
        "tooltip" => index.subtree(i).into_iter().any(|m| m != i && index.node(m).role == "button"),
        _ => false,
    }
}
