//! One command for each verb, on a page that is left open for the next.

use crate::program::run;
use handeye_testkit::browser::Chromium;
use handeye_testkit::pages::PageServer;
use std::collections::BTreeMap;

const PAGE: &str = "<!doctype html><title>P</title><body style='height:3000px'>
<button onclick=\"log.push('save')\" ondblclick=\"log.push('twice')\" oncontextmenu=\"log.push('menu');return false\">Save</button>
<label>Name <input id=n></label><p>Read on</p><label>Photo <input type=file id=f></label><label>Colour <select id=c><option>Red<option>Blue</select></label>
<script>log=[];addEventListener('keydown',e=>log.push(e.key))</script>";

#[test]
fn verbs_act_on_the_page_that_is_open() {
    let server = PageServer::start(BTreeMap::from([("/p.html".to_owned(), PAGE.as_bytes().to_vec())]));
    let chromium = Chromium::start(1280, 720);
    let out = tempfile::tempdir().expect("a folder");
    let url = format!("{}/p.html", server.origin_a());
    let out = out.path().to_string_lossy().into_owned();
    let there = ["--cdp", chromium.endpoint(), "--keep-open", "--out", &out];
    let does = |args: &[&str], js: &str| {
        let said = run(&[args, &there].concat());
        assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
        assert_eq!(chromium.is_true(js, false), Ok(true), "{args:?}: {}", said.stderr);
    };
    does(&["navigate", &url], "document.title==='P'");
    does(&["tap", "Save"], "log.join()==='save'");
    does(&["input", "Name", "李雷 👍"], "n.value==='李雷 👍'");
    does(&["input", "Name", "!", "--mode", "append"], "n.value==='李雷 👍!'");
    does(&["clear", "Name"], "n.value===''");
    does(&["select", "Colour", "Blue"], "c.value==='Blue'");
    does(&["right-click", "Save"], "log.includes('menu')");
    does(&["double-click", "Save"], "log.includes('twice')");
    does(&["press", "F2"], "log.includes('F2')");
    let photo = std::path::Path::new(&out).join("photo.txt");
    std::fs::write(&photo, "x").expect("a file");
    does(&["upload", "Photo", &photo.to_string_lossy()], "f.files[0].name==='photo.txt'");
    does(&["scroll", "down"], "scrollY>100");
    does(&["scroll", "up"], "scrollY===0");
    does(&["scroll", "Read on"], "scrollY>100");
    does(&["scroll", "--to", "top"], "scrollY===0");
    does(&["scroll", "--to", "bottom"], "scrollY>2000");
    let said = run(&[&["tap", "Delete"][..], &there].concat());
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains("Delete") && said.stderr.contains("Save"), "names what is there: {}", said.stderr);
}

const FORM: &str = "<!doctype html><title>F</title><button id=save data-testid=save-it onclick=\"log.push('save')\">Save</button>
<button onclick=\"log.push('all')\">Save all</button><button hidden id=gone>Gone</button><label>Name <input id=n></label>
<script>log=[]</script>";

#[test]
fn elements_are_named_by_selectors() {
    let server = PageServer::start(BTreeMap::from([("/f.html".to_owned(), FORM.as_bytes().to_vec())]));
    let chromium = Chromium::start(1280, 720);
    let out = tempfile::tempdir().expect("a folder");
    let url = format!("{}/f.html", server.origin_a());
    let out = out.path().to_string_lossy().into_owned();
    let there = ["--cdp", chromium.endpoint(), "--keep-open", "--out", &out];
    assert_eq!(run(&[&["navigate", &url][..], &there].concat()).code, Some(0));
    for (target, wanted) in [
        ("css=#save", "save"),
        ("xpath=//button[2]", "all"),
        ("role=button[name=\"Save\"]", "save"),
        ("text=Save all", "all"),
        ("testid=save-it", "save"),
    ] {
        let said = run(&[&["tap", target][..], &there].concat());
        assert_eq!(said.code, Some(0), "{target}: {}", said.stderr);
        assert_eq!(chromium.is_true(&format!("log.splice(0).join()==='{wanted}'"), false), Ok(true), "{target}");
    }
    let said = run(&[&["input", "css=input", "Li"][..], &there].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(chromium.is_true("n.value==='Li'", false), Ok(true));
    for (target, code, says) in [
        ("css=button", 1, "`css=button` finds 2 elements: button \"Save\" at"),
        ("css=#gone", 1, "`css=#gone` finds button \"Gone\", which is not visible"),
        ("css=#none", 1, "`css=#none` finds no element; the page has button \"Save\""),
        ("css=##", 2, "look for `css=##`: '##' is not a valid selector"),
        ("role=buton", 2, "there is no role \"buton\""),
        ("css=", 2, "`css=` is empty"),
    ] {
        let said = run(&[&["tap", target][..], &there].concat());
        assert_eq!(said.code, Some(code), "{target}: {}", said.stderr);
        assert!(said.stderr.contains(says), "{target}: {}", said.stderr);
    }
}
