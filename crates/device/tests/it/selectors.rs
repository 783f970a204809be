//! What selectors find, and what they say when there is nothing, too much, or something that nobody sees.

use crate::rig::{Rig, page};
use handeye_core::{Action, Device as _, Element, Rung, Selector, UiNode, UiTree, Want};

async fn select(rig: &mut Rig, selector: &str) -> Result<UiTree, String> {
    let selector = Selector::read(selector).expect("a kind").expect("a selector");
    let seen = rig.device.observe(&Want::selector(selector), &rig.cx).await;
    seen.map(|seen| seen.tree.expect("a tree")).map_err(|error| error.to_string())
}

/// What a selector finds, as labels; what nobody sees in brackets.
async fn found(rig: &mut Rig, selector: &str) -> String {
    let shown = |n: &UiNode| if n.rect.is_empty() { format!("({})", n.label()) } else { n.label() };
    match select(rig, selector).await {
        Ok(tree) => tree.nodes.iter().map(shown).collect::<Vec<_>>().join(", "),
        Err(why) => why,
    }
}

async fn check(rig: &mut Rig, rows: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (selector, want) in rows {
        let got = found(rig, selector).await;
        if got != *want {
            wrong.push(format!("{selector}: {got}, not {want}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const FORM: &str = "<h1>Order</h1><button id=save data-testid=save-it>Save</button><button data-cy=all>Save all</button>\
    <a href=/x class=more>More <b>details</b></a><input type=submit value='Send now'><button hidden id=gone>Save</button>\
    <label>Mail <input id=mail name=mail></label><div aria-hidden=true><button>Ghost</button></div>\
    <div style='height:0;overflow:hidden'><button id=folded>Folded</button></div>\
    <div style='display:none' data-testid=off>Off</div><select id=size><option>Small<option>Large</select>\
    <div onclick=1 id=box><span>Open</span> <i>it</i></div><p>One <em>two</em> three</p>";

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_finds_what_it_names() {
    let mut rig = Rig::open(&page(FORM, "")).await;
    check(
        &mut rig,
        &[
            ("css=#save", "button \"Save\""),
            (
                "css=button",
                "button \"Save\", button \"Save all\", (button \"Save\"), button \"Ghost\", (button \"Folded\")",
            ),
            ("css=#nothing", ""),
            ("css=##", "look for `css=##`: '##' is not a valid selector"),
            ("xpath=//button[1]", "button \"Save\", button \"Ghost\", (button \"Folded\")"),
            ("xpath=//a/b/text()", "generic"),
            ("xpath=//input/@name", "textbox \"Mail\""),
            ("xpath=/html/body/h1", "heading \"Order\""),
            ("xpath=count(//a)", "look for `xpath=count(//a)`: it gives a number, not elements"),
            ("xpath=//button[", "look for `xpath=//button[`: The string '//button[' is not a valid XPath expression"),
            ("role=button[name=Save]", "button \"Save\", (button \"Save\")"),
            ("role=button[name=save all]", "button \"Save all\""),
            ("role=button[name=Send]", "button \"Send now\""),
            ("role=textbox", "textbox \"Mail\""),
            ("role=link[name=\"More details\"]", "link \"More details\""),
            ("role=button[name=Ghost]", ""),
            ("role=buton", "look for `role=buton`: there is no role \"buton\""),
            ("text=Save", "button \"Save\", (button \"Save\")"),
            ("text=save ALL", "button \"Save all\""),
            ("text=Send now", "button \"Send now\""),
            ("text=More details", "link \"More details\""),
            ("text=details", "generic"),
            ("text=Open it", "generic \"Open it\""),
            ("text=One two three", "paragraph"),
            ("text=wo thre", "paragraph"),
            ("text=Mail", "generic"),
            ("text=nowhere", ""),
            ("testid=save-it", "button \"Save\""),
            ("testid=all", "button \"Save all\""),
            ("testid=off", "(generic)"),
            ("testid=a\"]b", ""),
        ],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_has_its_place_and_what_covers_it() {
    let body = "<button id=free class=a style='left:100px;top:100px;width:80px;height:30px'>Free</button>\
        <button id=under class=a style='left:300px;top:100px;width:80px;height:30px'>Under</button>\
        <div class=a aria-label=Veil role=dialog style='left:280px;top:80px;width:200px;height:100px;background:#ccc'></div>\
        <button id=far class=a style='left:10px;top:3000px'>Far</button>";
    let mut rig = Rig::open(&page(body, "")).await;
    let mut node = async |selector: &str| select(&mut rig, selector).await.expect("a tree").nodes.remove(0);
    let free = node("css=#free").await;
    assert_eq!((free.rect.into(), free.point.map(Into::into)), ([100.0, 100.0, 80.0, 30.0], Some([140.0, 115.0])));
    let under = node("css=#under").await;
    assert_eq!((under.point, under.covered_by.as_deref()), (None, Some("dialog \"Veil\"")));
    let far = node("css=#far").await;
    assert!(far.point.is_none() && far.covered_by.is_none() && far.rect.top >= 3000.0, "{far:?}");
    // The handle is the same as in the whole tree, and an action takes it.
    let whole = rig.look().await.tree.expect("a tree");
    assert_eq!(whole.find(&free.node).map(UiNode::label), Some("button \"Free\"".to_owned()));
    let element = Element {
        description: "css=#far".to_owned(),
        rect: far.rect,
        point: far.rect.center(),
        found_by: Rung::Selector,
        confidence: 1.0,
        node: Some(far.node.clone()),
        label: Some(far.label()),
        secret: false,
    };
    let effect = rig.act(&Action::Hover { locate: element }).await;
    assert!(!effect.is_failure(), "{effect}");
}

#[tokio::test(flavor = "multi_thread")]
async fn shadow_roots_and_frames_are_looked_into() {
    let body = "<my-box></my-box><iframe title=Inner class=a style='left:200px;top:100px;width:300px;height:200px;border:0' \
        srcdoc=\"<body style='margin:0'><button id=in style='position:absolute;left:10px;top:20px;width:60px;height:20px'>Inside</button>\
        <p>Save it</p>\"></iframe><p>Save</p>";
    let script = "customElements.define('my-box',class extends HTMLElement{constructor(){super();\
        this.attachShadow({mode:'open'}).innerHTML='<button id=deep>Deep</button>'}})";
    let mut rig = Rig::open(&page(body, script)).await;
    check(
        &mut rig,
        &[
            ("css=#deep", "button \"Deep\""),
            ("role=button[name=Deep]", "button \"Deep\""),
            ("text=Deep", "button \"Deep\""),
            ("css=#in", "button \"Inside\""),
            ("xpath=//button", "button \"Inside\""),
            ("text=Inside", "button \"Inside\""),
            // One has just this text, the other only holds it.
            ("text=Save", "paragraph"),
            ("text=ave it", "paragraph"),
            ("css=iframe", "iframe \"Inner\""),
        ],
    )
    .await;
    let inside = select(&mut rig, "css=#in").await.expect("a tree").nodes.remove(0);
    assert_eq!((inside.rect.into(), inside.parent), ([210.0, 120.0, 60.0, 20.0], None));
    assert_eq!(inside.point.map(Into::into), Some([240.0, 130.0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_selector_that_fits_very_much_is_cut() {
    let mut rig =
        Rig::open(&page("", "for(let i=0;i<400;i++)document.body.append(document.createElement('hr'))")).await;
    let tree = select(&mut rig, "css=hr").await.expect("a tree");
    assert!(tree.truncated && tree.nodes.len() == 200, "{}", tree.nodes.len());
}
