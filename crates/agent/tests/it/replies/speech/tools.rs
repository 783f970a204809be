//! What models say that call a computer tool. A call is a line, its name and its input, so that the same may happen to it as to a
//! text; a line that begins with `# ` is said beside the calls.

use super::{Dice, Speech, Step, Tool, plain, thought};
use handeye_agent::Effort;
use handeye_core::{Finish, Reply, ToolCall};
use serde_json::{Value, json};

pub(in super::super) const COMPUTER_USE: Speech = Speech {
    planner: "computer-use",
    family: "default",
    efforts: &[Effort::Balance],
    most: 3,
    sayable: |step| match step {
        Step::Type { text, .. } => Step::Type { at: None, text },
        // Some count in notches of a wheel.
        Step::Scroll { distance, .. } => Step::Scroll { at: None, distance: distance.map(|d| d / 100 * 100) },
        step => step,
    },
    steps: |dice, steps| {
        let mut lines = Vec::new();
        if dice.one_in(2) {
            lines.push(format!("# {}", thought(dice)));
        }
        if dice.one_in(8) {
            lines.push("screenshot {}".to_owned());
        }
        if dice.one_in(3) && !steps.iter().any(|step| matches!(step, Step::Wait { .. })) {
            let actions: Vec<Value> = steps.iter().map(listed).collect();
            lines.push(format!("computer {}", json!({"actions": actions})));
        } else {
            lines.extend(steps.iter().map(|step| called(dice, step)));
        }
        lines.join("\n")
    },
    end: |_, message| format!("finish {}", json!({"success": true, "message": message})),
    draft: |_, answer| format!("# {}\n", answer.replace('\n', "\n# ")),
    pieces: &[
        "# ",
        "\n",
        "\nscreenshot {}\n",
        "\ncomputer ",
        "\nleft_click ",
        "\nclick_at ",
        "\ntype ",
        "\nkey ",
        "\nscroll ",
        "\nwait ",
        "{}",
        "{\"coordinate\":[100,200]}",
        "{\"x\":100,\"y\":200}",
        "{\"action\":\"left_click\",\"coordinate\":[300,400]}",
        "{\"actions\":[{\"type\":\"click\",\"button\":\"left\",\"x\":5,\"y\":6}]}",
        "{\"text\":\"abc\"}",
        "{\"scroll_direction\":\"up\",\"scroll_amount\":3}",
        "\"x\":1,",
        "\"action\":\"type\",",
        "finish {\"success\":",
    ],
    reply,
    tool: Some(&Tool {
        names: &[
            ("Tap", "left_click"),
            ("Tap", "click"),
            ("Input", "type"),
            ("KeyboardPress", "key"),
            ("Scroll", "scroll"),
            ("Sleep", "wait"),
        ],
        unsaid: &[("Scroll", 300), ("Scroll", 500), ("Scroll", 800), ("Sleep", 1000), ("Sleep", 2000)],
        units: &[("Scroll", 100.0), ("Sleep", 1000.0)],
    }),
};

/// A call of its own, in pixels or in thousandths: both are the same on the screens here.
fn called(dice: &mut Dice, step: &Step) -> String {
    let at_once = dice.one_in(2);
    let single = |action: &str, mut input: Value| {
        if at_once {
            input["action"] = action.into();
            return format!("computer {input}");
        }
        format!("{action} {input}")
    };
    let in_thousandths = dice.one_in(2);
    match step {
        Step::Tap { at: (x, y) } if in_thousandths => format!("click_at {}", json!({"x": x, "y": y})),
        Step::Tap { at: (x, y) } => single("left_click", json!({"coordinate": [x, y]})),
        Step::Type { text, .. } if in_thousandths => format!("type {}", json!({"text": text, "press_enter": false})),
        Step::Type { text, .. } => single("type", json!({"text": text})),
        Step::Press { key } if in_thousandths => format!("key_combination {}", json!({"keys": key})),
        Step::Press { key } => single("key", json!({"text": key})),
        Step::Scroll { distance, .. } if in_thousandths => {
            format!("scroll_at {}", json!({"direction": "up", "magnitude": distance}))
        }
        Step::Scroll { distance, .. } => {
            single("scroll", json!({"scroll_direction": "up", "scroll_amount": distance.map(|d| d / 100)}))
        }
        Step::Wait { ms } if in_thousandths => format!("wait {}", json!({"seconds": *ms as f64 / 1000.0})),
        Step::Wait { ms } => single("wait", json!({"duration": *ms as f64 / 1000.0})),
    }
}

/// One action of a list.
fn listed(step: &Step) -> Value {
    match step {
        Step::Tap { at: (x, y) } => json!({"type": "click", "button": "left", "x": x, "y": y}),
        Step::Type { text, .. } => json!({"type": "type", "text": text}),
        Step::Press { key } => json!({"type": "keypress", "keys": [key]}),
        Step::Scroll { distance, .. } => json!({"type": "scroll", "scroll_y": distance.map_or(0, |d| -d)}),
        Step::Wait { .. } => json!({"type": "wait"}),
    }
}

fn reply(text: &str) -> Reply {
    let (said, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("# "));
    let calls: Vec<ToolCall> = lines.into_iter().filter(|line| !line.is_empty()).enumerate().map(call).collect();
    let finish = if calls.is_empty() { Finish::Stop } else { Finish::Calls };
    let said: Vec<&str> = said.into_iter().map(|line| &line[2..]).collect();
    Reply { calls, finish, ..plain(&said.join("\n")) }
}

fn call((index, line): (usize, &str)) -> ToolCall {
    let (name, input) = line.split_once(' ').unwrap_or((line, ""));
    let input = serde_json::from_str(input).unwrap_or_else(|_| Value::from(input));
    ToolCall { id: format!("call_{index}"), name: name.to_owned(), input }
}
