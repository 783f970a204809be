//! Where the browser is.

/// Program names in the order of preference.
pub const HEADLESS: &[&str] = &["chromium-headless-shell", "chrome-headless-shell"];
pub const FULL: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
