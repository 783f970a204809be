//! Screens with input. Each module is one kind of [`handeye_core::Device`].
//!
//! A device looks ([`handeye_core::Observation`]), acts with real input, waits until the screen is quiet and says what the
//! action was seen to do ([`handeye_core::Effect`]). It never sees a prompt and decides nothing: points and elements come to
//! it located. "Clicked" is never said of a click that something else took: every element is looked at again right before
//! the input, and its consequences are watched afterwards.
//!
//! [`web`] drives a Chromium over the DevTools protocol.
//!
//! ```no_run
//! use handeye_core::{Ctx, Device, Want};
//! use handeye_device::web::{Source, WebDevice, WebOptions};
//!
//! # async fn look() -> Result<(), handeye_core::DeviceError> {
//! let cx = Ctx::bare();
//! let options = WebOptions { url: "example.com".to_owned(), ..WebOptions::default() };
//! let mut device = WebDevice::open(options, &cx).await?;
//! let seen = device.observe(&Want { frame: true, ..Want::tree() }, &cx).await?;
//! println!("{} elements at {}", seen.tree.map_or(0, |t| t.nodes.len()), seen.place.url);
//! Box::new(device).close(&cx).await
//! # }
//! ```

pub mod web;
