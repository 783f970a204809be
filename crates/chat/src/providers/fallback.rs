//! Several models, of which the next is asked when one has trouble of its own. Only where the user listed them.

use crate::retry::Spent;
use async_trait::async_trait;
use handeye_core::{Chat, ChatError, ChatErrorKind, ChatRequest, Ctx, Event, Reply};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Goes on with the one that answered last: each further call would only wait for the same trouble again.
pub struct Fallback {
    models: Vec<Arc<dyn Chat>>,
    at: AtomicUsize,
}

impl Fallback {
    pub fn new(first: Arc<dyn Chat>, others: Vec<Arc<dyn Chat>>) -> Self {
        Self { models: [first].into_iter().chain(others).collect(), at: AtomicUsize::new(0) }
    }
}

/// Whether another model may do better. What the request itself caused would be the same anywhere, and a model that declines
/// is not asked around.
fn is_of_the_provider(kind: ChatErrorKind) -> bool {
    match kind {
        ChatErrorKind::Auth
        | ChatErrorKind::NoSuchModel
        | ChatErrorKind::Quota
        | ChatErrorKind::Transport
        | ChatErrorKind::Timeout
        | ChatErrorKind::Empty => true,
        ChatErrorKind::BadRequest
        | ChatErrorKind::ContextLength
        | ChatErrorKind::OverBudget
        | ChatErrorKind::OverTokens
        | ChatErrorKind::Refused
        | ChatErrorKind::Config
        | ChatErrorKind::Cancelled => false,
    }
}

#[async_trait]
impl Chat for Fallback {
    fn name(&self) -> String {
        self.models[self.at.load(Ordering::Relaxed)].name()
    }

    async fn complete(&self, request: &ChatRequest, cx: &Ctx) -> Result<Reply, ChatError> {
        let mut failed = Vec::new();
        let mut spent = Spent::default();
        let first = self.at.load(Ordering::Relaxed);
        for (index, model) in self.models.iter().enumerate().skip(first) {
            let error = match model.complete(request, cx).await {
                Ok(mut reply) => {
                    self.at.store(index, Ordering::Relaxed);
                    failed.append(&mut reply.failed_attempts);
                    return Ok(spent.onto_reply(Reply { failed_attempts: failed, ..reply }));
                }
                Err(error) => error,
            };
            let next = self.models.get(index + 1).filter(|_| is_of_the_provider(error.kind));
            let is_over = cx.cancel.is_cancelled() || cx.remaining(Duration::MAX).is_zero();
            let Some(next) = next.filter(|_| !is_over) else {
                failed.extend_from_slice(&error.failed_attempts);
                return Err(spent.onto_error(ChatError { failed_attempts: failed, ..error }));
            };
            let text = format!("{}; goes on with {}", error.message, next.name());
            cx.journal.record(Event::Notice { text });
            spent.add(&error.usage, error.microdollars);
            failed.extend(error.failed_attempts);
        }
        Err(ChatError::new(ChatErrorKind::Config, "no model is left to ask"))
    }

    /// As the first would get it, whoever answers: a replay, which knows the first, makes the same.
    fn wire_body(&self, request: &ChatRequest) -> String {
        self.models[0].wire_body(request)
    }
}
