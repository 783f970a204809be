//! A small shop, and Handeye doing plain steps in it with no model.

use crate::{setup, sh, web};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;

const ENGLISH: &str = "Add the Enamel mug to the cart, add the Canvas tote to the cart, \
    change the quantity of the Canvas tote to 3, remove the Enamel mug, then check that the total is $61.00";

const CHINESE: &str = "把搪瓷杯加入购物车，把帆布袋加入购物车，把帆布袋的数量改成3，删除搪瓷杯，然后检查总计是¥247.00";

/// What a user asked the demo for.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    steps: String,
    lang: &'static str,
}

fn wish(words: &[&str]) -> Result<Wish> {
    let mut lang = None;
    let mut steps = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--zh" => lang = Some("zh"),
            "--lang" => {
                lang = match words.next() {
                    Some(&"en") => Some("en"),
                    Some(&"zh") => Some("zh"),
                    other => bail!("`--lang` takes `en` or `zh`, not `{}`", other.unwrap_or(&"")),
                };
            }
            option if option.starts_with("--") => bail!("`{option}` is no option of the demo"),
            step => steps.push(step),
        }
    }
    let steps = steps.join(" ");
    let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let lang = lang.unwrap_or(if is_chinese(&steps) { "zh" } else { "en" });
    let given = if lang == "zh" { CHINESE } else { ENGLISH };
    Ok(Wish { steps: if steps.is_empty() { given.into() } else { steps }, lang })
}

pub(crate) fn run(words: &[&str]) -> Result<ExitCode> {
    let Wish { steps, lang } = wish(words)?;
    setup::for_demo()?;
    println!("building Handeye (the first time takes some minutes)");
    sh::run(&mut sh::cargo("build --locked -p handeye-cli"))?;
    let page = std::fs::read(sh::root().join("demo/shop/index.html")).context("the page of the shop")?;
    let is_page = |path: &str| path.split('?').next() == Some("/");
    let origin = web::serve(move |request| is_page(&request.path).then(|| page.clone()))?;
    let url = format!("{origin}/?lang={lang}");
    println!("shop: {url}");
    let mut handeye = std::process::Command::new(binary()?);
    handeye.arg("act").arg(&steps).args(["--web", &url, "--planner", "reflex", "--out", "handeye_run"]);
    // No model and no key: whatever this machine has set up for models must not matter.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["HANDEYE_", "MIDSCENE_", "OPENAI_"].iter().any(|p| text.starts_with(p)) {
            handeye.env_remove(&name);
        }
    }
    println!("$ {}", sh::shown(&handeye));
    // It says itself where its report is.
    let status = handeye.status().context("the built `handeye`")?;
    Ok(ExitCode::from(status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(1)))
}

/// Cargo builds the command and this program into the same folder.
fn binary() -> Result<PathBuf> {
    let me = std::env::current_exe().context("the place of this program")?;
    Ok(me.with_file_name(format!("handeye{}", std::env::consts::EXE_SUFFIX)))
}

#[cfg(test)]
mod tests {
    use super::{CHINESE, ENGLISH, Wish, wish};

    #[test]
    fn steps_choose_their_language() {
        let check = |words: &[&str], steps: &str, lang| {
            assert_eq!(wish(words).expect("a wish"), Wish { steps: steps.into(), lang }, "{words:?}");
        };
        check(&[], ENGLISH, "en");
        check(&["--zh"], CHINESE, "zh");
        check(&["click", "Apply"], "click Apply", "en");
        check(&["点击“使用”"], "点击“使用”", "zh");
        check(&["--lang", "en", "点击 Apply"], "点击 Apply", "en");
        assert!(wish(&["--lang", "fr"]).is_err() && wish(&["--nope"]).is_err());
    }
}
