use super::fixture::tree;
use super::*;

/// Resolves a phrase and shows what came of it: `role "name"`, `many: …` or `none: …`.
fn show(page: &str, phrase: &str, purpose: Purpose) -> String {
    let tree = tree(page);
    let Some(wanted) = phrase::read(phrase, purpose) else { return "✗".to_owned() };
    let found = resolve(&tree, &wanted);
    let list = |c: &[Candidate]| {
        let lines: Vec<String> = c.iter().map(|c| tree.nodes[c.index].label()).collect();
        lines.join(", ")
    };
    match &found {
        Found::One(one) => {
            let node = &tree.nodes[one.index];
            let place = if node.hint.is_empty() { String::new() } else { format!(" #{}", node.hint) };
            format!("{}{place}", node.label())
        }
        Found::Many(many) => format!("many: {}", list(many)),
        Found::None(_) => "none".to_owned(),
    }
}

#[track_caller]
fn check(page: &str, purpose: Purpose, cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (phrase, want) in cases {
        let got = show(page, phrase, purpose);
        if got != *want {
            wrong.push(format!("{phrase}\n   got  {got}\n   want {want}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const LOGIN: &str = r#"
RootWebArea "Shop"
  banner
    link "Home" hint="/home.html"
    link "Log in" hint="/login"
    link "Cart (2)" hint="/cart"
  main
    heading "Welcome back"
    form "Sign in form"
      text "User name"
      textbox kind="input:text" hint="user"
      textbox "Password" kind="input:password" [password]
      checkbox "Remember me" kind="input:checkbox"
      text "Remember me"
      button "Sign in"
      button "Forgot your password?"
      link "Privacy Policy" hint="/privacy"
    searchbox placeholder="Search products…" kind="input:search"
    button "×" desc="Close banner"
    button "Delete account"
    button "Save changes" [disabled]
"#;

#[test]
fn names_roles_and_synonyms() {
    check(
        LOGIN,
        Purpose::Click,
        &[
            ("Sign in", "button \"Sign in\""),
            ("the Sign in button", "button \"Sign in\""),
            ("\"Log in\"", "link \"Log in\" #/login"),
            ("the login link", "link \"Log in\" #/login"),
            ("Cart", "link \"Cart (2)\" #/cart"),
            ("购物车", "link \"Cart (2)\" #/cart"),
            ("首页", "link \"Home\" #/home.html"),
            ("Privacy", "link \"Privacy Policy\" #/privacy"),
            ("Remember me", "checkbox \"Remember me\""),
            ("Save changes", "button \"Save changes\""),
            ("Save", "button \"Save changes\""),
            ("\"Delete\"", "none"),
            ("Delete", "none"),
            ("x", "button \"×\""),
            ("关闭按钮", "button \"×\""),
            ("Checkout", "none"),
            ("Forgot password", "button \"Forgot your password?\""),
        ],
    );
}

#[test]
fn fields_by_name_label_placeholder_and_id() {
    check(
        LOGIN,
        Purpose::Type,
        &[
            ("Password", "textbox \"Password\""),
            ("the username field", "textbox #user"),
            ("用户名", "textbox #user"),
            ("密码框", "textbox \"Password\""),
            ("the search box", "searchbox \"Search products…\""),
            ("搜索框", "searchbox \"Search products…\""),
            ("the text field", "many: textbox, textbox \"Password\", searchbox \"Search products…\""),
            ("the first text field", "textbox #user"),
            ("Email", "none"),
        ],
    );
}

const TABLE: &str = r#"
RootWebArea "Users"
  heading "Users"
  table "Users"
    row
      columnheader "Name"
      columnheader "Action"
    row
      cell "Alice"
        text "Alice"
      cell
        button "Edit" hint="a1"
        button "Delete" hint="a2"
    row
      cell "Bob"
        text "Bob"
      cell
        button "Edit" hint="b1"
        button "Delete" hint="b2"
    row
      cell "Carol"
        text "Carol"
      cell
        button "Edit" hint="c1"
"#;

#[test]
fn rows_and_ordinals() {
    check(
        TABLE,
        Purpose::Click,
        &[
            ("Edit", "many: button \"Edit\", button \"Edit\", button \"Edit\""),
            ("the Edit button in the row of Bob", "button \"Edit\" #b1"),
            ("the Edit button in Bob's row", "button \"Edit\" #b1"),
            ("the edit button for Alice", "button \"Edit\" #a1"),
            ("Alice's delete button", "button \"Delete\" #a2"),
            ("the Delete button in the row of Carol", "none"),
            ("the second Edit button", "button \"Edit\" #b1"),
            ("the last Edit button", "button \"Edit\" #c1"),
            ("the fourth Edit button", "none"),
            ("the Delete button in the second row", "button \"Delete\" #b2"),
            ("“Bob”那一行的删除按钮", "button \"Delete\" #b2"),
            ("第一行的编辑按钮", "button \"Edit\" #a1"),
            ("第二个删除按钮", "button \"Delete\" #b2"),
            ("倒数第二个编辑按钮", "button \"Edit\" #b1"),
            ("Edit next to Carol", "button \"Edit\" #c1"),
        ],
    );
}

const CART: &str = r#"
RootWebArea "Shop"
  navigation
    list
      listitem
        link "Home" hint="/"
      listitem
        link "Cart" hint="/cart"
  region "Products"
    list
      listitem
        text "Green tea"
        button "Add to cart" hint="p1"
      listitem
        text "Coffee"
        button "Add to cart" hint="p2"
  generic
    heading "Your cart"
    list
      listitem
        text "Cup"
        textbox "Quantity" hint="q1"
        button "Remove" hint="r1"
      listitem
        text "Pot"
        textbox "Quantity" hint="q2"
        button "Remove" hint="r2"
    button "Checkout"
"#;

#[test]
fn places_on_the_page() {
    check(
        CART,
        Purpose::Click,
        &[
            ("the Remove button of the first item in the cart", "button \"Remove\" #r1"),
            ("the second item in the cart", "text \"Pot\""),
            ("购物车里的第一件商品", "text \"Cup\""),
            ("购物车里第二件商品的删除按钮", "button \"Remove\" #r2"),
            ("the Add to cart button for Coffee", "button \"Add to cart\" #p2"),
            ("the Add to cart button in the Coffee card", "button \"Add to cart\" #p2"),
            ("Add to cart in the row of Green tea", "button \"Add to cart\" #p1"),
        ],
    );
    check(
        CART,
        Purpose::Type,
        &[
            ("the quantity of Pot", "textbox \"Quantity\" #q2"),
            ("the quantity field in the first row of the cart", "textbox \"Quantity\" #q1"),
            ("“Cup”的数量", "textbox \"Quantity\" #q1"),
        ],
    );
}

const TODO: &str = r#"
RootWebArea "todos"
  heading "todos"
  textbox "What needs to be done?" placeholder="What needs to be done?" hint="new-todo"
  checkbox "Mark all as complete" hint="toggle-all"
  list
    listitem
      checkbox hint="toggle"
      generic
        text "Buy milk"
      button "×"
    listitem
      checkbox hint="toggle"
      generic
        text "Walk the dog"
      button "×"
  text "2 items left"
  list
    listitem
      link "All" hint="/"
    listitem
      link "Active" hint="/active"
    listitem
      link "Completed" hint="/completed"
"#;

#[test]
fn boxes_by_the_text_of_their_row() {
    check(
        TODO,
        Purpose::Toggle,
        &[("Buy milk", "checkbox #toggle"), ("\"Walk the dog\"", "checkbox #toggle"), ("Buy bread", "none")],
    );
    check(
        TODO,
        Purpose::Click,
        &[
            ("the Active link", "link \"Active\" #/active"),
            ("the close button in the row of Buy milk", "button \"×\""),
            ("全部", "link \"All\" #/"),
            ("已完成", "link \"Completed\" #/completed"),
        ],
    );
    check(TODO, Purpose::Type, &[("the new todo field", "textbox \"What needs to be done?\" #new-todo")]);
}

#[test]
fn covered_elements_yield_to_those_on_top() {
    let page = r#"
RootWebArea
  button "Close" hint="under" [covered by dialog]
  dialog "Hello"
    button "Close" hint="over"
"#;
    check(
        page,
        Purpose::Click,
        &[("Close", "button \"Close\" #over"), ("the Close button in the dialog", "button \"Close\" #over")],
    );
    let tree = tree(page);
    let wanted = phrase::read("Close", Purpose::Click).expect("reads");
    let Found::One(one) = resolve(&tree, &wanted) else { panic!("one") };
    assert!(one.score > 0.95, "{one:?}");
}

#[test]
fn wrappers_texts_and_pictures_of_one_control_are_one() {
    let page = r#"
RootWebArea
  generic [interactive]
    link "Save" hint="/save"
      text "Save"
  link "Tea" hint="/tea"
    img "Tea"
  link "Tea" hint="/tea"
    text "Tea"
"#;
    check(page, Purpose::Click, &[("Save", "link \"Save\" #/save"), ("Tea", "link \"Tea\" #/tea")]);
}

#[test]
fn negations_are_other_names() {
    let page = "RootWebArea\n  button \"退出登录\"\n  button \"取消关注\"\n  button \"Don't save\"\n  checkbox \"Unsubscribe\"";
    check(
        page,
        Purpose::Click,
        &[("登录", "none"), ("关注", "none"), ("save", "none"), ("subscribe", "none"), ("退出", "button \"退出登录\"")],
    );
}

#[test]
fn signs_tell_names_apart() {
    let page = "RootWebArea\n  button \"C\"\n  button \"C++\"\n  button \"(-2,2)\"\n  button \"(2,-2)\"";
    check(
        page,
        Purpose::Click,
        &[("C", "button \"C\""), ("C++", "button \"C++\""), ("\"(2,-2)\"", "button \"(2,-2)\"")],
    );
}

const BOARD: &str = r#"
RootWebArea "Board" @0,0,1000,800
  banner @0,0,1000,50
    link "Log in" @900,10,60,20
  generic @0,60,300,600
    heading "Backlog" @0,60,300,20
    listitem @0,90,300,40
      text "Write plan" @10,95,100,20
      button "Open" @200,95,40,20
    button "+ Add task" @0,200,300,30
  generic @320,60,300,600
    heading "Doing" @320,60,300,20
    listitem @320,90,300,40
      text "Fix pump" @330,95,100,20
      button "Open" @520,95,40,20
    button "+ Add task" @320,200,300,30
  table @0,400,900,200
    row @0,400,900,30
      columnheader "Name" @0,400,300,30
      columnheader "Price" @300,400,300,30
    row @0,440,900,30
      checkbox @5,445,20,20
      cell "Ana" @30,440,200,30
      button "Edit" @600,445,40,20
      button "×" @700,445,20,20
      button "Done" @800,445,60,20
    row @0,480,900,30
      checkbox @5,485,20,20
      cell "Ben" @30,480,200,30
      button "Edit" @600,485,40,20
      button "×" @700,485,20,20
      button "Done" @800,485,60,20
  contentinfo @0,700,1000,50
    link "Log in" @20,710,60,20
    link "Imprint" @100,710,60,20
    button "Submit" @200,710,60,20
"#;

#[test]
fn chinese_places_on_a_page() {
    check(
        BOARD,
        Purpose::Click,
        &[
            ("Ana 那一行的 Edit 按钮", "button \"Edit\""),
            ("Ben 那一行最右边的按钮", "button \"Done\""),
            ("“Doing”那一列底部的“+ Add task”", "button \"+ Add task\""),
            ("Nowhere 那一列底部的“+ Add task”", "none"),
            ("右上角的 Log in", "link \"Log in\""),
            ("左下角的 Log in", "link \"Log in\""),
            ("Log in", "many: link \"Log in\", link \"Log in\""),
            ("页面底部的 Imprint", "link \"Imprint\""),
            ("Price 列的表头", "columnheader \"Price\""),
            ("提交（Submit）", "button \"Submit\""),
            ("提交（Send）按钮", "button \"Submit\""),
            ("Ben 那一行的叉号（×）", "button \"×\""),
            ("Cid 那一行的 Edit 按钮", "none"),
            ("第九条记录那一行最右边的按钮", "none"),
            ("Imprint 链接", "link \"Imprint\""),
            ("Imprint 选项", "link \"Imprint\""),
            ("按钮 Submit", "button \"Submit\""),
        ],
    );
    check(
        BOARD,
        Purpose::Toggle,
        &[("Ana 那一行前面的复选框", "checkbox"), ("Ben 那一行", "checkbox"), ("Cid 那一行前面的复选框", "none")],
    );
}

#[test]
fn a_box_stands_beside_its_own_label() {
    let form = r#"
RootWebArea "Form"
  checkbox "Gift wrap" hint="g"
  checkbox "Newsletter" hint="n"
  button "Save" hint="s"
"#;
    check(
        form,
        Purpose::Toggle,
        &[
            ("the checkbox next to Gift wrap", "checkbox \"Gift wrap\" #g"),
            ("the checkbox next to \"Newsletter\"", "checkbox \"Newsletter\" #n"),
        ],
    );
}
