//! A scripted model that speaks OpenAI chat completions on loopback.
//!
//! The n-th POST gets the n-th [`Scripted`] answer, retries included; when the script is used up it answers
//! [`EXHAUSTED`], so that a run always ends. Every request is logged. HTTP is written by hand here because the point of
//! this server is what a well-behaved one cannot do: reset a connection, stall inside a body, cut a stream at any byte.
//!
//! ```no_run
//! use handeye_testkit::model::{ModelServer, Scripted};
//! let server = ModelServer::start(vec![Scripted::status(429).header("Retry-After", "1"), Scripted::text("hello")]);
//! println!("{}", server.base_url()); // http://127.0.0.1:PORT/v1
//! assert!(server.calls().is_empty());
//! ```

use handeye_core::Ctx;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinSet;

mod script;
pub use script::{Hang, Scripted};

/// What the server answers when the script is used up.
pub const EXHAUSTED: &str = r#"<complete success="false">SCRIPT EXHAUSTED</complete>"#;

/// One request as it came in.
#[derive(Clone, Debug)]
pub struct Call {
    /// Since the server started.
    pub at: Duration,
    /// The target of the request line: `/v1/chat/completions`.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as sent, byte for byte.
    pub raw: String,
    /// The body as JSON; null when it is none.
    pub body: Value,
}

impl Call {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
    /// All text of the messages, one line break between parts.
    pub fn text(&self) -> String {
        let messages = self.body["messages"].as_array().into_iter().flatten();
        let texts = messages.flat_map(|m| match &m["content"] {
            Value::Array(parts) => parts.iter().filter_map(|p| p["text"].as_str()).collect(),
            content => content.as_str().into_iter().collect::<Vec<_>>(),
        });
        texts.collect::<Vec<_>>().join("\n")
    }
    /// Number of pictures in the messages.
    pub fn images(&self) -> usize {
        let messages = self.body["messages"].as_array().into_iter().flatten();
        messages
            .flat_map(|m| m["content"].as_array().into_iter().flatten())
            .filter(|p| p["type"] == "image_url")
            .count()
    }
}

struct Shared {
    replies: Vec<Scripted>,
    clock: Ctx,
    log: Mutex<Log>,
    changed: Notify,
}

#[derive(Default)]
struct Log {
    calls: Vec<Call>,
    hung_up: usize,
}

impl Shared {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs on a thread of its own until it is dropped, so it serves any kind of test.
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl ModelServer {
    #[expect(clippy::expect_used, reason = "a test without a loopback socket cannot go on")]
    pub fn start(replies: Vec<Scripted>) -> Self {
        let shared = Arc::new(Shared { replies, clock: Ctx::bare(), log: Mutex::default(), changed: Notify::new() });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free loopback port");
        listener.set_nonblocking(true).expect("a socket that does not block");
        let address = listener.local_addr().expect("the address of the socket");
        let (stop, stopped) = oneshot::channel();
        let theirs = shared.clone();
        let serve = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener).expect("a listener");
                tokio::select! { () = accept(&listener, &theirs) => {}, _ = stopped => {} }
            });
        };
        let thread = std::thread::Builder::new().name("model server".into()).spawn(serve).expect("a thread");
        Self { address, shared, stop: Some(stop), thread: Some(thread) }
    }

    /// A server that answers these texts.
    pub fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::start(texts.into_iter().map(|t| Scripted::text(t)).collect())
    }

    /// `http://127.0.0.1:PORT/v1`
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The requests so far, in order of arrival.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.log().calls.clone()
    }

    /// How many clients closed the connection before they had the whole answer.
    pub fn hung_up(&self) -> usize {
        self.shared.log().hung_up
    }

    /// Waits until that many requests came in. False when `at_most` passes first.
    pub async fn wait_for_calls(&self, count: usize, at_most: Duration) -> bool {
        self.wait(at_most, |log| log.calls.len() >= count).await
    }

    /// Waits until that many clients hung up. False when `at_most` passes first.
    pub async fn wait_for_hang_ups(&self, count: usize, at_most: Duration) -> bool {
        self.wait(at_most, |log| log.hung_up >= count).await
    }

    async fn wait(&self, at_most: Duration, reached: impl Fn(&Log) -> bool) -> bool {
        let watch = async {
            loop {
                let changed = self.shared.changed.notified();
                if reached(&self.shared.log()) {
                    return;
                }
                changed.await;
            }
        };
        tokio::time::timeout(at_most, watch).await.is_ok()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    // The set owns the connections: they end with the server.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => if let Ok((stream, _)) = accepted {
                let shared = shared.clone();
                connections.spawn(async move { let _ = converse(stream, &shared).await; });
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

struct Incoming {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

async fn converse(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::new();
    while let Some(incoming) = read_request(&mut stream, &mut buffer).await? {
        if incoming.method != "POST" {
            let calls = shared.log().calls.len();
            let listing = json!({"object": "list", "data": [{"id": "mock", "object": "model"}], "calls": calls});
            write_whole(&mut stream, 200, &[], "application/json", listing.to_string().as_bytes()).await?;
            continue;
        }
        let (scripted, call, index) = note(shared, incoming);
        shared.changed.notify_waiters();
        let answered = answer(&mut stream, &scripted, &call, index).await;
        if !matches!(answered, Ok(true)) {
            // Ended by the script, or by a client that did not wait for the rest.
            if answered.is_err() {
                shared.log().hung_up += 1;
                shared.changed.notify_waiters();
            }
            return Ok(());
        }
    }
    Ok(())
}

fn note(shared: &Shared, incoming: Incoming) -> (Scripted, Call, usize) {
    let raw = String::from_utf8_lossy(&incoming.body).into_owned();
    let body = serde_json::from_str(&raw).unwrap_or(Value::Null);
    let call = Call { at: shared.clock.now().0, path: incoming.path, headers: incoming.headers, raw, body };
    let mut log = shared.log();
    let index = log.calls.len();
    log.calls.push(call.clone());
    let scripted = shared.replies.get(index).cloned().unwrap_or_else(|| Scripted::text(EXHAUSTED));
    (scripted, call, index)
}

/// Reads one request; `None` when the client closed the connection between requests.
async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> std::io::Result<Option<Incoming>> {
    let head_end = loop {
        if let Some(at) = buffer.windows(4).position(|w| w == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
        if !buffer.first().is_some_and(u8::is_ascii_uppercase) {
            // Not HTTP, most likely the greeting of TLS: real servers say so and close.
            write_whole(stream, 400, &[], "text/plain", b"this is plain HTTP").await?;
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&buffer[..head_end]).into_owned();
    buffer.drain(..head_end);
    let mut lines = head.lines();
    let mut request_line = lines.next().unwrap_or_default().split(' ');
    let method = request_line.next().unwrap_or_default().to_owned();
    let path = request_line.next().unwrap_or_default().to_owned();
    let headers: Vec<(String, String)> =
        lines.filter_map(|l| l.split_once(':')).map(|(n, v)| (n.to_lowercase(), v.trim().to_owned())).collect();
    let length = headers.iter().find(|(n, _)| n == "content-length").and_then(|(_, v)| v.parse().ok()).unwrap_or(0);
    while buffer.len() < length {
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
    let body = buffer.drain(..length).collect();
    Ok(Some(Incoming { method, path, headers, body }))
}

/// Plays one answer. True when the connection may carry the next request; an error when the client hung up.
async fn answer(stream: &mut TcpStream, scripted: &Scripted, call: &Call, index: usize) -> std::io::Result<bool> {
    hold(stream, scripted.delay).await?;
    match scripted.hang {
        Some(Hang::Stall) => return hold(stream, FOREVER).await.map(|()| false),
        Some(Hang::Reset) => {
            // Lingering for no time turns the close into a reset.
            let _ = stream.set_zero_linger();
            return Ok(false);
        }
        Some(Hang::StallAfter(_) | Hang::CutAfter(_)) | None => {}
    }
    let streamed = call.body["stream"] == json!(true) && scripted.status.is_none() && scripted.body.is_none();
    let (media, body) = if streamed && !scripted.ignores_stream {
        ("text/event-stream", scripted.stream_body(&call.body, index))
    } else {
        ("application/json", scripted.whole_body(&call.body, index))
    };
    let media = scripted.media_type.as_deref().unwrap_or(media);
    let body = body.as_bytes();
    let cut = match scripted.hang {
        Some(Hang::StallAfter(bytes) | Hang::CutAfter(bytes)) => bytes.min(body.len()),
        _ => body.len(),
    };
    if scripted.hang.is_none() && !streamed {
        write_whole(stream, scripted.status.unwrap_or(200), &scripted.headers, media, body).await?;
        return Ok(true);
    }
    // Announcing more than is sent makes the cut visible to the client.
    let length = if streamed { None } else { Some(body.len() + 1) };
    stream.write_all(head(scripted.status.unwrap_or(200), &scripted.headers, media, length).as_bytes()).await?;
    for chunk in body[..cut].chunks(scripted.chunk.unwrap_or(4096).max(1)) {
        stream.write_all(chunk).await?;
        stream.flush().await?;
    }
    if matches!(scripted.hang, Some(Hang::StallAfter(_))) {
        hold(stream, FOREVER).await?;
    }
    stream.shutdown().await?;
    Ok(false)
}

const FOREVER: Duration = Duration::from_hours(1);

/// Lets time pass while the client stays; an error as soon as it hangs up.
async fn hold(stream: &mut TcpStream, time: Duration) -> std::io::Result<()> {
    if time.is_zero() {
        return Ok(());
    }
    match tokio::time::timeout(time, stream.read_u8()).await {
        Err(_elapsed) => Ok(()),
        Ok(_) => Err(std::io::ErrorKind::ConnectionAborted.into()),
    }
}

fn head(status: u16, headers: &[(String, String)], media: &str, length: Option<usize>) -> String {
    let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let end = length.map_or("connection: close".to_owned(), |length| format!("content-length: {length}"));
    format!("HTTP/1.1 {status} Scripted\r\ncontent-type: {media}\r\n{}{end}\r\n\r\n", headers.concat())
}

async fn write_whole(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(String, String)],
    media: &str,
    body: &[u8],
) -> std::io::Result<()> {
    stream.write_all(head(status, headers, media, Some(body.len())).as_bytes()).await?;
    stream.write_all(body).await?;
    stream.flush().await
}
