use super::super::{Ordinal, Purpose, Relation, Wanted};

/// All readings of a phrase but the loose one, which is the phrase itself, one per line part: `=name=` strict, `"name"` quoted, `name` plain.
fn show(wanted: &Wanted) -> String {
    let mut out = match (wanted.strict, wanted.quoted) {
        (true, _) => format!("={}=", wanted.words),
        (_, true) => format!("{:?}", wanted.words),
        _ => wanted.words.clone(),
    };
    if let Some(role) = wanted.role {
        out = format!("{out} {role:?}").trim().to_owned();
    }
    if let Some(ordinal) = wanted.ordinal {
        out = match ordinal {
            Ordinal::Nth(n) => format!("{out}#{n}"),
            Ordinal::FromEnd(n) => format!("{out}#-{n}"),
        };
    }
    if let Some(within) = &wanted.within {
        out = format!("{out} in [{}]", show(within));
    }
    if let Some((relation, anchor)) = &wanted.near {
        let relation = match relation {
            Relation::NextTo => "beside",
            Relation::RightOf => "right of",
            Relation::LeftOf => "left of",
            Relation::Above => "above",
            Relation::Below => "below",
            Relation::For => "for",
        };
        out = format!("{out} {relation} [{}]", show(anchor));
    }
    match &wanted.or {
        Some(or) if !or.loose => format!("{out} | {}", show(or)),
        _ => out,
    }
}

#[track_caller]
fn check(phrase: &str, purpose: Purpose, want: &str) {
    let got = super::read(phrase, purpose).map_or("✗".to_owned(), |w| show(&w));
    assert_eq!(got, want, "{phrase}");
}

#[test]
fn english_phrases() {
    let click = |p, w| check(p, Purpose::Click, w);
    click("the \"Sign in\" button", "\"Sign in\" Button");
    click("Save", "Save");
    click("the Save button", "=Save button= | Save Button");
    click("button ONE", "=button ONE= | ONE Button");
    click("Tab #1", "=Tab #1= | Tab#1");
    click("the button labeled \"x\"", "\"x\" Button");
    click("the second Delete button", "=second Delete button= | second Delete Button | Delete Button#2");
    click("the last checkbox", "=last checkbox= | Checkbox#-1");
    click("the first one", "=first one= | Item#1");
    click("all the checkboxes", "✗");
    click("the buttons", "=buttons=");
    click("the Delete button in the row of \"Alice\"", "Delete Button in [\"Alice\" Row]");
    click(
        "the first item in the cart",
        "=first item in the cart= | first item in the cart | item in the cart#1 | Item#1 in [cart]",
    );
    click("\"Delete\" next to \"Bob\"", "\"Delete\" beside [\"Bob\"]");
    check("First name", Purpose::Type, "=First name= | First name");
    check("the Email field", Purpose::Type, "=Email field= | Email Field");
    check("the search box", Purpose::Type, "=search box= | search Search");
}

#[test]
fn chinese_phrases() {
    let click = |p, w| check(p, Purpose::Click, w);
    click("“登录”按钮", "\"登录\" Button");
    click("登录按钮", "=登录按钮= | 登录 Button");
    click("登录", "登录");
    click("第二个删除按钮", "=第二个删除按钮= | 删除 Button#2");
    click("购物车里的第一件商品", "=购物车里的第一件商品= | 购物车里的第一件 Item | Item#1 in [购物车]");
    click("“张三”那一行的编辑按钮", "编辑 Button in [\"张三\" Row]");
    click("第二行的删除按钮", "=第二行的删除按钮= | 删除 Button in [Row#2]");
    click("“邮箱”旁边的按钮", "Button beside [\"邮箱\"]");
    click("所有复选框", "✗");
    click("全部", "全部");
    check("搜索框", Purpose::Type, "=搜索框= | search Search");
    check("用户名输入框", Purpose::Type, "=用户名输入框= | 用户名 Field");
    check("最后一个", Purpose::Click, "=最后一个= | Item#-1");
}
