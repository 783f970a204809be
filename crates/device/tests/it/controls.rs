//! Controls as pages really make them. For each: the right effect, and no wait that is not needed.

use crate::rig::{Rig, at, input, page, tap};
use handeye_core::{Action, Device, Element};
use std::time::Duration;

const SPOT: &str = "style='position:absolute;left:300px;top:300px;width:160px;height:44px'";

/// Name, body (`{S}` is the spot that is acted on), script, action, effect.
pub(crate) type Case = (&'static str, &'static str, &'static str, Action<Element>, &'static str);

pub(crate) async fn check(cases: &[Case]) {
    let mut rig = Rig::open(&page("", "")).await;
    let frame = "<button id=b style='position:absolute;left:0;top:0;width:160px;height:44px'>In</button><input id=n style='position:absolute;left:0;top:50px'>";
    let script = "b.onclick=()=>({'#late':()=>setTimeout(()=>hit('x'),300),'#direct':()=>{parent.out.textContent='from inside'},'#dead':()=>{}}[location.hash]??(()=>hit('x')))()";
    rig.server.put("/inner.html", page(frame, script));
    let mut wrong = Vec::new();
    for (name, body, script, action, want) in cases {
        let body = body.replace("{S}", SPOT).replace("{B}", &rig.server.origin_b());
        rig.show(&page(&body, script)).await;
        rig.look().await;
        let began = rig.cx.instant();
        let first = rig.device.act(action, &rig.cx).await.expect("the action reaches the page");
        let effect = if first.is_failure() { first } else { rig.settle().await.effect.unwrap_or(first) };
        let (took, got) = (began.elapsed(), effect.to_string().replace(&rig.server.origin_a(), "http://a"));
        // What takes longer hangs.
        if &got != want || took > Duration::from_secs(6) {
            wrong.push(format!("{name}: {got} ({took:?})\n  want {want}"));
        }
        if got.contains("a tab opened") {
            rig.act(&Action::CloseTab).await;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

pub(crate) fn click() -> Action<Element> {
    tap(380.0, 322.0)
}
fn typed(text: &str) -> Action<Element> {
    input(380.0, 322.0, text)
}
fn select(option: &str) -> Action<Element> {
    Action::Select { locate: at(380.0, 322.0), option: option.to_owned() }
}
fn drag(from: (f64, f64), to: (f64, f64)) -> Action<Element> {
    Action::DragAndDrop { from: at(from.0, from.1), to: at(to.0, to.1) }
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_of_all_kinds_take_text_or_say_why_not() {
    let cases: Vec<Case> = vec![
        (
            "contenteditable",
            "<div contenteditable {S}>old</div>",
            "",
            typed("new text"),
            "confirmed: the field holds \"new text\"",
        ),
        (
            "contenteditable resets",
            "<div contenteditable id=b {S}>old</div>",
            "b.oninput=()=>setTimeout(()=>{b.textContent='old'},50)",
            typed("new"),
            "reverted: the field holds \"old\" again: the page put the old content back",
        ),
        (
            "mask phone",
            "<input id=b {S}>",
            "b.oninput=()=>{let d=b.value.replace(/\\D/g,'').slice(0,10);b.value=d.replace(/^(\\d{3})(\\d{3})(\\d+)/,'($1) $2-$3')}",
            typed("5551234567"),
            "confirmed: the field holds \"(555) 123-4567\", as the page formats it",
        ),
        (
            "mask digits only",
            "<input id=b {S}>",
            "b.oninput=()=>{b.value=b.value.replace(/\\D/g,'')}",
            typed("abc"),
            "no-op suspected: the field is empty, as before; it does not take \"abc\"",
        ),
        (
            "uppercases",
            "<input id=b {S}>",
            "b.oninput=()=>{b.value=b.value.toUpperCase()}",
            typed("abc"),
            "confirmed: the field holds \"ABC\", as the page formats it",
        ),
        (
            "rerender on key",
            "<div id=w {S}><input id=b value=''></div>",
            "let v='';function r(){w.innerHTML='<input style=\"width:150px;height:40px\">';const e=w.firstChild;e.value=v;e.oninput=()=>{v=e.value;r();w.firstChild.focus();w.firstChild.setSelectionRange(v.length,v.length)}}r()",
            typed("hello"),
            "confirmed: the field holds \"hello\"",
        ),
        (
            "rerender on key loses focus",
            "<div id=w {S}><input id=b value=''></div>",
            "let v='';function r(){w.innerHTML='<input style=\"width:150px;height:40px\">';const e=w.firstChild;e.value=v;e.oninput=()=>{v=e.value;r()}}r()",
            typed("hello"),
            "unverified: the field holds \"hell\", not \"hello\"",
        ),
        (
            "controlled ignores",
            "<input id=b value=fixed {S}>",
            "b.oninput=()=>{b.value='fixed'}",
            typed("hello"),
            "no-op suspected: the field holds \"fixed\", as before; it does not take \"hello\"",
        ),
        (
            "react tracker",
            "<input id=b {S}><p id=m></p>",
            "let last='';b.addEventListener('input',()=>{if(b.value===last)return;last=b.value;m.textContent='model '+last})",
            typed("hello"),
            "confirmed: the field holds \"hello\"; the page now says \"model hello\"",
        ),
        (
            "number out of range",
            "<input type=number min=1 max=5 {S}>",
            "",
            typed("9"),
            "confirmed: the field holds \"9\", which the page calls invalid",
        ),
        (
            "number letters",
            "<input type=number {S}>",
            "",
            typed("abc"),
            "no-op suspected: the field is empty, as before; it does not take \"abc\"",
        ),
        (
            "range",
            "<input type=range min=0 max=10 id=b {S}>",
            "b.oninput=()=>hit('r'+b.value)",
            typed("7"),
            "confirmed: the field holds \"7\"; the page now says \"r7\"",
        ),
        (
            "range out",
            "<input type=range min=0 max=10 id=b {S}>",
            "",
            typed("70"),
            "unverified: the field holds \"10\", not \"70\"",
        ),
        (
            "date",
            "<input type=date min=2025-01-01 max=2025-12-31 {S}>",
            "",
            typed("2026-02-03"),
            "confirmed: the field holds \"2026-02-03\", which the page calls invalid",
        ),
        (
            "date nonsense",
            "<input type=date {S}>",
            "",
            typed("tomorrow"),
            "refused: textbox cannot hold \"tomorrow\"; it takes values such as \"2025-12-31\"",
        ),
        ("time", "<input type=time {S}>", "", typed("7:05 pm"), "confirmed: the field holds \"19:05\""),
        ("color", "<input type=color {S}>", "", typed("red"), "confirmed: the field holds \"#ff0000\""),
        (
            "select back 100",
            "<select id=b {S}><option>A<option>B</select>",
            "b.onchange=()=>setTimeout(()=>{b.value='A'},100)",
            select("B"),
            "reverted: the list shows \"A\" again: the page put the old option back",
        ),
        (
            "select back after fetch",
            "<select id=b {S}><option>A<option>B</select>",
            "b.onchange=async()=>{await fetch('/_hit?k=s&ms=400');b.value='A'}",
            select("B"),
            "reverted: the list shows \"A\" again: the page put the old option back",
        ),
        (
            "select rerender",
            "<div id=w {S}><select id=b><option>A<option>B</select></div>",
            "b.onchange=()=>{w.innerHTML='<select id=b><option>A<option selected>B</select>'}",
            select("B"),
            "confirmed: the list shows \"B\" instead of \"A\"",
        ),
        (
            "select multiple",
            "<select id=b multiple {S}><option selected>A<option>B</select>",
            "",
            select("B"),
            "confirmed: the list shows \"A, B\" instead of \"A\"",
        ),
    ];
    check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clicks_on_controls_of_all_kinds() {
    let cases: Vec<Case> = vec![
        (
            "aria checkbox late 300",
            "<div role=checkbox aria-checked=false tabindex=0 id=b {S}>Wifi</div>",
            "b.onclick=()=>setTimeout(()=>b.setAttribute('aria-checked','true'),300)",
            click(),
            "confirmed: it is now checked",
        ),
        (
            "aria checkbox late 900",
            "<div role=checkbox aria-checked=false tabindex=0 id=b {S}>Wifi</div>",
            "b.onclick=()=>setTimeout(()=>b.setAttribute('aria-checked','true'),900)",
            click(),
            "confirmed: it is now checked",
        ),
        (
            "aria checkbox flips back 20",
            "<div role=checkbox aria-checked=false tabindex=0 id=b {S}>Wifi</div>",
            "b.onclick=()=>{b.setAttribute('aria-checked','true');setTimeout(()=>b.setAttribute('aria-checked','false'),20)}",
            click(),
            "reverted: it went back to not checked at once",
        ),
        (
            "switch inside label",
            "<label {S}><input type=checkbox style='opacity:0;width:0;height:0'>Dark</label>",
            "",
            click(),
            "confirmed: it is now checked",
        ),
        (
            "checkbox display none",
            "<label {S}><input type=checkbox style='display:none' id=c>Dark<span id=s></span></label>",
            "c.onchange=()=>{s.className='on'}",
            click(),
            "confirmed: it is now checked",
        ),
        (
            "transparent overlay",
            "<button onclick='hit(1)' {S}>Go</button><div style='position:fixed;inset:0;opacity:0'></div>",
            "",
            click(),
            "no-op suspected: the click arrived, and nothing on the page changed",
        ),
        (
            "pointer-events none overlay",
            "<button onclick='hit(1)' {S}>Go</button><div style='position:fixed;inset:0;pointer-events:none;background:rgba(0,0,0,.2)'></div>",
            "",
            click(),
            "confirmed: the page now says \"1\" (1 change)",
        ),
        (
            "animating in",
            "<style>@keyframes m{from{transform:translateY(-200px)}}</style><button id=b style='animation:m .6s;position:absolute;left:300px;top:300px;width:160px;height:44px' onclick='hit(1)'>Go</button>",
            "",
            click(),
            "confirmed: the page now says \"1\" (1 change)",
        ),
        (
            "disabled after click",
            "<button id=b {S}>Go</button>",
            "b.onclick=()=>{b.disabled=true}",
            click(),
            "confirmed: 1 change of the page (at button \"Go\")",
        ),
        (
            "removed on click",
            "<button id=b {S}>Go</button>",
            "b.onclick=()=>b.remove()",
            click(),
            "confirmed: 1 change of the page (at the page)",
        ),
        (
            "removed late",
            "<button id=b {S}>Go</button>",
            "b.onclick=()=>setTimeout(()=>b.remove(),300)",
            click(),
            "unverified: 1 change of the page (at the page), which may have happened by itself",
        ),
        (
            "fades and is removed",
            "<button id=b {S}>Go</button>",
            "b.onclick=()=>{b.style.transition='opacity .3s';b.style.opacity=0;setTimeout(()=>b.remove(),300)}",
            click(),
            "confirmed: 3 changes of the page (at the page)",
        ),
        (
            "show hidden late",
            "<button id=b {S}>Go</button><div id=m hidden>Menu entries</div>",
            "b.onclick=()=>setTimeout(()=>{m.hidden=false},250)",
            click(),
            "unverified: 1 change of the page (at generic \"Menu entries\"), which may have happened by itself",
        ),
        (
            "navigates late 500",
            "<button id=b {S}>Go</button>",
            "b.onclick=()=>setTimeout(()=>{location.href='/page.html?n'},500)",
            click(),
            "confirmed: the page went to http://a/page.html?n",
        ),
        (
            "blank link",
            "<a target=_blank href='/inner.html' {S}>Go</a>",
            "",
            click(),
            "confirmed: a tab opened: http://a/inner.html",
        ),
        (
            "window.open late",
            "<button id=b {S}>Go</button>",
            "b.onclick=()=>setTimeout(()=>open('/inner.html'),300)",
            click(),
            "confirmed: a tab opened: http://a/inner.html",
        ),
        (
            "popover target",
            "<button popovertarget=p {S}>Go</button><div id=p popover>Hi there</div>",
            "",
            click(),
            "confirmed: generic \"Hi there\" opened",
        ),
        (
            "command show-modal",
            "<button commandfor=p command=show-modal {S}>Go</button><dialog id=p>Hi there</dialog>",
            "",
            click(),
            "confirmed: dialog #p opened",
        ),
        (
            "dialog close form",
            "<dialog id=p style='left:0;top:0;margin:0;width:800px;height:600px'><form method=dialog><button {S}>Close</button></form></dialog>",
            "p.showModal()",
            click(),
            "confirmed: 1 change of the page (at dialog #p), the page saw `submit`",
        ),
        (
            "form reset",
            "<form><input value=a id=x><button type=reset {S}>Reset</button></form>",
            "x.value='b'",
            click(),
            "confirmed: textbox #x holds \"a\"",
        ),
        ("radio", "<input type=radio name=r {S}>", "", click(), "confirmed: it is now checked"),
        (
            "radio again",
            "<input type=radio name=r checked {S}>",
            "",
            click(),
            "confirmed: it is selected, as it was before",
        ),
        (
            "tab role",
            "<div role=tab aria-selected=false id=b {S}>Two</div><div id=p>one</div>",
            "b.onclick=()=>{b.setAttribute('aria-selected','true');p.textContent='two'}",
            click(),
            "confirmed: it is now selected; the page now says \"two\"",
        ),
        ("details", "<details><summary {S}>More</summary>text</details>", "", click(), "confirmed: it is now expanded"),
        (
            "video play",
            "<button id=b {S}>Play</button><video id=v></video>",
            "b.onclick=()=>v.play().catch(()=>{})",
            click(),
            "confirmed: the page saw `play`",
        ),
        (
            "smooth scroll button",
            "<button id=b {S}>Down</button><div style='height:3000px'></div>",
            "b.onclick=()=>scrollTo({top:1500,behavior:'smooth'})",
            click(),
            "unverified: the page scrolled, which may have happened by itself",
        ),
        (
            "range tap",
            "<input type=range min=0 max=10 value=0 id=b {S}>",
            "",
            click(),
            "confirmed: slider #b holds \"5\"",
        ),
        (
            "html drag",
            "<div id=c draggable=true style='position:absolute;left:100px;top:100px;width:80px;height:40px;background:#ccc'>card</div><div id=d style='position:absolute;left:500px;top:100px;width:200px;height:200px;border:1px solid'>drop</div>",
            "c.ondragstart=e=>e.dataTransfer.setData('text','x');d.ondragover=e=>e.preventDefault();d.ondrop=e=>{e.preventDefault();d.textContent='got '+e.dataTransfer.getData('text')}",
            drag((140.0, 120.0), (600.0, 200.0)),
            "confirmed: the page now says \"got x\" (1 change)",
        ),
        (
            "html drag refused",
            "<div id=c draggable=true style='position:absolute;left:100px;top:100px;width:80px;height:40px;background:#ccc'>card</div><div id=d style='position:absolute;left:500px;top:100px;width:200px;height:200px;border:1px solid'>drop</div>",
            "c.ondragstart=e=>e.dataTransfer.setData('text','x')",
            drag((140.0, 120.0), (600.0, 200.0)),
            "refused: the page takes nothing that is dropped there",
        ),
        (
            "drag slider",
            "<input type=range id=r min=0 max=100 value=0 style='position:absolute;left:100px;top:100px;width:400px'>",
            "",
            drag((108.0, 110.0), (300.0, 110.0)),
            "confirmed: slider #r holds \"49\"",
        ),
        (
            "file button click",
            "<button {S} onclick='f.click()'>Pick</button><input type=file id=f hidden>",
            "",
            click(),
            "confirmed: a file chooser opened",
        ),
    ];
    check(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_put_back_later_is_told_with_the_next_look() {
    let mut rig = Rig::open(&page("", "")).await;
    for (body, script, action, want) in [
        (
            "<select aria-label=Size id=b {S}><option>A<option>B</select>",
            "b.onchange=()=>setTimeout(()=>{b.value='A'},600)",
            select("B"),
            "combobox \"Size\": the list shows \"A\" again: the page put the old option back",
        ),
        (
            "<input aria-label=Name id=b value=fixed {S}>",
            "b.oninput=()=>setTimeout(()=>{b.value='fixed'},300)",
            typed("hello"),
            "textbox \"Name\": the field holds \"fixed\" again: the page put the old content back",
        ),
        (
            "<input type=checkbox aria-label=Wifi id=b {S}>",
            "b.onchange=()=>setTimeout(()=>{b.checked=false},500)",
            click(),
            "checkbox \"Wifi\": it is not checked again: the page put the old state back",
        ),
    ] {
        rig.show(&page(&body.replace("{S}", SPOT), script)).await;
        assert!(rig.act(&action).await.is_confirmed());
        assert!(rig.look().await.notes.is_empty());
        // Nothing is done meanwhile, for a step would end the watch: it is only looked at.
        let until = rig.cx.instant() + Duration::from_secs(3);
        let mut notes = Vec::new();
        while notes.is_empty() && rig.cx.instant() < until {
            notes = rig.look().await.notes;
        }
        assert_eq!(notes, [want]);
        assert!(rig.look().await.notes.is_empty(), "it is told once");
        // The next step finds it too, before it does anything.
        rig.show(&page(&body.replace("{S}", SPOT), script)).await;
        assert!(rig.act(&action).await.is_confirmed());
        let state = |rig: &Rig| rig.text("b.value+b.checked");
        let (set, until) = (state(&rig), rig.cx.instant() + Duration::from_secs(3));
        while state(&rig) == set && rig.cx.instant() < until {}
        rig.act(&tap(700.0, 600.0)).await;
        assert_eq!(rig.look().await.notes, [want]);
    }
}
