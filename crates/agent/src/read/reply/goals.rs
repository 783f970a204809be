//! Sub-goals: `<sub-goal index="1" status="finished">text</sub-goal>` or `<sub-goal index="1" status="finished" />`.

use super::{Reading, SubGoal, SubGoalStatus};
use crate::read::tags::{Tag, Tagged, attribute, marks};

const MOST: usize = 100;

pub(super) fn read(reading: &mut Reading<'_>, found: &[Tagged<'_>], text: &str) {
    // A plan that was cut off would lose its later goals.
    if let Some(plan) = found.iter().rfind(|t| t.tag == Tag::UpdatePlan && !reading.is_cut(t, text)) {
        reading.out.sub_goals = Some(sub_goals(plan.text, SubGoalStatus::Pending));
    }
    for marked in found.iter().filter(|t| t.tag == Tag::MarkDone) {
        let goals = sub_goals(marked.text, SubGoalStatus::Finished);
        let done = goals.iter().filter(|g| g.status == SubGoalStatus::Finished).map(|g| g.index);
        reading.out.done.extend(done);
    }
}

/// Attributes in any order. A goal without a number follows the one before it.
fn sub_goals(text: &str, unless_said: SubGoalStatus) -> Vec<SubGoal> {
    let found = marks(text, |name, _| (name == "subgoal").then_some(()));
    let mut goals: Vec<SubGoal> = Vec::new();
    for (i, mark) in found.iter().enumerate().filter(|(_, m)| !m.closing).take(MOST) {
        let end = found.get(i + 1).map_or(text.len(), |next| next.span.start);
        let words = if mark.self_closed { "" } else { text[mark.span.end..end].trim() };
        let written = attribute(mark.attributes, "index").and_then(|n| n.parse().ok()).filter(|n| *n > 0);
        let index = written.unwrap_or_else(|| goals.last().map_or(1, |g| g.index.saturating_add(1)));
        let status = attribute(mark.attributes, "status").map_or(unless_said, status);
        goals.push(SubGoal { index, status, text: words.to_owned() });
    }
    goals
}

fn status(written: &str) -> SubGoalStatus {
    match written.to_lowercase().as_str() {
        "finished" | "done" | "completed" | "complete" | "完成" | "已完成" => SubGoalStatus::Finished,
        _ => SubGoalStatus::Pending,
    }
}
