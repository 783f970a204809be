//! A page that others wrote, or of our own, in a browser of its own, set up and at rest.

use crate::program::{handeye, repository};
use handeye_testkit::browser::Chromium;
use handeye_testkit::pages::{PageServer, Pages, ThirdParty, third_party};
use handeye_testkit::wait;
use std::time::Duration;

fn pages(package: &str) -> Pages {
    match package {
        "todomvc" => third_party(ThirdParty::TodoMvc).into(),
        "gentelella" => third_party(ThirdParty::Gentelella).into(),
        "miniwob" => third_party(ThirdParty::MiniWob).into(),
        "shop" => repository("demo/shop").into(),
        "own" => repository("tests/others/pages").into(),
        other => panic!("no package {other}"),
    }
}

/// True once the page has not changed for half a second.
const STILL: &str = "(()=>{const w=window;if(!w.__still){w.__still={at:performance.now()};new MutationObserver(()=>{w.__still.at=\
     performance.now()}).observe(document,{subtree:true,childList:true,attributes:true,characterData:true})}return \
     performance.now()-w.__still.at>500})()";

pub(crate) struct Stage {
    server: PageServer,
    pub(crate) chromium: Chromium,
}

impl Stage {
    /// `at`: which row of a file it is for, for messages. A page that `changes_later` by itself is not waited for after its setup.
    pub(crate) fn of(at: &str, (package, page): (&str, &str), setup_js: Option<&str>, changes_later: bool) -> Self {
        let server = PageServer::start(pages(package));
        let chromium = Chromium::start(1280, 720);
        let url = server.url(&format!("/{page}"));
        let opened = handeye(&["navigate", &url, "--cdp", chromium.endpoint(), "--keep-open", "--quiet"])
            .current_dir(chromium.profile())
            .output()
            .expect("the program starts");
        assert!(opened.status.success(), "{at}: {}", String::from_utf8_lossy(&opened.stderr));
        let stage = Self { server, chromium };
        stage.comes_to_rest(at);
        if let Some(setup) = setup_js {
            let source = serde_json::to_string(setup).expect("a text");
            assert_eq!(stage.chromium.is_true(&format!("((0,eval)({source}),true)"), true), Ok(true), "{at}");
            if !changes_later {
                stage.comes_to_rest(at);
            }
        }
        stage
    }

    /// Where its page is served.
    pub(crate) fn origin(&self) -> String {
        self.server.origin_a()
    }

    fn comes_to_rest(&self, at: &str) {
        let still = wait::until(Duration::from_secs(20), || self.chromium.is_true(STILL, true) == Ok(true));
        assert!(still, "{at}: the page comes to rest");
    }

    /// True in the page, at once or a moment later.
    pub(crate) fn comes_true(&self, js: &str) -> bool {
        wait::until(Duration::from_secs(2), || self.chromium.is_true(js, true) == Ok(true))
    }
}
