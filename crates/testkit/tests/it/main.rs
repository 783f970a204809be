//! The kit itself: pages behave as badly as they promise, the scripted world fails when it should, cases load.

mod browser;
mod cases;
mod pages;
mod scripted;
