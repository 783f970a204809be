//! Where a provider is: a base URL that cannot print its password.

use crate::secret::Secret;
use crate::wire::Api;
use handeye_core::mask::MASK;
use reqwest::Url;
use std::fmt;
use std::net::IpAddr;

/// The paths that APIs have below a base URL. People paste addresses with them, which then say what is spoken there.
const ENDPOINTS: [(&str, Api); 3] =
    [("/chat/completions", Api::Chat), ("/messages", Api::Messages), ("/responses", Api::Responses)];

/// `http://127.0.0.1:8000/v1`, with user and password taken out and kept apart.
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl {
    url: Url,
    user: Option<(Secret<String>, Secret<String>)>,
    /// What the address itself says is spoken there.
    api: Option<Api>,
}

impl BaseUrl {
    /// Reads an address as people paste it: blanks around it, a slash at its end and the endpoint's own path are dropped.
    /// `None` when it is no http or https URL. The text is never part of a message: it may hold a password.
    pub fn parse(text: &str) -> Option<Self> {
        let mut url = Url::parse(text.trim()).ok()?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return None;
        }
        let user = (!url.username().is_empty() || url.password().is_some()).then(|| {
            let part = |text: &str| Secret::new(percent_decoded(text));
            (part(url.username()), part(url.password().unwrap_or_default()))
        });
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        url.set_fragment(None);
        let path = url.path().trim_end_matches('/').to_owned();
        let pasted = ENDPOINTS.into_iter().find_map(|(end, api)| Some((path.strip_suffix(end)?, api)));
        url.set_path(pasted.map_or(path.as_str(), |(path, _)| path).trim_end_matches('/'));
        let api = pasted.map(|(_, api)| api).or_else(|| api_of_host(&url));
        Some(Self { url, user, api })
    }

    /// What the address itself says is spoken there: by a path that it was pasted with, or by a host that speaks one API alone.
    pub fn api(&self) -> Option<Api> {
        self.api
    }

    /// Where requests go; a query (`?api-version=…`) stays. Where the API's own clients add the version to an address that has
    /// none, so do we.
    pub(crate) fn endpoint(&self, api: Api, model: &str, stream: bool) -> Url {
        let mut url = self.url.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty();
            match api {
                Api::Chat => drop(path.extend(["chat", "completions"])),
                Api::Responses => drop(path.push("responses")),
                Api::Messages => drop(path.extend(self.version("v1")).push("messages")),
                Api::Gemini => {
                    path.extend(self.version("v1beta"));
                    let (folders, name) = model.rsplit_once('/').unwrap_or(("models", model));
                    let verb = if stream { "streamGenerateContent" } else { "generateContent" };
                    path.extend(folders.split('/')).push(&format!("{name}:{verb}"));
                }
            }
        }
        if api == Api::Gemini && stream {
            url.query_pairs_mut().append_pair("alt", "sse");
        }
        url
    }

    fn version(&self, default: &'static str) -> Option<&'static str> {
        let is_version =
            |part: &str| part.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        (!self.url.path().split('/').any(is_version)).then_some(default)
    }

    pub(crate) fn user(&self) -> Option<(&str, &str)> {
        self.user.as_ref().map(|(name, password)| (name.expose().as_str(), password.expose().as_str()))
    }

    /// The values of the query: some providers take the key there.
    pub(crate) fn query_values(&self) -> Vec<String> {
        self.url.query_pairs().map(|(_, value)| value.into_owned()).collect()
    }

    pub fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// This machine: never through a proxy.
    pub fn is_loopback(&self) -> bool {
        let host = self.url.host_str().unwrap_or_default().trim_matches(['[', ']', '.']);
        let named = host == "localhost" || host.ends_with(".localhost");
        // Also as `::ffff:127.0.0.1`.
        let ip = host.parse::<IpAddr>().map(|ip| ip.to_canonical());
        named || ip.is_ok_and(|ip| ip.is_loopback() || ip.is_unspecified())
    }
}

/// Hosts that speak one API alone, below the path that is given.
fn api_of_host(url: &Url) -> Option<Api> {
    let path = url.path();
    match url.host_str()? {
        "api.anthropic.com" => Some(Api::Messages),
        // It speaks chat completions too, at a path that says so.
        "generativelanguage.googleapis.com" if !path.contains("/openai") => Some(Api::Gemini),
        _ => None,
    }
}

/// The password of any address, as it stands there and as it is meant.
pub fn password_in(address: &str) -> Vec<String> {
    let authority =
        address.split_once("://").map_or("", |(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or_default());
    let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
    let password = user.split_once(':').map_or("", |(_, password)| password);
    let mut forms = vec![password.to_owned(), percent_decoded(password)];
    forms.retain(|form| !form.is_empty());
    forms.dedup();
    forms
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|h| std::str::from_utf8(h).ok()).and_then(|h| u8::from_str_radix(h, 16).ok());
        if let (b'%', Some(byte)) = (first, hex) {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// For people: user, password and the values of a query are masked.
impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let user = if self.user.is_some() { format!("{MASK}@") } else { String::new() };
        let host = self.url.host_str().unwrap_or_default();
        write!(f, "{}://{user}{host}", self.url.scheme())?;
        if let Some(port) = self.url.port() {
            write!(f, ":{port}")?;
        }
        f.write_str(self.url.path().trim_end_matches('/'))?;
        for (index, (name, _)) in self.url.query_pairs().enumerate() {
            write!(f, "{}{name}={MASK}", if index == 0 { '?' } else { '&' })?;
        }
        Ok(())
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BaseUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_paste_them() {
        let check = |text: &str, shown: &str, endpoint: &str| {
            let base = BaseUrl::parse(text).expect("a base URL");
            assert_eq!(
                (base.to_string().as_str(), base.endpoint(Api::Chat, "m", true).as_str()),
                (shown, endpoint),
                "{text}"
            );
        };
        check(" http://127.0.0.1:1/v1/ ", "http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1/chat/completions");
        check("https://h.test/v1/chat/completions", "https://h.test/v1", "https://h.test/v1/chat/completions");
        check("https://h.test", "https://h.test", "https://h.test/chat/completions");
        check("http://u:p%40ss@h.test/v1", "http://***@h.test/v1", "http://h.test/v1/chat/completions");
        check(
            "https://h.test/x?api-version=1&key=abcd#f",
            "https://h.test/x?api-version=***&key=***",
            "https://h.test/x/chat/completions?api-version=1&key=abcd",
        );
        for bad in ["", "example.com/v1", "ftp://h/v1", "sk-abcdef", "http://", "/v1"] {
            assert_eq!(BaseUrl::parse(bad), None, "{bad}");
        }
        let base = BaseUrl::parse("http://u:p%40ss@h.test/v1").expect("a base URL");
        assert_eq!(base.user(), Some(("u", "p@ss")));
        assert!(!format!("{base:?}").contains("p@ss"));
    }

    #[test]
    fn each_api_has_its_endpoint() {
        let check = |api: Api, text: &str, model: &str, want: &str| {
            let base = BaseUrl::parse(text).expect("a base URL");
            assert_eq!(base.endpoint(api, model, false).as_str(), want, "{text}");
        };
        check(Api::Responses, "https://h.test/v1/", "m", "https://h.test/v1/responses");
        check(Api::Messages, "https://h.test/v1", "m", "https://h.test/v1/messages");
        check(Api::Messages, "https://h.test/anthropic", "m", "https://h.test/anthropic/v1/messages");
        check(Api::Messages, "https://h.test", "m", "https://h.test/v1/messages");
        check(Api::Messages, "https://h.test/v1/messages?x=1", "m", "https://h.test/v1/messages?x=1");
        let gemini = "https://h.test/v1beta/models/gemini-3:generateContent";
        check(Api::Gemini, "https://h.test/v1beta", "gemini-3", gemini);
        check(Api::Gemini, "https://h.test", "models/gemini-3", gemini);
        check(
            Api::Gemini,
            "https://h.test/v1/projects/p/locations/l/publishers/google",
            "g",
            "https://h.test/v1/projects/p/locations/l/publishers/google/models/g:generateContent",
        );
        check(Api::Gemini, "https://h.test", "a?b#c", "https://h.test/v1beta/models/a%3Fb%23c:generateContent");
        let base = BaseUrl::parse("https://h.test/v1beta?x=1").expect("a base URL");
        assert_eq!(
            base.endpoint(Api::Gemini, "g", true).as_str(),
            "https://h.test/v1beta/models/g:streamGenerateContent?x=1&alt=sse"
        );
    }

    #[test]
    fn an_address_may_say_what_is_spoken_there() {
        for (text, want) in [
            ("https://api.anthropic.com", Some(Api::Messages)),
            ("https://h.test/v1/messages", Some(Api::Messages)),
            ("https://h.test/v1/responses/", Some(Api::Responses)),
            ("https://h.test/v1/chat/completions", Some(Api::Chat)),
            ("https://api.anthropic.com/v1/chat/completions", Some(Api::Chat)),
            ("https://generativelanguage.googleapis.com/v1beta", Some(Api::Gemini)),
            ("https://generativelanguage.googleapis.com/v1beta/openai/", None),
            ("https://api.openai.com/v1", None),
            ("https://api.anthropic.com.test/v1", None),
            ("http://127.0.0.1:8000/v1", None),
        ] {
            assert_eq!(BaseUrl::parse(text).expect("a base URL").api(), want, "{text}");
        }
    }

    #[test]
    fn the_password_of_an_address_is_found() {
        for (address, want) in [
            ("http://u:p%40ss@h.test/a@b:c", vec!["p%40ss", "p@ss"]),
            ("ws://u:plain@h:1?x=y", vec!["plain"]),
            ("http://u@h/", vec![]),
            ("http://u:@h/", vec![]),
            ("http://h/u:p@x", vec![]),
            ("about:blank", vec![]),
        ] {
            assert_eq!(password_in(address), want, "{address}");
        }
    }

    #[test]
    fn this_machine_is_known() {
        for (text, local) in [
            ("http://localhost:1", true),
            ("http://127.8.0.1", true),
            ("http://[::1]:8000/v1", true),
            ("http://[::ffff:127.0.0.1]:1", true),
            ("http://localhost.:1", true),
            ("http://0.0.0.0:1", true),
            ("http://a.localhost", true),
            ("http://192.168.0.1", false),
            ("https://localhost.example", false),
        ] {
            assert_eq!(BaseUrl::parse(text).expect("a base URL").is_loopback(), local, "{text}");
        }
    }
}
