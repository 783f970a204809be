//! A [`World`] made of a table: what the agent must ask next, and what came of it. No runtime, no clock, no I/O.

mod diff;

use async_trait::async_trait;
use diff::diff;
use handeye_core::{Elapsed, Event, Got, Need, World};
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::Duration;

type Check = Box<dyn Fn(&Need) -> Result<(), String> + Send>;
type Always = Box<dyn FnMut(&Need) -> Option<Got> + Send>;

enum Wanted {
    Exactly(Box<Need>),
    Such(String, Check),
}

struct Step {
    wanted: Wanted,
    got: Got,
    takes: Elapsed,
}

/// What the agent asked and told, for assertions after the run.
#[derive(Debug, Default)]
pub struct Transcript {
    /// Every need, also those that a standing answer took.
    pub needs: Vec<Need>,
    /// Every event that the agent noted.
    pub notes: Vec<Event>,
    /// What the clock said at the end.
    pub took: Elapsed,
}

/// Answers each need from a table, in order. A need that the table does not expect fails the test with a comparison.
///
/// The clock moves only as told: a pause takes its time, everything else nothing, unless [`ScriptedWorld::taking`] says so.
#[derive(Default)]
pub struct ScriptedWorld {
    steps: VecDeque<Step>,
    always: Vec<(Always, Elapsed)>,
    answered: usize,
    transcript: Transcript,
}

impl ScriptedWorld {
    pub fn new() -> Self {
        Self::default()
    }

    /// The next need must be this one.
    pub fn expect(&mut self, need: Need, got: Got) -> &mut Self {
        self.push(Wanted::Exactly(Box::new(need)), got)
    }

    /// The next need must be such that `is` holds; `what` describes it for the message of a failure.
    pub fn on(&mut self, what: &str, is: impl Fn(&Need) -> bool + Send + 'static, got: Got) -> &mut Self {
        let check = move |need: &Need| if is(need) { Ok(()) } else { Err("the condition is false".into()) };
        self.push(Wanted::Such(what.into(), Box::new(check)), got)
    }

    /// As [`ScriptedWorld::on`], where the check says itself what is wrong.
    pub fn check(
        &mut self,
        what: &str,
        check: impl Fn(&Need) -> Result<(), String> + Send + 'static,
        got: Got,
    ) -> &mut Self {
        self.push(Wanted::Such(what.into(), Box::new(check)), got)
    }

    /// A standing answer: needs that it answers never reach the table. Earlier ones are asked first.
    pub fn always(&mut self, answer: impl FnMut(&Need) -> Option<Got> + Send + 'static) -> &mut Self {
        self.always.push((Box::new(answer), Elapsed::default()));
        self
    }

    /// The step (or standing answer, when no step stands in the table yet) added last takes this many milliseconds.
    pub fn taking(&mut self, millis: u64) -> &mut Self {
        let takes = self.steps.back_mut().map(|s| &mut s.takes).or(self.always.last_mut().map(|a| &mut a.1));
        *takes.expect("a step before its time") = Elapsed::from(millis);
        self
    }

    /// Steps of the table that have not been asked for yet.
    pub fn left(&self) -> usize {
        self.steps.len()
    }

    /// Runs a piece of deciding in this world and hands back what it returned and what it asked.
    ///
    /// # Panics
    /// When it asks for something that the table does not expect, awaits anything but this world, or ends before the
    /// table does.
    pub fn play<T>(mut self, deciding: impl AsyncFnOnce(&mut dyn World) -> T) -> (T, Transcript) {
        let value = block_on(deciding(&mut self));
        if let Some(step) = self.steps.front() {
            let wanted = step.wanted.describe();
            panic!("it ended after {} with {} more expected; next:\n{wanted}", self.so_far(), self.steps.len());
        }
        (value, self.transcript)
    }

    fn push(&mut self, wanted: Wanted, got: Got) -> &mut Self {
        self.steps.push_back(Step { wanted, got, takes: Elapsed::default() });
        self
    }

    fn so_far(&self) -> String {
        let count = self.transcript.needs.len();
        let mut text = format!("{count} needs");
        for (i, need) in self.transcript.needs.iter().enumerate().skip(count.saturating_sub(8)) {
            let line = one_line(need);
            let _ = write!(text, "\n  {:>3}  {line}", i + 1);
        }
        if count > 0 {
            text.push_str("\n ");
        }
        text
    }

    fn answer(&mut self, need: &Need) -> (Got, Elapsed) {
        for (answer, takes) in &mut self.always {
            if let Some(got) = answer(need) {
                return (got, *takes);
            }
        }
        let Some(step) = self.steps.pop_front() else {
            panic!("after {} it asks for more than the table holds:\n{need:#?}", self.so_far());
        };
        self.answered += 1;
        if let Err(why) = step.wanted.check(need) {
            panic!("step {} of the table, after {} asks for something else: {why}", self.answered, self.so_far());
        }
        (step.got, step.takes)
    }
}

impl Wanted {
    fn check(&self, need: &Need) -> Result<(), String> {
        match self {
            Self::Exactly(wanted) if **wanted == *need => Ok(()),
            Self::Exactly(wanted) => {
                Err(format!("(- expected, + asked)\n{}", diff(&format!("{wanted:#?}"), &format!("{need:#?}"))))
            }
            Self::Such(what, check) => check(need).map_err(|why| format!("{why}\nexpected {what}, asked\n{need:#?}")),
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Exactly(need) => format!("{need:#?}"),
            Self::Such(what, _) => what.clone(),
        }
    }
}

/// A need on one line of at most 160 characters.
fn one_line(need: &Need) -> String {
    let line = format!("{need:?}").replace("\\n", " ");
    match line.char_indices().nth(160) {
        Some((cut, _)) => format!("{} …", &line[..cut]),
        None => line,
    }
}

#[async_trait]
impl World for ScriptedWorld {
    async fn ask(&mut self, need: Need) -> Got {
        let (got, takes) = self.answer(&need);
        let paused = if let Need::Pause(millis) = need { Elapsed::from(millis) } else { Elapsed::default() };
        self.transcript.took.0 += takes.0 + paused.0;
        self.transcript.needs.push(need);
        got
    }

    fn now(&self) -> Elapsed {
        self.transcript.took
    }

    fn note(&mut self, event: Event) {
        self.transcript.notes.push(event);
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future on this thread, without a runtime.
///
/// # Panics
/// When nothing wakes the future for ten seconds: it waits for something that is not there.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        let (waited, ()) = crate::wait::timed(|| std::thread::park_timeout(Duration::from_secs(10)));
        assert!(waited < Duration::from_secs(10), "the future waits for something that nobody will answer");
    }
}
