//! The smallest HTTP client that tests need: one request on one loopback connection.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// What a server answered. `body` has its chunked framing removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
    /// # Panics
    /// When the body is not JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("a JSON body")
    }
    /// The first header of that name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }
}

/// `GET url`, where url is `http://127.0.0.1:PORT/…`. No redirects are followed.
pub fn get(url: &str) -> std::io::Result<Answer> {
    send("GET", url, "", &[])
}

/// `POST url` with a body.
pub fn post(url: &str, content_type: &str, body: &[u8]) -> std::io::Result<Answer> {
    send("POST", url, &format!("Content-Type: {content_type}\r\n"), body)
}

/// One request with extra header lines, each ended by `\r\n`.
pub fn send(method: &str, url: &str, headers: &str, body: &[u8]) -> std::io::Result<Answer> {
    let rest = url.strip_prefix("http://").ok_or_else(|| bad(format!("not an http address: {url}")))?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let head = format!(
        "{method} /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    let mut raw = Vec::new();
    let mut piece = [0; 16 * 1024];
    loop {
        let read = stream.read(&mut piece)?;
        raw.extend_from_slice(piece.get(..read).unwrap_or_default());
        match parse(&raw) {
            // Some servers keep the connection open although they were asked to close it.
            Some((answer, whole)) if whole || read == 0 => return Ok(answer),
            None if read == 0 => return Err(bad(format!("not an HTTP answer: {}", String::from_utf8_lossy(&raw)))),
            _ => {}
        }
    }
}

fn bad(message: String) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, message)
}

/// The answer as far as it has come, and whether its framing says that this is all.
fn parse(raw: &[u8]) -> Option<(Answer, bool)> {
    let end = raw.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(raw.get(..end)?).into_owned();
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers = lines.filter_map(|l| l.split_once(':')).map(|(n, v)| (n.to_owned(), v.trim().to_owned())).collect();
    let body = raw.get(end + 4..)?.to_vec();
    let mut answer = Answer { status, headers, body };
    if answer.header("transfer-encoding") == Some("chunked") {
        let (body, whole) = unchunk(&answer.body);
        answer.body = body;
        return Some((answer, whole));
    }
    let length = answer.header("content-length").and_then(|l| l.parse::<usize>().ok());
    let whole = length.is_some_and(|l| answer.body.len() >= l);
    Some((answer, whole))
}

/// The chunks so far, and whether the last one has come.
fn unchunk(mut rest: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    while let Some((chunk, after)) = next_chunk(rest) {
        if chunk.is_empty() {
            return (body, true);
        }
        body.extend_from_slice(chunk);
        rest = after;
    }
    (body, false)
}

fn next_chunk(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let eol = bytes.windows(2).position(|w| w == b"\r\n")?;
    let size = usize::from_str_radix(std::str::from_utf8(bytes.get(..eol)?).ok()?.trim(), 16).ok()?;
    Some((bytes.get(eol + 2..eol + 2 + size)?, bytes.get(eol + 4 + size..)?))
}
