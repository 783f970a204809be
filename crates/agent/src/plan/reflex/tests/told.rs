//! What people are told: never that a step was done which was not seen to be, and always which element was meant.

use super::{App, check, run};
use crate::plan::reflex::messages;
use handeye_core::{Dialog, DialogKind, Effect, Verdict};

const PAGE: &str = "button \"Go\"\ntextbox \"Name\" value=\"\"\ncheckbox \"News\" [unchecked]";

/// Each state of an effect, for steps that change something, that write, that are read back, and that need change nothing.
#[test]
fn every_state_of_an_effect_has_its_end() {
    let rows = [
        (
            "click Go",
            [
                "completed: done: clicked",
                "but what came of it was not seen",
                "but nothing seems to have come of it",
                "not done, reverted",
                "not done, refused",
                "not done, covered by dialog",
            ],
        ),
        (
            "type ann into Name",
            [
                "completed: done: typed",
                "but what came of it was not seen",
                "but what came of it was not seen",
                "not done, reverted",
                "not done, refused",
                "not done, covered",
            ],
        ),
        (
            "check News",
            [
                "but checkbox \"News\" is still off",
                "is still off",
                "is still off",
                "not done, reverted",
                "not done, refused",
                "not done, covered",
            ],
        ),
        (
            "hover over Go",
            [
                "completed: done: pointed at",
                "completed: done: pointed at",
                "completed: done: pointed at button \"Go\" (nothing on the page changed)",
                "not done, reverted",
                "not done, refused",
                "not done, covered",
            ],
        ),
        (
            "press Enter",
            [
                "completed: done: pressed",
                "completed: done: pressed",
                "completed: done: pressed Enter (nothing on the page changed)",
                "not done, reverted",
                "not done, refused",
                "not done, covered",
            ],
        ),
    ];
    for (goal, ends) in rows {
        for (n, want) in ends.iter().enumerate() {
            let mut app = App::new(PAGE);
            app.on_act = match n {
                0 => |_, _| Effect::confirmed("it was seen"),
                1 => |_, _| Effect::unverified("it cannot be seen"),
                2 => |_, _| Effect::new(Verdict::NoOpSuspected, "nothing changed"),
                3 => |_, _| Effect::new(Verdict::Reverted, "it went back"),
                4 => |_, _| Effect::new(Verdict::Refused, "it takes no input"),
                _ => |_, _| Effect::new(Verdict::Covered { by: "dialog \"Hi\"".into() }, "in the way"),
            };
            let (outcome, _, _) = run(goal, app);
            let end = outcome.end.to_string();
            assert!(end.contains(want), "{goal}, state {n}\n got  {end}\n want {want}");
            assert_eq!(outcome.end.exit_code() == 0, want.starts_with("completed"), "{goal}: {end}");
        }
    }
}

fn asking(accepted: bool) -> App {
    let app = App::new("button \"Delete\"\nbutton \"Undo\"");
    if accepted { app.acting(|app, _| ask(app, true)) } else { app.acting(|app, _| ask(app, false)) }
}

fn ask(app: &mut App, accepted: bool) -> Effect {
    if app.sent.len() == 1 {
        app.dialogs.push(Dialog { kind: DialogKind::Confirm, message: "Delete it?".into(), accepted });
    }
    Effect::confirmed("dialog \"Delete it?\" opened")
}

#[test]
fn a_step_whose_dialog_was_dismissed_did_not_happen() {
    let (sent, both) = (["Tap button \"Delete\""], ["Tap button \"Delete\"", "Tap button \"Undo\""]);
    let refused = "abstained: `click Delete`: the page asked \"Delete it?\" and its dialog was dismissed, so this step did not \
                   happen; to answer such questions with OK, run it again with --dialogs accept; nothing was done before";
    check("click Delete", asking(false), &sent, refused);
    check("click Delete, then click Undo", asking(false), &sent, refused);
    check("click Delete", asking(true), &sent, "completed: done: clicked button \"Delete\"");
    check("click Delete, then click Undo", asking(true), &both, "completed");
    check(
        "click Delete and dismiss the dialog",
        asking(false),
        &sent,
        "the page's question \"Delete it?\" was dismissed",
    );
    check("click Delete, then click OK in the dialog", asking(true), &sent, "was answered with OK");
    check("click Delete, then click OK in the dialog", asking(false), &sent, "run it again with --dialogs accept");
    check("click Delete, then click Cancel in the dialog", asking(true), &sent, "to dismiss it, leave that out");
    check("点击Delete", asking(false), &sent, "这一步没有完成；若要回答“确定”，请加上 --dialogs accept");
}

const SHOP: &str = "list\n  listitem\n    heading \"Enamel mug\"\n    text \"$9\"\n    button \"Add to cart\"\n  listitem\n    heading \"Canvas tote\"\n    text \"$12\"\n    button \"Add to cart\"";
const TABLE: &str = "table \"People\"\n  row\n    cell \"1\"\n    cell \"Ann\"\n    button \"Delete\"\n  row\n    cell \"2\"\n    cell \"Bob\"\n    button \"Delete\"";

#[test]
fn equal_targets_are_told_apart() {
    check(
        "click the first Add to cart button, then click the second Add to cart button",
        App::new(SHOP),
        &["Tap button \"Add to cart\""; 2],
        "done: clicked button \"Add to cart\" in \"Enamel mug\"; clicked button \"Add to cart\" in \"Canvas tote\"",
    );
    check(
        "click Delete",
        App::new(TABLE),
        &[],
        "2 elements answer to `Delete`; say which one, e.g. \"the second Delete\"; nothing was done before (candidates: button \
         \"Delete\" in the row \"Ann\"; button \"Delete\" in the row \"Bob\")",
    );
    let flat = "button \"Go\" @0,0,50,20\nbutton \"Go\" @0,40,50,20";
    check("click Go", App::new(flat), &[], "button \"Go\" (number 1 of 2); button \"Go\" (number 2 of 2)");
}

#[test]
fn chinese_goals_are_answered_in_chinese() {
    check(
        "点击第一个“Add to cart”按钮",
        App::new(SHOP),
        &["Tap button \"Add to cart\""],
        "已完成：点击了“Enamel mug”里的按钮“Add to cart”",
    );
    check(
        "点击“Delete”",
        App::new(TABLE),
        &[],
        "“点击“Delete””：有2个元素都符合“Delete”，请说明是哪一个，例如“第二个Delete”；此前没有做任何操作 (candidates: “Ann”那一行的按钮“Delete”; “Bob”那一行的按钮“Delete”)",
    );
    check("点击“Save”", App::new(PAGE), &[], "页面上没有“Save”");
    check(
        "在 Name 里输入 ann",
        App::new("textbox \"Name\""),
        &["Input \"ann\" Replace textbox \"Name\""],
        "已完成：在输入框“Name”中输入了“ann”",
    );
    check("如果有弹窗就关闭它", App::new(PAGE), &[], "带有条件；没有模型时只能按原样执行步骤");
    check("验证“Saved”已显示", App::new(PAGE), &[], "未通过");
    // What a page is called does not make a goal Chinese.
    check("click '保存'", App::new("button \"保存\""), &["Tap button \"保存\""], "done: clicked button \"保存\"");
}

#[test]
fn a_step_that_is_the_name_of_a_control_means_it() {
    let page = "button \"Empty the cart\"\nbutton \"Clear completed\"\ntextbox value=\"x\"\nbutton \"提交订单\"";
    check("Empty the cart", App::new(page), &["Tap button \"Empty the cart\""], "completed");
    check("clear completed", App::new(page), &["Tap button \"Clear completed\""], "completed");
    check("提交订单", App::new(page), &["Tap button \"提交订单\""], "已完成：点击了按钮“提交订单”");
}

#[test]
fn an_option_may_hold_a_comma() {
    let page = "combobox \"Shipping\" kind=\"select\" value=\"Standard\" options=\"Standard|Express, next day\"\nbutton \"Pay\"";
    let chosen = "Select \"Express, next day\" combobox \"Shipping\"";
    check("Set Shipping to Express, next day", App::new(page), &[chosen], "completed");
    check(
        "Set Shipping to Express, next day, then click Pay",
        App::new(page),
        &[chosen, "Tap button \"Pay\""],
        "completed",
    );
}

#[test]
fn a_row_is_not_called_by_what_its_buttons_do() {
    check("click Add to card for the mug", App::new(SHOP), &["Hover listitem"], "abstained");
    check(
        "click 'Add to cart' for the Enamel mug",
        App::new(SHOP),
        &["Tap button \"Add to cart\""],
        "in \"Enamel mug\"",
    );
    check("click the Add to card", App::new(SHOP), &[], "abstained");
}

#[test]
fn a_row_of_column_names_is_not_counted() {
    let page = "table \"Cart\"\n  row\n    columnheader \"Name\"\n    cell\n  row\n    cell \"Mug\"\n    button \"x\"";
    check("verify that the Cart table has 1 row", App::new(page), &[], "completed");
}

#[test]
fn a_dialog_that_never_comes_is_waited_for_in_vain() {
    check("wait for the dialog to appear", App::new(PAGE), &[], "failed: waited in vain");
    check("等弹窗出现", App::new(PAGE), &[], "没有等到");
}

#[test]
fn a_check_of_a_table_is_about_its_row() {
    let page = "table \"Orders\"\n  row \"a\" @0,0,600,20\n    checkbox \"\" @0,0,20,20 [checked]\n    cell \"1001\" @30,0,90,20\n    cell \"Ann\" @130,0,90,20\n    cell \"Shipped\" @230,0,90,20\n  row \"b\" @0,20,600,20\n    checkbox \"\" @0,20,20,20 [unchecked]\n    cell \"1002\" @30,20,90,20\n    cell \"Bob\" @130,20,90,20\n    cell \"Open\" @230,20,90,20\ntextbox \"Password\" @0,60,90,20 [password]\ntext \"Repeat\" @100,60,90,20\ntext \"Plan\" @0,90,90,20\ntextbox \"Name\" @0,120,90,20 value=\"abc\"";
    for (goal, want) in [
        ("verify that 1001 is Shipped", "completed"),
        ("verify that 1001 is not Shipped", "failed"),
        ("verify that 1001 is 1002", "failed"),
        ("verify that Ann is Bob", "failed"),
        ("verify that 1002 is Open", "completed"),
        ("verify that 1002 is not Open", "failed"),
        ("verify that 1001 is selected", "completed"),
        ("verify that Bob is not selected", "completed"),
        ("verify that Name contains ab", "completed"),
        ("verify that Name contains cb", "failed"),
        // There is nothing that could tell.
        ("verify that Password is Repeat", "abstained"),
        ("verify that the plan is Pro", "abstained"),
        ("verify that Plan is expanded", "abstained"),
        ("verify that Ann has 0 orders", "abstained"),
    ] {
        check(goal, App::new(page), &[], want);
    }
}

#[test]
fn words_behind_a_name_make_another_name() {
    let page = "list\n  listitem\n    text \"Tea\"\n    button \"Edit\"\n    button \"Delete\"\n  listitem\n    text \"Milk\"\n    button \"Edit\"\n    button \"Delete\"\nbutton \"Send\"\ntextbox \"Name\" value=\"Old\"\ntextbox \"City\"";
    for goal in [
        "delete Milk chocolate",
        "click Delete in the row of Milk chocolate",
        "click Delete in the Tea bag row",
        "click Send invoice",
        "click Send message",
        "click Send tomorrow",
        "type Bob into City code",
        "type Bob into Name prefix",
        "type Jr after the text in Name",
        "create a new drink with the title Alpha",
        "click Edit in the row of Tea, not in the row of Milk",
    ] {
        check(goal, App::new(page), &[], "abstained");
    }
    // A row may show its controls only while the pointer is on it.
    check("点击Tea那一行的Delete评论", App::new(page), &["Hover listitem"], "abstained");
    check("click Delete comment in the row of Tea", App::new(page), &["Hover listitem"], "abstained");
    let switches = "generic\n  text \"Email\" @0,0,50,20\n  switch \"Email\" @360,0,40,20\ngeneric\n  text \"Dark\" @0,22,50,20\n  switch \"Dark\" @360,22,40,20";
    check("click the switch next to Email", App::new(switches), &["Tap switch \"Email\""], "Email");
    let orders = "table\n  row \"h\"\n    columnheader \"Customer\" @0,0,100,20\n    columnheader \"Subject\" @100,0,100,20\n  row \"a\"\n    cell \"Ann\" @0,20,100,20\n    cell \"Login\" @100,20,100,20\n    button \"Archive\" @200,20,50,20\n  row \"b\"\n    cell \"Bob\" @0,40,100,20\n    cell \"Printer\" @100,40,100,20\n    button \"Archive\" @200,40,50,20";
    check("click Archive in the row with customer Login", App::new(orders), &[], "abstained");
    check("click Archive in the row with subject Login", App::new(orders), &["Tap button \"Archive\""], "Ann");
}

#[test]
fn what_asks_before_it_deletes_is_not_done() {
    let page = "list\n  listitem\n    text \"Tea\"\n    button \"Delete\"";
    check(
        "delete Tea",
        App::new(page).acting(|app, _| {
            app.page.push_str("\ndialog \"Delete it?\"\n  button \"OK\"");
            handeye_core::Effect::confirmed("a dialog opened")
        }),
        &["Tap button \"Delete\""],
        "asks before it does that",
    );
    check("delete Tea", App::new(page), &["Tap button \"Delete\""], "completed");
    check("click Delete in the row of Tea and delete it", App::new(page), &[], "abstained");
    check("type Bob twice into Name", App::new("textbox \"Name\""), &[], "abstained");
}

#[test]
fn rows_are_known_by_their_numbers() {
    let page = "table\n  row\n    cell \"1001\"\n    cell \"Ann\"\n    button \"Delete\"\n  row\n    cell \"1003\"\n    cell \"Ann\"\n    button \"Delete\"";
    check("click Delete in the row of 1003", App::new(page), &["Tap button \"Delete\""], "in the row \"1003\"");
}

#[test]
fn loading_goes_on_while_the_page_says_so() {
    let loading = "button \"Go\"\ntext \"数据加载中\"";
    for goal in ["wait until the loading message disappears", "等加载提示消失"] {
        check(goal, App::new(loading), &[], if goal.is_ascii() { "failed: waited in vain" } else { "没有等到" });
        check(goal, App::new("button \"Go\""), &[], "completed");
    }
}

#[test]
fn a_row_goes_by_a_column_and_what_stands_in_it() {
    let page = "table \"Orders\"\n  row\n    columnheader \"订单号\"\n    columnheader \"客户\"\n  row \"a\"\n    cell \"D1\"\n    cell \"A\"\n    button \"发货\"\n  row \"b\"\n    cell \"D2\"\n    cell \"B\"\n    button \"发货\"";
    check("点订单号 D2 那一行的发货按钮", App::new(page), &["Tap button \"发货\""], "D2");
    check("点订单号 D3 那一行的发货按钮", App::new(page), &[], "没有");
}

#[test]
fn controls_are_found_by_what_their_rows_and_boxes_say() {
    let mails = "textbox \"Search mail\"\nlist \"Mails\"\n  listitem\n    checkbox \"Select Budget for March\"\n    button \"Star\" [pressed]\n    generic \"Ann Budget for March\" [interactive]\n  listitem\n    checkbox \"Select Lunch\"\n    button \"Star\" [pressed]\n    generic \"Bob Lunch\" [interactive]";
    check("open the mail Budget for March", App::new(mails), &["Tap generic \"Ann Budget for March\""], "clicked");
    check("tick the second message in the list", App::new(mails), &["Tap checkbox \"Select Lunch\""], "Lunch");
    let boxed =
        "dialog \"Sent\"\n  button \"Close\" @300,0,20,20\n  text \"Well done\"\n  button \"Close\" @10,90,50,20";
    check("close the message", App::new(boxed), &["Tap button \"Close\""], "clicked");
    check("click Close", App::new(boxed), &[], "abstained");
    let cards = "generic\n  text \"Vercel\" @10,10,40,15\n  button \"Connect\" @250,10,70,28\ngeneric\n  text \"Linear\" @400,10,40,15\n  button \"Connect\" @600,10,70,28";
    check("press Connect next to Linear", App::new(cards), &["Tap button \"Connect\""], "Linear");
}

#[test]
fn new_things_and_labels_with_their_values() {
    let page = "button \"New ticket\"\ntextbox \"Subject\"\ntextbox \"Subject line\"\nbutton \"Create\"";
    check(
        "Make a new ticket: subject line Tea, then Create",
        App::new(page),
        &["Tap button \"New ticket\"", "Input \"Tea\" Replace textbox \"Subject line\"", "Tap button \"Create\""],
        "",
    );
    // What only opens a form is no goal, and what no field is called is no label.
    check("create a new ticket", App::new(page), &[], "abstained");
    check("click Create, give it the colour red", App::new(page), &["Tap button \"Create\""], "colour red");
}

#[test]
fn both_languages_name_the_same_parts() {
    for (name, message) in messages::ALL {
        let parts = |text: &str| {
            let mut all: Vec<char> =
                text.match_indices('{').filter_map(|(at, _)| text[at + 1..].chars().next()).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        if *name != "SCROLLED" && *name != "SHOWS_NOT" {
            assert_eq!(parts(message.0), parts(message.1), "{name}");
        }
        assert!(!message.1.is_ascii() || name.starts_with("THE_KIND"), "{name} is Chinese in Chinese");
    }
}

#[test]
fn a_text_that_names_a_field_is_not_typed_into_another() {
    let page = "textbox \"Name\" @10,10,90,20\ntextbox \"Note\" @10,40,90,20 [focused]\ntextbox \"姓名\" @10,70,90,20";
    for goal in ["enter Name", "type Name bob", "输入姓名李四"] {
        check(goal, App::new(page), &[], "abstained: ");
    }
}
