//! Where a target is: on a side, behind a label, on the card that was spoken of.

use super::{App, check};

const BAR: &str = "button \"A\" @0,0,60,20\nbutton \"B\" @600,0,60,20\nbutton \"C\" @1200,0,60,20\nlink \"D\" @0,600,60,20\nbutton \"E\" @1200,600,60,20";

#[test]
fn a_side_or_a_corner_tells_equals_apart() {
    for (goal, name) in [
        ("click the rightmost button in the top row", ""),
        ("click the leftmost button", "A"),
        ("click the bottom right button", "E"),
        ("click the button in the bottom right corner", "E"),
        ("click the button in the top left corner of the page", "A"),
        ("点击最左边的按钮", "A"),
        ("点最右下角的按钮", "E"),
        ("click the button on the right", ""),
    ] {
        let (sent, end) = match name {
            "" => (Vec::new(), "abstained"),
            name => (vec![format!("Tap button \"{name}\"")], "d"),
        };
        let sent: Vec<&str> = sent.iter().map(String::as_str).collect();
        check(goal, App::new(BAR), &sent, end);
    }
    let pair = "button \"Go\" @10,10,60,20\nbutton \"Go\" @200,10,60,20";
    check("click the Go button on the left", App::new(pair), &["Tap button \"Go\""], "(number 1 of 2)");
    check("click the Go button on the right", App::new(pair), &["Tap button \"Go\""], "(number 2 of 2)");
}

#[test]
fn a_label_names_the_box_behind_it() {
    let page = "generic\n  text \"Job types\" @0,0,80,16\n  generic @0,20,200,60\n    checkbox \"Design\" @0,20,20,20 [checked]\n    checkbox \"Sales\" @0,50,20,20 [unchecked]\n  text \"Remote\" @0,90,60,16\n  generic @0,110,200,20\n    checkbox \"Off\" @0,110,30,20 [unchecked]\n  text \"Teams\" @0,140,60,16\n  generic @0,160,200,30\n    checkbox \"Design\" @0,160,20,20 [unchecked]";
    let app = || {
        App::new(page).acting(|app, _| {
            app.swap("20,20,20 [checked]", "20,20,20 [unchecked]");
            handeye_core::Effect::confirmed("it is not checked")
        })
    };
    check(
        "Under Job types uncheck Design",
        app(),
        &["Tap checkbox \"Design\""],
        "turned off checkbox \"Design\" beside \"Job types\"",
    );
    let turned = || {
        App::new(page).acting(|app, _| {
            app.swap("\"Off\" @0,110,30,20 [unchecked]", "\"On\" @0,110,30,20 [checked]");
            handeye_core::Effect::confirmed("it is checked")
        })
    };
    check("switch on the Remote option", turned(), &["Tap checkbox \"Off\""], "completed");
    check("打开 Remote 开关", turned(), &["Tap checkbox \"Off\""], "已完成");
}

#[test]
fn that_card_is_the_one_that_was_spoken_of() {
    let page = "generic\n  heading \"Ann Lee\"\n  link \"Call\"\ngeneric\n  heading \"Bob Ray\"\n  link \"Call\"";
    check(
        "Scroll down to Bob Ray and click the Call button on that card",
        App::new(page),
        &["Tap link \"Call\""],
        "clicked link \"Call\" in \"Bob Ray\"",
    );
    check("Click the Call button on that card", App::new(page), &[], "does not say what `it` is");
}

#[test]
fn a_drag_goes_into_the_column_not_onto_its_heading() {
    let flat = "heading \"To do\" @0,0,300,20\ntext \"Call\" @10,40,100,20\nheading \"Done\" @400,0,300,20\ntext \"Coffee\" @410,40,100,20\ntext \"Team\" @0,300,100,20";
    let moving = |page| {
        App::new(page).acting(|app, _| {
            app.swap("\"Call\" @10,40", "\"Call\" @410,70");
            handeye_core::Effect::confirmed("2 changes")
        })
    };
    let dropped = "DragAndDrop text \"Call\" → text \"Coffee\"";
    for goal in [
        "drag the card Call from To do to the Done column",
        "drag Call into the Done column",
        "drag Call to Done",
        "move Call to the Done list",
        "drag \"Call\" onto the \"Done\" column",
    ] {
        check(goal, moving(flat), &[dropped], "done: dragged text \"Call\" to text \"Coffee\"");
    }
    // It went elsewhere: what the device saw to change is not what was asked for.
    let astray = App::new(flat).acting(|_, _| handeye_core::Effect::confirmed("2 changes"));
    check("drag Call to the Done column", astray, &[dropped], "is not under heading \"Done\"");
    let boxed = "generic\n  heading \"To do\"\n  list\n    listitem \"Call\"\ngeneric \"\" hint=\"#done\"\n  heading \"Done\"\n  list\n    listitem \"Coffee\"";
    check("drag Call to the Done column", App::new(boxed), &["DragAndDrop listitem \"Call\" → generic"], "dragged");
    // Of an empty column nothing but its heading is seen: the device finds the place under it, and in the end it stands there.
    let empty = "heading \"To do\" @0,0,300,20\ntext \"Call\" @10,40,100,20\nheading \"Done\" @400,0,300,20";
    let dropped = "DragAndDrop text \"Call\" → heading \"Done\"";
    check("drag Call to the Done column", moving(empty), &[dropped], "to heading \"Done\"");
    let astray = App::new(empty).acting(|_, _| handeye_core::Effect::confirmed("2 changes"));
    check("drag Call to the Done column", astray, &[dropped], "is not under heading \"Done\"");
    let beside = "heading \"To do\" @0,0,300,20\ntext \"Call\" @10,40,100,20\ntext \"Done list\" @400,0,500,20";
    let columns = "region \"Doing\"\n  heading \"Doing (2)\"\n  text \"Fix login\"\n  text \"Report\"\nregion \"Done\"\n  heading \"Done (1)\"\n  text \"Call\"\nregion \"Later\"\n  heading \"Later (0)\"\n  text \"Tea\"";
    let dropped = "DragAndDrop text \"Fix login\" → region \"Done\"";
    check("drag the card Fix login to the Done column", App::new(columns), &[dropped], "dragged");
    check("把“Fix login”这张卡片拖到“Done”一列", App::new(columns), &[dropped], "拖");
    // A box that the tree does not list takes what is dropped on its text, or the effect tells that nothing came of it.
    check(
        "drag Call to the Done list",
        App::new(beside),
        &["DragAndDrop text \"Call\" → text \"Done list\""],
        "dragged",
    );
}

/// A list that the page draws: its own box lies over the field, and a row of the table says the same as an option.
const DRAWN: &str = "text \"State\" @0,0,60,20\ngeneric \"State\" @70,0,100,30 [interactive]\n  combobox \"State\" @75,0,90,30 [collapsed] [covered by generic \"State\"]\ntable @0,50,600,100\n  row @0,50,600,30\n    checkbox \"\" @0,50,20,20 [unchecked]\n    cell \"A1\" @50,50,50,20\n    cell \"Closed\" @150,50,50,20";

#[test]
fn the_box_of_a_row_is_no_option_of_a_list() {
    let opened = || {
        App::new(DRAWN).acting(|app, _| {
            if app.page.contains("[collapsed]") {
                app.swap("[collapsed]", "[expanded]");
                app.page.push_str("\noption \"Open\" @75,40,90,20\noption \"Closed\" @75,60,90,20");
            }
            handeye_core::Effect::confirmed("a list came")
        })
    };
    check("State 选择“Closed”", opened(), &["Tap generic \"State\"", "Tap option \"Closed\""], "已完成");
    // A list without that option: the row is left alone.
    let other = || {
        App::new(DRAWN).acting(|app, _| {
            app.page = app.page.replace("[collapsed]", "[expanded]");
            handeye_core::Effect::confirmed("a list came")
        })
    };
    check("State 选择“Closed”", other(), &["Tap generic \"State\""], "Closed");
}
