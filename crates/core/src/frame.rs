//! Screenshots as the device encoded them. Nothing here decodes a pixel.

use crate::{Elapsed, FramePx, Logical, Size};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The blake3 hash of some bytes, as 64 hex digits: the name of a blob.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hash(pub Arc<str>);

impl Hash {
    pub fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).to_hex().as_str().into())
    }
    pub fn as_str(&self) -> &str {
        &self.0
    }
    /// The first twelve digits, for people.
    pub fn short(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }
}
impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short())
    }
}
impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    Png,
    Jpeg,
}

impl ImageFormat {
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }
}

/// An encoded picture. In a record only the hash is written; the bytes lie in the blob of that name.
#[derive(Clone, Serialize, Deserialize)]
pub struct Image {
    pub hash: Hash,
    pub format: ImageFormat,
    pub size: Size<FramePx>,
    #[serde(skip)]
    pub bytes: Arc<[u8]>,
}

impl Image {
    pub fn new(bytes: impl Into<Arc<[u8]>>, format: ImageFormat, size: Size<FramePx>) -> Self {
        let bytes = bytes.into();
        Self { hash: Hash::of(&bytes), format, size, bytes }
    }
}
impl PartialEq for Image {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.size == other.size
    }
}
impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({} {:?} {:?})", self.size, self.format, self.hash)
    }
}

/// One screenshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    pub image: Image,
    /// Frame pixels per logical point.
    pub scale: f64,
    /// When it was taken.
    pub at: Elapsed,
}

impl Frame {
    /// The size of the screen in points of input.
    pub fn logical_size(&self) -> Size<Logical> {
        Size::new(self.image.size.width / self.scale, self.image.size.height / self.scale)
    }
}
