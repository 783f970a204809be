//! Pages to drive, served on two loopback ports: two origins, A and B, with the same content.
//!
//! Besides the files there are routes that behave badly on purpose:
//!
//! | route | does |
//! |---|---|
//! | `/_slow?ms=N&file=/x.html` | the same file, N ms late |
//! | `/_redirect?to=URL[&ms=N]` | 302, N ms late |
//! | `/_hang` | sends headers, the body never ends |
//! | `/_sse` | an event stream that ticks every 200 ms |
//! | `/_download?name=F&size=N&ms=N` | an attachment, its body dripped over that time |
//! | `/_upload` | takes a multipart POST, answers `[{"name","size"}]` |
//! | `/_hit?k=K[&ms=N]`, `/_hits` | counts; the counts as JSON |
//! | `/_basic` | asks for HTTP basic auth |
//! | `/_status?code=N&file=/x.html` | the same file, or nothing, with this status |
//! | `/_log` | every request seen, as JSON rows of method, port, path, bytes |

mod files;
mod routes;
mod third_party;

pub use files::Pages;
pub use third_party::{ThirdParty, third_party};

use routes::State;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// One request that the server has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub method: String,
    pub port: u16,
    /// With its query, as sent.
    pub path: String,
    /// Of the body.
    pub bytes: usize,
}

/// Serves until it is dropped; connections still open are then cut.
pub struct PageServer {
    port_a: u16,
    port_b: u16,
    state: Arc<State>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl PageServer {
    /// Serves a folder, or pages from memory, on two free ports.
    ///
    /// # Panics
    /// When no loopback port can be had.
    pub fn start(pages: impl Into<Pages>) -> Self {
        Self::start_at(pages, 0, 0)
    }

    /// As [`PageServer::start`], on ports of your choice; 0 takes a free one.
    ///
    /// # Panics
    /// When a port is taken.
    pub fn start_at(pages: impl Into<Pages>, port_a: u16, port_b: u16) -> Self {
        let (a, b) = (listen(port_a), listen(port_b));
        let port = |l: &TcpListener| l.local_addr().expect("a bound address").port();
        let (port_a, port_b) = (port(&a), port(&b));
        let state = Arc::new(State::new(pages.into()));
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&state);
        let thread = std::thread::spawn(move || serve(&served, [(a, port_a), (b, port_b)], stopped));
        Self { port_a, port_b, state, stop: Some(stop), thread: Some(thread) }
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    pub fn origin_a(&self) -> String {
        format!("http://127.0.0.1:{}", self.port_a)
    }
    /// The second origin.
    pub fn origin_b(&self) -> String {
        format!("http://127.0.0.1:{}", self.port_b)
    }
    /// The full address of a path (which begins with `/`) on origin A.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin_a())
    }
    /// Adds or replaces one page, by its path with the leading `/`. It wins over a file of the folder.
    pub fn put(&self, path: &str, content: impl Into<Vec<u8>>) {
        self.state.pages.put(path, content.into());
    }
    /// How often `/_hit?k=K` was asked for, by key.
    pub fn hits(&self) -> BTreeMap<String, u64> {
        self.state.hits()
    }
    /// Every request so far, oldest first.
    pub fn log(&self) -> Vec<Asked> {
        self.state.log()
    }
    /// How many requests for that path, query included, came so far.
    pub fn asked_for(&self, path: &str) -> usize {
        self.log().iter().filter(|a| a.path == path).count()
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn listen(port: u16) -> TcpListener {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).expect("a free loopback port for pages");
    listener.set_nonblocking(true).expect("a non-blocking listener");
    listener
}

/// Runs both origins on a runtime of their own, so that tests with any runtime or none can use the server. Dropping the
/// runtime cuts what hangs.
fn serve(state: &Arc<State>, listeners: [(TcpListener, u16); 2], stopped: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime for pages");
    runtime.block_on(async {
        for (listener, port) in listeners {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener of this runtime");
            let app = routes::app(Arc::clone(state), port);
            tokio::spawn(async move { axum::serve(listener, app).await });
        }
        let _ = stopped.await;
    });
    runtime.shutdown_background();
}
