//! Talking to models: from a request that names no provider to a reply, whatever happens on the way.
//!
//! The parts, from pure to impure:
//!
//! - [`wire`] turns requests into bodies and bodies into replies, for each [`Api`]. No I/O: it is tested as tables. The same request always
//!   gives the same bytes, because records and cassettes are compared by them.
//! - `failure` reads what went wrong from a status and a body, in the provider's own words; `retry` says whether and when
//!   to ask again. Transport faults, 408, 409, 429, 5xx and empty replies are repeated; what the request itself caused
//!   (400, 401, 403, 404, 413, 422) never is.
//! - `transport` makes one attempt over HTTP, within a hard limit of time that also covers a stream that stalls.
//! - [`providers`] put these together: a server of any of these APIs, replies from a file, a folder that any person or program
//!   can answer, and recorded traffic.
//! - [`price`] and [`budget`] count money: no attempt starts whose worst case could pass what the user allowed.
//! - [`config`] is what a user set. It reads no environment: the caller hands a lookup in.
//!
//! What it is not: it knows no prompt, no tag and no coordinate, and it keeps no history. Keys are [`Secret`]: they cannot
//! be printed, and are taken out of every text that comes back.
//!
//! ```
//! use handeye_chat::{ModelConfig, connect};
//!
//! let lookup = |name: &str| match name {
//!     "HANDEYE_MODEL_BASE_URL" => Some("http://127.0.0.1:8000/v1".to_owned()),
//!     "HANDEYE_MODEL_NAME" => Some("qwen3-vl".to_owned()),
//!     _ => None,
//! };
//! let config = ModelConfig::from_lookup(&lookup)?.expect("a model is configured");
//! assert_eq!(connect(&config)?.name(), "model qwen3-vl at http://127.0.0.1:8000/v1");
//! # Ok::<(), handeye_core::ChatError>(())
//! ```

pub mod budget;
pub mod client;
pub mod config;
pub mod endpoint;
mod failure;
pub mod price;
pub mod providers;
mod retry;
pub mod secret;
mod transport;
pub mod wire;

pub use budget::Budget;
pub use client::{connect, probe};
pub use config::{ModelConfig, Models, Provider, Setting};
pub use endpoint::{BaseUrl, password_in};
pub use price::{Dollars, Price, Prices};
pub use secret::Secret;
pub use transport::secrets;
pub use wire::Api;
