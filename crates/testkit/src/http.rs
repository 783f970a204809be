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
    stream.read_to_end(&mut raw)?;
    parse(&raw).ok_or_else(|| bad(format!("not an HTTP answer: {}", String::from_utf8_lossy(&raw))))
}

fn bad(message: String) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, message)
}

fn parse(raw: &[u8]) -> Option<Answer> {
    let end = raw.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(raw.get(..end)?).into_owned();
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> =
        lines.filter_map(|l| l.split_once(':')).map(|(n, v)| (n.to_owned(), v.trim().to_owned())).collect();
    let mut body = raw.get(end + 4..)?.to_vec();
    let chunked = headers.iter().any(|(n, v)| n.eq_ignore_ascii_case("transfer-encoding") && v == "chunked");
    if chunked {
        body = unchunk(&body)?;
    }
    Some(Answer { status, headers, body })
}

fn unchunk(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let eol = rest.windows(2).position(|w| w == b"\r\n")?;
        let size = usize::from_str_radix(std::str::from_utf8(rest.get(..eol)?).ok()?.trim(), 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(rest.get(eol + 2..eol + 2 + size)?);
        rest = rest.get(eol + 4 + size..)?;
    }
}
