//! The words of Handeye and the traits that its parts meet at. No I/O happens here.
//!
//! A run is a conversation between the *agent*, which decides, and a [`World`], which is everything else: the screen, the
//! models, the clock. The agent asks a [`Need`], the world answers a [`Got`]; both are plain data, so a run can be recorded,
//! replayed without a device, and tested as a table. A [`Device`] is a screen with input, a [`Chat`] is a model, a [`Journal`]
//! keeps what happened.
//!
//! Coordinates are types: [`FramePx`] are pixels of a screenshot, [`SentPx`] pixels of the image a model was shown,
//! [`Logical`] the points that a device's input takes. Only the functions of [`geometry`] turn one into another.
//!
//! ```
//! use handeye_core::{ActionSpace, Verb};
//! let space = ActionSpace::of(&[Verb::Tap, Verb::Input]);
//! let read = space.read("left click", &serde_json::json!({"locate": {"prompt": "Save", "bbox": [1, 2, 3, 4]}}));
//! assert_eq!(read.expect("a known verb").action.verb(), "Tap");
//! ```

pub mod action;
pub mod cancel;
pub mod chat;
pub mod ctx;
pub mod device;
pub mod diff;
pub mod effect;
pub mod error;
pub mod event;
pub mod family;
pub mod frame;
pub mod geometry;
pub mod journal;
pub mod mask;
pub mod observation;
pub mod outcome;
pub mod selector;
pub mod shown;
pub mod space;
pub mod text;
pub mod tree;
pub mod world;

pub use action::{Action, Claim, Direction, Element, InputMode, Rung, ScrollKind, Target, UploadFiles, Verb};
pub use cancel::CancelToken;
pub use chat::{Chat, ChatError, ChatErrorKind, ChatRequest, Environment, Finish, Message, Part, Replay, Reply, Role};
pub use chat::{Slot, Thinking, Tool, ToolCall, ToolResult, Usage};
pub use ctx::{Ctx, Elapsed};
pub use device::Device;
pub use effect::{Changes, Effect, Quiet, Settled, Verdict};
pub use error::{DeviceCause, DeviceError, ErrorKind};
pub use event::{Event, TaskKind, TaskState};
pub use family::{Family, Order, PLACE_KEYS, Scale, Shape, ThinkingField};
pub use frame::{Frame, Hash, Image, ImageFormat};
pub use geometry::{FramePx, Logical, Point, Rect, SentPx, Size, Unit};
pub use journal::{Journal, NoJournal, Seq};
pub use mask::Masker;
pub use observation::{Dialog, DialogKind, Observation, Place, Want};
pub use outcome::{End, Outcome};
pub use selector::{BadSelector, Selector};
pub use shown::Shown;
pub use space::{ActionSpace, ActionSpec, BadAction, ParamKind, ParamSpec, ReadAction};
pub use tree::{NodeRef, States, Toggle, UiNode, UiTree};
pub use world::{Got, Need, Stop, World};
