//! From settings to a model that can be asked.

use crate::config::{ModelConfig, Provider};
use crate::providers::cassette::Cassette;
use crate::providers::folder::Folder;
use crate::providers::openai::OpenAi;
use crate::providers::scripted::Script;
use handeye_core::{Chat, ChatError};
use std::sync::Arc;

/// Opens what the settings name. Nothing is sent yet: a server that does not answer is found by the first request.
pub fn connect(config: &ModelConfig) -> Result<Arc<dyn Chat>, ChatError> {
    Ok(match &config.provider {
        Provider::OpenAi(base) => Arc::new(OpenAi::new(config, base)?),
        Provider::Scripted(path) => Arc::new(Script::open(config, path)?),
        Provider::Folder(path) => Arc::new(Folder::open(config, path)?),
        Provider::Cassette(path) => Arc::new(Cassette::open(config, path)?),
    })
}
