//! The planners whose models decide in a grammar of their own: what they send, and what becomes of their replies.

use crate::bench::{Bench, Ran};
use crate::requests::{pictures, shown};
use handeye_agent::{Effort, plan};
use handeye_core::family::FAMILIES;
use handeye_core::{Action, Family, Need, Role, ScrollKind, Verb};

fn click(x: u32, y: u32) -> String {
    format!("Thought: I see it. Now I click it.\nAction: click(start_box='<|box_start|>({x},{y})<|box_end|>')")
}

fn tap(x: u32, y: u32) -> String {
    format!("<think>看到了。点击它。</think><answer>do(action=\"Tap\", element=[{x},{y}])</answer>")
}

const FINISHED: &str = "Thought: It is done.\nAction: finished(content='The total is $61.00')";
const FINISH: &str = "<think>好了。</think><answer>finish(message=\"总计 $61.00\")</answer>";

fn bench(family: &str, replies: &[&str]) -> Bench {
    let mut bench = Bench::new(replies);
    bench.settings.family = Family::named(family).expect("a family");
    bench.settings.max_rounds = bench.settings.family.max_rounds;
    bench.planners = vec![bench.settings.family.planner];
    bench.verbs = Verb::ALL.to_vec();
    bench
}

fn texts(replies: &[String]) -> Vec<&str> {
    replies.iter().map(String::as_str).collect()
}

fn acted(ran: &Ran) -> Vec<Action<handeye_core::Element>> {
    let acts =
        ran.transcript.needs.iter().filter_map(|n| if let Need::Act(action) = n { Some(action.clone()) } else { None });
    acts.collect()
}

#[test]
fn the_requests_of_the_first_and_the_third_round() {
    for family in ["vlm-ui-tars", "vlm-ui-tars-doubao", "vlm-ui-tars-doubao-1.5", "auto-glm", "auto-glm-multilingual"] {
        let first = Family::named(family).expect("a family").planner == "ui-tars";
        let replies = if first {
            [click(100, 100), click(200, 200), FINISHED.to_owned()]
        } else {
            [tap(100, 100), tap(200, 200), FINISH.to_owned()]
        };
        let ran = bench(family, &texts(&replies)).run();
        let name = family.replace(['.', '-'], "_");
        insta::assert_snapshot!(format!("{name}_round_1"), shown(ran.requests()[0]));
        // The three that share a grammar differ in the prompt alone.
        if matches!(family, "vlm-ui-tars" | "auto-glm" | "auto-glm-multilingual") {
            insta::assert_snapshot!(format!("{name}_round_3"), shown(ran.requests()[2]));
        }
    }
}

#[test]
fn ui_tars_is_shown_the_newest_five_pictures() {
    let replies: Vec<String> = (0..30).map(|i| click(100 + i * 20, 100)).chain([FINISHED.to_owned()]).collect();
    let ran = bench("vlm-ui-tars", &texts(&replies)).run();
    let requests = ran.requests();
    assert_eq!(requests.len(), 31);
    let counts: Vec<usize> = requests.iter().map(|r| pictures(r)).collect();
    assert_eq!(counts[..7], [1, 2, 3, 4, 5, 5, 5]);
    assert_eq!(counts[30], 5);
    // Every observation still has its reply behind it.
    let roles: Vec<Role> = requests[30].messages.iter().map(|m| m.role).collect();
    let talk = roles.iter().position(|role| *role == Role::Assistant).map_or(&roles[..0], |at| &roles[at - 1..]);
    assert!(talk.len() > 20 && talk.windows(2).all(|pair| pair[0] != pair[1]), "{roles:?}");
    assert_eq!(ran.end(), "completed: The total is $61.00");
}

#[test]
fn auto_glm_is_shown_one_picture() {
    let replies: Vec<String> = (0..8).map(|i| tap(100 + i * 20, 100)).chain([FINISH.to_owned()]).collect();
    let ran = bench("auto-glm", &texts(&replies)).run();
    assert!(ran.requests().iter().all(|r| pictures(r) == 1));
    assert_eq!(ran.end(), "completed: 总计 $61.00");
}

#[test]
fn the_middle_of_a_box_is_clicked() {
    let ran =
        bench("vlm-ui-tars-doubao", &["Thought: x\nAction: click(start_box='[100, 200, 300, 400]')", FINISHED]).run();
    let [Action::Tap { locate }] = &acted(&ran)[..] else { panic!("{:?}", acted(&ran)) };
    assert_eq!(locate.point.to_string(), "(200, 300)");
}

#[test]
fn places_come_with_the_plan_whatever_model_locates() {
    let mut bench = bench("auto-glm", &[&tap(500, 250), FINISH]);
    bench.settings.one_model = false;
    let ran = bench.run();
    assert_eq!(ran.requests().len(), 2, "{}", ran.needs());
    let [Action::Tap { locate }] = &acted(&ran)[..] else { panic!("{:?}", acted(&ran)) };
    assert_eq!(locate.point.to_string(), "(500, 250)");
}

#[test]
fn a_swipe_scrolls_by_as_much_of_the_screen() {
    let swipe = "<answer>do(action=\"Swipe\", start=[500,800], end=[500,200])</answer>";
    let ran = bench("auto-glm", &[swipe, FINISH]).run();
    let [Action::Scroll { scroll_type: ScrollKind::SingleAction, distance, locate: Some(at), .. }] = &acted(&ran)[..]
    else {
        panic!("{:?}", acted(&ran))
    };
    assert_eq!((*distance, at.point.x, at.point.y), (Some(600.0), 500.0, 800.0));
}

#[test]
fn what_cannot_be_done_is_told_within_the_round() {
    for (family, bad, good, told) in [
        ("auto-glm", "<answer>do(action=\"Take_over\", message=\"登录\")</answer>", FINISH, "nobody can take over"),
        (
            "auto-glm",
            "<answer>do(action=\"Launch\", app=\"微信\")</answer>",
            FINISH,
            "there are Tap, Double Tap, Long Press, Type, Swipe, Drag, Press, Select, Back, Wait",
        ),
        (
            "vlm-ui-tars",
            "Thought: x\nAction: press_home()",
            FINISHED,
            "there are click, left_double, right_single, drag, hotkey, type, scroll, long_press, press_back, wait, finished",
        ),
        ("vlm-ui-tars", "I would rather not.", FINISHED, "the reply holds no action"),
    ] {
        let ran = bench(family, &[bad, good]).run();
        assert_eq!(ran.needs(), "look chat chat", "{bad}");
        assert!(ran.told(2).contains(told), "{}", ran.told(2));
        assert!(ran.end().starts_with("completed: "), "{}", ran.end());
    }
}

#[test]
fn a_misread_reply_is_told_the_feedback_again() {
    let ran = bench("vlm-ui-tars", &[&click(100, 100), "Thought: only", FINISHED]).run();
    let told = |request: usize| {
        ran.requests()[request - 1].messages.iter().map(handeye_core::Message::joined).collect::<String>()
    };
    assert!(told(2).contains("Tap - Now I click it: done, confirmed"), "{}", told(2));
    assert!(told(3).contains("Tap - Now I click it: done, confirmed"), "{}", told(3));
}

#[test]
fn the_model_may_say_that_it_cannot_be_done() {
    let ran = bench("vlm-ui-tars", &["Thought: There is no such thing.\nAction: call_user()"]).run();
    assert_eq!(ran.end(), "failed: There is no such thing.");
    let ran = bench("auto-glm", &["<answer>finish(message=\"没有\", success=false)</answer>"]).run();
    assert_eq!(ran.end(), "failed: 没有");
}

#[test]
fn several_actions_are_one_batch() {
    let ran = bench(
        "vlm-ui-tars",
        &["Thought: Fill it\nAction: click(start_box='(500,250)')\n\ntype(content='Ada\\n')", FINISHED],
    )
    .run();
    assert_eq!(ran.needs(), "look chat near tap settle input settle keyboardpress settle look chat");
    assert_eq!(ran.outcome.rounds, 2);
}

#[test]
fn another_effort_runs_as_balance_and_is_told() {
    for effort in [Effort::Fast, Effort::Deep] {
        let mut bench = bench("auto-glm", &[&tap(500, 250), FINISH]);
        bench.settings.effort = effort;
        let ran = bench.run();
        let warning = format!("effort {} runs as balance: the planner auto-glm has no other", effort.word());
        assert_eq!(ran.outcome.warnings, [warning]);
        assert_eq!(acted(&ran).len(), 1, "places are read in every effort");
    }
}

#[test]
fn planner_and_family_have_to_fit() {
    for family in FAMILIES {
        for planner in plan::NAMES.iter().filter(|name| ["standard", "ui-tars", "auto-glm"].contains(name)) {
            let fits = family.planner == *planner;
            assert_eq!(plan::unsuited(planner, family).is_none(), fits, "{planner} and {}", family.name);
        }
        assert!(plan::unsuited("reflex", family).is_none());
    }
    let (message, hint) = plan::unsuited("ui-tars", Family::default_family()).expect("it does not fit");
    assert_eq!(message, "the planner `ui-tars` reads a grammar that models of the family `default` do not write");
    assert!(hint.contains("vlm-ui-tars, vlm-ui-tars-doubao") && hint.ends_with("or use --planner standard"), "{hint}");
}
