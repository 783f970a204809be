//! What carries the messages: a pair of pipes, or a WebSocket.

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

/// Messages that were received and not yet looked at. Beyond it the browser has to wait.
const READ_AHEAD: usize = 256;

/// One direction each way. Reading and writing are tasks of their own, so that a browser that does not read cannot keep us
/// from reading. They end when this is dropped.
pub(crate) struct Wire {
    outgoing: mpsc::UnboundedSender<String>,
    incoming: mpsc::Receiver<Result<Utf8Bytes, String>>,
    tasks: [JoinHandle<()>; 2],
}

impl Drop for Wire {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Wire {
    /// JSON texts, each ended by a zero byte.
    pub(crate) fn pipe(
        from: impl AsyncRead + Unpin + Send + 'static,
        to: impl AsyncWrite + Unpin + Send + 'static,
    ) -> Self {
        let (outgoing, queue) = mpsc::unbounded_channel();
        let (deliver, incoming) = mpsc::channel(READ_AHEAD);
        let tasks = [tokio::spawn(read_pipe(from, deliver)), tokio::spawn(write_pipe(to, queue))];
        Self { outgoing, incoming, tasks }
    }

    pub(crate) fn socket(socket: WebSocketStream<TcpStream>) -> Self {
        let (mut sink, mut stream) = socket.split();
        let (outgoing, mut queue) = mpsc::unbounded_channel::<String>();
        let (deliver, incoming) = mpsc::channel(READ_AHEAD);
        let reader = tokio::spawn(async move {
            loop {
                let message = match stream.next().await {
                    Some(Ok(Message::Text(text))) => Ok(text),
                    Some(Ok(Message::Binary(bytes))) => Ok(String::from_utf8_lossy(&bytes).into_owned().into()),
                    Some(Ok(Message::Close(_))) | None => Err("the browser closed the connection".to_owned()),
                    Some(Ok(_)) => continue,
                    Some(Err(error)) => Err(format!("the connection to the browser broke: {error}")),
                };
                let is_last = message.is_err();
                if deliver.send(message).await.is_err() || is_last {
                    return;
                }
            }
        });
        let writer = tokio::spawn(async move {
            while let Some(text) = queue.recv().await {
                // The reader reports a broken connection; there is nothing to add.
                if sink.send(Message::Text(text.into())).await.is_err() {
                    return;
                }
            }
        });
        Self { outgoing, incoming, tasks: [reader, writer] }
    }

    /// Queues a message. Never waits.
    pub(crate) fn send(&self, text: String) {
        // An error means that the writer met a broken connection, which the reader reports.
        let _ = self.outgoing.send(text);
    }

    /// The next message, or why there will be none. Cancel safe.
    pub(crate) async fn receive(&mut self) -> Result<Utf8Bytes, String> {
        self.incoming.recv().await.unwrap_or_else(|| Err("the connection to the browser ended".to_owned()))
    }
}

async fn read_pipe(from: impl AsyncRead + Unpin, deliver: mpsc::Sender<Result<Utf8Bytes, String>>) {
    let mut from = BufReader::with_capacity(256 * 1024, from);
    loop {
        let mut bytes = Vec::new();
        let message = match from.read_until(0, &mut bytes).await {
            Ok(_) if bytes.pop() == Some(0) => {
                Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
            }
            // A message that was cut off is of no use either.
            Ok(_) => Err("the browser ended or closed the connection".to_owned()),
            Err(error) => Err(format!("the connection to the browser broke: {error}")),
        };
        let is_last = message.is_err();
        if deliver.send(message.map(Utf8Bytes::from)).await.is_err() || is_last {
            return;
        }
    }
}

async fn write_pipe(mut to: impl AsyncWrite + Unpin, mut queue: mpsc::UnboundedReceiver<String>) {
    while let Some(text) = queue.recv().await {
        let mut bytes = text.into_bytes();
        bytes.push(0);
        if to.write_all(&bytes).await.is_err() || to.flush().await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_pipe_splits_at_zero_bytes_and_says_when_it_ended() {
        let (ours, theirs) = tokio::io::duplex(16);
        let (from, to) = tokio::io::split(ours);
        let (mut their_from, mut their_to) = tokio::io::split(theirs);
        let mut wire = Wire::pipe(from, to);
        wire.send("{\"id\":1}".into());
        let mut got = [0; 9];
        tokio::io::AsyncReadExt::read_exact(&mut their_from, &mut got).await.expect("reads");
        assert_eq!(&got, b"{\"id\":1}\0");

        their_to.write_all(b"{}\0[1]\0{\"cut").await.expect("writes");
        drop((their_to, their_from));
        assert_eq!(wire.receive().await.expect("first").as_str(), "{}");
        assert_eq!(wire.receive().await.expect("second").as_str(), "[1]");
        assert!(wire.receive().await.expect_err("the end").contains("closed"));
        assert!(wire.receive().await.is_err());
    }
}
