//! The other verbs, each on a page that needs the real thing.

use crate::rig::{Rig, at, page, press, tap};
use handeye_core::{Action, Direction, ScrollKind};

const SPOT: &str = "class=a style='left:300px;top:300px;width:160px;height:44px'";

#[tokio::test(flavor = "multi_thread")]
async fn clicks_of_all_kinds() {
    let script = "for(const e of ['click','dblclick','contextmenu','mouseenter'])b.addEventListener(e,v=>{hit(e+v.detail+v.button);if(e==='contextmenu')v.preventDefault()});\
        let down;b.onpointerdown=()=>{down=performance.now()};b.onpointerup=()=>{if(performance.now()-down>300)hit('long')}";
    let mut rig = Rig::open(&page(&format!("<button id=b {SPOT}>B</button>"), script)).await;
    let spot = || at(380.0, 322.0);
    let hover = rig.act(&Action::Hover { locate: spot() }).await;
    assert_eq!(
        hover.to_string(),
        "confirmed: the pointer is on button \"B\" at (380, 322); the page now says \"mouseenter00\" (1 change)"
    );
    assert!(rig.act(&Action::DoubleClick { locate: spot() }).await.is_confirmed());
    assert!(rig.act(&Action::RightClick { locate: spot() }).await.is_confirmed());
    rig.holds("__log.join()==='mouseenter00,click10,click20,dblclick20,contextmenu02'");
    assert!(rig.act(&Action::LongPress { locate: spot(), duration: 350 }).await.is_confirmed());
    rig.holds("__log.includes('long')");
}

#[tokio::test(flavor = "multi_thread")]
async fn dragging_with_pointer_and_with_the_pages_own_drag_and_drop() {
    let body = "<div id=card class=a style='left:100px;top:100px;width:160px;height:60px;background:#cde' draggable=true>card</div>\
        <div id=done_ class=a style='left:600px;top:100px;width:260px;height:300px;border:1px solid'>Done</div>\
        <div id=tr class=a style='left:100px;top:500px;width:400px;height:20px;background:#ccc'></div><div id=kn class=a style='left:100px;top:490px;width:20px;height:40px;background:#339'></div>";
    let script = "window.drops=0;window.minb=9;card.ondragstart=function(e){e.dataTransfer.setData('text','x')};done_.ondragover=function(e){e.preventDefault()};done_.ondrop=function(e){e.preventDefault();drops++;done_.appendChild(card)};\
        window.val=0;var dn=false;kn.onpointerdown=function(e){dn=true;kn.setPointerCapture(e.pointerId)};kn.onpointermove=function(e){if(!dn)return;minb=Math.min(minb,e.buttons);var x=Math.max(0,Math.min(400,e.clientX-100));val=Math.round(x/4);kn.style.left=(90+x)+'px'};kn.onpointerup=function(){dn=false}";
    let mut rig = Rig::open(&page(body, script)).await;
    let drag = |from, to| Action::DragAndDrop { from, to };
    let effect = rig.act(&drag(at(180.0, 130.0), at(730.0, 250.0))).await;
    assert!(effect.is_confirmed(), "{effect}");
    let effect = rig.act(&drag(at(110.0, 510.0), at(420.0, 510.0))).await;
    assert!(effect.is_confirmed(), "{effect}");
    rig.holds("drops===1&&Math.abs(val-80)<=2&&minb===1");
    let effect = rig.act(&drag(at(1000.0, 600.0), at(1100.0, 600.0))).await;
    assert_eq!(effect.to_string(), "no-op suspected: nothing on the page changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn native_lists_are_chosen_from_by_text() {
    let body = "<select id=city class=a style='left:300px;top:200px;width:240px;height:40px'><optgroup label='A-K'><option>Aachen</option><option>Köln</option></optgroup><optgroup label='L-Z'><option disabled>Leipzig</option><option value=m>München</option></optgroup></select>\
        <select id=sticky class=a style='left:300px;top:300px;width:240px;height:40px'><option>Small<option>Large</select>\
        <div id=own role=combobox class=a style='left:300px;top:400px;width:240px;height:40px'>Pick</div>";
    let script = "city.addEventListener('input',function(){hit('i:'+city.value)});city.addEventListener('change',function(){hit('c:'+city.value)});sticky.onchange=()=>setTimeout(()=>{sticky.value='Small'},20)";
    let mut rig = Rig::open(&page(body, script)).await;
    let select = |y, option: &str| Action::Select { locate: at(420.0, y), option: option.to_owned() };
    let effect = rig.act(&select(220.0, "köln")).await;
    assert_eq!(
        effect.to_string(),
        "confirmed: the list shows \"Köln\" instead of \"Aachen\"; the page now says \"i:Köln,c:Köln\""
    );
    rig.holds(r#"city.value==="Köln"&&JSON.stringify(__log)===JSON.stringify(["i:Köln","c:Köln"])"#);
    let effect = rig.act(&select(220.0, "Atlantis")).await;
    assert_eq!(
        effect.to_string(),
        "refused: \"Atlantis\" is no option of combobox #city; its options are \"Aachen\", \"Köln\", \"Leipzig (disabled)\", \"München\""
    );
    let effect = rig.act(&select(220.0, "Leipzig")).await;
    assert_eq!(effect.to_string(), "refused: the option \"Leipzig\" of combobox #city is disabled");
    let effect = rig.act(&select(320.0, "Large")).await;
    assert_eq!(effect.to_string(), "reverted: the list shows \"Small\" again: the page put the old option back");
    let effect = rig.act(&select(420.0, "A")).await;
    assert_eq!(
        effect.to_string(),
        "refused: combobox #own is no native list but one of the page's own making: open it with a click, then click the option"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_given_to_fields_and_to_choosers() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("报告 一.txt"), "Hello, world!").expect("a file");
    std::fs::write(folder.path().join("b.csv"), "a,b\n1,2\n").expect("a file");
    let body = "<button id=pick class=a style='left:300px;top:200px;width:200px;height:44px' onclick=\"f.click()\">Choose files</button><input id=f type=file multiple style='display:none'>\
        <input id=g type=file aria-label=Photo class=a style='left:300px;top:300px;width:300px;height:44px'><button class=a style='left:300px;top:400px;width:200px;height:44px'>Nothing</button>";
    let script = "for(const e of [f,g])e.onchange=()=>hit([...e.files].map(x=>x.name+':'+x.size).join('|'))";
    let allowed = folder.path().to_owned();
    let mut rig = Rig::with(&page(body, script), |o| o.uploads = vec![allowed]).await;
    let upload = |x, y, files: &[&str]| Action::Upload {
        locate: at(x, y),
        files: files.iter().map(|&f| f.to_owned()).collect(),
    };
    let effect = rig.act(&upload(400.0, 222.0, &["报告 一.txt", "b.csv"])).await;
    assert_eq!(
        effect.to_string(),
        "confirmed: the file chooser of button \"Choose files\" got 报告 一.txt, b.csv; the page now says \"报告 一.txt:13|b.csv:8\""
    );
    let effect = rig.act(&upload(350.0, 322.0, &["b.csv"])).await;
    assert_eq!(
        effect.to_string(),
        "confirmed: the field got b.csv; the page now says \"报告 一.txt:13|b.csv:8,b.csv:8\""
    );
    rig.holds("__log.join()==='报告 一.txt:13|b.csv:8,b.csv:8'");
    let effect = rig.act(&upload(350.0, 322.0, &["b.csv", "报告 一.txt"])).await;
    assert_eq!(effect.to_string(), "refused: button \"Photo\" takes one file only");
    let effect = rig.act(&upload(350.0, 322.0, &["/etc/passwd"])).await;
    assert_eq!(effect.to_string(), "refused: the file /etc/passwd is not among those that may be given to pages");
    let effect = rig.act(&upload(400.0, 422.0, &["b.csv"])).await;
    assert_eq!(effect.to_string(), "refused: button \"Nothing\" opened no file chooser");
    // A plain click on such a button says what it did.
    let effect = rig.act(&tap(400.0, 222.0)).await;
    assert_eq!(effect.to_string(), "confirmed: a file chooser opened");
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_scrolled_to_an_end_that_moves_away() {
    let body = "<div id=l style='height:3000px'>x</div>";
    let script = "let n=0;addEventListener('scroll',()=>{if(n<3&&scrollY+innerHeight>=document.documentElement.scrollHeight-5){n++;setTimeout(()=>{l.style.height=3000+n*1500+'px'},150)}})";
    let mut rig = Rig::open(&page(body, script)).await;
    let to = |scroll_type| Action::Scroll { direction: Direction::Down, scroll_type, distance: None, locate: None };
    let effect = rig.act(&to(ScrollKind::ScrollToBottom)).await;
    assert_eq!(effect.to_string(), "confirmed: the page is at its bottom, 6780 further");
    let effect = rig.act(&to(ScrollKind::ScrollToTop)).await;
    assert_eq!(effect.to_string(), "confirmed: the page is at its top, 6780 further");
    let effect = rig.act(&to(ScrollKind::ScrollToTop)).await;
    assert_eq!(effect.to_string(), "confirmed: the page is at its top already");
    let effect = rig.act(&to(ScrollKind::SingleAction)).await;
    assert_eq!(effect.to_string(), "confirmed: the page scrolled down by 540");
    let effect = rig.act(&to(ScrollKind::ScrollToRight)).await;
    assert_eq!(effect.to_string(), "no-op suspected: nothing here scrolls to the right");
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_go_to_what_is_named_without_pressing_it() {
    let body = "<button id=b class=a style='left:300px;top:300px;width:160px;height:44px' onclick=\"hit('pressed')\">Go</button><input id=i class=a style='left:300px;top:400px;width:160px;height:44px' value=abc>";
    let mut rig = Rig::open(&page(body, "b.onkeydown=e=>hit(e.key)")).await;
    let key = |name: &str, y| Action::KeyboardPress { key_name: name.to_owned(), locate: Some(at(380.0, y)) };
    assert!(rig.act(&key("F2", 322.0)).await.is_confirmed());
    rig.holds("__log.join()==='F2'");
    assert!(rig.act(&key("Home", 422.0)).await.is_confirmed());
    rig.holds("document.activeElement===i&&i.selectionStart===0");
    assert!(rig.act(&Action::CursorMove { direction: Direction::Right, times: 2 }).await.is_confirmed());
    rig.holds("i.selectionStart===2");
    assert_eq!(rig.act(&press("Shift+Tab")).await.to_string(), "confirmed: focus moved to button \"Go\"");
    assert_eq!(rig.act(&press("F9")).await.to_string(), "confirmed: the page now says \"F2,F9\" (1 change)");
    let dead = rig.act(&press("Shift")).await;
    assert!(!dead.is_failure());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_that_opens_a_chooser_gives_it_the_files_that_were_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("b.csv");
    std::fs::write(&file, "a,b\n").expect("a file");
    let body = "<button class=a style='left:300px;top:200px;width:200px;height:44px' onclick=\"f.click()\">Choose</button><input id=f type=file style='display:none'>";
    let mut rig = Rig::with(&page(body, "f.onchange=()=>hit(f.files[0].name)"), |o| o.uploads = vec![file]).await;
    let effect = rig.act(&tap(400.0, 222.0)).await;
    assert_eq!(effect.to_string(), "confirmed: a file chooser opened and was given b.csv");
    rig.holds("__log.join()==='b.csv'");
}
