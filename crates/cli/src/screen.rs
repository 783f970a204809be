//! What reaches the terminal: no secret, and nothing that would move its cursor, colour it or turn its text round.
//!
//! Titles, names and dialogs are written by pages, messages by models and servers. None of them may drive the terminal of the
//! person who reads the progress.

use crate::printer::Printer;
use handeye::Masker;

/// The longest piece of a line of progress, in characters.
const LONGEST: usize = 400;

/// Standard error, for one run; knows its secrets.
#[derive(Default)]
pub(crate) struct Screen {
    masker: Masker,
    colours: bool,
    /// `None` when no thread could be had: then lines are written at once.
    printer: Option<Printer>,
}

impl Screen {
    pub(crate) fn new(secrets: Vec<String>) -> Self {
        Self { masker: Masker::new(secrets), colours: crate::has_colours(), printer: Printer::start().ok() }
    }

    /// Prints a line that was made of safe pieces.
    pub(crate) fn say(&self, line: &str) {
        match &self.printer {
            Some(printer) => printer.say(line),
            None => crate::say(line),
        }
    }

    /// Waits until what was said is out, if somebody reads it.
    pub(crate) fn flush(&self) {
        if let Some(printer) = &self.printer {
            printer.flush();
        }
    }

    /// A piece of a line of progress: on one line, and not too long.
    pub(crate) fn piece(&self, text: &str) -> String {
        let masked = self.masker.text(text);
        let line: Vec<&str> = masked.split_whitespace().collect();
        let line = line.join(" ");
        let left_out = line.chars().count().saturating_sub(LONGEST);
        if left_out == 0 {
            return harmless(&line);
        }
        let head: String = line.chars().take(LONGEST).collect();
        format!("{}… [{left_out} more characters]", harmless(&head))
    }

    /// A text as a whole, with its lines.
    pub(crate) fn text(&self, text: &str) -> String {
        harmless(&self.masker.text(text))
    }

    pub(crate) fn paint(&self, text: &str, code: &str) -> String {
        if self.colours { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// The text with each character that a terminal would obey, rather than show, in its escaped form.
pub(crate) fn harmless(text: &str) -> String {
    escaped(text, |c| format!("\\u{{{:x}}}", u32::from(c)))
}

/// The same for JSON, which escapes in its own way; such characters only stand inside of its texts.
pub(crate) fn harmless_json(json: &str) -> String {
    escaped(json, |c| format!("\\u{:04x}", u32::from(c)))
}

fn escaped(text: &str, escape: impl Fn(char) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_obeyed(c) { out.push_str(&escape(c)) } else { out.push(c) }
    }
    out
}

fn is_obeyed(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // The separators of lines, and what turns the direction of a whole passage round.
        '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_does_not_drive_the_terminal() {
        let title = "\u{1b}[31mred\u{1b}]0;title\u{7}\u{9b}2J \u{202e}cba\u{2066} a\u{0}b\u{8}\u{7f}\r\nnext";
        let shown = Screen::default().piece(title);
        assert_eq!(
            shown,
            "\\u{1b}[31mred\\u{1b}]0;title\\u{7}\\u{9b}2J \\u{202e}cba\\u{2066} a\\u{0}b\\u{8}\\u{7f} next"
        );
        assert_eq!(harmless("two\nlines, \u{5e9}\u{5dc}\u{5d5}\u{5dd}, 👍\u{200d}"), "two\nlines, שלום, 👍\u{200d}");
        let json = serde_json::to_string("a\u{9b}b\u{202e}\u{7f}").expect("JSON");
        let safe = harmless_json(&json);
        assert_eq!(safe, r#""a\u009bb\u202e\u007f""#);
        assert_eq!(serde_json::from_str::<String>(&safe).expect("JSON"), "a\u{9b}b\u{202e}\u{7f}");
    }

    #[test]
    fn secrets_are_masked_and_long_pieces_cut() {
        let screen = Screen::new(vec!["sk-very-secret".to_owned()]);
        assert_eq!(screen.piece("the key sk-very-secret"), "the key ***");
        assert_eq!(screen.text("the key\nsk-very-secret"), "the key\n***");
        let long = screen.piece(&"é".repeat(1_000));
        assert!(long.ends_with("é… [600 more characters]"), "{long}");
    }
}
