//! One command for each verb, on a page that is left open for the next.

use crate::program::run;
use handeye_testkit::browser::Chromium;
use handeye_testkit::pages::PageServer;
use std::collections::BTreeMap;

const PAGE: &str = "<!doctype html><title>P</title><body style='height:3000px'>
<button onclick=\"log.push('save')\" ondblclick=\"log.push('twice')\" oncontextmenu=\"log.push('menu');return false\">Save</button>
<label>Name <input id=n></label><label>Colour <select id=c><option>Red<option>Blue</select></label>
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
    does(&["scroll", "--to", "bottom"], "scrollY>2000");
    let said = run(&[&["tap", "Delete"][..], &there].concat());
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains("Delete") && said.stderr.contains("Save"), "names what is there: {}", said.stderr);
}
