use super::super::cases::{check, web};
use super::*;

#[test]
fn the_vectors_read_as_they_should() {
    check("vectors", include_str!("../../../tests/data/vectors/replies.json"));
}

#[test]
fn of_drafts_and_an_answer_only_the_answer_counts() {
    check("drafts", include_str!("../../../tests/data/vectors/drafts.json"));
}

#[test]
fn messages_to_the_model_are_short() {
    let long = "x".repeat(10_000);
    for text in [
        format!("<action-type>{long}</action-type>"),
        format!("<action-type>Tap</action-type><action-param-json>{long}</action-param-json>"),
        format!(
            "<action-type>Scroll</action-type><action-param-json>{{\"direction\": \"{long}\"}}</action-param-json>"
        ),
        format!("<complete success=\"{long}\">x</complete>"),
        format!("{{\"action\": \"{long}\"}}"),
        long,
    ] {
        let misread = standard(&text, Finish::Stop, &web()).expect_err("unreadable");
        assert!(misread.why.chars().count() <= 520, "{}", misread.why);
    }
}

#[test]
fn a_reply_is_refused_when_it_is_endless() {
    let misread = standard(&" ".repeat(MAX_BYTES + 1), Finish::Stop, &web()).expect_err("too long");
    assert_eq!(misread.why, "the reply has 1048577 bytes; write a short one");
}

#[test]
fn long_and_hostile_replies_are_read_in_linear_time() {
    for piece in [
        "<action-type>Tap",
        "<action-type>Tap</action-type><action-param-json>{\"a\": \"",
        "<complete>",
        "Tap(",
        "Tap({\"a\": 1})\n",
        "动作：点击\n",
        "{\"action\": ",
        "<sub-goal>",
        "<update-plan-content><sub-goal>",
        "<think>\n<log>",
        "```{",
    ] {
        let _ = standard(&piece.repeat(200_000 / piece.len()), Finish::Stop, &web());
    }
}
