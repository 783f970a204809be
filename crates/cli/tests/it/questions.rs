//! Questions about the screen, end to end: the built program, a real Chromium, a scripted model.

use crate::program::{Said, handeye, run, run_folder};
use handeye_testkit::model::{ModelServer, Scripted};
use handeye_testkit::pages::PageServer;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const PAGE: &str = "<!doctype html><title>Shop</title><h1>Cart</h1>
<label>Name <input value='alice'></label><button disabled>Save</button><p id=p>Saved ✓</p>
<script>if(location.hash)setTimeout(()=>p.textContent='All done',1500)</script>";

struct Bench {
    pages: PageServer,
    out: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let pages = PageServer::start(BTreeMap::from([("/p.html".to_owned(), PAGE.as_bytes().to_vec())]));
        Self { pages, out: tempfile::tempdir().expect("a folder") }
    }

    /// The program on the page, with a model that gives these replies.
    fn asks(&self, args: &[&str], replies: Vec<Scripted>) -> (Said, ModelServer, std::path::PathBuf) {
        let model = ModelServer::start(replies);
        let url = format!("{}/p.html", self.pages.origin_a());
        let out = tempfile::tempdir_in(self.out.path()).expect("a folder").keep();
        let mut command = handeye(args);
        command.args(["--web", &url, "--out"]).arg(&out);
        command.env("HANDEYE_MODEL_BASE_URL", model.base_url()).env("HANDEYE_MODEL_NAME", "m");
        command.env("HANDEYE_MODEL_RETRY_COUNT", "0");
        let said = command.output().expect("starts").into();
        (said, model, out)
    }
}

fn data(value: &str) -> Scripted {
    Scripted::text(format!("<thought>It is there.</thought>\n<data-json>{value}</data-json>"))
}

fn result(out: &std::path::Path) -> Value {
    let text = std::fs::read_to_string(run_folder(out).join("result.json")).expect("a result");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn values_come_out_as_the_screen_shows_them() {
    let bench = Bench::new();
    let (said, model, out) = bench.asks(&["query", "the names"], vec![data("[{\"name\": \" alice  b\"}]")]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(said.stdout.trim_end_matches('\n'), "[{\"name\":\" alice  b\"}]");
    assert_eq!(model.calls()[0].images(), 1);
    assert!(model.calls()[0].text().contains("<question>\nthe names\n</question>"));
    assert_eq!(result(&out)["value"], serde_json::json!([{"name": " alice  b"}]));
    let replayed = run(&["replay", &run_folder(&out).to_string_lossy()]);
    assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);

    let (said, model, _) = bench.asks(&["ask", "the name", "--tree", "--no-screenshot"], vec![data("\"alice\"")]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), "alice\n"));
    assert_eq!(model.calls()[0].images(), 0);
    assert!(model.calls()[0].text().contains("textbox \"Name\" = \"alice\""), "{}", model.calls()[0].text());
    let (said, ..) = bench.asks(&["boolean", "is it saved?"], vec![data("true")]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), "true\n"));
}

#[test]
fn another_type_is_asked_for_again() {
    let bench = Bench::new();
    let (said, model, out) = bench.asks(&["number", "how many"], vec![data("\"two\""), data("{\"Number\": \"12\"}")]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), "12\n"), "{}", said.stderr);
    assert!(model.calls()[1].text().contains("\"two\" is not what was asked for; give a JSON number"));
    assert_eq!(result(&out)["warnings"].as_array().map(Vec::len), Some(2), "what was mended is told");

    let schema = "{\"type\": \"array\", \"items\": {\"type\": \"number\"}}";
    let (said, model, _) = bench.asks(&["query", "prices", "--schema", schema], vec![data("[\"1\"]"), data("[1]")]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), "[1]\n"), "{}", said.stderr);
    assert!(model.calls()[1].text().contains("does not fit the schema"), "{}", model.calls()[1].text());

    let bad = vec![data("[\"1\"]"); 3];
    let (said, model, _) = bench.asks(&["query", "prices", "--schema", schema], bad);
    assert_eq!((said.code, model.calls().len()), (Some(5), 3), "{}", said.stderr);
    let (said, ..) = bench.asks(&["query", "prices", "--schema", "{\"type\": 7}"], vec![]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    let (said, _, out) = bench.asks(
        &["ask", "the colour"],
        vec![Scripted::text("<data-json>null</data-json><errors>[\"it shows none\"]</errors>")],
    );
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains("it shows none"), "{}", said.stderr);
    let replayed = run(&["replay", &run_folder(&out).to_string_lossy()]);
    assert_eq!(replayed.code, Some(0), "null is an answer too: {}{}", replayed.stdout, replayed.stderr);
}

#[test]
fn plain_statements_need_no_model_and_say_so() {
    let bench = Bench::new();
    for (statement, code, part) in [
        ("the Save button is disabled", 0, "(the UI tree)"),
        ("the text \"Saved ✓\" is visible", 0, "(the UI tree)"),
        ("the Name field contains \"alice\"", 0, "(the UI tree)"),
        ("标题是“Shop”", 0, "(the UI tree)"),
        ("the Save button is enabled", 1, "assertion failed"),
    ] {
        let (said, model, _) = bench.asks(&["assert", statement], vec![]);
        assert_eq!(said.code, Some(code), "{statement}: {}", said.stderr);
        assert!(format!("{}{}", said.stdout, said.stderr).contains(part), "{statement}: {}", said.stderr);
        assert_eq!(model.calls().len(), 0, "{statement}");
    }
    // The tree does not know it, so the model looks.
    let (said, model, _) = bench.asks(&["assert", "the text \"Sale\" is visible"], vec![data("true")]);
    assert_eq!((said.code, model.calls().len()), (Some(0), 1), "{}", said.stderr);
    assert!(said.stdout.contains("(the model)"), "{}", said.stdout);
    let (said, ..) = bench.asks(&["assert", "the page looks nice"], vec![data("\"false\"")]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let url = format!("{}/p.html", bench.pages.origin_a());
    let said = run(&["assert", "the page looks nice", "--web", &url, "--out", &bench.out.path().to_string_lossy()]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains("abstained") && said.stderr.contains("no model"), "{}", said.stderr);
}

#[test]
fn a_wait_looks_until_it_is_so() {
    let bench = Bench::new();
    let url = format!("{}/p.html#late", bench.pages.origin_a());
    let out = bench.out.path().join("late");
    let said = run(&["wait", "the text \"All done\" is visible", "--web", &url, "--out", &out.to_string_lossy()]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let replayed = run(&["replay", &run_folder(&out).to_string_lossy()]);
    assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);

    // The model: trouble that passes, then false, then true.
    let replies = vec![Scripted::status(500), data("false"), data("true")];
    let (said, model, _) = bench.asks(&["wait", "the picture is sharp", "--every", "200ms"], replies);
    assert_eq!((said.code, model.calls().len()), (Some(0), 3), "{}", said.stderr);

    let begun = Instant::now();
    let slow = data("true").delay(Duration::from_secs(20));
    let (said, ..) = bench.asks(&["wait", "the picture is sharp", "--within", "1s"], vec![slow]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains("waited 1 s in vain"), "{}", said.stderr);
    assert!(begun.elapsed() < Duration::from_secs(12), "a reply that is late is not waited for");
    let (said, ..) = bench.asks(&["wait", "the picture is sharp"], vec![Scripted::status(401)]);
    assert_eq!(said.code, Some(5), "{}", said.stderr);
}
