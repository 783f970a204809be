use super::*;

fn read(variables: &[(&str, &str)]) -> Result<Option<ModelConfig>, ChatError> {
    ModelConfig::from_lookup(&|name| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
}

fn good(more: &[(&str, &str)]) -> ModelConfig {
    let base = [("HANDEYE_MODEL_BASE_URL", "http://127.0.0.1:1/v1"), ("HANDEYE_MODEL_NAME", "m")];
    let all: Vec<_> = more.iter().chain(&base).copied().collect();
    read(&all).expect("good settings").expect("a model")
}

#[test]
fn nothing_set_is_no_model() {
    assert_eq!(read(&[]), Ok(None));
    assert_eq!(read(&[("HANDEYE_MODEL_TIMEOUT", "3s"), ("HANDEYE_MODEL_NAME", "  ")]), Ok(None));
}

#[test]
fn settings_are_read_with_their_origin() {
    let config = good(&[
        ("HANDEYE_MODEL_API_KEY", " sk-12345 "),
        ("HANDEYE_MODEL_FAMILY", "Gemini"),
        ("HANDEYE_MODEL_TEMPERATURE", "0.5"),
        ("HANDEYE_MODEL_TIMEOUT", "500ms"),
        ("HANDEYE_MODEL_RETRY_COUNT", "0"),
        ("HANDEYE_MODEL_RETRY_INTERVAL", "1.5s"),
        ("HANDEYE_MODEL_THINKING", "2048"),
        ("HANDEYE_MODEL_MAX_TOKENS", "900"),
        ("HANDEYE_MODEL_STREAM", "on"),
        ("HANDEYE_MODEL_EXTRA_BODY", r#"{"top_p": 0.5}"#),
        ("HANDEYE_MODEL_HEADERS", r#"{"x-team": "qa"}"#),
        ("MIDSCENE_MODEL_NAME", "not used"),
    ]);
    let rows: Vec<String> =
        config.rows().iter().map(|r| format!("{}={} ({})", r.setting.word(), r.value, r.origin)).collect();
    insta::assert_snapshot!(rows.join("\n"), @r"
    PROVIDER=openai (default)
    BASE_URL=http://127.0.0.1:1/v1 (HANDEYE_MODEL_BASE_URL)
    API_KEY=set (8 characters) (HANDEYE_MODEL_API_KEY)
    NAME=m (HANDEYE_MODEL_NAME)
    FAMILY=gemini (HANDEYE_MODEL_FAMILY)
    TEMPERATURE=0.5 (HANDEYE_MODEL_TEMPERATURE)
    TIMEOUT=500ms (HANDEYE_MODEL_TIMEOUT)
    RETRY_COUNT=0 (HANDEYE_MODEL_RETRY_COUNT)
    RETRY_INTERVAL=1.5s (HANDEYE_MODEL_RETRY_INTERVAL)
    THINKING=2048 tokens (HANDEYE_MODEL_THINKING)
    MAX_TOKENS=900 (HANDEYE_MODEL_MAX_TOKENS)
    RESPONSE_FORMAT=auto (default)
    STREAM=true (HANDEYE_MODEL_STREAM)
    EXTRA_BODY=top_p (HANDEYE_MODEL_EXTRA_BODY)
    HEADERS=x-team (HANDEYE_MODEL_HEADERS)
    PROXY=the system's (default)
    FALLBACKS=none (default)
    RECORD=not set (default)
    ");
    assert!(!format!("{config:?}").contains("sk-12345"));
}

#[test]
fn defaults_are_as_documented() {
    let config = good(&[]);
    assert_eq!(config.timeout, Some(Duration::from_mins(3)));
    assert_eq!((config.retries, config.retry_base), (3, Duration::from_millis(500)));
    assert_eq!((config.family.name, config.stream, config.temperature), ("default", false, None));
    assert_eq!(good(&[("HANDEYE_MODEL_TIMEOUT", "0")]).timeout, None);
    let folder = read(&[("HANDEYE_MODEL_BASE_URL", "folder:/tmp/x")]).expect("good settings").expect("a model");
    assert_eq!((folder.timeout, folder.name.as_str()), (None, "folder"));
}

#[test]
fn midscene_names_are_read_when_ours_are_unset() {
    let config = read(&[
        ("MIDSCENE_MODEL_BASE_URL", "https://h.test/v1"),
        ("MIDSCENE_MODEL_API_KEY", "sk-m"),
        ("MIDSCENE_MODEL_NAME", "qwen"),
        ("MIDSCENE_MODEL_FAMILY", "qwen3-vl"),
        ("MIDSCENE_MODEL_TIMEOUT", "1500"),
        ("HANDEYE_MODEL_TIMEOUT", ""),
        ("MIDSCENE_MODEL_RETRY_INTERVAL", "250"),
        ("MIDSCENE_MODEL_EXTRA_BODY_JSON", r#"{"a":1}"#),
        ("MIDSCENE_MODEL_INIT_CONFIG_JSON", r#"{"defaultHeaders":{"X-A":"b"},"maxRetries":9}"#),
        ("MIDSCENE_MODEL_HTTP_PROXY", "http://u:p@proxy.test:3128"),
    ]);
    let config = config.expect("good settings").expect("a model");
    assert_eq!((config.name.as_str(), config.family.name), ("qwen", "qwen3-vl"));
    assert_eq!((config.timeout, config.retry_base), (Some(Duration::from_millis(1500)), Duration::from_millis(250)));
    assert_eq!(config.extra_headers.len(), 1);
    assert_eq!(config.origins[&Setting::Timeout], "MIDSCENE_MODEL_TIMEOUT");
    assert!(!format!("{config:?}").contains("u:p"));
}

#[test]
fn slots_have_names_of_their_own() {
    let lookup = |name: &str| match name {
        "HANDEYE_PLANNING_MODEL_BASE_URL" => Some("http://127.0.0.1:2".to_owned()),
        "MIDSCENE_PLANNING_MODEL_NAME" => Some("p".to_owned()),
        _ => None,
    };
    let planning = ModelConfig::for_slot(Slot::Planning, &lookup).expect("good settings").expect("a model");
    assert_eq!((planning.name.as_str(), planning.place().as_str()), ("p", "http://127.0.0.1:2"));
    assert_eq!(ModelConfig::for_slot(Slot::Insight, &lookup), Ok(None));
    assert_eq!(ModelConfig::from_lookup(&lookup), Ok(None));
}

#[test]
fn providers_are_chosen_by_word_or_by_prefix() {
    let check = |provider: &str, base: &str, want: &str| {
        let read = read(&[
            ("HANDEYE_MODEL_PROVIDER", provider),
            ("HANDEYE_MODEL_BASE_URL", base),
            ("HANDEYE_MODEL_NAME", "m"),
        ]);
        let said = match read {
            Ok(config) => config.expect("a model").place(),
            Err(error) => error.to_string(),
        };
        assert_eq!(said, want, "{provider} {base}");
    };
    check("", "folder:in/box", "folder:in/box");
    check("folder", "in/box", "folder:in/box");
    check("Folder", "folder:in/box", "folder:in/box");
    check("", "scripted:a.json", "scripted:a.json");
    check("cassette", "a.json", "cassette:a.json");
    check("openai", "http://h.test/v1", "http://h.test/v1");
    check(
        "scripted",
        "folder:x",
        "HANDEYE_MODEL_PROVIDER says `scripted`, but HANDEYE_MODEL_BASE_URL begins with `folder:`",
    );
    check("", "folder:", "HANDEYE_MODEL_BASE_URL: no path after `folder:`");
    check("Anthropic", "http://h.test", "http://h.test");
    check("claude", "http://h.test", "HANDEYE_MODEL_PROVIDER: unknown provider `claude`");
    check(
        "gemini",
        "folder:x",
        "HANDEYE_MODEL_PROVIDER says `gemini`, but HANDEYE_MODEL_BASE_URL begins with `folder:`",
    );
    check("folder", "", "HANDEYE_MODEL_BASE_URL is not set");
}

#[test]
fn wrong_values_name_their_variable_and_show_no_secret() {
    let check = |variable: &str, value: &str, want: &str| {
        let base = [("HANDEYE_MODEL_BASE_URL", "http://127.0.0.1:1/v1"), ("HANDEYE_MODEL_NAME", "m")];
        let mut all = vec![(variable, value)];
        all.extend(base);
        let error = read(&all).expect_err("a wrong value");
        assert_eq!((error.kind, error.to_string().as_str()), (ChatErrorKind::Config, want));
    };
    check("HANDEYE_MODEL_BASE_URL", "sk-oops", "HANDEYE_MODEL_BASE_URL is not an http or https URL");
    check("HANDEYE_MODEL_API_KEY", "sk oops", "HANDEYE_MODEL_API_KEY holds a blank or a character that no key has");
    check("HANDEYE_MODEL_FAMILY", "llama", "HANDEYE_MODEL_FAMILY: unknown family `llama`");
    check("MIDSCENE_MODEL_FAMILY", "llama", "MIDSCENE_MODEL_FAMILY: unknown family `llama`");
    check("HANDEYE_MODEL_TEMPERATURE", "hot", "HANDEYE_MODEL_TEMPERATURE: `hot` is not a number from 0 to 2");
    check("HANDEYE_MODEL_TEMPERATURE", "NaN", "HANDEYE_MODEL_TEMPERATURE: `NaN` is not a number from 0 to 2");
    check("HANDEYE_MODEL_TIMEOUT", "3", "HANDEYE_MODEL_TIMEOUT: `3` is not a duration");
    check("HANDEYE_MODEL_TIMEOUT", "-3s", "HANDEYE_MODEL_TIMEOUT: `-3s` is not a duration");
    check("MIDSCENE_MODEL_TIMEOUT", "3s", "MIDSCENE_MODEL_TIMEOUT: `3s` is not a number of milliseconds");
    check("HANDEYE_MODEL_RETRY_COUNT", "-1", "HANDEYE_MODEL_RETRY_COUNT: `-1` is not a whole number from 0 to 100");
    check("HANDEYE_MODEL_MAX_TOKENS", "0", "HANDEYE_MODEL_MAX_TOKENS: `0` is not a whole number of at least 1");
    check("HANDEYE_MODEL_STREAM", "maybe", "HANDEYE_MODEL_STREAM: `maybe` is neither true nor false");
    check("HANDEYE_MODEL_EXTRA_BODY", "[1]", "HANDEYE_MODEL_EXTRA_BODY is not a JSON object");
    check(
        "HANDEYE_MODEL_HEADERS",
        "{\"sk-1",
        "HANDEYE_MODEL_HEADERS is not a JSON object: it cannot be read at line 1, column 6",
    );
    check("HANDEYE_MODEL_HEADERS", r#"{"a b":"c"}"#, "HANDEYE_MODEL_HEADERS: `a b` is not a header that can be sent");
    check("HANDEYE_MODEL_HEADERS", r#"{"a":[]}"#, "HANDEYE_MODEL_HEADERS: header `a` is not a text");
    check("HANDEYE_MODEL_PROXY", "ftp://u:secret@h", "HANDEYE_MODEL_PROXY is not the URL of a proxy");
    check("MIDSCENE_MODEL_SOCKS_PROXY", "h:1080", "MIDSCENE_MODEL_SOCKS_PROXY is not the URL of a proxy");
    check("HANDEYE_MODEL_THINKING", "hard", "HANDEYE_MODEL_THINKING: `hard` says not how much to think");
    check("HANDEYE_MODEL_THINKING", "0", "HANDEYE_MODEL_THINKING: `0` says not how much to think");
    check("HANDEYE_MODEL_FALLBACKS", "b", "HANDEYE_MODEL_FALLBACKS: `b` is no word for the name of a variable");
    check("HANDEYE_MODEL_FALLBACKS", "B", "HANDEYE_MODEL_FALLBACKS names `B`, but nothing is set for it");
    let families =
        read(&[("HANDEYE_MODEL_BASE_URL", "http://h"), ("HANDEYE_MODEL_NAME", "m"), ("HANDEYE_MODEL_FAMILY", "x")]);
    assert!(families.expect_err("unknown").hint.expect("a hint").starts_with("families are default, qwen3-vl, "));
}

#[test]
fn what_is_missing_is_named() {
    let said = |variables: &[(&str, &str)]| read(variables).expect_err("incomplete").to_string();
    assert_eq!(said(&[("HANDEYE_MODEL_NAME", "m")]), "HANDEYE_MODEL_BASE_URL is not set");
    assert_eq!(said(&[("HANDEYE_MODEL_API_KEY", "sk-1")]), "HANDEYE_MODEL_BASE_URL is not set");
    assert_eq!(said(&[("HANDEYE_MODEL_BASE_URL", "http://h")]), "HANDEYE_MODEL_NAME is not set");
}

#[test]
fn durations_have_a_unit() {
    for (text, want) in [
        ("500ms", Some(500)),
        ("3s", Some(3000)),
        ("1.5s", Some(1500)),
        ("2m", Some(120_000)),
        ("1h", Some(3_600_000)),
        ("0", Some(0)),
        ("10", None),
        ("s", None),
        ("1d", None),
        ("", None),
        ("1e3s", None),
    ] {
        assert_eq!(duration(text), want.map(Duration::from_millis), "{text}");
    }
}

#[test]
fn the_planner_has_a_model_of_its_own_or_the_default_one() {
    let read = |variables: &[(&str, &str)]| {
        let lookup = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
        Models::from_lookup(&lookup).map(|models| models.get(Slot::Planning).map(|c| c.name.clone()))
    };
    let default = [("HANDEYE_MODEL_BASE_URL", "http://127.0.0.1:1/v1"), ("HANDEYE_MODEL_NAME", "default")];
    let own = [("MIDSCENE_PLANNING_MODEL_BASE_URL", "http://127.0.0.1:2/v1"), ("HANDEYE_PLANNING_MODEL_NAME", "own")];
    assert_eq!(read(&[]), Ok(None));
    assert_eq!(read(&default), Ok(Some("default".to_owned())));
    assert_eq!(read(&own), Ok(Some("own".to_owned())));
    assert_eq!(read(&[default, own].concat()), Ok(Some("own".to_owned())));
    let half = [default.as_slice(), &[("HANDEYE_PLANNING_MODEL_TEMPERATURE", "0")]].concat();
    let error = read(&half).expect_err("what is set for it is not left out without a word");
    assert_eq!(error.message, "HANDEYE_PLANNING_MODEL_BASE_URL is not set");
}

#[test]
fn variables_that_nothing_reads_are_named() {
    let names = [
        "MIDSCENE_MODEL_RESPONSE_FORMAT",
        "HANDEYE_INSIGHT_MODEL_NAME",
        "HANDEYE_MODEL_NAM",
        "HANDEYE_MODEL_NAME",
        "MIDSCENE_PLANNING_MODEL_API_KEY",
        "MIDSCENE_MODEL_SOCKS_PROXY",
        "HANDEYE_LOG",
        "MY_MODEL_NAME",
    ];
    assert_eq!(unread(names.map(str::to_owned), &|_| None), ["HANDEYE_MODEL_NAM"]);
    let fallbacks = ["HANDEYE_B_MODEL_NAME", "HANDEYE_C_MODEL_NAME"].map(str::to_owned);
    let lookup = |name: &str| (name == "HANDEYE_PLANNING_MODEL_FALLBACKS").then(|| "A,B".to_owned());
    assert_eq!(unread(fallbacks, &lookup), ["HANDEYE_C_MODEL_NAME"]);
}

#[test]
fn what_is_spoken_follows_the_word_or_else_the_address() {
    let api = |provider: &str, base: &str| {
        let read = read(&[
            ("HANDEYE_MODEL_PROVIDER", provider),
            ("HANDEYE_MODEL_BASE_URL", base),
            ("HANDEYE_MODEL_NAME", "m"),
        ]);
        let Provider::Server { api, .. } = read.expect("good settings").expect("a model").provider else {
            panic!("{provider} {base} is no server")
        };
        api
    };
    assert_eq!(api("", "http://127.0.0.1:1/v1"), Api::Chat);
    assert_eq!(api("", "https://api.anthropic.com/v1"), Api::Messages);
    assert_eq!(api("openai", "https://api.anthropic.com/v1"), Api::Chat);
    assert_eq!(api("openai-responses", "https://api.openai.com/v1"), Api::Responses);
    assert_eq!(api("gemini", "http://127.0.0.1:1"), Api::Gemini);
    let error = read(&[("HANDEYE_MODEL_PROVIDER", "gemini"), ("HANDEYE_MODEL_NAME", "m")]).expect_err("no address");
    assert!(error.hint.expect("a hint").ends_with("https://generativelanguage.googleapis.com/v1beta"));
}

#[test]
fn fallbacks_are_models_of_their_own_and_of_one_family() {
    let first = [("HANDEYE_MODEL_FAMILY", "gemini"), ("HANDEYE_MODEL_FALLBACKS", "BACKUP, LOCAL_2")];
    let backup =
        [("HANDEYE_BACKUP_MODEL_BASE_URL", "https://api.anthropic.com/v1"), ("HANDEYE_BACKUP_MODEL_NAME", "b")];
    let local = [("HANDEYE_LOCAL_2_MODEL_BASE_URL", "http://127.0.0.1:2/v1"), ("HANDEYE_LOCAL_2_MODEL_NAME", "l")];
    let config = good(&[first.as_slice(), &backup, &local].concat());
    let shown: Vec<_> = config.fallbacks.iter().map(|m| (m.name.as_str(), m.family.name)).collect();
    assert_eq!(shown, [("b", "gemini"), ("l", "gemini")]);
    let row = config.rows().into_iter().find(|row| row.setting == Setting::Fallbacks).expect("a row");
    assert_eq!(row.value, "b at https://api.anthropic.com/v1, l at http://127.0.0.1:2/v1");
    let other = [("HANDEYE_BACKUP_MODEL_FAMILY", "glm-v")];
    let base = [("HANDEYE_MODEL_BASE_URL", "http://127.0.0.1:1/v1"), ("HANDEYE_MODEL_NAME", "m")];
    let error = read(&[first.as_slice(), &backup, &local, &other, &base].concat()).expect_err("two families");
    assert_eq!(
        error.message,
        "HANDEYE_BACKUP_MODEL_FAMILY is `glm-v`, but the model before it is of the family `gemini`"
    );
}

#[test]
fn proxies_of_every_kind_are_taken() {
    for proxy in ["http://h:1", "https://u:p@h", "socks5://u:p@h:1080", "socks5h://h:1", "socks4://h:1"] {
        assert!(good(&[("HANDEYE_MODEL_PROXY", proxy)]).proxy.is_some(), "{proxy}");
    }
    let config = good(&[("MIDSCENE_MODEL_SOCKS_PROXY", "socks5://u:p@h:1")]);
    assert_eq!(config.origins[&Setting::Proxy], "MIDSCENE_MODEL_SOCKS_PROXY");
}

#[test]
fn midscenes_three_ways_to_say_how_much_to_think_are_read() {
    let read = |family: &str, enabled: &str, effort: &str, budget: &str| {
        let config = good(&[
            ("HANDEYE_MODEL_FAMILY", family),
            ("MIDSCENE_MODEL_REASONING_ENABLED", enabled),
            ("MIDSCENE_MODEL_REASONING_EFFORT", effort),
            ("MIDSCENE_MODEL_REASONING_BUDGET", budget),
        ]);
        let origin =
            config.origins.get(&Setting::Thinking).map(|name| name.rsplit_once('_').map_or("", |(_, word)| word));
        (config.thinking, origin.map(str::to_owned))
    };
    let is = |thinking: Thinking, origin: &str| (Some(thinking), Some(origin.to_owned()));
    assert_eq!(read("", "", "", ""), (None, None));
    assert_eq!(read("", "default", "", ""), (None, None));
    assert_eq!(read("", "false", "high", "9"), is(Thinking::Off, "ENABLED"));
    assert_eq!(read("", "true", "", ""), is(Thinking::Adaptive, "ENABLED"));
    assert_eq!(read("", "true", "high", "9"), is(Thinking::High, "EFFORT"));
    assert_eq!(read("qwen3-vl", "1", "high", "9"), is(Thinking::Budget(9), "BUDGET"));
    let both = good(&[("HANDEYE_MODEL_THINKING", "low"), ("MIDSCENE_MODEL_REASONING_ENABLED", "false")]);
    assert_eq!(both.thinking, Some(Thinking::Low));
}
