//! Quoted texts, taken out of the way so that nothing inside them is read as grammar.

/// The quoted texts of a goal, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Quotes(Vec<Quote>);

#[derive(Clone, Debug, PartialEq)]
struct Quote {
    open: char,
    inner: String,
    close: char,
}

/// The first of the characters that stand for quoted texts: a private-use area that no text to be typed needs.
const FIRST: u32 = 0xE000;
const MOST: usize = 512;

/// Opening and closing marks. Straight ones close with themselves.
const PAIRS: &[(char, char)] = &[
    ('"', '"'),
    ('“', '”'),
    ('”', '”'),
    ('‘', '’'),
    ('\'', '\''),
    ('`', '`'),
    ('「', '」'),
    ('『', '』'),
    ('《', '》'),
    ('【', '】'),
    ('＂', '＂'),
    ('«', '»'),
    ('„', '“'),
];

pub(crate) fn is_mark(c: char) -> bool {
    (FIRST..FIRST + MOST as u32).contains(&(c as u32))
}

pub(crate) fn has_cjk(text: &str) -> bool {
    text.chars().any(super::super::names::is_cjk)
}

impl Quotes {
    /// Replaces each quoted text with one character.
    ///
    /// # Errors
    /// A quote that is not closed: the text behind it, for the message.
    pub(crate) fn mark(goal: &str) -> Result<(String, Self), String> {
        let chars: Vec<char> = goal.chars().map(|c| if is_mark(c) { '\u{fffd}' } else { c }).collect();
        let mut quotes = Vec::new();
        let mut out = String::new();
        let mut at = 0;
        while at < chars.len() {
            let c = chars[at];
            let before = at.checked_sub(1).map_or(' ', |p| chars[p]);
            let Some((open, close)) = PAIRS.iter().copied().find(|(open, _)| *open == c) else {
                out.push(c);
                at += 1;
                continue;
            };
            if matches!(c, '\'' | '‘' | '`') && before.is_alphanumeric() && !super::super::names::is_cjk(before) {
                out.push(c);
                at += 1;
                continue;
            }
            match closing(&chars, at, close) {
                Some(end) if quotes.len() < MOST => {
                    let inner: String = chars[at + 1..end].iter().collect();
                    out.push(char::from_u32(FIRST + quotes.len() as u32).unwrap_or('\u{fffd}'));
                    quotes.push(Quote { open, inner, close: chars[end] });
                    at = end + 1;
                }
                _ if matches!(c, '\'' | '‘' | '’' | '”') => {
                    out.push(c);
                    at += 1;
                }
                _ => return Err(chars[at..].iter().collect()),
            }
        }
        Ok((out, Self(quotes)))
    }

    /// The text inside the quote that a character stands for.
    pub(crate) fn inner(&self, mark: char) -> Option<&str> {
        if !is_mark(mark) {
            return None;
        }
        self.0.get((mark as u32 - FIRST) as usize).map(|q| q.inner.as_str())
    }
    /// The text when it is one quote and nothing else.
    pub(crate) fn only(&self, marked: &str) -> Option<&str> {
        let trimmed = marked.trim().trim_end_matches(['.', ',', '。', '，', ':', '：']);
        let mut chars = trimmed.chars();
        let first = chars.next()?;
        if chars.next().is_some() { None } else { self.inner(first) }
    }
    /// The text as it was written.
    pub(crate) fn restore(&self, marked: &str) -> String {
        let mut out = String::new();
        for c in marked.chars() {
            match self.0.get((c as u32).wrapping_sub(FIRST) as usize) {
                Some(q) => {
                    out.push(q.open);
                    out.push_str(&q.inner);
                    out.push(q.close);
                }
                None => out.push(c),
            }
        }
        out
    }
    /// A value to type: the inside of a lone quote, else the text as it was written.
    pub(crate) fn value(&self, marked: &str) -> String {
        self.only(marked).map_or_else(|| self.restore(marked.trim()), str::to_owned)
    }
}

/// Where the quote that opens at `at` closes. A straight single quote between letters is an apostrophe.
fn closing(chars: &[char], at: usize, close: char) -> Option<usize> {
    let apostrophes = matches!(close, '\'' | '’');
    if apostrophes && chars.get(at + 1).is_none_or(|c| c.is_whitespace()) {
        return None;
    }
    // Typewritten quotes in a text that otherwise has curly ones close with either.
    let closes = |c: char| c == close || (close == '"' && c == '”') || (close == '”' && c == '"' && chars[at] == '“');
    (at + 1..chars.len()).find(|&i| {
        let after = chars.get(i + 1).copied().unwrap_or(' ');
        closes(chars[i]) && !(apostrophes && after.is_alphanumeric() && !super::super::names::is_cjk(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(goal: &str, want: &str) {
        let got = match Quotes::mark(goal) {
            Ok((marked, quotes)) => marked
                .chars()
                .map(|c| quotes.inner(c).map_or_else(|| c.to_string(), |inner| format!("<{inner}>")))
                .collect::<String>(),
            Err(rest) => format!("✗ {rest}"),
        };
        assert_eq!(got, want);
    }

    #[test]
    fn quotes_of_all_kinds_are_taken_out() {
        check(r#"click "Sign in", then"#, "click <Sign in>, then");
        check("click 'Don't ask again' now", "click <Don't ask again> now");
        check("Alice's row isn't here", "Alice's row isn't here");
        check("点击“登录”和「注册」按钮", "点击<登录>和<注册>按钮");
        check("点击'提交'按钮", "点击<提交>按钮");
        check("click `Run`", "click <Run>");
        check("type \"half", "✗ \"half");
        check("the users' list", "the users' list");
        check("打开【设置】", "打开<设置>");
    }
}
