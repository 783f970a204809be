//! What reaches the terminal: no secret, and nothing that would move its cursor, colour it or turn its text round.
//!
//! Titles, names and dialogs are written by pages, messages by models and servers. None of them may drive the terminal of the
//! person who reads the progress.

mod width;

use crate::printer::Printer;
use handeye::Masker;
use std::io::IsTerminal;

/// The longest piece of a line of progress, in characters.
const LONGEST: usize = 400;

/// Standard error, for one run; knows its secrets.
#[derive(Default)]
pub(crate) struct Screen {
    masker: Masker,
    colours: bool,
    /// Columns of the terminal; `None` when standard error is none.
    columns: Option<usize>,
    /// `None` when no thread could be had: then lines are written at once.
    printer: Option<Printer>,
}

impl Screen {
    pub(crate) fn new(secrets: Vec<String>) -> Self {
        Self { masker: Masker::new(secrets), printer: Printer::start().ok(), ..Self::plain() }
    }

    /// For what is said before there is a run: its texts hold no secrets.
    pub(crate) fn plain() -> Self {
        let columns = std::io::stderr().is_terminal().then(|| width::columns(std::io::stderr()));
        Self { colours: crate::output::has_colours(), columns, ..Self::default() }
    }

    /// Prints a line of progress.
    pub(crate) fn line(&self, line: &Line) {
        self.say(&self.drawn(line));
    }

    /// Shows what is waited for, on a terminal alone.
    pub(crate) fn status(&self, what: &str) {
        if let (Some(printer), Some(_)) = (&self.printer, self.columns) {
            printer.status(&self.paint(&format!("    … {what}"), "2"));
        }
    }

    /// The line as it is printed: on a terminal in rows that fit it, else as one.
    pub(crate) fn drawn(&self, line: &Line) -> String {
        let indent = width::of(line.mark);
        let rows = match self.columns {
            // A terminal that is narrower than any word wraps as it can.
            Some(columns) => {
                let columns = columns.saturating_sub(indent).max(20);
                line.text.lines().flat_map(|text| width::rows(text, columns)).collect()
            }
            None => vec![line.text.clone()],
        };
        let first = if line.colour.is_empty() { line.mark.to_owned() } else { self.paint(line.mark, line.colour) };
        let texts = rows.iter().map(|row| if line.ink.is_empty() { row.clone() } else { self.paint(row, line.ink) });
        first + &texts.collect::<Vec<_>>().join(&format!("\n{:indent$}", ""))
    }

    /// Prints a line that was made of safe pieces.
    pub(crate) fn say(&self, line: &str) {
        match &self.printer {
            Some(printer) => printer.say(line),
            None => crate::output::say(line),
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
        harmless(&handeye::clip(&line.join(" "), LONGEST))
    }

    /// A text as a whole, with its lines.
    pub(crate) fn text(&self, text: &str) -> String {
        harmless(&self.masker.text(text))
    }

    pub(crate) fn paint(&self, text: &str, code: &str) -> String {
        if self.colours { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// One thing to tell: a mark, and what it says. Its text is made of safe pieces.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    mark: &'static str,
    /// Of the mark and of the text: parameters of the terminal's sequence for colours.
    colour: &'static str,
    ink: &'static str,
    text: String,
}

impl Line {
    fn new(mark: &'static str, colour: &'static str, ink: &'static str, text: String) -> Self {
        Self { mark, colour, ink, text }
    }
    pub(crate) fn heading(text: String) -> Self {
        Self::new("", "", "1", text)
    }
    /// Something about what goes on, less important.
    pub(crate) fn aside(text: String) -> Self {
        Self::new("  ", "", "2", text)
    }
    /// A step that is being done.
    pub(crate) fn step(text: String) -> Self {
        Self::new("  → ", "36", "", text)
    }
    pub(crate) fn good(text: String) -> Self {
        Self::new("    ✓ ", "32", "", text)
    }
    pub(crate) fn doubt(text: String) -> Self {
        Self::new("    ! ", "33", "", text)
    }
    pub(crate) fn bad(text: String) -> Self {
        Self::new("    ✗ ", "31", "", text)
    }
    /// The end of a command that did not do what was asked.
    pub(crate) fn failure(text: String) -> Self {
        Self::new("handeye: ", "31", "", text)
    }
    pub(crate) fn hint(text: String) -> Self {
        Self::new("  hint: ", "", "", text)
    }
    pub(crate) fn note(text: String) -> Self {
        Self::new("  · ", "33", "", text)
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
    fn lines_fit_the_terminal_and_are_whole_elsewhere() {
        let line = Line::good("confirmed: the page now says \"Enamel mug was added to the cart.\"".into());
        let on = |columns| Screen { columns, ..Screen::default() }.drawn(&line);
        assert_eq!(on(None), "    ✓ confirmed: the page now says \"Enamel mug was added to the cart.\"");
        assert_eq!(on(Some(41)), "    ✓ confirmed: the page now says\n      \"Enamel mug was added to the cart.\"");
        let painted = Screen { columns: Some(40), colours: true, ..Screen::default() }.drawn(&Line::aside("a".into()));
        assert_eq!(painted, "  \u{1b}[2ma\u{1b}[0m");
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
