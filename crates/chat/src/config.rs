//! What a user set about a model, read from named variables that the caller looks up.
//!
//! | setting | variable | when that is unset | default |
//! |---|---|---|---|
//! | provider | `HANDEYE_MODEL_PROVIDER` | | what the address says, else `openai`; or `openai-responses`, `anthropic`, `gemini`, `scripted`, `folder`, `cassette` |
//! | base URL | `HANDEYE_MODEL_BASE_URL` | `MIDSCENE_MODEL_BASE_URL` | none: must be set. `folder:PATH`, `scripted:FILE` and `cassette:FILE` choose the provider too |
//! | key | `HANDEYE_MODEL_API_KEY` | `MIDSCENE_MODEL_API_KEY` | none is sent |
//! | name | `HANDEYE_MODEL_NAME` | `MIDSCENE_MODEL_NAME` | none: must be set for `openai` |
//! | family | `HANDEYE_MODEL_FAMILY` | `MIDSCENE_MODEL_FAMILY` | `default` |
//! | temperature | `HANDEYE_MODEL_TEMPERATURE` | `MIDSCENE_MODEL_TEMPERATURE` | what the request says |
//! | timeout | `HANDEYE_MODEL_TIMEOUT` (`500ms`, `3s`, `2m`; `0` is none) | `MIDSCENE_MODEL_TIMEOUT` (milliseconds) | 3 minutes for `openai`, else none |
//! | retries | `HANDEYE_MODEL_RETRY_COUNT` | `MIDSCENE_MODEL_RETRY_COUNT` | 3 |
//! | first wait | `HANDEYE_MODEL_RETRY_INTERVAL` (a duration) | `MIDSCENE_MODEL_RETRY_INTERVAL` (milliseconds) | 500 ms, doubled each time |
//! | thinking | `HANDEYE_MODEL_THINKING` (`off`, `adaptive`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`, or a number of tokens) | `MIDSCENE_MODEL_REASONING_ENABLED`, `…_EFFORT`, `…_BUDGET` | what the request says |
//! | most tokens | `HANDEYE_MODEL_MAX_TOKENS` | | what the request says |
//! | response format | `HANDEYE_MODEL_RESPONSE_FORMAT` (`auto`, `none`) | `MIDSCENE_MODEL_RESPONSE_FORMAT` | `auto`: a JSON object where one is asked for and the family can be held to it |
//! | streaming | `HANDEYE_MODEL_STREAM` (`true`, `false`) | | false |
//! | more body | `HANDEYE_MODEL_EXTRA_BODY` (a JSON object, a merge patch) | `MIDSCENE_MODEL_EXTRA_BODY_JSON` | nothing |
//! | more headers | `HANDEYE_MODEL_HEADERS` (a JSON object of texts) | the headers in `MIDSCENE_MODEL_INIT_CONFIG_JSON` | none |
//! | proxy | `HANDEYE_MODEL_PROXY` (http, https, socks4, socks5) | `MIDSCENE_MODEL_HTTP_PROXY`, `MIDSCENE_MODEL_SOCKS_PROXY` | the system's; never for this machine |
//! | fallbacks | `HANDEYE_MODEL_FALLBACKS` (words: `BACKUP` is set by `HANDEYE_BACKUP_MODEL_NAME` and so on) | | none: nobody else is asked |
//! | cassette | `HANDEYE_MODEL_RECORD` (a file, which is written anew) | | nothing is recorded |
//!
//! Another slot has its word in the name: `HANDEYE_PLANNING_MODEL_NAME`. It is set as a whole: it takes nothing from the
//! default slot. A blank value is unset.

use crate::budget::Budget;
use crate::endpoint::BaseUrl;
use crate::price::{Price, Prices};
use crate::secret::Secret;
use crate::wire::Api;
use handeye_core::family::FAMILIES;
use handeye_core::{ChatError, ChatErrorKind, Family, Slot, Thinking};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

mod models;
mod read;
pub use models::Models;
pub use read::duration;

/// Where replies come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Provider {
    /// A server, and what it speaks.
    Server { api: Api, base: BaseUrl },
    /// Replies from a JSON file, one after the other.
    Scripted(PathBuf),
    /// Requests as files in a folder; whoever writes the reply file is the model.
    Folder(PathBuf),
    /// Recorded traffic.
    Cassette(PathBuf),
}

/// A setting, for saying where its value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Setting {
    Provider,
    BaseUrl,
    ApiKey,
    Name,
    Family,
    Temperature,
    Timeout,
    RetryCount,
    RetryInterval,
    Thinking,
    MaxTokens,
    ResponseFormat,
    Stream,
    ExtraBody,
    Headers,
    Proxy,
    Fallbacks,
    Record,
}

impl Setting {
    pub const ALL: [Self; 18] = [
        Self::Provider,
        Self::BaseUrl,
        Self::ApiKey,
        Self::Name,
        Self::Family,
        Self::Temperature,
        Self::Timeout,
        Self::RetryCount,
        Self::RetryInterval,
        Self::Thinking,
        Self::MaxTokens,
        Self::ResponseFormat,
        Self::Stream,
        Self::ExtraBody,
        Self::Headers,
        Self::Proxy,
        Self::Fallbacks,
        Self::Record,
    ];

    /// The end of our variable's name: `BASE_URL` of `HANDEYE_MODEL_BASE_URL`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Provider => "PROVIDER",
            Self::BaseUrl => "BASE_URL",
            Self::ApiKey => "API_KEY",
            Self::Name => "NAME",
            Self::Family => "FAMILY",
            Self::Temperature => "TEMPERATURE",
            Self::Timeout => "TIMEOUT",
            Self::RetryCount => "RETRY_COUNT",
            Self::RetryInterval => "RETRY_INTERVAL",
            Self::Thinking => "THINKING",
            Self::MaxTokens => "MAX_TOKENS",
            Self::ResponseFormat => "RESPONSE_FORMAT",
            Self::Stream => "STREAM",
            Self::ExtraBody => "EXTRA_BODY",
            Self::Headers => "HEADERS",
            Self::Proxy => "PROXY",
            Self::Fallbacks => "FALLBACKS",
            Self::Record => "RECORD",
        }
    }

    fn midscene_word(self) -> Option<&'static str> {
        match self {
            Self::Provider | Self::Thinking | Self::MaxTokens | Self::Stream | Self::Fallbacks | Self::Record => None,
            Self::ExtraBody => Some("EXTRA_BODY_JSON"),
            Self::Headers => Some("INIT_CONFIG_JSON"),
            Self::Proxy => Some("HTTP_PROXY"),
            other => Some(other.word()),
        }
    }

    /// Our variable for this setting in a slot.
    pub fn variable(self, slot: Slot) -> String {
        self.variable_of(slot_word(slot))
    }

    /// Midscene's variable of the same meaning.
    pub fn midscene_variable(self, slot: Slot) -> Option<String> {
        self.midscene_variable_of(slot_word(slot))
    }

    /// `of`: what stands before `MODEL_`, with the line: `PLANNING_`.
    fn variable_of(self, of: &str) -> String {
        format!("HANDEYE_{of}MODEL_{}", self.word())
    }

    fn midscene_variable_of(self, of: &str) -> Option<String> {
        self.midscene_word().map(|word| format!("MIDSCENE_{of}MODEL_{word}"))
    }
}

fn slot_word(slot: Slot) -> &'static str {
    match slot {
        Slot::Default => "",
        Slot::Planning => "PLANNING_",
        Slot::Insight => "INSIGHT_",
        Slot::Grounding => "GROUNDING_",
        Slot::Reflection => "REFLECTION_",
    }
}

/// One model, ready to be connected.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelConfig {
    pub provider: Provider,
    pub api_key: Option<Secret<String>>,
    /// The name that goes into requests.
    pub name: String,
    pub family: &'static Family,
    /// Before the temperature of a request.
    pub temperature: Option<f64>,
    /// For one attempt, connecting and the whole body included. `None`: only the run's deadline holds.
    pub timeout: Option<Duration>,
    /// Attempts after the first.
    pub retries: u32,
    /// The wait before the first retry; it doubles each time, up to 30 s.
    pub retry_base: Duration,
    /// Before that of a request.
    pub thinking: Option<Thinking>,
    /// The smaller of this and the request's own is sent.
    pub max_tokens: Option<u32>,
    /// Families that can be held to answer in JSON are.
    pub json_mode: bool,
    pub stream: bool,
    /// Merged into each body last; null removes a field.
    pub extra_body: Map<String, Value>,
    /// Before our own headers of the same name. Values may be keys, so they are secret.
    pub extra_headers: Vec<(String, Secret<String>)>,
    /// A proxy: http, https, socks4 or socks5. `None`: the system's.
    pub proxy: Option<Secret<String>>,
    /// Who is asked, in this order, when this one has trouble of its own. They write coordinates as this one does.
    pub fallbacks: Vec<Self>,
    /// A cassette that is made of what is asked and answered; a file that is there is replaced.
    pub record: Option<PathBuf>,
    /// What its tokens cost, where that is known.
    pub price: Option<Price>,
    /// What it may cost, together with all that share the budget.
    pub budget: Option<Budget>,
    /// Which variable (or flag) each value came from. A setting that is not here has its default.
    pub origins: BTreeMap<Setting, String>,
}

/// The longest reply beside thinking when a budget needs a limit and nobody set one.
const REPLY_TOKENS: u32 = 4_096;

/// One row for `doctor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingRow {
    pub setting: Setting,
    /// For people; never a secret.
    pub value: String,
    /// A variable's name, or `default`.
    pub origin: String,
}

impl ModelConfig {
    /// A model with every option at its default.
    pub fn new(provider: Provider, name: impl Into<String>) -> Self {
        let timeout = matches!(provider, Provider::Server { .. }).then(|| Duration::from_mins(3));
        Self {
            provider,
            api_key: None,
            name: name.into(),
            family: Family::default_family(),
            temperature: None,
            timeout,
            retries: 3,
            retry_base: Duration::from_millis(500),
            thinking: None,
            json_mode: true,
            max_tokens: None,
            stream: false,
            extra_body: Map::new(),
            extra_headers: Vec::new(),
            proxy: None,
            fallbacks: Vec::new(),
            record: None,
            price: None,
            budget: None,
            origins: BTreeMap::new(),
        }
    }

    /// The default slot. `None` when no model is configured.
    ///
    /// An error names the variable that is wrong or missing; it never shows the value of one that may hold a key.
    pub fn from_lookup(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>, ChatError> {
        Self::for_slot(Slot::Default, lookup)
    }

    /// One slot. `None` when nothing is set for it: the default slot is used then.
    pub fn for_slot(slot: Slot, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>, ChatError> {
        read::config(slot, lookup)
    }

    /// Sets the prices of this model and of its fallbacks: `own` for this one, the table's for the others.
    pub fn price_by(&mut self, prices: &Prices, own: Option<Price>) {
        self.price = own.or_else(|| prices.of(&self.name));
        for other in &mut self.fallbacks {
            other.price_by(prices, None);
        }
    }

    /// Keeps this model and its fallbacks within a budget. The longest reply is limited then, as its worst case has to be known.
    /// Models that are files cost nothing.
    pub fn keep_within(&mut self, budget: &Budget) -> Result<(), ChatError> {
        if matches!(self.provider, Provider::Server { .. }) {
            if self.price.is_none() {
                return Err(wrong(format!("no price of model {} is known, so no budget can be kept", self.name))
                    .with_hint("give it with --price IN,OUT in US dollars for a million tokens, or in a file that HANDEYE_PRICES names"));
            }
            let thinking = match self.thinking {
                Some(Thinking::Budget(tokens)) => tokens,
                _ => 0,
            };
            self.max_tokens.get_or_insert(thinking.saturating_add(REPLY_TOKENS));
            self.budget = Some(budget.clone());
        }
        self.fallbacks.iter_mut().try_for_each(|other| other.keep_within(budget))
    }

    /// What its requests are written in. Models that are files show chat completions.
    pub fn api(&self) -> Api {
        match self.provider {
            Provider::Server { api, .. } => api,
            _ => Api::Chat,
        }
    }

    /// An error when this model, or one that it falls back to, is known to have no computer tool.
    pub fn has_computer_tool(&self) -> Result<(), ChatError> {
        match &self.provider {
            Provider::Server { api, .. } => api.has_computer_tool(&self.name)?,
            // What was recorded may well hold calls.
            Provider::Cassette(_) => {}
            Provider::Scripted(_) | Provider::Folder(_) => {
                let why = format!("{} answers in text, and has no computer tool", self.place());
                return Err(ChatError::new(ChatErrorKind::Config, why)
                    .with_hint("use another planner, such as --planner standard"));
            }
        }
        self.fallbacks.iter().try_for_each(Self::has_computer_tool)
    }

    /// Where requests go, for people: no password, no key.
    pub fn place(&self) -> String {
        match &self.provider {
            Provider::Server { base, .. } => base.to_string(),
            Provider::Scripted(path) => format!("scripted:{}", path.display()),
            Provider::Folder(path) => format!("folder:{}", path.display()),
            Provider::Cassette(path) => format!("cassette:{}", path.display()),
        }
    }

    /// Every setting with its value and where it came from.
    pub fn rows(&self) -> Vec<SettingRow> {
        Setting::ALL.into_iter().map(|setting| self.row(setting)).collect()
    }

    fn row(&self, setting: Setting) -> SettingRow {
        let unset = || "not set".to_owned();
        let time = |t: Duration| format!("{t:?}");
        let value = match setting {
            Setting::Provider => match self.provider {
                Provider::Server { api, .. } => api.word().into(),
                Provider::Scripted(_) => "scripted".into(),
                Provider::Folder(_) => "folder".into(),
                Provider::Cassette(_) => "cassette".into(),
            },
            Setting::BaseUrl => self.place(),
            Setting::ApiKey => {
                self.api_key.as_ref().map_or_else(unset, |k| format!("set ({} characters)", k.expose().chars().count()))
            }
            Setting::Name => self.name.clone(),
            Setting::Family => self.family.name.into(),
            Setting::Temperature => self.temperature.map_or_else(unset, |t| t.to_string()),
            Setting::Timeout => self.timeout.map_or_else(|| "none".into(), time),
            Setting::RetryCount => self.retries.to_string(),
            Setting::RetryInterval => time(self.retry_base),
            Setting::Thinking => self.thinking.map_or_else(unset, read::thinking_word),
            Setting::MaxTokens => self.max_tokens.map_or_else(unset, |t| t.to_string()),
            Setting::ResponseFormat => {
                if self.json_mode {
                    "auto".into()
                } else {
                    "none".into()
                }
            }
            Setting::Stream => self.stream.to_string(),
            Setting::ExtraBody if self.extra_body.is_empty() => unset(),
            Setting::ExtraBody => self.extra_body.keys().cloned().collect::<Vec<_>>().join(", "),
            Setting::Headers if self.extra_headers.is_empty() => unset(),
            Setting::Headers => {
                let names = self.extra_headers.iter().map(|(name, _)| name.as_str());
                names.collect::<Vec<_>>().join(", ")
            }
            Setting::Fallbacks if self.fallbacks.is_empty() => "none".into(),
            Setting::Fallbacks => {
                let shown = self.fallbacks.iter().map(|model| format!("{} at {}", model.name, model.place()));
                shown.collect::<Vec<_>>().join(", ")
            }
            Setting::Record => self.record.as_ref().map_or_else(unset, |path| path.display().to_string()),
            Setting::Proxy => self.proxy.as_ref().map_or_else(|| "the system's".into(), |_| "set".into()),
        };
        let origin = self.origins.get(&setting).cloned().unwrap_or_else(|| "default".into());
        SettingRow { setting, value, origin }
    }
}

/// Those of these variables that look like a model's settings and that nothing here reads: misspelt, or of another system.
pub fn unread(variables: impl IntoIterator<Item = String>, lookup: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let slots = Slot::ALL.map(slot_word);
    let fallbacks = slots.iter().filter_map(|of| lookup(&Setting::Fallbacks.variable_of(of)));
    let fallbacks: Vec<String> = fallbacks.flat_map(|words| read::fallback_words(&words)).collect();
    let models = || slots.into_iter().chain(fallbacks.iter().map(String::as_str));
    let is_read = |name: &str| {
        models().any(|of| {
            read::more_of_midscene(of).iter().any(|known| known == name)
                || Setting::ALL.into_iter().any(|setting| {
                    name == setting.variable_of(of) || Some(name) == setting.midscene_variable_of(of).as_deref()
                })
        })
    };
    let is_of_a_model = |name: &str| {
        let rest = name.strip_prefix("HANDEYE_").or_else(|| name.strip_prefix("MIDSCENE_"));
        rest.is_some_and(|rest| rest.starts_with("MODEL_") || rest.contains("_MODEL_"))
    };
    let mut names: Vec<String> = variables.into_iter().filter(|name| is_of_a_model(name) && !is_read(name)).collect();
    names.sort();
    names
}

fn known_families() -> String {
    FAMILIES.iter().map(|f| f.name).collect::<Vec<_>>().join(", ")
}

fn wrong(message: impl Into<String>) -> ChatError {
    ChatError::new(ChatErrorKind::Config, message)
}

#[cfg(test)]
mod tests;
