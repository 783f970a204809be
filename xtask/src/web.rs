//! As much of HTTP as the commands need: a server of pages on loopback, and one request.

use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

/// What a server is asked: the path with its query, and the body.
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) body: String,
}

/// Serves for as long as the process lives, each connection on a thread of its own: a browser opens connections ahead of
/// need, and one that says nothing must not hold up the others. Returns `http://127.0.0.1:PORT`. A request that the handler
/// has no answer for is not found.
pub(crate) fn serve(handler: impl Fn(&Request) -> Option<Vec<u8>> + Send + Sync + 'static) -> Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("a free loopback port")?;
    let origin = format!("http://{}", listener.local_addr()?);
    std::thread::spawn(move || {
        std::thread::scope(|scope| {
            for stream in listener.incoming().flatten() {
                let handler = &handler;
                scope.spawn(move || answer(stream, handler));
            }
        });
    });
    Ok(origin)
}

fn answer(mut stream: TcpStream, handler: &impl Fn(&Request) -> Option<Vec<u8>>) -> Option<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let (first, headers) = head(&mut reader)?;
    let path = first.split(' ').nth(1)?.to_owned();
    let mut body = vec![0; length(&headers).unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let answer = handler(&Request { path, body: String::from_utf8_lossy(&body).into_owned() });
    let status = if answer.is_some() { "200 OK" } else { "404 Not Found" };
    let body = answer.unwrap_or_else(|| b"not found".to_vec());
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&body).ok()
}

/// The body of the answer to one request without a body. `url` begins with `http://HOST:PORT/`.
pub(crate) fn fetch(method: &str, url: &str) -> Result<String> {
    let rest = url.strip_prefix("http://").with_context(|| format!("`{url}` is no http address"))?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host).with_context(|| format!("no connection to {host}"))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(stream, "{method} /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n")?;
    let mut reader = BufReader::new(stream);
    let (_, headers) = head(&mut reader).with_context(|| format!("no answer from {url}"))?;
    let mut body = vec![0; length(&headers).with_context(|| format!("no length in the answer of {url}"))?];
    reader.read_exact(&mut body)?;
    Ok(String::from_utf8_lossy(&body).into_owned())
}

/// The first line and the headers, up to the blank line.
pub(crate) fn head(reader: &mut impl BufRead) -> Option<(String, Vec<String>)> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            text => lines.push(text.to_owned()),
        }
    }
    let first = (!lines.is_empty()).then(|| lines.remove(0))?;
    Some((first, lines))
}

fn length(headers: &[String]) -> Option<usize> {
    let named = |h: &&String| h.to_ascii_lowercase().starts_with("content-length:");
    headers.iter().find(named)?.split_once(':')?.1.trim().parse().ok()
}
