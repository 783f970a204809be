//! Whatever models write: ten thousand replies for each planner, random ones and good ones that something happened to.
//!
//! None makes the loop panic, go on without asking the model, or do anything that the reply did not say. What a reply said
//! is known from how it was made; nothing here reads replies as the planners do.

mod dice;
mod judge;
mod places;
mod speech;
mod trouble;

use dice::Dice;
use handeye_agent::plan::{self, Planner};
use handeye_agent::{Effort, Goal, Settings, act};
use handeye_core::{
    Action, ActionSpace, ChatError, ChatErrorKind, DeviceError, Effect, Element, End, Family, Frame, Got, Need,
    Observation, Outcome, Quiet, Rung, Settled, Slot, Verb, Verdict,
};
use handeye_testkit::frames;
use handeye_testkit::scripted::{ScriptedWorld, Transcript};
use places::Pointed;
use speech::Speech;
use std::hash::BuildHasher;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use trouble::Told;

#[test]
fn ten_thousand_replies_of_the_standard_planner() {
    check(&speech::STANDARD);
}

#[test]
fn ten_thousand_replies_of_ui_tars() {
    check(&speech::UI_TARS);
}

#[test]
fn ten_thousand_replies_of_auto_glm() {
    check(&speech::AUTO_GLM);
}

#[test]
fn ten_thousand_replies_of_computer_use() {
    check(&speech::COMPUTER_USE);
}

/// Replies with seeds that are always the same…
const REPLIES: usize = 10_000;
/// … and with one that is new each time.
const MORE: usize = 500;
/// Needs between two questions to the model: looks, and a few for each action of a batch.
const MOST_NEEDS: usize = 40;
/// A run that goes on longer has forgotten its limits.
const MOST_CALLS: usize = 60;

fn check(speech: &Speech) {
    let mut sum = Sum::default();
    for seed in 0.. {
        if sum.heard >= REPLIES {
            break;
        }
        sum.add(speech, seed);
    }
    let new = std::hash::RandomState::new().hash_one(speech.planner);
    for seed in new >> 1.. {
        if sum.heard >= REPLIES + MORE {
            break;
        }
        sum.add(speech, seed);
    }
    // Nothing done would be nothing done wrong.
    assert!(sum.done > sum.heard / 3, "{} actions for {} replies", sum.done, sum.heard);
}

#[derive(Default)]
struct Sum {
    heard: usize,
    done: usize,
}

impl Sum {
    fn add(&mut self, speech: &Speech, seed: u64) {
        let effort = speech.efforts[usize::try_from(seed % speech.efforts.len() as u64).expect("a small number")];
        let (heard, done) = catch_unwind(AssertUnwindSafe(|| one(speech, effort, seed)))
            .unwrap_or_else(|_| panic!("{} in effort {effort:?} with seed {seed}; see above", speech.planner));
        self.heard += heard;
        self.done += done;
    }
}

/// One run of the loop: how many replies it heard and how many actions it did.
fn one(speech: &Speech, effort: Effort, seed: u64) -> (usize, usize) {
    let mut dice = Dice::of(seed);
    let replies: Vec<Told> = (0..MOST_CALLS).map(|_| trouble::any(&mut dice, speech)).collect();
    let space = ActionSpace::of(&[Verb::Tap, Verb::Input, Verb::KeyboardPress, Verb::Scroll, Verb::Sleep]);
    let family = Family::named(speech.family).expect("a family");
    let settings = Settings { effort, family, grounding: family, max_rounds: 40, ..Settings::default() };
    // Without places in the plan, each thing to act upon is looked for when it is its turn.
    let questions = if settings.inline() { 0 } else { 4 * MOST_CALLS };
    let pointed: Vec<Pointed> = (0..questions).map(|_| Pointed::any(&mut dice)).collect();
    let (outcome, transcript) = play(speech.planner, &space, &settings, (replies.clone(), pointed.clone()), dice);
    let mut runs = transcript.needs.split(|need| matches!(need, Need::Chat(Slot::Planning, _)));
    let before = runs.next().unwrap_or_default();
    assert!(before.iter().all(|need| matches!(need, Need::Observe(_))), "{before:?}");
    let (mut done, mut heard, mut asked, mut pointer) = (0, 0, 0, None);
    for (told, needs) in replies.iter().zip(runs) {
        let acts: Vec<&Action<Element>> =
            needs.iter().filter_map(|need| if let Need::Act(action) = need { Some(action) } else { None }).collect();
        let questions = needs.iter().filter(|need| matches!(need, Need::Chat(Slot::Grounding, _))).count();
        // Where places come with the plan nobody hears them.
        let answers = if settings.inline() { &[] } else { &pointed[asked..asked + questions] };
        asked += answers.len();
        let is_found = answers.iter().all(Pointed::is_plain);
        let screen = judge::Screen { space: &space, with_places: settings.inline(), is_found, pointer, speech };
        if let Err(why) = judge::judge(told, &acts, &screen) {
            panic!("reply {} ({}): {why}\n{}\n→ {}", heard + 1, told.how, told.text, outcome.end);
        }
        pointer = acts.iter().filter_map(|action| judge::place(action)).next_back().or(pointer);
        done += acts.len();
        heard += 1;
    }
    if !settings.inline() {
        where_it_was_said(&transcript.needs, &pointed, &replies);
    }
    assert_eq!((outcome.model_calls as usize, heard < MOST_CALLS), (heard + asked, true), "{}", outcome.end);
    assert!(transcript.notes.len() <= MOST_NEEDS * (heard + 1), "{} notes", transcript.notes.len());
    ended(&outcome, replies[heard - 1].text.as_str());
    (heard, done)
}

/// Acts only where the model that locates said last, or where the plan said so itself, unasked.
fn where_it_was_said(needs: &[Need], pointed: &[Pointed], replies: &[Told]) {
    let (mut asked, mut planned) = (0, 0);
    for need in needs {
        match need {
            Need::Chat(Slot::Grounding, _) => asked += 1,
            Need::Chat(Slot::Planning, _) => planned += 1,
            Need::Act(action) => {
                let Some((_, element)) = action.targets().first().copied() else { continue };
                let at = judge::place(action).expect("the place of its target");
                let says = match element.found_by {
                    Rung::Plan => judge::has_place(&replies[planned - 1].text, at),
                    _ => pointed[asked - 1].says(at),
                };
                assert!(says, "{element:?} after {:?} and {:?}", replies[planned - 1], pointed[..asked].last());
            }
            _ => {}
        }
    }
}

/// A run ends as one of its rules says, and with the words of the last reply when that completed it.
fn ended(outcome: &Outcome, last: &str) {
    match &outcome.end {
        End::Completed { message } => {
            assert!(message.lines().all(|line| last.contains(line.trim())), "completed: {message:?} of {last}");
        }
        End::Failed { .. } | End::BudgetExhausted { .. } | End::Stuck { .. } | End::Error { .. } => {}
        end => panic!("ended as {end}"),
    }
}

static SCREENS: LazyLock<Vec<Frame>> =
    LazyLock::new(|| (0..4).map(|shade| frames::solid(1000, 1000, [40 * shade, 9, 9])).collect());

/// Plays the replies in a world in which some actions work, some do nothing, and some fail.
fn play(
    planner: &str,
    space: &ActionSpace,
    settings: &Settings,
    (replies, pointed): (Vec<Told>, Vec<Pointed>),
    mut dice: Dice,
) -> (Outcome, Transcript) {
    let mut world = ScriptedWorld::new();
    let with_places = settings.inline();
    let (mut replies, mut pointed) = (replies.into_iter(), pointed.into_iter());
    let (mut needs, mut screen) = (0, 0);
    world.always(move |need| {
        needs = if matches!(need, Need::Chat(Slot::Planning, _)) { 0 } else { needs + 1 };
        assert!(needs <= MOST_NEEDS, "it goes on without asking the model");
        Some(match need {
            Need::Observe(want) => {
                let frame = want.frame.then(|| SCREENS[screen].clone());
                Got::Seen(Ok(Observation { frame, ..Observation::default() }))
            }
            Need::Chat(Slot::Planning, _) => {
                Got::Heard(Ok(replies.next().expect("a run ends before its replies do").reply))
            }
            // What has no place is looked for; here by nobody, unless places are not asked for.
            Need::Chat(..) if !with_places => {
                Got::Heard(Ok(pointed.next().expect("it is asked twice for a thing").reply))
            }
            Need::Chat(..) => Got::Heard(Err(ChatError::new(ChatErrorKind::Config, "no model is configured"))),
            Need::Act(_) => {
                if !dice.one_in(4) {
                    screen = dice.below(SCREENS.len());
                }
                Got::Did(effect(&mut dice))
            }
            Need::Settle(_) => {
                let quiet = Settled { by: Quiet::Idle, took: 40, busy: String::new(), changes: None, effect: None };
                Got::Quiet(Ok(quiet))
            }
            Need::Pause(_) => Got::Woke,
        })
    });
    let goal = Goal::new("do it");
    let mut planners: Vec<Box<dyn Planner>> = plan::named(planner).into_iter().collect();
    world.play(async |world| act(world, &mut planners, space, &goal, settings).await)
}

fn effect(dice: &mut Dice) -> Result<Effect, DeviceError> {
    match dice.below(12) {
        0 => Err(DeviceError::failed("act", "the element is gone")),
        1 => Ok(Effect::new(Verdict::Refused, "it is disabled")),
        2 => Ok(Effect::new(Verdict::Covered { by: "a dialog".to_owned() }, "something is in front")),
        3 | 4 => Ok(Effect::new(Verdict::NoOpSuspected, "nothing changed")),
        5 | 6 => Ok(Effect::new(Verdict::Unverified, "something changed")),
        _ => Ok(Effect::confirmed("the page changed")),
    }
}
