//! A device that stays open for several calls, with typed answers: a real Chromium, a scripted model.

use handeye::{Agent, CallError, End, LaunchOptions, Models, Options, Source, WebOptions};
use handeye_chat::{Api, BaseUrl, ModelConfig, Provider};
use handeye_testkit::model::{ModelServer, Scripted};
use handeye_testkit::pages::PageServer;
use std::collections::BTreeMap;
use std::time::Duration;

const PAGE: &str = "<!doctype html><title>Shop</title><p id=p>Nothing yet</p>
<button onclick=\"p.textContent='Two products'\">Show</button>";

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Product {
    name: String,
    /// In euros.
    price: f64,
}

fn answer(value: &str) -> Scripted {
    Scripted::text(format!("<data-json>{value}</data-json>"))
}

fn options(out: &std::path::Path, url: String, model: &ModelServer) -> Options {
    let base = BaseUrl::parse(&model.base_url()).expect("an address");
    let config = ModelConfig::new(Provider::Server { api: Api::Chat, base }, "m");
    let own = LaunchOptions { temp_dir: out.to_owned(), ..launch() };
    let web = WebOptions { url, source: Source::Launch(own), ..WebOptions::default() };
    Options { models: Models::one(config), out: out.to_owned(), ..Options::new(web) }
}

#[expect(clippy::disallowed_methods, reason = "a test finds its browser as the program does")]
fn launch() -> LaunchOptions {
    LaunchOptions { search_path: std::env::var_os("PATH"), ..LaunchOptions::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_device_takes_goals_and_questions_in_turn() {
    let pages = PageServer::start(BTreeMap::from([("/p.html".to_owned(), PAGE.as_bytes().to_vec())]));
    let products = "[{\"name\": \" Mug\", \"price\": 14}, {\"name\": \"Tote\", \"price\": 19.5}]";
    let model = ModelServer::start(vec![answer("[{\"name\": \"Mug\"}]"), answer(products), answer("false")]);
    let out = tempfile::tempdir().expect("a folder");
    let url = format!("{}/p.html", pages.origin_a());
    let mut agent = Agent::open(options(out.path(), url, &model)).await.expect("opens");

    let said = agent.act("click Show").await.expect("done");
    assert!(said.contains("Show"), "{said}");
    let found: Vec<Product> = agent.query("the products").await.expect("a list");
    let product = |name: &str, price| Product { name: name.into(), price };
    assert_eq!(found, [product(" Mug", 14.0), product("Tote", 19.5)]);
    assert!(model.calls()[0].text().contains("In euros."), "what a field means is told");
    assert!(model.calls()[1].text().contains("price"), "what the first answer lacked is told");

    agent.assert("the text \"Two products\" is visible").await.expect("true");
    let error = agent.assert("the picture is sharp").await.expect_err("false");
    assert!(matches!(error, CallError::Ended { .. }), "{error}");
    assert!(matches!(error.end(), Some(End::Failed { message }) if message.contains("assertion failed")));
    agent
        .wait("the text \"Two products\" is visible", Duration::from_secs(5), Duration::from_secs(1))
        .await
        .expect("it is there");
    agent.close().await.expect("closes");

    let mut runs: Vec<_> = std::fs::read_dir(out.path()).expect("a folder").flatten().map(|e| e.path()).collect();
    runs.retain(|path| path.join("journal.jsonl").exists());
    assert_eq!(runs.len(), 5, "each call has a folder of its own");
    for run in runs {
        let replayed = handeye::replay(&run).await.expect("a run");
        assert_eq!(replayed.difference, None, "{}", run.display());
    }
}
