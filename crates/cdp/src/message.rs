//! The JSON that goes over the connection.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::fmt::Write;

/// A command on its way to the browser.
#[derive(Serialize)]
pub(crate) struct Outgoing<'a> {
    pub(crate) id: u64,
    pub(crate) method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) params: Option<&'a RawValue>,
    #[serde(rename = "sessionId", skip_serializing_if = "str::is_empty")]
    pub(crate) session: &'a str,
}

/// Anything that the browser sends: an answer when it has an id, else an event.
#[derive(Deserialize)]
pub(crate) struct Incoming<'a> {
    #[serde(default)]
    pub(crate) id: Option<u64>,
    #[serde(default)]
    pub(crate) method: Option<String>,
    #[serde(default, rename = "sessionId")]
    pub(crate) session: Option<String>,
    #[serde(borrow, default)]
    pub(crate) params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) result: Option<&'a RawValue>,
    #[serde(default)]
    pub(crate) error: Option<Refusal>,
}

/// The browser's own words for why it will not.
#[derive(Debug, Deserialize)]
pub(crate) struct Refusal {
    #[serde(default)]
    pub(crate) code: i64,
    #[serde(default)]
    pub(crate) message: String,
    #[serde(default)]
    pub(crate) data: Option<serde_json::Value>,
}

impl Refusal {
    /// The message with what `data` adds to it.
    pub(crate) fn text(&self) -> String {
        match self.data.as_ref().and_then(serde_json::Value::as_str) {
            Some(data) if !data.is_empty() => format!("{}: {data}", self.message),
            _ => self.message.clone(),
        }
    }
}

/// Reads a value that the browser sent. Texts of a page may hold halves of surrogate pairs (a script cut a string inside an
/// emoji); JSON cannot carry them, so each becomes U+FFFD.
pub(crate) fn read<T: DeserializeOwned>(json: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(json).or_else(|error| match mend_surrogates(json) {
        Some(mended) => serde_json::from_str(&mended),
        None => Err(error),
    })
}

/// Replaces lone surrogate escapes. `None` when there are none.
fn mend_surrogates(json: &str) -> Option<String> {
    let mut mended = String::new();
    // Everything before this offset is already in `mended`.
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = json[at..].find('\\') {
        let escape = at + found;
        let Some(unit) = utf16_escape(json, escape) else {
            // A short escape, such as `\\` or `\n`: its second character must not be taken for a backslash of its own.
            at = json.len().min(escape + 1 + json[escape + 1..].chars().next().map_or(0, char::len_utf8));
            continue;
        };
        at = escape + 6;
        match unit {
            0xD800..=0xDBFF if matches!(utf16_escape(json, at), Some(0xDC00..=0xDFFF)) => at += 6,
            0xD800..=0xDFFF => {
                let _ = write!(mended, "{}\\ufffd", &json[copied..escape]);
                copied = at;
            }
            _ => {}
        }
    }
    (copied > 0).then(|| mended + &json[copied..])
}

/// The code unit of a `\uXXXX` escape that begins at `at`.
fn utf16_escape(json: &str, at: usize) -> Option<u16> {
    let digits = json.get(at..)?.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_surrogate_pairs_are_replaced() {
        for (json, want) in [
            (r#""plain""#, "plain"),
            (r#""\ud83d\ude00""#, "😀"),
            (r#""a\ud83d""#, "a\u{fffd}"),
            (r#""\ude00b""#, "\u{fffd}b"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
            (r#""\\ud83d \ud83d""#, "\\ud83d \u{fffd}"),
            (r#""é\n\"\ud83dé""#, "é\n\"\u{fffd}é"),
        ] {
            assert_eq!(read::<String>(json).expect(json), want);
        }
        assert!(read::<String>(r#""\"#).is_err());
        assert!(read::<String>("\"\\é\"").is_err());
    }

    #[test]
    fn an_envelope_keeps_its_payload_unread() {
        let text = r#"{"id":7,"result":{"value":"\ud83d"},"new":[1,{}],"sessionId":"S"}"#;
        let incoming: Incoming<'_> = serde_json::from_str(text).expect("reads");
        assert_eq!(incoming.id, Some(7));
        assert_eq!(incoming.session.as_deref(), Some("S"));
        assert_eq!(incoming.result.map(RawValue::get), Some(r#"{"value":"\ud83d"}"#));
    }

    #[test]
    fn a_command_leaves_out_what_it_has_not() {
        let bare = Outgoing { id: 1, method: "A.b", params: None, session: "" };
        assert_eq!(serde_json::to_string(&bare).expect("writes"), r#"{"id":1,"method":"A.b"}"#);
        let params = RawValue::from_string(r#"{"x":1}"#.into()).expect("json");
        let full = Outgoing { id: 2, method: "A.b", params: Some(&params), session: "S" };
        assert_eq!(
            serde_json::to_string(&full).expect("writes"),
            r#"{"id":2,"method":"A.b","params":{"x":1},"sessionId":"S"}"#
        );
    }
    proptest::proptest! {
        /// What a script can make of UTF-16 units comes out as the usual reading of them does.
        #[test]
        fn any_code_units_read_as_their_lossy_text(units in proptest::collection::vec(0xD7F0..0xE010_u16, 0..12)) {
            let mut json = String::new();
            for unit in &units {
                let _ = write!(json, "\\u{unit:04x}");
            }
            let want = String::from_utf16_lossy(&units);
            proptest::prop_assert_eq!(read::<String>(&format!("\"{json}\"")).expect("reads"), want);
        }

        #[test]
        fn no_text_breaks_the_reader(text: String) {
            let _ = read::<serde_json::Value>(&text);
            let _ = mend_surrogates(&text);
            let _ = serde_json::from_str::<Incoming<'_>>(&text);
        }
    }
}
