//! Takes secret values out of texts before anybody sees or keeps them.

use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Write as _;

/// What stands where a secret stood.
pub const MASK: &str = "***";

/// Shorter values would tear holes into words that have nothing to do with them: they are masked only where they are a whole text.
const SHORTEST: usize = 3;

/// Knows the secret values and the forms in which they turn up inside other texts: escaped in JSON, in addresses, in HTML.
#[derive(Clone, Default)]
pub struct Masker {
    /// Longest first, so that a secret that holds another one goes as a whole.
    forms: Vec<String>,
    /// Values below [`SHORTEST`].
    short: Vec<String>,
    /// The forms as they look in a line of JSON.
    in_json: Vec<String>,
}

impl std::fmt::Debug for Masker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Masker({} forms)", self.in_json.len())
    }
}

impl Masker {
    pub fn new(secrets: Vec<String>) -> Self {
        let (mut forms, mut short) = (Vec::new(), Vec::new());
        for secret in secrets {
            match secret.chars().count() {
                0 => {}
                n if n < SHORTEST => short.push(secret),
                _ => forms.extend(spellings(&secret)),
            }
        }
        forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup();
        let mut in_json: Vec<String> = forms.iter().map(|f| json_escaped(f)).collect();
        in_json.extend(short.iter().map(|s| format!("\"{}\"", json_escaped(s))));
        Self { forms, short, in_json }
    }

    /// The text with every secret replaced by `***`.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.short.iter().any(|s| s == text) {
            return Cow::Owned(MASK.to_owned());
        }
        let mut out = Cow::Borrowed(text);
        for form in &self.forms {
            if out.contains(form.as_str()) {
                out = Cow::Owned(out.replace(form.as_str(), MASK));
            }
        }
        out
    }

    /// Bytes that are a text are masked; pictures pass as they are.
    pub fn bytes<'a>(&self, bytes: &'a [u8], ext: &str) -> Cow<'a, [u8]> {
        if self.forms.is_empty() || matches!(ext, "png" | "jpg") {
            return Cow::Borrowed(bytes);
        }
        match std::str::from_utf8(bytes).map(|text| self.text(text)) {
            Ok(Cow::Owned(masked)) => Cow::Owned(masked.into_bytes()),
            _ => Cow::Borrowed(bytes),
        }
    }

    /// Whether a line of JSON can hold a secret. Most lines do not, and pass without being taken apart.
    pub fn concerns(&self, line: &str) -> bool {
        self.in_json.iter().any(|form| line.contains(form.as_str()))
    }

    /// Masks every text in a value. With `keep_words`, names of fields and one-word tags stay, so that a secret which
    /// happens to be such a word does not make the record unreadable: the word says nothing there.
    pub fn value(&self, value: &mut Value, keep_words: bool) {
        self.field("", value, keep_words);
    }

    /// `name` is that of the field that the value, or the list that it stands in, belongs to.
    fn field(&self, name: &str, value: &mut Value, keep_words: bool) {
        match value {
            Value::String(word) if keep_words && is_tag(name, word) => {}
            Value::String(text) => {
                let masked = match self.text(text) {
                    Cow::Owned(masked) => masked,
                    Cow::Borrowed(_) => return,
                };
                *text = masked;
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.field(name, item, keep_words)),
            Value::Object(fields) => {
                for (name, mut inner) in std::mem::take(fields) {
                    self.field(&name, &mut inner, keep_words);
                    let name = if keep_words { name } else { self.text(&name).into_owned() };
                    fields.insert(name, inner);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Fields of the record that hold one of a fixed set of words.
fn is_tag(name: &str, value: &str) -> bool {
    const TAGS: &[&str] = &[
        "event",
        "need",
        "got",
        "is",
        "verb",
        "kind",
        "state",
        "role",
        "rung",
        "found_by",
        "format",
        "finish",
        "by",
        "direction",
        "mode",
        "scrollType",
        "checked",
        "pressed",
        "which",
        "of",
    ];
    let one_word = |text: &str| text.len() <= 24 && text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-');
    TAGS.contains(&name) && one_word(value)
}

/// The ways in which a value is written inside another text.
fn spellings(secret: &str) -> Vec<String> {
    let json = json_escaped(secret);
    let ascii = ascii_escaped(&json);
    let mut forms = vec![
        secret.to_owned(),
        json_escaped(&json),
        uppercase_hex(&ascii),
        json_escaped(&ascii),
        ascii,
        json,
        percent_encoded(secret, "%20"),
        percent_encoded(secret, "+"),
        html_escaped(secret),
    ];
    // Values are often pasted with a line break at the end, and shown without it.
    let trimmed = secret.trim();
    if trimmed.len() < secret.len() && trimmed.chars().count() >= SHORTEST {
        forms.extend(spellings(trimmed));
    }
    forms
}

fn json_escaped(text: &str) -> String {
    let quoted = Value::String(text.to_owned()).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn ascii_escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for unit in json.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => out.push(byte as char),
            _ => _ = write!(out, "\\u{unit:04x}"),
        }
    }
    out
}

/// `\u00e9` as `\u00E9`; nothing else changes.
fn uppercase_hex(escaped: &str) -> String {
    let mut parts = escaped.split("\\u");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (hex, rest) = part.split_at_checked(4).unwrap_or((part, ""));
        out.push_str("\\u");
        out.push_str(&hex.to_ascii_uppercase());
        out.push_str(rest);
    }
    out
}

fn percent_encoded(text: &str, blank: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(byte as char),
            b' ' => out.push_str(blank),
            _ => _ = write!(out, "%{byte:02X}"),
        }
    }
    out
}

fn html_escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(secret: &str, text: &str, want: &str) {
        assert_eq!(Masker::new(vec![secret.to_owned()]).text(text), want);
    }

    #[test]
    fn every_spelling_of_a_secret_goes() {
        check("hunter2", "the password is hunter2, yes hunter2!", "the password is ***, yes ***!");
        check(r#"a"b\c"#, r#"typed {"value":"a\"b\\c"}"#, r#"typed {"value":"***"}"#);
        check(r#"a"b"#, r#"{"args":"{\"value\":\"a\\\"b\"}"}"#, r#"{"args":"{\"value\":\"***\"}"}"#);
        check("pässword", r#"{"v":"p\u00e4ssword","w":"p\u00E4ssword"}"#, r#"{"v":"***","w":"***"}"#);
        check("p&w d/", "http://a/?q=p%26w%20d%2F&r=p%26w+d%2F", "http://a/?q=***&r=***");
        check("a<b>c", "<td>a&lt;b&gt;c</td>", "<td>***</td>");
        check("line one\nline two", r#""line one\nline two""#, r#""***""#);
        check("  padded  ", "shown as padded", "shown as ***");
        check("密码一二三", "输入 密码一二三。", "输入 ***。");
    }

    #[test]
    fn longer_secrets_go_first_and_short_ones_only_as_a_whole() {
        let masker = Masker::new(vec!["abc".into(), "abcdef".into(), "7".into(), String::new()]);
        assert_eq!(masker.text("abcdef abc"), "*** ***");
        assert_eq!(masker.text("7"), "***");
        assert_eq!(masker.text("17 of 77"), "17 of 77");
    }

    #[test]
    fn values_keep_their_shape() {
        let masker = Masker::new(vec!["Tap".into(), "s3cret".into()]);
        let mut value = json!({"verb": "Tap", "locate": {"description": "Tap s3cret"}, "s3cret": [1, "s3cret", null]});
        masker.value(&mut value, true);
        assert_eq!(value, json!({"verb": "Tap", "locate": {"description": "*** ***"}, "s3cret": [1, "***", null]}));
        masker.value(&mut value, false);
        assert_eq!(value["verb"], "***");
        assert_eq!(value["***"][1], "***");
    }
}
