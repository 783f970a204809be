//! The verdict on each kind of action, by what the page does with it.

use crate::rig::{Rig, page, tap};
use handeye_core::{Action, Element};

async fn check(rig: &mut Rig, name: &str, body: &str, script: &str, action: &Action<Element>, want: &str) {
    rig.show(&page(body, script)).await;
    // As in the loop: nobody acts without having looked.
    rig.look().await;
    let effect = rig.act(action).await.to_string().replace(&rig.server.origin_a(), "http://a");
    assert_eq!(effect, want, "{name}");
}

const SPOT: &str = "class=a style='left:300px;top:300px;width:160px;height:44px'";

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_of_click_is_named() {
    let mut rig = Rig::open(&page("", "")).await;
    let button = format!("<button id=b {SPOT}>Go</button>");
    let click = tap(380.0, 322.0);
    let none = "no-op suspected: the click arrived, and nothing on the page changed";
    check(&mut rig, "dead button", &button, "", &click, none).await;
    check(
        &mut rig,
        "handler",
        &button,
        "b.onclick=()=>hit('x')",
        &click,
        "confirmed: the page now says \"x\" (1 change)",
    )
    .await;
    check(
        &mut rig,
        "late handler",
        &button,
        "b.onclick=()=>setTimeout(()=>hit('x'),700)",
        &click,
        "confirmed: the page now says \"x\" (1 change)",
    )
    .await;
    check(
        &mut rig,
        "ticking page",
        &format!("{button}<b id=ck></b>"),
        "setInterval(()=>{ck.textContent=Date.now()},60)",
        &click,
        none,
    )
    .await;
    check(
        &mut rig,
        "link",
        &format!("<a href='/page.html?2' {SPOT}>Next</a>"),
        "",
        &click,
        "confirmed: the page went to http://a/page.html?2",
    )
    .await;
    check(
        &mut rig,
        "hash link",
        &format!("<a href='#two' {SPOT}>Next</a>"),
        "",
        &click,
        "confirmed: the address changed to http://a/page.html#two",
    )
    .await;
    check(
        &mut rig,
        "push state",
        &button,
        "b.onclick=()=>history.pushState(0,'','/page.html?p')",
        &click,
        "confirmed: the address changed to http://a/page.html?p",
    )
    .await;
    check(
        &mut rig,
        "alert",
        &button,
        "b.onclick=()=>{alert('stop');hit('x')}",
        &click,
        "confirmed: dialog \"stop\" opened",
    )
    .await;
    check(
        &mut rig,
        "checkbox",
        &format!("<input type=checkbox aria-label=Wifi {SPOT}>"),
        "",
        &click,
        "confirmed: it is now checked",
    )
    .await;
    check(
        &mut rig,
        "checkbox that flips back",
        &format!("<input type=checkbox id=c {SPOT}>"),
        "c.onchange=()=>{c.checked=false}",
        &click,
        "reverted: it went back to not checked at once",
    )
    .await;
    check(
        &mut rig,
        "field",
        &format!("<input aria-label=Name {SPOT}>"),
        "",
        &click,
        "confirmed: focus moved to textbox \"Name\"",
    )
    .await;
    check(
        &mut rig,
        "stepper",
        &format!("{button}<input id=n value=1>"),
        "b.onclick=()=>{n.value=2}",
        &click,
        "confirmed: textbox #n holds \"2\"",
    )
    .await;
    check(
        &mut rig,
        "details",
        &format!("<details {SPOT}><summary>More</summary>text</details>"),
        "",
        &tap(380.0, 310.0),
        "confirmed: it is now expanded",
    )
    .await;
    check(
        &mut rig,
        "disabled",
        &format!("<button disabled {SPOT}>Go</button>"),
        "",
        &click,
        "refused: button \"Go\" is disabled",
    )
    .await;
    check(&mut rig, "hover style by script", &button, "b.onmouseenter=()=>{b.className+=' hot'}", &click, none).await;
    check(
        &mut rig,
        "request",
        &button,
        "b.onclick=()=>{fetch('/_hit?k=x')}",
        &click,
        "confirmed: the page sent 1 request",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_covered_button_is_not_clicked() {
    let cover = "<div id=consent style='position:fixed;inset:0;z-index:9' onclick='hit(1)'></div>";
    let mut rig = Rig::open(&page(&format!("<button {SPOT}>Buy</button>"), "")).await;
    let buy = rig.find("button \"Buy\"").await;
    rig.settle().await;
    rig.holds(&format!("(document.body.insertAdjacentHTML('beforeend',`{cover}`),true)"));
    let effect = rig.act(&Action::Tap { locate: buy }).await;
    assert_eq!(effect.to_string(), "covered by div #consent: button \"Buy\" cannot be reached at (380, 322)");
    rig.holds("__log.length===0");
    // A bare point is clicked, and what took it is told.
    let effect = rig.act(&tap(380.0, 322.0)).await;
    assert_eq!(effect.on.as_deref(), Some("div #consent"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_canvas_draws_is_an_effect() {
    let body = "<canvas id=c class=a style='left:100px;top:100px' width=600 height=400></canvas>";
    let script = "const x=c.getContext('2d');c.onclick=()=>{x.fillStyle='red';x.fillRect(300,200,80,80)}";
    let mut rig = Rig::open(&page(body, script)).await;
    rig.look().await;
    assert_eq!(rig.act(&tap(200.0, 200.0)).await.to_string(), "confirmed: what the page draws changed");
    rig.look().await;
    // The second click draws the same again.
    assert_eq!(
        rig.act(&tap(200.0, 200.0)).await.to_string(),
        "no-op suspected: the click arrived, and nothing on the page changed"
    );
    // A canvas that never stands still proves nothing.
    rig.show(&page(body, "const x=c.getContext('2d');let n=0;setInterval(()=>{x.fillStyle=`hsl(${n++*7},90%,50%)`;x.fillRect(300,200,80,80)},16)")).await;
    rig.look().await;
    assert_eq!(
        rig.act(&tap(200.0, 200.0)).await.to_string(),
        "no-op suspected: the click arrived, and nothing on the page changed"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn hovering_waits_for_a_menu_that_opens_late() {
    let body = format!("<div id=m {SPOT}>Menu</div><ul id=l hidden><li>Entry</ul>");
    let mut rig = Rig::open(&page(&body, "m.onmouseenter=()=>setTimeout(()=>{l.hidden=false},150)")).await;
    let effect = rig.act(&Action::Hover { locate: crate::rig::at(380.0, 322.0) }).await;
    assert_eq!(
        effect.to_string(),
        "confirmed: the pointer is on generic \"Menu\" at (380, 322); 1 change of the page (at list #l)"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn elements_under_bars_in_boxes_and_in_texts_are_reached() {
    let body = "<div id=hd style='position:fixed;left:0;top:0;width:100%;height:120px;background:#ddd' onclick=\"hit('header')\">header</div>\
        <div style='position:absolute;top:40px;left:20px;height:3000px'><button id=b style='height:40px' onclick=\"hit('b')\">Low</button></div>\
        <div style='position:absolute;left:300px;top:200px;width:200px;height:100px;overflow:auto'><button style='display:block;width:180px;height:300px;margin-top:85px' onclick=\"hit('part')\">Part</button></div>\
        <p style='position:absolute;left:600px;top:300px' onclick=\"hit('text')\">Some <b>plain</b> text</p>";
    let mut rig = Rig::open(&page(body, "")).await;
    for label in ["button \"Part\"", "paragraph \"Some plain text\"", "button \"Low\""] {
        let element = rig.find(label).await;
        let effect = rig.act(&Action::Tap { locate: element }).await;
        assert!(effect.is_confirmed(), "{label}: {effect}");
    }
    rig.holds("__log.join()==='part,text,b'");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_young_page_is_given_a_moment_to_draw() {
    let script = "setTimeout(()=>{document.body.insertAdjacentHTML('beforeend',`<button style='position:absolute;left:300px;top:300px;width:160px;height:44px' onclick=\"hit('late')\">Late</button>`)},1200)";
    let mut rig = Rig::open(&page("", script)).await;
    let effect = rig.act(&tap(380.0, 322.0)).await;
    assert!(effect.is_confirmed(), "{effect}");
    rig.holds("__log.join()==='late'");
}

#[tokio::test(flavor = "multi_thread")]
async fn links_that_lead_to_no_page_hold_nothing_up() {
    let mut rig = Rig::open(&page("", "")).await;
    let link = |href: &str| format!("<a href='{href}' {SPOT}>Go</a>");
    let button = format!("<button id=b {SPOT}>Go</button>");
    for (name, body, script, want) in [
        ("mail", link("mailto:a@b.c"), "", "no-op suspected: the click arrived, and nothing on the page changed"),
        ("unknown scheme", link("tel:123"), "", "no-op suspected: the click arrived, and nothing on the page changed"),
        (
            "script",
            link("javascript:void(0)"),
            "",
            "no-op suspected: the click arrived, and nothing on the page changed",
        ),
        // The browser runs such a script a little later, and nothing tells that it belongs to the click.
        (
            "script that acts",
            link("javascript:hit(1)"),
            "",
            "unverified: the page now says \"1\" (1 change), which may have happened by itself",
        ),
        ("download", link("/_download?name=a.txt&size=20"), "", "confirmed: a download began"),
        (
            "prevented",
            link("/page.html?x"),
            "document.querySelector('a').onclick=e=>e.preventDefault()",
            "no-op suspected: the click arrived, and nothing on the page changed",
        ),
        ("reload", link("javascript:location.reload()"), "", "confirmed: the page went to http://a/page.html"),
        (
            "after an answer",
            button.clone(),
            "b.onclick=async()=>{await fetch('/_hit?k=x');location.href='/page.html?x'}",
            "confirmed: the page went to http://a/page.html?x",
        ),
        (
            "after a while, with a sign",
            button.clone(),
            "b.onclick=()=>{b.disabled=true;setTimeout(()=>{location.href='/page.html?x'},25)}",
            "confirmed: the page went to http://a/page.html?x",
        ),
        (
            "link, after a while",
            link("/page.html?x"),
            "document.querySelector('a').onclick=e=>{e.preventDefault();setTimeout(()=>{location.href=e.target.href},300)}",
            "confirmed: the page went to http://a/page.html?x",
        ),
        (
            "reload, after an answer",
            button.clone(),
            "b.onclick=async()=>{await fetch('/_hit?k=x');location.reload()}",
            "confirmed: the page went to http://a/page.html",
        ),
        // Nothing tells it from a page that does so by itself.
        (
            "reload, after a while, without a sign",
            button.clone(),
            "b.onclick=()=>{setTimeout(()=>location.reload(),300)}",
            "unverified: the page went to http://a/page.html, which may have happened by itself",
        ),
        (
            "alert after an answer",
            button.clone(),
            "b.onclick=async()=>{await fetch('/_hit?k=x');alert('Saved')}",
            "confirmed: dialog \"Saved\" opened",
        ),
        ("same address", link("/page.html"), "", "confirmed: the page went to http://a/page.html"),
        (
            "form",
            format!("<form action='/page.html'><input type=hidden name=f value=1><button {SPOT}>Go</button></form>"),
            "",
            "confirmed: the page went to http://a/page.html?f=1",
        ),
        (
            "frame",
            format!("<iframe name=f srcdoc='<p>old'></iframe><a target=f href='/page.html?i' {SPOT}>Go</a>"),
            "",
            "confirmed: the page sent 1 request",
        ),
    ] {
        rig.show(&page(&body, script)).await;
        rig.look().await;
        let (effect, settled) = rig.act_and_settle(&tap(380.0, 322.0)).await;
        let got = effect.to_string().replace(&rig.server.origin_a(), "http://a");
        assert_eq!(got, want, "{name}");
        assert!(settled.took < 2000, "{name}: {settled:?}");
    }
    // A page that is long in coming: the wait ends, and says why.
    rig.show(&page(&link("/_slow?ms=6000&file=/page.html"), "")).await;
    let (effect, settled) = rig.act_and_settle(&tap(380.0, 322.0)).await;
    assert_eq!(effect.to_string(), "confirmed: another page is on its way");
    assert_eq!((settled.by, settled.busy.as_str()), (handeye_core::Quiet::Cap, "another document is on its way"));
    // The old page can still be looked at meanwhile.
    assert!(rig.look().await.tree.expect("a tree").nodes.iter().any(|n| n.name == "Go"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_the_browser_refuses_is_told_with_its_message() {
    let form = format!(
        "<form id=f onsubmit=\"hit('sent');return false\"><input aria-label=Email type=email id=e required><input aria-label=Age type=number min=18 id=n><button {SPOT}>Send</button></form>"
    );
    let click = tap(380.0, 322.0);
    let mut rig = Rig::open(&page("", "")).await;
    let stopped = |says: &str| format!("refused: the form was not sent, as the browser asks to mend {says}");
    let missing = stopped("textbox \"Email\": \"Please fill out this field.\"");
    check(&mut rig, "required", &form, "", &click, &missing).await;
    let wrong = stopped(
        "textbox \"Email\": \"Please include an '@' in the email address. 'x' is missing an '@'.\", spinbutton \"Age\": \"Value must be greater than or equal to 18.\"",
    );
    check(&mut rig, "wrong", &form, "e.value='x';n.value=3", &click, &wrong).await;
    rig.holds("__log.length===0");
    check(
        &mut rig,
        "right",
        &form,
        "e.value='x@y.z'",
        &click,
        "confirmed: the page now says \"sent\" (1 change), the page saw `submit`",
    )
    .await;
    let sent = "confirmed: the page now says \"sent\" (1 change), the page saw `submit`";
    check(&mut rig, "the page's own message", &form, "f.noValidate=true", &click, sent).await;
    // A script that asks for the validity, as many do at each change, stops nothing.
    let body = format!("<form id=f><input required><input type=checkbox aria-label=Yes {SPOT}></form>");
    check(
        &mut rig,
        "asked by a script",
        &body,
        "f.onchange=()=>f.checkValidity()",
        &click,
        "confirmed: it is now checked",
    )
    .await;
    rig.show(&page(&form, "e.focus()")).await;
    rig.look().await;
    assert_eq!(rig.act(&crate::rig::press("Enter")).await.to_string(), missing);
}
