//! Labels in front of lines: `思考：…`, `Action: Tap`, `**Params:** {…}`.

use super::Reading;
use handeye_core::text::name_key;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Thought,
    Log,
    Memory,
    Action,
    Params,
}

/// What a label stands in front of, blanks at the ends removed.
pub(super) struct Section {
    pub(super) label: Label,
    pub(super) text: String,
}

/// Longest label, in bytes.
const REACH: usize = 40;

pub(super) fn named(name: &str) -> Option<Label> {
    Some(match name {
        "思考" | "想法" | "思路" | "分析" | "thought" | "thoughts" | "thinking" | "reasoning" => Label::Thought,
        "日志" | "说明" | "log" => Label::Log,
        "记忆" | "备忘" | "memory" => Label::Memory,
        "动作" | "操作" | "行动" | "动作类型" | "action" | "actiontype" => Label::Action,
        "参数" | "动作参数" | "params" | "param" | "parameters" | "actioninput" | "arguments" | "actionparams"
        | "actionparamjson" => Label::Params,
        _ => return None,
    })
}

/// Splits a text at its labels. What stands before the first one is dropped.
pub(super) fn sections(text: &str) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    for line in text.lines() {
        if let Some((label, rest)) = labelled(line) {
            found.push(Section { label, text: rest.to_owned() });
        } else if let Some(section) = found.last_mut() {
            section.text.push('\n');
            section.text.push_str(line);
        }
    }
    for section in &mut found {
        section.text = section.text.trim().to_owned();
    }
    found
}

fn labelled(line: &str) -> Option<(Label, &str)> {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '#' | '-' | '>'));
    let at = line.find([':', '：']).filter(|at| *at <= REACH)?;
    // `"thought": …` is JSON, not a label.
    let is_words = |c: char| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '*' | '-' | '_');
    if !line[..at].chars().all(is_words) {
        return None;
    }
    let rest = &line[at..];
    let rest = rest.strip_prefix([':', '：']).unwrap_or(rest);
    Some((named(&name_key(&line[..at]))?, rest.trim_start_matches(|c: char| c.is_whitespace() || c == '*')))
}

/// Thought, log and notes, where no tag gave them.
pub(super) fn words(reading: &mut Reading<'_>, sections: &[Section]) {
    let last = |label: Label| sections.iter().rfind(|s| s.label == label && !s.text.is_empty()).map(|s| s.text.clone());
    if let Some(thought) = last(Label::Thought).filter(|_| reading.out.thought.is_empty()) {
        reading.out.thought = thought;
        reading.mended("read labels in front of lines");
    }
    if let Some(log) = last(Label::Log).filter(|_| reading.out.log.is_empty()) {
        reading.out.log = log;
        reading.mended("read labels in front of lines");
    }
    let notes = sections.iter().filter(|s| s.label == Label::Memory && !s.text.is_empty());
    reading.out.memory.extend(notes.map(|s| s.text.clone()));
}
