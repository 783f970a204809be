//! What lies around a control: frames and shadows, boxes that scroll, dialogs, keys.

use crate::controls::{Case, check, click};
use crate::rig::{Rig, at, input, page, press};
use handeye_core::{Action, Direction, Element, ScrollKind};

fn scroll(scroll_type: ScrollKind, direction: Direction) -> Action<Element> {
    Action::Scroll { direction, scroll_type, distance: None, locate: Some(at(380.0, 322.0)) }
}

#[tokio::test(flavor = "multi_thread")]
async fn clicks_in_frames_and_shadows() {
    let cases: Vec<Case> = vec![
        (
            "same origin frame",
            "<iframe src=\'/inner.html\' style=\'position:absolute;left:300px;top:300px;width:300px;height:200px;border:0\'></iframe>",
            "",
            click(),
            "confirmed: the page now says \"x\" (1 change)",
        ),
        (
            "same origin frame late",
            "<iframe src=\'/inner.html#late\' style=\'position:absolute;left:300px;top:300px;width:300px;height:200px;border:0\'></iframe>",
            "",
            click(),
            "unverified: the page now says \"x\" (1 change), which may have happened by itself",
        ),
        (
            "same origin frame direct",
            "<iframe src=\'/inner.html#direct\' style=\'position:absolute;left:300px;top:300px;width:300px;height:200px;border:0\'></iframe>",
            "",
            click(),
            "confirmed: the page now says \"from inside\" (1 change)",
        ),
        (
            "same origin frame dead",
            "<iframe src=\'/inner.html#dead\' style=\'position:absolute;left:300px;top:300px;width:300px;height:200px;border:0\'></iframe>",
            "",
            click(),
            "no-op suspected: the click arrived, and nothing on the page changed",
        ),
        (
            "cross frame",
            "<iframe src=\'{B}/inner.html\' style=\'position:absolute;left:300px;top:300px;width:300px;height:200px;border:0\'></iframe>",
            "",
            click(),
            "confirmed: the page now says \"x\" (1 change)",
        ),
        (
            "cross frame late",
            "<iframe src=\'{B}/inner.html#late\' style=\'position:absolute;left:300px;top:300px;width:300px;height:200px;border:0\'></iframe>",
            "",
            click(),
            "unverified: the page now says \"x\" (1 change), which may have happened by itself",
        ),
        (
            "cross frame dead",
            "<iframe src=\'{B}/inner.html#dead\' style=\'position:absolute;left:300px;top:300px;width:300px;height:200px;border:0\'></iframe>",
            "",
            click(),
            "no-op suspected: the click arrived, and nothing on the page changed",
        ),
        (
            "cross frame field",
            "<iframe src=\'{B}/inner.html\' style=\'position:absolute;left:300px;top:300px;width:300px;height:200px;border:0\'></iframe>",
            "",
            input(340.0, 362.0, "abc"),
            "confirmed: the field holds \"abc\"",
        ),
        (
            "open shadow",
            "<x-a {S}></x-a>",
            "customElements.define('x-a',class extends HTMLElement{constructor(){super();const s=this.attachShadow({mode:'open'});s.innerHTML='<button style=\"width:160px;height:44px\">In</button><p></p>';s.querySelector('button').onclick=()=>{s.querySelector('p').textContent='shadow'}}})",
            click(),
            "confirmed: the page now says \"shadow\" (1 change)",
        ),
        (
            "closed shadow",
            "<x-a {S}></x-a>",
            "customElements.define('x-a',class extends HTMLElement{constructor(){super();const s=this.attachShadow({mode:'closed'});s.innerHTML='<button style=\"width:160px;height:44px\">In</button><p></p>';s.querySelector('button').onclick=()=>{s.querySelector('p').textContent='shadow'}}})",
            click(),
            "confirmed: something new is shown",
        ),
        (
            "closed shadow dead",
            "<x-a {S}></x-a>",
            "customElements.define('x-a',class extends HTMLElement{constructor(){super();const s=this.attachShadow({mode:'closed'});s.innerHTML='<button style=\"width:160px;height:44px\">In</button><p></p>'}})",
            click(),
            "no-op suspected: the click arrived, and nothing on the page changed",
        ),
    ];
    check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn boxes_that_scroll_their_own_way() {
    let cases: Vec<Case> = vec![
        (
            "h scroll",
            "<div style='position:absolute;left:200px;top:250px;width:400px;height:150px;overflow-x:auto;white-space:nowrap'><div style='width:3000px;height:100px;background:linear-gradient(90deg,red,blue)'></div></div>",
            "",
            scroll(ScrollKind::SingleAction, Direction::Right),
            "confirmed: div scrolled to the right by 300",
        ),
        (
            "h scroll to end",
            "<div style='position:absolute;left:200px;top:250px;width:400px;height:150px;overflow-x:auto;white-space:nowrap'><div style='width:3000px;height:100px;background:linear-gradient(90deg,red,blue)'></div></div>",
            "",
            scroll(ScrollKind::ScrollToRight, Direction::Right),
            "confirmed: div is at its right edge, 2600 further",
        ),
        (
            "smooth scroll",
            "<style>html{scroll-behavior:smooth}</style><div style='height:5000px'>x</div>",
            "",
            scroll(ScrollKind::SingleAction, Direction::Down),
            "confirmed: the page scrolled down by 540",
        ),
        (
            "smooth to bottom",
            "<style>html{scroll-behavior:smooth}</style><div style='height:5000px'>x</div>",
            "",
            scroll(ScrollKind::ScrollToBottom, Direction::Down),
            "confirmed: the page is at its bottom, 4280 further",
        ),
        (
            "snap",
            "<div style='position:absolute;left:200px;top:250px;width:400px;height:200px;overflow:auto;scroll-snap-type:y mandatory'><div style='height:200px;scroll-snap-align:start'>1</div><div style='height:200px;scroll-snap-align:start'>2</div><div style='height:200px;scroll-snap-align:start'>3</div></div>",
            "",
            scroll(ScrollKind::SingleAction, Direction::Down),
            "confirmed: generic \"1 2 3\" scrolled down by 200",
        ),
        (
            "snap to bottom",
            "<div style='position:absolute;left:200px;top:250px;width:400px;height:200px;overflow:auto;scroll-snap-type:y mandatory'><div style='height:200px;scroll-snap-align:start'>1</div><div style='height:200px;scroll-snap-align:start'>2</div><div style='height:200px;scroll-snap-align:start'>3</div></div>",
            "",
            scroll(ScrollKind::ScrollToBottom, Direction::Down),
            "confirmed: generic \"1 2 3\" is at its bottom, 400 further",
        ),
        (
            "nested at end",
            "<div style='height:3000px'></div><div id=o style='position:fixed;left:200px;top:200px;width:400px;height:300px;overflow:auto'><div style='height:250px;overflow:auto'><div style='height:400px'>inner</div></div><div style='height:900px'>rest</div></div>",
            "",
            scroll(ScrollKind::ScrollToBottom, Direction::Down),
            "confirmed: generic \"inner\" is at its bottom, 150 further",
        ),
        (
            "scroll prevented",
            "<div style='height:3000px'></div>",
            "addEventListener('wheel',e=>e.preventDefault(),{passive:false})",
            scroll(ScrollKind::SingleAction, Direction::Down),
            "no-op suspected: the page did not move",
        ),
    ];
    check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogs_and_pages_that_hang_on_them() {
    let cases: Vec<Case> = vec![
        (
            "alert from click",
            "<button {S} onclick='alert(1)'>Go</button>",
            "",
            click(),
            "confirmed: dialog \"1\" opened",
        ),
        (
            "alert late",
            "<button {S} onclick='setTimeout(()=>alert(1),300)'>Go</button>",
            "",
            click(),
            "unverified: dialog \"1\" opened, which may have happened by itself",
        ),
        (
            "alert after fetch",
            "<button {S} onclick='fetch(\"/_hit?k=a\").then(()=>alert(1))'>Go</button>",
            "",
            click(),
            "confirmed: dialog \"1\" opened",
        ),
        (
            "confirm",
            "<button {S} onclick='hit(confirm(\"sure?\"))'>Go</button>",
            "",
            click(),
            "confirmed: dialog \"sure?\" opened and was dismissed (--dialogs accept answers it with OK)",
        ),
        (
            "prompt",
            "<button {S} onclick='hit(prompt(\"name?\",\"x\"))'>Go</button>",
            "",
            click(),
            "confirmed: dialog \"name?\" opened and was dismissed (--dialogs accept answers it with OK)",
        ),
        (
            "two alerts",
            "<button {S} onclick='alert(1);alert(2);hit(3)'>Go</button>",
            "",
            click(),
            "confirmed: dialog \"2\" opened",
        ),
        (
            "endless alerts",
            "<button {S} onclick='for(let i=0;i<100000;i++)alert(\"again\")'>Go</button>",
            "",
            click(),
            "confirmed: dialog \"again\" opened",
        ),
        (
            "busy 3 s",
            "<button {S} onclick='for(const t=Date.now();Date.now()<t+3000;);hit(1)'>Go</button>",
            "",
            click(),
            "confirmed: the page now says \"1\" (1 change)",
        ),
    ];
    check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_do_something_or_nothing() {
    let cases: Vec<Case> = vec![
        (
            "debounced search by key",
            "<input id=b {S}><p id=m></p>",
            "b.focus();let t;b.oninput=()=>{clearTimeout(t);t=setTimeout(()=>{m.textContent='found 3'},300)}",
            press("a"),
            "confirmed: textbox #b holds \"a\"",
        ),
        (
            "enter stolen by autocomplete",
            "<form onsubmit=\"hit('sent');return false\"><input id=b value=he {S}></form>",
            "b.focus();b.onkeydown=e=>{if(e.key==='Enter'){e.preventDefault();b.value='hello'}}",
            press("Enter"),
            "confirmed: textbox #b holds \"hello\"",
        ),
        (
            "escape closes",
            "<dialog id=p>hello</dialog>",
            "p.showModal()",
            press("Escape"),
            "confirmed: 1 change of the page (at dialog #p)",
        ),
        ("tab key", "<input id=x><input id=y>", "x.focus()", press("Tab"), "confirmed: focus moved to textbox #y"),
        ("page down", "<div style='height:4000px'>x</div>", "", press("PageDown"), "confirmed: the page scrolled"),
        ("dead key", "<p>x", "", press("F8"), "no-op suspected: nothing on the page changed"),
    ];
    check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_flood_of_dialogs_the_first_and_the_last_are_told() {
    let body = "<button style='position:absolute;left:300px;top:300px;width:160px;height:44px' onclick='for(let i=1;i<41;i++)alert(i)'>Go</button>";
    let mut rig = Rig::open(&page(body, "")).await;
    assert_eq!(rig.act(&click()).await.to_string(), "confirmed: dialog \"40\" opened");
    let seen = rig.look().await;
    let told: Vec<&str> = seen.dialogs.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(told, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "40"]);
    assert_eq!(seen.notes, ["30 more dialogs opened before the last one"]);
}
