//! Pages, models, records and surroundings that mean ill, or are just broken.

use crate::program::{Said, binary, handeye, run, run_folder};
use handeye_testkit::pages::PageServer;
use handeye_testkit::wait;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::net::TcpListener;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

fn served(page: &str) -> (PageServer, String) {
    let server = PageServer::start(BTreeMap::from([("/p.html".to_owned(), page.as_bytes().to_vec())]));
    let url = format!("{}/p.html", server.origin_a());
    (server, url)
}

/// A model whose replies are in a file.
fn scripted(command: &mut Command, folder: &Path, replies: &serde_json::Value) {
    let file = folder.join("replies.json");
    std::fs::write(&file, replies.to_string()).expect("a file");
    command.env("HANDEYE_MODEL_BASE_URL", format!("scripted:{}", file.display()));
    command.env("HANDEYE_MODEL_NAME", "m");
}

fn said(command: &mut Command) -> Said {
    command.output().expect("the program starts").into()
}

fn tap(at: u32) -> String {
    let to = at + 40;
    format!(
        "<log>tap</log><action-type>Tap</action-type><action-param-json>{{\"locate\": {{\"prompt\": \"it\", \"bbox\": [{at}, {at}, {to}, \
         {to}]}}}}</action-param-json>"
    )
}

#[test]
fn a_page_does_not_drive_the_terminal() {
    const EVIL: &str = "\u{1b}[31mred\u{1b}]0;t\u{7}\u{9b}2J\u{202e}x";
    let page = "<meta charset=utf-8><title>P</title><button style='position:fixed;left:0;top:0;width:300px;height:300px'>b</button>\
                <script>const evil='\\x1b[31mred\\x1b]0;t\\x07\\u009b2J\\u202ex',b=document.querySelector('button');document.title=evil;\
                b.textContent=evil;b.onclick=()=>{alert(evil);b.textContent=evil+'!'}</script>";
    let (_server, url) = served(page);
    let out = tempfile::tempdir().expect("a folder");
    let mut command = handeye(&["act", EVIL, "--planner", "standard", "--web", &url, "--out"]);
    command.arg(out.path().join("runs"));
    let complete = format!("<complete success=\"true\">{EVIL}</complete>");
    scripted(&mut command, out.path(), &serde_json::json!([tap(50), complete]));
    let said = said(&mut command);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("\\u{1b}[31mred"), "{}", said.stdout);
    assert!(said.stderr.contains("\\u{1b}[31mred"), "{}", said.stderr);
    for text in [&said.stdout, &said.stderr] {
        let obeyed = text.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
        assert_eq!(obeyed, None, "{text:?}");
    }
}

/// Every file below a folder that holds this text.
fn holding(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if std::fs::read(&path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text)) {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_secret_is_in_no_output_wherever_it_comes_from() {
    const KEY: &str = "sk-0123456789abcdef";
    const HEADER: &str = "header-0123456789abcdef";
    let (_server, url) = served(&format!("<title>{KEY}</title><button>{KEY} {HEADER}</button>"));
    let out = tempfile::tempdir().expect("a folder");
    for args in [["tap", KEY], ["act", &format!("click '{KEY} {HEADER}'")]] {
        let mut command = handeye(&args);
        command.args(["--web", &format!("{url}?k={KEY}"), "--json", "--out"]).arg(out.path());
        command.env("HANDEYE_MODEL_BASE_URL", "http://127.0.0.1:1/v1").env("HANDEYE_MODEL_NAME", "m");
        command.env("HANDEYE_MODEL_API_KEY", KEY).env("HANDEYE_MODEL_HEADERS", format!("{{\"X-Key\": \"{HEADER}\"}}"));
        command.env("HANDEYE_MODEL_RETRY_COUNT", "0");
        let said = said(&mut command);
        assert!(said.stderr.contains("***"), "{}", said.stderr);
        for secret in [KEY, HEADER] {
            assert!(!said.stdout.contains(secret) && !said.stderr.contains(secret), "{}{}", said.stdout, said.stderr);
            assert_eq!(holding(out.path(), secret), Vec::<PathBuf>::new());
        }
    }
}

#[test]
fn the_password_in_an_address_is_in_no_output() {
    const PASSWORD: &str = "pa55%40word";
    let (_server, url) = served("<title>P</title><button>Save</button>");
    let out = tempfile::tempdir().expect("a folder");
    let out_dir = out.path().to_string_lossy();
    let with_password = url.replace("http://", &format!("http://me:{PASSWORD}@"));
    let said = run(&["tap", "Save", "--web", &with_password, "--out", &out_dir]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let nowhere = "ws://127.0.0.1:1/?token=0123456789abcdef0";
    let refused = run(&["tap", "Save", "--cdp", nowhere, "--out", &out_dir]);
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    let examined = run(&["doctor", "--cdp", nowhere, "--out", &out_dir]);
    assert!(examined.stdout.contains("ws://127.0.0.1:1/?token=***"), "{}", examined.stdout);
    for secret in [PASSWORD, "pa55@word", "0123456789abcdef0"] {
        for text in [&said, &refused, &examined].into_iter().flat_map(|run| [&run.stdout, &run.stderr]) {
            assert!(!text.contains(secret), "{text}");
        }
        assert_eq!(holding(out.path(), secret), Vec::<PathBuf>::new());
    }
}

/// Takes connections and never says a word.
fn silent() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    (listener, origin)
}

#[test]
fn a_limit_that_ends_while_the_page_opens_is_that_limit() {
    let (_listener, origin) = silent();
    let out = tempfile::tempdir().expect("a folder");
    let out = out.path().to_string_lossy();
    for time in ["1ms", "4s"] {
        let said = run(&["act", "click 'Save'", "--web", &origin, "--timeout", time, "--out", &out]);
        assert_eq!(said.code, Some(3), "{time}: {}", said.stderr);
        assert!(said.stderr.contains("--timeout"), "{}", said.stderr);
    }
}

#[test]
fn a_model_that_does_not_answer_is_an_error_of_the_model() {
    let (_listener, origin) = silent();
    let (_server, url) = served("<title>P</title>");
    let out = tempfile::tempdir().expect("a folder");
    let act = |more: &[&str]| {
        let mut command = handeye(&["act", "x", "--planner", "standard", "--web", &url]);
        command.args(more).arg("--out").arg(out.path());
        command
            .env("HANDEYE_MODEL_BASE_URL", &origin)
            .env("HANDEYE_MODEL_NAME", "m")
            .env("HANDEYE_MODEL_RETRY_COUNT", "0");
        said(&mut command)
    };
    let stalled = act(&["--model-timeout", "300ms"]);
    assert_eq!(stalled.code, Some(5), "{}", stalled.stderr);
    assert!(
        stalled.stderr.contains("--model-timeout") && !stalled.stderr.contains("not readable"),
        "{}",
        stalled.stderr
    );
    // The run's own limit is told as what it is, whoever notices it first.
    assert_eq!(act(&["--timeout", "4s"]).code, Some(3));
}

fn replayed(folder: &Path) -> Said {
    run(&["replay", &folder.to_string_lossy()])
}

#[test]
fn a_run_that_was_killed_is_the_same_for_as_long_as_it_lived() {
    let (_server, url) = served("<title>P</title>");
    let out = tempfile::tempdir().expect("a folder");
    let runs = out.path().join("runs");
    let mut command = handeye(&["act", "x", "--planner", "standard", "--web", &url, "--out"]);
    command.arg(&runs).stdout(Stdio::null()).stderr(Stdio::null());
    scripted(&mut command, out.path(), &serde_json::json!([{"text": "x", "delay_ms": 60_000}]));
    let mut child = command.spawn().expect("the program starts");
    let asked = || holding(&runs, "\"need\":\"chat\"").iter().any(|f| f.ends_with("journal.jsonl"));
    assert!(wait::until(Duration::from_secs(20), asked), "the model is asked");
    child.kill().expect("kill -9");
    let _ = child.wait();
    let folder = run_folder(&runs);
    let said = replayed(&folder);
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("killed"), "{}", said.stdout);
    assert_eq!(run(&["report", &folder.to_string_lossy()]).code, Some(0));
}

#[test]
fn a_run_whose_page_never_opened_replays() {
    let out = tempfile::tempdir().expect("a folder");
    let said = run(&["act", "click 'x'", "--web", "http://127.0.0.1:1/", "--out", &out.path().to_string_lossy()]);
    assert_eq!(said.code, Some(4), "{}", said.stderr);
    let said = replayed(&run_folder(out.path()));
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
}

#[test]
fn a_folder_whose_name_is_no_text_gets_a_whole_result() {
    let (_server, url) = served("<title>P</title><button onclick=\"document.title='clicked'\">Save</button>");
    let out = tempfile::tempdir().expect("a folder");
    let runs = out.path().join(OsStr::from_bytes(b"\xff\xfe"));
    let said = said(handeye(&["act", "click 'Save'", "--web", &url, "--json", "--out"]).arg(&runs));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: serde_json::Value = serde_json::from_str(&said.stdout).expect("one object");
    assert_eq!(result["exit_code"], 0);
    let file = std::fs::read_to_string(run_folder(&runs).join("result.json")).expect("result.json");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&file).expect("JSON"), result);
}

#[test]
fn a_result_that_cannot_be_written_is_no_success() {
    let (_server, url) = served("<title>P</title><button onclick=\"document.title='clicked'\">Save</button>");
    let out = tempfile::tempdir().expect("a folder");
    let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let mut command = handeye(&["act", "click 'Save'", "--web", &url, "--json", "--out"]);
    let said = said(command.arg(out.path()).stdout(full));
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("could not be written to standard output"), "{}", said.stderr);
}

#[test]
fn doctor_leaves_no_folder_behind() {
    let out = tempfile::tempdir().expect("a folder");
    let said = run(&["doctor", "--out", &out.path().join("new/a/b").to_string_lossy()]);
    assert!(said.stdout.contains("runs can be written to"), "{}{}", said.stdout, said.stderr);
    assert!(!out.path().join("new").exists());
}

#[test]
fn records_and_scripts_that_are_no_files_are_refused_at_once() {
    let out = tempfile::tempdir().expect("a folder");
    let fifo = out.path().join("journal.jsonl");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    for command in ["replay", "report"] {
        let said = run(&[command, &out.path().to_string_lossy()]);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains("no regular file"), "{}", said.stderr);
    }
    let mut command = handeye(&["act", "x", "--web", "http://127.0.0.1:1/", "--out"]);
    command.arg(out.path()).env("HANDEYE_MODEL_BASE_URL", "scripted:/dev/zero").env("HANDEYE_MODEL_NAME", "m");
    let said = said(&mut command);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("/dev/zero") && said.stderr.contains("no regular file"), "{}", said.stderr);
}

#[test]
fn a_limit_holds_although_nobody_reads_the_progress() {
    let (_server, url) = served("<title>P</title><button>Save</button>");
    let out = tempfile::tempdir().expect("a folder");
    // A pipe that is full already, as one is after a while when a supervisor only waits for the end.
    let (_reader, writer) = std::io::pipe().expect("a pipe");
    let mut filler = Command::new("head")
        .args(["-c", "65536", "/dev/zero"])
        .stdout(writer.try_clone().expect("a pipe"))
        .spawn()
        .expect("head");
    // On a system with narrower pipes it is stuck now, which is as good.
    wait::until(Duration::from_secs(2), || filler.try_wait().is_ok_and(|ended| ended.is_some()));
    let _ = filler.kill();
    let _ = filler.wait();
    let mut command = handeye(&["act", "wait for 'never there'", "--web", &url, "--timeout", "3s", "--out"]);
    let mut child = command.arg(out.path()).stdout(Stdio::null()).stderr(writer).spawn().expect("the program starts");
    let mut code = None;
    let ended = wait::until(Duration::from_secs(20), || {
        code = child.try_wait().expect("a child");
        code.is_some()
    });
    if !ended {
        let _ = child.kill();
    }
    assert_eq!(code.and_then(|c| c.code()), Some(3));
}

#[test]
fn the_second_signal_ends_it_at_once() {
    let (_listener, origin) = silent();
    let (temp, out) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mut command = handeye(&["act", "click 'Save'", "--web", &origin, "--out", &out.path().to_string_lossy()]);
    command.env("TMPDIR", temp.path()).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(binary().is_file());
    let mut child = command.spawn().expect("the program starts");
    let profile = || std::fs::read_dir(temp.path()).is_ok_and(|mut d| d.next().is_some());
    assert!(wait::until(Duration::from_secs(20), profile), "the browser starts");
    for signal in ["-HUP", "-TERM"] {
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().expect("kill").success());
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(wait::until(Duration::from_secs(10), || !profile()), "no profile folder is left");
}

#[test]
fn the_planner_may_have_a_model_of_its_own_and_what_is_not_read_is_named() {
    let (_server, url) = served("<title>P</title>");
    let out = tempfile::tempdir().expect("a folder");
    let mut command = handeye(&["act", "look", "--planner", "standard", "--web", &url, "--out"]);
    command.arg(out.path().join("runs"));
    scripted(&mut command, out.path(), &serde_json::json!(["<complete success=\"true\">seen</complete>"]));
    let file = format!("scripted:{}", out.path().join("replies.json").display());
    // The default model would not answer.
    command.env("HANDEYE_MODEL_BASE_URL", "http://127.0.0.1:1/v1").env("HANDEYE_PLANNING_MODEL_BASE_URL", file);
    command.env("HANDEYE_MODEL_NAM", "its value");
    let said = said(&mut command);
    assert_eq!((said.code, said.stdout.contains("seen")), (Some(0), true), "{}", said.stderr);
    assert!(said.stderr.contains("HANDEYE_MODEL_NAM") && !said.stderr.contains("its value"), "{}", said.stderr);
}

#[test]
fn what_is_typed_into_a_password_field_is_not_shown_with_its_step_nor_in_the_report() {
    let (_server, url) = served("<title>P</title><label>Password <input type=password></label>");
    let out = tempfile::tempdir().expect("a folder");
    let out_dir = out.path().to_string_lossy();
    let said = run(&["act", "type hunter2xyz into Password", "--web", &url, "--out", &out_dir]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let (_heading, steps) = said.stderr.split_once('\n').expect("progress");
    assert!(steps.contains("Input a secret") && !steps.contains("hunter2xyz"), "{}", said.stderr);
    let folder = run_folder(out.path());
    let report = std::fs::read_to_string(folder.join("report.html")).expect("a report");
    assert!(!report.contains("hunter2xyz"));
    let journal = std::fs::read_to_string(folder.join("journal.jsonl")).expect("a record");
    assert!(journal.contains("hunter2xyz"), "a replay needs it");
    assert_eq!(run(&["replay", &folder.to_string_lossy()]).code, Some(0));
}
