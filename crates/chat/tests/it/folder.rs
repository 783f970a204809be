//! A folder that anyone can answer.

use crate::{PATIENCE, request};
use handeye_chat::{ModelConfig, Provider, connect};
use handeye_core::{Chat, ChatErrorKind, ChatRequest, Ctx, Image, ImageFormat, Message, Part, Role, Shown, Size};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn open(folder: &Path) -> Arc<dyn Chat> {
    connect(&ModelConfig::new(Provider::Folder(folder.to_owned()), "person")).expect("a model")
}

/// Waits until a path is there.
async fn appears(path: &Path) {
    let look = async {
        while !path.exists() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, look).await.unwrap_or_else(|_| panic!("no {}", path.display()));
}

#[tokio::test]
async fn a_reply_file_is_the_reply() {
    let folder = tempfile::tempdir().expect("a folder");
    let inbox = folder.path().join("inbox");
    let model = open(&inbox);
    let image = Image::new(*b"\x89PNG", ImageFormat::Png, Size::new(4.0, 2.0));
    let picture = Part::Image { image, shown: Shown::at(Size::new(4.0, 2.0)) };
    let asked = ChatRequest {
        messages: vec![Message::new(Role::User, vec![Part::Text("Press Next".into()), picture])],
        ..ChatRequest::default()
    };
    let answer = async {
        let request = inbox.join("001-request");
        appears(&request).await;
        // All of it is there as soon as it appears.
        assert_eq!(std::fs::read(request.join("image-1.png")).expect("the picture"), b"\x89PNG");
        assert!(std::fs::read_to_string(request.join("request.md")).expect("the text").contains("Press Next"));
        let json = std::fs::read_to_string(request.join("request.json")).expect("the body");
        assert!(json.contains("@4x2") && json.contains("blob:"), "{json}");
        let part = inbox.join("reply.tmp");
        std::fs::write(&part, "\u{feff}<log>Tap</log>\n").expect("a file");
        std::fs::rename(part, inbox.join("001-reply.txt")).expect("renamed");
    };
    let cx = Ctx::bare();
    let (reply, ()) = tokio::join!(model.complete(&asked, &cx), answer);
    let reply = reply.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.request_id.as_str()), ("<log>Tap</log>", "001"));
    assert!(reply.usage.estimated);
    // A second model in the same folder goes on counting; a reply that waits already is taken.
    std::fs::write(inbox.join("002-reply.txt"), "second").expect("a file");
    assert_eq!(open(&inbox).complete(&asked, &cx).await.expect("a reply").text, "second");
    assert!(inbox.join("002-request/request.md").exists());
}

#[tokio::test]
async fn a_reply_that_grows_is_read_when_it_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = open(folder.path());
    let write = async {
        appears(&folder.path().join("001-request")).await;
        let path = folder.path().join("001-reply.txt");
        let mut file = std::fs::File::create(&path).expect("an empty file");
        for piece in ["<log>", "one", " two", " three", "</log>"] {
            tokio::time::timeout(Duration::from_millis(120), std::future::pending::<()>()).await.expect_err("a pause");
            file.write_all(piece.as_bytes()).expect("written");
        }
    };
    let (asked, cx) = (request("a"), Ctx::bare());
    let (reply, ()) = tokio::join!(model.complete(&asked, &cx), write);
    assert_eq!(reply.expect("a reply").text, "<log>one two three</log>");
}

#[tokio::test]
async fn no_reply_ends_with_the_limit_or_a_cancel() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = ModelConfig::new(Provider::Folder(folder.path().to_owned()), "person");
    config.timeout = Some(Duration::from_millis(300));
    let model = connect(&config).expect("a model");
    std::fs::write(folder.path().join("001-reply.txt"), " \n").expect("a blank file is waited on");
    let asked = request("a");
    let error = model.complete(&asked, &Ctx::bare()).await.expect_err("no reply");
    assert_eq!(error.kind, ChatErrorKind::Timeout);
    assert!(error.message.ends_with("no 001-reply.txt within 0.3 s"), "{error}");

    let model = open(folder.path());
    let cx = Ctx::bare();
    let cancel = async {
        appears(&folder.path().join("002-request")).await;
        cx.cancel.cancel();
    };
    let (result, ()) = tokio::join!(model.complete(&asked, &cx), cancel);
    assert_eq!(result.expect_err("cancelled").kind, ChatErrorKind::Cancelled);
}

#[test]
fn a_folder_that_cannot_be_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "x").expect("a file");
    let error = connect(&ModelConfig::new(Provider::Folder(file.join("in")), "person")).err().expect("an error");
    assert!(error.kind == ChatErrorKind::Config && error.message.starts_with("cannot use the folder "), "{error}");
}

#[tokio::test]
async fn a_folder_that_is_removed_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let inbox = folder.path().join("inbox");
    let model = open(&inbox);
    let remove = async {
        appears(&inbox.join("001-request")).await;
        std::fs::remove_dir_all(&inbox).expect("removed");
    };
    let (request, cx) = (request("hello"), Ctx::bare());
    let asked = async { tokio::join!(model.complete(&request, &cx), remove).0 };
    let error = tokio::time::timeout(PATIENCE, asked).await.expect("in time").expect_err("no reply");
    assert_eq!(error.kind, ChatErrorKind::Transport);
    assert!(error.message.contains("removed"), "{error}");
}
