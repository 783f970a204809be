//! Finding the WebSocket of a running browser. We connect straight to the address that was named, never through a proxy.

use crate::CdpError;
use serde::Deserialize;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// An answer to `/json/version` is a few hundred bytes; more than this is something else.
const MOST_OF_AN_ANSWER: u64 = 256 * 1024;

/// A message of a browser, in bytes: nothing that a page could make it send comes near.
const LARGEST_MESSAGE: usize = 1 << 30;

/// A parsed `--cdp` endpoint.
#[derive(Debug, PartialEq, Eq)]
struct Endpoint<'a> {
    host: &'a str,
    port: u16,
    /// The WebSocket's path, when the endpoint names one; else it has to be asked for.
    path: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    web_socket_debugger_url: String,
}

/// A connected WebSocket and its address.
pub(crate) type Connected = (WebSocketStream<TcpStream>, String);

/// Connects to the browser at an `http://` or `ws://` endpoint. Waits as long as it takes: the caller has the deadline.
pub(crate) async fn connect(endpoint: &str) -> Result<Connected, CdpError> {
    connect_or_say(endpoint).await.map_err(|why| refused(endpoint, why))
}

/// The error of an endpoint, which it names without the keys in it.
pub(crate) fn refused(endpoint: &str, why: String) -> CdpError {
    CdpError::Refused { endpoint: shown(endpoint), why }
}

/// The address as it may be shown. Services that rent browsers take their keys in the query or before an `@`.
fn shown(endpoint: &str) -> String {
    let (address, query) = match endpoint.split_once('?') {
        Some((address, query)) => (address, Some(query)),
        None => (endpoint, None),
    };
    let (scheme, rest) = address.split_once("://").map_or(("", address), |(scheme, rest)| (scheme, rest));
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let mut out = if scheme.is_empty() { String::new() } else { format!("{scheme}://") };
    match authority.rsplit_once('@') {
        Some((_, host)) => out.push_str(&format!("***@{host}")),
        None => out.push_str(authority),
    }
    out.push_str(path);
    if let Some(query) = query {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, _)) => format!("{name}=***"),
            None => "***".to_owned(),
        });
        out.push('?');
        out.push_str(&pairs.collect::<Vec<_>>().join("&"));
    }
    out
}

async fn connect_or_say(text: &str) -> Result<Connected, String> {
    let endpoint = parse(text)?;
    let path = if let Some(path) = endpoint.path {
        path.to_owned()
    } else {
        let (stream, address) = dial(&endpoint).await?;
        websocket_path(&get(stream, address, "/json/version").await?)?
    };
    let (stream, address) = dial(&endpoint).await?;
    // By number, since the browser refuses a host name other than localhost.
    let url = format!("ws://{address}{path}");
    // Screenshots and page texts may be of any size, but one that no memory holds is a broken connection.
    let config =
        WebSocketConfig::default().max_message_size(Some(LARGEST_MESSAGE)).max_frame_size(Some(LARGEST_MESSAGE));
    let (socket, _) = tokio_tungstenite::client_async_with_config(url.as_str(), stream, Some(config))
        .await
        .map_err(|error| format!("no WebSocket of a browser answers at `{}`: {error}", shown(&url)))?;
    Ok((socket, url))
}

async fn dial(endpoint: &Endpoint<'_>) -> Result<(TcpStream, SocketAddr), String> {
    let (host, port) = (endpoint.host, endpoint.port);
    let stream = TcpStream::connect((host, port)).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::ConnectionRefused => format!("nothing listens at {host} port {port} (connection refused)"),
        _ => error.to_string(),
    })?;
    // Commands are small and each is waited for.
    let _ = stream.set_nodelay(true);
    let address = stream.peer_addr().map_err(|error| error.to_string())?;
    Ok((stream, address))
}

fn parse(text: &str) -> Result<Endpoint<'_>, String> {
    let text = text.trim();
    let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
    let is_socket = match scheme.to_ascii_lowercase().as_str() {
        "http" => false,
        "ws" => true,
        "https" | "wss" => return Err(format!("`{scheme}` is not supported: forward the port to this machine")),
        _ => return Err(format!("`{scheme}` is neither `http` nor `ws`")),
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    if authority.contains('@') {
        return Err("a name or a password before an `@` cannot be sent: a browser asks for none".to_owned());
    }
    let is_port = |text: &str| text.parse::<u16>().is_ok();
    let (host, port) = match authority.rsplit_once(':') {
        // A colon inside brackets belongs to an address.
        Some((host, port)) if !port.ends_with(']') => {
            (host, port.parse().map_err(|_| format!("`{port}` is not a port"))?)
        }
        // A port alone is one of this machine.
        None if is_port(authority) => ("127.0.0.1", authority.parse().unwrap_or_default()),
        _ => (authority, 80),
    };
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    if host.is_empty() {
        return Err("it names no host".to_owned());
    }
    if path.contains("/devtools/page/") {
        return Err("this is the address of one page; give the browser's, or `http://HOST:PORT`".to_owned());
    }
    Ok(Endpoint { host, port, path: Some(path).filter(|path| is_socket && path.len() > 1) })
}

/// A GET of HTTP/1.1, as much of it as the browser's own small server needs. Returns the body.
async fn get(mut stream: TcpStream, address: SocketAddr, path: &str) -> Result<Vec<u8>, String> {
    let broken = |error: std::io::Error| format!("it does not answer HTTP: {error}");
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: application/json\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(broken)?;
    let mut answer = Vec::new();
    let mut chunk = vec![0; 16 * 1024];
    loop {
        let read = stream.read(&mut chunk).await.map_err(broken)?;
        answer.extend_from_slice(&chunk[..read]);
        if let Some(body) = body(&answer, read == 0)? {
            return Ok(body.to_vec());
        }
        if read == 0 || answer.len() as u64 > MOST_OF_AN_ANSWER {
            return Err("something answers there, but not with HTTP".to_owned());
        }
    }
}

/// The body of an answer; `None` while more of it may come.
fn body(answer: &[u8], is_complete: bool) -> Result<Option<&[u8]>, String> {
    if !answer.starts_with(b"HTTP/") && answer.len() >= 5 {
        return Err("something answers there, but not with HTTP".to_owned());
    }
    let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let head = String::from_utf8_lossy(&answer[..end]);
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default();
    if status.split(' ').nth(1) != Some("200") {
        return Err(format!("it answers HTTP but is no browser's debugging port (`/json/version` gives `{status}`)"));
    }
    let length = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, length)| length.trim().parse::<usize>().ok());
    let rest = &answer[end + 4..];
    match length {
        Some(length) if rest.len() >= length => Ok(Some(&rest[..length])),
        _ if is_complete => Ok(Some(rest)),
        _ => Ok(None),
    }
}

fn websocket_path(body: &[u8]) -> Result<String, String> {
    // A proxy may have sent it in chunks: the object is what lies between the outermost braces.
    let start = body.iter().position(|b| *b == b'{').unwrap_or(0);
    let end = body.iter().rposition(|b| *b == b'}').map_or(body.len(), |end| end + 1);
    let version: Version = body.get(start..end).and_then(|object| serde_json::from_slice(object).ok()).ok_or(
        "it answers HTTP but is no browser's debugging port (`/json/version` holds no `webSocketDebuggerUrl`)",
    )?;
    // The host in it is as the browser sees itself; behind a forwarded port only its path is right.
    let url = version.web_socket_debugger_url;
    url.split_once("://")
        .and_then(|(_, rest)| rest.find('/').map(|slash| rest[slash..].to_owned()))
        .ok_or_else(|| format!("the browser names a WebSocket without a path: `{url}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_are_read_as_people_write_them() {
        let check = |text: &str, want: Result<(&str, u16, Option<&str>), &str>| match (parse(text), want) {
            (Ok(got), Ok((host, port, path))) => assert_eq!(got, Endpoint { host, port, path }, "{text}"),
            (Err(got), Err(want)) => assert!(got.contains(want), "{text}: {got}"),
            (got, want) => panic!("{text}: {got:?} instead of {want:?}"),
        };
        check("http://127.0.0.1:9222", Ok(("127.0.0.1", 9222, None)));
        check("http://localhost:9222/", Ok(("localhost", 9222, None)));
        check("127.0.0.1:9222", Ok(("127.0.0.1", 9222, None)));
        check(" 9222 ", Ok(("127.0.0.1", 9222, None)));
        check("http://[::1]:9222/json/version", Ok(("::1", 9222, None)));
        check("http://[::1]", Ok(("::1", 80, None)));
        check("ws://h:1/devtools/browser/x", Ok(("h", 1, Some("/devtools/browser/x"))));
        check("ws://h:1", Ok(("h", 1, None)));
        check("ws://h:1/", Ok(("h", 1, None)));
        check("ws://h:1/?token=x", Ok(("h", 1, Some("/?token=x"))));
        check("ws://h:1/devtools/page/x", Err("one page"));
        check("wss://h", Err("not supported"));
        check("ftp://h", Err("neither"));
        check("http://h:99999", Err("not a port"));
        check("http://:9222", Err("no host"));
        check("", Err("no host"));
        check("ws://me:secret@h:1/x", Err("cannot be sent"));
        check("http://me@h", Err("cannot be sent"));
    }

    #[test]
    fn no_key_in_an_endpoint_is_shown() {
        let check = |text: &str, want: &str| assert_eq!(shown(text), want);
        check("http://127.0.0.1:9222", "http://127.0.0.1:9222");
        check("9222", "9222");
        check("ws://h:1/devtools/browser/x", "ws://h:1/devtools/browser/x");
        check("wss://h/?token=abc&launch", "wss://h/?token=***&***");
        check("ws://me:secret@h:1/x?a=b=c", "ws://***@h:1/x?a=***");
        check("me:secret@h", "***@h");
        let error = refused("ws://h?token=abc", "nothing".to_owned());
        assert_eq!(error.to_string(), "cannot attach to `ws://h?token=***`: nothing");
    }

    #[test]
    fn an_answer_ends_with_its_length_or_with_the_connection() {
        let full = b"HTTP/1.1 200 OK\r\ncontent-LENGTH: 2\r\n\r\n{}";
        assert_eq!(body(full, false), Ok(Some(&b"{}"[..])));
        assert_eq!(body(&full[..full.len() - 1], false), Ok(None));
        assert_eq!(body(b"HTTP/1.1 200 OK\r\n\r\n{}", false), Ok(None));
        assert_eq!(body(b"HTTP/1.1 200 OK\r\n\r\n{}", true), Ok(Some(&b"{}"[..])));
        assert!(body(b"HTTP/1.1 404 Not Found\r\n\r\n", true).expect_err("status").contains("404 Not Found"));
        assert!(body(b"SSH-2.0-x\r\n", false).expect_err("protocol").contains("not with HTTP"));
    }

    #[test]
    fn only_the_path_of_the_browsers_own_address_counts() {
        let body = br#"{"Browser":"X","webSocketDebuggerUrl":"ws://inside:1/devtools/browser/7"}"#;
        assert_eq!(websocket_path(body).expect("path"), "/devtools/browser/7");
        assert_eq!(websocket_path(b"4a\r\n{\"webSocketDebuggerUrl\":\"ws://h/x\"}\r\n0\r\n\r\n").expect("path"), "/x");
        assert!(websocket_path(b"{}").is_err());
        assert!(websocket_path(b"hello").is_err());
        assert!(websocket_path(br#"{"webSocketDebuggerUrl":"ws://h"}"#).is_err());
    }
    proptest::proptest! {
        #[test]
        fn no_endpoint_and_no_answer_breaks_the_reader(text: String, bytes: Vec<u8>, is_complete: bool) {
            let _ = parse(&text);
            let _ = parse(&format!("ws://{text}"));
            let _ = body(&[b"HTTP/1.1 200 OK\r\n", &bytes[..]].concat(), is_complete);
            let _ = websocket_path(&bytes);
        }
    }
}
