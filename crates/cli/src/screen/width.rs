//! How many columns a text takes, and where it is broken into rows.

use std::os::fd::AsFd;

/// For a terminal that does not say.
const USUAL: usize = 80;

/// The columns of the terminal behind this file.
pub(super) fn columns(terminal: impl AsFd) -> usize {
    let size = rustix::termios::tcgetwinsize(terminal).ok();
    size.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0).unwrap_or(USUAL)
}

/// The columns of a text. Marks that change the character before them are counted too: a row is then a little short, never long.
pub(super) fn of(text: &str) -> usize {
    text.chars().map(of_char).sum()
}

/// Ideographs, kana, hangul, full-width forms and pictures take two columns.
fn of_char(c: char) -> usize {
    let is_wide = matches!(u32::from(c),
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60
        | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd);
    if is_wide { 2 } else { 1 }
}

/// The text in rows of at most `columns`, broken between words where there are any, else anywhere.
pub(super) fn rows(text: &str, columns: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let width = of(word);
        let gap = usize::from(used > 0);
        if used + gap + width <= columns {
            push(&mut rows, if gap == 1 { " " } else { "" });
            push(&mut rows, word);
            used += gap + width;
            continue;
        }
        // A word that fits into no row goes on right where it is: a row of its own would not help it.
        let breaks = width > columns;
        if used > 0 && !(breaks && used + 1 < columns) {
            rows.push(String::new());
            used = 0;
        } else if used > 0 {
            push(&mut rows, " ");
            used += 1;
        }
        for c in word.chars() {
            if used + of_char(c) > columns {
                rows.push(String::new());
                used = 0;
            }
            push(&mut rows, c.encode_utf8(&mut [0; 4]));
            used += of_char(c);
        }
    }
    rows
}

fn push(rows: &mut [String], text: &str) {
    if let Some(row) = rows.last_mut() {
        row.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_break_between_words_and_inside_of_what_has_none() {
        for (text, columns, want) in [
            ("one two three", 20, vec!["one two three"]),
            ("one two three", 7, vec!["one two", "three"]),
            ("one two three", 8, vec!["one two", "three"]),
            ("abcdefghij", 4, vec!["abcd", "efgh", "ij"]),
            ("to abcdefghij", 6, vec!["to abc", "defghi", "j"]),
            ("在搜索框输入手机", 6, vec!["在搜索", "框输入", "手机"]),
            ("a\u{20}\u{20}b", 6, vec!["a b"]),
            ("", 6, vec![""]),
        ] {
            assert_eq!(rows(text, columns), want, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_row_is_wider_than_the_terminal(text: String, columns in 2..50usize) {
            let rows = rows(&text, columns);
            assert!(rows.iter().all(|row| of(row) <= columns), "{rows:?}");
            let kept = |text: &str| text.replace(' ', "");
            assert_eq!(kept(&rows.concat()), kept(&text));
        }
    }
}
