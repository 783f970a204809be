//! The end-to-end cases of `tests/cases`: a page, a scripted model, and what must be true in the end.
//!
//! A case is a folder. `page.html` and its companions are served under `/<id>/`; `replies.json` holds the model's texts, one
//! a request; `transport.json`, if there, how each of them travels; `expect.json` the task and the judgement. `{A}` and `{B}`
//! in any of them stand for the two origins of the page server.

mod family;

use crate::browser::Chromium;
use crate::model::{Call, ModelServer, Scripted};
use crate::pages::PageServer;
use crate::wait::timed;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How a run must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Result {
    /// Exit code 0.
    Success,
    /// Any other.
    Failure,
}

/// `expect.json`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    pub id: String,
    /// What went wrong where this was seen, in a few words.
    pub kind: String,
    pub class: String,
    pub task: String,
    pub start_url: String,
    #[serde(default = "usual_viewport")]
    pub viewport: [u32; 2],
    /// Device pixel ratios to run at, each a run of its own.
    #[serde(default = "usual_scale")]
    pub dpr: Vec<f64>,
    pub result: Result,
    /// Must be true in the page that is left.
    #[serde(default)]
    pub final_js: Option<String>,
    /// `newest` when the page that is left is the newest tab, not the oldest.
    #[serde(default)]
    pub final_page: Option<String>,
    /// Fewest and most requests to the model.
    #[serde(default)]
    pub model_calls: Option<[usize; 2]>,
    /// More to check, for the author of a test.
    #[serde(default)]
    pub check: Option<String>,
    /// More arguments for the command.
    #[serde(default)]
    pub args: Vec<String>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    #[serde(default)]
    pub timeouts: Timeouts,
    #[serde(default)]
    pub max_steps: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Timeouts {
    pub whole_run_ms: Option<u64>,
}

fn usual_viewport() -> [u32; 2] {
    [1280, 720]
}
fn usual_scale() -> Vec<f64> {
    vec![1.0]
}

/// One case, read but not served: origins are still `{A}` and `{B}`.
#[derive(Clone, Debug)]
pub struct Case {
    pub dir: PathBuf,
    pub expect: Expect,
    /// Raw assistant texts, one a request.
    pub replies: Vec<String>,
    /// How each reply travels, by the same index; null where nothing is special.
    pub transport: Vec<Value>,
    /// The page and its companions by path, `/<id>/page.html`.
    pub pages: BTreeMap<String, Vec<u8>>,
}

impl Case {
    /// # Panics
    /// When the folder is no case.
    pub fn load(dir: &Path) -> Self {
        let text = |name: &str| std::fs::read_to_string(dir.join(name)).ok();
        let expect_text = text("expect.json").unwrap_or_else(|| panic!("no expect.json in {}", dir.display()));
        let expect: Expect = read(dir, "expect.json", &expect_text);
        let replies = text("replies.json").map(|t| read(dir, "replies.json", &t)).unwrap_or_default();
        let transport = text("transport.json").map(|t| read(dir, "transport.json", &t)).unwrap_or_default();
        let mut pages = BTreeMap::new();
        for entry in std::fs::read_dir(dir).expect("a folder of a case").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_data = entry.path().extension().is_some_and(|e| e == "json" || e == "md");
            if entry.path().is_file() && !is_data {
                pages.insert(format!("/{}/{name}", expect.id), std::fs::read(entry.path()).expect("a page of a case"));
            }
        }
        Self { dir: dir.to_owned(), expect, replies, transport, pages }
    }

    /// Every case of a folder of cases, by id.
    ///
    /// # Panics
    /// When there is none.
    pub fn all(folder: &Path) -> Vec<Self> {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let dirs = entries.flatten().map(|e| e.path()).filter(|p| p.join("expect.json").is_file());
        let mut cases: Vec<Self> = dirs.map(|d| Self::load(&d)).collect();
        assert!(!cases.is_empty(), "no case in {}", folder.display());
        cases.sort_by(|a, b| a.expect.id.cmp(&b.expect.id));
        cases
    }

    /// Serves the pages on free ports. The case that comes back names these ports where this one says `{A}` and `{B}`.
    pub fn serve(&self) -> (PageServer, Self) {
        let server = PageServer::start(BTreeMap::new());
        let (a, b) = (server.origin_a(), server.origin_b());
        let placed = |text: &str| text.replace("{A}", &a).replace("{B}", &b);
        let mut case = self.clone();
        case.expect.start_url = placed(&case.expect.start_url);
        case.expect.task = placed(&case.expect.task);
        case.expect.final_js = case.expect.final_js.as_deref().map(placed);
        case.expect.args = case.expect.args.iter().map(|s| placed(s)).collect();
        case.replies = case.replies.iter().map(|s| placed(s)).collect();
        for (path, content) in &mut case.pages {
            if let Ok(text) = std::str::from_utf8(content) {
                *content = placed(text).into_bytes();
            }
            server.put(path, content.clone());
        }
        (server, case)
    }
}

fn read<T: serde::de::DeserializeOwned>(dir: &Path, name: &str, text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{}/{name}: {e}", dir.display()))
}

/// Where and with what a case is run.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    /// The `handeye` to test.
    pub binary: &'a Path,
    /// Of the model, which says how its boxes are read; the boxes of our cases are 0-1000, x before y: `qwen3-vl`.
    pub family: &'a str,
    /// One of the case's device pixel ratios.
    pub scale: f64,
    /// Where the record goes.
    pub out: &'a Path,
}

/// How the run of a case ended.
#[derive(Debug)]
pub struct Ran {
    /// None when it had to be ended, or ended by a signal.
    pub exit: Option<i32>,
    pub took: Duration,
    pub stdout: String,
    pub stderr: String,
    /// What `final_js` said in the page that was left.
    pub page: std::result::Result<bool, String>,
    /// What the model was asked.
    pub calls: Vec<Call>,
}

/// Runs a case (as [`Case::serve`] gave it) in a Chromium and with a scripted model of its own, and looks at the page that
/// is left.
///
/// # Panics
/// When there is no browser or no binary.
pub fn run(case: &Case, bench: Bench<'_>) -> Ran {
    let expect = &case.expect;
    let [width, height] = expect.viewport;
    let chromium = Chromium::start(width, height);
    let model = ModelServer::start(Scripted::case(&case.replies.clone().into(), &case.transport.clone().into()));
    let mut command = Command::new(bench.binary);
    command.arg("act").arg(&expect.task).arg("--out").arg(bench.out).arg("--json");
    if !expect.args.iter().any(|a| a == "--planner") {
        command.args(["--planner", "standard"]);
    }
    command.args(expect.args.iter().map(|a| a.replace("{case}", &case.dir.to_string_lossy())));
    command.args(["--web", &expect.start_url, "--cdp", chromium.endpoint(), "--keep-open"]);
    command.arg("--viewport").arg(format!("{width}x{height}")).arg("--scale").arg(bench.scale.to_string());
    command.env("HANDEYE_MODEL_BASE_URL", model.base_url()).env("HANDEYE_MODEL_API_KEY", "k");
    command.env("HANDEYE_MODEL_NAME", "scripted").env("HANDEYE_MODEL_FAMILY", bench.family);
    command.env("NO_PROXY", "127.0.0.1,localhost").envs(&expect.env);
    let (took, (exit, stdout, stderr)) = timed(|| finished(&mut command, Duration::from_mins(1)));
    let newest = expect.final_page.as_deref() == Some("newest");
    let page = expect.final_js.as_deref().map_or(Ok(true), |js| chromium.is_true(js, newest));
    Ran { exit, took, stdout, stderr, page, calls: model.calls() }
}

/// Runs a command to its end, or kills it after `at_most`.
fn finished(command: &mut Command, at_most: Duration) -> (Option<i32>, String, String) {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a binary");
    let pid = rustix::process::Pid::from_child(&child);
    let (out, err) = (child.stdout.take().expect("its stdout"), child.stderr.take().expect("its stderr"));
    let read = |mut from: Box<dyn std::io::Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = from.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let (out, err) = (read(Box::new(out)), read(Box::new(err)));
    let mut ended = None;
    crate::wait::until(at_most, || {
        ended = child.try_wait().ok().flatten();
        ended.is_some()
    });
    if ended.is_none() {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        let _ = child.wait();
    }
    (ended.and_then(|s| s.code()), out.join().unwrap_or_default(), err.join().unwrap_or_default())
}

/// What is wrong with a run; empty when it passed. What [`Expect::check`] says is left to the test.
pub fn faults(expect: &Expect, ran: &Ran) -> Vec<String> {
    let mut faults = Vec::new();
    match ran.exit {
        None => faults.push(format!("it did not end by itself ({:.1} s)", ran.took.as_secs_f64())),
        Some(code) if (code == 0) != (expect.result == Result::Success) => {
            faults.push(format!("exit code {code}, wanted {:?}", expect.result));
        }
        Some(_) => {}
    }
    if let Some([fewest, most]) = expect.model_calls
        && !(fewest..=most).contains(&ran.calls.len())
    {
        faults.push(format!("{} model requests, wanted {fewest} to {most}", ran.calls.len()));
    }
    if let Some(limit) = expect.timeouts.whole_run_ms
        && ran.took > Duration::from_millis(limit)
    {
        faults.push(format!("it took {:.1} s, at most {limit} ms are allowed", ran.took.as_secs_f64()));
    }
    match &ran.page {
        Ok(true) => {}
        Ok(false) => faults.push(format!("`{}` is false", expect.final_js.as_deref().unwrap_or_default())),
        Err(why) => faults.push(format!("`{}`: {why}", expect.final_js.as_deref().unwrap_or_default())),
    }
    faults
}
