//! What an action set, looked at again later: a page may put the old back.

use super::super::page::{LOOK_WITHIN, World};
use super::super::verdict::Expect;
use super::{select, text};
use handeye_core::{Effect, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};

/// A question to the document in which something was set.
#[derive(Clone, Debug)]
pub(in super::super) struct Again {
    pub(in super::super) world: World,
    door: &'static str,
    args: Value,
    expect: Expect,
    /// How it was told that it was set.
    first: Effect,
}

impl Again {
    /// `None` when nothing that can be read was set.
    pub(in super::super) fn of(expect: &Expect, first: &Effect) -> Option<Self> {
        let (world, door, args) = match expect {
            Expect::Field { world, id, want, mode } => {
                (world, "readBack", json!({"id": id, "want": want, "mode": mode, "later": true}))
            }
            Expect::Option { world, id, option } => (world, "selectState", json!({"id": id, "option": option})),
            Expect::State { world, id, key, .. } => (world, "stateOf", json!({"id": id, "key": key})),
            _ => return None,
        };
        first.is_confirmed().then(|| Self {
            world: world.clone(),
            door,
            args,
            expect: expect.clone(),
            first: first.clone(),
        })
    }

    /// For the script, which may ask it together with something else.
    pub(in super::super) fn question(&self) -> Value {
        json!({"door": self.door, "args": self.args})
    }

    pub(in super::super) async fn ask(&self) -> Option<Effect> {
        self.verdict(self.world.run(self.door, &self.args, LOOK_WITHIN).await.ok()?)
    }

    /// `None` when it is as it was set, or cannot be read any more.
    pub(in super::super) fn verdict(&self, answer: Value) -> Option<Effect> {
        let effect = match &self.expect {
            Expect::Field { want, mode, .. } => text::kept(&read(answer)?, want, *mode)?,
            Expect::Option { .. } => select::kept(read(answer)?)?,
            Expect::State { says, .. } => {
                let now = read::<Option<String>>(answer)?.filter(|now| now != says)?;
                Effect::new(Verdict::Reverted, format!("it is {now} again: the page put the old state back"))
            }
            _ => return None,
        };
        Some(Effect { on: self.first.on.clone(), ..effect })
    }
}

fn read<T: for<'a> Deserialize<'a>>(answer: Value) -> Option<T> {
    serde_json::from_value(answer).ok()
}
