//! From what was seen after an input to the verdict on it. Pure.

mod arrival;
mod drag;

pub(super) use arrival::Lost;
use drag::Ended;

use super::page::World;
use handeye_core::{Changes, Dialog, DialogKind, Effect, InputMode, Verdict};
use serde::Deserialize;

/// What an action is for, and so what confirms it.
#[derive(Clone, Debug)]
pub(super) enum Expect {
    /// A click, which has to arrive, and something happens.
    Click,
    /// The button is held for a while, and something happens.
    Hold,
    /// Something goes to where it was dropped. `refused`: the page's own drag and drop takes nothing there.
    Drag { refused: bool },
    /// A key was pressed: moving the focus or the caret is what many keys are for.
    Key,
    /// Something was typed that cannot be read back: only what happens tells, and nothing need happen.
    Blind,
    /// The pointer rests on it; a menu may open a moment later.
    Hover,
    /// The field holds a text. `document` and `id` name the field.
    Field { world: World, id: u64, want: String, mode: InputMode },
    /// The list shows an option.
    Option { world: World, id: u64, option: String },
    /// What was clicked is in a state: it is `checked`, say.
    State { world: World, id: u64, key: String, says: String },
    /// The verdict was known at once: it was read back by the action itself.
    Known,
    /// Another page is there; that it is says the verdict already.
    Page,
}

impl Expect {
    /// How many milliseconds from the input on it is looked at in any case: pages put lists back a moment later.
    pub(super) fn dwell(&self) -> u64 {
        if matches!(self, Self::Option { .. }) { 150 } else { 0 }
    }

    /// What is still true, if it was true when the wait was over: a field's content, a list's choice, the state of a box.
    pub(super) fn kept(&self, world: Option<&World>, report: &Report) -> Option<Self> {
        match self {
            Self::Field { .. } | Self::Option { .. } => Some(self.clone()),
            Self::Click => {
                let of_box = |s: &&StateOf| s.changed && matches!(s.key.as_str(), "checked" | "pressed");
                let StateOf { key, says, .. } = report.state.iter().find(of_box)?.clone();
                Some(Self::State { world: world?.clone(), id: report.id, key, says })
            }
            _ => None,
        }
    }

    /// When nothing happened, how many milliseconds from the input on it is worth looking for something.
    pub(super) fn patience(&self) -> u64 {
        match self {
            Self::Click | Self::Hold | Self::Drag { .. } | Self::Key | Self::Blind => 1200,
            Self::Hover => 300,
            _ => 0,
        }
    }
}

/// What the page's script saw since the input: `report` of `js/watch.js`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Report {
    /// `idle` or `cap`.
    pub(super) by: String,
    pub(super) busy: String,
    pub(super) changes: u32,
    pub(super) scroll: bool,
    pub(super) events: Vec<String>,
    pub(super) url: Option<String>,
    /// Fields whose value changed.
    pub(super) values: u32,
    /// `textbox "Name" holds "x"`, when it is one.
    pub(super) value: Option<String>,
    /// Dialogs, menus and the like that opened.
    pub(super) opened: Vec<String>,
    /// What has the focus now, when that changed; empty when nothing has it.
    pub(super) focus: Option<String>,
    /// What has the focus takes text.
    pub(super) field: bool,
    /// What has the focus is what was aimed at.
    pub(super) own: bool,
    /// The field that was aimed at had the focus before and has it still.
    pub(super) kept: Option<String>,
    pub(super) caret: bool,
    /// The element that was aimed at is no more.
    pub(super) gone: bool,
    /// The number of the element that was aimed at.
    pub(super) id: u64,
    pub(super) state: Vec<StateOf>,
    /// Something of it is certainly the input's doing: it was seen in the input's own task, or the browser says so.
    pub(super) sure: bool,
    /// The input's own tasks: from and to, in milliseconds of the world's clock.
    pub(super) spans: Vec<(f64, f64)>,
    /// The canvas that was aimed at shows something else since the input's own task.
    pub(super) drawn: bool,
    /// Where the browser painted something new because of the input, although the document tells of no change.
    pub(super) painted: Option<String>,
    /// The focus moved in the input's own task.
    pub(super) moved: bool,
    /// Fields at which the browser's own validation stopped a form.
    pub(super) refused: Vec<Refusal>,
    /// It told of an input or a change.
    pub(super) touched: bool,
    /// It is of a document that was told of the input beforehand.
    pub(super) aimed: bool,
    /// The click arrived at what was aimed at.
    pub(super) arrived: bool,
    /// Something else took it.
    pub(super) lost: Option<Lost>,
    /// Where the thing that was dragged stands now.
    pub(super) ended: Option<Ended>,
    /// What was set, read once more.
    pub(super) again: Option<serde_json::Value>,
    /// A field had the focus before the input and has it no more.
    pub(super) left: bool,
    /// It draws with a canvas or shows a video: its pixels change without its document.
    pub(super) draws: bool,
    /// It is a radio button that is chosen.
    pub(super) radio: bool,
    /// Where the document changed.
    #[serde(rename = "where")]
    pub(super) places: Vec<String>,
    /// Texts that were not there before, as the page wrote them.
    pub(super) says: Vec<String>,
}

impl Report {
    /// `the page now says "Saved"`.
    fn now_says(&self) -> Option<String> {
        let texts: Vec<String> = self.says.iter().take(3).map(|t| format!("{t:?}")).collect();
        (!texts.is_empty()).then(|| format!("the page now says {}", texts.join(", ")))
    }
}

/// A field that the browser's own validation refused.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Refusal {
    pub(super) on: String,
    /// What the browser shows beside it.
    pub(super) says: String,
}

/// One state of the element that was aimed at.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct StateOf {
    pub(super) key: String,
    pub(super) changed: bool,
    /// It changed at once, and is as before again.
    pub(super) flipped: bool,
    /// `checked`, `not checked`.
    pub(super) says: String,
}

/// The report of the document that was aimed at, with those of the documents around it.
pub(super) fn merge(all: Option<Report>, one: Report) -> Report {
    let Some(mut all) = all else { return one };
    all.changes += one.changes;
    all.scroll |= one.scroll;
    all.values += one.values;
    all.value = if all.values == 1 { all.value.or(one.value) } else { None };
    all.opened.extend(one.opened);
    all.places.extend(one.places);
    all.says.extend(one.says);
    all.events.extend(one.events);
    all.sure |= one.sure;
    all.spans.extend(one.spans);
    all.drawn |= one.drawn;
    all.painted = all.painted.or(one.painted);
    all.refused.extend(one.refused);
    all.caret |= one.caret;
    all.touched |= one.touched;
    all.radio |= one.radio;
    all.gone |= one.gone;
    all.aimed |= one.aimed;
    all.arrived |= one.arrived;
    all.lost = all.lost.or(one.lost);
    all.left |= one.left;
    all.ended = all.ended.or(one.ended);
    all.again = all.again.or(one.again);
    all.draws |= one.draws;
    // The outer document sees only that the frame has the focus: what is inside says more.
    if one.focus.is_some() {
        (all.focus, all.field, all.own, all.moved) = (one.focus, one.field, one.own, one.moved);
    }
    all.kept = all.kept.or(one.kept);
    all.state.extend(one.state);
    if one.by == "cap" {
        (all.by, all.busy) = (one.by, one.busy);
    }
    all
}

/// Everything that is known when the wait is over.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) report: Report,
    pub(super) dialog: Option<Dialog>,
    /// The address of a tab that opened.
    pub(super) opened: Option<String>,
    pub(super) closed: bool,
    /// The address of a new document.
    pub(super) document: Option<String>,
    /// ` (the server answered 404 Not Found)`, when it failed.
    pub(super) status: String,
    /// The address, changed without a new document.
    pub(super) url: Option<String>,
    /// A document was asked for and has not come yet.
    pub(super) leaving: bool,
    pub(super) downloads: bool,
    pub(super) chooser: bool,
    /// The files that the chooser was given.
    pub(super) given: Option<String>,
    /// Parts of the screen that changed although the document did not: what a canvas draws.
    pub(super) drawn: usize,
    pub(super) requests: u32,
    /// Something was asked for in the input's own tasks.
    pub(super) asked: bool,
    /// A frame was sent to another address by a link or a form.
    pub(super) frames: bool,
    /// What happened around the document may have come without the input: the page has done the same by itself.
    pub(super) doubtful: bool,
    /// Something else took the input.
    pub(super) lost: Option<Lost>,
}

impl Facts {
    /// Anything that a person would see, and that is no mere side effect of the pointer or the focus.
    pub(super) fn is_visible(&self) -> bool {
        !self.report.refused.is_empty() || evidence(self).is_some()
    }

    /// Something that is certainly the input's doing, so that nothing more needs to be waited for.
    pub(super) fn is_sure(&self) -> bool {
        !self.report.refused.is_empty()
            || self.lost.as_ref().is_some_and(Lost::is_final)
            || evidence(self).is_some_and(|e| e.sure)
    }

    /// What happened around the document: the strongest evidence there is.
    fn around(&self) -> Option<String> {
        if let Some(dialog) = &self.dialog {
            return Some(told(dialog));
        }
        if let Some(url) = &self.opened {
            return Some(if url.is_empty() { "a tab opened".to_owned() } else { format!("a tab opened: {url}") });
        }
        if self.closed {
            return Some("the tab was closed".to_owned());
        }
        if let Some(url) = &self.document {
            return Some(format!("the page went to {url}{}", self.status));
        }
        if let Some(url) = &self.url {
            return Some(format!("the address changed to {url}"));
        }
        if self.leaving {
            return Some("another page is on its way".to_owned());
        }
        if self.downloads {
            return Some("a download began".to_owned());
        }
        if let Some(files) = &self.given {
            return Some(format!("a file chooser opened and was given {files}"));
        }
        self.chooser.then(|| "a file chooser opened".to_owned())
    }

    pub(super) fn changes(&self) -> Changes {
        let r = &self.report;
        Changes {
            mutations: r.changes,
            url: self.document.clone().or_else(|| self.url.clone()),
            focus: r.focus.is_some(),
            scroll: r.scroll,
            value: r.values > 0 || r.state.iter().any(|s| s.changed),
            opened: self.opened.is_some() || !r.opened.is_empty(),
            dialog: self.dialog.is_some(),
            drawn: self.drawn > 0,
            requests: self.requests,
        }
    }
}

/// What a dialog said and what became of it: one that was dismissed usually means that nothing was done.
fn told(dialog: &Dialog) -> String {
    let end = match (dialog.kind, dialog.accepted) {
        (DialogKind::Alert, _) => "",
        (_, true) => " and was answered with OK",
        (_, false) => " and was dismissed (--dialogs accept answers it with OK)",
    };
    format!("dialog {:?} opened{end}", handeye_core::text::clip(&dialog.message, 120))
}

/// Events of the page that are a consequence by themselves.
const TELLING: [&str; 7] = ["copy", "cut", "paste", "play", "pause", "submit", "fullscreenchange"];

/// The verdict on an action, from the one that was given at once and what was seen since.
pub(super) fn conclude(expect: &Expect, first: Effect, facts: &Facts) -> Effect {
    let on = first.on.clone();
    let verdict = match expect {
        Expect::Page if facts.dialog.is_none() => return first,
        Expect::Hover => {
            return match evidence(facts) {
                Some(seen) => Effect { because: format!("{}; {}", first.because, seen.says), ..first },
                None => first,
            };
        }
        Expect::Page | Expect::Known | Expect::Field { .. } | Expect::Option { .. } | Expect::State { .. } => {
            // The action itself is confirmed or not; what came with it is worth telling.
            return match facts.around().or_else(|| facts.report.now_says()) {
                Some(also) if first.is_confirmed() => Effect { because: format!("{}; {also}", first.because), ..first },
                _ => first,
            };
        }
        Expect::Blind => match something(facts) {
            Some(effect) => Some(effect),
            None => return first,
        },
        Expect::Click | Expect::Hold | Expect::Drag { .. } => {
            let lost = facts.lost.as_ref().and_then(|lost| lost.verdict(facts, on.as_deref().unwrap_or("it")));
            lost.or_else(|| drag::verdict(expect, facts)).or_else(|| refused(facts)).or_else(|| something(facts))
        }
        Expect::Key => refused(facts).or_else(|| match something(facts) {
            Some(effect) if effect.verdict == Verdict::Unverified => key(&facts.report).or(Some(effect)),
            other => other.or_else(|| key(&facts.report)),
        }),
    };
    let mut effect = verdict.unwrap_or_else(|| {
        let arrived =
            if facts.report.arrived && matches!(expect, Expect::Click) { "the click arrived, and " } else { "" };
        Effect::new(Verdict::NoOpSuspected, format!("{arrived}nothing on the page changed"))
    });
    effect.on = on;
    effect
}

/// The browser itself stopped the form and shows at which field: nothing was sent.
fn refused(facts: &Facts) -> Option<Effect> {
    let fields = &facts.report.refused;
    if fields.is_empty() || facts.around().is_some() {
        return None;
    }
    let told = fields.iter().take(3).map(|f| format!("{}: {:?}", f.on, f.says)).collect::<Vec<_>>().join(", ");
    let more = if fields.len() > 3 { format!(" and {} more", fields.len() - 3) } else { String::new() };
    Some(Effect::new(Verdict::Refused, format!("the form was not sent, as the browser asks to mend {told}{more}")))
}

/// What was seen, and whether it is certainly the input's doing.
struct Evidence {
    says: String,
    sure: bool,
}

/// The evidence, and what the page says about it.
fn with_texts(evidence: String, report: &Report) -> String {
    match report.now_says() {
        Some(says) => format!("{evidence}; {says}"),
        None => evidence,
    }
}

/// What happened by itself at that moment must never pass for a consequence.
fn something(facts: &Facts) -> Option<Effect> {
    let r = &facts.report;
    if facts.document.as_deref().is_some_and(|url| url.starts_with("chrome-error:")) {
        return Some(Effect::unverified("the page that it leads to could not be loaded"));
    }
    let unchanged = |s: &&StateOf| s.flipped || (r.touched && !r.radio && s.key == "checked" && !s.changed);
    if facts.around().is_none()
        && let Some(state) = r.state.iter().find(unchanged)
    {
        return Some(Effect::new(Verdict::Reverted, format!("it went back to {} at once", state.says)));
    }
    evidence(facts).map(|seen| {
        if seen.sure {
            Effect::confirmed(seen.says)
        } else {
            Effect::unverified(format!("{}, which may have happened by itself", seen.says))
        }
    })
}

fn evidence(facts: &Facts) -> Option<Evidence> {
    let r = &facts.report;
    let sure = r.sure || facts.asked || facts.frames;
    let seen = |says: String| Some(Evidence { says, sure });
    if let Some(says) = facts.around() {
        return Some(Evidence { says, sure: sure || !facts.doubtful });
    }
    if let Some(state) = r.state.iter().find(|s| s.changed && !s.says.is_empty()) {
        return seen(with_texts(format!("it is now {}", state.says), r));
    }
    if r.radio && r.state.iter().any(|s| s.key == "checked") {
        return Some(Evidence { says: "it is selected, as it was before".to_owned(), sure: true });
    }
    if let Some(opened) = r.opened.first() {
        return seen(with_texts(format!("{opened} opened"), r));
    }
    if let Some(value) = &r.value {
        return seen(value.clone());
    }
    let mut list = changes_of(r);
    let mut sure = sure;
    // A button takes the focus even when it does nothing: only a field that is ready for text counts.
    match &r.focus {
        Some(focus) if !focus.is_empty() && (r.field || !r.own) => {
            list.push(format!("focus moved to {focus}"));
            sure |= r.moved;
        }
        _ => {}
    }
    if let Some(kept) = &r.kept {
        list.push(format!("focus is on {kept}"));
        sure = true;
    }
    if r.drawn || facts.drawn > 0 {
        list.push("what the page draws changed".to_owned());
    }
    if list.is_empty() && facts.requests > 0 {
        list.push(format!("the page sent {}", count(facts.requests, "request", "requests")));
    }
    if let (true, Some(at)) = (list.is_empty(), &r.painted) {
        let at = if at.is_empty() { String::new() } else { format!(" at {at}") };
        list.push(format!("something new is shown{at}"));
    }
    (!list.is_empty()).then(|| Evidence { says: list.join(", "), sure })
}

/// Changes of the document, each in words.
fn changes_of(r: &Report) -> Vec<String> {
    let mut list = Vec::new();
    if r.values > 0 {
        list.push(count(r.values, "field changed", "fields changed"));
    }
    if let Some(says) = r.now_says() {
        list.push(format!("{says} ({})", count(r.changes, "change", "changes")));
    } else if r.changes > 0 {
        let places = r.places.iter().take(2).cloned().collect::<Vec<_>>().join(", ");
        let at = if places.is_empty() { String::new() } else { format!(" (at {places})") };
        list.push(format!("{} of the page{at}", count(r.changes, "change", "changes")));
    }
    if r.scroll {
        list.push("the page scrolled".to_owned());
    }
    if let Some(event) = r.events.iter().find(|e| TELLING.contains(&e.as_str())) {
        list.push(format!("the page saw `{event}`"));
    }
    list
}

/// Something changed beside the place and the looks of what the input was for.
fn shows(facts: &Facts) -> bool {
    let Report { says, values, opened, state, events, focus, field, moved, drawn, .. } = &facts.report;
    facts.around().is_some()
        || facts.asked
        || facts.frames
        || *drawn
        || facts.drawn > 0
        || !says.is_empty()
        || *values > 0
        || !opened.is_empty()
        || state.iter().any(|s| s.changed)
        || events.iter().any(|e| TELLING.contains(&e.as_str()))
        || (*moved && *field && focus.is_some())
}

/// For keys, the focus and the caret are the point.
fn key(r: &Report) -> Option<Effect> {
    match &r.focus {
        Some(focus) if !focus.is_empty() => return Some(Effect::confirmed(format!("focus moved to {focus}"))),
        Some(_) => return Some(Effect::confirmed("focus left the element")),
        None => {}
    }
    r.caret.then(|| Effect::confirmed("the selection changed"))
}

fn count(n: u32, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests;
