//! What a report shows, as plain data: the island in the page, and what the summary reads.

use handeye_core::Masker;
use handeye_core::event::SubGoalRecord;
use handeye_core::{Dialog, Logical, Point, Rect, Usage};
use serde::Serialize;
use serde_json::Value;

/// Index into [`Data::texts`].
pub(crate) type TextId = usize;
/// Index into [`Data::frames`].
pub(crate) type FrameId = usize;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn zero(value: &u64) -> bool {
    *value == 0
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Data {
    pub v: u32,
    pub run: Header,
    pub rounds: Vec<Round>,
    pub frames: Vec<FrameInfo>,
    /// Long texts, each once: a system prompt is sent with every request.
    pub texts: Vec<String>,
    /// Knows what was typed into password fields. The journal keeps it, since a replay needs it; no page shows it.
    #[serde(skip)]
    pub typed_secrets: Masker,
}

/// How a thing is to be coloured. Every badge also says it in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tone {
    Good,
    /// Something a person should look at.
    Doubt,
    Bad,
    #[default]
    Plain,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Header {
    pub id: String,
    pub goal: String,
    pub device: String,
    pub model: String,
    pub version: String,
    pub started: String,
    pub end: EndView,
    pub figures: Figures,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub planner: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What was noticed before the first round, about the surroundings of the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// What is wrong with the record itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<TextId>,
    /// Said on the page when frames or texts were left out to keep the file small.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct EndView {
    /// `completed`, `failed`, … or `unfinished` for a run without an end.
    pub kind: String,
    pub tone: Tone,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    pub rounds: u32,
    pub actions: u32,
    pub calls: u32,
    pub usage: Usage,
    /// Millionths of a US dollar, of the calls whose price was known.
    #[serde(skip_serializing_if = "zero")]
    pub microdollars: u64,
    pub millis: u64,
    /// Milliseconds of the whole run by part.
    pub parts: Parts,
}

/// Where the time went, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Parts {
    #[serde(skip_serializing_if = "zero")]
    pub observe: u64,
    #[serde(skip_serializing_if = "zero")]
    pub plan: u64,
    #[serde(skip_serializing_if = "zero")]
    pub locate: u64,
    #[serde(skip_serializing_if = "zero")]
    pub act: u64,
    #[serde(skip_serializing_if = "zero")]
    pub settle: u64,
    #[serde(skip_serializing_if = "zero")]
    pub pause: u64,
}

impl Parts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.observe = self.observe.saturating_add(other.observe);
        self.plan = self.plan.saturating_add(other.plan);
        self.locate = self.locate.saturating_add(other.locate);
        self.act = self.act.saturating_add(other.act);
        self.settle = self.settle.saturating_add(other.settle);
        self.pause = self.pause.saturating_add(other.pause);
    }
    pub(crate) fn total(&self) -> u64 {
        let all = [self.observe, self.plan, self.locate, self.act, self.settle, self.pause];
        all.into_iter().fold(0, u64::saturating_add)
    }
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct FrameInfo {
    pub hash: String,
    pub format: &'static str,
    pub width: f64,
    pub height: f64,
    pub scale: f64,
    /// Relative to the report.
    pub path: String,
    pub state: FrameState,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FrameState {
    /// Its bytes are in the page.
    Kept,
    /// It lies in the run's folder only, to keep the page small.
    LeftOut,
    /// The record does not hold it.
    #[default]
    Missing,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Round {
    /// 0 for what came before the first round.
    pub number: u32,
    pub at: u64,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub url: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub device_time: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dialogs: Vec<Dialog>,
    /// What the device noticed: a tab opened, a download ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<Plan>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// What the next planning call is told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub feedback: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

/// One decision of a planner, with the model calls that led to it.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Plan {
    pub at: u64,
    pub planner: String,
    /// What the planner was looking at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<FrameId>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub thought: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub log: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sub_goals: Vec<SubGoalRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<PlannedAction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<(bool, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misread: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abstained: Option<String>,
    /// No reply could be had: the provider's failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// The record ends before a decision.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    pub parts: Parts,
}

#[derive(Debug, Serialize)]
pub(crate) struct PlannedAction {
    pub summary: String,
    pub data: Value,
}

/// One request to a model and what came of it.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Call {
    pub at: u64,
    /// Milliseconds with all attempts; `None` when no answer is recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took: Option<u64>,
    pub slot: String,
    pub messages: Vec<MessageView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// The body as it was sent, relative to the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<TextId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<TextId>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_reasoning: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub finish: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microdollars: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub model: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub request_id: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed_attempts: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
}

#[derive(Debug, Serialize)]
pub(crate) struct MessageView {
    pub role: String,
    pub parts: Vec<PartView>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PartView {
    Text(TextId),
    Image { frame: FrameId, width: f64, height: f64 },
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failure {
    pub kind: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// One action, from locating its target to what came of it.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Step {
    pub title: String,
    pub state: String,
    pub tone: Tone,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    pub at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<FrameId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<FrameId>,
    /// The action as it was sent to the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub receipts: Vec<ReceiptView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<EffectView>,
    /// What the device saw at once, where the final word differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_effect: Option<EffectView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<SettledView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    pub parts: Parts,
}

/// A located target on the frame, in logical points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Mark {
    pub name: String,
    pub description: String,
    pub rect: Rect<Logical>,
    pub point: Point<Logical>,
    pub found_by: String,
    pub confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ReceiptView {
    pub target: String,
    pub rungs: Vec<RungView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Mark>,
}

#[derive(Debug, Serialize)]
pub(crate) struct RungView {
    pub rung: String,
    pub candidates: Vec<(String, f64)>,
    pub why: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct EffectView {
    pub verdict: String,
    pub tone: Tone,
    pub because: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct SettledView {
    pub by: String,
    pub took: u64,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub busy: String,
    /// What changed, each as a few words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
}
