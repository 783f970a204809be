//! Questions about the screen: what it shows, whether something is so, and waiting until it is.
//!
//! Plain statements (`the Save button is disabled`) are judged by the UI tree, which knows them better than any picture; all
//! else is asked of the model in the slot for insight. The outcome says which of the two decided. A value is what the model read off
//! the screen, untouched: where it is not of the type that was asked for, the model is asked again.

use crate::act::{device_end, stopped, unavailable};
use crate::budget::Metered;
use crate::plan::reflex::statement::{Statement, Told};
use crate::read::answer::{self, Answer};
use crate::run::{self, Tasks};
use crate::settings::{Reference, Settings};
use handeye_core::text::clip;
use handeye_core::{
    ChatError, ChatErrorKind, Elapsed, End, Event, Message, Observation, Outcome, Role, Slot, Stop, TaskKind,
    TaskState, Want, World,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;
use value::Type;

mod prompt;
mod schema;
#[cfg(test)]
mod tests;
pub mod value;

pub use schema::{BadSchema, Schema};

/// Replies that cannot be used before the question is given up.
pub const TRIES: u32 = 3;
/// How often the UI tree is looked at while something is waited for.
const POLL: Duration = Duration::from_millis(250);
/// A model's reply is not waited for when less than this is left.
const LEAST: Duration = Duration::from_millis(100);

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Kind {
    /// Any JSON value, of this schema when one is given.
    Query {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        schema: Option<Value>,
    },
    String,
    Number,
    Boolean,
    /// Whether a statement is true; it fails when it is not.
    Assert,
    /// Until a statement is true: at most `at_most` milliseconds, with `every` milliseconds between the beginnings of looks.
    Wait {
        at_most: u64,
        every: u64,
    },
}

impl Kind {
    /// The command's word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Query { .. } => "query",
            Self::String => "ask",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Assert => "assert",
            Self::Wait { .. } => "wait",
        }
    }
    /// A statement, which the UI tree may judge.
    pub fn is_statement(&self) -> bool {
        matches!(self, Self::Assert | Self::Wait { .. })
    }
}

/// One question about the screen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    #[serde(flatten)]
    pub kind: Kind,
    /// In words; for a query also an object of names and what is meant by each, as JSON.
    pub demand: String,
    /// Knowledge that has priority over what the model believes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub context: Option<String>,
    /// Pictures that the question speaks of.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub references: Vec<Reference>,
    /// The model is shown the screen.
    pub screenshot: bool,
    /// The model is told the elements of the UI tree.
    pub tree: bool,
}

impl Question {
    pub fn new(kind: Kind, demand: impl Into<String>) -> Self {
        Self { kind, demand: demand.into(), context: None, references: Vec::new(), screenshot: true, tree: false }
    }
    /// `assert: the cart is empty`
    pub fn title(&self) -> String {
        format!("{}: {}", self.kind.word(), self.demand.trim())
    }
    /// What is wrong with it, before anything is looked at.
    pub fn check(&self) -> Result<(), String> {
        if self.demand.trim().is_empty() {
            return Err("the question is empty: say what is to be read off the screen".to_owned());
        }
        if !self.screenshot && !self.tree && !self.kind.is_statement() {
            return Err(
                "neither the screenshot nor the UI tree is to be looked at, so nothing can be answered".to_owned()
            );
        }
        if let Kind::Query { schema: Some(schema) } = &self.kind {
            Schema::of(schema).map_err(|e| e.to_string())?;
        }
        if let Kind::Wait { at_most, every } = &self.kind
            && (*every == 0 || *at_most == 0)
        {
            return Err("a wait needs a time, and an interval".to_owned());
        }
        Ok(())
    }
}

/// Which way an answer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Tree,
    Model,
}

/// An answer with its reason.
struct Found {
    value: Value,
    why: String,
    by: By,
}

impl Found {
    fn reason(&self) -> String {
        let by = match self.by {
            By::Tree => "the UI tree",
            By::Model => "the model",
        };
        if self.why.trim().is_empty() { format!("({by} says so)") } else { format!("{} ({by})", self.why.trim()) }
    }
}

/// Why there is none.
enum Fault {
    End(End),
    /// The model could not be had just now.
    Unavailable(ChatError),
    /// Nobody can tell.
    Untold(String),
}

impl From<Stop> for Fault {
    fn from(stop: Stop) -> Self {
        Self::End(stopped(stop))
    }
}

/// Answers one question. Looks at the screen afresh, once for each way.
pub async fn ask(world: &mut dyn World, question: &Question, settings: &Settings) -> Outcome {
    let mut asking = Asking {
        world: Metered::new(world, settings.budget_tokens),
        question,
        settings,
        looks: 0,
        warnings: Vec::new(),
    };
    let title = question.title();
    let mut tasks = Tasks::default();
    asking.world.note(Event::Round { number: 1 });
    let task = tasks.start(&mut asking.world, TaskKind::Insight, &title);
    let (end, value, detail) = asking.answer().await;
    let state = match &end {
        End::Completed { .. } => TaskState::Finished,
        End::Cancelled => TaskState::Cancelled,
        _ => TaskState::Failed,
    };
    run::note(&mut asking.world, task, TaskKind::Insight, &title, state, &detail);
    let outcome = Outcome {
        end,
        rounds: 1,
        actions: 0,
        model_calls: asking.world.calls,
        usage: asking.world.usage,
        microdollars: asking.world.microdollars(),
        value,
        planner: "none".to_owned(),
        warnings: asking.warnings,
    };
    world.note(Event::Ended { outcome: outcome.clone() });
    outcome
}

fn end_of(fault: Fault) -> End {
    match fault {
        Fault::End(end) => end,
        Fault::Unavailable(error) => unavailable(&error),
        Fault::Untold(why) => End::Abstained { why, candidates: Vec::new() },
    }
}

struct Asking<'a> {
    world: Metered<'a>,
    question: &'a Question,
    settings: &'a Settings,
    looks: u32,
    warnings: Vec<String>,
}

type Answered = Result<Found, Fault>;

impl Asking<'_> {
    /// The end, the value, and for people how it came about.
    async fn answer(&mut self) -> (End, Option<Value>, String) {
        if let Err(message) = self.question.check() {
            let kind = handeye_core::ErrorKind::Usage;
            return (End::Error { kind, message: message.clone(), hint: None }, None, message);
        }
        let found = match self.question.kind {
            Kind::Wait { at_most, every } => {
                return self.wait(Duration::from_millis(at_most), Duration::from_millis(every)).await;
            }
            Kind::Assert => {
                let plain = Statement::read(&self.question.demand);
                self.statement(plain.as_ref(), true, None).await
            }
            _ => self.by_model(None).await,
        };
        let found = match found {
            Ok(found) => found,
            Err(fault) => {
                let end = end_of(fault);
                let detail = end.to_string();
                return (end, None, detail);
            }
        };
        let reason = found.reason();
        let end = match (&self.question.kind, &found.value) {
            (Kind::Assert, Value::Bool(true)) => End::Completed { message: format!("true: {reason}") },
            (Kind::Assert, _) => {
                End::Failed { message: format!("assertion failed: {}: {reason}", self.question.demand.trim()) }
            }
            (Kind::Query { .. }, value) => End::Completed { message: value::shown(value) },
            (_, Value::Null) => End::Failed { message: format!("the screen does not show it: {reason}") },
            (_, value) => End::Completed { message: value::shown(value) },
        };
        (end, Some(found.value), reason)
    }

    /// Whether the statement is true: by the UI tree where it is plain, else by the model, where that may be asked now. `until`:
    /// the time after which no reply is of use.
    async fn statement(&mut self, plain: Option<&Statement>, may_ask: bool, until: Option<Elapsed>) -> Answered {
        let told = match plain {
            Some(statement) => self.by_tree(statement).await?,
            None => Told::Unclear("the statement is not one that the UI tree can judge".to_owned()),
        };
        let has_model = self.settings.has_insight;
        match told {
            Told::True(why) => Ok(Found { value: true.into(), why, by: By::Tree }),
            Told::False { why, certain } if certain || !has_model => {
                Ok(Found { value: false.into(), why, by: By::Tree })
            }
            // Not in the tree, yet perhaps in a picture.
            _ if has_model && may_ask => self.by_model(until).await,
            Told::False { why, .. } => Ok(Found { value: false.into(), why, by: By::Tree }),
            Told::Unclear(why) if has_model => Err(Fault::Untold(why)),
            Told::Unclear(why) => {
                Err(Fault::Untold(format!("{why}; no model is configured that could look at the screen")))
            }
        }
    }

    async fn by_tree(&mut self, statement: &Statement) -> Result<Told, Fault> {
        Ok(match self.look(Want::tree()).await? {
            seen if seen.tree.is_some() => statement.judge(&seen),
            _ => Told::Unclear("the device has no UI tree".to_owned()),
        })
    }

    async fn look(&mut self, want: Want) -> Result<Observation, Fault> {
        self.looks += 1;
        let world: &mut dyn World = &mut self.world;
        world.observe(want).await?.map_err(|error| Fault::End(device_end(&error)))
    }

    /// Asks the model, again where its reply cannot be used.
    async fn by_model(&mut self, until: Option<Elapsed>) -> Answered {
        let wants = Want { frame: self.question.screenshot, tree: self.question.tree, ..Want::default() };
        let seen = self.look(wants).await?;
        let wanted = Type::of(&self.question.kind).map_err(|e| Fault::Untold(e.to_string()))?;
        let mut request = prompt::request(self.question, self.settings, &seen);
        let mut last = String::new();
        for _ in 0..TRIES {
            if let Some(until) = until {
                request.within = Some(Elapsed(until.since(self.world.now())).millis().max(1));
            }
            let world: &mut dyn World = &mut self.world;
            let reply = world.chat(Slot::Insight, request.clone()).await?.map_err(Fault::Unavailable)?;
            let read = answer::answer(&reply.text, reply.finish).map_err(|misread| misread.why);
            match read.and_then(|read| self.typed(&wanted, read)) {
                Ok(found) => return Ok(found),
                Err(why) => {
                    request.messages.push(reply.message());
                    request.messages.push(Message::text(Role::User, prompt::correction(&why)));
                    last = why;
                }
            }
        }
        Err(Fault::End(End::Error {
            kind: handeye_core::ErrorKind::Misread,
            message: format!("{TRIES} replies in a row could not be used; the last: {last}"),
            hint: Some("try another model; the report keeps the replies".to_owned()),
        }))
    }

    /// The value of a reply, when it is what was asked for.
    fn typed(&mut self, wanted: &Type, read: Answer) -> Result<Found, String> {
        let mut repairs = read.repairs;
        let value = wanted.take(read.value, &mut repairs)?;
        for repair in repairs {
            self.warn(format!("the reply was mended: {repair}"));
        }
        let errors = read.errors.join("; ");
        if value.is_null() && !errors.is_empty() {
            let reason = if read.thought.is_empty() { errors } else { format!("{} ({errors})", read.thought) };
            return Ok(Found { value, why: reason, by: By::Model });
        }
        if !errors.is_empty() {
            self.warn(format!("the model says beside its answer: {}", clip(&errors, 300)));
        }
        Ok(Found { value, why: read.thought, by: By::Model })
    }

    fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            self.world.note(Event::Notice { text: text.clone() });
            self.warnings.push(text);
        }
    }

    /// Looks until the statement is true. The last reason why it was not stands in the message.
    async fn wait(&mut self, at_most: Duration, every: Duration) -> (End, Option<Value>, String) {
        // The clock is the time of the last answer, so there must be one before it can be read.
        let world: &mut dyn World = &mut self.world;
        if let Err(stop) = world.pause(Duration::ZERO).await {
            return (stopped(stop), None, String::new());
        }
        let begun = self.world.now();
        let deadline = Elapsed(begun.0 + at_most);
        let plain = Statement::read(&self.question.demand);
        let mut reason = String::new();
        let mut next_model = begun;
        loop {
            let began = self.world.now();
            let calls = self.world.calls;
            // The tree is looked at each time, the model asked when its interval is over.
            let looked = self.statement(plain.as_ref(), began >= next_model, Some(deadline)).await;
            if self.world.calls > calls {
                next_model = Elapsed(began.0 + every);
            }
            match looked {
                Ok(found) if found.value == Value::Bool(true) => {
                    let why = found.reason();
                    return (End::Completed { message: format!("true: {why}") }, Some(true.into()), why);
                }
                Ok(found) => reason = found.reason(),
                Err(Fault::Untold(why)) if plain.is_some() => reason = why,
                Err(Fault::Unavailable(error)) if is_transient(&error) => reason = error.message,
                // Time that ran out with the wait's own is the wait's.
                Err(Fault::End(End::BudgetExhausted { which: handeye_core::outcome::Budget::Time, .. }))
                    if self.world.now() >= deadline => {}
                Err(fault) => {
                    let end = end_of(fault);
                    let detail = end.to_string();
                    return (end, None, detail);
                }
            }
            let now = self.world.now();
            let step = if plain.is_some() { POLL } else { every };
            let left = deadline.since(now);
            // A scripted clock may stand still: the number of looks is bounded as well.
            if left < LEAST || self.looks > MOST_LOOKS {
                let message = format!(
                    "waited {} s in vain for: {}: {}",
                    at_most.as_secs_f64(),
                    self.question.demand.trim(),
                    if reason.is_empty() { "it was never seen" } else { &reason }
                );
                return (End::Failed { message }, Some(false.into()), reason);
            }
            let pause = step.saturating_sub(now.since(began)).min(left);
            if !pause.is_zero() {
                let world: &mut dyn World = &mut self.world;
                if let Err(stop) = world.pause(pause).await {
                    let end = stopped(stop);
                    let detail = end.to_string();
                    return (end, None, detail);
                }
            }
        }
    }
}

/// Looks of one wait at most.
const MOST_LOOKS: u32 = 20_000;

/// The next try may well succeed.
fn is_transient(error: &ChatError) -> bool {
    matches!(
        error.kind,
        ChatErrorKind::Transport | ChatErrorKind::Timeout | ChatErrorKind::Quota | ChatErrorKind::Empty
    )
}
