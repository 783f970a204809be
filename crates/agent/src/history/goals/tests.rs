use super::*;
use serde_json::Value;

fn update(goals: &Value) -> Vec<SubGoal> {
    let goal = |goal: &Value| SubGoal {
        index: u32::try_from(goal[0].as_u64().expect("a number")).expect("a small one"),
        status: if goal[1] == true { SubGoalStatus::Finished } else { SubGoalStatus::Pending },
        text: goal[2].as_str().expect("a text").to_owned(),
    };
    goals.as_array().expect("goals").iter().map(goal).collect()
}

fn plan(texts: &Value) -> Goals {
    let mut goals = Goals::default();
    let texts = texts.as_array().expect("texts").iter().map(|t| t.as_str().expect("a text").to_owned());
    let goal = |(index, text)| SubGoal { index, status: SubGoalStatus::Pending, text };
    goals.update(&(1..).zip(texts).map(goal).collect::<Vec<_>>());
    goals
}

fn shape(goals: &Goals) -> String {
    let log = |index: u32| match goals.0[&index].log.as_slice() {
        [] => String::new(),
        log => format!(" ({})", log.join("; ")),
    };
    let goal = |g: SubGoalRecord| format!("{} {} {}{}", g.index, g.state.word(), g.text, log(g.index));
    goals.record().into_iter().map(goal).collect::<Vec<_>>().join(" | ")
}

#[test]
fn vectors() {
    let vectors: Value = serde_json::from_str(include_str!("../../../tests/data/vectors/history.json")).expect("JSON");
    for row in vectors["goals"].as_array().expect("rows") {
        let mut goals = plan(&row["plan"]);
        for then in row["then"].as_array().expect("what came then") {
            if let Some(log) = then["log"].as_str() {
                goals.log(log);
            } else if let Some(done) = then["done"].as_array() {
                let done = done.iter().filter_map(Value::as_u64).filter_map(|n| u32::try_from(n).ok());
                goals.finish(&done.collect::<Vec<_>>());
            } else if then["all"] == true {
                goals.finish_all();
            } else {
                goals.update(&update(&then["update"]));
            }
        }
        assert_eq!(shape(&goals), row["goals"].as_str().expect("goals"), "{}", row["id"]);
    }
}

#[test]
fn the_planner_is_told_the_list_and_the_steps_of_the_running_goal() {
    let mut goals = plan(&serde_json::json!(["The cart is open", "It is empty"]));
    assert_eq!(goals.told(0), "Your sub-goals:\n1. [running] The cart is open\n2. [pending] It is empty\n");
    goals.log("Tap Cart — done");
    goals.finish(&[1]);
    goals.log("Tap Clear — failed");
    goals.log("Tap Clear — done");
    let told = goals.told(1);
    assert!(
        told.ends_with("\n\nSteps for sub-goal 2 so far, each with what became of it:\n1. Tap Clear — failed\n"),
        "{told}"
    );
    goals.finish_all();
    assert!(
        goals.told(0).ends_with("All of them are finished: complete, or write a new plan if the goal is not met.\n")
    );
}
