//! The recorded world answers as it was, or says where today's run parts from the record.

use crate::sample;
use async_trait::async_trait;
use handeye_core::{
    Action, Chat, ChatError, ChatRequest, Ctx, Event, Got, Message, Need, Part, Reply, Role, Slot, World as _,
};
use handeye_journal::{RecordedWorld, Run};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Sends what the record says, and something of its own at the end.
/// The model of every slot.
fn asked(name: &'static str) -> HashMap<Slot, Arc<dyn Chat>> {
    Slot::ALL.map(|slot| (slot, Arc::new(Fake(name)) as Arc<dyn Chat>)).into()
}

struct Fake(&'static str);

#[async_trait]
impl Chat for Fake {
    fn name(&self) -> String {
        "fake".into()
    }
    async fn complete(&self, _: &ChatRequest, _: &Ctx) -> Result<Reply, ChatError> {
        unreachable!("nothing is sent in the recorded world")
    }
    fn wire_body(&self, request: &ChatRequest) -> String {
        sample::body(request).replace("tea-vl-7b", self.0)
    }
}

fn needs(run: &Run) -> Vec<Need> {
    let asked = run.events.iter().filter_map(|e| match &e.event {
        Event::Asked { need, .. } => Some(need.clone()),
        _ => None,
    });
    asked.collect()
}

fn recorded(out: &Path) -> Run {
    Run::read(&sample::whole(out)).expect("reads")
}

#[tokio::test]
async fn the_same_needs_get_the_same_answers() {
    let out = tempfile::tempdir().expect("a folder");
    let run = recorded(out.path());
    let mut world = RecordedWorld::new(&run, asked("tea-vl-7b"));
    assert_eq!(world.now().millis(), 0);
    let answers = run.events.iter().filter_map(|e| match &e.event {
        Event::Answered { got, .. } => Some((e.t, got)),
        _ => None,
    });
    for (need, (at, want)) in needs(&run).into_iter().zip(answers) {
        let got = world.ask(need).await;
        assert_eq!((&got, world.now()), (want, at));
        if let Got::Seen(Ok(seen)) = got {
            let image = seen.frame.expect("a frame").image;
            assert_eq!(handeye_core::Hash::of(&image.bytes), image.hash, "its bytes are there");
        }
    }
    assert!(world.is_used_up() && world.mismatch().is_none());
    assert_eq!(world.ask(Need::Pause(5)).await, Got::Cancelled);
    assert_eq!(
        world.mismatch().expect("a mismatch").to_string(),
        r#"the record ends here, and the run asks for more: {"need":"pause","of":5}"#
    );
}

#[track_caller]
fn same(need: &mut Need) -> &mut ChatRequest {
    match need {
        Need::Chat(_, request) => request,
        other => panic!("not a chat: {other:?}"),
    }
}

/// Asks what was recorded, but the `index`th need changed, and returns what the world says about it.
async fn replay(model: &'static str, index: usize, change: impl FnOnce(&mut Need)) -> String {
    let out = tempfile::tempdir().expect("a folder");
    let run = recorded(out.path());
    let mut world = RecordedWorld::new(&run, asked(model));
    let mut needs = needs(&run);
    change(&mut needs[index]);
    let count = needs.len();
    let mut cancelled = 0;
    for need in needs {
        cancelled += usize::from(world.ask(need).await == Got::Cancelled);
    }
    match world.mismatch() {
        None => format!("none, {cancelled} cancelled"),
        Some(mismatch) => {
            assert_eq!(cancelled, count - index.min(count), "nothing is answered after a mismatch");
            mismatch.to_string()
        }
    }
}

#[tokio::test]
async fn the_first_difference_is_named() {
    assert_eq!(replay("tea-vl-7b", 0, |_| {}).await, "none, 0 cancelled");
    assert_eq!(
        replay("tea-vl-7b", 1, |need| {
            same(need).messages[1].parts[0] = Part::Text("Goal: type Ada and go".into());
        })
        .await,
        r#"need 2 differs from the record at `of[1].messages[1].parts[0].text`: recorded "Goal: type Ada and save", now "Goal: type Ada and go""#
    );
    assert_eq!(
        replay("tea-vl-7b", 1, |need| same(need).temperature = None).await,
        "need 2 differs from the record at `of[1].temperature`: recorded 0.0, now nothing"
    );
    assert_eq!(
        replay("tea-vl-7b", 1, |need| same(need).messages.push(Message::text(Role::User, "more"))).await,
        r#"need 2 differs from the record at `of[1].messages[2]`: recorded nothing, now {"role":"user","parts":[{"text":"more"}]}"#
    );
    assert_eq!(
        replay("tea-vl-7b", 3, |need| *need = Need::Settle(3000)).await,
        r#"need 4 differs from the record at `need`: recorded "act", now "settle""#
    );
    assert_eq!(
        replay("tea-vl-7b", 3, |need| {
            if let Need::Act(Action::Tap { locate }) = need {
                locate.point.x += 0.1 + 0.2 - 0.3 + 1.0;
            }
        })
        .await,
        "need 4 differs from the record at `of.locate.point[0]`: recorded 30.0, now 31.0"
    );
    assert_eq!(
        replay("other-vl", 1, |_| {}).await,
        r#"the request body of need 2 differs from the record at `model`: recorded "tea-vl-7b", now "other-vl""#
    );
}

#[tokio::test]
async fn a_killed_run_is_replayed_to_its_last_answer() {
    let out = tempfile::tempdir().expect("a folder");
    let script = sample::script();
    for until in 0..script.events.len() {
        let dir = sample::record(&script, out.path(), &format!("run-{until}"), until, &[]);
        let run = Run::read(&dir).expect("reads");
        let mut world = RecordedWorld::new(&run, HashMap::new());
        let (_, answers) = world.progress();
        for need in needs(&run).into_iter().take(answers) {
            assert_ne!(world.ask(need).await, Got::Cancelled, "{until}");
        }
        assert!(world.is_used_up() && world.mismatch().is_none(), "{until}");
    }
}

#[tokio::test]
async fn a_frame_that_is_gone_stops_the_replay() {
    let out = tempfile::tempdir().expect("a folder");
    let run = recorded(out.path());
    let hash = sample::picture(false, true).hash;
    std::fs::remove_file(run.dir.join(format!("blobs/{}/{hash}.png", &hash.as_str()[..2]))).expect("removed");
    let mut world = RecordedWorld::new(&run, HashMap::new());
    assert_eq!(world.ask(needs(&run).remove(0)).await, Got::Cancelled);
    let said = world.mismatch().expect("a mismatch").to_string();
    assert_eq!(said, format!("need 1 cannot be answered from the record: the blob {hash} is not in the record"));
}
