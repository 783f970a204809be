//! One piece of work on a device that is open: what is checked before it begins, and how it begins and ends in the record.

use crate::live::LiveWorld;
use crate::model::{self, Chats, HOW_TO_SET};
use crate::reference;
use crate::run::{Options, StartError, wall_time};
use crate::work::Work;
use handeye_agent::settings::{Reference, SettingsRecord};
use handeye_agent::{Goal, Question, Settings, plan};
use handeye_core::{ActionSpace, CancelToken, Ctx, Device, Event, Outcome, Slot};

/// What was checked and can begin.
pub(crate) struct Job<'a> {
    work: &'a Work,
    options: &'a Options,
    chats: &'a Chats,
    /// The planners of a goal, in order.
    chain: Vec<String>,
    settings: Settings,
}

impl<'a> Job<'a> {
    /// # Errors
    /// What can be told before anything is opened.
    pub(crate) fn new(work: &'a Work, options: &'a Options, chats: &'a Chats) -> Result<Self, StartError> {
        reference::check(work.references())
            .map_err(|why| StartError::usage(&why, "--image NAME=PATH gives one picture"))?;
        let settings = settings(options);
        let chain = match work {
            Work::Goal { goal, planners } => chain(goal, planners, options, &settings)?,
            Work::Single(_) | Work::Locate(_) | Work::Describe(_) => Vec::new(),
            Work::Question(question) => answerable(question, options).map(|()| Vec::new())?,
        };
        Ok(Self { work, options, chats, chain, settings })
    }

    /// The first line of the record.
    pub(crate) fn start(&self, cx: &Ctx, device: &str, space: &ActionSpace) {
        let Self { work, options, chats, chain, settings } = self;
        let record = SettingsRecord::of(settings, &work.as_goal(), chain, space);
        let mut settings = serde_json::to_value(record).unwrap_or_default();
        if let (Some((key, work)), Some(map)) = (work.record(), settings.as_object_mut()) {
            map.insert(key.to_owned(), work);
        }
        if let Some(map) = settings.as_object_mut().filter(|_| !options.models.is_empty()) {
            let models = serde_json::to_value(model::record(&options.models)).unwrap_or_default();
            map.insert("models".to_owned(), models);
        }
        // The settings name them.
        for Reference { image, .. } in work.references() {
            cx.journal.blob(&image.bytes, image.format.extension());
        }
        cx.journal.record(Event::Started {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            goal: work.title(),
            device: device.to_owned(),
            model: model::names(&options.models, chats),
            wall_time: wall_time(cx).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
            settings,
        });
        for text in &options.notices {
            cx.journal.record(Event::Notice { text: text.clone() });
        }
    }

    /// Does it, and gives the device back.
    pub(crate) async fn on(&self, device: Box<dyn Device>, cx: &Ctx) -> (Outcome, Box<dyn Device>) {
        let space = device.actions().clone();
        let mut world = LiveWorld::new(device, self.chats.clone(), cx.clone());
        let outcome = self.work.decide(&mut world, &self.chain, &space, &self.settings).await;
        (outcome, world.into_device())
    }
}

/// Closes a device. That must work after a cancel too, so it gets a context that nobody cancelled.
pub(crate) async fn close(device: Box<dyn Device>, cx: &Ctx) {
    let mut closing = cx.clone();
    closing.cancel = CancelToken::new();
    closing.deadline = None;
    if let Err(error) = device.close(&closing).await {
        cx.journal.record(Event::Notice { text: format!("the device was not closed in good order: {error}") });
    }
}

/// The settings, with what the models say themselves.
fn settings(options: &Options) -> Settings {
    let models = &options.models;
    let family = |slot| models.get(slot).map_or(options.settings.family, |config| config.family);
    Settings {
        family: family(Slot::Planning),
        grounding: family(Slot::Grounding),
        insight: family(Slot::Insight),
        has_insight: !models.is_empty(),
        one_model: models.is_empty() || models.are_one(Slot::Planning, Slot::Grounding),
        ..options.settings.clone()
    }
}

/// The names of the planners, checked.
fn chain(goal: &Goal, planners: &[String], options: &Options, settings: &Settings) -> Result<Vec<String>, StartError> {
    if goal.text.trim().is_empty() {
        return Err(StartError::usage("the goal is empty", "say in a sentence what is to be done"));
    }
    let mut names = planners.to_vec();
    if names.is_empty() {
        names.push("reflex".to_owned());
        if !options.models.is_empty() {
            names.push(settings.family.planner.to_owned());
        }
    }
    for name in &names {
        let Some(planner) = plan::named(name) else {
            let known = plan::NAMES.join(", ");
            return Err(StartError::usage(
                &format!("there is no planner `{name}`"),
                &format!("the planners are {known}"),
            ));
        };
        if name != "reflex" && options.models.is_empty() {
            return Err(StartError::usage(
                &format!("the planner `{name}` needs a model, and none is configured"),
                &format!("{HOW_TO_SET}, or use --planner reflex"),
            ));
        }
        if let Some((message, hint)) = plan::unsuited(name, settings.family) {
            return Err(StartError::usage(&message, &hint));
        }
        if let Some(model) = options.models.get(Slot::Planning).filter(|_| planner.needs_computer_tool()) {
            model.has_computer_tool()?;
        }
    }
    Ok(names)
}

/// What can be told of a question before anything is opened.
fn answerable(question: &Question, options: &Options) -> Result<(), StartError> {
    question.check().map_err(|why| StartError::usage(&why, "`handeye query --help` shows what can be asked"))?;
    if !question.kind.is_statement() && options.models.is_empty() {
        return Err(StartError::usage(
            &format!("`{}` needs a model, and none is configured", question.kind.word()),
            &format!("{HOW_TO_SET}; `assert` and `wait` judge plain statements without one"),
        ));
    }
    Ok(())
}
