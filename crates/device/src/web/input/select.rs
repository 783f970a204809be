//! Native lists: their pop-up is no part of the page, so an option is chosen by its text.

use super::super::page::LOOK_WITHIN;
use super::super::verdict::Expect;
use super::super::{WebDevice, fault};
use fault::Stop;
use handeye_core::{Ctx, DeviceCause, DeviceError, Effect, Element, Verdict};
use serde::Deserialize;
use serde_json::json;

const WHAT: &str = "choose an option";

/// What `choose` of `js/field.js` gives.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Choice {
    gone: bool,
    /// It is no native list.
    foreign: bool,
    disabled: bool,
    missing: bool,
    options: Vec<String>,
    more: usize,
    unclear: Vec<String>,
    unusable: Option<String>,
    chosen: Option<String>,
    before: String,
    already: bool,
    id: u64,
    on: String,
    holds: Option<String>,
    kept: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Holding {
    holds: Option<String>,
    kept: bool,
}

impl WebDevice {
    pub(in super::super) async fn select(&mut self, element: &Element, option: &str, cx: &Ctx) -> Result<Effect, Stop> {
        let aim = self.aim(element, Expect::Known, cx).await?;
        let args = json!({"id": aim.id, "option": option});
        let choice: Choice = aim.world.run("choose", args, LOOK_WITHIN).await.map_err(|e| fault::script(WHAT, e))?;
        if choice.gone {
            let why = DeviceCause::NotFound(format!("{} is not on the page any more", aim.on));
            return Err(DeviceError::new(WHAT, why).into());
        }
        let on = if choice.on.is_empty() { aim.on } else { choice.on.clone() };
        let Some(chosen) = &choice.chosen else {
            return Err(Effect::new(Verdict::Refused, refusal(&choice, option, &on)).on(on).into());
        };
        if let Some(last) = &mut self.last {
            last.expect = Expect::Option { world: aim.world, id: choice.id, option: chosen.clone() };
        }
        let holds = choice.holds.as_deref().unwrap_or_default();
        let effect = if !choice.kept {
            Effect::new(Verdict::Reverted, format!("the list shows {holds:?} again: the page put the old option back"))
        } else if choice.already {
            Effect::confirmed(format!("the list shows {chosen:?}, as before"))
        } else {
            Effect::confirmed(format!("the list shows {holds:?} instead of {:?}", choice.before))
        };
        Ok(effect.on(on))
    }
}

/// Why nothing was chosen.
fn refusal(choice: &Choice, option: &str, on: &str) -> String {
    let list = |options: &[String]| options.iter().map(|o| format!("{o:?}")).collect::<Vec<_>>().join(", ");
    let more = if choice.more > 0 { format!(" and {} more", choice.more) } else { String::new() };
    if choice.foreign {
        return format!(
            "{on} is no native list but one of the page's own making: open it with a click, then click the option"
        );
    }
    if choice.disabled {
        return format!("{on} is disabled");
    }
    if let Some(unusable) = &choice.unusable {
        return format!("the option {unusable:?} of {on} is disabled");
    }
    if !choice.unclear.is_empty() {
        return format!("{option:?} fits several options of {on}: {}", list(&choice.unclear));
    }
    debug_assert!(choice.missing, "every other refusal is handled above");
    format!("{option:?} is no option of {on}; its options are {}{more}", list(&choice.options))
}

/// What the list shows; `None` when that is the option still, or it cannot be found.
pub(super) fn kept(now: Holding) -> Option<Effect> {
    let holds = now.holds.filter(|_| !now.kept)?;
    Some(Effect::new(Verdict::Reverted, format!("the list shows {holds:?} again: the page put the old option back")))
}
