use super::*;
use std::borrow::Cow;

#[derive(serde::Deserialize)]
struct Row {
    id: String,
    /// Why it is not as elsewhere.
    #[serde(default, rename = "reason")]
    _reason: Option<String>,
    text: String,
    tag: String,
    reads: Option<String>,
    #[serde(default)]
    closed: bool,
}

#[test]
fn the_vectors_read_as_they_should() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../../../tests/data/vectors/tags.json")).expect("rows");
    for row in rows {
        let (text, _) = without_thinking(&row.text);
        let found = scan(&text);
        let tag = Tag::named(&row.tag.replace('-', "")).expect("a tag");
        let got = last(&found, tag).map(|t| (t.text.to_owned(), t.closed));
        assert_eq!(got, row.reads.map(|r| (r, row.closed)), "{}: {}", row.id, row.text);
    }
}

#[test]
fn what_stands_outside_is_kept_in_order() {
    let text = "思考：a\n<log>b</log> c <memory>d\n<complete success=\"true\">e</complete>f";
    let found = scan(text);
    assert_eq!(outside(text, &found), "思考：a\n\n c \nf");
    let spans: String = found.iter().map(|t| &text[t.span.clone()]).collect();
    assert!(spans.starts_with("<log>b</log><memory>d"));
}

#[test]
fn attributes_are_read_in_any_quotes() {
    for (written, want) in [
        (r#"success="true""#, Some("true")),
        ("success='false'", Some("false")),
        ("SUCCESS = True", Some("True")),
        ("success=“true”", Some("true")),
        ("success:yes", Some("yes")),
        (r#"x="1" success="no""#, Some("no")),
        (r#"success="tr"#, Some("tr")),
        ("my-success=1", None),
        ("success", None),
        ("", None),
    ] {
        assert_eq!(attribute(written, "success"), want, "{written}");
    }
}

#[test]
fn thinking_blocks_are_named_as_repairs() {
    let (text, repairs) = without_thinking("<think>a</think>b<think>c");
    assert_eq!((&*text, repairs.len()), ("b", 2));
    let (text, repairs) = without_thinking("nothing to remove");
    assert!(matches!(text, Cow::Borrowed(_)) && repairs.is_empty());
}

#[test]
fn many_marks_are_read_in_linear_time() {
    for piece in [
        "<log>",
        "<action-param-json>",
        "</action-param-json>\"",
        "<think>",
        "</think>",
        "<log a=\"",
        "<",
        "[T",
        "<log",
    ] {
        let text = piece.repeat(300_000 / piece.len());
        let (text, _) = without_thinking(&text);
        scan(&text);
    }
}
