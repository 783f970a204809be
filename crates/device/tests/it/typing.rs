//! Editors and fields that take text in ways of their own.

use crate::rig::{Rig, at, input, page, press};
use handeye_core::{Action, InputMode};

const EDITOR: &str =
    "<div id=ed class=a style='left:100px;top:100px;width:600px;height:160px;border:1px solid' contenteditable></div>";

/// An editor with this script takes this text: the last part is true in the page then.
async fn check(script: &str, text: &str, effect: &str, holds: &str) {
    let mut rig = Rig::open(&page(EDITOR, script)).await;
    let seen = rig.act(&input(400.0, 180.0, text)).await;
    assert_eq!(seen.to_string(), effect, "{script}");
    rig.holds(holds);
}

#[tokio::test(flavor = "multi_thread")]
async fn editors_that_want_keys_get_keys() {
    let own = "window.m='';ed.addEventListener('beforeinput',e=>e.preventDefault());ed.addEventListener('keydown',e=>{if(e.ctrlKey)return;\
        if(e.key.length===1){e.preventDefault();m+=e.key;ed.textContent=m}else if(e.key==='Backspace'){e.preventDefault();m=m.slice(0,-1);ed.textContent=m}})";
    check(own, "Hello there", "confirmed: the field holds \"Hello there\"", "m==='Hello there'").await;
    let model = "window.m='';ed.addEventListener('keydown',e=>{if(!e.ctrlKey&&e.key.length===1){m+=e.key;e.preventDefault();ed.textContent=m}})";
    check(model, "Key by key", "confirmed: the field holds \"Key by key\"", "m==='Key by key'").await;
    let vetoes = "let kd=false;ed.addEventListener('keydown',()=>{kd=true});ed.addEventListener('beforeinput',e=>{if(!kd)e.preventDefault();kd=false})";
    check(vetoes, "Typed for real", "confirmed: the field holds \"Typed for real\"", "ed.innerText==='Typed for real'")
        .await;
    // What the page takes out of its field is not typed a second time.
    let takes = "window.m='';ed.addEventListener('input',()=>{m+=ed.textContent;ed.textContent=''})";
    check(
        takes,
        "code line",
        "no-op suspected: the field is empty, as before; it does not take \"code line\"",
        "m==='code line'",
    )
    .await;
    // What takes nothing is told after the second try too.
    let shut = "ed.addEventListener('beforeinput',e=>e.preventDefault())";
    check(shut, "no", "no-op suspected: the field is empty, as before; it does not take \"no\"", "ed.innerText===''")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_that_want_keys_get_keys() {
    let body = "<input id=i value=old class=a style='left:100px;top:100px;width:300px;height:40px'>\
        <canvas id=cv tabindex=0 class=a style='left:100px;top:200px;width:600px;height:160px;border:1px solid'></canvas>";
    let script = "let kd=false;i.onkeydown=()=>{kd=true};i.onbeforeinput=e=>{if(!kd)e.preventDefault();kd=false};\
        window.m='';cv.onkeydown=e=>{if(e.key.length===1)m+=e.key;if(e.key==='Enter')m+='\\n'};cv.onclick=()=>cv.focus()";
    let mut rig = Rig::open(&page(body, script)).await;
    assert_eq!(rig.act(&input(250.0, 120.0, "new text")).await.to_string(), "confirmed: the field holds \"new text\"");
    rig.holds("i.value==='new text'");
    let effect = rig.act(&input(400.0, 280.0, "ls -la\n")).await;
    assert!(!effect.is_failure() && !effect.is_confirmed(), "{effect}");
    rig.holds("m==='ls -la\\n'");
    let clear = Action::ClearInput { locate: Some(at(400.0, 280.0)) };
    assert!(rig.act(&clear).await.to_string().starts_with("refused: no field has the focus"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_is_drawn_anew_at_the_first_input_holds_the_whole_text() {
    let body = "<div id=w class=a style='left:100px;top:100px;width:300px;height:60px'></div>";
    let script = "function mk(v){w.innerHTML='';const n=document.createElement('input');n.value=v;n.style.cssText='width:300px;height:60px';\
        n.oninput=()=>{if(!n.k){n.k=1;const val=n.value;setTimeout(()=>{if(n.isConnected&&val!==''){mk(val);w.firstChild.k=1;w.firstChild.focus();w.firstChild.setSelectionRange(99,99)}},0)}};w.appendChild(n)}mk('old text')";
    let mut rig = Rig::open(&page(body, script)).await;
    assert_eq!(rig.act(&input(250.0, 130.0, "new")).await.to_string(), "confirmed: the field holds \"new\"");
    rig.holds("w.firstChild.value==='new'");
    // One that is drawn anew a little later is read where it is then.
    rig.show(&page(body, &script.replace(",0)}", ",30)}"))).await;
    rig.holds("(w.firstChild.oninput=()=>setTimeout(()=>{mk('lost')},30),true)");
    let effect = rig.act(&input(250.0, 130.0, "new")).await;
    assert_eq!(effect.to_string(), "unverified: the field holds \"lost\", not \"new\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_line_break_is_no_formatting() {
    let eats = "ed.addEventListener('keydown',e=>{if(e.key==='Enter')e.preventDefault()})";
    check(eats, "hi @bob\nbye", "unverified: the field holds \"hi @bobbye\", not \"hi @bob\\nbye\"", "true").await;
    check("", "hi @bob\nbye", "confirmed: the field holds \"hi @bob\\nbye\"", "true").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blanks_stay_as_many_as_they_are() {
    for (style, blanks) in [
        ("normal", "ed.textContent==='two \\u00a0spaces \\u00a0 three'"),
        ("pre-wrap", "ed.textContent==='two  spaces   three'"),
    ] {
        let script = format!("ed.style.whiteSpace='{style}'");
        check(&script, "two  spaces   three", "confirmed: the field holds \"two  spaces   three\"", blanks).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_every_spelling_arrive() {
    let body = "<input id=q class=a style='left:100px;top:100px;width:300px;height:40px'>";
    let script = "window.keys=[];q.onkeydown=e=>{if(e.key.length>1)return;if(e.ctrlKey||e.metaKey){keys.push((e.ctrlKey?'C':'M')+(e.shiftKey?'S':'')+e.key);e.preventDefault()}};q.focus()";
    let mut rig = Rig::open(&page(body, script)).await;
    let typed = Action::Input { value: "x".to_owned(), mode: InputMode::TypeOnly, locate: None };
    rig.act(&typed).await;
    for keys in ["control a", "ctrl-shift-p", "⌘K", "é", "Space", "B"] {
        let effect = rig.act(&press(keys)).await;
        assert!(!effect.is_failure(), "{keys}: {effect}");
    }
    rig.holds("keys.join()==='Ca,CSP,Mk'&&q.value==='xé B'");
}
