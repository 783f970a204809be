//! A small world for tables: replies in order, effects by rule, and a screen whose picture changes as told.

use handeye_agent::plan::{self, Planner};
use handeye_agent::{Goal, Settings, act};
use handeye_core::{
    Action, ActionSpace, Changes, ChatError, ChatRequest, DeviceError, Effect, Element, Event, Frame, Got, Need,
    Observation, Outcome, Quiet, Reply, Settled, UiTree, Usage, Verb, Verdict,
};
use handeye_testkit::frames;
use handeye_testkit::scripted::{ScriptedWorld, Transcript};
use std::sync::{Arc, Mutex};

type Instead = Box<dyn FnMut(&Need) -> Option<Got> + Send>;
type Acting = Box<dyn FnMut(u32, &Action<Element>) -> Result<Effect, DeviceError> + Send>;

/// What the world is like; the rest is as on a healthy device.
pub(crate) struct Bench {
    pub(crate) replies: Vec<Result<Reply, ChatError>>,
    /// Called with the number of the action, from 1.
    pub(crate) acting: Acting,
    /// The picture stays the same whatever is done.
    pub(crate) frozen: bool,
    /// How many pictures there are before the first one comes again.
    pub(crate) pictures: u32,
    pub(crate) settings: Settings,
    pub(crate) planners: Vec<&'static str>,
    /// What the device can do.
    pub(crate) verbs: Vec<Verb>,
    /// What the device sees change after each action; `None`: it cannot tell.
    pub(crate) changes: Option<Changes>,
    pub(crate) tree: Option<UiTree>,
    /// Milliseconds that each model call takes.
    pub(crate) call_takes: u64,
    /// Answers that come in place of the usual ones.
    pub(crate) instead: Instead,
    pub(crate) goal: String,
}

/// What came of a run.
pub(crate) struct Ran {
    pub(crate) outcome: Outcome,
    pub(crate) transcript: Transcript,
}

impl Bench {
    pub(crate) fn new(replies: &[&str]) -> Self {
        Self {
            replies: replies.iter().map(|text| Ok(reply(text))).collect(),
            acting: Box::new(|_, _| Ok(Effect::confirmed("the page changed"))),
            frozen: false,
            pictures: 200,
            settings: Settings::default(),
            planners: vec!["standard"],
            verbs: vec![Verb::Tap, Verb::Input, Verb::KeyboardPress, Verb::Scroll, Verb::Sleep],
            changes: None,
            tree: None,
            call_takes: 0,
            instead: Box::new(|_| None),
            goal: "do it".to_owned(),
        }
    }

    pub(crate) fn acting(
        mut self,
        acting: impl FnMut(u32, &Action<Element>) -> Result<Effect, DeviceError> + Send + 'static,
    ) -> Self {
        self.acting = Box::new(acting);
        self
    }

    pub(crate) fn run(self) -> Ran {
        let Self {
            replies,
            mut acting,
            frozen,
            pictures,
            settings,
            planners,
            verbs,
            changes,
            tree,
            call_takes,
            instead,
            goal,
        } = self;
        let mut world = ScriptedWorld::new();
        world.always(instead);
        let mut replies = replies.into_iter();
        world.always(move |need| {
            let next = || Ok(reply("<complete success=\"false\">SCRIPT EXHAUSTED</complete>"));
            matches!(need, Need::Chat(..)).then(|| Got::Heard(replies.next().unwrap_or_else(next)))
        });
        world.taking(call_takes);
        let acted = Arc::new(Mutex::new(0_u32));
        world.always(move |need| {
            let mut acted = acted.lock().expect("one thread");
            Some(match need {
                Need::Observe(want) => {
                    let picture = if frozen { 0 } else { *acted % pictures };
                    let frame = want.frame.then(|| screen(picture));
                    let device_time = "2026-01-31 14:25:01".to_owned();
                    let tree = if want.tree { tree.clone() } else { None };
                    Got::Seen(Ok(Observation { frame, tree, device_time, ..Observation::default() }))
                }
                Need::Chat(..) => return None,
                Need::Act(action) => {
                    *acted += 1;
                    Got::Did(acting(*acted, action))
                }
                Need::Settle(_) => Got::Quiet(Ok(Settled {
                    by: Quiet::Idle,
                    took: 40,
                    busy: String::new(),
                    changes: changes.clone(),
                    effect: None,
                })),
                Need::Pause(_) => Got::Woke,
            })
        });
        let space = ActionSpace::of(&verbs);
        let mut planners: Vec<Box<dyn Planner>> = planners.iter().filter_map(|n| plan::named(n)).collect();
        let goal = Goal::new(goal);
        let (outcome, transcript) = world.play(async |world| act(world, &mut planners, &space, &goal, &settings).await);
        Ran { outcome, transcript }
    }
}

pub(crate) fn reply(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        usage: Usage { input: 1000, output: 100, ..Usage::default() },
        model: "scripted".to_owned(),
        took: 10,
        ..Reply::default()
    }
}

fn screen(n: u32) -> Frame {
    let shade = u8::try_from(n % 200).unwrap_or(0);
    frames::solid(1000, 1000, [shade, shade, shade])
}

/// A tap on the box whose middle is there, with its log.
pub(crate) fn tap(x: u32, y: u32) -> String {
    format!(
        "<thought>t</thought><log>Tap it</log><action-type>Tap</action-type><action-param-json>{{\"locate\":{{\"prompt\":\"thing\",\
         \"bbox\":[{},{},{},{}]}}}}</action-param-json>",
        x - 10,
        y - 10,
        x + 10,
        y + 10
    )
}

pub(crate) const DONE: &str = "<thought>t</thought><complete success=\"true\">done</complete>";

pub(crate) fn no_op() -> Effect {
    Effect::new(Verdict::NoOpSuspected, "nothing on the page changed")
}

impl Ran {
    pub(crate) fn end(&self) -> String {
        self.outcome.end.to_string()
    }
    pub(crate) fn requests(&self) -> Vec<&ChatRequest> {
        self.transcript
            .needs
            .iter()
            .filter_map(|n| if let Need::Chat(_, r) = n { Some(r.as_ref()) } else { None })
            .collect()
    }
    /// The text of the last message of a request, counted from 1.
    pub(crate) fn told(&self, request: usize) -> String {
        self.requests()[request - 1].messages.last().expect("a message").joined()
    }
    /// Needs in one word each.
    pub(crate) fn needs(&self) -> String {
        let word = |need: &Need| match need {
            Need::Observe(want) if want.frame => "look".to_owned(),
            Need::Observe(want) if want.region.is_some() => "near".to_owned(),
            Need::Observe(_) => "tree".to_owned(),
            Need::Chat(..) => "chat".to_owned(),
            Need::Act(action) => action.verb().to_lowercase(),
            Need::Settle(_) => "settle".to_owned(),
            Need::Pause(ms) => format!("pause {ms}"),
        };
        self.transcript.needs.iter().map(word).collect::<Vec<_>>().join(" ")
    }
    pub(crate) fn events(&self, pick: impl FnMut(&Event) -> Option<String>) -> Vec<String> {
        self.transcript.notes.iter().filter_map(pick).collect()
    }
}
