//! A page server of a few lines, folders that clean up, and looks at other processes.

use handeye_cdp::{Browser, BrowserEvent, Heard, LaunchOptions, Session};
use handeye_core::Ctx;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::broadcast;

/// Longer than anything should take, even on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

#[expect(clippy::disallowed_methods, reason = "a test has no command line to hand the search path down")]
pub(crate) fn search_path() -> Option<OsString> {
    std::env::var_os("PATH")
}

/// A folder of this test's own, removed at its end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    #[expect(clippy::disallowed_methods, reason = "a test has no command line to hand the folder down")]
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("handeye-cdp-test-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
    pub(crate) fn entries(&self) -> Vec<PathBuf> {
        std::fs::read_dir(&self.0).expect("the folder").map(|entry| entry.expect("an entry").path()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn options(folder: &Folder) -> LaunchOptions {
    LaunchOptions { search_path: search_path(), temp_dir: folder.0.clone(), ..LaunchOptions::default() }
}

pub(crate) async fn launch(options: &LaunchOptions) -> Browser {
    Browser::launch(options, &Ctx::bare()).await.expect("a browser")
}

/// Command lines of the living processes that mention `text`.
pub(crate) fn processes(text: &Path) -> Vec<String> {
    let text = text.to_string_lossy().into_owned();
    let own = std::process::id().to_string();
    std::fs::read_dir("/proc")
        .expect("processes")
        .filter_map(Result::ok)
        .filter(|entry| *entry.file_name() != *own)
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(&text))
        .collect()
}

/// Waits until a condition holds that no event tells of.
#[expect(clippy::disallowed_methods, reason = "other processes tell nobody when they end")]
pub(crate) async fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let wait = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), wait).await.unwrap_or_else(|_| panic!("not within 10 s: {what}"));
}

/// Serves a page for each path; `HOST` in it becomes the address of `host`, which other servers' pages may point to.
pub(crate) async fn serve(pages: &'static [(&'static str, &'static str)], other: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("address"));
    let other = other.to_owned();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let other = other.clone();
            tokio::spawn(async move {
                let mut request = vec![0; 8192];
                let read = stream.read(&mut request).await.unwrap_or(0);
                let request = String::from_utf8_lossy(&request[..read]);
                let path = request.split(' ').nth(1).unwrap_or_default();
                let page = pages.iter().find(|(known, _)| *known == path);
                let (status, body) = page.map_or(("404 Not Found", ""), |(_, body)| ("200 OK", *body));
                let body = body.replace("OTHER", &other);
                let kind = if path.contains("file") {
                    "application/octet-stream\r\nContent-Disposition: attachment; filename=\"report.csv\""
                } else {
                    "text/html; charset=utf-8"
                };
                let length = body.len();
                let head = format!(
                    "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
                );
                let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
            });
        }
    });
    address
}

pub(crate) fn page(browser: &Browser) -> Session {
    browser.pages().first().expect("a page").session.clone()
}

/// Opens an address and waits for its load event.
pub(crate) async fn go(session: &Session, url: &str) {
    let mut events = session.events();
    let navigated: Value = session.call("Page.navigate", json!({"url": url})).await.expect("navigates");
    let loader = navigated["loaderId"].clone();
    let loaded = async {
        while let Some(heard) = events.next().await {
            let Heard::Event(event) = heard else { continue };
            let Some(params) = event.read::<Value>() else { continue };
            if &*event.method == "Page.lifecycleEvent" && params["name"] == "load" && params["loaderId"] == loader {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, loaded).await.expect("loads");
}

pub(crate) async fn evaluate<T: DeserializeOwned>(session: &Session, expression: &str) -> T {
    let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
    let answer: Value = session.call("Runtime.evaluate", params).await.expect("evaluates");
    serde_json::from_value(answer["result"]["value"].clone()).unwrap_or_else(|e| panic!("{e}: {answer}"))
}

/// A click with the mouse; returns when the browser has acknowledged it.
pub(crate) async fn click(session: &Session, x: f64, y: f64) {
    for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let params = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1});
        let _: Value = session.call("Input.dispatchMouseEvent", params).await.expect("clicks");
    }
}

/// The first event that `pick` takes.
pub(crate) async fn expect<T>(
    events: &mut broadcast::Receiver<BrowserEvent>,
    what: &str,
    pick: impl Fn(BrowserEvent) -> Option<T>,
) -> T {
    let wait = async {
        loop {
            let event = events.recv().await.unwrap_or_else(|error| panic!("{what}: {error}"));
            if let Some(found) = pick(event) {
                return found;
            }
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("did not come: {what}"))
}
