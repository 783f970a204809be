//! The seam to a screen with input.

use crate::{Action, ActionSpace, Ctx, DeviceError, Effect, Element, Observation, Settled, Want};
use async_trait::async_trait;
use std::time::Duration;

/// A screen with input. One agent drives it; it never sees a prompt.
#[async_trait]
pub trait Device: Send {
    /// A short name for people: `web http://…`.
    fn name(&self) -> String;
    /// The planner's menu and the validator's law.
    fn actions(&self) -> &ActionSpace;
    async fn observe(&mut self, want: &Want, cx: &Ctx) -> Result<Observation, DeviceError>;
    /// Does one action. The effect is what can be seen at once; [`Device::settle`] completes it.
    async fn act(&mut self, action: &Action<Element>, cx: &Ctx) -> Result<Effect, DeviceError>;
    /// Waits until the screen is quiet, and says which signal ended the wait.
    async fn settle(&mut self, at_most: Duration, cx: &Ctx) -> Result<Settled, DeviceError>;
    /// Lets go of the screen. Never hangs.
    async fn close(self: Box<Self>, cx: &Ctx) -> Result<(), DeviceError>;
}
