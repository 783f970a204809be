//! What a reader finds in records that are whole, torn, changed or of a later version.

use crate::sample;
use handeye_core::{Event, Hash};
use handeye_journal::{BlobError, Fault, ReadError, Run};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

fn journal_of(dir: &Path) -> Vec<u8> {
    fs::read(dir.join("journal.jsonl")).expect("a journal")
}

/// The first events of the sample.
static SHORT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let out = tempfile::tempdir().expect("a folder");
    journal_of(&sample::record(&sample::script(), out.path(), "run", 9, &[]))
});

fn run_of(bytes: &[u8]) -> (tempfile::TempDir, Result<Run, ReadError>) {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("journal.jsonl"), bytes).expect("written");
    let run = Run::read(dir.path());
    (dir, run)
}

#[test]
fn what_was_recorded_is_read_again() {
    let out = tempfile::tempdir().expect("a folder");
    let script = sample::script();
    let run = Run::read(&sample::whole(out.path())).expect("reads");
    assert_eq!(run.faults, []);
    assert_eq!(run.events.len(), script.events.len());
    for (envelope, (t, event)) in run.events.iter().zip(&script.events) {
        assert_eq!((envelope.t.millis(), &envelope.event), (*t, event));
    }
    assert_eq!(run.started.expect("a beginning").goal, "Type Ada into the name field and save");
    assert_eq!(run.outcome, Some(sample::outcome()));
    for (bytes, _) in &script.blobs {
        assert_eq!(run_blob(out.path(), &Hash::of(bytes)).expect("a blob"), *bytes);
    }
}

fn run_blob(out: &Path, hash: &Hash) -> Result<Vec<u8>, BlobError> {
    Run::read(&out.join("run")).expect("reads").blob(hash)
}

/// The lines of a small run, so that a change of the format is seen.
#[test]
fn every_kind_of_event_keeps_its_form() {
    let out = tempfile::tempdir().expect("a folder");
    let dir = sample::whole(out.path());
    let text = String::from_utf8(journal_of(&dir)).expect("utf-8");
    let mut kinds = Vec::new();
    let mut lines = String::new();
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("json");
        let of = |name: &str| value["event"][name].as_str().unwrap_or_default().to_owned();
        let need = value["event"]["need"]["need"].as_str().or(value["event"]["got"]["got"].as_str());
        let kind = format!("{} {} {}", of("event"), of("kind"), need.unwrap_or_default());
        if !kinds.contains(&kind) {
            kinds.push(kind);
            lines.push_str(line);
            lines.push('\n');
        }
    }
    let filters = vec![(r"[0-9a-f]{64}", "[hash]"), (r#""(prev|name)":"[0-9a-f]{16}""#, r#""$1":"[$1]""#)];
    insta::with_settings!({filters => filters}, {
        insta::assert_snapshot!("lines", lines);
    });
}

#[test]
fn a_record_that_is_torn_at_any_byte_keeps_its_whole_lines() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("journal.jsonl");
    // Frames and long requests make no difference here.
    let bytes = SHORT.as_slice();
    let whole = run_of(bytes).1.expect("reads").events;
    for end in 0..=bytes.len() {
        fs::write(&path, &bytes[..end]).expect("written");
        let run = Run::read(dir.path()).unwrap_or_else(|e| panic!("{end}: {e}"));
        let lines = bytes[..end].split(|b| *b == b'\n').count() - 1;
        let rest = end - bytes[..end].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        assert_eq!(run.events, whole[..lines], "{end}");
        let want = if rest == 0 { vec![] } else { vec![Fault::TornTail { bytes: rest }] };
        assert_eq!(run.faults, want, "{end}");
    }
}

#[test]
fn a_changed_record_is_told() {
    let out = tempfile::tempdir().expect("a folder");
    let bytes = journal_of(&sample::whole(out.path()));
    let text = String::from_utf8(bytes).expect("utf-8");
    let lines: Vec<&str> = text.lines().collect();
    let faults = |lines: &[String]| {
        let (_dir, run) = run_of((lines.join("\n") + "\n").as_bytes());
        run.expect("reads").faults.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let owned = |lines: &[&str]| lines.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>();
    assert_eq!(faults(&owned(&lines)), Vec::<String>::new());

    let mut changed = owned(&lines);
    changed[0] = changed[0].replace("Ada", "Eve");
    assert_eq!(
        faults(&changed),
        ["line 2 does not follow on the line before it: the record was changed by hand, or is incomplete"]
    );
    let mut cut = owned(&lines);
    cut.drain(3..5);
    assert_eq!(
        faults(&cut),
        [
            "line 4 does not follow on the line before it: the record was changed by hand, or is incomplete",
            "2 events are missing before line 4"
        ]
    );
    let mut noise = owned(&lines);
    noise.insert(2, "half a li".into());
    assert_eq!(faults(&noise), ["line 3 is no event and was left out: expected value at line 1 column 1"]);
}

#[test]
fn later_versions_of_events_are_passed_over_and_of_the_file_refused() {
    let line = |v: u32, event: &str| format!("{{\"v\":{v},\"seq\":1,\"t\":5,\"prev\":\"\",\"event\":{event}}}\n");
    let read = |text: &str| {
        let (_dir, run) = run_of(text.as_bytes());
        run.map(|run| (run.events.into_iter().map(|e| e.event).collect::<Vec<_>>(), run.faults))
    };
    let (events, faults) = read(&line(1, r#"{"event":"dreamt","of":[1,2]}"#)).expect("reads");
    assert_eq!((events, faults), (vec![Event::Unknown], vec![]));
    let (events, _) = read(&line(1, r#"{"event":"notice","text":"x","colour":"red"}"#)).expect("reads");
    assert_eq!(events, [Event::Notice { text: "x".into() }]);
    let (events, faults) = read(&line(1, r#"{"event":"answered","id":1,"got":{"got":"smelled"}}"#)).expect("reads");
    assert_eq!((events.len(), faults.len()), (0, 1));
    let error = read(&line(2, r#"{"event":"notice","text":"x"}"#)).expect_err("another version").to_string();
    assert!(error.ends_with("is written in version 2 of the journal; this build reads up to version 1"), "{error}");
}

#[test]
fn blobs_are_found_by_hash_only_and_checked() {
    let out = tempfile::tempdir().expect("a folder");
    let dir = sample::whole(out.path());
    fs::write(out.path().join("secret.png"), "x").expect("written");
    let run = Run::read(&dir).expect("reads");
    for name in ["../../secret", "", "abc", &"A".repeat(64), &"g".repeat(64), &format!("{}/..", "a".repeat(61))] {
        let error = run.blob(&Hash(name.into())).expect_err("no hash");
        assert!(matches!(error, BlobError::BadName(_)), "{name}: {error}");
    }
    let missing = Hash::of(b"nothing");
    assert!(matches!(run.blob(&missing), Err(BlobError::Missing { .. })));
    let hash = sample::picture(false, true).hash;
    let path = dir.join("blobs").join(&hash.as_str()[..2]).join(format!("{hash}.png"));
    assert!(path.is_file(), "{}", path.display());
    fs::write(path, "other bytes").expect("written");
    assert!(matches!(run.blob(&hash), Err(BlobError::Changed { .. })));
}

#[test]
fn a_folder_without_a_record_says_so() {
    let out = tempfile::tempdir().expect("a folder");
    let error = Run::read(out.path()).expect_err("no journal").to_string();
    assert!(error.contains("journal.jsonl") && error.starts_with("cannot read"), "{error}");
    let (_dir, run) = run_of(b"");
    assert_eq!(run.expect("an empty record").events, []);
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_fail(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let (_dir, run) = run_of(&bytes);
        prop_assert!(run.is_ok());
    }

    #[test]
    fn a_line_with_a_changed_byte_is_told_or_harmless(at in 0_usize..2000, byte in any::<u8>()) {
        let mut bytes = SHORT.clone();
        let at = at % bytes.len();
        let before = bytes[at];
        bytes[at] = byte;
        let (_dir, run) = run_of(&bytes);
        if let Ok(run) = run {
            let last_line = bytes[..bytes.len() - 1].iter().rposition(|b| *b == b'\n').expect("lines");
            prop_assert!(byte == before || !run.faults.is_empty() || at > last_line);
        }
    }
}
