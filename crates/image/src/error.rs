use handeye_core::ImageFormat;

/// Why a picture could not be read, made or compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// The bytes are no picture of the format that they claim, or are cut off.
    #[error("cannot read the picture as {}: {why}", .format.media_type())]
    Unreadable { format: ImageFormat, why: String },
    #[error("it is neither a PNG nor a JPEG picture")]
    Unknown,
    /// This crate does not read the format.
    #[error("pictures of the type {} cannot be decoded here", .0.media_type())]
    Unsupported(ImageFormat),
    /// A side is zero or larger than this crate takes.
    #[error("a picture of {width}x{height} pixels is outside 1x1 to {max}x{max}", max = crate::MAX_SIDE)]
    BadSize { width: u64, height: u64 },
    /// The number of bytes does not fit the size.
    #[error("{got} bytes for a picture that needs {want}")]
    BadBuffer { got: usize, want: usize },
    /// Only pictures of the same size can be compared.
    #[error("cannot compare a picture of {0}x{1} with one of {2}x{3} pixels")]
    SizesDiffer(u32, u32, u32, u32),
    #[error("cannot encode the picture: {0}")]
    Encode(String),
}
