//! What a run may cost.

use crate::{ask, config, request};
use handeye_chat::{Budget, ModelConfig, Models, Price, Prices, connect};
use handeye_core::{ChatErrorKind, ChatRequest, Ctx, Slot};
use handeye_testkit::model::{Hang, ModelServer, Scripted};
use serde_json::json;
use std::time::Duration;

/// At a dollar for a million tokens a cent is 10,000 tokens.
fn within(usd: f64, server: &ModelServer, change: impl FnOnce(&mut ModelConfig)) -> (ModelConfig, Budget) {
    let mut config = config(&server.base_url());
    config.max_tokens = Some(1_000);
    config.retries = 9;
    change(&mut config);
    config.price = Price::parse("1,1");
    let budget = Budget::new(usd);
    config.keep_within(&budget).expect("a price");
    (config, budget)
}

fn counting(text: &str, input: u64, output: u64) -> Scripted {
    let usage = json!({"prompt_tokens": input, "completion_tokens": output});
    Scripted { usage: Some(usage), ..Scripted::text(text) }
}

/// The model counts ten times what was guessed. After its first reply no call starts that could pass the limit.
#[tokio::test]
async fn a_model_that_lies_gets_no_second_call_that_could_pass_the_limit() {
    // 25 guessed tokens, 250 counted; 1,000 allowed, 6,000 counted. The next could take 275 + 6,000 more: 12,525 > 10,000.
    let server = ModelServer::start(vec![counting("a", 250, 6_000); 9]);
    let (config, budget) = within(0.01, &server, |_| {});
    let model = connect(&config).expect("a model");
    let question = "x".repeat(100);
    let reply = ask(&model, &question).await.expect("the first reply");
    assert_eq!(reply.microdollars, Some(6_250));
    for _ in 0..3 {
        let error = ask(&model, &question).await.expect_err("no room");
        assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::OverBudget, 1));
        let said = "$0.0063 spent, and this one may cost $0.0063";
        assert!(error.message.starts_with("the budget of $0.0100 allows no further call to http://"), "{error}");
        assert!(error.message.ends_with(said) && error.hint.is_some(), "{error}");
    }
    assert_eq!(budget.spent().to_string(), "$0.0063");
}

/// Attempts are calls too: replies of nothing are paid for, and asking again must fit as well.
#[tokio::test]
async fn attempts_that_are_paid_for_count() {
    let server = ModelServer::start(vec![counting(" ", 10, 990); 20]);
    let (config, budget) = within(0.004, &server, |_| {});
    let error = ask(&connect(&config).expect("a model"), "hi").await.expect_err("no room");
    assert_eq!((error.kind, server.calls().len(), error.failed_attempts.len()), (ChatErrorKind::OverBudget, 3, 4));
    assert!(budget.spent().0 <= 0.004);
    // What was refused with an error costs nothing, and what broke off may cost all of it.
    let server = ModelServer::start(vec![Scripted::status(503); 4]);
    let (config, budget) = within(0.004, &server, |c| c.retries = 3);
    ask(&connect(&config).expect("a model"), "hi").await.expect_err("no reply");
    assert_eq!((server.calls().len(), budget.spent().0), (4, 0.0));
    let server = ModelServer::start(vec![Scripted::hang(Hang::CutAfter(10)); 9]);
    let (config, budget) = within(0.004, &server, |_| {});
    let error = ask(&connect(&config).expect("a model"), "hi").await.expect_err("no room");
    assert_eq!((error.kind, server.calls().len()), (ChatErrorKind::OverBudget, 3));
    assert!((0.003..=0.004).contains(&budget.spent().0), "{}", budget.spent());
}

#[tokio::test]
async fn a_budget_is_shared_and_limits_each_reply() {
    let (dear, cheap) = (ModelServer::texts(["a"; 9]), ModelServer::start(vec![Scripted::status(401); 9]));
    let (mut config, budget) = within(0.0015, &cheap, |c| c.max_tokens = None);
    assert_eq!(config.max_tokens, Some(4_096));
    let error = ask(&connect(&config).expect("a model"), "hi").await.expect_err("4,096 do not fit");
    assert_eq!((error.kind, cheap.calls().len()), (ChatErrorKind::OverBudget, 0));
    // A fallback spends from the same purse.
    config.max_tokens = Some(1_000);
    let (second, _) = within(1.0, &dear, |_| {});
    config.fallbacks = vec![second];
    config.keep_within(&budget).expect("prices");
    let model = connect(&config).expect("models");
    ask(&model, "hi").await.expect("a reply");
    assert!(dear.calls()[0].raw.contains(r#""max_tokens":1000"#));
    drop(budget);
    // What was taken out of the body is no limit.
    config.extra_body = json!({"max_tokens": null}).as_object().expect("an object").clone();
    config.fallbacks = Vec::new();
    let error = ask(&connect(&config).expect("a model"), "hi").await.expect_err("no limit");
    assert_eq!(error.kind, ChatErrorKind::Config);
}

#[tokio::test]
async fn a_model_without_a_price_has_no_budget() {
    let server = ModelServer::texts(["a"]);
    let mut config = config(&server.base_url());
    config.price_by(&Prices::with(None).expect("prices"), None);
    let error = config.keep_within(&Budget::new(1.0)).expect_err("no price");
    assert_eq!(error.message, "no price of model test-model is known, so no budget can be kept");
    assert_eq!(ask(&connect(&config).expect("a model"), "hi").await.expect("a reply").microdollars, None);
}

/// Calls that run beside each other cannot each take what is left.
#[tokio::test]
async fn calls_at_the_same_time_share_what_is_left() {
    let slow = counting("a", 10, 10).delay(Duration::from_millis(200));
    let server = ModelServer::start(vec![slow; 9]);
    let (config, _) = within(0.0025, &server, |_| {});
    let model = connect(&config).expect("a model");
    let all = tokio::join!(ask(&model, "a"), ask(&model, "b"), ask(&model, "c"), ask(&model, "d"));
    let refused = [all.0, all.1, all.2, all.3].into_iter().filter(Result::is_err).count();
    assert_eq!((refused, server.calls().len()), (2, 2));
}

/// What attempts took that came to nothing stands in the reply, or in the error when no reply came.
#[tokio::test]
async fn what_failed_attempts_took_is_told() {
    let server = ModelServer::start(vec![counting(" ", 100, 10), Scripted::status(503), counting("a", 200, 20)]);
    let (config, _) = within(1.0, &server, |_| {});
    let reply = ask(&connect(&config).expect("a model"), "hi").await.expect("a reply");
    assert_eq!((reply.usage.total(), reply.wasted.total(), reply.microdollars), (330, 110, Some(330)));
    let server = ModelServer::start(vec![counting(" ", 100, 10); 2]);
    let (config, _) = within(1.0, &server, |c| c.retries = 1);
    let error = ask(&connect(&config).expect("a model"), "hi").await.expect_err("no reply");
    assert_eq!((error.kind, error.usage.total(), error.microdollars), (ChatErrorKind::Empty, 220, Some(220)));
    // Models that took over carry what the others took.
    let (empty, good) =
        (ModelServer::start(vec![counting(" ", 100, 10); 9]), ModelServer::start(vec![counting("a", 5, 5)]));
    let (mut config, budget) = within(1.0, &empty, |c| c.retries = 1);
    config.fallbacks = vec![within(1.0, &good, |_| {}).0];
    config.keep_within(&budget).expect("prices");
    let reply = ask(&connect(&config).expect("models"), "hi").await.expect("a reply");
    assert_eq!((reply.usage.total(), reply.wasted.total(), reply.microdollars), (230, 220, Some(230)));
    // The price of one is not known, so that of all is not.
    config.fallbacks[0].price = None;
    (config.budget, config.fallbacks[0].budget) = (None, None);
    let good = ModelServer::start(vec![counting("a", 5, 5)]);
    config.fallbacks[0].provider = crate::config(&good.base_url()).provider;
    let reply = ask(&connect(&config).expect("models"), "hi").await.expect("a reply");
    assert_eq!((reply.usage.total(), reply.microdollars), (230, None));
}

/// Attempts within a call are held to what is left of the tokens, too.
#[tokio::test]
async fn no_attempt_starts_that_could_pass_what_is_left_of_the_tokens() {
    let server = ModelServer::start(vec![counting(" ", 1_000, 100); 9]);
    let mut config = config(&server.base_url());
    config.retries = 9;
    let request = ChatRequest { tokens_left: Some(3_500), ..request("hi") };
    let model = connect(&config).expect("a model");
    let error = model.complete(&request, &Ctx::bare()).await.expect_err("no room");
    assert_eq!((error.kind, server.calls().len(), error.usage.total()), (ChatErrorKind::OverTokens, 3, 3_300));
    assert!(
        error.message.contains("the token budget allows no further attempt: 3300 taken, and the next may take 1100"),
        "{error}"
    );
    assert_eq!(error.hint.as_deref(), Some("raise it with --budget-tokens"));
}

/// One purse for the models of all slots: after one has lied, none of the others starts what could pass the limit, whatever its price.
#[tokio::test]
async fn all_slots_share_one_budget() {
    let planning = ModelServer::start(vec![counting("a", 250, 6_000); 9]);
    let (grounding, insight) = (ModelServer::texts(["b"; 9]), ModelServer::texts(["c"; 9]));
    let mut models = Models::default();
    for (slot, server, price) in
        [(Slot::Planning, &planning, "1,1"), (Slot::Grounding, &grounding, "1,1"), (Slot::Insight, &insight, "0.1,0.1")]
    {
        let mut config = config(&server.base_url());
        (config.price, config.max_tokens) = (Price::parse(price), Some(1_000));
        models.set(slot, config);
    }
    let budget = Budget::new(0.01);
    models.keep_within(&budget).expect("prices");
    let ask = async |slot| {
        let model = connect(models.get(slot).expect("a model")).expect("a model");
        crate::ask(&model, &"x".repeat(100)).await
    };
    ask(Slot::Planning).await.expect("the first reply");
    // 6,250 are spent, and whoever is asked now may count as much: 6,275 at this price, 628 at a tenth of it.
    assert_eq!(ask(Slot::Grounding).await.expect_err("no room").kind, ChatErrorKind::OverBudget);
    ask(Slot::Insight).await.expect("there is room for a cheap one");
    assert_eq!((planning.calls().len(), grounding.calls().len(), insight.calls().len()), (1, 0, 1));
    assert!(budget.spent().0 <= 0.01);
}
