//! Folds the events of a run into what the report shows. Forgiving by design: it reads runs that were killed at any point and
//! records of other versions, so every event is placed as well as what came before it allows, and none is required.

mod steps;

use super::data::{
    Call, Data, FrameId, FrameInfo, Header, MessageView, PartView, Parts, Plan, PlannedAction, Round, TextId,
};
use super::words;
use crate::reader::{Envelope, Fault, Started, blob_path};
use handeye_core::Masker;
use handeye_core::event::PlanRecord;
use handeye_core::{
    Action, ChatError, ChatRequest, Event, Got, Hash, Image, Need, Observation, Outcome, Part, Place, Reply, Slot,
};
use std::collections::HashMap;
use steps::{Locating, StepRef};

/// What an open question was about.
enum Asked {
    Observe,
    Chat(usize),
    Act(StepRef),
    Settle(Option<StepRef>),
    Pause,
    Other,
}

#[derive(Default)]
pub(crate) struct Gather {
    data: Data,
    text_ids: HashMap<Hash, TextId>,
    frame_ids: HashMap<Hash, FrameId>,
    outcome: Option<Outcome>,
    asked: HashMap<u64, (u64, Asked)>,
    /// Model calls that no plan or step has claimed yet.
    calls: Vec<Call>,
    /// Time that no plan or step has claimed yet.
    loose: Parts,
    /// Since when the planner may have been at work.
    planning_since: u64,
    frame: Option<FrameId>,
    place: Place,
    /// Steps and locates of this round by task.
    tasks: HashMap<u32, usize>,
    locating: Vec<Locating>,
    /// The step that runs, or ran last, in this round.
    current: Option<usize>,
    /// The step whose consequences the next frame shows.
    awaits_frame: Option<StepRef>,
    last_t: u64,
    typed_secrets: Vec<String>,
}

impl Gather {
    pub(crate) fn take(&mut self, envelope: Envelope) {
        let t = envelope.t.millis();
        self.last_t = self.last_t.max(t);
        match envelope.event {
            started @ Event::Started { .. } => self.started(&started),
            Event::Round { number } => self.open_round(number, t),
            Event::Asked { id, need, class, body } => {
                let asked = self.asks(need, class, body, t);
                self.asked.insert(id, (t, asked));
            }
            Event::Answered { id, got } => {
                let (since, asked) = self.asked.remove(&id).unwrap_or((t, Asked::Other));
                self.answers(asked, got, t, t.saturating_sub(since));
            }
            Event::Planned { plan } => self.planned(plan, t),
            Event::Task { id, kind, title, state, detail } => self.task(id, kind, title, state, detail, t),
            Event::Located { task, receipt } => self.located(task, receipt),
            Event::Effect { task, effect } => self.effect(task, &effect),
            Event::Feedback { text } => self.round().feedback.push(text),
            Event::Notice { text } => self.round().notices.push(text),
            Event::Ended { outcome } => self.outcome = Some(outcome),
            Event::Unknown => {}
        }
    }

    pub(crate) fn finish(mut self, run_id: &str, faults: &[Fault]) -> Data {
        self.close_round();
        self.take_remarks();
        self.data.rounds.retain(|r| {
            !(r.plans.is_empty() && r.steps.is_empty() && r.feedback.is_empty() && r.notices.is_empty()) || r.number > 0
        });
        let mut data = self.data;
        data.v = 1;
        data.typed_secrets = Masker::new(self.typed_secrets);
        run_id.clone_into(&mut data.run.id);
        data.run.faults = faults.iter().map(ToString::to_string).collect();
        data.run.figures.millis = self.last_t;
        let mut parts = Parts::default();
        for round in &data.rounds {
            round.plans.iter().for_each(|p| parts.add(&p.parts));
            round.steps.iter().for_each(|s| parts.add(&s.parts));
        }
        data.run.figures.parts = parts;
        match self.outcome {
            Some(outcome) => ended(&mut data.run, outcome),
            None => counted(&mut data),
        }
        data.run.figures.microdollars = calls(&data.rounds).filter_map(|call| call.microdollars).sum();
        data
    }

    /// Notices before the first round are about the whole run, when nothing else happened there.
    fn take_remarks(&mut self) {
        if self.data.rounds.len() > 1
            && let Some(first) = self.data.rounds.first_mut()
            && first.number == 0
        {
            self.data.run.remarks = std::mem::take(&mut first.notices);
        }
    }

    fn started(&mut self, event: &Event) {
        let Some(started) = Started::of(event) else { return };
        let settings = (!started.settings.is_null()).then(|| {
            let text = serde_json::to_string_pretty(&started.settings).unwrap_or_default();
            self.text(text)
        });
        let run = &mut self.data.run;
        (run.goal, run.device, run.model) = (started.goal, started.device, started.model);
        (run.version, run.started, run.settings) = (started.version, started.wall_time, settings);
    }

    fn round(&mut self) -> &mut Round {
        if self.data.rounds.is_empty() {
            self.data.rounds.push(Round::default());
        }
        let last = self.data.rounds.len() - 1;
        &mut self.data.rounds[last]
    }

    fn open_round(&mut self, number: u32, t: u64) {
        self.close_round();
        self.planning_since = t;
        self.data.rounds.push(Round {
            number,
            at: t,
            url: self.place.url.clone(),
            title: self.place.title.clone(),
            ..Round::default()
        });
    }

    /// Finds a place for what is still open when a round, or the record, ends.
    fn close_round(&mut self) {
        self.close_steps();
        if !self.calls.is_empty() {
            let calls = std::mem::take(&mut self.calls);
            let took = calls.iter().filter_map(|c| c.took).sum();
            let parts = Parts { plan: took, ..std::mem::take(&mut self.loose) };
            let plan = Plan {
                at: calls[0].at,
                frame: self.frame,
                unfinished: calls.last().is_some_and(|c| c.took.is_none()),
                calls,
                parts,
                ..Plan::default()
            };
            self.round().plans.push(plan);
        }
        self.tasks.clear();
        self.locating.clear();
        self.current = None;
    }

    fn asks(&mut self, need: Need, class: Option<String>, body: Option<String>, t: u64) -> Asked {
        match need {
            Need::Observe(_) => Asked::Observe,
            Need::Chat(slot, request) => {
                let call = self.call(slot, *request, body, t);
                self.calls.push(call);
                Asked::Chat(self.calls.len() - 1)
            }
            Need::Act(action) => {
                if let Action::Input { value, locate: Some(field), .. } = &action
                    && field.secret
                {
                    self.typed_secrets.push(value.clone());
                }
                Asked::Act(self.acts(&action, class, t))
            }
            Need::Settle(_) => Asked::Settle(self.acted()),
            Need::Pause(_) => Asked::Pause,
        }
    }

    fn answers(&mut self, asked: Asked, got: Got, t: u64, took: u64) {
        match (asked, got) {
            (Asked::Observe, Got::Seen(seen)) => {
                if !self.is_locating() {
                    self.parts().observe += took;
                }
                self.planning_since = t;
                match seen {
                    Ok(observation) => self.seen(observation),
                    Err(e) => self.round().notices.push(e.to_string()),
                }
            }
            (Asked::Chat(index), Got::Heard(heard)) => self.heard(index, heard, took),
            (Asked::Act(step), Got::Did(did)) => self.did(step, did, took),
            (Asked::Settle(step), Got::Quiet(quiet)) => self.quiet(step, quiet, took),
            (Asked::Pause, _) => self.parts().pause += took,
            (_, Got::Cancelled) => self.round().notices.push("the user cancelled the run".into()),
            (_, Got::TimeOver) => self.round().notices.push("the time of the run was over".into()),
            _ => {}
        }
    }

    /// Whom the time of a wait belongs to: the step that has just acted, else whatever comes next.
    fn parts(&mut self) -> &mut Parts {
        match self.awaits_frame {
            Some(step) => &mut self.step(step).parts,
            None => &mut self.loose,
        }
    }

    fn seen(&mut self, seen: Observation) {
        if let Some(frame) = &seen.frame {
            let id = self.frame_id(&frame.image, Some(frame.scale));
            self.frame = Some(id);
            if let Some(step) = self.awaits_frame.take() {
                self.step(step).after = Some(id);
            }
        }
        if seen.place != Place::default() {
            self.place = seen.place.clone();
        }
        let round = self.round();
        if round.plans.is_empty() && round.steps.is_empty() {
            (round.url, round.title, round.device_time) = (seen.place.url, seen.place.title, seen.device_time);
        }
        round.dialogs.extend(seen.dialogs);
        round.seen.extend(seen.notes);
    }

    fn call(&mut self, slot: Slot, request: ChatRequest, body: Option<String>, t: u64) -> Call {
        let messages = request.messages.into_iter().map(|message| MessageView {
            role: words::word(&message.role),
            parts: message.parts.into_iter().map(|part| self.part(part)).collect(),
        });
        Call {
            at: t,
            slot: words::word(&slot),
            messages: messages.collect(),
            temperature: request.temperature,
            max_tokens: request.max_tokens,
            body: body.and_then(|hash| blob_path(&Hash(hash.into()), "json")),
            ..Call::default()
        }
    }

    fn part(&mut self, part: Part) -> PartView {
        match part {
            Part::Text(text) => PartView::Text(self.text(text)),
            Part::Call(call) => PartView::Text(self.text(call.to_string())),
            Part::Result(result) => PartView::Text(self.text(result.to_string())),
            Part::Image { image, shown } => {
                let seen = shown.canvas();
                PartView::Image { frame: self.frame_id(&image, None), width: seen.width, height: seen.height }
            }
        }
    }

    fn heard(&mut self, index: usize, heard: Result<Reply, ChatError>, took: u64) {
        let heard = heard.map(|reply| {
            let said = [reply.text.clone()].into_iter().filter(|text| !text.is_empty());
            let said = said.chain(reply.calls.iter().map(ToString::to_string)).collect::<Vec<_>>();
            let text = self.text(said.join("\n"));
            let reasoning = (!reply.reasoning.is_empty()).then(|| self.text(reply.reasoning.clone()));
            (reply, text, reasoning)
        });
        let Some(call) = self.calls.get_mut(index) else { return };
        call.took = Some(took);
        match heard {
            Ok((reply, text, reasoning)) => {
                (call.reply, call.reasoning, call.from_reasoning) = (Some(text), reasoning, reply.from_reasoning);
                call.finish = words::word(&reply.finish);
                (call.usage, call.microdollars) = (Some(reply.usage), reply.microdollars);
                (call.model, call.request_id) = (reply.model, reply.request_id);
                call.failed_attempts = reply.failed_attempts;
            }
            Err(e) => {
                call.error = Some(words::chat_error(&e));
                call.usage = (!e.usage.is_none()).then_some(*e.usage);
                call.microdollars = e.microdollars;
                call.failed_attempts = e.failed_attempts;
            }
        }
    }

    fn planned(&mut self, plan: PlanRecord, t: u64) {
        let calls = std::mem::take(&mut self.calls);
        let mut parts = std::mem::take(&mut self.loose);
        parts.plan += if calls.is_empty() {
            t.saturating_sub(self.planning_since)
        } else {
            calls.iter().filter_map(|c| c.took).sum()
        };
        let actions = plan.actions.iter().map(|action| PlannedAction {
            summary: action.summary(),
            data: serde_json::to_value(action).unwrap_or_default(),
        });
        let plan = Plan {
            at: calls.first().map_or(t, |c| c.at),
            frame: self.frame,
            planner: plan.planner,
            thought: plan.thought,
            log: plan.log,
            memory: plan.memory,
            sub_goals: plan.sub_goals,
            actions: actions.collect(),
            complete: plan.complete,
            repairs: plan.repairs,
            misread: plan.misread,
            abstained: plan.abstained,
            unavailable: plan.unavailable,
            unfinished: false,
            calls,
            parts,
        };
        self.planning_since = t;
        self.round().plans.push(plan);
    }

    fn text(&mut self, text: String) -> TextId {
        let texts = &mut self.data.texts;
        *self.text_ids.entry(Hash::of(text.as_bytes())).or_insert_with(|| {
            texts.push(text);
            texts.len() - 1
        })
    }

    fn frame_id(&mut self, image: &Image, scale: Option<f64>) -> FrameId {
        let frames = &mut self.data.frames;
        let id = *self.frame_ids.entry(image.hash.clone()).or_insert_with(|| {
            frames.push(FrameInfo {
                hash: image.hash.short().to_owned(),
                format: image.format.media_type(),
                width: image.size.width,
                height: image.size.height,
                scale: 1.0,
                path: blob_path(&image.hash, image.format.extension()).unwrap_or_default(),
                ..FrameInfo::default()
            });
            frames.len() - 1
        });
        if let Some(scale) = scale.filter(|s| s.is_finite() && *s > 0.0) {
            frames[id].scale = scale;
        }
        id
    }
}

fn ended(run: &mut Header, outcome: Outcome) {
    run.end = words::end(&outcome.end);
    run.planner = outcome.planner;
    run.warnings = outcome.warnings;
    let figures = &mut run.figures;
    (figures.rounds, figures.actions, figures.calls) = (outcome.rounds, outcome.actions, outcome.model_calls);
    figures.usage = outcome.usage;
}

/// The figures of a run that did not get to say them itself.
fn counted(data: &mut Data) {
    data.run.end = words::unfinished();
    let figures = &mut data.run.figures;
    for round in &data.rounds {
        figures.rounds = figures.rounds.max(round.number);
        figures.actions += round.steps.iter().filter(|s| s.action.is_some()).count() as u32;
    }
    for call in calls(&data.rounds) {
        figures.calls += 1;
        if let Some(usage) = &call.usage {
            figures.usage.add(usage);
        }
    }
}

/// Every model call of a run.
fn calls(rounds: &[Round]) -> impl Iterator<Item = &Call> {
    rounds
        .iter()
        .flat_map(|round| round.plans.iter().flat_map(|p| &p.calls).chain(round.steps.iter().flat_map(|s| &s.calls)))
}
