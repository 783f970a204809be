//! Whole goals against small applications: what is sent, and how the run ends.

mod places;
mod told;

use super::Reflex;
use crate::locate::tree::fixture::tree;
use crate::{Goal, Settings, act};
use handeye_core::{
    Action, ActionSpace, Changes, Dialog, Effect, Element, End, Got, Need, Observation, Outcome, Place, Quiet, Settled,
    Verb, Verdict,
};
use handeye_testkit::scripted::ScriptedWorld;
use std::sync::{Arc, Mutex};

/// An application: its page as text, how often it was looked at, and how it takes an action.
struct App {
    page: String,
    looks: u32,
    sent: Vec<String>,
    /// Questions of the page that were answered since the last look with a frame.
    dialogs: Vec<Dialog>,
    on_look: fn(&mut App),
    on_act: fn(&mut App, &Action<Element>) -> Effect,
}

impl App {
    fn new(page: &str) -> Self {
        Self {
            page: page.to_owned(),
            looks: 0,
            sent: Vec::new(),
            dialogs: Vec::new(),
            on_look: |_| {},
            on_act: |_, _| Effect::confirmed("the page changed"),
        }
    }
    fn acting(self, on_act: fn(&mut App, &Action<Element>) -> Effect) -> Self {
        Self { on_act, ..self }
    }
    fn looking(self, on_look: fn(&mut App)) -> Self {
        Self { on_look, ..self }
    }
    fn swap(&mut self, from: &str, to: &str) {
        assert!(self.page.contains(from), "{from} is on the page");
        self.page = self.page.replacen(from, to, 1);
    }
}

/// One action in a line: `Tap button "Save"`.
fn line(action: &Action<Element>) -> String {
    let labels: Vec<String> = action.targets().iter().filter_map(|(_, e)| e.label.clone()).collect();
    let what = match action {
        Action::Input { value, mode, .. } => format!(" {value:?} {mode:?}"),
        Action::KeyboardPress { key_name, .. } => format!(" {key_name}"),
        Action::Select { option, .. } => format!(" {option:?}"),
        Action::Navigate { url } => format!(" {url}"),
        Action::Sleep { time_ms } => format!(" {time_ms}"),
        _ => String::new(),
    };
    format!("{}{what} {}", action.verb(), labels.join(" → ")).trim().to_owned()
}

/// Runs a goal and gives its end and what was sent.
fn run(goal: &str, app: App) -> (Outcome, Vec<String>, u64) {
    let app = Arc::new(Mutex::new(app));
    let shared = Arc::clone(&app);
    let mut world = ScriptedWorld::new();
    world.always(move |need| {
        let mut app = shared.lock().expect("one thread");
        Some(match need {
            Need::Observe(want) => {
                if want.tree {
                    app.looks += 1;
                    let on_look = app.on_look;
                    on_look(&mut app);
                }
                let place = Place { url: "http://shop.test/cart?x=1".into(), title: "The shop".into() };
                let tree = want.tree.then(|| tree(&app.page));
                let dialogs = if want.frame { std::mem::take(&mut app.dialogs) } else { Vec::new() };
                Got::Seen(Ok(Observation { tree, place, dialogs, ..Observation::default() }))
            }
            Need::Act(action) => {
                let text = line(action);
                app.sent.push(text);
                let on_act = app.on_act;
                Got::Did(Ok(on_act(&mut app, action)))
            }
            Need::Settle(_) => Got::Quiet(Ok(Settled {
                by: Quiet::Idle,
                took: 1,
                busy: String::new(),
                changes: Some(Changes::default()),
                effect: None,
            })),
            _ => return None,
        })
    });
    world.always(|need| matches!(need, Need::Pause(_)).then_some(Got::Woke)).taking(200);
    let space = ActionSpace::of(&Verb::ALL);
    let (outcome, transcript) = world.play(async |world| {
        act(world, &mut [Box::new(Reflex::default())], &space, &Goal::new(goal), &Settings::default()).await
    });
    let sent = app.lock().expect("one thread").sent.clone();
    (outcome, sent, transcript.took.millis())
}

#[track_caller]
fn check(goal: &str, app: App, sent: &[&str], end: &str) {
    let (outcome, got, _) = run(goal, app);
    assert_eq!(got, sent, "{goal}: {}", outcome.end);
    let got = outcome.end.to_string();
    assert!(got.contains(end), "{goal}\n got  {got}\n want {end}");
}

const LOGIN: &str = r#"
heading "Welcome"
textbox "User name" kind="input:text" value=""
textbox "Password" kind="input:password" [password]
checkbox "Remember me" [unchecked]
button "Sign in"
"#;

#[test]
fn fields_of_one_form_are_filled_in_one_round() {
    let goal = "type alice into Username and s3cret into Password, then click 'Sign in'";
    let (outcome, sent, _) = run(goal, App::new(LOGIN));
    assert_eq!(
        sent,
        [
            "Input \"alice\" Replace textbox \"User name\"",
            "Input \"s3cret\" Replace textbox \"Password\"",
            "Tap button \"Sign in\""
        ]
    );
    assert_eq!(outcome.rounds, 2);
    let End::Completed { message } = outcome.end else { panic!("{}", outcome.end) };
    assert_eq!(
        message,
        "done: typed \"alice\" into textbox \"User name\"; typed a secret into textbox \"Password\"; clicked button \"Sign in\""
    );
}

#[test]
fn nothing_is_done_when_any_clause_is_unread() {
    check(
        "click 'Sign in', then book me a flight to Paris",
        App::new(LOGIN),
        &[],
        "abstained: `book me a flight to Paris`",
    );
    check("点击登录，然后帮我写一首诗", App::new(LOGIN), &[], "abstained: “帮我写一首诗”");
    check("delete all items", App::new(LOGIN), &[], "aims at several things");
}

#[test]
fn nothing_is_picked_among_equals() {
    let page =
        "list\n  listitem\n    text \"Tea\"\n    button \"Buy\"\n  listitem\n    text \"Cup\"\n    button \"Buy\"";
    check("click Buy", App::new(page), &[], "2 elements answer to `Buy`");
    check("click Buy in the row of Cup", App::new(page), &["Tap button \"Buy\""], "completed");
    check("click the third Buy button", App::new(page), &[], "no element answers to");
}

#[test]
fn what_comes_late_is_waited_for() {
    let app = App::new("button \"Load\"").looking(|app| {
        if app.looks == 6 {
            app.page.push_str("\nbutton \"Next\"");
        }
    });
    check("click Load and click Next", app, &["Tap button \"Load\"", "Tap button \"Next\""], "completed");
}

#[test]
fn what_never_comes_is_told_with_what_was_done() {
    let (outcome, sent, took) = run("click Load, then click Finish", App::new("button \"Load\"\nbutton \"Stop\""));
    assert_eq!(sent, ["Tap button \"Load\""]);
    assert!((3000..=3200).contains(&took), "{took}");
    let end = outcome.end.to_string();
    assert!(
        end.contains("`click Finish`: no element answers to `Finish`; done before: clicked button \"Load\""),
        "{end}"
    );
}

#[test]
fn an_effect_that_did_not_come_is_never_called_done() {
    let covered = App::new("button \"Pay\"")
        .acting(|_, _| Effect::new(Verdict::Covered { by: "dialog \"Hello\"".into() }, "in the way"));
    check(
        "click Pay",
        covered,
        &["Tap button \"Pay\"", "Tap button \"Pay\""],
        "abstained: `click Pay`: not done, covered by dialog",
    );
    let dead = App::new("button \"More\"").acting(|_, _| Effect::new(Verdict::NoOpSuspected, "nothing changed"));
    check(
        "click More",
        dead,
        &["Tap button \"More\""],
        "abstained: clicked button \"More\", but nothing seems to have come of it",
    );
    let grave = App::new("button \"Pay now\"").acting(|_, _| Effect::new(Verdict::NoOpSuspected, "nothing changed"));
    check("click Pay now", grave, &["Tap button \"Pay now\""], "abstained: clicked button \"Pay now\", but");
    let back = App::new("textbox \"Name\"").acting(|_, _| Effect::new(Verdict::Reverted, "the field holds \"\" again"));
    check(
        "type bob into Name",
        back,
        &["Input \"bob\" Replace textbox \"Name\""],
        "abstained: `type bob into Name`: not done, reverted",
    );
}

#[test]
fn boxes_are_left_alone_when_they_are_right_already_and_read_back_when_not() {
    check("check Remember me", App::new("checkbox \"Remember me\" [checked]"), &[], "was on already");
    let turns = App::new(LOGIN).acting(|app, _| {
        app.swap("[unchecked]", "[checked]");
        Effect::confirmed("it is checked")
    });
    check("check Remember me", turns, &["Tap checkbox \"Remember me\""], "completed: done: turned on checkbox");
    check(
        "check Remember me",
        App::new(LOGIN),
        &["Tap checkbox \"Remember me\""],
        "but checkbox \"Remember me\" is still off",
    );
}

#[test]
fn checks_are_facts_of_the_page() {
    let page = "text \"Total\" @10,10,80,20\ntext \"$12.00\" @120,10,60,20\nbutton \"Order\" @10,40,80,20 [disabled]\ntext \"Saved\" @10,70,80,20\ncheckbox \"News\" @10,100,20,20 [checked]\ntextbox \"Email\" @10,130,90,20 value=\"a@b.c\"";
    for good in [
        "verify that \"Saved\" is visible",
        "check that the total is $12.00",
        "make sure the Order button is disabled",
        "verify that News is checked",
        "verify the Email field contains a@b.c",
        "verify that \"Error\" is not visible",
        "verify that the title is \"The shop\"",
        "ensure the URL contains \"/cart\"",
        "verify that the page shows \"Saved\"",
        "验证“Saved”已显示",
        "验证“Order”按钮不可用",
    ] {
        check(good, App::new(page), &[], "completed");
    }
    check(
        "check that the total is $13",
        App::new(page),
        &[],
        "failed: the check `check that the total is $13` failed: text \"Total\" should say \"$13\"",
    );
    check("verify that \"Error\" is visible", App::new(page), &[], "failed: ");
    check("verify that the Order button is enabled", App::new(page), &[], "failed: ");
    check("verify that Missing is checked", App::new(page), &[], "abstained: ");
}

#[test]
fn a_value_is_that_of_its_own_label() {
    let page = "text \"Total: $112.00\" @10,10,80,20\ntext \"Items: 14\" @10,34,80,20\ntext \"Status: Paid\" @10,60,80,20\n\
                table\n  row @10,90,200,20\n    cell \"Ann Lee\" @10,90,80,20\n    button \"Delete\" @100,90,60,20\n  row @10,112,200,20\n    \
                cell \"Bob Stone\" @10,112,80,20\n    button \"Delete\" @100,112,60,20";
    for (says, outcome) in [
        ("check that the total is $112.00", "completed"),
        ("check that the total is 14", "failed: "),
        ("check that the total is Items: 14", "failed: "),
        ("check that the status is Paid", "completed"),
        ("check that the first row is Bob Stone", "failed: "),
        ("check that there are no Delete buttons", "failed: "),
        ("check that there are no buttons", "failed: "),
        ("make sure the buttons are gone", "failed: "),
        ("check that there are no links", "completed"),
        ("check that no error is shown", "abstained: "),
        ("check that there are 4 Delete buttons", "abstained: "),
    ] {
        check(says, App::new(page), &[], outcome);
    }
}

#[test]
fn a_step_without_visible_effect_is_decided_by_what_looks_for_it_next() {
    let late = || {
        App::new("button \"Load\"").acting(|_, _| Effect::new(Verdict::NoOpSuspected, "nothing changed")).looking(
            |app| {
                if app.looks == 9 {
                    app.page = "button \"Load\"\ntext \"Loaded\"".into();
                }
            },
        )
    };
    check("click Load, then wait for 'Loaded'", late(), &["Tap button \"Load\""], "completed");
    check("click Load, then check that 'Loaded' is shown", late(), &["Tap button \"Load\""], "completed");
    check("click Load, then wait for 'Never'", late(), &["Tap button \"Load\""], "failed: ");
    check("click Load, then click Load", late(), &["Tap button \"Load\""], "abstained: ");
}

#[test]
fn what_stands_alone_is_the_only_row_of_its_list() {
    let only = "确认列表里只有“Bread”这一条";
    let (bread, both) = ("listitem\n    text \"Bread\"", "listitem\n    text \"Bread\"\n  listitem\n    text \"Milk\"");
    for (page, outcome) in [
        (format!("list\n  {bread}"), "completed"),
        (format!("list\n  {both}"), "failed: "),
        ("list\n  listitem\n    text \"Milk\"".to_owned(), "failed: "),
        (format!("list\n  {bread}\nlist\n  {bread}"), "completed"),
        (format!("list\n  {both}\nlist\n  {both}"), "failed: "),
        (format!("list\n  {bread}\nlist\n  {both}"), "abstained: "),
        ("text \"Bread\"".to_owned(), "abstained: "),
    ] {
        check(only, App::new(&page), &[], outcome);
    }
}

#[test]
fn waiting_for_a_thing_ends_when_it_is_there_or_after_fifteen_seconds() {
    let app = App::new("text \"Loading\"").looking(|app| {
        if app.looks == 30 {
            app.page = "text \"Ready\"".into();
        }
    });
    check("wait for \"Ready\" to appear", app, &[], "completed: done: waited until text \"Ready\" is shown");
    let (outcome, _, took) = run("wait for \"Ready\" to appear", App::new("text \"Loading\""));
    assert!((15_000..=15_200).contains(&took), "{took}");
    assert!(outcome.end.to_string().starts_with("failed: waited in vain"), "{}", outcome.end);
}

#[test]
fn a_name_that_reads_like_two_steps_is_one_when_the_page_has_it() {
    let page = "button \"Save\"\nbutton \"Save and close\"\ndialog \"Hello\"\n  button \"Close\"";
    check("click Save and close", App::new(page), &["Tap button \"Save and close\""], "completed");
    let two = "button \"Save\"\ndialog \"Hello\"\n  button \"Close\"";
    check(
        "click Save and close the dialog",
        App::new(two),
        &["Tap button \"Save\"", "Tap button \"Close\""],
        "completed",
    );
    let list = "checkbox \"Antigua and Barbuda\" [checked]\ncheckbox \"Cuba\" [checked]";
    check("check Antigua and Barbuda", App::new(list), &[], "was on already");
    check("check Cuba and Peru", App::new(list), &[], "no element answers to");
}

#[test]
fn lists_are_chosen_from_whether_native_or_drawn() {
    let native = "combobox \"Country\" kind=\"select\" value=\"France\" options=\"France|Germany\"";
    check(
        "select Germany from the Country list",
        App::new(native),
        &["Select \"Germany\" combobox \"Country\""],
        "completed",
    );
    check("select Germany", App::new(native), &["Select \"Germany\" combobox \"Country\""], "completed");
    check("select France from Country", App::new(native), &[], "was chosen in combobox \"Country\" already");
    check("select Spain from Country", App::new(native), &[], "has no option `Spain`");
    check("把 Country 选为 Germany", App::new(native), &["Select \"Germany\" combobox \"Country\""], "completed");
    let drawn = App::new("combobox \"Size\" kind=\"div\" [collapsed]").acting(|app, _| {
        if app.page.contains("collapsed") {
            app.page =
                "combobox \"Size\" kind=\"div\" [expanded]\nlistbox\n  option \"Large\"\n  option \"Small\"".into();
        }
        Effect::confirmed("it opened")
    });
    check("choose Large from Size", drawn, &["Tap combobox \"Size\"", "Tap option \"Large\""], "completed");
}

#[test]
fn rows_show_their_controls_to_the_pointer() {
    let page = "list\n  listitem\n    checkbox [unchecked]\n    text \"Buy milk\"\n  listitem\n    checkbox [unchecked]\n    text \"Walk\"";
    let app = App::new(page).acting(|app, action| {
        if matches!(action, Action::Hover { .. }) {
            app.swap("text \"Buy milk\"", "text \"Buy milk\"\n    button \"×\"");
            return Effect::unverified("the pointer moved");
        }
        Effect::confirmed("it is gone")
    });
    check("delete \"Buy milk\"", app, &["Hover listitem", "Tap button \"×\""], "completed: done: clicked button \"×\"");
    check("delete \"Buy bread\"", App::new(page), &[], "abstained");
}

#[test]
fn text_without_a_place_goes_to_the_focus_or_the_only_field() {
    check("type hello", App::new("textbox \"A\"\ntextbox \"B\" [focused]"), &["Input \"hello\" TypeOnly"], "completed");
    check(
        "type hello and press Enter",
        App::new("textbox \"A\""),
        &["Input \"hello\" Replace textbox \"A\"", "KeyboardPress Enter"],
        "completed",
    );
    check("type hello", App::new("textbox \"A\"\ntextbox \"B\""), &[], "none has the focus");
}

#[test]
fn repetitions_go_on_after_the_page_was_left() {
    check("click Plus three times", App::new("button \"Plus\""), &["Tap button \"Plus\""; 3], "completed");
}

#[test]
fn a_key_that_is_also_a_button_is_not_guessed() {
    check("press Delete", App::new("button \"Delete\""), &[], "also the name of button \"Delete\"");
    check("press the Delete key", App::new("button \"Delete\""), &["KeyboardPress Delete"], "completed");
    check("press Home", App::new("button \"Other\""), &["KeyboardPress Home"], "completed");
}

#[test]
fn an_address_without_a_host_is_one_of_this_site() {
    check("go to /login", App::new("text \"x\""), &["Navigate http://shop.test/login"], "completed");
}
