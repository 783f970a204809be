//! One attempt over HTTP: send a body, read the answer, within a hard limit of time.
//!
//! The limit covers all of it, from connecting to the last byte of a stream that trickles, because a library's own timeouts
//! tend to cover only some. Dropping the future closes the connection, which is how a cancel and the limit take effect.

mod unreached;

use crate::config::{ModelConfig, Provider};
use crate::endpoint::{BaseUrl, password_in};
use crate::failure::{self, Failure, Retry};
use crate::secret::Secret;
use crate::wire::{Api, Asked, Progress, ReplyReader, anthropic};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use handeye_core::{ChatError, ChatErrorKind, Ctx, Elapsed, Reply};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, USER_AGENT};
use reqwest::{Client, Method, Request, Response, Url};
use serde_json::{Map, Value};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A host that does not even accept a connection in this time will not.
const CONNECTING: Duration = Duration::from_secs(20);
/// How much of an error's body is read, and for how long.
const ERROR_BODY: usize = 256 << 10;
const ERROR_BODY_TIME: Duration = Duration::from_secs(3);
/// … and at most this part of an attempt's limit, which would otherwise end it as a mere timeout.
const ERROR_BODY_SHARE: u32 = 4;
/// After the model said that it is done, a stream that stays open without a word is taken as complete.
const AFTER_FINISH: Duration = Duration::from_secs(2);

pub(crate) struct Http {
    client: Client,
    api: Api,
    endpoint: Url,
    headers: HeaderMap,
    timeout: Option<Duration>,
}

/// A body ready to be sent any number of times.
pub(crate) struct Prepared {
    request: Request,
    asked: Asked,
}

impl Http {
    pub(crate) fn new(config: &ModelConfig, api: Api, base: &BaseUrl) -> Result<Self, ChatError> {
        let client = client(config, base).map_err(|e| {
            ChatError::new(ChatErrorKind::Config, format!("cannot set up HTTP for {base}: {}", unreached::causes(&e)))
                .with_hint("https needs the system's root certificates (package ca-certificates)")
        })?;
        let endpoint = base.endpoint(api, &config.name, config.stream);
        Ok(Self { client, api, endpoint, headers: headers(config, api, base)?, timeout: config.timeout })
    }

    /// `more`: headers of this request alone; they are added to what the user set under the same name.
    pub(crate) fn prepare(&self, body: String, more: &[(&'static str, String)], asked: Asked) -> Prepared {
        let mut request = Request::new(Method::POST, self.endpoint.clone());
        let mut headers = self.headers.clone();
        for (name, value) in more {
            let set = headers.get(*name).and_then(|value| value.to_str().ok());
            let value = set.filter(|set| *set != value).map_or_else(|| value.clone(), |set| format!("{set},{value}"));
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(*name, value);
            }
        }
        *request.headers_mut() = headers;
        *request.body_mut() = Some(body.into());
        Prepared { request, asked }
    }

    pub(crate) async fn attempt(&self, prepared: &Prepared, cx: &Ctx) -> Result<Reply, Failure> {
        let began = cx.instant();
        let answered = AtomicBool::new(false);
        let exchange = self.exchange(prepared, &answered);
        let limited = async {
            match limit(self.timeout, cx) {
                None => exchange.await,
                Some(limit) => match tokio::time::timeout(limit, exchange).await {
                    Ok(done) => done,
                    Err(_) => Err(self.too_slow(answered.load(Ordering::Relaxed), cx)),
                },
            }
        };
        let mut reply = tokio::select! {
            biased;
            () = cx.cancel.cancelled() => return Err(cancelled()),
            done = limited => done?,
        };
        reply.took = Elapsed(cx.instant().saturating_duration_since(began)).millis();
        Ok(reply)
    }

    async fn exchange(&self, prepared: &Prepared, answered: &AtomicBool) -> Result<Reply, Failure> {
        // Only a streamed request body could not be cloned.
        let Some(request) = prepared.request.try_clone() else {
            return Err(Failure::broken("cannot repeat the request to", ""));
        };
        let response = self.client.execute(request).await.map_err(|e| unreached::failure(&e))?;
        answered.store(true, Ordering::Relaxed);
        if !response.status().is_success() {
            return Err(refused(response, self.timeout).await);
        }
        let request_id = request_id(response.headers());
        let mut reply = read(response, ReplyReader::new(self.api, prepared.asked.clone())).await?;
        if let Some(id) = request_id {
            reply.request_id = id;
        }
        Ok(reply)
    }

    fn too_slow(&self, answered: bool, cx: &Ctx) -> Failure {
        if cx.remaining(Duration::MAX).is_zero() {
            let said = "the run's time is over";
            return Failure::new(ChatErrorKind::Timeout, Retry::Never, "no complete reply yet from", said);
        }
        let seconds = self.timeout.unwrap_or_default().as_secs_f64();
        let lead = if answered {
            format!("a reply still incomplete after {seconds} s from")
        } else {
            format!("no answer within {seconds} s from")
        };
        Failure::new(ChatErrorKind::Timeout, Retry::Backoff, lead, "")
            .with_hint("a slow model may need more: --model-timeout, or HANDEYE_MODEL_TIMEOUT")
    }
}

/// The shorter of an attempt's own limit and what is left of the run.
pub(crate) fn limit(timeout: Option<Duration>, cx: &Ctx) -> Option<Duration> {
    match (timeout, cx.deadline) {
        (None, None) => None,
        (timeout, _) => Some(cx.remaining(timeout.unwrap_or(Duration::MAX))),
    }
}

pub(crate) fn cancelled() -> Failure {
    Failure::new(ChatErrorKind::Cancelled, Retry::Never, "cancelled", "")
}

fn client(config: &ModelConfig, base: &BaseUrl) -> reqwest::Result<Client> {
    static PROVIDER: Once = Once::new();
    // An error means that the program has installed one already, which serves as well.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    // A redirect would turn the POST into a GET, or carry the key to another host: it is reported instead.
    let mut builder = Client::builder().redirect(reqwest::redirect::Policy::none()).connect_timeout(CONNECTING);
    if base.is_loopback() {
        builder = builder.no_proxy();
        if !base.is_https() {
            // Plain HTTP on this machine needs no certificates, and must work where none are installed.
            builder = builder.tls_certs_only([]);
        }
    } else if let Some(proxy) = &config.proxy {
        builder = builder.proxy(reqwest::Proxy::all(proxy.expose().as_str())?);
    }
    builder.build()
}

fn headers(config: &ModelConfig, api: Api, base: &BaseUrl) -> Result<HeaderMap, ChatError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers
        .insert(ACCEPT, HeaderValue::from_static(if config.stream { "text/event-stream" } else { "application/json" }));
    headers.insert(USER_AGENT, HeaderValue::from_static(concat!("handeye/", env!("CARGO_PKG_VERSION"))));
    if api == Api::Messages {
        headers.insert("anthropic-version", HeaderValue::from_static(anthropic::VERSION));
    }
    let key = config.api_key.as_ref().map(Secret::expose);
    let basic =
        || base.user().map(|(name, password)| format!("Basic {}", STANDARD.encode(format!("{name}:{password}"))));
    let credential = match (key, api) {
        (Some(key), Api::Chat | Api::Responses) => Some((AUTHORIZATION, format!("Bearer {key}"))),
        (Some(key), Api::Messages) => Some((HeaderName::from_static("x-api-key"), key.clone())),
        (Some(key), Api::Gemini) => Some((HeaderName::from_static("x-goog-api-key"), key.clone())),
        (None, _) => basic().map(|value| (AUTHORIZATION, value)),
    };
    let unfit =
        |name: &str| ChatError::new(ChatErrorKind::Config, format!("header `{name}` cannot be sent as it is set"));
    if let Some((name, value)) = credential {
        let value = secret_value(&value).ok_or_else(|| unfit(name.as_str()))?;
        headers.insert(name, value);
    }
    for (name, value) in &config.extra_headers {
        let header = HeaderName::try_from(name.as_str()).map_err(|_| unfit(name))?;
        headers.insert(header, secret_value(value.expose()).ok_or_else(|| unfit(name))?);
    }
    Ok(headers)
}

fn secret_value(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::try_from(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Every value of these settings that must not be shown: the key, passwords, and credentials in headers, in the extra body or
/// in a query.
/// Providers echo them, and people paste them into goals.
pub fn secrets(config: &ModelConfig) -> Vec<String> {
    let headers = config.extra_headers.iter().filter(|(name, value)| is_credential(name, value.expose()));
    let mut secrets: Vec<String> = headers.map(|(_, value)| value.expose().clone()).collect();
    // `Bearer KEY` in a header of the user's own: the key alone is secret too.
    let bare: Vec<String> = secrets.iter().filter_map(|s| s.split_once(' ')).map(|(_, key)| key.to_owned()).collect();
    secrets.extend(bare);
    credentials_in(&config.extra_body, &mut secrets);
    secrets.extend(config.api_key.iter().map(|key| key.expose().clone()));
    let proxy = config.proxy.as_ref().map(|proxy| proxy.expose().as_str()).unwrap_or_default();
    secrets.extend(password_in(proxy));
    if let Some((name, password)) = BaseUrl::parse(proxy).as_ref().and_then(BaseUrl::user) {
        secrets.push(STANDARD.encode(format!("{name}:{password}")));
    }
    secrets.extend(config.fallbacks.iter().flat_map(self::secrets));
    if let Provider::Server { base, .. } = &config.provider {
        if let Some((name, password)) = base.user() {
            secrets.extend([password.to_owned(), STANDARD.encode(format!("{name}:{password}"))]);
        }
        // Short values of a query are versions and flags.
        secrets.extend(base.query_values().into_iter().filter(|value| value.len() >= 16));
    }
    secrets
}

/// Headers also carry plain words, such as `true`, which must stay readable.
fn is_credential(name: &str, value: &str) -> bool {
    value.len() >= 20 || names_credential(name)
}

fn names_credential(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["auth", "key", "token", "secret", "cookie", "pass"].iter().any(|word| name.contains(word))
}

/// Some routers take the keys of others in the body. Long texts there are mostly none, so only names tell.
fn credentials_in(body: &Map<String, Value>, secrets: &mut Vec<String>) {
    for (name, value) in body {
        match value {
            Value::String(text) if names_credential(name) => secrets.push(text.clone()),
            Value::Object(inner) => credentials_in(inner, secrets),
            _ => {}
        }
    }
}

async fn refused(response: Response, limit: Option<Duration>) -> Failure {
    let status = response.status().as_u16();
    let wait = wait_asked(response.headers());
    // Often only a path, which belongs to the address that was asked.
    let moved = response.headers().get(LOCATION).map(|l| String::from_utf8_lossy(l.as_bytes()).into_owned());
    let moved = moved.map(|target| response.url().join(&target).ok().and_then(|url| BaseUrl::parse(url.as_str())));
    let mut body = Vec::new();
    let reading = read_some(response, &mut body);
    // An error whose body stalls is still the error that its status says.
    let time = limit.map_or(ERROR_BODY_TIME, |limit| ERROR_BODY_TIME.min(limit / ERROR_BODY_SHARE));
    let _ = tokio::time::timeout(time, reading).await;
    let mut failure = failure::from_status(status, &String::from_utf8_lossy(&body), wait);
    if let Some(target) = moved.filter(|_| (300..400).contains(&status)) {
        failure.said = match target {
            Some(target) => format!("the server points to {target}"),
            None => "the server points elsewhere".to_owned(),
        };
        failure.hint = Some("set HANDEYE_MODEL_BASE_URL to the address that answers itself".into());
    }
    failure
}

async fn read_some(mut response: Response, body: &mut Vec<u8>) {
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > ERROR_BODY {
            body.truncate(ERROR_BODY);
            return;
        }
    }
}

async fn read(mut response: Response, mut reader: ReplyReader) -> Result<Reply, Failure> {
    loop {
        let chunk = match reader.progress() {
            Progress::Complete => break,
            Progress::More => response.chunk().await,
            Progress::Finished => match tokio::time::timeout(AFTER_FINISH, response.chunk()).await {
                Ok(chunk) => chunk,
                Err(_) => break,
            },
        };
        match chunk {
            Ok(Some(bytes)) => {
                reader.push(&bytes)?;
            }
            Ok(None) => break,
            // The reply is whole: only the usage or the end mark got lost.
            Err(_) if reader.progress() == Progress::Finished => break,
            Err(e) => return Err(Failure::broken("the connection broke within the reply from", unreached::causes(&e))),
        }
    }
    reader.end()
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
    ["x-request-id", "x-model-request-id", "request-id"].into_iter().find_map(text)
}

/// How long the provider asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as a date, which is read against
/// the answer's own `Date`, so that a wrong clock here does not matter.
fn wait_asked(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok();
    if let Some(ms) = text("retry-after-ms").and_then(number) {
        return Duration::try_from_secs_f64(ms / 1000.0).ok();
    }
    let after = text("retry-after")?;
    if let Some(seconds) = number(after) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = |text: &str| jiff::fmt::rfc2822::parse(text).ok().map(|z| z.timestamp());
    let wait = date(after)?.duration_since(date(text("date")?)?);
    Some(Duration::try_from(wait).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_that_a_provider_asks_for_is_read() {
        let check = |headers: &[(&'static str, &'static str)], want: Option<u64>| {
            let map: HeaderMap = headers
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
                .collect();
            assert_eq!(wait_asked(&map), want.map(Duration::from_millis), "{headers:?}");
        };
        let now = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        check(&[("retry-after", "2")], Some(2000));
        check(&[("retry-after", " 0.5 ")], Some(500));
        check(&[("retry-after", "9"), ("retry-after-ms", "40")], Some(40));
        check(&[("retry-after", "Sun, 06 Nov 1994 08:49:40 GMT"), now], Some(3000));
        check(&[("retry-after", "Sun, 06 Nov 1994 08:40:00 GMT"), now], Some(0));
        check(&[("retry-after", "Sun, 06 Nov 1994 08:49:40 GMT")], None);
        check(&[("retry-after", "soon"), now], None);
        check(&[("retry-after", "-1")], None);
        check(&[("retry-after", "NaN")], None);
        check(&[], None);
    }
}
