//! What a record keeps of a model: enough to make the same request bodies again, and no secret.

use handeye_chat::{Api, BaseUrl, ModelConfig, Models, Provider};
use handeye_core::{Chat, ChatError, Family, Slot, Thinking};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What to do when no model is configured.
pub(crate) const HOW_TO_SET: &str =
    "set HANDEYE_MODEL_BASE_URL, HANDEYE_MODEL_NAME, HANDEYE_MODEL_FAMILY and HANDEYE_MODEL_API_KEY";

/// The model of each slot, connected: that of another slot where nothing is set for it. Empty without any model.
pub type Chats = HashMap<Slot, Arc<dyn Chat>>;

/// Connects the models. Nothing is sent yet.
///
/// # Errors
/// When a setting cannot be used.
pub fn connect(models: &Models) -> Result<Chats, ChatError> {
    let connected = models.iter().map(|(slot, config)| Ok((slot, handeye_chat::connect(config)?)));
    let connected = connected.collect::<Result<Chats, ChatError>>()?;
    let asked = Slot::ALL.into_iter().filter_map(|slot| Some((slot, connected.get(&models.slot(slot)?)?.clone())));
    Ok(asked.collect())
}

/// The models for people: that which plans first, then those that are set for something else.
pub(crate) fn names(models: &Models, chats: &Chats) -> String {
    let planning = models.slot(Slot::Planning);
    let name = |slot: Slot| chats.get(&slot).map(|chat| chat.name()).unwrap_or_default();
    let mut names: Vec<String> = planning.into_iter().map(name).collect();
    for (slot, _) in models.iter().filter(|(slot, _)| Some(*slot) != planning) {
        names.push(format!("{}: {}", slot.word(), name(slot)));
    }
    names.join("; ")
}

/// What a record keeps of the models that are set.
pub(crate) fn record(models: &Models) -> BTreeMap<Slot, ModelRecord> {
    models.iter().map(|(slot, config)| (slot, ModelRecord::of(config))).collect()
}

/// Models that make the bodies of that record again, as far as they are known.
pub(crate) fn recorded(settings: &Value) -> Models {
    let records = settings.get("models").and_then(|m| BTreeMap::<Slot, ModelRecord>::deserialize(m).ok());
    let mut models = Models::default();
    for (slot, record) in records.unwrap_or_default() {
        if let Some(config) = record.config() {
            models.set(slot, config);
        }
    }
    models
}

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
    pub json_mode: bool,
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
            json_mode: config.json_mode,
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
        config.json_mode = self.json_mode;
        config.stream = self.stream;
        config.extra_body.clone_from(&self.extra_body);
        Some(config)
    }
}
