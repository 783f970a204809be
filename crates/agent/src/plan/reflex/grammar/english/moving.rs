//! Clauses about where things are: pages, scrolling, waiting, dragging.

use super::super::values::{address, duration_ms};
use super::{Cx, Parsed, Why, Word, check_en, click, ends, find, repeated, slice, starts, target, value};
use crate::locate::tree::Purpose;
use crate::locate::tree::phrase::english;
use crate::plan::reflex::messages;
use crate::plan::reflex::step::{Press, Step};
use handeye_core::{Direction, ScrollKind};

/// `open https://…`, `open the File menu`.
pub(super) fn open(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    if let Some(url) = address(&value(cx, rest)) {
        return Ok(Step::Go { url }.into());
    }
    click(cx, rest, Press::Once)
}

pub(super) fn go_to(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let low: Vec<&str> = rest
        .iter()
        .map(|w| w.low.as_str())
        .filter(|w| !matches!(*w, "the" | "url" | "address" | "website" | "site"))
        .collect();
    if let Some(url) = rest.iter().rev().find_map(|w| address(&cx.quotes.value(&cx.text[w.start..w.end])))
        && (low.len() == 1 || rest.len() <= 3)
    {
        return Ok(Step::Go { url }.into());
    }
    let text = low.join(" ");
    match text.as_str() {
        "previous page" | "last page visited" | "page before" => return Ok(Step::Back.into()),
        _ => {}
    }
    if let Some(step) = scroll_edge(&low) {
        return Ok(step.into());
    }
    // `the Settings page`: a link or tab of that name.
    let rest = match rest {
        [name @ .., last]
            if !name.is_empty()
                && matches!(last.low.as_str(), "page" | "screen" | "view")
                && low.len() > 1
                && !matches!(low[0], "next" | "previous") =>
        {
            name
        }
        all => all,
    };
    click(cx, rest, Press::Once)
}

pub(super) fn scroll_edge(low: &[&str]) -> Option<Step> {
    let words: Vec<&str> = low
        .iter()
        .copied()
        .filter(|w| {
            !matches!(*w, "the" | "very" | "all" | "way" | "to" | "page" | "of" | "down" | "up" | "on" | "this")
        })
        .collect();
    let to = match words.as_slice() {
        ["bottom" | "end"] => ScrollKind::ScrollToBottom,
        ["top" | "beginning" | "start"] => ScrollKind::ScrollToTop,
        _ => return None,
    };
    Some(Step::Scroll { direction: Direction::Down, to, distance: None, area: None, times: 1 })
}

pub(super) fn scroll(cx: &Cx<'_>, rest: &[Word]) -> Option<Step> {
    let low: Vec<&str> = rest.iter().map(|w| w.low.as_str()).collect();
    if let Some(step) = scroll_edge(&low) {
        return Some(step);
    }
    // `to the bottom of the list`
    for (edge, to) in [
        ("bottom", ScrollKind::ScrollToBottom),
        ("end", ScrollKind::ScrollToBottom),
        ("top", ScrollKind::ScrollToTop),
        ("beginning", ScrollKind::ScrollToTop),
    ] {
        for joint in ["of", "in", "inside"] {
            if let Some((_, end)) = find(rest, &format!("{edge} {joint}")) {
                let area = target(cx, &rest[end..], Purpose::Hold)?;
                return Some(Step::Scroll {
                    direction: Direction::Down,
                    to,
                    distance: None,
                    area: Some(area),
                    times: 1,
                });
            }
        }
    }
    // `the list to the bottom`
    for (tail, to) in [
        ("all the way to the bottom", ScrollKind::ScrollToBottom),
        ("all the way to the end", ScrollKind::ScrollToBottom),
        ("all the way down", ScrollKind::ScrollToBottom),
        ("all the way to the top", ScrollKind::ScrollToTop),
        ("all the way up", ScrollKind::ScrollToTop),
        ("to the very bottom", ScrollKind::ScrollToBottom),
        ("to the bottom", ScrollKind::ScrollToBottom),
        ("to its bottom", ScrollKind::ScrollToBottom),
        ("to the end", ScrollKind::ScrollToBottom),
        ("to the top", ScrollKind::ScrollToTop),
        ("to its top", ScrollKind::ScrollToTop),
        ("to the beginning", ScrollKind::ScrollToTop),
    ] {
        if let Some(at) = ends(rest, tail).filter(|at| *at > 0)
            && !matches!(rest[0].low.as_str(), "down" | "up")
        {
            let area = target(cx, &rest[..at], Purpose::Hold)?;
            return Some(Step::Scroll { direction: Direction::Down, to, distance: None, area: Some(area), times: 1 });
        }
    }
    let (mut words, times) = repeated(rest);
    if let Some(n) = starts(words, "the page") {
        words = &words[n..];
    }
    let direction = match words.first().map(|w| w.low.as_str()) {
        Some("down" | "downwards" | "downward") => Some(Direction::Down),
        Some("up" | "upwards" | "upward") => Some(Direction::Up),
        Some("left") => Some(Direction::Left),
        Some("right") => Some(Direction::Right),
        _ => None,
    };
    if direction.is_some() {
        words = &words[1..];
    }
    for lead in ["until you see", "until you find", "until", "till", "down to", "to", "so that"] {
        if let Some(n) = starts(words, lead) {
            return Some(Step::ScrollTo { target: target(cx, without_sight(&words[n..]), Purpose::Point)? });
        }
    }
    let once = |direction, distance, area| {
        Some(Step::Scroll { direction, to: ScrollKind::SingleAction, distance, area, times })
    };
    for place in ["in", "inside", "within", "on"] {
        if let Some(n) = starts(words, place) {
            return once(direction.unwrap_or_default(), None, Some(target(cx, &words[n..], Purpose::Hold)?));
        }
    }
    let rest: Vec<&str> = words.iter().map(|w| w.low.as_str()).collect();
    let text = rest.join(" ");
    let text = text.strip_prefix("by ").unwrap_or(&text);
    if matches!(
        text,
        "" | "a bit" | "a little" | "a page" | "one page" | "one screen" | "a screen" | "the page" | "page"
    ) {
        return once(direction.unwrap_or_default(), None, None);
    }
    let amount = ["pixels", "pixel", "px", "points"].iter().find_map(|u| text.strip_suffix(u))?;
    let distance: f64 = amount.trim().parse().ok().filter(|d: &f64| (1.0..=100_000.0).contains(d))?;
    once(direction.unwrap_or_default(), Some(distance), None)
}

/// `X is visible`, `X appears`: X.
pub(super) fn without_sight(words: &[Word]) -> &[Word] {
    for end in [
        "is visible",
        "is in view",
        "appears",
        "comes into view",
        "is shown",
        "is displayed",
        "shows up",
        "can be seen",
        "into view",
    ] {
        if let Some(at) = ends(words, end) {
            return &words[..at];
        }
    }
    words
}

pub(super) fn reload(rest: &[Word]) -> Option<Step> {
    let low: Vec<&str> = rest.iter().map(|w| w.low.as_str()).collect();
    matches!(low.as_slice(), [] | ["the" | "this", "page" | "tab" | "site"] | ["page"] | ["the", "current", "page"])
        .then_some(Step::Reload)
}

/// `go back`, `return to the previous page`, `go back to Home`.
pub(super) fn go_back(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let low: Vec<&str> =
        rest.iter().map(|w| w.low.as_str()).filter(|w| !matches!(*w, "the" | "one" | "a" | "to")).collect();
    match low.as_slice() {
        [] | ["previous" | "last" | "prior", "page" | "screen"] | ["page"] | ["page", "before"] => {
            Ok(Step::Back.into())
        }
        _ => match starts(rest, "to") {
            Some(n) => go_to(cx, &rest[n..]),
            None => Err(Why::new()),
        },
    }
}

pub(super) fn wait(cx: &Cx<'_>, verb: &[Word], rest: &[Word]) -> Result<Parsed, Why> {
    let mut words = rest;
    // `until` needs to say what happens, `for` only a thing.
    let until = verb.iter().chain(rest.first()).any(|w| matches!(w.low.as_str(), "until" | "till"));
    for lead in ["for about", "about", "for", "until", "till"] {
        if let Some(n) = starts(words, lead) {
            words = &words[n..];
            break;
        }
    }
    if let Some(ms) = duration_ms(slice(cx, words)) {
        return Ok(Step::Sleep { ms }.into());
    }
    let low: Vec<&str> = words
        .iter()
        .map(|w| w.low.as_str())
        .filter(|w| !matches!(*w, "the" | "is" | "has" | "to" | "be" | "been"))
        .collect();
    if matches!(
        low.as_slice(),
        ["page" | "site" | "it" | "everything", "load" | "loads" | "loaded" | "finish" | "ready" | "finishes", ..]
    ) {
        return Ok(Step::Sleep { ms: 1000 }.into());
    }
    let step = check_en::read_wait(cx.text, cx.quotes, words, until).ok_or(Why::from(messages::WAIT_UNREAD))?;
    Ok(step.into())
}

pub(super) fn drag(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    let joints = ["on top of", "onto", "into", "over to", "to", "over", "on", "in"];
    let mut best: Option<Parsed> = None;
    for joint in joints {
        for at in 1..rest.len() {
            let Some(n) = starts(&rest[at..], joint) else { continue };
            let head = match &rest[..at] {
                [head @ .., and, drop] if and.low == "and" && drop.low == "drop" => head,
                [head @ .., and, drop, it] if and.low == "and" && drop.low == "drop" && it.low == "it" => head,
                head => head,
            };
            let tail = &rest[at + n..];
            // `from To do to Done`: the first `to` is a part of a name.
            if head.last().is_some_and(|w| w.low == "from") {
                continue;
            }
            // `drag X from A into B`: where X is.
            let placed = find(head, "from").and_then(|(at, end)| {
                let holder = english::read_place(cx.text, cx.quotes, &head[end..])?;
                let from = target(cx, &head[..at], Purpose::Point)?.inside(&holder);
                Some(Step::Drag { from, to: target(cx, tail, Purpose::Point)? })
            });
            if let Some(step) = placed {
                best = Some(step.into());
                break;
            }
            if let (Some(from), Some(to)) = (target(cx, head, Purpose::Point), target(cx, tail, Purpose::Point)) {
                // `drag the slider to 50` sets a value.
                let value_text = value(cx, tail);
                let number = value_text.trim_end_matches('%').parse::<f64>().is_ok();
                if number && !tail[0].is_quote() && joint == "to" {
                    return Ok(
                        Step::Set { target: from.for_purpose(Purpose::Type), value: value_text, quoted: false }.into()
                    );
                }
                best = Some(Step::Drag { from, to }.into());
            }
            if best.is_some() {
                break;
            }
        }
        if best.is_some() {
            break;
        }
    }
    best.ok_or(Why::from(messages::DRAG_WHAT))
}

/// `find the contact George Miller in the list`: it has to be there, and comes into view.
pub(super) fn find_it(cx: &Cx<'_>, rest: &[Word]) -> Result<Parsed, Why> {
    if rest.iter().any(|w| matches!(w.low.as_str(), "and" | "," | "that" | "which")) {
        return Err(Why::new());
    }
    let target = target(cx, rest, Purpose::Point).ok_or(Why::from(messages::UNSURE))?;
    Ok(Step::ScrollTo { target }.into())
}
