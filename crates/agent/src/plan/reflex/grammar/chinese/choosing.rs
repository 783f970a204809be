//! Chinese clauses that choose.

use super::pressing::starts_with_verb;
use super::{Cx, find_verb, over_list, target};
use crate::locate::tree::phrase::chinese as phrase;
use crate::locate::tree::{Purpose, Wanted};
use crate::plan::reflex::grammar::patterns;
use crate::plan::reflex::step::Step;

/// `在国家下拉框中选择德国`, `从列表里选出德国`, `选择德国`.
pub(super) fn choose(cx: &Cx<'_>, text: &str) -> Option<Step> {
    let verbs = ["选择", "选中", "选取", "选出", "挑选", "选定", "选"];
    let make = |option: Wanted| Step::Choose { option, list: None };
    if let Some(rest) = text.strip_prefix(['在', '从', '于']) {
        let (place, verb, option) = verbs
            .iter()
            .filter_map(|v| find_verb(rest, v).map(|(p, o)| (p, *v, o)))
            .min_by_key(|(p, v, _)| (p.len(), usize::MAX - v.len()))?;
        let _ = verb;
        let inner = place.trim();
        let place = ["里面", "之中", "当中", "里", "中", "内", "上"]
            .iter()
            .find_map(|e| inner.strip_suffix(e))
            .unwrap_or(inner)
            .trim();
        let holder = phrase::read_place(place, cx.quotes)?;
        let list = target(cx, phrase::without_arrival(place), Purpose::Choose)?;
        let option = target(cx, option, Purpose::Choose)?;
        return patterns::either(vec![
            Step::Choose { option: option.clone(), list: Some(list) },
            Step::Choose { option: option.inside(&holder), list: None },
        ]);
    }
    if let Some(rest) = verbs.iter().find_map(|v| text.strip_prefix(v)) {
        let rest = rest.trim_start_matches('了').trim();
        if rest.is_empty() {
            return None;
        }
        for joint in ["作为", "当作"] {
            if let Some((option, list)) = rest.split_once(joint) {
                return Some(Step::Choose {
                    option: target(cx, option, Purpose::Choose)?,
                    list: Some(target(cx, list, Purpose::Choose)?),
                });
            }
        }
        let mut readings: Vec<Step> = over_list(cx, rest, Purpose::Choose, &make).into_iter().collect();
        // `选择国家下拉框中的德国`
        if let Some((list, option)) = ["里的", "中的", "内的", "为"].iter().find_map(|j| rest.split_once(j))
            && let (Some(list), Some(option)) = (target(cx, list, Purpose::Choose), target(cx, option, Purpose::Choose))
        {
            readings.push(Step::Choose { option, list: Some(list) });
        }
        return patterns::either(readings);
    }
    // `国家选择德国`, `尺码选大号`
    let (list, option) = ["改选", "选择", "选"].iter().find_map(|v| find_verb(text, v))?;
    let option = option.trim_start_matches(['为', '成', '了', '：', ':']).trim();
    let list = list.trim();
    let list = ["那里", "这里", "那一栏", "这一栏", "那一项", "这一项", "一栏", "那栏", "那儿", "处"]
        .iter()
        .find_map(|e| list.strip_suffix(e))
        .filter(|l| !l.trim().is_empty())
        .map_or(list, str::trim);
    if list.is_empty() || starts_with_verb(list) {
        return None;
    }
    Some(Step::Choose { option: target(cx, option, Purpose::Choose)?, list: Some(target(cx, list, Purpose::Choose)?) })
}
