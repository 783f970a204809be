//! What models say, for each planner: a step in the planner's own grammar, in one of the ways in which models write it.

mod grammars;
mod tools;

pub(super) use grammars::{AUTO_GLM, UI_TARS};
pub(super) use tools::COMPUTER_USE;

use super::dice::Dice;
use handeye_agent::Effort;
use handeye_core::{Finish, Reply, Usage};
use serde_json::{Value, json};

/// One thing to do. Places are the middle of what the model points at, in thousandths of the picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Tap {
        at: (i64, i64),
    },
    /// Without a place, into the field that has the focus.
    Type {
        at: Option<(i64, i64)>,
        text: String,
    },
    Press {
        key: &'static str,
    },
    /// Upwards. Some grammars cannot say how far, some have to say where.
    Scroll {
        at: Option<(i64, i64)>,
        distance: Option<i64>,
    },
    Wait {
        ms: i64,
    },
}

impl Step {
    pub(super) fn any(dice: &mut Dice) -> Self {
        let at = (dice.number(20, 980), dice.number(20, 980));
        match dice.below(8) {
            0..=2 => Self::Tap { at },
            3 | 4 => Self::Type { at: Some(at), text: text(dice) },
            5 => Self::Press { key: dice.pick(&["Enter", "Escape", "Control+A", "Tab"]) },
            6 => Self::Scroll { at: None, distance: Some(dice.number(100, 900)) },
            _ => Self::Wait { ms: dice.number(200, 3200) },
        }
    }
    pub(super) fn verb(&self) -> &'static str {
        match self {
            Self::Tap { .. } => "Tap",
            Self::Type { .. } => "Input",
            Self::Press { .. } => "KeyboardPress",
            Self::Scroll { .. } => "Scroll",
            Self::Wait { .. } => "Sleep",
        }
    }
}

/// Something to type that stands nowhere else.
fn text(dice: &mut Dice) -> String {
    let words = ["invoice", "李雷", "naïve café", "Straße 12", "заказ", "a@example.com", "ご注文", "x > y", "50 %"];
    format!("{} {:06}", dice.pick(&words), dice.below(1_000_000))
}

/// How the model of one planner writes.
pub(super) struct Speech {
    pub(super) planner: &'static str,
    pub(super) family: &'static str,
    pub(super) efforts: &'static [Effort],
    /// Most steps of one reply.
    pub(super) most: usize,
    /// A step as its grammar can say it.
    pub(super) sayable: fn(Step) -> Step,
    pub(super) steps: fn(&mut Dice, &[Step]) -> String,
    pub(super) end: fn(&mut Dice, &str) -> String,
    /// Wraps an answer as something that is only thought about, so that another answer may follow.
    pub(super) draft: fn(&mut Dice, &str) -> String,
    /// What random replies are made of, beside letters and signs.
    pub(super) pieces: &'static [&'static str],
    /// The text as the provider gives it.
    pub(super) reply: fn(&str) -> Reply,
    /// What calls of a computer tool may leave out or say in other words.
    pub(super) tool: Option<&'static Tool>,
}

pub(super) struct Tool {
    /// Verbs by the names that calls have for them.
    pub(super) names: &'static [(&'static str, &'static str)],
    /// Numbers that are meant where none is said.
    pub(super) unsaid: &'static [(&'static str, i64)],
    /// What numbers are counted in.
    pub(super) units: &'static [(&'static str, f64)],
}

pub(super) const STANDARD: Speech = Speech {
    planner: "standard",
    family: "default",
    efforts: &[Effort::Fast, Effort::Balance, Effort::Deep],
    most: 3,
    sayable: |step| step,
    steps: standard_steps,
    end: |dice, message| {
        let thought = thought(dice);
        match dice.below(3) {
            0 => format!("<thought>{thought}</thought>\n<complete success=\"true\">{message}</complete>"),
            1 => format!("<complete success='true'>{message}</complete>"),
            _ => json!({"thought": thought, "complete": {"success": true, "message": message}}).to_string(),
        }
    },
    draft: |dice, answer| {
        let (open, close) = [
            ("<think>", "</think>"),
            ("<thinking>", "</thinking>"),
            ("<thought>Perhaps ", " but no, that is wrong.</thought>"),
            ("◁think▷", "◁/think▷"),
            ("First I thought of this:\n", "\nOn second thought, that is wrong.\n<thought>So rather:</thought>\n"),
        ][dice.below(5)];
        format!("{open}{answer}{close}\n")
    },
    pieces: &[
        "<thought>",
        "</thought>",
        "<log>",
        "</log>",
        "<action-type>",
        "</action-type>",
        "<action-param-json>",
        "</action-param-json>",
        "<complete",
        " success=\"true\">",
        "</complete>",
        "<error>",
        "</error>",
        "<think>",
        "</think>",
        "Tap",
        "Input",
        "Scroll",
        "Sleep",
        "KeyboardPress",
        "点击",
        "动作：",
        "{\"locate\":{\"prompt\":\"it\",\"bbox\":[100,200,300,400]}}",
        "{\"value\":\"abc\",\"locate\":{\"bbox\":[500,600,700,800]}}",
        "{\"keyName\":\"Enter\"}",
        "\"bbox\":",
        "[10,20,30,40]",
        "\"locate\":",
        "\"action\":",
    ],
    reply: plain,
    tool: None,
};

/// A reply of text and nothing else.
pub(super) fn plain(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        finish: Finish::Stop,
        usage: Usage { input: 1000, output: 100, ..Usage::default() },
        model: "scripted".to_owned(),
        took: 10,
        ..Reply::default()
    }
}

pub(super) fn thought(dice: &mut Dice) -> &'static str {
    dice.pick(&[
        "The form is open and the next field is empty.",
        "下一步是点击“确定”按钮，然后等待页面加载。",
        "次は検索ボタンを押します。",
        "Als Nächstes den Knopf „Weiter“ drücken; 3 von 4 sind fertig.",
        "الخطوة التالية هي الضغط على الزر",
        "A list: 1) the name {name}, 2) the price [12], 3) <b>bold</b>.",
        "",
    ])
}

fn standard_steps(dice: &mut Dice, steps: &[Step]) -> String {
    if let [step] = steps
        && dice.one_in(4)
    {
        let (verb, params) = (standard_verb(dice, step), standard_params(step));
        return match dice.below(3) {
            0 => json!({"thought": thought(dice), "action": verb, "param": params}).to_string(),
            1 => format!("{verb}({params})"),
            _ => format!("```json\n{:#}\n```", json!({"action-type": verb, "action-param-json": params})),
        };
    }
    let mut text = String::new();
    if !dice.one_in(4) {
        text.push_str(&format!("<thought>{}</thought>\n", thought(dice)));
    }
    if !dice.one_in(4) {
        text.push_str(&format!("<log>{}</log>\n", dice.pick(&["Goes on", "继续填写", "weiter"])));
    }
    if dice.one_in(6) {
        text.push_str("<memory>The price is 12.</memory>\n");
    }
    for step in steps {
        let (verb, params) = (standard_verb(dice, step), standard_params(step));
        let params = match dice.below(5) {
            0 => format!("{params:#}"),
            1 => format!("```json\n{params}\n```"),
            2 => params.to_string().replacen('}', ",}", 1),
            _ => params.to_string(),
        };
        let (a, b) = dice.pick(&[&("action-type", "action-param-json"), &("Action-Type", "action_param_json")]);
        text.push_str(&format!("<{a}>{verb}</{a}>\n<{b}>{params}</{b}>\n"));
    }
    text
}

fn standard_verb(dice: &mut Dice, step: &Step) -> &'static str {
    dice.pick(match step {
        Step::Tap { .. } => &["Tap", "Tap", "点击", "left_click"],
        Step::Type { .. } => &["Input", "Input", "输入"],
        Step::Press { .. } => &["KeyboardPress", "按键"],
        Step::Scroll { .. } => &["Scroll", "滚动"],
        Step::Wait { .. } => &["Sleep", "wait"],
    })
}

fn standard_params(step: &Step) -> Value {
    let locate = |(x, y): (i64, i64)| json!({"prompt": "the thing", "bbox": [x - 12, y - 8, x + 12, y + 8]});
    match step {
        Step::Tap { at } => json!({"locate": locate(*at)}),
        Step::Type { at, text } => json!({"value": text, "locate": at.map(locate)}),
        Step::Press { key } => json!({"keyName": key}),
        Step::Scroll { distance, .. } => json!({"direction": "up", "distance": distance}),
        Step::Wait { ms } => json!({"timeMs": ms}),
    }
}
