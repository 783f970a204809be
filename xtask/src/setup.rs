//! Installs what this machine lacks, and nothing that it has.

use crate::sh;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// The names under which Handeye looks for a browser, in its order.
const BROWSERS: [&str; 8] = [
    "chromium-headless-shell",
    "chrome-headless-shell",
    "headless_shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

const NEXTEST: &str = "0.9.143";

/// For tests.
pub(crate) fn everything() -> Result<()> {
    toolchain()?;
    nextest()?;
    for_demo()
}

/// For the demo: no tools of tests.
pub(crate) fn for_demo() -> Result<()> {
    browser()?;
    chinese_font();
    Ok(())
}

/// The browser that Handeye will find, installed first when there is none.
pub(crate) fn browser() -> Result<PathBuf> {
    if let Some(found) = BROWSERS.iter().find_map(|name| sh::which(name)) {
        println!("browser: {}", found.display());
        return Ok(found);
    }
    println!("browser: none of {}", BROWSERS.join(", "));
    apt_install("chromium-headless-shell").context(
        "no Chromium; install one (or Chrome) so that it is on the search path, or name yours with `--browser PATH`",
    )?;
    BROWSERS.iter().find_map(|name| sh::which(name)).context("a Chromium was installed but is not on the search path")
}

/// Without it Chinese text is drawn as boxes; that spoils screenshots but no step, so its lack is no failure.
fn chinese_font() {
    if has_chinese_font() {
        println!("font with Chinese: there");
        return;
    }
    if let Err(error) = apt_install("fonts-noto-cjk") {
        println!("font with Chinese: none ({error:#}); Chinese pages will show boxes");
    }
}

fn has_chinese_font() -> bool {
    if let Ok(list) = sh::output(&mut sh::command("fc-list :lang=zh file")) {
        return !list.trim().is_empty();
    }
    let known = ["noto", "cjk", "wqy", "droidsansfallback", "pingfang", "hiragino"];
    let folders = ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts"];
    folders.iter().any(|f| any_file(Path::new(f), &|name| known[1..].iter().any(|k| name.contains(k))))
}

fn any_file(folder: &Path, is: &dyn Fn(&str) -> bool) -> bool {
    std::fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() { any_file(&path, is) } else { is(&entry.file_name().to_string_lossy().to_lowercase()) }
    })
}

fn nextest() -> Result<()> {
    if let Ok(version) = sh::output(&mut sh::cargo("nextest --version")) {
        println!("test runner: {}", version.lines().next().unwrap_or_default());
        return Ok(());
    }
    println!("test runner: cargo-nextest is missing, building it (some minutes)");
    sh::run(&mut sh::cargo(&format!("install --locked --version {NEXTEST} cargo-nextest")))
}

fn toolchain() -> Result<()> {
    for (part, ask) in [("rustfmt", "fmt --version"), ("clippy", "clippy --version")] {
        if sh::succeeds(&mut sh::cargo(ask)) {
            println!("{part}: there");
        } else {
            sh::run(&mut sh::command(&format!("rustup component add {part}")))?;
        }
    }
    Ok(())
}

/// Installs a Debian package as root. Without the rights or without apt, the error names the command.
pub(crate) fn apt_install(package: &str) -> Result<()> {
    let install = format!("apt-get install -y --no-install-recommends {package}");
    if sh::which("apt-get").is_none() {
        bail!("`{package}` is missing and this system has no apt-get to install it with");
    }
    let is_root = sh::output(&mut sh::command("id -u")).is_ok_and(|id| id.trim() == "0");
    if !is_root {
        bail!("`{package}` is missing; run: sudo apt-get update && sudo {install}");
    }
    let quiet = |words: &str| {
        let mut command = sh::command(words);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    // Package lists may be missing or old; they are fetched only when the install needs it.
    if sh::run(&mut quiet(&install)).is_err() {
        sh::run(&mut quiet("apt-get update"))?;
        sh::run(&mut quiet(&install))?;
    }
    Ok(())
}
