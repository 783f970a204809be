//! A SOCKS proxy, and what it is asked.

use crate::{ask, config};
use handeye_chat::{Secret, connect};
use handeye_testkit::model::ModelServer;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread::JoinHandle;

fn take(mut stream: &TcpStream, count: u8) -> Vec<u8> {
    let mut bytes = vec![0; count.into()];
    stream.read_exact(&mut bytes).expect("bytes of the client");
    bytes
}

fn text(stream: &TcpStream) -> String {
    let length = take(stream, 1)[0];
    String::from_utf8(take(stream, length)).expect("a text")
}

/// Serves one connection by SOCKS 5 with a password (RFC 1928, RFC 1929), always to `to`. Gives what it was asked for.
fn socks(to: SocketAddr) -> (SocketAddr, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let serve = move || {
        let client = listener.accept().expect("a client").0;
        let methods = take(&client, 2)[1];
        take(&client, methods);
        (&client).write_all(&[5, 2]).expect("the method: a password");
        take(&client, 1);
        let (user, password) = (text(&client), text(&client));
        (&client).write_all(&[1, 0]).expect("the password is right");
        assert_eq!(take(&client, 4), [5, 1, 0, 3], "connect to a host by its name");
        let host = text(&client);
        let port = take(&client, 2);
        (&client).write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).expect("connected");
        let server = TcpStream::connect(to).expect("the server");
        let back = {
            let (mut from, mut to) = (server.try_clone().expect("a socket"), client.try_clone().expect("a socket"));
            std::thread::spawn(move || {
                let _ = std::io::copy(&mut from, &mut to);
                let _ = to.shutdown(Shutdown::Both);
            })
        };
        let _ = std::io::copy(&mut &client, &mut &server);
        let _ = server.shutdown(Shutdown::Both);
        back.join().expect("the way back");
        format!("{user}:{password} {host}:{}", u16::from_be_bytes([port[0], port[1]]))
    };
    (address, std::thread::spawn(serve))
}

#[tokio::test]
async fn a_socks_proxy_gets_the_name_of_the_host_and_its_password_is_not_shown() {
    let server = ModelServer::texts(["through the proxy"]);
    let to = server.base_url().trim_start_matches("http://").trim_end_matches("/v1").parse().expect("an address");
    let (address, asked) = socks(to);
    let mut config = config("http://model.test:8080/v1");
    config.proxy = Some(Secret::new(format!("socks5h://alice:hunter2222@{address}")));
    let model = connect(&config).expect("a model");
    assert_eq!(ask(&model, "hi").await.expect("a reply").text, "through the proxy");
    drop(model);
    // Not on this thread, which has to close the connection.
    let asked = tokio::task::spawn_blocking(move || asked.join().expect("the proxy")).await;
    assert_eq!(asked.expect("what it was asked"), "alice:hunter2222 model.test:8080");
    assert!(handeye_chat::secrets(&config).contains(&"hunter2222".to_owned()));
    // The proxy is gone by now.
    config.retries = 0;
    let error = ask(&connect(&config).expect("a model"), "hi").await.expect_err("no proxy");
    assert!(!format!("{error:?}").contains("hunter"), "{error}");
}
