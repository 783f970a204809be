//! Pages that somebody else made, as `cargo xtask pages` fetches them.

use std::path::{Path, PathBuf};

/// A package of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThirdParty {
    /// The same list of things to do over some fifty frameworks: `/examples/vanillajs/index.html`.
    TodoMvc,
    /// An administrator's dense pages: `/production/form.html`.
    Gentelella,
    /// Small tasks with a text that says what to do: `/miniwob/click-button.html`.
    MiniWob,
}

/// The folder to serve.
///
/// # Panics
/// When it has not been fetched.
pub fn third_party(package: ThirdParty) -> PathBuf {
    let pages = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/pages"));
    let folder = pages.join(match package {
        ThirdParty::TodoMvc => "todomvc/package",
        ThirdParty::Gentelella => "gentelella/package/dist",
        ThirdParty::MiniWob => "miniwob/miniwob/html",
    });
    assert!(folder.is_dir(), "no {}; run `cargo xtask pages`", folder.display());
    folder
}
