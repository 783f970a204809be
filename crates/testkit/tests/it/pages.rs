use handeye_testkit::http::{get, post, send};
use handeye_testkit::pages::{PageServer, ThirdParty, third_party};
use handeye_testkit::wait::timed;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

fn shop() -> PageServer {
    PageServer::start([("/shop/index.html", "<p>shop"), ("/shop/a.js", "1"), ("/中文.html", "你好")])
}

fn status(server: &PageServer, path: &str) -> u16 {
    get(&server.url(path)).expect("an answer").status
}

#[test]
fn files_have_types_and_stay_inside() {
    let server = shop();
    let page = get(&server.url("/shop/")).expect("a page");
    assert_eq!((page.text().as_str(), page.header("content-type")), ("<p>shop", Some("text/html; charset=utf-8")));
    assert_eq!(page.header("cache-control"), Some("no-store"));
    let script = get(&format!("{}/shop/a.js?v=1", server.origin_b())).expect("a script");
    assert_eq!((script.status, script.header("content-type")), (200, Some("text/javascript; charset=utf-8")));
    assert_eq!(get(&server.url("/%E4%B8%AD%E6%96%87.html")).expect("a page").text(), "你好");
    assert_eq!(status(&server, "/none.html"), 404);
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("in")).expect("a folder in it");
    std::fs::write(folder.path().join("in/x.txt"), "x").expect("a file");
    std::fs::write(folder.path().join("secret.txt"), "s").expect("a file");
    let server = PageServer::start(folder.path().join("in"));
    let paths = ["/x.txt", "/../secret.txt", "/%2e%2e/secret.txt", "/./x.txt", "//etc/passwd"];
    assert_eq!(paths.map(|p| status(&server, p)), [200, 404, 404, 404, 404]);
    server.put("/x.txt", "ours");
    assert_eq!(get(&server.url("/x.txt")).expect("a page").text(), "ours");
}

#[test]
fn late_and_redirected() {
    let server = shop();
    let (took, page) = timed(|| get(&server.url("/_slow?ms=150&file=/shop/index.html")).expect("a page"));
    assert!(took >= Duration::from_millis(150) && page.text() == "<p>shop", "{took:?}");
    let moved = get(&server.url("/_redirect?to=http%3A%2F%2F127.0.0.1%2Fx%3Fa%3Db")).expect("an answer");
    assert_eq!((moved.status, moved.header("location")), (302, Some("http://127.0.0.1/x?a=b")));
}

#[test]
fn hits_and_the_log_are_kept_for_both_origins() {
    let server = shop();
    for _ in 0..2 {
        get(&server.url("/_hit?k=buy")).expect("an answer");
    }
    post(&format!("{}/_hit?k=other", server.origin_b()), "text/plain", b"body").expect("an answer");
    assert_eq!(get(&server.url("/_hits")).expect("counts").json(), json!({"buy": 2, "other": 1}));
    assert_eq!(server.hits().get("buy"), Some(&2));
    assert_eq!(server.asked_for("/_hit?k=buy"), 2);
    let other = server.log().into_iter().find(|a| a.path == "/_hit?k=other").expect("a line");
    assert_eq!(
        (other.method.as_str(), other.bytes, server.origin_b().ends_with(&other.port.to_string())),
        ("POST", 4, true)
    );
    assert_eq!(get(&server.url("/_log")).expect("rows").json().as_array().map(Vec::len), Some(5));
}

#[test]
fn uploads_downloads_and_passwords() {
    let server = shop();
    let body = "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a 中.txt\"\r\nContent-Type: text/plain\r\n\r\nhello\r\n\
        --B\r\nContent-Disposition: form-data; name=\"g\"; filename=\"b\"\r\n\r\n\r\n--B--\r\n";
    let answer = post(&server.url("/_upload"), "multipart/form-data; boundary=B", body.as_bytes()).expect("an answer");
    assert_eq!(answer.json(), json!([{"name": "a 中.txt", "size": 5}, {"name": "b", "size": 0}]));
    let (took, file) = timed(|| get(&server.url("/_download?name=f.bin&size=1003&ms=200")).expect("a file"));
    assert_eq!((file.body.len(), file.header("content-disposition")), (1003, Some("attachment; filename=\"f.bin\"")));
    assert!(took >= Duration::from_millis(150), "{took:?}");
    assert_eq!(status(&server, "/_basic"), 401);
    let known = send("GET", &server.url("/_basic"), "Authorization: Basic eDp5\r\n", &[]).expect("an answer");
    assert_eq!(known.status, 200);
}

#[test]
fn what_hangs_is_cut_when_the_server_stops() {
    let server = shop();
    let open = |path: &str| {
        let mut stream = TcpStream::connect(server.origin_a().trim_start_matches("http://")).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").expect("a request");
        let mut head = [0; 15];
        stream.read_exact(&mut head).expect("headers");
        assert_eq!(&head, b"HTTP/1.1 200 OK");
        stream
    };
    let mut hanging = open("/_hang");
    let mut ticking = open("/_sse");
    let mut some = vec![0; 400];
    while !String::from_utf8_lossy(&some).contains("data: tick") {
        let n = ticking.read(&mut some).expect("a tick");
        assert!(n > 0, "the stream ended");
    }
    let (took, ()) = timed(|| drop(server));
    assert!(took < Duration::from_secs(2), "{took:?}");
    let mut rest = Vec::new();
    assert!(hanging.read_to_end(&mut rest).map(|_| ()).is_ok() || !rest.is_empty(), "the connection was left open");
}

#[test]
fn pages_of_others_are_served_from_their_packages() {
    let pages = [
        (ThirdParty::TodoMvc, "/examples/vanillajs/index.html"),
        (ThirdParty::Gentelella, "/production/form.html"),
        (ThirdParty::MiniWob, "/miniwob/click-button.html"),
    ];
    for (package, page) in pages {
        let server = PageServer::start(third_party(package));
        assert_eq!(status(&server, page), 200, "{page}");
    }
}
