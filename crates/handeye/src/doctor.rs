//! Says whether browser, model and folders are ready, and how to mend what is not.

use crate::model::HOW_TO_SET;
use handeye_cdp::{Browser, LaunchOptions};
use handeye_chat::{ModelConfig, Models, Setting};
use handeye_core::{ChatError, Ctx, ErrorKind, Slot};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    Ok,
    /// Works, but a person should know.
    Warning,
    Broken,
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    pub what: &'static str,
    pub health: Health,
    /// What was found.
    pub says: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// The exit code of a run that meets it.
    #[serde(skip)]
    exit_code: u8,
}

impl Finding {
    pub(crate) fn new(what: &'static str, health: Health, says: impl Into<String>) -> Self {
        Self { what, health, says: says.into(), fix: None, exit_code: 2 }
    }
    pub(crate) fn exit_code(self, exit_code: u8) -> Self {
        Self { exit_code, ..self }
    }
    /// What a model's error means.
    pub(crate) fn of_model(what: &'static str, error: &ChatError) -> Self {
        let exit_code = if error.kind() == ErrorKind::Usage { 2 } else { 5 };
        let fix = error.hint.clone().unwrap_or_else(|| "check the HANDEYE_MODEL_* variables".to_owned());
        Self::new(what, Health::Broken, error.message.clone()).exit_code(exit_code).fix(fix)
    }
    pub(crate) fn is_ok(&self) -> bool {
        self.health == Health::Ok
    }
    pub(crate) fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }
}

/// What was found, and what it means for a run.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    pub v: u32,
    /// Nothing is broken; there may be warnings.
    pub ready: bool,
    /// What a run would end with: 0 ready · 2 settings or folder · 4 browser · 5 model.
    pub exit_code: u8,
    pub findings: Vec<Finding>,
}

impl Diagnosis {
    pub(crate) fn of(findings: Vec<Finding>) -> Self {
        let broken = findings.iter().find(|f| f.health == Health::Broken);
        let exit_code = broken.map_or(0, |f| f.exit_code);
        Self { v: 1, ready: broken.is_none(), exit_code, findings }
    }
}

/// Which browser a run would use.
pub enum Which {
    Own(LaunchOptions),
    Running(String),
}

/// Looks at everything that a run needs. `unread`: variables that look like settings and are none, in words.
pub async fn examine(
    browser: Which,
    models: Result<Models, ChatError>,
    unread: Option<String>,
    out: &Path,
) -> Diagnosis {
    let cx = Ctx::bare().with_timeout(Some(Duration::from_mins(1)));
    let mut findings = browser_findings(browser, &cx).await;
    findings.extend(model_findings(models, &cx).await);
    findings.extend(unread.map(|names| Finding::new("model", Health::Warning, names).fix("unset or rename them")));
    findings.push(folder_finding(out, &cx));
    Diagnosis::of(findings)
}

async fn browser_findings(which: Which, cx: &Ctx) -> Vec<Finding> {
    let opened = match &which {
        Which::Own(options) => Browser::launch(options, cx).await,
        Which::Running(endpoint) => Browser::attach(endpoint, handeye_cdp::DialogPolicy::default(), cx).await,
    };
    match opened {
        Ok(browser) => {
            let mut findings = vec![Finding::new("browser", Health::Ok, browser.version().to_owned())];
            findings.extend(browser.log().iter().map(|remark| {
                Finding::new("browser", Health::Warning, remark.clone())
                    .fix("run Handeye as another user than root; inside a container it may stay as it is")
            }));
            browser.close().await;
            findings
        }
        Err(error) => {
            let finding = Finding::new("browser", Health::Broken, error.to_string()).exit_code(4);
            vec![finding.fix(error.hint().unwrap_or("name another browser with --browser PATH"))]
        }
    }
}

async fn model_findings(models: Result<Models, ChatError>, cx: &Ctx) -> Vec<Finding> {
    let models = match models {
        Ok(models) => models,
        Err(error) => return vec![Finding::of_model("model", &error)],
    };
    if models.is_empty() {
        return vec![
            Finding::new("model", Health::Warning, "none is configured: plain steps work, goals do not")
                .fix(HOW_TO_SET),
        ];
    }
    let mut findings = Vec::new();
    for (slot, config) in models.iter() {
        let of = if slot == Slot::Default { String::new() } else { format!("for {}: ", slot.word()) };
        findings.push(model_finding(&of, config, cx).await);
    }
    findings
}

async fn model_finding(of: &str, config: &ModelConfig, cx: &Ctx) -> Finding {
    let rows = config.rows();
    let origin = |setting| rows.iter().find(|r| r.setting == setting).map(|r| format!("{} ({})", r.value, r.origin));
    let name = origin(Setting::Name).unwrap_or_else(|| config.name.clone());
    match handeye_chat::probe(config, cx).await {
        None => Finding::new("model", Health::Ok, format!("{of}{name}, answered from {}", config.place())),
        Some(Ok(reply)) => {
            Finding::new("model", Health::Ok, format!("{of}{name} at {} answered in {} ms", config.place(), reply.took))
        }
        Some(Err(error)) => Finding::of_model("model", &error),
    }
}

/// Does what a run does: makes a record in the folder. Leaves nothing behind.
fn folder_finding(out: &Path, cx: &Ctx) -> Finding {
    let made: Vec<PathBuf> = out.ancestors().take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
    let tried = handeye_journal::RunJournal::create(out, &format!("doctor-{}", crate::run::run_id(cx)), Vec::new());
    match tried {
        Ok(journal) => {
            let dir = journal.dir().to_owned();
            drop(journal);
            // What is left of the try is ours alone; should it stay, it does no harm.
            let _ = std::fs::remove_dir_all(dir);
            for folder in made {
                // One that somebody else uses by now is not empty, and stays.
                let _ = std::fs::remove_dir(folder);
            }
            Finding::new("folder", Health::Ok, format!("runs can be written to {}", out.display()))
        }
        Err(error) => Finding::new("folder", Health::Broken, error.to_string()).fix(error.hint()),
    }
}
