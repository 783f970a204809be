//! Pages and frames that come and go.

use crate::support::{Folder, click, evaluate, eventually, expect, go, launch, options, page, serve};
use handeye_cdp::{BrowserEvent, LaunchOptions};
use serde_json::{Value, json};

#[tokio::test]
async fn a_popup_is_attached_while_the_click_waits() {
    const PAGES: &[(&str, &str)] = &[
        (
            "/",
            "<button style='position:fixed;left:0;top:0;width:200px;height:100px' onclick=\"window.open('/popup')\">open</button>",
        ),
        ("/popup", "<script>window.seen = window.fromInit; document.title = 'Popup'</script>"),
    ];
    let folder = Folder::new();
    let browser = launch(&options(&folder)).await;
    browser
        .on_new_target(vec![("Page.addScriptToEvaluateOnNewDocument", json!({"source": "window.fromInit = 7"}))])
        .await;
    let first = page(&browser);
    go(&first, &serve(PAGES, "").await).await;
    assert_eq!(evaluate::<i64>(&first, "window.fromInit").await, 7);
    let mut events = browser.subscribe();
    click(&first, 50.0, 50.0).await;
    let (target, opener, popup) = expect(&mut events, "the popup", |event| match event {
        BrowserEvent::PageOpened { target_id, opener, session, .. } => Some((target_id, opener, session)),
        _ => None,
    })
    .await;
    assert_eq!(opener.as_deref(), Some(first.target_id()));
    let is_there = || browser.pages().iter().any(|page| page.target_id == target && page.url.ends_with("/popup"));
    eventually("the popup is listed", is_there).await;
    // The init script ran before the page's own first one.
    let seen = "new Promise(done => document.title ? done(seen) : addEventListener('load', () => done(seen)))";
    assert_eq!(evaluate::<i64>(&popup, seen).await, 7);
    assert_eq!(browser.pages().len(), 2);

    popup.post("Page.close", ());
    expect(&mut events, "the close", |event| match event {
        BrowserEvent::PageClosed { target_id } if target_id == target => Some(()),
        _ => None,
    })
    .await;
    assert!(popup.is_gone());
    assert!(popup.call::<Value>("Page.reload", ()).await.expect_err("closed").is_gone());
    assert_eq!(browser.pages().len(), 1);
    browser.close().await;
}

#[tokio::test]
async fn frames_of_other_sites_are_attached_at_any_depth() {
    const INNER: &[(&str, &str)] = &[("/", "<p id=where>inner</p><script>window.seen = window.fromInit</script>")];
    const MIDDLE: &[(&str, &str)] = &[("/", "<iframe src=OTHER></iframe>")];
    const OUTER: &[(&str, &str)] = &[("/", "<iframe src=OTHER></iframe>")];
    let folder = Folder::new();
    // Sites differ by host, not by port, so each server gets a name of its own.
    let extra_args = vec!["--site-per-process".into(), "--host-resolver-rules=MAP *.test 127.0.0.1".into()];
    let browser = launch(&LaunchOptions { extra_args, ..options(&folder) }).await;
    browser
        .on_new_target(vec![("Page.addScriptToEvaluateOnNewDocument", json!({"source": "window.fromInit = 7"}))])
        .await;
    let inner = serve(INNER, "").await.replace("127.0.0.1", "inner.test");
    let middle = serve(MIDDLE, &inner).await.replace("127.0.0.1", "middle.test");
    let outer = serve(OUTER, &middle).await;
    let mut events = browser.subscribe();
    let first = page(&browser);
    go(&first, &outer).await;
    let attached = async |events: &mut _, above: &str| {
        expect(events, "a frame", |event| match event {
            BrowserEvent::FrameAttached { parent, session, .. } if parent.id() == above => Some(session),
            _ => None,
        })
        .await
    };
    let middle = attached(&mut events, first.id()).await;
    let inner = attached(&mut events, middle.id()).await;
    let here = "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))\
                .then(() => document.getElementById('where').textContent + window.seen)";
    assert_eq!(evaluate::<String>(&inner, here).await, "inner7");
    evaluate::<Value>(&first, "document.querySelector('iframe').remove() ?? null").await;
    eventually("both frames are gone", || middle.is_gone() && inner.is_gone()).await;
    browser.close().await;
}

#[tokio::test]
async fn workers_are_let_go() {
    const PAGES: &[(&str, &str)] = &[(
        "/",
        "<script>const code = URL.createObjectURL(new Blob(['postMessage(42)']));
         window.answer = new Promise(done => new Worker(code).onmessage = e => done(e.data))</script>",
    )];
    let folder = Folder::new();
    let browser = launch(&options(&folder)).await;
    let first = page(&browser);
    go(&first, &serve(PAGES, "").await).await;
    assert_eq!(evaluate::<i64>(&first, "window.answer").await, 42);
    assert_eq!(browser.pages().len(), 1);
    browser.close().await;
}

#[tokio::test]
async fn pages_can_be_opened_and_crashes_are_told() {
    const PAGES: &[(&str, &str)] = &[("/", "<title>Second</title>")];
    let folder = Folder::new();
    let browser = launch(&options(&folder)).await;
    let url = serve(PAGES, "").await;
    let second = browser.new_page("about:blank").await.expect("opens");
    go(&second, &url).await;
    assert_eq!(browser.pages().len(), 2);
    let mut events = browser.subscribe();
    let waiting = {
        let second = second.clone();
        tokio::spawn(async move { second.call::<Value>("Page.crash", ()).await })
    };
    let crashed = expect(&mut events, "a crash", |event| match event {
        BrowserEvent::Crashed { target_id, .. } => Some(target_id),
        _ => None,
    })
    .await;
    assert_eq!(crashed, second.target_id());
    assert!(waiting.await.expect("joins").expect_err("crashed").to_string().contains("crashed"));
    assert_eq!(evaluate::<i64>(&page(&browser), "1 + 1").await, 2);
    browser.close().await;
}
