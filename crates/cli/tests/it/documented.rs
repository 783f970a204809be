//! Every step that docs/steps.md gives as an example is done, as it stands there, on a page that has what it speaks of.

use crate::program::{Said, handeye, repository};
use handeye_testkit::browser::Chromium;
use handeye_testkit::pages::PageServer;
use std::collections::BTreeMap;

/// The examples in the table of the document, in its order.
fn examples() -> Vec<String> {
    let docs = std::fs::read_to_string(repository("docs/steps.md")).expect("the document");
    let table = docs.lines().skip_while(|line| !line.starts_with("| to do")).skip(2).take_while(|l| l.starts_with('|'));
    let cells = table.filter_map(|row| row.split('|').nth(2));
    let quoted = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned);
    // What is said of the command line stands there in the same quotes.
    quoted.filter(|text| !text.starts_with("--")).collect()
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

fn are_done(examples: &[String], page: &str) {
    let html = std::fs::read(repository("tests/docs").join(page)).expect("the page");
    let server = PageServer::start(BTreeMap::from([("/p.html".to_owned(), html)]));
    let url = format!("{}/p.html", server.origin_a());
    let chromium = Chromium::start(1280, 720);
    let out = tempfile::tempdir().expect("a folder");
    std::fs::write(out.path().join("a.txt"), "a").expect("a file");
    let mut undone = Vec::new();
    for example in examples {
        let goal = match example.replace("http://…", &url) {
            back if back == "go back" => format!("go to {url}?2, then go back"),
            back if back == "后退" => format!("打开 {url}?2，再后退"),
            goal => goal,
        };
        let mut command = handeye(&["act", &goal, "--web", &url, "--cdp", chromium.endpoint()]);
        command.args(["--upload", "a.txt", "--timeout", "30s", "--out", "runs"]).current_dir(out.path());
        let said: Said = command.output().expect("the program starts").into();
        if said.code != Some(0) {
            undone.push(format!("{example}: {:?} {}", said.code, said.stderr));
        }
    }
    assert!(undone.is_empty(), "{}", undone.join("\n"));
}

#[test]
fn the_english_examples_are_done() {
    let english: Vec<String> = examples().into_iter().filter(|e| !is_chinese(e)).collect();
    assert!(english.len() >= 25, "{english:?}");
    are_done(&english, "steps-en.html");
}

#[test]
fn the_chinese_examples_are_done() {
    let chinese: Vec<String> = examples().into_iter().filter(|e| is_chinese(e)).collect();
    assert!(chinese.len() >= 14, "{chinese:?}");
    are_done(&chinese, "steps-zh.html");
}
