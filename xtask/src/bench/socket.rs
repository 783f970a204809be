//! A DevTools session over a WebSocket, with nothing but the standard library: what a bare script would use.

use crate::web;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

pub(super) struct Session {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
    last_id: u64,
    /// Events that came while an answer was waited for.
    events: VecDeque<String>,
}

impl Session {
    /// Connects to a page: `ws://HOST:PORT/devtools/page/ID`.
    pub(super) fn connect(address: &str) -> Result<Self> {
        let rest = address.strip_prefix("ws://").with_context(|| format!("`{address}` is no ws address"))?;
        let (host, path) = rest.split_once('/').context("a path in the DevTools address")?;
        let mut writer = TcpStream::connect(host).with_context(|| format!("no connection to {host}"))?;
        writer.set_nodelay(true)?;
        writer.set_read_timeout(Some(Duration::from_secs(20)))?;
        write!(
            writer,
            "GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: aGFuZGV5ZSBiZW5jaCAwMQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )?;
        let mut reader = BufReader::with_capacity(256 * 1024, writer.try_clone()?);
        let (status, _) = web::head(&mut reader).context("no answer to the upgrade")?;
        if !status.contains(" 101 ") {
            bail!("the browser refused the WebSocket: {status}");
        }
        Ok(Self { reader, writer, last_id: 0, events: VecDeque::new() })
    }

    /// Calls a method and waits for its result.
    pub(super) fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.last_id += 1;
        self.send(&json!({"id": self.last_id, "method": method, "params": params}).to_string())?;
        loop {
            let mut message: Value = serde_json::from_slice(&self.receive()?).context("a DevTools message")?;
            if message["id"] == self.last_id {
                if let Some(error) = message.get("error") {
                    bail!("{method}: {error}");
                }
                return Ok(message["result"].take());
            }
            self.events.push_back(message["method"].as_str().unwrap_or_default().to_owned());
        }
    }

    /// Waits for an event, also one that has come already.
    pub(super) fn wait_for(&mut self, event: &str) -> Result<()> {
        while let Some(known) = self.events.pop_front() {
            if known == event {
                return Ok(());
            }
        }
        loop {
            let message: Value = serde_json::from_slice(&self.receive()?).context("a DevTools message")?;
            if message["method"] == event {
                return Ok(());
            }
        }
    }

    fn send(&mut self, text: &str) -> Result<()> {
        // The mask is there for proxies and carries no secret, so a constant one will do.
        let mask = [0x21, 0x43, 0x65, 0x87];
        let mut frame = vec![0x81];
        match text.len() {
            n @ 0..126 => frame.push(0x80 | n as u8),
            n @ 126..65536 => {
                frame.push(0xfe);
                frame.extend_from_slice(&(n as u16).to_be_bytes());
            }
            n => {
                frame.push(0xff);
                frame.extend_from_slice(&(n as u64).to_be_bytes());
            }
        }
        frame.extend_from_slice(&mask);
        frame.extend(text.bytes().enumerate().map(|(i, byte)| byte ^ mask[i % 4]));
        self.writer.write_all(&frame).context("the DevTools connection")
    }

    /// One whole message; pings need no answer here, since Chromium sends none.
    fn receive(&mut self) -> Result<Vec<u8>> {
        let mut message = Vec::new();
        loop {
            let mut head = [0; 2];
            self.reader.read_exact(&mut head).context("the DevTools connection")?;
            let length = match head[1] & 0x7f {
                126 => u64::from(u16::from_be_bytes(self.bytes()?)),
                127 => u64::from_be_bytes(self.bytes()?),
                short => u64::from(short),
            };
            let at = message.len();
            message.resize(at + usize::try_from(length)?, 0);
            self.reader.read_exact(&mut message[at..]).context("the DevTools connection")?;
            match head[0] {
                0x88 => bail!("the browser closed the DevTools connection"),
                first if first & 0x80 != 0 => return Ok(message),
                _ => {}
            }
        }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.reader.read_exact(&mut bytes).context("the DevTools connection")?;
        Ok(bytes)
    }
}
