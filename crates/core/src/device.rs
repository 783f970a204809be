//! The seam to a screen with input.

use crate::{Action, ActionSpace, Ctx, DeviceError, Effect, Element, Logical, Observation, Point, Settled, Want};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a cache keeps of an element so that it can be found again: opaque to everyone but the device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Anchor(pub serde_json::Value);

/// What a device needs to go on after a restart: opaque to everyone but the device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DeviceState(pub serde_json::Value);

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
    /// What identifies the element at a point, for a cache.
    async fn anchor(&mut self, _at: Point<Logical>, _cx: &Ctx) -> Option<Anchor> {
        None
    }
    /// The element of an anchor, its identity checked.
    async fn resolve(&mut self, _anchor: &Anchor, _cx: &Ctx) -> Option<Element> {
        None
    }
    async fn checkpoint(&mut self, _cx: &Ctx) -> Option<DeviceState> {
        None
    }
    /// Lets go of the screen. Never hangs.
    async fn close(self: Box<Self>, cx: &Ctx) -> Result<(), DeviceError>;
}
