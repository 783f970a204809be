//! The keyboard: single keys and chords. Every key that goes down comes up again.

use super::super::page::{LOOK_WITHIN, Page, World};
use super::super::verdict::Expect;
use super::super::{WebDevice, fault};
use super::keymap::{self, Chord, Key, Modifier};
use super::pointer::{Button, acknowledged};
use fault::Stop;
use handeye_core::{Ctx, DeviceError, Direction, Effect, Element, Verdict};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const KEYBOARD: &str = "Input.dispatchKeyEvent";

fn event(kind: &str, key: &Key, modifiers: u8) -> Value {
    json!({
        "type": kind, "key": key.name, "code": key.code, "windowsVirtualKeyCode": key.number,
        "nativeVirtualKeyCode": key.number, "modifiers": modifiers, "location": key.location,
        "isKeypad": key.location == 3,
    })
}

/// The events of a chord in order. `editing` are commands of the text editor that belong to it.
fn events(chord: &Chord, editing: &[&str]) -> Vec<Value> {
    let mut list = Vec::new();
    let mut mask = 0;
    for modifier in &chord.modifiers {
        mask |= modifier.bit();
        list.push(event("rawKeyDown", &modifier.key(), mask));
    }
    if let Some(key) = &chord.key {
        // With Control, Alt or Meta a key is a command and types nothing.
        let types = mask & !Modifier::Shift.bit() == 0;
        let text = key.text.as_deref().filter(|_| types);
        let mut down = event(if text.is_some() { "keyDown" } else { "rawKeyDown" }, key, mask);
        if let Some(text) = text {
            down["text"] = json!(text);
            down["unmodifiedText"] = json!(text);
        }
        if !editing.is_empty() {
            down["commands"] = json!(editing);
        }
        list.push(down);
        list.push(event("keyUp", key, mask));
    }
    for modifier in chord.modifiers.iter().rev() {
        mask &= !modifier.bit();
        list.push(event("keyUp", &modifier.key(), mask));
    }
    list
}

/// What the text editor does for a chord. A browser without a window has no menu that would do it.
fn editing(chord: &Chord) -> &'static [&'static str] {
    let command = chord.modifiers == [Modifier::Control] || chord.modifiers == [Modifier::Meta];
    let Some(key) = chord.key.as_ref().filter(|_| command) else { return &[] };
    match key.name.as_str() {
        "a" => &["selectAll"],
        "c" => &["copy"],
        "x" => &["cut"],
        "v" => &["paste"],
        "z" => &["undo"],
        "y" => &["redo"],
        _ => &[],
    }
}

/// Presses a chord; only the last event is waited for.
pub(super) async fn strike(page: &Page, chord: &Chord) -> Result<(), DeviceError> {
    let mut list = events(chord, editing(chord));
    let Some(last) = list.pop() else { return Ok(()) };
    for event in list {
        page.session.post(KEYBOARD, event);
    }
    acknowledged(page, KEYBOARD, last, &format!("press {chord}")).await
}

impl WebDevice {
    pub(in super::super) async fn press(
        &mut self,
        name: &str,
        element: Option<&Element>,
        cx: &Ctx,
    ) -> Result<Effect, Stop> {
        let chord = match keymap::chord(name) {
            Ok(chord) => chord,
            Err(why) => return Ok(Effect::new(Verdict::Refused, why)),
        };
        let (page, on) = match element {
            Some(element) => self.give_focus(element, cx).await?,
            None => (self.watch_focus(Expect::Key, "press a key", cx).await?.0, None),
        };
        strike(&page, &chord).await?;
        let effect = Effect::unverified(format!("pressed {chord}"));
        Ok(match on {
            Some(on) => effect.on(on),
            None => effect,
        })
    }

    /// Fields are clicked, as a person would; a button is not, for that would press it.
    async fn give_focus(&mut self, element: &Element, cx: &Ctx) -> Result<(Arc<Page>, Option<String>), Stop> {
        let aim = self.aim(element, Expect::Key, cx).await?;
        let args = json!({"id": aim.id});
        let has: bool =
            aim.world.run("focusOn", &args, LOOK_WITHIN).await.map_err(|e| fault::script("give the focus", e))?;
        if !has || aim.editable {
            self.click(&aim, Button::Left, 1).await?;
        }
        // What the click itself changed is no consequence of the key.
        aim.world.run::<Value>("arm", &args, LOOK_WITHIN).await.map_err(|e| fault::script("give the focus", e))?;
        Ok((aim.page, Some(aim.on)))
    }

    /// Begins to watch the documents that have the focus, from the inner one outward.
    pub(super) async fn watch_focus(
        &mut self,
        expect: Expect,
        what: &str,
        cx: &Ctx,
    ) -> Result<(Arc<Page>, Vec<World>), Stop> {
        let page = self.front(what)?;
        let worlds = self.focused_worlds(&page, what, cx).await?;
        self.watch(&page, worlds.clone(), expect);
        Ok((page, worlds))
    }

    pub(in super::super) async fn move_caret(
        &mut self,
        direction: Direction,
        times: u32,
        cx: &Ctx,
    ) -> Result<Effect, Stop> {
        let name = match direction {
            Direction::Down => "ArrowDown",
            Direction::Up => "ArrowUp",
            Direction::Right => "ArrowRight",
            Direction::Left => "ArrowLeft",
        };
        let (page, _) = self.watch_focus(Expect::Key, "move the caret", cx).await?;
        let chord = keymap::chord(name).map_err(|why| DeviceError::failed("move the caret", why))?;
        for _ in 0..times.clamp(1, 1000) {
            if cx.cancel.is_cancelled() {
                break;
            }
            strike(&page, &chord).await?;
        }
        Ok(Effect::unverified(format!("pressed {name} {times} times")))
    }
}
