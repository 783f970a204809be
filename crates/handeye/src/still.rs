//! A screen that shows one picture and takes no input.

use async_trait::async_trait;
use handeye_core::{
    Action, ActionSpace, Ctx, Device, DeviceCause, DeviceError, Effect, Element, Frame, Image, Observation, Quiet,
    Settled, Want,
};
use std::time::Duration;

/// The picture, one point of it a logical point.
pub(crate) struct Still {
    image: Image,
    space: ActionSpace,
}

impl Still {
    pub(crate) fn new(image: Image) -> Self {
        Self { image, space: ActionSpace::default() }
    }
}

#[async_trait]
impl Device for Still {
    fn name(&self) -> String {
        "a picture".to_owned()
    }
    fn actions(&self) -> &ActionSpace {
        &self.space
    }
    async fn observe(&mut self, want: &Want, cx: &Ctx) -> Result<Observation, DeviceError> {
        let frame = want.frame.then(|| Frame { image: self.image.clone(), scale: 1.0, at: cx.now() });
        Ok(Observation { frame, ..Observation::default() })
    }
    async fn act(&mut self, action: &Action<Element>, _: &Ctx) -> Result<Effect, DeviceError> {
        Err(DeviceError::new(action.summary(), DeviceCause::Unsupported("a picture takes no input".to_owned())))
    }
    async fn settle(&mut self, _: Duration, _: &Ctx) -> Result<Settled, DeviceError> {
        Ok(Settled { by: Quiet::Idle, took: 0, busy: String::new(), changes: None, effect: None })
    }
    async fn close(self: Box<Self>, _: &Ctx) -> Result<(), DeviceError> {
        Ok(())
    }
}
