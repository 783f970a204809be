//! A run as a real one looks: a reply that cannot be read, a covered tap, an input, a completion.

use handeye_core::event::{PlanRecord, Receipt, RungTried, SubGoalRecord, SubGoalState};
use handeye_core::*;
use handeye_journal::{Recording, RunJournal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Draws a page: a header, a field and a button, and a banner over them.
pub(crate) fn picture(field: bool, banner: bool) -> Image {
    const W: usize = 320;
    const H: usize = 180;
    let mut pixels = vec![0xf4_u8; W * H * 3];
    let mut fill = |left: usize, top: usize, width: usize, height: usize, colour: [u8; 3]| {
        for y in top..top + height {
            for x in left..left + width {
                pixels[(y * W + x) * 3..][..3].copy_from_slice(&colour);
            }
        }
    };
    fill(0, 0, W, 24, [0x2d, 0x4a, 0x6d]);
    fill(20, 50, 160, 22, [0xff, 0xff, 0xff]);
    if field {
        fill(26, 57, 60, 8, [0x33, 0x33, 0x33]);
    }
    fill(20, 90, 80, 24, [0x2e, 0x8b, 0x57]);
    if banner {
        fill(0, 84, W, 96, [0x44, 0x44, 0x44]);
        fill(230, 120, 70, 24, [0xff, 0xd7, 0x00]);
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, W as u32, H as u32);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&pixels).expect("pixels");
    writer.finish().expect("an end");
    Image::new(bytes, ImageFormat::Png, Size::new(W as f64, H as f64))
}

pub(crate) fn seen(image: &Image, at: u64) -> Got {
    Got::Seen(Ok(Observation {
        frame: Some(Frame { image: image.clone(), scale: 2.0, at: at.into() }),
        place: Place { url: "http://127.0.0.1/shop.html".into(), title: "Tea shop".into() },
        device_time: "2026-11-30 10:00:00".into(),
        ..Observation::default()
    }))
}

pub(crate) fn element(description: &str, rect: [f64; 4], label: &str) -> Element {
    let rect: Rect<Logical> = rect.into();
    Element {
        description: description.into(),
        rect,
        point: rect.center(),
        found_by: Rung::Plan,
        confidence: 0.95,
        node: Some(NodeRef { document: "main".into(), id: 7 }),
        label: Some(label.into()),
        secret: false,
    }
}

fn target(description: &str) -> Target {
    Target {
        description: description.into(),
        claim: Some(Claim::Model(serde_json::json!([62, 500, 312, 633]))),
        ..Target::default()
    }
}

pub(crate) fn request(image: &Image, last: &str) -> ChatRequest {
    ChatRequest {
        messages: vec![
            Message::text(Role::System, "You drive a screen.\nAnswer with tags."),
            Message::new(
                Role::User,
                vec![
                    Part::Text(last.into()),
                    Part::Image { image: image.clone(), shown: Shown::at(Size::new(320.0, 180.0)) },
                ],
            ),
        ],
        temperature: Some(0.0),
        ..ChatRequest::default()
    }
}

fn reply(text: &str) -> Got {
    Got::Heard(Ok(Reply {
        text: text.into(),
        usage: Usage { input: 1200, output: 80, cached: 900, ..Usage::default() },
        microdollars: Some(1_500),
        model: "tea-vl-7b".into(),
        request_id: "req-1".into(),
        took: 900,
        ..Reply::default()
    }))
}

pub(crate) fn outcome() -> Outcome {
    Outcome {
        end: End::Completed { message: "Ada is in the form".into() },
        rounds: 3,
        actions: 2,
        model_calls: 4,
        microdollars: None,
        value: None,
        usage: Usage { input: 4800, output: 320, cached: 3600, ..Usage::default() },
        planner: "standard".into(),
        warnings: Vec::new(),
    }
}

/// Events with their times, and the frames and bodies that they refer to.
pub(crate) struct Script {
    pub events: Vec<(u64, Event)>,
    pub blobs: Vec<(Vec<u8>, &'static str)>,
    t: u64,
    asks: u64,
    tasks: u32,
}

/// What the test's model connection would send.
pub(crate) fn body(request: &ChatRequest) -> String {
    let messages: Vec<_> = request
        .messages
        .iter()
        .map(|m| {
            let parts: Vec<String> = m
                .parts
                .iter()
                .map(|p| match p {
                    Part::Text(text) => text.clone(),
                    Part::Image { image, shown } => format!("blob:{}@{}", image.hash, shown.canvas()),
                    Part::Call(call) => call.to_string(),
                    Part::Result(result) => result.to_string(),
                })
                .collect();
            serde_json::json!({"role": m.role, "content": parts})
        })
        .collect();
    serde_json::json!({"model": "tea-vl-7b", "messages": messages}).to_string()
}

impl Script {
    fn new() -> Self {
        Self { events: Vec::new(), blobs: Vec::new(), t: 0, asks: 0, tasks: 0 }
    }
    fn note(&mut self, event: Event) {
        self.t += 1;
        self.events.push((self.t, event));
    }
    fn ask(&mut self, need: Need, takes: u64, got: Got) {
        self.asks += 1;
        let (id, mut class, mut body_hash) = (self.asks, None, None);
        match &need {
            Need::Act(_) => class = Some("at-most-once".to_owned()),
            Need::Chat(_, request) => {
                let body = body(request).into_bytes();
                body_hash = Some(Hash::of(&body).as_str().to_owned());
                self.blobs.push((body, "json"));
            }
            _ => {}
        }
        self.note(Event::Asked { id, need, class, body: body_hash });
        self.t += takes;
        self.note(Event::Answered { id, got });
    }
    fn observe(&mut self, image: &Image) {
        self.blobs.push((image.bytes.to_vec(), "png"));
        let at = self.t;
        self.ask(Need::Observe(Want::frame()), 40, seen(image, at));
    }
    fn chat(&mut self, image: &Image, last: &str, answer: &str) {
        self.ask(Need::Chat(Slot::Planning, Box::new(request(image, last))), 900, reply(answer));
    }
    fn task(&mut self, kind: TaskKind, title: &str) -> u32 {
        self.tasks += 1;
        self.task_is(self.tasks, kind, title, TaskState::Running, "");
        self.tasks
    }
    fn task_is(&mut self, id: u32, kind: TaskKind, title: &str, state: TaskState, detail: &str) {
        self.note(Event::Task { id, kind, title: title.into(), state, detail: detail.into() });
    }
    fn locate(&mut self, element: &Element) {
        let id = self.task(TaskKind::Locate, &element.description);
        self.t += 12;
        let rungs = vec![RungTried {
            rung: Rung::Plan,
            candidates: vec![(element.label.clone().unwrap_or_default(), 0.93), ("link \"Terms\"".into(), 0.11)],
            why: "the plan's box [62, 500, 312, 633] is 40x12 at (10, 45); its centre lies on it".into(),
        }];
        let receipt = Receipt { target: element.description.clone(), rungs, element: Some(element.clone()) };
        self.note(Event::Located { task: id, receipt });
        self.task_is(id, TaskKind::Locate, &element.description, TaskState::Finished, "");
    }
    fn act(&mut self, action: Action<Element>, effect: &Effect, settled: Option<Settled>) {
        let title = action.summary();
        let id = self.task(TaskKind::Action, &title);
        self.ask(Need::Act(action), 30, Got::Did(Ok(effect.clone())));
        let mut last = effect.clone();
        if let Some(settled) = settled {
            last = settled.effect.clone().unwrap_or(last);
            self.ask(Need::Settle(3000), settled.took, Got::Quiet(Ok(settled)));
        }
        self.note(Event::Effect { task: id, effect: last.clone() });
        let state = if last.is_failure() { TaskState::Failed } else { TaskState::Finished };
        self.task_is(id, TaskKind::Action, &title, state, &format!("done, {last}"));
    }
}

pub(crate) fn script() -> Script {
    let (banner, plain, typed) = (picture(false, true), picture(false, false), picture(true, false));
    let mut s = Script::new();
    s.note(Event::Started {
        version: "0.1.0".into(),
        goal: "Type Ada into the name field and save".into(),
        device: "web http://127.0.0.1/shop.html".into(),
        model: "tea-vl-7b at http://127.0.0.1:8000/v1".into(),
        wall_time: "2026-11-30 10:00:00".into(),
        settings: serde_json::json!({"max_rounds": 20, "effort": "balance"}),
    });
    first_round(&mut s, &banner);
    second_round(&mut s, &banner, &plain, &typed);
    s.note(Event::Round { number: 3 });
    s.chat(&typed, "What next?", "<complete success=\"true\">Ada is in the form</complete>");
    let plan = PlanRecord {
        planner: "standard".into(),
        thought: "The name is saved.".into(),
        complete: Some((true, "Ada is in the form".into())),
        ..PlanRecord::default()
    };
    s.note(Event::Planned { plan });
    s.note(Event::Ended { outcome: outcome() });
    s
}

fn first_round(s: &mut Script, banner: &Image) {
    let save = element("the Save button", [10.0, 45.0, 40.0, 12.0], "button \"Save\"");
    s.note(Event::Round { number: 1 });
    s.observe(banner);
    s.chat(banner, "Goal: type Ada and save", "I would click <b>Save</b> now, <script>alert(1)</script>");
    let misread = Some("the reply holds no <action-type>".into());
    s.note(Event::Planned { plan: PlanRecord { planner: "standard".into(), misread, ..PlanRecord::default() } });
    s.chat(banner, "Your last reply could not be read: it holds no <action-type>", "<action-type>Tap</action-type>");
    let plan = PlanRecord {
        planner: "standard".into(),
        thought: "The form has to be saved.".into(),
        log: "Tap Save".into(),
        actions: vec![Action::Tap { locate: target("the Save button") }],
        repairs: vec!["closed a half-open tag".into()],
        ..PlanRecord::default()
    };
    s.note(Event::Planned { plan });
    s.locate(&save);
    let by = "dialog \"Cookies\"".to_owned();
    let covered = Effect::new(Verdict::Covered { by }, "the click would have gone to dialog \"Cookies\"");
    s.act(Action::Tap { locate: save }, &covered, None);
    s.note(Event::Feedback { text: "Tap - the Save button: not done, covered by dialog \"Cookies\"".into() });
}

fn second_round(s: &mut Script, banner: &Image, plain: &Image, typed: &Image) {
    let accept = element("the Accept button", [115.0, 60.0, 35.0, 12.0], "button \"Accept\"");
    let name = element("the name field", [10.0, 25.0, 80.0, 11.0], "textbox \"Name\"");
    s.note(Event::Round { number: 2 });
    s.observe(banner);
    s.chat(banner, "Feedback: covered", "<action-type>Tap</action-type> <action-type>Input</action-type>");
    let plan = PlanRecord {
        planner: "standard".into(),
        log: "Accept the cookies, then type".into(),
        memory: vec!["the shop asks for cookies first".into()],
        sub_goals: vec![SubGoalRecord { index: 1, text: "the name is saved".into(), state: SubGoalState::Running }],
        actions: vec![
            Action::Tap { locate: target("the Accept button") },
            Action::Input { value: "Ada".into(), mode: InputMode::Replace, locate: Some(target("the name field")) },
        ],
        ..PlanRecord::default()
    };
    s.note(Event::Planned { plan });
    s.locate(&accept);
    let changes = Changes { mutations: 3, focus: true, ..Changes::default() };
    let effect = Some(Effect::confirmed("dialog \"Cookies\" went away"));
    let quiet = Settled { by: Quiet::Idle, took: 120, busy: String::new(), changes: Some(changes), effect };
    s.act(Action::Tap { locate: accept }, &Effect::unverified("clicked").on("button \"Accept\""), Some(quiet));
    s.observe(plain);
    s.locate(&name);
    let quiet = Settled { by: Quiet::Idle, took: 80, busy: String::new(), changes: None, effect: None };
    let input = Action::Input { value: "Ada".into(), mode: InputMode::Replace, locate: Some(name) };
    s.act(input, &Effect::confirmed("the field holds \"Ada\"").on("textbox \"Name\""), Some(quiet));
    s.observe(typed);
    s.note(Event::Feedback { text: "Tap: done. Input: done, the field holds \"Ada\"".into() });
}

/// Records a script in `<out>/<id>/`; `until` events of it, as if the run had been killed then.
pub(crate) fn record(script: &Script, out: &Path, id: &str, until: usize, secrets: &[&str]) -> PathBuf {
    let clock = Arc::new(AtomicU64::new(0));
    let reads = Arc::clone(&clock);
    let recording = Recording {
        secrets: secrets.iter().map(|s| (*s).to_owned()).collect(),
        clock: Some(Box::new(move || reads.load(Ordering::SeqCst).into())),
        ..Recording::default()
    };
    let journal = RunJournal::create_with(out, id, recording).expect("a record");
    for (bytes, ext) in &script.blobs {
        journal.blob(bytes, ext);
    }
    for (t, event) in script.events.iter().take(until) {
        clock.store(*t, Ordering::SeqCst);
        journal.record(event.clone());
    }
    if until >= script.events.len() {
        journal.finish(&outcome());
    }
    journal.dir().to_owned()
}

pub(crate) fn whole(out: &Path) -> PathBuf {
    record(&script(), out, "run", usize::MAX, &[])
}
