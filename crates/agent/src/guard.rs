//! Notices going in circles: the same action on the same screen, or two states in turn.

use handeye_core::{Action, Element, Hash};

/// The repeat that is named in the feedback…
pub const NAME_AT: u32 = 3;
/// … and the one that ends the run.
pub const STOP_AT: u32 = 6;
/// Two clicks this near, in logical points, are the same click.
const SAME_PLACE: f64 = 10.0;

/// What the guard says of the step that just ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Circling {
    No,
    /// The step ran this often without bringing anything new.
    Repeated {
        times: u32,
        what: String,
    },
}

#[derive(Clone, Debug)]
struct Step {
    actions: Vec<Action<Element>>,
    before: Option<Hash>,
    after: Option<Hash>,
    /// The device saw no change beyond regions that also change without input.
    nothing_changed: bool,
}

/// Remembers the steps of one run.
#[derive(Debug, Default)]
pub struct Guard {
    steps: Vec<Step>,
}

impl Guard {
    /// Adds a batch that ran: its actions, the frames before and after it, and whether the device saw nothing change.
    /// Says how often it has now been done without bringing anything new.
    pub fn step(
        &mut self,
        actions: Vec<Action<Element>>,
        before: Option<Hash>,
        after: Option<Hash>,
        nothing_changed: bool,
    ) -> Circling {
        if actions.is_empty() || actions.iter().all(waits) {
            return Circling::No;
        }
        self.steps.push(Step { actions, before, after, nothing_changed });
        let (same, in_turn) = (self.same_again(), self.two_in_turn());
        if same >= in_turn && same > 1 {
            Circling::Repeated { times: same, what: "the same action on the same screen".to_owned() }
        } else if in_turn > 1 {
            Circling::Repeated { times: in_turn, what: "going back and forth between the same two screens".to_owned() }
        } else {
            Circling::No
        }
    }

    /// How often the last step was done since the screen last changed, whatever else was tried in between.
    fn same_again(&self) -> u32 {
        let Some(last) = self.steps.last() else { return 0 };
        let unchanged = self.steps.iter().rev().take_while(|step| step.stayed());
        let same = unchanged.filter(|step| same_actions(&step.actions, &last.actions)).count();
        u32::try_from(same).unwrap_or(u32::MAX)
    }

    /// How often the last pair of screens was gone through: A→B, B→A, A→B counts two for the screen A.
    fn two_in_turn(&self) -> u32 {
        let n = self.steps.len();
        if n < 4 {
            return 0;
        }
        let turns = |i: usize| {
            let (a, b) = (&self.steps[i], &self.steps[i - 2]);
            a.before.is_some()
                && a.before == b.before
                && a.after == b.after
                && same_actions(&a.actions, &b.actions)
                && !a.stayed()
        };
        let repeats = (2..n).rev().take_while(|i| turns(*i)).count();
        // Each state was seen once before it was seen again.
        if repeats < 2 { 0 } else { 1 + u32::try_from(repeats / 2).unwrap_or(u32::MAX) }
    }
}

impl Step {
    fn stayed(&self) -> bool {
        self.nothing_changed || (self.before.is_some() && self.before == self.after)
    }
}

/// Waiting is not going in circles; the time budget ends it.
fn waits(action: &Action<Element>) -> bool {
    matches!(action, Action::Sleep { .. })
}

fn same_actions(a: &[Action<Element>], b: &[Action<Element>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_action(a, b))
}

/// The same verb on the same element, or within ten points of it.
fn same_action(a: &Action<Element>, b: &Action<Element>) -> bool {
    let (ta, tb) = (a.targets(), b.targets());
    if a.verb() != b.verb() || ta.len() != tb.len() {
        return false;
    }
    let same_places = ta
        .iter()
        .zip(&tb)
        .all(|((_, a), (_, b))| (a.node.is_some() && a.node == b.node) || a.point.distance(b.point) <= SAME_PLACE);
    same_places && parameters(a) == parameters(b)
}

/// The action without its targets.
fn parameters(action: &Action<Element>) -> Option<Action<()>> {
    let blanks = vec![(); action.targets().len()];
    action.clone().with_targets(blanks)
}

#[cfg(test)]
mod tests;
