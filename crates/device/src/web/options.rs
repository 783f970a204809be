//! How a web device is opened.

use handeye_cdp::{DialogPolicy, LaunchOptions};
use handeye_core::DeviceError;
use std::path::{Path, PathBuf};

/// Where the browser comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// We start one and end it.
    Launch(LaunchOptions),
    /// One that runs already, at `http://HOST:PORT` or `ws://…`.
    Attach(String),
}

impl Default for Source {
    fn default() -> Self {
        Self::Launch(LaunchOptions::default())
    }
}

#[derive(Clone, Debug)]
pub struct WebOptions {
    pub source: Source,
    /// The first page; empty with [`Source::Attach`]: the one that is open there. Without a scheme it gets `http://` for this
    /// machine and addresses in numbers, else `https://`.
    pub url: String,
    /// Width and height of the page in logical points.
    pub viewport: (u32, u32),
    /// Frame pixels per logical point, from 0.1 to 10.
    pub scale: f64,
    /// The page stays as it is when the device is closed.
    pub keep_open: bool,
    /// What an attached browser's `confirm()` and `prompt()` are answered; a launched one has it in its own options.
    pub dialogs: DialogPolicy,
    /// Files, and folders whose files, may be given to pages. Without any, there is no verb for it.
    pub uploads: Vec<PathBuf>,
}

impl Default for WebOptions {
    fn default() -> Self {
        Self {
            source: Source::default(),
            url: "about:blank".to_owned(),
            viewport: (1280, 800),
            scale: 1.0,
            keep_open: false,
            dialogs: DialogPolicy::default(),
            uploads: Vec::new(),
        }
    }
}

impl WebOptions {
    /// The first address, completed. Empty when an attached browser's open page is to be used as it is.
    pub(super) fn first_url(&self) -> Result<String, DeviceError> {
        if self.url.trim().is_empty() && matches!(self.source, Source::Attach(_)) {
            return Ok(String::new());
        }
        complete_url(&self.url).map_err(|why| DeviceError::failed(format!("open `{}`", self.url), why))
    }

    pub(super) fn check(&self) -> Result<(), DeviceError> {
        let (width, height) = self.viewport;
        let wrong = if !(16..=10_000).contains(&width) || !(16..=10_000).contains(&height) {
            format!("a viewport of {width}x{height} is outside 16x16 to 10000x10000")
        } else if !(0.1..=10.0).contains(&self.scale) {
            format!("a scale of {} is outside 0.1 to 10", self.scale)
        } else {
            return Ok(());
        };
        Err(DeviceError::failed("open the browser", wrong))
    }
}

/// Completes an address as a person would write it. The error says what is wrong with it.
pub(super) fn complete_url(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("the address is empty".to_owned());
    }
    if text.chars().any(|c| c.is_control() || c == ' ') && !text.starts_with("data:") && !text.starts_with('/') {
        return Err(format!("`{text}` is not an address: it has blanks in it"));
    }
    if text.starts_with("//") {
        return Ok(format!("https:{text}"));
    }
    if Path::new(text).is_absolute() {
        return Ok(format!("file://{}", text.replace('%', "%25").replace(' ', "%20").replace('#', "%23")));
    }
    if let Some((scheme, rest)) = text.split_once(':')
        && !scheme.contains(['/', '?', '#'])
    {
        let known = scheme.to_ascii_lowercase();
        match known.as_str() {
            "http" | "https" | "file" if rest.starts_with("//") && rest.len() > 2 => return Ok(text.to_owned()),
            "http" | "https" | "file" => return Err(format!("`{text}` is not a whole address")),
            "about" | "data" | "blob" => return Ok(text.to_owned()),
            // `localhost:8080/x` and `example.com:81` have a port, not a scheme.
            _ if rest.chars().next().is_some_and(|c| c.is_ascii_digit()) => {}
            _ => return Err(format!("addresses of the kind `{scheme}:` are not opened")),
        }
    }
    let host = text.split(['/', ':', '?', '#']).next().unwrap_or_default();
    if host.is_empty() {
        return Err(format!("`{text}` is not an address: it has no host"));
    }
    let local = host.eq_ignore_ascii_case("localhost")
        || host.ends_with(".localhost")
        || host.chars().all(|c| c.is_ascii_digit() || c == '.');
    if !local && !host.contains('.') {
        return Err(format!("`{text}` is not an address; write it in full, such as http://{text}/"));
    }
    Ok(format!("{}{text}", if local { "http://" } else { "https://" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_completed_or_refused() {
        for (given, want) in [
            ("example.com", "https://example.com"),
            (" example.com/a?b=c:d#e ", "https://example.com/a?b=c:d#e"),
            ("example.com:81/x", "https://example.com:81/x"),
            ("localhost:8080/x", "http://localhost:8080/x"),
            ("127.0.0.1:9/", "http://127.0.0.1:9/"),
            ("http://x/", "http://x/"),
            ("HTTPS://x/", "HTTPS://x/"),
            ("//cdn.example.com/x", "https://cdn.example.com/x"),
            ("file:///tmp/a b.html", "✗ `file:///tmp/a b.html` is not an address: it has blanks in it"),
            ("/tmp/a b#1.html", "file:///tmp/a%20b%231.html"),
            ("about:blank", "about:blank"),
            ("data:text/html,<p>a b", "data:text/html,<p>a b"),
            ("", "✗ the address is empty"),
            ("javascript:alert(1)", "✗ addresses of the kind `javascript:` are not opened"),
            ("chrome://settings", "✗ addresses of the kind `chrome:` are not opened"),
            ("http:/x", "✗ `http:/x` is not a whole address"),
            ("http://", "✗ `http://` is not a whole address"),
            ("shop", "✗ `shop` is not an address; write it in full, such as http://shop/"),
            ("open the shop", "✗ `open the shop` is not an address: it has blanks in it"),
        ] {
            let got = complete_url(given).unwrap_or_else(|why| format!("✗ {why}"));
            assert_eq!(got, want, "{given}");
        }
    }
}
