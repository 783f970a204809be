use super::*;
use serde_json::json;

#[derive(serde::Deserialize)]
struct Row {
    id: String,
    /// Why it is not as elsewhere.
    #[serde(default, rename = "reason")]
    _reason: Option<String>,
    text: String,
    #[serde(default)]
    value: Value,
    #[serde(default)]
    cut: bool,
    #[serde(default)]
    torn: bool,
    error: Option<String>,
    repairs: Option<Vec<String>>,
}

#[test]
fn the_vectors_read_as_they_should() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../../../tests/data/vectors/json.json")).expect("rows");
    for row in rows {
        let name = format!("{}: {}", row.id, row.text);
        match (json(&row.text), row.error) {
            (Ok(read), None) => {
                assert_eq!(read.value, row.value, "{name}");
                assert_eq!((read.cut, read.torn), (row.cut, row.torn), "{name}");
                if let Some(repairs) = row.repairs {
                    assert_eq!(read.repairs, repairs, "{name}");
                }
                let strict = serde_json::from_str::<Value>(&row.text).is_ok();
                assert_eq!(strict, read.repairs.is_empty(), "{name}: what is mended is said");
            }
            (Err(error), Some(part)) => assert!(error.to_string().contains(&part), "{name}: {error}"),
            (got, _) => panic!("{name}: {got:?}"),
        }
    }
}

#[test]
fn depth_and_length_have_limits_with_clear_errors() {
    let nested = |n: usize| format!("{}1{}", "[".repeat(n), "]".repeat(n));
    assert!(json(&nested(MAX_DEPTH)).is_ok());
    let error = json(&nested(MAX_DEPTH + 1)).expect_err("too deep");
    assert_eq!(error.to_string(), "the value is nested more than 64 levels deep (at byte 0)");
    let loose = format!("{{'a': {}}}", nested(MAX_DEPTH));
    assert_eq!(json(&loose).expect_err("too deep").offset, 6 + MAX_DEPTH - 1);
    assert!(json(&"[".repeat(100_000)).is_err());
    let long = format!("\"{}\"", "x".repeat(MAX_BYTES));
    assert!(json(&long).expect_err("too long").to_string().contains("more than the 1048576 that are read"));
}

#[test]
fn errors_name_the_place() {
    assert_eq!(json(r#"  {"a":1} or {"b":2}"#).expect_err("two").offset, 13);
}

/// Texts that make a careless reader look ahead again and again. In linear time they take a few seconds together.
#[test]
fn long_and_hostile_texts_are_read_in_linear_time() {
    let many = |piece: &str| piece.repeat(100_000 / piece.len());
    for piece in [
        "{\"",
        "\"a\" ",
        "[{",
        "“a\": ",
        "'",
        "\\",
        "a, ",
        "\n",
        "x\n",
        "</",
        "<a",
        "/*",
        "`",
        "\" \"",
        "\"}",
        "{a:",
        "# ",
        "1 ",
        ",",
        "\"]",
        "```",
        "「",
        "「」,",
        "a\", \"b\": \"",
    ] {
        for front in ["", "{\"a\": \"", "{a: ", "[", "{"] {
            let _ = json(&format!("{front}{}", many(piece)));
        }
    }
}

#[test]
fn a_value_in_a_text_keeps_every_character() {
    let value = "  “a”，｛b｝：\t【c】\u{3000}";
    let text = format!("{{'value': {},}}", json!(value));
    assert_eq!(json(&text).expect("reads").value, json!({"value": value}));
}

#[test]
fn a_text_with_raw_quotes_and_no_comma_behind_it_may_go_on() {
    for text in [r#"{"value": ""one""one"：["one""}"#, "{\"value\": \"\"a\"\" \"b\"：[\"c\"\"}"] {
        assert!(json(text).is_err(), "{text}: {:?}", json(text));
    }
}
