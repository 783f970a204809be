//! Pages that change by themselves: what happens at the same time as a click is no proof of it, and hides no effect of it.

use crate::rig::{Rig, page, tap};
use handeye_core::Action;
use std::time::Duration;

const SPOT: &str = "class=a style='left:300px;top:300px;width:160px;height:44px'";

/// What changes, and how: each begins as soon as the page is there.
const AMBIENT: [(&str, &str, &str); 20] = [
    ("clock", "<b id=k>0</b>", "setInterval(()=>{k.textContent='it is '+Date.now()},300)"),
    ("chained timers", "<b id=k>0</b>", "let n=0;(function f(){k.textContent=n++;setTimeout(f,260+n%5*30)})()"),
    ("attribute", "<div id=k>x</div>", "let n=0;setInterval(()=>{k.dataset.n=n++},300)"),
    ("class", "<div id=k>x</div>", "setInterval(()=>{k.classList.toggle('on')},300)"),
    (
        "style, every frame",
        "<div id=k class=a style='top:500px'>x</div>",
        "let n=0;(function f(){k.style.left=n++%300+'px';requestAnimationFrame(f)})()",
    ),
    (
        "style, by frames",
        "<div id=k class=a style='top:500px'>x</div>",
        "let n=0;(function f(){if(n++%18===0)k.style.left=n%300+'px';requestAnimationFrame(f)})()",
    ),
    (
        "canvas",
        "<canvas id=k class=a style='left:600px;top:100px' width=300 height=200></canvas>",
        "const x=k.getContext('2d');let n=0;setInterval(()=>{x.fillStyle=`hsl(${n++*40},90%,50%)`;x.fillRect(20,20,160,160)},300)",
    ),
    ("carousel", "<ul id=k><li>one<li>two<li>three</ul>", "setInterval(()=>{k.append(k.firstElementChild)},700)"),
    (
        "slow carousel",
        "<div id=k><p>one</p></div>",
        "let n=0;setInterval(()=>{k.innerHTML='<p>slide '+n+++'</p>'},1500)",
    ),
    ("field", "<input id=k value=0>", "let n=0;setInterval(()=>{k.value=n++},300)"),
    (
        "auto scroll",
        "<div id=k style='width:200px;height:60px;overflow:auto'><div style='width:4000px'>x</div></div>",
        "setInterval(()=>{k.scrollLeft+=40},300)",
    ),
    (
        "page scroll",
        "<div style='height:4000px'>x</div>",
        "setInterval(()=>{document.querySelectorAll('.a').forEach(e=>e.style.position='fixed');scrollBy(0,3)},300)",
    ),
    (
        "polling",
        "<b id=k>0</b>",
        "let n=0;setInterval(async()=>{await fetch('/_hit?poll');k.textContent='polled '+n++},300)",
    ),
    (
        "pop-ups",
        "<div id=k></div>",
        "let n=0;setInterval(()=>{k.innerHTML=n++%2?'':'<div role=dialog>News '+n+'</div>'},450)",
    ),
    ("one banner", "<div id=k></div>", "setTimeout(()=>{k.innerHTML='<div role=dialog>Subscribe</div>'},650)"),
    ("hash", "", "let n=0;setInterval(()=>{history.replaceState(0,'','#'+n++)},300)"),
    ("focus", "<input id=k><input id=l>", "setInterval(()=>{(document.activeElement===k?l:k).focus()},300)"),
    (
        "one reload",
        "",
        "if(performance.getEntriesByType('navigation')[0].type!=='reload')setTimeout(()=>location.reload(),600)",
    ),
    ("one alert", "", "setTimeout(()=>alert('Take part in our survey'),650)"),
    ("an alert at the pointer", "", "b.onmousemove=()=>{b.onmousemove=null;setTimeout(()=>alert('Hello'))}"),
];

/// Buttons that do something.
const LIVE: [(&str, &str); 8] = [
    ("near", "b.onclick=()=>{b.textContent='Went'}"),
    ("far", "b.onclick=()=>hit('x')"),
    ("late", "b.onclick=()=>setTimeout(()=>hit('x'),400)"),
    ("class", "b.onclick=()=>far.classList.toggle('chosen')"),
    (
        "dialog",
        "b.onclick=()=>{const d=document.createElement('dialog');d.textContent='Sure?';document.body.append(d);d.show()}",
    ),
    ("network", "b.onclick=async()=>{await fetch('/_hit?k=x');far.hidden=true}"),
    ("late network", "b.onclick=()=>setTimeout(async()=>{await fetch('/_hit?k=x');hit('done')},150)"),
    ("promises", "b.onclick=async()=>{await null;await new Promise(requestAnimationFrame);hit('x')}"),
];

/// A click on each page, `tries` times, each at another moment of the page's own rhythm.
async fn each(
    ambient: &[(&str, &str, &str)],
    (name, script): (&str, &str),
    tries: u64,
    confirmed: bool,
) -> Vec<String> {
    let mut rig = Rig::open(&page("", "")).await;
    let mut wrong = Vec::new();
    for (kind, body, ticks) in ambient {
        // A handler that does nothing is as dead as none.
        let body = format!("<button id=b {SPOT} onclick='void 0'>Go</button><p id=far>far</p>{body}");
        for turn in 0..tries {
            rig.show(&page(&body, &format!("{script};{ticks}"))).await;
            rig.look().await;
            rig.act(&Action::Sleep { time_ms: turn * 430 / tries }).await;
            let began = rig.cx.instant();
            let effect = rig.act(&tap(380.0, 322.0)).await;
            if effect.is_confirmed() != confirmed || effect.is_failure() || began.elapsed() > Duration::from_secs(5) {
                wrong.push(format!("{name} on a page with {kind}: {effect} ({:?})", began.elapsed()));
            }
        }
    }
    wrong
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_click_is_never_confirmed_by_what_changes_anyway() {
    let parts = AMBIENT.chunks(5).map(|part| each(part, ("nothing", ""), 4, false));
    let wrong = futures_util::future::join_all(parts).await.concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_click_is_confirmed_whatever_changes_anyway() {
    let parts = LIVE.chunks(2).map(|part| async move {
        let mut wrong = Vec::new();
        for live in part {
            wrong.extend(each(&AMBIENT[..15], *live, 1, true).await);
        }
        wrong
    });
    let wrong = futures_util::future::join_all(parts).await.concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
