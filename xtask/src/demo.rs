//! A small shop, and Handeye doing plain steps in it with no model.

use crate::{setup, sh, web};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

const ENGLISH: &str = "click 'Add to cart' in the card of 'Enamel mug', click 'Add to cart' in the card of 'Canvas tote', \
    change the quantity in the row of 'Canvas tote' to 3, click 'Remove' in the row of 'Enamel mug', \
    then verify that the total is $61.00";

const CHINESE: &str = "点击搪瓷杯的“加入购物车”，点击帆布袋的“加入购物车”，把帆布袋那一行的数量改成3，\
    点击搪瓷杯那一行的“删除”，然后检查总计是¥247.00";

const OUT: &str = "handeye_run";

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

    let began = SystemTime::now();
    let mut handeye = std::process::Command::new(binary()?);
    handeye.arg("act").arg(&steps).args(["--web", &url, "--planner", "reflex", "--out", OUT]);
    // No model and no key: whatever this machine has set up for models must not matter.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["HANDEYE_", "MIDSCENE_", "OPENAI_"].iter().any(|p| text.starts_with(p)) {
            handeye.env_remove(&name);
        }
    }
    println!("$ {}", sh::shown(&handeye));
    let status = handeye.status().context("the built `handeye`")?;
    if let Some(report) = newest_report(Path::new(OUT), began) {
        println!("report: {}", report.display());
    }
    Ok(ExitCode::from(status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(1)))
}

/// Cargo builds the command and this program into the same folder.
fn binary() -> Result<PathBuf> {
    let me = std::env::current_exe().context("the place of this program")?;
    Ok(me.with_file_name(format!("handeye{}", std::env::consts::EXE_SUFFIX)))
}

fn newest_report(out: &Path, since: SystemTime) -> Option<PathBuf> {
    let reports = std::fs::read_dir(out).ok()?.flatten().map(|run| run.path().join("report.html"));
    let dated = reports.filter_map(|r| Some((r.metadata().ok()?.modified().ok()?, r)));
    let report = dated.filter(|(at, _)| *at >= since).max()?.1;
    std::path::absolute(report).ok()
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
