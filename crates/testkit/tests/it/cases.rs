use handeye_testkit::cases::{Case, Expect, Ran, faults};
use handeye_testkit::http;
use handeye_testkit::model::Call;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases"))
}

#[test]
fn every_case_loads_and_serves_its_page() {
    let cases = Case::all(folder());
    assert!(cases.len() >= 22, "{} cases", cases.len());
    for case in &cases {
        let (server, placed) = case.serve();
        assert!(placed.expect.start_url.starts_with(&server.origin_a()), "{}", placed.expect.start_url);
        let page = http::get(&placed.expect.start_url).expect("a page");
        assert_eq!((page.status, page.text().is_empty()), (200, false), "{}", case.expect.id);
        let all = format!("{placed:?}");
        assert!(!all.contains("{A}") && !all.contains("{B}"), "{}: an origin was not filled in", case.expect.id);
        assert!(case.transport.len() <= case.replies.len().max(1), "{}", case.expect.id);
    }
}

#[test]
fn a_reply_names_the_origin_that_is_served() {
    let (server, placed) = Case::load(&folder().join("N02")).serve();
    assert!(placed.replies[0].contains(&server.origin_a()), "{}", placed.replies[0]);
}

fn judged(exit: Option<i32>, page: Result<bool, String>, calls: usize) -> String {
    let expect = r#"{"id":"X","kind":"k","class":"c","task":"t","start_url":"{A}/x","result":"success",
        "final_js":"ok","model_calls":[1,2],"timeouts":{"whole_run_ms":1000}}"#;
    let expect: Expect = serde_json::from_str(expect).expect("an expectation");
    let call =
        Call { at: Duration::ZERO, path: String::new(), headers: Vec::new(), raw: String::new(), body: json!({}) };
    let (stdout, stderr, calls) = (String::new(), String::new(), vec![call; calls]);
    let ran = Ran { exit, took: Duration::from_millis(1500), stdout, stderr, page, calls };
    faults(&expect, &ran).join("; ")
}

#[test]
fn a_run_is_judged_by_exit_requests_time_and_page() {
    assert_eq!(judged(Some(0), Ok(true), 2), "it took 1.5 s, at most 1000 ms are allowed");
    assert_eq!(
        judged(Some(3), Ok(false), 0),
        "exit code 3, wanted Success; 0 model requests, wanted 1 to 2; it took 1.5 s, at most 1000 ms are allowed; `ok` is false"
    );
    let hung = judged(None, Err("no page is left".into()), 1);
    assert!(hung.starts_with("it did not end by itself (1.5 s)") && hung.ends_with("`ok`: no page is left"), "{hung}");
}
