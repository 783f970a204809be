//! Where a click went that was aimed at something: what took it is told, and only what arrived is done.

use crate::rig::{Rig, at, page};
use handeye_core::Action;

const BUTTON: &str = "<button id=b class=a style='left:300px;top:300px;width:160px;height:44px'>Go</button>";
const LIST: &str = "<input id=i class=a style='left:300px;top:200px' onblur='l.hidden=true'>\
    <ul id=l class=a style='left:300px;top:300px;margin:0;padding:0'><li role=option id=b>Paris<li role=option>Parma</ul>";

const FRAME: &str = "<script>window.inner=f=>{document.querySelector('iframe').onload=()=>f(frames[0].document.getElementById('b'))}</script>\
    <iframe class=a style='left:0;top:0;width:800px;height:600px;border:0' srcdoc=\"<button id=b style='position:absolute;left:300px;top:300px;width:160px;height:44px'>Go</button>\"></iframe>\
    <div id=o hidden style='position:fixed;inset:0'>Wait</div>";

#[derive(Clone, Copy)]
enum Click {
    Once,
    Twice,
    Right,
    Long,
}
use Click::{Long, Once, Right, Twice};

/// The page, what it does, the click on `#b`, and its effect.
const TABLE: &[(&str, &str, &str, Click, &str)] = &[
    // The click arrives.
    ("dead", BUTTON, "", Once, "no-op suspected: the click arrived, and nothing on the page changed"),
    ("dead, twice", BUTTON, "", Twice, "no-op suspected: the click arrived, and nothing on the page changed"),
    ("dead, right", BUTTON, "", Right, "no-op suspected: the click arrived, and nothing on the page changed"),
    ("dead, long", BUTTON, "", Long, "no-op suspected: nothing on the page changed"),
    (
        "sinks a little",
        "<style>button:active{transform:translateY(3px)}</style>B",
        "b.onclick=()=>hit('x')",
        Once,
        "confirmed: the page now says \"x\" (1 change)",
    ),
    (
        "capture",
        "<div id=w>B</div>",
        "w.onpointerdown=e=>w.setPointerCapture(e.pointerId);w.onclick=()=>hit('x')",
        Once,
        "confirmed: the page now says \"x\" (1 change)",
    ),
    (
        "no mouse events",
        BUTTON,
        "b.onpointerdown=e=>e.preventDefault();b.onclick=()=>hit('x')",
        Once,
        "confirmed: the page now says \"x\" (1 change)",
    ),
    (
        "label",
        "<label class=a style='left:300px;top:300px'>Wifi <input type=checkbox id=b></label>",
        "",
        Once,
        "confirmed: it is now checked",
    ),
    (
        "part of it",
        "<button id=b class=a style='left:300px;top:300px'><svg width=40 height=40><path d='M0 0H40V40H0z'/></svg></button>",
        "b.onclick=()=>hit('x')",
        Once,
        "confirmed: the page now says \"x\" (1 change)",
    ),
    (
        "shadow root",
        "<x-b class=a style='left:300px;top:300px'></x-b>",
        "const r=document.querySelector('x-b').attachShadow({mode:'open'});r.innerHTML=`<button style='width:160px;height:44px'>Go</button>`;r.firstChild.onclick=()=>hit('x')",
        Once,
        "confirmed: the page now says \"x\" (1 change)",
    ),
    (
        "closed root",
        "<x-b class=a style='left:300px;top:300px'></x-b>",
        "const r=document.querySelector('x-b').attachShadow({mode:'closed'});r.innerHTML=`<button style='width:160px;height:44px'>Go</button>`;r.firstChild.onclick=()=>hit('x')",
        Once,
        "confirmed: the page now says \"x\" (1 change)",
    ),
    // The press takes the button away.
    (
        "moves",
        BUTTON,
        "b.onmousedown=()=>{b.style.top='500px';hit('m')};b.onclick=()=>hit('x')",
        Once,
        "covered by the page: the press moved button \"Go\" away, and the click went there",
    ),
    (
        "moves, pointer",
        BUTTON,
        "b.onpointerdown=()=>{b.style.top='500px';hit('m')}",
        Once,
        "covered by the page: the press moved button \"Go\" away, and the click went there",
    ),
    (
        "moves, twice",
        BUTTON,
        "b.onclick=()=>{b.style.top='500px'};b.ondblclick=()=>hit('x')",
        Twice,
        "covered by the page: the press moved button \"Go\" away, and the click went there",
    ),
    (
        "a message shifts it",
        "<div class=a style='left:300px;top:270px'><input id=i style='display:block;height:30px'><b id=m></b>\
        <button id=b style='display:block;height:20px;width:160px'>Go</button><p>below",
        "i.focus();i.onblur=()=>{m.innerHTML='<br>Name<br>is<br>missing'}",
        Once,
        "covered by generic \"Name is missing Go below\": the press moved button \"Go\" away, and the click went there",
    ),
    (
        "covers",
        "B<div id=o hidden style='position:fixed;inset:0'>Wait</div>",
        "b.onmousedown=()=>{o.hidden=false};b.onclick=()=>hit('x')",
        Once,
        "covered by generic \"Wait\": it came over button \"Go\" at the press, and the click went there",
    ),
    (
        "covers, right",
        "B<div id=o hidden style='position:fixed;inset:0'>Wait</div>",
        "b.onpointerdown=()=>{o.hidden=false};b.oncontextmenu=()=>hit('x')",
        Right,
        "covered by generic \"Wait\": it came over button \"Go\" at the press, and the click went there",
    ),
    (
        "covers, under a link",
        "<a href='#x' id=w>B</a><div id=o hidden style='position:fixed;inset:0'>Wait</div>",
        "b.onmousedown=()=>{o.hidden=false}",
        Once,
        "covered by generic \"Wait\": it came over button \"Go\" at the press, and the click went there",
    ),
    (
        "redrawn",
        "<div id=w>B</div>",
        "w.onmousedown=()=>{w.innerHTML=w.innerHTML};w.onclick=()=>hit('x')",
        Once,
        "refused: the press drew button \"Go\" anew, so that no click came of it",
    ),
    (
        "redrawn within",
        "<button id=b class=a style='left:300px;top:300px;padding:0'><b>Go</b></button>",
        "b.onmousedown=()=>{b.innerHTML='<b>Go</b>'};b.onclick=()=>hit('x')",
        Once,
        "refused: the press drew button \"Go\" anew, so that no click came of it",
    ),
    (
        "vanishes",
        BUTTON,
        "b.onmousedown=()=>b.remove();b.onclick=()=>hit('x')",
        Once,
        "unverified: the press took it away before the click, which is all that was seen: 1 change of the page (at the page)",
    ),
    (
        "blurs the list away",
        LIST,
        "i.focus();b.onclick=()=>{i.value='Paris'}",
        Once,
        "unverified: the press took it away before the click, which is all that was seen: 1 change of the page (at list #l)",
    ),
    (
        "the field before draws it anew",
        "<input id=i><div id=w>B</div>",
        "i.focus();document.execCommand('insertText',false,'x');i.onchange=()=>{w.innerHTML='5 '+w.innerHTML};w.onclick=()=>hit('x')",
        Once,
        "refused: leaving the field before drew button \"Go\" anew during the press, so that no click came of it",
    ),
    (
        "the next one slides in",
        "<div class=a style='left:300px;top:300px'><div><button id=b>Delete</button></div><div><button>Delete</button></div>end</div>",
        "b.onmousedown=()=>b.parentNode.remove()",
        Once,
        "confirmed: 1 change of the page (at generic \"Delete end\")",
    ),
    // It moves before the press.
    (
        "flees",
        BUTTON,
        "b.onmouseenter=()=>{b.style.top='500px'}",
        Once,
        "covered by the page: button \"Go\" was elsewhere when the press came",
    ),
    (
        "flees, long",
        BUTTON,
        "b.onmouseenter=()=>{b.style.top='500px';hit('x')}",
        Long,
        "covered by the page: button \"Go\" was elsewhere when the press came",
    ),
    (
        "hidden by the pointer",
        "B<button class=a style='left:300px;top:300px;width:160px;height:44px;z-index:-1' id=c>Other</button>",
        "b.onmouseenter=()=>{b.hidden=true};c.onclick=()=>hit('c')",
        Once,
        "covered by button \"Other\": button \"Go\" was gone when the press came",
    ),
    (
        "covered, and the page leaves",
        "B<a id=o href='/two.html' hidden style='position:fixed;inset:0'>Ad</a>",
        "b.onmouseenter=()=>{o.hidden=false}",
        Once,
        "covered by link \"Ad\": it lay over button \"Go\" when the press came",
    ),
    (
        "drawn anew by the pointer",
        "<div id=w>B</div>",
        "let n=0;w.onmouseover=()=>{if(!n++)w.innerHTML=w.innerHTML};w.onclick=()=>hit('x')",
        Once,
        "confirmed: the page now says \"x\" (1 change), focus moved to button \"Go\"",
    ),
    // Pages that choose when the button goes down.
    (
        "suggestion",
        LIST,
        "i.focus();b.onmousedown=()=>{i.value='Paris';l.remove()}",
        Once,
        "confirmed: textbox #i holds \"Paris\"",
    ),
    (
        "suggestion, hidden",
        LIST,
        "i.focus();b.onpointerdown=()=>{i.value='Paris';l.hidden=true}",
        Once,
        "confirmed: textbox #i holds \"Paris\"",
    ),
    (
        "menu",
        "<div role=menu class=a style='left:300px;top:300px'><div role=menuitem id=b>Copy</div><div role=menuitem>Paste</div></div>",
        "b.onmousedown=()=>{b.parentNode.remove();hit('x')}",
        Once,
        "confirmed: the page now says \"x\" (2 changes)",
    ),
    (
        "banner",
        "<div role=dialog class=a style='left:300px;top:300px'><button id=b>Close</button> News</div>",
        "b.onmousedown=()=>b.parentNode.remove()",
        Once,
        "confirmed: 1 change of the page (at the page)",
    ),
    (
        "list that is drawn anew",
        "<ul id=w class=a style='left:300px;top:300px;margin:0;padding:0'><li role=option id=b>Paris<li role=option>Parma</ul>",
        "w.onmousedown=()=>{w.innerHTML=w.innerHTML;hit('x')}",
        Once,
        "confirmed: the page now says \"x\" (2 changes)",
    ),
    (
        "toggle that slides",
        "<div role=switch aria-checked=false id=b class=a style='left:300px;top:300px;width:40px;height:20px;background:red'></div>",
        "b.onpointerdown=()=>{b.ariaChecked='true';b.style.left='340px'}",
        Once,
        "confirmed: it is now checked",
    ),
    (
        "leaves at the press",
        BUTTON,
        "b.onmousedown=()=>{location.href='/two.html'}",
        Once,
        "confirmed: the page went to http://a/two.html",
    ),
    // In a frame.
    (
        "frame, moves",
        FRAME,
        "inner(b=>b.onmousedown=()=>{b.style.top='500px'})",
        Once,
        "covered by the page: the press moved button \"Go\" away, and the click went there",
    ),
    (
        "frame, arrives",
        FRAME,
        "inner(b=>b.onclick=()=>hit('x'))",
        Once,
        "confirmed: the page now says \"x\" (1 change)",
    ),
    (
        "frame, covered from outside",
        FRAME,
        "inner(b=>b.onmouseenter=()=>{o.hidden=false})",
        Once,
        "covered by generic \"Wait\": it lay over button \"Go\" when the press came",
    ),
    (
        "frame, covered from outside at the press",
        FRAME,
        "inner(b=>b.onmousedown=()=>{o.hidden=false;b.onclick=()=>parent.hit('x')})",
        Once,
        "confirmed: the page now says \"x\" (2 changes)",
    ),
    (
        "covered by a frame",
        "B<iframe id=o hidden style='position:fixed;inset:0;width:100%;height:100%' srcdoc=Wait></iframe>",
        "b.onmouseenter=()=>{o.hidden=false}",
        Once,
        "covered by iframe #o: it lay over button \"Go\" when the press came",
    ),
    (
        "covered by a frame at the press",
        "B<iframe id=o hidden style='position:fixed;inset:0;width:100%;height:100%' srcdoc=Wait></iframe>",
        "b.onmousedown=()=>{o.hidden=false}",
        Once,
        "covered by iframe #o: it came over button \"Go\" at the press, and the click went there",
    ),
    ("alert at the press", BUTTON, "b.onmousedown=()=>{alert('Stop')}", Once, "confirmed: dialog \"Stop\" opened"),
];

#[tokio::test(flavor = "multi_thread")]
async fn what_took_a_click_is_told() {
    let wrong = futures_util::future::join_all(TABLE.chunks(12).map(each)).await.concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn each(rows: &[(&str, &str, &str, Click, &str)]) -> Vec<String> {
    let mut rig = Rig::open(&page("", "")).await;
    rig.server.put("/two.html", "<title>Two</title>");
    let mut wrong = Vec::new();
    for (name, body, script, click, want) in rows {
        let body = if body.contains("id=b") { (*body).to_owned() } else { body.replace('B', BUTTON) };
        rig.show(&page(&body, script)).await;
        rig.look().await;
        let locate = at(310.0, 310.0);
        let effect = rig
            .act(&match click {
                Click::Once => Action::Tap { locate },
                Click::Twice => Action::DoubleClick { locate },
                Click::Right => Action::RightClick { locate },
                Click::Long => Action::LongPress { locate, duration: 20 },
            })
            .await;
        let got = effect.to_string().replace(&rig.server.origin_a(), "http://a");
        if got != *want {
            wrong.push(format!("{name}:\n    {got}\n  not {want}"));
        }
    }
    wrong
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_attached_before_has_no_say() {
    let body = "<a id=b href='/two.html' class=a style='left:300px;top:300px'>Next</a><button>Go</button>";
    let mut rig = Rig::open(&page(body, "")).await;
    rig.server.put("/two.html", "<title>Two</title>");
    rig.look().await;
    rig.attach_again().await;
    rig.look().await;
    let effect = rig.act(&Action::Tap { locate: at(310.0, 310.0) }).await;
    assert!(effect.is_confirmed(), "{effect}");
    assert!(effect.because.ends_with("/two.html"), "{effect}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_may_have_done_something_is_spent() {
    let mut rig = Rig::open(&page("", "")).await;
    let moved = "b.onpointerdown=()=>{b.style.top='500px'}";
    let overlay = "b.onpointerdown=()=>{document.body.insertAdjacentHTML('beforeend','<div style=\"position:fixed;inset:0\">Wait</div>')}";
    let redrawn = "w.onmousedown=()=>{w.innerHTML=w.innerHTML}";
    let blurred =
        "i.focus();document.execCommand('insertText',false,'x');i.onchange=()=>{w.innerHTML='5 '+w.innerHTML}";
    let other = "b.onmouseenter=()=>{b.style.top='500px';o.hidden=false}";
    let under = "B<button id=o class=a hidden style='left:300px;top:300px;width:160px;height:44px'>Delete</button>";
    for (name, body, script, spent) in [
        ("moved", "B", moved, true),
        ("an overlay", "B", overlay, true),
        ("redrawn", "<div id=w>B</div>", redrawn, true),
        ("blurred", "<input id=i><div id=w>B</div>", blurred, false),
        ("another button", under, other, true),
    ] {
        rig.show(&page(&body.replace('B', BUTTON), script)).await;
        rig.look().await;
        let effect = rig.act(&Action::Tap { locate: at(310.0, 310.0) }).await;
        assert!(effect.is_failure(), "{name}: {effect}");
        assert_eq!(effect.spent, spent, "{name}: {effect}");
    }
}
