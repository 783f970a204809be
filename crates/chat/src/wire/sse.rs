//! Server-sent events, read line by line (<https://html.spec.whatwg.org/multipage/server-sent-events.html>).
//!
//! One difference from the standard: an event without the blank line that should end it still counts when the stream
//! ends, because providers forget that line.

use thiserror::Error;

/// One event of a stream. Comments, ids and retry times are dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SseEvent {
    /// The `event:` field, empty when there is none.
    pub name: String,
    /// The `data:` lines, joined by line breaks.
    pub data: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("one event of the stream is longer than {0} bytes")]
pub struct EventTooLong(pub usize);

/// Takes bytes in any pieces. Holds at most one unfinished event.
#[derive(Debug)]
pub struct SseReader {
    line: Vec<u8>,
    event: SseEvent,
    has_data: bool,
    /// The last byte was a CR: an LF that follows belongs to it.
    after_cr: bool,
    at_start: bool,
    limit: usize,
    stray: String,
}

/// How much is kept of lines that are no part of any event.
const STRAY: usize = 4 << 10;

impl SseReader {
    /// `limit`: the most bytes that one event may have.
    pub fn new(limit: usize) -> Self {
        let event = SseEvent::default();
        Self { line: Vec::new(), event, has_data: false, after_cr: false, at_start: true, limit, stray: String::new() }
    }

    /// Lines that the standard does not know, and that should be ignored: servers write errors there, as plain text or JSON.
    pub fn stray(&self) -> &str {
        &self.stray
    }

    /// Reads on and appends the events that were completed.
    pub fn push(&mut self, bytes: &[u8], events: &mut Vec<SseEvent>) -> Result<(), EventTooLong> {
        let mut rest = bytes;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(end) = rest.iter().position(|b| matches!(b, b'\r' | b'\n')) {
            self.keep(&rest[..end])?;
            self.end_line(events);
            let was_cr = rest[end] == b'\r';
            rest = &rest[end + 1..];
            if was_cr {
                self.after_cr = rest.is_empty();
                rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            }
        }
        self.keep(rest)
    }

    /// The event under way when the stream ended.
    pub fn finish(&mut self, events: &mut Vec<SseEvent>) {
        if !self.line.is_empty() {
            self.end_line(events);
        }
        self.dispatch(events);
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), EventTooLong> {
        if self.line.len() + self.event.data.len() + bytes.len() > self.limit {
            return Err(EventTooLong(self.limit));
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self, events: &mut Vec<SseEvent>) {
        // Only whole lines are decoded, so a character that was split between two pieces is whole again.
        let line = String::from_utf8_lossy(&self.line).into_owned();
        self.line.clear();
        let line = if std::mem::take(&mut self.at_start) { line.trim_start_matches('\u{feff}') } else { &line };
        if line.is_empty() {
            self.dispatch(events);
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
                self.has_data = true;
            }
            "event" => value.clone_into(&mut self.event.name),
            "" | "id" | "retry" => {}
            _ if self.stray.len() + line.len() < STRAY => {
                self.stray.push_str(line);
                self.stray.push('\n');
            }
            _ => {}
        }
    }

    fn dispatch(&mut self, events: &mut Vec<SseEvent>) {
        let event = std::mem::take(&mut self.event);
        if std::mem::take(&mut self.has_data) {
            events.push(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]]) -> Vec<SseEvent> {
        let mut reader = SseReader::new(1 << 20);
        let mut events = Vec::new();
        for piece in pieces {
            reader.push(piece, &mut events).expect("short events");
        }
        reader.finish(&mut events);
        events
    }

    #[track_caller]
    fn check(stream: &str, want: &[&str]) {
        let data: Vec<String> = read(&[stream.as_bytes()]).into_iter().map(|e| e.data).collect();
        assert_eq!(data, want, "{stream:?}");
    }

    #[test]
    fn streams_are_read_as_the_standard_says() {
        check("data: a\n\ndata: b\n\n", &["a", "b"]);
        check("data: a\r\n\r\ndata: b\r\n\r\n", &["a", "b"]);
        check("data: a\r\rdata: b\r\r", &["a", "b"]);
        check(": comment\n\ndata: a\n: another\n\n", &["a"]);
        check("data: a\ndata: b\n\n", &["a\nb"]);
        check("data:a\ndata\ndata:  b\n\n", &["a\n\n b"]);
        check("data:\n\n", &[""]);
        check("event: ping\n\nid: 3\nretry: 5\n\n", &[]);
        check("\u{feff}data: a\n\n", &["a"]);
        check("data: a\n\ndata: [DONE]", &["a", "[DONE]"]);
        check("data: a\n\ndata: b\n", &["a", "b"]);
        check("", &[]);
        check("nonsense\n\n", &[]);
        let mut reader = SseReader::new(1 << 20);
        let odd = b": a\nretry: 1\nid: 2\ndata: a\n\nupstream: reset\n{\"error\":1}\n";
        reader.push(odd, &mut Vec::new()).expect("short events");
        assert_eq!(reader.stray(), "upstream: reset\n{\"error\":1}\n");
        let named = read(&[b"event: error\ndata: x\n\n"]);
        assert_eq!(named, [SseEvent { name: "error".into(), data: "x".into() }]);
    }

    #[test]
    fn an_endless_event_is_refused() {
        let mut reader = SseReader::new(10);
        let mut events = Vec::new();
        assert_eq!(reader.push(b"data: 1\n\ndata: 2\n\n", &mut events), Ok(()));
        assert_eq!(events.len(), 2);
        assert_eq!(reader.push(b"data: 3456789", &mut events), Err(EventTooLong(10)));
    }

    fn line() -> impl Strategy<Value = String> {
        prop_oneof![
            "data: ?[a-z{}\"价é😀 ]{0,12}",
            ": [a-z]{0,5}",
            "event: [a-z]{1,5}",
            "id: [0-9]",
            Just(String::new())
        ]
    }

    proptest! {
        /// However the bytes are cut, and whichever line ends a stream uses, the events are the same.
        #[test]
        fn any_chunking_gives_the_same_events(
            lines in prop::collection::vec(line(), 0..20),
            end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
            cuts in prop::collection::vec(1usize..9, 0..80),
        ) {
            let with = |end: &str| lines.iter().flat_map(|l| [l.as_str(), end]).collect::<String>();
            let (plain, ended) = (with("\n"), with(end));
            let whole = read(&[plain.as_bytes()]);
            let mut pieces = Vec::new();
            let mut rest = ended.as_bytes();
            for cut in cuts {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                pieces.push(b"");
                rest = after;
            }
            pieces.push(rest);
            prop_assert_eq!(read(&pieces), whole);
        }

        #[test]
        fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300), cut in 0usize..300) {
            let cut = cut.min(bytes.len());
            prop_assert_eq!(read(&[&bytes[..cut], &bytes[cut..]]), read(&[&bytes]));
        }
    }
}
