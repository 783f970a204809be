//! Models behind HTTP, whichever API they speak.

use crate::budget::{Budget, Expected};
use crate::config::{ModelConfig, Setting};
use crate::endpoint::BaseUrl;
use crate::failure::Failure;
use crate::price::{Dollars, Price};
use crate::retry::{self, Place, Policy};
use crate::secret::Mask;
use crate::transport::{self, Http, Prepared};
use crate::wire::{Api, Asked, Options, Pictures, tokens_of_request};
use async_trait::async_trait;
use handeye_core::{Chat, ChatError, ChatErrorKind, ChatRequest, Ctx, Reply, Usage};

/// One model at one address.
pub struct Server {
    api: Api,
    http: Http,
    options: Options,
    policy: Policy,
    place: Place,
    mask: Mask,
    /// What to do when the key is not accepted.
    key_hint: String,
    price: Option<Price>,
    budget: Option<Budget>,
}

impl Server {
    pub fn new(config: &ModelConfig, api: Api, base: &BaseUrl) -> Result<Self, ChatError> {
        let secrets = transport::secrets(config);
        let variable = config.origins.get(&Setting::ApiKey).map_or("HANDEYE_MODEL_API_KEY", String::as_str);
        let key_hint = match config.api_key {
            Some(_) => format!("check the key in {variable}"),
            None => format!("no key is set: set {variable}"),
        };
        Ok(Self {
            api,
            http: Http::new(config, api, base)?,
            options: options(config),
            policy: Policy { retries: config.retries, base: config.retry_base },
            place: Place { model: config.name.clone(), base: config.place() },
            mask: Mask::of(secrets.iter().map(String::as_str)),
            key_hint,
            price: config.price,
            budget: config.budget.clone(),
        })
    }

    /// What the call can take, when that matters.
    fn expected(&self, request: &ChatRequest) -> Result<Option<(Price, Expected)>, ChatError> {
        if self.budget.is_none() {
            return Ok(None);
        }
        let (Some(price), Some(output)) = (self.price, self.api.reply_limit(request, &self.options)) else {
            let message = format!("a money budget needs a price and a longest reply of {}", self.name());
            return Err(ChatError::new(ChatErrorKind::Config, message).with_hint(
                "give --price IN,OUT, and let HANDEYE_MODEL_EXTRA_BODY leave the limit of tokens in place",
            ));
        };
        Ok(Some((price, Expected { input: tokens_of_request(request), output })))
    }

    /// One attempt, unless it could cost too much.
    async fn attempt(
        &self,
        prepared: &Prepared,
        expected: Option<(Price, Expected)>,
        cx: &Ctx,
    ) -> Result<Reply, Failure> {
        let held = match (&self.budget, expected) {
            (Some(budget), Some((price, expected))) => Some(budget.hold(price, expected)?),
            _ => None,
        };
        let done = self.http.attempt(prepared, cx).await;
        if let Some(held) = held {
            match &done {
                Ok(reply) => held.pay(&reply.usage),
                Err(Failure { spent: Some(usage), .. }) => held.pay(usage),
                Err(Failure { unpaid: true, .. }) => held.release(),
                // It counts in full: who knows what was charged.
                Err(_) => drop(held),
            }
        }
        done.map(|reply| Reply { microdollars: self.cost(&reply.usage), ..reply }).map_err(|failure| {
            let microdollars = failure.spent.as_deref().and_then(|usage| self.cost(usage));
            Failure { microdollars, ..failure }
        })
    }

    fn cost(&self, usage: &Usage) -> Option<u64> {
        self.price.map(|price| Dollars(price.cost(usage)).micros())
    }
}

/// What of the settings stands in a body.
pub(crate) fn options(config: &ModelConfig) -> Options {
    Options {
        model: config.name.clone(),
        family: config.family,
        json_mode: config.json_mode,
        temperature: config.temperature,
        max_tokens: config.max_tokens,
        thinking: config.thinking,
        stream: config.stream,
        extra: config.extra_body.clone(),
    }
}

#[async_trait]
impl Chat for Server {
    fn name(&self) -> String {
        format!("model {} at {}", self.place.model, self.place.base)
    }

    async fn complete(&self, request: &ChatRequest, cx: &Ctx) -> Result<Reply, ChatError> {
        self.api.accepts(request)?;
        let body = self.api.body(request, &self.options, Pictures::Bytes);
        let asked = Asked::of(request, &self.options, self.api);
        let prepared = self.http.prepare(body, &self.api.headers(request, &self.options), asked);
        let expected = self.expected(request)?;
        // Boxed: the future of an HTTP exchange is large.
        let attempt = || Box::pin(self.attempt(&prepared, expected, cx));
        let asked = retry::ask(self.policy, &self.place, &self.mask, request.tokens_left, cx, attempt).await;
        asked.map_err(|mut error| {
            if error.kind == ChatErrorKind::Auth {
                error.hint.get_or_insert_with(|| self.key_hint.clone());
            }
            error
        })
    }

    fn wire_body(&self, request: &ChatRequest) -> String {
        self.mask.apply_to_content(&self.api.body(request, &self.options, Pictures::Names))
    }
}
