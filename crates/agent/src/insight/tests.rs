use super::value::Type;
use super::*;
use handeye_core::Finish;
use proptest::prelude::*;
use serde_json::json;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    kind: String,
    reply: String,
    #[serde(default)]
    finish: String,
    #[serde(default)]
    value: Value,
    #[serde(default)]
    errors: Vec<String>,
    misread: Option<String>,
    refused: Option<String>,
    /// Why the right value is another than the original's.
    #[serde(default, rename = "reason")]
    _reason: String,
}

fn kind(word: &str) -> Kind {
    match word {
        "string" => Kind::String,
        "number" => Kind::Number,
        "boolean" => Kind::Boolean,
        "assert" => Kind::Assert,
        _ => Kind::Query { schema: None },
    }
}

#[test]
fn the_vectors_read_as_they_should() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../../tests/data/vectors/answers.json")).expect("rows");
    for row in rows {
        let finish = if row.finish == "length" { Finish::Length } else { Finish::Stop };
        let read = match (answer::answer(&row.reply, finish), &row.misread) {
            (Ok(read), None) => read,
            (Err(misread), Some(part)) => {
                assert!(misread.why.contains(part), "{}: {}", row.id, misread.why);
                continue;
            }
            (got, _) => panic!("{}: {got:?}", row.id),
        };
        assert_eq!(read.errors, row.errors, "{}", row.id);
        let wanted = Type::of(&kind(&row.kind)).expect("a type");
        match (wanted.take(read.value, &mut Vec::new()), &row.refused) {
            (Ok(value), None) => assert_eq!(value, row.value, "{}", row.id),
            (Err(why), Some(part)) => assert!(why.contains(part), "{}: {why}", row.id),
            (got, _) => panic!("{}: {got:?}", row.id),
        }
    }
}

#[test]
fn a_schema_says_what_is_wrong_and_where() {
    let schema = json!({
        "type": "array",
        "items": {"$ref": "#/$defs/row"},
        "$defs": {"row": {"type": "object", "required": ["name"], "properties": {"price": {"type": "number", "minimum": 0}}}},
    });
    let schema = Schema::of(&schema).expect("a schema");
    assert_eq!(schema.check(&json!([{"name": "a", "price": 1.5}])), Ok(()));
    let why = schema.check(&json!([{"name": "a", "price": "1.5"}])).expect_err("a text");
    assert!(why.contains("/0/price") && why.contains("number"), "{why}");
    let why = schema.check(&json!([{"price": 2}])).expect_err("no name");
    assert!(why.contains("name"), "{why}");
}

#[test]
fn a_schema_loads_nothing() {
    for schema in [
        json!({"$ref": "file:///etc/hostname"}),
        json!({"$ref": "http://127.0.0.1:1/schema"}),
        json!({"type": "nonsense"}),
        json!([1]),
    ] {
        let bad = Schema::of(&schema).expect_err("unusable");
        assert!(bad.to_string().starts_with("the JSON Schema cannot be used: "), "{bad}");
    }
}

#[test]
fn a_question_that_cannot_be_answered_is_told_at_once() {
    assert!(Question::new(Kind::String, " ").check().is_err());
    let blind = Question { screenshot: false, ..Question::new(Kind::Number, "the total") };
    assert!(blind.check().is_err());
    assert!(Question { tree: true, ..blind }.check().is_ok());
    assert!(Question::new(Kind::Wait { at_most: 0, every: 1 }, "x").check().is_err());
    let schema = Some(json!({"type": 3}));
    assert!(Question::new(Kind::Query { schema }, "x").check().is_err());
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[ \\\\<>/{}\\[\\]\"'a-z\n\t]{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z ]{1,6}", inner), 0..4).prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

proptest! {
    /// What a model wrote as JSON comes out as it was, in its tag and without.
    #[test]
    fn values_come_out_untouched(value in value()) {
        let text = format!("<thought>x</thought>\n<data-json>\n{value}\n</data-json>");
        let read = answer::answer(&text, Finish::Stop).expect("a value");
        prop_assert_eq!(&read.value, &value);
        prop_assert_eq!(Type::Any(None).take(read.value, &mut Vec::new()), Ok(value));
    }

    #[test]
    fn any_reply_is_an_answer_or_refused(text in any::<String>(), cut in any::<bool>()) {
        let finish = if cut { Finish::Length } else { Finish::Stop };
        if let Err(misread) = answer::answer(&format!("<data-json>{text}"), finish) {
            prop_assert!(misread.why.chars().count() <= 520);
        }
    }
}
