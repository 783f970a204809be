//! A device that stays open: goals, actions and questions one after the other, from a program.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use handeye::{Agent, Options, WebOptions};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Product {
//!     name: String,
//!     /// In euros.
//!     price: f64,
//! }
//!
//! let web = WebOptions { url: "http://localhost:3000".to_owned(), ..WebOptions::default() };
//! let mut agent = Agent::open(Options::new(web)).await?;
//! agent.act("click 'All products'").await?;
//! let products: Vec<Product> = agent.query("the products on the page").await?;
//! agent.assert("the cart is empty").await?;
//! agent.close().await;
//! # let _ = products;
//! # Ok(())
//! # }
//! ```
//!
//! Each call is a run with a folder of its own, so that it can be read, replayed and compared like any other.

use crate::job::Job;
use crate::model::Chats;
use crate::run::{Finished, Options, StartError};
use crate::work::Work;
use handeye_agent::insight::Kind;
use handeye_agent::{Goal, Question};
use handeye_core::{Action, Ctx, Device, DeviceError, Element, End, Logical, Point, Target};
use handeye_device::web::WebDevice;
use schemars::JsonSchema;
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

/// One open device and the models that decide what to do on it.
pub struct Agent {
    options: Options,
    chats: Chats,
    /// `None` only while a call is under way.
    device: Option<Box<dyn Device>>,
}

/// Why a call came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// It could not begin.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It ended otherwise than it should; the run's folder is in `finished`.
    #[error("{}", .finished.outcome.end)]
    Ended { finished: Box<Finished> },
    /// The answer fits the schema of the type, and still cannot be read as one.
    #[error("the answer cannot be read as the type that was asked for: {source}")]
    Type { source: serde_json::Error, value: Value },
    #[error("the device is gone: an earlier call was dropped before it ended")]
    Gone,
}

impl CallError {
    /// How the run ended, where there was one.
    pub fn end(&self) -> Option<&End> {
        match self {
            Self::Ended { finished } => Some(&finished.outcome.end),
            _ => None,
        }
    }
}

/// Why a device could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl Agent {
    /// Opens the page of the options. Settings hold for every call; the time limit is that of each call.
    ///
    /// # Errors
    /// When the options cannot be used, or the browser or the page not be opened.
    pub async fn open(options: Options) -> Result<Self, OpenError> {
        let chats = options.connect()?;
        let mut cx = Ctx::bare().with_timeout(options.timeout);
        cx.cancel = options.cancel.clone();
        let device = WebDevice::open(options.web.clone(), &cx).await?;
        Ok(Self { options, chats, device: Some(Box::new(device)) })
    }

    /// Does any work. Once it has begun, everything that happens is an outcome.
    ///
    /// # Errors
    /// When it cannot begin.
    pub async fn perform(&mut self, work: Work) -> Result<Finished, CallError> {
        let job = Job::new(&work, &self.options, &self.chats)?;
        let (journal, cx) = crate::run::begin(&self.options).map_err(StartError::from)?;
        let device = self.device.take().ok_or(CallError::Gone)?;
        job.start(&cx, &device.name(), device.actions());
        let (outcome, device) = job.on(device, &cx).await;
        self.device = Some(device);
        let result = crate::run::finish(&journal, &outcome).await;
        Ok(Finished { outcome, result, left_open: None })
    }

    /// The same, where only success will do.
    async fn succeed(&mut self, work: Work) -> Result<Finished, CallError> {
        let finished = self.perform(work).await?;
        if finished.outcome.end.is_success() {
            return Ok(finished);
        }
        Err(CallError::Ended { finished: Box::new(finished) })
    }

    /// Works on a goal until it is met; the message that it ended with.
    ///
    /// # Errors
    /// [`CallError::Ended`] when it was not met.
    pub async fn act(&mut self, goal: impl Into<Goal>) -> Result<String, CallError> {
        let finished = self.succeed(Work::Goal { goal: goal.into(), planners: Vec::new() }).await?;
        match finished.outcome.end {
            End::Completed { message } => Ok(message),
            _ => Ok(String::new()),
        }
    }

    /// Does one action.
    ///
    /// # Errors
    /// [`CallError::Ended`] when it was not done.
    pub async fn single(&mut self, action: Action<Target>) -> Result<Finished, CallError> {
        self.succeed(Work::Single(action)).await
    }

    /// Where something is, in logical points; nothing is done to it.
    ///
    /// # Errors
    /// [`CallError::Ended`] when it was not found.
    pub async fn locate(&mut self, target: Target) -> Result<Element, CallError> {
        let finished = self.succeed(Work::Locate(target)).await?;
        let value = finished.outcome.value.and_then(|value| value.get("element").cloned()).unwrap_or_default();
        Element::deserialize(&value).map_err(|source| CallError::Type { source, value })
    }

    /// What lies at a point, in words that lead back to it.
    ///
    /// # Errors
    /// [`CallError::Ended`] when no words do.
    pub async fn describe(&mut self, at: Point<Logical>) -> Result<String, CallError> {
        let finished = self.succeed(Work::Describe(at)).await?;
        match finished.outcome.end {
            End::Completed { message } => Ok(message),
            _ => Ok(String::new()),
        }
    }

    /// Reads a value off the screen. What the type's fields are said to mean, in their docs, is told to the model.
    ///
    /// # Errors
    /// [`CallError::Ended`] when nobody could answer, [`CallError::Type`] when the answer fits the schema and not the type.
    pub async fn query<T: JsonSchema + DeserializeOwned>(&mut self, demand: impl Into<String>) -> Result<T, CallError> {
        let schema = schemars::generate::SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
        let kind = Kind::Query { schema: Some(schema.to_value()) };
        self.read(kind, demand).await
    }

    /// Asks for a text, exactly as the screen shows it.
    ///
    /// # Errors
    /// [`CallError::Ended`] when the screen does not show it.
    pub async fn ask(&mut self, question: impl Into<String>) -> Result<String, CallError> {
        self.read(Kind::String, question).await
    }

    /// Asks for a number.
    ///
    /// # Errors
    /// [`CallError::Ended`] when the screen does not show it.
    pub async fn number(&mut self, question: impl Into<String>) -> Result<f64, CallError> {
        self.read(Kind::Number, question).await
    }

    /// Asks whether something is so.
    ///
    /// # Errors
    /// [`CallError::Ended`] when nobody can tell.
    pub async fn boolean(&mut self, question: impl Into<String>) -> Result<bool, CallError> {
        self.read(Kind::Boolean, question).await
    }

    /// Checks a statement; why it is true.
    ///
    /// # Errors
    /// [`CallError::Ended`] when it is false, or nobody can tell.
    pub async fn assert(&mut self, statement: impl Into<String>) -> Result<String, CallError> {
        let finished = self.succeed(Work::Question(Question::new(Kind::Assert, statement))).await?;
        Ok(finished.result.message)
    }

    /// Waits until a statement is true, with `every` between the model's looks.
    ///
    /// # Errors
    /// [`CallError::Ended`] when it was not true in time.
    pub async fn wait(
        &mut self,
        statement: impl Into<String>,
        at_most: Duration,
        every: Duration,
    ) -> Result<(), CallError> {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let kind = Kind::Wait { at_most: ms(at_most), every: ms(every) };
        self.succeed(Work::Question(Question::new(kind, statement))).await.map(|_| ())
    }

    async fn read<T: DeserializeOwned>(&mut self, kind: Kind, demand: impl Into<String>) -> Result<T, CallError> {
        let finished = self.succeed(Work::Question(Question::new(kind, demand))).await?;
        let value = finished.outcome.value.unwrap_or_default();
        T::deserialize(&value).map_err(|source| CallError::Type { source, value })
    }

    /// Lets go of the device. Dropping does it too, without waiting until it is closed.
    pub async fn close(mut self) -> Result<(), DeviceError> {
        match self.device.take() {
            Some(device) => device.close(&Ctx::bare()).await,
            None => Ok(()),
        }
    }
}
