//! Writing: the folder, the result, secrets, order, and folders that fail.

use crate::sample;
use handeye_core::event::PlanRecord;
use handeye_core::{ChatRequest, Event, Hash, Journal as _, Message, Need, Role, Slot};
use handeye_journal::{Recording, Run, RunJournal};
use std::fs;
use std::path::{Path, PathBuf};

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).expect("a folder").flatten() {
            if entry.path().is_dir() { open.push(entry.path()) } else { found.push(entry.path()) }
        }
    }
    found.sort();
    found
}

#[test]
fn a_run_leaves_its_folder_with_every_blob_once() {
    let out = tempfile::tempdir().expect("a folder");
    let dir = sample::whole(out.path());
    let names: Vec<String> = files(&dir)
        .iter()
        .map(|p| p.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default())
        .collect();
    let count = |ext: &str| names.iter().filter(|n| *n == ext).count();
    // Three frames, though observed five times; four request bodies; the journal; the result and the report.
    assert_eq!((count("png"), count("json"), count("jsonl"), count("html"), names.len()), (3, 5, 1, 1, 10));
    let result = fs::read_to_string(dir.join("result.json")).expect("a result");
    let here = out.path().display().to_string();
    insta::assert_snapshot!("result", result.replace(&here, "[out]"));
}

#[test]
fn secrets_reach_no_file() {
    let out = tempfile::tempdir().expect("a folder");
    let secret = "pä\"ss<w>ord 1";
    let mut script = sample::script();
    let plan = PlanRecord {
        thought: format!("I type {secret}."),
        log: serde_json::json!({"value": secret}).to_string(),
        complete: Some((true, "p%C3%A4%22ss%3Cw%3Eord%201".into())),
        ..PlanRecord::default()
    };
    script.events.insert(3, (5, Event::Planned { plan }));
    script.events.insert(3, (5, Event::Notice { text: secret.into() }));
    script.blobs.push((serde_json::json!({"messages": [{"content": secret}]}).to_string().into_bytes(), "json"));
    let dir = sample::record(&script, out.path(), "run", usize::MAX, &[secret]);
    for path in files(&dir) {
        let text = String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned();
        for form in ["ord 1", "ord%201", "ord+1"] {
            assert!(!text.contains(form), "{form:?} stands in {}", path.display());
        }
    }
    let run = Run::read(&dir).expect("reads");
    assert_eq!(run.faults, []);
    let Event::Planned { plan } = &run.events[4].event else { panic!("a plan") };
    assert_eq!((plan.thought.as_str(), plan.log.as_str()), ("I type ***.", r#"{"value":"***"}"#));
    assert_eq!(plan.complete, Some((true, "***".into())));
}

#[test]
fn a_secret_that_is_a_word_of_the_format_leaves_the_record_readable() {
    for word in ["notice", "Tap", "observe", "finished", "event", "text", "plan", "confirmed", "standard"] {
        let out = tempfile::tempdir().expect("a folder");
        let script = sample::script();
        let dir = sample::record(&script, out.path(), "run", usize::MAX, &[word]);
        let run = Run::read(&dir).expect("reads");
        assert_eq!((run.events.len(), run.faults.len()), (script.events.len(), 0), "{word}");
        let kinds = |events: &mut dyn Iterator<Item = &Event>| events.map(std::mem::discriminant).collect::<Vec<_>>();
        assert_eq!(
            kinds(&mut run.events.iter().map(|e| &e.event)),
            kinds(&mut script.events.iter().map(|(_, e)| e)),
            "{word}"
        );
    }
}

#[test]
fn the_hash_of_a_masked_text_is_that_of_what_was_kept() {
    let out = tempfile::tempdir().expect("a folder");
    let journal = RunJournal::create(out.path(), "run", vec!["hunter2".into()]).expect("a record");
    let hash = journal.blob(b"{\"key\":\"hunter2\"}", "json");
    assert_eq!(hash, Hash::of(b"{\"key\":\"***\"}"));
    let picture = journal.blob(b"hunter2", "png");
    assert_eq!(picture, Hash::of(b"hunter2"), "the bytes of a picture are no text");
    drop(journal);
    assert_eq!(Run::read(&out.path().join("run")).expect("reads").blob(&hash).expect("a blob"), b"{\"key\":\"***\"}");
}

#[test]
fn many_threads_keep_one_order() {
    let out = tempfile::tempdir().expect("a folder");
    let journal = RunJournal::create(out.path(), "run", Vec::new()).expect("a record");
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let journal = &journal;
            scope.spawn(move || {
                for i in 0..200 {
                    journal.record(Event::Notice { text: format!("{thread} {i}") });
                    journal.blob(format!("blob {}", i % 10).as_bytes(), "txt");
                }
            });
        }
    });
    drop(journal);
    let run = Run::read(&out.path().join("run")).expect("reads");
    assert_eq!((run.faults.len(), run.events.len()), (0, 1600));
    assert!(run.events.iter().zip(1..).all(|(e, i)| e.seq == i));
    assert!(run.events.is_sorted_by_key(|e| e.t));
    for thread in 0..8 {
        let mine = run.events.iter().filter_map(|e| match &e.event {
            Event::Notice { text } => text.strip_prefix(&format!("{thread} "))?.parse::<u32>().ok(),
            _ => None,
        });
        assert!(mine.eq(0..200), "thread {thread}");
    }
}

#[tokio::test]
async fn a_line_is_in_the_file_once_it_is_written() {
    for durable in [false, true] {
        let out = tempfile::tempdir().expect("a folder");
        let recording = Recording { durable, ..Recording::default() };
        let journal = RunJournal::create_with(out.path(), "run", recording).expect("a record");
        for i in 0..50 {
            let seq = journal.record(Event::Round { number: i });
            journal.written(seq).await;
            let text = fs::read_to_string(journal.dir().join("journal.jsonl")).expect("a file");
            assert_eq!(text.lines().count() as u32, i + 1);
        }
    }
}

#[track_caller]
fn check_refused(out: &Path, id: &str, want: &str, hint: &str) {
    let error = RunJournal::create(out, id, Vec::new()).err().expect("is refused");
    assert_eq!((error.to_string().as_str(), error.hint()), (want, hint));
}

#[test]
fn folders_that_cannot_be_written_are_refused_at_once() {
    let out = tempfile::tempdir().expect("a folder");
    let file = out.path().join("file");
    fs::write(&file, "x").expect("written");
    let under = file.join("deep").join("run");
    check_refused(
        &file.join("deep"),
        "run",
        &format!("cannot create the folder `{}`: Not a directory (os error 20)", under.display()),
        "a part of this path is a file; give another folder with --out",
    );
    check_refused(
        Path::new("/proc/nothing"),
        "run",
        "cannot create the folder `/proc/nothing/run`: No such file or directory (os error 2)",
        "check the folder, or give another one with --out",
    );
    let dir = sample::whole(out.path());
    check_refused(
        out.path(),
        "run",
        &format!("cannot start a record in `{}`: it already holds a run", dir.join("journal.jsonl").display()),
        "give another folder with --out, or remove this one",
    );
    for (id, why) in
        [("", "it is empty"), ("a/b", "it holds '/'"), ("..", "it begins with a dot"), ("a b", "it holds ' '")]
    {
        let want = format!("cannot name a run `{id}`: {why}");
        check_refused(out.path(), id, &want, "use letters, digits, `.`, `-` and `_`");
    }
}

#[test]
fn a_device_that_is_full_is_told_before_the_run() {
    let out = tempfile::tempdir().expect("a folder");
    fs::create_dir(out.path().join("run")).expect("a folder");
    let file = out.path().join("run/journal.jsonl");
    std::os::unix::fs::symlink("/dev/full", &file).expect("a link");
    let want = format!("cannot write to `{}`: No space left on device (os error 28)", file.display());
    check_refused(out.path(), "run", &want, "free some space, or give a folder on another disk with --out");
    assert!(!out.path().join("run").exists());
}

#[test]
fn a_folder_that_is_removed_during_the_run_is_told_and_stays_away() {
    let out = tempfile::tempdir().expect("a folder");
    let journal = RunJournal::create(out.path(), "run", Vec::new()).expect("a record");
    journal.record(Event::Round { number: 1 });
    fs::remove_dir_all(out.path().join("run")).expect("removed");
    journal.blob(b"bytes", "png");
    journal.record(Event::Round { number: 2 });
    let result = journal.finish(&sample::outcome());
    assert!(result.record_problem.is_some());
    assert_eq!(result.report, None);
    assert!(!out.path().join("run").exists());
}

#[test]
fn a_record_grows_with_what_is_new_and_reads_as_it_was_said() {
    let out = tempfile::tempdir().expect("a folder");
    let journal = RunJournal::create(out.path(), "talk", Vec::new()).expect("a journal");
    let told =
        |n: usize| Message::text(Role::User, format!("observation {n}: {}", "what the screen shows; ".repeat(40)));
    let mut sent = Vec::new();
    for round in 1..=60 {
        let request = ChatRequest { messages: (0..round).map(told).collect(), ..ChatRequest::default() };
        sent.push(Event::Asked {
            id: round as u64,
            need: Need::Chat(Slot::Planning, Box::new(request)),
            class: None,
            body: None,
        });
    }
    for event in &sent {
        journal.record(event.clone());
    }
    drop(journal);
    let dir = out.path().join("talk");
    let bytes = std::fs::metadata(dir.join("journal.jsonl")).expect("a file").len();
    // Whole requests would be 1.8 MB; what is new in them is 58 kB.
    assert!(bytes < 150_000, "{bytes}");
    let read = Run::read(&dir).expect("a record");
    assert_eq!((read.events.into_iter().map(|e| e.event).collect::<Vec<_>>(), read.faults), (sent, Vec::new()));
}
