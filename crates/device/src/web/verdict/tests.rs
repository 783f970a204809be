use super::*;

#[track_caller]
fn check(expect: &Expect, facts: &Facts, want: &str) {
    let first = Effect::unverified("clicked").on("button \"Save\"");
    assert_eq!(conclude(expect, first, facts).to_string(), want);
}

fn page(report: Report) -> Facts {
    Facts { report, ..Facts::default() }
}

#[test]
fn the_strongest_evidence_is_named() {
    let click = Expect::Click;
    check(&click, &Facts::default(), "no-op suspected: nothing on the page changed");
    let arrived = page(Report { arrived: true, ..Report::default() });
    check(&click, &arrived, "no-op suspected: the click arrived, and nothing on the page changed");
    check(&Expect::Hold, &arrived, "no-op suspected: nothing on the page changed");
    let focus = |field, own| page(Report { focus: Some("textbox \"Name\"".into()), field, own, ..Report::default() });
    check(&click, &focus(false, true), "no-op suspected: nothing on the page changed");
    check(&click, &focus(true, true), "unverified: focus moved to textbox \"Name\", which may have happened by itself");
    let mut moved = focus(true, true);
    moved.report.moved = true;
    check(&click, &moved, "confirmed: focus moved to textbox \"Name\"");
    check(&Expect::Key, &focus(false, true), "confirmed: focus moved to textbox \"Name\"");
    check(&click, &page(Report { changes: 1, sure: true, ..Report::default() }), "confirmed: 1 change of the page");
    check(
        &click,
        &page(Report { changes: 1, ..Report::default() }),
        "unverified: 1 change of the page, which may have happened by itself",
    );
    let places = vec!["status \"Saved\"".into()];
    check(
        &click,
        &page(Report { changes: 12, places, scroll: true, sure: true, ..Report::default() }),
        "confirmed: 12 changes of the page (at status \"Saved\"), the page scrolled",
    );
    let state =
        |changed, says: &str| vec![StateOf { key: "checked".into(), changed, flipped: !changed, says: says.into() }];
    check(
        &click,
        &page(Report { state: state(true, "checked"), changes: 3, sure: true, ..Report::default() }),
        "confirmed: it is now checked",
    );
    check(
        &click,
        &page(Report { state: state(false, "not checked"), touched: true, changes: 1, ..Report::default() }),
        "reverted: it went back to not checked at once",
    );
    let dialog = Dialog { kind: DialogKind::Alert, message: "Sure?".into(), accepted: true };
    let facts = Facts { dialog: Some(dialog), document: Some("http://x/".into()), ..Facts::default() };
    check(&click, &facts, "confirmed: dialog \"Sure?\" opened");
    let facts = Facts { document: Some("http://x/".into()), ..Facts::default() };
    check(&click, &facts, "confirmed: the page went to http://x/");
    let failed = Facts { document: Some("chrome-error://chromewebdata/".into()), ..Facts::default() };
    check(&click, &failed, "unverified: the page that it leads to could not be loaded");
    check(&Expect::Known, &facts, "unverified: clicked");
    check(&click, &Facts { requests: 2, asked: true, ..Facts::default() }, "confirmed: the page sent 2 requests");
    check(
        &click,
        &Facts { requests: 2, ..Facts::default() },
        "unverified: the page sent 2 requests, which may have happened by itself",
    );
    let facts = Facts { document: Some("http://x/".into()), doubtful: true, ..Facts::default() };
    check(&click, &facts, "unverified: the page went to http://x/, which may have happened by itself");
    let empty = Refusal { on: "textbox \"Email\"".into(), says: "Please fill out this field.".into() };
    check(
        &click,
        &page(Report { refused: vec![empty], sure: true, changes: 1, ..Report::default() }),
        "refused: the form was not sent, as the browser asks to mend textbox \"Email\": \"Please fill out this field.\"",
    );
}
