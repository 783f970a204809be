//! How a web device is opened.

use handeye_cdp::{DialogPolicy, LaunchOptions};
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::os::unix::ffi::OsStringExt;
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
    /// Width and height of the page in logical points, within [`WebOptions::SIDES`].
    pub viewport: (u32, u32),
    /// Frame pixels per logical point, within [`WebOptions::SCALES`].
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
            viewport: LaunchOptions::VIEWPORT,
            scale: 1.0,
            keep_open: false,
            dialogs: DialogPolicy::default(),
            uploads: Vec::new(),
        }
    }
}

impl WebOptions {
    pub const SIDES: RangeInclusive<u32> = 16..=10_000;
    pub const SCALES: RangeInclusive<f64> = 0.1..=10.0;

    /// The first address, completed. Empty when an attached browser's open page is to be used as it is.
    pub(super) fn first_url(&self) -> Result<String, String> {
        if self.url.trim().is_empty() && matches!(self.source, Source::Attach(_)) {
            return Ok(String::new());
        }
        complete_url(&self.url)
    }

    pub(super) fn check_size(&self) -> Result<(), String> {
        let (width, height) = self.viewport;
        if !Self::SIDES.contains(&width) || !Self::SIDES.contains(&height) {
            return Err(format!("a viewport of {width}x{height} is outside 16x16 to 10000x10000"));
        }
        if !Self::SCALES.contains(&self.scale) {
            return Err(format!("a scale of {} is outside 0.1 to 10", self.scale));
        }
        Ok(())
    }

    /// What can be known before a browser is started.
    ///
    /// # Errors
    /// What is wrong: a size out of its bounds, an address that is none, a file that cannot be read.
    pub fn check(&self) -> Result<(), String> {
        self.check_size()?;
        // A browser elsewhere may have other files.
        match file_of(&self.first_url()?) {
            Some(file) if matches!(self.source, Source::Launch(_)) => std::fs::metadata(&file)
                .map(drop)
                .map_err(|error| format!("the file `{}` cannot be opened: {error}", file.display())),
            _ => Ok(()),
        }
    }
}

/// The file that a `file://` address of this machine names.
fn file_of(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("file://").filter(|path| path.starts_with('/'))?;
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|h| std::str::from_utf8(h).ok()).and_then(|h| u8::from_str_radix(h, 16).ok());
        let (byte, after) = match (first, hex) {
            (b'%', Some(byte)) => (byte, &after[2..]),
            _ => (first, after),
        };
        bytes.push(byte);
        rest = after;
    }
    Some(PathBuf::from(OsString::from_vec(bytes)))
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
    fn a_file_is_looked_for_before_a_browser_is_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let page = folder.path().join("a page#1.html");
        std::fs::write(&page, "x").expect("a file");
        let check = |url: String| WebOptions { url, ..WebOptions::default() }.check();
        assert_eq!(check(page.display().to_string()), Ok(()));
        assert_eq!(check(format!("file://{}/a%20page%231.html?x#y", folder.path().display())), Ok(()));
        let missing = check("/nowhere/a%.html".to_owned()).expect_err("missing");
        assert!(missing.starts_with("the file `/nowhere/a%.html` cannot be opened"), "{missing}");
        assert!(check("notaurl".to_owned()).is_err() && check(String::new()).is_err());
        let elsewhere = Source::Attach("http://h:1".to_owned());
        let there = WebOptions { url: "/nowhere".to_owned(), source: elsewhere, ..WebOptions::default() };
        assert_eq!(there.check(), Ok(()));
    }

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
