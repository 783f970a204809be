//! Models behind a real socket, a file and a folder.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod apis;
mod cassette;
mod errors;
mod fallbacks;
mod folder;
mod money;
mod proxies;
mod retries;
mod scripted;
mod seeds;
mod streams;
mod timing;

use handeye_chat::{Api, BaseUrl, ModelConfig, Provider, Secret, connect};
use handeye_core::{Chat, ChatError, ChatRequest, Ctx, Message, Reply, Role};
use handeye_testkit::model::ModelServer;
use std::sync::Arc;
use std::time::Duration;

/// Long enough for a machine under load; a test that needs it has failed.
const PATIENCE: Duration = Duration::from_secs(20);

const KEY: &str = "sk-test-0123456789abcdef";

fn config(base: &str) -> ModelConfig {
    let base = BaseUrl::parse(base).expect("a base URL");
    let mut config = ModelConfig::new(Provider::Server { api: Api::Chat, base }, "test-model");
    config.api_key = Some(Secret::new(KEY.to_owned()));
    config.retry_base = Duration::from_millis(10);
    config.timeout = Some(PATIENCE);
    config
}

fn model(server: &ModelServer, change: impl FnOnce(&mut ModelConfig)) -> Arc<dyn Chat> {
    let mut config = config(&server.base_url());
    change(&mut config);
    connect(&config).expect("a model")
}

fn request(text: &str) -> ChatRequest {
    ChatRequest { messages: vec![Message::text(Role::User, text)], ..ChatRequest::default() }
}

async fn ask(model: &Arc<dyn Chat>, text: &str) -> Result<Reply, ChatError> {
    model.complete(&request(text), &Ctx::bare()).await
}
