//! What the models say that decide in a grammar of their own.

use super::{Dice, Speech, Step, plain, thought};
use handeye_agent::Effort;

pub(in super::super) const UI_TARS: Speech = Speech {
    planner: "ui-tars",
    family: "vlm-ui-tars",
    efforts: &[Effort::Balance],
    most: 3,
    sayable: |step| match step {
        Step::Type { text, .. } => Step::Type { at: None, text },
        Step::Scroll { .. } => Step::Scroll { at: None, distance: None },
        Step::Wait { .. } => Step::Wait { ms: 1000 },
        step => step,
    },
    steps: |dice, steps| {
        let calls: Vec<String> = steps.iter().map(|step| ui_tars_call(dice, step)).collect();
        let calls = calls.join(dice.pick(&["\n\n", "\n", "\nAction: "]));
        let label = dice.pick(&["Thought: ", "Thought：", "**Thought:** "]);
        match dice.below(5) {
            0 => format!("Action: {calls}"),
            1 => format!("{label}{}\nAction:\n```\n{calls}\n```", thought(dice)),
            2 => format!("Reflection: {}\nAction_Summary: Go on.\nAction: {calls}", thought(dice)),
            _ => format!("{label}{}\nAction: {calls}", thought(dice)),
        }
    },
    end: |dice, message| format!("Thought: {}\nAction: finished(content='{message}')", thought(dice)),
    draft: |dice, answer| {
        let (open, close) = [("<think>", "</think>"), ("<think>Perhaps:\n", "\nbut no.</think>")][dice.below(2)];
        format!("{open}{answer}{close}\n")
    },
    pieces: &[
        "Thought: ",
        "Action: ",
        "Reflection: ",
        "<think>",
        "</think>",
        "click(",
        "type(",
        "scroll(",
        "hotkey(",
        "wait()",
        "finished(",
        "start_box='(100,200)'",
        "start_box='[100, 200, 300, 400]'",
        "point='<point>500 600</point>'",
        "content='abc'",
        "key='enter'",
        "direction='up'",
        ")",
        "\n\n",
        "<|box_start|>",
        "<|box_end|>",
    ],
    reply: plain,
    tool: None,
};

fn ui_tars_call(dice: &mut Dice, step: &Step) -> String {
    match step {
        Step::Tap { at: (x, y) } => match dice.below(5) {
            0 => format!("click(start_box='<|box_start|>({x},{y})<|box_end|>')"),
            1 => format!("click(start_box='[{}, {}, {}, {}]')", x - 12, y - 8, x + 12, y + 8),
            2 => format!("click(point='<point>{x} {y}</point>')"),
            3 => format!("click(start_box='<bbox>{} {} {} {}</bbox>')", x - 12, y - 8, x + 12, y + 8),
            _ => format!("click(start_box=({x}, {y}))"),
        },
        Step::Type { text, .. } => match dice.below(2) {
            0 => format!("type(content='{text}')"),
            _ => format!("type(content=\"{text}\")"),
        },
        Step::Press { key } => {
            format!("hotkey(key='{}')", key.to_lowercase().replace("control", "ctrl").replace('+', " "))
        }
        Step::Scroll { .. } => "scroll(direction='up')".to_owned(),
        Step::Wait { .. } => "wait()".to_owned(),
    }
}

pub(in super::super) const AUTO_GLM: Speech = Speech {
    planner: "auto-glm",
    family: "auto-glm",
    efforts: &[Effort::Balance],
    most: 2,
    sayable: |step| match step {
        Step::Type { text, .. } => Step::Type { at: None, text },
        Step::Scroll { distance, .. } => {
            let most = distance.unwrap_or(100).min(900);
            Step::Scroll { at: Some((500, 50)), distance: Some(most) }
        }
        step => step,
    },
    steps: |dice, steps| {
        let calls: Vec<String> = steps.iter().map(|step| auto_glm_call(dice, step)).collect();
        let calls = calls.join("\n");
        match dice.below(4) {
            0 => format!("{}\n{calls}", thought(dice)),
            1 => format!("<answer>{calls}</answer>"),
            2 => format!("{}</think>\n<answer>{calls}", thought(dice)),
            _ => format!("<think>{}</think>\n<answer>{calls}</answer>", thought(dice)),
        }
    },
    end: |dice, message| format!("<think>{}</think><answer>finish(message=\"{message}\")</answer>", thought(dice)),
    draft: |dice, answer| {
        let (open, close) = [("<think>", "</think>"), ("<think>也许：\n", "\n不对。</think>")][dice.below(2)];
        format!("{open}{answer}{close}\n")
    },
    pieces: &[
        "<think>",
        "</think>",
        "<answer>",
        "</answer>",
        "do(",
        "finish(",
        "action=\"Tap\", ",
        "action=\"Type\", ",
        "action=\"Swipe\", ",
        "action=\"Wait\", ",
        "action=\"Press\", ",
        "element=[100,200]",
        "start=[500, 200], end=[500, 800]",
        "text=\"abc\"",
        "key=\"Enter\"",
        "duration=\"2 seconds\"",
        "message=\"",
        ")",
    ],
    reply: plain,
    tool: None,
};

fn auto_glm_call(dice: &mut Dice, step: &Step) -> String {
    match step {
        Step::Tap { at: (x, y) } => match dice.below(3) {
            0 => format!("do(action=\"Tap\", element=[{x}, {y}])"),
            1 => format!("do(action='Tap', element=({x},{y}))"),
            _ => format!("do(action=\"Tap\", element=[{x},{y}])"),
        },
        Step::Type { text, .. } => format!("do(action=\"Type\", text=\"{text}\")"),
        Step::Press { key } => format!("do(action=\"Press\", key=\"{key}\")"),
        Step::Scroll { at, distance } => {
            let ((x, y), distance) = (at.unwrap_or((500, 50)), distance.unwrap_or(100));
            format!("do(action=\"Swipe\", start=[{x}, {y}], end=[{x}, {}])", y + distance)
        }
        Step::Wait { ms } => format!("do(action=\"Wait\", duration=\"{ms} ms\")"),
    }
}
