//! How much to think, in the words of each family: chat completions have a field of their own for it, and most servers another.

use crate::wire::body::{effort, merge};
use handeye_core::{Family, Thinking, ThinkingField};
use serde_json::{Map, Value, json};

/// Adds the fields to a body.
pub(super) fn put(body: &mut Map<String, Value>, family: &Family, thinking: Thinking) {
    let is_on = thinking != Thinking::Off;
    let kind = json!({"type": if is_on { "enabled" } else { "disabled" }});
    let level = effort(thinking);
    let fields = match family.thinking_field {
        ThinkingField::None => json!({}),
        ThinkingField::Effort if !is_on => json!({"reasoning_effort": "none"}),
        ThinkingField::Effort => json!({"reasoning_effort": level}),
        ThinkingField::Kind => json!({"thinking": kind}),
        ThinkingField::KindAndEffort => json!({"thinking": kind, "reasoning_effort": level}),
        ThinkingField::Enable => {
            let budget = match thinking {
                Thinking::Budget(tokens) => Some(tokens),
                _ => None,
            };
            json!({"enable_thinking": is_on, "thinking_budget": budget})
        }
        ThinkingField::Google => {
            let level = if is_on { level } else { Some("minimal") };
            let config = json!({"include_thoughts": is_on, "thinking_level": level});
            json!({"extra_body": {"google": {"thinking_config": config}}})
        }
    };
    // Null is what is left out.
    if let Value::Object(fields) = fields {
        merge(body, &fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_family_is_told_in_its_own_words() {
        let check = |family: &str, thinking: Thinking, want: Value| {
            let mut body = Map::new();
            put(&mut body, Family::named(family).expect("a family"), thinking);
            assert_eq!(Value::Object(body), want, "{family} {thinking:?}");
        };
        let kind = |kind: &str| json!({"thinking": {"type": kind}});
        check("default", Thinking::Off, json!({"reasoning_effort": "none"}));
        check("default", Thinking::High, json!({"reasoning_effort": "high"}));
        check("default", Thinking::Budget(1_000), json!({"reasoning_effort": "low"}));
        check("default", Thinking::Adaptive, json!({}));
        check("gpt-5", Thinking::Minimal, json!({"reasoning_effort": "minimal"}));
        check("glm-v", Thinking::Off, kind("disabled"));
        check("glm-v", Thinking::High, kind("enabled"));
        check("xiaomi-mimo", Thinking::Adaptive, kind("enabled"));
        check("doubao-seed", Thinking::Off, kind("disabled"));
        check("doubao-seed", Thinking::Low, json!({"thinking": {"type": "enabled"}, "reasoning_effort": "low"}));
        check("qwen3-vl", Thinking::Off, json!({"enable_thinking": false}));
        check("qwen3.5", Thinking::Budget(99), json!({"enable_thinking": true, "thinking_budget": 99}));
        let google = |config: Value| json!({"extra_body": {"google": {"thinking_config": config}}});
        check("gemini", Thinking::Off, google(json!({"include_thoughts": false, "thinking_level": "minimal"})));
        check("gemini", Thinking::High, google(json!({"include_thoughts": true, "thinking_level": "high"})));
        check("gemini", Thinking::Adaptive, google(json!({"include_thoughts": true})));
        check("qwen2.5-vl", Thinking::High, json!({}));
        check("auto-glm", Thinking::High, json!({}));
    }
}
