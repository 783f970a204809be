//! Wire formats: pure functions from requests to bodies and from bodies to replies. No socket, no clock.

pub mod openai;
pub mod sse;
