//! A world that counts: every model call passes through it, wherever it comes from, and none starts that could break a budget.

use async_trait::async_trait;
use handeye_core::{ChatError, ChatErrorKind, ChatRequest, Elapsed, Event, Got, Need, Part, Reply, Slot, Usage, World};
use std::collections::BTreeMap;

/// Wraps the world of one run.
pub struct Metered<'w> {
    inner: &'w mut dyn World,
    limit: Option<u64>,
    pub calls: u32,
    pub usage: Usage,
    cost: u64,
    /// There is a call whose price is not known.
    unpriced: bool,
    /// What the last reply of each slot took, without attempts that failed: the best guess for the next.
    last: BTreeMap<Slot, Usage>,
}

/// Tokens of a reply to reckon with when the request sets no limit.
const REPLY_TOKENS: u64 = 2_048;
/// Tokens of one picture to reckon with before the first reply told better.
pub(crate) const PICTURE_TOKENS: usize = 1_500;

impl<'w> Metered<'w> {
    pub fn new(inner: &'w mut dyn World, limit: Option<u64>) -> Self {
        Self { inner, limit, calls: 0, usage: Usage::default(), cost: 0, unpriced: false, last: BTreeMap::new() }
    }

    /// Millionths of a US dollar for all calls so far; `None` when there was none, or one whose price is not known.
    pub fn microdollars(&self) -> Option<u64> {
        (self.calls > 0 && !self.unpriced).then_some(self.cost)
    }

    /// What a call took, also in attempts that failed.
    fn count(&mut self, slot: Slot, heard: &Result<Reply, ChatError>) {
        // What was not begun, or had nobody to be asked, is no call.
        let is_none = |error: &ChatError| {
            let unasked = matches!(error.kind, ChatErrorKind::OverBudget | ChatErrorKind::Config);
            unasked && error.usage.is_none()
        };
        self.calls += u32::from(!heard.as_ref().is_err_and(is_none));
        let (usage, cost) = match heard {
            Ok(reply) => {
                let input = reply.usage.input.saturating_sub(reply.wasted.input);
                let output = reply.usage.output.saturating_sub(reply.wasted.output);
                self.last.insert(slot, Usage { input, output, ..Usage::default() });
                (&reply.usage, reply.microdollars)
            }
            // What took nothing costs nothing.
            Err(error) => (error.usage.as_ref(), error.microdollars.or(error.usage.is_none().then_some(0))),
        };
        self.usage.add(usage);
        self.cost = self.cost.saturating_add(cost.unwrap_or(0));
        self.unpriced |= cost.is_none();
    }

    /// What the call could cost at the worst.
    fn worst(&self, slot: Slot, request: &ChatRequest) -> u64 {
        let limit = request.max_tokens.map_or(REPLY_TOKENS, u64::from);
        if let Some(last) = self.last.get(&slot) {
            let input = last.input.saturating_add(last.input / 10);
            // Providers that take a limit for a suggestion have said so by now.
            return input.saturating_add(limit.max(last.output));
        }
        let text: usize = request.messages.iter().map(|m| m.joined().len()).sum();
        let pictures =
            request.messages.iter().flat_map(|m| &m.parts).filter(|p| matches!(p, Part::Image { .. })).count();
        ((text / 3 + pictures * PICTURE_TOKENS) as u64).saturating_add(limit)
    }

    /// Refuses a call whose worst case would break the budget.
    fn refuse(&self, limit: u64, slot: Slot, request: &ChatRequest) -> Option<Got> {
        let (used, worst) = (self.usage.total(), self.worst(slot, request));
        if used.saturating_add(worst) <= limit {
            return None;
        }
        let message =
            format!("the token budget of {limit} would be broken: {used} used, and the next call may take {worst}");
        let error = ChatError::new(ChatErrorKind::OverTokens, message).with_hint("raise it with --budget-tokens");
        Some(Got::Heard(Err(error)))
    }
}

#[async_trait]
impl World for Metered<'_> {
    async fn ask(&mut self, need: Need) -> Got {
        let Need::Chat(slot, mut request) = need else { return self.inner.ask(need).await };
        if let Some(limit) = self.limit {
            request.max_tokens = request.max_tokens.or(u32::try_from(REPLY_TOKENS).ok());
            request.tokens_left = Some(limit.saturating_sub(self.usage.total()));
            if let Some(refused) = self.refuse(limit, slot, &request) {
                return refused;
            }
        }
        let got = self.inner.ask(Need::Chat(slot, request)).await;
        if let Got::Heard(heard) = &got {
            self.count(slot, heard);
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
