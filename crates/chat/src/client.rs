//! From settings to a model that can be asked.

use crate::config::{ModelConfig, Provider};
use crate::providers::cassette::{Cassette, Recorder};
use crate::providers::fallback::Fallback;
use crate::providers::folder::Folder;
use crate::providers::scripted::Script;
use crate::providers::server::Server;
use handeye_core::{Chat, ChatError, ChatErrorKind, ChatRequest, Ctx, Message, Reply, Role};
use std::sync::Arc;
use std::time::Duration;

/// Opens what the settings name. Nothing is sent yet: a server that does not answer is found by the first request.
pub fn connect(config: &ModelConfig) -> Result<Arc<dyn Chat>, ChatError> {
    let mut model = one(config)?;
    if !config.fallbacks.is_empty() {
        let others = config.fallbacks.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        model = Arc::new(Fallback::new(model, others));
    }
    Ok(match &config.record {
        Some(path) => Arc::new(Recorder::new(model, config.api(), path)?),
        None => model,
    })
}

fn one(config: &ModelConfig) -> Result<Arc<dyn Chat>, ChatError> {
    Ok(match &config.provider {
        Provider::Server { api, base } => Arc::new(Server::new(config, *api, base)?),
        Provider::Scripted(path) => Arc::new(Script::open(config, path)?),
        Provider::Folder(path) => Arc::new(Folder::open(config, path)?),
        Provider::Cassette(path) => Arc::new(Cassette::open(config, path)?),
    })
}

/// How long [`probe`] waits at most.
const PROBE: Duration = Duration::from_secs(20);

/// Asks the model for one word, once, to see that address, key and name are right. A few tokens.
///
/// `None` for providers that answer from files: there is nothing to try without using up a reply.
pub async fn probe(config: &ModelConfig, cx: &Ctx) -> Option<Result<Reply, ChatError>> {
    if !matches!(config.provider, Provider::Server { .. }) {
        return None;
    }
    let mut config = config.clone();
    config.retries = 0;
    config.record = None;
    config.fallbacks = Vec::new();
    config.timeout = Some(config.timeout.unwrap_or(PROBE).min(PROBE));
    let model = match connect(&config) {
        Ok(model) => model,
        Err(error) => return Some(Err(error)),
    };
    let messages = vec![Message::text(Role::User, "Reply with the word OK.")];
    let result = model.complete(&ChatRequest { messages, ..ChatRequest::default() }, cx).await;
    // A model that answers with silence was reached all the same, but is of no use.
    Some(result.map_err(|error| match error.kind {
        ChatErrorKind::Empty => {
            error.with_hint("the server answers, but with no text: check the model's name and its template")
        }
        _ => error,
    }))
}
