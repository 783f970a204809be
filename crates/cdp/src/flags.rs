//! The command line of a browser that we start.

use crate::LaunchOptions;
use std::ffi::OsString;
use std::path::Path;

/// What depends on the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) is_root: bool,
    /// Shared memory is too small for big pages, as in many containers.
    pub(crate) has_small_shm: bool,
}

/// Quiet: no first-run pages, no bubbles, no background traffic. Awake: pages behind others keep running.
const ALWAYS: &[&str] = &[
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-quic",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--disable-search-engine-choice-screen",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--disable-features=Translate,MediaRouter,OptimizationHints,Prerender2",
    "--allow-pre-commit-input",
    "--enable-automation",
    "--force-color-profile=srgb",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
];

pub(crate) fn arguments(options: &LaunchOptions, profile: &Path, place: Place) -> Vec<OsString> {
    let (width, height) = options.viewport;
    let mut arguments: Vec<OsString> = ALWAYS.iter().map(OsString::from).collect();
    if !options.headed {
        arguments.extend(["--headless", "--disable-gpu", "--mute-audio"].map(OsString::from));
    }
    if place.is_root {
        arguments.push("--no-sandbox".into());
    }
    if place.has_small_shm {
        arguments.push("--disable-dev-shm-usage".into());
    }
    arguments.push(format!("--window-size={width},{height}").into());
    arguments.push(if options.keep_open { "--remote-debugging-port=0" } else { "--remote-debugging-pipe" }.into());
    let mut folder = OsString::from("--user-data-dir=");
    folder.push(profile);
    arguments.push(folder);
    // Last, so that a user's switch wins over ours.
    arguments.extend(options.extra_args.iter().map(OsString::from));
    arguments.push("about:blank".into());
    arguments
}

/// Things that a person should know about these switches.
pub(crate) fn remarks(place: Place) -> Vec<String> {
    let mut remarks = Vec::new();
    if place.is_root {
        remarks.push("the browser runs as root and so without its sandbox (--no-sandbox)".to_owned());
    }
    if place.has_small_shm {
        remarks.push("/dev/shm is small, so the browser does without it (--disable-dev-shm-usage)".to_owned());
    }
    remarks
}

impl Place {
    pub(crate) fn here() -> Self {
        // The size is a u64 on some systems and narrower on others.
        #[cfg(target_os = "linux")]
        let has_small_shm = rustix::fs::statvfs("/dev/shm")
            .is_ok_and(|shm| shm.f_blocks.saturating_mul(shm.f_frsize) < 256 * 1024 * 1024);
        #[cfg(not(target_os = "linux"))]
        let has_small_shm = false;
        Self { is_root: rustix::process::geteuid().is_root(), has_small_shm }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(options: &LaunchOptions, is_root: bool) -> String {
        let place = Place { is_root, has_small_shm: false };
        let arguments = arguments(options, Path::new("/tmp/p"), place);
        arguments.iter().skip(ALWAYS.len()).map(|a| a.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn switches_follow_the_options() {
        let mut options = LaunchOptions::default();
        assert_eq!(
            line(&options, false),
            "--headless --disable-gpu --mute-audio --window-size=1280,720 --remote-debugging-pipe \
             --user-data-dir=/tmp/p about:blank"
        );
        options.headed = true;
        options.keep_open = true;
        options.viewport = (800, 600);
        options.extra_args = vec!["--lang=de".into()];
        assert_eq!(
            line(&options, true),
            "--no-sandbox --window-size=800,600 --remote-debugging-port=0 --user-data-dir=/tmp/p --lang=de about:blank"
        );
    }

    #[test]
    fn running_without_the_sandbox_is_said() {
        let root = remarks(Place { is_root: true, has_small_shm: false });
        assert!(root.len() == 1 && root[0].contains("--no-sandbox"));
        assert!(remarks(Place { is_root: false, has_small_shm: false }).is_empty());
    }
}
