//! The one door between deciding and everything else.

use crate::{
    Action, ChatError, ChatRequest, DeviceError, Effect, Elapsed, Element, Event, Observation, Reply, Settled, Slot,
    Want,
};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What the agent asks of the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "need", content = "of")]
pub enum Need {
    Observe(Want),
    Chat(Slot, Box<ChatRequest>),
    Act(Action<Element>),
    /// Wait until the screen is quiet, at most this many milliseconds.
    Settle(u64),
    /// Let this many milliseconds pass.
    Pause(u64),
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "got", content = "is")]
pub enum Got {
    Seen(Result<Observation, DeviceError>),
    Heard(Result<Reply, ChatError>),
    Did(Result<Effect, DeviceError>),
    Quiet(Result<Settled, DeviceError>),
    Woke,
    /// The user cancelled the run.
    Cancelled,
    /// The run's time is over.
    TimeOver,
}

/// The world will answer no further needs of this run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Cancelled,
    TimeOver,
    /// The device is gone for good.
    Gone(DeviceError),
    /// The world broke the contract: an answer of the wrong kind, or a record that does not fit this run.
    Broken(String),
}

/// All that the agent learns comes through it, all that it does goes through it; nothing else is ever awaited.
#[async_trait]
pub trait World: Send {
    async fn ask(&mut self, need: Need) -> Got;
    /// Time since the run began; in a recorded world, as it was.
    fn now(&self) -> Elapsed;
    /// Tells the record something that no need or answer says. Nothing comes of it.
    fn note(&mut self, event: Event);
}

fn unexpected(asked: &str, got: Got) -> Stop {
    match got {
        Got::Cancelled => Stop::Cancelled,
        Got::TimeOver => Stop::TimeOver,
        other => Stop::Broken(format!("asked to {asked}, the world answered {other:?}")),
    }
}

/// What a device that is still there answered.
fn alive<T>(answer: Result<T, DeviceError>) -> Result<Result<T, DeviceError>, Stop> {
    match answer {
        Err(error) if error.is_fatal() => Err(Stop::Gone(error)),
        answer => Ok(answer),
    }
}

/// Typed questions. Each maps an answer of the right kind and turns everything else into a [`Stop`]; so the errors of devices
/// that are left are those that a run can go on after.
impl dyn World + '_ {
    pub async fn observe(&mut self, want: Want) -> Result<Result<Observation, DeviceError>, Stop> {
        match self.ask(Need::Observe(want)).await {
            Got::Seen(seen) => alive(seen),
            other => Err(unexpected("observe", other)),
        }
    }
    pub async fn chat(&mut self, slot: Slot, request: ChatRequest) -> Result<Result<Reply, ChatError>, Stop> {
        match self.ask(Need::Chat(slot, Box::new(request))).await {
            Got::Heard(heard) => Ok(heard),
            other => Err(unexpected("chat", other)),
        }
    }
    pub async fn act(&mut self, action: Action<Element>) -> Result<Result<Effect, DeviceError>, Stop> {
        match self.ask(Need::Act(action)).await {
            Got::Did(did) => alive(did),
            other => Err(unexpected("act", other)),
        }
    }
    pub async fn settle(&mut self, at_most: Duration) -> Result<Result<Settled, DeviceError>, Stop> {
        match self.ask(Need::Settle(Elapsed(at_most).millis())).await {
            Got::Quiet(settled) => alive(settled),
            other => Err(unexpected("settle", other)),
        }
    }
    pub async fn pause(&mut self, time: Duration) -> Result<(), Stop> {
        match self.ask(Need::Pause(Elapsed(time).millis())).await {
            Got::Woke => Ok(()),
            other => Err(unexpected("pause", other)),
        }
    }
}
