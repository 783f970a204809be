use handeye_core::{Action, Changes, Elapsed, Event, Got, Need, Quiet, Settled, Stop, Want, World};
use handeye_testkit::frames;
use handeye_testkit::scripted::{ScriptedWorld, Transcript};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

async fn look_and_wait(world: &mut dyn World) -> Result<Elapsed, Stop> {
    let _ = world.observe(Want::frame()).await?;
    world.pause(Duration::from_millis(250)).await?;
    Ok(world.now())
}

fn seen() -> Got {
    Got::Seen(Ok(frames::seen(frames::solid(8, 4, [1, 2, 3]))))
}

fn failure(world: ScriptedWorld) -> String {
    let caught = catch_unwind(AssertUnwindSafe(|| world.play(async |world| look_and_wait(world).await)));
    let thrown = caught.expect_err("a failed test");
    thrown.downcast_ref::<String>().cloned().expect("a message")
}

#[test]
fn a_table_answers_in_order_and_moves_the_clock() {
    let mut world = ScriptedWorld::new();
    world.expect(Need::Observe(Want::frame()), seen()).taking(40).expect(Need::Pause(250), Got::Woke);
    let (ended, Transcript { needs, notes, took }) = world.play(async |world| {
        world.note(Event::Started {
            version: String::new(),
            goal: "look".into(),
            device: String::new(),
            model: String::new(),
            wall_time: String::new(),
            settings: serde_json::Value::Null,
        });
        look_and_wait(world).await
    });
    assert_eq!(ended, Ok(Elapsed::from(290)));
    assert_eq!((needs.len(), notes.len(), took), (2, 1, Elapsed::from(290)));
}

#[test]
fn another_need_fails_with_a_comparison() {
    let mut world = ScriptedWorld::new();
    world.expect(Need::Observe(Want::tree()), seen());
    let message = failure(world);
    assert!(message.contains("step 1 of the table") && message.contains("-         frame: false"), "{message}");
    assert!(message.contains("+         frame: true"), "{message}");
}

#[test]
fn a_failed_condition_says_what_was_expected() {
    let mut world = ScriptedWorld::new();
    world.on("a look", |need| matches!(need, Need::Observe(_)), seen());
    world.check(
        "a pause of a second",
        |need| (*need == Need::Pause(1000)).then_some(()).ok_or("too short".into()),
        Got::Woke,
    );
    let message = failure(world);
    assert!(message.contains("after 1 needs\n    1  Observe("), "{message}");
    assert!(message.contains("too short\nexpected a pause of a second, asked\nPause("), "{message}");
}

#[test]
fn a_table_that_is_too_short_or_too_long_fails() {
    let mut short = ScriptedWorld::new();
    short.expect(Need::Observe(Want::frame()), seen());
    assert!(failure(short).contains("it asks for more than the table holds:\nPause("));
    let mut long = ScriptedWorld::new();
    long.expect(Need::Observe(Want::frame()), seen()).expect(Need::Pause(250), Got::Woke).on(
        "one more",
        |_| true,
        Got::Woke,
    );
    assert!(failure(long).contains("with 1 more expected; next:\none more"));
}

#[test]
fn standing_answers_do_not_use_up_the_table() {
    let mut world = ScriptedWorld::new();
    let mut looks = 0;
    world.always(move |need| {
        let Need::Observe(_) = need else { return None };
        looks += 1;
        Some(if looks == 2 { Got::Cancelled } else { seen() })
    });
    world.expect(Need::Pause(250), Got::Woke);
    let (ended, asked) = world.play(async |world| {
        look_and_wait(world).await.expect("the first look");
        look_and_wait(world).await
    });
    assert_eq!((ended, asked.needs.len()), (Err(Stop::Cancelled), 3));
}

#[test]
fn an_answer_of_the_wrong_kind_is_a_broken_world() {
    let mut world = ScriptedWorld::new();
    let quiet = Got::Quiet(Ok(Settled {
        by: Quiet::Cap,
        took: 3000,
        busy: String::new(),
        changes: Some(Changes::default()),
        effect: None,
    }));
    world.on("a look", |_| true, quiet);
    let (ended, _) = world.play(async |world| world.observe(Want::frame()).await);
    assert!(matches!(ended, Err(Stop::Broken(_))), "{ended:?}");
}

#[test]
fn actions_are_compared_by_value() {
    let mut world = ScriptedWorld::new();
    world.expect(Need::Act(Action::Reload), Got::Cancelled);
    let (ended, _) = world.play(async |world| world.act(Action::Reload).await);
    assert_eq!(ended, Err(Stop::Cancelled));
}
