//! Text into fields, of any script, exactly, and read back.

use super::super::page::{LOOK_WITHIN, Page, World};
use super::super::script::ScriptError;
use super::super::verdict::Expect;
use super::super::{WebDevice, fault};
use super::Aim;
use super::keymap::{self, Chord, Modifier};
use super::keys::strike;
use super::pointer::{Button, acknowledged};
use fault::Stop;
use handeye_core::text::clip;
use handeye_core::{Ctx, DeviceError, Effect, Element, InputMode, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

const WHAT: &str = "type into the field";
/// A click may open a field a moment later: it is waited for this long.
const FOCUS_MS: u64 = 400;
const INVALID: &str = ", which the page calls invalid";
/// A text of more characters is not typed key by key.
const MOST_KEYS: usize = 500;
/// Longer texts go in pieces, so that no single input blocks the page for long.
const PIECE: usize = 20_000;

/// What `field` of `js/field.js` gives.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Field {
    /// `plain`, `rich`, `whole`, `select` or `none`.
    kind: String,
    id: u64,
    on: Option<String>,
    multiline: bool,
    empty: bool,
    limit: Option<usize>,
    locked: Option<String>,
    proxy: bool,
    /// Blanks that follow each other are shown as one.
    collapses: bool,
    /// No field, but it has the focus and listens to keys.
    keys: bool,
    /// The caret could not be put behind the text: the End key does it.
    end: bool,
    /// The focus is in this iframe.
    frame: Option<i32>,
}

/// What `readBack` of `js/field.js` gives.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Held {
    /// `same`, `similar`, `before`, `empty`, `other` or `gone`.
    how: String,
    #[serde(rename = "held")]
    text: Option<String>,
    length: usize,
    /// It told of an input: what is not there any more was taken out by the page, which has it.
    took: bool,
    secret: bool,
    invalid: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Whole {
    gone: bool,
    refused: bool,
    example: String,
    held: String,
    /// The value in the form that the field takes.
    wanted: String,
    /// It holds that.
    kept: bool,
    invalid: bool,
}

/// The field that takes the text.
struct Focused {
    page: Arc<Page>,
    world: World,
    field: Field,
    on: String,
}

impl WebDevice {
    pub(in super::super) async fn type_text(
        &mut self,
        text: &str,
        mode: InputMode,
        element: Option<&Element>,
        cx: &Ctx,
    ) -> Result<Effect, Stop> {
        let mode = if mode == InputMode::Replace && text.is_empty() { InputMode::Clear } else { mode };
        let text = if mode == InputMode::Clear { "" } else { text };
        let aim = match element {
            Some(element) => Some(self.aim(element, Expect::Known, cx).await?),
            None => None,
        };
        if let (Some(element), true) = (element, aim.as_ref().is_some_and(|a| a.kind == "select" && !text.is_empty())) {
            return self.select(element, text, cx).await;
        }
        let Focused { page, world, field, on } = self.focus_field(aim, mode, cx).await?;
        if field.kind == "whole" {
            let (effect, held) = set_whole(&world, field.id, text, &on).await?;
            if let (Some(last), Some(want)) = (&mut self.last, held) {
                last.expect = Expect::Field { world, id: field.id, want, mode: InputMode::Replace };
            }
            return Ok(effect.on(on));
        }
        if field.kind == "opaque" || field.kind == "none" {
            return Ok(self.type_blindly(&page, text, mode, &field).await?.on(on));
        }
        let (text, dropped) = fitting(text, &field);
        if let Some(last) = &mut self.last {
            last.expect = Expect::Field { world: world.clone(), id: field.id, want: text.clone(), mode };
        }
        fill(&page, &world, &field, &text, mode).await?;
        let mut effect = match read_back(&world, field.id, &text, mode).await {
            Ok(held) if wants_keys(&held, &field, &text, mode) => {
                match self.type_again(&page, &world, &field, &text, mode).await? {
                    Some(effect) => effect,
                    None => judge(&held, &text, mode, false),
                }
            }
            Ok(held) => judge(&held, &text, mode, false),
            Err(ScriptError::DocumentGone) => Effect::unverified("typed it, and the page went on to another"),
            Err(error) => return Err(fault::script(WHAT, error).into()),
        };
        if dropped {
            effect.because.push_str("; the field takes one line, so line breaks became blanks");
        }
        Ok(effect.on(on))
    }

    /// Into something that cannot be read: an element that lets nobody look inside, or a page that listens to keys.
    async fn type_blindly(&mut self, page: &Page, text: &str, mode: InputMode, field: &Field) -> Result<Effect, Stop> {
        if let Some(last) = &mut self.last {
            last.expect = Expect::Blind;
        }
        if field.kind == "none" {
            // What listens to keys may take a chord for something else: nothing is selected first.
            type_keys(page, text, "Enter").await?;
            return Ok(Effect::unverified("typed it key by key; what is held there cannot be read"));
        }
        if matches!(mode, InputMode::Replace | InputMode::Clear) {
            strike(page, &fixed("Control+A")).await?;
        }
        if mode == InputMode::Clear {
            strike(page, &fixed("Delete")).await?;
        } else {
            type_lines(page, text, true).await?;
        }
        Ok(Effect::unverified("typed it; what is held there cannot be read"))
    }

    /// Once more into what has the focus now, key by key, in place of what came of the first time. `None` when that is no field.
    async fn type_again(
        &mut self,
        page: &Page,
        world: &World,
        first: &Field,
        text: &str,
        mode: InputMode,
    ) -> Result<Option<Effect>, Stop> {
        let args = json!({"mode": mode, "again": first.id});
        let field: Field = world.run("field", &args, LOOK_WITHIN).await.map_err(|e| fault::script(WHAT, e))?;
        if !matches!(field.kind.as_str(), "plain" | "rich") || field.locked.is_some() {
            return Ok(None);
        }
        if mode == InputMode::Replace {
            fill(page, world, &field, "", InputMode::Clear).await?;
            let left = read_back(world, field.id, "", InputMode::Clear).await;
            // What knows keys only knows no selection either.
            let left = left.map_or(0, |held| held.length).min(MOST_KEYS);
            for _ in 0..left {
                strike(page, &fixed("Backspace")).await?;
            }
        }
        type_keys(page, text, "Enter").await?;
        if let Some(last) = &mut self.last {
            last.expect = Expect::Field { world: world.clone(), id: field.id, want: text.to_owned(), mode };
        }
        match read_back(world, field.id, text, mode).await {
            Ok(held) => Ok(Some(judge(&held, text, mode, false))),
            Err(ScriptError::DocumentGone) => Ok(None),
            Err(error) => Err(fault::script(WHAT, error).into()),
        }
    }

    /// Clicks what was aimed at, and finds the field that has the focus then, with what is to be replaced selected in it.
    async fn focus_field(&mut self, aim: Option<Aim>, mode: InputMode, cx: &Ctx) -> Result<Focused, Stop> {
        let (page, mut worlds, aimed) = if let Some(aim) = aim {
            self.click(&aim, Button::Left, 1).await?;
            (aim.page, vec![aim.world], Some((aim.id, aim.on)))
        } else {
            let (page, worlds) = self.watch_focus(Expect::Known, WHAT, cx).await?;
            (page, worlds, None)
        };
        let args = json!({"mode": mode, "id": aimed.as_ref().map(|a| a.0), "wait": FOCUS_MS});
        let mut field = ask_field(&worlds, &args).await?;
        if field.frame.is_some() {
            // The field is in a frame: the one that the focus is in now.
            worlds = self.focused_worlds(&page, WHAT, cx).await?;
            field = ask_field(&worlds, &args).await?;
        }
        let Some(world) = worlds.into_iter().next() else {
            return Err(DeviceError::failed(WHAT, "no document").into());
        };
        let on = field.on.clone().or_else(|| aimed.map(|a| a.1)).unwrap_or_else(|| "the page".to_owned());
        // A page without a field may listen to keys itself, as games do: then only what happens tells.
        let keys_only =
            field.kind == "none" && (mode == InputMode::TypeOnly || (field.keys && mode != InputMode::Clear));
        match cannot_type(&field, &on).filter(|_| !keys_only) {
            Some(refused) => Err(refused.on(on).into()),
            None => Ok(Focused { page, world, field, on }),
        }
    }

    /// The documents that have the focus, the innermost first.
    pub(super) async fn focused_worlds(&mut self, page: &Arc<Page>, what: &str, cx: &Ctx) -> Result<Vec<World>, Stop> {
        let mut worlds = vec![self.main(page, what, cx).await?];
        let mut path: Vec<i32> = Vec::new();
        loop {
            let Some(world) = worlds.first() else { return Ok(worlds) };
            let focus: Option<i32> =
                world.run("focusFrame", json!({}), LOOK_WITHIN).await.map_err(|e| fault::script(what, e))?;
            let Some(frame) = focus else { return Ok(worlds) };
            path.push(frame);
            match self.world_at(page, &path, cx).await {
                Some(inner) => worlds.insert(0, inner),
                None => return Ok(worlds),
            }
        }
    }
}

/// What became of what the field held; `None` when it holds that still, or went away.
pub(super) fn kept(held: &Held, want: &str, mode: InputMode) -> Option<Effect> {
    let kept = matches!(held.how.as_str(), "same" | "similar" | "gone");
    (!kept).then(|| judge(held, want, mode, true))
}

/// Selects or clears what is to go, then types.
async fn fill(page: &Page, world: &World, field: &Field, text: &str, mode: InputMode) -> Result<(), DeviceError> {
    let replaces = matches!(mode, InputMode::Replace | InputMode::Clear) && !field.empty;
    if replaces && (field.kind == "rich" || field.proxy) {
        // A real chord, so that editors which keep a selection of their own follow.
        strike(page, &fixed("Control+A")).await?;
        if field.kind == "rich" {
            let selected = world.run::<Value>("selectAll", json!({"id": field.id}), LOOK_WITHIN).await;
            selected.map_err(|e| fault::script(WHAT, e))?;
        }
    }
    if mode == InputMode::Append && field.end {
        strike(page, &fixed("End")).await?;
    }
    if text.is_empty() {
        if replaces {
            strike(page, &fixed("Delete")).await?;
        }
        return Ok(());
    }
    // Boxes for one character each hand the focus on with every key.
    if field.limit == Some(1) && text.chars().count() > 1 {
        for c in text.chars() {
            type_character(page, c).await?;
        }
        return Ok(());
    }
    if field.kind != "rich" {
        return type_lines(page, text, false).await;
    }
    let text = if field.collapses { unbroken(text) } else { text.to_owned() };
    let mut rest = text.as_str();
    // An editor may make its text of keys and refuse all other input: what it does with the first one tells.
    if let Some(first) = text.chars().next().filter(|&c| keymap::printable(c).is_some()) {
        type_character(page, first).await?;
        rest = text.get(first.len_utf8()..).unwrap_or_default();
        if world.run("keyTaken", json!({}), LOOK_WITHIN).await.unwrap_or(false) {
            return type_keys(page, rest, "Shift+Enter").await;
        }
    }
    type_lines(page, rest, true).await
}

/// Blanks that a page would show as one or not at all, kept apart as the browser does when a person types them.
fn unbroken(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut after_blank = true;
    while let Some(c) = rest.next() {
        let before_end = rest.peek().is_none_or(|&next| next == '\n');
        let fixed = c == ' ' && (after_blank || before_end);
        kept.push(if fixed { '\u{a0}' } else { c });
        after_blank = c == '\n' || (c == ' ' && !fixed);
    }
    kept
}

async fn ask_field(worlds: &[World], args: &Value) -> Result<Field, Stop> {
    let Some(world) = worlds.first() else { return Err(DeviceError::failed(WHAT, "no document").into()) };
    Ok(world.run("field", args, LOOK_WITHIN).await.map_err(|e| fault::script(WHAT, e))?)
}

fn cannot_type(field: &Field, on: &str) -> Option<Effect> {
    let why = match field.kind.as_str() {
        "none" | "" => match &field.on {
            Some(focus) => format!("no field has the focus; {focus} has it and takes no text"),
            None => "no field has the focus; name the field, or click it first".to_owned(),
        },
        "select" => format!("{on} is a list: choose an option of it instead"),
        _ => match &field.locked {
            Some(locked) => format!("{on} is {locked}"),
            None => return None,
        },
    };
    Some(Effect::new(Verdict::Refused, why))
}

/// In a field of one line, line breaks become blanks, as when a person pastes; `true` when there were some.
fn fitting(text: &str, field: &Field) -> (String, bool) {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if field.multiline || !text.contains('\n') {
        return (text, false);
    }
    let lines: Vec<&str> = text.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect();
    (lines.join(" "), true)
}

/// Also gives what the field holds, when that is what was wanted.
async fn set_whole(world: &World, id: u64, value: &str, on: &str) -> Result<(Effect, Option<String>), DeviceError> {
    let args = json!({"id": id, "value": value});
    let set: Whole = world.run("setValue", args, LOOK_WITHIN).await.map_err(|e| fault::script(WHAT, e))?;
    if set.gone {
        return Err(DeviceError::new(
            WHAT,
            handeye_core::DeviceCause::NotFound(format!("{on} is not on the page any more")),
        ));
    }
    if set.refused {
        let why = format!("{on} cannot hold {value:?}; it takes values such as {:?}", set.example);
        return Ok((Effect::new(Verdict::Refused, why), None));
    }
    if !set.kept {
        return Ok((Effect::unverified(format!("the field holds {:?}, not {:?}", set.held, set.wanted)), None));
    }
    let invalid = if set.invalid { INVALID } else { "" };
    Ok((Effect::confirmed(format!("the field holds {:?}{invalid}", set.held)), Some(set.held)))
}

/// A chord of this program's own, which is known to be one.
fn fixed(name: &str) -> Chord {
    keymap::chord(name).unwrap_or(Chord { modifiers: Vec::new(), key: None })
}

/// In rich editors a line break is Shift+Enter: a plain Enter sends the message in most chats.
async fn type_lines(page: &Page, text: &str, rich: bool) -> Result<(), DeviceError> {
    if !rich {
        return type_run(page, text).await;
    }
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            strike(page, &fixed("Shift+Enter")).await?;
        }
        if !line.is_empty() {
            type_run(page, line).await?;
        }
    }
    Ok(())
}

/// The whole text as one insertion, but for its last character: that one is a real key where the keyboard has it, so that
/// pages which listen to keys only (suggestions, filters) hear that something was typed.
async fn type_run(page: &Page, text: &str) -> Result<(), DeviceError> {
    let last = text.chars().next_back().filter(char::is_ascii_alphanumeric);
    let head = match last {
        Some(last) => text.get(..text.len() - last.len_utf8()).unwrap_or(text),
        None => text,
    };
    let mut rest = head;
    while !rest.is_empty() {
        let cut = rest.char_indices().nth(PIECE).map_or(rest.len(), |(at, _)| at);
        let (piece, tail) = rest.split_at(cut);
        let params = json!({"text": piece});
        if tail.is_empty() && last.is_some() {
            // The key follows in the same order of input, so this one needs no answer.
            page.session.post("Input.insertText", params);
        } else {
            acknowledged(page, "Input.insertText", params, WHAT).await?;
        }
        rest = tail;
    }
    match last {
        Some(last) => type_character(page, last).await,
        None => Ok(()),
    }
}

/// One character as a key, or as an insertion where the keyboard has none for it.
async fn type_character(page: &Page, c: char) -> Result<(), DeviceError> {
    match keymap::printable(c) {
        Some((key, shift)) => {
            let modifiers = if shift { vec![Modifier::Shift] } else { Vec::new() };
            strike(page, &Chord { modifiers, key: Some(key) }).await
        }
        None => acknowledged(page, "Input.insertText", json!({"text": c.to_string()}), WHAT).await,
    }
}

/// Every character as a key of its own, and line breaks as this chord.
async fn type_keys(page: &Page, text: &str, line_break: &str) -> Result<(), DeviceError> {
    for c in text.chars() {
        if c == '\n' {
            strike(page, &fixed(line_break)).await?;
        } else {
            type_character(page, c).await?;
        }
    }
    Ok(())
}

async fn read_back(world: &World, id: u64, want: &str, mode: InputMode) -> Result<Held, ScriptError> {
    world.run("readBack", json!({"id": id, "want": want, "mode": mode}), LOOK_WITHIN).await
}

/// The field did not take the text as it was put in, and may take it key by key. What cannot be undone is not tried again:
/// text that was added to other text, and line breaks, which may have sent what was before them.
fn wants_keys(held: &Held, field: &Field, text: &str, mode: InputMode) -> bool {
    let length = text.chars().count();
    let undone = mode == InputMode::Replace || (mode != InputMode::Clear && held.how == "before");
    undone
        && !(held.took && held.length == 0)
        && matches!(held.how.as_str(), "other" | "empty" | "before")
        && (1..=MOST_KEYS).contains(&length)
        && field.limit.is_none_or(|limit| length <= limit)
        && !text.contains('\n')
}

/// `later`: the field was right before and is looked at again.
fn judge(held: &Held, want: &str, mode: InputMode, later: bool) -> Effect {
    let holds = match &held.text {
        _ if held.secret => format!("the field holds {} hidden characters", held.length),
        Some(text) if text.is_empty() => "the field is empty".to_owned(),
        Some(text) => format!("the field holds {text:?}"),
        None => "the field is not there any more".to_owned(),
    };
    let wanted = if held.secret { "what was typed".to_owned() } else { format!("{:?}", clip(want, 200)) };
    match held.how.as_str() {
        "same" => {
            let invalid = if held.invalid { INVALID } else { "" };
            Effect::confirmed(format!("{holds}{invalid}"))
        }
        "similar" => Effect::confirmed(format!("{holds}, as the page formats it")),
        "before" if later => {
            Effect::new(Verdict::Reverted, format!("{holds} again: the page put the old content back"))
        }
        "before" => Effect::new(Verdict::NoOpSuspected, format!("{holds}, as before; it does not take {wanted}")),
        "gone" => Effect::unverified("the field went away after the input"),
        _ if mode == InputMode::Clear => Effect::unverified(format!("{holds}, so it is not empty")),
        _ => Effect::unverified(format!("{holds}, not {wanted}")),
    }
}
