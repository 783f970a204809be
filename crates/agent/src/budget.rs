//! A world that counts: every model call passes through it, wherever it comes from, and none starts that could break a budget.

use async_trait::async_trait;
use handeye_core::{ChatError, ChatErrorKind, ChatRequest, Elapsed, Event, Got, Need, Part, Usage, World};

/// Wraps the world of one run.
pub struct Metered<'w> {
    inner: &'w mut dyn World,
    limit: Option<u64>,
    pub calls: u32,
    pub usage: Usage,
    /// Tokens of the last call's request, as reported: the best guess for the next.
    last_input: u64,
    /// Set once a call was refused because of the token budget.
    pub out_of_tokens: Option<String>,
}

/// Tokens of a reply to reckon with when the request sets no limit.
const REPLY_TOKENS: u64 = 2_048;
/// Tokens of one picture to reckon with before the first reply told better.
const PICTURE_TOKENS: u64 = 1_500;

impl<'w> Metered<'w> {
    pub fn new(inner: &'w mut dyn World, limit: Option<u64>) -> Self {
        Self { inner, limit, calls: 0, usage: Usage::default(), last_input: 0, out_of_tokens: None }
    }

    /// What the call could cost at the worst.
    fn worst(&self, request: &ChatRequest) -> u64 {
        let text: usize = request.messages.iter().map(|m| m.joined().len()).sum();
        let pictures =
            request.messages.iter().flat_map(|m| &m.parts).filter(|p| matches!(p, Part::Image { .. })).count();
        let guess = text as u64 / 3 + pictures as u64 * PICTURE_TOKENS;
        let input = if self.last_input > 0 { self.last_input.saturating_add(self.last_input / 10) } else { guess };
        input.saturating_add(request.max_tokens.map_or(REPLY_TOKENS, u64::from))
    }

    /// Refuses a call whose worst case would break the budget.
    fn refuse(&mut self, request: &ChatRequest) -> Option<Got> {
        let limit = self.limit?;
        let worst = self.worst(request);
        if self.usage.total().saturating_add(worst) <= limit {
            return None;
        }
        let message = format!(
            "the token budget of {limit} would be broken: {} used, and the next call may take {worst}",
            self.usage.total()
        );
        self.out_of_tokens = Some(message.clone());
        let error = ChatError::new(ChatErrorKind::Quota, message).with_hint("raise it with --budget-tokens");
        Some(Got::Heard(Err(error)))
    }
}

#[async_trait]
impl World for Metered<'_> {
    async fn ask(&mut self, need: Need) -> Got {
        let Need::Chat(slot, mut request) = need else { return self.inner.ask(need).await };
        if self.limit.is_some() {
            request.max_tokens = request.max_tokens.or(u32::try_from(REPLY_TOKENS).ok());
        }
        if let Some(refused) = self.refuse(&request) {
            return refused;
        }
        let got = self.inner.ask(Need::Chat(slot, request)).await;
        if let Got::Heard(heard) = &got {
            self.calls += 1;
            if let Ok(reply) = heard {
                self.usage.add(&reply.usage);
                self.last_input = reply.usage.input;
            }
        }
        got
    }
    fn now(&self) -> Elapsed {
        self.inner.now()
    }
    fn note(&mut self, event: Event) {
        self.inner.note(event);
    }
}
