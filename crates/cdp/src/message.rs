//! The JSON that goes over the connection.

use serde::de::DeserializeOwned;

/// Reads a value that the browser sent.
pub(crate) fn read<T: DeserializeOwned>(json: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(json)
}
