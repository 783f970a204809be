//! Money: no attempt starts whose worst case could pass what the user allowed, wherever it comes from.

use crate::failure::{Failure, Retry};
use crate::price::{Dollars, Price};
use handeye_core::{ChatErrorKind, Usage};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What all models of a run may cost together. Copies share one purse.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Purse>);

/// Two budgets are the same when they share a purse.
impl PartialEq for Budget {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Debug)]
struct Purse {
    limit: f64,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// Paid, or to be reckoned with because nobody knows.
    spent: f64,
    /// The worst case of what is under way.
    held: f64,
    /// How much more the providers counted than we guessed, at the worst, once one has counted.
    input: Option<f64>,
    output: f64,
}

/// Before a reply told better, a request may have twice the tokens that we guess.
const FIRST_GUESS: f64 = 2.0;
/// … and after it a tenth more than it had then, as conversations grow in ways that guesses do not see.
const GROWTH: f64 = 1.1;

/// What an attempt is expected to take at the most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    /// Guessed tokens of the request.
    pub input: u64,
    /// The limit that the request sets for the reply.
    pub output: u64,
}

/// Money that is held for an attempt under way. Dropped without a word on how it ended, all of it counts as spent: a provider
/// may well charge for a reply that nobody waited for.
#[derive(Debug)]
pub(crate) struct Held {
    budget: Budget,
    price: Price,
    expected: Expected,
    sum: f64,
    is_settled: bool,
}

impl Budget {
    /// US dollars.
    pub fn new(limit: f64) -> Self {
        let state = State { spent: 0.0, held: 0.0, input: None, output: 1.0 };
        Self(Arc::new(Purse { limit, state: Mutex::new(state) }))
    }

    pub fn limit(&self) -> Dollars {
        Dollars(self.0.limit)
    }

    /// So far, with what may have been charged and was not told.
    pub fn spent(&self) -> Dollars {
        Dollars(self.state().spent)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds what an attempt can cost at the worst, or says why it must not start.
    pub(crate) fn hold(&self, price: Price, expected: Expected) -> Result<Held, Failure> {
        let mut state = self.state();
        let input = (expected.input as f64 * state.input.unwrap_or(FIRST_GUESS)).ceil() as u64;
        let output = (expected.output as f64 * state.output).ceil() as u64;
        let sum = price.worst(input, output);
        if state.spent + state.held + sum > self.0.limit {
            let lead = format!("the budget of {} allows no further call to", self.limit());
            let under_way =
                if state.held > 0.0 { format!(", {} under way", Dollars(state.held)) } else { String::new() };
            let said = format!("{} spent{under_way}, and this one may cost {}", Dollars(state.spent), Dollars(sum));
            return Err(Failure::new(ChatErrorKind::OverBudget, Retry::Never, lead, said)
                .with_hint("raise it with --budget-usd, or lower HANDEYE_MODEL_MAX_TOKENS"));
        }
        state.held += sum;
        Ok(Held { budget: self.clone(), price, expected, sum, is_settled: false })
    }
}

impl Held {
    /// The provider counted: its price is paid, and the next guess follows it.
    pub(crate) fn pay(self, usage: &Usage) {
        let mut paid = self.price.cost(usage);
        if usage.estimated {
            paid *= FIRST_GUESS;
        } else {
            let mut state = self.budget.state();
            let more = |counted: u64, guessed: u64| counted as f64 / guessed.max(1) as f64;
            let input = more(usage.input, self.expected.input) * GROWTH;
            state.input = Some(state.input.unwrap_or(1.0).max(input));
            state.output = state.output.max(more(usage.output, self.expected.output));
        }
        self.settle(paid);
    }

    /// Nothing was charged: no request arrived, or it was refused with an error.
    pub(crate) fn release(self) {
        self.settle(0.0);
    }

    fn settle(mut self, paid: f64) {
        self.is_settled = true;
        let mut state = self.budget.state();
        state.held -= self.sum;
        state.spent += paid;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if !self.is_settled {
            let mut state = self.budget.state();
            state.held -= self.sum;
            state.spent += self.sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A dollar for a million tokens, whichever way they go.
    const ONE: &str = "1,1";

    fn price() -> Price {
        Price::parse(ONE).expect("a price")
    }

    fn usage(input: u64, output: u64) -> Usage {
        Usage { input, output, ..Usage::default() }
    }

    fn expected(input: u64, output: u64) -> Expected {
        Expected { input, output }
    }

    #[test]
    fn a_call_starts_only_when_its_worst_case_fits() {
        let budget = Budget::new(0.01);
        // Twice 1,000 and 4,000: 6,000 of 10,000.
        let held = budget.hold(price(), expected(1_000, 4_000)).expect("it fits");
        // A second one beside it does not.
        let failure = budget.hold(price(), expected(1_000, 4_000)).expect_err("no room");
        assert_eq!(
            failure.line(),
            "the budget of $0.0100 allows no further call: $0.0000 spent, $0.0060 under way, and this one may cost $0.0060"
        );
        held.pay(&usage(1_000, 500));
        assert_eq!(budget.spent().to_string(), "$0.0015");
        // The provider counted as we did, so 1,100 + 4,000 fit now.
        budget.hold(price(), expected(1_000, 4_000)).expect("it fits").release();
        assert_eq!(budget.spent().to_string(), "$0.0015");
    }

    /// The provider counts ten times what we do: after its first reply every guess is ten times as high.
    #[test]
    fn the_guess_follows_what_was_counted() {
        let budget = Budget::new(0.1);
        budget.hold(price(), expected(1_000, 1_000)).expect("it fits").pay(&usage(10_000, 10_000));
        let held = budget.hold(price(), expected(2_000, 1_000)).expect("22,000 and 10,000 of 80,000");
        assert!((held.sum - 0.032).abs() < 1e-9, "{}", held.sum);
    }

    #[test]
    fn an_attempt_that_nobody_waited_for_counts_in_full() {
        let budget = Budget::new(0.01);
        drop(budget.hold(price(), expected(1_000, 4_000)).expect("it fits"));
        assert_eq!(budget.spent().to_string(), "$0.0060");
        assert!(budget.hold(price(), expected(1_000, 4_000)).is_err());
    }

    proptest! {
        /// Whatever honest providers count, up to what we reckoned with, the limit holds; and when they lie, it is passed by
        /// no more than the one reply that told so.
        #[test]
        fn the_limit_holds(calls in prop::collection::vec((0u64..5_000, 1u64..5_000, 0.0..20.0f64, 0u8..3), 0..60)) {
            let budget = Budget::new(0.05);
            let mut honest = true;
            for (input, output, lie, end) in calls {
                let Ok(held) = budget.hold(price(), expected(input, output)) else { continue };
                let counted = usage((input as f64 * lie) as u64, (output as f64 * lie) as u64);
                honest &= end != 0 || price().cost(&counted) <= held.sum;
                let before = budget.spent().0;
                prop_assert!(before + held.sum <= 0.05 + 1e-9 || !honest);
                match end {
                    0 => held.pay(&counted),
                    1 => held.release(),
                    _ => drop(held),
                }
            }
            prop_assert!(!honest || budget.spent().0 <= 0.05 + 1e-9);
        }
    }
}
