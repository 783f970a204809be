use super::super::fixture::tree;
use super::super::{Found, Index, Purpose, Wanted, find};

const SHOP: &str = r#"
heading "Danger zone"
button "Launch Danger Modal"
button "Launch Success Modal"
heading "Customers"
searchbox "Find customer"
table "Customers"
  row "h"
    columnheader "Name"
    columnheader "Salary"
  row "r1"
    cell "Blue Harbor"
    cell "$12"
    button "Edit"
    button "Archive"
  row "r2"
    cell "Falcon Air"
    cell "$30"
    button "Edit"
    button "Archive"
heading "Settings"
textbox "Name"
textbox "Company name"
combobox "Theme"
checkbox "Send newsletter"
text "Colour"
radio "Purple"
radio "Green"
listbox "Messages"
  option "Star Ann Sprint notes Monday"
    button "Unstar"
  option "Star Bob Lunch tomorrow? Are you free"
    button "Star"
  option "Star Eve Re: plan"
    button "Star"
dialog "Help"
  button "Close"
button "新建订单"
text "自动发货"
switch "自动发货"
textbox "手机号"
button "导 出"
"#;

#[track_caller]
fn check(phrase: &str, purpose: Purpose, want: &str) {
    let page = tree(SHOP);
    let index = Index::of(&page);
    let wanted = Wanted { loose: true, ..Wanted::named(phrase, purpose) };
    let name = |i: usize| {
        let row = page.ancestors(i).find(|&a| page.nodes[a].role == "row");
        let inside = row.map_or(String::new(), |r| format!(" in {}", page.nodes[r].name));
        format!("{} {}{inside}", page.nodes[i].role, page.nodes[i].name)
    };
    let got = match find(&index, &wanted) {
        Found::One(one) => name(one.index),
        Found::Many(many) => format!("many: {}", many.iter().map(|c| name(c.index)).collect::<Vec<_>>().join(", ")),
        Found::None(_) => "none".to_owned(),
    };
    assert_eq!(got, want, "{phrase}");
}

#[test]
fn the_names_that_the_page_has_are_found_in_a_phrase() {
    use Purpose::{Choose, Click, Toggle, Type};
    for (phrase, purpose, want) in [
        ("the danger modal", Click, "button Launch Danger Modal"),
        ("Archive the customer Falcon Air", Click, "button Archive in r2"),
        ("Archive Falcon Air", Click, "button Archive in r2"),
        ("Edit button of the customer called Blue Harbor", Click, "button Edit in r1"),
        ("the Name box instead of the text that is there", Type, "textbox Name"),
        ("the search field above the table", Type, "searchbox Find customer"),
        ("the salary $30 in the Falcon Air row", Click, "cell $30 in r2"),
        ("Star the message \"Lunch tomorrow?\"", Click, "button Star"),
        ("the colour Purple", Choose, "radio Purple"),
        ("the Salary column header to sort", Click, "columnheader Salary in h"),
        ("the box that says Send newsletter there", Toggle, "checkbox Send newsletter"),
        ("新建一个订单", Click, "button 新建订单"),
        ("页面上的那个导出按钮", Click, "button 导 出"),
        ("自动发货的开关", Toggle, "switch 自动发货"),
        ("手机号那一栏", Type, "textbox 手机号"),
    ] {
        check(phrase, purpose, want);
    }
}

#[test]
fn what_says_more_than_names_is_not_found() {
    use Purpose::{Click, Toggle, Type};
    for (phrase, purpose) in [
        // Words that the page does not have.
        ("the urgent Archive button", Click),
        ("Archive the customer Red Harbor", Click),
        ("the Settings dialog", Click),
        // Another thing than the name of which these words begin with.
        ("Archive comment in the row of Falcon Air", Click),
        ("Edit history of Blue Harbor", Click),
        ("the Name prefix", Type),
        ("the Company name code field", Type),
        ("Edit later in the Falcon Air row", Click),
        ("the vendor Falcon Air Archive", Click),
        ("Archive the salary Falcon Air", Click),
        // More than one thing, or one that has to be picked.
        ("all Archive buttons", Click),
        ("Purple and Green", Click),
        ("the cheapest customer", Click),
        ("不是新建订单的按钮", Click),
        // A name that only says where, and one beside which something stands.
        ("the link in the Settings", Click),
        ("the switch next to Theme", Click),
        ("自动发货右边的", Click),
        ("自动发货里面的", Click),
        ("its Edit button", Click),
        ("它的新建订单", Click),
        ("the Theme list", Toggle),
        ("the second and the third Edit", Click),
        ("the Salary", Type),
    ] {
        check(phrase, purpose, "none");
    }
}

#[test]
fn equals_are_named() {
    check("the Archive button of this page", Purpose::Click, "many: button Archive in r1, button Archive in r2");
}

const ORDERS: &str = r#"
heading "工单中心"
searchbox "" placeholder="搜索工单标题"
tab "退款申请"
table "Orders"
  row "h"
    columnheader "编号"
    columnheader "客户"
    columnheader "电话"
  row "r1"
    cell "GD-301"
    cell "李娜"
    cell "138"
    button "受理"
    button "删除"
    button "同意"
  row "r2"
    cell "GD-302"
    cell "吴磊"
    cell "139"
    button "受理"
    button "删除"
    button "设为默认"
"#;

#[track_caller]
fn check_clause(clause: &str, want: &str) {
    let page = tree(ORDERS);
    let index = Index::of(&page);
    let name = |i: usize| {
        let row = page.ancestors(i).find(|&a| page.nodes[a].role == "row");
        format!("{} in {}", page.nodes[i].name, row.map_or("", |r| page.nodes[r].name.as_str()))
    };
    let got = match super::control(&index, clause) {
        Found::One(one) => name(one.index),
        Found::Many(many) => format!("{} of them", many.len()),
        Found::None(_) => "none".to_owned(),
    };
    assert_eq!(got, want, "{clause}");
}

#[test]
fn a_clause_names_a_control_and_whose_it_is() {
    for (clause, want) in [
        ("受理李娜的工单", "受理 in r1"),
        ("受理编号GD-302的工单", "受理 in r2"),
        ("删除客户吴磊那一行", "删除 in r2"),
        ("同意李娜的退款", "同意 in r1"),
        ("把吴磊设为默认", "设为默认 in r2"),
        ("受理", "2 of them"),
        ("受理工单", "none"),
        // What the row is said to hold is another thing than the row, and what the page does not say is nobody's.
        ("删除吴磊的电话", "none"),
        ("受理吴磊的投诉", "none"),
        ("受理张三的工单", "none"),
        ("受理最新的工单", "none"),
        ("受理李娜和吴磊的工单", "none"),
        ("同意吴磊的退款", "none"),
    ] {
        check_clause(clause, want);
    }
}

#[test]
fn what_is_said_to_be_in_a_part_is_not_taken_from_elsewhere() {
    for phrase in ["the Company name field in the modal", "Send newsletter in the sidebar", "侧边栏里的新建订单"]
    {
        check(phrase, Purpose::Click, "none");
    }
}
