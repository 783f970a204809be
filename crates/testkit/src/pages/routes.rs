//! What the page server answers.

use super::files::{media_type, percent_decoded};
use super::{Asked, Pages};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Query, Request};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What the server holds and has seen.
pub(super) struct State {
    pub(super) pages: Pages,
    hits: Mutex<BTreeMap<String, u64>>,
    log: Mutex<Vec<Asked>>,
}

impl State {
    pub(super) fn new(pages: Pages) -> Self {
        Self { pages, hits: Mutex::default(), log: Mutex::default() }
    }
    pub(super) fn hits(&self) -> BTreeMap<String, u64> {
        locked(&self.hits).clone()
    }
    pub(super) fn log(&self) -> Vec<Asked> {
        locked(&self.log).clone()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn app(state: Arc<State>, port: u16) -> Router {
    let answer = move |request: Request| {
        let state = Arc::clone(&state);
        async move { answer(&state, port, request).await }
    };
    Router::new().fallback(answer).layer(DefaultBodyLimit::disable())
}

async fn answer(state: &State, port: u16, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    let path = head.uri.path_and_query().map_or_else(|| "/".to_owned(), |p| p.as_str().to_owned());
    locked(&state.log).push(Asked { method: head.method.to_string(), port, path, bytes: body.len() });
    let response = route(state, &head.method, &head.uri, &head.headers, &body).await;
    let common = [(header::CACHE_CONTROL, "no-store"), (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")];
    (common, response).into_response()
}

async fn route(state: &State, method: &Method, uri: &Uri, headers: &HeaderMap, body: &Bytes) -> Response {
    let query = Query::<HashMap<String, String>>::try_from_uri(uri).map(|q| q.0).unwrap_or_default();
    let text = |key: &str| query.get(key).cloned().unwrap_or_default();
    let number = |key: &str| query.get(key).and_then(|n| n.parse::<u64>().ok());
    let late = Duration::from_millis(number("ms").unwrap_or(0));
    match uri.path() {
        "/_upload" if method == Method::POST => json_answer(&uploaded(body)),
        "/_redirect" => {
            wait(late).await;
            (StatusCode::FOUND, [(header::LOCATION, text("to"))]).into_response()
        }
        "/_hang" => typed("text/plain", Body::from_stream(stream::pending::<Result<Bytes, Infallible>>())),
        "/_sse" => {
            let ticks = stream::repeat_with(|| Bytes::from_static(b"data: tick\n\n"));
            typed("text/event-stream", dripped(ticks, Duration::from_millis(200)))
        }
        "/_download" => download(&text("name"), number("size").unwrap_or(1000), late),
        "/_hit" => {
            *locked(&state.hits).entry(text("k")).or_default() += 1;
            wait(late).await;
            typed("text/plain", Body::from("ok"))
        }
        "/_hits" => json_answer(&json!(state.hits())),
        "/_log" => {
            let rows = state.log().into_iter().map(|a| json!([a.method, a.port, a.path, a.bytes]));
            json_answer(&rows.collect())
        }
        "/_basic" if headers.contains_key(header::AUTHORIZATION) => typed("text/plain", Body::from("welcome")),
        "/_basic" => {
            (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Basic realm=\"case\"")], "auth").into_response()
        }
        "/_status" => {
            let code = number("code").and_then(|n| u16::try_from(n).ok()).and_then(|n| StatusCode::from_u16(n).ok());
            let mut answer = if text("file").is_empty() { Response::default() } else { file(state, &text("file")) };
            *answer.status_mut() = code.unwrap_or(StatusCode::OK);
            answer
        }
        "/_slow" => {
            wait(late).await;
            file(state, &text("file"))
        }
        path if method == Method::GET || method == Method::HEAD => file(state, &percent_decoded(path)),
        _ => (StatusCode::NOT_FOUND, "no").into_response(),
    }
}

fn file(state: &State, path: &str) -> Response {
    match state.pages.get(path) {
        Some(content) => typed(media_type(path), Body::from(content)),
        None => (StatusCode::NOT_FOUND, "not found").into_response(),
    }
}

fn typed(media_type: &'static str, body: Body) -> Response {
    ([(header::CONTENT_TYPE, media_type)], body).into_response()
}

fn json_answer(value: &Value) -> Response {
    typed("application/json", Body::from(value.to_string()))
}

fn download(name: &str, size: u64, over: Duration) -> Response {
    let part = move |i: u64| if i < 9 { size / 10 } else { size - 9 * (size / 10) };
    let parts = stream::iter((0..10).map(move |i| Bytes::from(vec![b'x'; part(i) as usize])));
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_LENGTH, size.to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, dripped(parts, over / 10)).into_response()
}

/// Sends each piece, then waits.
fn dripped(pieces: impl stream::Stream<Item = Bytes> + Send + 'static, pause: Duration) -> Body {
    Body::from_stream(pieces.enumerate().then(move |(i, piece)| async move {
        if i > 0 {
            wait(pause).await;
        }
        Ok::<_, Infallible>(piece)
    }))
}

#[expect(clippy::disallowed_methods, reason = "to answer late is what these routes are for")]
async fn wait(time: Duration) {
    if !time.is_zero() {
        tokio::time::sleep(time).await;
    }
}

/// Name and size of each file in a multipart body.
fn uploaded(body: &[u8]) -> Value {
    let find = |hay: &[u8], needle: &[u8]| hay.windows(needle.len()).position(|w| w == needle);
    let mut files = Vec::new();
    let mut rest = body;
    while let Some(at) = find(rest, b"filename=\"") {
        rest = &rest[at + 10..];
        let (Some(quote), Some(blank)) = (find(rest, b"\""), find(rest, b"\r\n\r\n")) else { break };
        let name = String::from_utf8_lossy(&rest[..quote]).into_owned();
        rest = &rest[blank + 4..];
        let Some(end) = find(rest, b"\r\n--") else { break };
        files.push(json!({"name": name, "size": end}));
        rest = &rest[end..];
    }
    Value::from(files)
}
