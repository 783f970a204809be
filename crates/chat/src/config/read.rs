//! Reading the variables.

use super::{ModelConfig, Provider, Setting, known_families, slot_word, wrong};
use crate::endpoint::BaseUrl;
use crate::secret::Secret;
use crate::wire::Api;
use handeye_core::{ChatError, Family, Slot, Thinking};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// A value with the variable that it stands in.
struct Found {
    variable: String,
    text: String,
    midscene: bool,
}

struct Variables<'a> {
    /// What stands before `MODEL_` in their names.
    of: String,
    lookup: &'a dyn Fn(&str) -> Option<String>,
    origins: BTreeMap<Setting, String>,
}

impl Variables<'_> {
    fn value(&self, variable: &str) -> Option<String> {
        (self.lookup)(variable).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty())
    }

    fn find(&mut self, setting: Setting) -> Option<Found> {
        let ours = setting.variable_of(&self.of);
        let found = if let Some(text) = self.value(&ours) {
            Found { variable: ours, text, midscene: false }
        } else {
            let variable = setting.midscene_variable_of(&self.of)?;
            let text = self.value(&variable)?;
            Found { variable, text, midscene: true }
        };
        self.origins.insert(setting, found.variable.clone());
        Some(found)
    }

    fn read<T>(
        &mut self,
        setting: Setting,
        read: impl FnOnce(&Found) -> Result<T, ChatError>,
    ) -> Result<Option<T>, ChatError> {
        self.find(setting).map(|found| read(&found)).transpose()
    }
}

pub(super) fn config(slot: Slot, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Option<ModelConfig>, ChatError> {
    let Some(mut config) = one(slot_word(slot), slot != Slot::Default, lookup)? else { return Ok(None) };
    let mut variables = Variables { of: slot_word(slot).to_owned(), lookup, origins: BTreeMap::new() };
    if let Some(found) = variables.find(Setting::Fallbacks) {
        for of in fallback_words(&found.text) {
            let model = fallback(&of, &found.variable, &config, lookup)?;
            config.fallbacks.push(model);
        }
        if config.record.is_some() {
            let record = Setting::Record.variable_of(&variables.of);
            return Err(wrong(format!("{record} records one model, and {} names more", found.variable))
                .with_hint("unset one of them"));
        }
        config.origins.insert(Setting::Fallbacks, found.variable);
    }
    Ok(Some(config))
}

/// What stands before `MODEL_` in the names of the fallbacks' variables.
pub(super) fn fallback_words(list: &str) -> Vec<String> {
    list.split([',', ' ']).filter(|word| !word.is_empty()).map(|word| format!("{word}_")).collect()
}

/// One of the models that are asked when the first has trouble.
fn fallback(
    of: &str,
    variable: &str,
    first: &ModelConfig,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<ModelConfig, ChatError> {
    let word = of.trim_end_matches('_');
    if !word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_') {
        return Err(wrong(format!("{variable}: `{word}` is no word for the name of a variable"))
            .with_hint("BACKUP there means the model that HANDEYE_BACKUP_MODEL_NAME and so on set"));
    }
    let Some(mut model) = one(of, false, lookup)? else {
        let (base, name) = (Setting::BaseUrl.variable_of(of), Setting::Name.variable_of(of));
        return Err(wrong(format!("{variable} names `{word}`, but nothing is set for it"))
            .with_hint(format!("set {base} and {name}")));
    };
    if !model.origins.contains_key(&Setting::Family) {
        model.family = first.family;
    }
    // Round by round one of them would read what the other was asked for.
    if model.family.name != first.family.name {
        let family = Setting::Family.variable_of(of);
        return Err(wrong(format!(
            "{family} is `{}`, but the model before it is of the family `{}`",
            model.family.name, first.family.name
        ))
        .with_hint("a fallback must write coordinates in the same way"));
    }
    Ok(model)
}

/// `is_meant`: any setting at all means that this model is wanted.
fn one(of: &str, is_meant: bool, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Option<ModelConfig>, ChatError> {
    let mut variables = Variables { of: of.to_owned(), lookup, origins: BTreeMap::new() };
    let kind = variables.read(Setting::Provider, provider_word)?;
    let base = variables.find(Setting::BaseUrl);
    let key = variables.read(Setting::ApiKey, api_key)?;
    let name = variables.find(Setting::Name).map(|f| f.text);
    let is_unset = kind.is_none() && base.is_none() && key.is_none() && name.is_none();
    // What is set for a slot of its own is meant for it; of the default one, the rest may just as well stand there unused.
    if is_unset && (!is_meant || !Setting::ALL.into_iter().any(|other| variables.find(other).is_some())) {
        return Ok(None);
    }
    let provider = provider(of, kind, base)?;
    let name = match (name, &provider) {
        (Some(name), _) => name,
        (None, Provider::Server { .. }) => {
            return Err(missing(of, Setting::Name, "the model's name as the provider writes it"));
        }
        (None, Provider::Scripted(_)) => "scripted".into(),
        (None, Provider::Folder(_)) => "folder".into(),
        (None, Provider::Cassette(_)) => "cassette".into(),
    };
    let mut config = ModelConfig::new(provider, name);
    config.api_key = key;
    rest(&mut config, &mut variables)?;
    config.origins = variables.origins;
    Ok(Some(config))
}

fn rest(config: &mut ModelConfig, variables: &mut Variables<'_>) -> Result<(), ChatError> {
    if let Some(family) = variables.read(Setting::Family, family)? {
        config.family = family;
    }
    config.temperature = variables.read(Setting::Temperature, temperature)?;
    if let Some(timeout) = variables.read(Setting::Timeout, time)? {
        config.timeout = (!timeout.is_zero()).then_some(timeout);
    }
    if let Some(retries) = variables.read(Setting::RetryCount, |f| whole(f, 0, 100))? {
        config.retries = retries;
    }
    if let Some(interval) = variables.read(Setting::RetryInterval, time)? {
        config.retry_base = interval;
    }
    config.thinking = match variables.read(Setting::Thinking, thinking)? {
        None => midscene_thinking(config.family, variables)?,
        set => set,
    };
    config.max_tokens = variables.read(Setting::MaxTokens, |f| whole(f, 1, u32::MAX))?;
    if let Some(json_mode) = variables.read(Setting::ResponseFormat, response_format)? {
        config.json_mode = json_mode;
    }
    if let Some(stream) = variables.read(Setting::Stream, switch)? {
        config.stream = stream;
    }
    if let Some(extra) = variables.read(Setting::ExtraBody, object)? {
        config.extra_body = extra;
    }
    if let Some(extra) = variables.read(Setting::Headers, headers)? {
        config.extra_headers = extra;
    }
    config.proxy = variables.read(Setting::Proxy, proxy)?;
    config.record = variables.find(Setting::Record).map(|found| found.text.into());
    let [socks, ..] = more_of_midscene(&variables.of);
    if let (None, Some(text)) = (&config.proxy, variables.value(&socks)) {
        config.proxy = Some(proxy(&Found { variable: socks.clone(), text, midscene: true })?);
        variables.origins.insert(Setting::Proxy, socks);
    }
    Ok(())
}

/// Midscene's variables for what is one setting here: another kind of proxy, and the three ways to say how much to think.
pub(super) fn more_of_midscene(of: &str) -> [String; 4] {
    ["SOCKS_PROXY", "REASONING_ENABLED", "REASONING_EFFORT", "REASONING_BUDGET"]
        .map(|word| format!("MIDSCENE_{of}MODEL_{word}"))
}

/// Off, an effort, a budget, or as much as the model finds right. Where both an effort and a budget are set, the one that the
/// family knows.
fn midscene_thinking(family: &Family, variables: &mut Variables<'_>) -> Result<Option<Thinking>, ChatError> {
    let [_, enabled, effort, budget] = more_of_midscene(&variables.of);
    let is_on = match variables.value(&enabled).map(|text| text.to_ascii_lowercase()).as_deref() {
        Some("true" | "1") => Some(true),
        Some("false" | "0") => Some(false),
        _ => None,
    };
    let mut ways = vec![effort, budget];
    if family.name.starts_with("qwen3") {
        ways.reverse();
    }
    let level = ways.into_iter().find_map(|variable| Some((variables.value(&variable)?, variable)));
    let (level, variable) = match (is_on, level) {
        (Some(false), _) => (Thinking::Off, enabled),
        (_, Some((text, variable))) => {
            (thinking(&Found { variable: variable.clone(), text, midscene: true })?, variable)
        }
        (Some(true), None) => (Thinking::Adaptive, enabled),
        (None, None) => return Ok(None),
    };
    variables.origins.insert(Setting::Thinking, variable);
    Ok(Some(level))
}

fn missing(of: &str, setting: Setting, what: &str) -> ChatError {
    let variable = setting.variable_of(of);
    wrong(format!("{variable} is not set")).with_hint(format!("set {variable} to {what}"))
}

/// The word of `HANDEYE_MODEL_PROVIDER`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Server(Api),
    File(&'static str),
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Server(api) => api.word(),
            Self::File(word) => word,
        }
    }
}

const FILES: [&str; 3] = ["scripted", "folder", "cassette"];

fn provider_word(found: &Found) -> Result<Kind, ChatError> {
    let word = found.text.to_ascii_lowercase();
    let all = || Api::ALL.into_iter().map(Kind::Server).chain(FILES.into_iter().map(Kind::File));
    all().find(|known| known.word() == word).ok_or_else(|| {
        wrong(format!("{}: unknown provider `{}`", found.variable, found.text))
            .with_hint(format!("providers are {}", all().map(Kind::word).collect::<Vec<_>>().join(", ")))
    })
}

/// How the address of an API looks.
fn example(api: Api) -> &'static str {
    match api {
        Api::Chat | Api::Responses => "the provider's address, as http://127.0.0.1:8000/v1",
        Api::Messages => "the provider's address, as https://api.anthropic.com/v1",
        Api::Gemini => "the provider's address, as https://generativelanguage.googleapis.com/v1beta",
    }
}

fn provider(of: &str, kind: Option<Kind>, base: Option<Found>) -> Result<Provider, ChatError> {
    let Some(base) = base else {
        return Err(match kind {
            None => missing(of, Setting::BaseUrl, example(Api::Chat)),
            Some(Kind::Server(api)) => missing(of, Setting::BaseUrl, example(api)),
            Some(Kind::File(_)) => missing(of, Setting::BaseUrl, "the path of the file or folder"),
        });
    };
    let prefixed = FILES
        .into_iter()
        .find_map(|word| base.text.strip_prefix(word)?.strip_prefix(':').map(|path| (word, path.to_owned())));
    let (word, path) = match (kind, prefixed) {
        (None, Some((word, path))) => (word, path),
        (Some(kind), Some((word, path))) if kind.word() == word => (word, path),
        (Some(kind), Some((word, _))) => {
            let (variable, kind) = (Setting::Provider.variable_of(of), kind.word());
            return Err(wrong(format!("{variable} says `{kind}`, but {} begins with `{word}:`", base.variable)));
        }
        (Some(Kind::File(word)), None) => (word, base.text.clone()),
        (None | Some(Kind::Server(_)), None) => {
            let url = BaseUrl::parse(&base.text).ok_or_else(|| {
                wrong(format!("{} is not an http or https URL", base.variable))
                    .with_hint("it looks like https://HOST/v1; folder:PATH, scripted:FILE and cassette:FILE work too")
            })?;
            let api = match kind {
                Some(Kind::Server(api)) => api,
                _ => url.api().unwrap_or_default(),
            };
            return Ok(Provider::Server { api, base: url });
        }
    };
    if path.trim().is_empty() {
        return Err(wrong(format!("{}: no path after `{word}:`", base.variable)));
    }
    let path = path.into();
    Ok(match word {
        "scripted" => Provider::Scripted(path),
        "folder" => Provider::Folder(path),
        _ => Provider::Cassette(path),
    })
}

fn api_key(found: &Found) -> Result<Secret<String>, ChatError> {
    if found.text.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(Secret::new(found.text.clone()));
    }
    Err(wrong(format!("{} holds a blank or a character that no key has", found.variable))
        .with_hint("it was perhaps pasted with quotes or a line break inside"))
}

fn family(found: &Found) -> Result<&'static Family, ChatError> {
    Family::named(&found.text).ok_or_else(|| {
        wrong(format!("{}: unknown family `{}`", found.variable, found.text))
            .with_hint(format!("families are {}", known_families()))
    })
}

fn temperature(found: &Found) -> Result<f64, ChatError> {
    let value = found.text.parse::<f64>().ok().filter(|t| (0.0..=2.0).contains(t));
    value.ok_or_else(|| wrong(format!("{}: `{}` is not a number from 0 to 2", found.variable, found.text)))
}

fn whole(found: &Found, least: u32, most: u32) -> Result<u32, ChatError> {
    let value = found.text.parse::<u32>().ok().filter(|n| (least..=most).contains(n));
    value.ok_or_else(|| {
        let range = if most == u32::MAX { format!("of at least {least}") } else { format!("from {least} to {most}") };
        wrong(format!("{}: `{}` is not a whole number {range}", found.variable, found.text))
    })
}

/// Ours has a unit; Midscene's is in milliseconds.
fn time(found: &Found) -> Result<Duration, ChatError> {
    if found.midscene {
        let ms = found.text.parse::<f64>().ok().and_then(|ms| Duration::try_from_secs_f64(ms / 1000.0).ok());
        return ms
            .ok_or_else(|| wrong(format!("{}: `{}` is not a number of milliseconds", found.variable, found.text)));
    }
    duration(&found.text).ok_or_else(|| {
        wrong(format!("{}: `{}` is not a duration", found.variable, found.text))
            .with_hint("durations look like 500ms, 3s or 2m")
    })
}

/// Reads `500ms`, `3s`, `1.5m`, `1h`, and `0`. A number without a unit says too little.
pub fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(digits);
    let seconds = match unit.trim() {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok()
}

/// Whether a family that can be held to answer in JSON is.
fn response_format(found: &Found) -> Result<bool, ChatError> {
    match found.text.to_ascii_lowercase().as_str() {
        "auto" => Ok(true),
        "none" => Ok(false),
        _ => Err(wrong(format!("{}: `{}` is neither auto nor none", found.variable, found.text))),
    }
}

fn switch(found: &Found) -> Result<bool, ChatError> {
    match found.text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => Err(wrong(format!("{}: `{}` is neither true nor false", found.variable, found.text))),
    }
}

/// The value is not shown: it may hold a key.
fn object(found: &Found) -> Result<Map<String, Value>, ChatError> {
    let not_object = |why: String| wrong(format!("{} is not a JSON object{why}", found.variable));
    match serde_json::from_str(&found.text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(not_object(String::new())),
        // Serde's own words may quote the text, so only the place is told.
        Err(e) => Err(not_object(format!(": it cannot be read at line {}, column {}", e.line(), e.column()))),
    }
}

fn headers(found: &Found) -> Result<Vec<(String, Secret<String>)>, ChatError> {
    let mut object = object(found)?;
    if found.midscene {
        let inner = ["defaultHeaders", "extra_headers", "extraHeaders"].into_iter().find_map(|key| object.remove(key));
        object = match inner {
            None => return Ok(Vec::new()),
            Some(Value::Object(inner)) => inner,
            Some(_) => return Err(wrong(format!("{}: the headers are not a JSON object", found.variable))),
        };
    }
    let mut headers = Vec::new();
    for (name, value) in object {
        let value = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            _ => return Err(wrong(format!("{}: header `{name}` is not a text", found.variable))),
        };
        let fits = reqwest::header::HeaderName::try_from(name.as_str()).is_ok()
            && reqwest::header::HeaderValue::try_from(value.as_str()).is_ok();
        if !fits {
            return Err(wrong(format!("{}: `{name}` is not a header that can be sent", found.variable)));
        }
        headers.push((name, Secret::new(value)));
    }
    Ok(headers)
}

fn proxy(found: &Found) -> Result<Secret<String>, ChatError> {
    const SCHEMES: [&str; 6] = ["http", "https", "socks5", "socks5h", "socks4", "socks4a"];
    let url = reqwest::Url::parse(&found.text).ok();
    let fits = url.is_some_and(|url| SCHEMES.contains(&url.scheme()) && url.host_str().is_some_and(|h| !h.is_empty()));
    if !fits {
        return Err(wrong(format!("{} is not the URL of a proxy", found.variable)).with_hint(
            "it looks like http://HOST:PORT or socks5://HOST:PORT, perhaps with USER:PASSWORD@ before the host",
        ));
    }
    Ok(Secret::new(found.text.clone()))
}

const LEVELS: [(&str, Thinking); 8] = [
    ("off", Thinking::Off),
    ("adaptive", Thinking::Adaptive),
    ("minimal", Thinking::Minimal),
    ("low", Thinking::Low),
    ("medium", Thinking::Medium),
    ("high", Thinking::High),
    ("xhigh", Thinking::Xhigh),
    ("max", Thinking::Max),
];

fn thinking(found: &Found) -> Result<Thinking, ChatError> {
    let word = found.text.to_ascii_lowercase();
    let level = LEVELS.into_iter().find(|(known, _)| *known == word).map(|(_, level)| level);
    let budget = || word.parse().ok().filter(|budget| *budget > 0).map(Thinking::Budget);
    level.or_else(budget).ok_or_else(|| {
        let words = LEVELS.map(|(word, _)| word).join(", ");
        wrong(format!("{}: `{}` says not how much to think", found.variable, found.text))
            .with_hint(format!("it is one of {words}, or a number of tokens"))
    })
}

pub(super) fn thinking_word(thinking: Thinking) -> String {
    match thinking {
        Thinking::Budget(tokens) => format!("{tokens} tokens"),
        level => LEVELS.into_iter().find(|(_, known)| *known == level).map_or("", |(word, _)| word).to_owned(),
    }
}
