//! One browser, one page server and a device on them.

use handeye_core::{Action, Ctx, Device, Effect, Element, InputMode, Observation, Point, Rect, Rung, Settled, Want};
use handeye_device::web::{Source, WebDevice, WebOptions};
use handeye_testkit::browser::Chromium;
use handeye_testkit::pages::{PageServer, Pages};
use std::time::Duration;

pub(crate) struct Rig {
    pub(crate) device: WebDevice,
    pub(crate) server: PageServer,
    pub(crate) cx: Ctx,
    chromium: Option<Chromium>,
}

/// A page with what the cases of this project share: a log, and absolute places for the controls.
pub(crate) fn page(body: &str, script: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>T</title>\
         <style>*{{box-sizing:border-box}}body{{margin:0;font:16px sans-serif}}.a{{position:absolute}}button,input,select,textarea{{font:16px sans-serif}}</style>\
         <body>{body}<div id=out class=a style='left:20px;top:680px'></div>\
         <script>window.__log=[];window.hit=function(n){{__log.push(n);out.textContent=__log.join(',')}};{script}</script>"
    )
}

pub(crate) fn at(x: f64, y: f64) -> Element {
    Element {
        description: format!("({x}, {y})"),
        rect: Rect::new(x, y, 1.0, 1.0),
        point: Point::new(x, y),
        found_by: Rung::Plan,
        confidence: 1.0,
        node: None,
        label: None,
        secret: false,
    }
}

pub(crate) fn tap(x: f64, y: f64) -> Action<Element> {
    Action::Tap { locate: at(x, y) }
}
pub(crate) fn input(x: f64, y: f64, text: &str) -> Action<Element> {
    Action::Input { value: text.to_owned(), mode: InputMode::Replace, locate: Some(at(x, y)) }
}
pub(crate) fn press(keys: &str) -> Action<Element> {
    Action::KeyboardPress { key_name: keys.to_owned(), locate: None }
}
pub(crate) fn navigate(url: &str) -> Action<Element> {
    Action::Navigate { url: url.to_owned() }
}

impl Rig {
    pub(crate) async fn open(html: &str) -> Self {
        Self::with(html, |_| {}).await
    }

    pub(crate) async fn with(html: &str, change: impl FnOnce(&mut WebOptions)) -> Self {
        let server = PageServer::start(Pages::default());
        server.put("/page.html", html);
        let chromium = Chromium::start(1280, 720);
        let mut options = WebOptions {
            source: Source::Attach(chromium.endpoint().to_owned()),
            url: server.url("/page.html"),
            viewport: (1280, 720),
            ..WebOptions::default()
        };
        change(&mut options);
        let cx = Ctx::bare();
        let device = WebDevice::open(options, &cx).await.expect("the device opens");
        Self { device, server, cx, chromium: Some(chromium) }
    }

    /// Another device for the page as it is, as when one command follows the other.
    pub(crate) async fn attach_again(&mut self) {
        let endpoint = self.chromium.as_ref().expect("it lives").endpoint().to_owned();
        let options = WebOptions {
            source: Source::Attach(endpoint),
            url: String::new(),
            keep_open: true,
            ..WebOptions::default()
        };
        self.device = WebDevice::open(options, &self.cx).await.expect("the device opens again");
    }

    /// Another page, in the same tab.
    pub(crate) async fn show(&mut self, html: &str) {
        self.server.put("/page.html", html);
        let url = self.server.url("/page.html");
        let effect = self.act(&navigate(&url)).await;
        assert!(effect.is_confirmed(), "{effect}");
    }

    /// Acts and waits for the consequences: the final verdict.
    pub(crate) async fn act(&mut self, action: &Action<Element>) -> Effect {
        self.act_and_settle(action).await.0
    }

    pub(crate) async fn act_and_settle(&mut self, action: &Action<Element>) -> (Effect, Settled) {
        let first = self.device.act(action, &self.cx).await.expect("the action reaches the page");
        let settled = self.settle().await;
        (settled.effect.clone().unwrap_or(first), settled)
    }

    pub(crate) async fn settle(&mut self) -> Settled {
        self.device.settle(Duration::from_secs(3), &self.cx).await.expect("the wait ends")
    }

    pub(crate) async fn look(&mut self) -> Observation {
        self.device.observe(&Want { frame: true, ..Want::tree() }, &self.cx).await.expect("a look")
    }

    /// An element of the tree by its role and name.
    pub(crate) async fn find(&mut self, label: &str) -> Element {
        let tree = self.look().await.tree.expect("a tree");
        let node = tree.nodes.iter().find(|n| n.label() == label);
        let node = node.unwrap_or_else(|| {
            panic!("no {label} among {:?}", tree.nodes.iter().map(handeye_core::UiNode::label).collect::<Vec<_>>())
        });
        Element {
            description: label.to_owned(),
            rect: node.rect,
            point: node.point.unwrap_or_else(|| node.rect.center()),
            found_by: Rung::Tree,
            confidence: 1.0,
            node: Some(node.node.clone()),
            label: Some(node.label()),
            secret: node.states.password,
        }
    }

    /// Whether an expression is true in the page's own world.
    #[track_caller]
    pub(crate) fn holds(&self, expression: &str) {
        let is = self.chromium.as_ref().expect("it lives").is_true(expression, false);
        assert_eq!(is, Ok(true), "{expression}");
    }

    /// What an expression is as text, in the page's own world.
    pub(crate) fn text(&self, expression: &str) -> String {
        let asked = format!("(()=>{{throw {expression}}})()");
        let said = self.chromium.as_ref().expect("it lives").is_true(&asked, false);
        said.expect_err("it throws").trim_start_matches("the page says: ").to_owned()
    }

    /// Ends the processes behind the pages after some time, as the system does when memory runs out.
    #[expect(clippy::disallowed_methods, reason = "the moment of the crash is what the test is about")]
    pub(crate) fn kill_renderers_in(&self, time: Duration) -> std::thread::JoinHandle<()> {
        let group = self.chromium.as_ref().expect("it lives").group().to_string();
        std::thread::spawn(move || {
            std::thread::sleep(time);
            for entry in std::fs::read_dir("/proc").expect("a list of processes").flatten() {
                let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
                let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
                // After the name in brackets: state, parent, group.
                let in_group = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(2)) == Some(&group);
                if in_group && String::from_utf8_lossy(&line).contains("--type=renderer") {
                    std::process::Command::new("kill").arg("-9").arg(entry.file_name()).status().expect("kill runs");
                }
            }
        })
    }

    pub(crate) fn kill_browser(&mut self) {
        self.chromium = None;
    }
}
