//! Pixels: decode, encode, resize and compare pictures. Pure functions, no I/O.
//!
//! A device hands over encoded frames, and most of them pass through undecoded. A picture is decoded only where a model
//! needs another size or a part ([`show`]) or where two moments are compared ([`changed_tiles`]). Work here takes milliseconds: call it from a blocking thread when a loop is waiting.
//!
//! Pictures are PNG: no device of ours sends another kind. One that a person gives may be a JPEG, which is passed on as it is.
//!
//! ```
//! use handeye_image::{Pixels, changed_tiles};
//! let before = Pixels::filled(64, 48, [255, 255, 255, 255]);
//! let mut after = before.clone();
//! after.fill(46, 20, 4, 4, [0, 0, 0, 255]);
//! assert_eq!(changed_tiles(&before, &after, &[])?.len(), 2);
//! # Ok::<(), handeye_image::ImageError>(())
//! ```

mod codec;
mod compare;
mod error;
mod pixels;
mod ring;

pub use codec::{decode, jpeg_size, png, png_size, read, show};
pub use compare::{TILE, changed_tiles};
pub use error::ImageError;
pub use pixels::{MAX_SIDE, Pixels};
