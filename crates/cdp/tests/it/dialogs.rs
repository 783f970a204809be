//! Native dialogs are answered while the call that opened them waits.

use crate::support::{Folder, click, evaluate, expect, go, launch, options, page, serve};
use handeye_cdp::{Browser, BrowserEvent, DialogPolicy, LaunchOptions, Session};
use handeye_core::DialogKind;

const PAGES: &[(&str, &str)] = &[
    (
        "/",
        "<style>button, iframe { position: fixed; left: 0; width: 200px; height: 50px; border: 0 }</style>
         <button style='top: 0' onclick=\"alert('hello'); window.said = 'alerted'\">a</button>
         <button style='top: 50px' onclick=\"window.said = confirm('sure?')\">b</button>
         <button style='top: 100px' onclick=\"window.said = prompt('name?', 'Ann')\">c</button>
         <iframe style='top: 150px' src=OTHER></iframe>",
    ),
    ("/leave", "<script>onbeforeunload = e => e.preventDefault()</script><body style='height:600px' onclick='1'>x"),
];
const FRAME: &[(&str, &str)] = &[("/", "<body style='height:50px' onclick=\"alert('from a frame')\">click")];

type Told = (DialogKind, String, bool);

async fn open(policy: DialogPolicy) -> (Folder, Browser, Session, String) {
    let folder = Folder::new();
    let extra_args = vec!["--site-per-process".into(), "--host-resolver-rules=MAP *.test 127.0.0.1".into()];
    let browser = launch(&LaunchOptions { dialogs: policy, extra_args, ..options(&folder) }).await;
    let frame = serve(FRAME, "").await.replace("127.0.0.1", "frame.test");
    let url = serve(PAGES, &frame).await;
    let first = page(&browser);
    go(&first, &url).await;
    (folder, browser, first, url)
}

async fn answered(browser: &Browser, first: &Session, y: f64) -> Told {
    let mut events = browser.subscribe();
    click(first, 50.0, y).await;
    let opened = expect(&mut events, "a dialog", |event| match event {
        BrowserEvent::DialogOpened { kind, message, .. } => Some((kind, message)),
        _ => None,
    })
    .await;
    let closed = expect(&mut events, "its end", |event| match event {
        BrowserEvent::DialogClosed { kind, message, accepted, .. } => Some((kind, message, accepted)),
        _ => None,
    })
    .await;
    assert_eq!(opened, (closed.0, closed.1.clone()));
    closed
}

fn told(kind: DialogKind, message: &str, accepted: bool) -> Told {
    (kind, message.to_owned(), accepted)
}

#[tokio::test]
async fn dismissed_but_for_alerts() {
    let (_folder, browser, first, _) = open(DialogPolicy::Dismiss).await;
    assert_eq!(answered(&browser, &first, 25.0).await, told(DialogKind::Alert, "hello", true));
    assert_eq!(evaluate::<String>(&first, "String(said)").await, "alerted");
    assert_eq!(answered(&browser, &first, 75.0).await, told(DialogKind::Confirm, "sure?", false));
    assert_eq!(evaluate::<String>(&first, "String(said)").await, "false");
    assert_eq!(answered(&browser, &first, 125.0).await, told(DialogKind::Prompt, "name?", false));
    assert_eq!(evaluate::<String>(&first, "String(said)").await, "null");
    browser.close().await;
}

#[tokio::test]
async fn accepted_with_the_default_text() {
    let (_folder, browser, first, url) = open(DialogPolicy::Accept).await;
    assert_eq!(answered(&browser, &first, 75.0).await, told(DialogKind::Confirm, "sure?", true));
    assert_eq!(evaluate::<String>(&first, "String(said)").await, "true");
    assert_eq!(answered(&browser, &first, 125.0).await, told(DialogKind::Prompt, "name?", true));
    assert_eq!(evaluate::<String>(&first, "String(said)").await, "Ann");
    assert_eq!(answered(&browser, &first, 175.0).await, told(DialogKind::Alert, "from a frame", true));

    // A page that asks before it is left is left all the same.
    go(&first, &format!("{url}/leave")).await;
    click(&first, 300.0, 300.0).await;
    let mut events = browser.subscribe();
    go(&first, &url).await;
    let kind = expect(&mut events, "the question", |event| match event {
        BrowserEvent::DialogClosed { kind, accepted: true, .. } => Some(kind),
        _ => None,
    })
    .await;
    assert_eq!(kind, DialogKind::BeforeUnload);
    browser.close().await;
}
