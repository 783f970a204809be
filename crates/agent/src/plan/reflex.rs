//! The planner that needs no model: it does the steps that a goal spells out.
//!
//! It reads plain imperatives in English and Chinese ([`grammar`]), all of the goal before anything is done, and abstains when
//! a clause is not understood. Then it takes clause by clause: finds the element in the UI tree
//! ([`crate::locate::tree`]), acts when the match is unique ([`resolve`]), looks at what came of it, and goes on. It never
//! picks among equals, never fills in what was not said, and never claims what it did not see: without a model Handeye runs
//! steps, not goals.
//!
//! ```
//! use handeye_agent::plan::reflex::grammar;
//! assert_eq!(grammar::read("click 'Sign in', then type alice into Username").unwrap().len(), 2);
//! assert!(grammar::read("book me a flight").is_err());
//! ```

use crate::history::History;
use crate::language::Language;
use crate::plan::{Completion, Plan, PlanView, Planned, Planner};
use crate::settings::Effort;
use async_trait::async_trait;
use handeye_core::{Observation, Stop, Want, World};
use progress::{Progress, Review};
use resolve::{Ready, Scene, Turn};
use std::time::Duration;

mod facts;
pub mod grammar;
mod messages;
mod progress;
mod resolve;
pub mod statement;
pub mod step;

#[cfg(test)]
mod tests;

/// How often the screen is looked at again while something is waited for.
const POLL: Duration = Duration::from_millis(200);
/// How long an element may take to appear when its turn has come.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long elements that look alike may take to become one.
const PATIENCE_WITH_MANY: Duration = Duration::from_secs(1);
/// How long a clause that says to wait does so.
const LONG_PATIENCE: Duration = Duration::from_secs(15);
/// Texts that are put into fields of one form in one round.
const MOST_FIELDS: usize = 10;

/// The state of one goal.
#[derive(Debug, Default)]
pub struct Reflex {
    progress: Option<Progress>,
}

#[async_trait]
impl Planner for Reflex {
    fn name(&self) -> &'static str {
        "reflex"
    }

    /// It asks no model, so none is asked for more or less.
    fn effort(&self, asked: Effort) -> Effort {
        asked
    }

    async fn plan(
        &mut self,
        world: &mut dyn World,
        view: &PlanView<'_>,
        _history: &mut History,
    ) -> Result<Planned, Stop> {
        let fresh = view.round <= 1 && view.last.is_empty();
        let mut progress = match self.progress.take() {
            Some(progress) if !fresh && progress.is_of(&view.goal.text) => progress,
            _ => match read(world, &view.goal.text).await? {
                Ok(clauses) if let Some(why) = refuse(view, &clauses) => {
                    return Ok(Planned::Abstained { why, candidates: Vec::new() });
                }
                Ok(clauses) => Progress::new(&view.goal.text, clauses),
                Err(unread) => return Ok(Planned::Abstained { why: unread.to_string(), candidates: Vec::new() }),
            },
        };
        let planned = go_on(world, view, &mut progress).await;
        self.progress = Some(progress);
        planned
    }
}

/// What a look at the screen gave.
type Seen = Result<Observation, String>;

async fn look(world: &mut dyn World, language: Language) -> Result<Seen, Stop> {
    Ok(match world.observe(Want::tree()).await? {
        Ok(seen) if seen.tree.is_some() => Ok(seen),
        Ok(_) => Err(language.say(messages::NO_TREE, &[])),
        Err(error) => Err(error.to_string()),
    })
}

/// What the device cannot do is said before the first step.
fn refuse(view: &PlanView<'_>, clauses: &[step::Clause]) -> Option<String> {
    let upload = clauses.iter().find(|c| matches!(c.step, step::Step::Upload { .. }))?;
    let language = grammar::language_of(&view.goal.text);
    (!view.space.has("Upload")).then(|| language.say(messages::NO_UPLOADS, &[&upload.text]))
}

/// Reads the whole goal: by its words, and where they are no step, by the controls of the page that is open.
async fn read(world: &mut dyn World, goal: &str) -> Result<Result<Vec<step::Clause>, grammar::Unread>, Stop> {
    let by_words = grammar::read(goal);
    let language = grammar::language_of(goal);
    if by_words.is_ok() {
        return Ok(by_words);
    }
    let Ok(seen) = look(world, language).await? else { return Ok(by_words) };
    let scene = Scene::of(&seen, resolve::Tried::default(), language);
    Ok(grammar::read_knowing(goal, &|clause| scene.control_in(clause).is_some()).or(by_words))
}

/// Judges what the last batch did, then plans the next clauses.
async fn go_on(world: &mut dyn World, view: &PlanView<'_>, progress: &mut Progress) -> Result<Planned, Stop> {
    let mut seen = match look(world, progress.language()).await? {
        Ok(seen) => seen,
        Err(why) => return Ok(progress.abstain(&why, Vec::new())),
    };
    match progress.review(view.last, &seen, &view.observation.dialogs) {
        Review::GoOn => {}
        Review::Stop(why) => return Ok(progress.abstain(&why, Vec::new())),
    }
    loop {
        let Some(clause) = progress.next().cloned() else {
            return Ok(progress.complete());
        };
        if !view.may_act {
            return Ok(progress.abstain(&progress.say(messages::NO_ROUND, &[&clause.text]), Vec::new()));
        }
        let turn = wait_for_turn(world, progress, &clause, &mut seen).await?;
        match turn {
            Turn::Act(ready) => return Ok(act(view, progress, *ready, &seen)),
            Turn::Already(said) => progress.advance(said),
            Turn::Expand(clauses) => progress.expand(clauses),
            Turn::False(why) => return Ok(progress.fail(&why)),
            Turn::Many { why, candidates } | Turn::Missing { why, candidates } => {
                return Ok(progress.abstain(&progress.say(messages::OF_CLAUSE, &[&clause.text, &why]), candidates));
            }
        }
    }
}

/// Looks again until the clause can be done, for as long as its kind allows.
async fn wait_for_turn(
    world: &mut dyn World,
    progress: &Progress,
    clause: &step::Clause,
    seen: &mut Observation,
) -> Result<Turn, Stop> {
    let begun = world.now();
    let mut polls = 0u32;
    loop {
        let turn = Scene::of(seen, progress.tried(), progress.language()).turn(clause);
        let patience = match (&turn, &clause.step) {
            (Turn::False(_), step::Step::WaitFor { .. }) => LONG_PATIENCE,
            (Turn::Missing { .. } | Turn::False(_), _) => PATIENCE,
            (Turn::Many { .. }, _) => PATIENCE_WITH_MANY,
            _ => return Ok(turn),
        };
        // The clock of a scripted world may stand still.
        let most_polls = u32::try_from(patience.as_millis() / POLL.as_millis()).unwrap_or(u32::MAX);
        if world.now().since(begun) >= patience || polls >= most_polls {
            return Ok(turn);
        }
        polls += 1;
        world.pause(POLL).await?;
        match look(world, progress.language()).await? {
            Ok(again) => *seen = again,
            Err(why) => return Ok(Turn::Missing { why, candidates: Vec::new() }),
        }
    }
}

/// The plan of one round: one clause, or several that fill in one form.
fn act(view: &PlanView<'_>, progress: &mut Progress, first: Ready, seen: &Observation) -> Planned {
    let mut log = vec![first.said.clone()];
    let mut thought = first.why.clone();
    let mut actions = first.actions.clone();
    let fills = first.fills_field;
    progress.begin(first);
    while fills && actions.len() < MOST_FIELDS {
        let Some(clause) = progress.next().cloned() else { break };
        let Turn::Act(ready) = Scene::of(seen, progress.tried(), progress.language()).turn(&clause) else { break };
        let again =
            ready.actions.iter().any(|a| a.targets().iter().any(|t| actions.iter().any(|b| b.targets().contains(t))));
        if !ready.fills_field || again {
            break;
        }
        log.push(ready.said.clone());
        thought.push_str("; ");
        thought.push_str(&ready.why);
        actions.extend(ready.actions.clone());
        progress.begin(*ready);
    }
    if let Some(missing) = actions.iter().find(|a| !view.space.has(a.verb())) {
        let why = progress.say(messages::NO_VERB, &[missing.verb()]);
        return progress.abstain(&why, Vec::new());
    }
    let complete =
        progress.ends_with_these().then(|| Completion { success: true, message: progress.message_with(&log) });
    Planned::Plan(Plan { thought, log: log.join("; "), actions, complete, ..Plan::default() })
}
