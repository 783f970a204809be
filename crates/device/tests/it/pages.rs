//! Tabs, documents and browsers that come and go.

use crate::rig::{Rig, input, navigate, page, press, tap};
use handeye_core::{Action, Ctx, Device, DeviceCause, Effect, Quiet, Settled};
use handeye_device::web::{Source, WebDevice, WebOptions};
use handeye_testkit::browser::browser;
use handeye_testkit::pages::{PageServer, Pages};
use std::time::Duration;

const SPOT: &str = "class=a style='left:300px;top:300px;width:160px;height:44px'";

#[tokio::test(flavor = "multi_thread")]
async fn a_new_tab_comes_to_the_front_and_goes_again() {
    let body = "<a class=a style='left:300px;top:200px' target=_blank href=two.html>Open invoice</a>\
        <button class=a style='left:300px;top:300px;width:200px;height:44px' onclick=\"setTimeout(function(){window.open('two.html?later')},800)\">Open later</button>";
    let mut rig = Rig::open(&page(body, "")).await;
    let second = page(&format!("<button {SPOT} onclick='window.close()'>Close</button>"), "");
    rig.server.put("/two.html", second.as_str());
    let two = rig.server.url("/two.html");
    let effect = rig.act(&tap(340.0, 208.0)).await;
    assert_eq!(effect.to_string(), format!("confirmed: a tab opened: {two}"));
    let seen = rig.look().await;
    assert_eq!(seen.place.url, two);
    assert_eq!(seen.notes, [format!("a tab was opened and is in front now: {two}")]);
    let size = seen.frame.expect("a frame").image.size;
    assert_eq!((size.width, size.height), (1280.0, 720.0));
    // A tab that closes itself.
    let effect = rig.act(&tap(380.0, 322.0)).await;
    assert!(effect.is_confirmed(), "{effect}");
    assert!(rig.look().await.place.url.ends_with("/page.html"));
    // One that comes late.
    let effect = rig.act(&tap(400.0, 322.0)).await;
    assert_eq!(effect.to_string(), format!("confirmed: a tab opened: {two}?later"));
    let effect = rig.act(&Action::CloseTab).await;
    assert!(effect.because.starts_with("the tab was closed; "), "{effect}");
    assert_eq!(rig.act(&Action::CloseTab).await.to_string(), "refused: it is the only tab");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_of_redirects_ends_where_it_ends() {
    let mut rig = Rig::open(&page(&format!("<button {SPOT} id=go>Sign in</button>"),
        "go.onclick=()=>{var u='/mid.html';for(var i=0;i<3;i++)u='/_redirect?ms=150&to='+encodeURIComponent(u);location.href=u}")).await;
    rig.server.put(
        "/mid.html",
        "<!doctype html><meta http-equiv=refresh content='0.3;url=end.html'><title>mid</title>moving",
    );
    rig.server.put("/end.html", page(&format!("<button {SPOT} onclick=\"hit('ok')\">Welcome</button>"), "").as_str());
    let effect = rig.act(&tap(380.0, 322.0)).await;
    assert!(effect.because.starts_with("the page went to "), "{effect}");
    rig.settle().await;
    // The look may fall into the last hop; it is repeated on the document that came.
    let mut url = String::new();
    for _ in 0..20 {
        url = rig.look().await.place.url;
        if url.ends_with("/end.html") {
            break;
        }
        rig.settle().await;
    }
    assert!(url.ends_with("/end.html"), "{url}");
    rig.act(&tap(380.0, 322.0)).await;
    rig.holds(r#"JSON.stringify(__log)==='["ok"]'"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_with_unsaved_text_is_left_and_told() {
    let body = "<textarea id=t class=a style='left:200px;top:100px;width:400px;height:120px'></textarea>";
    let script = "t.addEventListener('input',function(){window.onbeforeunload=function(e){e.preventDefault();e.returnValue='x';return 'x'}})";
    let mut rig = Rig::open(&page(body, script)).await;
    rig.server.put("/two.html", "<h1>two</h1>");
    assert!(rig.act(&input(400.0, 160.0, "draft")).await.is_confirmed());
    let effect = rig.act(&navigate(&rig.server.url("/two.html"))).await;
    assert!(effect.is_confirmed(), "{effect}");
    assert_eq!(rig.look().await.dialogs.len(), 1);
    rig.holds("location.pathname==='/two.html'");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_never_rests_ends_at_the_cap_and_names_it() {
    let mut rig = Rig::open(&page(&format!("<button {SPOT} id=b>Go</button><p id=p>x</p>"), "")).await;
    rig.holds("(b.onclick=()=>{let n=0;const f=()=>{p.textContent='step '+n++;p.className='c'+Math.random();setTimeout(f,Math.random()*30)};f()},true)");
    let began = rig.cx.instant();
    rig.device.act(&tap(380.0, 322.0), &rig.cx).await.expect("clicked");
    let settled = rig.device.settle(Duration::from_millis(700), &rig.cx).await.expect("waited");
    assert_eq!(settled.by, Quiet::Cap, "{settled:?}");
    assert!(settled.busy.contains("keeps changing"), "{settled:?}");
    assert!(began.elapsed() < Duration::from_secs(3));
    // A request that the click made and that is not answered.
    rig.show(&page(
        &format!("<button {SPOT} id=b>Go</button>"),
        "b.onclick=()=>{hit('x');fetch('/_slow?ms=5000&file=/page.html')}",
    ))
    .await;
    rig.device.act(&tap(380.0, 322.0), &rig.cx).await.expect("clicked");
    let settled = rig.device.settle(Duration::from_millis(700), &rig.cx).await.expect("waited");
    assert_eq!((settled.by, settled.busy.ends_with("/_slow is not answered yet")), (Quiet::Cap, true), "{settled:?}");
    // An answer that is worth waiting for.
    rig.show(&page(
        &format!("<button {SPOT} id=b>Go</button>"),
        "b.onclick=()=>fetch('/_hit?k=a&ms=400').then(()=>hit('answered'))",
    ))
    .await;
    let (effect, settled) = rig.act_and_settle(&tap(380.0, 322.0)).await;
    assert_eq!(effect.to_string(), "confirmed: the page now says \"answered\" (1 change)");
    assert_eq!(settled.by, Quiet::Idle);
}

fn launched(url: String) -> WebOptions {
    let launch = handeye_cdp::LaunchOptions { browser: Some(browser()), ..handeye_cdp::LaunchOptions::default() };
    WebOptions { source: Source::Launch(launch), url, ..WebOptions::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_opened_is_a_clear_error() {
    let cx = Ctx::bare();
    let error = |options: WebOptions| async { WebDevice::open(options, &cx).await.expect_err("it cannot be opened") };
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    let refused = error(launched(format!("http://127.0.0.1:{free}/"))).await;
    assert_eq!(
        refused.to_string(),
        format!("open http://127.0.0.1:{free}/: the connection was refused (net::ERR_CONNECTION_REFUSED)")
    );
    assert!(refused.hint.is_some());
    let blank = error(launched("open the shop".to_owned())).await;
    assert_eq!(blank.to_string(), "open `open the shop`: `open the shop` is not an address: it has blanks in it");
    let size = error(WebOptions { viewport: (0, 5), ..launched(String::new()) }).await;
    assert_eq!(size.to_string(), "open the browser: a viewport of 0x5 is outside 16x16 to 10000x10000");
    let endpoint = format!("http://127.0.0.1:{free}");
    let gone = error(WebOptions { source: Source::Attach(endpoint), ..WebOptions::default() }).await;
    assert!(matches!(gone.cause, DeviceCause::Gone(_)), "{gone:?}");
    assert!(gone.hint.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_of_our_own_is_opened_and_its_end_is_noticed() {
    let server = PageServer::start(Pages::default());
    server.put(
        "/page.html",
        page(&format!("<button {SPOT}>Go</button>"), "new EventSource('/_sse');new Image().src='/_hang'").as_str(),
    );
    let cx = Ctx::bare();
    let began = cx.instant();
    let mut device = WebDevice::open(launched(server.url("/page.html")), &cx).await.expect("it opens");
    assert!(began.elapsed() < Duration::from_secs(15), "a page that hangs does not hold it up: {:?}", began.elapsed());
    let seen = device.observe(&handeye_core::Want::frame(), &cx).await.expect("a look");
    assert_eq!(seen.device_time.len(), 19);
    device.act(&tap(380.0, 322.0), &cx).await.expect("a click");
    // Cancelled waits end at once.
    let cancelled = Ctx::bare();
    cancelled.cancel.cancel();
    let error = device.settle(Duration::from_secs(3), &cancelled).await.expect_err("cancelled");
    assert_eq!(error.cause, DeviceCause::Cancelled);
    let error = device.act(&Action::Sleep { time_ms: 60_000 }, &cancelled).await.expect_err("cancelled");
    assert_eq!(error.cause, DeviceCause::Cancelled);
    Box::new(device).close(&cx).await.expect("it closes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_browser_is_an_error_that_says_so() {
    let mut rig = Rig::open(&page(&format!("<button {SPOT}>Go</button>"), "")).await;
    rig.kill_browser();
    let began = rig.cx.instant();
    let error = rig.device.act(&tap(380.0, 322.0), &rig.cx).await.expect_err("it is dead");
    assert!(error.is_fatal() && error.hint.is_some(), "{error:?}");
    let error = rig.device.observe(&handeye_core::Want::frame(), &rig.cx).await.expect_err("it is dead");
    assert!(error.is_fatal(), "{error:?}");
    let error = rig.device.settle(Duration::from_secs(3), &rig.cx).await.expect_err("it is dead");
    assert!(error.is_fatal(), "{error:?}");
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_crashes_is_an_error_that_says_so() {
    // The page is busy for as long as it lives, so that the crash comes in the middle of something.
    let body = format!("<button {SPOT} onclick='for(;;);'>Go</button>");
    for (when, ms) in [("before the action", 0), ("during the action", 300), ("during the wait", 0)] {
        let mut rig = Rig::open(&page(&body, "onkeydown=()=>setTimeout(()=>{for(;;);},20)")).await;
        let began = rig.cx.instant();
        let error = if when == "during the wait" {
            rig.device.act(&press("a"), &rig.cx).await.expect("a key");
            let killer = rig.kill_renderers_in(Duration::from_millis(300));
            let error = rig.device.settle(Duration::from_secs(3), &rig.cx).await.err();
            killer.join().expect("it ran");
            error
        } else {
            let killer = rig.kill_renderers_in(Duration::from_millis(ms));
            if ms == 0 {
                killer.join().expect("it ran");
            }
            rig.device.act(&tap(380.0, 322.0), &rig.cx).await.err()
        };
        let error = error.expect(when);
        assert!(error.is_fatal() && error.hint.is_some(), "{when}: {error:?}");
        assert!(error.to_string().contains("crashed"), "{when}: {error}");
        assert!(began.elapsed() < Duration::from_secs(4), "{when}: {:?}", began.elapsed());
        let error = rig.device.observe(&handeye_core::Want::frame(), &rig.cx).await.expect_err(when);
        assert!(error.is_fatal() && error.to_string().contains("crashed"), "{when}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_runs_out_of_memory_is_an_error_that_says_so() {
    let server = PageServer::start(Pages::default());
    let eats = "onclick='const a=[];for(;;)a.push(new Array(1e5).fill(a.length))'";
    server.put("/page.html", page(&format!("<button {SPOT} {eats}>Go</button>"), "").as_str());
    let mut options = launched(server.url("/page.html"));
    if let Source::Launch(launch) = &mut options.source {
        launch.extra_args.push("--js-flags=--max-old-space-size=64".to_owned());
    }
    let cx = Ctx::bare();
    let mut device = WebDevice::open(options, &cx).await.expect("it opens");
    let error = match device.act(&tap(380.0, 322.0), &cx).await {
        Ok(_) => device.settle(Duration::from_secs(3), &cx).await.err(),
        Err(error) => Some(error),
    };
    let error = error.expect("the page is gone");
    assert!(error.is_fatal() && error.to_string().contains("crashed"), "{error:?}");
    Box::new(device).close(&cx).await.expect("it closes");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_the_server_is_told_once() {
    let mut rig = Rig::open(&page(&format!("<a href='/_status?code=500&file=/page.html' {SPOT}>Go</a>"), "")).await;
    let own = |rig: &Rig, text: String| text.replace(&rig.server.origin_a(), "http://a");
    rig.look().await;
    let effect = rig.act(&tap(380.0, 322.0)).await.to_string();
    let where_ = "http://a/_status?code=500&file=/page.html";
    let answered = "500 Internal Server Error";
    assert_eq!(own(&rig, effect), format!("confirmed: the page went to {where_} (the server answered {answered})"));
    let notes = rig.look().await.notes.join("|");
    assert_eq!(own(&rig, notes), format!("the server answered {answered} when it was asked for {where_}"));
    assert!(rig.look().await.notes.is_empty());
    for (address, status) in [("/nothing.html", "404 Not Found"), ("/_status?code=503", "503 Service Unavailable")] {
        let url = rig.server.url(address);
        let effect = rig.act(&navigate(&url)).await.to_string();
        assert_eq!(
            own(&rig, effect),
            format!("confirmed: the page is http://a{address} (the server answered {status})")
        );
        assert_eq!(rig.look().await.notes.len(), 1, "{address}");
    }
    let url = rig.server.url("/page.html");
    assert!(rig.act(&navigate(&url)).await.to_string().ends_with("/page.html"));
    assert!(rig.look().await.notes.is_empty());
}

/// A server that takes connections and says nothing.
fn silent_server() -> (std::net::TcpListener, String) {
    let server = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/", server.local_addr().expect("an address"));
    (server, url)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_never_answers_leaves_the_one_before_to_go_on_with() {
    let (_server, silent) = silent_server();
    let body = format!(
        "<a href='{silent}' class=a style='left:300px;top:200px'>Dead link</a><button {SPOT} onclick=\"hit('go')\">Go</button>\
        <input class=a id=i style='left:300px;top:400px' onkeydown=\"if(event.key=='Enter')location.href='{silent}'\">"
    );
    let mut rig = Rig::open(&page(&body, "")).await;
    let here = rig.server.url("/page.html");
    let note = format!(
        "{silent} is on its way and has not answered yet, so this is still the page before; wait for it, go to another page, \
         or go on here, which gives it up"
    );
    let on_its_way = |(effect, settled): (Effect, Settled)| {
        assert_eq!(effect.to_string(), "confirmed: another page is on its way");
        assert_eq!((settled.by, settled.busy.as_str()), (Quiet::Cap, "another document is on its way"));
    };
    rig.act(&input(350.0, 410.0, "tea")).await;
    on_its_way(rig.act_and_settle(&press("Enter")).await);
    // Only the first look waits for it; each says that it has not come.
    for _ in 0..2 {
        let seen = rig.look().await;
        assert!(seen.frame.is_some() && seen.tree.is_none());
        assert_eq!((seen.place.url.as_str(), seen.place.title.as_str()), (here.as_str(), "T"));
        assert_eq!(seen.notes, [note.as_str()]);
        let (_, settled) = rig.act_and_settle(&Action::Sleep { time_ms: 10 }).await;
        assert_eq!(settled.by, Quiet::Cap);
    }
    let began = rig.cx.instant();
    assert!(rig.act(&tap(380.0, 322.0)).await.is_confirmed());
    rig.holds("__log.join()==='go'");
    let seen = rig.look().await;
    assert!(seen.tree.is_some());
    assert_eq!(seen.notes, [format!("{silent} did not answer, and its load was stopped")]);
    // Another address needs nobody to give up the first one.
    on_its_way(rig.act_and_settle(&tap(330.0, 208.0)).await);
    assert!(rig.act(&navigate(&here)).await.is_confirmed());
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
    rig.holds("__log.length===0");
    // The one that comes after all.
    let slow = format!("<a href='/_slow?ms=5000&file=/two.html' {SPOT}>Slow</a>");
    rig.show(&page(&slow, "")).await;
    rig.server.put("/two.html", "<title>Two</title>");
    rig.act(&tap(380.0, 322.0)).await;
    let seen = rig.look().await;
    assert_eq!((seen.place.title.as_str(), seen.notes.len()), ("Two", 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_never_answers_is_closed() {
    let (_server, silent) = silent_server();
    let body = format!(
        "<a target=_blank href='{silent}' {SPOT}>Dead link</a>\
        <button class=a style='left:300px;top:100px;width:160px;height:44px' onclick=\"hit('go')\">Go</button>"
    );
    let mut rig = Rig::open(&page(&body, "")).await;
    let effect = rig.act(&tap(380.0, 322.0)).await;
    assert!(effect.because.starts_with("a tab opened"), "{effect}");
    let seen = rig.look().await;
    assert!(seen.frame.is_some() && seen.tree.is_some());
    assert!(seen.place.url.ends_with("/page.html"), "{}", seen.place.url);
    let note = format!("{silent}, opened in a tab of its own, did not answer: the tab was closed");
    assert!(seen.notes.contains(&note), "{:?}", seen.notes);
    assert!(rig.act(&tap(380.0, 122.0)).await.is_confirmed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_spins_holds_no_step_beyond_the_time_of_the_run() {
    let body = format!("<button {SPOT} onclick='for(;;);'>Go</button>");
    for (name, cancels) in [("deadline", false), ("cancel", true)] {
        let mut rig = Rig::open(&page(&body, "")).await;
        let time = Duration::from_millis(500);
        let cx = Ctx::bare().with_timeout((!cancels).then_some(time));
        let began = cx.instant();
        let (token, steps) = (cx.cancel.clone(), [tap(380.0, 322.0), input(380.0, 322.0, "text")]);
        let run = async {
            for step in &steps {
                let done = rig.device.act(step, &cx).await;
                // The click was sent, and that is all that is known of it.
                assert!(done.is_err() || done.is_ok_and(|effect| !effect.is_confirmed()), "{name}");
            }
        };
        let cancel = async {
            if cancels {
                let _ = tokio::time::timeout(time, std::future::pending::<()>()).await;
                token.cancel();
            }
        };
        tokio::join!(run, cancel);
        assert!(began.elapsed() < Duration::from_secs(4), "{name}: {:?}", began.elapsed());
    }
}
