//! Why a request got no answer, in the words that people know: refused, not found, not secure, cut.

use crate::failure::{Failure, Retry};
use handeye_core::ChatErrorKind;
use std::error::Error;
use std::io;

/// What went wrong on the way, from the causes of an HTTP error.
pub(super) fn failure(error: &reqwest::Error) -> Failure {
    let texts = causes(error);
    let words = texts.to_lowercase();
    let kind = io_kind(error);
    let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    if has(&["dns error", "failed to lookup address", "name or service not known"]) {
        return connecting("no such host is known here (DNS)")
            .with_hint("check the host in HANDEYE_MODEL_BASE_URL, and the network");
    }
    if has(&["certificate"]) {
        // It will be the same the next time.
        let said = format!("its TLS certificate is not accepted: {texts}");
        return Failure::new(ChatErrorKind::Transport, Retry::Never, "cannot connect to", said)
            .with_hint("install the certificate's authority on this machine, or check the address");
    }
    if error.is_connect() && has(&["tls", "handshake", "invalidcontenttype", "corrupt message"]) {
        return connecting(&format!("no TLS there: {texts}"))
            .with_hint("does the server speak plain HTTP? then write http:// in HANDEYE_MODEL_BASE_URL");
    }
    match kind {
        Some(io::ErrorKind::ConnectionRefused) => connecting("connection refused: nothing listens there")
            .with_hint("is the server running? check HANDEYE_MODEL_BASE_URL, and the proxy if there is one"),
        Some(io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable) => {
            connecting("the host cannot be reached from here")
                .with_hint("check the network, and HANDEYE_MODEL_BASE_URL")
        }
        _ if error.is_timeout() => connecting("the host takes no connection")
            .with_hint("check the network and a firewall on the way, and HANDEYE_MODEL_BASE_URL"),
        _ if error.is_connect() => connecting(&texts)
            .with_hint("is the server running? check HANDEYE_MODEL_BASE_URL, and the proxy if there is one"),
        _ => {
            let cut = kind == Some(io::ErrorKind::ConnectionReset) || has(&["connection closed", "unexpected eof"]);
            let said = if cut { "the connection was closed before an answer came".to_owned() } else { texts };
            Failure::broken("no answer from", said)
                .with_hint("does that server speak HTTP and chat completions? see its log, and HANDEYE_MODEL_BASE_URL")
        }
    }
}

fn connecting(said: &str) -> Failure {
    Failure { unpaid: true, ..Failure::broken("cannot connect to", said) }
}

/// The kind of the innermost input or output error.
fn io_kind(error: &reqwest::Error) -> Option<io::ErrorKind> {
    let mut kind = None;
    let mut cause = error.source();
    while let Some(inner) = cause {
        kind = inner.downcast_ref::<io::Error>().map(io::Error::kind).or(kind);
        cause = inner.source();
    }
    kind
}

/// The innermost causes say what happened; the outer ones repeat that a request failed, with its URL.
pub(super) fn causes(error: &reqwest::Error) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        if !texts.iter().any(|t| t.contains(&text)) {
            texts.push(text);
        }
        cause = inner.source();
    }
    texts.retain(|t| !matches!(t.as_str(), "client error (Connect)" | "client error (SendRequest)"));
    if texts.is_empty() { "the request failed".to_owned() } else { texts.join(": ") }
}
