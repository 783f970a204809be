//! Faults that people reported of other agents, as pages that must come out right.

use crate::rig::{Rig, at, input, navigate, page, press, tap};
use handeye_core::{Action, InputMode, Quiet, ScrollKind};

const GRID: &str = "for(var r=0;r<12;r++)for(var k=0;k<20;k++){var b=document.createElement('button');b.id='c'+r+'_'+k;b.className='a';\
    b.style.cssText='left:'+k*64+'px;top:'+r*60+'px;width:64px;height:60px';b.textContent=r+','+k;b.onclick=function(){hit(this.id)};document.body.appendChild(b)}";

#[tokio::test(flavor = "multi_thread")]
async fn the_aimed_cell_is_hit_at_every_scale() {
    for scale in [1.0, 1.25, 2.0, 3.0] {
        let mut rig = Rig::with(&page("", GRID), |o| o.scale = scale).await;
        let frame = rig.look().await.frame.expect("a frame");
        assert_eq!((frame.image.size.width, frame.image.size.height), (1280.0 * scale, 720.0 * scale));
        assert!((frame.scale - scale).abs() < 0.01, "{}", frame.scale);
        for (x, y) in [(288.0, 210.0), (1120.0, 630.0), (32.0, 30.0)] {
            assert!(rig.act(&tap(x, y)).await.is_confirmed());
        }
        rig.holds(r#"JSON.stringify(__log)==='["c3_4","c10_17","c0_0"]'"#);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn old_text_is_replaced_without_an_untrusted_event() {
    let body = "<input id=i class=a style='left:100px;top:100px;width:300px;height:40px' value='old text'>\
        <textarea id=t class=a style='left:100px;top:180px;width:300px;height:90px'>line one\nline two</textarea>\
        <div id=e class=a style='left:100px;top:320px;width:300px;height:60px' contenteditable>old rich</div>\
        <button class=a style='left:600px;top:100px;width:160px;height:44px' onclick=\"hit('blur')\">blur</button>";
    let script = "var model='old text';i.addEventListener('input',function(ev){if(i.value===''&&!ev.isTrusted)return;model=i.value});\
        i.addEventListener('blur',function(){i.value=model})";
    let mut rig = Rig::open(&page(body, script)).await;
    for y in [120.0, 225.0, 350.0] {
        let effect = rig.act(&input(250.0, y, "new")).await;
        assert_eq!(effect.to_string(), "confirmed: the field holds \"new\"");
    }
    rig.act(&tap(680.0, 122.0)).await;
    rig.holds("i.value==='new'&&model==='new'&&t.value==='new'&&e.textContent==='new'");
    // Emptying tells the page too.
    let clear = Action::ClearInput { locate: Some(at(250.0, 120.0)) };
    assert_eq!(rig.act(&clear).await.to_string(), "confirmed: the field is empty");
    rig.holds("model===''");
}

#[tokio::test(flavor = "multi_thread")]
async fn text_of_any_script_arrives_exactly() {
    let body = "<input id=i class=a style='left:100px;top:100px;width:500px;height:40px'>\
        <textarea id=t class=a style='left:100px;top:180px;width:500px;height:90px'></textarea>\
        <div id=e class=a style='left:100px;top:320px;width:500px;height:60px' contenteditable></div>";
    let mut rig = Rig::open(&page(body, "")).await;
    for text in
        ["价格：￥12，👍🏽 Привет é e\u{301} café", "tab\tquote\"'\\ <b>&amp; ${x}", "עברית العربية हिन्दी 🏳️‍🌈", "a", "Zz9"]
    {
        for (id, y) in [("i", 120.0), ("t", 225.0), ("e", 350.0)] {
            let effect = rig.act(&input(250.0, y, text)).await;
            assert!(effect.is_confirmed(), "{effect}");
            let text = serde_json::to_string(text).expect("a string");
            rig.holds(&format!("(({id}.value??{id}.textContent).replace(/\\u00a0/g,' '))==={text}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn enter_and_chords_have_their_effect() {
    let body = "<form id=f onsubmit=\"hit('submit:'+q.value);return false\"><input id=q class=a style='left:200px;top:100px;width:300px;height:40px'></form>";
    let script = "document.addEventListener('keydown',function(ev){if(ev.key==='Control'||ev.key==='Shift')return;if(ev.ctrlKey)hit('C'+(ev.shiftKey?'S':'')+'-'+ev.key.toLowerCase());else if(ev.key==='ArrowDown')hit('down')});\
        document.addEventListener('keydown',function(ev){if(ev.ctrlKey&&ev.shiftKey)ev.preventDefault()})";
    let mut rig = Rig::open(&page(body, script)).await;
    assert!(rig.act(&input(350.0, 120.0, "tea")).await.is_confirmed());
    for key in ["Enter", "Control+A", "Control+Shift+K", "ArrowDown"] {
        let effect = rig.act(&press(key)).await;
        assert!(effect.is_confirmed(), "{key}: {effect}");
    }
    rig.holds("__log.join()==='submit:tea,C-a,CS-k,down'&&q.value==='tea'");
    // Cut and paste work once, not twice.
    rig.act(&press("Control+A")).await;
    rig.act(&press("Ctrl+X")).await;
    rig.holds("q.value===''");
    rig.act(&press("Cmd+V")).await;
    rig.act(&press("回车")).await;
    let unknown = rig.act(&press("Entr")).await;
    assert!(unknown.to_string().starts_with("refused: `Entr` is not the name of a key"), "{unknown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_lines_in_a_chat_are_not_sent() {
    let body = "<div id=ed class=a style='left:100px;top:100px;width:600px;height:120px' contenteditable><span id=ph>Write…</span></div>";
    let script = "window.sends=0;ed.addEventListener('beforeinput',function(ev){if(window.ph&&ed.contains(document.getElementById('ph'))){var d=document.createElement('div');d.appendChild(document.createElement('br'));ed.innerHTML='';ed.appendChild(d);var r=document.createRange();r.setStart(d,0);getSelection().removeAllRanges();getSelection().addRange(r)}});\
        ed.addEventListener('keydown',function(ev){if(ev.key==='Enter'&&!ev.shiftKey){ev.preventDefault();sends++;ed.innerHTML=''}})";
    let mut rig = Rig::open(&page(body, script)).await;
    let effect = rig.act(&input(400.0, 160.0, "Hello there\nsecond line")).await;
    assert!(effect.is_confirmed(), "{effect}");
    rig.holds(
        r"sends===0&&ed.innerText.replace(/\u00a0/g,' ').trim().replace(/\n+/g,'\n')==='Hello there\nsecond line'",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_that_is_never_idle_holds_nothing_up() {
    let body = "<b id=ck></b><button class=a style='left:300px;top:300px;width:160px;height:44px' onclick=\"hit('rf')\">Refresh</button>";
    let script = "new EventSource('/_sse');fetch('/_hang');setInterval(function(){ck.textContent=Date.now()},100)";
    let mut rig = Rig::open(&page(body, script)).await;
    for _ in 0..2 {
        let (effect, settled) = rig.act_and_settle(&tap(380.0, 322.0)).await;
        assert!(effect.is_confirmed(), "{effect}");
        assert_eq!(settled.by, Quiet::Idle, "{settled:?}");
        assert!(settled.took < 1000, "{settled:?}");
    }
    rig.holds(r#"JSON.stringify(__log)==='["rf","rf"]'"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn hash_navigation_returns_at_once() {
    let body = "<button class=a style='left:300px;top:300px;width:160px;height:44px' onclick=\"hit('go')\">Go</button><div style='height:2000px'></div>";
    let mut rig = Rig::open(&page(body, "addEventListener('hashchange',function(){hit(location.hash)})")).await;
    let started = rig.cx.instant();
    for hash in ["#a", "#b", "#b"] {
        let url = rig.server.url(&format!("/page.html{hash}"));
        let effect = rig.act(&navigate(&url)).await;
        assert!(effect.is_confirmed(), "{effect}");
    }
    rig.act(&tap(380.0, 322.0)).await;
    rig.holds("__log.indexOf('go')>=0&&location.hash==='#b'");
    let back = rig.act(&Action::GoBack).await;
    assert!(back.is_confirmed() && !back.because.contains("address"), "{back}");
    assert!(started.elapsed().as_secs() < 8, "{:?}", started.elapsed());
    for _ in 0..3 {
        rig.act(&Action::GoBack).await;
    }
    let nowhere = rig.act(&Action::GoBack).await;
    assert_eq!(nowhere.to_string(), "refused: there is no page before this one in the tab's history");
    let forward = rig.act(&Action::GoForward).await;
    assert!(forward.is_confirmed(), "{forward}");
    let reload = rig.act(&Action::Reload).await;
    assert!(reload.is_confirmed(), "{reload}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_freezes_nothing() {
    let body = "<button class=a style='left:300px;top:300px;width:160px;height:44px' onclick=\"if(!window.size){alert('choose an option first');hit('warned')}else hit('bought')\">Buy</button>\
        <button class=a style='left:300px;top:200px;width:160px;height:44px' onclick=\"window.size='M';hit('M')\">Size M</button>";
    let mut rig = Rig::open(&page(body, "")).await;
    let (effect, settled) = rig.act_and_settle(&tap(380.0, 322.0)).await;
    assert_eq!(effect.to_string(), "confirmed: dialog \"choose an option first\" opened");
    assert_eq!(settled.by, Quiet::Dialog);
    let seen = rig.look().await;
    assert_eq!(seen.dialogs.len(), 1);
    assert_eq!(seen.dialogs[0].message, "choose an option first");
    rig.act(&tap(380.0, 222.0)).await;
    rig.act(&tap(380.0, 322.0)).await;
    rig.holds(r#"JSON.stringify(__log)==='["warned","M","bought"]'"#);
    assert!(rig.look().await.dialogs.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_inner_list_is_scrolled_and_measured() {
    let body = "<style>html,body{height:100%;overflow:hidden}</style><div id=list class=a style='left:200px;top:100px;width:400px;height:300px;overflow:auto;border:1px solid'></div>";
    let script = "for(var i=1;i<=200;i++){var b=document.createElement('button');b.id='r'+i;b.textContent='Row '+i;b.style.cssText='display:block;width:360px;height:40px';b.onclick=function(){hit(this.id)};list.appendChild(b)}";
    let mut rig = Rig::open(&page(body, script)).await;
    let scroll = |distance, locate| Action::Scroll {
        direction: handeye_core::Direction::Down,
        scroll_type: ScrollKind::SingleAction,
        distance,
        locate,
    };
    let effect = rig.act(&scroll(Some(3000.0), None)).await;
    assert_eq!(
        effect.to_string(),
        "no-op suspected: nothing here scrolls down; what scrolls is div #list at (400, 250)"
    );
    let effect = rig.act(&scroll(Some(7080.0), Some(at(400.0, 250.0)))).await;
    assert_eq!(effect.to_string(), "confirmed: div #list scrolled down by 7080");
    rig.holds("list.scrollTop===7080");
    let bottom = Action::Scroll {
        direction: handeye_core::Direction::Down,
        scroll_type: ScrollKind::ScrollToBottom,
        distance: None,
        locate: Some(at(400.0, 250.0)),
    };
    let effect = rig.act(&bottom).await;
    assert!(effect.to_string().starts_with("confirmed: div #list is at its bottom, "), "{effect}");
    let effect = rig.act(&scroll(None, Some(at(400.0, 250.0)))).await;
    assert_eq!(effect.to_string(), "no-op suspected: div #list is at its bottom already");
}

#[tokio::test(flavor = "multi_thread")]
async fn typing_modes_do_what_they_say() {
    let body = "<input id=i class=a style='left:100px;top:100px;width:500px;height:40px' value='ab'><input id=p type=password class=a style='left:100px;top:180px;width:500px;height:40px'>\
        <input id=d type=date class=a style='left:100px;top:260px;width:500px;height:40px'><input id=n type=number class=a style='left:100px;top:340px;width:500px;height:40px'>\
        <input id=r readonly value=x class=a style='left:100px;top:420px;width:500px;height:40px'>";
    let mut rig = Rig::open(&page(body, "")).await;
    let typed = |mode, locate, value: &str| Action::Input { value: value.to_owned(), mode, locate };
    let i = || Some(at(300.0, 120.0));
    assert_eq!(rig.act(&typed(InputMode::Append, i(), "cd")).await.to_string(), "confirmed: the field holds \"abcd\"");
    assert_eq!(
        rig.act(&typed(InputMode::TypeOnly, None, "e")).await.to_string(),
        "confirmed: the field holds \"abcde\""
    );
    assert_eq!(rig.act(&typed(InputMode::Clear, i(), "")).await.to_string(), "confirmed: the field is empty");
    let effect = rig.act(&input(300.0, 200.0, "geheim12")).await;
    assert_eq!(effect.to_string(), "confirmed: the field holds 8 hidden characters");
    rig.holds("p.value==='geheim12'");
    assert_eq!(
        rig.act(&input(300.0, 280.0, "31 Dec 2025")).await.to_string(),
        "confirmed: the field holds \"2025-12-31\""
    );
    assert_eq!(rig.act(&input(300.0, 360.0, "42")).await.to_string(), "confirmed: the field holds \"42\"");
    assert_eq!(rig.act(&input(300.0, 440.0, "y")).await.to_string(), "refused: textbox #r is read-only");
    let lines = rig.act(&input(300.0, 120.0, "one\ntwo")).await;
    assert_eq!(
        lines.to_string(),
        "confirmed: the field holds \"one two\"; the field takes one line, so line breaks became blanks"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_fields_take_text_too() {
    let boxes = [100, 150, 200, 250]
        .map(|x| format!("<input maxlength=1 class=a id=o{x} style='left:{x}px;top:20px;width:40px;height:40px'>"))
        .concat();
    let body = format!(
        "<div>{boxes}</div><input id=n type=number value=5 class=a style='left:100px;top:100px;width:300px;height:40px'>\
        <input id=m type=email value=a@b.c class=a style='left:100px;top:180px;width:300px;height:40px'><label class=a style='left:100px;top:260px;width:300px;height:60px'>Phone <input id=p></label>\
        <x-shut class=a style='left:100px;top:360px;width:300px;height:40px'></x-shut><input id=x maxlength=3 class=a style='left:100px;top:440px;width:300px;height:40px'>"
    );
    let script = "for(let i=100;i<250;i+=50)document.getElementById('o'+i).oninput=()=>document.getElementById('o'+(i+50)).focus();\
        p.oninput=()=>{p.value=p.value.replace(/\\D/g,'').replace(/^(...)(.+)/,'$1-$2')};\
        customElements.define('x-shut',class extends HTMLElement{constructor(){super();const s=this.attachShadow({mode:'closed'});s.innerHTML='<input style=\"width:280px\">';s.firstChild.oninput=()=>hit('shut:'+s.firstChild.value)}});\
        document.addEventListener('keydown',e=>{if(document.activeElement===document.body)hit('key:'+e.key)})";
    let mut rig = Rig::open(&page(&body, script)).await;
    let mut check = async |x, y, text: &str, want: &str| {
        let effect = rig.act(&input(x, y, text)).await;
        assert_eq!(effect.to_string(), want);
    };
    check(120.0, 40.0, "1234", "confirmed: the field holds \"1234\"").await;
    check(300.0, 120.0, "42", "confirmed: the field holds \"42\"").await;
    check(300.0, 200.0, "new@x.org", "confirmed: the field holds \"new@x.org\"").await;
    check(200.0, 270.0, "5551234", "confirmed: the field holds \"555-1234\", as the page formats it").await;
    check(300.0, 460.0, "abcdef", "unverified: the field holds \"abc\", not \"abcdef\"").await;
    check(200.0, 375.0, "inside", "confirmed: the page now says \"shut:insid,shut:inside\" (2 changes)").await;
    rig.holds("__log.at(-1)==='shut:inside'");
    rig.act(&tap(900.0, 600.0)).await;
    let keys = Action::Input { value: "wo".to_owned(), mode: InputMode::TypeOnly, locate: None };
    assert!(rig.act(&keys).await.is_confirmed());
    rig.holds("__log.slice(-2).join()==='key:w,key:o'");
    let replace = Action::Input { value: "wo".to_owned(), mode: InputMode::Replace, locate: None };
    assert_eq!(
        rig.act(&replace).await.to_string(),
        "refused: no field has the focus; name the field, or click it first"
    );
}
