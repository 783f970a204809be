//! What the model is told. Names and forms are those of its grammar, which it was trained on; the sentences are ours, in the
//! language of the model: Chinese, or English for the multilingual one.

mod chinese;
mod english;

use crate::plan::ask::Wording;
use crate::plan::calls::{arguments, others};
use crate::read::auto_glm::verbs::{self, Meaning};
use handeye_core::{ActionSpace, Family};

/// A prompt in one language.
pub(super) struct Language {
    pub(super) wording: &'static Wording,
    role: &'static str,
    form: &'static str,
    actions: &'static str,
    rules: &'static str,
    /// What a verb of the grammar does.
    about: fn(&str) -> &'static str,
    /// What a verb of the device does; `None` where only the device's own words say it.
    device: fn(&str) -> Option<&'static str>,
}

pub(super) fn language(family: &Family) -> &'static Language {
    if family.name == "auto-glm-multilingual" { &english::ENGLISH } else { &chinese::CHINESE }
}

pub(super) fn system(space: &ActionSpace, language: &Language) -> String {
    let Language { role, form, actions, rules, .. } = language;
    let mut text = format!("{role}\n\n{form}\n\n{actions}\n");
    let grammar: Vec<(&str, Meaning)> = verbs::offered(space).collect();
    for (name, meaning) in &grammar {
        text.push_str(&format!("- {}: {}\n", call(name, *meaning), (language.about)(name)));
    }
    let known: Vec<&str> = grammar.iter().filter_map(|(_, meaning)| meaning.verb()).collect();
    for spec in others(space, &known) {
        let target = |name: &str| if name == "locate" { "element=[x,y]".to_owned() } else { format!("{name}=[x,y]") };
        let args: Vec<String> =
            std::iter::once(format!("action=\"{}\"", spec.name)).chain(arguments(spec, '"', target)).collect();
        let about = (language.device)(&spec.name).unwrap_or(&spec.about);
        text.push_str(&format!("- do({}): {about}\n", args.join(", ")));
    }
    text.push_str(&format!("- finish(message=\"…\"): {}\n\n{rules}", (language.about)("finish")));
    text
}

fn call(name: &str, meaning: Meaning) -> String {
    let args = match meaning {
        Meaning::At(_) => ", element=[x,y]",
        Meaning::Type => ", text=\"…\"",
        Meaning::Swipe | Meaning::Drag => ", start=[x1,y1], end=[x2,y2]",
        Meaning::Keys => ", key=\"Enter\"",
        Meaning::Wait => ", duration=\"3 seconds\"",
        Meaning::Device("Select") => ", element=[x,y], option=\"…\"",
        Meaning::Device("Launch") => ", app=\"…\"",
        Meaning::Device(_) | Meaning::Nobody(_) => "",
    };
    format!("do(action=\"{name}\"{args})")
}
