//! The UI tree: roles, names, states, frames, shadow roots, what covers what.

use crate::rig::{Rig, page};
use handeye_core::{Action, InputMode, Rect, UiTree, Want};

async fn tree(rig: &mut Rig, body: &str, script: &str) -> UiTree {
    rig.show(&format!("<!doctype html><meta charset=utf-8><title>T</title><body>{body}<script>{script}</script>"))
        .await;
    rig.look().await.tree.expect("a tree")
}

/// Each line: one element as `role "name" = value [states]`, indented by its depth.
fn outline(tree: &UiTree) -> String {
    let mut lines = String::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        let depth = tree.ancestors(index).count();
        let value = node.value.as_ref().map(|v| format!(" = {v}")).unwrap_or_default();
        let states = serde_json::to_value(&node.states).expect("plain data").to_string().replace('"', "");
        let states = if states == "{}" { String::new() } else { format!(" {states}") };
        lines.push_str(&format!("{}{}{value}{states}\n", "  ".repeat(depth), node.label()));
    }
    lines
}

#[tokio::test(flavor = "multi_thread")]
async fn names_follow_the_rules() {
    let mut rig = Rig::open(&page("", "")).await;
    for (html, want) in [
        ("<button>Save</button>", "button \"Save\""),
        ("<button aria-label='Close it'>x</button>", "button \"Close it\""),
        (
            "<span id=a>Delete</span> <span id=b>file</span><button aria-labelledby='a b'>x</button>",
            "button \"Delete file\"",
        ),
        ("<button id=s aria-label=Remove aria-labelledby='s n'>x</button><i id=n>Tea</i>", "button \"Remove Tea\""),
        ("<span id=h hidden>Hidden name</span><button aria-labelledby=h>x</button>", "button \"Hidden name\""),
        ("<label for=i>First name</label><input id=i>", "textbox \"First name\""),
        ("<label>Last <b>name</b> <input></label>", "textbox \"Last name\""),
        ("<label>A<input type=email></label>", "textbox \"A\""),
        ("<input placeholder=Search>", "textbox \"Search\""),
        ("<input title=Tip placeholder=Search>", "textbox \"Tip\""),
        ("<input aria-label=X title=Tip placeholder=Search>", "textbox \"X\""),
        ("<input type=search aria-label=Q>", "searchbox \"Q\""),
        ("<input type=submit>", "button \"Submit\""),
        ("<input type=button value='Press me'>", "button \"Press me\""),
        ("<input type=image alt=Go src=x>", "button \"Go\""),
        ("<a href=x><img alt=Home src=x></a>", "link \"Home\""),
        ("<a href=x title=Basket><svg width=9 height=9></svg></a>", "link \"Basket\""),
        ("<a href=x><svg width=20 height=20><title>Cart</title><rect width=20 height=20 /></svg></a>", "link \"Cart\""),
        ("<button><span aria-hidden=true>×</span> Close</button>", "button \"Close\""),
        ("<button><span style='display:none'>no</span>Yes</button>", "button \"Yes\""),
        ("<button><div>Two</div><div>lines</div></button>", "button \"Two lines\""),
        ("<button>\u{e800} Menu</button>", "button \"Menu\""),
        ("<style>.i::before{content:'★'}</style><button class=i>Star</button>", "button \"★Star\""),
        ("<h2>Head <em>line</em></h2>", "heading \"Head line\""),
        ("<fieldset><legend>Pay</legend><input type=radio aria-label=Card></fieldset>", "group \"Pay\""),
        ("<table><caption>Prices</caption><tr><td>1</table>", "table \"Prices\""),
        ("<select aria-label=Size><option>S</select>", "combobox \"Size\""),
        ("<select multiple aria-label=Tags><option>S</select>", "listbox \"Tags\""),
        ("<div role=button tabindex=0>Custom</div>", "button \"Custom\""),
        ("<div role=tab>One</div>", "tab \"One\""),
        ("<div onclick='1'>Plain box</div>", "generic \"Plain box\""),
        ("<div style='cursor:pointer'>Pointer box</div>", "generic \"Pointer box\""),
        ("<div contenteditable aria-label=Note>x</div>", "textbox \"Note\""),
        ("<input list=l aria-label=City><datalist id=l><option>A</datalist>", "combobox \"City\""),
        ("<label><input type=checkbox> Wifi</label>", "checkbox \"Wifi\""),
        ("<label>Count <input type=number value=2> of 5</label>", "spinbutton \"Count of 5\""),
        ("<input type=range aria-label=Volume>", "slider \"Volume\""),
        ("<details><summary>More</summary>x</details>", "group \"More\""),
        ("<img alt='A cat' src=x width=20 height=20>", "img \"A cat\""),
        ("<iframe title=Map></iframe>", "iframe \"Map\""),
        ("<section aria-label=News>x</section>", "region \"News\""),
        ("<p>Plain <b>text</b> here</p>", "text \"Plain text here\""),
    ] {
        let tree = tree(&mut rig, html, "").await;
        let labels: Vec<_> = tree.nodes.iter().map(handeye_core::UiNode::label).collect();
        assert!(labels.iter().any(|l| l == want), "{html}: {want} is not among {labels:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_outlined_as_people_see_it() {
    let mut rig = Rig::open(&page("", "")).await;
    let body = "<nav><a href=/home>Home</a></nav><h1>Shop</h1>\
        <table><tr><th>Name<th>Price<tr><td>Tea<td>3 €<td><button>Buy</button></table>\
        <ul><li>One<li><a href=x>Two</a></ul>\
        <form><label>User<input id=u value=al required></label><label>Pass<input type=password value=secret></label>\
        <label><input type=checkbox checked>Stay</label><select aria-label=Size><option>S<option selected>L</select>\
        <button disabled>Go</button><button aria-pressed=true aria-expanded=false>Tog</button></form>\
        <p hidden>gone</p><div style='display:none'><button>gone</button></div><div aria-hidden=true>gone</div><div style='visibility:hidden'>gone</div>\
        <div class=card><h3>Phone</h3><button>Add</button></div><div class=card><h3>Case</h3><button>Add</button></div>";
    let tree = tree(&mut rig, body, "u.focus()").await;
    insta::assert_snapshot!(outline(&tree), @r#"
    navigation
      link "Home"
    heading "Shop"
    table
      row "Name Price"
        columnheader "Name"
        columnheader "Price"
      row "Tea 3 € Buy"
        cell "Tea"
        cell "3 €"
        cell "Buy"
          button "Buy"
    list
      listitem
        text "One"
      listitem
        link "Two"
    textbox "User" = al {focused:true,required:true}
    textbox "Pass" {password:true}
    checkbox "Stay" {checked:on}
    combobox "Size" = L
    button "Go" {disabled:true}
    button "Tog" {pressed:on,expanded:false}
    generic
      heading "Phone"
      button "Add"
    generic
      heading "Case"
      button "Add"
    "#);
    let text = serde_json::to_string(&tree).expect("plain data");
    assert!(!text.contains("secret") && !text.contains("gone"));
    let select = tree.nodes.iter().find(|n| n.name == "Size").expect("the list");
    assert_eq!(select.options, ["S", "L"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn points_reach_their_elements_and_covers_are_named() {
    let mut rig = Rig::open(&page("", "")).await;
    let body = "<style>body{margin:0}button{position:absolute;width:100px;height:40px}</style><button style='left:0;top:0'>Free</button><button style='left:200px;top:0'>Half</button><button style='left:400px;top:0'>Under</button>\
        <div id=veil style='position:absolute;left:240px;top:0;width:300px;height:40px;background:#ddd'></div><button style='left:0;top:2000px'>Far</button>\
        <div style='position:absolute;left:0;top:100px;width:200px;height:60px;overflow:auto'><div style='height:500px'></div><span tabindex=0>Inside</span></div>";
    let tree = tree(&mut rig, body, "").await;
    let find = |name: &str| tree.nodes.iter().find(|n| n.name == name).expect("it is listed");
    assert_eq!(find("Free").point.map(|p| (p.x, p.y)), Some((50.0, 20.0)));
    let half = find("Half").point.expect("its left part is free");
    assert!(half.x < 240.0, "{half:?}");
    assert_eq!((find("Under").point, find("Under").covered_by.as_deref()), (None, Some("div #veil")));
    assert_eq!((find("Far").point, find("Far").covered_by.clone(), find("Far").rect.top), (None, None, 2000.0));
    assert_eq!((find("Inside").point, find("Inside").covered_by.clone()), (None, None));
    // Out of view is no hindrance: it is scrolled to.
    rig.show(&format!("{body}<script>window.log=[];for(const b of document.querySelectorAll('button,span'))b.onclick=()=>log.push(b.textContent)</script>")).await;
    for label in ["button \"Far\"", "generic \"Inside\""] {
        let element = rig.find(label).await;
        rig.act(&Action::Tap { locate: element }).await;
    }
    rig.holds("log.join()==='Far,Inside'");
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_and_shadow_roots_are_part_of_the_page() {
    let mut rig = Rig::open(&page("", "")).await;
    let inner = "<!doctype html><body style='margin:0'><input placeholder='Card number' style='position:absolute;left:30px;top:30px;width:300px;height:40px'>\
        <button style='position:absolute;left:30px;top:100px;width:160px;height:44px' onclick=\"top.postMessage('added:'+document.querySelector('input').value,'*')\">Add</button>";
    rig.server.put("/inner.html", inner);
    rig.server.put("/middle.html", "<!doctype html><body style='margin:0'><h2>Middle</h2><iframe style='position:absolute;left:20px;top:60px;width:400px;height:160px;border:2px solid' src='inner.html'></iframe>");
    let other = rig.server.origin_b();
    let elsewhere = other.replace("127.0.0.1", "localhost");
    for (kind, src) in [
        ("same origin", "/inner.html".to_owned()),
        ("another port", format!("{other}/inner.html")),
        ("another site", format!("{elsewhere}/inner.html")),
        ("nested", format!("{elsewhere}/middle.html")),
    ] {
        rig.show(&page(&format!("<iframe id=f class=a style='left:300px;top:150px;width:600px;height:320px;border:1px solid' src='{src}'></iframe>"), "addEventListener('message',e=>hit(e.data))")).await;
        let field = rig.find("textbox \"Card number\"").await;
        let left = if kind == "nested" { 353.0 } else { 331.0 };
        assert!((field.rect.left - left).abs() < 1.0, "{kind}: {:?}", field.rect);
        let typed =
            Action::Input { value: "4242 4242".to_owned(), mode: InputMode::Replace, locate: Some(field.clone()) };
        let effect = rig.act(&typed).await;
        assert_eq!(effect.to_string(), "confirmed: the field holds \"4242 4242\"", "{kind}");
        // By a bare point too.
        let mut point = field;
        point.node = None;
        let typed = Action::Input { value: "4242 4343".to_owned(), mode: InputMode::Replace, locate: Some(point) };
        let effect = rig.act(&typed).await;
        assert_eq!(effect.to_string(), "confirmed: the field holds \"4242 4343\"", "{kind}");
        let add = rig.find("button \"Add\"").await;
        let effect = rig.act(&Action::Tap { locate: add }).await;
        assert!(effect.is_confirmed(), "{kind}: {effect}");
        rig.holds(r#"JSON.stringify(__log)==='["added:4242 4343"]'"#);
    }
    let body = "<x-box></x-box>";
    let script = "customElements.define('x-box',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<label>Inner <input></label><button>Shade</button>';this.shadowRoot.querySelector('button').onclick=()=>{this.shadowRoot.querySelector('button').textContent='Done'}}})";
    rig.show(&page(body, script)).await;
    let field = rig.find("textbox \"Inner\"").await;
    let typed = Action::Input { value: "x".to_owned(), mode: InputMode::Replace, locate: Some(field) };
    assert!(rig.act(&typed).await.is_confirmed());
    let button = rig.find("button \"Shade\"").await;
    assert!(rig.act(&Action::Tap { locate: button }).await.is_confirmed());
    rig.find("button \"Done\"").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_region_cuts_the_tree() {
    let mut rig = Rig::open(&page("", "")).await;
    rig.show(&page("<ul class=a style='left:0;top:0;width:200px'><li style='height:100px'>One <button>A</button><li style='height:100px'>Two <button>B</button></ul>", "")).await;
    let want = Want::region(Rect::new(0.0, 160.0, 1280.0, 40.0));
    let seen = handeye_core::Device::observe(&mut rig.device, &want, &rig.cx).await.expect("a look");
    let tree = seen.tree.expect("a tree");
    assert!(seen.frame.is_none());
    let labels: Vec<_> = tree.nodes.iter().map(handeye_core::UiNode::label).collect();
    assert_eq!(labels, ["list", "listitem"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn switches_that_are_only_drawn_are_switches() {
    let mut rig = Rig::open(&page("", "")).await;
    let style = "<style>.toggle{width:36px;height:20px;cursor:pointer}.tall{height:60px}</style>";
    let row = |label: &str, class: &str, inner: &str| {
        format!("<div class=line><div><b>{label}</b></div><div class='{class}'>{inner}</div></div>")
    };
    let body = [
        style.to_owned(),
        row("News", "toggle on", ""),
        row("Alerts", "toggle", ""),
        row("Tall", "toggle tall", ""),
        row("Menu", "toggle", "open"),
        // The box is hidden beside what is drawn.
        "<div class='x-switch is-x'><input type=checkbox style='opacity:0;width:0;height:0' checked><span class='toggle' style='display:block'></span></div>".to_owned(),
    ]
    .concat();
    let seen = outline(&tree(&mut rig, &body, "").await);
    let switches: Vec<&str> = seen.lines().filter(|l| l.contains("switch")).map(str::trim).collect();
    assert_eq!(switches, ["switch {checked:on}", "switch {checked:off}", "switch {checked:on}"], "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_in_shadow_roots_are_the_texts_in_their_slots() {
    let mut rig = Rig::open(&page("", "")).await;
    let script = "customElements.define('x-box',class extends HTMLElement{constructor(){super();\
        this.attachShadow({mode:'open'}).innerHTML='<label><input type=checkbox><span><slot></slot></span></label>'}});\
        customElements.define('x-note',class extends HTMLElement{constructor(){super();\
        this.attachShadow({mode:'open'}).innerHTML='<label for=i><slot name=label>Order note</slot></label><textarea id=i></textarea>'}});";
    let seen = outline(&tree(&mut rig, "<x-box>Gift wrapping</x-box><x-note></x-note>", script).await);
    assert!(seen.contains("checkbox \"Gift wrapping\"") && seen.contains("textbox \"Order note\""), "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_control_shows_beside_its_name_is_told() {
    let mut rig = Rig::open(&page("", "")).await;
    let seen =
        tree(&mut rig, "<button aria-label='More guests'>+</button><button aria-label=Save>Save</button>", "").await;
    let about: Vec<&str> = seen.nodes.iter().map(|n| n.description.as_str()).collect();
    assert_eq!(about, ["+", ""]);
}
