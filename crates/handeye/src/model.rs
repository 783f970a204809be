//! What a record keeps of a model: enough to make the same request bodies again, and no secret.

use handeye_chat::{Api, BaseUrl, ModelConfig, Provider};
use handeye_core::{Family, Thinking};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What to do when no model is configured.
pub(crate) const HOW_TO_SET: &str =
    "set HANDEYE_MODEL_BASE_URL, HANDEYE_MODEL_NAME, HANDEYE_MODEL_FAMILY and HANDEYE_MODEL_API_KEY";

#[derive(Debug, Serialize, Deserialize)]
pub struct ModelRecord {
    pub place: String,
    /// What its bodies are written in.
    #[serde(default)]
    pub api: Api,
    pub name: String,
    pub family: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<Thinking>,
    #[serde(default)]
    pub stream: bool,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra_body: Map<String, Value>,
}

impl ModelRecord {
    pub fn of(config: &ModelConfig) -> Self {
        Self {
            place: config.place(),
            api: config.api(),
            name: config.name.clone(),
            family: config.family.name.to_owned(),
            temperature: config.temperature,
            max_tokens: config.max_tokens,
            thinking: config.thinking,
            stream: config.stream,
            extra_body: config.extra_body.clone(),
        }
    }

    /// A model that makes the same bodies. It is never asked for a reply, so it has no key and its address does not matter.
    pub fn config(&self) -> Option<ModelConfig> {
        let base = BaseUrl::parse("http://127.0.0.1:9/v1")?;
        let mut config = ModelConfig::new(Provider::Server { api: self.api, base }, self.name.clone());
        config.family = Family::named(&self.family)?;
        config.temperature = self.temperature;
        config.max_tokens = self.max_tokens;
        config.thinking = self.thinking;
        config.stream = self.stream;
        config.extra_body.clone_from(&self.extra_body);
        Some(config)
    }
}
