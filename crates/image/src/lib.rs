//! Pixels: decode, encode, resize, crop and compare pictures. Pure functions, no I/O.
//!
//! A device hands over encoded frames, and most of them pass through undecoded. A picture is decoded only where a model
//! needs another size ([`scale`]), where a part of it is wanted ([`crop`]) or where two moments are compared
//! ([`changed_tiles`]). Work here takes milliseconds: call it from a blocking thread when a loop is waiting.
//!
//! Nothing here reads JPEG: no device of ours sends it. It is written where a smaller request is worth a softer picture.
//!
//! ```
//! use handeye_image::{Pixels, changed_tiles, same};
//! let before = Pixels::filled(64, 48, [255, 255, 255, 255]);
//! let mut after = before.clone();
//! after.fill(46, 20, 4, 4, [0, 0, 0, 255]);
//! assert!(!same(&before, &after, &[])?);
//! assert_eq!(changed_tiles(&before, &after, &[])?.len(), 2);
//! # Ok::<(), handeye_image::ImageError>(())
//! ```

mod codec;
mod compare;
mod error;
mod pixels;

pub use codec::{crop, decode, jpeg, png, png_size, scale};
pub use compare::{TILE, changed_tiles, same};
pub use error::ImageError;
pub use pixels::{MAX_SIDE, Pixels};
