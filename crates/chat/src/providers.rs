//! Where replies come from.

pub mod cassette;
pub mod fallback;
pub mod folder;
pub mod scripted;
pub mod server;

use std::io::{self, Read as _};
use std::path::Path;

/// No script and no recording comes near this.
const LONGEST_FILE: u64 = 256 << 20;

/// The text of a file of replies. A device or a pipe would be read, or waited for, for ever.
pub(crate) fn text_of(path: &Path) -> io::Result<String> {
    let refused = |why| io::Error::new(io::ErrorKind::InvalidInput, why);
    if !std::fs::metadata(path)?.is_file() {
        return Err(refused("it is no regular file"));
    }
    let mut text = String::new();
    std::fs::File::open(path)?.take(LONGEST_FILE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST_FILE { Err(refused("it is larger than 256 MiB")) } else { Ok(text) }
}
