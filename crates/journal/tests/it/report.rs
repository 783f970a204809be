//! The report: what it shows, how large it is, and that no text of a run can break out of it.

use crate::sample::{self, Script};
use handeye_core::event::PlanRecord;
use handeye_core::{Action, Event, Need, Observation};
use handeye_journal::{ReportError, ReportOptions, Run, summary, write_report, write_report_with};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn island(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("an island");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("json")
}

fn page_of(dir: &Path) -> String {
    fs::read_to_string(write_report(dir).expect("a report")).expect("a page")
}

#[test]
fn the_page_holds_what_the_run_did() {
    let out = tempfile::tempdir().expect("a folder");
    let page = page_of(&sample::whole(out.path()));
    insta::with_settings!({filters => vec![(r"[0-9a-f]{2}/[0-9a-f]{64}", "[hash]"), (r#""hash": "[0-9a-f]{12}""#, r#""hash": "[hash]""#)]}, {
        insta::assert_snapshot!("island", serde_json::to_string_pretty(&island(&page)).expect("json"));
    });
    assert_eq!(page.matches("<script type=\"text/plain\" id=\"frame-").count(), 3, "each frame once");
    for address in ["http:", "https:", "//"] {
        for attribute in ["src=\"", "href=\""] {
            assert!(!page.contains(&format!("{attribute}{address}")), "the page loads nothing from elsewhere");
        }
    }
}

#[test]
fn the_summary_reads_like_the_run() {
    let out = tempfile::tempdir().expect("a folder");
    insta::assert_snapshot!("summary", summary(&Run::read(&sample::whole(out.path())).expect("reads")));
}

#[test]
fn a_run_that_was_killed_anywhere_has_a_report() {
    let out = tempfile::tempdir().expect("a folder");
    let script = sample::script();
    let nothing = sample::record(&script, out.path(), "run-0", 0, &[]);
    let refused = write_report(&nothing).expect_err("nothing to show");
    assert!(matches!(refused, ReportError::Empty { .. }), "{refused}");
    for until in 1..script.events.len() {
        let dir = sample::record(&script, out.path(), &format!("run-{until}"), until, &[]);
        let data = island(&page_of(&dir));
        assert_eq!(data["run"]["end"]["kind"], "unfinished", "{until}");
        let text = summary(&Run::read(&dir).expect("reads"));
        assert!(text.contains("End: unfinished"), "{until}: {text}");
    }
}

#[test]
fn what_was_typed_into_a_password_field_is_nowhere_on_the_page() {
    let out = tempfile::tempdir().expect("a folder");
    let mut script = sample::script();
    for (_, event) in &mut script.events {
        if let Event::Asked { need: Need::Act(Action::Input { locate: Some(field), .. }), .. } = event {
            field.secret = true;
        }
    }
    let dir = sample::record(&script, out.path(), "run", usize::MAX, &[]);
    let page = page_of(&dir);
    let text = summary(&Run::read(&dir).expect("reads"));
    assert!(!page.contains("Ada") && !text.contains("Ada"), "goal, thoughts, replies and titles are masked:\n{text}");
    assert_eq!(island(&page)["run"]["goal"], "Type *** into the name field and save");
    assert!(fs::read_to_string(dir.join("journal.jsonl")).expect("a record").contains("Ada"), "a replay needs it");
}

#[test]
fn hostile_texts_stay_texts() {
    const HOSTILE: &str =
        "</script><script>document.title='owned'</script><!--<script>\u{2028}{{data}}{{frames}}\" onload=x ]]>";
    let out = tempfile::tempdir().expect("a folder");
    let text = || HOSTILE.to_owned();
    let mut script = sample::script();
    script.events[0].1 = Event::Started {
        version: text(),
        goal: text(),
        device: text(),
        model: text(),
        wall_time: text(),
        settings: Value::String(text()),
    };
    for (_, event) in &mut script.events {
        if let Event::Answered { got: handeye_core::Got::Seen(Ok(Observation { place, notes, .. })), .. } = event {
            (place.url, place.title) = (text(), text());
            notes.push(text());
        }
    }
    let plan = PlanRecord {
        thought: text(),
        log: text(),
        misread: Some(text()),
        memory: vec![text()],
        ..PlanRecord::default()
    };
    script.events.insert(5, (5, Event::Planned { plan }));
    script.events.insert(5, (5, Event::Notice { text: text() }));
    script.events.insert(5, (5, Event::Feedback { text: text() }));
    let page = page_of(&sample::record(&script, out.path(), "run", usize::MAX, &[]));
    assert!(!page.contains("<script>document"), "raw");
    // The page's own script elements, and no others: the data, three frames and the viewer.
    assert_eq!(page.matches("<script").count(), 5);
    assert_eq!(page.matches("</script>").count(), 5);
    assert_eq!(page.matches("<!--").count(), 0);
    assert_eq!(island(&page)["run"]["goal"], HOSTILE, "and it is shown as it was");
}

/// A run of many rounds, each with a frame of its own.
fn long(rounds: u32) -> Script {
    let mut script = sample::script();
    let end = script.events.pop().expect("an end");
    let picture = sample::picture(false, true);
    for number in 4..4 + rounds {
        let mut bytes = picture.bytes.to_vec();
        // Bytes behind the end of a PNG are ignored: each frame is another one, and a large one.
        bytes.extend((0..60_000_u32).flat_map(|i| (i * number).to_le_bytes()));
        let image = handeye_core::Image::new(bytes, picture.format, picture.size);
        script.blobs.push((image.bytes.to_vec(), "png"));
        let id = u64::from(number) + 1000;
        let t = u64::from(number) * 10_000;
        let need = handeye_core::Need::Observe(handeye_core::Want::frame());
        script.events.push((t, Event::Round { number }));
        script.events.push((t + 1, Event::Asked { id, need, class: None, body: None }));
        script.events.push((t + 50, Event::Answered { id, got: sample::seen(&image, t) }));
        let plan = PlanRecord { planner: "standard".into(), log: "x".repeat(50), ..PlanRecord::default() };
        script.events.push((t + 60, Event::Planned { plan }));
    }
    script.events.push((end.0.max(u64::from(rounds + 5) * 10_000), end.1));
    script
}

#[test]
fn a_page_is_never_larger_than_it_may_be() {
    let out = tempfile::tempdir().expect("a folder");
    let dir = sample::record(&long(20), out.path(), "run", usize::MAX, &[]);
    for (max_bytes, kept) in [(30 << 20, 23..24), (2 << 20, 7..12), (200 << 10, 3..4)] {
        let page = write_report_with(&dir, &ReportOptions { max_bytes }).expect("a report");
        let page = fs::read_to_string(page).expect("a page");
        assert!(page.len() as u64 <= max_bytes, "{} > {max_bytes}", page.len());
        let data = island(&page);
        let frames = data["frames"].as_array().expect("frames");
        let count = |state: &str| frames.iter().filter(|f| f["state"] == state).count();
        let left_out = count("left-out");
        assert!(kept.contains(&count("kept")) && count("kept") + left_out == 23, "{left_out} of 23 left out");
        let note = data["run"]["left_out"][0].as_str().unwrap_or_default();
        assert_eq!(note.starts_with(&format!("{left_out} frames (")), left_out > 0, "{note}");
        // The last round's frame goes last.
        if max_bytes > 1 << 20 {
            assert_eq!(frames[frames.len() - 1]["state"], "kept");
        }
    }
}

#[test]
fn long_texts_are_left_out_before_the_page_grows() {
    let out = tempfile::tempdir().expect("a folder");
    let mut script = sample::script();
    for (_, event) in &mut script.events {
        if let Event::Answered { got: handeye_core::Got::Heard(Ok(reply)), .. } = event {
            reply.text.push_str(&"y".repeat(400_000));
        }
    }
    let dir = sample::record(&script, out.path(), "run", usize::MAX, &[]);
    let page = write_report_with(&dir, &ReportOptions { max_bytes: 1 << 20 }).expect("a report");
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.len() < 1 << 20, "{}", page.len());
    assert_eq!(island(&page)["run"]["left_out"][0], "3 long texts are not in this page; they are in journal.jsonl");
}

#[test]
fn a_frame_that_is_not_there_is_said_to_be_missing() {
    let out = tempfile::tempdir().expect("a folder");
    let dir = sample::whole(out.path());
    fs::remove_dir_all(dir.join("blobs")).expect("removed");
    let data = island(&page_of(&dir));
    assert!(data["frames"].as_array().expect("frames").iter().all(|f| f["state"] == "missing"));
}
