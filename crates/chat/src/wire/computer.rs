//! Which version of its provider's computer tool a model was trained for, and which models have none.
//!
//! As the providers' documentation has it. A model that no row knows is taken for a newer one, because a provider says itself
//! when a model does not take a tool.

use super::Api;

/// Anthropic: the one entry that brings all actions, each as a call of its own name.
pub(super) const TOOLSET: &str = "computer_toolset_20260801";
/// OpenAI: the tool that was there first, and alone is told about the screen.
pub(super) const PREVIEW: &str = "computer_use_preview";

/// Names of models: the first row whose first text stands in a name, and whose second does not, is the model's. `None` in the
/// end: those models have no computer tool.
type Row = (&'static str, &'static str, Option<&'static str>);

const ANTHROPIC: &[Row] = &[
    ("opus-4-5", "", Some("computer_20251124")),
    ("opus-4-6", "", Some("computer_20251124")),
    ("opus-4-7", "", Some("computer_20251124")),
    ("sonnet-4-6", "", Some("computer_20251124")),
    ("opus-4-8", "", Some(TOOLSET)),
    ("opus-4", "", Some("computer_20250124")),
    ("sonnet-4", "", Some("computer_20250124")),
    ("haiku-4", "", Some("computer_20250124")),
    ("claude-3-7", "", Some("computer_20250124")),
    ("claude-3-5-sonnet-20241022", "", Some("computer_20241022")),
    ("claude-3", "", None),
    ("claude-2", "", None),
    ("claude-instant", "", None),
    ("", "", Some(TOOLSET)),
];

const OPENAI: &[Row] = &[
    ("computer-use-preview", "", Some(PREVIEW)),
    ("gpt-3", "", None),
    ("gpt-4", "", None),
    ("gpt-5-", "", None),
    ("gpt-5.1", "", None),
    ("gpt-5.2", "", None),
    ("o1", "gpt", None),
    ("o3", "gpt", None),
    ("o4", "gpt", None),
    ("", "", Some("computer")),
];

const GEMINI: &[Row] = &[("gemini-1", "", None), ("gemini-2", "computer-use", None), ("", "", Some("computerUse"))];

/// What the tool is called for this model; `None` when it has none, or its API knows none.
pub(super) fn version(api: Api, model: &str) -> Option<&'static str> {
    let rows = match api {
        Api::Chat => return None,
        Api::Messages => ANTHROPIC,
        Api::Responses => OPENAI,
        Api::Gemini => GEMINI,
    };
    let model = model.to_ascii_lowercase().replace('_', "-");
    // A vendor in front of the name and a place behind it say nothing of the model.
    let bare = model.rsplit('/').next().unwrap_or(&model);
    if bare == "gpt-5" {
        return None;
    }
    let stands = |part: &str| match api {
        Api::Messages => bare.contains(part),
        _ => bare.starts_with(part),
    };
    let row = rows.iter().find(|(part, but, _)| stands(part) && (but.is_empty() || !bare.contains(but)));
    row.and_then(|(.., version)| *version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_model_gets_the_version_that_it_knows() {
        for (api, model, want) in [
            (Api::Messages, "claude-opus-5-5", Some(TOOLSET)),
            (Api::Messages, "claude-sonnet-5", Some(TOOLSET)),
            (Api::Messages, "anthropic/claude-opus-4-8", Some(TOOLSET)),
            (Api::Messages, "claude-opus-4-7", Some("computer_20251124")),
            (Api::Messages, "claude-opus-4-5-20251101", Some("computer_20251124")),
            (Api::Messages, "us.anthropic.claude-sonnet-4-6-v1:0", Some("computer_20251124")),
            (Api::Messages, "claude-sonnet-4-5-20250929", Some("computer_20250124")),
            (Api::Messages, "claude-sonnet-4-20250514", Some("computer_20250124")),
            (Api::Messages, "claude-haiku-4-5", Some("computer_20250124")),
            (Api::Messages, "claude-3-5-sonnet-20241022", Some("computer_20241022")),
            (Api::Messages, "claude-3-haiku-20240307", None),
            (Api::Messages, "claude-2.1", None),
            (Api::Messages, "a-model-of-tomorrow", Some(TOOLSET)),
            (Api::Responses, "computer-use-preview-2025-03-11", Some(PREVIEW)),
            (Api::Responses, "gpt-5.4", Some("computer")),
            (Api::Responses, "gpt-6-sol", Some("computer")),
            (Api::Responses, "gpt-5", None),
            (Api::Responses, "gpt-5-mini", None),
            (Api::Responses, "openai/gpt-4o", None),
            (Api::Responses, "o3", None),
            (Api::Gemini, "gemini-2.5-computer-use-preview-10-2025", Some("computerUse")),
            (Api::Gemini, "models/gemini-3.5-flash", Some("computerUse")),
            (Api::Gemini, "gemini-2.5-flash", None),
            (Api::Chat, "claude-opus-5-5", None),
        ] {
            assert_eq!(version(api, model), want, "{api} {model}");
        }
    }
}
