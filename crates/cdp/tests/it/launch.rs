//! A browser of our own, from start to end.

use crate::support::{
    Folder, PATIENCE, evaluate, eventually, expect, go, launch, options, page, processes, search_path, serve,
};
use handeye_cdp::{Browser, BrowserEvent, CdpError, DialogPolicy, Heard, Ignored, LaunchOptions, find};
use handeye_core::Ctx;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[tokio::test]
async fn it_answers_and_leaves_nothing_behind() {
    let folder = Folder::new();
    let browser = launch(&options(&folder)).await;
    assert!(browser.version().contains("Chrome"), "{}", browser.version());
    assert!(browser.is_owned() && browser.endpoint().is_none());
    assert_eq!(evaluate::<i64>(&page(&browser), "6 * 7").await, 42);
    assert!(!processes(&folder.0).is_empty());

    let (root, first) = (browser.root(), page(&browser));
    let mut events = browser.subscribe();
    browser.close().await;
    assert_eq!(folder.entries(), Vec::<PathBuf>::new());
    eventually("no process is left", || processes(&folder.0).is_empty()).await;
    expect(&mut events, "the end", |event| matches!(event, BrowserEvent::Gone { .. }).then_some(())).await;
    assert!(root.is_gone() && first.is_gone());
    assert!(first.call::<Value>("Page.reload", ()).await.expect_err("closed").is_gone());
}

#[tokio::test]
async fn dropping_it_is_enough() {
    let folder = Folder::new();
    let browser = launch(&options(&folder)).await;
    drop(browser);
    assert_eq!(folder.entries(), Vec::<PathBuf>::new());
    eventually("no process is left", || processes(&folder.0).is_empty()).await;
}

#[tokio::test]
async fn one_that_hangs_is_not_waited_for() {
    let folder = Folder::new();
    let browser = launch(&options(&folder)).await;
    let group = rustix::process::Pid::from_raw(browser.process_group().expect("a group")).expect("a number");
    rustix::process::kill_process_group(group, rustix::process::Signal::STOP).expect("stops");
    // Neither the polite request nor the polite signal would be heard, each with a wait of its own.
    tokio::time::timeout(Duration::from_secs(4), browser.close()).await.expect("soon");
    assert_eq!(folder.entries(), Vec::<PathBuf>::new());
    eventually("no process is left", || processes(&folder.0).is_empty()).await;
}

#[tokio::test]
async fn calls_that_wait_end_when_the_browser_is_killed() {
    let folder = Folder::new();
    let browser = launch(&options(&folder)).await;
    let first = page(&browser);
    let waiting = {
        let first = first.clone();
        tokio::spawn(async move {
            let never = json!({"expression": "new Promise(() => {})", "awaitPromise": true});
            first.call_within::<Ignored>("Runtime.evaluate", never, Duration::from_mins(1)).await
        })
    };
    // Once this is answered the browser has the other question as well.
    assert_eq!(evaluate::<i64>(&first, "1").await, 1);
    let group = rustix::process::Pid::from_raw(browser.process_group().expect("a group")).expect("a number");
    rustix::process::kill_process_group(group, rustix::process::Signal::KILL).expect("kills");
    let ended = tokio::time::timeout(Duration::from_secs(2), waiting).await.expect("at once").expect("joins");
    assert!(ended.expect_err("gone").is_gone());
    assert!(first.is_gone() && browser.pages().is_empty());
    browser.close().await;
    assert_eq!(folder.entries(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn messages_have_no_limit_of_size() {
    let folder = Folder::new();
    for keep_open in [false, true] {
        let browser = launch(&LaunchOptions { keep_open, ..options(&folder) }).await;
        let long = evaluate::<String>(&page(&browser), "'x'.repeat(30_000_000)").await;
        assert_eq!(long.len(), 30_000_000);
        let back = evaluate::<usize>(&page(&browser), &format!("'{}'.length", "y".repeat(3_000_000))).await;
        assert_eq!(back, 3_000_000);
        end(browser).await;
    }
}

/// Also one that is kept open.
async fn end(browser: Browser) {
    let _ = browser.root().call::<Ignored>("Browser.close", ()).await;
    browser.close().await;
}

#[tokio::test]
async fn one_that_is_kept_open_stays_and_can_be_attached_to() {
    let folder = Folder::new();
    let browser = launch(&LaunchOptions { keep_open: true, ..options(&folder) }).await;
    let endpoint = browser.endpoint().expect("an endpoint").to_owned();
    assert_eq!(evaluate::<i64>(&page(&browser), "window.kept = 42").await, 42);
    browser.close().await;

    let again = Browser::attach(&endpoint, DialogPolicy::Dismiss, &Ctx::bare()).await.expect("attaches");
    assert!(!again.is_owned());
    assert_eq!(evaluate::<i64>(&page(&again), "window.kept").await, 42);
    end(again).await;
    eventually("it removes its folder itself", || folder.entries().is_empty()).await;
    eventually("no process is left", || processes(&folder.0).is_empty()).await;
}

#[tokio::test]
async fn downloads_are_named_and_kept_in_the_profile() {
    const PAGES: &[(&str, &str)] = &[("/", "<a id=a href=/file>report</a>"), ("/file", "a,b\n1,2\n")];
    let folder = Folder::new();
    let browser = launch(&options(&folder)).await;
    let mut events = browser.subscribe();
    let first = page(&browser);
    go(&first, &serve(PAGES, "").await).await;
    evaluate::<Value>(&first, "document.getElementById('a').click() ?? null").await;
    let (name, bytes, path) = expect(&mut events, "a download", |event| match event {
        BrowserEvent::Downloaded { name, bytes, path, completed: true, .. } => Some((name, bytes, path)),
        _ => None,
    })
    .await;
    assert_eq!((name.as_str(), bytes), ("report.csv", 8));
    let path = path.unwrap_or_else(|| browser.profile().expect("a profile").join("downloads/report.csv"));
    assert_eq!(std::fs::read_to_string(path).expect("the file"), "a,b\n1,2\n");
    browser.close().await;
    assert!(folder.entries().is_empty());
}

#[tokio::test]
async fn events_reach_the_first_listener_from_the_start() {
    let folder = Folder::new();
    let browser = launch(&options(&folder)).await;
    let mut events = page(&browser).events();
    let context = async {
        loop {
            match events.next().await.expect("goes on") {
                Heard::Event(event) if &*event.method == "Runtime.executionContextCreated" => return event,
                _ => {}
            }
        }
    };
    // Sent by the set-up, long before anybody could listen.
    let event = tokio::time::timeout(PATIENCE, context).await.expect("comes");
    assert!(event.read::<Value>().is_some_and(|params| params["context"]["id"].is_number()));
    browser.close().await;
}

#[tokio::test]
async fn calls_end_with_the_browsers_words_or_in_time() {
    let folder = Folder::new();
    let browser = launch(&options(&folder)).await;
    let first = page(&browser);
    let unknown = first.call::<Value>("Nope.nope", ()).await.expect_err("unknown");
    assert!(matches!(&unknown, CdpError::Protocol { method: "Nope.nope", .. }), "{unknown}");
    let never = json!({"expression": "new Promise(() => {})", "awaitPromise": true});
    let late = first.call_within::<Value>("Runtime.evaluate", never, Duration::from_millis(50)).await;
    let late = late.expect_err("late");
    assert_eq!(late.to_string(), "`Runtime.evaluate` got no answer within 50 ms");
    // A script cut a text inside an emoji.
    assert_eq!(evaluate::<String>(&first, "'a😀'.slice(0, 2)").await, "a\u{fffd}");
    // An enum that has grown is no error unless its reader makes it one.
    #[derive(serde::Deserialize)]
    struct Product {
        product: String,
    }
    let product: Product = browser.root().call("Browser.getVersion", ()).await.expect("reads what it knows");
    assert_eq!(product.product, browser.version());
    browser.close().await;
}

#[tokio::test]
async fn a_browser_that_does_not_come_up_says_why() {
    let folder = Folder::new();
    let fake = Folder::new();
    let script = |name: &str, text: &str| {
        let path = fake.0.join(name);
        std::fs::write(&path, text).expect("write");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("mode");
        path
    };
    let start = async |program: PathBuf, keep_open: bool| {
        let options = LaunchOptions { browser: Some(program), keep_open, ..options(&folder) };
        let error = Browser::launch(&options, &Ctx::bare()).await.expect_err("no browser");
        assert!(folder.entries().is_empty(), "{error} left {:?}", folder.entries());
        error.to_string()
    };
    for keep_open in [false, true] {
        let dead = start(script("dead", "#!/bin/sh\necho cannot open display >&2\nexit 3\n"), keep_open).await;
        assert!(dead.contains("ended before it answered") && dead.contains("cannot open display"), "{dead}");
        assert!(keep_open || dead.contains("exit status: 3"), "{dead}");
    }
    let not_elf = start(script("noise", "\u{1}\u{2}"), false).await;
    assert!(not_elf.contains("ended before it answered"), "{not_elf}");
    let missing = start(fake.0.join("none"), false).await;
    assert!(missing.contains("is not there"), "{missing}");
    let deaf = script("deaf", "#!/bin/sh\necho thinking >&2\nexec sleep 600\n");
    let options = LaunchOptions { browser: Some(deaf), ..options(&folder) };
    let cx = Ctx::bare().with_timeout(Some(Duration::from_millis(700)));
    let error = Browser::launch(&options, &cx).await.expect_err("no answer").to_string();
    assert!(error.contains("did not answer within") && error.contains("thinking"), "{error}");
    assert!(folder.entries().is_empty());
    eventually("no process is left", || processes(&fake.0).is_empty()).await;
}

#[tokio::test]
async fn a_start_can_be_cancelled() {
    let folder = Folder::new();
    let cx = Ctx::bare();
    let options = options(&folder);
    let start = Browser::launch(&options, &cx);
    let cancel = async {
        eventually("a browser process", || processes(&folder.0).iter().any(|line| line.contains("--user-data-dir")))
            .await;
        cx.cancel.cancel();
    };
    let (started, ()) = tokio::join!(start, cancel);
    assert!(matches!(started, Err(CdpError::Cancelled)), "{started:?}");
    assert!(folder.entries().is_empty());
    eventually("no process is left", || processes(&folder.0).is_empty()).await;
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let options = LaunchOptions {
        search_path: search_path(),
        temp_dir: PathBuf::from("/proc/nowhere"),
        ..LaunchOptions::default()
    };
    let error = Browser::launch(&options, &Ctx::bare()).await.expect_err("no folder");
    assert!(matches!(error, CdpError::Io { .. }));
    assert!(error.to_string().contains("/proc/nowhere/handeye-"), "{error}");
}

#[test]
fn the_browser_is_found_on_the_search_path() {
    let found = find::browser(None, false, search_path().as_deref()).expect("a browser is needed for these tests");
    assert!(found.is_absolute());
    let missing = find::browser(Some(Path::new("/no/such/browser")), false, None).expect_err("missing");
    assert!(matches!(missing, CdpError::NotFound { .. }));
}
