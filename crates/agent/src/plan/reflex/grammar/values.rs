//! Numbers, times and addresses as people write them.

const WORDS: &[&str] =
    &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// A whole number in digits, English words or Chinese characters.
pub(super) fn number(text: &str) -> Option<u32> {
    let text = text.trim().to_lowercase();
    match text.as_str() {
        "once" | "a" | "an" => return Some(1),
        "twice" | "a couple of" | "couple" => return Some(2),
        "thrice" => return Some(3),
        _ => {}
    }
    if let Some(n) = WORDS.iter().position(|w| *w == text) {
        return u32::try_from(n).ok();
    }
    crate::locate::tree::phrase::chinese::number(&text)
}

/// Longer than anyone waits on purpose.
const LONGEST_MS: f64 = 600_000.0;

/// A length of time: `2 seconds`, `500ms`, `half a second`, `2 秒`, `一分钟`.
pub(super) fn duration_ms(text: &str) -> Option<u64> {
    let text = text.trim().to_lowercase();
    let text = text.trim_end_matches(['.', '。', '钟']);
    match text {
        "a moment" | "a bit" | "a while" | "a little" | "a second" | "一会" | "一会儿" | "片刻" | "一下" => {
            return Some(1000);
        }
        "half a second" | "半秒" => return Some(500),
        "half a minute" | "半分" => return Some(30_000),
        "a few seconds" | "几秒" => return Some(3000),
        "a couple of seconds" => return Some(2000),
        _ => {}
    }
    const UNITS: &[(&str, f64)] = &[
        ("milliseconds", 1.0),
        ("millisecond", 1.0),
        ("msecs", 1.0),
        ("ms", 1.0),
        ("毫秒", 1.0),
        ("minutes", 60_000.0),
        ("minute", 60_000.0),
        ("mins", 60_000.0),
        ("min", 60_000.0),
        ("分", 60_000.0),
        ("seconds", 1000.0),
        ("second", 1000.0),
        ("secs", 1000.0),
        ("sec", 1000.0),
        ("s", 1000.0),
        ("秒", 1000.0),
    ];
    let (amount, unit) = UNITS.iter().find_map(|(u, ms)| text.strip_suffix(u).map(|n| (n.trim(), *ms)))?;
    let amount: f64 = amount.parse().ok().or_else(|| number(amount).map(f64::from))?;
    let ms = amount * unit;
    (ms > 0.0 && ms <= LONGEST_MS).then_some(ms as u64)
}

/// An address to go to, with a scheme; a path stays as it is.
pub(super) fn address(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['.', ',', '。', '，']);
    if text.is_empty() || text.chars().any(char::is_whitespace) {
        return None;
    }
    let lower = text.to_lowercase();
    if ["http://", "https://", "file://"].iter().any(|s| lower.starts_with(s)) || lower == "about:blank" {
        return Some(text.to_owned());
    }
    if text.starts_with('/') && text.len() > 1 {
        return Some(text.to_owned());
    }
    let host = lower.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = host.split_once(':').map_or((host, None), |(n, p)| (n, Some(p)));
    if port.is_some_and(|p| p.is_empty() || !p.chars().all(|c| c.is_ascii_digit())) {
        return None;
    }
    let local = name == "localhost" || name.split('.').count() == 4 && name.split('.').all(|n| n.parse::<u8>().is_ok());
    if local {
        return Some(format!("http://{text}"));
    }
    let labels: Vec<&str> = name.split('.').collect();
    let ends = [
        "com", "org", "net", "io", "dev", "cn", "edu", "gov", "app", "co", "de", "uk", "jp", "fr", "info", "test",
        "local", "example",
    ];
    let valid = |l: &&str| !l.is_empty() && l.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let known = labels.len() > 1 && labels.last().is_some_and(|l| ends.contains(l)) && labels.iter().all(valid);
    known.then(|| format!("https://{text}"))
}

/// The path of a file to upload.
pub(super) fn file(text: &str) -> Option<String> {
    let text = text.trim();
    let name = text.rsplit(['/', '\\']).next()?;
    // A path from the root needs no ending.
    let ascii = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    if text.starts_with('/') && !name.is_empty() && text.chars().all(ascii) {
        return Some(text.to_owned());
    }
    let (stem, ext) = name.rsplit_once('.')?;
    let plain = !stem.is_empty() && (1..=5).contains(&ext.len()) && ext.chars().all(|c| c.is_ascii_alphanumeric());
    (plain && !text.chars().any(char::is_whitespace)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_numbers_and_addresses() {
        for (said, want) in [
            ("2 seconds", 2000),
            ("500ms", 500),
            ("1.5 s", 1500),
            ("two minutes", 120_000),
            ("2 秒", 2000),
            ("三秒钟", 3000),
            ("half a second", 500),
        ] {
            assert_eq!(duration_ms(said), Some(want), "{said}");
        }
        assert_eq!(duration_ms("3 days"), None);
        for (said, want) in [
            ("https://a.b/c?d=1", "https://a.b/c?d=1"),
            ("example.com", "https://example.com"),
            ("localhost:8080/x", "http://localhost:8080/x"),
            ("127.0.0.1:99", "http://127.0.0.1:99"),
            ("/login", "/login"),
        ] {
            assert_eq!(address(said).as_deref(), Some(want), "{said}");
        }
        for said in ["Settings", "the cart", "v1.2", "report.pdf", "a:b"] {
            assert_eq!(address(said), None, "{said}");
        }
        assert_eq!(number("twelve"), Some(12));
        assert_eq!(number("三"), Some(3));
        assert_eq!(file("/tmp/a.png").as_deref(), Some("/tmp/a.png"));
        assert_eq!(file("the picture"), None);
    }
}
