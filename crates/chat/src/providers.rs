//! Where replies come from.

pub mod cassette;
pub mod folder;
pub mod openai;
pub mod scripted;
