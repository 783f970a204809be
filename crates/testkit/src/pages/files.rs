//! Where pages come from: a folder, memory, or both.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A folder below pages in memory.
#[derive(Debug, Default)]
pub struct Pages {
    root: Option<PathBuf>,
    memory: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl From<&Path> for Pages {
    fn from(root: &Path) -> Self {
        Self { root: Some(root.to_owned()), memory: Mutex::default() }
    }
}
impl From<PathBuf> for Pages {
    fn from(root: PathBuf) -> Self {
        Self::from(root.as_path())
    }
}
impl<const N: usize> From<[(&str, &str); N]> for Pages {
    fn from(pages: [(&str, &str); N]) -> Self {
        let made = Self::default();
        for (path, content) in pages {
            made.put(path, content.as_bytes().to_vec());
        }
        made
    }
}
impl From<BTreeMap<String, Vec<u8>>> for Pages {
    fn from(memory: BTreeMap<String, Vec<u8>>) -> Self {
        Self { root: None, memory: Mutex::new(memory) }
    }
}

impl Pages {
    pub(super) fn put(&self, path: &str, content: Vec<u8>) {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), content);
    }

    /// The content at a decoded path; a path that ends with `/` means the `index.html` there.
    pub(super) fn get(&self, path: &str) -> Option<Vec<u8>> {
        let path = if path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
        let held = self.memory.lock().unwrap_or_else(PoisonError::into_inner).get(&path).cloned();
        held.or_else(|| {
            let relative = Path::new(path.trim_start_matches('/'));
            let inside = relative.components().all(|c| matches!(c, Component::Normal(_)));
            let file = self.root.as_ref().filter(|_| inside)?.join(relative);
            std::fs::read(file).ok()
        })
    }
}

/// The media type by the ending of a path; pages without one are HTML.
pub(super) fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "pdf" => "application/pdf",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        _ => "text/html; charset=utf-8",
    }
}

/// `%E4%B8%AD` to the characters that it means; what is malformed stays as it is.
pub(super) fn percent_decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = path.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        if let Some(byte) = hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
