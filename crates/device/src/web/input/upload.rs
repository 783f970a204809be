//! Files for pages: only those that the user allowed, and only when they are there.

use super::super::page::{Chooser, LOOK_WITHIN, Page};
use super::super::verdict::Expect;
use super::super::{WebDevice, fault};
use super::Aim;
use super::pointer::Button;
use fault::Stop;
use handeye_cdp::Ignored;
use handeye_core::{Ctx, DeviceError, Effect, Element, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

const WHAT: &str = "give files to the page";
/// A button opens its file chooser at once, or after a small script.
const CHOOSER_WITHIN: Duration = Duration::from_secs(2);

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Place {
    gone: bool,
    file: bool,
    multiple: bool,
    disabled: bool,
    id: u64,
    on: String,
}

#[derive(Debug, Deserialize)]
struct Given {
    files: Vec<String>,
}

/// The file that is meant, as the whole path of one that is allowed. The error says what is wrong with it.
fn allowed(file: &str, allowed: &[PathBuf]) -> Result<PathBuf, String> {
    let given = Path::new(file);
    // A bare name stands for an allowed file of that name.
    let by_name = || {
        let is_name = given.components().count() == 1;
        allowed.iter().filter(|_| is_name).find_map(|root| {
            if root.file_name().is_some_and(|name| name == given.as_os_str()) && root.is_file() {
                return Some(root.clone());
            }
            Some(root.join(given)).filter(|path| path.is_file())
        })
    };
    let path = by_name().unwrap_or_else(|| given.to_owned());
    let whole = path.canonicalize().map_err(|e| format!("cannot read the file {file}: {e}"))?;
    if !whole.is_file() {
        return Err(format!("{file} is not a file"));
    }
    let fits = |root: &PathBuf| root.canonicalize().is_ok_and(|root| whole == root || whole.starts_with(&root));
    if allowed.iter().any(fits) {
        Ok(whole)
    } else {
        Err(format!("the file {file} is not among those that may be given to pages"))
    }
}

fn names_of<P: AsRef<Path>>(paths: &[P]) -> String {
    let names = paths.iter().filter_map(|p| p.as_ref().file_name());
    names.map(|n| n.to_string_lossy().into_owned()).collect::<Vec<_>>().join(", ")
}

impl WebDevice {
    pub(in super::super) async fn upload(
        &mut self,
        element: &Element,
        files: &[String],
        cx: &Ctx,
    ) -> Result<Effect, Stop> {
        let refused = |why: String| Effect::new(Verdict::Refused, why);
        if files.is_empty() {
            return Ok(refused("no file was named".to_owned()));
        }
        let roots = self.options.uploads.clone();
        let mut paths = Vec::new();
        for file in files {
            match allowed(file, &roots) {
                Ok(path) => paths.push(path.to_string_lossy().into_owned()),
                Err(why) => return Ok(refused(why)),
            }
        }
        let aim = self.aim(element, Expect::Known, cx).await?;
        let place: Place = aim
            .world
            .run("uploadTarget", json!({"id": aim.id}), LOOK_WITHIN)
            .await
            .map_err(|e| fault::script(WHAT, e))?;
        if place.disabled {
            return Err(refused(format!("{} is disabled", place.on)).on(place.on).into());
        }
        if place.file && !place.gone {
            if paths.len() > 1 && !place.multiple {
                return Err(refused(format!("{} takes one file only", place.on)).on(place.on).into());
            }
            let object = aim.world.object(place.id, LOOK_WITHIN).await.map_err(|e| fault::script(WHAT, e))?;
            self.give(&aim, json!({"files": paths, "objectId": object})).await?;
            let given: Given = aim
                .world
                .run("uploaded", json!({"id": place.id}), LOOK_WITHIN)
                .await
                .map_err(|e| fault::script(WHAT, e))?;
            // A page may take the files away at once, to show them in its own way.
            let holds = if given.files.is_empty() { names_of(&paths) } else { given.files.join(", ") };
            return Ok(Effect::confirmed(format!("the field got {holds}")).on(place.on));
        }
        match self.open_chooser(&aim, cx).await? {
            None => Ok(refused(format!("{} opened no file chooser", aim.on)).on(aim.on)),
            Some(chooser) if paths.len() > 1 && !chooser.several => {
                Ok(refused(format!("{} takes one file only", aim.on)).on(aim.on))
            }
            Some(chooser) => {
                let params = json!({"files": paths, "backendNodeId": chooser.node});
                let set = chooser.session.call::<Ignored>("DOM.setFileInputFiles", params).await;
                set.map_err(|e| fault::cdp(WHAT, e))?;
                Ok(Effect::confirmed(format!("the file chooser of {} got {}", aim.on, names_of(&paths))).on(aim.on))
            }
        }
    }

    /// A click opened a chooser: when the user named just the files for it, it gets them.
    pub(in super::super) async fn feed_chooser(&mut self, page: &Page) -> Option<String> {
        let files = &self.options.uploads;
        let fits = |chooser: &Chooser| !files.is_empty() && (files.len() == 1 || chooser.several);
        let chooser = page.lock().chooser.clone().filter(fits)?;
        let whole: Vec<PathBuf> = files.iter().filter_map(|f| f.canonicalize().ok().filter(|f| f.is_file())).collect();
        if whole.len() != files.len() {
            return None;
        }
        let params = json!({"files": whole, "backendNodeId": chooser.node});
        chooser.session.call::<Ignored>("DOM.setFileInputFiles", params).await.ok()?;
        page.lock().chooser = None;
        Some(names_of(&whole))
    }

    async fn give(&self, aim: &Aim, params: Value) -> Result<(), DeviceError> {
        let set = aim.world.session.call::<Ignored>("DOM.setFileInputFiles", params).await;
        set.map(drop).map_err(|e| fault::cdp(WHAT, e))
    }

    async fn open_chooser(&self, aim: &Aim, cx: &Ctx) -> Result<Option<Chooser>, DeviceError> {
        aim.page.lock().chooser = None;
        self.click(aim, Button::Left, 1).await?;
        let until = cx.instant() + cx.remaining(CHOOSER_WITHIN);
        Ok(aim.page.wait(until, |state| state.chooser.take()).await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_allowed_files_are_given() {
        let dir = tempfile::tempdir().expect("a folder");
        let inside = dir.path().join("in");
        std::fs::create_dir(&inside).expect("a folder");
        std::fs::write(inside.join("报告 一.txt"), "x").expect("a file");
        std::fs::write(dir.path().join("secret.txt"), "x").expect("a file");
        std::os::unix::fs::symlink(dir.path().join("secret.txt"), inside.join("link.txt")).expect("a link");
        let roots = [inside.clone()];
        assert!(allowed("报告 一.txt", &roots).is_ok());
        assert!(allowed(&inside.join("报告 一.txt").to_string_lossy(), &roots).is_ok());
        for bad in ["missing.txt", "link.txt"] {
            assert!(allowed(bad, &roots).is_err(), "{bad}");
        }
        let outside = allowed(&dir.path().join("secret.txt").to_string_lossy(), &roots).expect_err("refused");
        assert!(outside.ends_with("is not among those that may be given to pages"), "{outside}");
        let around = inside.join("../secret.txt");
        assert!(allowed(&around.to_string_lossy(), &roots).is_err());
        assert!(allowed(&dir.path().join("secret.txt").to_string_lossy(), &[dir.path().join("secret.txt")]).is_ok());
    }
}
