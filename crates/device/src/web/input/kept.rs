//! What an action set, looked at again later: a page may put the old back.

use super::super::page::LOOK_WITHIN;
use super::super::verdict::Expect;
use super::{select, text};
use handeye_core::{Effect, Verdict};
use serde_json::json;

/// Whether the field, the list or the box kept what it was given. `None` when it did, or when there is nothing to read.
pub(in super::super) async fn read_again(expect: &Expect, first: &Effect) -> Option<Effect> {
    if !first.is_confirmed() {
        return None;
    }
    let effect = match expect {
        Expect::Field { world, id, want, mode } => text::kept(world, *id, want, *mode).await?,
        Expect::Option { world, id, option } => select::kept(world, *id, option).await?,
        Expect::State { world, id, key, says } => {
            let now: Option<String> = world.run("stateOf", json!({"id": id, "key": key}), LOOK_WITHIN).await.ok()?;
            let now = now.filter(|now| now != says)?;
            Effect::new(Verdict::Reverted, format!("it is {now} again: the page put the old state back"))
        }
        _ => return None,
    };
    Some(Effect { on: first.on.clone(), ..effect })
}
