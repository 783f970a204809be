//! The actor against a browser that is played from a script.

use super::*;
use crate::CdpError;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

/// The browser's side of a pipe.
struct Played {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
}

struct Setup {
    root: Session,
    outlets: Outlets,
    played: Played,
    actor: ActorTask,
}

fn setup(scope: Scope, dialogs: DialogPolicy) -> Setup {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (from, to) = tokio::io::split(ours);
    let outlets = Outlets::new();
    let (root, actor) = start(Wire::pipe(from, to), scope, dialogs, outlets.clone());
    let (reader, writer) = tokio::io::split(theirs);
    Setup { root, outlets, played: Played { reader: BufReader::new(reader), writer }, actor }
}

impl Played {
    async fn says(&mut self, message: &Value) {
        self.says_text(&message.to_string()).await;
    }
    async fn says_text(&mut self, text: &str) {
        self.writer.write_all(format!("{text}\0").as_bytes()).await.expect("writes");
    }
    async fn hears(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.reader.read_until(0, &mut bytes).await.expect("reads");
        bytes.pop();
        serde_json::from_slice(&bytes).expect("a command")
    }
    /// Methods of the next commands, each with its session.
    async fn hears_methods(&mut self, count: usize) -> Vec<String> {
        let mut methods = Vec::new();
        for _ in 0..count {
            let command = self.hears().await;
            methods.push(format!(
                "{} {}",
                command["sessionId"].as_str().unwrap_or("-"),
                command["method"].as_str().expect("a method")
            ));
        }
        methods
    }
    async fn attaches(&mut self, through: &str, session: &str, target: &Value) {
        let params = json!({"sessionId": session, "targetInfo": target, "waitingForDebugger": true, "new": {"x": 1}});
        self.says(&json!({"method": "Target.attachedToTarget", "sessionId": through, "params": params})).await;
    }
}

fn page(id: &str) -> Value {
    json!({"targetId": id, "type": "page", "url": "about:blank", "future": "value"})
}

async fn page_opened(events: &mut broadcast::Receiver<BrowserEvent>) -> Session {
    match events.recv().await.expect("an event") {
        BrowserEvent::PageOpened { session, .. } => session,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_target_is_set_up_before_it_is_let_go() {
    let mut s = setup(Scope::All, DialogPolicy::Dismiss);
    let mut events = s.outlets.events.subscribe();
    s.played.attaches("", "S1", &page("T1")).await;
    let opened = page_opened(&mut events).await;
    assert_eq!((opened.id(), opened.target_id()), ("S1", "T1"));
    let set_up = [
        "S1 Target.setAutoAttach",
        "S1 Page.enable",
        "S1 Page.setLifecycleEventsEnabled",
        "S1 Runtime.enable",
        "S1 Runtime.runIfWaitingForDebugger",
    ];
    assert_eq!(s.played.hears_methods(5).await, set_up);
    // Commands that are registered later go to it too, and to what comes then, before it is let go.
    let (sent, answers) = oneshot::channel();
    let inits = vec![Init { method: "My.init", params: None }];
    s.root.command(Command::OnNewTarget { inits, sent });
    assert_eq!(answers.await.expect("sent").len(), 1);
    assert_eq!(s.played.hears_methods(1).await, ["S1 My.init"]);
    s.played.attaches("S1", "F1", &json!({"targetId": "TF", "type": "iframe"})).await;
    let methods = s.played.hears_methods(6).await;
    assert_eq!(methods[0], "F1 Target.setAutoAttach");
    assert_eq!(methods[4..], ["F1 My.init", "F1 Runtime.runIfWaitingForDebugger"]);
    match events.recv().await.expect("an event") {
        BrowserEvent::FrameAttached { parent, session, .. } => assert_eq!((parent.id(), session.id()), ("S1", "F1")),
        other => panic!("{other:?}"),
    }
    // Others are only let go, whatever they are.
    s.played.attaches("S1", "W1", &json!({"targetId": "TW", "type": "worker"})).await;
    s.played.attaches("", "X1", &json!({"targetId": "TX", "type": "browser_ui"})).await;
    let prerendered = json!({"targetId": "TP", "type": "page", "subtype": "prerender"});
    s.played.attaches("", "P1", &prerendered).await;
    let let_go = [
        "W1 Runtime.runIfWaitingForDebugger",
        "X1 Runtime.runIfWaitingForDebugger",
        "P1 Runtime.runIfWaitingForDebugger",
    ];
    assert_eq!(s.played.hears_methods(3).await, let_go);
    assert_eq!(s.outlets.pages.borrow().len(), 1);

    // A page takes its frames with it.
    let gone = json!({"method": "Target.detachedFromTarget", "params": {"sessionId": "S1"}});
    s.played.says(&gone).await;
    assert!(matches!(events.recv().await, Ok(BrowserEvent::PageClosed { target_id }) if target_id == "T1"));
    let frame = s.outlets.pages.borrow().len();
    assert_eq!(frame, 0);
    assert!(opened.is_gone());
}

#[tokio::test]
async fn in_somebodys_browser_only_adopted_pages_are_touched() {
    let mut s = setup(Scope::Adopted, DialogPolicy::Dismiss);
    let mut events = s.outlets.events.subscribe();
    s.played.attaches("", "S1", &page("T1")).await;
    s.played.attaches("", "S2", &page("T2")).await;
    let resumed = ["S1 Runtime.runIfWaitingForDebugger", "S2 Runtime.runIfWaitingForDebugger"];
    assert_eq!(s.played.hears_methods(2).await, resumed);
    assert!(s.outlets.pages.borrow().is_empty());

    let (attached, wait) = oneshot::channel();
    s.root.command(Command::Adopt { target_id: "T2".into(), attached });
    assert_eq!(wait.await.expect("attached").id(), "S2");
    assert_eq!(s.played.hears_methods(5).await[0], "S2 Target.setAutoAttach");
    assert_eq!(page_opened(&mut events).await.id(), "S2");
    // What it opens is ours, and what that opens; what the other opens is not.
    let opened_by = |opener: &str, id: &str| json!({"targetId": id, "type": "page", "openerId": opener});
    s.played.attaches("", "S3", &opened_by("T2", "T3")).await;
    s.played.attaches("", "S4", &opened_by("T3", "T4")).await;
    s.played.attaches("", "S5", &opened_by("T1", "T5")).await;
    assert_eq!(page_opened(&mut events).await.id(), "S3");
    assert_eq!(page_opened(&mut events).await.id(), "S4");
    assert_eq!(s.played.hears_methods(11).await[10], "S5 Runtime.runIfWaitingForDebugger");
    // One that is adopted before it is attached.
    let (attached, wait) = oneshot::channel();
    s.root.command(Command::Adopt { target_id: "T6".into(), attached });
    s.played.attaches("", "S6", &page("T6")).await;
    assert_eq!(wait.await.expect("attached").id(), "S6");
    assert_eq!(s.outlets.pages.borrow().len(), 4);
}

#[tokio::test]
async fn what_is_unknown_or_broken_is_ignored() {
    let mut s = setup(Scope::All, DialogPolicy::Dismiss);
    for text in [
        "not json",
        "[]",
        "{}",
        "7",
        r#"{"id":"seven"}"#,
        r#"{"id":99,"result":{}}"#,
        r#"{"method":"Future.event","params":{"kind":"future"}}"#,
        r#"{"method":"Page.frameNavigated","sessionId":"nobody","params":{}}"#,
        r#"{"method":"Target.attachedToTarget","params":{"sessionId":7}}"#,
        r#"{"method":"Target.targetInfoChanged"}"#,
        r#"{"method":"Browser.downloadProgress","params":{"guid":"x","state":"paused"}}"#,
    ] {
        s.played.says_text(text).await;
    }
    let call = {
        let root = s.root.clone();
        tokio::spawn(async move { root.call::<Value>("A.b", json!({"x": 1})).await })
    };
    let command = s.played.hears().await;
    assert_eq!(command, json!({"id": command["id"], "method": "A.b", "params": {"x": 1}}));
    s.played.says(&json!({"id": command["id"], "result": {"ok": true}, "extra": [1]})).await;
    assert_eq!(call.await.expect("joins").expect("an answer"), json!({"ok": true}));
}

#[tokio::test]
async fn a_refusal_is_told_in_the_browsers_words() {
    let mut s = setup(Scope::All, DialogPolicy::Dismiss);
    for (refusal, want) in [
        (json!({"code": -32000, "message": "No node"}), "`A.b` failed: No node (-32000)"),
        (
            json!({"code": -32602, "message": "Invalid", "data": "x: missing"}),
            "`A.b` failed: Invalid: x: missing (-32602)",
        ),
        (json!({"code": -32001, "message": "Session with given id not found."}), "the page or frame is gone"),
        (json!({}), "`A.b` failed:  (0)"),
    ] {
        let root = s.root.clone();
        let call = tokio::spawn(async move { root.call::<Value>("A.b", ()).await });
        let id = s.played.hears().await["id"].clone();
        s.played.says(&json!({"id": id, "error": refusal})).await;
        assert_eq!(call.await.expect("joins").expect_err("refused").to_string(), want);
    }
}

#[tokio::test]
async fn dialogs_are_answered_by_policy_also_of_kinds_to_come() {
    for (policy, kind, want) in [
        (DialogPolicy::Dismiss, "alert", json!({"accept": true})),
        (DialogPolicy::Dismiss, "confirm", json!({"accept": false})),
        (DialogPolicy::Dismiss, "prompt", json!({"accept": false})),
        (DialogPolicy::Dismiss, "beforeunload", json!({"accept": true})),
        (DialogPolicy::Dismiss, "newkind", json!({"accept": true})),
        (DialogPolicy::Accept, "confirm", json!({"accept": true})),
        (DialogPolicy::Accept, "prompt", json!({"accept": true, "promptText": "Ann"})),
    ] {
        let mut s = setup(Scope::All, policy);
        s.played.attaches("", "S1", &page("T1")).await;
        s.played.hears_methods(5).await;
        let params = json!({"type": kind, "message": "m", "defaultPrompt": "Ann", "url": ""});
        s.played.says(&json!({"method": "Page.javascriptDialogOpening", "sessionId": "S1", "params": params})).await;
        let answer = s.played.hears().await;
        assert_eq!(answer["method"], "Page.handleJavaScriptDialog");
        assert_eq!(answer["params"], want, "{policy:?} {kind}");
    }
}

#[tokio::test]
async fn whoever_waits_learns_of_the_end() {
    // The browser ends.
    let s = setup(Scope::All, DialogPolicy::Dismiss);
    let mut heard = s.root.events();
    let mut events = s.outlets.events.subscribe();
    let root = s.root.clone();
    let call = tokio::spawn(async move { root.call::<Value>("A.b", ()).await });
    drop(s.played);
    let error = call.await.expect("joins").expect_err("ended");
    assert!(matches!(&error, CdpError::Gone { why } if why.contains("closed the connection")), "{error}");
    assert!(heard.next().await.is_none());
    assert!(matches!(events.recv().await, Ok(BrowserEvent::Gone { .. })));
    assert!(s.root.is_gone());

    // We let go.
    let mut s = setup(Scope::All, DialogPolicy::Dismiss);
    let root = s.root.clone();
    let call = tokio::spawn(async move { root.call::<Value>("A.b", ()).await });
    s.played.hears().await;
    drop(s.actor);
    assert!(call.await.expect("joins").expect_err("ended").is_gone());
    assert_eq!(s.root.call::<Value>("A.b", ()).await.expect_err("ended").to_string(), "the browser was closed");
}
