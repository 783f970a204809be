//! Attaching to what runs already, and to what is no browser.

use crate::support::{Folder, evaluate, eventually, launch, options, page};
use handeye_cdp::{Browser, CdpError, DialogPolicy, LaunchOptions};
use handeye_core::Ctx;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

async fn attach(endpoint: &str) -> Result<Browser, CdpError> {
    let cx = Ctx::bare();
    let attach = Browser::attach(endpoint, DialogPolicy::Dismiss, &cx);
    tokio::time::timeout(Duration::from_secs(7), attach).await.expect("within its own deadline")
}

#[tokio::test]
async fn by_http_and_by_ws_and_nothing_of_it_is_closed() {
    let folder = Folder::new();
    let owner = launch(&LaunchOptions { keep_open: true, ..options(&folder) }).await;
    evaluate::<Value>(&page(&owner), "window.mine = 42").await;
    let ws = owner.endpoint().expect("an endpoint").to_owned();
    let port = ws.rsplit_once("/devtools").expect("a path").0.replace("ws:", "http:");
    for endpoint in [&port, &ws, &port.replace("127.0.0.1", "localhost")] {
        let guest = attach(endpoint).await.expect("attaches");
        assert!(!guest.is_owned());
        assert_eq!(guest.pages().len(), 1);
        assert_eq!(evaluate::<i64>(&page(&guest), "window.mine").await, 42);
        guest.close().await;
        assert_eq!(evaluate::<i64>(&page(&owner), "window.mine").await, 42);
    }

    // Tabs that are not ours are neither listed nor set up, but those that ours opens are.
    let other = owner.new_page("data:text/html,<title>other</title>").await.expect("opens");
    let guest = attach(&ws).await.expect("attaches");
    assert_eq!(guest.pages().len(), 1);
    let ours = page(&guest);
    let popup = json!({"expression": "void window.open('about:blank')", "userGesture": true});
    ours.call::<Value>("Runtime.evaluate", popup).await.expect("opens");
    eventually("the popup", || guest.pages().len() == 2).await;
    assert_eq!(guest.pages()[1].opener.as_deref(), Some(ours.target_id()));
    guest.new_page("about:blank").await.expect("opens");
    assert_eq!(guest.pages().len(), 3);
    guest.close().await;
    assert_eq!(evaluate::<i64>(&other, "1 + 1").await, 2);

    let _ = owner.root().call::<Value>("Browser.close", ()).await;
    owner.close().await;
    eventually("the folder is gone", || folder.entries().is_empty()).await;
}

#[tokio::test]
async fn what_is_no_browser_is_told_apart() {
    let free = {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        listener.local_addr().expect("address")
    };
    let check = async |endpoint: String, why: &str| {
        let error = attach(&endpoint).await.expect_err("no browser");
        assert!(error.to_string().contains(why), "{error}");
        assert!(error.to_string().contains(&endpoint), "{error}");
        assert!(matches!(error, CdpError::Refused { .. }));
        assert!(error.hint().is_some());
    };
    check(format!("http://{free}"), "connection refused").await;
    check(format!("ws://{free}/devtools/browser/x"), "connection refused").await;
    let web = answering(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").await;
    check(format!("http://{web}"), "no browser's debugging port").await;
    check(format!("ws://{web}/devtools/browser/x"), "no WebSocket of a browser").await;
    let json = answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").await;
    check(format!("http://{json}"), "webSocketDebuggerUrl").await;
    let ssh = answering(b"SSH-2.0-OpenSSH_9.6\r\n").await;
    check(format!("http://{ssh}"), "not with HTTP").await;
    let silent = answering(b"").await;
    check(format!("http://{silent}"), "does not answer as a browser within").await;
    check("http://no-such-host.invalid:1".to_owned(), "cannot attach").await;
    check("https://127.0.0.1:1".to_owned(), "not supported").await;
}

/// Says the same to everyone; with nothing to say it keeps silent and keeps the connection.
async fn answering(answer: &'static [u8]) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("address");
    tokio::spawn(async move {
        let mut kept = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            if answer.is_empty() {
                kept.push(stream);
            } else {
                // Reading first keeps the close from turning into a reset.
                let mut request = [0; 2048];
                let _ = tokio::io::AsyncReadExt::read(&mut stream, &mut request).await;
                let _ = stream.write_all(answer).await;
            }
        }
    });
    address
}

#[tokio::test]
async fn a_message_of_an_impossible_size_is_a_broken_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let endpoint = format!("ws://{}/devtools/browser/x", listener.local_addr().expect("an address"));
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.expect("a guest");
        let mut stream = tokio_tungstenite::accept_async(stream).await.expect("a handshake").into_inner();
        // A text of 2^63 - 1 bytes.
        stream.write_all(&[0x81, 0x7f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).await.expect("writes");
        stream
    });
    let error = attach(&endpoint).await.expect_err("no browser");
    assert!(error.to_string().contains("the connection to the browser broke"), "{error}");
    drop(server.await);
}
