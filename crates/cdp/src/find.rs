//! Where the browser is.

use crate::CdpError;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Programs without a window, which start fastest, in the order of preference.
pub const HEADLESS: &[&str] = &["chromium-headless-shell", "chrome-headless-shell", "headless_shell"];

/// Full browsers, which can show a window or not, in the order of preference.
pub const FULL: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Where installers put a full browser without touching the search path.
const ELSEWHERE: &[&str] = &[
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// The program to run: `named` (a path, or a name on the search path), or the first of the known ones. `search_path` is the
/// value of `PATH`.
pub fn browser(named: Option<&Path>, headed: bool, search_path: Option<&OsStr>) -> Result<PathBuf, CdpError> {
    let folders: Vec<PathBuf> = search_path.map(|path| std::env::split_paths(path).collect()).unwrap_or_default();
    if let Some(named) = named {
        return find_named(named, &folders);
    }
    let headless: &[&str] = if headed { &[] } else { HEADLESS };
    let names = || headless.iter().chain(FULL);
    names()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .chain(ELSEWHERE.iter().map(PathBuf::from))
        .find(|program| is_program(program))
        .ok_or_else(|| CdpError::NotFound {
            looked_for: format!(
                "none of {} is on the search path",
                names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            ),
        })
}

fn find_named(named: &Path, folders: &[PathBuf]) -> Result<PathBuf, CdpError> {
    let is_bare_name = named.components().count() == 1 && !named.is_absolute();
    let found = if is_bare_name && !is_program(named) {
        folders.iter().map(|folder| folder.join(named)).find(|program| is_program(program))
    } else {
        // A path without a separator would be looked up on the search path again.
        is_program(named).then(|| if is_bare_name { Path::new(".").join(named) } else { named.to_owned() })
    };
    found.ok_or_else(|| {
        let state = if named.exists() { "is not a program that can be run" } else { "is not there" };
        CdpError::NotFound { looked_for: format!("`{}` {state}", named.display()) }
    })
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    fn a_headed_browser_is_a_full_one() {
        let folder = std::env::temp_dir().join(format!("handeye-find-{}", std::process::id()));
        let other = folder.join("other");
        std::fs::create_dir_all(&other).expect("folder");
        let make = |path: PathBuf, mode| {
            std::fs::write(&path, "").expect("write");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("mode");
            path
        };
        let full = make(folder.join("chromium"), 0o755);
        let shell = make(other.join("chromium-headless-shell"), 0o755);
        let text = make(folder.join("chromium-headless-shell"), 0o644);
        let path = std::env::join_paths([&folder, &other]).expect("path");
        let find = |named: Option<&Path>, headed| browser(named, headed, Some(&path));

        assert_eq!(find(None, true).expect("full"), full);
        assert_eq!(find(None, false).expect("shell"), shell);
        assert_eq!(find(Some(Path::new("chromium")), false).expect("by name"), full);
        assert_eq!(find(Some(&shell), true).expect("by path"), shell);
        let refused = find(Some(&text), false).expect_err("not a program");
        assert!(refused.to_string().ends_with("is not a program that can be run"), "{refused}");
        let refused = find(Some(Path::new("/nope/chrome")), false).expect_err("not there");
        assert_eq!(refused.to_string(), "no browser found: `/nope/chrome` is not there");
        assert!(refused.hint().is_some_and(|hint| hint.contains("--browser")));
        std::fs::remove_dir_all(folder).expect("remove");
    }
}
